"""The tables, views and triggers of a store: the files of sql/, and triggers that note what was changed.

A store is one SQLite file made to be read: open it in the sqlite3 shell (`.schema` shows these comments) or in
Datasette. Start with the views `qrels`, `current_judgment`, `judgment_log`, `pooled`, `retrieved`
and `run_overview`.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import cache
from importlib.resources import files
from secrets import token_bytes
from sqlite3 import Connection
from typing import TYPE_CHECKING
from uuid import uuid4

from cranfield.errors import StoreError
from cranfield.hooks import features
from cranfield.store.changes import KINDS, Kind, record_everything

if TYPE_CHECKING:
    from sqlite_utils import Database, Migrations

APPLICATION_ID = 0x43524E46  # "CRNF" in SQLite's header
NAME = "cranfield"  # of the steps, in the table _sqlite_migrations
EARLIER = ("the_linked_calls", "the_schema")  # steps of earlier versions: since either every log has a chain
OF_FEATURES = ("models", "answers", "online", "preferences", "publishing", "rounds")
SCRIPTS = ("collection", "standing", "judging", "pools", "log", *OF_FEATURES)
MADE = re.compile(r"^CREATE TABLE (\w+)", re.MULTILINE)
TRIGGER = """
CREATE TRIGGER recorded_{table}_{event} AFTER {what} ON {table} BEGIN{notes}
END;
"""
NEW = """
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('{table}', {name});"""
OLD = """  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT '{table}', {name}
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = '{table}' AND name = {name});"""


def script(name: str) -> str:
    """One of the files."""
    return files("cranfield.store").joinpath("sql", f"{name}.sql").read_text("utf-8")


def statements(texts: Iterable[str]) -> Iterator[str]:
    """The statements of scripts; each ends at the end of a line."""
    statement = ""
    for line in "\n".join(texts).splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement.strip()
            statement = ""


def features_of(conn: Connection) -> Iterator[tuple[str, list[str]]]:
    """The features whose tables have rows in a store, each with the names of these tables."""
    for name in OF_FEATURES:
        tables = MADE.findall(script(name))
        if used := [table for table in tables if conn.execute(f"SELECT EXISTS (SELECT 1 FROM {table})").fetchone()[0]]:
            yield name, used


def not_shown(conn: Connection) -> list[str]:
    """What is said of the features that a store needs and that are not installed, a line each.

    >>> with closing(sqlite3.connect(":memory:")) as conn:
    ...     lay_out(conn)
    ...     not_shown(conn)
    []
    """
    needed = ((name, tables) for name, tables in features_of(conn) if name not in features())
    kept = "are kept and verified, and not shown"
    return [f"the feature {name} is not installed: rows of {', '.join(tables)} {kept}" for name, tables in needed]


def is_trigger(statement: str) -> bool:
    """Whether a statement makes a trigger."""
    return "\nCREATE TRIGGER " in f"\n{statement}"


def guards() -> list[str]:
    """The triggers: what keeps the logs as they are, and notes what was changed in other tables."""
    return [*filter(is_trigger, statements(map(script, SCRIPTS))), *statements(map(_notes_of, KINDS.values()))]


def tables() -> list[str]:
    """The tables, their indexes, and the views."""
    return [one for one in statements(map(script, SCRIPTS)) if not is_trigger(one)]


def _notes_of(kind: Kind) -> str:
    """The triggers of a table whose changes are recorded."""
    watched = ", ".join(dict.fromkeys((*kind.key, *kind.columns)))
    events = (("insert", "INSERT", NEW, "new"), ("update", f"UPDATE OF {watched}", OLD, "old", "new"),
              ("delete", "DELETE", NEW, "old"))  # fmt: skip
    return "".join(_trigger(kind, *event) for event in events if (kind.table, event[0]) != ("document", "insert"))


def _trigger(kind: Kind, event: str, what: str, note: str, *rows: str) -> str:
    names = (f"CAST({kind.name.format(row)} AS TEXT)" for row in rows)
    notes = "".join(note.format(table=kind.table, name=name) for name in names)
    return TRIGGER.format(table=kind.table, event=event, what=what, notes=notes)


def the_living_schema(db: Database) -> None:
    """Everything a store has."""
    for statement in (*tables(), *guards()):
        db.conn.execute(statement)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")


STEPS = (the_living_schema,)


def migrations() -> Migrations:
    """The steps from no store to one of this version."""
    from sqlite_utils import Migrations

    found = Migrations(NAME)
    for step in STEPS:
        found()(step)
    return found


def lay_out(conn: Connection) -> None:
    """Give an empty database the tables, views and triggers of a store."""
    with closing(sqlite3.connect(":memory:")) as empty:
        empty.deserialize(_empty())
        empty.backup(conn)


@cache
def _empty() -> bytes:
    """A store with nothing in it, made once in a process."""
    from sqlite_utils import Database

    with closing(sqlite3.connect(":memory:")) as conn:
        migrations().apply(Database(conn))
        return conn.serialize()


def steps_of(conn: Connection) -> set[str]:
    """The steps that a store has been through."""
    found = conn.execute("SELECT name FROM _sqlite_migrations WHERE migration_set = ?", [NAME])
    return {name for (name,) in found}


def is_older(taken: set[str]) -> bool:
    """Whether a store that has been through these steps is of an earlier version; one of a later version is refused.

    >>> is_older({"the_living_schema"}), is_older({"the_schema"})
    (False, True)
    >>> is_older({"the_living_schema", "the_future"})
    Traceback (most recent call last):
    ...
    cranfield.errors.StoreError: made by a newer cranfield, which has 'the future'; update this one to open it
    >>> is_older({"the_first_store"})
    Traceback (most recent call last):
    ...
    cranfield.errors.StoreError: made by a version of cranfield that is too old: not all of its logs have chains
    """
    current = {step.__name__ for step in STEPS}
    newer = taken - current
    if current <= taken and newer:
        raise StoreError(
            f"made by a newer cranfield, which has {min(newer).replace('_', ' ')!r}; update this one to open it"
        )
    if newer and taken.isdisjoint(EARLIER):
        raise StoreError("made by a version of cranfield that is too old: not all of its logs have chains")
    if not taken:
        raise StoreError("its schema was not made by any version of cranfield")
    return bool(newer)


def complete(conn: Connection, had: Callable[[str], bool]) -> None:
    """Add to the rows of an older store what they lack; `had` says whether it had a table."""
    if not had("assessor_salt"):
        give_ids(conn)
        conn.execute("UPDATE collection SET rule = 1 WHERE EXISTS (SELECT 1 FROM bundle)")
    if not had("change"):
        record_everything(conn)


def give_ids(conn: Connection) -> None:
    """Give every assessor an id and a salt."""
    for (number,) in conn.execute("SELECT id FROM assessor ORDER BY id").fetchall():
        conn.execute("UPDATE assessor SET uid = ? WHERE id = ?", [uuid4().hex, number])
        conn.execute("INSERT INTO assessor_salt VALUES (?, ?)", [number, token_bytes(32)])
