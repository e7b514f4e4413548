"""The tables and views of a store, as migrations: each step is an SQL file of its name in this folder.

A store is one SQLite file made to be read: open it in the sqlite3 shell (`.schema` shows its comments) or in Datasette.
Start with the views `qrels`, `current_judgment`, `judgment_log`, `pooled`, `retrieved` and `run_overview`.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from functools import cache
from importlib.resources import files
from sqlite3 import Connection
from typing import TYPE_CHECKING

from cranfield.store.schema.hooks import HOOKS

if TYPE_CHECKING:
    from sqlite_utils import Database, Migrations

APPLICATION_ID = 0x43524E46  # "CRNF" in SQLite's header
NAME = "cranfield"  # of the steps, in the table _sqlite_migrations
STEPS = (
    "the_first_store",
    "the_full_screen",
    "the_organiser",
    "the_second_look",
    "the_unknown",
    "the_labels_apart",
    "the_way_back",
    "the_details",
    "the_chain",
    "the_pool_of_a_plan",
    "the_growing_pool",
    "the_key_first",
    "the_browser",
    "the_invitations",
    "the_adjudicators",
    "the_audits",
    "the_answers",
    "the_nuggets",
    "the_model_calls",
    "the_logs",
    "the_labellers",
    "the_preferences",
    "the_links",
    "the_publication",
    "the_published_logs",
    "the_releases",
    "the_claims",
    "the_answers_without_claims",
    "the_linked_calls",
    "the_names_of_lists",
    "the_seals",
    "the_changes",
    "the_erasures",
)


def script_of(step: str) -> str:
    """The SQL of a step; a line `-- in Python: NAME` stands for one of the HOOKS."""
    return files("cranfield.store.schema").joinpath(f"{step}.sql").read_text("utf-8")


def take(step: str, db: Database) -> None:
    """Run a step, what it does in Python included, in the transaction that its caller began."""
    script, *rest = re.split(r"^-- in Python: (\w+)$", script_of(step), flags=re.MULTILINE)
    run(db.conn, script)
    for hook, script in zip(rest[::2], rest[1::2], strict=True):
        run(db.conn, HOOKS[hook](db.conn) or "")
        run(db.conn, script)


def run(conn: Connection, script: str) -> None:
    """Run the statements of a script; each ends at the end of a line."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            conn.execute(statement)
            statement = ""
    conn.execute(statement)


def migrations() -> Migrations:
    """The steps from no store to one of this version."""
    from sqlite_utils import Migrations

    found = Migrations(NAME)
    for step in STEPS:

        def taken(db: Database, step: str = step) -> None:
            take(step, db)

        found(name=step)(taken)
    return found


def lay_out(conn: Connection, steps: int = len(STEPS)) -> None:
    """Give an empty database the tables and views of a store, or of one that has been through fewer steps."""
    with closing(sqlite3.connect(":memory:")) as empty:
        empty.deserialize(_empty(steps))
        empty.backup(conn)


@cache
def _empty(steps: int) -> bytes:
    """A store with nothing in it; the steps to it are taken once in a process."""
    from sqlite_utils import Database

    with closing(sqlite3.connect(":memory:")) as conn:
        migrations().apply(Database(conn), stop_before=[*STEPS[steps:]])
        return conn.serialize()
