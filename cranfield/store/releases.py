"""The releases of a store: made in one transaction, listed, found by name, verified by every hash.

What of each table is in a release (`Table.release`): of one whose rows are never changed it has those up to its last
one; a row that is a part of a row of another table came with it. Of one whose rows may change later it has a copy, as
it has of the pools that grow while they are judged. Others are not in releases: invitations, the description for
publication. What users of a search system did is empty then: its documents and topics may have come later.

A store as a release has it has views of the same names in front of the tables, and nothing is written. Every query of
the program then finds what it would have found when the release was made.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from sqlite3 import Connection
from typing import Any, NamedTuple, TypeVar

from cranfield.errors import StoreError
from cranfield.selection import check_date, check_release_name, describe_unknown_release
from cranfield.store.chain import judgment_log_head, now, redactions
from cranfield.store.decoding import decode_json_column
from cranfield.store.first_use import FirstUseConnection
from cranfield.store.named_rows import NAMES, TEXT, NamedRows
from cranfield.store.tables import tables_of_store

AnyStore = TypeVar("AnyStore", bound=NamedRows)
GROWS = "SELECT id FROM pool WHERE json_type(parameters, '$.batches') = 'object'"  # the pools that grow
HASH_BATCH_ROWS = 1000  # rows that are hashed together
ENOUGH = {"judgment_event": ["id", "hash"]}  # `store verify` recomputes the hash, which is of all columns
UNREAD = {"document": ["text"]}  # `store verify` compares it with its hash in the row


class Hash(NamedTuple):
    """The columns of a table, and the hash of its rows."""

    columns: Sequence[str]
    sha256: str


def tables_of_releases(conn: Connection) -> list[str]:
    """The tables of which a release has rows, or a copy."""
    return [one.name for one in tables_of_store(conn) if one.part_of or one.release in ("rows", "grows", "copy")]


def columns_of(conn: Connection, table: str) -> list[str]:
    """The columns of a table as the file has it."""
    return [name for _, name, *_ in conn.execute(f"PRAGMA main.table_info({table})")]


def hashes(conn: Connection, columns: Mapping[str, Sequence[str]] | None = None) -> dict[str, Hash]:
    """The hash of each table of a release, of these columns, or else of all that matter."""
    tables = columns or {name: ENOUGH.get(name) or _read(conn, name) for name in tables_of_releases(conn)}
    return {table: _hash_rows(conn, table, names) for table, names in tables.items()}


def _read(conn: Connection, table: str) -> list[str]:
    return [name for name in columns_of(conn, table) if name not in UNREAD.get(table, ())]


def _hash_rows(conn: Connection, table: str, columns: Sequence[str]) -> Hash:
    """The hash of the rows of a table as JSON, in the order of its key, with hashes for packed numbers."""
    key = sorted((place, name) for _, name, *_, place in conn.execute(f"PRAGMA main.table_info({table})") if place)
    order = ", ".join(name for _, name in key)
    cursor = conn.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order}")
    digest = hashlib.sha256()
    while rows := cursor.fetchmany(HASH_BATCH_ROWS):
        digest.update(json.dumps(rows, default=_digest).encode())
    return Hash([*columns], digest.hexdigest())


def _digest(value: bytes) -> str:
    return hashlib.sha256(value).hexdigest()


def content_hash(content: Sequence[object]) -> str:
    """The hash of everything that is said of a release.

    >>> content_hash(["1.0", "2026-01-31"])[:8]
    'cea8d024'
    """
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


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
    def digest(self) -> str:
        """The hash of everything that is said here."""
        return content_hash(self[: Release._fields.index("sha256")])


COLUMNS = ", ".join("id" if name == "number" else name for name in Release._fields)


def make_release(store: NamedRows, name: str, day: str = "", note: str = "") -> Release:
    """Give the store as it is now a name, in one transaction; `day` is today in UTC by default.

    >>> from cranfield.formats import Document
    >>> from cranfield.store.store import Store
    >>> with Store.memory("one document") as store:
    ...     store.add_documents([Document("d1", text="some text")])
    ...     make_release(store, "1.0", "2026-01-31").counts
    1
    {'documents': 1, 'topics': 0, 'runs': 0, 'judgments': 0}
    """
    check_release_name(name)
    day = check_date(day) if day else datetime.now(UTC).date().isoformat()
    with store.writing():
        if store.rows("SELECT 1 FROM bundle"):
            raise StoreError(f"{store.path}: this is a bundle; release the store from which it was exported")
        if alike := [one for one in releases(store) if one.name == name]:
            raise StoreError(f"release {name} of {alike[0].date} is already in this store; releases never change")
        if running := store.rows("SELECT id FROM import WHERE last_event IS NULL LIMIT 1"):
            raise StoreError(
                f"{store.path}: import {running[0][0]} has not finished; wait for it, or import its files again"
            )
        if not any(store.count(table) for table in ("document", "topic", "run", "judgment_event")):
            raise StoreError(f"{store.path}: the store is empty; expected data to release")
        from cranfield import __version__

        counts = {name: store.count(table) for name, table in COUNTED.items()}
        all_of = tables_of_store(store.conn)
        parts_of = {table.part_of for table in all_of}
        last = {
            one.name: store.last_row_number(one.name) for one in all_of if one.release == "rows" or one.name in parts_of
        }
        copies = {one.name: _dump_table_rows(store, one.name, "") for one in all_of if one.release == "copy"}
        copies |= {
            one.name: _dump_table_rows(store, one.name, f"WHERE pool IN ({GROWS})")
            for one in all_of
            if one.release == "grows"
        }
        tables = {table: list(digests) for table, digests in hashes(store.conn).items()}
        state = [name, day, note, now(), __version__, judgment_log_head(store.conn), counts, last, copies, tables]
        row = [json.dumps(value) if isinstance(value, dict) else value for value in (*state, content_hash(state))]
        columns = ", ".join(Release._fields[: len(row)])
        store.conn.execute(f"INSERT INTO release ({columns}) VALUES ({', '.join('?' * len(row))})", row)
    return release_named(store, name)


def _dump_table_rows(store: NamedRows, table: str, where: str) -> list[list[Any]]:
    columns = columns_of(store.conn, table)
    return [columns, *map(list, store.rows(f"SELECT {', '.join(columns)} FROM {table} {where}"))]


def releases(store: NamedRows) -> list[Release]:
    """The releases, in the order they were made."""
    return [_release_from_row(*row) for row in store.rows(f"SELECT {COLUMNS} FROM release ORDER BY id")]


def release_name(store: NamedRows) -> str:
    """The release that an open store is, with its date; empty where it is the store as it stands."""
    return f"{store.as_of} of {release_named(store, store.as_of).date}" if store.as_of else ""


def list_releases(store: NamedRows) -> list[dict[str, Any]]:
    """The releases with how much each has, to be shown."""
    return [
        {"release": it.name, "date": it.date, **it.counts, "note": it.note, "sha256": it.sha256}
        for it in releases(store)
    ]


def _release_from_row(*row: Any) -> Release:
    *plain, counts, last, copies, digests, sha256, number = row
    texts = {"counts": counts, "last": last, "kept": copies, "hashes": digests}
    read = [decode_json_column(dict, text, "release", number, name) for name, text in texts.items()]
    return Release(*(*plain, *read, sha256, number))


def release_named(store: NamedRows, name: str) -> Release:
    """A release by its name; for an unknown name the nearest is named."""
    rows = store.rows(f"SELECT {COLUMNS} FROM release WHERE name = ?", [name])
    if not rows:
        names = [one for (one,) in store.rows("SELECT name FROM release ORDER BY id")]
        raise StoreError(f"{store.path}: {describe_unknown_release(name, names)}")
    return _release_from_row(*rows[0])


EARLIER = (
    "(SELECT {what} FROM earlier_{table} e WHERE e.{table} = :row AND e.release >= r.id ORDER BY e.release LIMIT 1)"
)
EARLIER_TEXT_CONDITIONS = {table: f"EXISTS {EARLIER.format(what='1', table=table)}" for table in NAMES}
REMOVED = {table: f"coalesce({EARLIER.format(what='removed', table=table)}, 0)" for table in NAMES}


def refuse_released(store: NamedRows, table: str, row: int, what: str) -> None:
    """Refuse to remove a row that a release has; of a document, its text."""
    but = EARLIER_TEXT_CONDITIONS[table] if table == "document" else REMOVED[table] if table == "topic" else "0"
    holds = f"json_extract(last, '$.{table}') >= :row AND NOT {but}"
    names = store.rows(f"SELECT name FROM release r WHERE {holds} ORDER BY id LIMIT 1", {"row": row})
    if names:
        raise StoreError(f"{what} cannot be removed: release {names[0][0]} contains it, and releases never change")


def verify_releases(store: NamedRows, open_release: Callable[[str], NamedRows]) -> int:
    """Recompute the releases of a store, each opened by its name. Returns how many there are.

    Raises StoreError if one has changed since it was made.
    """
    every = releases(store)
    if [release.number for release in every] != list(range(1, len(every) + 1)):
        raise StoreError(f"release {every[0].name}: its number or a later release's number has changed")
    for release in every:
        right = redactions(store.conn, "release").get(str(release.number), release.sha256)
        if release.digest != right or not _is_written(store, release):
            raise StoreError(f"release {release.name}: its record has changed since it was made")
        columns = {table: columns for table, (columns, _) in release.hashes.items()}
        if absent := [table for table in columns if not columns_of(store.conn, table)]:
            raise StoreError(f"release {release.name}: table {absent[0]}, which belongs to it, is missing")
        with open_release(release.name) as then:
            now = hashes(then.conn, columns)
        for table, (_, was) in release.hashes.items():
            if now[table].sha256 != was:
                raise StoreError(f"release {release.name}: the rows of table {table} differ from the released rows")
    return len(every)


def _is_written(store: NamedRows, release: Release) -> bool:
    """Whether the JSON of a release is as this program writes it, blanks included."""
    parts = ("counts", "last", "kept", "hashes")
    [row] = store.rows(f"SELECT {', '.join(parts)} FROM release WHERE id = ?", [release.number])
    return [*row] == [json.dumps(getattr(release, part)) for part in parts]


def switch_to_release(store: NamedRows, name: str) -> None:
    """Let an open store be one of its releases from now on."""
    release = release_named(store, name)
    store.conn.execute("PRAGMA foreign_keys = OFF")
    views = store.rows("SELECT sql FROM main.sqlite_master WHERE type = 'view'")
    for table in tables_of_store(store.conn):
        if table.part_of:
            last = release.last.get(table.part_of, 0)
            _create_view(
                store.conn,
                table.name,
                f"SELECT * FROM main.{table.name} WHERE {table.part_by or table.part_of} <= {last}",
            )
        elif table.release:
            AS_RELEASED[table.release](store.conn, table.name, release)
    _create_view(store.conn, "release", f"SELECT * FROM main.release WHERE id <= {release.number}")
    if isinstance(store.conn, FirstUseConnection):
        store.conn.stand_in_for_all()
    for (sql,) in views:
        store.conn.execute(sql.replace("CREATE VIEW", "CREATE TEMP VIEW", 1))
    store.conn.commit()
    store.conn.execute("PRAGMA query_only = ON")
    store.as_of = name


def copy_release_to_memory(store: AnyStore, name: str) -> AnyStore:
    """A release of a store that is in memory, as a store of its own in memory."""
    copy = type(store)(":memory:")
    with copy.close_on_error():
        copy.conn.deserialize(store.conn.serialize())
        copy.set_pragmas()
        switch_to_release(copy, name)
    return copy


def _view_no_rows(conn: sqlite3.Connection, table: str, release: Release) -> None:
    _create_view(conn, table, f"SELECT * FROM main.{table} WHERE false")


def _create_view(conn: sqlite3.Connection, table: str, select: str) -> None:
    conn.execute(f"CREATE TEMP VIEW {table} AS {select}")


def _create_copy(conn: sqlite3.Connection, table: str, release: Release, name: str = "") -> None:
    """The kept rows as a table of the same columns and keys."""
    sql = conn.execute("SELECT sql FROM main.sqlite_master WHERE type = 'table' AND name = ?", [table]).fetchone()[0]
    _, bracket, rest = sql.partition("(")
    conn.execute(f"CREATE TEMP TABLE {name or table} {bracket}{rest}")
    columns, *rows = release.kept.get(table, [[]])
    if rows:
        places = ", ".join("?" * len(columns))
        conn.executemany(f"INSERT INTO temp.{name or table} ({', '.join(columns)}) VALUES ({places})", rows)


def _regrow(conn: sqlite3.Connection, table: str, release: Release) -> None:
    """A part of pools: those that do not grow as they are, those that do as they were."""
    still = f"pool <= {release.last.get('pool', 0)}"
    if not conn.execute(f"SELECT EXISTS ({GROWS})").fetchone()[0]:
        _create_view(conn, table, f"SELECT * FROM main.{table} WHERE {still}")
        return
    _create_copy(conn, table, release, f"kept_{table}")
    others = f"SELECT * FROM main.{table} WHERE {still} AND pool NOT IN ({GROWS})"
    _create_view(conn, table, f"{others} UNION ALL SELECT * FROM temp.kept_{table}")


def _view_rows_of_release(conn: sqlite3.Connection, table: str, release: Release) -> None:
    """The rows up to the last one; documents and topics without the text that came later."""
    last = release.last.get(table, 0)
    if table not in TEXT or not _has_changed(conn, table, release.number):
        _create_view(conn, table, f"SELECT * FROM main.{table} WHERE id <= {last}")
        return
    columns = ", ".join(_column_sql_at_release(table, column) for column in columns_of(conn, table))
    was = f"SELECT removed FROM temp.was_{table} w WHERE w.id = t.id"
    _create_view(conn, table, f"SELECT {columns.format(was=was)} FROM main.{table} t WHERE t.id <= {last}")


def _has_changed(conn: sqlite3.Connection, table: str, release: int) -> bool:
    """Whether rows changed since a release; what they were then is in a table beside them."""
    conn.execute(f"CREATE TEMP TABLE was_{table} (id INTEGER PRIMARY KEY, removed INTEGER)")
    first = f"SELECT {table}, min(release) FROM main.earlier_{table} WHERE release >= ? GROUP BY {table}"
    earliest = f"SELECT {table}, removed FROM main.earlier_{table} WHERE ({table}, release) IN ({first})"
    return conn.execute(f"INSERT INTO temp.was_{table} {earliest}", [release]).rowcount > 0


def _column_sql_at_release(table: str, column: str) -> str:
    if column in ("id", NAMES[table]):
        return f"t.{column} AS {column}"
    if column == "removed":
        return "coalesce(({was}), t.removed) AS removed"
    return f"CASE WHEN ({{was}}) IS NULL THEN t.{column} END AS {column}"


AS_RELEASED = {"rows": _view_rows_of_release, "copy": _create_copy, "grows": _regrow, "empty": _view_no_rows}
