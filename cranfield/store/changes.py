"""Whatever decides a label, a pool or who judges, as items of the logs: each time that it changes.

A row is recorded by itself, with all of its columns, or together with others: then it is their number and a hash of
them, in the order of their key. Numbers of rows stay as they are: what they stand for is recorded as well, a topic by
its number and its qid, a document by its number and its docno, an assessor by her number and her id.

Changes are recorded at the end of the transaction in which they happened. Triggers note which items a statement
touched, in the table `unrecorded`; new documents are known by their numbers. What is there before a transaction was
changed by hand: it is left there, and `store verify` names it, unless it is as it was recorded. Documents that only a
run names are recorded together (name_spans.py). Of an earlier moment, the number of items that the other logs had then
stands for it.
"""

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby, islice
from operator import itemgetter
from sqlite3 import Connection
from typing import Any, NamedTuple

from cranfield.errors import StoreError
from cranfield.store.chain import NOBODY, OTHERS, Person, log_head, now, person_by_name, seal
from cranfield.store.decoding import decode_json_column
from cranfield.store.links import link_log_events
from cranfield.store.name_spans import NOTE, NameSpan, changed_blocks, is_intact
from cranfield.store.named_rows import NamedRows
from cranfield.store.tables import BLOCK, Table, recorded_tables


class ItemState(NamedTuple):
    """What an item says: JSON of all but what is personal, and the seal of that."""

    content: str
    sealed: str


Whose = Mapping[int | str, Person]  # the assessors by number, and by name


def persons_by_number_and_name(conn: Connection) -> Whose:
    """The assessors."""
    persons = person_by_name(conn)
    numbers = conn.execute("SELECT id, name FROM assessor").fetchall()
    return {**persons, **{number: persons[name] for number, name in numbers}}


def item_states(
    conn: Connection, kind: Table, persons: Whose, name: str | None = None, without: Collection[int] = ()
) -> Iterator[tuple[str, ItemState]]:
    """The items of a table as it is, or the one of a name; of documents, leave out some blocks."""
    if kind.name == "document" and name is None:
        for block in range(_last_row(conn, "document") // BLOCK + 1):
            if block not in without:
                yield from item_states(conn, kind, persons, str(block))
        return
    if kind.name == "document" and name and (bare := _state_of_docno_only_documents(conn, kind, name)):
        yield name, bare
        return
    where, values = (
        ("", []) if name is None else (f"WHERE {kind.item_condition}", name.split("/", len(kind.key.split()) - 1))
    )
    columns = ", ".join((kind.item.format(kind.name), *kind.columns.split()))
    order = ", ".join((kind.order or kind.key).split())
    rows = conn.execute(f"SELECT {columns} FROM {kind.name} {where} ORDER BY {order}", values)
    if kind.order:
        for group, several in groupby(rows, itemgetter(0)):
            yield str(group), state_of_rows(several)
        return
    for item, *row in rows:
        yield str(item), _item_state(kind, str(item), dict(zip(kind.columns.split(), row, strict=True)), persons)


def state_of_rows(rows: Iterable[tuple[Any, ...]]) -> ItemState:
    """How many rows there are, and their hash; that of packed numbers instead of them.

    Each row has the name of the item and the columns whose changes are recorded; rows are in their recorded order.

    >>> state_of_rows([("1/3", 7, 1, '["a"]', None, None)]).content[:42]
    '{"rows": 1, "sha256": "81a98ebd002da4a2478'
    """
    digest, number, remaining = hashlib.sha256(), 0, iter(rows)
    while batch := list(islice(remaining, BLOCK)):
        digest.update(json.dumps(batch, default=lambda packed: hashlib.sha256(packed).hexdigest()).encode())
        number += len(batch)
    return ItemState(json.dumps({"rows": number, "sha256": digest.hexdigest()}), "")


def _state_of_docno_only_documents(conn: Connection, kind: Table, block: str) -> ItemState | None:
    """The same of documents of which nothing but the docno is known; None where there are others, or odd docnos.

    Runs bring millions of them. Their JSON is written as it is read.
    """
    number, docno, *others = kind.columns.split()
    here = f"FROM {kind.name} WHERE {kind.item_condition}"
    has_more = f"coalesce({', '.join(others)}) IS NOT NULL".replace("removed", "nullif(removed, 0)")
    if conn.execute(f"SELECT 1 {here} AND {has_more} LIMIT 1", [block]).fetchone():
        return None
    sequence = f"(SELECT {number}, {docno} {here} ORDER BY {number})"
    columns = f"min({number}), max({number}), group_concat({docno}, char(10))"
    first, last, names = conn.execute(f"SELECT {columns} FROM {sequence}", [block]).fetchone()
    docnos = (names or "").split("\n")
    plain = "".join(docnos)
    if not plain or len(docnos) != last - first + 1 or json.dumps(plain) != f'"{plain}"':
        return None
    nothing = ", ".join("0" if name == "removed" else "null" for name in others)
    rows = [f'[{block}, {at}, "{docno}", {nothing}]' for at, docno in enumerate(docnos, first)]
    digest = hashlib.sha256(f"[{', '.join(rows)}]".encode()).hexdigest()
    return ItemState(json.dumps({"rows": len(rows), "sha256": digest}), "")


def _item_state(kind: Table, item: str, row: dict[str, Any], persons: Whose) -> ItemState:
    personal = row.pop(kind.personal, "")
    content = json.dumps({name: value for name, value in row.items() if value is not None}, ensure_ascii=False)
    if not kind.personal:
        return ItemState(content, "")
    whose = int(item) if kind.name == "assessor" else row.get("assessor", personal)
    return ItemState(content, seal(persons.get(whose, NOBODY), f"{kind.name} {item}", {kind.personal: personal}))


HEADS = "heads"  # the kind of the change that says where the logs stood when changes were first recorded
ROW = "INSERT INTO change (at, kind, name, said, sealed) VALUES (?, ?, ?, ?, ?)"
Named = tuple[str, str]  # a kind, and the name of an item


class TransactionStart(NamedTuple):
    """Where a transaction begins: the last thing that was changed by hand, and the last document."""

    unrecorded: int
    document: int


def begin_changes(conn: Connection) -> TransactionStart:
    """Where a transaction begins. What was changed by hand and is again as it was recorded is forgotten."""
    if rows := conn.execute("SELECT id, kind, name FROM unrecorded").fetchall():
        kinds, persons = recorded_tables(conn), persons_by_number_and_name(conn)
        for number, kind, name in rows:
            if _is_as_recorded(conn, kinds[kind], name, persons):
                conn.execute("DELETE FROM unrecorded WHERE id = ?", [number])
    return TransactionStart(_last_row(conn, "unrecorded"), _last_row(conn, "document"))


def _is_as_recorded(conn: Connection, kind: Table, name: str, persons: Whose) -> bool:
    state, was = _current_state(conn, kind, name, persons), last_state(conn, (kind.name, name))
    if state is not None and was is None and kind.name == "document" and name.isdecimal():
        block = int(name)
        spans = [span for span in _recorded_spans(conn) if block in span.blocks]
        return any(block not in changed_blocks(conn, span) and is_intact(conn, span) for span in spans)
    return state == was


def _recorded_spans(conn: Connection) -> list[NameSpan]:
    rows = conn.execute(
        "SELECT name, said FROM change WHERE kind = 'document' AND name LIKE '%-%' AND said IS NOT NULL ORDER BY id"
    )
    spans = [(NameSpan.from_name(name), name, content) for name, content in rows]
    return [
        span._replace(sha256=str(decode_json_column(dict, content, "change", name, "said").get("sha256", "")))
        for span, name, content in spans
        if span
    ]


ROWS_NOTE = re.compile(r"([0-9/]+) ([0-9]+) ([0-9a-f]{64})")  # an item, how many rows it has, and their hash


@contextmanager
def adding_known_rows(conn: Connection, table: str, states: Mapping[str, ItemState | None]) -> Iterator[None]:
    """Add rows of items that have none, in a transaction, faster than one by one.

    `states` has each item by name, with what its rows say, where this is worked out, or None. The trigger that notes
    every row is left out meanwhile.
    """
    name = f"recorded_{table}_insert"
    query = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?"
    statements = [statement for (statement,) in conn.execute(query, [name])]
    if not statements:  # a copy that records no changes
        yield
        return
    conn.execute(f"DROP TRIGGER {name}")
    yield
    conn.execute(statements[0])
    notes = [(table, item if state is None else _rows_note(item, state)) for item, state in states.items()]
    conn.executemany("INSERT OR IGNORE INTO unrecorded (kind, name) VALUES (?, ?)", notes)


def _rows_note(item: str, state: ItemState) -> str:
    content = decode_json_column(dict, state.content, "change", item, "said")
    return f"{item} {content['rows']} {content['sha256']}"


def _noted_states(items: Iterable[Named], kinds: Mapping[str, Table]) -> dict[Named, tuple[Named, ItemState]]:
    """By note of rows that were worked out before: the item and what it says."""
    return {
        (kind, name): ((kind, note[1]), ItemState(json.dumps({"rows": int(note[2]), "sha256": note[3]}), ""))
        for kind, name in items
        if kinds[kind].order and (note := ROWS_NOTE.fullmatch(name))
    }


def record_changes(conn: Connection, start: TransactionStart) -> None:
    """Record what was touched since a transaction began."""
    items = conn.execute("SELECT kind, name FROM unrecorded WHERE id > ? ORDER BY id", [start.unrecorded]).fetchall()
    spans = {name: span for kind, name in items if kind == "document" and (span := NameSpan.from_name(name, NOTE))}
    items = [item for item in items if item[1] not in spans or item[0] != "document"]
    if (last := _last_row(conn, "document")) > start.document:  # no trigger tells of each of them
        notes = {name for (name,) in conn.execute("SELECT name FROM unrecorded WHERE kind = 'document'")}
        blocks = set(range((start.document + 1) // BLOCK, last // BLOCK + 1))
        blocks = blocks.difference(*(span.blocks for span in spans.values()))
        items += [("document", str(block)) for block in sorted(blocks) if str(block) not in notes]
    if items or spans:
        kinds, persons = recorded_tables(conn), persons_by_number_and_name(conn)
        noted, touched = _noted_states(items, kinds), set(items)
        known = {item: state for item, state in noted.values() if item not in touched}  # nothing touched it later
        items = [noted[item][0] if item in noted else item for item in items]
        _append_changes(
            conn, [("document", one.name, ItemState(json.dumps(one.content), "")) for one in spans.values()]
        )
        present = (
            (*item, known.get(item) or _current_state(conn, kinds[item[0]], item[1], persons))
            for item in dict.fromkeys(items)
        )
        _append_changes(conn, [one for one in present if one[2] != last_state(conn, one[:2])])
        conn.execute("DELETE FROM unrecorded WHERE id > ?", [start.unrecorded])


def _last_row(conn: Connection, table: str) -> int:
    return int(conn.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0])


def record_everything(conn: Connection) -> None:
    """Record a store as it is found: one from before its changes were recorded."""
    if not conn.execute("SELECT 1 FROM collection").fetchone():
        return
    persons = persons_by_number_and_name(conn)
    heads = {"judgments": log_head(conn)._asdict(), "others": log_head(conn, OTHERS)._asdict()}
    _append_changes(conn, [(HEADS, "1", ItemState(json.dumps(heads), ""))])
    kinds = recorded_tables(conn).values()
    _append_changes(
        conn, ((kind.name, name, state) for kind in kinds for name, state in item_states(conn, kind, persons))
    )


def last_state(conn: Connection, item: Named) -> ItemState | None:
    """What was recorded last of an item; None where it is gone, or was never there."""
    last = "SELECT said, sealed FROM change WHERE kind = ? AND name = ? ORDER BY id DESC LIMIT 1"
    row = conn.execute(last, item).fetchone()
    return ItemState(*row) if row and row[0] is not None else None


def _current_state(conn: Connection, kind: Table, name: str, persons: Whose) -> ItemState | None:
    return next((state for _, state in item_states(conn, kind, persons, name)), None)


def _append_changes(conn: Connection, items: Iterable[tuple[str, str, ItemState | None]]) -> None:
    moment, first = now(), _last_row(conn, "change") + 1
    conn.executemany(ROW, ((moment, kind, name, *(state or (None, ""))) for kind, name, state in items))
    link_log_events(conn, "change", first)


LAST = "SELECT name, said, sealed FROM change WHERE id IN (SELECT max(id) FROM change WHERE kind = ? GROUP BY name)"


def verify_changes(store: NamedRows) -> int:
    """Compare every table whose changes are recorded with the last change of each item; how many changes there are.

    Their chain is known to hold.
    """
    persons = persons_by_number_and_name(store.conn)
    kinds = recorded_tables(store.conn)
    for kind in kinds.values():
        _verify_table(store.conn, kind, persons)
    for (name,) in store.rows("SELECT DISTINCT kind FROM change WHERE kind <> ? ORDER BY kind", [HEADS]):
        if name not in kinds:
            raise StoreError(
                f"{name}: changes of this table were recorded, but no feature of this store defines the table"
            )
    return store.count("change")


def verify_erasures(store: NamedRows) -> int:
    """Compare the rows in which something was erased with what the erasures say; how many there are."""
    rows = store.count("redaction")
    for number, name, digest in store.rows("SELECT id, name, sha256 FROM erasure ORDER BY id"):
        if digest != redactions_hash(store.conn, number):
            raise StoreError(f"erasure {number} ({name}): the redactions differ from the recorded redactions")
        rows -= store.rows("SELECT count(*) FROM redaction WHERE erasure = ?", [number])[0][0]
    if rows:
        raise StoreError(f"{rows} redactions belong to no erasure")
    return store.count("redaction")


def redactions_hash(conn: Connection, erasure: int) -> str:
    """The hash of the redactions of an erasure."""
    rows = conn.execute("SELECT log, item, kept FROM redaction WHERE erasure = ? ORDER BY log, item", [erasure])
    return hashlib.sha256(json.dumps(rows.fetchall()).encode()).hexdigest()


def _verify_table(conn: Connection, kind: Table, persons: Whose) -> None:
    last = {name: ItemState(text, sealed) for name, text, sealed in conn.execute(LAST, [kind.name]) if text is not None}
    verified_spans = _verify_spans(conn, last) if kind.name == "document" else set()
    for name, state in item_states(conn, kind, persons, without=verified_spans):
        was = last.pop(name, None)
        if was != state:
            raise StoreError(f"{kind.name} {name}: {_describe_difference(kind, was, state)}")
    if last:
        raise StoreError(f"{kind.name} {next(iter(last))}: it is missing, but no removal was recorded")


def _verify_spans(conn: Connection, last: dict[str, ItemState]) -> set[int]:
    """Compare the spans of documents with what was recorded. Returns the blocks that are not recorded by themselves.

    The spans are taken out of `last`, the last state of each item.
    """
    blocks = set[int]()
    for span in _recorded_spans(conn):
        recorded = last.pop(span.name, None)
        there = set(span.blocks) - {int(name) for name in last if name.isdecimal()}
        same = (
            recorded is not None
            and decode_json_column(dict, recorded.content, "change", span.name, "said") == span.content
        )
        if not same or not is_intact(conn, span):
            raise StoreError(f"documents {span.name}: the docnos differ from the recorded docnos")
        if changed := sorted(there & changed_blocks(conn, span)):
            raise StoreError(f"document {changed[0]}: the rows differ from the recorded rows")
        blocks |= there
    return blocks


def _describe_difference(kind: Table, was: ItemState | None, state: ItemState) -> str:
    if was is None:
        return "it was not recorded; another program or a person added it"
    if kind.order:
        return "the rows differ from the recorded rows"
    before, now = (decode_json_column(dict, one.content, "change", kind.name, "said") for one in (was, state))
    names = [name for name in (*before, *now) if before.get(name) != now.get(name)]
    return f"{(names or [kind.personal])[0]} differs from the recorded value"


LAST_BY_THEN = (
    "SELECT name, said FROM change WHERE said IS NOT NULL AND id IN (SELECT max(id) FROM change"
    " WHERE kind = :kind AND id <= (SELECT max(event) FROM event_link WHERE log = 'change' AND id <= :items)"
    " GROUP BY name)"
)


def has_recorded_changes(store: NamedRows, items: int) -> bool:
    """Whether changes were recorded by then, as they were not in a store from before there were recorded changes."""
    is_head = f"log = 'change' AND event IN (SELECT id FROM change WHERE kind = '{HEADS}')"
    return not store.rows(f"SELECT 1 FROM event_link WHERE id > ? AND {is_head}", [items])


def changed_since(store: NamedRows, kind: str, names: str, items: int) -> bool:
    """Whether an item whose name is LIKE `names` changed later."""
    later = "SELECT event FROM event_link WHERE log = 'change' AND id > ?"
    return bool(
        store.rows(f"SELECT 1 FROM change WHERE kind = ? AND name LIKE ? AND id IN ({later})", [kind, names, items])
    )


def first_assessors_as_of(store: NamedRows, items: int) -> dict[str, set[str]]:
    """By topic: everybody whose it was until then, as `first_assessors` has it of now."""
    first = {name: item["topic"] for name, item in items_as_of(store, "assignment", items) if item["role"] == "first"}
    qids = dict(store.rows("SELECT id, qid FROM topic"))
    people = dict(store.rows("SELECT id, name FROM assessor"))
    names: dict[str, set[str]] = {}
    for name, item in items_as_of(store, "holder", items):
        if (assignment := name.partition("/")[0]) in first:
            names.setdefault(qids[first[assignment]], set()).add(people[item["assessor"]])
    return names


def withdrawn_as_of(store: NamedRows, items: int) -> set[tuple[str, str]]:
    """What was withdrawn then: of each run, topic and document what it is, and its name."""
    withdrawals = {int(number): item for number, item in items_as_of(store, "withdrawal", items)}
    undone = {item.get("restores") for item in withdrawals.values()}
    return {
        (item["what"], item["name"])
        for number, item in withdrawals.items()
        if "restores" not in item and number not in undone
    }


def items_as_of(store: NamedRows, kind: str, items: int) -> list[tuple[str, dict[str, Any]]]:
    """By name, what was recorded of the items of a table by then."""
    rows = store.rows(LAST_BY_THEN, {"kind": kind, "items": items})
    return [(name, decode_json_column(dict, content, "change", name, "said")) for name, content in rows]
