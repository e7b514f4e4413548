"""The tables, views and triggers of a store: the files of sql/, those of features, and triggers that note changes.

A store gets the tables of a feature when one of them is first written (first_use.py). It keeps what made them, in its
table `feature`: another program, without the feature, can check them and what is in them.

A store is one SQLite file made to be read: open it in the sqlite3 shell (`.schema` shows these comments) or in
Datasette. Start with the views `qrels`, `current_judgment`, `judgment_log`, `pooled`, `retrieved`
and `run_overview`.
"""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import cache
from importlib.resources import files
from secrets import token_bytes
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from uuid import uuid4

from cranfield.errors import StoreError
from cranfield.hooks import features
from cranfield.store.changes import record_everything
from cranfield.store.first_use_tables import CORE_TABLES, first_use_tables
from cranfield.store.tables import CORE, Table, Tables, parse_tables, tables_as_json

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID = 0x43524E46  # "CRNF" in SQLite's header
NAME = "cranfield"  # of the steps, in the table _sqlite_migrations
EARLIER = {
    "the_linked_calls",
    "the_schema",
    "the_living_schema",
    "the_features",
    "the_panels",
    "the_present_names",
}  # whose logs have chains
SCRIPTS = ("collection", "rounds", "standing", "judging", "pools", "log")
CREATED = re.compile(r"CREATE (?:VIRTUAL )?(TABLE|VIEW|TRIGGER|(?:UNIQUE )?INDEX) (\w+)")
TRIGGER = """
CREATE TRIGGER recorded_{table}_{event} AFTER {what} ON {table} BEGIN{notes}
END;
"""
ALWAYS = """
CREATE TRIGGER {0}_stays BEFORE DELETE ON {0} BEGIN
    SELECT RAISE (ABORT, '{0} is append-only: nothing in it is deleted');
END;
CREATE TRIGGER {0}_new BEFORE INSERT ON {0} WHEN EXISTS (SELECT 1 FROM {0} WHERE {1}) BEGIN
    SELECT RAISE (ABORT, '{0} is append-only: nothing in it is replaced');
END;
CREATE TRIGGER {0}_unchanged BEFORE UPDATE ON {0}{2} BEGIN
    SELECT RAISE (ABORT, '{0} is append-only: nothing in it is changed');
END;
"""
UNLESS_ERASED = """
WHEN NOT EXISTS (SELECT 1 FROM redaction WHERE log = '{0}' AND item = CAST(old.id AS TEXT))"""
DIFFERS = """
    OR new.{0} IS NOT old.{0}"""
NOT_EMPTIED = " AND coalesce(new.{0}, '') <> '' AND new.{0} NOT LIKE 'erased %'"
NEW = """
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('{table}', {name});"""
OLD = """  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT '{table}', {name}
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = '{table}' AND name = {name});"""


def script(name: str) -> str:
    """One of the files."""
    return files("cranfield.store").joinpath("sql", f"{name}.sql").read_text("utf-8")


def split_statements(texts: Iterable[str]) -> Iterator[str]:
    """The statements of scripts; each ends at the end of a line."""
    statement = ""
    for line in "\n".join(texts).splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement.strip()
            statement = ""


class FeaturePart(NamedTuple):
    """Tables of a feature, as the table `feature` has them."""

    name: str
    part: str
    sql: str
    tables: str  # JSON

    @classmethod
    def from_tables(cls, name: str, part: str, tables: Tables) -> Self:
        """Those of an installed feature."""
        return cls(name, part, tables.sql, tables_as_json(tables.tables))

    def statements(self) -> list[str]:
        """What makes them: no other statement of a store is ever run."""
        every = list(split_statements([self.sql]))
        if wrong := [one for one in every if not CREATED.match(strip_leading_comments(one))]:
            raise StoreError(
                f"the feature {self.name}: {wrong[0]!r:.60} does not create a table, index, view or trigger"
            )
        return every

    def created_names(self) -> set[str]:
        """The names of the tables, indexes, views and triggers that its statements make."""
        matches = (CREATED.match(strip_leading_comments(one)) for one in self.statements())
        return {match[2] for match in matches if match}

    def guards(self, conn: Connection) -> list[str]:
        """The triggers that are made of what is said of each table, which is there."""
        return _trigger_statements(conn, parse_tables(self.name, self.tables))


def strip_leading_comments(statement: str) -> str:
    """A statement without the comments before it."""
    return re.sub(r"\A(\s*--.*\n)*\s*", "", statement)


def feature_parts() -> list[FeaturePart]:
    """What the installed features keep in stores."""
    return [FeaturePart.from_tables(*key, tables) for key, tables in first_use_tables().items()]


def stored_feature_parts(conn: Connection) -> list[FeaturePart]:
    """What features keep in a store."""
    return [FeaturePart(*row) for row in conn.execute("SELECT name, part, sql, tables FROM main.feature")]


def add_tables(conn: Connection, feature_tables: Iterable[FeaturePart]) -> None:
    """Give a store tables of features that it does not have yet; a feature whose tables cannot be made is an error."""
    there = {part[:2] for part in stored_feature_parts(conn)}
    for part in feature_tables:
        if part[:2] not in there:
            try:
                for statement in part.statements():
                    conn.execute(statement)
                for statement in part.guards(conn):
                    conn.execute(statement)
            except sqlite3.Error as error:
                raise StoreError(f"cannot create the tables of the feature {part.name}: {error}") from error
            conn.execute("INSERT INTO feature VALUES (?, ?, ?, ?)", part)


def hidden_feature_notes(conn: Connection) -> list[str]:
    """What is said of the features that a store needs and that are not installed, a line each.

    >>> with closing(sqlite3.connect(":memory:")) as conn:
    ...     create_schema(conn)
    ...     hidden_feature_notes(conn)
    []
    """
    used: dict[str, list[str]] = {}
    for part in stored_feature_parts(conn):
        if part.name in features() or part[:2] in CORE_TABLES:
            continue
        matches = [CREATED.match(strip_leading_comments(one)) for one in split_statements([part.sql])]
        names = [one[2] for one in matches if one and one[1] == "TABLE"]
        there = [name for name in names if conn.execute(f"SELECT EXISTS (SELECT 1 FROM {name})").fetchone()[0]]
        used.setdefault(part.name, []).extend(there)
    return [
        f"the feature {name} is not installed: rows of {', '.join(there)} are kept and verified, but not shown"
        for name, there in used.items()
        if there
    ]


def core_guard_triggers(conn: Connection) -> list[str]:
    """Return the triggers that guard and record the core's tables."""
    return _trigger_statements(conn, CORE)


def guard_triggers(conn: Connection, more: Sequence[FeaturePart]) -> list[str]:
    """The triggers: what keeps the logs as they are, and notes what was changed in other tables."""
    every = [*split_statements(map(script, SCRIPTS)), *(one for part in more for one in part.statements())]
    return [
        *filter(is_trigger, every),
        *_trigger_statements(conn, CORE),
        *(one for part in more for one in part.guards(conn)),
    ]


def _trigger_statements(conn: Connection, tables: Iterable[Table]) -> list[str]:
    return list(
        split_statements(
            text for table in tables for text in (_append_only_triggers(conn, table), _change_triggers(table))
        )
    )


def _append_only_triggers(conn: Connection, table: Table) -> str:
    """The triggers of what is append-only: nothing is changed, but to empty what is erased, deleted or replaced."""
    if not (table.log or table.append_only):
        return ""
    about, personal = _pragma_rows(conn, "table_info", table.name), table.personal.split()
    columns, key = [name for _, name, *_ in about], [name for _, name, *_, place in about if place]
    unique = [index for _, index, is_unique, *_ in _pragma_rows(conn, "index_list", table.name) if is_unique]
    keys = [key, *([name for *_, name in _pragma_rows(conn, "index_info", index)] for index in unique)]
    keys = [one for number, one in enumerate(keys) if one not in keys[:number]]
    same = " OR ".join(" AND ".join(f"{name} = new.{name}" for name in key) for key in keys)
    differs = "".join(DIFFERS.format(name) + (NOT_EMPTIED.format(name) if name in personal else "") for name in columns)
    return ALWAYS.format(table.name, same, UNLESS_ERASED.format(table.name) + differs if personal else "")


def _pragma_rows(conn: Connection, what: str, name: str) -> list[tuple[Any, ...]]:
    return conn.execute(f"PRAGMA main.{what}({name})").fetchall()


def is_trigger(statement: str) -> bool:
    """Whether a statement makes a trigger."""
    return "\nCREATE TRIGGER " in f"\n{statement}"


def _change_triggers(kind: Table) -> str:
    if not kind.columns:
        return ""
    columns = ", ".join(dict.fromkeys((*kind.key.split(), *kind.columns.split())))
    events = (("insert", "INSERT", NEW, "new"), ("update", f"UPDATE OF {columns}", OLD, "old", "new"),
              ("delete", "DELETE", NEW, "old"))  # fmt: skip
    return "".join(
        _trigger_statement(kind, *event) for event in events if (kind.name, event[0]) != ("document", "insert")
    )


def _trigger_statement(kind: Table, event: str, what: str, note: str, *rows: str) -> str:
    names = (f"CAST({kind.item.format(row)} AS TEXT)" for row in rows)
    notes = "".join(note.format(table=kind.name, name=name) for name in names)
    return TRIGGER.format(table=kind.name, event=event, what=what, notes=notes)


def create_core(conn: Connection) -> None:
    """Create the tables, views and triggers of a store, without features and without a record of the steps."""
    for statement in split_statements(map(script, SCRIPTS)):
        conn.execute(statement)
    for statement in _trigger_statements(conn, CORE):
        conn.execute(statement)
    conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def the_rounds(db: "Database") -> None:
    """Create everything in a store except the tables of features."""
    create_core(db.conn)


STEPS = (the_rounds,)


def create_schema(conn: Connection, feature_tables: Iterable[FeaturePart] | None = None) -> None:
    """Give an empty database the tables, views and triggers of a store: with those of these features, or of all."""
    with closing(sqlite3.connect(":memory:")) as empty:
        empty.deserialize(_empty_store(*(feature_parts() if feature_tables is None else feature_tables)))
        empty.backup(conn)


@cache
def _empty_store(*own: FeaturePart) -> bytes:
    """A store with nothing in it, made once in a process."""
    from sqlite_utils import Database, Migrations

    with closing(sqlite3.connect(":memory:")) as conn:
        steps = Migrations(NAME)
        for step in STEPS:
            steps()(step)
        steps.apply(Database(conn))
        with conn:
            add_tables(conn, own)
        return conn.serialize()


def completed_steps(conn: Connection) -> set[str]:
    """The steps that a store has been through."""
    rows = conn.execute("SELECT name FROM _sqlite_migrations WHERE migration_set = ?", [NAME])
    return {name for (name,) in rows}


def is_older(steps: set[str]) -> bool:
    """Whether a store that has been through these steps is of an earlier version; one of a later version is refused.

    >>> is_older({"the_rounds"}), is_older({"the_present_names"}), is_older({"the_first_store", "the_linked_calls"})
    (False, True, True)
    >>> is_older({"the_rounds", "the_future"})
    Traceback (most recent call last):
    ...
    cranfield.errors.StoreError: made by a newer cranfield, which has 'the future'; update this program to open it
    >>> is_older({"the_first_store"})
    Traceback (most recent call last):
    ...
    cranfield.errors.StoreError: made by another version of cranfield, which has 'the first store'; update this \
program if it is older
    """
    current = {step.__name__ for step in STEPS}
    newer = steps - current
    if current <= steps and newer:
        raise StoreError(
            f"made by a newer cranfield, which has {min(newer).replace('_', ' ')!r}; update this program to open it"
        )
    if newer and newer.isdisjoint(EARLIER):
        raise StoreError(
            f"made by another version of cranfield, which has {min(newer).replace('_', ' ')!r}; update this program "
            "if it is older"
        )
    if not steps:
        raise StoreError("its schema does not belong to any version of cranfield")
    return bool(newer)


def complete(conn: Connection, had: Callable[[str], bool]) -> None:
    """Add to the rows of an older store what they lack; `had` says whether it had a table."""
    if not had("assessor_salt"):
        for (number,) in conn.execute("SELECT id FROM assessor ORDER BY id").fetchall():
            conn.execute("UPDATE assessor SET uid = ? WHERE id = ?", [uuid4().hex, number])
            conn.execute("INSERT INTO assessor_salt VALUES (?, ?)", [number, token_bytes(32)])
        conn.execute("UPDATE collection SET rule = 1 WHERE EXISTS (SELECT 1 FROM bundle)")
    if not had("change"):
        record_everything(conn)
