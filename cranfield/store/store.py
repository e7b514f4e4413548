"""The store: one SQLite file that holds a collection.

This module has the corpus and the topics; connection.py has the file and its transactions, runs.py its runs, log.py its
judgments, qrels.py those of them that count, assignments.py who judges what, pools.py its pools, votes.py and bundles/
bring judgments in, names.py knows what is only named, history.py imports, removal.py removes, decoding.py reads what is
packed or JSON, damage.py tells what came to harm, schema/ has its tables. All SQL is in these. Each `add_...` is one
transaction: it happens as a whole or, whatever interrupts it, not at all.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from math import inf
from numbers import Real
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np

from cranfield import hooks
from cranfield.arrays.rankings import GRADE_LIMIT, Ints, Mask, Vocabulary
from cranfield.errors import DamageError, StoreError, refusing_long_paths
from cranfield.formats import Document, Topic
from cranfield.formats.whole_files import explain_unusable_file
from cranfield.parallel import Tell, ignore_note
from cranfield.selection import EVERYTHING, KeptCounts, LeftOut, Selection, split_release_path
from cranfield.store import chain
from cranfield.store.connection import atomic_path
from cranfield.store.decoding import decode_json_column, grades_of
from cranfield.store.first_use import FirstUseConnection
from cranfield.store.named_rows import NamedRows, check_hashes, select_new_records
from cranfield.store.schema import APPLICATION_ID, completed_steps, create_schema, is_older
from cranfield.store.schema_check import foreign_objects, has_built_in_schema, reading_tables_only, refusal_message
from cranfield.text import counted

T = TypeVar("T")
BATCH = 1000  # documents held in memory while a corpus is read


class Collection(NamedTuple):
    """What a store's collection is; `grades` maps each grade to its meaning."""

    name: str
    description: str
    licence: str
    created: str
    grades: dict[int, str]
    min_relevant: int


def new_collection(
    name: str, description: str, licence: str, grades: Mapping[int, str] | None, min_relevant: int
) -> Collection:
    """A collection that is new now, with a scale of two grades if none is given; a scale that is none is refused."""
    return Collection(
        name, description, licence, created=now(), grades=_scale(grades, min_relevant), min_relevant=min_relevant
    )


def _scale(grades: Mapping[int, str] | None, min_relevant: int) -> dict[int, str]:
    scale = dict(sorted((grades or {0: "not relevant", 1: "relevant"}).items()))
    if len(scale) < 2 or not min(scale) < min_relevant <= max(scale):
        words = ",".join(f"{grade}={meaning}" for grade, meaning in scale.items())
        right = f"{min_relevant - 1}=no,{min_relevant}=yes"
        found = (
            f"the scale is {words}; expected grades below {min_relevant} and from {min_relevant} on, such as {right}"
        )
        second = next(islice(scale, 1, None), None)
        if second is None or min(scale) < min_relevant:
            raise StoreError(found)
        raise StoreError(f"{found}; if grades from {second} are relevant, use --min-relevant {second}")
    for grade, meaning in scale.items():
        if not -GRADE_LIMIT < grade < GRADE_LIMIT:
            raise StoreError(f"grade {grade} of the scale has more than 18 digits")
        if meaning.encode("utf-8", "ignore").decode() != meaning:
            raise StoreError(f"the meaning of grade {grade} is not UTF-8: {meaning!r:.60}")
    return scale


class Store(NamedRows):
    """Open store.

    Use it as a context manager, or close it after use. Use `open` or `create` to obtain a store.

    Parameters
    ----------
    path : path
        The file.
    tell : callable, optional
        Function to call with messages for the user, such as a note that the store waits for another program.

    Examples
    --------
    >>> store = Store.memory("a tiny collection")
    >>> store.add_documents([Document("d1", "A title", "some text"), Document("d2", text="more text")])
    2
    >>> store.document("d2").text
    'more text'
    >>> store.close()
    """

    connection_class = FirstUseConnection
    _last = (0, 0)  # the last documents and topics when `catch_up` was called

    def __init__(self, path: str | PathLike[str], tell: Tell = ignore_note) -> None:
        super().__init__(path, tell)
        self._vocabularies: dict[str, Vocabulary] = {}

    @property
    def selection(self) -> Selection:
        """Part of the store that readers see; without a selection, the whole store."""
        return EVERYTHING

    @property
    def left_out(self) -> LeftOut:
        """Record of the data that readers leave out; unused without a selection."""
        return LeftOut()

    @property
    def counting(self) -> KeptCounts:
        """Data that count by a selection; computed each time in a store without a selection."""
        return KeptCounts()

    def select(
        self, selection: Selection, left_out: LeftOut | None = None, counting: KeptCounts | None = None
    ) -> "Store":
        """Return another handle of this store in which only a selection counts.

        Parameters
        ----------
        selection : Selection
            The round and the topics that count.
        left_out : LeftOut, optional
            Record to fill with the runs, topics and documents that readers of the returned store leave out.
        counting : KeptCounts, optional
            Data that count by this selection, if other handles share them.

        Returns
        -------
        Store
            Another handle of the same connection. It closes when this store closes.
        """
        return SelectedStore(
            self, selection, LeftOut() if left_out is None else left_out, KeptCounts() if counting is None else counting
        )

    @classmethod
    @refusing_long_paths()
    def create(
        cls,
        path: str | PathLike[str],
        name: str,
        *,
        description: str = "",
        licence: str = "",
        grades: Mapping[int, str] | None = None,
        min_relevant: int = 1,
        private: bool = False,
    ) -> Self:
        """Create a store in a new file.

        Parameters
        ----------
        path : path
            The file, which must not exist.
        name, description, licence : str
            Description of the collection.
        grades : mapping of int to str, optional
            The meaning of each grade; by default 0 is not relevant and 1 relevant.
        min_relevant : int
            The lowest grade that is relevant.
        private : bool
            Whether only the owner may read the file.

        Returns
        -------
        Store
            The open store.
        """
        with atomic_path(path, private) as part:
            cls.begin(part, new_collection(name, description, licence, grades, min_relevant)).close()
        return cls.open(path)

    @classmethod
    def memory(cls, name: str, grades: Mapping[int, str] | None = None, min_relevant: int = 1) -> Self:
        """Create a store in memory, which is lost when it is closed.

        Parameters
        ----------
        name : str
            The name of the collection.
        grades : mapping of int to str, optional
            The meaning of each grade; by default 0 is not relevant and 1 relevant.
        min_relevant : int
            The lowest grade that is relevant.

        Returns
        -------
        Store
            The open store.
        """
        return cls.begin(":memory:", new_collection(name, "", "", grades, min_relevant))

    @classmethod
    def begin(cls, path: str | PathLike[str], about: Collection) -> Self:
        """Create a store in place. Unlike `create`, it is not safe against interruptions.

        Parameters
        ----------
        path : path
            The file, or ":memory:".
        about : Collection
            Description of the collection.

        Returns
        -------
        Store
            The open store.
        """
        store = cls(path)
        with store.close_on_error():
            create_schema(store.conn, ())
            store.db.enable_wal()
            store.set_pragmas()
            with store.writing():
                row = {"id": 1, **about._asdict(), "grades": json.dumps(about.grades)}
                store.db.table("collection").insert(row)
                chain.begin(store.conn)
        return store

    @classmethod
    @refusing_long_paths()
    def open(
        cls, path: str | PathLike[str], release: str = "", *, tell: Tell = ignore_note, patience: float | None = None
    ) -> Self:
        """Open the store in an existing file, or a release of it.

        Parameters
        ----------
        path : path
            The file; PATH@1.0 is the release 1.0.
        release : str
            The name of the release, or empty for the current state.
        tell : callable, optional
            Function to call with messages for the user, such as a note that the store waits for another program.
        patience : float, optional
            Seconds that the open store waits for other programs.

        Returns
        -------
        Store
            The open store.

        Raises
        ------
        StoreError
            If there is no such file or release, if it is not a store, or if an earlier version made it.
        """
        if patience is not None and not (isinstance(patience, Real) and 0 <= patience < inf):
            raise StoreError(f"patience is {patience!r:.40}; expected a number of seconds from 0")
        path, release = (path, release) if release else split_release_path(path)
        if not Path(path).is_file():
            raise StoreError(
                f"{path}: {explain_unusable_file(path, 'no such store; create one with `cranfield init`')}"
            )
        log = Path(f"{path}-wal").is_file()  # of what was written last
        store = cls(path, tell)
        with store.close_on_error():
            try:
                try:
                    store.set_pragmas()
                except sqlite3.OperationalError as error:
                    if not store.reopen_read_only(error):
                        raise
                    store.set_pragmas()
                if store.rows("PRAGMA application_id")[0][0] != APPLICATION_ID:
                    raise StoreError(f"{path}: an SQLite file, but not a cranfield store")
                with reading_tables_only(store.conn):
                    store._check_version()
                    if not has_built_in_schema(store.conn) and (faults := foreign_objects(store.conn)):
                        raise StoreError(refusal_message(store.path, faults))
                if release:
                    from cranfield.store.releases import switch_to_release

                    switch_to_release(store, release)
            except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
                raise StoreError(f"{path}: {_open_error(error, path, log)}") from error
        if patience is not None:
            store.patience = patience
        return store

    def _check_version(self) -> None:
        try:
            older = is_older(completed_steps(self.conn))
        except StoreError as error:
            raise StoreError(f"{self.path}: {error}") from error
        if older:
            remedy = f"convert it with `cranfield store upgrade {self.path}`, which keeps the old file"
            raise StoreError(f"{self.path}: made by an earlier cranfield; {remedy}")

    def release(self, name: str) -> "Store":
        """Open a release of this store for reading. Close it after use.

        Parameters
        ----------
        name : str
            The name of the release.

        Returns
        -------
        Store
            The store as it was released.
        """
        from cranfield.store.releases import copy_release_to_memory

        return (
            copy_release_to_memory(self, name)
            if self.path == ":memory:"
            else self.open(self.path, name, tell=self.tell)
        )

    def _check_there(self) -> None:
        """Refuse to write to a release."""
        if self.as_of:
            raise StoreError(f"{self.path}: release {self.as_of} never changes; omit @{self.as_of} to change the store")
        super()._check_there()

    def begin_transaction(self) -> Callable[[], None]:
        """Prepare the record of a transaction's changes.

        Returns
        -------
        callable
            Function that writes the record, to call when the transaction ends.
        """
        from cranfield.store.changes import begin_changes, record_changes

        return partial(record_changes, self.conn, begin_changes(self.conn))

    def find_damage(self, error: BaseException) -> str | None:
        """Search the file for the damage that caused an error.

        Parameters
        ----------
        error : BaseException
            The error.

        Returns
        -------
        str or None
            The damage in words, or None if there is no damage.
        """
        from cranfield.store.damage import find_damage_behind_error

        return find_damage_behind_error(error, self.conn)

    @property
    def collection(self) -> Collection:
        """Description of this collection."""
        rows = self.rows("SELECT name, description, licence, created, grades, min_relevant FROM collection")
        if not rows:
            raise DamageError("collection", 1, "it is missing")
        row = rows[0]
        return Collection(row[0], row[1], row[2], created=row[3], grades=grades_of(row[4]), min_relevant=row[5])

    def counts(self) -> dict[str, int]:
        """Count the rows of the main tables.

        Returns
        -------
        dict of str to int
            The number of documents, topics, runs, pools, assessors, events and judgments, by table. The second
            names of assessors who were shown documents twice are not counted.
        """
        tables = ("document", "topic", "run", "pool", "assessor", "judgment_event", "qrels")
        second = int(self.rows("SELECT count(repeats) FROM assessor")[0][0])
        return {table: self.count(table) - (second if table == "assessor" else 0) for table in tables}

    def __repr__(self) -> str:
        counts = [counted(number, name) for name, number in self._counts().items()]
        absent = ", closed" if self.is_of_this_thread else ", open in another thread"
        return f"Store {self.path}{': ' + ', '.join(counts) if counts else absent}"

    def _repr_html_(self) -> str:
        """The store for a notebook: how much of everything is in it."""
        from cranfield.html_table import html_table

        return html_table([{"what": name, "number": number} for name, number in self._counts().items()], repr(self))

    def _counts(self) -> dict[str, int]:
        """How much of everything is here; nothing if the store is closed or of another thread."""
        names = {"judgment_event": "event", "qrels": "judgment"}
        if not self.is_of_this_thread:
            return {}
        try:
            return {names.get(table, table): number for table, number in self.counts().items()}
        except StoreError:
            return {}

    def later(self, read: "Callable[[Store], T]") -> Callable[[], T]:
        """Return a function that reads from this store later.

        Parameters
        ----------
        read : callable
            Function that takes the store and returns the data that it reads.

        Returns
        -------
        callable
            Function that returns the result of `read`. It opens the store again if it is closed.
        """

        def read_again() -> T:
            with self.again() as there:
                return read(there)

        return read_again

    @contextmanager
    def again(self) -> Iterator[Self]:
        """Use this store, or open it again if it was closed or belongs to another thread.

        Yields
        ------
        Store
            An open store.
        """
        if self._answers():
            yield self
        else:
            with self.open(self.path, self.as_of, tell=self.tell) as there:
                yield there

    def _answers(self) -> bool:
        try:
            self.conn.total_changes  # noqa: B018 - a closed connection refuses, and one of another thread
        except (sqlite3.ProgrammingError, StoreError):
            return False
        return True

    # Documents and topics

    def add_documents(self, documents: Iterable[Document]) -> int:
        """Add a corpus in one transaction and constant memory.

        A document that the store already has is kept; it is an error if the new document differs from it.

        Parameters
        ----------
        documents : iterable of Document
            The documents.

        Returns
        -------
        int
            The number of new documents.
        """
        for extension in hooks.features().values():
            documents = extension.new_documents(self, documents)
        remaining, number, count = iter(documents), 0, 0
        if self.brief is not None:
            self.brief.begin()
        with self.writing():
            if self.brief is not None:
                self.brief.check()
            while batch := list(islice(remaining, BATCH)):
                new = [
                    (d, document_hash(d.text, d.metadata))
                    for d in select_new_records(self, "document", batch, self.importing, number)
                ]
                check_hashes(self, {document.docno: digest for document, digest in new})
                self.conn.executemany(
                    "INSERT INTO document (docno, title, text, url, metadata, sha256, import)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (docno) DO UPDATE SET title = excluded.title,"
                    " text = excluded.text, url = excluded.url, metadata = excluded.metadata,"
                    " sha256 = excluded.sha256, import = excluded.import, removed = 0",
                    [(*d[:4], as_json(d.metadata), digest, self.importing) for d, digest in new],
                )
                number, count = number + len(batch), count + len(new)
            if count:
                self.index_named_only()
        self.forget()
        return count

    def add_topics(self, topics: Iterable[Topic]) -> int:
        """Add topics in one transaction.

        A topic that the store already has is kept; it is an error if the new topic differs from it.

        Parameters
        ----------
        topics : iterable of Topic
            The topics.

        Returns
        -------
        int
            The number of new topics.
        """
        with self.writing():
            new = select_new_records(self, "topic", list(topics), self.importing)
            self.conn.executemany(
                "INSERT INTO topic (qid, title, description, narrative, metadata, import) VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (qid) DO UPDATE SET title = excluded.title, description = excluded.description,"
                " narrative = excluded.narrative, metadata = excluded.metadata, import = excluded.import, removed = 0",
                [(*t[:4], as_json(t.metadata), self.importing) for t in new],
            )
        self.forget()
        return len(new)

    def documents(self) -> Generator[Document]:
        """Read every document with a text, in the order of import.

        Yields
        ------
        Document
            The documents.
        """
        for row in self.conn.execute(
            f"SELECT docno, title, text, url, metadata FROM document WHERE {self.has_text()} ORDER BY id"
        ):
            yield _document(row)

    def document(self, docno: str) -> Document:
        """Read one document.

        Parameters
        ----------
        docno : str
            The id of the document.

        Returns
        -------
        Document
            The document. Its text is empty if only a run or qrels named it.

        Raises
        ------
        StoreError
            If the store has no such document.
        """
        rows = self.rows(
            f"SELECT docno, title, text, url, metadata, {self.complete_import_condition()} FROM document"
            " WHERE docno = ? AND removed = 0",
            [docno],
        )
        if not rows:
            raise StoreError(f"no document {docno!r} in this store")
        *row, is_complete = rows[0]
        return _document(row) if is_complete else Document(docno)

    def topics(self) -> list[Topic]:
        """Read every topic, in the order of import.

        Returns
        -------
        list of Topic
            The topics.
        """
        rows = self.rows("SELECT qid, title, description, narrative, metadata FROM topic WHERE removed = 0 ORDER BY id")
        return [
            Topic(q, t or "", d or "", n or "", decode_json_column(dict, m, "topic", q, "metadata"))
            for q, t, d, n, m in rows
        ]

    def search(self, match: str, limit: int) -> list[tuple[str, float]]:
        """Search the documents by an FTS5 expression of SQLite.

        Parameters
        ----------
        match : str
            The expression, such as "wing AND flutter".
        limit : int
            The largest number of documents.

        Returns
        -------
        list of tuple of str and float
            The docno and the BM25 score of each document, the best first.
        """
        return self.rows(
            "SELECT docno, -bm25(document_fts) AS score FROM document_fts"
            " JOIN document ON document.id = document_fts.rowid WHERE document_fts MATCH ?"
            f" AND {self.complete_import_condition()} ORDER BY score DESC, docno DESC LIMIT ?",
            [match, limit],
        )

    # Names and numbers. Rows are never deleted, so a row's number less one is its place in the vocabulary.

    @property
    def docnos(self) -> Vocabulary:
        """The docnos, loaded on first use."""
        if "docnos" not in self._vocabularies:
            self._begin_vocabularies()
            self._vocabularies["docnos"] = StoredDocnos(self.later)
        return self._vocabularies["docnos"]

    @property
    def qids(self) -> Vocabulary:
        """The qids."""
        if "qids" not in self._vocabularies:
            self._begin_vocabularies()
            self._vocabularies["qids"] = Vocabulary(self.names("topic", "qid"))
        return self._vocabularies["qids"]

    def _begin_vocabularies(self) -> None:
        if not self._vocabularies:
            self.catch_up()

    def catch_up(self) -> None:
        """Forget the vocabularies if another program has added names since the last call."""
        before, self._last = self._last, (self.last_row_number("document"), self.last_row_number("topic"))
        if before != self._last:
            self.forget()

    @property
    def known_rows(self) -> tuple[int, int]:
        """The numbers of documents and topics in the vocabularies; later rows may lack names."""
        return self._last

    def forget(self) -> None:
        """Forget the vocabularies, which are loaded again on next use."""
        self._vocabularies.clear()


class SelectedStore(Store):
    """Another handle of an open store: what counts is read by a selection, and noted as left out.

    It goes wherever a store goes, so a function that is given it reads the selection, and nothing else decides that.

    >>> from cranfield.metrics.inputs import as_runs
    >>> from cranfield.store.runs import add_runs, stored_runs
    >>> from cranfield.store.topic_sets import store_topic_set
    >>> with Store.memory("two topics") as store:
    ...     number = add_runs(store, as_runs({"a": {"1": {"d1": 1.0}, "2": {"d1": 2.0}}}))
    ...     made = store_topic_set(store, "dev", ["2"])
    ...     selected = store.select(Selection(topics="dev"))
    ...     len(stored_runs(selected)), len(stored_runs(store)), selected.left_out.line
    (1, 2, 'left out: 1 topic not in dev')
    """

    def __init__(self, store: Store, selection: Selection, left_out: LeftOut, counting: KeptCounts) -> None:
        self._share(store)
        self._store: Store = store._store if isinstance(store, SelectedStore) else store
        self._selection, self._left_out, self._counting = selection, left_out, counting
        self._vocabularies, self.as_of = self._store._vocabularies, store.as_of

    @property
    def selection(self) -> Selection:
        """What of the store counts."""
        return self._selection

    @property
    def left_out(self) -> LeftOut:
        """Where readers note what they leave out."""
        return self._left_out

    @property
    def counting(self) -> KeptCounts:
        """What counts by the selection, worked out once."""
        return self._counting

    @property
    def importing(self) -> int | None:
        """The number of the import that is under way."""
        return self._store.importing

    @importing.setter
    def importing(self, number: int | None) -> None:
        self._store.importing = number

    def release(self, name: str) -> Store:
        """The whole store as one of its releases has it."""
        return self._store.release(name)

    def catch_up(self) -> None:
        """Forget the vocabularies if another program has added names since the last call."""
        self._store.catch_up()

    @property
    def known_rows(self) -> tuple[int, int]:
        """The numbers of documents and topics in the vocabularies; later rows may lack names."""
        return self._store.known_rows

    @contextmanager
    def again(self) -> Iterator[Self]:
        """This store; one that was closed, or that another thread has, is opened once more."""
        with self._store.again() as there:
            yield self if there is self._store else type(self)(there, self._selection, self._left_out, self._counting)


class StoredDocnos(Vocabulary):
    """The docnos of a store, read when first needed. Documents with the id of their topic are found without them.

    >>> with Store.memory("tiny") as store:
    ...     added = store.add_documents([Document("d1"), Document("q1")])
    ...     store.docnos.equals(np.array([0, 1, 1]), Vocabulary(["q2", "q1"]), np.array([1, 1, 0])).tolist()
    [False, True, False]
    """

    def __init__(self, later: Callable[[Callable[[Store], Any]], Callable[[], Any]]) -> None:
        super().__init__(later(lambda store: store.names("document", "docno")))
        self._later = later
        self._documents: tuple[Vocabulary, Ints] | None = None  # another vocabulary, and the integer of each name here

    def __reduce__(self) -> tuple[Any, ...]:
        return Vocabulary, (self.names,)  # the store stays here

    def equals(self, codes: Ints, other: Vocabulary, other_codes: Ints) -> Mask:
        """Return whether each integer stands for the same name as its integer in another vocabulary."""
        if self._documents is None or self._documents[0] is not other:
            find = self._later(lambda store: store.row_numbers("document", "docno", other.names) - 1)
            self._documents = other, find()
        return np.equal(self._documents[1][other_codes], codes)


def now() -> str:
    """This moment in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def sha256(text: str) -> str:
    """The hash by which a judgment knows the text it was about."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def document_hash(text: str, metadata: Mapping[str, object]) -> str:
    """The hash by which a judgment knows the document it was about: its text, and its layout and fields if it has any.

    >>> [document_hash("Oil", {"layout": one}) == sha256("Oil") for one in ("portrait", [[0, 3, "h1"]])]
    [True, False]
    >>> document_hash("Oil", {"shown": [["price", "number", "3"]]}) == sha256("Oil")
    False
    """
    from cranfield.display.layout import fields_of, layout_of

    visible = [text, json.dumps(metadata["layout"])] if layout_of(metadata, text) else [text]
    visible += [json.dumps(metadata["shown"])] if fields_of(metadata) else []
    return sha256("\0".join(visible))


def as_json(metadata: Mapping[str, object]) -> str | None:
    """Metadata as the store has it, NULL for none."""
    try:
        return json.dumps(dict(metadata), ensure_ascii=False, allow_nan=False) if metadata else None
    except (TypeError, ValueError) as error:
        raise StoreError(f"metadata cannot be stored as JSON: {error}") from None


def _open_error(error: Exception, path: str | PathLike[str], log: bool) -> str:
    """Why a store cannot be opened, and what would help; `log`: something is written that only the -wal has."""
    if getattr(error, "sqlite_errorname", "").startswith(("SQLITE_IOERR", "SQLITE_FULL")):
        return f"cannot be read ({error}); check the space on the disk"
    own = f"if the file was restored, move {path}-wal away, because that file does not belong to the restored file"
    way = own if log else "give the store first; create one with `cranfield init`"
    return f"not a store: {error}; {way}"


def _document(row: Sequence[Any]) -> Document:
    docno, title, text, url, metadata = row
    return Document(
        docno, title or "", text or "", url or "", decode_json_column(dict, metadata, "document", docno, "metadata")
    )
