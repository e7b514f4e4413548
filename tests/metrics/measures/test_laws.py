"""Laws that hold for every measure; who is exempt stands in a set with the reason."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.arrays.join import judge
from cranfield.arrays.judged import Judged
from cranfield.metrics import MEASURES, Measure, parse
from cranfield.metrics.examples import example
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.measure import REQUIRED
from tests.conftest import usually
from tests.metrics.measures.equipped import equip

CUTOFF = 3


def variants(measure: Measure) -> list[Measure]:
    """The measure as it is, with a cutoff, and with another level of relevance, as far as it has them."""
    level = {"recall": 0.3, "mult": 1.0}.get(measure.at, CUTOFF)
    least = measure.set(**{measure.at: level}) if REQUIRED in measure.options.values() else measure
    changes: list[dict[str, Any]] = [
        {},
        {"cutoff": CUTOFF},
        {"rel": 2},
        {"gains": "exp"},
        {"gains": "1=0.5,3=9"},
        {"points": "0.3,1"},
        {"max_grade": 4},
        {"p": 0.5},
        {"beta": 0.7},
        {"discount": "jarvelin"},
        {"T": 2},
        {"alpha": 0.3},
        {"normalize": False},
        {"smoothing": "nist"},
    ]
    possible = [change for change in changes if set(change) <= set(measure.defaults)]
    return list(dict.fromkeys(least.set(**change) for change in possible))


EVERY = [variant for measure in MEASURES for variant in variants(measure)]

COUNTS = {"NumQ", "NumRet", "NumRel", "NumRelRet", "NumNonrelRet", "Hits"}  # counts, not shares
NOT_OF_THE_RANKING = {"NumQ", "NumRel", "IDCG"}  # facts of the topic
NOT_OF_RELEVANCE = {"NumQ", "NumRet", "Judged", "Unjudged", "RBPresid"}  # do not ask what is relevant
NEVER_ONE = {"RBP", "ERR", "INSQ", "INST", "NRBP", "RBPresid"}  # the reader never has all, or is never sure of it
OF_THE_SCALE = {"SDCG", "BPM"}  # the scale may have a better grade than any document
UNBOUNDED = {"DCG", "CG", "IDCG", "Utility", "YAAP"}  # grows with the number of relevant documents
SMOOTHED = {"infAP", "xinfAP"}  # keeps a little doubt about what is above
UNDEFINED = {"Judged", "Accuracy"}  # shares of what there may be nothing of
NOT_MONOTONE = {"Accuracy", "G", "BPM"}  # new pairs above the cutoff; a cost behind its gain; enough is had too soon
ALL_OF_NOTHING = {"RBPresid"}  # of an empty ranking all is unknown
BELOW_ZERO = {"YAAP"}  # a logarithm of odds: nothing found is less than even
OF_WHAT_IS_BAD = {"Utility", "NumNonrelRet"}  # what is not relevant costs, or is what counts
NOTHING_UNJUDGED = {"Unjudged"}  # 0 where all is judged

Grade = int | None
grades = st.lists(st.sampled_from([None, -1, 0, 0, 1, 2, 3]), max_size=9)
judged_grades = st.lists(st.integers(0, 3), max_size=9)
unretrieved_grades = st.lists(st.integers(-1, 3), max_size=4)


@lru_cache(maxsize=8)
def world(ranking: tuple[Grade, ...], unretrieved: tuple[int, ...]) -> Judged:
    return equip(example(ranking, unretrieved))


def value(measure: Measure, ranking: Sequence[Grade], unretrieved: Sequence[int] = ()) -> float:
    return measure.scores(world(tuple(ranking), tuple(unretrieved))).item()


@given(ranking=grades, unretrieved=unretrieved_grades)
def test_a_score_is_in_the_range(ranking: list[Grade], unretrieved: list[int]) -> None:
    for measure in EVERY:
        low, high = measure.range
        score = value(measure, ranking, unretrieved)
        assert low <= score <= high + 1e-12 or (np.isnan(score) and measure.name in UNDEFINED), measure


def test_an_empty_ranking_scores_0() -> None:
    """Except facts of the topic; and shares of nothing are undefined."""
    for measure in EVERY:
        if measure.name in UNDEFINED:
            assert np.isnan(value(measure, [], [1, 2])), measure
        elif measure.name in ALL_OF_NOTHING:
            assert value(measure, [], [1, 2]) == 1, measure
        elif measure.name in BELOW_ZERO:
            assert value(measure, [], [1, 2, 3, 0]) < 0, measure
        elif measure.name not in NOT_OF_THE_RANKING:
            assert value(measure, [], [1, 2, 3, 0]) == 0, measure


@given(ranking=st.lists(st.sampled_from([None, -1, 0]), min_size=1, max_size=9))
def test_a_topic_without_relevant_documents_scores_0(ranking: list[Grade]) -> None:
    for measure in EVERY:
        exempt = NOT_OF_RELEVANCE | UNDEFINED | OF_WHAT_IS_BAD
        assert measure.name in exempt or value(measure, ranking, [0]) == 0, measure


def test_all_relevant_documents_on_top_score_1() -> None:
    for measure in EVERY:
        if measure.name in NOTHING_UNJUDGED:
            assert value(measure, [3] * CUTOFF) == 0, measure
        elif measure.name not in COUNTS | NEVER_ONE | OF_THE_SCALE | UNBOUNDED | UNDEFINED - {"Judged"}:
            exact = 1e-4 if measure.name in SMOOTHED else 1e-15
            assert value(measure, [3] * CUTOFF) == pytest.approx(1, abs=exact), measure


@given(ranking=grades, unretrieved=unretrieved_grades)
def test_documents_below_the_cutoff_do_not_matter(ranking: list[Grade], unretrieved: list[int]) -> None:
    below = [grade for grade in ranking[CUTOFF:] if grade is not None]
    for measure in EVERY:
        if measure.options.get("cutoff"):
            cut = value(measure, ranking[:CUTOFF], [*unretrieved, *below])
            assert value(measure, ranking, unretrieved) == pytest.approx(cut, abs=1e-15, nan_ok=True), measure


@given(ranking=judged_grades, unretrieved=unretrieved_grades, at=st.integers(0, 7))
def test_a_better_document_moving_up_does_not_lower_the_score(
    ranking: list[int], unretrieved: list[int], at: int
) -> None:
    better = ranking[:at] + sorted(ranking[at : at + 2], reverse=True) + ranking[at + 2 :]
    for measure in EVERY:
        before, after = value(measure, ranking, unretrieved), value(measure, better, unretrieved)
        assert measure.name in NOT_MONOTONE or not after < before - 1e-12, measure


@given(ranking=grades, unretrieved=unretrieved_grades)
def test_unjudged_and_not_relevant_differ_only_where_the_measure_says_so(
    ranking: list[Grade], unretrieved: list[int]
) -> None:
    """On this rests that leave-one-out need not look at what was judged not relevant."""
    judged = equip(example(ranking, unretrieved))
    fewer = judged.only(judged.qrels_grade > 0)
    for measure in EVERY:
        same = np.array_equal(measure.scores(judged), measure.scores(fewer), equal_nan=True)
        assert measure.tells_unjudged or same, measure


@pytest.mark.parametrize("measure", [m for m in EVERY if m.tells_unjudged], ids=str)
def test_a_measure_that_tells_unjudged_from_not_relevant_does(measure: Measure) -> None:
    assert value(measure, [0, 3, -1, 0, 3]) != value(measure, [None, 3, -1, None, 3], [0, 0])


@given(ranking=grades, unretrieved=unretrieved_grades)
def test_judged_only_is_as_if_the_unjudged_had_not_been_retrieved(ranking: list[Grade], unretrieved: list[int]) -> None:
    fewer = [grade for grade in ranking if grade is not None and grade >= 0]
    unseen = [grade for grade in ranking if grade is not None and grade < 0]
    for measure in EVERY:
        score = value(measure.set(judged_only=True), ranking, unretrieved)
        reference = value(measure, fewer, [*unseen, *unretrieved])
        assert score == pytest.approx(reference, abs=1e-12, nan_ok=True), measure


ids = st.sampled_from([f"{letter}{digit}" for letter in "ab" for digit in range(6)])
qids = st.sampled_from(["1", "2", "10"])
some_qrels = st.dictionaries(qids, st.dictionaries(ids, st.integers(-1, 3), min_size=1), min_size=1)
some_run = st.dictionaries(qids, st.lists(ids, unique=True), min_size=1)
some_runs = st.dictionaries(st.sampled_from(["x", "y", "z"]), some_run, min_size=1)
Lists = dict[str, dict[str, list[str]]]
Grades = dict[str, dict[str, int]]


def with_scores(runs: Lists) -> dict[str, dict[str, dict[str, float]]]:
    """The lists with scores that put them in their order."""
    return {
        tag: {qid: {docno: -float(rank) for rank, docno in enumerate(docnos)} for qid, docnos in run.items()}
        for tag, run in runs.items()
    }


def meeting(runs: Lists, qrels: Grades) -> Judged:
    return equip(judge(as_runs(with_scores(runs)), as_qrels(qrels)))


@settings(max_examples=usually(6, 14), deadline=None)
@given(runs=some_runs, qrels=some_qrels)
def test_a_batch_scores_as_its_rankings_one_at_a_time(runs: Lists, qrels: Grades) -> None:
    """Also with topics that a run does not answer or that nobody judged."""
    batch = meeting(runs, qrels)
    reference = {measure: measure.scores(batch).reshape(batch.shape) for measure in EVERY}
    for run, tag in enumerate(batch.tags):
        for topic, qid in enumerate(batch.qids):
            one = meeting({tag: {qid: runs[tag].get(qid, [])}}, {qid: qrels[qid]})
            # the scale, and whether the qrels list nonrelevant documents, is the collection's, not the topic's
            alone = replace(one, highest_grade=batch.highest_grade, has_nonrelevant=batch.has_nonrelevant)
            for measure in EVERY:
                whole = reference[measure][run, topic]
                assert measure.scores(alone) == pytest.approx(whole, abs=1e-12, nan_ok=True), measure


@settings(max_examples=usually(12, 50), deadline=None)
@given(runs=some_runs, qrels=some_qrels)
def test_other_names_of_topics_and_documents_change_nothing(runs: Lists, qrels: Grades) -> None:
    def other(name: str) -> str:
        return "é" + "".join(reversed(name))

    others = {t: {other(q): [other(d) for d in docs] for q, docs in run.items()} for t, run in runs.items()}
    before = meeting(runs, qrels)
    after = meeting(others, {other(q): {other(d): grade for d, grade in docs.items()} for q, docs in qrels.items()})
    order = [after.qids.index(other(qid)) for qid in before.qids]
    for measure in EVERY:
        same = measure.scores(after).reshape(after.shape)[:, order]
        assert measure.scores(before).reshape(before.shape) == pytest.approx(same, abs=1e-12, nan_ok=True), measure


def test_every_exemption_is_a_measure() -> None:
    every = COUNTS | NOT_OF_THE_RANKING | NOT_OF_RELEVANCE | NEVER_ONE | OF_THE_SCALE | UNBOUNDED | SMOOTHED | UNDEFINED
    for name in every | ALL_OF_NOTHING | NOT_MONOTONE:
        assert parse(name).name == name
