"""What left-out runs with as many unjudged documents lost: the closest there is to a forecast for a new run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Ints, Mask, is_judged
from cranfield.metrics.evaluate import mean
from cranfield.metrics.reusability.leave_one_out import PoolEntry, pool_entries
from cranfield.metrics.reusability.results import Reusability

NEAREST = 5


class SimilarRun(NamedTuple):
    """A pooled run left out: the unjudged share of its first k then, and its scores."""

    unit: str
    run: str
    unjudged: float
    full: float
    without: float

    @property
    def loss(self) -> float:
        """What it loses; negative if it gains."""
        return self.full - self.without


@dataclass(frozen=True)
class ExpectedLoss:
    """What the nearest left-out runs lost, by one measure."""

    measure: str
    k: int
    unjudged: float  # of the new run's first k
    most_unjudged: float  # of any left-out run
    nearest: tuple[SimilarRun, ...]

    @property
    def beyond(self) -> bool:
        """Does the new run have a clearly larger unjudged share than any left-out run?"""
        return self.unjudged > self.most_unjudged + 0.05

    @property
    def loss(self) -> float:
        """The mean loss."""
        return float(np.mean([run.loss for run in self.nearest]))

    @property
    def loss_percent(self) -> float:
        """The mean loss in per cent of the mean full score; NaN where that is 0."""
        full = float(np.mean([run.full for run in self.nearest]))
        return self.loss / full * 100 if full else np.nan


def entry_and_depth(judged: Judged, found: Reusability, protected: Mask | None = None) -> tuple[PoolEntry, int]:
    """How every judged document entered the pool of a leave-one-out, and the pool's depth."""
    units = {unit.unit: unit.runs for unit in found.units}
    depth = max(found.depth.values()) if isinstance(found.depth, Mapping) else found.depth
    return pool_entries(judged, units, found.depth, protected), depth


def unjudged_shares(judged: Judged, found: Reusability, unique: Ints, k: int) -> dict[str, float]:
    """Per pooled run the unjudged share of its first k documents if its unit is left out.

    `unique` has for each judgment the number of the unit that alone contributed it, -1 if there is none.
    """
    unit = np.full(len(judged.tags), -2)
    for number, left in enumerate(found.units):
        unit[[judged.tags.index(tag) for tag in left.runs]] = number
    seen = judged.judged(k)
    kept = is_judged(judged.grade) & judged.within(k)
    lost = unique[judged.judgment[kept]] == unit[seen.ranking // max(len(judged.qids), 1)]
    share = ratio(judged.sum(seen, ~lost), np.minimum(judged.retrieved, k), undefined=np.nan)
    open_share = 1 - mean(share.reshape(judged.shape))
    return {judged.tags[run]: float(open_share[run]) for run in np.flatnonzero(unit >= 0)}


def expected_loss(
    found: Reusability, measure: str, k: int, unjudged: float, shares: Mapping[str, float]
) -> ExpectedLoss | None:
    """The forecast from the nearest few; None where nothing was left out. Runs that retrieved nothing do not count.

    Leave-one-out gives for each pooled run its score with and without its unit's own documents, and the share of its
    first k documents that would have been unjudged. The runs whose share is nearest to the new run's show what such a
    share costs here. It misleads where the new run is of a different kind, and where its share exceeds that of any
    left-out run: then the forecast is too small.

    Source: leave-one-out as in Zobel, SIGIR 1998, related to the unjudged share as in Lu, Moffat and Culpepper,
    Information Retrieval Journal 19(4), 2016; the nearest few are this project's choice.
    """
    runs = [
        SimilarRun(unit.unit, change.run, shares[change.run], change.full, change.reduced)
        for unit in found.units
        for change in unit.changes
        if change.measure == measure and not np.isnan(change.full + change.reduced + shares[change.run])
    ]
    if not runs:
        return None
    nearest = sorted(runs, key=lambda run: (abs(run.unjudged - unjudged), run.run))[:NEAREST]
    return ExpectedLoss(measure, k, unjudged, max(run.unjudged for run in runs), tuple(nearest))
