"""What in the file of a store cannot be right: looked for when a command fails on it in a way that nobody foresaw."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from typing import Any

from cranfield.errors import DamageError
from cranfield.store.decoding import (
    decode_json_column,
    decode_names,
    decode_scores,
    documents_of,
    grades_of,
    parse_pool_parameters,
    short_value,
)
from cranfield.store.schema import create_schema
from cranfield.store.tables import tables_of_store

FAILURES = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError, MemoryError)
ENVIRONMENT_ERRORS = ("BUSY", "LOCKED", "FULL", "READONLY", "CANTOPEN", "IOERR", "INTERRUPT", "NOMEM", "PERM", "AUTH")
SMALL: tuple[tuple[str, str, Callable[[Any, Any], object]], ...] = (  # a table, its JSON, and what reads it
    ("collection", "grades", lambda text, row: grades_of(text)),
    ("run", "metadata", lambda text, row: decode_json_column(dict, text, "run", row, "metadata")),
    ("topic", "metadata", lambda text, row: decode_json_column(dict, text, "topic", row, "metadata")),
    ("pool", "parameters", parse_pool_parameters),
    ("import", "files", lambda text, row: decode_names(text, "import", row, "files")),
    ("removal", "what", lambda text, row: decode_json_column(dict, text, "removal", row, "what")),
)


def may_be_damage(error: BaseException) -> bool:
    """Whether an error may be due to a damaged store; not one that reports a full disk or of another program."""
    if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.ProgrammingError):
        return not getattr(error, "sqlite_errorname", "").startswith(
            tuple(f"SQLITE_{name}" for name in ENVIRONMENT_ERRORS)
        )
    return isinstance(error, FAILURES) and not isinstance(error, UnicodeEncodeError)


def find_damage_behind_error(error: BaseException, conn: sqlite3.Connection) -> str | None:
    """The damage to a store that caused an error; None if the error has another cause."""
    if isinstance(error, DamageError):
        return str(error)
    return find_store_damage(conn) if may_be_damage(error) else None


def find_store_damage(conn: sqlite3.Connection) -> str | None:
    """The first thing in a store that cannot be right, in a line; None where nothing is found."""
    for look in (
        _type_faults,
        _json_faults,
        _ranking_faults,
        _number_faults,
        _integrity_errors,
        _reference_faults,
        _text_faults,
    ):
        try:
            damage = next(look(conn), None)
        except (DamageError, sqlite3.Error, UnicodeDecodeError) as error:
            return str(error)
        if damage:
            return damage
    return None


@cache
def _expected_columns() -> dict[str, list[tuple[str, str, bool, int]]]:
    """The columns of each table, as they should be: name, type, whether it is never NULL, its place in the key."""
    with closing(sqlite3.connect(":memory:")) as conn:
        create_schema(conn)
        strict = [name for (name,) in conn.execute("SELECT name FROM sqlite_master WHERE sql LIKE '%) STRICT%'")]
        columns = {name: conn.execute(f"PRAGMA table_info({name})").fetchall() for name in strict}
    return {table: [(name, kind, bool(never or key), key) for _, name, kind, never, _, key in rows]
            for table, rows in columns.items()}  # fmt: skip


def _key_columns(table: str) -> str:
    return ", ".join(name for name, _, _, key in _expected_columns()[table] if key)


def _first_damage(conn: sqlite3.Connection, table: str, wrong: str) -> Iterator[str]:
    """The first row of which an SQL expression says what is wrong."""
    query = f"SELECT {_key_columns(table)}, {wrong} AS wrong FROM {table} WHERE wrong IS NOT NULL LIMIT 1"
    try:
        for *key, what in conn.execute(query):
            yield str(DamageError(table, key, what))
    except (sqlite3.Error, UnicodeDecodeError) as error:
        yield f"table {table}: {error}"


def _type_faults(conn: sqlite3.Connection) -> Iterator[str]:
    for table, columns in _expected_columns().items():
        cases = []
        for name, kind, never, _ in columns:
            right = f"'{kind.lower()}'" if never else f"'{kind.lower()}', 'null'"
            cases.append(f"WHEN typeof({name}) NOT IN ({right}) THEN '{name} is of type ' || typeof({name})")
        yield from _first_damage(conn, table, f"CASE {' '.join(cases)} END")


def _json_faults(conn: sqlite3.Connection) -> Iterator[str]:
    for table, column, read in SMALL:
        for row, text in conn.execute(f"SELECT id, {column} FROM {table} WHERE {column} IS NOT NULL"):
            read(text, row)
    for table, column, kinds in ((one.name, *item) for one in tables_of_store(conn) for item in one.json.items()):
        good = f"json_valid({column}) AND instr('{kinds}', json_type({column}))"
        if column == "runs":
            good += " AND NOT EXISTS (SELECT 1 FROM json_each(runs) WHERE type <> 'text')"
        wrong = f"CASE WHEN {column} IS NULL OR CASE WHEN json_valid({column}) THEN {good} END THEN NULL"
        yield from _first_damage(conn, table, f"{wrong} ELSE '{column} is not valid JSON of the right kind' END")


def _ranking_faults(conn: sqlite3.Connection) -> Iterator[str]:
    most = conn.execute("SELECT coalesce(max(id), 0) FROM document").fetchone()[0]
    for documents, scores, *row in conn.execute("SELECT documents, scores, run, topic FROM ranking"):
        decode_scores([scores], [row], [len(documents_of([documents], [row], most))])
    yield from ()


def _number_faults(conn: sqlite3.Connection) -> Iterator[str]:
    """There is one collection, and rankings count on the numbers of documents and topics: 1, 2, 3, ..."""
    if not conn.execute("SELECT 1 FROM collection").fetchone():
        yield "table collection, row 1: it is missing"
    for table in ("document", "topic"):
        rows, first, last = conn.execute(f"SELECT count(*), min(id), max(id) FROM {table}").fetchone()
        if rows and (first, last) != (1, rows):
            yield f"table {table}: rows are missing; the {rows} existing rows are numbered from {first} to {last}"


def _integrity_errors(conn: sqlite3.Connection) -> Iterator[str]:
    for (line,) in conn.execute("PRAGMA integrity_check(1)"):
        if line != "ok":
            yield " ".join(line.replace("*** in database main ***", "").split())


def _reference_faults(conn: sqlite3.Connection) -> Iterator[str]:
    for table, row, parent, _ in conn.execute("PRAGMA foreign_key_check"):
        yield f"table {table}, row {row}: it refers to a row of {parent} that does not exist"


def _text_faults(conn: sqlite3.Connection) -> Iterator[str]:
    """Text that is not UTF-8."""
    text_factory, conn.text_factory = conn.text_factory, bytes
    try:
        yield from _undecodable_texts(conn)
    finally:
        conn.text_factory = text_factory


def _undecodable_texts(conn: sqlite3.Connection) -> Iterator[str]:
    for table, columns in _expected_columns().items():
        texts = [name for name, kind, _, _ in columns if kind == "TEXT"]
        for row in conn.execute(
            f"SELECT {', '.join([*texts, _key_columns(table)])} FROM {table}" if texts else "SELECT 1"
        ):
            for name, value in zip(texts, row, strict=False):
                if isinstance(value, bytes) and value.decode("utf-8", "replace").encode() != value:
                    yield str(DamageError(table, row[len(texts) :], f"{name} is not UTF-8: {short_value(value)}"))
