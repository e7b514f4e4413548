"""A new store with the data of a store that somebody else made or changed."""

import sqlite3
from contextlib import closing
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from cranfield.errors import StoreError
from cranfield.formats.whole_files import explain_unusable_file
from cranfield.store.bundles.check import UntrustedStore
from cranfield.store.connection import atomic_path, is_private
from cranfield.store.schema_check import schema_objects
from cranfield.store.store import Store
from cranfield.store.upgrade import copy_rows_to_empty
from cranfield.store.verification import Verification, verify
from cranfield.text import counted

SHADOWS = ("sqlite_", "_sqlite_", "document_fts")


class Adoption(NamedTuple):
    """What `verify` found in the new store, and a line for each object of the old store that was not copied."""

    verified: Verification
    left_behind: list[str]


def adopt(source: str | PathLike[str], target: str | PathLike[str]) -> Adoption:
    """Copy the rows of a store's known tables into a new store, and verify the new store.

    The source stays unchanged. None of its triggers, views and indexes is used or copied. Every row meets the
    constraints of this program's tables, and the chain of the logs is recomputed.

    Parameters
    ----------
    source : path
        Store of this version of the program or of an earlier one.
    target : path
        File of the new store, which must not exist.

    Returns
    -------
    Adoption
        The verification of the new store, and what was not copied.

    Raises
    ------
    StoreError
        If a row breaks a constraint, if the logs do not verify, or if a table has no plain rows. There is no new
        store then.
    """
    if not Path(source).is_file():
        raise StoreError(f"{source}: {explain_unusable_file(source, 'no such store')}")
    with atomic_path(target, is_private(source)) as part:  # its errors name the target
        try:
            with UntrustedStore(source) as foreign:
                theirs = {(item.kind, item.name): item for item in schema_objects(foreign.conn)}
                ours = _copy_rows(foreign.copied_file, part)
                left_behind = [
                    f"{item.label}{_size(foreign, item.name) if kind == 'table' else ''}"
                    for (kind, name), item in theirs.items()
                    if item.sql
                    and not name.startswith(SHADOWS)
                    and ((kind, name) not in ours or (kind != "table" and ours[kind, name].split() != item.sql.split()))
                ]
                with Store.open(part) as store:
                    verified = verify(store)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise StoreError(f"{source}: its data cannot be copied: {error}") from error
        except StoreError as error:
            message = str(error).removeprefix(f"{target}: ")
            raise StoreError(
                message if message.startswith((f"{source}: ", f"{target}")) else f"{source}: {message}"
            ) from error
    return Adoption(verified, left_behind)


def _copy_rows(source: Path, target: Path) -> dict[tuple[str, str], str]:
    """Fill the new store and return its schema. An error here is a StoreError: the row is wrong, not the file."""
    try:
        with closing(sqlite3.connect(target)) as conn:
            copy_rows_to_empty(conn, source, known_only=True)
            for table, number, parent, _ in conn.execute("PRAGMA foreign_key_check").fetchall():
                raise StoreError(
                    f"table {table}, row {number}: it refers to a row of table {parent} that does not exist"
                )
            [(result,), *_] = conn.execute("PRAGMA integrity_check").fetchall()
            if result != "ok":
                raise StoreError(f"its data are damaged: {result}")
            if not conn.execute("SELECT 1 FROM collection").fetchall():
                raise StoreError("table collection is empty")
            conn.execute("PRAGMA journal_mode = WAL")
            return {(item.kind, item.name): item.sql for item in schema_objects(conn)}
    except sqlite3.Error as error:
        raise StoreError(f"its data cannot be copied: {error}") from error


def _size(foreign: UntrustedStore, table: str) -> str:
    quoted = table.replace('"', '""')
    query = f'SELECT 1 FROM "{quoted}" NOT INDEXED'
    try:
        return f", {counted(sum(1 for _ in foreign.conn.execute(query)), 'row')}"
    except sqlite3.Error:
        return ""
