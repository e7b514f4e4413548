"""Outcomes of comparisons where documents are unjudged: significant, not decided, or due to unjudged documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from cranfield.arrays.join import join_runs_with_common_topics
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints, Mask, Runs, Vocabulary
from cranfield.metrics.diagnosis.bounds import bounds
from cranfield.metrics.diagnosis.unjudged import UnjudgedRanks, assign_grades, grades_of_distinct_gain, unjudged_ranks
from cranfield.metrics.forecast.draws import add_unjudged_pairs, grade_type, grades_by_labelling, score_labellings
from cranfield.metrics.forecast.forecaster import Forecaster, unjudged_pairs
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.discounted_gain import DCG, IDCG
from cranfield.metrics.significance.pairs import Correction, Pairs, SignificanceTest, correct_p_values, p_values

HOLDS, FAILS = 0.9, 0.1  # shares of draws from which, and up to which, a finding is decided
ROUNDING = 1e-9
Test = Callable[[Floats], Mask]
"""A function from scores (runs, topics) to whether each pair of the family is significant, after correction."""


class Outcome(StrEnum):
    """The outcome of a comparison."""

    SIGNIFICANT = "significant"
    NOT_SIGNIFICANT = "not significant"
    UNDECIDED = "not decided: unjudged documents"
    UNJUDGED = "due to unjudged documents"
    UNCHECKED = "not checked: unjudged documents"  # of scores, which hold no judgments


@dataclass(frozen=True)
class PairOutcome:
    """The outcome of one comparison of a family.

    Parameters
    ----------
    outcome : Outcome
        The outcome by the rule for pairs.
    significant_as_judged : bool
        Whether the difference is significant as judged.
    share_higher, share_lower : float
        The share of draws in which the first run is significantly better, and worse; NaN without draws.
    low, high : float
        The 95% interval of the difference over the draws, or its worst-case bounds without draws.
    n_draws : int
        The number of draws.
    """

    outcome: Outcome
    significant_as_judged: bool
    share_higher: float
    share_lower: float
    low: float
    high: float
    n_draws: int

    @property
    def share(self) -> float:
        """The share of draws in which the difference is significant, in either direction."""
        return self.share_higher + self.share_lower


def share_text(share: float) -> str:
    """Return a share as a whole percentage, with a decimal where rounding would hide on which side of a limit it is.

    Examples
    --------
    >>> [share_text(share) for share in (0.43, 0.898, 0.9, 0.102, 0.1)]
    ['43%', '89.8%', '90%', '10.2%', '10%']
    """
    hides = any(round(share, 2) == limit and share != limit for limit in (FAILS, HOLDS))
    return f"{share:.1%}" if hides else f"{share:.0%}"


def state_share(outcome: PairOutcome, difference: float) -> str:
    """Say in how many simulated labellings a difference is significant.

    Parameters
    ----------
    outcome : PairOutcome
        The outcome, decided by draws.
    difference : float
        The mean difference as judged.

    Returns
    -------
    str
        A main clause without a full stop.

    Examples
    --------
    >>> state_share(PairOutcome(Outcome.UNDECIDED, True, 0.43, 0.0, -0.01, 0.1, 500), 0.05)
    'the difference is significant in 43% of 500 simulated labellings'
    >>> state_share(PairOutcome(Outcome.UNDECIDED, False, 0.01, 0.17, -0.1, 0.01, 500), 0.02)
    'the difference is not significant as judged, but significant in 1% of 500 simulated labellings, and in the other \
direction in 17%'
    """
    same, other = outcome.share_higher, outcome.share_lower
    if difference < 0:
        same, other = other, same
    is_surprising = not outcome.significant_as_judged and outcome.outcome is Outcome.UNDECIDED
    significant = "not significant as judged, but significant" if is_surprising else "significant"
    reverse = f", and in the other direction in {share_text(other)}" if round(other, 2) else ""
    return f"the difference is {significant} in {share_text(same)} of {outcome.n_draws} simulated labellings{reverse}"


def make_test(
    test: SignificanceTest,
    correction: Correction,
    a: Ints,
    b: Ints,
    *,
    alpha: float = 0.05,
    samples: int = 1_000,
    seed: int = 0,
    zeros: str = "wilcox",
) -> Test:
    """Return a function that tests a family of pairs, after correction.

    Parameters
    ----------
    test : SignificanceTest
        The test.
    correction : Correction
        The correction over the family.
    a, b : array (pairs,)
        The two runs of each pair.
    alpha : float, default 0.05
        The level.
    samples : int, default 1000
        The resamples of a test that resamples.
    seed : int, default 0
        The seed of these.
    zeros : str, default "wilcox"
        How Wilcoxon's test treats topics without a difference.

    Returns
    -------
    callable
        A function from scores (runs, topics) to a mask (pairs,).

    Examples
    --------
    >>> from cranfield.metrics.significance.pairs import CORRECTIONS
    >>> from cranfield.metrics.significance.tests import TESTS
    >>> family = make_test(TESTS["t"], CORRECTIONS["holm"], np.array([0]), np.array([1]))
    >>> family(np.array([[0.5, 0.6, 0.7, 0.9], [0.1, 0.1, 0.3, 0.4]])).tolist()
    [True]
    """

    def is_significant(scores: Floats) -> Mask:
        p = p_values(test, Pairs(scores, a, b, samples=samples, seed=seed, zeros=zeros))
        return np.asarray(correct_p_values(p, correction) <= alpha * (1 + ROUNDING))

    return is_significant


def decide_outcomes(
    judged: Floats, draws: Floats, a: Ints, b: Ints, test: Test, *, significant: Mask | None = None
) -> list[PairOutcome]:
    """Decide each comparison of a family by the rule for pairs.

    The test and its correction run anew in each draw, over the same family. A difference that is significant as judged
    stands if it is significant in the same direction in at least 0.9 of the draws; it is due to unjudged documents if
    in at most 0.1; otherwise it is not decided. A difference that is not significant as judged is not decided if it is
    significant in more than 0.1 of the draws.

    Parameters
    ----------
    judged : array (runs, topics)
        The scores as judged.
    draws : array (draws, runs, topics)
        The scores under each simulated labelling.
    a, b : array (pairs,)
        The two runs of each pair.
    test : callable
        A function from scores (runs, topics) to a mask (pairs,); `make_test` makes one.
    significant : array of bool (pairs,), optional
        Whether each difference is significant as judged, where a test with more resamples found it.

    Returns
    -------
    list of PairOutcome
        One for each pair.

    Examples
    --------
    >>> from cranfield.metrics.significance.pairs import CORRECTIONS
    >>> from cranfield.metrics.significance.tests import TESTS
    >>> judged = np.array([[0.5, 0.6, 0.7, 0.9], [0.1, 0.1, 0.3, 0.4]])
    >>> a, b = np.array([0]), np.array([1])
    >>> family = make_test(TESTS["t"], CORRECTIONS["holm"], a, b)
    >>> [pair] = decide_outcomes(judged, np.stack([judged, judged[::-1]] * 5), a, b, family)
    >>> pair.outcome, pair.share_higher, pair.share_lower
    (<Outcome.UNDECIDED: 'not decided: unjudged documents'>, 0.5, 0.5)
    """
    before = test(judged) if significant is None else significant
    direction = _mean_difference(judged, a, b)
    found = np.array([test(scores) for scores in draws]).reshape(len(draws), len(a))
    differences = np.array([_mean_difference(scores, a, b) for scores in draws]).reshape(len(draws), len(a))
    higher, lower = ((found & (sign * differences > 0)).mean(axis=0) for sign in (1, -1))
    low, high = np.quantile(differences, (0.025, 0.975), axis=0)
    return [
        PairOutcome(
            _outcome(bool(before[pair]), float(direction[pair]), float(higher[pair]), float(lower[pair])),
            bool(before[pair]), float(higher[pair]), float(lower[pair]), float(low[pair]), float(high[pair]),
            len(draws),
        )
        for pair in range(len(a))
    ]  # fmt: skip


def _mean_difference(scores: Floats, a: Ints, b: Ints) -> Floats:
    return _mean(scores[a] - scores[b])


def _outcome(before: bool, direction: float, higher: float, lower: float) -> Outcome:
    if before:
        share = higher if direction > 0 else lower
        if share >= HOLDS:
            return Outcome.SIGNIFICANT
        return Outcome.UNJUDGED if share <= FAILS else Outcome.UNDECIDED
    return Outcome.UNDECIDED if higher + lower > FAILS else Outcome.NOT_SIGNIFICANT


def decide_condition(holds: Mask) -> bool | None:
    """Decide a condition, such as one of a gate, from whether it holds in each draw.

    Parameters
    ----------
    holds : array of bool (draws,)
        Whether the condition holds in each draw.

    Returns
    -------
    bool or None
        True if it holds in at least 0.9 of the draws, False if in at most 0.1, otherwise None: undecided.

    Examples
    --------
    >>> decide_condition(np.array([True] * 9 + [False])), decide_condition(np.array([True, False]))
    (True, None)
    """
    share = float(np.mean(holds))
    return True if share >= HOLDS else False if share <= FAILS else None


@dataclass(frozen=True, eq=False)
class WorstCase:
    """Which differences of a family hold, and which are possible, under all labels of unjudged documents.

    Parameters
    ----------
    low, high : array (pairs,)
        The least and the greatest mean difference.
    moves : array of bool (pairs,)
        Whether labels can change the difference on any topic.
    stands : array of bool (pairs,)
        Whether the difference is significant, in the same direction, at its least and at its greatest.
    can_be_higher, can_be_lower : array of bool (pairs,)
        Whether the first run is significantly better, and worse, under some labels that were tried.
    """

    low: Floats
    high: Floats
    moves: Mask
    stands: Mask
    can_be_higher: Mask
    can_be_lower: Mask


N_LEVELS = 21  # levels between the least and the greatest difference that are tried
UNBOUNDED, MOST_TOPICS = 1e100, 1e9  # a finite bound for measures without one


def worst_case(low: Floats, high: Floats, *, test: Callable[[Floats, Ints, Ints], Mask]) -> WorstCase:
    """Test a family at the bounds of its differences, and at the most even differences between them.

    A mean difference is most significant where it varies least between topics. So the differences that are tried are
    those that come closest to the same level on all topics, for levels from the least difference to the greatest.

    Parameters
    ----------
    low, high : array (pairs, topics)
        The bounds of the differences, NaN where a run has no score.
    test : callable
        A function from scores (runs, topics) and the runs `a` and `b` of the pairs to whether each is significant.

    Returns
    -------
    WorstCase
        What holds, and what is possible.

    Examples
    --------
    >>> from cranfield.metrics.significance.pairs import CORRECTIONS
    >>> from cranfield.metrics.significance.tests import TESTS
    >>> def test(scores, a, b):
    ...     return make_test(TESTS["t"], CORRECTIONS["none"], a, b)(scores)
    >>> low = np.tile([[0.2, 0.3, 0.2, 0.4], [0.0, 0.0, 0.0, 0.0]], 2)
    >>> case = worst_case(low, low + 0.5, test=test)
    >>> case.stands, case.can_be_higher, case.can_be_lower
    (array([ True, False]), array([ True,  True]), array([False, False]))
    """
    n_pairs = len(low)
    low, high = (np.clip(ends, -UNBOUNDED, UNBOUNDED) for ends in (low, high))  # a test of infinities has no p
    first, second = np.arange(n_pairs), np.arange(n_pairs) + n_pairs
    least, greatest = (
        np.nan_to_num(function.reduce(ends, axis=1)) for function, ends in ((np.fmin, low), (np.fmax, high))
    )
    levels = [least * (1 - step) + greatest * step for step in np.linspace(0, 1, N_LEVELS)]
    tried = [low, high, *(np.clip(level[:, None], low, high) for level in levels)]
    found = np.array([test(np.concatenate([one, np.zeros_like(one)]), first, second) for one in tried])
    means = np.array([_mean(one) for one in tried])
    higher, lower = found & (means > 0), found & (means < 0)
    extremes = higher[:2].all(axis=0) | lower[:2].all(axis=0)
    moves = (np.nan_to_num(high - low) > ROUNDING).any(axis=1)
    masks = (np.asarray(mask, bool) for mask in (moves, extremes, higher.any(axis=0), lower.any(axis=0)))
    ends = [np.where(np.abs(mean) < UNBOUNDED / MOST_TOPICS, mean, np.copysign(np.inf, mean)) for mean in means[:2]]
    return WorstCase(ends[0], ends[1], *masks)


def _mean(values: Floats) -> Floats:
    defined = ~np.isnan(values)
    return np.asarray(np.where(defined, values, 0.0).sum(axis=1) / np.maximum(defined.sum(axis=1), 1))


def worst_case_outcomes(
    forecaster: Forecaster,
    runs: Runs,
    measure: Measure,
    a: Ints,
    b: Ints,
    *,
    test: Callable[[Floats, Ints, Ints], Mask],
) -> list[PairOutcome]:
    """Decide each comparison by worst-case bounds, where no model can be fitted.

    A difference that is significant as judged stands if it is significant, in the same direction, both at its least
    and at its greatest on every topic; otherwise it is not decided. A difference that is not significant as judged is
    not decided if some labels make it significant. `difference_bounds` has the extremes.

    Parameters
    ----------
    forecaster : Forecaster
        The forecaster without a model, which has the judgments and the depth.
    runs : Runs
        The runs in question.
    measure : Measure
        The measure.
    a, b : array (pairs,)
        The two runs of each pair.
    test : callable
        A function from scores (runs, topics) and the runs `a` and `b` of the pairs to whether each is significant.

    Returns
    -------
    list of PairOutcome
        One for each pair, with the bounds of its mean difference.
    """
    low, high, judged = difference_bounds(forecaster, runs, measure, a, b)
    return decide_worst_case(worst_case(low, high, test=test), test(judged, a, b))


def decide_worst_case(case: WorstCase, significant: Mask) -> list[PairOutcome]:
    """Decide each comparison of a family by its worst case.

    Parameters
    ----------
    case : WorstCase
        What holds, and what is possible.
    significant : array of bool (pairs,)
        Whether each difference is significant as judged.

    Returns
    -------
    list of PairOutcome
        One for each pair, with the bounds of its mean difference.
    """
    possible = case.can_be_higher | case.can_be_lower
    return [
        PairOutcome(
            _worst_outcome(bool(before), bool(case.moves[pair]), bool(case.stands[pair]), bool(possible[pair])),
            bool(before), np.nan, np.nan, float(case.low[pair]), float(case.high[pair]), 0,
        )
        for pair, before in enumerate(significant)
    ]  # fmt: skip


def _worst_outcome(before: bool, moves: bool, stands: bool, possible: bool) -> Outcome:
    if before:
        return Outcome.SIGNIFICANT if stands or not moves else Outcome.UNDECIDED
    return Outcome.UNDECIDED if moves and possible else Outcome.NOT_SIGNIFICANT


def difference_bounds(
    forecaster: Forecaster, runs: Runs, measure: Measure, a: Ints, b: Ints, *, labels: OpenLabels | None = None
) -> tuple[Floats, Floats, Floats]:
    """Bound the difference of each pair on each topic, over all labels of unjudged documents within the depth.

    Sums over documents (P, DCG, CG and binary RBP) have exact bounds: the least difference gives the best grade to the
    documents that count more for the second run, and the greatest to those that count more for the first. nDCG has
    these bounds of DCG divided by the least or the greatest ideal DCG, where they are narrower. Other measures have
    conservative bounds: the least score of the first run minus the greatest of the second, each over the labels of the
    documents of either run, whatever the other run would need. A document of the other run that a run did not retrieve
    can only lower that run's score, at most to 0. A measure without known bounds has its range.

    Parameters
    ----------
    forecaster : Forecaster
        What has the judgments and the depth; it need not be fitted.
    runs : Runs
        The runs in question.
    measure : Measure
        The measure.
    a, b : array (pairs,)
        The two runs of each pair.
    labels : OpenLabels, optional
        What `open_labels` returns for these, made once for both functions.

    Returns
    -------
    tuple of arrays
        The least and the greatest differences (pairs, topics), and the scores as judged (runs, topics).
    """
    runs = runs.loaded
    scores = join_runs_with_common_topics(runs, forecaster.qrels)
    judged = measure.scores(scores).reshape(scores.shape)
    labels = open_labels(forecaster, runs, measure) if labels is None else labels
    rankings = _ranking_numbers(runs, scores.qids, measure)
    low, high = np.empty((len(a), judged.shape[1])), np.empty((len(a), judged.shape[1]))
    for number, (first, second) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        ends = _pair_bounds(labels, min(first, second), max(first, second))
        differs = rankings[first] != rankings[second]
        ends = np.where(differs, ends[0], 0.0), np.where(differs, ends[1], 0.0)
        low[number], high[number] = (-ends[1], -ends[0]) if first > second else ends
    return low, high, judged


def _ranking_numbers(runs: Runs, qids: tuple[str, ...], measure: Measure) -> Ints:
    """Return a number for each run and topic, equal for the same documents in the same order down to the cutoff."""
    cutoff = measure.options.get("cutoff")
    rows = np.flatnonzero(runs.rank <= (cutoff if isinstance(cutoff, int) else np.inf))
    topic = runs.topics.translate(runs.topic[rows], Vocabulary(qids))
    rows, topic = rows[topic >= 0], topic[topic >= 0]
    order = np.lexsort((runs.rank[rows], runs.run[rows], topic))
    cell = (topic * len(runs.tags) + runs.run[rows])[order]
    documents = np.split(runs.document[rows][order], np.searchsorted(cell, np.arange(1, len(qids) * len(runs.tags))))
    numbers = np.empty((len(qids), len(runs.tags)), np.int64)
    for number in range(len(qids)):
        seen = dict[bytes, int]()
        for run, ranking in enumerate(documents[number * len(runs.tags) : (number + 1) * len(runs.tags)]):
            numbers[number, run] = seen.setdefault(ranking.tobytes(), len(seen))
    return numbers.T


def score_bounds(
    forecaster: Forecaster, runs: Runs, measure: Measure, a: Ints, b: Ints, *, labels: OpenLabels | None = None
) -> tuple[Floats, Floats]:
    """Bound the scores of the two runs of each pair on each topic, over all labels of either run's unjudged documents.

    Parameters
    ----------
    forecaster : Forecaster
        What has the judgments and the depth; it need not be fitted.
    runs : Runs
        The runs in question.
    measure : Measure
        The measure.
    a, b : array (pairs,)
        The two runs of each pair.
    labels : OpenLabels, optional
        What `open_labels` returns for these, made once for both functions.

    Returns
    -------
    tuple of arrays (2, pairs, topics)
        The least and the greatest scores of the first runs, and of the second runs.
    """
    labels = open_labels(forecaster, runs, measure) if labels is None else labels
    ends_a, ends_b = (
        [_score_bounds(labels, run, other) for run, other in zip(runs_of, others, strict=True)]
        for runs_of, others in ((a.tolist(), b.tolist()), (b.tolist(), a.tolist()))
    )
    return np.moveaxis(np.array(ends_a), 1, 0), np.moveaxis(np.array(ends_b), 1, 0)


@dataclass(frozen=True, eq=False)
class OpenLabels:
    """The unjudged documents of runs, ready to bound the scores of any two of them.

    Judgments of grade 0 are left out for a measure that takes them for unjudged documents.

    Parameters
    ----------
    base : Judged
        The runs, with the judgments and all unjudged documents within the depth.
    pair_of_row : array (rows,)
        The number of the unjudged document of each row of the qrels of `base`; -1 for a judgment.
    is_of_run : array of bool (runs, unjudged documents)
        Whether each run has the document within the depth.
    measure : Measure
        The measure.
    """

    base: Judged
    pair_of_row: Ints
    is_of_run: Mask
    measure: Measure

    @cached_property
    def topic_of_pair(self) -> Ints:
        """The topic of each unjudged document."""
        pair = self.pair_of_row[self.base.qrels_row]
        topic = np.empty(self.n_pairs, np.int64)
        topic[pair[pair >= 0]] = self.base.qrels_topic[pair >= 0]
        return topic

    @cached_property
    def runs(self) -> list[_OpenRun]:
        """Each run apart."""
        return [_open_run(self, run) for run in range(len(self.base.tags))]

    @property
    def n_pairs(self) -> int:
        """The number of unjudged documents."""
        return int(self.is_of_run.shape[1])

    def select_pair(self, first: int, second: int) -> Judged:
        """Return two runs with the judgments and the unjudged documents of either."""
        is_open = np.append(self.is_of_run[first] | self.is_of_run[second], True)  # the last is for -1: a judgment
        both = self.base.select_runs(np.array([first, second]))
        return both.select_judgments(is_open[self.pair_of_row[self.base.qrels_row]])


@dataclass(frozen=True, eq=False)
class _OpenRun:
    """A run with the judgments, its ranks of unjudged documents of any run, and the bounds that were found by topic."""

    decided: Judged
    ranks: UnjudgedRanks
    pair: Ints  # the unjudged document at each of these ranks
    is_retrieved: Mask  # per unjudged document
    found: dict[tuple[int, bytes], tuple[float, float]]


def open_labels(forecaster: Forecaster, runs: Runs, measure: Measure) -> OpenLabels:
    """Join runs with the judgments and with their unjudged documents within the depth.

    Parameters
    ----------
    forecaster : Forecaster
        What has the judgments and the depth; it need not be fitted.
    runs : Runs
        The runs in question.
    measure : Measure
        The measure whose scores are bounded.

    Returns
    -------
    OpenLabels
        What `difference_bounds` and `score_bounds` read.
    """
    runs = runs.loaded
    pairs = unjudged_pairs(forecaster, runs)
    extended = add_unjudged_pairs(forecaster.qrels, pairs, runs)
    base = join_runs_with_common_topics(runs, extended.qrels)
    if not measure.sees_nonrelevant:
        base = base.select_judgments((base.qrels_grade != 0) | (extended.pair_of_row[base.qrels_row] >= 0))
    is_of_run = np.zeros((len(runs.tags), pairs.n_pairs), bool)
    is_of_run[pairs.run, pairs.pair] = True
    return OpenLabels(base, extended.pair_of_row, is_of_run, measure)


def _open_run(labels: OpenLabels, run: int) -> _OpenRun:
    single = labels.base.select_runs(np.array([run]))
    pair = labels.pair_of_row[single.qrels_row]
    rows = np.flatnonzero(pair[single.judgment] >= 0)
    pair_of_rank = pair[single.judgment[rows]]
    is_retrieved = np.zeros(labels.n_pairs, bool)
    is_retrieved[pair_of_rank] = True
    ranks = UnjudgedRanks(single.ranking[rows], single.rank[rows])
    return _OpenRun(single.select_judgments(pair < 0), ranks, pair_of_rank, is_retrieved, {})


def _pair_bounds(labels: OpenLabels, first: int, second: int) -> tuple[Floats, Floats]:
    measure = labels.measure
    if measure.difference == "sum" or (measure.difference == "sum of binary gains" and _is_binary(measure)):
        return _sum_bounds(labels.select_pair(first, second), labels.pair_of_row, labels.n_pairs, measure)
    ends = _score_bounds(labels, first, second), _score_bounds(labels, second, first)
    low, high = ends[0][0] - ends[1][1], ends[0][1] - ends[1][0]
    if measure.name != "nDCG" or measure.options.get("judged_only"):
        return low, high
    pair = labels.select_pair(first, second)
    least, greatest = _ndcg_difference_bounds(pair, labels.pair_of_row, labels.n_pairs, measure)
    return np.maximum(low, least), np.minimum(high, greatest)


def _ndcg_difference_bounds(base: Judged, pair_of_row: Ints, n_pairs: int, measure: Measure) -> tuple[Floats, Floats]:
    """Bounds of nDCG: those of the difference of DCG, in which a shared document has one label, over those of IDCG."""
    low, high = _sum_bounds(base, pair_of_row, n_pairs, DCG.set(**measure.options))
    grades = grades_of_distinct_gain(base, measure)
    ends = [grades[0].item(), grades[-1].item()]
    labels = np.repeat(np.array(ends, grade_type(ends))[:, None], n_pairs, axis=1)
    ideals = score_labellings(base, grades_by_labelling(base, pair_of_row, labels), [IDCG.set(**measure.options)])[
        :, 0, :, 0
    ]
    least, greatest = ideals.min(axis=0), ideals.max(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = (
            np.where(end == 0, 0.0, end / np.where((end > 0) == is_high, least, greatest))
            for end, is_high in ((low, False), (high, True))
        )
    return low, high


def _is_binary(measure: Measure) -> bool:
    return measure.options.get("gains") == "binary"


def _sum_bounds(base: Judged, pair_of_row: Ints, n_pairs: int, measure: Measure) -> tuple[Floats, Floats]:
    """Each document is given the best grade where it counts more for one of the two runs."""
    best = grades_of_distinct_gain(base, measure)[-1].item()
    far = int(base.rank.max(initial=0)) + 1
    ranks = np.full((n_pairs, 2), far)
    pair = pair_of_row[base.qrels_row][base.judgment]
    rows = np.flatnonzero(pair >= 0)
    ranks[pair[rows], base.ranking[rows] // base.shape[1]] = base.rank[rows]
    first_gains = ranks[:, 0] < ranks[:, 1]
    labels = np.stack([~first_gains, first_gains]) * np.array(best, grade_type([best]))
    scores = score_labellings(base, grades_by_labelling(base, pair_of_row, labels), [measure])[..., 0]
    differences = scores[:, 0] - scores[:, 1]
    return differences.min(axis=0), differences.max(axis=0)


def _score_bounds(labels: OpenLabels, number: int, other: int) -> tuple[Floats, Floats]:
    """The least and the greatest score of a run over labels of its and the other's documents, retrieved or not."""
    run, measure, n_topics = labels.runs[number], labels.measure, len(labels.base.qids)
    is_open = labels.is_of_run[number] | labels.is_of_run[other]
    ranks = UnjudgedRanks(*(column[is_open[run.pair]] for column in run.ranks))
    is_residual = measure.extremes == "rank-biased" and _is_binary(measure) and measure.options.get("cutoff") is None
    find = _bounds_within if is_residual else _bounds_by_topic
    ends = find(run, ranks, measure)
    if ends is None:
        return np.full(n_topics, measure.range[0]), np.full(n_topics, measure.range[1])
    low, high = ends
    if measure.difference == "sum":  # documents that the run did not retrieve do not matter
        return low, high
    missed = np.bincount(labels.topic_of_pair[is_open & ~run.is_retrieved], minlength=n_topics) > 0
    return np.where(missed, np.minimum(low, max(measure.range[0], 0.0)), low), high


def _bounds_within(run: _OpenRun, ranks: UnjudgedRanks, measure: Measure) -> tuple[Floats, Floats] | None:
    others = unjudged_ranks(run.decided)
    size = int(others.rank.max(initial=0)) + 1
    closed = ~np.isin(others.ranking * size + others.rank, ranks.ranking * size + ranks.rank)
    zeros = np.zeros(np.count_nonzero(closed), np.int64)
    return bounds(assign_grades(run.decided, UnjudgedRanks(*(column[closed] for column in others)), zeros), measure)


def _bounds_by_topic(run: _OpenRun, ranks: UnjudgedRanks, measure: Measure) -> tuple[Floats, Floats] | None:
    """Bound the scores of topics whose unjudged ranks are new; those of the others were found."""
    if run.decided.qrels_grade.dtype.kind == "f":  # the grades of all topics decide which are possible in one
        return bounds(run.decided, measure, ranks)
    n_topics = len(run.decided.qids)
    ends = np.searchsorted(ranks.ranking, np.arange(n_topics + 1))
    keys = [(topic, ranks.rank[ends[topic] : ends[topic + 1]].tobytes()) for topic in range(n_topics)]
    new = np.array([topic for topic, key in enumerate(keys) if key not in run.found], np.int64)
    if len(new):
        rows = np.isin(ranks.ranking, new)
        limits = bounds(
            run.decided.select_topics(new),
            measure,
            UnjudgedRanks(np.searchsorted(new, ranks.ranking[rows]), ranks.rank[rows]),
        )
        if limits is None:
            return None
        run.found.update(
            zip([keys[topic] for topic in new], zip(*(end.tolist() for end in limits), strict=True), strict=True)
        )
    low, high = np.array([run.found[key] for key in keys]).reshape(-1, 2).T
    return low, high
