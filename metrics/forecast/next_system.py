"""How much a system that nobody has seen could lose: an upper bound by its unjudged share."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cranfield.arrays.join import Judgments, meet
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.metrics.evaluate import aggregate
from cranfield.metrics.forecast.draws import score_worlds
from cranfield.metrics.forecast.forecaster import Forecaster
from cranfield.metrics.measure import Measure

BANDS = (0.15, 0.3, 0.5, 1.0)  # upper ends of the bands of the unjudged share
QUANTILE, ADDED = 0.975, 0.005  # of the losses; what is added to the share of the score
FACTOR, LONE_FACTOR = 1.3, 2.5  # of the losses in the next band; of those in the band where the next is not tested
MIN_LOSSES = 20
MAX_UNITS = 1_500  # left-out runs that are scored; with more, a random part of them


@dataclass(frozen=True, eq=False)
class LeftOutLosses:
    """What left-out runs lose when their own documents are unjudged, as shares of their scores.

    Parameters
    ----------
    measures : tuple of Measure
        The measures.
    run : array (units,)
        The left-out run of each unit, an integer into `tags`.
    tags : tuple of str
        The pooled runs, ascending.
    unjudged_share : array (units,)
        The share of the run's documents within the depth that the pool of the kept runs does not hold.
    loss : array (units, measures)
        (true score - score under that pool) / true score; NaN where the true score is 0.
    """

    measures: tuple[Measure, ...]
    run: Ints
    tags: tuple[str, ...]
    unjudged_share: Floats
    loss: Floats


@dataclass(frozen=True)
class LossBound:
    """An upper bound of the loss of a new system whose unjudged share lies in a band.

    Parameters
    ----------
    measure : str
        The measure.
    above, up_to : float
        The band of the unjudged share.
    n_losses : int
        The left-out runs in the band.
    bound : float or None
        The largest loss to expect, as a share of the score, at least the bounds of bands of lower shares; None where
        fewer than 20 runs were tested, or where the record of such bounds is missing or too low.
    """

    measure: str
    above: float
    up_to: float
    n_losses: int
    bound: float | None


def left_out_losses(forecaster: Forecaster, measures: Sequence[Measure], *, seed: int = 0) -> LeftOutLosses:
    """Score the left-out runs of all splits with and without their own documents.

    Parameters
    ----------
    forecaster : Forecaster
        The pooled runs and their splits; it need not be fitted.
    measures : sequence of Measure
        The measures.
    seed : int, default 0
        Which units are scored where there are more than 1,500.

    Returns
    -------
    LeftOutLosses
        The losses.
    """
    pool = forecaster.pool
    units = np.array([(number, run) for number, split in enumerate(pool.splits) for run in np.flatnonzero(split.left)])
    units = units.reshape(-1, 2)
    if len(units) > MAX_UNITS:
        chosen = np.random.default_rng([seed, 4]).choice(len(units), MAX_UNITS, replace=False)
        units = units[np.sort(chosen)]
    units = units[np.argsort(units[:, 1], kind="stable")]
    split, run = units[:, 0], units[:, 1]
    retrieved = np.bincount(pool.top.run, minlength=len(pool.tags))
    inside = pool.sums.inside.sum(axis=2)[split, run] if len(units) else np.zeros(0)
    share = 1 - inside / np.maximum(retrieved[run], 1)
    judgments, runs = Judgments(forecaster.qrels), np.unique(run).tolist()
    losses = [_losses(forecaster, judgments, one, pool.parts[split[run == one]], measures) for one in runs]
    loss = np.concatenate(losses) if losses else np.zeros((0, len(measures)))
    return LeftOutLosses(tuple(measures), run, pool.tags, share, loss)


def _losses(
    forecaster: Forecaster, judgments: Judgments, number: int, parts: Mask, measures: Sequence[Measure]
) -> Floats:
    pool = forecaster.pool
    judged = meet(forecaster.runs.select([pool.tags[number]]), judgments)
    pair_of_row = np.full(len(forecaster.qrels), -1)
    pair_of_row[pool.pairs.row] = np.arange(len(pool.pairs.row))
    pair = pair_of_row[judged.qrels_row]
    worlds = np.concatenate([parts, parts | (pool.ranks[:, number] <= pool.depth)])[:, pair] & (pair >= 0)
    columns = [_means(judged, worlds, measure) for measure in measures]
    before, after = np.split(np.stack(columns, axis=-1), 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(after > 0, (after - before) / after, np.nan))


def _means(judged: Judged, worlds: Mask, measure: Measure) -> Floats:
    keep = np.ones(len(judged.qrels_grade), bool) if measure.sees_nonrelevant else judged.qrels_grade > 0
    fewer, some = judged.only(keep), worlds[:, keep]
    grades = np.where(some, fewer.qrels_grade, -1).astype(np.int16)
    return aggregate(score_worlds(replace(fewer), grades, [measure])[:, 0], [measure])[:, 0]


def loss_bounds(losses: LeftOutLosses) -> list[LossBound]:
    """Bound the loss of the next system by its unjudged share.

    The bound is the largest 97.5% quantile of the losses in a band, in the next one and in those of lower shares, times
    1.3, plus 0.5 percentage points. Where the next band is not tested, the factor is 2.5. A new system loses more than
    left-out runs with the same unjudged share, because its kind is not in the pool; the next band makes up for that.

    Parameters
    ----------
    losses : LeftOutLosses
        The losses of left-out runs.

    Returns
    -------
    list of LossBound
        One for each measure and band.

    Examples
    --------
    >>> from cranfield.metrics.notation import parse
    >>> run = np.zeros(25, np.int64)
    >>> some = LeftOutLosses((parse("AP"),), run, ("a",), np.full(25, 0.1), np.full((25, 1), 0.02))
    >>> [(bound.up_to, bound.bound and round(bound.bound, 3)) for bound in loss_bounds(some)]
    [(0.15, 0.055), (0.3, None), (0.5, None), (1.0, None)]
    """
    lower_ends = (0.0, *BANDS[:-1])
    found = list[LossBound]()
    for number, measure in enumerate(losses.measures):
        in_bands = [_losses_in(losses, number, above, up_to) for above, up_to in zip(lower_ends, BANDS, strict=True)]
        found += [
            LossBound(str(measure), above, up_to, len(values), bound)
            for above, up_to, values, bound in zip(lower_ends, BANDS, in_bands, _bounds(in_bands), strict=True)
        ]
    return found


def _losses_in(losses: LeftOutLosses, number: int, above: float, up_to: float) -> Floats:
    inside = (losses.unjudged_share <= up_to) & ((losses.unjudged_share > above) | (above == 0))
    values = losses.loss[inside, number]
    return np.asarray(values[~np.isnan(values)])


def _bounds(in_bands: Sequence[Floats]) -> list[float | None]:
    quantiles = [float(np.quantile(some, QUANTILE)) if len(some) >= MIN_LOSSES else None for some in in_bands]
    bounds = list[float | None]()
    loss, bound = 0.0, 0.0
    for quantile, following in zip(quantiles, [*quantiles[1:], None], strict=True):
        if quantile is None:
            bounds.append(None)
            continue
        loss = max(loss, quantile)
        scaled = loss * LONE_FACTOR if following is None else max(loss, following) * FACTOR
        bound = max(bound, scaled + ADDED)
        bounds.append(bound)
    return bounds
