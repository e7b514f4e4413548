"""Outcomes of comparisons where documents are unjudged: significant, not decided, or due to unjudged documents."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from cranfield.arrays.join import meet
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints, Mask, Runs, Vocabulary
from cranfield.metrics.diagnosis.bounds import bounds
from cranfield.metrics.diagnosis.unjudged import labelled, levels, unjudged_ranks
from cranfield.metrics.forecast.draws import grade_type, score_worlds, with_pairs, world_grades
from cranfield.metrics.forecast.forecaster import Forecaster, unjudged_pairs
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.discounted_gain import DCG, IDCG
from cranfield.metrics.significance.pairs import Correction, Pairs, SignificanceTest, correct, p_values

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
    'the difference is not significant as judged, but is in 1% of 500 simulated labellings, and in the other direction \
in 17%'
    """
    same, other = outcome.share_higher, outcome.share_lower
    if difference < 0:
        same, other = other, same
    is_surprising = not outcome.significant_as_judged and outcome.outcome is Outcome.UNDECIDED
    significant = "not significant as judged, but is" if is_surprising else "significant"
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
        return np.asarray(correct(p, correction) <= alpha * (1 + ROUNDING))

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
    forecaster: Forecaster, runs: Runs, measure: Measure, a: Ints, b: Ints
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

    Returns
    -------
    tuple of arrays
        The least and the greatest differences (pairs, topics), and the scores as judged (runs, topics).
    """
    runs = runs.loaded
    scores = meet(runs, forecaster.qrels)
    judged = measure.scores(scores).reshape(scores.shape)
    low, high = np.empty((len(a), judged.shape[1])), np.empty((len(a), judged.shape[1]))
    for number, (first, second) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        pair = runs.select([runs.tags[first], runs.tags[second]])
        swapped = first > second
        ends = _pair_bounds(forecaster, pair, measure)
        alike = _alike_topics(pair, scores.qids, measure)
        ends = ends[0] * ~alike, ends[1] * ~alike
        low[number], high[number] = (-ends[1], -ends[0]) if swapped else ends
    return low, high, judged


def _alike_topics(runs: Runs, qids: tuple[str, ...], measure: Measure) -> Mask:
    """The topics on which two runs have the same documents in the same order down to the cutoff."""
    cutoff = measure.options.get("cutoff")
    rows = np.flatnonzero(runs.rank <= (cutoff if isinstance(cutoff, int) else np.inf))
    topic = runs.topics.translate(runs.topic[rows], Vocabulary(qids))
    rows, topic = rows[topic >= 0], topic[topic >= 0]
    order = np.lexsort((runs.run[rows], runs.rank[rows], topic))
    rows, topic = rows[order], topic[order]
    same = (topic[1:] == topic[:-1]) & (runs.rank[rows][1:] == runs.rank[rows][:-1])
    same &= runs.document[rows][1:] == runs.document[rows][:-1]
    return np.asarray(2 * np.bincount(topic[1:][same], minlength=len(qids)) == np.bincount(topic, minlength=len(qids)))


def score_bounds(forecaster: Forecaster, runs: Runs, measure: Measure, a: Ints, b: Ints) -> tuple[Floats, Floats]:
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

    Returns
    -------
    tuple of arrays (2, pairs, topics)
        The least and the greatest scores of the first runs, and of the second runs.
    """
    runs = runs.loaded
    ends_a, ends_b = list[tuple[Floats, Floats]](), list[tuple[Floats, Floats]]()
    for first, second in zip(a.tolist(), b.tolist(), strict=True):
        pair = runs.select([runs.tags[first], runs.tags[second]])
        ends = _bounds_of_both(forecaster, pair, measure)
        for number, one in enumerate(ends):
            (ends_a if (number == 0) == (first < second) else ends_b).append(one)
    return np.moveaxis(np.array(ends_a), 1, 0), np.moveaxis(np.array(ends_b), 1, 0)


class _OpenLabels(NamedTuple):
    """Runs with the judgments and their unjudged documents, the pair of each row of these qrels, and the pairs."""

    base: Judged
    pair_of_row: Ints
    n_pairs: int


def _open_labels(forecaster: Forecaster, runs: Runs) -> _OpenLabels:
    pairs = unjudged_pairs(forecaster, runs)
    extended = with_pairs(forecaster.qrels, pairs, runs)
    return _OpenLabels(meet(runs, extended.qrels), extended.pair_of_row, pairs.n_pairs)


def _bounds_of_both(forecaster: Forecaster, runs: Runs, measure: Measure) -> list[tuple[Floats, Floats]]:
    return _bounds_of_runs(_open_labels(forecaster, runs), measure)


def _bounds_of_runs(labels: _OpenLabels, measure: Measure) -> list[tuple[Floats, Floats]]:
    base, pair_of_row, _ = labels
    undecided = pair_of_row[base.qrels_row] >= 0
    return [_score_bounds(_single(base, run), undecided, measure) for run in (0, 1)]


def _pair_bounds(forecaster: Forecaster, runs: Runs, measure: Measure) -> tuple[Floats, Floats]:
    labels = _open_labels(forecaster, runs)
    if measure.difference == "sum" or (measure.difference == "sum of binary gains" and _is_binary(measure)):
        return _sum_bounds(labels.base, labels.pair_of_row, labels.n_pairs, measure)
    ends = _bounds_of_runs(labels, measure)
    low, high = ends[0][0] - ends[1][1], ends[0][1] - ends[1][0]
    if measure.name != "nDCG" or measure.options.get("judged_only"):
        return low, high
    least, greatest = _relative_bounds(labels.base, labels.pair_of_row, labels.n_pairs, measure)
    return np.maximum(low, least), np.minimum(high, greatest)


def _relative_bounds(base: Judged, pair_of_row: Ints, n_pairs: int, measure: Measure) -> tuple[Floats, Floats]:
    """Bounds of nDCG: those of the difference of DCG, in which a shared document has one label, over those of IDCG."""
    low, high = _sum_bounds(base, pair_of_row, n_pairs, DCG.set(**measure.options))
    grades = levels(base, measure)
    ends = [grades[0].item(), grades[-1].item()]
    labels = np.repeat(np.array(ends, grade_type(ends))[:, None], n_pairs, axis=1)
    ideals = score_worlds(base, world_grades(base, pair_of_row, labels), [IDCG.set(**measure.options)])[:, 0, :, 0]
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
    best = levels(base, measure)[-1].item()
    far = int(base.rank.max(initial=0)) + 1
    ranks = np.full((n_pairs, 2), far)
    pair = pair_of_row[base.qrels_row][base.judgment]
    rows = np.flatnonzero(pair >= 0)
    ranks[pair[rows], base.ranking[rows] // base.shape[1]] = base.rank[rows]
    first_gains = ranks[:, 0] < ranks[:, 1]
    labels = np.stack([~first_gains, first_gains]) * np.array(best, grade_type([best]))
    scores = score_worlds(base, world_grades(base, pair_of_row, labels), [measure])[..., 0]
    differences = scores[:, 0] - scores[:, 1]
    return differences.min(axis=0), differences.max(axis=0)


def _single(base: Judged, run: int) -> Judged:
    topics = base.shape[1]
    rows = base.rows(base.ranking // topics == run)
    retrieved = base.retrieved.reshape(base.shape)[run]
    return replace(rows, tags=(base.tags[run],), ranking=rows.ranking - run * topics, retrieved=retrieved)


def _score_bounds(run: Judged, undecided: Mask, measure: Measure) -> tuple[Floats, Floats]:
    """The least and the greatest score over labels of the undecided documents, retrieved or not."""
    decided = run.select_judgments(~undecided)
    others = unjudged_ranks(decided)
    mine = run.judgment[undecided[run.judgment]]
    open_ranks = set(zip(run.qrels_topic[mine].tolist(), run.rank[undecided[run.judgment]].tolist(), strict=True))
    is_open = np.array(
        [key in open_ranks for key in zip(others.ranking.tolist(), others.rank.tolist(), strict=True)], bool
    )
    closed = type(others)(others.ranking[~is_open], others.rank[~is_open])
    ends = bounds(labelled(decided, closed, np.zeros(len(closed.rank), np.int64)), measure)
    if ends is None:
        return np.full(run.shape[1], measure.range[0]), np.full(run.shape[1], measure.range[1])
    low, high = ends[0].copy(), ends[1]
    if measure.difference == "sum":  # documents that the run did not retrieve do not matter
        return low, high
    found = np.zeros(len(undecided), bool)
    found[mine] = True
    missed = np.bincount(run.qrels_topic[undecided & ~found], minlength=run.shape[1]) > 0
    low[missed] = np.minimum(low[missed], max(measure.range[0], 0.0))
    return low, high
