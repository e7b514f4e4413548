"""The logs but that of judgments: one way to append to them, and their chain, recorded and verified.

The chain is beside the logs: a link for every event, in the order of recording over all these logs, with the hash of
the link before it. There is a chain for each origin, as of judgments: the store itself, and what was there before.
A link seals the content of an event, with names instead of numbers, such as the event id of an event that is taken
back.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from sqlite3 import Connection
from typing import Any, NamedTuple
from uuid import uuid4

from cranfield.errors import StoreError
from cranfield.store.chain import (
    RULE,
    Head,
    LogHead,
    Person,
    first_link_hash,
    item_hash,
    now,
    person_by_name,
    redactions,
    remaining_item_hash,
    seal,
    store_origin,
)
from cranfield.store.named_rows import NamedRows
from cranfield.store.tables import NAMES, Table, content_query, linked_log_tables
from cranfield.text import counted


class Item(NamedTuple):
    """What an item of a log says: all of it, with names for numbers, and its seal."""

    log: Table
    content: Mapping[str, Any]
    sealed: str

    def remaining_content(self, persons: Mapping[str, Person], without: Collection[str] = ()) -> dict[str, Any]:
        """What remains once what these assessors wrote is erased."""
        personal = self.log.personal.split() if self.content.get("assessor") not in without else ()
        return self.open(persons) | {name: self.content[name] for name in personal}

    def open(self, persons: Mapping[str, Person]) -> dict[str, Any]:
        """What is not personal, with an id for each assessor; without its number, which is its place in one table."""
        left_out = ("id", "assessor_kind", "author_kind", *self.log.personal.split())
        own = {name: value for name, value in self.content.items() if name not in left_out}
        return own | {who: persons[own[who]].uid for who in ("assessor", "author") if own.get(who) is not None}


def items_in(conn: Connection, log: Table, persons: Mapping[str, Person], first: int = 1) -> Iterator[Item]:
    """The items of a log, as they are hashed, in their order from that with the id `first`."""
    rows = conn.execute(f"{content_query(conn, log)} WHERE e.id >= ? ORDER BY e.id", [first])
    names = [column[0] for column in rows.description]
    for row in rows:
        content = dict(zip(names, row, strict=True))
        personal = {name: content[name] for name in log.personal.split()}
        sealed = seal(persons[content["assessor"]], content["event_id"], personal) if personal else ""
        yield Item(log, content, sealed)


class EventLink(NamedTuple):
    """A link of the chain."""

    id: int
    log: str
    event: int
    origin: str
    previous: str
    brought: int | None
    hash: str
    rule: int


class ChainPlace(NamedTuple):
    """Where a link is: its origin, the hash before it there, and the import that brought it."""

    origin: str
    previous: str
    brought: int | None


def link_hash(item: Item, place: ChainPlace, persons: Mapping[str, Person], sealed: str | None = None) -> str:
    """The hash of a link; `sealed` is the seal of an item of which something was erased."""
    content = {**item.open(persons), "brought": place.brought}
    return item_hash(item.log.name, place.origin, place.previous, content, item.sealed if sealed is None else sealed)


def append_item(store: NamedRows, log: str, **columns: Any) -> int:
    """Append one item to a log; its number."""
    return append_items(store, log, [columns])[0]


def append_items(store: NamedRows, log: str, items: Iterable[Mapping[str, Any]]) -> list[int]:
    """Append items to a log in one transaction, each by its columns, on disk before this returns; their numbers.

    A column that refers to topics, documents or assessors takes a qid, a docno or a name. What has no time is of now;
    an `event_id` that is empty is drawn.
    """
    moment = now()
    with store.writing():
        store.make_table(log)
        of = {column: table for _, _, table, column, *_ in store.rows(f"PRAGMA main.foreign_key_list({log})")}
        numbers = []
        for item in items:
            row = {**item, "at": item.get("at") or moment}
            if "event_id" in row:
                row["event_id"] = row["event_id"] or uuid4().hex
            places = (_row_number_sql(name, of.get(name, ""), value) for name, value in row.items())
            insert = f"INSERT INTO {log} ({', '.join(row)}) VALUES ({', '.join(places)})"
            numbers.append(int(store.conn.execute(insert, row).lastrowid or 0))
        link_events(store, log, numbers)
    return numbers


def _row_number_sql(column: str, table: str, value: Any) -> str:
    """What stands for a value in SQL: a text that names a row of a table is that row's number."""
    name = NAMES.get(table) if isinstance(value, str) else None
    return f"(SELECT id FROM {table} WHERE {name} = :{column})" if name else f":{column}"


def link_events(store: NamedRows, log: str, events: Sequence[int]) -> None:
    """Link events that were appended just now, in the same transaction."""
    if events:
        link_log_events(store.conn, log, events[0], store.importing)


def link_log_events(conn: Connection, log: str, first: int, brought: int | None = None) -> None:
    """Link the events of a log from that with the id `first`, which an import may have brought."""
    origin, persons = store_origin(conn), person_by_name(conn)
    last = conn.execute("SELECT hash FROM event_link WHERE origin = ? ORDER BY id DESC LIMIT 1", [origin]).fetchone()
    previous = str(last[0]) if last else ""
    row = "INSERT INTO event_link (log, event, import, origin, previous, hash, rule) VALUES (?, ?, ?, ?, ?, ?, ?)"
    for item in items_in(conn, linked_log_tables(conn)[log], persons, first):
        digest = link_hash(item, ChainPlace(origin, previous, brought), persons)
        conn.execute(row, [log, item.content["id"], brought, origin, previous, digest, RULE])
        previous = digest


def linked_events(store: NamedRows, log: str, number: int) -> list[int]:
    """The events of a log that an import brought."""
    rows = store.rows("SELECT event FROM event_link WHERE log = ? AND import = ? ORDER BY event", [log, number])
    return [event for (event,) in rows]


def links_not_retracted(store: NamedRows, log: str, number: int) -> list[int]:
    """Those of them that nobody took back."""
    rows = store.rows(
        "SELECT event FROM event_link k WHERE log = ? AND import = ? AND NOT EXISTS"
        f" (SELECT 1 FROM {log} r WHERE r.kind = 'retract' AND r.supersedes = k.event) ORDER BY event",
        [log, number],
    )
    return [event for (event,) in rows]


def verify_links(store: NamedRows, heads: Sequence[LogHead] = ()) -> LogHead:
    """How many events these logs have, and the head of their chains; the first that fails is an error.

    `heads` are what they once had.
    """
    persons = person_by_name(store.conn)
    logs = linked_log_tables(store.conn)
    items = {name: items_in(store.conn, log, persons) for name, log in logs.items()}
    redacted_rows = {name: redactions(store.conn, name) for name in logs}
    last: dict[str, EventLink] = {}
    head = Head()
    rows = store.conn.execute("SELECT id, log, event, origin, previous, import, hash, rule FROM event_link ORDER BY id")
    for link in (EventLink(*row) for row in rows):
        item = next(items.get(link.log, iter(())), None)
        rest = redacted_rows.get(link.log, {}).get(str(link.event))
        for wrong, what in _checks(
            link, head.items + 1, item, before=last.get(link.origin), persons=persons, rest=rest
        ):
            if wrong:
                raise StoreError(f"{link.log}, event {link.event}: {what}")
        last[link.origin] = link
        head.follow(link.previous, link.hash)
        head.check(heads, "event of the other logs")
    # No event may be without a link, and no link may have been cut off.
    for log, unlinked in items.items():
        if more := next(unlinked, None):
            raise StoreError(f"{log}, event {more.content['id']}: it is not in the chain")
        there = store.rows(f"SELECT count(*) FROM {log}")[0][0]
        count = store.rows("SELECT count(*) FROM event_link WHERE log = ?", [log])[0][0]
        if there != count:
            what = "a topic, a document, an answer or an assessor that does not exist"
            raise StoreError(f"{log}: {counted(there - count, 'event names', 'events name')} {what}")
    recorded = store.rows("SELECT seq FROM sqlite_sequence WHERE name = 'event_link'")
    if recorded and recorded[0][0] != head.items:
        raise StoreError(f"event_link: {recorded[0][0]} events were recorded, but {head.items} exist")
    head.check_reached(heads, "event of the other logs")
    return LogHead(head.items, head.hash)


def _checks(
    link: EventLink,
    number: int,
    item: Item | None,
    *,
    before: EventLink | None,
    persons: Mapping[str, Person],
    rest: str | None,
) -> Iterator[tuple[bool, str]]:
    yield link.id != number, f"link {number} of the chain is missing before it"
    if item is None or item.content["id"] != link.event:
        yield True, "it is missing or not in the recorded order"
        return
    yield not _is_unchanged(link, item, persons, rest), "its content has changed since it was recorded"
    follows = link.previous == (before.hash if before else "")
    yield not follows, "the event before it differs from the recorded previous event"
    yield link.rule not in (1, 2), f"it is hashed by rule {link.rule}; expected 1 or 2"
    yield before is not None and link.rule < before.rule, "it is hashed by an earlier rule than the event before it"


def _is_unchanged(link: EventLink, item: Item, persons: Mapping[str, Person], rest: str | None) -> bool:
    """Whether an item is what was recorded; what is kept of one of which something was erased."""
    if rest and link.rule == 1:
        return rest == remaining_item_hash(
            link.log, link.origin, link.previous, item.remaining_content(persons), link.hash
        )
    if rest:
        place = ChainPlace(link.origin, link.previous, link.brought)
        return not item.sealed and link.hash == link_hash(item, place, persons, rest)
    if link.rule == 1:
        return link.hash == first_link_hash(link.log, link.origin, link.previous, [*item.content.values()])
    return link.hash == link_hash(item, ChainPlace(link.origin, link.previous, link.brought), persons)
