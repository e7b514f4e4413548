"""Arguments and options that several commands share, each defined once.

Options whose names come from tables of cranfield take several at once: `-m AP,P@10` is `-m AP -m P@10`. Names from
data (run tags, topics, assessors) may contain commas, so their options are repeated.
"""

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from cranfield.cli import completion
from cranfield.cli.common_options import ON_TOPICS, ONLY_READ, RUNS_AND_QRELS, SAFE_CSV, TEXTS, WIDE_TABLES
from cranfield.cli.tables import PLAIN, SEPARATED, Display, TableFormat, emit
from cranfield.errors import InputError
from cranfield.formats.text_tables import Row
from cranfield.options import shared
from cranfield.store.labelled_by import LabelledBy


def names(value: list[str] | None) -> list[str] | None:
    """Names, split at commas.

    >>> names(["bm25,lsa", "rm3"])
    ['bm25', 'lsa', 'rm3']
    """
    return value and [name.strip() for text in value for name in text.split(",")]


def drawable(path: Path | None) -> Path | None:
    """Refuse a file for a figure before anything is computed."""
    if path is None:
        return None
    from cranfield.plots.palette import check_drawable

    try:
        check_drawable(path)
    except InputError as error:
        raise typer.BadParameter(str(error)) from error
    return path


StorePath = Annotated[Path, typer.Argument(metavar="STORE", help="A store, such as track.db.")]
ReadStore = Annotated[StorePath, ONLY_READ]
SourcePaths = Annotated[
    list[Path],
    typer.Argument(metavar="SOURCE...", help="A store, or a qrels file followed by run files or folders of them."),
    RUNS_AND_QRELS,
    ONLY_READ,
    ON_TOPICS,
]
InputPaths = Annotated[
    list[Path], typer.Argument(metavar="PATH...", help="Files: plain, .gz, .xz, .zst, .bz2 or .lz4."), TEXTS
]
InputFormat = Annotated[
    str, typer.Option("--format", help="The files' format; detected from the content by default."), completion.FORMATS
]
Strict = Annotated[bool, typer.Option("--strict", help="Refuse documents and topics that the store does not have.")]
NormalizeIds = Annotated[
    bool,
    typer.Option("--normalize-ids", help="Match document and topic ids that differ only in zeros, case or blanks."),
]
Measures = Annotated[list[str] | None, shared.OF_MEASURES]
Teams = Annotated[Path | None, shared.OF_TEAMS]
Assessor = shared.Assessor
PoolNumber = shared.PoolNumber
Format = Annotated[
    TableFormat,
    typer.Option("--format", metavar="FORMAT", help="Output format: table, json, csv, tsv, markdown or latex."),
    WIDE_TABLES,
    SAFE_CSV,
]
Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="Write to this file instead of the standard output."),
]
Labels = Annotated[
    LabelledBy,
    typer.Option(help="Whose labels count (stores only); all: a model's label counts only where no person gave one."),
]
Plot = Annotated[
    Path | None,
    typer.Option("--plot", metavar="FILE", callback=drawable, help="Also draw a figure: .png, .svg or .pdf."),
]
Confidence = Annotated[float, typer.Option(min=0.01, max=0.9999, help="Confidence level of the intervals.")]
OnlyTopics = Annotated[
    list[str] | None,
    typer.Option("--topic", metavar="QID", help="Restrict to this topic; may be repeated."),
    completion.TOPICS,
]
RecipeName = Annotated[
    str, typer.Argument(metavar="NAME", help="A bundled recipe, or the path of your own recipe."), completion.RECIPES
]


PlainMode = Annotated[bool, typer.Option("--plain", help="Use line mode, for screen readers, pipes and scripts.")]
KeyFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help='Key bindings: a TOML file with lines such as undo = "z".')
]


class Printer(NamedTuple):
    """How a table is printed, and where to."""

    format: Format = TableFormat.table
    output: Output = None

    @property
    def for_people(self) -> bool:
        """Whether it is a table on the standard output, beside which there may be sentences."""
        return self.format is TableFormat.table and self.output is None

    @property
    def separated(self) -> bool:
        """Whether it is CSV or TSV."""
        return self.format in SEPARATED

    def emit(self, rows: Sequence[Row], *, title: str = "", document: object = None, display: Display = PLAIN) -> None:
        """Print a table, or write it to the file; `document` replaces the rows in JSON, `display` is for people."""
        emit(rows, self.format, self.output, title=title, document=document, display=display)


def full_screen(grades: Iterable[int]) -> bool:
    """Whether there is a terminal, and one digit for every grade."""
    known = os.environ.get("TERM", "") not in ("", "dumb", "unknown")
    terminal = known and all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
    return terminal and all(-9 <= grade <= 9 for grade in grades)


def run_terminal(terminal: Any) -> None:
    """Run the full screen to its end; what ended it otherwise is raised."""
    terminal.run(mouse=False)
    if terminal.failure:
        raise terminal.failure
    if terminal.status:
        raise typer.Exit(terminal.status)
