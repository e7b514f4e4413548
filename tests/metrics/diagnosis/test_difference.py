"""What scores and differences can become, and which documents decide: against every way to label them."""

from dataclasses import replace
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.arrays.join import judge
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Runs
from cranfield.errors import InputError
from cranfield.metrics.diagnosis.bounds import bounds, fixed_ideal_bounds, mean_bounds
from cranfield.metrics.diagnosis.decisive import DecisiveDocument, GradePrior, RunComparison, compare_runs, grade_prior
from cranfield.metrics.diagnosis.difference import decidable_measure
from cranfield.metrics.diagnosis.unjudged import levels, worths
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.examples import example
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse, parse_all
from cranfield.pooling.candidates import by_topic
from cranfield.pooling.methods import METHODS
from tests.conftest import repeats_others, usually
from tests.metrics.measures.test_laws import EVERY

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
        return as_runs({tag: {q: scores_of(docnos) for q, docnos in run.items()} for tag, run in lists.items()})

    def compare(self, name: str, prior: GradePrior | None = None) -> RunComparison:
        return compare_runs(self.runs.select(["new"]), self.runs.select(["old"]), as_qrels(self.qrels), name, prior)

    def unjudged(self, name: str) -> list[tuple[str, str]]:
        depth = parse(name).options["cutoff"]
        assert isinstance(depth, int)
        names = {(q, d) for run in (self.new, self.old) for q in run for d in run[q][:depth]}
        return sorted((q, d) for q, d in names if d not in self.qrels[q])

    def differences(self, name: str) -> Floats:
        """An axis a document and a place a grade: the difference under every way to label what is unjudged."""
        pairs, top = self.unjudged(name), 2
        rankings: dict[str, dict[str, dict[str, float]]] = {"new": {}, "old": {}}
        qrels: Grades = {}
        for number, labels in enumerate(product(range(top + 1), repeat=len(pairs))):
            for q in self.qrels:
                qid = f"{number:06}{q}"
                grades = {d: grade for (of, d), grade in zip(pairs, labels, strict=True) if of == q}
                qrels[qid] = self.qrels[q] | grades
                for tag, run in (("new", self.new), ("old", self.old)):
                    rankings[tag][qid] = scores_of(run[q])
        judged = judge(as_runs(rankings), as_qrels(qrels))
        new, old = parse(name).scores(judged).reshape(2, -1, len(self.qrels)).mean(axis=2)
        return np.asarray(new - old).reshape((top + 1,) * len(pairs))


def scores_of(docnos: list[str]) -> dict[str, float]:
    return {docno: -float(rank) for rank, docno in enumerate(docnos)}


def case(seed: int) -> Case:
    """At most six unjudged documents; a document of grade 2 is judged on each topic, so that all know the scale."""
    rng = np.random.default_rng(seed)
    docnos = list("abcdef")
    new, old = ({q: [str(d) for d in rng.permutation(docnos)[:4]] for q in "pq"} for _ in "12")
    judged = {q: [str(d) for d in rng.permutation(docnos)[:3]] for q in "pq"}
    return Case(new, old, {q: {"top": 2} | {d: int(rng.integers(3)) for d in judged[q]} for q in "pq"})


@pytest.mark.parametrize("name", [*BINARY, *GRADED])
@settings(deadline=None, max_examples=usually(8, 15))
@given(seeds)
def test_the_bounds_are_the_extremes_over_all_labels(name: str, seed: int) -> None:
    """Reached, too, since each label moves the difference on its own, or in R by as much as all others allow."""
    example_case = case(seed)
    comparison, differences = example_case.compare(name), example_case.differences(name)
    assert comparison.least == pytest.approx(differences.min(), abs=1e-12)
    assert comparison.most == pytest.approx(differences.max(), abs=1e-12)
    assert comparison.difference == pytest.approx(differences[(0,) * differences.ndim], abs=1e-12)


@repeats_others
@pytest.mark.parametrize("name", [*BINARY, *GRADED])
@settings(deadline=None, max_examples=usually(8, 15))
@given(seeds)
def test_no_list_is_shorter(name: str, seed: int) -> None:
    """Whatever subset is labelled in whatever way, fewer never decide; where no list is given, nothing does."""
    example_case = case(seed)
    comparison, differences = example_case.compare(name), example_case.differences(name)
    for side, sign in ((comparison.better, 1), (comparison.worse, -1)):
        least = fewest(sign * differences)
        if comparison.shortest:
            assert (None if side is None else len(side)) == least
        if side is not None:
            assert least is not None
            assert len(side) >= least
            assert worst_case(example_case, name, side, sign * differences) > 1e-12
    assert comparison.shortest == (parse(name).name != "R")


def fewest(differences: Floats) -> int | None:
    """How few labels can make the difference positive whatever the others are."""
    axes = range(differences.ndim)
    for size in range(differences.ndim + 1):
        for choice in combinations(axes, size):
            others = tuple(axis for axis in axes if axis not in choice)
            if differences.min(axis=others).max() > 1e-12:
                return size
    return None


def worst_case(of: Case, name: str, side: tuple[DecisiveDocument, ...], differences: Floats) -> float:
    """The least difference once what is listed is labelled as listed: not relevant, or of the best grade."""
    best = int(np.argmax(worths(parse(name), np.arange(3))))
    places: list[int | slice] = [slice(None)] * differences.ndim
    for one in side:
        places[of.unjudged(name).index((one.qid, one.docno))] = best if one.relevant else 0
    return float(differences[tuple(places)].min())


@pytest.mark.parametrize("name", ["AP@4", "P(rel=2)@3", "R@3", "DCG@3"])
@settings(deadline=None, max_examples=usually(6, 10))
@given(seeds)
def test_probabilities_are_those_of_all_labels(name: str, seed: int) -> None:
    """Drawn shares against the sum over every labelling of its probability, for two kinds of unit."""
    example_case, rng = case(seed), np.random.default_rng(seed)
    units = rng.dirichlet([1, 1, 1], (2, 2))
    exact = np.zeros(3)
    differences = example_case.differences(name)
    for chances in units:
        weight = np.ones(())
        for qid, _ in example_case.unjudged(name):
            weight = np.multiply.outer(weight, chances["pq".index(qid)])
        signs = (differences > 1e-12, differences < -1e-12)
        exact += [*(float(weight[sign].sum()) / 2 for sign in signs), float((weight * differences).sum()) / 2]
    comparison = example_case.compare(name, GradePrior(units, "unique", np.arange(3))).chance
    assert [comparison.better, comparison.worse] == pytest.approx(exact[:2], abs=0.025)
    assert comparison.expected == pytest.approx(exact[2], abs=0.025 * max(1.0, np.abs(differences).max()))
    assert comparison.better + comparison.worse + comparison.equal == pytest.approx(1)


def test_the_same_draws_every_time() -> None:
    example_case = case(3)
    assert example_case.compare("AP@4") == example_case.compare("AP@4")


def test_chances_by_hand() -> None:
    """Unit 0 alone brought x (1) and y (0) of topic p, unit 1 z (0) of q; 1/3 overall, as is one document more."""
    judged = judge(as_runs({"r": {"p": {"x": 1.0}}}), as_qrels({"p": {"w": 1, "x": 1, "y": 0}, "q": {"z": 0}}))
    unit = np.array([-1, 0, 0, 1])  # of w, x, y, z
    prior = grade_prior(judged, unit)
    topic, of_unit, overall = np.array([4 / 9, 1 / 6]), np.array([4 / 9, 1 / 6]), 1 / 3
    odds = np.outer(of_unit, topic) / overall, np.outer(1 - of_unit, 1 - topic) / (1 - overall)
    assert prior.of == "unique"
    assert prior.chances[..., 1] == pytest.approx(odds[0] / (odds[0] + odds[1]))
    every = grade_prior(judged)
    assert every.of == grade_prior(judged, np.full(4, -1)).of == "judged"
    assert every.chances[..., 1].tolist() == [pytest.approx([(2 + 1 / 2) / 4, (0 + 1 / 2) / 2])]


def test_alike_labels_make_a_probability_less_sure() -> None:
    """Of two kinds of unit, one that finds only what is relevant and one that finds nothing, it is an even chance."""
    pair = Case({"q": list("abcd")}, {"q": list("wxyz")}, {"q": {"a": 0, "w": 1, "x": 0, "y": 0, "z": 0}})
    sure, apart = (
        GradePrior(np.array(units, float), "unique", np.arange(2)) for units in ([[[0.5, 0.5]]], [[[1, 0]], [[0, 1]]])
    )
    assert pair.compare("P@4", sure).chance.better == pytest.approx(1 / 2, abs=0.02)  # two or three of b, c, d
    assert pair.compare("P@4", apart).chance.better == 0.5
    assert pair.compare("P@3", sure).chance.better == pytest.approx(1 / 4, abs=0.02)  # both
    assert pair.compare("P@3", apart).chance.better == 0.5


def test_what_a_measure_says_of_relevance_and_depth_counts() -> None:
    """x at grade 1 is not relevant to rel=2; the cutoff is the measure's before it is the pool's."""
    pair = Case({"q": ["x", "y"]}, {"q": ["z", "y"]}, {"q": {"x": 1, "z": 2, "y": 0}})
    assert pair.compare("AP@2").outcome == "equal"
    assert pair.compare("AP(rel=2)@2").outcome == "worse"
    assert pair.compare("CG@1").difference == -1
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


Ranking = list[int | None]

MORE = [
    "AP(rel=2)@4", 'nDCG(gains="1=5,2=1")@4', 'DCG(gains="1=3,2=2")', 'CG(gains="1=3,2=2")', 'RBP(gains="linear")@2',
    'RBP(gains="1=0.4,2=0.7")', "Utility(p1=-1,p2=1)", 'Q(gains="binary")', 'Q(gains="binary")@2',
    'nDCGrel(gains="binary")', "nERR(max_grade=1)@2", "INST(T=0.5)", "IPrec@0", "IPrec@1", "RprecMult@0.5",
    "R_cap(rel=2)@2", "F(beta=3)@2", 'RBP(gains="linear",normalize=False)@2', 'RBP(gains="exp",normalize=False)',
]  # fmt: skip
MEASURED = [*EVERY, *parse_all(MORE)]
rankings = st.lists(st.sampled_from([None, None, 0, 1, 2]), max_size=6).filter(lambda ranking: ranking.count(None) < 4)


def every_labelling(ranking: Ranking, unretrieved: list[int], depth: int | None, top: int) -> Judged:
    """As topics: the ranking under every way to label its unjudged documents down to the depth, from 0 to a grade."""
    unknown = [at for at, grade in enumerate(ranking[:depth]) if grade is None]
    rest = {f"missed{at}": grade for at, grade in enumerate([0, *unretrieved])}
    retrieved = {f"d{at}": -float(at) for at in range(len(ranking))}
    qrels = {}
    for number, labels in enumerate(product(range(top + 1), repeat=len(unknown))):
        grades = dict(enumerate(ranking)) | dict(zip(unknown, labels, strict=True))
        qrels[f"{number:03}"] = rest | {f"d{at}": grade for at, grade in grades.items() if grade is not None}
    return judge(as_runs({"run": {qid: retrieved for qid in qrels if retrieved}}), as_qrels(qrels))


def highest(measure: Measure, collection: int) -> int:
    """Up to which grade a label goes."""
    grades = [measure.options.get(name) for name in ("rel", "max_grade")]
    return max([collection, *(grade for grade in grades if isinstance(grade, int))])


@settings(deadline=None, max_examples=usually(5, 15))
@given(rankings, st.lists(st.sampled_from([0, 1, 2]), max_size=3), st.sampled_from([None, 2, 4]), st.integers(1, 3))
def test_bounds_are_the_extremes_over_all_labels(
    ranking: Ranking, unretrieved: list[int], depth: int | None, elsewhere: int
) -> None:
    """Of every measure that has any: not merely valid, some labels reach them. Endless RBP is Moffat and Zobel's.

    Another topic of the collection has a document of grade `elsewhere`.
    """
    judged, scores = example(ranking, unretrieved), dict[Measure, Floats]()
    run = replace(judged, highest_grade=max(judged.highest_grade, elsewhere))
    for top in {highest(measure, run.highest_grade) for measure in MEASURED}:
        every = replace(every_labelling(ranking, unretrieved, depth, top), highest_grade=run.highest_grade)
        scores |= {m: m.scores(every) for m in MEASURED if m.extremes and highest(m, run.highest_grade) == top}
    for measure in MEASURED:
        ends = bounds(run, measure, depth)
        if ends is None:
            assert not measure.extremes or (measure.extremes.endswith("equal gains") and len(levels(run, measure)) > 2)
            continue
        assert ends[0].item() == pytest.approx(scores[measure].min(), abs=1e-9), measure
        if is_endless(measure, depth):
            assert ends[1].item() >= scores[measure].max() - 1e-9, measure
        else:
            assert ends[1].item() == pytest.approx(scores[measure].max(), abs=1e-9), measure


def is_endless(measure: Measure, depth: int | None) -> bool:
    options = measure.options
    return measure.name == "RBP" and depth is options["cutoff"] is None and options["gains"] == "binary"


def test_bounds_of_many_topics_are_those_of_each() -> None:
    """Also of topics with no or with all documents unjudged, and of one that the run does not answer."""
    runs = as_runs({"run": {"a": {"d1": 3.0, "d2": 2.0, "d3": 1.0}, "b": {"e1": 2.0, "e2": 1.0}, "c": {"f": 1.0}}})
    grades = {"a": {"d2": 2, "x": 1}, "b": {"e1": 0, "e2": 1}, "c": {"z": 2}, "d": {"z": 1}}
    whole = judge(runs, as_qrels(grades))
    alone = [replace(judge(runs, as_qrels({qid: grades[qid]})), highest_grade=2) for qid in "abcd"]
    for measure in MEASURED:
        ends = bounds(whole, measure)
        for topic in range(4) if ends else ():
            one = bounds(alone[topic], measure)
            assert ends is not None
            assert one is not None
            assert [side[topic] for side in ends] == pytest.approx([side.item() for side in one], abs=1e-12), measure


def test_a_measure_says_what_is_known_by_it() -> None:
    """Of bounds, and of documents that decide."""
    start = "With unjudged documents, `cranfield diagnose` "
    both = f"{start}has exact bounds and can list what to judge to decide between two runs."
    assert parse("AP").about.endswith(both)
    assert parse("Q").about.endswith(f"{start}has exact bounds, if gains are equal.")
    assert parse("RBP").diagnosis.endswith("between two runs, with binary gains.")
    assert parse("Bpref").diagnosis == ""


def test_unjudged_as_not_relevant_is_no_lower_bound_of_ap() -> None:
    """Moffat and Zobel's remark: one more relevant document at the end takes AP from .75 to .59 at most."""
    run = example([1, None, None, None, None, None, None, None, None, 1], unretrieved=[])
    now = parse("AP").scores(run).item()
    ends = bounds(run, parse("AP"))
    assert ends is not None
    assert ends[0].item() < now < ends[1].item()


def test_the_greatest_ndcg_may_need_a_middle_grade() -> None:
    """A judged 1 at rank 1, a judged 1 missed, an unjudged document at rank 2: 1 is better for it than 0 and than 3."""
    run = replace(example([1, None], unretrieved=[1]), highest_grade=3)
    ends = bounds(run, parse("nDCG"))
    assert ends is not None
    scores = [parse("nDCG").scores(example([1, grade], unretrieved=[1])).item() for grade in (0, 1, 3)]
    assert ends[1].item() == pytest.approx(scores[1])
    assert scores[1] > max(scores[0], scores[2])


def test_graded_rbp_is_least_with_one_better_document_at_the_end() -> None:
    """It takes two thirds of the known gain by being the best there is: from 1/2 to (1/2) / 3 + 1/8."""
    run = replace(example([1, None, None]), highest_grade=3)
    ends = bounds(run, parse('RBP(gains="linear",p=0.5)'))
    assert ends is not None
    assert [side.item() for side in ends] == pytest.approx([1 / 6 + 1 / 8, 1 / 2 + 1 / 4 + 1 / 8])


def test_with_the_ideal_kept_ndcg_may_pass_one() -> None:
    assert fixed_ideal_bounds(example([None, 1]))[1].item() > 1


def test_there_are_no_bounds_where_none_are_known() -> None:
    """Where unjudged and not relevant differ, where a better document may harm, or there is too much to try."""
    run = example([1, None, 0, 2])
    names = ["Bpref", "infAP", "AP(judged_only=True)", "P(rel=0)@2", "Judged@3", "G", "Accuracy", "Q", "nDCGrel"]
    assert [bounds(run, parse(name)) for name in names] == [None] * len(names)
    long = example([1, *[None] * 500])
    assert bounds(long, parse("Rprec")) is None
    assert bounds(long, parse("Rprec"), 400) is not None
    assert bounds(long, parse("ERR")) is not None


def test_a_sum_over_topics_and_a_geometric_mean_have_bounds_over_topics() -> None:
    """Two topics, each with one unjudged document."""
    runs = as_runs({"run": {"p": {"d1": 2.0, "d2": 1.0}, "q": {"e1": 2.0, "e2": 1.0}}})
    judged = judge(runs, as_qrels({"p": {"d1": 1}, "q": {"e2": 1}}))
    assert mean_bounds(judged, parse("NumRelRet")) == (2.0, 4.0)
    assert mean_bounds(judged, parse("gMAP")) == pytest.approx((np.sqrt(1 / 2), 1.0))
    assert np.isnan(mean_bounds(judged, parse("Bpref"))).all()


Pair = tuple[str, str]

DEPTH = 4


def decisive_scored(rankings: Rankings) -> dict[str, dict[str, float]]:
    return {qid: {d: -float(i) for i, d in enumerate(docnos)} for qid, docnos in rankings.items()}


def compare(new: Rankings, old: Rankings, qrels: Grades, depth: int = DEPTH) -> RunComparison:
    runs = as_runs({"new": decisive_scored(new), "old": decisive_scored(old)})
    return compare_runs(runs.select(["new"]), runs.select(["old"]), as_qrels(qrels), f"AP@{depth}")


def ap_difference(new: Rankings, old: Rankings, qrels: Grades) -> float:
    """Mean AP@DEPTH of one less that of the other, the long way."""
    total = 0.0
    for qid, grades in qrels.items():
        relevant = {docno for docno, grade in grades.items() if grade > 0}
        for rankings, sign in ((new, 1), (old, -1)):
            ranks = [i for i, docno in enumerate(rankings.get(qid, [])[:DEPTH], 1) if docno in relevant]
            total += sign * sum(nth / rank for nth, rank in enumerate(ranks, 1)) / max(len(relevant), 1)
    return total / len(qrels)


def unknown(new: Rankings, old: Rankings, qrels: Grades, depth: int = DEPTH) -> list[Pair]:
    pairs = {(q, d) for run in (new, old) for q in run for d in run[q][:depth] if q in qrels}
    return sorted((qid, docno) for qid, docno in pairs if docno not in qrels[qid])


def with_labels(qrels: Grades, labels: dict[Pair, int]) -> Grades:
    more = {qid: dict(grades) for qid, grades in qrels.items()}
    for (qid, docno), grade in labels.items():
        more[qid][docno] = grade
    return more


def outcomes(new: Rankings, old: Rankings, qrels: Grades) -> list[float]:
    """The difference under every way to label what is unjudged."""
    pairs = unknown(new, old, qrels)
    return [
        ap_difference(new, old, with_labels(qrels, dict(zip(pairs, labels, strict=True))))
        for labels in product((0, 1), repeat=len(pairs))
    ]


def decisive_case(seed: int) -> tuple[Rankings, Rankings, Grades]:
    """Two runs on two topics, with at most four documents unjudged on each."""
    rng = np.random.default_rng(seed)
    docnos = list("abcdefg")
    new, old = ({q: [str(d) for d in rng.permutation(docnos)[:5]] for q in "pq"} for _ in "12")
    judged = {q: [str(d) for d in rng.permutation(docnos)[: 4 if seed % 2 else 5]] for q in "pq"}
    return new, old, {q: {d: int(rng.random() < 0.4) for d in judged[q]} for q in "pq"}


@settings(deadline=None, max_examples=usually(25, 60))
@given(seeds)
def test_the_difference_stays_within_its_bounds(seed: int) -> None:
    """For all labels. As judged, it is what evaluate says."""
    new, old, qrels = decisive_case(seed)
    comparison, all_of_them = compare(new, old, qrels), outcomes(new, old, qrels)
    assert comparison.least <= min(all_of_them) + 1e-9
    assert comparison.most >= max(all_of_them) - 1e-9
    assert comparison.unjudged == len(unknown(new, old, qrels))
    table = evaluate({"new": decisive_scored(new), "old": decisive_scored(old)}, qrels, f"AP@{DEPTH}")["value"]
    assert comparison.difference == pytest.approx(table[0] - table[1])


@settings(deadline=None, max_examples=usually(25, 60))
@given(seeds)
def test_the_list_decides_whatever_the_other_labels_are(seed: int) -> None:
    """With the listed documents labelled as listed, no labels of the others turn the sign."""
    new, old, qrels = decisive_case(seed)
    comparison = compare(new, old, qrels)
    for side, sign in ((comparison.better, 1), (comparison.worse, -1)):
        if side is None:
            continue
        labels = {(one.qid, one.docno): int(one.relevant) for one in side}
        assert len(labels) == len(side)
        assert all(sign * value > 0 for value in outcomes(new, old, with_labels(qrels, labels)))


@settings(deadline=None, max_examples=usually(25, 60))
@given(seeds)
def test_with_everything_judged_it_is_decided(seed: int) -> None:
    """The bounds meet in the true difference."""
    new, old, qrels = decisive_case(seed)
    rng = np.random.default_rng(seed)
    full = with_labels(qrels, {pair: int(rng.random() < 0.5) for pair in unknown(new, old, qrels)})
    comparison = compare(new, old, full)
    assert comparison.unjudged == 0
    assert comparison.least == pytest.approx(comparison.most) == comparison.difference
    assert comparison.outcome != "open"
    assert comparison.to_judge == ()


def shortest(new: Rankings, old: Rankings, qrels: Grades, sign: int) -> int | None:
    """The fewest labels that decide for a side in the best case, by trying them all."""
    pairs = unknown(new, old, qrels)
    for size in range(len(pairs) + 1):
        for choice in combinations(pairs, size):
            for labels in product((0, 1), repeat=size):
                after = with_labels(qrels, dict(zip(choice, labels, strict=True)))
                if all(sign * value > 1e-12 for value in outcomes(new, old, after)):
                    return size
    return None


def test_the_list_is_hardly_longer_than_the_shortest() -> None:
    """Over forty cases and both sides: never shorter than possible, on average less than a fifth of one longer."""
    excess = []
    for seed in range(40):
        new, old, qrels = decisive_case(2 * seed)
        comparison = compare(new, old, qrels)
        for side, sign in ((comparison.better, 1), (comparison.worse, -1)):
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
    runs = as_runs({"new": decisive_scored(new), "old": decisive_scored(old)})
    first = METHODS["mtc"].start(by_topic(runs)[0]).next(1)[0]
    comparison = compare(new, old, {"q": {"z": 0}}, 6)
    assert comparison.better is not None
    assert comparison.worse is not None
    assert by_topic(runs)[0].docnos[first] in {comparison.better[0].docno, comparison.worse[0].docno}


def test_equal_rankings_are_equal_whatever_is_judged() -> None:
    """Nothing about what both rank alike can tell them apart."""
    comparison = compare({"q": ["a", "b"]}, {"q": ["a", "b"]}, {"q": {"b": 1}})
    assert (comparison.outcome, comparison.difference, comparison.least, comparison.most) == ("equal", 0, 0, 0)
    assert comparison.better is comparison.worse is None


@pytest.mark.parametrize(("grade", "outcome"), [(1, "better"), (0, "equal")])
def test_a_topic_without_relevant_documents_counts_as_zero(grade: int, outcome: str) -> None:
    """AP is 0 for both until somebody finds a relevant document."""
    assert compare({"q": ["x"]}, {"q": ["y"]}, {"q": {"x": grade, "y": 0}}).outcome == outcome


def test_a_negative_grade_is_unjudged() -> None:
    comparison: Any = compare({"q": ["x"]}, {"q": ["y"]}, {"q": {"x": -1, "y": 0, "z": 1}})
    assert (comparison.unjudged, comparison.to_judge[0].docno, comparison.worse) == (1, "x", None)
