"""What a release is, as hashes: one of each of its tables, and one of everything."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from sqlite3 import Connection
from typing import NamedTuple

from cranfield.store.releases.tables import ALL

UNREAD = {"document": ("text",)}  # its sha256 is in the row beside it; `store verify` compares them


class Hash(NamedTuple):
    """The columns of a table, and the hash of its rows."""

    columns: Sequence[str]
    sha256: str


def columns_of(conn: Connection, table: str) -> list[str]:
    """The columns of a table as the file has it."""
    return [name for _, name, *_ in conn.execute(f"PRAGMA main.table_info({table})")]


def hashes(conn: Connection, columns: Mapping[str, Sequence[str]] | None = None) -> dict[str, Hash]:
    """The hash of each table of a release, of these columns, or else of all."""
    asked = columns or {table: columns_of(conn, table) for table in ALL}
    return {table: _hash(conn, table, [*names]) for table, names in asked.items()}


def _hash(conn: Connection, table: str, columns: Sequence[str]) -> Hash:
    """The hash of a table: of each row a line of JSON, in the order of its key, with hashes for packed numbers."""
    read = [name for name in columns if name not in UNREAD.get(table, ())]
    key = [(place, name) for _, name, *_, place in conn.execute(f"PRAGMA main.table_info({table})") if place]
    listed = conn.execute(
        f"SELECT {', '.join(read)} FROM {table} ORDER BY {', '.join(name for _, name in sorted(key))}"
    )
    found = hashlib.sha256()
    for row in listed:
        found.update(_line(row))
    return Hash([*columns], found.hexdigest())


def _line(row: Iterable[object]) -> bytes:
    plain = [hashlib.sha256(value).hexdigest() if isinstance(value, bytes) else value for value in row]
    return json.dumps(plain).encode() + b"\n"


def of_all(said: Sequence[object]) -> str:
    """The hash of everything that is said of a release.

    >>> of_all(["1.0", "2026-01-31"])[:8]
    'cea8d024'
    """
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()
