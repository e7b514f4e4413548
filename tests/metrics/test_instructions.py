"""p-MRR by its formula, and the numbers of MTEB's own test."""

from random import Random

import pytest

from cranfield.errors import InputError
from cranfield.metrics.instructions import p_mrr


def by_formula(original: dict[str, float], new: dict[str, float], docnos: list[str]) -> float:
    """MRR_og / MRR_new - 1 where the original rank is at least the new one, 1 - MRR_new / MRR_og otherwise."""
    scores = []
    for docno in docnos:
        ranks = [
            sorted(run, key=run.__getitem__, reverse=True).index(docno) + 1 if docno in run else len(run) + 1
            for run in (original, new)
        ]
        og, changed = (1 / rank for rank in ranks)
        scores.append(og / changed - 1 if ranks[0] >= ranks[1] else 1 - changed / og)
    return sum(scores) / len(scores)


def test_by_the_formula() -> None:
    random = Random(53)
    for _ in range(100):
        docnos = [f"d{number}" for number in range(random.randrange(2, 30))]
        runs = [
            {f"q{topic}": {docno: random.random() for docno in random.sample(docnos, random.randrange(1, len(docnos)))}
             for topic in range(3)}
            for _ in range(2)
        ]  # fmt: skip
        changed = {f"q{topic}": random.sample(docnos, 2) for topic in range(3)}
        expected = [by_formula(runs[0][qid], runs[1][qid], changed[qid]) for qid in changed]
        found = p_mrr(runs[0], runs[1], changed)
        assert [*found.by_topic.values()] == pytest.approx(expected)
        assert found.mean == pytest.approx(sum(expected) / 3)


@pytest.mark.parametrize(("new", "value"), [
    ({"0": 1, "1": 2, "2": 3, "3": 4}, 0.0), ({"0": 4, "1": 1, "2": 2, "3": 3}, -0.75),
])  # fmt: skip
def test_names_of_topics_as_mteb_has_them(new: dict[str, int], value: float) -> None:
    assert p_mrr({"a-og": {"0": 1, "1": 2, "2": 3, "3": 4}}, {"a-changed": new}, {"a": ["0"]}).mean == value


@pytest.mark.parametrize(("changed", "message"), [
    ({"b": ["d"]}, "topic 'b' is missing from the original run"),
    ({"a": []}, "the list of changed documents is empty for topic 'a'"),
    ({}, "no topics"),
])  # fmt: skip
def test_what_cannot_be_measured_is_refused(changed: dict[str, list[str]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        p_mrr({"a": {"d": 1.0}}, {"a": {"d": 1.0}}, changed)
