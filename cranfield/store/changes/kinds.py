"""The tables whose rows are recorded whenever they change, and what is recorded of them.

A row is recorded by itself, with all of its columns, or together with others: then it is their number and a hash of
them, in the order of their key. Numbers of rows stay as they are: what they stand for is recorded as well, a topic by
its number and its qid, a document by its number and its docno, an assessor by her number and her id.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, islice
from operator import itemgetter
from sqlite3 import Connection
from typing import Any, NamedTuple

from cranfield.store.chain import NOBODY, Person, people, seal

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
        _row("run", "tag team kind description pooled depth file sha256 imported metadata import"),
        _rows("ranking", "run", "topic documents scores", "run topic"),
        _row("pool", "method parameters seed version created"),
        _rows("pool_document", "pool topic", "document depth runs stratum probability", "pool topic document"),
        _rows("frame_document", "pool topic", "document stratum", "pool topic document"),
        _rows("pool_step", "pool step", "topic room", "pool step topic"),
        _rows("pool_heard", "pool step", "topic document relevant", "pool step topic document"),
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


class State(NamedTuple):
    """What an item says: JSON of all but what is personal, and the seal of that."""

    said: str
    sealed: str


Whose = Mapping[int | str, Person]  # the assessors by number, and by name


def whose(conn: Connection) -> Whose:
    """The assessors."""
    known = people(conn)
    numbers = conn.execute("SELECT id, name FROM assessor").fetchall()
    return {**known, **{number: known[name] for number, name in numbers}}


def states(conn: Connection, kind: Kind, known: Whose, name: str | None = None) -> Iterator[tuple[str, State]]:
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


def _together(rows: Iterable[tuple[Any, ...]]) -> State:
    """How many rows there are, and their hash; that of packed numbers instead of them."""
    found, number, remaining = hashlib.sha256(), 0, iter(rows)
    while batch := list(islice(remaining, BLOCK)):
        found.update(json.dumps(batch, default=lambda packed: hashlib.sha256(packed).hexdigest()).encode())
        number += len(batch)
    return State(json.dumps({"rows": number, "sha256": found.hexdigest()}), "")


def _state(kind: Kind, item: str, row: dict[str, Any], known: Whose) -> State:
    personal = row.pop(kind.personal, "")
    said = json.dumps({name: value for name, value in row.items() if value is not None}, ensure_ascii=False)
    if not kind.personal:
        return State(said, "")
    whose = int(item) if kind.table == "assessor" else row.get("assessor", personal)
    return State(said, seal(known.get(whose, NOBODY), f"{kind.table} {item}", {kind.personal: personal}))
