"""The options of `cranfield reusability`, `depths`, `stability`, `diagnose` and `report`."""

from os import PathLike
from pathlib import Path
from typing import Annotated

from cranfield.options import (
    Measures,
    Option,
    Options,
    PoolDepth,
    PoolNumber,
    PoolOptions,
    RankingOptions,
    RoundOptions,
    Teams,
    TeamsFile,
    TopicOptions,
    Units,
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


class CardOptions(Options):
    """How the page looks."""

    title: Annotated[
        str | None, Option("The heading of the page, instead of the collection's name.", metavar="TEXT")
    ] = None
    card_only: Annotated[bool, Option("Write only the reusability card, as OUT.md and OUT.json always do.")] = False


class WriteReportOptions(TopicOptions, RankingOptions, CardOptions, RoundOptions):
    """What a report is about."""

    by: Units = None
    depth: PoolDepth = None
    pool: PoolNumber = None
    measures: Measures = MEASURES
    teams: TeamsFile = None
    protect: Protect = None
