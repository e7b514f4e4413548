"""Documents and topics that come once more: what is the same is left alone, what would change is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from cranfield.errors import InputError
from cranfield.formats import Document, Topic
from cranfield.store.decoding import json_of
from cranfield.store.rows.named_rows import NAMES, TEXT, NamedRows
from cranfield.text import counted

Record = TypeVar("Record", Document, Topic)

WHERE = {"document": "in the corpus", "topic": "in the store"}


def not_yet_there(
    store: NamedRows, table: str, records: Sequence[Record], importing: int | None, before: int = 0
) -> list[Record]:
    """The records that the store does not have; a name that comes twice in this import is refused.

    `before` is how many records came before these.
    """
    there = _there(store, table, records)
    new: dict[str, Record] = {}
    for at, record in enumerate(records, before + 1):
        number, known = there.get(record[0], (None, None))
        if record[0] in new or (known and number == importing):
            raise InputError(f"{table} {at}: {NAMES[table]} {record[0]!r} is already {WHERE[table]}")
        if known is None:
            new[record[0]] = record
        elif known != _comparable(record):
            raise _changed(store, f"{table} {at}: ", table, known, record)
    return list(new.values())


def check_hashes(store: NamedRows, hashes: Mapping[str, str]) -> None:
    """Refuse texts that are not those of which only the hash was known, as of a collection published without texts."""
    known = store.rows(
        "SELECT docno, sha256 FROM document JOIN json_each(?) ON docno = value"
        " WHERE text IS NULL AND sha256 IS NOT NULL",
        [json.dumps(list(hashes))],
    )
    for docno, digest in known:
        if hashes[docno] != digest:
            raise InputError(f"the text of {docno!r} is not the one that was judged; its SHA-256 should be {digest}")


def said_of_unchanged(table: str, came: int, added: int) -> list[str]:
    """What is reported of records that were there already, if any were.

    >>> said_of_unchanged("document", 3, 1), said_of_unchanged("topic", 2, 2)
    (['2 documents already in the store, left unchanged'], [])
    """
    return [f"{counted(came - added, table)} already in the store, left unchanged"] if came > added else []


def _there(store: NamedRows, table: str, records: Sequence[Record]) -> Mapping[str, tuple[int | None, Any]]:
    """The records of these names that were added before, each with the number of its import."""
    kind: Any = Document if table == "document" else Topic
    columns = ", ".join(f"coalesce({name}, '')" for name in kind._fields[1:-1])
    rows = store.rows(
        f"SELECT import, {NAMES[table]}, {columns}, metadata FROM {table} JOIN json_each(?) ON {NAMES[table]} = value"
        f" WHERE {TEXT[table]} IS NOT NULL",
        [json.dumps([record[0] for record in records])],
    )
    return {
        name: (number, kind(name, *texts, json_of(dict, metadata, table, name, "metadata")))
        for number, name, *texts, metadata in rows
    }


def _comparable(record: Record) -> Record:
    """The record as a store gives it back."""
    metadata = json_of(dict, json.dumps(dict(record.metadata), default=str), "", record[0], "metadata")
    return record._replace(metadata=metadata)


def _changed(store: NamedRows, place: str, table: str, known: Record, record: Record) -> InputError:
    """The error for a record of which something would change."""
    pairs = zip(known._fields, known, _comparable(record), strict=True)
    what = next(field for field, before, now in pairs if before != now)
    judged = store.rows(
        f"SELECT 1 FROM judgment_event e JOIN {table} t ON t.id = e.{table} WHERE {NAMES[table]} = ? LIMIT 1",
        [record[0]],
    )
    remedy = f"import it under another {NAMES[table]}"
    why = "has judgments" if judged else "came with an earlier import"
    or_else = "" if judged else ", or remove that import with `cranfield store remove` first"
    other = "other metadata" if what == "metadata" else f"another {what}"
    there = f"{place}{NAMES[table]} {record[0]!r} is {WHERE[table]} with {other}, and {why}"
    return InputError(f"{there}; {remedy}{or_else}")
