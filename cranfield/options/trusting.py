"""The options of `cranfield reusability`, `depths`, `stability`, `diagnose` and `report`."""

from os import PathLike
from pathlib import Path
from typing import Annotated

from cranfield.options import Argument, Option, Rng, Written, seed_option

MEASURES = ("AP", "nDCG@10", "P@10")

Protect = Annotated[
    str | None,
    Option(
        "Column-2 value of judgments from outside the pool. These judgments are kept.",
        metavar="VALUE",
    ),
]


EveryDepth = Annotated[bool, Option("Show every depth, instead of a selection of 30.", "--all")]
RelevantOnly = Annotated[bool, Option("Remove only relevant unique documents, as older studies did, for comparison.")]


ComparedRun = Annotated[
    str | None,
    Option(
        "Run to compare the new run with, by a significance test on the judged and on simulated labels.",
        metavar="TAG", complete="run",
    ),
]  # fmt: skip
DrawOfNewRun = Annotated[
    str | PathLike[str] | None,
    Option(
        "File with this run's unjudged documents, written by --draw, with the grades filled in.", metavar="FILE",
        typed=Path | None,
    ),
]  # fmt: skip
SimulationSeed = Annotated[Rng, seed_option("Random seed for the simulated labels and the draw.", min=0)]


PageTitle = Annotated[str | None, Option("Heading of the page. [default: the collection's name]", metavar="TEXT")]
CardOnly = Annotated[bool, Option("Write only the reusability card, as is always done for OUT.md and OUT.json.")]
ReportFile = Annotated[
    str | PathLike[str],
    Argument("Output page. With .md or .json, only the reusability card is written.", metavar="OUT.html", typed=Path),
    Written(),
]
