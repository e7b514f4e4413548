"""publish describe.

JSON: {"description": {FIELD: VALUE}, "inherited": [FIELD], "open": {TARGET: [FIELD]}}.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli import completion
from cranfield.cli.options import Format, Output, StorePath
from cranfield.cli.tables import Display, TableFormat, emit, note, say

if TYPE_CHECKING:
    from cranfield.publishing.description import Description
    from cranfield.store.store import Store

LONGEST = 60  # characters of a value that the table shows


def describe(
    path: StorePath,
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
        completion.TARGETS,
    ] = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Describe a collection for its publication: who made it, its licence, and the answers of its datasheet.

    Without options it shows what is set and what is still open. A creator is written as NAME; AFFILIATION; ORCID.

    Example: cranfield publish describe track.db --set licence=CC-BY-4.0 --set language=en
    """
    from cranfield.publishing.describe import describe as set_fields
    from cranfield.publishing.describe import description_of, edited, licence_lack, read_description
    from cranfield.publishing.description import check_complete, pairs_of, targets_of
    from cranfield.store.store import Store

    targets = targets_of(check) if check else ()
    given = (read_description(from_) if from_ else {}) | pairs_of(set or [])
    with Store.open(path) as store:
        found = set_fields(store, given) if given else description_of(store)
        if edit:
            changes = {key: value for key, value in edited(found).items() if value != getattr(found, key)}
            found = set_fields(store, changes)
        if (lack := licence_lack(store)) and not found.licence:
            note(lack)
        _show(store, found, format, output)
    if targets:
        check_complete(found, targets)


def _show(store: Store, found: Description, format: TableFormat, output: Path | None) -> None:
    from cranfield.publishing.describe import description_document

    document = description_document(store)
    display = Display(spare=["about", "required for"])
    emit(_rows(found, document), format, output, document=document, display=display)
    if format is TableFormat.table and output is None:
        say(f"\n{_open(document['open'])}")


def _rows(found: Description, document: dict[str, Any]) -> list[dict[str, Any]]:
    """One row per field."""
    from cranfield.publishing.description import FIELDS, TARGET_NAMES, shown

    lacking = {name for names in document["open"].values() for name in names}
    return [
        {
            "field": field.name,
            "value": _short(shown(getattr(found, field.name))),
            "status": "inherited" if field.name in document["inherited"] else "open" if field.name in lacking else "",
            "required for": "all" if field.required == TARGET_NAMES else ", ".join(field.required),
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
