"""What the store keeps of documents: where texts are from, what is shown of them, their pictures, and passages."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from pathlib import PurePath
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.errors import InputError, StoreError
from cranfield.features.documents.pictures import KeptPicture
from cranfield.formats import Document
from cranfield.store.chain import log_head
from cranfield.store.corpus import PartHere
from cranfield.store.decoding import decode_json_column
from cranfield.store.history import Import
from cranfield.store.store import Store, now
from cranfield.text import counted


class CorpusSource(NamedTuple):
    """A file, or a corpus of ir_datasets: which of its documents were wanted, how many it has, how many were kept."""

    source: str
    wanted: str
    fields: Mapping[str, str]
    sha256: str | None
    documents: int | None
    kept: int


def note_source(store: Store, one: CorpusSource) -> None:
    """Note where the texts of the import that is under way are from."""
    row = (store.importing, *one._replace(fields=json.dumps(dict(one.fields))))  # type: ignore[arg-type]
    columns = "import, source, wanted, fields, sha256, documents, kept"
    store.conn.execute(f"INSERT INTO corpus_source ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def sources(store: Store) -> list[CorpusSource]:
    """The sources, each as it was read last."""
    rows = store.rows("SELECT source, wanted, fields, sha256, documents, kept, id FROM corpus_source ORDER BY id")
    documents_by_source = {
        source: CorpusSource(source, which, decode_json_column(dict, fields, "corpus_source", number, "fields"), *rest)
        for source, which, fields, *rest, number in rows
    }
    return list(documents_by_source.values())


def part_here(store: Store) -> PartHere | None:
    """What part of its corpus a store has; None where it has all of it."""
    parts, texts = sources(store), store.count_added("document")
    sizes = [one.documents for one in parts]
    size = None if None in sizes else sum(number for number in sizes if number is not None)
    if not parts or (size is not None and size <= texts):
        return None
    lines = []
    for one in map(without_folder, parts):
        documents = "" if one.documents is None else f", {counted(one.documents, 'document')}"
        lines.append(f"{one.source}{documents}{'' if one.sha256 is None else f', SHA-256 {one.sha256}'}")
    return PartHere(texts, size, lines)


def without_folder(one: CorpusSource) -> CorpusSource:
    """A source without the folder that its file was in."""
    return one if one.sha256 is None else one._replace(source=PurePath(one.source).name)


def documents_missing_text(store: Store, docnos: Sequence[str]) -> set[str]:
    """Those of some documents that have no text here."""
    here = f"SELECT docno FROM document JOIN json_each(?) ON value = docno WHERE {store.has_text()}"
    return {*docnos} - {docno for (docno,) in store.rows(here, [json.dumps(list(docnos))])}


ASKED = {
    "pooled": "SELECT DISTINCT docno FROM pooled",
    "judged": "SELECT DISTINCT docno FROM qrels",
}


def wanted_of(store: Store, which: str) -> set[str]:
    """The docnos that are pooled, judged or retrieved.

    >>> store = Store.memory("a store without pools")
    >>> wanted_of(store, "pooled"), wanted_of(store, "retrieved")
    (set(), set())
    >>> store.close()
    """
    if which in ASKED:
        return {docno for (docno,) in store.rows(ASKED[which])}
    numbers = [np.frombuffer(blob, "<i4") for (blob,) in store.rows("SELECT documents FROM ranking")]
    return (
        set(store.names_by_number("document", "docno", np.unique(np.concatenate(numbers)).tolist()).values())
        if numbers
        else set()
    )


def keep_shown(store: Store, fields: Sequence[tuple[str, str]]) -> None:
    """Keep the names and types of the fields."""
    with store.writing():
        store.conn.executemany("INSERT INTO shown_field (name, type) VALUES (?, ?)", fields)


def shown_of(store: Store) -> list[tuple[str, str]]:
    """The names and types, in their order."""
    return [(name, kind) for name, kind in store.rows("SELECT name, type FROM shown_field ORDER BY id")]


DIGEST = re.compile(r'"([0-9a-f]{64})"')


def keep_pictures(store: Store, pictures: Iterable[KeptPicture]) -> None:
    """Keep pictures, of which those that are there stay as they are."""
    rows = [(store.importing, *one) for one in pictures]
    store.conn.executemany("INSERT OR IGNORE INTO picture (import, sha256, type, data) VALUES (?, ?, ?, ?)", rows)


def picture_of(store: Store, digest: str) -> KeptPicture | None:
    """A picture, if the store has it."""
    rows = store.rows("SELECT sha256, type, data FROM picture WHERE sha256 = ?", [digest])
    return KeptPicture(*rows[0]) if rows else None


def find_picture(store: Store, digest: str) -> tuple[str, bytes] | None:
    """The type and the bytes of a picture by its SHA-256; None if the store does not have it."""
    kept = picture_of(store, digest)
    return (kept.type, kept.data) if kept else None


def take_along(store: Store, other: Store) -> None:
    """Keep the pictures that documents of another store show in that, too."""
    pictures = store.rows("SELECT sha256 FROM picture ORDER BY id")
    digests = {digest for (digest,) in pictures} & _picture_hashes(other) if pictures else set()
    keep_pictures(other, (one for one in map(partial(picture_of, store), sorted(digests)) if one))


def _picture_hashes(store: Store) -> set[str]:
    rows = store.conn.execute("SELECT metadata FROM document WHERE metadata IS NOT NULL")
    return {digest for (metadata,) in rows for digest in DIGEST.findall(metadata)}


def refuse_changed(store: Store) -> None:
    """An error for a picture whose hash is not that of its bytes."""
    for digest, data in store.rows("SELECT sha256, data FROM picture ORDER BY id"):
        if sha256(data).hexdigest() != digest:
            raise StoreError(f"the picture {digest} is not the one that was imported")


def delete_import(store: Store, one: Import) -> NDArray[np.int64]:
    """Delete the pictures of an import that no document shows any more; they name no documents."""
    ours = {digest for (digest,) in store.rows("SELECT sha256 FROM picture WHERE import = ?", [one.number])}
    digests = sorted(ours - _picture_hashes(store)) if ours else []
    store.conn.executemany("DELETE FROM picture WHERE sha256 = ?", [(digest,) for digest in digests])
    return np.array([], np.int64)


@dataclass(frozen=True)
class PassageRequest:
    """Where documents are cut into passages; a store of passages keeps it."""

    by: Literal["sentences", "words", "headings"] = "sentences"
    window: int = 10  # sentences
    stride: int = 5  # sentences
    words: int = 100
    language: str = "en"
    separator: str = "#"


def note_build(store: Store, source: Store, request: PassageRequest) -> None:
    """Note what the passages of a new store were cut from, and how."""
    row = (now(), source.collection.name, log_head(source.conn).head, json.dumps(asdict(request)))
    store.conn.execute("INSERT INTO passage_build (at, name, head, options) VALUES (?, ?, ?, ?)", row)


def refuse_passages(store: Store) -> None:
    """Refuse a store whose documents are passages already: a store has either."""
    if builds := store.rows("SELECT name FROM passage_build"):
        raise InputError(
            f"this store contains the passages of {builds[0][0]!r}; import documents into that store", store.path
        )


def refuse_corpus(store: Store, documents: Iterable[Document]) -> Iterable[Document]:
    """Refuse new documents in a store of passages."""
    refuse_passages(store)
    return documents


def documents_of(store: Store) -> dict[str, str]:
    """The document of each passage of a store, by docno; empty where it has documents."""
    return dict(
        store.rows(
            "SELECT docno, json_extract(metadata, '$.document') FROM document"
            f" WHERE {store.has_text()} AND json_type(metadata, '$.document') = 'text'"
            " AND json_type(metadata, '$.start') = 'integer'"
        )
    )
