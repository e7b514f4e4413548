"""import corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import TYPE_CHECKING

from cranfield.cli.import_options import (
    Columns,
    Fields,
    NoHeader,
    named_fields,
    telling,
)
from cranfield.cli.options import InputFormat, InputPaths, StorePath
from cranfield.cli.tables import say_with
from cranfield.errors import blaming
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.formats import Document


def corpus(
    path: StorePath,
    files: InputPaths,
    format: InputFormat = "auto",
    field: Fields = None,
    columns: Columns = None,
    no_header: NoHeader = False,
) -> None:
    """Import documents: all files, or none if any of them has an error. Documents that the store has already are left
    alone if they are the same; one that would change is refused, because judgments are about a text.

    The fields of a document are docno, title, text and url, recognized by their usual names; other fields become
    metadata. A corpus in which no document has text is refused; --field names the field that holds it.

    Example: cranfield import corpus track.db corpus.jsonl.gz --field text=story
    """
    from cranfield.formats import read_corpus
    from cranfield.progress_bar import progress_bar
    from cranfield.store.history import importing
    from cranfield.store.names.matching import still_unknown
    from cranfield.store.rows.unchanged import said_of_unchanged
    from cranfield.store.store import Store

    names, notes, added, came = named_fields(field, columns, no_header), list[str](), 0, count()
    progress = progress_bar("importing documents")
    with Store.open(path) as store, importing(store, "corpus", files), progress as advance:
        for file in files:
            with blaming(file):
                found = read_corpus(file, format, names=names, note=telling(notes, file))
                added += store.add_documents(_counted(found, advance, came))
        notes += [*said_of_unchanged("document", next(came), added), *still_unknown(store, "document")]
    say_with(counted(added, "document"), notes)


def _counted(documents: Iterator[Document], advance: Callable[[int], None], came: count[int]) -> Iterator[Document]:
    for document in documents:
        advance(1)
        next(came)
        yield document
