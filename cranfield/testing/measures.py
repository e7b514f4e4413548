"""Laws that every measure of rankings keeps."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Subtopics
from cranfield.metrics.examples import example
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.measure import REQUIRED, Measure
from cranfield.testing.checks import run_checks

Grade = int | None
CUTOFF = 3
TOLERANCE = 1e-12
OPTION_VALUES: tuple[Mapping[str, Any], ...] = (
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
)


class JudgedRanking(NamedTuple):
    """The grade at each rank, None for an unjudged document, and the grades of judged documents not retrieved."""

    grades: tuple[Grade, ...]
    not_retrieved: tuple[int, ...] = ()


EDGE_CASES = (
    JudgedRanking(()),
    JudgedRanking((), (1, 2, 3, 0)),
    JudgedRanking((None,), (1,)),
    JudgedRanking((0,)),
    JudgedRanking((1,)),
    JudgedRanking((3, 3, 3)),
    JudgedRanking((-1, 0, None, 0), (0,)),
    JudgedRanking((None, None, None, 2, 0, 1), (-1, 3)),
    JudgedRanking((0, 3, -1, 0, 3)),
    JudgedRanking((0, 2, 3, 0)),
    JudgedRanking((3, 0, 0, 3, 0, 0, 2, 0), (2, 1)),
    JudgedRanking((2, 2, 0, 1, 1, None, 3, 0, 0)),
)


def check_measure(measure: Measure, exempt: Mapping[str, str] | None = None, n_rankings: int = 40) -> None:
    """
    Check that a measure of rankings keeps the laws of measures.

    Every law is tried on fixed and on seeded random rankings, with each option
    that the measure has.

    Parameters
    ----------
    measure : Measure
        The measure, as `cranfield.metrics.register` returns it.
    exempt : mapping of str to str, optional
        Laws that the measure does not keep, by name, each with the reason.
        `cranfield.testing.MEASURE_LAWS` lists the names.
    n_rankings : int, default 40
        The number of random rankings.

    Raises
    ------
    AssertionError
        If the measure breaks a law, with the measure, the law and the ranking;
        or if it keeps a law from which it is exempt.
    ValueError
        If the measure scores answers instead of rankings, or `exempt` names an
        unknown law.

    Examples
    --------
    >>> from cranfield.metrics import AP
    >>> check_measure(AP)
    >>> from cranfield.metrics import RBP
    >>> check_measure(RBP)
    Traceback (most recent call last):
    ...
    AssertionError: RBP breaks the law perfect_ranking: 0.488 for three of three documents of grade 3; expected 1
    """
    if measure.of != "rankings":
        raise ValueError(f"{measure} scores {measure.of}; check_measure checks measures of rankings")
    variants, rankings = [*variants_of(measure)], judged_rankings(n_rankings)
    laws = {name: partial(check_law, name, variants, rankings) for name in MEASURE_LAWS}
    run_checks(str(measure), laws, exempt or {})


def variants_of(measure: Measure) -> Iterator[Measure]:
    """Yield the measure with its defaults, then with another value of each option that it has."""
    at = {"recall": 0.3, "mult": 1.0}.get(measure.at, CUTOFF)
    complete = measure.set(**{measure.at: at}) if REQUIRED in measure.options.values() else measure
    changes = ({}, *(values for values in OPTION_VALUES if set(values) <= set(measure.defaults)))
    yield from dict.fromkeys(complete.set(**values) for values in changes)


def judged_rankings(n: int, seed: int = 1) -> list[JudgedRanking]:
    """Return the edge cases and `n` random rankings of up to 9 documents."""
    random = np.random.default_rng(seed)

    def draw(grades: Sequence[Grade], longest: int) -> tuple[Any, ...]:
        return tuple(grades[number] for number in random.integers(len(grades), size=random.integers(longest + 1)))

    drawn = (JudgedRanking(draw((None, -1, 0, 0, 1, 2, 3), 9), draw((-1, 0, 1, 2, 3), 4)) for _ in range(n))
    return [*EDGE_CASES, *drawn]


def add_strata_and_subtopics(judged: Judged) -> Judged:
    """Return the batch with one stratum; a document of grade g covers the first g subtopics."""
    times = np.maximum(judged.qrels_grade, 0)
    judgment = np.repeat(np.arange(len(times)), times)
    subtopic = np.arange(len(judgment)) - np.repeat(np.cumsum(times) - times, times)
    names = np.array([str(number) for number in range(int(times.max(initial=0)))], dtype=object)
    return replace(
        judged,
        qrels_stratum=np.zeros_like(judged.qrels_grade),
        subtopics=Subtopics(judgment, subtopic, judged.qrels_grade[judgment], names),
    )


@lru_cache(maxsize=2048)
def judged_batch(ranking: JudgedRanking) -> Judged:
    """Return the ranking as a batch of one."""
    return add_strata_and_subtopics(example(ranking.grades, ranking.not_retrieved))


def score_ranking(measure: Measure, ranking: JudgedRanking) -> float:
    """Return the score of one ranking."""
    scores = np.asarray(measure.scores(judged_batch(ranking)))
    assert scores.shape == (1,), f"{scores.shape} scores for one ranking; expected one"
    return float(scores[0])


def is_close(value: float, reference: float, tolerance: float = TOLERANCE) -> bool:
    """Whether two scores are equal but for rounding, or both undefined."""
    return bool(np.isclose(value, reference, rtol=0, atol=tolerance, equal_nan=True))


def check_range(measure: Measure, ranking: JudgedRanking) -> None:
    """Check that the score is in the measure's range."""
    low, high = measure.range
    value = score_ranking(measure, ranking)
    assert np.isnan(value) or low <= value <= high + TOLERANCE, f"{value} is not in {low} to {high} for {ranking}"


def check_defined(measure: Measure, ranking: JudgedRanking) -> None:
    """Check that the score is a number."""
    assert not np.isnan(score_ranking(measure, ranking)), f"NaN for {ranking}"


def check_empty_ranking(measure: Measure, ranking: JudgedRanking) -> None:
    """Check that a ranking without documents scores 0."""
    empty = JudgedRanking((), tuple(grade for grade in (*ranking.grades, *ranking.not_retrieved) if grade is not None))
    value = score_ranking(measure, empty)
    assert value == 0, f"{value} for {empty}; expected 0"


def check_no_relevant(measure: Measure, ranking: JudgedRanking) -> None:
    """Check that a ranking of a topic without relevant documents scores 0."""
    grades = tuple(grade if grade is None or grade < 0 else 0 for grade in ranking.grades)
    without = JudgedRanking(grades, (0,))
    value = score_ranking(measure, without)
    assert not grades or value == 0, f"{value} for {without}; expected 0"


def check_perfect_ranking(measure: Measure, ranking: JudgedRanking) -> None:
    """Check that a ranking of all relevant documents of the highest grade scores 1."""
    value = score_ranking(measure, JudgedRanking((3,) * CUTOFF))
    assert abs(value - 1) < 1e-4, f"{value:g} for three of three documents of grade 3; expected 1"


def check_cutoff(measure: Measure, ranking: JudgedRanking) -> None:
    """Check that documents below the cutoff score as documents that were not retrieved."""
    if measure.options.get("cutoff") is None:
        return
    below = tuple(grade for grade in ranking.grades[CUTOFF:] if grade is not None)
    cut = JudgedRanking(ranking.grades[:CUTOFF], (*ranking.not_retrieved, *below))
    value, reference = score_ranking(measure, ranking), score_ranking(measure, cut)
    assert is_close(value, reference, 1e-15), f"{value} for {ranking}; expected {reference}, as for {cut}"


def check_better_first(measure: Measure, ranking: JudgedRanking) -> None:
    """Check that the score does not fall when the better of two neighbours moves up."""
    grades = [max(grade or 0, 0) for grade in ranking.grades]
    before = score_ranking(measure, JudgedRanking(tuple(grades), ranking.not_retrieved))
    for rank in range(len(grades) - 1):
        pair = sorted(grades[rank : rank + 2], reverse=True)
        better = JudgedRanking((*grades[:rank], *pair, *grades[rank + 2 :]), ranking.not_retrieved)
        after = score_ranking(measure, better)
        assert not after < before - TOLERANCE, f"{after} for {better}; expected at least {before}, as for {grades}"


def check_unjudged(measure: Measure, ranking: JudgedRanking) -> None:
    """Check that unjudged documents score as documents judged not relevant, unless the measure declares otherwise."""
    judged = judged_batch(ranking)
    fewer = judged.select_judgments(judged.qrels_grade > 0)
    value, reference = measure.scores(judged), measure.scores(fewer)
    assert measure.sees_nonrelevant or np.array_equal(value, reference, equal_nan=True), (
        f"{value} for {ranking}, {reference} with its nonrelevant documents unjudged; "
        "expected equal scores, or tells_unjudged=True"
    )


def check_judged_only(measure: Measure, ranking: JudgedRanking) -> None:
    """Check that judged_only scores the ranking without its unjudged documents."""
    judged = tuple(grade for grade in ranking.grades if grade is not None and grade >= 0)
    unjudged = tuple(grade for grade in ranking.grades if grade is not None and grade < 0)
    condensed = JudgedRanking(judged, (*unjudged, *ranking.not_retrieved))
    value, reference = score_ranking(measure.set(judged_only=True), ranking), score_ranking(measure, condensed)
    assert is_close(value, reference), f"{value} for {ranking}; expected {reference}, as for {condensed}"


def check_batch(measure: Measure, ranking: JudgedRanking) -> None:
    """Check that a batch scores as its rankings score one by one, with the collection's facts."""
    runs, qrels = _small_collection(ranking)
    batch = _join_dicts(runs, qrels)
    scores = measure.scores(batch).reshape(batch.shape)
    for run, tag in enumerate(batch.tags):
        for topic, qid in enumerate(batch.qids):
            single = _join_dicts({tag: {qid: runs[tag].get(qid, {})}}, {qid: qrels[qid]})
            alone = replace(single, highest_grade=batch.highest_grade, has_nonrelevant=batch.has_nonrelevant)
            value, reference = float(scores[run, topic]), float(measure.scores(alone)[0])
            assert is_close(value, reference), f"{value} for {tag} on {qid} in a batch; expected {reference}, as alone"


def check_names(measure: Measure, ranking: JudgedRanking) -> None:
    """Check that other ids of topics and documents change no score."""

    def rename(name: str) -> str:
        return "é" + name[::-1]

    runs, qrels = _small_collection(ranking)
    renamed = {
        tag: {rename(qid): _rename_documents_in_dict(docs, rename) for qid, docs in run.items()}
        for tag, run in runs.items()
    }
    before = _join_dicts(runs, qrels)
    after = _join_dicts(renamed, {rename(qid): _rename_documents_in_dict(docs, rename) for qid, docs in qrels.items()})
    order = [after.qids.index(rename(qid)) for qid in before.qids]
    value = measure.scores(after).reshape(after.shape)[:, order]
    reference = measure.scores(before).reshape(before.shape)
    assert np.allclose(value, reference, rtol=0, atol=TOLERANCE, equal_nan=True), (
        f"{value.tolist()} with other ids; expected {reference.tolist()}"
    )


def check_unchanged_input(measure: Measure, ranking: JudgedRanking) -> None:
    """Check that the measure changes no array of its input."""
    judged = judged_batch(ranking)
    arrays = {name: value.copy() for name, value in vars(judged).items() if isinstance(value, np.ndarray)}
    measure.scores(judged)
    for name, before in arrays.items():
        assert np.array_equal(before, vars(judged)[name]), f"it changes {name} of its input"


def check_subsets(measure: Measure, ranking: JudgedRanking) -> None:
    """Check that the fast function for subsets of judgments scores as the measure does on each subset."""
    if measure.under is None:
        return
    judged = judged_batch(ranking)
    count = len(judged.qrels_grade)
    subsets = np.array([np.arange(count) % 2 == 0, np.ones(count, bool), np.zeros(count, bool)])
    value = np.asarray(measure.scores_under(judged, subsets))
    for subset, scores in zip(subsets, value, strict=True):
        reference = measure.scores(judged.select_judgments(subset))
        assert np.allclose(scores, reference, rtol=0, atol=TOLERANCE, equal_nan=True), (
            f"{scores.tolist()} by `under` for {ranking} with judgments {subset.tolist()}; "
            f"expected {reference.tolist()}"
        )


def check_pickle(measure: Measure, ranking: JudgedRanking) -> None:
    """Check that the measure can be sent to another process."""
    try:
        copy = pickle.loads(pickle.dumps(measure))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise AssertionError(f"it cannot be pickled: {error}; define its function at the top of a module") from None
    assert copy == measure, f"{copy!r} after pickling; expected {measure!r}"


def check_explanation(measure: Measure, ranking: JudgedRanking) -> None:
    """Check that the measure has a description."""
    assert measure.description, "its function has no docstring; expected one that begins with a description"


MeasureLaw = Callable[[Measure, JudgedRanking], None]
MEASURE_LAWS: Mapping[str, MeasureLaw] = {
    "range": check_range,
    "defined": check_defined,
    "empty_ranking": check_empty_ranking,
    "no_relevant": check_no_relevant,
    "perfect_ranking": check_perfect_ranking,
    "cutoff": check_cutoff,
    "better_first": check_better_first,
    "unjudged": check_unjudged,
    "judged_only": check_judged_only,
    "batch": check_batch,
    "names": check_names,
    "unchanged_input": check_unchanged_input,
    "subsets": check_subsets,
    "pickle": check_pickle,
    "explanation": check_explanation,
}
TRIED_ON_FEW = ("batch", "names", "pickle", "explanation", "perfect_ranking")  # costly, or the ranking matters little


def check_law(name: str, variants: Sequence[Measure], rankings: Sequence[JudgedRanking]) -> None:
    """Check one law on each variant and ranking."""
    for ranking in EDGE_CASES[-3:] if name in TRIED_ON_FEW else rankings:
        for variant in variants:
            MEASURE_LAWS[name](variant, ranking)


Scores = dict[str, dict[str, dict[str, float]]]
Grades = dict[str, dict[str, int]]


def _small_collection(ranking: JudgedRanking) -> tuple[Scores, Grades]:
    """Three topics made from the ranking; one run answers all, one a part, one retrieves a topic nobody judged."""
    docnos = [f"d{rank}" for rank in range(len(ranking.grades))]
    scores = {docno: -float(rank) for rank, docno in enumerate(docnos)}
    reverse = {docno: float(rank) for rank, docno in enumerate(docnos)}
    missed = {f"m{number}": grade for number, grade in enumerate(ranking.not_retrieved)}
    judged = {docno: grade for docno, grade in zip(docnos, ranking.grades, strict=True) if grade is not None}
    qrels = {"1": {**judged, **missed}, "2": {"d0": 1, "z": 0}, "10": {"d1": 2, "d0": -1, "d2": 0}}
    qrels["1"] = qrels["1"] or {"z": 1}
    runs = {
        "a": {"1": scores, "2": scores, "10": reverse},
        "b": {"2": reverse, "3": scores},
        "c": {"1": reverse, "10": {"d1": 1.0}},
    }
    return runs, qrels


def _rename_documents_in_dict(documents: Mapping[str, Any], rename: Callable[[str], str]) -> dict[str, Any]:
    return {rename(docno): value for docno, value in documents.items()}


def _join_dicts(runs: Scores, qrels: Grades) -> Judged:
    return add_strata_and_subtopics(join_runs_and_qrels(as_runs(runs), as_qrels(qrels)))
