"""Rows that have a name: documents and topics, known by docno and qid, and by the number of the row.

Of those that come once more, what is the same is left alone, what would change is refused.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, TypeVar

import numpy as np

from cranfield.arrays.rankings import Ints, NameArray
from cranfield.errors import DamageError, InputError
from cranfield.formats import Document, Topic
from cranfield.formats.arrow import json_list
from cranfield.parallel import map_in_threads
from cranfield.store.connection import Connection
from cranfield.store.decoding import decode_json_column
from cranfield.store.name_spans import note_span
from cranfield.text import counted

NAMES = {"document": "docno", "topic": "qid"}  # the column with the name
TEXT = {"document": "text", "topic": "title"}  # the column that what was added has, and what is only named has not

STATEMENT_NAMES = 20_000  # names in one statement
# Where there is a corpus, it selects the few documents that are only named; elsewhere it would hold all of them.
NAMED_ONLY_INDEX = "CREATE INDEX document_without_text ON document (removed) WHERE text IS NULL"


def _do_nothing() -> None:
    pass


class BriefWriting:
    """How imports are written in short transactions, so that others can write in between.

    `begin` makes the row of the import that is under way, once all is checked; `finish` ends it where one transaction
    stores all of it. `undo` undoes an import that failed. `check` raises an error, in each transaction, if another
    program has undone the import.
    """

    def __init__(self, undo: Callable[[Any, int], object]) -> None:
        self.undo = undo
        self.reset()

    def reset(self) -> None:
        """Do nothing at the beginning and the end of a transaction: no import is under way."""
        self.begin = self.check = self.finish = _do_nothing


class NamedRows(Connection):
    """An open store as tables of named rows. They are never deleted, only marked as removed."""

    importing: int | None = None  # the number of the import that is under way
    brief: "BriefWriting | None" = None  # set: imports are written in several short transactions
    as_of = ""  # the name of the release that is open; empty: the store as it stands

    def _share(self, other: "NamedRows") -> None:  # type: ignore[override]
        super()._share(other)
        self.brief = other.brief

    def complete_import_condition(self, table: str = "document") -> str:
        """SQL condition on rows of `table`: no row of a document import that is still under way or was interrupted.

        >>> from cranfield.formats import Document
        >>> from cranfield.store.store import Store
        >>> with Store.memory("an import under way") as store:
        ...     store.add_documents([Document("d1", text="wing")])
        ...     store.rows(f"SELECT count(*) FROM document WHERE {store.complete_import_condition()}")
        1
        [(1,)]
        """
        own = "" if self.importing is None else f" AND id <> {self.importing}"
        return f"coalesce({table}.import, 0) NOT IN (SELECT id FROM import WHERE last_event IS NULL{own})"

    def has_text(self, table: str = "document") -> str:
        """SQL condition on rows of `table`: the document has a text that readers may see."""
        return f"{table}.text IS NOT NULL AND {self.complete_import_condition(table)}"

    def make_table(self, table: str) -> None:
        """Make a table of a feature, unless it is there, for what reads its schema; call it in a transaction."""
        self.conn.execute(f"DELETE FROM {table} WHERE false")

    def count(self, table: str) -> int:
        """How many rows a table has; of documents and topics, without those that were removed."""
        bare = f"(SELECT count(*) FROM {table} WHERE {TEXT[table]} IS NULL AND removed = 1)" if table in TEXT else "0"
        every = f"(SELECT count(*) FROM {table})"
        if table == "document":  # the condition needs the table itself; the number of all rows needs an index only
            complete = f"(SELECT count(*) FROM document WHERE {self.complete_import_condition()})"
            every = f"iif(EXISTS (SELECT 1 FROM import WHERE last_event IS NULL), {complete}, {every})"
        return int(self.rows(f"SELECT {every} - {bare}")[0][0])

    def names(self, table: str, column: str) -> list[str]:
        """All names, by row number."""
        names = [name for (name,) in self.rows(f"SELECT {column} FROM {table} ORDER BY id")]
        first, last = self.rows(f"SELECT min(id), max(id) FROM {table}")[0]
        if names and (first, last) != (1, len(names)):
            raise DamageError(table, last, f"rows are missing: the {len(names)} rows start at number {first}")
        return names

    def last_row_number(self, table: str) -> int:
        """The number of the last row, 0 where there is none."""
        return int(self.rows(f"SELECT coalesce(max(id), 0) FROM {table}")[0][0])

    def numbers(self, table: str, column: str, names: Sequence[str]) -> list[int]:
        """The row number of each name, -1 where there is none."""
        return list(map(int, self.row_numbers(table, column, np.array(names, object))))

    def row_numbers(self, table: str, column: str, names: NameArray) -> Ints:
        """The same as an array; millions are found fastest in byte order."""
        result = np.full(len(names), -1)
        if not self.last_row_number(table):
            return result
        for number, piece in enumerate(_sql_name_batches(names)):
            [columns] = self.rows(
                "SELECT group_concat(wanted.key), group_concat(named.id)"
                f" FROM json_each(?) AS wanted JOIN {table} AS named ON named.{column} = wanted.value",
                [piece],
            )
            keys, matches = (np.fromstring(column or "", np.int64, sep=",") for column in columns)
            result[number * STATEMENT_NAMES + keys] = matches
        return result

    def names_by_number(self, table: str, column: str, numbers: Iterable[int]) -> dict[int, str]:
        """The names of some rows, by number."""
        query = f"SELECT id, {column} FROM {table} WHERE id IN (SELECT value FROM json_each(?))"
        return dict(self.rows(query, [json.dumps(sorted(numbers))]))

    def has(self, table: str) -> bool:
        """Whether a corpus ("document") or topics ("topic") were added."""
        return bool(self.rows(f"SELECT 1 FROM {table} WHERE {self.was_added(table)} LIMIT 1"))

    def count_added(self, table: str) -> int:
        """How many rows of documents or topics were added, and are not only named by runs or judgments."""
        return int(self.rows(f"SELECT count(*) FROM {table} WHERE {self.was_added(table)}")[0][0])

    def was_added(self, table: str) -> str:
        """SQL condition on rows of documents or topics: the row was added, and not only named by runs or judgments."""
        return self.has_text() if table == "document" else f"{TEXT[table]} IS NOT NULL"

    def require_qids(self, qids: Sequence[str]) -> None:
        """Refuse a qid that is no topic of the store; where no topics were added yet, take them as they come."""
        if not self.has("topic"):
            self.ensure_rows("topic", np.array(qids, object))
            return
        here = "SELECT qid FROM json_each(?) JOIN topic ON qid = value WHERE removed = 0"
        there = {qid for (qid,) in self.rows(here, [json.dumps(list(qids))])}
        unknown = [qid for qid in qids if qid not in there]
        if unknown:
            raise InputError(f"topic {unknown[0]!r} is not in the store ({len(unknown)} of {len(qids)} are not)")

    def ensure_docnos(self, docnos: Sequence[str]) -> None:
        """Make a row without text for each docno that is not here yet."""
        self.ensure_rows("document", np.array(docnos, object))

    def ensure_rows(self, table: str, names: NameArray) -> Ints:
        """The row number of each name: one that has no row gets a bare one, one that was removed is restored.

        Millions of names are found and added fastest in byte order.
        """
        numbers, last = self.row_numbers(table, NAMES[table], names), self.last_row_number(table)
        new = np.flatnonzero(numbers < 0)
        has_removed = self.rows(f"SELECT 1 FROM {table} WHERE {TEXT[table]} IS NULL AND removed = 1 LIMIT 1")
        statement = f"INSERT INTO {table} ({NAMES[table]}) SELECT value FROM json_each(?) WHERE true ON CONFLICT DO"
        statement += " UPDATE SET removed = 0 WHERE removed = 1" if has_removed else " NOTHING"
        with self._without_text_index() if len(new) > STATEMENT_NAMES else nullcontext():
            new_names = names if len(new) == len(names) else names.take(new)
            for piece in _sql_name_batches(names if has_removed else new_names):
                self.conn.execute(statement, [piece])
            if table == "document" and len(new) > STATEMENT_NAMES and self.last_row_number(table) == last + len(new):
                note_span(self.conn, last + 1, new_names)
        if self.last_row_number(table) != last + len(new):  # a name came twice
            return self.row_numbers(table, NAMES[table], names)
        numbers[new] = np.arange(last + 1, last + len(new) + 1)
        return numbers

    def index_named_only(self) -> None:
        """Make the index of documents that are only named, as a store with a corpus has it."""
        if not self.rows("SELECT 1 FROM sqlite_master WHERE name = 'document_without_text'"):
            self.conn.execute(NAMED_ONLY_INDEX)

    @contextmanager
    def _without_text_index(self) -> Iterator[None]:
        """A transaction that adds no text: without the trigger that indexes texts, bare rows are added much faster."""
        with self.writing():
            trigger = self.rows("SELECT sql FROM sqlite_master WHERE name = 'document_indexed'")
            self.conn.execute("DROP TRIGGER IF EXISTS document_indexed")
            yield
            for (sql,) in trigger:
                self.conn.execute(sql)


def _sql_name_batches(names: NameArray) -> Iterator[str]:
    """The names as SQL takes them, many at a time."""
    pieces = [names[start : start + STATEMENT_NAMES] for start in range(0, len(names), STATEMENT_NAMES)]
    return map_in_threads(_as_json, pieces) if len(pieces) > 1 else map(_as_json, pieces)


def _as_json(names: NameArray) -> str:
    """A list of names, of which none has a NUL: SQL would cut it short there."""
    if not isinstance(names, np.ndarray) and (quick := json_list(names)):
        return quick
    text = json.dumps(names.tolist())
    if "\\u0000" in text and (cut := [name for name in names.tolist() if "\0" in name]):
        raise InputError(f"{cut[0]!r} contains a NUL character; expected a name without it")
    return text


Record = TypeVar("Record", Document, Topic)

WHERE = {"document": "in the corpus", "topic": "in the store"}


def select_new_records(
    store: NamedRows, table: str, records: Sequence[Record], importing: int | None, before: int = 0
) -> list[Record]:
    """The records that the store does not have; a name that comes twice in this import is refused.

    `before` is how many records came before these.
    """
    for at, record in enumerate(records, before + 1):
        for name, text in zip(record._fields[:-1], record[:-1], strict=True):
            if not isinstance(text, str):
                raise InputError(f"{table} {at}: {name} is {text!r:.40}; expected a text")
    # The records of these names that were added before, each with the number of its import.
    kind: Any = Document if table == "document" else Topic
    columns = ", ".join(f"coalesce({name}, '')" for name in kind._fields[1:-1])
    rows = store.rows(
        f"SELECT import, {NAMES[table]}, {columns}, metadata FROM {table} JOIN json_each(?) ON {NAMES[table]} = value"
        f" WHERE {TEXT[table]} IS NOT NULL AND {store.complete_import_condition(table)}",
        [json.dumps([record[0] for record in records])],
    )
    there = {
        name: (number, kind(name, *texts, decode_json_column(dict, metadata, table, name, "metadata")))
        for number, name, *texts, metadata in rows
    }
    new: dict[str, Record] = {}
    for at, record in enumerate(records, before + 1):
        number, earlier = there.get(record[0], (None, None))
        if record[0] in new or (earlier and number == importing):
            raise InputError(f"{table} {at}: {NAMES[table]} {record[0]!r} is already {WHERE[table]}")
        if earlier is None:
            new[record[0]] = record
        elif earlier != _comparable(record):
            raise _change_error(store, f"{table} {at}: ", table, earlier, record)
    return list(new.values())


def check_hashes(store: NamedRows, hashes: Mapping[str, str]) -> None:
    """Refuse texts that are not those of which only the hash was known, as of a collection published without texts."""
    digests = store.rows(
        "SELECT docno, sha256 FROM document JOIN json_each(?) ON docno = value"
        " WHERE text IS NULL AND sha256 IS NOT NULL",
        [json.dumps(list(hashes))],
    )
    for docno, digest in digests:
        if hashes[docno] != digest:
            raise InputError(f"the text of {docno!r} differs from the judged text; expected SHA-256 {digest}")


def notes_on_unchanged_records(table: str, read: int, new: int) -> list[str]:
    """What is reported of records that were there already, if any were.

    >>> notes_on_unchanged_records("document", 3, 1), notes_on_unchanged_records("topic", 2, 2)
    (['2 documents were already in the store and left unchanged'], [])
    """
    if read <= new:
        return []
    is_topic = table == "topic"
    are = (
        counted(read - new, "topic was", "topics were")
        if is_topic
        else counted(read - new, "document was", "documents were")
    )
    return [f"{are} already in the store and left unchanged"]


def _comparable(record: Record) -> Record:
    """The record as a store gives it back."""
    metadata = decode_json_column(dict, json.dumps(dict(record.metadata), default=str), "", record[0], "metadata")
    return record._replace(metadata=metadata)


def _change_error(store: NamedRows, place: str, table: str, earlier: Record, record: Record) -> InputError:
    pairs = zip(earlier._fields, earlier, _comparable(record), strict=True)
    what = next(field for field, before, now in pairs if before != now)
    judged = store.rows(
        f"SELECT 1 FROM judgment_event e JOIN {table} t ON t.id = e.{table} WHERE {NAMES[table]} = ? LIMIT 1",
        [record[0]],
    )
    remedy = f"import it under another {NAMES[table]}"
    why = "has judgments" if judged else "belongs to an earlier import"
    or_else = "" if judged else ", or remove that import with `cranfield store remove` first"
    other = "other metadata" if what == "metadata" else f"another {what}"
    there = f"{place}{NAMES[table]} {record[0]!r} is {WHERE[table]} with {other}, and {why}"
    return InputError(f"{there}; {remedy}{or_else}")
