"""Two rankings or more in one list, for a live service: the table of methods, and one interleaved list.

Neither NumPy nor SciPy is imported, but for the method optimized.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from hashlib import blake2b
from random import Random
from typing import NamedTuple
from uuid import uuid4

from cranfield.errors import InputError, row_named
from cranfield.features.online.interleaving import methods, optimized
from cranfield.features.online.interleaving.method import InterleavingMethod, SystemRankings
from cranfield.options import Rng, seed_of
from cranfield.options.arguments import check_arguments

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


@check_arguments
def interleave(
    rankings: Sequence[Sequence[Hashable]],
    *,
    method: str = "team-draft",
    rng: Rng | str = None,
    depth: int = 10,
) -> InterleavedList:
    """Interleave the rankings of two or more systems for one query.

    Each ranking is a sequence of documents, best first. Give each impression its own `rng`, such as the id of the
    request.

    Parameters
    ----------
    rankings : sequence of sequences
        The ranked documents of each system.
    method : str
        Interleaving method from `list_interleaving_methods`.
    rng : int, str or numpy.random.Generator, optional
        Random seed, or a generator that draws it. The same seed gives the same list and token. By default, both are
        random.
    depth : int
        Number of documents in the list.

    Returns
    -------
    InterleavedList
        The list's `docs`, their `teams`, the list's `probability`, and its `token` for the log.

    Raises
    ------
    InputError
        If the method is unknown or cannot interleave this many systems, or `depth` is below 1.

    Examples
    --------
    >>> interleave(["abcd", "beaf"], rng=3, depth=4)
    InterleavedList(docs=('a', 'b', 'e', 'c'), teams='abba', probability=0.25, token='3f9666b452482666')
    """
    by = method_called(method)
    by.check(len(rankings))
    if depth < 1:
        raise InputError(f"the depth is {depth}; expected a whole number of at least 1")
    if len(rankings) > len(LETTERS):
        raise InputError(f"{len(rankings)} rankings; expected at most {len(LETTERS)}")
    seed = uuid4().hex if rng is None else rng if isinstance(rng, str) else seed_of(rng)
    return interleaved(SystemRankings.from_orders(rankings), by, seed, depth)


def interleaved(rankings: SystemRankings, method: InterleavingMethod, seed: int | str, depth: int) -> InterleavedList:
    """The same of rankings that were checked."""
    draw = method.draw(rankings, depth, Random(seed))
    teams = "".join("-" if team < 0 else LETTERS[team] for team in draw.teams)
    token = blake2b(repr((method.name, seed, draw.docs)).encode(), digest_size=8).hexdigest()
    return InterleavedList(draw.docs, teams, draw.probability, token)
