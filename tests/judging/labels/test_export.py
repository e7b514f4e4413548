"""Export of the judgments as qrels, and the count of what is not in them."""

from pathlib import Path

import pytest

from cranfield.errors import InputError, StoreError
from cranfield.judging.labels.export import export_qrels
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append
from cranfield.store.store import Store
from tests.judging.cases import at, session_of, store_of


def test_labels_sorted_and_nothing_else(tmp_path: Path) -> None:
    """Four columns, sorted in byte order, LF; only labels, and of everything else a count."""
    store, path = store_of({"q2": ["d10", "d9"], "q10": ["d1", "d2", "d3", "d4"]}), tmp_path / "out.qrels"
    session = session_of(store)
    at(session).grade(0)
    at(session).toggle_unsure()
    at(session).grade(2)
    at(session).later()
    at(session).cannot_judge("unreadable")
    at(session).grade(-1)
    summary = export_qrels(store, path)
    assert path.read_bytes() == b"q10 0 d3 -1\nq2 0 d10 0\nq2 0 d9 2\n"
    assert summary.counts == {
        "labels": 3, "unsure": 1, "outside": 0, "pooled": 6, "cannot_judge": 1, "later": 1, "unlabelled": 1,
        "unsure_left_out": 0, "ties": 0, "adjudicated": 0, "models": 0, "negative": 0,
    }  # fmt: skip


def test_one_assessor(tmp_path: Path) -> None:
    """Only her labels are written; what others said of a pair does not count as hers."""
    store = store_of({"q1": ["d1", "d2"]})
    at(session_of(store, "ada")).grade(1)
    at(session_of(store, "bob")).later()
    assert str(export_qrels(store, tmp_path / "ada.qrels", "ada")) == (
        "1 label written (0 unsure, 0 outside the pool); of 2 pooled pairs 0 cannot be judged, 0 later, 1 unlabelled"
    )
    with pytest.raises(InputError, match="no labels to write"):
        export_qrels(store, tmp_path / "bob.qrels", "bob")
    assert export_qrels(store, tmp_path / "bob.qrels", "bob", missing={"later": -2}).later == 1
    assert (tmp_path / "bob.qrels").read_bytes() == b"q1 0 d1 -2\n"
    with pytest.raises(StoreError, match="no assessor 'eve'"):
        export_qrels(store, tmp_path / "eve.qrels", "eve")


def test_each_missing_pair_is_counted_once(tmp_path: Path) -> None:
    """A label of anybody makes a pair labelled; else a cannot-judge of anybody makes it one; else a later."""
    store = store_of({"q1": ["d1", "d2", "d3"]})
    ada, bob = session_of(store, "ada"), session_of(store, "bob")
    at(ada).later()
    at(ada).later()
    at(bob).grade(1)
    at(bob).cannot_judge("unreadable")
    summary = export_qrels(store, tmp_path / "out.qrels")
    assert (summary.labels, summary.cannot_judge, summary.later, summary.unlabelled) == (1, 1, 0, 1)


def test_without_a_pool(tmp_path: Path) -> None:
    """Labels from elsewhere are written where there is no pool, and counted as outside of it."""
    with Store.memory("no pool") as store:
        store.known_qids(["q1"])
        store.known_docnos(["d1"])
        add_assessor(store, "nist", "import")
        append(store, Event("import", "q1", "d1", "nist", grade=1, source="Q0"))
        summary = export_qrels(store, tmp_path / "out.qrels")
    assert (tmp_path / "out.qrels").read_text() == "q1 Q0 d1 1\n"
    assert (summary.labels, summary.outside, summary.pooled) == (1, 1, 0)


def test_what_was_taken_back_is_not_written(tmp_path: Path) -> None:
    """A retracted label is no label."""
    store = store_of({"q1": ["d1"]})
    session = session_of(store)
    at(session).grade(1)
    at(session).undo()
    with pytest.raises(InputError, match="no labels to write"):
        export_qrels(store, tmp_path / "out.qrels")
    assert not (tmp_path / "out.qrels").exists()
