"""Where the texts of a store are from, of which it has those that are wanted; and what that means for others."""

import json
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import NamedTuple

from cranfield.store.corpus import PartHere
from cranfield.store.decoding import json_of
from cranfield.store.store import Store
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
    found = {
        source: CorpusSource(source, wanted, json_of(dict, fields, "corpus_source", number, "fields"), *rest)
        for source, wanted, fields, *rest, number in rows
    }
    return list(found.values())


def part_here(store: Store) -> PartHere | None:
    """What part of its corpus a store has; None where it has all of it."""
    found, texts = sources(store), store.added("document")
    known = [one.documents for one in found]
    size = None if None in known else sum(number for number in known if number is not None)
    if not found or (size is not None and size <= texts):
        return None
    return PartHere(texts, size, [_said(one) for one in found])


def published(one: CorpusSource) -> CorpusSource:
    """A source without the folder that its file was in."""
    return one if one.sha256 is None else one._replace(source=PurePath(one.source).name)


def _said(one: CorpusSource) -> str:
    """A source in a line."""
    one = published(one)
    size = "" if one.documents is None else f", {counted(one.documents, 'document')}"
    return f"{one.source}{size}{'' if one.sha256 is None else f', SHA-256 {one.sha256}'}"


def without_text(store: Store, docnos: Sequence[str]) -> set[str]:
    """Those of some documents that have no text here."""
    here = "SELECT docno FROM document JOIN json_each(?) ON value = docno WHERE text IS NOT NULL"
    return {*docnos} - {docno for (docno,) in store.rows(here, [json.dumps(list(docnos))])}
