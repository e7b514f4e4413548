"""Comparisons of runs that may have unjudged documents: the outcome of each, and the means under each labelling."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask, Runs
from cranfield.metrics.forecast.draws import N_DRAWS, NO_LABELS, Labels, ScoreDraws, add_drawn_labels, score_draws
from cranfield.metrics.forecast.forecaster import Forecaster, fit_forecaster, unjudged_pairs
from cranfield.metrics.forecast.outcomes import (
    Outcome,
    PairOutcome,
    Test,
    decide_outcomes,
    decide_worst_case,
    difference_bounds,
    make_test,
    open_labels,
    score_bounds,
    worst_case,
)
from cranfield.metrics.measure import Measure
from cranfield.metrics.significance.pairs import Correction, SignificanceTest

N_RESAMPLED_DRAWS, N_RESAMPLES = 200, 1_000  # of a test that resamples, in each draw


@dataclass(frozen=True, eq=False)
class ComparisonSettings:
    """How a family of pairs is tested.

    Parameters
    ----------
    test : SignificanceTest
        The test.
    correction : Correction
        The correction over the family.
    alpha : float, default 0.05
        The level.
    seed : int, default 0
        The seed of the resamples and of the draws.
    zeros : str, default "wilcox"
        How Wilcoxon's test treats topics without a difference.
    """

    test: SignificanceTest
    correction: Correction
    alpha: float = 0.05
    seed: int = 0
    zeros: str = "wilcox"


@dataclass(frozen=True, eq=False)
class Family:
    """The comparisons of a family by one measure, as judged.

    Parameters
    ----------
    measure : Measure
        The measure.
    a, b : array (pairs,)
        The two runs of each pair.
    significant : array of bool (pairs,)
        Whether each difference is significant as judged, after correction.
    """

    measure: Measure
    a: Ints
    b: Ints
    significant: Mask


@dataclass(frozen=True, eq=False)
class FamilyOutcomes:
    """The outcomes of a family, with the means that conditions look at.

    Parameters
    ----------
    outcomes : list of PairOutcome
        The outcome of each pair.
    mean_a, mean_b : array (labellings, pairs)
        The means of the two runs under each labelling, over the topics on which both have a score. Without draws: the
        least and the greatest mean of each run, two rows.
    loses : array of float (pairs,)
        The share of draws in which the first run is significantly worse. Without draws 1 if it is under all labels, 0
        if it is under none, otherwise NaN.
    differences : array (labellings, pairs)
        The mean differences under each labelling; without draws the least and the greatest, two rows.
    closed : array of bool (pairs,)
        Whether all documents that count for the pair are judged, so that it is decided as judged.
    """

    outcomes: list[PairOutcome]
    mean_a: Floats
    mean_b: Floats
    loses: Floats
    differences: Floats
    closed: Mask

    @property
    def has_draws(self) -> bool:
        """Whether labels were simulated; otherwise worst-case bounds decide."""
        return any(outcome.n_draws for outcome in self.outcomes)


def compare_under_labels(
    forecaster: Forecaster,
    runs: Runs,
    families: Sequence[Family],
    settings: ComparisonSettings,
    *,
    topics: Sequence[str] | None = None,
    labels: Labels = NO_LABELS,
) -> list[FamilyOutcomes]:
    """Decide the comparisons of families under labels of the runs' unjudged documents.

    With a model the labels are simulated; without one, worst-case bounds decide. A test of all runs at once has no
    worst-case bounds: its differences are not decided as soon as a run has unjudged documents.

    Parameters
    ----------
    forecaster : Forecaster
        The model, or the judgments and the depth if there is no model.
    runs : Runs
        The compared runs.
    families : sequence of Family
        The comparisons by each measure.
    settings : ComparisonSettings
        The test, its correction and its level.
    topics : sequence of str, optional
        The topics that count; all judged topics by default.
    labels : mapping, optional
        Per run, the grades of randomly drawn unjudged documents by (topic, document).

    Returns
    -------
    list of FamilyOutcomes
        The outcomes of each family.
    """
    if forecaster.model is None:
        forecaster = forecaster_with_labels(forecaster, runs, labels)
        return [_worst_case_of(forecaster, runs, family, settings, topics) for family in families]
    n_draws = N_RESAMPLED_DRAWS if settings.test.resamples else N_DRAWS
    measures = [family.measure for family in families]
    scores = score_draws(forecaster, runs, measures, n_draws=n_draws, seed=settings.seed, labels=labels)
    columns = columns_of_topics(scores.qids, topics)
    return [_decided_by_draws(scores, number, columns, family, settings) for number, family in enumerate(families)]


def forecaster_with_labels(forecaster: Forecaster, runs: Runs, labels: Labels) -> Forecaster:
    """Add drawn labels to the judgments of a forecaster without a model, so that worst-case bounds keep them.

    Parameters
    ----------
    forecaster : Forecaster
        The judgments and the depth.
    runs : Runs
        The runs in question.
    labels : mapping
        Per run, the grades of randomly drawn unjudged documents by (topic, document).

    Returns
    -------
    Forecaster
        The same, with more judgments.
    """
    if not any(labels.values()):
        return forecaster
    runs = runs.loaded
    qrels = add_drawn_labels(forecaster.qrels, unjudged_pairs(forecaster, runs), runs, labels)
    again = fit_forecaster(runs.select([]), qrels, forecaster.depth, rel=forecaster.rel)
    return replace(again, reasons=forecaster.reasons)


def columns_of_topics(qids: Sequence[str], topics: Sequence[str] | None) -> Ints:
    """Return the places of topics among those of scores.

    Parameters
    ----------
    qids : sequence of str
        The topics of the scores.
    topics : sequence of str or None
        The topics that count; None for all.

    Returns
    -------
    array of int
        Their places.

    Examples
    --------
    >>> columns_of_topics(["1", "2", "3"], ["1", "3"])
    array([0, 2])
    """
    if topics is None:
        return np.arange(len(qids))
    wanted = set(topics)
    return np.array([number for number, qid in enumerate(qids) if qid in wanted], np.int64)


def _decided_by_draws(
    scores: ScoreDraws, number: int, columns: Ints, family: Family, settings: ComparisonSettings
) -> FamilyOutcomes:
    judged, draws = scores.judged[:, columns, number], scores.draws[:, :, columns, number]
    a, b = family.a, family.b
    test = _family_test(settings, a, b)
    outcomes = decide_outcomes(judged, draws, a, b, test, significant=family.significant)
    both = ~np.isnan(draws[:, a]) & ~np.isnan(draws[:, b])
    mean_a, mean_b = (_mean_where(draws[:, runs], both) for runs in (a, b))
    loses = np.array([outcome.share_lower for outcome in outcomes])
    return FamilyOutcomes(outcomes, mean_a, mean_b, loses, mean_a - mean_b, np.zeros(len(a), bool))


def _mean_where(values: Floats, defined: Mask) -> Floats:
    count = defined.sum(axis=-1)
    total = np.where(defined, values, 0.0).sum(axis=-1)
    return np.asarray(np.where(count, total / np.maximum(count, 1), np.nan))


def _worst_case_of(
    forecaster: Forecaster, runs: Runs, family: Family, settings: ComparisonSettings, topics: Sequence[str] | None
) -> FamilyOutcomes:
    a, b, measure = family.a, family.b, family.measure
    columns = columns_of_topics(forecaster.pool.pairs.qids, topics)
    labels = open_labels(forecaster, runs, measure)
    ends_a, ends_b = (ends[..., columns] for ends in score_bounds(forecaster, runs, measure, a, b, labels=labels))
    bounds = difference_bounds(forecaster, runs, measure, a, b, labels=labels)
    low, high, judged = (values[:, columns] for values in bounds)
    undefined = np.isnan(judged[a]) | np.isnan(judged[b])
    low, high = (np.where(undefined, np.nan, ends) for ends in (low, high))
    if settings.test.whole:
        has_unjudged = bool(len(unjudged_pairs(forecaster, runs).run))
        found = list[PairOutcome]()
        for pair, before in enumerate(family.significant.tolist()):
            decided = Outcome.SIGNIFICANT if before else Outcome.NOT_SIGNIFICANT
            least, greatest = (float(_mean_where(one[pair], ~np.isnan(one[pair]))) for one in (low, high))
            outcome = Outcome.UNDECIDED if has_unjudged else decided
            found.append(PairOutcome(outcome, before, np.nan, np.nan, least, greatest, 0))
        loses = np.array([_loss_share(outcome) for outcome in found])
    else:
        case = worst_case(low, high, test=lambda scores, first, second: _family_test(settings, first, second)(scores))
        found = decide_worst_case(case, family.significant)
        always = case.stands & (case.high < 0)
        loses = np.where(always, 1.0, np.where(case.can_be_lower, np.nan, 0.0))
        unmoved = ~case.moves
        as_judged = family.significant & (case.low < 0)
        loses = np.where(unmoved, as_judged, np.where(as_judged & ~always, np.nan, loses))
    means = [np.stack([_mean_where(end, ~undefined) for end in ends]) for ends in (ends_a, ends_b)]
    differences = np.stack([_mean_where(one, ~undefined) for one in (low, high)])
    return FamilyOutcomes(found, means[0], means[1], loses, differences, np.zeros(len(a), bool))


def _family_test(settings: ComparisonSettings, a: Ints, b: Ints) -> Test:
    return make_test(
        settings.test, settings.correction, a, b,
        alpha=settings.alpha, samples=N_RESAMPLES, seed=settings.seed, zeros=settings.zeros,
    )  # fmt: skip


def _loss_share(outcome: PairOutcome) -> float:
    if outcome.outcome == Outcome.UNDECIDED:
        return np.nan
    return float(outcome.outcome == Outcome.SIGNIFICANT and outcome.high < 0)


def keep_judged_pairs(found: FamilyOutcomes, family: Family, difference: Floats, closed: Mask) -> FamilyOutcomes:
    """Return outcomes in which pairs of fully judged runs are decided as judged.

    Parameters
    ----------
    found : FamilyOutcomes
        The outcomes.
    family : Family
        The comparisons as judged.
    difference : array (pairs,)
        The mean differences as judged.
    closed : array of bool (pairs,)
        Whether both runs have no unjudged document within the cutoff and the depth.

    Returns
    -------
    FamilyOutcomes
        The same, where `closed` pairs have the outcome as judged.
    """
    outcomes = [
        fully_judged_outcome(bool(family.significant[pair]), float(difference[pair])) if closed[pair] else outcome
        for pair, outcome in enumerate(found.outcomes)
    ]
    loses = np.where(closed, family.significant & (difference < 0), found.loses)
    return replace(found, outcomes=outcomes, loses=loses, closed=closed)


def fully_judged_outcome(significant: bool, difference: float) -> PairOutcome:
    """Return the outcome of a pair whose documents are all judged.

    Parameters
    ----------
    significant : bool
        Whether the difference is significant.
    difference : float
        The mean difference.

    Returns
    -------
    PairOutcome
        The outcome; no labelling changes it.

    Examples
    --------
    >>> fully_judged_outcome(True, -0.2).outcome
    <Outcome.SIGNIFICANT: 'significant'>
    """
    outcome = Outcome.SIGNIFICANT if significant else Outcome.NOT_SIGNIFICANT
    higher, lower = float(significant and difference > 0), float(significant and difference < 0)
    return PairOutcome(outcome, significant, higher, lower, difference, difference, 0)
