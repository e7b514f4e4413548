"""Putting the contents of a published folder into a new store; all that the tables refuse is an error of the data."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from sqlite3 import Connection
from typing import Any

import numpy as np

from cranfield.errors import InputError
from cranfield.formats import Document, Topic
from cranfield.store.chain import INSERT, Event, add_origin, add_person, linked
from cranfield.store.decoding import json_of
from cranfield.store.log import on_scale, set_guidelines
from cranfield.store.open_pools import Step, add_steps
from cranfield.store.published.contents import Assessor, StoredText
from cranfield.store.published.log import LogState, add_published_log
from cranfield.store.store import Store, sha256


@contextmanager
def restoring(store: Store, source: object) -> Iterator[None]:
    """One transaction; what the tables of a store refuse is an error of the source."""
    try:
        with store.writing():
            yield
    except (sqlite3.IntegrityError, sqlite3.DataError, OverflowError) as error:
        raise InputError(f"not the contents of a store: {error}", str(source)) from error
    store.forget()


SKIPPED = (
    "document_indexed", "document_reindexed", "lease_renewed", "judgment_event_new", "judgment_event_on_scale",
)  # fmt: skip


def hurry(store: Store) -> None:
    """In a store that is going to be thrown away: do not wait for the disk, index no text, check no event again."""
    store.conn.execute("PRAGMA synchronous = OFF")
    noted = store.rows("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'recorded\\_%' ESCAPE '\\'")
    for trigger in (*SKIPPED, *(name for (name,) in noted)):
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
    if sha256(one.text) != one.sha256:
        raise InputError(f"document {one.docno!r}: the SHA-256 of its text is not {one.sha256}")
    metadata = json_of(dict, one.metadata or None, "document", one.docno, "metadata")
    return Document(one.docno, one.title, one.text, one.url, metadata)


def add_hashes(store: Store, hashes: Iterable[Sequence[Any]]) -> None:
    """Add documents by docno, URL and the hash of the text, which is not here."""
    rows = ((docno, url or None, digest) for docno, url, digest in hashes)
    store.conn.executemany("INSERT INTO document (docno, url, sha256) VALUES (?, ?, ?)", rows)


def add_topics(store: Store, topics: Sequence[Topic]) -> None:
    """Add topics; one that has nothing but its qid is only known by it."""
    store.taken("topic", np.array([topic.qid for topic in topics], object))
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
        add_steps(store, pool["number"], _steps(pool))


def _steps(pool: Mapping[str, Any]) -> list[Step]:
    room = {(step, qid): room for step, qid, room in pool.get("steps", ())}
    heard: dict[tuple[int, str], dict[str, bool | None]] = {}
    for step, qid, docno, relevant in pool.get("heard", ()):
        heard.setdefault((step, qid), {})[docno] = None if relevant is None else bool(relevant)
    return [Step(*key, room.get(key), heard.get(key, {})) for key in sorted({*room, *heard})]


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


def unlinked(conn: Connection, events: Iterable[Event], origin: str) -> Iterator[Event]:
    """These events of an origin without hashes, for a store that is going to be thrown away."""
    return (event._replace(origin=origin) for event in events)


def add_log(
    store: Store, events: Iterable[Event], states: Sequence[LogState], folder: str, link: Link = linked
) -> None:
    """Add the events of published logs, one log after another, with what was said of each."""
    remaining = iter(events)
    for state in states:
        origin = add_origin(store.conn, "import", folder)
        add_published_log(store, origin, state)
        links = link(store.conn, on_scale(store, _checked(store, remaining, state.events)), origin)
        store.conn.executemany(INSERT, (event._asdict() for event in links))
    if next(remaining, None) is not None:
        raise InputError("more events than the statement of the log says")


def _checked(store: Store, events: Iterator[Event], count: int) -> Iterator[Event]:
    """So many of the events; each must be the next one."""
    first = store.most("judgment_event") + 1
    for number in range(first, first + count):
        event = next(events, None)
        if event is None:
            raise InputError("fewer events than the statement of the log says")
        if event.id != number or (event.supersedes or 0) >= number:
            raise InputError(f"event {event.id} where event {number} is expected, which supersedes none after it")
        yield event


def guided(store: Store, guidelines: str) -> None:
    """Set the guidelines, where there are any."""
    if guidelines:
        set_guidelines(store, guidelines)
