"""Stores of earlier versions are converted: their rows are copied into a new store, chains and heads as they were."""

import os
import shlex
import shutil
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from sqlite3 import Connection
from typing import NamedTuple

from cranfield.errors import BusyError, StoreError
from cranfield.formats.whole_files import explain_unusable_file, temporary_folder_in
from cranfield.parallel import Tell, ignore_note
from cranfield.store.first_use import declared_objects, parts_with_needed
from cranfield.store.named_rows import NAMED_ONLY_INDEX
from cranfield.store.schema import (
    APPLICATION_ID,
    complete,
    completed_steps,
    create_schema,
    feature_parts,
    guard_triggers,
    is_older,
)
from cranfield.store.store import Store
from cranfield.store.verification import Verification, verify


class Upgrade(NamedTuple):
    """What `verify` says of the store, and where the old one is kept; None: nothing was to be done."""

    verified: Verification
    before: Path | None


def upgrade(path: Path, tell: Tell = ignore_note) -> Upgrade:
    """Convert a store; the old one is kept beside it. One that does not verify afterwards stays as it was.

    Errors: a StoreError for what is no store, or of a version that is newer or too old; a BusyError if another program
    has it open.
    """
    with _open_alone(path) as old:
        before = _convert(path) if is_older(completed_steps(old)) else None
    with Store.open(path, tell=tell) as store:
        return Upgrade(verify(store), before)


@contextmanager
def _open_alone(path: Path) -> Iterator[Connection]:
    """A store that no other program has open, all of it in its one file."""
    if not path.is_file():
        raise StoreError(f"{path}: {explain_unusable_file(path, 'no such store')}")
    for place in (path, path.absolute().parent):
        if not os.access(place, os.W_OK):
            remedy = f"upgrade a copy, or allow writing: chmod u+w {shlex.quote(str(place))}"
            raise StoreError(f"{place}: write-protected; expected a store and a folder that can be written; {remedy}")
    with closing(sqlite3.connect(path)) as conn:
        try:
            conn.execute("PRAGMA trusted_schema = OFF")
            if conn.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                raise StoreError(f"{path}: not a cranfield store")
            conn.execute("PRAGMA journal_mode = DELETE")
            conn.execute("BEGIN EXCLUSIVE")
            yield conn
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            raise BusyError(
                f"{path}: another program has opened this store; close that program, then try again"
            ) from error
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{path}: not a store: {error}") from error


def _convert(path: Path) -> Path:
    """Replace a store by a converted one that verifies; where the old one is kept."""
    with temporary_folder_in(path.absolute().parent) as folder:
        names = (
            path.with_name(f"{path.name}.before-upgrade{end}") for end in ("", *(f"-{at}" for at in range(2, 1000)))
        )
        old, new, spare = folder / "before", folder / "after", next(name for name in names if not name.exists())
        shutil.copyfile(path, old)
        with closing(sqlite3.connect(new)) as conn:
            copy_rows_to_empty(conn, old)
            conn.execute("PRAGMA journal_mode = WAL")
        with Store.open(new) as store:
            verify(store)
        shutil.copymode(path, new)
        try:
            os.link(path, spare)
        except OSError:  # a file system without links
            shutil.copy(path, folder / "kept")
            os.rename(folder / "kept", spare)
        os.replace(new, path)
    return spare


def copy_rows_to_empty(conn: Connection, old: Path, known_only: bool = False) -> None:
    """Copy the rows of another store into an empty database, whose triggers are made after the rows.

    Tables that no installed feature has are refused where they have rows; with `known_only` they are left out.
    """
    conn.execute("ATTACH ? AS old", [str(old)])
    had = {name for (name,) in conn.execute("SELECT name FROM old.sqlite_master WHERE type = 'table'")}
    # The parts of installed features of which the other store has tables, each after those it needs.
    declared = declared_objects(tuple(feature_parts()))
    needed = {part for name in declared.keys() & had for part in parts_with_needed(declared, name)}
    used = [part for part in feature_parts() if part in needed]
    create_schema(conn, used)
    for (name,) in conn.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        conn.execute(f"DROP TRIGGER {name}")
    tables = _copied_tables(conn, "main")
    for table in sorted(_copied_tables(conn, "old") - tables) if not known_only else ():
        quoted = table.replace('"', '""')
        if conn.execute(f'SELECT EXISTS (SELECT 1 FROM old."{quoted}")').fetchone()[0]:
            raise StoreError(f"table {table} belongs to a feature that is not installed; install the feature first")
    check_plain_tables(conn, tables & had)
    with conn:
        for table in sorted(tables & had):
            columns = ", ".join(
                name for name in _table_columns(conn, "main", table) if name in _table_columns(conn, "old", table)
            )
            conn.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM old.{table} NOT INDEXED")
        conn.execute("DELETE FROM main.sqlite_sequence")
        conn.execute("INSERT INTO main.sqlite_sequence SELECT * FROM old.sqlite_sequence")
        conn.execute("INSERT INTO document_fts (document_fts) VALUES ('rebuild')")
        if conn.execute("SELECT EXISTS (SELECT 1 FROM document WHERE text IS NOT NULL)").fetchone()[0]:
            conn.execute(NAMED_ONLY_INDEX)
        complete(conn, had.__contains__)
        for statement in guard_triggers(conn, used):
            conn.execute(statement)
    conn.execute("DETACH old")


def check_plain_tables(conn: Connection, tables: Collection[str]) -> None:
    """Refuse tables of the other store whose rows SQLite would compute: virtual tables and generated columns."""
    for name, sql in conn.execute("SELECT name, sql FROM old.sqlite_master WHERE type = 'table'").fetchall():
        if name in tables and (
            not sql.startswith("CREATE TABLE ")
            or any(hidden for *_, hidden in conn.execute(f"PRAGMA old.table_xinfo({name})"))
        ):
            raise StoreError(f"table {name} is not a plain table, so its rows cannot be copied")


def _copied_tables(conn: Connection, schema: str) -> set[str]:
    """The tables that rows are copied of: not what SQLite or its full-text index keeps for itself."""
    names = conn.execute(f"SELECT name FROM {schema}.sqlite_master WHERE type = 'table'")
    internal = ("sqlite_", "_sqlite_", "document_fts")
    return {name for (name,) in names if not name.startswith(internal) and name != "feature"}


def _table_columns(conn: Connection, schema: str, table: str) -> list[str]:
    return [name for _, name, *_ in conn.execute(f"PRAGMA {schema}.table_info({table})")]
