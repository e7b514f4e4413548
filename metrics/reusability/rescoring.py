"""All runs scored again without the judgments that a left-out unit alone contributed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.metrics.correlation import kendall_tau, tau_ap
from cranfield.metrics.correlation.base import DIGITS
from cranfield.metrics.evaluate import aggregate
from cranfield.metrics.measure import Measure
from cranfield.metrics.reusability.flips import claims, flips
from cranfield.metrics.reusability.judgment_subsets import score_subsets
from cranfield.metrics.reusability.results import ScoreChange, UnitResult

Units = Mapping[str, Sequence[str]]


def score_without(
    judged: Judged, units: Units, lost: Sequence[Mask], measures: Sequence[Measure], rel: int = 1
) -> tuple[UnitResult, ...]:
    """What each unit would have lost; `lost` has for each a mask over the judgments that would be missing."""
    kept = ~np.stack([np.zeros(len(judged.qrels_grade), bool), *lost])  # no unit is left out of the first
    scores = score_subsets(judged, measures, lambda part: kept[:, part]).under(np.arange(len(kept)))
    names = [str(measure) for measure in measures]
    outcomes = (_outcome(names, *both) for both in zip(means(scores, measures), scores, strict=True))
    full = next(outcomes)
    return tuple(
        _unit(judged, name, tags, without, rel, full, reduced)
        for (name, tags), without, reduced in zip(units.items(), lost, outcomes, strict=True)
    )


def means(scores: Floats, measures: Sequence[Measure]) -> Floats:
    """The scores over topics, (..., runs, measures), without the last digits: rounding must not order what ties."""
    return np.round(aggregate(scores, measures), DIGITS)


class _Outcome(NamedTuple):
    """The outcome under some judgments, by measure: the runs' means, and which run is better than which."""

    means: Mapping[str, Floats]
    claims: Mapping[str, Ints]


def _outcome(measures: Sequence[str], mean: Floats, scores: Floats) -> _Outcome:
    """The outcome by means (runs, measures) and `scores` (runs, topics, measures)."""
    claimed = map(claims, np.moveaxis(scores, -1, 0))
    return _Outcome(dict(zip(measures, mean.T, strict=True)), dict(zip(measures, claimed, strict=True)))


def _unit(
    judged: Judged, name: str, tags: Sequence[str], lost: Mask, rel: int, full: _Outcome, reduced: _Outcome
) -> UnitResult:
    """What the unit that lost these judgments would have lost in score and rank."""
    pairs = {measure: (before, reduced.means[measure]) for measure, before in full.means.items()}
    return UnitResult(
        unit=name,
        runs=tuple(tags),
        unique=int(np.sum(lost & (judged.qrels_grade >= 0))),
        unique_relevant=int(np.sum(lost & (judged.qrels_grade >= rel))),
        tau={measure: kendall_tau(x, y) for measure, (x, y) in pairs.items()},
        tau_ap={measure: tau_ap(truth=x, estimate=y) for measure, (x, y) in pairs.items()},
        flips={measure: flips(claimed, reduced.claims[measure]) for measure, claimed in full.claims.items()},
        changes=own_changes(judged.tags, tags, pairs),
    )


def own_changes(
    tags: Sequence[str], own: Sequence[str], scores: Mapping[str, tuple[Floats, Floats]]
) -> tuple[ScoreChange, ...]:
    """How a unit's own runs change; `scores` are, by measure, those of all runs `tags` with the unit and without."""
    return tuple(_change(tag, measure, *both, tags.index(tag)) for tag in own for measure, both in scores.items())


def _change(tag: str, measure: str, before: Floats, after: Floats, run: int) -> ScoreChange:
    alone = before.copy()
    alone[run] = after[run]
    ranks = rank(before, run), rank(after, run), rank(alone, run)
    return ScoreChange(tag, measure, float(before[run]), float(after[run]), *ranks)


def rank(scores: Floats, run: int) -> int:
    """The rank of a run among all by their scores; tied runs share the better rank, an undefined score is last.

    >>> rank(np.array([0.2, 0.3, 0.2, np.nan]), 2), rank(np.array([0.2, 0.3, 0.2, np.nan]), 3)
    (2, 4)
    """
    above = ~np.isnan(scores) if np.isnan(scores[run]) else scores > scores[run]
    return int(np.count_nonzero(above)) + 1
