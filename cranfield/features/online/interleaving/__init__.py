"""Two rankings or more in one list, for a live service: the table of methods, and one interleaved list.

Neither NumPy nor SciPy is imported, but for the method optimized.
"""

from collections.abc import Hashable, Mapping, Sequence
from hashlib import blake2b
from random import Random
from typing import NamedTuple
from uuid import uuid4

from cranfield.api.arguments import checked
from cranfield.errors import InputError, row_named
from cranfield.features.online.interleaving import methods, optimized
from cranfield.features.online.interleaving.method import InterleavingMethod, SystemRankings

METHODS: Mapping[str, InterleavingMethod] = {
    method.name: method
    for method in (
        methods.TEAM_DRAFT,
        methods.BALANCED,
        methods.PROBABILISTIC,
        optimized.OPTIMIZED,
        methods.PAIRWISE,
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
    return row_named(METHODS, name, "method")


LETTERS = "abcdefghijklmnopqrstuvwxyz"  # of teams


class InterleavedList(NamedTuple):
    """A list to show, and what to log with it."""

    docs: tuple[Hashable, ...]
    teams: str  # a letter per document: a for the first system's, b for the second's; - where a click prefers none
    probability: float  # of this list, by the method
    token: str  # names this list without saying whose documents are whose: an id for the impression


@checked
def interleave(
    rankings: Sequence[Sequence[Hashable]],
    *,
    method: str = "team-draft",
    seed: int | str | None = None,
    depth: int = 10,
) -> InterleavedList:
    """Interleave the rankings of two systems or more for one query; each ranking is its documents, best first.

    Give each impression a seed of its own, such as the id of the request: the same seed gives the same list and token.
    Without one they are random.

    >>> interleave(["abcd", "beaf"], seed=3, depth=4)
    InterleavedList(docs=('a', 'b', 'e', 'c'), teams='abba', probability=0.25, token='3f9666b452482666')
    """
    by = method_called(method)
    by.check(len(rankings))
    if depth < 1:
        raise InputError(f"the depth is {depth}; expected a whole number from 1")
    if len(rankings) > len(LETTERS):
        raise InputError(f"given {len(rankings)} systems; expected at most {len(LETTERS)}")
    return interleaved(SystemRankings.of(rankings), by, uuid4().hex if seed is None else seed, depth)


def interleaved(rankings: SystemRankings, method: InterleavingMethod, seed: int | str, depth: int) -> InterleavedList:
    """The same of rankings that were checked."""
    draw = method.draw(rankings, depth, Random(seed))
    teams = "".join("-" if team < 0 else LETTERS[team] for team in draw.teams)
    token = blake2b(repr((method.name, seed, draw.docs)).encode(), digest_size=8).hexdigest()
    return InterleavedList(draw.docs, teams, draw.probability, token)
