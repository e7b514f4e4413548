"""Import documents into a store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cranfield import hooks
from cranfield.commands.calls import open_store_call
from cranfield.commands.imports import as_file_paths, names_in_files, note_collector, note_on_files
from cranfield.commands.subject import Subject
from cranfield.errors import InputError, file_named_in_errors
from cranfield.lazy import lazy_type
from cranfield.options.arguments import PresentStore, check_arguments, records_of_kind
from cranfield.options.imports import FILES, ColumnNames, FieldNames, FileFormat, HeaderlessOption
from cranfield.results import Result, ResultInLines
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.formats import Document
    from cranfield.formats.records import Names
    from cranfield.options.arguments import StoreLike
else:
    Document = lazy_type("cranfield.formats", "Document")

DocumentsToImport = Annotated["str | PathLike[str] | Iterable[str | PathLike[str] | Document]", FILES]


@check_arguments
def import_corpus(
    store: PresentStore,
    documents: DocumentsToImport,
    *,
    format: FileFormat = "auto",
    field: FieldNames = None,
    columns: ColumnNames = None,
    no_header: HeaderlessOption = False,
    subject: Subject | None = None,
) -> Result:
    """Import documents into a store.

    If a file has an error, nothing is imported. Documents that are already in the store are skipped if they are
    identical. A changed document is refused, because judgments refer to the stored text.

    The fields docno, title, text and url are recognised by their usual names. Other fields become metadata. A corpus
    without any text is refused; name its text field with `field`.

    In a folder, each text, Markdown, HTML, PDF, Word or e-mail file becomes a document whose docno is its path. A note
    lists the skipped files. To list these files before the import, use a dry run.

    Example: cranfield import corpus track.db corpus.jsonl.gz --field text=story

    Example: cranfield import corpus track.db documents/ --dry-run

    Parameters
    ----------
    store : path or Store
        The store.
    documents : path, sequence of paths, or iterable of Document
        Files, folders, or documents of `cranfield.formats`.
    format : str
        Format of the files; detected from the content by default.
    field : mapping, optional
        Mapping from Cranfield's field names to the names in the files. An empty name means that the files lack the
        field.
    columns : sequence of str, optional
        Column names for files without a header line.
    no_header : bool
        Whether the files lack a header line.
    subject : Subject, optional
        How files become documents, such as `cranfield.subjects.FolderDocuments(dry_run=True)`.

    Returns
    -------
    ResultInLines
        One row: the number of new documents.

    Raises
    ------
    InputError
        If a file has an error, or the store has a different document with the same id.

    Examples
    --------
    >>> from cranfield.formats import Document
    >>> from cranfield.store.store import Store
    >>> with Store.memory("two documents") as store:
    ...     import_corpus(store, [Document("d1", text="a wing"), Document("d2", text="a tail")])
    2 documents
    """
    from cranfield.store.history import importing
    from cranfield.store.named_rows import notes_on_unchanged_records
    from cranfield.store.names import unknown_names_notes

    names, files = names_in_files("corpus", field, columns, no_header), as_file_paths(documents)
    with open_store_call(store, function="import_corpus") as call:
        if subject is not None:
            if files is None:
                raise InputError("subject applies only to files and folders; found document objects")
            return subject.import_documents(store, files, format, names)
        if files is not None:
            return add_corpus(store, files, format, names)
        number = count()

        def tally(document: Document) -> Document:
            next(number)
            return document

        with importing(call.store, "corpus", []):
            new = call.store.add_documents(map(tally, records_of_kind(documents, "Document", "docno")))
            lines = [
                *notes_on_unchanged_records("document", next(number), new),
                *unknown_names_notes(call.store, "document"),
            ]
        note_on_files(call, lines)
        return ResultInLines(
            [{"documents": new}], lines=(counted(new, "document"),), context=call.context("store.import_corpus")
        )


def add_corpus(
    store: StoreLike,
    files: Sequence[Path],
    format: str,
    names: Names,
    *,
    prepare: Callable[[Document], Document] | None = None,
    added: hooks.Added = hooks.NONE_ADDED,
) -> ResultInLines:
    """Add the documents of files to a store, each `prepare`d. Features read files by their options in `added`."""
    from cranfield.formats.files import group_notes
    from cranfield.formats.table import documents_of
    from cranfield.parallel import progress_bar
    from cranfield.store.history import importing
    from cranfield.store.named_rows import notes_on_unchanged_records
    from cranfield.store.names import unknown_names_notes

    notes, new, number = list[str](), 0, count()
    progress = progress_bar("importing documents")

    def tally(document: Document) -> Document:
        next(number)
        advance(1)
        return prepare(document) if prepare else document

    with open_store_call(store) as call:
        with importing(call.store, "corpus", files), progress as advance:
            for file in files:
                with file_named_in_errors(file):
                    documents = documents_of(
                        file, format=format, names=names, note=note_collector(notes, file), added=added
                    )
                    new += call.store.add_documents(map(tally, documents))
            notes = [
                *group_notes(notes, files),
                *notes_on_unchanged_records("document", next(number), new),
                *unknown_names_notes(call.store, "document"),
            ]
        note_on_files(call, notes)
        return ResultInLines(
            [{"documents": new}], lines=(counted(new, "document"),), context=call.context("store.import_corpus")
        )
