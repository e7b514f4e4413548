"""A store as a release has it: views of the same names in front of the tables, and nothing is written.

Every query of the program then finds what it would have found when the release was made.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from cranfield.store.named_rows import NAMES, TEXT
from cranfield.store.releases import GROWING, GROWS, KEPT, LOG, NUMBERED, PART, Release, columns_of, release_named

if TYPE_CHECKING:
    from cranfield.store.store import Store


def open_at(store: Store, name: str) -> None:
    """Let an open store be one of its releases from now on."""
    release = release_named(store, name)
    store.conn.execute("PRAGMA foreign_keys = OFF")
    views = store.rows("SELECT sql FROM main.sqlite_master WHERE type = 'view'")
    for table in KEPT:
        _copy(store.conn, table, release)
    for table in GROWING:
        _grown(store.conn, table, release)
    for table in NUMBERED:
        _up_to(store.conn, table, release)
    for table, (column, of) in PART.items():
        _view(store.conn, table, f"SELECT * FROM main.{table} WHERE {column} <= {release.last.get(of, 0)}")
    for table in LOG:
        _view(store.conn, table, f"SELECT * FROM main.{table} WHERE false")
    _view(store.conn, "release", f"SELECT * FROM main.release WHERE id <= {release.number}")
    for (sql,) in views:
        store.conn.execute(sql.replace("CREATE VIEW", "CREATE TEMP VIEW", 1))
    store.conn.commit()
    store.conn.execute("PRAGMA query_only = ON")
    store.released = name


def copy_at(store: Store, name: str) -> Store:
    """A release of a store that is in memory, as a store of its own in memory."""
    copy = type(store)(":memory:")
    with copy.closed_on_error():
        copy.conn.deserialize(store.conn.serialize())
        copy.settle()
        open_at(copy, name)
    return copy


def _view(conn: sqlite3.Connection, table: str, select: str) -> None:
    conn.execute(f"CREATE TEMP VIEW {table} AS {select}")


def _copy(conn: sqlite3.Connection, table: str, release: Release, name: str = "") -> None:
    """The kept rows as a table of the same columns and keys."""
    sql = conn.execute("SELECT sql FROM main.sqlite_master WHERE type = 'table' AND name = ?", [table]).fetchone()[0]
    _, bracket, rest = sql.partition("(")
    conn.execute(f"CREATE TEMP TABLE {name or table} {bracket}{rest}")
    columns, *rows = release.kept.get(table, [[]])
    if rows:
        places = ", ".join("?" * len(columns))
        conn.executemany(f"INSERT INTO temp.{name or table} ({', '.join(columns)}) VALUES ({places})", rows)


def _grown(conn: sqlite3.Connection, table: str, release: Release) -> None:
    """A part of pools: those that do not grow as they are, those that do as they were."""
    still = f"pool <= {release.last.get('pool', 0)}"
    if not conn.execute(f"SELECT EXISTS ({GROWS})").fetchone()[0]:
        _view(conn, table, f"SELECT * FROM main.{table} WHERE {still}")
        return
    _copy(conn, table, release, f"kept_{table}")
    others = f"SELECT * FROM main.{table} WHERE {still} AND pool NOT IN ({GROWS})"
    _view(conn, table, f"{others} UNION ALL SELECT * FROM temp.kept_{table}")


def _up_to(conn: sqlite3.Connection, table: str, release: Release) -> None:
    """The rows up to the last one; documents and topics without the text that came later."""
    last = release.last.get(table, 0)
    if table not in TEXT or not _changed(conn, table, release.number):
        _view(conn, table, f"SELECT * FROM main.{table} WHERE id <= {last}")
        return
    columns = ", ".join(_as_it_was(table, column) for column in columns_of(conn, table))
    was = f"SELECT removed FROM temp.was_{table} w WHERE w.id = t.id"
    _view(conn, table, f"SELECT {columns.format(was=was)} FROM main.{table} t WHERE t.id <= {last}")


def _changed(conn: sqlite3.Connection, table: str, release: int) -> bool:
    """Whether rows changed since a release; what they were then is in a table beside them."""
    conn.execute(f"CREATE TEMP TABLE was_{table} (id INTEGER PRIMARY KEY, removed INTEGER)")
    first = f"SELECT {table}, min(release) FROM main.earlier_{table} WHERE release >= ? GROUP BY {table}"
    found = f"SELECT {table}, removed FROM main.earlier_{table} WHERE ({table}, release) IN ({first})"
    return conn.execute(f"INSERT INTO temp.was_{table} {found}", [release]).rowcount > 0


def _as_it_was(table: str, column: str) -> str:
    if column in ("id", NAMES[table]):
        return f"t.{column} AS {column}"
    if column == "removed":
        return "coalesce(({was}), t.removed) AS removed"
    return f"CASE WHEN ({{was}}) IS NULL THEN t.{column} END AS {column}"
