"""What other programs see of a store: plain SQL, and what Datasette looks for."""

import math
import random
import struct

from cranfield.formats import Document
from cranfield.metrics.inputs import as_runs
from cranfield.store.datasette import HIDDEN, SHOWN, datasette_metadata
from cranfield.store.runs import add_runs
from cranfield.store.store import Store

EXTREMES = [0.0, 5e-324, -5e-324, 2.2250738585072014e-308, 2.225073858507201e-308, 1.7976931348623157e308, -1.5, 0.1]


def test_rankings_are_rows_of_a_view() -> None:
    """Every document with its rank and the very score of the run, whatever number that is."""
    chance = random.Random(1)
    numbers = struct.unpack("<400d", chance.randbytes(3200))
    scores = {f"d{at}": score for at, score in enumerate([*EXTREMES, *numbers]) if not math.isnan(score)}
    with Store.memory("sql") as store:
        add_runs(store, as_runs({"a": {"q1": scores, "q2": {"d9": 1.0}}, "b": {"q1": {"d1": 2.0, "d0": 1.0}}}))
        found = store.rows("SELECT docno, rank, score FROM retrieved WHERE tag = 'a' AND qid = 'q1'")
        others = store.rows("SELECT tag, team, qid, rank, docno, score FROM retrieved WHERE tag = 'b' OR docno = 'd9'")
    best = sorted(scores, key=lambda docno: (scores[docno], docno), reverse=True)
    assert found == [(docno, rank, scores[docno]) for rank, docno in enumerate(best, 1)]
    assert {("a", "a", "q2", 1, "d9", 1.0), ("b", "b", "q1", 2, "d0", 1.0)} < set(others)


def test_the_full_text_index_is_found_and_follows_the_documents() -> None:
    """By the words that Datasette and sqlite-utils look for."""
    with Store.memory("sql") as store:
        store.add_documents([Document("d1", text="wings lift"), Document("d2", text="a tail")])
        table = store.db.table("document")
        assert table.detect_fts() == "document_fts"
        store.conn.execute("UPDATE document SET text = 'a rudder' WHERE docno = 'd2'")
        assert [row["docno"] for word in ("wing", "tail", "rudder") for row in table.search(word)] == ["d1", "d2"]


def test_datasette_is_told_of_every_table() -> None:
    """Each is shown with a title and a description, or hidden; columns that are named are there."""
    with Store.memory("sql") as store:
        tables = datasette_metadata(store)["databases"][":memory:"]["tables"]
        there = {name for (name,) in store.rows("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")}
        assert {name for name in there if not name.startswith("document_fts")} == {*SHOWN, *HIDDEN} == {*tables}
        for name in SHOWN:
            table = tables[name]
            columns = {column for _, column, *_ in store.rows(f"PRAGMA table_info({name})")}
            assert {*table.get("columns", {}), *table.get("facets", ())} <= columns
            assert table.get("label_column", "docno") in columns or "label_column" not in table
            assert table["title"]
            assert table["description"]
