"""The table of interleaving methods; each is in a file of its own.

To add one: a file with a `InterleavingMethod`, a line here.
"""

from __future__ import annotations

from collections.abc import Mapping

from cranfield.errors import InputError

from cranfield.online.interleaving import balanced, optimized, pairwise, probabilistic, team_draft
from cranfield.online.interleaving.method import InterleavingMethod

METHODS: Mapping[str, InterleavingMethod] = {
    method.name: method
    for method in (
        team_draft.TEAM_DRAFT,
        balanced.BALANCED,
        probabilistic.PROBABILISTIC,
        optimized.OPTIMIZED,
        pairwise.PAIRWISE,
    )
}


def method_called(name: str) -> InterleavingMethod:
    """The method of this name.

    >>> method_called("draft")
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: unknown method 'draft'; available: team-draft, balanced, probabilistic, optimized,
    pairwise
    """
    if name not in METHODS:
        raise InputError(f"unknown method {name!r}; available: {', '.join(METHODS)}")
    return METHODS[name]
