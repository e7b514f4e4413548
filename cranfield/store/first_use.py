"""The tables of features, made in a store when one of them is first written.

SQLite parses every table, view and trigger of a file that it opens, and most stores use few features. Until the tables
of a feature are made, queries find them empty. A temporary view without rows stands in for a table that is not there;
nothing can be written to a view, so a statement that writes makes the table first, in its own transaction.
"""

import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import cache
from typing import Any, NamedTuple

from cranfield.errors import StoreError
from cranfield.store.schema import CREATED, FeaturePart, add_tables, feature_parts, strip_leading_comments

MISSING_TABLE = re.compile(r"no such table: (?:temp\.)?(\w+)")
WRITTEN_VIEW = re.compile(r'cannot modify (\w+) because it is a view|UPSERT not implemented for view "(\w+)"')


TRIGGERED_TABLE = re.compile(r"^CREATE TRIGGER (\w+)[^;]*? ON (\w+)", re.MULTILINE)


class DeclaredObject(NamedTuple):
    """A table or view that a feature declares, with the statement that makes a view in its place."""

    part: FeaturePart
    stand_in: str


@cache
def declared_objects(declared: tuple[FeaturePart, ...]) -> Mapping[str, DeclaredObject]:
    """The tables and views of these parts by name. Raise StoreError if a trigger is on a table of no part."""
    objects = dict[str, DeclaredObject]()
    with closing(sqlite3.connect(":memory:")) as conn:
        for part in declared:
            for statement in part.statements():
                text = strip_leading_comments(statement)
                match = CREATED.match(text)
                if match and match[1] == "VIEW":
                    objects[match[2]] = DeclaredObject(part, text.replace("CREATE VIEW", "CREATE TEMP VIEW", 1))
                elif match and match[1] == "TABLE":
                    conn.execute(text)
                    columns = [name for _, name, *_ in conn.execute(f"PRAGMA table_info({match[2]})")]
                    nulls = ", ".join(f"NULL AS {name}" for name in columns)
                    stand_in = f"CREATE TEMP VIEW {match[2]} AS SELECT {nulls} WHERE false"
                    objects[match[2]] = DeclaredObject(part, stand_in)
    for part in declared:
        for trigger, table in TRIGGERED_TABLE.findall(part.sql):
            if table not in objects:
                raise StoreError(
                    f"the feature {part.name}: trigger {trigger} is on {table}; expected a table of a feature"
                )
    return objects


def parts_with_needed(declared: Mapping[str, DeclaredObject], name: str) -> list[FeaturePart]:
    """The part that makes a table, the earlier parts whose tables it names, and parts with triggers on any of these."""
    needed_parts = list(dict.fromkeys(item.part for item in declared.values()))
    needed, before = {declared[name].part}, set[FeaturePart]()
    while needed != before:
        before = set(needed)
        for number, part in enumerate(needed_parts):
            if part in before:
                words = re.findall(r"\w+", re.sub("--.*", "", part.sql))
                needed |= {declared[word].part for word in words if word in declared} & set(needed_parts[:number])
            elif any(declared[table].part in before for _, table in TRIGGERED_TABLE.findall(part.sql)):
                needed.add(part)
    return [part for part in needed_parts if part in needed]


class FirstUseConnection(sqlite3.Connection):
    """A connection to a store in which the tables of features are made when one of them is first written."""

    _stand_ins: frozenset[str] = frozenset()
    _schema_version = 0  # of the file when its stand-ins were right

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Execute a statement."""
        return self._execute_with_tables(super().execute, sql, parameters)

    def executemany(self, sql: str, parameters: Any, /) -> sqlite3.Cursor:
        """Execute a statement for each row of parameters."""
        return self._execute_with_tables(super().executemany, sql, parameters)

    def stand_in_for_all(self) -> None:
        """Let stand-ins hide every table that another program may make later. A release of a store never changes."""
        there = {name for (name,) in self.execute("SELECT name FROM main.sqlite_master")}
        for name, item in declared_objects(tuple(feature_parts())).items():
            if name not in there:
                super().execute(item.stand_in)

    def _execute_with_tables(
        self, act: Callable[[str, Any], sqlite3.Cursor], sql: str, parameters: Sequence[Any]
    ) -> sqlite3.Cursor:
        if self._stand_ins:
            self._drop_outdated()
        while True:
            if self._stand_ins and "RETURNING" in sql.upper():
                self._make_named_tables(sql)
            try:
                return act(sql, parameters)
            except sqlite3.OperationalError as error:
                if not self._provide(str(error)):
                    raise

    def _provide(self, message: str) -> bool:
        """Provide the table whose lack an error reports. Returns False if no feature declares it."""
        if match := MISSING_TABLE.fullmatch(message):
            name = match[1]
            item = declared_objects(tuple(feature_parts())).get(name)
            if item is None or super().execute("SELECT 1 FROM temp.sqlite_master WHERE name = ?", [name]).fetchone():
                return False
            if not self._stand_ins:
                self._schema_version = self._file_version()
            super().execute(item.stand_in)
            self._stand_ins |= {name}
            return True
        if match := WRITTEN_VIEW.fullmatch(message):
            return self._make_missing_table(match[1] or match[2])
        return False

    def _make_missing_table(self, name: str) -> bool:
        if name not in self._stand_ins:
            return False
        if not self.in_transaction:
            super().execute("BEGIN IMMEDIATE")
        self._drop_stand_ins()
        add_tables(self, parts_with_needed(declared_objects(tuple(feature_parts())), name))
        return True

    def _make_named_tables(self, sql: str) -> None:
        """Make the tables that a statement with RETURNING names: SQLite before 3.41 ignores inserts into views."""
        for name in self._stand_ins.intersection(re.findall(r"\w+", sql)):
            if super().execute("SELECT 1 FROM temp.sqlite_master WHERE name = ?", [name]).fetchone():
                self._make_missing_table(name)

    def _drop_outdated(self) -> None:
        """Drop the stand-ins if the file's schema has changed: it may have the tables now.

        The version is kept only outside a transaction, since one that is rolled back brings the stand-ins back.
        """
        version = self._file_version()
        if version != self._schema_version:
            self._drop_stand_ins()
            if not self.in_transaction:
                self._schema_version = version

    def _drop_stand_ins(self) -> None:
        for name in self._stand_ins:
            super().execute(f"DROP VIEW IF EXISTS temp.{name}")

    def _file_version(self) -> int:
        return int(super().execute("PRAGMA main.schema_version").fetchone()[0])
