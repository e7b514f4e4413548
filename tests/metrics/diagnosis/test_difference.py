"""Deciding by measures other than AP, and how probable the outcomes are: against every way to label small cases."""

from itertools import combinations, product
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.arrays.join import judge
from cranfield.arrays.rankings import Floats, Runs
from cranfield.errors import InputError
from cranfield.metrics.diagnosis.decisive import DecisiveDocument, GradePrior, RunComparison, compare_runs, grade_prior
from cranfield.metrics.diagnosis.difference import decidable_measure
from cranfield.metrics.diagnosis.unjudged import worths
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.notation import parse, parse_all
from tests.conftest import repeats_others, usually

Grades = dict[str, dict[str, int]]
Rankings = dict[str, list[str]]

BINARY = ["P@3", "P(rel=2)@3", "RBP(p=0.6)@4", "R@3", "CG(gains=binary)@3"]
GRADED = ["DCG@3", "CG@4", 'DCG(gains="exp",discount="jarvelin")@4', 'DCG(gains="1=3,2=1")@3']
seeds = st.integers(0, 100_000)


class Case(NamedTuple):
    """Two runs on two topics, p and q, and what is judged, from 0 to a highest grade of 2."""

    new: Rankings
    old: Rankings
    qrels: Grades

    @property
    def runs(self) -> Runs:
        lists = {"new": self.new, "old": self.old}
        return as_runs({tag: {q: scored(docnos) for q, docnos in run.items()} for tag, run in lists.items()})

    def decided(self, name: str, given: GradePrior | None = None) -> RunComparison:
        return compare_runs(self.runs.select(["new"]), self.runs.select(["old"]), as_qrels(self.qrels), name, given)

    def unjudged(self, name: str) -> list[tuple[str, str]]:
        depth = parse(name).options["cutoff"]
        assert isinstance(depth, int)
        seen = {(q, d) for run in (self.new, self.old) for q in run for d in run[q][:depth]}
        return sorted((q, d) for q, d in seen if d not in self.qrels[q])

    def differences(self, name: str) -> Floats:
        """An axis a document and a place a grade: the difference under every way to label what is unjudged."""
        pairs, top = self.unjudged(name), 2
        rankings: dict[str, dict[str, dict[str, float]]] = {"new": {}, "old": {}}
        qrels: Grades = {}
        for number, labels in enumerate(product(range(top + 1), repeat=len(pairs))):
            for q in self.qrels:
                qid = f"{number:06}{q}"
                told = {d: grade for (of, d), grade in zip(pairs, labels, strict=True) if of == q}
                qrels[qid] = self.qrels[q] | told
                for tag, run in (("new", self.new), ("old", self.old)):
                    rankings[tag][qid] = scored(run[q])
        judged = judge(as_runs(rankings), as_qrels(qrels))
        new, old = parse(name).scores(judged).reshape(2, -1, len(self.qrels)).mean(axis=2)
        return np.asarray(new - old).reshape((top + 1,) * len(pairs))


def scored(docnos: list[str]) -> dict[str, float]:
    return {docno: -float(rank) for rank, docno in enumerate(docnos)}


def case(seed: int) -> Case:
    """At most six unjudged documents; a document of grade 2 is judged on each topic, so that all know the scale."""
    rng = np.random.default_rng(seed)
    docnos = list("abcdef")
    new, old = ({q: [str(d) for d in rng.permutation(docnos)[:4]] for q in "pq"} for _ in "12")
    known = {q: [str(d) for d in rng.permutation(docnos)[:3]] for q in "pq"}
    return Case(new, old, {q: {"top": 2} | {d: int(rng.integers(3)) for d in known[q]} for q in "pq"})


@pytest.mark.parametrize("name", [*BINARY, *GRADED])
@settings(deadline=None, max_examples=usually(8, 15))
@given(seeds)
def test_the_bounds_are_the_extremes_over_all_labels(name: str, seed: int) -> None:
    """Reached, too, since each label moves the difference on its own, or in R by as much as all others allow."""
    asked = case(seed)
    found, differences = asked.decided(name), asked.differences(name)
    assert found.least == pytest.approx(differences.min(), abs=1e-12)
    assert found.most == pytest.approx(differences.max(), abs=1e-12)
    assert found.difference == pytest.approx(differences[(0,) * differences.ndim], abs=1e-12)


@repeats_others
@pytest.mark.parametrize("name", [*BINARY, *GRADED])
@settings(deadline=None, max_examples=usually(8, 15))
@given(seeds)
def test_no_list_is_shorter(name: str, seed: int) -> None:
    """Whatever subset is labelled in whatever way, fewer never decide; where no list is given, nothing does."""
    asked = case(seed)
    found, differences = asked.decided(name), asked.differences(name)
    for side, sign in ((found.better, 1), (found.worse, -1)):
        least = fewest(sign * differences)
        if found.shortest:
            assert (None if side is None else len(side)) == least
        if side is not None:
            assert least is not None
            assert len(side) >= least
            assert worst_case(asked, name, side, sign * differences) > 1e-12
    assert found.shortest == (parse(name).name != "R")


def fewest(differences: Floats) -> int | None:
    """How few labels can make the difference positive whatever the others are."""
    axes = range(differences.ndim)
    for size in range(differences.ndim + 1):
        for chosen in combinations(axes, size):
            others = tuple(axis for axis in axes if axis not in chosen)
            if differences.min(axis=others).max() > 1e-12:
                return size
    return None


def worst_case(asked: Case, name: str, side: tuple[DecisiveDocument, ...], differences: Floats) -> float:
    """The least difference once what is listed is labelled as listed: not relevant, or of the best grade."""
    best = int(np.argmax(worths(parse(name), np.arange(3))))
    places: list[int | slice] = [slice(None)] * differences.ndim
    for listed in side:
        places[asked.unjudged(name).index((listed.qid, listed.docno))] = best if listed.relevant else 0
    return float(differences[tuple(places)].min())


@pytest.mark.parametrize("name", ["AP@4", "P(rel=2)@3", "R@3", "DCG@3"])
@settings(deadline=None, max_examples=usually(6, 10))
@given(seeds)
def test_probabilities_are_those_of_all_labels(name: str, seed: int) -> None:
    """Drawn shares against the sum over every labelling of its probability, for two kinds of unit."""
    asked, rng = case(seed), np.random.default_rng(seed)
    units = rng.dirichlet([1, 1, 1], (2, 2))
    exact = np.zeros(3)
    differences = asked.differences(name)
    for chances in units:
        weight = np.ones(())
        for qid, _ in asked.unjudged(name):
            weight = np.multiply.outer(weight, chances["pq".index(qid)])
        signs = (differences > 1e-12, differences < -1e-12)
        exact += [*(float(weight[sign].sum()) / 2 for sign in signs), float((weight * differences).sum()) / 2]
    found = asked.decided(name, GradePrior(units, "unique")).chance
    assert [found.better, found.worse] == pytest.approx(exact[:2], abs=0.025)
    assert found.expected == pytest.approx(exact[2], abs=0.025 * max(1.0, np.abs(differences).max()))
    assert found.better + found.worse + found.equal == pytest.approx(1)


def test_the_same_draws_every_time() -> None:
    asked = case(3)
    assert asked.decided("AP@4") == asked.decided("AP@4")


def test_chances_by_hand() -> None:
    """Unit 0 alone brought x (1) and y (0) of topic p, unit 1 z (0) of q; 1/3 overall, as is one document more."""
    judged = judge(as_runs({"r": {"p": {"x": 1.0}}}), as_qrels({"p": {"w": 1, "x": 1, "y": 0}, "q": {"z": 0}}))
    unit = np.array([-1, 0, 0, 1])  # of w, x, y, z
    found = grade_prior(judged, unit)
    topic, of_unit, overall = np.array([4 / 9, 1 / 6]), np.array([4 / 9, 1 / 6]), 1 / 3
    odds = np.outer(of_unit, topic) / overall, np.outer(1 - of_unit, 1 - topic) / (1 - overall)
    assert found.of == "unique"
    assert found.chances[..., 1] == pytest.approx(odds[0] / (odds[0] + odds[1]))
    every = grade_prior(judged)
    assert every.of == grade_prior(judged, np.full(4, -1)).of == "judged"
    assert every.chances[..., 1].tolist() == [pytest.approx([(2 + 1 / 2) / 4, (0 + 1 / 2) / 2])]


def test_alike_labels_make_a_probability_less_sure() -> None:
    """Of two kinds of unit, one that finds only what is relevant and one that finds nothing, it is an even chance."""
    asked = Case({"q": list("abcd")}, {"q": list("wxyz")}, {"q": {"a": 0, "w": 1, "x": 0, "y": 0, "z": 0}})
    sure, apart = (GradePrior(np.array(units, float), "unique") for units in ([[[0.5, 0.5]]], [[[1, 0]], [[0, 1]]]))
    assert asked.decided("P@4", sure).chance.better == pytest.approx(1 / 2, abs=0.02)  # two or three of b, c, d
    assert asked.decided("P@4", apart).chance.better == 0.5
    assert asked.decided("P@3", sure).chance.better == pytest.approx(1 / 4, abs=0.02)  # both
    assert asked.decided("P@3", apart).chance.better == 0.5


def test_what_a_measure_says_of_relevance_and_depth_counts() -> None:
    """x at grade 1 is not relevant to rel=2; the cutoff is the measure's before it is the pool's."""
    asked = Case({"q": ["x", "y"]}, {"q": ["z", "y"]}, {"q": {"x": 1, "z": 2, "y": 0}})
    assert asked.decided("AP@2").outcome == "equal"
    assert asked.decided("AP(rel=2)@2").outcome == "worse"
    assert asked.decided("CG@1").difference == -1
    assert str(decidable_measure(parse_all(["nDCG@10", "P@5", "AP"]), 7)) == "P@5"
    assert str(decidable_measure(parse_all(["AP(rel=2)"]), 7)) == "AP(rel=2)@7"


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["nDCG@10"], "no list decides by nDCG@10; there are lists for AP, P, R, RBP, DCG, CG"),
        (["RR", "ERR"], "no list decides by RR, ERR; "),
        (['RBP(gains="linear")'], 'no list decides by RBP\\(gains="linear"\\); '),
        (["P(judged_only=True)@5"], "no list decides by P"),
        (["AP"], "no pooled run tells the depth to compare at; --depth K does, or AP@K"),
    ],
)
def test_what_cannot_be_decided_is_refused(names: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        decidable_measure(parse_all(names), None)
