"""Laws that hold for every measure; EXEMPT names exceptions with their reasons."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Mask
from cranfield.metrics import MEASURES, Measure, parse
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.testing import MEASURE_LAWS, check_measure
from cranfield.testing.measures import (
    JudgedRanking,
    add_strata_and_subtopics,
    check_law,
    judged_rankings,
    score_ranking,
    variants_of,
)
from tests.conftest import usually

EVERY = [variant for measure in MEASURES for variant in variants_of(measure)]
UNDEFINED = "a share of a number that may be 0"
NEVER_ALL = "the reader never sees all documents"
COUNT = "a count, not a share"
OF_TOPIC = "a fact of the topic, not of the ranking"
UNBOUNDED = "grows with the number of relevant documents"
EXEMPT: Mapping[str, Mapping[str, str]] = {
    "Accuracy": {
        **dict.fromkeys(("defined", "empty_ranking", "no_relevant", "perfect_ranking"), UNDEFINED),
        "better_first": "pairs above the cutoff come and go",
    },
    "BPM": {
        "perfect_ranking": "the scale may have a better grade than any document",
        "better_first": "the reader stops sooner",
    },
    "CG": {"perfect_ranking": UNBOUNDED},
    "DCG": {"perfect_ranking": UNBOUNDED},
    "ERR": {"perfect_ranking": NEVER_ALL},
    "G": {"better_first": "the cost comes after the gain"},
    "Hits": {"perfect_ranking": COUNT},
    "IDCG": {"empty_ranking": OF_TOPIC, "perfect_ranking": UNBOUNDED},
    "INSQ": {"perfect_ranking": NEVER_ALL},
    "INST": {"perfect_ranking": NEVER_ALL},
    "Judged": {"defined": UNDEFINED, "empty_ranking": UNDEFINED, "no_relevant": "does not ask for relevance"},
    "NRBP": {"perfect_ranking": NEVER_ALL},
    "NumNonrelRet": {"no_relevant": "counts nonrelevant documents", "perfect_ranking": "counts nonrelevant documents"},
    "NumQ": {"empty_ranking": OF_TOPIC, "no_relevant": OF_TOPIC},
    "NumRel": {"empty_ranking": OF_TOPIC, "perfect_ranking": COUNT},
    "NumRelRet": {"perfect_ranking": COUNT},
    "NumRet": {"no_relevant": "does not ask for relevance", "perfect_ranking": COUNT},
    "RBP": {"perfect_ranking": NEVER_ALL},
    "RBPresid": dict.fromkeys(
        ("empty_ranking", "no_relevant", "perfect_ranking"), "everything about unseen documents is unknown"
    ),
    "SDCG": {"perfect_ranking": "the scale may have a better grade than any document"},
    "Unjudged": {"no_relevant": "does not ask for relevance", "perfect_ranking": "0 where all documents are judged"},
    "Utility": {"no_relevant": "nonrelevant documents cost", "perfect_ranking": UNBOUNDED},
    "YAAP": {"empty_ranking": "a logarithm of odds", "perfect_ranking": "a logarithm of odds"},
}
grades = st.lists(st.sampled_from([None, -1, 0, 0, 1, 2, 3]), max_size=9)
unretrieved_grades = st.lists(st.integers(-1, 3), max_size=4)
TRIED_BELOW = {"batch", "names"}  # by the tests at the end of this file, on other collections


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_every_measure_keeps_the_laws(measure: Measure) -> None:
    check_measure(measure, EXEMPT.get(measure.name), n_rankings=usually(4, 40))


@settings(max_examples=usually(10, 100), deadline=None)
@given(ranking=grades, unretrieved=unretrieved_grades)
def test_laws_hold_for_drawn_rankings(ranking: list[int | None], unretrieved: list[int]) -> None:
    judged = JudgedRanking(tuple(ranking), tuple(unretrieved))
    for name in MEASURE_LAWS.keys() - TRIED_BELOW:
        for measure in EVERY:
            if name not in EXEMPT.get(measure.name, ()):
                MEASURE_LAWS[name](measure, judged)


@pytest.mark.parametrize("measure", [m for m in EVERY if m.tells_unjudged], ids=str)
def test_a_measure_that_tells_unjudged_from_not_relevant_does(measure: Measure) -> None:
    judged, unjudged = JudgedRanking((0, 3, -1, 0, 3)), JudgedRanking((None, 3, -1, None, 3), (0, 0))
    assert score_ranking(measure, judged) != score_ranking(measure, unjudged)


def hits(r: Judged, rel: int = 1) -> Floats:
    """The number of relevant documents."""
    return r.sum(r.relevant(rel)).astype(float)


def at_rank_two(r: Judged, cutoff: int | None = None) -> Floats:
    """Whether a relevant document has rank 2, whatever the cutoff."""
    hit = r.relevant()
    return r.sum(hit, (hit.rank == 2).astype(float))


def last_rank(r: Judged, cutoff: int | None = None) -> Floats:
    """The rank of the last relevant document, regardless of the cutoff."""
    found, hit = np.zeros(len(r.retrieved)), r.relevant()
    found[hit.ranking] = hit.rank
    return found / (1 + found)


def judged_share(r: Judged) -> Floats:
    """The number of judged documents, as a share."""
    judged = np.asarray(r.sum(r.judged(None)), float)
    return np.asarray(judged / (judged + 1))


def share_of_batch(r: Judged) -> Floats:
    """The share of all hits in the batch, which depends on the other rankings."""
    found = np.asarray(r.sum(r.relevant()), float)
    return np.asarray(found / max(found.sum(), 1))


def first_docno(r: Judged) -> Floats:
    """A number that depends on the spelling of the topic."""
    return np.array([len(qid.encode()) / 9 for _ in r.tags for qid in r.qids])


def sorting(r: Judged) -> Floats:
    """Zero, after it sorted the grades of its input in place."""
    r.qrels_grade.sort()
    return np.zeros(len(r.retrieved))


def undefined(r: Judged) -> Floats:
    """NaN for each ranking."""
    return np.full(len(r.retrieved), np.nan)


def zero(r: Judged) -> Floats:
    """Zero for each ranking."""
    return np.zeros(len(r.retrieved))


def one(r: Judged) -> Floats:
    """One for each ranking."""
    return np.ones(len(r.retrieved))


def per_run(r: Judged) -> Floats:
    return np.zeros(len(r.tags))


def ones_under(topic: Judged, subsets: Mask) -> Floats:
    return np.ones((len(subsets), len(topic.tags)))


@pytest.mark.parametrize(
    ("function", "law", "fields"),
    [
        (hits, "range", {}),
        (undefined, "defined", {}),
        (one, "empty_ranking", {}),
        (judged_share, "no_relevant", {}),
        (zero, "perfect_ranking", {}),
        (last_rank, "cutoff", {}),
        (at_rank_two, "better_first", {}),
        (judged_share, "unjudged", {}),
        (share_of_batch, "batch", {}),
        (first_docno, "names", {}),
        (sorting, "unchanged_input", {}),
        (zero, "subsets", {"under": ones_under}),
        (lambda r: np.zeros(len(r.retrieved)), "pickle", {}),
        (per_run, "explanation", {}),
    ],
)
def test_a_faulty_measure_breaks_its_law(function: Callable[..., Floats], law: str, fields: dict[str, Any]) -> None:
    measure = Measure("Faulty", function, **fields)
    with pytest.raises(AssertionError):
        check_law(law, [*variants_of(measure)], judged_rankings(40))


def test_an_exemption_that_is_not_needed_is_refused() -> None:
    with pytest.raises(AssertionError, match="AP keeps the law range, from which it is exempt"):
        check_measure(parse("AP"), {"range": "it has none"}, n_rankings=0)
    with pytest.raises(ValueError, match="unknown law 'rnage' in exempt"):
        check_measure(parse("AP"), {"rnage": "a slip"}, n_rankings=0)


@pytest.mark.needs("answers")
def test_a_measure_of_answers_is_refused() -> None:
    with pytest.raises(ValueError, match="scores answers; check_measure checks measures of rankings"):
        check_measure(parse("V_strict"), n_rankings=0)


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
    return add_strata_and_subtopics(join_runs_and_qrels(as_runs(with_scores(runs)), as_qrels(qrels)))


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


def test_every_exemption_is_of_a_measure() -> None:
    assert set(EXEMPT) <= {measure.name for measure in MEASURES}
