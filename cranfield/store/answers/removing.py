"""Taking back answers: as whole imports or runs, unless somebody labelled one of them."""

from __future__ import annotations

import json
import sqlite3
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Ints
from cranfield.errors import StoreError
from cranfield.store.decoding import json_of, names_of
from cranfield.store.store import Store

NAMED = (
    "SELECT d.id FROM answer a, json_each(a.documents) c JOIN document d ON d.docno = c.value WHERE d.id {0} UNION"
    " SELECT d.id FROM sentence s, json_each(s.citations) c JOIN document d ON d.docno = c.key WHERE d.id {0}"
)


class GoneAnswers(NamedTuple):
    """The answers that went: how many, and the numbers of the documents that they name."""

    answers: int
    named: Ints


def take_answers(store: Store, column: str, number: int, what: str) -> GoneAnswers:
    """Remove the answers with this number in a column, and runs that have none left; an error where one has labels."""
    found = store.rows(f"SELECT id, documents FROM answer WHERE {column} = ?", [number])
    cited = store.rows(
        f"SELECT answer, position, citations FROM sentence s JOIN answer a ON a.id = answer WHERE {column} = ?",
        [number],
    )
    docnos = {docno for row, text in found for docno in names_of(text, "answer", row, "documents")}
    docnos |= {docno for *row, text in cited for docno in json_of(dict, text, "sentence", row, "citations")}
    try:
        store.conn.execute(f"DELETE FROM answer WHERE {column} = ?", [number])
    except sqlite3.IntegrityError as error:
        raise StoreError(f"{what} cannot be removed: some of its answers have labels") from error
    store.conn.execute("DELETE FROM answer_run WHERE id NOT IN (SELECT run FROM answer)")
    named = store.row_numbers("document", "docno", np.array(sorted(docnos), object))
    return GoneAnswers(len(found), named)


def still_named(store: Store, documents: Ints) -> Ints:
    """Those of the documents that answers name."""
    if not store.rows("SELECT 1 FROM answer LIMIT 1"):
        return documents[:0]
    listed = json.dumps(documents.tolist())
    query = NAMED.format("IN (SELECT value FROM json_each(?1))")
    return np.array([number for (number,) in store.rows(query, [listed])], np.int64)
