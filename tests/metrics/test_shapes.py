"""Evaluation in the shapes of pytrec_eval, next to the measures themselves."""

import pytest

from cranfield.arrays.join import judge
from cranfield.metrics import parse
from cranfield.metrics.evaluate import score
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.shapes import RelevanceEvaluator

QRELS = {"1": {"a": 2, "b": 1, "c": 0}, "2": {"a": 1, "d": 2}}
RUN = {"1": {"b": 3.0, "x": 2.5, "c": 2.0, "a": 1.0}, "2": {"a": 2.0, "d": 1.0}}


@pytest.mark.parametrize(("level", "average_precision"), [(1, "AP"), (2, "AP(rel=2)")])
def test_a_level_of_relevance_is_for_measures_that_have_one(level: int, average_precision: str) -> None:
    """nDCG takes the grades as they are."""
    found = RelevanceEvaluator(QRELS, {"map", "ndcg"}, relevance_level=level).evaluate(RUN)
    judged = judge(as_runs({"r": RUN}), as_qrels(QRELS))
    [expected] = score(judged, [parse(average_precision), parse("nDCG")])
    for qid, values in zip(judged.qids, expected.tolist(), strict=True):
        assert [found[qid]["map"], found[qid]["ndcg"]] == pytest.approx(values)
    assert found["1"]["map"] == pytest.approx({1: (1 + 2 / 4) / 2, 2: 1 / 4}[level])


def test_only_judged_documents_count_on_request() -> None:
    """The unjudged document at rank 2 is left out."""
    found = RelevanceEvaluator(QRELS, {"map"}, judged_docs_only_flag=True).evaluate(RUN)
    assert found["1"]["map"] == pytest.approx((1 + 2 / 3) / 2)
