"""Comparison of a store's schema with the schema that this program and its installed extensions make.

A store may come from a stranger. SQLite runs the triggers of a file when the program writes, and its views when the
program reads, so a store is opened only when both are the program's own.
"""

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import NamedTuple

from cranfield.errors import DamageError, StoreError
from cranfield.store.named_rows import NAMED_ONLY_INDEX
from cranfield.store.schema import (
    CREATED,
    SCRIPTS,
    FeaturePart,
    core_guard_triggers,
    feature_parts,
    script,
    split_statements,
    stored_feature_parts,
    strip_leading_comments,
)
from cranfield.store.tables import Table, parse_tables

BUILT_IN_SHA256: Mapping[str, str] = {
    "core": "4b11b055f1c4c4228104f62619494bd23a40d6d94551161eb090706b7b612de8",
    "models tables:TABLES": "230c961ecb492f470dcf4e207dfb304dc4aa58bcf91d163e6ad156dd509485e4",
    "models tables:TOPICS": "aa3dbb977894956dd3c3bd33f982cf6499ffed7c02f5636c14c8a66f5afddff2",
    "models tables:CHOICE": "8befd099e1f087cf395a796d050455d0cf1bd1ff3347709fdc9abf1a781230c4",
    "answers store.tables:TABLES": "60b778a47992d631326abedbe62bb2683de1675c8f8203586841ba11f97f03b3",
    "answers store.tables:WHOLE": "3b1f2340ab86f145aae42b068349677764f8764ac8c7d099d8f0e3b00e2d3d26",
    "briefing tables:TABLES": "8be442f7307acba31f27457ce1feb28c80b93795f90ae73d1eb50a84b2b3a1ee",
    "briefing tables:MESSAGES": "4ac3f4b97498f594854c254e7a47707da31045be215c66cfb626d53c6edf693c",
    "collecting tables:TABLES": "8f9db63786f1acd0aef8d99735b86d0398d98623289319c27446cc3607608a4c",
    "documents store.tables:TABLES": "c5140d3225e2d7520f7b1cb616fa64b7ae18e56880dc85b2f6c751af8194c8ed",
    "documents store.tables:PICTURES": "dd998c7d97bbd80ed581f9236d61d7d20a91092656241eae6b463f56bd997d56",
    "online store.tables:TABLES": "d26bafa2c4126688b36e38f3be794b72eee5fa7166abe651c794520a19fd306d",
    "online store.tables:ATTRIBUTES": "549b2eae0cdb2a3f9425e1189d4e49a17e0aa3505a7a267b874ae2c929a2ff16",
    "online store.tables:FILES": "f79c0e91324e5b0b451f6983c8e1b050b587fa433be956d5305af15aebfd3b26",
    "preferences tables:TABLES": "e7ef774016b32e99cb56a7b317643e6ab0c97417af634c1bf30b1d1fcb09614e",
    "publishing store.tables:TABLES": "a957b0806ab0fb73b6a745800206e5bd32820cbef5a9bba3d3918f702f9c80b4",
    "tasks tables:TABLES": "8868fb1238205e21ee37fce5b545c2bbfc8c067bc671723a369f86565ed0e832",
    "tasks tables:REQUESTS": "3a29cab2bce026e06e3a61d02532cba56ad846caaf3719f21e33992b80012604",
}
ALLOWED_PRAGMAS = ("application_id", "table_xinfo", "table_info", "index_list", "index_info")
SHADOW_TABLES = frozenset(f"document_fts_{part}" for part in ("data", "idx", "content", "docsize", "config"))
LIBRARY_TABLES = frozenset({"_sqlite_migrations", *SHADOW_TABLES})  # their SQL depends on the version of a library
REMOVED_INDEX = "CREATE INDEX document_removed ON document (removed) WHERE removed = 1"  # earlier stores lack it
OBJECTS = f"""
SELECT name, tbl_name, type || x'00' || name || x'00' || tbl_name || x'00' || CASE WHEN sql IS NULL THEN '' ELSE sql END
FROM main.sqlite_master
WHERE NOT (type = 'table' AND name IN {(*sorted(LIBRARY_TABLES),)} AND sql BETWEEN 'CREATE TABLE ' AND 'CREATE TABLE!')
    AND (sql IS NULL OR sql NOT IN ('{NAMED_ONLY_INDEX}', '{REMOVED_INDEX}'))
"""  # in few columns, which takes half the time; without functions, which are denied here
DECLARATIONS = "SELECT name || ' ' || part, name || x'00' || part || x'00' || sql || x'00' || tables FROM main.feature"
CORE_PART = b"core"
DECLARED_NAME = re.compile(rb"[\0\n]CREATE (?:TABLE|VIEW|TRIGGER|INDEX|UNIQUE INDEX) (\w+)")
PLAIN_TABLE = "CREATE TABLE "
PLAIN_INDEX = re.compile(r'CREATE INDEX [\w\s"`\[\].-]+? ON [\w\s"`\[\]-]+ ?\([\w\s,"`\[\]-]+\)')
ABORT_ONLY = re.compile(r"CREATE TRIGGER \w+ [^;]+ BEGIN SELECT RAISE \(ABORT, '[^';]*'\); END")
IDENTIFIERS = re.compile(r"[\w ]*")
MAX_NAMES_IN_MESSAGE = 5


class SchemaObject(NamedTuple):
    """A row of sqlite_master."""

    kind: str
    name: str
    table: str
    sql: str

    @property
    def label(self) -> str:
        """Kind and name for messages.

        >>> SchemaObject("table", "t", "t", "CREATE VIRTUAL TABLE t USING fts5 (a)").label
        'virtual table t'
        """
        virtual = "virtual " * self.sql.upper().startswith("CREATE VIRTUAL")
        return f"{virtual}{self.kind} {self.name!s:.80}"


def only_table_reads(action: int, first: str | None, _: str | None, __: str | None, inner: str | None) -> int:
    """Allow SQLite to read plain tables. Deny views, triggers, functions and every write."""
    reads = inner is None and action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ)
    pragma = action == sqlite3.SQLITE_PRAGMA and first in ALLOWED_PRAGMAS
    return sqlite3.SQLITE_OK if reads or pragma else sqlite3.SQLITE_DENY


@contextmanager
def reading_tables_only(conn: sqlite3.Connection) -> Iterator[None]:
    """Deny everything except reads of plain tables while the schema is not yet known to be the program's.

    The program's own triggers call JSON functions, which some versions of SQLite refuse to an untrusted schema. The
    schema is therefore trusted again at the end, once it was compared.
    """
    conn.execute("PRAGMA trusted_schema = OFF")
    conn.set_authorizer(only_table_reads)
    try:
        yield
    finally:
        conn.set_authorizer(None)
    conn.execute("PRAGMA trusted_schema = ON")


def schema_objects(conn: sqlite3.Connection) -> list[SchemaObject]:
    """Return the rows of sqlite_master, sorted by kind and name."""
    rows = conn.execute("SELECT type, name, tbl_name, sql FROM main.sqlite_master").fetchall()
    return sorted(SchemaObject(kind, name, table, sql or "") for kind, name, table, sql in rows)


def schema_fingerprints(conn: sqlite3.Connection) -> dict[str, str]:
    """Return the SHA-256 of the core's schema, and of each part of a feature with its declaration.

    A row of the schema belongs to the part whose declaration makes it or its table, or to the core. Left out are the
    tables that libraries make, and the indexes that not every store has. The number of rows comes first: with it, no
    row can hold the text of the next one after a zero byte, where SQLite stops reading.
    """
    text_factory, conn.text_factory = conn.text_factory, bytes  # decoding takes as long as all else here
    try:
        declarations = conn.execute(DECLARATIONS).fetchall()
        objects = conn.execute(OBJECTS).fetchall()
    finally:
        conn.text_factory = text_factory
    groups: dict[bytes, list[bytes]] = {CORE_PART: []}
    part_of = dict[bytes, bytes]()
    for part, declaration in declarations:
        groups[part] = [declaration]
        part_of.update(dict.fromkeys(DECLARED_NAME.findall(declaration), part))
    for name, table, item in objects:
        groups[part_of.get(name) or part_of.get(table, CORE_PART)].append(item or b"")
    return {
        part.decode("utf-8", "replace"): sha256(b"\0".join([str(len(items)).encode(), *sorted(items)])).hexdigest()
        for part, items in groups.items()
    }


def has_built_in_schema(conn: sqlite3.Connection) -> bool:
    """Whether a store has the schema of this program, of some of its own features, and nothing else."""
    return all(BUILT_IN_SHA256.get(part) == found for part, found in schema_fingerprints(conn).items())


def foreign_objects(conn: sqlite3.Connection) -> list[str]:
    """Return what a store has that neither the program nor an installed extension makes, or what it lacks.

    Triggers that only refuse a change may be absent: `store verify` reports them.

    Examples
    --------
    >>> from cranfield.store.store import Store
    >>> with Store.memory("tiny") as store:
    ...     foreign_objects(store.conn)
    ...     made = store.conn.execute("CREATE TABLE mine (a)")
    ...     made = store.conn.execute("CREATE TRIGGER swap AFTER INSERT ON mine BEGIN DELETE FROM topic; END")
    ...     foreign_objects(store.conn)
    []
    ["trigger swap is not part of this program's schema"]
    """
    if has_built_in_schema(conn):
        return []
    objects, stored = schema_objects(conn), stored_feature_parts(conn)
    installed = {part[:2]: part for part in feature_parts()}
    known = [part for part in stored if part[:2] in installed]
    for part in known:
        if installed[part[:2]] != part:
            return [f"declaration of the feature {part.name} differs from this program's declaration"]
    unknown = [part for part in stored if part[:2] not in installed]
    if invalid := [part.name for part in unknown if not _is_valid_declaration(part)]:
        return [f"declaration of the feature {invalid[0]!r:.80} is not valid"]
    core = [*split_statements(map(script, SCRIPTS)), NAMED_ONLY_INDEX, *core_guard_triggers(conn)]
    right = _statement_by_name([*core, *(text for part in known for text in (*part.statements(), *part.guards(conn)))])
    tolerated = _tolerated_statements(conn, unknown, right)
    program_tables = {name for name in right if right[name].startswith(("CREATE TABLE", "CREATE VIRTUAL"))}
    faults = [fault for item in objects if (fault := _object_fault(item, right, tolerated, program_tables))]
    names = {item.name for item in objects}
    missing = [(name, sql) for name, sql in right.items() if name not in names and not ABORT_ONLY.fullmatch(sql)]
    kinds = (("view", "CREATE VIEW "), ("trigger", "CREATE TRIGGER "))
    absent = [f"{kind} {name} is missing" for kind, start in kinds for name, sql in missing if sql.startswith(start)]
    return [*faults, *absent]


def _object_fault(
    item: SchemaObject, right: Mapping[str, str], tolerated: Mapping[str, str], program_tables: set[str]
) -> str:
    sql = _normalized(item.sql)
    if item.name in LIBRARY_TABLES or item.name.startswith(("sqlite_stat", "sqlite_sequence")):
        is_plain = item.kind == "table" and sql.startswith(PLAIN_TABLE)
        return "" if is_plain else f"{item.label} is not a plain table"
    if item.name in right:
        same = right[item.name] == sql and (item.kind in ("index", "trigger") or item.table == item.name)
        same &= sql.split(" ", 2)[1].casefold() in (item.kind, "virtual", "unique")
        return "" if same else f"{item.label} differs from this program's schema"
    if tolerated.get(item.name) == sql and item.kind == sql.split(" ", 2)[1].casefold():
        return ""
    if item.kind == "table" and sql.startswith(PLAIN_TABLE):
        return ""
    if item.kind == "index" and (not sql or item.table not in program_tables or PLAIN_INDEX.fullmatch(sql)):
        return (
            "" if not sql or sql.startswith(("CREATE INDEX ", "CREATE UNIQUE INDEX ")) else f"{item.label} is invalid"
        )
    return f"{item.label} is not part of this program's schema"


def _normalized(sql: str) -> str:
    return " ".join(strip_leading_comments(sql).split()).removesuffix(";").rstrip()


def _statement_by_name(texts: Sequence[str]) -> dict[str, str]:
    matches = ((CREATED.match(strip_leading_comments(text)), text) for text in texts)
    return {match[2]: _normalized(text) for match, text in matches if match}


def _tolerated_statements(
    conn: sqlite3.Connection, unknown: Sequence[FeaturePart], right: Mapping[str, str]
) -> dict[str, str]:
    """Statements of extensions that are not installed and that cannot change data: views, and triggers that refuse."""
    made = dict[str, str]()
    for part in unknown:
        own = {name for name, sql in _statement_by_name(part.statements()).items() if sql.startswith(PLAIN_TABLE)}
        for name, sql in _statement_by_name(part.statements()).items():
            has_own_table = any(re.search(rf" ON {table}\b", sql) for table in own)
            refuses = bool(ABORT_ONLY.fullmatch(sql)) and len(re.findall(r"\bBEGIN\b", sql, re.IGNORECASE)) == 1
            if sql.startswith("CREATE VIEW ") or (refuses and has_own_table):
                made[name] = sql
        made |= _statement_by_name(part.guards(conn))
    return {name: sql for name, sql in made.items() if name not in right}


def _is_valid_declaration(part: FeaturePart) -> bool:
    try:
        tables = parse_tables(part.name, part.tables)
        made = {name for name, sql in _statement_by_name(part.statements()).items() if sql.startswith(PLAIN_TABLE)}
    except (StoreError, DamageError, TypeError):
        return False
    return all(table.name in made and _has_only_names(table) for table in tables)


def _has_only_names(table: Table) -> bool:
    texts = (table.name, table.release, table.part_of, table.part_by, table.columns, table.key, table.order,
             table.personal, *table.json)  # fmt: skip
    names = all(isinstance(text, str) and IDENTIFIERS.fullmatch(text) for text in texts)
    return names and (not table.said or table.said.lstrip().upper().startswith("SELECT"))


def refusal_message(path: object, faults: Sequence[str]) -> str:
    """Return the error message for a store whose schema is not the program's.

    >>> refusal_message("a.db", ["trigger swap is not part of this program's schema"])
    "a.db: the trigger swap is not part of this program's schema; copy the data into a new store with `cranfield store
    adopt a.db NEW.db`"
    """
    shown = "; the ".join(faults[:MAX_NAMES_IN_MESSAGE])
    more = f"; and {len(faults) - MAX_NAMES_IN_MESSAGE} more" if len(faults) > MAX_NAMES_IN_MESSAGE else ""
    remedy = f"copy the data into a new store with `cranfield store adopt {path} NEW.db`"
    return f"{path}: the {shown}{more}; {remedy}"
