"""One cell changed by hand, of every column: `verify` names it, or docs/sql.md says why it does not."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import CranfieldError
from cranfield.formats import Document
from cranfield.store.assignments import give
from cranfield.store.chain import Event
from cranfield.store.log import append
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.store.full_store import full_store

OURS = ("sqlite_", "_sqlite", "document_fts")  # tables that SQLite keeps
DOC = Path(__file__).parents[2] / "docs" / "sql.md"


OF_RELEASES = ("release", "earlier_document", "earlier_topic")


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Mapping[bool, bytes]:
    """The store without a release, and with one."""
    made = {}
    for release in (False, True):
        path = full_store(tmp_path_factory.mktemp("cells"), release)
        with closing(sqlite3.connect(path)) as shell:
            shell.execute("PRAGMA journal_mode = DELETE")  # memory has no other files
            made[release] = shell.serialize()
    return made


def outside() -> dict[str, set[str]]:
    """The columns that docs/sql.md says are outside, by table; * stands for all."""
    part = DOC.read_text("utf-8").split("## What verify does not see")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `([a-z_]+)` \| ([^|]+) \|", part, re.MULTILINE)
    return {table: set(re.findall(r"`([a-z_0-9]+)`", columns)) or {"*"} for table, columns in rows}  # or: all


def columns(store: Store) -> Iterator[tuple[str, str, str]]:
    """Every column of every table: the table, its name, its type."""
    for (table,) in store.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"):
        if not table.startswith(OURS):
            yield from ((table, name, kind) for _, name, kind, *_ in store.rows(f"PRAGMA table_info({table})"))


def other(value: Any, kind: str) -> Any:
    """Another value of a column that has this one."""
    if isinstance(value, bytes):
        return bytes([*value[:-1], value[-1] ^ 1]) if value else b"x"
    if isinstance(value, str):
        with suppress(ValueError):
            if isinstance(json.loads(value), dict):
                return json.dumps({**json.loads(value), "x": 1})
        return value + "x"
    return "x" if kind == "TEXT" else b"x" if kind == "BLOB" else (value or 0) + 1000


@contextmanager
def opened(made: bytes) -> Iterator[Store]:
    """The store in memory."""
    store = Store(":memory:")
    with store:
        store.conn.deserialize(made)
        store.settle()
        yield store


def change(store: Store, table: str, column: str, kind: str) -> bool:
    """Change the first cell of a column, without a trigger or a constraint in the way; whether that was possible."""
    conn = store.conn
    for setting in ("ignore_check_constraints = ON", "foreign_keys = OFF"):
        conn.execute(f"PRAGMA {setting}")
    triggers = store.rows("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?", [table])
    keys = [name for _, name, *_, key in store.rows(f"PRAGMA table_info({table})") if key]
    named = " AND ".join(f'"{key}" = ?' for key in keys)
    row = conn.execute(f'SELECT "{column}", {", ".join(keys)} FROM "{table}" LIMIT 1').fetchone()
    if row is None:
        return False
    for name, _ in triggers:
        conn.execute(f"DROP TRIGGER {name}")
    try:
        conn.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE {named}', [other(row[0], kind), *row[1:]])
    except sqlite3.IntegrityError:  # the only other value is taken
        return False
    for _, sql in triggers:
        conn.execute(sql)
    conn.commit()
    return True


def is_seen(made: bytes, cell: tuple[str, str, str]) -> bool | None:
    """Whether `verify` sees that a cell was changed; None where it has no row."""
    with opened(made) as store:
        if not change(store, *cell):
            return None
        try:
            verify(store)
        except (CranfieldError, sqlite3.Error):
            return True
    return False


def test_every_cell(stores: Mapping[bool, bytes]) -> None:
    """What is not seen is in the table of docs/sql.md, and nothing that is there is seen."""
    with opened(stores[True]) as store:
        verify(store)
        cells = list(columns(store))
    found = {cell[:2]: is_seen(stores[cell[0] in OF_RELEASES], cell) for cell in cells}
    there = {cell: seen for cell, seen in found.items() if seen is not None}
    assert len(there) > 390
    said = outside()
    assert {cell for cell, seen in there.items() if not seen} == {cell for cell in there if is_outside(said, *cell)}


def is_outside(said: Mapping[str, set[str]], table: str, column: str) -> bool:
    """Whether docs/sql.md says that a column is outside."""
    return bool(said.get(table, set()) & {column, "*"})


def hand_and_program(made: bytes, triggers: bool, by_hand: str) -> str:
    """What verify says after a change by hand, and then one of the program to the same rows; nothing if all is well."""
    with opened(made) as store:
        away = [] if triggers else store.rows("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        for statement in (*(f"DROP TRIGGER {name}" for name, _ in away), by_hand, *(sql for _, sql in away)):
            store.conn.execute(statement)
        store.conn.commit()
        store.add_documents([Document("d99", text="new")])
        give(store, "1", "first", None)
        append(store, Event("note", "1", "d1", "bob", note="later"))
        try:
            verify(store)
        except CranfieldError as error:
            return str(error)
    return ""


@pytest.mark.parametrize(
    ("by_hand", "told"),
    [
        ("UPDATE document SET title = 'x' WHERE id = 3", "document 0: its rows are not those that were recorded"),
        (
            "UPDATE assignment SET cannot_judge = 1 WHERE topic = 1 AND role = 'first'",
            "assignment 1: assessor is not what was recorded",
        ),
    ],
)
def test_what_the_program_changes_after_a_hand(stores: Mapping[bool, bytes], by_hand: str, told: str) -> None:
    """A hand that the triggers saw is named still; without them it is recorded with what the program did."""
    assert hand_and_program(stores[False], triggers=True, by_hand=by_hand).endswith(told)
    assert hand_and_program(stores[False], triggers=False, by_hand=by_hand) == ""
    assert "recorded together with it" in " ".join(DOC.read_text("utf-8").split())
