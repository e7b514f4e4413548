"""What analyses and imports take for rounds."""

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from cranfield.cli import completion
from cranfield.options import OneOf, Written
from cranfield.options.groups import SELECTION

ROUND_LABELS = ("residual", "own", "cumulative")  # which judgments count in a round
RoundName = Annotated[
    str | None,
    typer.Option(
        "--round",
        metavar="NAME",
        rich_help_panel=SELECTION,
        help="Only this round: its runs, topics and judgments (stores only).",
    ),
    completion.in_store("round"),
]


class RoundOptions(NamedTuple):
    """The round, which judgments count in it, and what plain files take instead."""

    round: RoundName = None
    judged: Annotated[
        str | None,
        typer.Option(
            "--judged",
            rich_help_panel=SELECTION,
            metavar="|".join(ROUND_LABELS),
            help="Of a round: residual, its own judgments, where what was judged earlier leaves the rankings (the"
            " default after the first); own, the same without that; cumulative, all judgments up to it.",
        ),
        OneOf("cranfield.features.rounds.options", "ROUND_LABELS"),
    ] = None
    remove_judged: Annotated[
        str | None,
        typer.Option(
            "--remove-judged",
            rich_help_panel=SELECTION,
            metavar="FILE",
            help="Of files: what was judged here earlier leaves rankings and judgments.",
        ),
    ] = None


class ImportQrels(NamedTuple):
    """The round that judgments are of, and what becomes of those that are known."""

    round: Annotated[
        str | None,
        typer.Option("--round", metavar="NAME", help="The round they are of; the open one by default."),
    ] = None
    cumulative: Annotated[
        bool,
        typer.Option("--cumulative", help="The files also have judgments that are known; those are left as they are."),
    ] = False
    rejudged: Annotated[
        bool,
        typer.Option("--rejudged", help="With --cumulative: a judgment with another grade replaces the known one."),
    ] = False


class ImportRound(NamedTuple):
    """The round that an import is of."""

    round: Annotated[
        str | None,
        typer.Option("--round", metavar="NAME", help="The round it is of; the open one by default."),
    ] = None


class WithdrawOptions(NamedTuple):
    """Who decides it."""

    by: Annotated[
        str | None,
        typer.Option(
            "--by", metavar="NAME", help="Who decides so, for the history: an assessor's name, which can be erased."
        ),
        completion.ASSESSORS,
    ] = None


class DeltaOptions(NamedTuple):
    """Whether to say only what would have to be judged, and where to; or to keep that as a pool of its own."""

    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Only show what would have to be judged: pairs, hours, bounds of the score."),
    ] = False
    delta: Annotated[
        bool, typer.Option("--delta", help="Also keep just what is to be judged as a pool, the one before the new one.")
    ] = False
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="With --dry-run: write the pairs to this file, as CSV."),
        Written(),
    ] = None
    format: Annotated[
        str | None,
        typer.Option("--format", metavar="FORMAT", help="With --dry-run: table, json, csv, tsv, markdown or latex."),
    ] = None
