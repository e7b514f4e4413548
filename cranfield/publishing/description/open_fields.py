"""What is still open in a description, by target."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from cranfield.errors import InputError
from cranfield.publishing.description.licence import link
from cranfield.publishing.description.record import FIELDS, TARGETS, Description

ALL = "all"


def targets_of(name: str) -> tuple[str, ...]:
    """The targets of a name: one, or all.

    >>> targets_of("all") == TARGETS, targets_of("hf")
    (True, ('hf',))
    >>> targets_of("zenodoo")
    Traceback (most recent call last):
    cranfield.errors.InputError: unknown target 'zenodoo'; nearest: zenodo
    """
    if name == ALL:
        return TARGETS
    if name not in TARGETS:
        near = get_close_matches(name, TARGETS, 1)
        known = f"nearest: {near[0]}" if near else f"available: {', '.join(TARGETS)}, {ALL}"
        raise InputError(f"unknown target {name!r:.60}; {known}")
    return (name,)


def open_fields(description: Description, targets: Sequence[str]) -> list[str]:
    """The fields that one of the targets requires and nobody has filled.

    >>> open_fields(Description(name="tiny", title="Tiny", version="1", date="2026-01-01"), ["hf"])[:3]
    ['description', 'creators', 'licence']
    """
    lacking = [
        field.name
        for field in FIELDS.values()
        if not getattr(description, field.name) and any(target in targets for target in field.required)
    ]
    nameless = bool(description.licence and not description.licence_url and not link(description.licence))
    return [*lacking, *(["licence_url"] if nameless else [])]


def check_complete(description: Description, targets: Sequence[str]) -> None:
    """An error that names what is open.

    >>> check_complete(Description(), ["zenodo"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    cranfield.errors.InputError: ... fields that zenodo requires are open: name, title, ...
    """
    if lacking := open_fields(description, targets):
        who = targets[0] if len(targets) == 1 else "publishing"
        what = (
            f"1 field that {who} requires is" if len(lacking) == 1 else f"{len(lacking)} fields that {who} requires are"
        )
        fill = "fill in with `cranfield publish describe`, --set KEY=VALUE or --edit"
        raise InputError(f"{what} open: {', '.join(lacking)}; {fill}")
