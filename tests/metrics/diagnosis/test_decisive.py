"""Which documents decide between two runs: against every way to label them, on cases small enough for that."""

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.metrics.diagnosis.decisive import RunComparison, compare_runs
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.pooling.candidates import by_topic
from cranfield.pooling.methods.table import METHODS
from tests.conftest import usually

Grades = dict[str, dict[str, int]]
Rankings = dict[str, list[str]]
Pair = tuple[str, str]

DEPTH = 4


def scored(rankings: Rankings) -> dict[str, dict[str, float]]:
    return {qid: {d: -float(i) for i, d in enumerate(docnos)} for qid, docnos in rankings.items()}


def decided(new: Rankings, old: Rankings, qrels: Grades, depth: int = DEPTH) -> RunComparison:
    runs = as_runs({"new": scored(new), "old": scored(old)})
    return compare_runs(runs.select(["new"]), runs.select(["old"]), as_qrels(qrels), f"AP@{depth}")


def ap_difference(new: Rankings, old: Rankings, qrels: Grades, depth: int = DEPTH) -> float:
    """Mean AP@depth of one less that of the other, the long way."""
    total = 0.0
    for qid, grades in qrels.items():
        relevant = {docno for docno, grade in grades.items() if grade > 0}
        for rankings, sign in ((new, 1), (old, -1)):
            ranks = [i for i, docno in enumerate(rankings.get(qid, [])[:depth], 1) if docno in relevant]
            total += sign * sum(nth / rank for nth, rank in enumerate(ranks, 1)) / max(len(relevant), 1)
    return total / len(qrels)


def unknown(new: Rankings, old: Rankings, qrels: Grades, depth: int = DEPTH) -> list[Pair]:
    pairs = {(q, d) for run in (new, old) for q in run for d in run[q][:depth] if q in qrels}
    return sorted((qid, docno) for qid, docno in pairs if docno not in qrels[qid])


def told(qrels: Grades, labels: dict[Pair, int]) -> Grades:
    more = {qid: dict(grades) for qid, grades in qrels.items()}
    for (qid, docno), grade in labels.items():
        more[qid][docno] = grade
    return more


def outcomes(new: Rankings, old: Rankings, qrels: Grades) -> list[float]:
    """The difference under every way to label what is unjudged."""
    pairs = unknown(new, old, qrels)
    return [
        ap_difference(new, old, told(qrels, dict(zip(pairs, labels, strict=True))))
        for labels in product((0, 1), repeat=len(pairs))
    ]


def case(seed: int) -> tuple[Rankings, Rankings, Grades]:
    """Two runs on two topics, with at most four documents unjudged on each."""
    rng = np.random.default_rng(seed)
    docnos = list("abcdefg")
    new, old = ({q: [str(d) for d in rng.permutation(docnos)[:5]] for q in "pq"} for _ in "12")
    known = {q: [str(d) for d in rng.permutation(docnos)[: 4 if seed % 2 else 5]] for q in "pq"}
    return new, old, {q: {d: int(rng.random() < 0.4) for d in known[q]} for q in "pq"}


seeds = st.integers(0, 100_000)


@settings(deadline=None, max_examples=usually(25, 60))
@given(seeds)
def test_the_difference_stays_within_its_bounds(seed: int) -> None:
    """For all labels. As judged, it is what evaluate says."""
    new, old, qrels = case(seed)
    found, all_of_them = decided(new, old, qrels), outcomes(new, old, qrels)
    assert found.least <= min(all_of_them) + 1e-9
    assert found.most >= max(all_of_them) - 1e-9
    assert found.unjudged == len(unknown(new, old, qrels))
    table = evaluate({"new": scored(new), "old": scored(old)}, qrels, f"AP@{DEPTH}")["value"]
    assert found.difference == pytest.approx(table[0] - table[1])


@settings(deadline=None, max_examples=usually(25, 60))
@given(seeds)
def test_the_list_decides_whatever_the_other_labels_are(seed: int) -> None:
    """With the listed documents labelled as listed, no labels of the others turn the sign."""
    new, old, qrels = case(seed)
    found = decided(new, old, qrels)
    for side, sign in ((found.better, 1), (found.worse, -1)):
        if side is None:
            continue
        labels = {(listed.qid, listed.docno): int(listed.relevant) for listed in side}
        assert len(labels) == len(side)
        assert all(sign * value > 0 for value in outcomes(new, old, told(qrels, labels)))


@settings(deadline=None, max_examples=usually(25, 60))
@given(seeds)
def test_with_everything_judged_it_is_decided(seed: int) -> None:
    """The bounds meet in the true difference."""
    new, old, qrels = case(seed)
    rng = np.random.default_rng(seed)
    full = told(qrels, {pair: int(rng.random() < 0.5) for pair in unknown(new, old, qrels)})
    found = decided(new, old, full)
    assert found.unjudged == 0
    assert found.least == pytest.approx(found.most) == found.difference
    assert found.outcome != "open"
    assert found.to_judge == ()


def shortest(new: Rankings, old: Rankings, qrels: Grades, sign: int) -> int | None:
    """The fewest labels that decide for a side in the best case, by trying them all."""
    pairs = unknown(new, old, qrels)
    for size in range(len(pairs) + 1):
        for chosen in combinations(pairs, size):
            for labels in product((0, 1), repeat=size):
                known = told(qrels, dict(zip(chosen, labels, strict=True)))
                if all(sign * value > 1e-12 for value in outcomes(new, old, known)):
                    return size
    return None


def test_the_list_is_hardly_longer_than_the_shortest() -> None:
    """Over forty cases and both sides: never shorter than possible, on average less than a fifth of one longer."""
    excess = []
    for seed in range(40):
        new, old, qrels = case(2 * seed)
        found = decided(new, old, qrels)
        for side, sign in ((found.better, 1), (found.worse, -1)):
            best = shortest(new, old, qrels, sign)
            if side is not None:
                assert best is not None
                assert len(side) >= best
                excess.append(len(side) - best)
    assert len(excess) > 40
    assert np.mean(excess) < 1 / 5


def test_the_first_document_is_that_of_minimal_test_collections() -> None:
    """With nothing judged, what the pooling method MTC takes first for these two runs is first here for one side."""
    new, old = {"q": list("abcdef")}, {"q": list("fghij")}
    runs = as_runs({"new": scored(new), "old": scored(old)})
    first = METHODS["mtc"].start(by_topic(runs)[0]).next(1)[0]
    found = decided(new, old, {"q": {"z": 0}}, 6)
    assert found.better is not None
    assert found.worse is not None
    assert by_topic(runs)[0].docnos[first] in {found.better[0].docno, found.worse[0].docno}


def test_equal_rankings_are_equal_whatever_is_judged() -> None:
    """Nothing about what both rank alike can tell them apart."""
    found = decided({"q": ["a", "b"]}, {"q": ["a", "b"]}, {"q": {"b": 1}})
    assert (found.outcome, found.difference, found.least, found.most) == ("equal", 0, 0, 0)
    assert found.better is found.worse is None


@pytest.mark.parametrize(("grade", "outcome"), [(1, "better"), (0, "equal")])
def test_a_topic_without_relevant_documents_counts_as_zero(grade: int, outcome: str) -> None:
    """AP is 0 for both until somebody finds a relevant document."""
    assert decided({"q": ["x"]}, {"q": ["y"]}, {"q": {"x": grade, "y": 0}}).outcome == outcome


def test_a_negative_grade_is_unjudged() -> None:
    found: Any = decided({"q": ["x"]}, {"q": ["y"]}, {"q": {"x": -1, "y": 0, "z": 1}})
    assert (found.unjudged, found.to_judge[0].docno, found.worse) == (1, "x", None)
