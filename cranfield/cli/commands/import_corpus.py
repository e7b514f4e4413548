"""`import corpus`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield import hooks
from cranfield.cli import in_python
from cranfield.cli.commands.imports import FileOptions
from cranfield.cli.common_options import InputPaths, StorePath
from cranfield.cli.tables import note, say_with
from cranfield.commands.imports import telling
from cranfield.errors import blaming
from cranfield.store.reading import Reading
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.formats import Document
    from cranfield.formats.records import Names


@in_python("store.import_corpus")
def corpus(path: StorePath, paths: InputPaths, *, options: FileOptions, reading: Reading) -> None:
    """Import documents: all files, or none if any of them has an error. Documents that the store has already are left
    alone if they are the same; one that would change is refused, because judgments are about a text.

    The fields of a document are docno, title, text and url, recognised by their usual names; other fields become
    metadata. A corpus in which no document has text is refused; --field names the field that holds it.

    Of a folder, each text, Markdown, HTML, PDF, Word or e-mail file becomes a document, and its path the docno; the
    command says what it skips. --dry-run shows that beforehand.

    Example: cranfield import corpus track.db corpus.jsonl.gz --field text=story

    Example: cranfield import corpus track.db documents/ --dry-run
    """
    other = hooks.instead("import corpus", reading.added)
    (other.run if other else add_corpus)(path, paths, options.format, options.names_of("corpus"))


def add_corpus(
    path: Path,
    files: Sequence[Path],
    format: str,
    names: Names,
    *,
    prepare: Callable[[Document], Document] | None = None,
    added: hooks.Added = hooks.NONE_ADDED,
) -> None:
    """Add the documents of files to a store, each `prepare`d, and say how many there are.

    Features read files by their options in `added`.
    """
    from cranfield.formats.files import group_notes
    from cranfield.formats.table import documents_of
    from cranfield.parallel import progress_bar
    from cranfield.store.history import importing
    from cranfield.store.named_rows import unchanged_notes
    from cranfield.store.names import still_unknown
    from cranfield.store.store import Store

    notes, new, number = list[str](), 0, count()
    progress = progress_bar("importing documents")

    def tally(document: Document) -> Document:
        next(number)
        advance(1)
        return prepare(document) if prepare else document

    with Store.open(path, tell=note) as store, importing(store, "corpus", files), progress as advance:
        for file in files:
            with blaming(file):
                documents = documents_of(file, format=format, names=names, note=telling(notes, file), added=added)
                new += store.add_documents(map(tally, documents))
        notes = [
            *group_notes(notes, files),
            *unchanged_notes("document", next(number), new),
            *still_unknown(store, "document"),
        ]
    say_with(counted(new, "document"), notes)
