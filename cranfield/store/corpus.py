"""The documents of a store as a list: their titles and lengths, and how long they are on the whole."""

import json
from collections.abc import Callable, Sequence
from typing import NamedTuple

from cranfield import hooks
from cranfield.errors import InputError
from cranfield.store.qrels import qrels_of_document
from cranfield.store.store import Store
from cranfield.text import counted

LISTED_COLUMNS = "docno, coalesce(title, ''), length(text)"


class ListedDocument(NamedTuple):
    """A document without its text; `length` are the characters of the text, None where only the docno is known."""

    docno: str
    title: str
    length: int | None


class Lengths(NamedTuple):
    """Of the texts of a corpus: how many there are, and their characters."""

    texts: int
    shortest: int
    mean: float
    longest: int


def list_documents(store: Store, first: int = 0, most: int = -1) -> list[ListedDocument]:
    """The documents in the order they were added, `most` of them from `first` on.

    >>> from cranfield.formats import Document
    >>> store = Store.memory("two documents")
    >>> store.add_documents([Document("d1", "a title", "some text"), Document("d2", text="more text")])
    2
    >>> list_documents(store, 1), text_lengths(store)
    ([ListedDocument(docno='d2', title='', length=9)], Lengths(texts=2, shortest=9, mean=9.0, longest=9))
    >>> titles(store, ["d1"]), count_text_bytes(store, "d1"), count_text_bytes(store, "d3")
    ({'d1': 'a title'}, 9, 0)
    >>> store.close()
    """
    complete = store.complete_import_condition()
    query = f"SELECT {LISTED_COLUMNS} FROM document WHERE removed = 0 AND {complete} ORDER BY id LIMIT ? OFFSET ?"
    rows = store.rows(query, [most, first])
    return [ListedDocument(*row) for row in rows]


def listed_documents(store: Store, docnos: Sequence[str]) -> dict[str, ListedDocument]:
    """Some documents, by docno."""
    rows = [
        row if is_complete else (row[0], "", None)
        for *row, is_complete in store.rows(
            f"SELECT {LISTED_COLUMNS}, {store.complete_import_condition()} FROM document"
            " WHERE docno IN (SELECT value FROM json_each(?))",
            [json.dumps(list(docnos))],
        )
    ]
    return {row[0]: ListedDocument(*row) for row in rows}


def titles(store: Store, docnos: Sequence[str]) -> dict[str, str]:
    """The titles of some documents, by docno; their texts are not read."""
    title = f"iif({store.complete_import_condition()}, coalesce(title, ''), '')"
    among = "docno IN (SELECT value FROM json_each(?))"
    return dict(store.rows(f"SELECT docno, {title} FROM document WHERE {among}", [json.dumps(list(docnos))]))


def count_text_bytes(store: Store, docno: str) -> int:
    """The bytes of a document's text, which is not read for that; 0 where only the docno is known."""
    rows = store.rows(f"SELECT id FROM document WHERE docno = ? AND {store.has_text()}", [docno])
    if not rows:
        return 0
    with store.conn.blobopen("document", "text", rows[0][0], readonly=True) as text:
        return len(text)


def text_lengths(store: Store) -> Lengths | None:
    """How long the texts are; None where the store has none."""
    length = "length(text)"
    rows = store.rows(
        f"SELECT count(*), min({length}), avg({length}), max({length}) FROM document WHERE {store.has_text()}"
    )
    return Lengths(*rows[0]) if rows[0][0] else None


def topics_of_document(store: Store, docno: str) -> dict[str, int | None]:
    """The topics for which a document is in a pool or has a label that counts, and its grade there."""
    pooled = store.rows("SELECT DISTINCT qid FROM pooled WHERE docno = ?", [docno])
    grades: dict[str, int | None] = {qid: None for (qid,) in pooled}
    return grades | qrels_of_document(store, docno)


LEAST = 0.5  # of the documents that a store names: where fewer have texts, statistics of terms are another corpus's


class PictureSource(NamedTuple):
    """The pictures of documents in an extension: `find` returns the type and the bytes of the picture with a SHA-256.

    `copy` copies the pictures that the documents of another store show, such as a bundle, into that store.
    """

    find: Callable[[Store, str], tuple[str, bytes] | None]
    copy: Callable[[Store, Store], object] = lambda store, bundle: None


class PartHere(NamedTuple):
    """How many texts a store has, of a corpus of how many documents (None: not known), and where they are from."""

    texts: int
    documents: int | None
    sources: Sequence[str] = ()

    def __str__(self) -> str:
        """How many.

        >>> print(PartHere(41_210, 138_364_198), "/", PartHere(3, None))
        texts of 41,210 of the 138,364,198 documents / texts of 3 documents from a larger corpus
        """
        if self.documents is None:
            return f"texts of {self.texts:,} documents from a larger corpus"
        return f"texts of {self.texts:,} of the {self.documents:,} documents"


def held_corpus_part(store: Store) -> PartHere | None:
    """What part of its corpus a store has; None where nothing says that it has not all."""
    if part := hooks.first_extension_answer(lambda extension: extension.document_source(store)):
        return part
    texts, documents = store.count_added("document"), store.count("document")
    return PartHere(texts, documents) if texts < documents * LEAST else None


def part_by_reference(store: Store) -> PartHere | None:
    """The same where only a part was ever to be here: the rest is in files that the store names."""
    part = held_corpus_part(store)
    return part if part and part.sources else None


def refuse_part(store: Store) -> None:
    """Refuse what takes the store's texts for a whole corpus where they are a part."""
    if here := held_corpus_part(store):
        part = "term statistics would reflect only this part of the corpus; search elsewhere and import the run"
        why = part if here.texts else "no document has a text; import the corpus, or search elsewhere"
        raise InputError(f"the store contains only {here}: {why}", store.path)


def missing_pool_texts_note(store: Store) -> str:
    """That documents of pools have no text, in a line; empty where all have, or none was ever to be here."""
    rows = store.rows(
        "SELECT DISTINCT docno FROM pooled JOIN document d USING (docno)"
        f" WHERE NOT ({store.has_text('d')}) ORDER BY docno"
    )
    if not rows or not store.has("document"):
        return ""
    names = ", ".join(docno for (docno,) in rows[:3])
    are = f"{counted(len(rows), 'pooled document')} {'has' if len(rows) == 1 else 'have'} no text: {names}"
    return f"{are}{', ...' if len(rows) > 3 else ''}; fetch the texts with `cranfield store fetch`"
