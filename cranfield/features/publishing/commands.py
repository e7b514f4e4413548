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
            help="Exit with status 1 if a required field is empty for this target: hf, ir-datasets, croissant, bagit,"
            " zenodo, beir or all.",
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
    'Empty required fields: title. For zenodo also: publisher.'
    >>> _open({"hf": [], "zenodo": []})
    'All required fields are filled.'
    """
    common = [
        name
        for name in next(iter(identifiers_by_target.values()))
        if all(name in names for names in identifiers_by_target.values())
    ]
    own = {target: [name for name in names if name not in common] for target, names in identifiers_by_target.items()}
    every = [f"Empty required fields: {', '.join(common)}."] if common else []
    for target, names in own.items():
        start = f"For {target} also" if common else f"Empty required fields for {target}"
        every += [f"{start}: {', '.join(names)}."] if names else []
    return " ".join(every) or "All required fields are filled."


def refuse_unknown_target(check: str | None) -> None:
    """Refuse a target that there is not, before anything is set."""
    from cranfield.features.publishing.description import targets_of

    if check:
        targets_of(check)


describe = command(describe_collection, show_description, "publish", check=refuse_unknown_target)


def show_folder(result: PublishedCollection) -> None:
    """Print what is in the folder, and the commands that upload it."""
    from cranfield.formats.whole_files import print_unformatted

    show_lines(result)
    if result.commands:
        say(
            f"\nTo publish it{' when the description is complete' if result.is_draft else ''}, use one of these"
            " commands:"
        )
    print_unformatted("".join(f"  {command}\n" for command in result.commands))  # to be copied, so not wrapped


build = command(build_folder, show_folder, "publish")


def show_findings(result: FolderFindings, printer: Printer) -> None:
    """Print the findings; an error where something is wrong."""
    show_table(result, printer)
    if result.error is not None:
        raise result.error


check = command(check_folder, show_findings, "publish")
