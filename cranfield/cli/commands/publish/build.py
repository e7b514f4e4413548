"""publish build."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli import completion
from cranfield.cli.common_options import TEXTS
from cranfield.cli.options import ReadStore
from cranfield.cli.tables import note, say
from cranfield.text import counted


class TargetName(StrEnum):
    """The targets of a folder."""

    hf = "hf"
    ir_datasets = "ir-datasets"
    croissant = "croissant"
    bagit = "bagit"
    zenodo = "zenodo"
    beir = "beir"
    all = "all"


class YesNo(StrEnum):
    """Whether something is in the folder."""

    yes = "yes"
    no = "no"


class LogForm(StrEnum):
    """How the judgment log is published."""

    full = "full"
    pseudonymous = "pseudonymous"
    no = "no"


USUAL = (TargetName.hf, TargetName.ir_datasets, TargetName.croissant, TargetName.zenodo)


def build(
    path: ReadStore,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to create."), TEXTS],
    targets: Annotated[
        list[TargetName] | None,
        typer.Option("--as", help="For whom; may be repeated. [default: hf, ir-datasets, croissant and zenodo]"),
    ] = None,
    policy: Annotated[
        str,
        typer.Option(metavar="NAME", help="How several labels become one, as in `cranfield export qrels`."),
        completion.POLICY,
    ] = "primary",
    text: Annotated[YesNo, typer.Option(help="Whether to publish the texts of the documents.")] = YesNo.yes,
    runs: Annotated[YesNo, typer.Option(help="Whether to publish the runs.")] = YesNo.yes,
    log: Annotated[LogForm, typer.Option(help="How to publish the judgment log.")] = LogForm.pseudonymous,
    consents: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="For --log full: the assessors who agreed to be named, one per line."),
    ] = None,
    split: Annotated[
        Path | None,
        typer.Option(metavar="QIDFILE", help="The topics of the split test, one per line; the others are train."),
    ] = None,
    version: Annotated[str | None, typer.Option(metavar="1.0.0", help="The version of this publication.")] = None,
    date: Annotated[str | None, typer.Option(metavar="YYYY-MM-DD", help="The date of this publication.")] = None,
    draft: Annotated[
        bool, typer.Option("--draft", help="Allow required fields of the description to be open.")
    ] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Replace a published folder.")] = False,
    sign: Annotated[Path | None, typer.Option(metavar="KEY", help="Sign the folder with a private key of SSH.")] = None,
) -> None:
    """Build the folder in which a collection is published; the same store and options give the same bytes.

    It has the documents, topics and judgments in Parquet and in the formats of TREC, the pools, the runs, the judgment
    log without names and notes, the report, and what each target needs. With --text no it has the hash of each document
    in place of the text. Nothing is uploaded: the commands that do so are printed.

    `cranfield publish describe` fills in the description that is required.

    Example: cranfield publish build track.db published --as all --version 1.0.0 --date 2026-03-31
    """
    from cranfield.formats.files import read_text
    from cranfield.formats.whole_files import as_written
    from cranfield.publishing.building import build as build_folder
    from cranfield.publishing.describe import description_of, licence_lack
    from cranfield.publishing.publication import PublishOptions
    from cranfield.store.store import Store

    given = {"version": version, "date": date}
    options = PublishOptions(
        _targets(targets), policy, text is YesNo.yes, runs is YesNo.yes, log.value,
        tuple(read_text(split).split()) if split else None, draft,
    )  # fmt: skip
    with Store.open(path) as store:
        description = description_of(store, {name: value for name, value in given.items() if value})
        if (lack := licence_lack(store)) and not description.licence:
            note(lack)
        agreed = read_text(consents).splitlines() if consents else ()
        built = build_folder(store, folder, description, options, replace, agreed, sign)
    contents = {"document": built.documents, "topic": built.topics, "judgment": built.judgments, "run": built.runs}
    say(f"{folder}: {counted(built.files, 'file')}, {', '.join(counted(n, what) for what, n in contents.items())}")
    for line in built.notes:
        note(line)
    if built.commands:
        say("\nTo publish it, type what applies:")
    as_written("".join(f"  {command}\n" for command in built.commands))  # to be copied, so not wrapped


def _targets(given: Sequence[TargetName] | None) -> tuple[str, ...]:
    """The targets in the order of the table, each once."""
    asked = [name for name in TargetName if name is not TargetName.all]
    if TargetName.all not in (given or ()):
        asked = [name for name in asked if name in (given or USUAL)]
    return tuple(name.value for name in asked)
