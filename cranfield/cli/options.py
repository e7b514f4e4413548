"""Arguments and options that several commands share, each said once."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.tables import TableFormat
from cranfield.store.labelled_by import LabelledBy


class UnitKind(StrEnum):
    """What is left out of a pool at a time."""

    run = "run"
    team = "team"
    kind = "kind"
    cluster = "cluster"


StorePath = Annotated[Path, typer.Argument(metavar="STORE", help="A store, such as track.db.")]
SourcePaths = Annotated[
    list[Path], typer.Argument(metavar="SOURCE...", help="A store, or a qrels file followed by run files.")
]
InputPaths = Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files; plain, .gz, .xz or .zst.")]
InputFormat = Annotated[str, typer.Option("--format", help="The files' format; by default their content tells.")]
Strict = Annotated[
    bool, typer.Option("--strict", help="Refuse names of documents and topics that the store does not have.")
]
NormalizeIds = Annotated[
    bool,
    typer.Option("--normalize-ids", help="Find documents and topics whose names differ in zeros, case or blanks only."),
]
Measures = Annotated[
    list[str] | None,
    typer.Option(
        "-m",
        "--measure",
        metavar="MEASURE",
        help="Such as AP, nDCG@10, P(rel=2)@5; module:name is your own; may be repeated.",
    ),
]
Format = Annotated[
    TableFormat,
    typer.Option("--format", metavar="FORMAT", help="How to write it: table, json, csv, tsv, markdown or latex."),
]
Output = Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file instead.")]
Assessor = Annotated[str | None, typer.Option(metavar="NAME", help="Only this assessor's judgments (of a store).")]
Labels = Annotated[
    LabelledBy,
    typer.Option(help="Whose labels count (of a store); all: a model's only where nobody else labelled."),
]
PoolNumber = Annotated[
    int | None, typer.Option("--pool", min=1, metavar="N", help="Which pool of a store; the newest by default.")
]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw it as well: .png, .svg or .pdf.")]
Teams = Annotated[
    Path | None,
    typer.Option(metavar="TSV", help="A table with a header: run, team, and perhaps kind, pooled (yes/no), depth."),
]
By = Annotated[UnitKind, typer.Option(help="What is left out of the pool at a time.")]
PoolDepth = Annotated[int | None, typer.Option(min=1, help="The pool's depth; the stored pool's, or found out.")]
Confidence = Annotated[float, typer.Option(min=0.01, max=0.9999, help="How probably an interval holds what it is for.")]
OnlyTopics = Annotated[
    list[str] | None, typer.Option("--topic", metavar="QID", help="Only this topic; may be repeated.")
]
RecipeName = Annotated[str, typer.Argument(metavar="NAME", help="A bundled recipe, or the path of your own.")]
Protect = Annotated[
    str | None, typer.Option(metavar="VALUE", help="The qrels' second column where judgments came otherwise.")
]
