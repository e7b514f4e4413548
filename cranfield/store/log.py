"""The judgment log: append-only events, and what they amount to.

An event is on disk when `append` returns. A judgment belongs to (topic, document, assessor), never to a rank or a place
in a file. Taking something back is an event too: a `retract` that names what it supersedes.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from cranfield.errors import InputError, StoreError
from cranfield.store.chain import INSERT, JUDGMENTS, SELECT, Event, add_person, chain_links, event_of, store_origin
from cranfield.store.store import Store, now
from cranfield.text import join_words, visible_text

FAST_SECONDS = 0.4  # after the draw of a document, in which nobody can have read anything
GRADED = ("label", "adjudicate", "import")  # the kinds of event that carry a grade
REPEAT = " (repeat)"  # ends the name under which an assessor's second labels of the same documents are kept
OUTWEIGHED = " outweighed"  # ends the id of the event here that supersedes a decision of a bundle
SAYS = (*GRADED, "later", "cannot-judge")  # those that say how a pair stands, unless they are taken back


class Criterion(NamedTuple):
    """What an assessor takes to count as relevant to a topic, from a moment on."""

    at: str
    qid: str
    assessor: str
    text: str


def check_assessor_name(name: str) -> None:
    """Raise StoreError if a name is not valid for a new assessor.

    >>> check_assessor_name("ada ")
    Traceback (most recent call last):
    cranfield.errors.StoreError: 'ada ' is not a valid assessor name: it begins or ends with a blank
    """
    why = ""
    if name.endswith(REPEAT):
        why = "names with this ending are reserved for documents shown twice"
    elif name != name.strip() or not name:
        why = "it begins or ends with a blank" if name.strip() else "it is empty"
    elif name.encode("utf-8", "ignore").decode() != name:
        why = "it is not UTF-8"
    elif visible_text(name) != name or "\n" in name:
        why = "it contains an invisible character"
    if why:
        raise StoreError(f"{name!r} is not a valid assessor name: {why}")


def add_assessor(store: Store, name: str, kind: str = "human") -> None:
    """Make an assessor known; one who is known already keeps her kind."""
    if name not in (kinds := assessors(store)):
        check_assessor_name(name)
        if owner := store.rows("SELECT assessor FROM bundle"):
            raise StoreError(f"this is a bundle for {owner[0][0]!r}; {name!r} cannot judge in it")
        with store.writing():
            if name not in assessors(store):  # nobody else has added her meanwhile
                add_person(store.conn, name, kind)
        people = [one for one, other in kinds.items() if other == kind == "human"]
        if alike := [repr(one) for one in people if normalize_person_name(one) == normalize_person_name(name)]:
            store.tell(f"{name!r} is a new assessor, but the name is similar to {join_words(alike, 'and')}")


def normalize_person_name(name: str) -> str:
    """A person's name whatever its case, accents, width and blanks.

    >>> normalize_person_name("Zoë  Ａ.") == normalize_person_name("zoe a.")
    True
    """
    letters = unicodedata.normalize("NFKD", name.casefold())
    return " ".join("".join(one for one in letters if not unicodedata.combining(one)).split())


def add_external_assessor(store: Store, name: str, kind: str) -> None:
    """Make an assessor who judged elsewhere known. Her kind in this store stays, so another kind is refused."""
    own = assessors(store).get(name, kind)
    if kind not in ("import", own):
        raise InputError(
            f"assessor {name!r} already exists with kind {own}, which cannot be changed to {kind}; use another name"
        )
    add_assessor(store, name, kind)


def assessors(store: Store) -> dict[str, str]:
    """The kind of each assessor, by name, in the order they came: human, model, panel, import, or repeat.

    "repeat" is somebody's second name, under which documents shown twice are kept.
    """
    kind = "CASE WHEN repeats IS NULL THEN kind ELSE 'repeat' END"
    return dict(store.rows(f"SELECT name, {kind} FROM assessor ORDER BY id"))


def append(store: Store, *events: Event) -> list[int]:
    """Append events in one transaction, on disk before this returns; their ids.

    >>> from cranfield.formats import Document, Topic
    >>> store = Store.memory("two documents")
    >>> store.add_documents([Document("d1", text="one"), Document("d2", text="two")])
    2
    >>> store.add_topics([Topic("q1", "a title")])
    1
    >>> add_assessor(store, "ada")
    >>> append(store, Event("label", "q1", "d1", "ada", grade=1))
    [1]
    >>> append(store, Event("retract", "q1", "d1", "ada", supersedes=1))
    [2]
    >>> current_decisions(store, "ada")
    {}
    >>> append(store, Event("label", "q1", "d1", "ada", grade=7))
    Traceback (most recent call last):
    cranfield.errors.InputError: grade 7 is not on this collection's scale: 0 not relevant, 1 relevant
    >>> store.close()
    """
    good = list(check_grades_on_scale(store, events))
    with store.writing():
        return [insert(store, event) for event in chain_links(store.conn, good, store_origin(store.conn))]


def insert(store: Store, event: Event) -> int:
    """Write an event as it is, a link of its chain; its number."""
    return int(store.conn.execute(INSERT, event._asdict()).lastrowid or 0)


def is_recorded(store: Store, event_id: str, log: str = JUDGMENTS) -> bool:
    """Whether a log, that of judgments or another, has an event of this id."""
    return bool(store.rows(f"SELECT 1 FROM {log} WHERE event_id = ?", [event_id]))


def last_signs(store: Store) -> dict[str, str]:
    """When each assessor last recorded something, in UTC; what was imported was recorded elsewhere."""
    rows = store.rows(
        "SELECT own.name, max(e.at) FROM judgment_event e JOIN assessor a ON a.id = e.assessor"
        " JOIN assessor own ON own.id = coalesce(a.repeats, a.id) WHERE e.kind <> 'import'"
        " GROUP BY own.id ORDER BY own.id"
    )
    return dict(rows)


def first_signs(store: Store) -> dict[tuple[str, str], str]:
    """When each assessor first recorded something on a topic, in UTC."""
    rows = store.rows(
        "SELECT qid, name, min(at) FROM judgment_event e JOIN topic t ON t.id = e.topic"
        " JOIN assessor a ON a.id = e.assessor GROUP BY t.id, a.id"
    )
    return {(qid, name): at for qid, name, at in rows}


def last_judged(store: Store) -> dict[str, str]:
    """When something was last recorded on each topic, in UTC."""
    return dict(store.rows("SELECT qid, max(at) FROM judgment_event e JOIN topic t ON t.id = e.topic GROUP BY t.id"))


def label_seconds(store: Store) -> list[float]:
    """The seconds that each timed label took, without very fast labels, which say nothing of a pace."""
    times = "SELECT seconds FROM judgment_event WHERE kind = 'label' AND seconds >= ? AND NOT fast"
    return [seconds for (seconds,) in store.rows(times, [FAST_SECONDS])]


def check_grades_on_scale(store: Store, events: Iterable[Event]) -> Iterator[Event]:
    scale = store.collection.grades
    for event in events:
        if event.kind in GRADED and event.grade not in scale:
            raise InputError(f"grade {event.grade} is not on this collection's scale: {scale_in_words(scale)}")
        yield event


def scale_in_words(scale: Mapping[int, str]) -> str:
    """A grade scale in words.

    >>> scale_in_words({0: "not relevant", 1: "relevant"})
    '0 not relevant, 1 relevant'
    """
    return ", ".join(f"{grade} {meaning}" for grade, meaning in scale.items())


def read_events(store: Store, assessor: str | None = None, view: str = "judgment_log", after: int = 0) -> list[Event]:
    """All events in the order they happened, or one assessor's; only those with an id above `after`."""
    where = "id > :after" if assessor is None else "id > :after AND assessor = :assessor"
    values = {"assessor": assessor, "after": after}
    rows = store.conn.execute(f"{SELECT} {view} WHERE {where} ORDER BY id", values).fetchall()
    return [event_of(row) for row in rows]


def adjudication_events(store: Store, after: int = 0) -> list[Event]:
    """Adjudications and what belongs to them, among other events that were undone, with an id above `after`."""
    which = "kind IN ('adjudicate', 'retract') OR source = 'adjudication'"
    rows = store.conn.execute(f"{SELECT} judgment_log WHERE id > ? AND ({which}) ORDER BY id", [after]).fetchall()
    return [event_of(row) for row in rows]


def has_adjudications(store: Store) -> bool:
    """Whether an adjudicator has ever settled a pair."""
    query = "SELECT 1 FROM judgment_event WHERE kind = 'adjudicate' OR source = 'adjudication' LIMIT 1"
    return bool(store.rows(query))


def events_of(store: Store, qid: str, docno: str, view: str = "judgment_log") -> list[Event]:
    """Everybody's events on one pair, in the order they happened."""
    rows = store.rows(f"{SELECT} {view} WHERE qid = ? AND docno = ? ORDER BY id", [qid, docno])
    return [event_of(row) for row in rows]


class Tally(NamedTuple):
    """How many current decisions of a kind an assessor has, and the active seconds of those that were timed."""

    assessor: str
    kind: str
    grade: int | None
    decisions: int
    timings: int
    seconds: float
    again: bool = False  # of documents shown twice, the second time


def tallies(store: Store) -> list[Tally]:
    """The current decisions, counted by assessor, kind and grade."""
    rows = store.rows(
        "SELECT coalesce(own.name, a.name), e.kind, e.grade, count(*), count(e.seconds), total(e.seconds),"
        " own.id NOT NULL FROM current_event c JOIN judgment_event e ON e.id = c.id"
        " JOIN assessor a ON a.id = c.assessor"
        " LEFT JOIN assessor own ON own.id = a.repeats GROUP BY a.id, e.kind, e.grade"
    )
    return [Tally(*row) for row in rows]


def current_decisions_on_topic(store: Store, qid: str) -> list[Event]:
    """Everybody's current decisions on a topic, in the order they happened."""
    return [event_of(row) for row in store.rows(f"{SELECT} current_judgment WHERE qid = ? ORDER BY id", [qid])]


def current_decisions(store: Store, assessor: str) -> dict[tuple[str, str], Event]:
    """How each pair stands with an assessor: her last label, later or cannot-judge that was not retracted."""
    return {(event.qid, event.docno): event for event in read_events(store, assessor, "current_judgment")}


def add_criterion(store: Store, qid: str, assessor: str, text: str) -> None:
    """Append to an assessor's diary of criteria for a topic."""
    with store.writing():
        store.conn.execute(
            "INSERT INTO criterion (at, topic, assessor, text) VALUES (?, (SELECT id FROM topic WHERE qid = ?),"
            " (SELECT id FROM assessor WHERE name = ?), ?)",
            [now(), qid, assessor, text],
        )


def criteria(store: Store, qid: str, assessor: str) -> list[Criterion]:
    """An assessor's criteria for a topic, first things first."""
    rows = store.rows("SELECT at, qid, assessor, text FROM criteria WHERE qid = ? AND assessor = ? ORDER BY id",
                      [qid, assessor])  # fmt: skip
    return [Criterion(*row) for row in rows]


def guidelines(store: Store) -> str:
    """The guidelines for assessors of this collection; empty where there are none."""
    return str(store.rows("SELECT guidelines FROM collection")[0][0])


def set_guidelines(store: Store, text: str) -> None:
    """Set the guidelines for assessors."""
    with store.writing():
        store.conn.execute("UPDATE collection SET guidelines = ?", [text])
