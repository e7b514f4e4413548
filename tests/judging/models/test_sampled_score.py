"""Intervals of scores from a sample of a model's labels: on real labels they hold, and none is certain by accident."""

from pathlib import Path

import numpy as np
import pytest

from cranfield.arrays.rankings import Ints
from cranfield.formats import read_qrels
from cranfield.judging.adjudication.sample import allocated
from cranfield.judging.models.corrected import Sums, gains, powered, sampled_score
from cranfield.metrics.notation import parse_all
from tests.conftest import usually

GRADES = [0, 1, 2, 3]


def passages(shared: Path, name: str) -> tuple[Ints, Ints, Ints]:
    """The grades of people and of a model for every passage of the LLMJudge challenge, and the topics."""
    folder = shared / "llmjudge"
    human, model = (read_qrels(folder / file) for file in ("human.test.qrels.txt.gz", f"labels/{name}.txt.gz"))
    grades = []
    for qrels in (human, model):
        qids, docnos = qrels.topics.names[qrels.topic].tolist(), qrels.docnos.names[qrels.document].tolist()
        grades.append(dict(zip(zip(qids, docnos, strict=True), qrels.grade.tolist(), strict=True)))
    pairs = sorted(grades[0])
    topics = np.unique([qid for qid, _ in pairs], return_inverse=True)[1]
    return np.array([grades[0][pair] for pair in pairs]), np.array([grades[1][pair] for pair in pairs]), topics


def ranked(topics: Ints, worth: Ints, seed: int) -> Ints:
    """A run that finds good passages more often than others."""
    order = np.lexsort([-(0.6 * worth + np.random.default_rng(seed).gumbel(size=len(worth))), topics])
    rank = np.empty(len(worth), np.int64)
    rank[order] = np.arange(len(worth)) - np.searchsorted(topics[order], topics[order]) + 1
    return rank


@pytest.mark.parametrize("measure", ["P@10", "RBP", "DCG@10"])
@pytest.mark.parametrize("size", [100, 200, 1000])
@pytest.mark.parametrize("name", ["willia-umbrela1", "TREMA-rubric0"])
def test_intervals_hold_on_llmjudge(shared: Path, name: str, size: int, measure: str) -> None:
    """At the 200 labels of the guide .864 of those of P@10 held, and .62 of the worst run's."""
    human, model, topics = passages(shared, name)
    rank = ranked(topics, human, 5)
    gain = gains(parse_all(measure, rel=2)[0], GRADES, int(rank.max())) / 25
    worth, by_model, every = gain[human, rank - 1], gain[model, rank - 1], gain[:, rank - 1]
    sizes = np.bincount(model, minlength=4)
    drawn, rng, held, draws = np.array(allocated(sizes.tolist(), size)), np.random.default_rng(1), [], usually(60, 1000)
    for _ in range(draws):
        asked = np.zeros(len(human), bool)
        for grade in np.flatnonzero(drawn):
            asked[rng.choice(np.flatnonzero(model == grade), drawn[grade], replace=False)] = True
        tuning = powered(np.where(asked, gain[human, 0], np.nan), gain[model, 0], model).tuning
        weight = (sizes / np.maximum(drawn, 1))[model]
        sums = Sums(np.where(asked, worth, np.nan), by_model, weight, (every.min(axis=0), every.max(axis=0)))
        found = sampled_score(sums, tuning)
        held.append(np.isnan(found.low) or found.low <= worth.sum() <= found.high)
    assert np.mean(held) > 0.94 - 3 * (0.94 * 0.06 / draws) ** 0.5


def test_agreement_on_a_few_labels_is_no_certainty() -> None:
    """Person and model agree on all labels, and the interval has a width, unless nothing is left to ask."""
    same = np.array([1.0, 0.0] * 10)
    ends = np.zeros(20), np.ones(20)
    some = np.where(np.arange(20) < 8, same, np.nan)
    found = sampled_score(Sums(some, same, np.full(20, 2.5), ends), tuning=1.0)
    assert found.low < found.value == 10 < found.high
    assert (found.low, found.high) >= (4, 10)
    assert found.high <= 16
    whole = sampled_score(Sums(same, same, np.ones(20), ends), tuning=1.0)
    assert (whole.low, whole.value, whole.high) == (10, 10, 10)
    nothing = sampled_score(Sums(same, same, np.ones(20), (ends[0], ends[0])), tuning=1.0)
    assert (nothing.low, nothing.value, nothing.high, nothing.why) == (0, 0, 0, "")
