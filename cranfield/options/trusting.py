"""The options of `cranfield reusability`, `depths`, `stability`, `diagnose` and `report`."""

from os import PathLike
from pathlib import Path
from typing import Annotated

from cranfield.options import (
    Argument,
    Measures,
    Option,
    PoolDepth,
    PoolOptions,
    RankingOptions,
    RoundOptions,
    Teams,
    TopicOptions,
    Written,
)
from cranfield.options.draws import DrawOptions

MEASURES = ("AP", "nDCG@10", "P@10")

Protect = Annotated[
    str | None,
    Option(
        "Value in the qrels' second column of judgments that did not come from the pool; they are kept.",
        metavar="VALUE",
    ),
]


EveryDepth = Annotated[bool, Option("Show every depth, not a selection of 30.", "--all")]
RelevantOnly = Annotated[bool, Option("Remove only relevant unique documents, an older practice, for comparison.")]


class DiagnoseOptions(DrawOptions, TopicOptions, RankingOptions, PoolOptions, RoundOptions):
    """What is forecast of a new run, from which pool, and what is drawn of its unjudged documents."""

    measures: Measures = MEASURES
    depth: PoolDepth = None
    teams: Teams = None
    protect: Protect = None
    drawn: Annotated[
        str | PathLike[str] | None,
        Option(
            "A random draw of this run's unjudged documents, as --draw writes it, with grades.",
            metavar="FILE",
            typed=Path | None,
        ),
    ] = None
    seed: Annotated[int, Option("Seed of the simulated labels and of the draw.", min=0)] = 0


PageTitle = Annotated[str | None, Option("The heading of the page, instead of the collection's name.", metavar="TEXT")]
CardOnly = Annotated[bool, Option("Write only the reusability card, as OUT.md and OUT.json always do.")]
ReportFile = Annotated[
    str | PathLike[str],
    Argument("The page; with .md or .json, only the reusability card.", metavar="OUT.html", typed=Path),
    Written(),
]
