"""What click models share: the lists as they see them, their row, a fit, and users who read from the top."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.errors import InputError
from cranfield.features.online.interactions import Interactions


class QueryDocuments(NamedTuple):
    """The queries and documents that were shown together, in the order of their numbers."""

    query: Ints  # of the texts of a topic, the first
    topic: Ints  # -1 for none
    document: Ints


@dataclass(frozen=True, eq=False)
class ClickedLists:
    """One row per list with its clicks, one column per rank; where no document is shown, `pair` is 0 and `shown` False.

    That is all that a click model looks at, and a log has far fewer of them than impressions.

    >>> from cranfield.features.online.interactions import example
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
        click_ranks = np.where(self.click, self.ranks, -1)
        above = np.maximum.accumulate(click_ranks, axis=1)
        return np.hstack([np.full((len(click_ranks), 1), -1), above[:, :-1]])

    def sum_by_pair(self, amount: Floats | Mask) -> Floats:
        """The sum over the cells of each pair, of an amount for each time that a cell was shown."""
        return np.asarray(np.bincount(self.pair.T.ravel(), (amount * self.times).T.ravel(), self.pairs), float)

    def sum_by_rank(self, amount: Floats | Mask) -> Floats:
        """The sum over the cells of each rank."""
        return np.asarray((amount * self.times).sum(axis=0))

    def choose(self, rows: Mask) -> ClickedLists:
        """Only these rows."""
        return ClickedLists(self.pair[rows], self.click[rows], self.shown[rows], self.count[rows], self.pairs)


def connected_ranks(lists: ClickedLists) -> Ints:
    """The group of each rank: documents that were clicked for a query, and shown at several ranks, connect these.

    A click is examination times attraction, so only examinations of one group can be compared: they explain the clicks
    of every other group up to a constant of its own.

    Source: Craswell, Zoeter, Taylor and Ramsey, An experimental comparison of click position-bias models, WSDM 2008;
    Agarwal, Zaitsev, Wang, Li, Najork and Joachims, Estimating position bias without intrusive interventions, WSDM
    2019.

    >>> from cranfield.features.online.interactions import example
    >>> [connected_ranks(clicked_lists(example(*log))).tolist() for log in (["ab:ab"], ["ab:a", "ba:"], ["ab:", "ba:"])]
    [[0, 1], [0, 0], [0, 1]]
    """
    pair_ranks = np.zeros((lists.pairs, lists.depth), bool)
    pair_ranks[lists.pair[lists.shown], lists.ranks[lists.shown]] = True
    pair_ranks &= (lists.sum_by_pair(lists.click) > 0)[:, None]
    reach = (pair_ranks.T.astype(float) @ pair_ranks > 0) | np.eye(lists.depth, dtype=bool)
    for _ in range(max(1, lists.depth.bit_length())):
        reach = reach.astype(float) @ reach > 0
    return np.asarray(reach.argmax(axis=1))


def pairs_of(log: Interactions) -> tuple[QueryDocuments, Ints]:
    """The pairs of query and document that were shown, and the number of each document shown.

    All texts of a topic are one query.

    >>> from cranfield.features.online.interactions import example
    >>> pairs, number = pairs_of(example("ba:", "ac:"))
    >>> pairs.document.tolist(), number.tolist()
    ([0, 1, 2], [1, 0, 0, 2])
    """
    if not len(log.document):
        raise InputError("the lists have no documents; a click model needs lists with documents")
    width = int(log.document.max()) + 1
    query = np.where(log.topic >= 0, log.topic, log.topic.max() + 1 + log.query)[log.impression]
    _, row, number = np.unique(query * width + log.document, return_index=True, return_inverse=True)
    of = log.impression[row]
    return QueryDocuments(log.query[of], log.topic[of], log.document[row]), number


def clicked_lists(log: Interactions, rows: Mask | None = None) -> ClickedLists:
    """The lists of a log with their clicks, or some of them; pairs and ranks are those of all."""
    pairs, number = pairs_of(log)
    rank = log.first[log.impression] + log.position
    cells = np.full((len(log), int(rank.max()) + 1), -1)
    cells[log.impression, rank] = 2 * number + log.clicks
    return distinct_lists(cells if rows is None else cells[rows], len(pairs.document))


def distinct_lists(cells: Ints, pairs: int) -> ClickedLists:
    """Equal rows as one; a cell is twice the number of its pair, and one more where it is clicked; -1 is none."""
    code = np.zeros(len(cells), np.int64)
    for column in cells.T:
        code = np.unique(code * (2 * pairs + 1) + column, return_inverse=True)[1]
    _, row, count = np.unique(code, return_index=True, return_counts=True)
    row, count = row[np.argsort(row)], count[np.argsort(row)]
    distinct = np.asfortranarray(cells[row])  # a rank at a time is read
    shown = distinct >= 0
    return ClickedLists(
        np.where(shown, distinct // 2, 0), shown & (distinct % 2 == 1), shown, count.astype(float), pairs
    )


def split(log: Interactions, share: float, seed: int) -> Mask:
    """Which impressions are held out: those of a share of the sessions, at random; one without a session is its own.

    >>> from cranfield.features.online.interactions import example
    >>> int(split(example(*["ab:b"] * 8), 0.25, seed=0).sum())
    2
    """
    has_session = log.session >= 0
    own = log.session.max(initial=-1) + 1 + np.arange(len(log))
    sessions, place = np.unique(np.where(has_session, log.session, own), return_inverse=True)
    is_test = np.zeros(len(sessions), bool)
    is_test[np.random.default_rng(seed).permutation(len(sessions))[: round(share * len(sessions))]] = True
    return is_test[place]


STEPS = 50  # of expectation maximisation


class Fit(NamedTuple):
    """The parameters of a model: of each (query, document), and those that all share, by name.

    Each parameter is a probability with the prior of one success in two trials, so what was never seen is 1/2.
    """

    documents: Mapping[str, Floats]  # attractiveness, satisfaction: one value per pair
    shared: Mapping[str, Floats]  # examination by rank and others

    @property
    def relevance(self) -> Floats | None:
        """Attractiveness times satisfaction of each pair; None where a model has neither."""
        if not self.documents:
            return None
        return np.asarray(np.prod(list(self.documents.values()), axis=0))


class Chances(NamedTuple):
    """The probability of a click in each cell: given the clicks above it, and knowing none."""

    conditional: Floats
    alone: Floats


@dataclass(frozen=True)
class ClickModel:
    """A row of the table: what a model says, how it is fitted, and the clicks that it expects."""

    name: str
    summary: str
    fit: Callable[[ClickedLists, int], Fit]  # in so many steps; where counts give the parameters, steps do not matter
    chances: Callable[[Fit, ClickedLists], Chances]
    source: str
    iterative: bool = False  # whether it is fitted by expectation maximisation

    @property
    def fitted_by(self) -> str:
        """Steps of expectation maximisation, or counts."""
        return "EM" if self.iterative else "counts"


def iterate(step: Callable[[Fit, ClickedLists], Fit], start: Fit, lists: ClickedLists, steps: int) -> Fit:
    """The fit after so many steps from a start."""
    return reduce(lambda fit, _: step(fit, lists), range(steps), start)


def share(successes: Floats | Ints, trials: Floats | Ints) -> Floats:
    """The estimate of a probability under the prior.

    >>> share(np.array([3.0, 0.0]), np.array([4.0, 0.0])).round(4).tolist()
    [0.6667, 0.5]
    """
    return np.asarray((successes + 1) / (trials + 2), float)


class Cascade(NamedTuple):
    """Probabilities in each cell."""

    attraction: Floats
    continuation_after_click: Floats  # of going on
    continuation_without_click: Floats


class Posterior(NamedTuple):
    """What the clicks of a list say of each cell."""

    examination: Floats  # the probability that the document was examined
    none_below: Floats  # the probability of no click below it, if the next one is examined


def cascade_chances(lists: ClickedLists, of: Cascade) -> Chances:
    """The click probabilities of a cascade: examination is followed down the list, with and without the clicks above.

    The first document is examined; an examined document is clicked with the probability of its attractiveness. A model
    says how likely the user is to go on after a click and after none; the rest follows exactly, rank by rank.

    >>> from cranfield.features.online.interactions import example
    >>> from cranfield.features.online.click_models.model import clicked_lists
    >>> half = np.full((1, 2), 0.5)
    >>> given, alone = cascade_chances(clicked_lists(example("ab:")), Cascade(half, half * 0, half * 2))
    >>> given.tolist(), alone.tolist()
    ([[0.5, 0.5]], [[0.5, 0.25]])
    """
    conditional, alone = np.empty_like(of.attraction), np.empty_like(of.attraction)
    likely, prior = np.ones(len(conditional)), np.ones(len(conditional))  # that the rank is examined
    for rank in range(lists.depth):
        shown, click = lists.shown[:, rank], lists.click[:, rank]
        a, on, none = (cells[:, rank] for cells in of)
        conditional[:, rank], alone[:, rank] = likely * a, prior * a
        skip = likely * (1 - a) / np.maximum(1 - likely * a, np.finfo(float).tiny)
        likely = np.where(shown, np.where(click, on, skip * none), likely)
        prior = np.where(shown, prior * (a * on + (1 - a) * none), prior)
    return Chances(conditional, alone)


def posterior(lists: ClickedLists, of: Cascade) -> Posterior:
    """Which documents were examined: all down to the last click, and below it as the absence of clicks makes likely."""
    rows, depth = lists.pair.shape
    none_below = np.ones((rows, depth), order="F")
    for rank in range(depth - 1, 0, -1):
        none = (1 - of.attraction[:, rank]) * _quiet(of.continuation_without_click[:, rank], none_below[:, rank])
        none_below[:, rank - 1] = np.where(lists.shown[:, rank], none, none_below[:, rank])
    examination = np.ones((rows, depth), order="F")
    for rank in range(depth - 1):
        on = np.where(
            lists.click[:, rank], of.continuation_after_click[:, rank], of.continuation_without_click[:, rank]
        )
        goes_on = on * none_below[:, rank] / _quiet(on, none_below[:, rank])
        likely = examination[:, rank] * np.where(lists.shown[:, rank], goes_on, 1)
        examination[:, rank + 1] = np.where(rank < lists.last, 1, likely)
    return Posterior(examination, none_below)


def going_on(lists: ClickedLists, of: Cascade, none_below: Floats) -> Floats:
    """The probability that the user went on after each click: sure above the last one, inferred after it.

    `none_below` is that of the posterior. After the last document of a list nothing is learned.
    """
    continuation_after_last = of.continuation_after_click * none_below / _quiet(of.continuation_after_click, none_below)
    return np.where(lists.click, np.where(lists.ranks < lists.last[:, None], 1, continuation_after_last), 0)


def _quiet(on: Floats, none_below: Floats) -> Floats:
    """The probability of no click below: the user stops, or goes on and clicks nothing."""
    return 1 - on + on * none_below


def read_down(cascade_of: Callable[[Fit, ClickedLists], Cascade]) -> Callable[[Fit, ClickedLists], Chances]:
    """The chances of a model whose users read from the top."""
    return lambda fit, lists: cascade_chances(lists, cascade_of(fit, lists))
