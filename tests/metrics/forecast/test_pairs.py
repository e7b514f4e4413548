"""Rows of runs by the numbers of judged pairs, a few rows at a time."""

import numpy as np
import pytest

from cranfield.metrics.forecast import pairs
from cranfield.metrics.forecast.pairs import RankedRows, find_keys, joint_vocabulary, judged_pairs
from cranfield.metrics.inputs import as_qrels, as_runs


@pytest.mark.parametrize("rows_together", [1, 7, 1 << 16])
def test_rows_below_the_depth_are_left_out_unless_judged(monkeypatch: pytest.MonkeyPatch, rows_together: int) -> None:
    """In the new order of the runs, whose topics may be unjudged and whose documents unknown to the qrels."""
    monkeypatch.setattr(pairs, "ROWS_TOGETHER", rows_together)
    random = np.random.default_rng(1)
    run = {
        f"q{topic}": {f"d{d}": float(score) for score, d in enumerate(random.permutation(30)[:20])}
        for topic in range(5)
    }
    other = {qid: dict(reversed(documents.items())) for qid, documents in run.items()}
    grades = {f"q{topic}": {f"d{d}": int(d % 2) for d in random.permutation(30)[:9].tolist()} for topic in range(1, 4)}
    runs, qrels = as_runs({"a": run, "b": other}), as_qrels(grades)
    docnos, (places,) = joint_vocabulary(runs.docnos, qrels.docnos)
    judged = judged_pairs(qrels, docnos, places, 1)
    order = np.array([1, 0])
    found = set(zip(*(column.tolist() for column in judged.rows_of(runs, None, order, 3)), strict=True))
    expected = set[tuple[int, ...]]()
    pair_of = {key: pair for pair, key in enumerate(zip(judged.topic.tolist(), judged.document.tolist(), strict=True))}
    for tag, number in (("a", 1), ("b", 0)):
        for qid, documents in {"a": run, "b": other}[tag].items():
            for rank, docno in enumerate(sorted(documents, key=lambda d: (documents[d], d), reverse=True), 1):
                document = docnos.names.tolist().index(docno)
                if qid in grades and (rank <= 3 or docno in grades[qid]):
                    topic = judged.qids.index(qid)
                    expected.add((number, topic, document, rank, pair_of.get((topic, document), -1)))
    assert found == expected
    every = judged.rows_of(runs, None, order)
    within = (every.rank <= 3) | (every.pair >= 0)
    for column, fewer in zip(every, judged.rows_of(runs, None, order, 3), strict=True):
        assert column[within].tolist() == fewer.tolist()
    assert isinstance(every, RankedRows)
    assert np.all(np.diff(every.run * len(judged.qids) + every.topic) >= 0)


@pytest.mark.parametrize("most", [0, 1 << 26])
def test_keys_are_found_in_tables_and_by_search(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Keys before the first, between two and after the last one have no place."""
    monkeypatch.setattr(pairs, "MAX_TABLE", most)
    assert find_keys(np.array([0, 2, 3, 5, 6, 7]), np.array([2, 5, 6]), 8).tolist() == [-1, 0, -1, 1, 2, -1]
    assert find_keys(np.array([0, 7]), np.array([], np.int64), 8).tolist() == [-1, -1]
