"""What a store does with each of its tables: said once for each, by the core here and by features for theirs.

From it follow the triggers that note changes, what is hashed, verified and sealed, what a release has, what is emptied
when a person is erased, and what has no place in a published folder. A store keeps what was said of the tables of its
features, in its table `feature`: so it verifies where one of them is not installed.
"""

import json
from collections.abc import Mapping
from functools import cache
from sqlite3 import Connection
from typing import Any, NamedTuple

from cranfield.store.decoding import decode_json_column

BLOCK = 1000  # documents that are recorded together


class Table(NamedTuple):
    """A table. Columns are said in one text, with blanks between them.

    A log is append-only, and each of its rows an item of the chain. Of other tables changes can be items: of a row that
    `key` names or, with `order`, of all rows of a key together. What is personal is sealed, and emptied when a person
    is erased; a log that has any has the columns `event_id` and `assessor`.
    """

    name: str
    release: str = ""  # rows: those up to its last; copy; grows: parts of pools; empty; else: as it stands
    part_of: str = ""  # another table: a release has the rows that came with those that it has of that one ...
    part_by: str = ""  # ... to which this column refers; of the same name as the table where not given
    log: bool = False
    append_only: bool = False  # as a log is
    said: str = ""  # of a log, in SQL: what a row says, with names for numbers; made of its columns where not given
    columns: str = ""  # whose changes are recorded
    key: str = "id"
    order: str = ""
    personal: str = ""
    names_topics: bool = False  # whether a topic that nobody added stays while `topic` of a row is its number
    json: Mapping[str, str] = {}  # columns that have JSON: object, array, or both with a blank between them
    unpublished: tuple[str, str] | tuple[()] = ()  # what a row is, and several: those have no place in a folder

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def item(self) -> str:
        """The name of an item whose changes are recorded, in SQL; {0} is where the name of the row goes.

        >>> TABLE["pool_step"].item, TABLE["document"].item
        ("{0}.pool || '/' || {0}.step", '{0}.id / 1000')
        """
        blocks = f" / {BLOCK}" if self.name == "document" else ""
        return " || '/' || ".join("{0}." + column for column in self.key.split()) + blocks

    @property
    def item_condition(self) -> str:
        """Which rows such an item is of, in SQL."""
        if self.name == "document":
            return f"id >= {BLOCK} * ?1 AND id < {BLOCK} * (?1 + 1)"
        return " AND ".join(f"{column} = ?" for column in self.key.split())


class Presentation(NamedTuple):
    """How Datasette shows a table or view."""

    title: str
    label_column: str | None = None
    facets: tuple[str, ...] = ()
    description: str = ""  # where the schema has none


class TopicUse(NamedTuple):
    """Rows that keep a topic from being removed."""

    query: str  # the number of rows, of the number of a topic
    noun: str  # what a row is
    message: str  # the end of the error; {} stands for the counted rows


class Tables(NamedTuple):
    """The tables of a feature: the SQL that makes them, and what is said of each.

    Once stores have them they stay as they are: what a later version adds is another of the feature's `tables`.
    """

    sql: str
    tables: tuple[Table, ...] = ()
    imports: Mapping[str, Mapping[str, str]] = {}  # by the kind of an import: where its rows are, and what one is
    counts: Mapping[str, str] = {}  # for `cranfield info`, by name: a table or view whose rows are counted
    topic_uses: tuple[TopicUse, ...] = ()  # in the order in which they are reported
    names: Mapping[str, str] = {}  # for shells, by what has the name: a query of one column
    shown: Mapping[str, Presentation] = {}  # in Datasette: tables and views
    hidden: tuple[str, ...] = ()


CORE = (
    Table("collection", "copy", columns="name description licence created grades min_relevant guidelines origin rule"),
    Table("origin", "copy", append_only=True, columns="kind made name", personal="name"),
    Table("import", "rows", columns="at kind files first_event last_event"),
    Table("round", "rows", columns="name opened first_event topics documents_sha256"),
    Table("round_end", "rows", columns="closed"),  # a round may be closed after a release
    Table("round_import", part_of="import", part_by="id", columns="round"),
    Table("same_system", "rows", columns="at run earlier"),
    Table("removal", "rows", append_only=True, columns="at kind name what reason"),
    Table("topic", "rows", columns="qid title description narrative metadata removed import"),
    Table("document", "rows", columns="id docno title url metadata sha256 removed import", order="id",
          json={"metadata": "object"}),
    Table("run", "copy", columns="tag team kind description pooled depth file sha256 imported metadata import round"
          " submitted"),
    Table("ranking", part_of="run", key="run", columns="topic documents scores", order="run topic", names_topics=True),
    Table("pool", "copy", columns="method parameters seed version created"),
    Table("pool_document", "grows", key="pool topic", columns="document depth runs stratum probability",
          order="pool topic document", names_topics=True, json={"runs": "array"}),
    Table("frame_document", part_of="pool", key="pool topic", columns="document stratum", order="pool topic document",
          names_topics=True),
    Table("pool_step", "grows", key="pool step", columns="topic room", order="pool step topic"),
    Table("pool_heard", "grows", key="pool step", columns="topic document relevant", order="pool step topic document"),
    Table("withdrawal", "rows", append_only=True, columns="at what item name reason restores"),
    Table("withdrawn_by", "rows", append_only=True, columns="assessor"),
    Table("renamed", "rows", key="round", columns="old new", order="round old"),
    Table("topic_set", "rows", append_only=True, columns="at name version topics origin"),
    Table("assessor", "copy", columns="uid kind repeats name", personal="name"),
    Table("plan", "copy", columns="made pool overlap repeats seed lease pinned"),
    Table("assignment", "copy", columns="plan topic role assessor cannot_judge"),
    Table("holder", "copy", key="assignment assessor", columns="assessor"),
    Table("sampled", part_of="plan", key="plan topic", columns="document purpose",
          order="plan topic document purpose"),
    Table("criterion", "rows", append_only=True, columns="at topic assessor text", personal="text", names_topics=True),
    Table("judgment_event", "rows", append_only=True, personal="reason note seconds highlight_terms evidence",
          json={"evidence": "object array"}),
    Table("event_link", "rows", append_only=True),
    Table("change", "rows", log=True, said="SELECT e.id, e.at, e.kind, e.name, e.said, e.sealed FROM change e"),
    Table("erasure", log=True, said="SELECT e.id, e.at, e.kind, e.name, e.what, e.reason, e.sha256 FROM erasure e"),
    Table("bundle", "copy"),
    *(Table(name, append_only=True) for name in ("redaction", "earlier_document", "earlier_topic", "feature")),
    Table("release", json=dict.fromkeys(("counts", "last", "kept", "hashes"), "object")),
)  # fmt: skip
TABLE = {table.name: table for table in CORE}


def tables_of_store(conn: Connection) -> tuple[Table, ...]:
    """The tables of a store: those of the core, and those of its features."""
    rows = conn.execute("SELECT name, tables FROM main.feature")
    return (*CORE, *(table for name, text in rows for table in parse_tables(name, text)))


@cache
def parse_tables(name: str, text: str) -> tuple[Table, ...]:
    """What a store says of tables of a feature."""
    tables: list[dict[str, Any]] = decode_json_column(list, text, "feature", name, "tables")
    return tuple(Table(**table) for table in tables)


@cache
def tables_as_json(tables: tuple[Table, ...]) -> str:
    """What is said of tables, as a store keeps it.

    >>> tables_as_json((Table("round", columns="name"),))
    '[{"name": "round", "columns": "name"}]'
    """
    return json.dumps(
        [
            {name: value for name, value in table._asdict().items() if value != Table._field_defaults.get(name)}
            for table in tables
        ]
    )


def recorded_tables(conn: Connection) -> dict[str, Table]:
    """The tables whose changes a store records, by name."""
    return {table.name: table for table in tables_of_store(conn) if table.columns}


def linked_log_tables(conn: Connection) -> dict[str, Table]:
    """The logs of a store whose items are linked, by name."""
    return {table.name: table for table in tables_of_store(conn) if table.log}


NAMES = {"topic": "qid", "document": "docno", "assessor": "name", "run": "tag"}  # of rows, by their table
KEPT_NAMES = {table: f"(SELECT {name} FROM {table} o WHERE o.id = e.{{0}})" for table, name in NAMES.items()}


def content_query(conn: Connection, log: Table) -> str:
    """The query for what the rows of a log say, with names for numbers."""
    if log.said:
        return log.said
    itself = "coalesce((SELECT o.event_id FROM {1} o WHERE o.id = e.{0}), e.{0})"
    of = {column: table for _, _, table, column, *_ in conn.execute(f"PRAGMA main.foreign_key_list({log.name})")}
    names = [name for _, name, *_ in conn.execute(f"PRAGMA main.table_info({log.name})")]
    own = KEPT_NAMES | ({log.name: itself} if "event_id" in names else {})
    columns = (f"{own.get(of.get(name, ''), 'e.{0}').format(name, log.name)} AS {name}" for name in names)
    return f"SELECT {', '.join(columns)} FROM {log.name} e"
