"""What a release is, as hashes: one of each of its tables, and one of everything."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from sqlite3 import Connection
from typing import NamedTuple

from cranfield.store.releases.tables import ALL

AT_ONCE = 1000  # rows that are hashed together
ENOUGH = {"judgment_event": ["id", "hash"]}  # `store verify` recomputes the hash, which is of all columns
UNREAD = {"document": ["text"]}  # `store verify` compares it with its hash in the row


class Hash(NamedTuple):
    """The columns of a table, and the hash of its rows."""

    columns: Sequence[str]
    sha256: str


def columns_of(conn: Connection, table: str) -> list[str]:
    """The columns of a table as the file has it."""
    return [name for _, name, *_ in conn.execute(f"PRAGMA main.table_info({table})")]


def hashes(conn: Connection, columns: Mapping[str, Sequence[str]] | None = None) -> dict[str, Hash]:
    """The hash of each table of a release, of these columns, or else of all that matter."""
    asked = columns or {table: ENOUGH.get(table) or _read(conn, table) for table in ALL}
    return {table: _hash(conn, table, names) for table, names in asked.items()}


def _read(conn: Connection, table: str) -> list[str]:
    return [name for name in columns_of(conn, table) if name not in UNREAD.get(table, ())]


def _hash(conn: Connection, table: str, columns: Sequence[str]) -> Hash:
    """The hash of the rows of a table as JSON, in the order of its key, with hashes for packed numbers."""
    key = sorted((place, name) for _, name, *_, place in conn.execute(f"PRAGMA main.table_info({table})") if place)
    order = ", ".join(name for _, name in key)
    listed = conn.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order}")
    found = hashlib.sha256()
    while rows := listed.fetchmany(AT_ONCE):
        found.update(json.dumps(rows, default=_packed).encode())
    return Hash([*columns], found.hexdigest())


def _packed(value: bytes) -> str:
    return hashlib.sha256(value).hexdigest()


def of_all(said: Sequence[object]) -> str:
    """The hash of everything that is said of a release.

    >>> of_all(["1.0", "2026-01-31"])[:8]
    'cea8d024'
    """
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()
