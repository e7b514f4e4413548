"""A store that came from elsewhere, of which nothing is trusted: rows of its plain tables, read from a copy.

Views, triggers and functions of the file are never run. What is needed of its rows is poured into a new store in
memory, whose own schema checks types, kinds, names and the scale, and which is then brought up to this version. The
file itself stays as it was.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from cranfield.errors import StoreError
from cranfield.store.connection import Connection, copied
from cranfield.store.schema.steps import APPLICATION_ID, NAME, STEPS, lay_out, migrations
from cranfield.store.store import Store

SETTINGS = ("trusted_schema = OFF", "cell_size_check = ON", "query_only = ON")
ASKED = ("application_id", "table_xinfo")  # what reading asks SQLite
LINE = 10_000  # bytes that a text of the schema may have in however small a file
MADE = "_sqlite_migrations"  # the table of the steps that a store has been through
POURED = (
    "collection", "document", "topic", "assessor", "assessor_salt", "origin", "pool", "judgment_event", "criterion",
    "bundle",
)  # fmt: skip
APART = {  # columns that are not poured: texts are compared, imports stay where they are
    "document": ("title", "text", "url", "metadata", "import"),
    "topic": ("title", "description", "narrative", "metadata", "import"),
}
PLAINLY = {
    "FOREIGN KEY constraint failed": "it refers to a row that does not exist",
    "CHECK constraint failed": "it has a value that is not allowed",
    "NOT NULL constraint failed": "it lacks a value",
    "UNIQUE constraint failed": "it is a duplicate",
}


class UntrustedStore(Connection):
    """A foreign file while it is open. Whatever is wrong with it is a StoreError."""

    def __init__(self, path: str | PathLike[str]) -> None:
        journal = Path(f"{path}-journal")
        if not Path(path).is_file():
            raise StoreError("no such file")
        if journal.is_file() and journal.stat().st_size:
            raise StoreError(
                "another program is writing to it or was interrupted; open it with `cranfield info`, then try again"
            )
        self.path, self._copy = path, copied(path)
        copy = Path(self._copy.name, Path(path).name)
        self.conn, self._size = sqlite3.connect(copy), sum(part.stat().st_size for part in copy.parent.iterdir())
        with self.closed_on_error():
            self._guard()

    def _guard(self) -> None:
        """Allow nothing but to read tables."""
        try:
            for setting in SETTINGS:
                self.conn.execute(f"PRAGMA {setting}")
            self.conn.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, max(self._size, LINE))
            self.conn.set_authorizer(_reading_tables)
            found = self.rows("PRAGMA application_id")[0][0]
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise StoreError(f"not a store: {error}") from error
        if found != APPLICATION_ID:
            raise StoreError("not a cranfield store")

    def table(self, table: str, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """The columns of a plain table; a view or anything else of that name is refused."""
        try:
            self._check(table, columns)
            room = self._size
            for row in self.conn.execute(f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED"):
                room -= 1 + sum(len(value) for value in row if isinstance(value, str | bytes))
                if room < 0:
                    raise StoreError(f"table {table} is damaged: it has more data than the file has room for")
                yield row
        except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:
            raise StoreError(f"table {table}: {error}") from error

    def _check(self, table: str, columns: Sequence[str]) -> None:
        made = self.rows("SELECT type, sql FROM sqlite_master WHERE name = ?", [table])
        if [(kind, sql[:13]) for kind, sql in made] != [("table", "CREATE TABLE ")]:
            raise StoreError(f"{table} is not a plain table, as it is in every store")
        plain = {name for _, name, _, _, _, _, hidden in self.rows(f"PRAGMA table_xinfo({table})") if not hidden}
        if missing := [column for column in columns if column not in plain]:
            raise StoreError(f"table {table} has no plain column {missing[0]}")

    def poured(self) -> Store:
        """A new store in memory with the rows of this one, but for texts; of this version, if this one is older."""
        store = Store(":memory:")
        with store.closed_on_error():
            lay_out(store.conn, self._steps())
            store.settle()
            there = {name for (name,) in store.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
            for table in POURED:
                if table in there:
                    self._pour(store, table)
            store.conn.commit()
            if not store.count("collection"):
                raise StoreError("table collection is empty")
            migrations().apply(store.db)
        return store

    def _steps(self) -> int:
        """Through how many steps this store has been."""
        taken = {name for group, name in self.table(MADE, ["migration_set", "name"]) if group == NAME}
        known = [step.__name__ for step in STEPS]
        if newer := taken - set(known):
            step = min(newer).replace("_", " ")
            raise StoreError(f"made by a newer cranfield, which has {step!r}; update this one to open it")
        if taken != set(known[: len(taken)]) or not taken:
            raise StoreError("its schema was not made by any version of cranfield")
        return len(taken)

    def _pour(self, store: Store, table: str) -> None:
        columns = [
            name for _, name, *_ in store.rows(f"PRAGMA table_info({table})") if name not in APART.get(table, ())
        ]
        insert = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        for row in self.table(table, columns):
            try:
                store.conn.execute(insert, row)
            except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:
                said = str(error)
                why = next((plain for start, plain in PLAINLY.items() if said.startswith(start)), said)
                raise StoreError(f"table {table}, row {row[0]!r}: {why}") from error


def _reading_tables(action: int, one: str | None, two: str | None, schema: str | None, inner: str | None) -> int:
    """SQLite's question whether something may be done: only what reads a table, for no view and no trigger."""
    plain = inner is None and action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ)
    asked = action == sqlite3.SQLITE_PRAGMA and one in ASKED
    return sqlite3.SQLITE_OK if plain or asked else sqlite3.SQLITE_DENY
