"""What is still open in a description, by target."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from cranfield.errors import InputError
from cranfield.publishing.description.licence import OWN
from cranfield.publishing.description.record import FIELDS, TARGET_NAMES, Description
from cranfield.text import counted

ALL = "all"


def targets_of(name: str) -> tuple[str, ...]:
    """The targets of a name: one, or all.

    >>> targets_of("all") == TARGET_NAMES, targets_of("hf")
    (True, ('hf',))
    >>> targets_of("zenodoo")
    Traceback (most recent call last):
    cranfield.errors.InputError: unknown target 'zenodoo'; nearest: zenodo
    """
    if name == ALL:
        return TARGET_NAMES
    if name not in TARGET_NAMES:
        near = get_close_matches(name, TARGET_NAMES, 1)
        known = f"nearest: {near[0]}" if near else f"available: {', '.join(TARGET_NAMES)}, {ALL}"
        raise InputError(f"unknown target {name!r:.60}; {known}")
    return (name,)


def open_fields(description: Description, targets: Sequence[str], withheld: bool = False) -> list[str]:
    """The fields that one of the targets requires and nobody has filled; `withheld`: the texts are not published.

    >>> open_fields(Description(name="tiny", title="Tiny", version="1", date="2026-01-01"), ["hf"])[:3]
    ['description', 'creators', 'licence']
    >>> "obtain" in open_fields(Description(), ["hf"], withheld=True)
    True
    """
    also = {"obtain": withheld, "licence_url": OWN in description.licence}
    return [
        field.name
        for field in FIELDS.values()
        if not getattr(description, field.name) and (also.get(field.name) or {*field.required} & {*targets})
    ]


def check_complete(description: Description, targets: Sequence[str], withheld: bool = False) -> None:
    """An error that names what is open.

    >>> check_complete(Description(), ["zenodo"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    cranfield.errors.InputError: zenodo requires 16 fields that are open: name, title, ...
    """
    if lacking := open_fields(description, targets, withheld):
        who = targets[0] if len(targets) == 1 else "publishing"
        are, them = ("is", "it") if len(lacking) == 1 else ("are", "them")
        what = f"{counted(len(lacking), 'field')} that {are} open: {', '.join(lacking)}"
        fill = f"fill {them} in with `cranfield publish describe`, --set KEY=VALUE or --edit"
        raise InputError(f"{who} requires {what}; {fill}")
