"""Shown lists with their clicks, as matrices: equal lists of a query with equal clicks are one row that counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from cranfield.arrays.interactions import Interactions
from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.errors import InputError


class Pairs(NamedTuple):
    """The queries and documents that were shown together, in the order of their numbers."""

    query: Ints  # of the texts of a topic, the first
    topic: Ints  # -1 for none
    document: Ints


@dataclass(frozen=True, eq=False)
class ClickedLists:
    """One row per list with its clicks, one column per rank; where no document is shown, `pair` is 0 and `shown` False.

    That is all that a click model looks at, and a log has far fewer of them than impressions.

    >>> from cranfield.arrays.interactions import example
    >>> lists = clicked_lists(example("ab:b", "ba:", "ab:b"))
    >>> lists.pair.tolist(), lists.click.astype(int).tolist(), lists.count.tolist()
    ([[0, 1], [1, 0]], [[0, 1], [0, 0]], [2.0, 1.0])
    """

    pair: Ints  # the number of query and document
    click: Mask
    shown: Mask
    count: Floats  # how often
    pairs: int

    @property
    def depth(self) -> int:
        """How many ranks there are."""
        return len(self.pair.T)

    @cached_property
    def ranks(self) -> Ints:
        """The rank of each cell, from 0."""
        return np.broadcast_to(np.arange(self.depth), self.pair.shape)

    @cached_property
    def times(self) -> Floats:
        """How often each cell was shown; 0 where there is no document."""
        return np.where(self.shown, self.count[:, None], 0)

    @cached_property
    def last(self) -> Ints:
        """The rank of the last click of each list, from 0; -1 where nothing is clicked."""
        return np.asarray(np.where(self.click, self.ranks, -1).max(axis=1))

    @cached_property
    def previous(self) -> Ints:
        """The rank of the last click above each cell, from 0; -1 where nothing above is clicked."""
        clicked = np.where(self.click, self.ranks, -1)
        above = np.maximum.accumulate(clicked, axis=1)
        return np.hstack([np.full((len(clicked), 1), -1), above[:, :-1]])

    def per_pair(self, amount: Floats | Mask) -> Floats:
        """The sum over the cells of each pair, of an amount for each time that a cell was shown."""
        return np.asarray(np.bincount(self.pair.T.ravel(), (amount * self.times).T.ravel(), self.pairs), float)

    def per_rank(self, amount: Floats | Mask) -> Floats:
        """The sum over the cells of each rank."""
        return np.asarray((amount * self.times).sum(axis=0))

    def choose(self, rows: Mask) -> ClickedLists:
        """Only these rows."""
        return ClickedLists(self.pair[rows], self.click[rows], self.shown[rows], self.count[rows], self.pairs)


def pairs_of(log: Interactions) -> tuple[Pairs, Ints]:
    """The pairs of query and document that were shown, and the number of each document shown.

    All texts of a topic are one query.

    >>> from cranfield.arrays.interactions import example
    >>> pairs, number = pairs_of(example("ba:", "ac:"))
    >>> pairs.document.tolist(), number.tolist()
    ([0, 1, 2], [1, 0, 0, 2])
    """
    if not len(log.document):
        raise InputError("no document was shown; a click model needs lists with documents")
    width = int(log.document.max()) + 1
    asked = np.where(log.topic >= 0, log.topic, log.topic.max() + 1 + log.query)[log.impression]
    _, row, number = np.unique(asked * width + log.document, return_index=True, return_inverse=True)
    of = log.impression[row]
    return Pairs(log.query[of], log.topic[of], log.document[row]), number


def clicked_lists(log: Interactions, chosen: Mask | None = None) -> ClickedLists:
    """The lists of a log with their clicks, or some of them; pairs and ranks are those of all."""
    pairs, number = pairs_of(log)
    rank = log.first[log.impression] + log.position
    cells = np.full((len(log), int(rank.max()) + 1), -1)
    cells[log.impression, rank] = 2 * number + log.clicks
    return distinct_lists(cells if chosen is None else cells[chosen], len(pairs.document))


def distinct_lists(cells: Ints, pairs: int) -> ClickedLists:
    """Equal rows as one; a cell is twice the number of its pair, and one more where it is clicked; -1 is none."""
    code = np.zeros(len(cells), np.int64)
    for column in cells.T:
        code = np.unique(code * (2 * pairs + 1) + column, return_inverse=True)[1]
    _, row, count = np.unique(code, return_index=True, return_counts=True)
    row, count = row[np.argsort(row)], count[np.argsort(row)]
    kept = np.asfortranarray(cells[row])  # a rank at a time is read
    shown = kept >= 0
    return ClickedLists(np.where(shown, kept // 2, 0), shown & (kept % 2 == 1), shown, count.astype(float), pairs)


def split(log: Interactions, share: float, seed: int) -> Mask:
    """Which impressions are held out: those of a share of the sessions, at random; one without a session is its own.

    >>> from cranfield.arrays.interactions import example
    >>> split(example(*["ab:b"] * 8), 0.25, seed=0).sum()
    np.int64(2)
    """
    known = log.session >= 0
    own = log.session.max(initial=-1) + 1 + np.arange(len(log))
    sessions, place = np.unique(np.where(known, log.session, own), return_inverse=True)
    held = np.zeros(len(sessions), bool)
    held[np.random.default_rng(seed).permutation(len(sessions))[: round(share * len(sessions))]] = True
    return held[place]
