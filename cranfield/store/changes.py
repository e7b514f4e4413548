"""Whatever decides a label, a pool or who judges, as items of the logs: each time that it changes.

A row is recorded by itself, with all of its columns, or together with others: then it is their number and a hash of
them, in the order of their key. Numbers of rows stay as they are: what they stand for is recorded as well, a topic by
its number and its qid, a document by its number and its docno, an assessor by her number and her id.

Changes are recorded at the end of the transaction in which they happened. Triggers note which items a statement
touched, in the table `unrecorded`; new documents are known by their numbers. What is there before a transaction was
changed by hand: it is left there, and `store verify` names it, unless it is as it was recorded. Of an earlier moment,
the number of items that the other logs had then stands for it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, islice
from operator import itemgetter
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.errors import StoreError
from cranfield.store.chain import NOBODY, OTHERS, Person, log_head, now, people, seal
from cranfield.store.decoding import json_of
from cranfield.store.links import link

if TYPE_CHECKING:
    from cranfield.store.store import Store


BLOCK = 1000  # documents that are recorded together, rows that are hashed at once
BLOCKS = f" / {BLOCK}"


class Kind(NamedTuple):
    """A table: what names an item of it, and its columns."""

    table: str
    key: tuple[str, ...]  # the columns that name an item
    columns: tuple[str, ...]
    order: tuple[str, ...]  # of the rows
    together: bool = False  # whether all rows of a name are one item
    personal: str = ""  # a column that is sealed

    @property
    def name(self) -> str:
        """The name of an item, in SQL; {0} is where the name of the row goes.

        >>> KINDS["pool_step"].name, KINDS["document"].name
        ("{0}.pool || '/' || {0}.step", '{0}.id / 1000')
        """
        return " || '/' || ".join("{0}." + column for column in self.key) + (BLOCKS if self.table == "document" else "")

    @property
    def where(self) -> str:
        """Which rows an item is of, in SQL."""
        if self.table == "document":
            return f"id >= {BLOCK} * ?1 AND id < {BLOCK} * (?1 + 1)"
        return " AND ".join(f"{column} = ?" for column in self.key)


def _row(table: str, columns: str, key: str = "id", personal: str = "") -> Kind:
    return Kind(table, tuple(key.split()), tuple(columns.split()), tuple(key.split()), personal=personal)


def _rows(table: str, key: str, columns: str, order: str) -> Kind:
    return Kind(table, tuple(key.split()), tuple(columns.split()), tuple(order.split()), together=True)


KINDS: Mapping[str, Kind] = {
    kind.table: kind
    for kind in (
        _row("collection", "name description licence created grades min_relevant guidelines origin rule"),
        _row("origin", "kind made name", personal="name"),
        _row("import", "at kind files first_event last_event"),
        _row("removal", "at kind name what reason"),
        _row("topic", "qid title description narrative metadata removed import"),
        _rows("document", "id", "id docno title url metadata sha256 removed import", "id"),
        _row("run", "tag team kind description pooled depth file sha256 imported metadata import round submitted"),
        _rows("ranking", "run", "topic documents scores", "run topic"),
        _row("pool", "method parameters seed version created"),
        _rows("pool_document", "pool topic", "document depth runs stratum probability", "pool topic document"),
        _rows("frame_document", "pool topic", "document stratum", "pool topic document"),
        _rows("pool_step", "pool step", "topic room", "pool step topic"),
        _rows("pool_heard", "pool step", "topic document relevant", "pool step topic document"),
        _row("withdrawal", "at what item name reason restores"),
        _row("topic_set", "at name version topics origin"),
        _row("round", "name opened first_event topics documents_sha256"),
        _row("round_end", "closed"),
        _rows("renamed", "round", "old new", "round old"),
        _row("round_import", "round"),
        _row("same_system", "at run earlier"),
        _row("assessor", "uid kind repeats name", personal="name"),
        _row("plan", "made pool overlap repeats seed lease pinned"),
        _row("assignment", "plan topic role assessor cannot_judge"),
        _row("holder", "assessor", "assignment assessor"),
        _rows("sampled", "plan topic", "document purpose", "plan topic document purpose"),
        _row("criterion", "at topic assessor text", personal="text"),
        _row("audit", "model assessor unit strata_by seed made"),
        _rows("audit_stratum", "audit", "stratum units", "audit stratum"),
        _rows("audited", "audit", "topic document stratum", "audit topic document"),
        _rows("preference_pair", "assessor", "topic first second source made", "assessor topic first second"),
        _row("prompt", "sha256 name task version source"),
        _row("model_setting", "model prompt parameters made", "assessor task"),
        _row("answer_run", "tag team kind description file imported"),
        _rows("answer", "run", "id topic documents metadata sha256 import", "run id"),
        _rows("sentence", "answer", "position text citations", "answer position"),
        _row("published_log", "events head chains", "origin"),
    )
}


class ItemState(NamedTuple):
    """What an item says: JSON of all but what is personal, and the seal of that."""

    said: str
    sealed: str


Whose = Mapping[int | str, Person]  # the assessors by number, and by name


def whose(conn: Connection) -> Whose:
    """The assessors."""
    known = people(conn)
    numbers = conn.execute("SELECT id, name FROM assessor").fetchall()
    return {**known, **{number: known[name] for number, name in numbers}}


def states(conn: Connection, kind: Kind, known: Whose, name: str | None = None) -> Iterator[tuple[str, ItemState]]:
    """The items of a table as it is, or the one of a name."""
    where, values = ("", []) if name is None else (f"WHERE {kind.where}", name.split("/", len(kind.key) - 1))
    columns, order = ", ".join((kind.name.format(kind.table), *kind.columns)), ", ".join(kind.order)
    rows = conn.execute(f"SELECT {columns} FROM {kind.table} {where} ORDER BY {order}", values)
    if kind.together:
        for group, several in groupby(rows, itemgetter(0)):
            yield str(group), _together(several)
        return
    for found, *row in rows:
        yield str(found), _state(kind, str(found), dict(zip(kind.columns, row, strict=True)), known)


def _together(rows: Iterable[tuple[Any, ...]]) -> ItemState:
    """How many rows there are, and their hash; that of packed numbers instead of them."""
    found, number, remaining = hashlib.sha256(), 0, iter(rows)
    while batch := list(islice(remaining, BLOCK)):
        found.update(json.dumps(batch, default=lambda packed: hashlib.sha256(packed).hexdigest()).encode())
        number += len(batch)
    return ItemState(json.dumps({"rows": number, "sha256": found.hexdigest()}), "")


def _state(kind: Kind, item: str, row: dict[str, Any], known: Whose) -> ItemState:
    personal = row.pop(kind.personal, "")
    said = json.dumps({name: value for name, value in row.items() if value is not None}, ensure_ascii=False)
    if not kind.personal:
        return ItemState(said, "")
    whose = int(item) if kind.table == "assessor" else row.get("assessor", personal)
    return ItemState(said, seal(known.get(whose, NOBODY), f"{kind.table} {item}", {kind.personal: personal}))


HEADS = "heads"  # the kind of the change that says where the logs stood when changes were first recorded
ROW = "INSERT INTO change (at, kind, name, said, sealed) VALUES (?, ?, ?, ?, ?)"
Named = tuple[str, str]  # a kind, and the name of an item


class TransactionStart(NamedTuple):
    """Where a transaction begins: the last thing that was changed by hand, and the last document."""

    unrecorded: int
    document: int


def before(conn: Connection) -> TransactionStart:
    """Where a transaction begins. What was changed by hand and is again as it was recorded is forgotten."""
    known = whose(conn) if (left := conn.execute("SELECT id, kind, name FROM unrecorded").fetchall()) else {}
    for number, kind, name in left:
        if _now(conn, (kind, name), known) == last_state(conn, (kind, name)):
            conn.execute("DELETE FROM unrecorded WHERE id = ?", [number])
    return TransactionStart(_most(conn, "unrecorded"), _most(conn, "document"))


def record_changes(conn: Connection, begun: TransactionStart) -> None:
    """Record what was touched since a transaction began."""
    touched = conn.execute("SELECT kind, name FROM unrecorded WHERE id > ? ORDER BY id", [begun.unrecorded]).fetchall()
    if (last := _most(conn, "document")) > begun.document:  # no trigger tells of each of them
        noted = {name for (name,) in conn.execute("SELECT name FROM unrecorded WHERE kind = 'document'")}
        blocks = map(str, range((begun.document + 1) // BLOCK, last // BLOCK + 1))
        touched += [("document", block) for block in blocks if block not in noted]
    if touched:
        known = whose(conn)
        found = ((*item, _now(conn, item, known)) for item in dict.fromkeys(touched))
        _append(conn, [one for one in found if one[2] != last_state(conn, one[:2])])
        conn.execute("DELETE FROM unrecorded WHERE id > ?", [begun.unrecorded])


def _most(conn: Connection, table: str) -> int:
    return int(conn.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0])


def record_everything(conn: Connection) -> None:
    """Record a store as it is found: one from before its changes were recorded."""
    if not conn.execute("SELECT 1 FROM collection").fetchone():
        return
    known = whose(conn)
    heads = {"judgments": log_head(conn)._asdict(), "others": log_head(conn, OTHERS)._asdict()}
    _append(conn, [(HEADS, "1", ItemState(json.dumps(heads), ""))])
    _append(conn, ((kind.table, name, state) for kind in KINDS.values() for name, state in states(conn, kind, known)))


def last_state(conn: Connection, item: Named) -> ItemState | None:
    """What was recorded last of an item; None where it is gone, or was never there."""
    last = "SELECT said, sealed FROM change WHERE kind = ? AND name = ? ORDER BY id DESC LIMIT 1"
    found = conn.execute(last, item).fetchone()
    return ItemState(*found) if found and found[0] is not None else None


def _now(conn: Connection, item: Named, known: Whose) -> ItemState | None:
    return next((state for _, state in states(conn, KINDS[item[0]], known, item[1])), None)


def _append(conn: Connection, items: Iterable[tuple[str, str, ItemState | None]]) -> None:
    moment, first = now(), _most(conn, "change") + 1
    conn.executemany(ROW, ((moment, kind, name, *(state or (None, ""))) for kind, name, state in items))
    link(conn, "change", first)


LAST = "SELECT name, said, sealed FROM change WHERE id IN (SELECT max(id) FROM change WHERE kind = ? GROUP BY name)"


def verify_changes(store: Store) -> int:
    """Compare every table whose changes are recorded with the last change of each item; how many changes there are.

    Their chain is known to hold.
    """
    known = whose(store.conn)
    for kind in KINDS.values():
        _verify(store.conn, kind, known)
    return store.count("change")


def verify_erasures(store: Store) -> int:
    """Compare the rows in which something was erased with what the erasures say; how many there are."""
    rows = store.count("redaction")
    for number, name, digest in store.rows("SELECT id, name, sha256 FROM erasure ORDER BY id"):
        if digest != redactions_hash(store.conn, number):
            raise StoreError(f"erasure {number} ({name}): its redactions are not those that were recorded")
        rows -= store.rows("SELECT count(*) FROM redaction WHERE erasure = ?", [number])[0][0]
    if rows:
        raise StoreError(f"{rows} redactions are of no erasure")
    return store.count("redaction")


def redactions_hash(conn: Connection, erasure: int) -> str:
    """The hash of the redactions of an erasure."""
    rows = conn.execute("SELECT log, item, kept FROM redaction WHERE erasure = ? ORDER BY log, item", [erasure])
    return hashlib.sha256(json.dumps(rows.fetchall()).encode()).hexdigest()


def _verify(conn: Connection, kind: Kind, known: Whose) -> None:
    last = {
        name: ItemState(said, sealed) for name, said, sealed in conn.execute(LAST, [kind.table]) if said is not None
    }
    for name, state in states(conn, kind, known):
        was = last.pop(name, None)
        if was != state:
            raise StoreError(f"{kind.table} {name}: {_difference(kind, was, state)}")
    if last:
        raise StoreError(f"{kind.table} {next(iter(last))}: it is missing, and no removal of it was recorded")


def _difference(kind: Kind, was: ItemState | None, state: ItemState) -> str:
    """What differs from the last change that was recorded."""
    if was is None:
        return "it was not recorded: it came from another program, or by hand"
    if kind.together:
        return "its rows are not those that were recorded"
    before, now = (json_of(dict, one.said, "change", kind.table, "said") for one in (was, state))
    names = [name for name in (*before, *now) if before.get(name) != now.get(name)]
    return f"{(names or [kind.personal])[0]} is not what was recorded"


LAST_BY_THEN = (
    "SELECT name, said FROM change WHERE said IS NOT NULL AND id IN (SELECT max(id) FROM change"
    " WHERE kind = :kind AND id <= (SELECT max(event) FROM event_link WHERE log = 'change' AND id <= :items)"
    " GROUP BY name)"
)


def is_known(store: Store, items: int) -> bool:
    """Whether changes were recorded by then, as they were not in a store from before there were recorded changes."""
    begun = f"log = 'change' AND event IN (SELECT id FROM change WHERE kind = '{HEADS}')"
    return not store.rows(f"SELECT 1 FROM event_link WHERE id > ? AND {begun}", [items])


def changed_since(store: Store, kind: str, names: str, items: int) -> bool:
    """Whether an item whose name is LIKE `names` changed later."""
    later = "SELECT event FROM event_link WHERE log = 'change' AND id > ?"
    return bool(
        store.rows(f"SELECT 1 FROM change WHERE kind = ? AND name LIKE ? AND id IN ({later})", [kind, names, items])
    )


def first_assessors_then(store: Store, items: int) -> dict[str, set[str]]:
    """By topic: everybody whose it was until then, as `first_assessors` has it of now."""
    first = {name: said["topic"] for name, said in _then(store, "assignment", items) if said["role"] == "first"}
    qids = dict(store.rows("SELECT id, qid FROM topic"))
    people = dict(store.rows("SELECT id, name FROM assessor"))
    found: dict[str, set[str]] = {}
    for name, said in _then(store, "holder", items):
        if (assignment := name.partition("/")[0]) in first:
            found.setdefault(qids[first[assignment]], set()).add(people[said["assessor"]])
    return found


def withdrawn_then(store: Store, items: int) -> set[tuple[str, str]]:
    """What was withdrawn then: of each run, topic and document what it is, and its name."""
    known = {int(number): said for number, said in _then(store, "withdrawal", items)}
    undone = {said.get("restores") for said in known.values()}
    return {
        (said["what"], said["name"])
        for number, said in known.items()
        if "restores" not in said and number not in undone
    }


def _then(store: Store, kind: str, items: int) -> list[tuple[str, dict[str, Any]]]:
    rows = store.rows(LAST_BY_THEN, {"kind": kind, "items": items})
    return [(name, json_of(dict, said, "change", name, "said")) for name, said in rows]
