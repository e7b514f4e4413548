"""`publish`: describe a collection, build the folder that others load, check one."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli import completion, in_python
from cranfield.cli.build import command, show_table
from cranfield.cli.common_options import Printer, QrelsPolicy, ReadStore, StorePath
from cranfield.cli.reading_options import TEXTS
from cranfield.cli.tables import Display, note, notes, say
from cranfield.features.publishing.functions import FolderFindings, check_folder
from cranfield.store.reading import Reading
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.features.publishing.description import Description
    from cranfield.store.store import Store


def _target_names(*_: object) -> Iterable[str]:
    from cranfield.features.publishing.targets import TARGETS

    return [*TARGETS, "all"]


TARGETS = completion.single(_target_names)
LONGEST = 60  # characters of a value that the table shows


@in_python("publish.describe")
def describe(
    path: StorePath,
    *,
    set: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Set a field; repeat a list's KEY for each entry. KEY= clears it."
        ),
    ] = None,
    from_: Annotated[Path | None, typer.Option("--from", metavar="FILE", help="Set the fields of a TOML file.")] = None,
    edit: Annotated[bool, typer.Option("--edit", help="Edit all fields in your editor ($VISUAL or $EDITOR).")] = False,
    check: Annotated[
        str | None,
        typer.Option(
            metavar="TARGET",
            help="Exit with 1 if a required field is open for hf, ir-datasets, croissant, bagit, zenodo, beir, or all.",
        ),
        TARGETS,
    ] = None,
    printer: Printer,
    reading: Reading,
) -> None:
    """Describe a collection for its publication: who made it, its licence, and the answers of its datasheet.

    Without options it shows what is set and what is still open. A creator is written as NAME; AFFILIATION; ORCID.

    Example: cranfield publish describe track.db --set licence=CC-BY-4.0 --set language=en

    Example: cranfield publish describe track.db
    """
    from cranfield.features.publishing.describe import describe as set_fields
    from cranfield.features.publishing.describe import description_of, edit_description, licence_lack, read_description
    from cranfield.features.publishing.description import check_complete, pairs_of, targets_of

    targets = targets_of(check) if check else ()
    values = (read_description(from_) if from_ else {}) | pairs_of(set or [])
    with reading.store(path) as store:
        description = set_fields(store, values) if values else description_of(store)
        if edit:
            changes = {
                key: value for key, value in edit_description(description).items() if value != getattr(description, key)
            }
            description = set_fields(store, changes)
        if (lack := licence_lack(store)) and not description.licence:
            note(lack)
        _show(store, description, printer)
    if targets:
        check_complete(description, targets)


def _show(store: Store, description: Description, printer: Printer) -> None:
    from cranfield.features.publishing.describe import description_document

    document = description_document(store)
    display = Display(spare=["about", "required for"])
    printer.emit(_rows(description, document), document=document, display=display)
    if printer.for_people:
        say(f"\n{_open(document['open'])}")


def _rows(description: Description, document: dict[str, Any]) -> list[dict[str, Any]]:
    """One row per field."""
    from cranfield.features.publishing.description import FIELDS, TARGET_NAMES, value_text

    lacking = {name for names in document["open"].values() for name in names}
    return [
        {
            "field": field.name,
            "value": _short(value_text(getattr(description, field.name))),
            "status": "inherited" if field.name in document["inherited"] else "open" if field.name in lacking else "",
            "required for": "all" if field.targets == TARGET_NAMES else ", ".join(field.targets),
            "about": field.about,
        }
        for field in FIELDS.values()
    ]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}..."


def _open(by_target: dict[str, list[str]]) -> str:
    """What is open, in sentences.

    >>> _open({"hf": ["title"], "zenodo": ["title", "publisher"]})
    'Open: title. For zenodo also: publisher.'
    >>> _open({"hf": [], "zenodo": []})
    'Nothing that is required is open.'
    """
    common = [name for name in next(iter(by_target.values())) if all(name in names for names in by_target.values())]
    own = {target: [name for name in names if name not in common] for target, names in by_target.items()}
    every = [f"Open: {', '.join(common)}."] if common else []
    also = "also" if common else "open"
    every += [f"For {target} {also}: {', '.join(names)}." for target, names in own.items() if names]
    return " ".join(every) or "Nothing that is required is open."


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


@in_python("publish.build_folder")
def build(
    path: ReadStore,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to create."), TEXTS],
    *,
    targets: Annotated[
        list[TargetName] | None,
        typer.Option("--as", help="For whom; may be repeated. [default: hf, ir-datasets, croissant and zenodo]"),
    ] = None,
    policy: QrelsPolicy = None,
    text: Annotated[YesNo, typer.Option(help="Whether to publish the texts of the documents.")] = YesNo.yes,
    runs: Annotated[YesNo, typer.Option(help="Whether to publish the runs.")] = YesNo.yes,
    log: Annotated[LogForm, typer.Option(help="How to publish the judgment log.")] = LogForm.pseudonymous,
    consents: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="For --log full: the assessors who agreed to be named, one per line."),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(metavar="NAME|FILE", help="The topics of the split test, a set or a list; the others are train."),
        completion.TOPIC_SETS,
    ] = None,
    topics: Annotated[
        str | None,
        typer.Option(metavar="NAME|FILE", help="Publish only these topics, a set or a list, without pools and log."),
        completion.TOPIC_SETS,
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="RELEASE", help="List in CHANGES.md what changed since a release of the store."),
        completion.RELEASES,
    ] = None,
    version: Annotated[str | None, typer.Option(metavar="1.0.0", help="The version of this publication.")] = None,
    date: Annotated[str | None, typer.Option(metavar="YYYY-MM-DD", help="The date of this publication.")] = None,
    run_headers: Annotated[
        bool,
        typer.Option("--run-headers", help="Begin each run with its ir_metadata, instead of a file beside it."),
    ] = False,
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

    With --split the topics are train and test, which --topics takes from then on; topics of test that were train before
    are named in README.md. Sets of topics and what is withdrawn are in the folder, and come back with it.

    `cranfield publish describe` fills in the description that is required.

    Example: cranfield publish build track.db published --as all --version 1.0.0 --date 2026-03-31

    Example: cranfield publish build track.db published --as all --since 1.0.0
    """
    from cranfield.features.publishing.building import build as build_folder
    from cranfield.features.publishing.describe import description_of, licence_lack
    from cranfield.features.publishing.policy import policy_to_publish
    from cranfield.features.publishing.publication import PublishOptions
    from cranfield.formats.files import read_text
    from cranfield.formats.whole_files import as_written
    from cranfield.store.erasing import beside
    from cranfield.store.store import Store
    from cranfield.store.topic_sets import chosen_topics

    if since and topics:
        raise typer.BadParameter("is of the whole collection, and does not go with --topics", param_hint="--since")
    values = {"version": version, "date": date}
    options = PublishOptions(
        _targets(targets), text=text is YesNo.yes, runs=runs is YesNo.yes, log=log.value, draft=draft,
        run_headers=run_headers, part=topics or "", since=since or "",
    )  # fmt: skip
    with Store.open(path, tell=note) as store:
        sets = {"split": split, "topics": topics}
        qids_of_sets: dict[str, Any] = {name: chosen_topics(store, words) for name, words in sets.items() if words}
        rule, about_policy = policy_to_publish(store, policy, options.part)
        options = dataclasses.replace(options, policy=rule, **qids_of_sets)
        description = description_of(store, {name: value for name, value in values.items() if value})
        if (lack := licence_lack(store)) and not description.licence:
            note(lack)
        names = read_text(consents).splitlines() if consents else ()
        summary = build_folder(store, folder, description, options, replace=replace, consents=names, key=sign)
        apart = beside(store)
    contents = {
        "document": summary.documents,
        "topic": summary.topics,
        "judgment": summary.judgments,
        "run": summary.runs,
    }
    say(f"{folder}: {counted(summary.files, 'file')}, {', '.join(counted(n, what) for what, n in contents.items())}")
    notes([*about_policy, *summary.notes, *apart])
    if summary.commands:
        say(f"\nTo publish it{', once the description is complete' if draft else ''}, type what applies:")
    as_written("".join(f"  {command}\n" for command in summary.commands))  # to be copied, so not wrapped


def _targets(names: Sequence[TargetName] | None) -> tuple[str, ...]:
    """The targets in the order of the table, each once."""
    targets = [name for name in TargetName if name is not TargetName.all]
    if TargetName.all not in (names or ()):
        targets = [name for name in targets if name in (names or USUAL)]
    return tuple(name.value for name in targets)


def show_findings(result: FolderFindings, printer: Printer) -> None:
    """Print the findings; an error where something is wrong."""
    show_table(result, printer)
    if result.error is not None:
        raise result.error


check = command(check_folder, show_findings, "publish")
