"""All runs scored again without the judgments that a left-out unit alone contributed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np

from cranfield.arrays.blocks import JudgedBlocks, blocks_of
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints, Mask, is_judged
from cranfield.metrics.correlation import kendall_tau, tau_ap
from cranfield.metrics.correlation.base import DIGITS
from cranfield.metrics.evaluate import aggregate
from cranfield.metrics.measure import Measure
from cranfield.metrics.reusability.flips import Flips, claims, flips
from cranfield.metrics.reusability.judgment_subsets import Worlds, score_subsets
from cranfield.metrics.reusability.results import ScoreChange, UnitResult

Units = Mapping[str, Sequence[str]]


def score_without(
    judged: Judged | JudgedBlocks, units: Units, lost: Sequence[Mask], measures: Sequence[Measure], rel: int = 1
) -> tuple[UnitResult, ...]:
    """What each unit would have lost; `lost` has for each a mask over the judgments that would be missing."""
    bare = blocks_of(judged).bare
    kept = ~np.stack([np.zeros(len(bare.qrels_grade), bool), *lost])  # no unit is left out of the first
    scores = score_subsets(judged, measures, Worlds(kept)).under(np.arange(len(kept)))
    return results_of(bare, units, lost, scores, measures, rel)


def results_of(
    bare: Judged, units: Units, lost: Sequence[Mask], scores: Floats, measures: Sequence[Measure], rel: int = 1
) -> tuple[UnitResult, ...]:
    """What each unit loses, from the scores with all judgments and without each: (1 + units, runs, topics, measures).

    `bare` has the judgments that `lost` are of.
    """
    full, *reduced = _outcomes(measures, scores)
    shift = cache(_shift)
    return tuple(
        _unit(
            bare, name, tags, without, rel, {at: (full[at], outcome[at], shift(full[at], outcome[at])) for at in full}
        )
        for (name, tags), without, outcome in zip(units.items(), lost, reduced, strict=True)
    )


def means(scores: Floats, measures: Sequence[Measure]) -> Floats:
    """The scores over topics, (..., runs, measures), without the last digits: rounding must not order what ties."""
    return np.round(aggregate(scores, measures), DIGITS)


@dataclass(frozen=True, eq=False)
class _Outcome:
    """The outcome of all runs by one measure: their means, and their scores (runs, topics)."""

    means: Floats
    scores: Floats

    @cached_property
    def claims(self) -> Ints:
        """Which run is better than which."""
        return claims(self.scores)


class _Shift(NamedTuple):
    """How two outcomes by one measure differ."""

    tau: float
    tau_ap: float
    flips: Flips


def _outcomes(measures: Sequence[Measure], scores: Floats) -> Iterator[dict[str, _Outcome]]:
    """Each of the scores (runs, topics, measures), by measure; what is equal is the same object."""
    known: dict[tuple[str, bytes], _Outcome] = {}
    for mean, one in zip(means(scores, measures), scores, strict=True):
        columns = zip(map(str, measures), mean.T, np.moveaxis(one, -1, 0), strict=True)
        yield {name: known.setdefault((name, of.tobytes()), _Outcome(average, of)) for name, average, of in columns}


def _shift(full: _Outcome, reduced: _Outcome) -> _Shift:
    before, after = full.means, reduced.means
    return _Shift(kendall_tau(before, after), tau_ap(before, after), flips(full.claims, reduced.claims))


def _unit(
    judged: Judged,
    name: str,
    tags: Sequence[str],
    lost: Mask,
    rel: int,
    found: Mapping[str, tuple[_Outcome, _Outcome, _Shift]],
) -> UnitResult:
    """What the unit that lost these judgments would have lost in score and rank; `found` is by measure."""
    return UnitResult(
        unit=name,
        runs=tuple(tags),
        unique=int(np.count_nonzero(lost & is_judged(judged.qrels_grade))),
        unique_relevant=int(np.count_nonzero(lost & (judged.qrels_grade >= rel))),
        tau={measure: shift.tau for measure, (_, _, shift) in found.items()},
        tau_ap={measure: shift.tau_ap for measure, (_, _, shift) in found.items()},
        flips={measure: shift.flips for measure, (_, _, shift) in found.items()},
        changes=own_changes(
            judged.tags, tags, {at: (before.means, after.means) for at, (before, after, _) in found.items()}
        ),
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
