"""Import documents into a store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cranfield import hooks
from cranfield.api.arguments import check_arguments, records_of_kind
from cranfield.commands.imports import files_among, names_in_files, note_on_files, telling
from cranfield.commands.opened import open_store_call
from cranfield.commands.subject import Subject
from cranfield.errors import InputError, blaming
from cranfield.lazy import type_in
from cranfield.options.given import PresentStore
from cranfield.options.imports import FILES, ColumnNames, FieldNames, FileFormat, HeaderlessOption
from cranfield.results import Result, ResultInLines
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.formats import Document
    from cranfield.formats.records import Names
    from cranfield.options.given import StoreLike
else:
    Document = type_in("cranfield.formats", "Document")

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
    """Import documents: all files, or none if any of them has an error.

    Documents that the store has already are left alone if they are the same; one that would change is refused, because
    judgments are about a text.

    The fields of a document are docno, title, text and url, recognised by their usual names; other fields become
    metadata. A corpus in which no document has text is refused; `field` names the field that holds it.

    Of a folder, each text, Markdown, HTML, PDF, Word or e-mail file becomes a document, and its path the docno. A note
    lists the skipped files; a dry run shows them beforehand.

    Example: cranfield import corpus track.db corpus.jsonl.gz --field text=story

    Example: cranfield import corpus track.db documents/ --dry-run

    Parameters
    ----------
    store : path or Store
        The store.
    documents : path, sequence of paths, or iterable of Document
        Files, folders, or documents of `cranfield.formats`.
    format : str
        The files' format; detected from the content by default.
    field : mapping, optional
        Our names of fields to those in the files; an empty name if the files do not have the field.
    columns : sequence of str, optional
        Names of columns of files that have no header line.
    no_header : bool
        Whether the files have no header line.
    subject : Subject, optional
        How files become documents, such as `cranfield.subjects.FolderDocuments(dry_run=True)`.

    Returns
    -------
    ResultInLines
        One row: the number of new documents.

    Raises
    ------
    InputError
        If a file has an error, or the store has another document with this id.

    Examples
    --------
    >>> from cranfield.formats import Document
    >>> from cranfield.store.store import Store
    >>> with Store.memory("two documents") as store:
    ...     import_corpus(store, [Document("d1", text="a wing"), Document("d2", text="a tail")])
    2 documents
    """
    from cranfield.store.history import importing
    from cranfield.store.named_rows import unchanged_notes
    from cranfield.store.names import unknown_names_notes

    names, files = names_in_files("corpus", field, columns, no_header), files_among(documents)
    with open_store_call(store, function="import_corpus") as call:
        if subject is not None:
            if files is None:
                raise InputError("subject is of files and folders; documents came as objects")
            return subject.import_documents(store, files, format, names)
        if files is not None:
            return add_corpus(store, files, format, names)
        number = count()

        def tally(document: Document) -> Document:
            next(number)
            return document

        with importing(call.store, "corpus", []):
            new = call.store.add_documents(map(tally, records_of_kind(documents, "Document", "docno")))
            lines = [*unchanged_notes("document", next(number), new), *unknown_names_notes(call.store, "document")]
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
    from cranfield.store.named_rows import unchanged_notes
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
                with blaming(file):
                    documents = documents_of(file, format=format, names=names, note=telling(notes, file), added=added)
                    new += call.store.add_documents(map(tally, documents))
            notes = [
                *group_notes(notes, files),
                *unchanged_notes("document", next(number), new),
                *unknown_names_notes(call.store, "document"),
            ]
        note_on_files(call, notes)
        return ResultInLines(
            [{"documents": new}], lines=(counted(new, "document"),), context=call.context("store.import_corpus")
        )
