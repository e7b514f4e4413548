"""The releases of a store: made in one transaction, listed, and found by name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.errors import StoreError
from cranfield.store.chain import head, now
from cranfield.store.decoding import json_of
from cranfield.store.releases.hashes import columns_of, hashes, of_all
from cranfield.store.releases.names import check_date, check_name, unknown
from cranfield.store.releases.tables import GROWING, GROWS, KEPT, LAST_OF

if TYPE_CHECKING:
    from cranfield.store.store import Store

COUNTED = {"documents": "document", "topics": "topic", "runs": "run", "judgments": "qrels"}  # of these tables
LISTED = ("release", "date", *COUNTED, "note", "sha256")


class Release(NamedTuple):
    """A named state of a store."""

    name: str
    date: str
    note: str
    at: str
    version: str
    head: str  # of the judgment log
    counts: Mapping[str, int]
    last: Mapping[str, int]  # by table: the number of its last row
    kept: Mapping[str, list[list[Any]]]  # by table: its columns, and rows that may have changed since
    hashes: Mapping[str, tuple[list[str], str]]  # by table: its columns, and the hash of its rows
    sha256: str
    number: int

    @property
    def recomputed(self) -> str:
        """The hash of everything that is said here."""
        return of_all(self[: Release._fields.index("sha256")])


COLUMNS = ", ".join("id" if name == "number" else name for name in Release._fields)


def make_release(store: Store, name: str, day: str = "", note: str = "") -> Release:
    """Give the store as it is now a name, in one transaction; `day` is today in UTC by default.

    >>> from cranfield.formats import Document
    >>> from cranfield.store.store import Store
    >>> with Store.memory("one document") as store:
    ...     store.add_documents([Document("d1", text="some text")])
    ...     make_release(store, "1.0", "2026-01-31").counts
    1
    {'documents': 1, 'topics': 0, 'runs': 0, 'judgments': 0}
    """
    check_name(name)
    day = check_date(day) if day else datetime.now(UTC).date().isoformat()
    with store.writing():
        _refuse(store, name)
        said = _state(store, name, day, note)
        row = [json.dumps(value) if isinstance(value, dict) else value for value in (*said, of_all(said))]
        columns = ", ".join(Release._fields[: len(row)])
        store.conn.execute(f"INSERT INTO release ({columns}) VALUES ({', '.join('?' * len(row))})", row)
    return release_named(store, name)


def _refuse(store: Store, name: str) -> None:
    if store.rows("SELECT 1 FROM bundle"):
        raise StoreError(f"{store.path}: this is a bundle; releases are made of the store that it came from")
    if found := [one for one in releases(store) if one.name == name]:
        raise StoreError(f"release {name} is already in this store, of {found[0].date}; releases never change")
    if not any(store.count(table) for table in ("document", "topic", "run", "judgment_event")):
        raise StoreError(f"{store.path}: nothing to release; the store is empty")


def _state(store: Store, name: str, day: str, note: str) -> list[Any]:
    """What is said of a release, in the order of its columns."""
    from cranfield import __version__

    counts = {name: store.count(table) for name, table in COUNTED.items()}
    last = {table: store.most(table) for table in LAST_OF}
    kept = {table: _rows(store, table, "") for table in KEPT}
    kept |= {table: _rows(store, table, f"WHERE pool IN ({GROWS})") for table in GROWING}
    tables = {table: list(found) for table, found in hashes(store.conn).items()}
    return [name, day, note, now(), __version__, head(store.conn), counts, last, kept, tables]


def _rows(store: Store, table: str, where: str) -> list[list[Any]]:
    """The columns of a table and its rows."""
    columns = columns_of(store.conn, table)
    return [columns, *map(list, store.rows(f"SELECT {', '.join(columns)} FROM {table} {where}"))]


def releases(store: Store) -> list[Release]:
    """The releases, in the order they were made."""
    return [_release(*row) for row in store.rows(f"SELECT {COLUMNS} FROM release ORDER BY id")]


def released(store: Store) -> str:
    """The release that an open store is, with its date; empty where it is the store as it stands."""
    return f"{store.released} of {release_named(store, store.released).date}" if store.released else ""


def listed(store: Store) -> list[dict[str, Any]]:
    """The releases with how much each has, to be shown."""
    return [
        {"release": it.name, "date": it.date, **it.counts, "note": it.note, "sha256": it.sha256}
        for it in releases(store)
    ]


def _release(*row: Any) -> Release:
    *said, counts, last, kept, hashed, sha256, number = row
    texts = {"counts": counts, "last": last, "kept": kept, "hashes": hashed}
    read = [json_of(dict, text, "release", number, name) for name, text in texts.items()]
    return Release(*(*said, *read, sha256, number))


def release_named(store: Store, name: str) -> Release:
    """A release by its name; for an unknown name the nearest is named."""
    found = store.rows(f"SELECT {COLUMNS} FROM release WHERE name = ?", [name])
    if not found:
        names = [one for (one,) in store.rows("SELECT name FROM release ORDER BY id")]
        raise StoreError(f"{store.path}: {unknown(name, names)}")
    return _release(*found[0])
