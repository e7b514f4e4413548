"""The preferences of a judgment group, as a matrix over the documents of a topic in the order of a ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.arrays.rankings import Floats, Mask
from cranfield.errors import InputError
from cranfield.formats.preferences import PreferenceLine


@dataclass(frozen=True, eq=False)
class PreferenceGroup:
    """Who is preferred to whom, and the level of each document, NaN outside the group.

    Documents that were retrieved come first, in their order; those that were not follow. A group with one subgroup
    prefers every document to all of a lower level. With several subgroups, what follows from two of them is preferred
    as well.

    `partial`: of several subgroups, which may leave documents uncompared.
    """

    level: Floats
    prefers: Mask
    retrieved: int
    partial: bool = False

    def first(self, documents: int) -> PreferenceGroup:
        """The same for the first documents only."""
        inside = slice(documents)
        return PreferenceGroup(self.level[inside], self.prefers[inside, inside], self.retrieved, self.partial)

    @property
    def relevant(self) -> Mask:
        """The documents with a level above 0."""
        return self.level > 0

    @property
    def nonrelevant(self) -> Mask:
        """The documents with a level of 0, or below in a group without subgroups."""
        return self.level == 0 if self.partial else self.level <= 0


def groups_of(lines: Sequence[PreferenceLine], ranking: Sequence[str]) -> list[PreferenceGroup]:
    """The groups of a topic for a ranking, in the order of their names.

    >>> lines = [PreferenceLine(1, "q", "ada", "0", "a", 2), PreferenceLine(2, "q", "ada", "0", "b", 1)]
    >>> groups_of(lines, ["b", "x", "a"])[0].prefers
    array([[False, False],
           [ True, False]])
    """
    judged = {one.docno for one in lines}
    found = [docno for docno in ranking if docno in judged]
    place = {docno: number for number, docno in enumerate([*found, *sorted(judged - set(found))])}
    named: dict[str, dict[str, list[PreferenceLine]]] = {}
    for one in sorted(lines, key=lambda one: (one.group, one.subgroup, -one.level)):
        named.setdefault(one.group, {}).setdefault(one.subgroup, []).append(one)
    return [_group(list(parts.values()), place, len(found)) for parts in named.values()]


def _group(parts: Sequence[Sequence[PreferenceLine]], place: dict[str, int], retrieved: int) -> PreferenceGroup:
    level = np.full(len(place), np.nan)
    prefers = np.zeros((len(place), len(place)), np.bool_)
    for part in parts:
        at = np.array([place[one.docno] for one in part])
        given = np.array([one.level for one in part])
        _check_levels(part, level[at], given)
        level[at] = given
        prefers[np.ix_(at, at)] |= given[:, None] > given
    partial = len(parts) > 1
    if partial:
        prefers = followed(prefers)
        _check_order(parts[0][0], prefers, list(place))
    return PreferenceGroup(level, prefers, retrieved, partial)


def followed(prefers: Mask) -> Mask:
    """The preferences, and those that follow: what is preferred to a document is preferred to all below it.

    >>> followed(np.array([[False, True, False], [False, False, True], [False, False, False]]))[0]
    array([False,  True,  True])
    """
    reached = prefers
    while True:
        further = reached | (reached.astype(np.float32) @ reached.astype(np.float32) > 0)
        if np.array_equal(further, reached):
            return reached
        reached = further


def _check_levels(part: Sequence[PreferenceLine], before: Floats, given: Floats) -> None:
    both = ~np.isnan(before) & ((before > 0) & (given == 0) | (before == 0) & (given > 0))
    if both.any():
        one = part[int(np.argmax(both))]
        raise InputError(
            f"line {one.line}: document {one.docno!r} has level {one.level:g} here and another in group {one.group!r}"
            f" of topic {one.qid}; 0 says that a document is not relevant, so it is 0 in all subgroups or in none"
        )


def _check_order(one: PreferenceLine, prefers: Mask, docnos: Sequence[str]) -> None:
    circular = np.flatnonzero(prefers.diagonal())
    if len(circular):
        raise InputError(
            f"line {one.line}: topic {one.qid}, group {one.group!r}: document {docnos[circular[0]]!r} is preferred to"
            " one that is preferred to it, maybe by way of others; preferences that contradict each other need groups"
            " of their own"
        )
