"""Imports in short transactions, so that assessors record labels in between; one that fails is undone as a whole.

Readers leave out the documents of an import until it has ended. Runs are checked first and stored in one transaction.
"""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import NamedTuple

from cranfield.errors import BusyError, StoreError
from cranfield.formats import Document
from cranfield.parallel import Tell, ignore_note
from cranfield.store.history import end_import, import_numbered, importing, unfinished_imports
from cranfield.store.import_lock import import_lock, is_import_running
from cranfield.store.named_rows import BriefWriting, check_hashes, notes_on_unchanged_records, select_new_records
from cranfield.store.removal import remove
from cranfield.store.store import Store, document_hash

MAX_DOCUMENTS, MAX_CHARS = 50, 200_000  # of one transaction; a longer document has a transaction of its own
PAUSE = 0.04  # seconds at least between two transactions
REASON = "the import did not finish"


@contextmanager
def importing_briefly(store: Store) -> Iterator[None]:
    """Write imports meanwhile in short transactions: documents in several, the runs of an import in one.

    >>> from cranfield.metrics.inputs import as_runs
    >>> from cranfield.store.runs import add_runs, run_info
    >>> with Store.memory("two runs") as store, importing_briefly(store), importing(store, "runs", ["a.run"]):
    ...     add_runs(store, as_runs({"a": {"q": {"d1": 1.0}}, "b": {"q": {"d2": 2.0}}}))
    2
    """
    with import_lock(store.path) as is_alone:
        if not is_alone:
            raise BusyError("another program imports into this store; try again when it has finished")
        store.brief = BriefWriting(undo_import)
        try:
            yield
        finally:
            store.brief = None


class UndoneImports(NamedTuple):
    """The numbers of imports that were undone, and of those whose content stays, because something was built on it."""

    undone: list[int]
    kept: list[int]

    @property
    def notes(self) -> list[str]:
        """What to tell the organiser."""
        undone = [f"import {number} was interrupted and is undone; import its files again" for number in self.undone]
        kept = [
            f"import {number} was interrupted; its stored part is in use and does not count; import its files again"
            for number in self.kept
        ]
        return undone + kept


def undo_import(store: Store, number: int) -> bool:
    """Undo an import that was not ended. Returns False if what it stored stays, because something was built on it.

    It stays where it was pooled, judged or otherwise used. It does not count, and an import of its files takes it over.
    """
    try:
        with store.writing():
            if number in unfinished_imports(store):
                end_import(store, number, 0)
                remove(store, "import", [str(number)], REASON)
            return True
    except StoreError:
        return False


def undo_unfinished_imports(store: Store) -> UndoneImports:
    """Undo what was being imported in short transactions when its program was killed; not while one imports."""
    found = UndoneImports([], [])
    if not unfinished_imports(store):
        return found
    with import_lock(store.path) as is_alone:
        for number in unfinished_imports(store) if is_alone else []:
            (found.undone if undo_import(store, number) else found.kept).append(number)
    return found


def unfinished_import_notes(store: Store) -> list[str]:
    """Name each import that has not ended, with what becomes of it; what it has stored does not count."""
    remedy = (
        "it is under way; wait until it has finished"
        if is_import_running(store.path)
        else "it was interrupted; import its files again, or start `cranfield serve`, which undoes it"
    )
    return [
        f"import {number} of {import_numbered(store, number).kind} has not finished and does not count: {remedy}"
        for number in unfinished_imports(store)
    ]


def import_documents_briefly(
    store: Store, source: Store, files: Iterable[str], tell: Tell = ignore_note
) -> tuple[int, list[str]]:
    """Import the documents of another store, where they were checked, in short transactions.

    Nothing is written where a document is refused. Returns the number of new documents, and notes.
    """
    batches = list(_sizes_of_batches(source.documents()))
    documents, number = source.documents(), 0
    for size in batches:
        new_batch = select_new_records(store, "document", list(islice(documents, size)), None, number)
        check_hashes(store, {one.docno: document_hash(one.text, one.metadata) for one in new_batch})
        number += size
    documents, read, new = source.documents(), 0, 0
    with importing_briefly(store), importing(store, "corpus", list(files)):
        for size in batches:
            began = time.monotonic()
            new += store.add_documents(islice(documents, size))
            read += size
            tell(f"imported {read:,} of {number:,} documents")
            pause_for_other_writers(began)
    return new, notes_on_unchanged_records("document", number, new)


def pause_for_other_writers(began: float) -> None:
    """Let others write for twice as long as a transaction took that began at a time of the monotonic clock."""
    time.sleep(max(PAUSE, 2 * (time.monotonic() - began)))


def _sizes_of_batches(documents: Iterable[Document]) -> Iterator[int]:
    """How many documents each transaction has.

    >>> list(_sizes_of_batches([Document("d", text="x" * length) for length in (200_000, 1, 1)]))
    [1, 2]
    """
    size = length = 0
    for document in documents:
        more = len(document.text)
        if size and (size == MAX_DOCUMENTS or length + more > MAX_CHARS):
            yield size
            size = length = 0
        size, length = size + 1, length + more
    if size:
        yield size
