"""Forecasts of scores: intervals for what a run would score if its first documents were judged as the pool's were."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.arrays.join import join_runs_with_common_topics
from cranfield.arrays.rankings import Floats, Qrels, Runs
from cranfield.metrics.diagnosis.bounds import mean_bounds
from cranfield.metrics.evaluate import aggregate_scores
from cranfield.metrics.forecast.draws import N_DRAWS, NO_LABELS, Labels, ScoreDraws, add_drawn_labels, score_draws
from cranfield.metrics.forecast.forecaster import Forecaster, unjudged_pairs
from cranfield.metrics.measure import Measure

WIDENED = 0.005  # of the score, on each side of an interval
TOO_WIDE = 0.5  # of the score: an interval at least this wide says that the score cannot be known


@dataclass(frozen=True)
class ScoreForecast:
    """The score of a run, and what it would be if its first `depth` documents were judged as the pool's were.

    Parameters
    ----------
    run, measure : str
        The run and the measure.
    as_judged : float
        The score with unjudged documents counted as not relevant.
    median, low, high : float
        The median and the 95% interval of the score, within its worst-case bounds; NaN where no model was fitted.
    lowest, highest : float
        The worst-case bounds over all labels of the run's own unjudged documents; NaN where they are not known, and
        where a model was fitted.
    unjudged_share : float
        The unjudged share of the documents that the run retrieved within the depth.
    n_unjudged, n_labels, n_draws : int
        The unjudged documents within the depth, those of them with a drawn label, and the simulated labellings.
    depth : int
        The depth d.
    reasons : tuple of str
        Why no model was fitted; empty where there is an interval.
    """

    run: str
    measure: str
    as_judged: float
    median: float
    low: float
    high: float
    lowest: float
    highest: float
    unjudged_share: float
    n_unjudged: int
    n_labels: int
    n_draws: int
    depth: int
    reasons: tuple[str, ...] = ()

    @property
    def is_fitted(self) -> bool:
        """Whether there is an interval."""
        return not self.reasons

    @property
    def is_too_wide(self) -> bool:
        """Whether the interval is wider than half of the median score."""
        return self.is_fitted and self.high - self.low > TOO_WIDE * abs(self.median)


def forecast_scores(
    forecaster: Forecaster,
    runs: Runs,
    measures: Sequence[Measure],
    *,
    n_draws: int = N_DRAWS,
    seed: int = 0,
    labels: Labels = NO_LABELS,
) -> list[ScoreForecast]:
    """Forecast the scores of runs that may not have helped to build the pool.

    Parameters
    ----------
    forecaster : Forecaster
        The fitted model.
    runs : Runs
        The runs in question.
    measures : sequence of Measure
        The measures.
    n_draws : int, default 500
        The number of simulated labellings.
    seed : int, default 0
        The seed.
    labels : mapping, optional
        Per run, the grades of randomly drawn unjudged documents by (topic, document).

    Returns
    -------
    list of ScoreForecast
        One for each run and measure.
    """
    return summarise_draws(
        score_draws(forecaster, runs, measures, n_draws=n_draws, seed=seed, labels=labels), forecaster, runs, labels
    )


def summarise_draws(
    scores: ScoreDraws, forecaster: Forecaster, runs: Runs, labels: Labels = NO_LABELS
) -> list[ScoreForecast]:
    """Return the forecasts that scores under simulated labels give.

    Parameters
    ----------
    scores : ScoreDraws
        The scores of these runs.
    forecaster : Forecaster
        The model that drew the labels.
    runs : Runs
        The runs in question.
    labels : mapping, optional
        The drawn labels that the scores are made with.

    Returns
    -------
    list of ScoreForecast
        One for each run and measure.
    """
    as_judged = aggregate_scores(scores.judged, scores.measures)
    low, median, high = interval_of_draws(mean_draws(scores))
    least, greatest = np.array([measure.range for measure in scores.measures]).reshape(-1, 2).T
    low, high = np.clip(low, least, greatest), np.clip(high, least, greatest)
    worst = np.array(worst_case_scores(forecaster, runs, scores.measures, labels)).reshape(*as_judged.shape, 2)
    if not scores.reasons:
        low, high = np.fmax(low, worst[..., 0]), np.fmin(high, worst[..., 1])
        worst = np.full_like(worst, np.nan)
    n_unjudged = np.bincount(scores.pairs.run, minlength=len(scores.tags))
    return [
        ScoreForecast(
            run=tag,
            measure=str(measure),
            as_judged=float(as_judged[run, number]),
            median=float(median[run, number]),
            low=float(low[run, number]),
            high=float(high[run, number]),
            lowest=float(worst[run, number, 0]),
            highest=float(worst[run, number, 1]),
            unjudged_share=float(scores.pairs.share[run]),
            n_unjudged=int(n_unjudged[run]),
            n_labels=int(scores.n_labels[run]),
            n_draws=len(scores.draws),
            depth=forecaster.depth,
            reasons=scores.reasons,
        )
        for run, tag in enumerate(scores.tags)
        for number, measure in enumerate(scores.measures)
    ]


def mean_draws(scores: ScoreDraws) -> Floats:
    """Return the scores over topics in each draw.

    Parameters
    ----------
    scores : ScoreDraws
        The scores of each topic.

    Returns
    -------
    array (draws, runs, measures)
        The scores over topics.
    """
    n_draws, n_runs, n_topics, n_measures = scores.draws.shape
    flat = scores.draws.reshape(n_draws * n_runs, n_topics, n_measures)
    return aggregate_scores(flat, scores.measures).reshape(n_draws, n_runs, n_measures)


def interval_of_draws(draws: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the lower end, the median and the upper end of the 95% interval, widened by 0.5% of the median.

    Where all draws agree, the interval is that score.

    Parameters
    ----------
    draws : array (draws, ...)
        The score in each draw.

    Returns
    -------
    tuple of arrays
        Low, median, high; NaN where there is no draw.

    Examples
    --------
    >>> low, median, high = interval_of_draws(np.linspace(0.0, 1.0, 101)[:, None])
    >>> low.round(4), median, high.round(4)
    (array([0.0225]), array([0.5]), array([0.9775]))
    """
    if not len(draws):
        undefined = np.full(draws.shape[1:], np.nan)
        return undefined, undefined, undefined
    low, median, high = np.quantile(draws, (0.025, 0.5, 0.975), axis=0)
    margin = np.where(np.ptp(draws, axis=0) > 0, WIDENED * np.abs(median), 0.0)
    return low - margin, median, high + margin


def worst_case_scores(
    forecaster: Forecaster, runs: Runs, measures: Sequence[Measure], labels: Labels = NO_LABELS
) -> list[list[tuple[float, float]]]:
    """Return the least and the greatest score under any labels of a run's own unjudged documents within the depth.

    Parameters
    ----------
    forecaster : Forecaster
        What has the judgments and the depth; it need not be fitted.
    runs : Runs
        The runs in question.
    measures : sequence of Measure
        The measures.
    labels : mapping, optional
        Drawn labels of the runs, which stay.

    Returns
    -------
    list of lists of (float, float)
        The bounds for each run and measure; NaN where they are not known.
    """
    pairs = unjudged_pairs(forecaster, runs)
    qrels: Qrels = add_drawn_labels(forecaster.qrels, pairs, runs.loaded, labels)
    judged = [join_runs_with_common_topics(runs.loaded.select([tag]), qrels) for tag in runs.tags]
    return [[mean_bounds(run, measure, forecaster.depth) for measure in measures] for run in judged]
