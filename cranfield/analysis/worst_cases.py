"""The left-out runs that lose most: by ranks and by score, never by per cent of a score near 0."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import NamedTuple

from cranfield.formats.text_tables import cell
from cranfield.metrics.reusability.results import Reusability, ScoreChange


class Loss(NamedTuple):
    """What a run of a left-out unit loses."""

    unit: str
    change: ScoreChange

    @property
    def score(self) -> float:
        """How much lower its score is, in the measure's own unit."""
        return self.change.full - self.change.reduced

    @property
    def ranks(self) -> str:
        """Its ranks in words.

        >>> Loss("a", ScoreChange("a", "AP", 0.5, 0.25, 1, 3, 3)).ranks
        'from rank 1 to 3'
        """
        return f"from rank {self.change.full_rank} to {self.change.reduced_rank}"

    @property
    def scores(self) -> str:
        """Its scores in words.

        >>> Loss("a", ScoreChange("a", "AP", 0.5, 0.25, 1, 3, 3)).scores
        'from 0.5000 to 0.2500'
        """
        return f"from {cell(self.change.full)} to {cell(self.change.reduced)}"


def losses(found: Reusability, measure: str) -> list[Loss]:
    """Every left-out run whose score is defined with its unit and without."""
    every = [Loss(unit.unit, change) for unit in found.units for change in unit.changes if change.measure == measure]
    return [loss for loss in every if not isnan(loss.score)]


def by_ranks(found: Reusability, measure: str) -> list[Loss]:
    """The runs that drop, by ranks lost."""
    return most_ranks(losses(found, measure))


def by_score(found: Reusability, measure: str) -> list[Loss]:
    """The runs whose score falls, by the score lost."""
    return most_score(losses(found, measure))


def most_ranks(every: Sequence[Loss]) -> list[Loss]:
    """Those that drop, by ranks lost."""
    dropped = [loss for loss in every if loss.change.rank_drop > 0]
    return sorted(dropped, key=lambda loss: (-loss.change.rank_drop, -loss.score, loss.change.run))


def most_score(every: Sequence[Loss]) -> list[Loss]:
    """Those whose score falls, by the score lost."""
    fallen = [loss for loss in every if loss.score > 0]
    return sorted(fallen, key=lambda loss: (-loss.score, -loss.change.rank_drop, loss.change.run))
