"""Runs by their tags, and runs that meet the same judgments one after the other, against the plain way."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from cranfield.arrays.join import Judgments, join_runs_with_common_topics
from cranfield.arrays.selection import RowSelection, pair_keys
from cranfield.errors import InputError
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.selection import LeftOut

RUNS = {
    tag: {qid: {f"d{(7 * n + at) % 11}": float(n % 3) for n in range(2 + at)} for qid in ("1", "2")[: 1 + at % 2]}
    for at, tag in enumerate("abcd")
}
QRELS = as_qrels({"1": {"d1": 1, "d3": 0}, "2": {"d4": 2}})


@pytest.mark.parametrize("tags", [[], ["a"], ["b", "c"], ["d", "a"], [*"abcd"]])
@pytest.mark.parametrize("is_mixed", [False, True])
def test_runs_are_selected_by_tag(tags: list[str], is_mixed: bool) -> None:
    """Their rows stand together; also where the runs come in another order than their numbers."""
    runs = as_runs(RUNS)
    if is_mixed:
        runs = runs.rows(np.argsort(-runs.run, kind="stable"))
    selected = runs.select(tags)
    keep = np.isin(np.array(runs.tags)[runs.run], tags)
    assert selected.tags == tuple(tag for tag in runs.tags if tag in tags)
    assert [selected.tags[run] for run in selected.run] == [runs.tags[run] for run in runs.run[keep]]
    for name in ("topic", "document", "score"):
        assert getattr(selected, name).tolist() == getattr(runs, name)[keep].tolist()


def test_runs_whose_scores_are_read_later_are_pickled_with_them() -> None:
    runs = as_runs(RUNS)
    unread = replace(runs, scores=lambda: runs.score).rows(np.arange(3))
    assert pickle.loads(pickle.dumps(unread)).score.tolist() == runs.score[:3].tolist()


def test_runs_meet_the_same_judgments_one_after_the_other() -> None:
    """Each as if it were the only one; one that answers other topics is refused, whatever came before."""
    judgments, runs = Judgments(QRELS), as_runs(RUNS)
    for tag in runs.tags:
        one, expected = (
            join_runs_with_common_topics(runs.select([tag]), judgments),
            join_runs_with_common_topics(runs.select([tag]), QRELS),
        )
        for name in ("ranking", "rank", "grade", "judgment", "retrieved"):
            assert getattr(one, name).tolist() == getattr(expected, name).tolist()
        assert one.unmet == expected.unmet
    other = as_runs({"e": {"9": {"d1": 1.0}}})
    with pytest.raises(InputError, match="no topic of the runs has judgments"):
        join_runs_with_common_topics(other, judgments)


def test_documents_judged_earlier_are_left_out_in_their_own_topic() -> None:
    """The same document stays where another topic judged it."""
    runs = as_runs({"a": {qid: {"d1": 2.0, "d2": 1.0} for qid in ("1", "2", "3")}})
    number = {str(qid): at for at, qid in enumerate(runs.topics.names)}
    document = {str(docno): at for at, docno in enumerate(runs.docnos.names)}
    earlier = pair_keys(np.array([number["2"], number["3"]]), np.array([document["d1"], document["d2"]]))
    left_out = LeftOut()
    kept = RowSelection(earlier=earlier).select_runs(runs, left_out)
    pairs = zip(runs.topics.names[kept.topic], runs.docnos.names[kept.document], strict=True)
    assert sorted(pairs) == [("1", "d1"), ("1", "d2"), ("2", "d2"), ("3", "d1")]
    assert left_out.rows == {"a": 2}
