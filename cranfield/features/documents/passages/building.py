"""A store of passages: made of a store of documents, with its topics, and nothing that anybody judged."""

from collections.abc import Iterator
from itertools import count
from os import PathLike
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.features.documents.options import PassageOptions
from cranfield.features.documents.passages.cutting import as_document, check, passages_of
from cranfield.features.documents.store.passages import note_build, refuse_passages
from cranfield.features.documents.store.pictures import take_along
from cranfield.formats.records import Document
from cranfield.progress_bar import progress_bar
from cranfield.store.connection import placed
from cranfield.store.history import importing
from cranfield.store.log import guidelines, set_guidelines
from cranfield.store.store import Store
from cranfield.text import counted


class PassagesBuilt(NamedTuple):
    """How many passages were made of how many documents; `without` are those without text."""

    passages: int
    documents: int
    without: int

    def __str__(self) -> str:
        """One line.

        >>> print(PassagesBuilt(12, 3, 1))
        12 passages of 3 documents; 1 document without text
        """
        left = f"; {counted(self.without, 'document')} without text" if self.without else ""
        return f"{counted(self.passages, 'passage')} of {counted(self.documents, 'document')}{left}"


def build_passages(store: Store, out: str | PathLike[str], options: PassageOptions) -> PassagesBuilt:
    """Make a new store of the passages of a store; whatever interrupts it, there is none then."""
    check(options)
    refuse_passages(store)
    if not store.has("document"):
        raise InputError("no corpus in this store; `cranfield import corpus` adds one", store.path)
    cut = count()
    with placed(out) as part, Store.begin(part, store.collection) as new:
        set_guidelines(new, guidelines(store))
        with new.writing():
            with importing(new, "corpus", [], origin=f"passages of {store.collection.name}"):
                passages = new.add_documents(_passages(store, options, cut))
                take_along(store, new)
            if topics := store.topics():
                with importing(new, "topics", [], origin=f"topics of {store.collection.name}"):
                    new.add_topics(topics)
            if not passages:
                raise InputError("no document has any text to cut", store.path)
            note_build(new, store, options)
    documents = next(cut)
    return PassagesBuilt(passages, documents, store.count("document") - documents)


def _passages(store: Store, options: PassageOptions, cut: "count[int]") -> Iterator[Document]:
    with progress_bar("cutting documents", store.added("document")) as advance:
        for document in store.documents():
            if options.separator in document.docno:
                raise InputError(
                    f"docno {document.docno!r} has {options.separator!r} in it; name another with --separator",
                    store.path,
                )
            found = passages_of(document, options)
            if found:
                next(cut)
            for number, passage in enumerate(found):
                yield as_document(document, passage, number, options.separator)
            advance(1)
