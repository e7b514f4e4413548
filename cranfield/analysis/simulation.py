"""Replay of pooling methods on the judgments of a source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.analysis.reusability import contributors, depth_of, units
from cranfield.metrics.notation.parse import parse_all
from cranfield.pooling.simulate.simulate import simulate
from cranfield.progress_bar import progress_bar

if TYPE_CHECKING:
    from cranfield.pooling.simulate.replay import Trial
    from cranfield.pooling.simulate.results import Simulation
    from cranfield.source import Source


def simulated(
    source: Source,
    trials: list[Trial],
    sizes: tuple[int, ...],
    total: bool,
    by: str,
    measure: str,
    depth: int | None,
    batch: int,
    seed: int,
    workers: int,
) -> Simulation:
    """Replay the methods on the pool of a source; each run or team, as `by` says, is left out in turn."""
    who, depth = contributors(source), depth_of(source, depth)
    (asked,) = parse_all(measure, source.min_relevant)
    left_out, depths = units(source.about, who.runs, by), {tag: source.about[tag].depth for tag in who.runs}
    with progress_bar("replaying", len(trials) * (1 + len(left_out) * (len(left_out) > 1))) as advance:
        return simulate(
            source.runs, source.qrels, left_out, depth, trials, sizes, asked, depths, source.min_relevant, by,
            seed, batch, workers, advance, total,
        )  # fmt: skip
