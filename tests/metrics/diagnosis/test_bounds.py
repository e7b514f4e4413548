"""What scores can become: against every way to label unjudged documents."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.diagnosis.bounds import bounds, mean_bounds
from cranfield.metrics.diagnosis.unjudged import assign_grades, grades_of_distinct_gain, unjudged_ranks
from cranfield.metrics.examples import example
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse, parse_measures
from tests.conftest import usually
from tests.metrics.measures.test_laws import EVERY

Ranking = list[int | None]

MORE = [
    "AP(rel=2)@4", 'nDCG(gains="1=5,2=1")@4', 'DCG(gains="1=3,2=2")', 'CG(gains="1=3,2=2")', 'RBP(gains="linear")@2',
    'RBP(gains="1=0.4,2=0.7")', "Utility(p1=-1,p2=1)", 'Q(gains="binary")', 'Q(gains="binary")@2',
    'nDCGrel(gains="binary")', "nERR(max_grade=1)@2", "INST(T=0.5)", "IPrec@0", "IPrec@1", "RprecMult@0.5",
    "R_cap(rel=2)@2", "F(beta=3)@2", 'RBP(gains="linear",normalize=False)@2', 'RBP(gains="exp",normalize=False)',
]  # fmt: skip
MEASURED = [*EVERY, *parse_measures(MORE)]
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
    return join_runs_and_qrels(as_runs({"run": {qid: retrieved for qid in qrels if retrieved}}), as_qrels(qrels))


def highest(measure: Measure, collection: float) -> int:
    """Up to which grade a label goes."""
    grades = [measure.options.get(name) for name in ("rel", "max_grade")]
    return int(max([collection, *(grade for grade in grades if isinstance(grade, int))]))


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
            assert not measure.extremes or (
                measure.extremes.endswith("equal gains") and len(grades_of_distinct_gain(run, measure)) > 2
            )
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
    whole = join_runs_and_qrels(runs, as_qrels(grades))
    alone = [replace(join_runs_and_qrels(runs, as_qrels({qid: grades[qid]})), highest_grade=2) for qid in "abcd"]
    for measure in MEASURED:
        ends = bounds(whole, measure)
        for topic in range(4) if ends else ():
            one = bounds(alone[topic], measure)
            assert ends is not None
            assert one is not None
            assert [side[topic] for side in ends] == pytest.approx([side.item() for side in one], abs=1e-12), measure


def test_a_measure_says_what_is_known_by_it() -> None:
    """Of bounds."""
    start = "For a run with unjudged documents, `cranfield diagnose` computes exact bounds on the score"
    assert parse("AP").about.endswith(f"{start}.")
    assert parse("Q").about.endswith(f"{start}, if all relevant documents have the same gain.")
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
    judged = join_runs_and_qrels(runs, as_qrels({"p": {"d1": 1}, "q": {"e2": 1}}))
    assert mean_bounds(judged, parse("NumRelRet")) == (2.0, 4.0)
    assert mean_bounds(judged, parse("gMAP")) == pytest.approx((np.sqrt(1 / 2), 1.0))
    assert np.isnan(mean_bounds(judged, parse("Bpref"))).all()


def test_filling_in_labels_is_judging() -> None:
    """The batch that `assign_grades` makes is the one that `join_runs_and_qrels` makes of the fuller qrels."""
    runs = as_runs({"p": {"d1": 3.0, "d2": 2.0}, "q": {"d3": 3.0, "d1": 2.0, "d4": 1.0}})
    judged = join_runs_and_qrels(runs, as_qrels({"p": {"d2": 1, "e": 2}, "q": {"d1": 1, "d4": -1}}))
    again = assign_grades(judged, unjudged_ranks(judged), [2, 0, 1])
    fuller = join_runs_and_qrels(runs, as_qrels({"p": {"d1": 2, "d2": 1, "e": 2}, "q": {"d1": 1, "d3": 0, "d4": 1}}))
    assert again.rank.tolist() == fuller.rank.tolist()
    assert again.grade.tolist() == fuller.grade.tolist()
    for name in ("AP", "nDCG", "Bpref", "Judged@3"):
        assert parse(name).scores(again).tolist() == parse(name).scores(fuller).tolist()


# A small world: a and b were pooled to depth 2, new was not; q has a gap of new at rank 1, p none.
