"""`publish`: describe a collection, build the folder that others load, check one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from cranfield.cli import completion
from cranfield.cli.build import command, show_lines, show_table
from cranfield.cli.common_options import Printer
from cranfield.cli.tables import say
from cranfield.features.publishing.functions import (
    DescribedCollection,
    FolderFindings,
    PublishedCollection,
    build_folder,
    check_folder,
)
from cranfield.features.publishing.functions import describe as describe_collection


def _target_names(*_: object) -> Iterable[str]:
    from cranfield.features.publishing.targets import TARGETS

    return [*TARGETS, "all"]


TARGETS = completion.single_completer(_target_names)


def show_description(
    result: DescribedCollection,
    *,
    check: Annotated[
        str | None,
        typer.Option(
            metavar="TARGET",
            help="Exit with 1 if a required field is open for hf, ir-datasets, croissant, bagit, zenodo, beir, or all.",
        ),
        TARGETS,
    ] = None,
    printer: Printer,
) -> None:
    """Print the description and what is open; an error where something required is."""
    from cranfield.features.publishing.description import check_complete, targets_of

    show_table(result, printer)
    if printer.is_for_terminal:
        say(f"\n{_open(result.open_fields)}")
    if check:
        check_complete(result.description, targets_of(check))


def _open(identifiers_by_target: dict[str, list[str]]) -> str:
    """What is open, in sentences.

    >>> _open({"hf": ["title"], "zenodo": ["title", "publisher"]})
    'Open: title. For zenodo also: publisher.'
    >>> _open({"hf": [], "zenodo": []})
    'Nothing that is required is open.'
    """
    common = [
        name
        for name in next(iter(identifiers_by_target.values()))
        if all(name in names for names in identifiers_by_target.values())
    ]
    own = {target: [name for name in names if name not in common] for target, names in identifiers_by_target.items()}
    every = [f"Open: {', '.join(common)}."] if common else []
    also = "also" if common else "open"
    every += [f"For {target} {also}: {', '.join(names)}." for target, names in own.items() if names]
    return " ".join(every) or "Nothing that is required is open."


def refuse_unknown_target(check: str | None) -> None:
    """Refuse a target that there is not, before anything is set."""
    from cranfield.features.publishing.description import targets_of

    if check:
        targets_of(check)


describe = command(describe_collection, show_description, "publish", check=refuse_unknown_target)


def show_folder(result: PublishedCollection) -> None:
    """Print what is in the folder, and the commands that upload it."""
    from cranfield.formats.whole_files import as_written

    show_lines(result)
    if result.commands:
        say(f"\nTo publish it{', once the description is complete' if result.is_draft else ''}, type what applies:")
    as_written("".join(f"  {command}\n" for command in result.commands))  # to be copied, so not wrapped


build = command(build_folder, show_folder, "publish")


def show_findings(result: FolderFindings, printer: Printer) -> None:
    """Print the findings; an error where something is wrong."""
    show_table(result, printer)
    if result.error is not None:
        raise result.error


check = command(check_folder, show_findings, "publish")
