"""What a published folder has of a store, and a new store made of one.

The commitment of an event is its hash in the log: it covers all that the event says, with its random id, which is not
published, so that nobody can find out what was left out of it by trying. Whoever has the store can show what an event
was, and that the log has the head that is published. All that the tables of a new store refuse is an error of the data.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from sqlite3 import Connection
from typing import Any, NamedTuple

import numpy as np

from cranfield.errors import InputError
from cranfield.formats import Document, Topic
from cranfield.store.chain import INSERT, SELECT, Event, add_origin, add_person, event_of, head_of, link_events
from cranfield.store.decoding import decode_json_column
from cranfield.store.log import check_grades_on_scale, set_guidelines
from cranfield.store.named_rows import NAMES
from cranfield.store.open_pools import PoolStep, add_steps
from cranfield.store.store import Store, document_hash
from cranfield.store.tables import tables_of_store
from cranfield.text import counted

Row = tuple[Any, ...]


class StoredText(NamedTuple):
    """A document as it is stored: its metadata as JSON, and the hash of its text."""

    docno: str
    title: str
    text: str
    url: str
    sha256: str
    metadata: str


def texts(store: Store) -> Iterator[StoredText]:
    """Every document that has a text, by docno.

    >>> from cranfield.formats import Document
    >>> with Store.memory("two documents") as store:
    ...     added = store.add_documents([Document("d2", text="two"), Document("d10", text="ten")])
    ...     [one.docno for one in texts(store)]
    ['d10', 'd2']
    """
    columns = "docno, coalesce(title, ''), text, coalesce(url, ''), sha256, coalesce(metadata, '')"
    for row in store.conn.execute(f"SELECT {columns} FROM document WHERE {store.has_text()} ORDER BY docno"):
        yield StoredText(*row)


def hashes(store: Store, withheld: bool = False) -> Iterator[Row]:
    """The docno, the URL and the hash of the text of each document without a text, because it was published so.

    With `withheld` of every document that has a hash.
    """
    which = f"AND {store.complete_import_condition()}" if withheld else "AND text IS NULL"
    yield from store.conn.execute(
        f"SELECT docno, coalesce(url, ''), sha256 FROM document WHERE sha256 IS NOT NULL {which} ORDER BY docno"
    )


def pools(store: Store) -> list[dict[str, Any]]:
    """How each pool was made, and how it grew."""
    rows = store.rows("SELECT id, method, parameters, seed, version, created FROM pool ORDER BY id")
    names = ("number", "method", "parameters", "seed", "version", "created")
    pool_rows = []
    for row in rows:
        pool = dict(zip(names, row, strict=True))
        number = pool["number"]
        steps = store.rows(
            "SELECT step, qid, room FROM pool_step JOIN topic t ON t.id = topic WHERE pool = ? ORDER BY step, qid",
            [number],
        )
        labels = store.rows(
            "SELECT step, qid, docno, relevant FROM pool_heard JOIN topic t ON t.id = topic"
            " JOIN document d ON d.id = document WHERE pool = ? ORDER BY step, qid, docno",
            [number],
        )
        pool["parameters"] = decode_json_column(dict, pool["parameters"], "pool", number, "parameters")
        pool_rows.append(pool | ({"steps": steps, "heard": labels} if steps or labels else {}))
    return pool_rows


def pooled(store: Store) -> Iterator[Row]:
    """The documents of every pool: pool, qid, docno, depth, runs, stratum, probability."""
    columns = "pool, qid, docno, depth, runs, stratum, probability"
    yield from store.conn.execute(f"SELECT {columns} FROM pooled ORDER BY pool, qid, docno")


def frame(store: Store) -> Iterator[Row]:
    """What stratified pools were drawn from: pool, qid, docno, stratum."""
    yield from store.conn.execute(
        "SELECT f.pool, qid, docno, f.stratum FROM frame_document f JOIN topic t ON t.id = f.topic"
        " JOIN document d ON d.id = f.document ORDER BY f.pool, qid, docno"
    )


def judged_or_pooled(store: Store, present: Mapping[str, str], qids: Sequence[str] | None = None) -> Iterator[str]:
    """The docnos that the log names, by their present names, and the pools; of some topics the log alone."""
    judged = (
        "SELECT DISTINCT qid, docno FROM judgment_event e JOIN topic t ON t.id = e.topic"
        " JOIN document d ON d.id = e.document"
    )
    yield from (present.get(d, d) for qid, d in store.conn.execute(judged) if qids is None or qid in qids)
    tables = " UNION ".join(f"SELECT document FROM {table}" for table in ("pool_document", "frame_document"))
    if qids is None:
        yield from (docno for (docno,) in store.conn.execute(f"SELECT docno FROM document WHERE id IN ({tables})"))


def first_assessors(store: Store) -> list[tuple[str, str]]:
    """Topic and assessor, of everybody to whom a topic was assigned first: under some policies their labels count."""
    return store.rows(
        "SELECT qid, name FROM holder h JOIN assignment g ON g.id = h.assignment AND g.role = 'first'"
        " JOIN topic t ON t.id = g.topic JOIN assessor a ON a.id = h.assessor ORDER BY t.id, a.id"
    )


class Assessor(NamedTuple):
    """An assessor; `repeats` is whose second name this is."""

    name: str
    kind: str
    repeats: str | None
    events: int


def assessors(store: Store) -> list[Assessor]:
    """Every assessor, in the order they came."""
    rows = store.rows(
        "SELECT a.name, a.kind, own.name, (SELECT count(*) FROM judgment_event e WHERE e.assessor = a.id)"
        " FROM assessor a LEFT JOIN assessor own ON own.id = a.repeats ORDER BY a.id"
    )
    return [Assessor(*row) for row in rows]


def names_like(store: Store, pattern: str) -> Iterator[tuple[str, str]]:
    """Documents and topics whose ids have a pattern of SQL's GLOB: what it is, and the id."""
    for table, column in NAMES.items():
        rows = store.conn.execute(f"SELECT {column} FROM {table} WHERE removed = 0 AND {column} GLOB ?", [pattern])
        yield from ((table, name) for (name,) in rows)


class LogState(NamedTuple):
    """How many events a log has, its head, and the last commitment of each of its chains."""

    events: int
    head: str
    chains: tuple[str, ...]


def published_logs(store: Store) -> dict[str, LogState]:
    """The logs that were imported from published folders, by the origin of their events here."""
    rows = store.rows(
        "SELECT origin, events, head, chains FROM published_log p"
        " ORDER BY (SELECT min(e.id) FROM judgment_event e WHERE e.origin = p.origin)"
    )
    return {
        origin: LogState(events, head, tuple(decode_json_column(list, chains, "published_log", origin, "chains")))
        for origin, events, head, chains in rows
    }


def log_states(store: Store) -> list[LogState]:
    """The states of the logs whose events this store has: those that were published before, and last its own."""
    earlier = published_logs(store)
    links = [
        (previous, own)
        for origin, previous, own in store.rows("SELECT origin, previous, hash FROM judgment_event ORDER BY id")
        if origin not in earlier
    ]
    chains = tuple(sorted({own for _, own in links} - {previous for previous, _ in links}))
    return [*earlier.values(), *([LogState(len(links), head_of(links), chains)] if links else [])]


def events_with_commitments(store: Store) -> Iterator[tuple[Event, str]]:
    """Every event in the order of the log, with its commitment."""
    earlier = published_logs(store)
    for row in store.conn.execute(f"{SELECT} judgment_log ORDER BY id"):
        event = event_of(row)
        yield event, event.event_id if event.origin in earlier else event.hash


NO_PLACE = {  # besides tables of features that say so
    "criterion": ("criterion of an assessor", "criteria of assessors"),
    "plan WHERE made <> ''": ("plan of assignments", "plans of assignments"),
    "invitation": ("invitation", "invitations"),
    "import": ("import in the history", "imports in the history"),
    "removal": ("removal in the history", "removals in the history"),
    "release": ("release", "releases"),
}
HUMAN_EVENTS = "judgment_event e JOIN assessor a ON a.id = e.assessor AND a.kind = 'human'"
QUOTES = (
    "CASE WHEN evidence IS NULL THEN 0 WHEN json_valid(evidence) THEN"
    " json_remove(evidence, '$.subtopics', '$.panel') <> '{}' ELSE 1 END"
)
ANONYMOUS_QUERIES = {
    "judgment_event WHERE note <> ''": ("note", "notes"),
    f"{HUMAN_EVENTS} WHERE reason <> ''": ("reason of an assessor", "reasons of assessors"),
    f"judgment_event WHERE {QUOTES}": ("quoted evidence", "pieces of quoted evidence"),
    "judgment_event WHERE highlight_terms <> ''": ("list of marked terms", "lists of marked terms"),
}


def left_out(store: Store, full_log: bool = False) -> list[str]:
    """What has no place in a folder or, unless the log is published in full, says too much of people."""
    private = {table.name: table.unpublished for table in tables_of_store(store.conn) if table.unpublished}
    omissions = private | NO_PLACE | ({} if full_log else ANONYMOUS_QUERIES)
    numbers = {rows: store.rows(f"SELECT count(*) FROM {rows}")[0][0] for rows in omissions}
    numbers["release"] -= bool(store.as_of)  # the one that is published
    return [counted(number, *omissions[rows]) for rows, number in numbers.items() if number]


@contextmanager
def restoring(store: Store, source: object) -> Iterator[None]:
    """One transaction; what the tables of a store refuse is an error of the source."""
    try:
        with store.writing():
            yield
    except (sqlite3.IntegrityError, sqlite3.DataError, OverflowError) as error:
        raise InputError(f"the folder does not contain a valid store: {error}", str(source)) from error
    store.forget()


SKIPPED = (
    "document_indexed", "document_reindexed", "lease_renewed", "judgment_event_new", "judgment_event_on_scale",
)  # fmt: skip


def hurry(store: Store) -> None:
    """In a store that is going to be thrown away: do not wait for the disk, index no text, check no event again."""
    store.conn.execute("PRAGMA synchronous = OFF")
    triggers = store.rows(
        "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'recorded\\_%' ESCAPE '\\'"
    )
    for trigger in (*SKIPPED, *(name for (name,) in triggers)):
        store.conn.execute(f"DROP TRIGGER {trigger}")


def counting(store: Store, labels: Iterable[Sequence[Any]]) -> None:
    """Let these labels count (grade, whether it is a model's, the event it rests on), in a store to be thrown away."""
    store.conn.execute("DROP VIEW qrels_event")
    store.conn.execute("CREATE TABLE qrels_event (id, topic, document, assessor, grade, source, by_model)")
    store.conn.executemany(
        "INSERT INTO qrels_event SELECT id, topic, document, assessor, ?, source, ? FROM judgment_event WHERE id = ?",
        labels,
    )


def add_texts(store: Store, texts: Iterable[StoredText]) -> int:
    """Add documents; one whose text has another hash than it should is refused."""
    return store.add_documents(map(_document, texts))


def _document(one: StoredText) -> Document:
    metadata = decode_json_column(dict, one.metadata or None, "document", one.docno, "metadata")
    if document_hash(one.text, metadata) != one.sha256:
        raise InputError(f"document {one.docno!r}: the SHA-256 of its text is not {one.sha256}")
    return Document(one.docno, one.title, one.text, one.url, metadata)


def add_hashes(store: Store, hashes: Iterable[Sequence[Any]]) -> None:
    """Add documents by docno, URL and the hash of the text, which is not here."""
    rows = ((docno, url or None, digest) for docno, url, digest in hashes)
    store.conn.executemany("INSERT INTO document (docno, url, sha256) VALUES (?, ?, ?)", rows)


def add_topics(store: Store, topics: Sequence[Topic]) -> None:
    """Add topics; one that has nothing but its qid is only known by it."""
    store.ensure_rows("topic", np.array([topic.qid for topic in topics], object))
    store.add_topics(topic for topic in topics if any(topic[1:]))


def add_pools(
    store: Store, pools: Sequence[Mapping[str, Any]], documents: Iterable[Sequence[Any]], frame: Iterable[Sequence[Any]]
) -> None:
    """Add pools under their numbers, with their documents and what they were drawn from."""
    for pool in pools:
        row = [pool["number"], pool["method"], json.dumps(pool["parameters"]), pool["seed"], pool["version"]]
        store.conn.execute("INSERT INTO pool VALUES (?, ?, ?, ?, ?, ?)", [*row, pool["created"]])
    topic, document = "(SELECT id FROM topic WHERE qid = ?)", "(SELECT id FROM document WHERE docno = ?)"
    store.conn.executemany(f"INSERT INTO pool_document VALUES (?, {topic}, {document}, ?, ?, ?, ?)", documents)
    store.conn.executemany(f"INSERT INTO frame_document VALUES (?, {topic}, {document}, ?)", frame)
    for pool in pools:
        room = {(step, qid): room for step, qid, room in pool.get("steps", ())}
        labels: dict[tuple[int, str], dict[str, bool | None]] = {}
        for step, qid, docno, relevant in pool.get("heard", ()):
            labels.setdefault((step, qid), {})[docno] = None if relevant is None else bool(relevant)
        steps = [PoolStep(*key, room.get(key), labels.get(key, {})) for key in sorted({*room, *labels})]
        add_steps(store, pool["number"], steps)


def add_assessors(store: Store, assessors: Iterable[Assessor]) -> None:
    """Add assessors in their order."""
    for one in assessors:
        add_person(store.conn, *one[:3])


def add_first_assessors(store: Store, firsts: Sequence[tuple[str, str]]) -> None:
    """Say to whom each topic was assigned first, as a plan of the newest pool."""
    if not firsts:
        return
    store.conn.execute(
        "INSERT INTO plan (id, made, pool, overlap, repeats, seed, lease) VALUES (1, '', (SELECT max(id) FROM pool),"
        " 0, 0, 0, 0)"
    )
    topic, assessor = "(SELECT id FROM topic WHERE qid = ?)", "(SELECT id FROM assessor WHERE name = ?)"
    for qid, name in firsts:
        values = [qid, name]
        store.conn.execute(
            f"INSERT INTO assignment (plan, topic, role, assessor) VALUES (1, {topic}, 'first', {assessor})"
            " ON CONFLICT (topic, role) DO UPDATE SET assessor = excluded.assessor",
            values,
        )


Link = Callable[[Connection, Iterable[Event], str], Iterable[Event]]


def unlink(conn: Connection, events: Iterable[Event], origin: str) -> Iterator[Event]:
    """These events of an origin without hashes, for a store that is going to be thrown away."""
    return (event._replace(origin=origin) for event in events)


def add_log(
    store: Store, events: Iterable[Event], states: Sequence[LogState], folder: str, link: Link = link_events
) -> None:
    """Add the events of published logs, one log after another, with what was said of each."""
    remaining = iter(events)
    for state in states:
        origin = add_origin(store.conn, "import", folder)
        row = [origin, state.events, state.head, json.dumps(state.chains)]
        store.conn.execute("INSERT INTO published_log VALUES (?, ?, ?, ?)", row)
        links = link(store.conn, check_grades_on_scale(store, _check_numbers(store, remaining, state.events)), origin)
        store.conn.executemany(INSERT, (event._asdict() for event in links))
    if next(remaining, None) is not None:
        raise InputError("the log contains more events than log.json states")


def _check_numbers(store: Store, events: Iterator[Event], count: int) -> Iterator[Event]:
    """So many of the events; each must be the next one."""
    first = store.last_row_number("judgment_event") + 1
    for number in range(first, first + count):
        event = next(events, None)
        if event is None:
            raise InputError("the log contains fewer events than log.json states")
        if event.id != number or (event.supersedes or 0) >= number:
            raise InputError(
                f"found event {event.id} in place of event {number}; expected consecutive events that"
                " supersede only earlier ones"
            )
        yield event


def add_guidelines(store: Store, guidelines: str) -> None:
    """Set the guidelines, where there are any."""
    if guidelines:
        set_guidelines(store, guidelines)
