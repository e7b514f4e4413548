"""The chains of the logs: each item carries the hash of the one before it, so that no change goes unseen.

An item's hash is the SHA-256 of the JSON array of the rule's number, the log that it is in, its origin, the hash before
it there, what it says by the names of its columns (sorted, without those that are NULL), and its seal. Topics,
documents and what is taken back have their names, an assessor has the random id that stands for her: so the hash stays
what it is when a bundle comes home, or when a column is added that is NULL.

The seal is of what is personal: notes, reasons, passages, times, words. It is an HMAC with the salt of the assessor,
of the item's id and these columns; empty where all of them are. Whoever erases the columns and the salt can keep the
seal: the hash is still right, and nobody can find out by trying what was sealed.

There is a chain for each origin: the store itself, each bundle, each import. The head of a log is the SHA-256 of the
last hashes of all chains, sorted. Events from before there were seals keep the hash of their time.
"""

import hashlib
import hmac
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from operator import attrgetter
from secrets import token_bytes
from sqlite3 import Connection
from typing import Any, NamedTuple
from uuid import uuid4

from cranfield.errors import StoreError
from cranfield.store.decoding import decode_json_column
from cranfield.text import counted


class Event(NamedTuple):
    """One thing an assessor did; the store gives `at`, `event_id` and `id`."""

    kind: str
    qid: str
    docno: str
    assessor: str
    grade: int | None = None
    unsure: bool = False
    reason: str = ""
    note: str = ""
    evidence: str | None = None
    source: str = ""
    seconds: float | None = None
    position: int | None = None
    order_policy: str = ""
    order_seed: int | None = None
    document_sha256: str | None = None
    pool: int | None = None
    supersedes: int | None = None
    at: str = ""
    event_id: str = ""
    id: int | None = None
    input: str = ""  # key: full screen, plain: line mode, browser: served, page: not served, model: asked
    fast: bool = False  # decided hardly after the document was drawn
    highlight_terms: str = ""
    docno_shown: bool = False
    origin: str = ""  # where it came into being
    previous: str = ""  # the hash of the event before it there
    hash: str = ""
    rule: int = 2  # by which it was hashed


OWN = tuple(name for name in Event._fields[4:] if name != "id")  # the columns in the table under the same name


INSERT = (
    f"INSERT INTO judgment_event (kind, topic, document, assessor, {', '.join(OWN)})"
    " VALUES (:kind, (SELECT id FROM topic WHERE qid = :qid), (SELECT id FROM document WHERE docno = :docno),"
    f" (SELECT id FROM assessor WHERE name = :assessor), {', '.join(':' + name for name in OWN)})"
)


FLAGS = [Event._fields.index(name) for name in ("unsure", "fast", "docno_shown")]  # 0 or 1 in the table


SELECT = f"SELECT {', '.join(Event._fields)} FROM"


def event_of(row: tuple[Any, ...]) -> Event:
    """An event from its columns."""
    values = list(row)
    for place in FLAGS:
        values[place] = bool(values[place])
    return Event._make(values)


SALT = 32  # bytes
RULE = 2  # 1: the first rule, below
JUDGMENTS, OTHERS = "judgment_event", "event_link"  # the tables with hashes
OPEN = (
    "event_id", "at", "kind", "qid", "docno", "grade", "unsure", "source", "position", "order_policy", "order_seed",
    "document_sha256", "pool", "input", "fast", "docno_shown",
)  # fmt: skip
PERSONAL = ("reason", "note", "seconds", "highlight_terms", "evidence")
_encode = json.JSONEncoder(sort_keys=True).encode
_open, _personal = attrgetter(*OPEN), attrgetter(*PERSONAL)


class Person(NamedTuple):
    """How hashes know an assessor: by a random id; the salt of her seals is empty once she was erased."""

    uid: str
    salt: bytes


NOBODY = Person("", b"")


def seal(person: Person, item: str, personal: Mapping[str, Any]) -> str:
    """The seal of what is personal in an item.

    >>> ada = Person("a", b"salt")
    >>> seal(ada, "e1", {"note": "hm"}) == seal(ada, "e2", {"note": "hm"}), seal(ada, "e1", {"note": ""})
    (False, '')
    """
    content = {name: value for name, value in personal.items() if value not in (None, "")}
    return hmac.digest(person.salt, _json([item, content]), "sha256").hex() if content else ""


def item_hash(log: str, origin: str, previous: str, content: Mapping[str, Any], sealed: str) -> str:
    """The hash of an item; a column that is NULL makes no difference.

    >>> item_hash("a", "", "", {"x": 1}, "") == item_hash("a", "", "", {"y": None, "x": 1}, "")
    True
    """
    fields = {name: value for name, value in content.items() if value is not None}
    return hashlib.sha256(_json([RULE, log, origin, previous, fields, sealed])).hexdigest()


def _json(value: object) -> bytes:
    return _encode(value).encode()


def open_content(event: Event, person: Person, earlier: str | None) -> dict[str, Any]:
    """What an event of the judgment log says, but for what is personal."""
    content = dict(zip(OPEN, _open(event), strict=True))
    content |= {name: int(content[name]) for name in ("unsure", "fast", "docno_shown")}
    if event.kind == "import":
        content["evidence"] = event.evidence
    return content | {"assessor": person.uid, "supersedes": earlier}


def seal_of_event(event: Event, person: Person) -> str:
    """The seal of an event of the judgment log; the subtopics of an import are not personal."""
    content = dict(zip(PERSONAL, _personal(event), strict=True))
    if event.kind == "import":
        del content["evidence"]
    if event.seconds is not None:
        content["seconds"] = float(event.seconds)
    return seal(person, event.event_id, content)


def hash_of(event: Event, person: Person, earlier: str | None, sealed: str | None = None) -> str:
    """The hash of an event of the judgment log; `sealed` is its seal if what it was of is erased.

    >>> from cranfield.store.chain import Event
    >>> label, ada = Event("label", "q1", "d1", "ada", grade=1, note="hm"), Person("a", b"salt")
    >>> hash_of(label, ada, None) in (hash_of(label._replace(grade=0), ada, None), hash_of(label, NOBODY, None))
    False
    >>> hash_of(label._replace(note=""), ada, None, seal_of_event(label, ada)) == hash_of(label, ada, None)
    True
    """
    sealed = seal_of_event(event, person) if sealed is None else sealed
    return item_hash(JUDGMENTS, event.origin, event.previous, open_content(event, person, earlier), sealed)


def remaining_item_hash(log: str, origin: str, previous: str, content: Mapping[str, Any], own: str) -> str:
    """The hash of what remains of an item of the first rule, of which something was erased, and of its own hash."""
    remains = {name: value for name, value in content.items() if value != ""}
    return item_hash(log, origin, previous, {**remains, "hash": own}, "")


def remainder_hash(event: Event, person: Person, earlier: str | None) -> str:
    """The hash of what remains of an event of the judgment log."""
    content = dict(zip(PERSONAL, _personal(event), strict=True)) | {
        name: value for name, value in open_content(event, person, earlier).items() if value is not None
    }
    return remaining_item_hash(JUDGMENTS, event.origin, event.previous, content, event.hash)


def redactions(conn: Connection, log: str) -> dict[str, str]:
    """What is kept in place of what was erased, by the row of a table."""
    rows = conn.execute("SELECT item, kept FROM redaction WHERE log = ? ORDER BY erasure", [log])
    return dict(rows.fetchall())


def person_by_name(conn: Connection) -> dict[str, Person]:
    """How hashes know each assessor, by name."""
    rows = conn.execute("SELECT name, uid, salt FROM assessor a LEFT JOIN assessor_salt s ON s.assessor = a.id")
    return {name: Person(uid, bytes(salt or b"")) for name, uid, salt in rows}


def add_person(conn: Connection, name: str, kind: str, repeats: str | None = None, own: Person | None = None) -> None:
    """Make an assessor known, with an id and a salt: new ones, or those that she has elsewhere."""
    person = own or Person(uuid4().hex, token_bytes(SALT))
    row = "INSERT INTO assessor (name, kind, repeats, uid) VALUES (?, ?, (SELECT id FROM assessor WHERE name = ?), ?)"
    number = conn.execute(row, [name, kind, repeats, person.uid]).lastrowid
    conn.execute("INSERT INTO assessor_salt VALUES (?, ?)", [number, person.salt])


def head_of(links: Iterable[tuple[str, str]]) -> str:
    """The head of a log, from the `previous` and the `hash` of each of its events; empty for an empty log.

    >>> head_of([("", "a"), ("a", "b")]) == head_of([("a", "b"), ("", "a")]) != head_of([("", "a")])
    True
    """
    links = list(links)
    return _hash_of({own for _, own in links} - {previous for previous, _ in links})


class LogHead(NamedTuple):
    """How many events a log has or had, and its head then."""

    events: int
    head: str


class Head:
    """The head of a log while it is walked in its order: only the last hashes are kept.

    >>> judgment_log_head = Head()
    >>> judgment_log_head.follow("", "a")
    >>> judgment_log_head.follow("a", "b")
    >>> judgment_log_head.hash == head_of([("", "a"), ("a", "b")]), Head().hash
    (True, '')
    """

    def __init__(self) -> None:
        self.items = 0
        self._last = set[str]()

    def follow(self, previous: str, own: str) -> None:
        """Go on to the next item."""
        self.items += 1
        self._last.discard(previous)
        self._last.add(own)

    @property
    def hash(self) -> str:
        """The head so far; empty for an empty log."""
        return _hash_of(self._last)

    def check(self, heads: Iterable[LogHead], what: str) -> None:
        """An error where the log once had as many items as so far, and another head."""
        for then in heads:
            if then.events == self.items and then.head != self.hash:
                raise StoreError(f"the head of the first {counted(then.events, what)} differs from the published head")

    def check_reached(self, heads: Iterable[LogHead], what: str) -> None:
        """An error where the log once had more items, all of them being walked."""
        for then in heads:
            if then.events > self.items:
                length = counted(self.items, what)
                raise StoreError(f"the log contains {length}; expected at least {then.events}, the published number")


def _hash_of(last: Iterable[str]) -> str:
    hashes = sorted(last)
    return hashlib.sha256("\n".join(hashes).encode()).hexdigest() if hashes else ""


def log_head(conn: Connection, log: str = JUDGMENTS, events: int = -1) -> LogHead:
    """A log as it stands, or as it stood after its first `events` events."""
    chain = Head()
    for previous, own in conn.execute(f"SELECT previous, hash FROM {log} ORDER BY id LIMIT ?", [events]):
        chain.follow(previous, own)
    return LogHead(chain.items, chain.hash)


def judgment_log_head(conn: Connection, events: int | None = None) -> str:
    """The head of a store's judgment log as it stands, or as it stood after its first `events` events."""
    return log_head(conn, JUDGMENTS, -1 if events is None else events).head


def store_origin(conn: Connection) -> str:
    """The origin of the events that come into being in this store."""
    return str(conn.execute("SELECT origin FROM collection").fetchone()[0])


def add_origin(conn: Connection, kind: str, name: str = "") -> str:
    """Make an origin known; its id."""
    origin = uuid4().hex
    conn.execute("INSERT INTO origin VALUES (?, ?, ?, ?)", [origin, kind, name, now()])
    return origin


def begin(conn: Connection, kind: str = "store") -> None:
    """Give a store, or a bundle, the origin of what comes into being in it from now on."""
    conn.execute("UPDATE collection SET origin = ?", [add_origin(conn, kind)])


def chain_links(conn: Connection, events: Iterable[Event], origin: str, forward: bool = True) -> Iterator[Event]:
    """These events as the next links of a chain, each with the hash of the text that it is about.

    With `forward` no event is earlier than the one before it, whatever the clock says.
    """
    last = conn.execute("SELECT max(at) FROM judgment_event WHERE origin = ?", [origin]).fetchone()[0] or ""

    def stamp() -> Iterator[Event]:
        latest = last
        for event in events:
            text = event.document_sha256 or _first_value(
                conn, "SELECT sha256 FROM document WHERE docno = ?", event.docno
            )
            latest = max(latest, event.at or now()) if forward else event.at or now()
            yield event._replace(event_id=event.event_id or uuid4().hex, document_sha256=text, at=latest)

    return link_events(conn, stamp(), origin)


def link_events(conn: Connection, events: Iterable[Event], origin: str, after: str | None = None) -> Iterator[Event]:
    """These events, just as they are, as the next links of a chain: after its last event, or after that of a hash."""
    last = "SELECT hash FROM judgment_event WHERE origin = ? ORDER BY id DESC LIMIT 1"
    previous = str((conn.execute(last, [origin]).fetchone() or ("",))[0]) if after is None else after
    persons, first = person_by_name(conn), _first_rule_context(conn)
    for event in events:
        earlier = _first_value(conn, "SELECT event_id FROM judgment_event WHERE id = ?", event.supersedes)
        new = event._replace(origin=origin, previous=previous, rule=1 if first else RULE)
        person = persons.get(new.assessor, NOBODY)
        previous = hash_by_first_rule(new, first(new, earlier)) if first else hash_of(new, person, earlier)
        yield new._replace(hash=previous)


def _first_rule_context(conn: Connection) -> "Callable[[Event, str | None], Context] | None":
    """What makes the context of an event for the first rule, if this store still goes by it, as bundles may."""
    if conn.execute("SELECT rule FROM collection").fetchone() != (1,):
        return None
    scale, kinds = grade_scale_text(conn), dict(conn.execute("SELECT name, kind FROM assessor").fetchall())
    return lambda event, superseded: Context(scale, kinds.get(event.assessor, ""), superseded)


def grade_scale_text(conn: Connection) -> str:
    """The grade scale and what counts as relevant, as text."""
    grades, least = conn.execute("SELECT grades, min_relevant FROM collection").fetchone()
    return json.dumps([decode_json_column(dict, grades, "collection", 1, "grades"), least])


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _first_value(conn: Connection, sql: str, value: object) -> str | None:
    row = None if value is None else conn.execute(sql, [value]).fetchone()
    return row[0] if row else None


# The first rule: the hash is of everything that an event says, names and notes included. What was recorded by it keeps
# its hash; bundles that a version with only this rule gave out go on with it until they come home.

FIRST_SAID = (
    "origin", "previous", "event_id", "at", "kind", "qid", "docno", "assessor", "grade", "unsure", "reason", "note",
    "evidence", "source", "seconds", "position", "order_policy", "order_seed", "document_sha256", "pool", "input",
    "fast", "highlight_terms", "docno_shown",
)  # fmt: skip


class Context(NamedTuple):
    """What an event is hashed with besides what it says: the scale, the assessor, and the event it supersedes."""

    scale: str
    assessor_kind: str
    earlier: str | None  # an event id


def hash_by_first_rule(event: Event, context: Context) -> str:
    """The hash of an event of the judgment log.

    >>> from cranfield.store.chain import Event
    >>> label, context = Event("label", "q1", "d1", "ada", grade=1), Context("", "human", None)
    >>> hash_by_first_rule(label, context) == hash_by_first_rule(label._replace(grade=0), context)
    False
    """
    content = [getattr(event, name) for name in FIRST_SAID]
    plain = [int(value) if isinstance(value, bool) else value for value in content]
    return hashlib.sha256(json.dumps([*plain, *context]).encode()).hexdigest()


def first_link_hash(log: str, origin: str, previous: str, content: Sequence[Any]) -> str:
    """The hash of an event of another log.

    >>> first_link_hash("erasure", "a", "", [1, "ada"]) == first_link_hash("erasure", "a", "", [1, "bob"])
    False
    """
    return hashlib.sha256(json.dumps([log, origin, previous, *content]).encode()).hexdigest()
