"""How much a system that nobody has seen could lose: an upper bound by its unjudged share."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import UNJUDGED, Floats, Ints, Mask, is_judged
from cranfield.metrics.evaluate import aggregate_scores
from cranfield.metrics.forecast.draws import grade_type, score_labellings
from cranfield.metrics.forecast.training import Split
from cranfield.metrics.measure import Measure
from cranfield.metrics.reusability.judgment_subsets import score_with_contributions

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


def left_out_losses(
    judged: Judged, depth: int, splits: Sequence[Split], measures: Sequence[Measure], *, seed: int = 0
) -> LeftOutLosses:
    """Score the left-out runs of all splits with and without their own documents.

    Parameters
    ----------
    judged : Judged
        The pooled runs, joined with the judgments of their pool.
    depth : int
        The pool depth.
    splits : sequence of Split
        Which runs stay in the pool and which are left out, masks over the runs in ascending order of their names.
    measures : sequence of Measure
        The measures.
    seed : int, default 0
        Which units are scored where there are more than 1,500.

    Returns
    -------
    LeftOutLosses
        The losses.
    """
    order = sorted(range(len(judged.tags)), key=judged.tags.__getitem__)
    tags, judged = tuple(judged.tags[run] for run in order), replace(judged, qrels_stratum=None, subtopics=None)
    units = np.array([(number, run) for number, split in enumerate(splits) for run in np.flatnonzero(split.left)])
    units = units.reshape(-1, 2)
    if len(units) > MAX_UNITS:
        chosen = np.random.default_rng([seed, 4]).choice(len(units), MAX_UNITS, replace=False)
        units = units[np.sort(chosen)]
    split, run = units[np.argsort(units[:, 1], kind="stable")].T
    if not len(units):
        return LeftOutLosses(tuple(measures), run, tags, np.zeros(0), np.zeros((0, len(measures))))
    place = np.array(order)[run]  # of each unit's run in `judged`
    kept = np.empty((len(splits), len(order)), bool)
    kept[:, order] = [split.kept for split in splits]
    contributed = _depth_mask(judged, depth)
    parts, inside = _build_pools(judged, contributed, kept)
    retrieved = np.minimum(judged.retrieved, depth).reshape(judged.shape).sum(axis=1)
    share = 1 - inside[split, place] / np.maximum(retrieved[place], 1)
    pools = {"subsets": parts, "contributed": contributed, "subset": split, "run": place}
    scores = [_score_units(judged, measure, **pools) for measure in measures]
    before, after = (
        aggregate_scores(np.stack(units_by_measure, axis=-1), measures)
        for units_by_measure in zip(*scores, strict=True)
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        loss = np.asarray(np.where(after > 0, (after - before) / after, np.nan))
    return LeftOutLosses(tuple(measures), run, tags, share, loss)


def _depth_mask(judged: Judged, depth: int) -> Mask:
    """Whether each run has each judged document within the depth: (judgments, runs)."""
    within = np.zeros((len(judged.qrels_grade), len(judged.tags)), bool)
    rows = np.flatnonzero((judged.rank <= depth) & is_judged(judged.grade))
    within[judged.judgment[rows], judged.ranking[rows] // len(judged.qids)] = True
    return within


def _build_pools(judged: Judged, within: Mask, kept: Mask) -> tuple[Mask, Ints]:
    """The pool of the runs that each split keeps (splits, judgments), and its documents of each run (splits, runs)."""
    pools, inside = np.empty((len(kept), len(within)), bool), np.zeros(kept.shape, np.int64)
    stays = kept.astype(np.float32)
    for start, end in pairwise(np.searchsorted(judged.qrels_topic, np.arange(len(judged.qids) + 1))):
        has = within[start:end].astype(np.float32)
        pool = pools[:, start:end] = stays @ has.T > 0
        inside += (pool.astype(np.float32) @ has).astype(np.int64)
    return pools, inside


def _score_units(
    judged: Judged, measure: Measure, *, subsets: Mask, contributed: Mask, subset: Ints, run: Ints
) -> tuple[Floats, Floats]:
    """The scores of each unit under its pool, and with its own documents: (units, topics)."""
    if not measure.sees_nonrelevant:
        return score_with_contributions(
            judged, measure, subsets=subsets, contributed=contributed, subset=subset, run=run
        )
    before, after = np.empty((2, len(run), len(judged.qids)))
    given = judged.qrels_grade.astype(grade_type(judged.qrels_grade))
    for number in np.unique(run):
        units = np.flatnonzero(run == number)
        parts = subsets[subset[units]]
        worlds = np.concatenate([parts, parts | contributed[:, number]])
        grades = np.where(worlds, given, given.dtype.type(UNJUDGED))
        scores = score_labellings(judged.select_runs(np.array([number])), grades, [measure])[:, 0, :, 0]
        before[units], after[units] = np.split(scores, 2)
    return before, after


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
        losses_by_band = [
            _losses_in(losses, number, above, up_to) for above, up_to in zip(lower_ends, BANDS, strict=True)
        ]
        found += [
            LossBound(str(measure), above, up_to, len(values), bound)
            for above, up_to, values, bound in zip(
                lower_ends, BANDS, losses_by_band, _loss_bounds(losses_by_band), strict=True
            )
        ]
    return found


def _losses_in(losses: LeftOutLosses, number: int, above: float, up_to: float) -> Floats:
    inside = (losses.unjudged_share <= up_to) & ((losses.unjudged_share > above) | (above == 0))
    values = losses.loss[inside, number]
    return np.asarray(values[~np.isnan(values)])


def _loss_bounds(losses_by_band: Sequence[Floats]) -> list[float | None]:
    quantiles = [float(np.quantile(some, QUANTILE)) if len(some) >= MIN_LOSSES else None for some in losses_by_band]
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
