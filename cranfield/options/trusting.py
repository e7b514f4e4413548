"""The options of `cranfield reusability`, `depths`, `stability`, `diagnose` and `report`."""

from os import PathLike
from pathlib import Path
from typing import Annotated

from cranfield.options import Argument, Option, Written, seed_option
from cranfield.rng import Rng

MEASURES = ("AP", "nDCG@10", "P@10")

Protect = Annotated[
    str | None,
    Option(
        "Value in the qrels' second column of judgments that did not come from the pool; they are kept.",
        metavar="VALUE",
    ),
]


EveryDepth = Annotated[bool, Option("Show every depth, not a selection of 30.", "--all")]
RelevantOnly = Annotated[bool, Option("Remove only relevant unique documents, as older studies did, for comparison.")]


ComparedRun = Annotated[
    str | None,
    Option(
        "Test the difference between the new run and this one, as judged and under simulated labels.",
        metavar="TAG", complete="run",
    ),
]  # fmt: skip
DrawOfNewRun = Annotated[
    str | PathLike[str] | None,
    Option(
        "A random draw of this run's unjudged documents, as --draw writes it, with grades.", metavar="FILE",
        typed=Path | None,
    ),
]  # fmt: skip
SimulationSeed = Annotated[Rng, seed_option("Seed of the simulated labels and of the draw.", min=0)]


PageTitle = Annotated[str | None, Option("The heading of the page, instead of the collection's name.", metavar="TEXT")]
CardOnly = Annotated[bool, Option("Write only the reusability card, as OUT.md and OUT.json always do.")]
ReportFile = Annotated[
    str | PathLike[str],
    Argument("The page; with .md or .json, only the reusability card.", metavar="OUT.html", typed=Path),
    Written(),
]
