"""What a store of passages says of itself: what it was cut from, how, and the document of each passage."""

import json

from cranfield.errors import InputError
from cranfield.features.documents.options import PassageOptions
from cranfield.store.chain import log_head
from cranfield.store.store import Store, now


def note_build(store: Store, source: Store, options: PassageOptions) -> None:
    """Note what the passages of a new store were cut from, and how."""
    asked = {field.name: getattr(options, field.name) for field in options.declared()}
    row = (now(), source.collection.name, log_head(source.conn).head, json.dumps(asked))
    store.conn.execute("INSERT INTO passage_build (at, name, head, options) VALUES (?, ?, ?, ?)", row)


def refuse_passages(store: Store) -> None:
    """Refuse a store whose documents are passages already: a store has either."""
    if found := store.rows("SELECT name FROM passage_build"):
        raise InputError(f"this store has the passages of {found[0][0]!r}; documents go into that one", store.path)


def refuse_corpus(store: Store, number: int) -> None:
    """Refuse the import of a corpus into a store of passages; one that brings anything else may come."""
    if store.rows("SELECT kind FROM import WHERE id = ?", [number])[0][0] == "corpus":
        refuse_passages(store)


def documents_of(store: Store) -> dict[str, str]:
    """The document of each passage of a store, by docno; empty where it has documents."""
    return dict(
        store.rows(
            "SELECT docno, json_extract(metadata, '$.document') FROM document"
            " WHERE text IS NOT NULL AND json_type(metadata, '$.document') = 'text'"
            " AND json_type(metadata, '$.start') = 'integer'"
        )
    )
