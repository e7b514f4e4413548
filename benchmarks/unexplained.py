"""`python -m benchmarks.unexplained QRELS TEAMS RUN...`: what the losses say where judged documents are unexplained.

Of the runs that were pooled, as TEAMS says, some are left out of what is given, at random, many times: what only they
brought is judged, but no run that is there explains it, and it stays whatever is left out. What the other runs then
seem to lose, each left out in turn, is compared with what they lose of the whole pool.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np

from cranfield.arrays import WhichTopics
from cranfield.arrays.rankings import Mask
from cranfield.call_view import CallView
from cranfield.metrics.reusability.leave_one_out import leave_one_out
from cranfield.metrics.reusability.results import Reusability
from cranfield.source import silent
from cranfield.store.reading import Reading
from cranfield.view import PlacesGiven, ReadSetting, View

MEASURES = ("AP", "nDCG@10", "P@10")
GIVEN = (0.9, 0.75, 0.6, 0.5, 0.4)  # shares of the runs


class Seeming(NamedTuple):
    """Of some of the runs: the share of judged documents that they do not explain, and seeming per true mean change."""

    unexplained: float
    times: Mapping[str, float]


def losses(source: View, tags: Sequence[str], depth: int, protected: Mask) -> Reusability:
    """What each of these runs loses if only they are known to have been pooled."""
    return leave_one_out(source.blocks, {tag: [tag] for tag in tags}, depth, measures=MEASURES, protected=protected)


def seeming(true: Reusability, part: Reusability) -> Seeming:
    """How many times what is true, of the runs that are given."""
    tags = {unit.unit for unit in part.units}
    real = replace(true, units=tuple(unit for unit in true.units if unit.unit in tags)).summary
    times = {name: one.mean_change_percent / real[name].mean_change_percent for name, one in part.summary.items()}
    return Seeming(part.pool.unexplained / (part.pool.judged + part.pool.unexplained), times)


def simulate(source: View, depth: int, protect: str, share: float, draws: int) -> list[Seeming]:
    """As many draws of this share of the pooled runs."""
    pooled = [tag for tag in source.runs.tags if source.run_info[tag].pooled]
    protected = source.qrels.sources[source.blocks.bare.qrels_row] == protect
    reusability, random = partial(losses, source, depth=depth, protected=protected), np.random.default_rng(0)
    true, size = reusability(pooled), round(share * len(pooled))
    return [seeming(true, reusability(random.permutation(pooled)[:size].tolist())) for _ in range(draws)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each share of runs that is given."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.unexplained", description=__doc__)
    parser.add_argument("qrels", type=Path)
    parser.add_argument("teams", type=Path)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--depth", type=int, default=7)
    parser.add_argument("--protect", default="0.5", help="the second column of judgments of another origin")
    parser.add_argument("--given", type=float, nargs="+", default=GIVEN, help="shares of the pooled runs")
    parser.add_argument("--draws", type=int, default=25)
    args = parser.parse_args(arguments)
    reading = Reading()
    places = PlacesGiven(reading.select_places([args.qrels, *args.runs]))
    source = CallView(places, ReadSetting(reading, silent, teams=args.teams), WhichTopics.all)
    print("runs given | unexplained |", " | ".join(MEASURES))
    for share in args.given:
        seemings = simulate(source, args.depth, args.protect, share, args.draws)
        times = " | ".join(f"{fmean(one.times[name] for one in seemings):.2f}" for name in MEASURES)
        print(f"{share:.0%} | {fmean(one.unexplained for one in seemings):.1%} | {times}", flush=True)


if __name__ == "__main__":
    main()
