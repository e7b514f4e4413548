"""Models of a user who reads from the top: after each document, the user goes on with some probability, or stops."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.online.click_models.lists import ClickedLists
from cranfield.online.click_models.model import Chances, Fit


class Cascade(NamedTuple):
    """Probabilities in each cell."""

    attraction: Floats
    after_click: Floats  # of going on
    after_none: Floats


class Posterior(NamedTuple):
    """What the clicks of a list say of each cell."""

    examined: Floats  # the probability that the document was examined
    none_below: Floats  # the probability of no click below it, if the next one is examined


def cascade_chances(lists: ClickedLists, of: Cascade) -> Chances:
    """The click probabilities of a cascade: examination is followed down the list, with and without the clicks above.

    The first document is examined; an examined document is clicked with the probability of its attractiveness. A model
    says how likely the user is to go on after a click and after none; the rest follows exactly, rank by rank.

    >>> from cranfield.arrays.interactions import example
    >>> from cranfield.online.click_models.lists import clicked_lists
    >>> half = np.full((1, 2), 0.5)
    >>> given, alone = cascade_chances(clicked_lists(example("ab:")), Cascade(half, half * 0, half * 2))
    >>> given.tolist(), alone.tolist()
    ([[0.5, 0.5]], [[0.5, 0.25]])
    """
    given, alone = np.empty_like(of.attraction), np.empty_like(of.attraction)
    likely, expected = np.ones(len(given)), np.ones(len(given))  # that the rank is examined
    for rank in range(lists.depth):
        shown, click = lists.shown[:, rank], lists.click[:, rank]
        a, on, none = (cells[:, rank] for cells in of)
        given[:, rank], alone[:, rank] = likely * a, expected * a
        skipped = likely * (1 - a) / np.maximum(1 - likely * a, np.finfo(float).tiny)
        likely = np.where(shown, np.where(click, on, skipped * none), likely)
        expected = np.where(shown, expected * (a * on + (1 - a) * none), expected)
    return Chances(given, alone)


def posterior(lists: ClickedLists, of: Cascade) -> Posterior:
    """Which documents were examined: all down to the last click, and below it as the absence of clicks makes likely."""
    rows, depth = lists.pair.shape
    none_below = np.ones((rows, depth), order="F")
    for rank in range(depth - 1, 0, -1):
        none = (1 - of.attraction[:, rank]) * _quiet(of.after_none[:, rank], none_below[:, rank])
        none_below[:, rank - 1] = np.where(lists.shown[:, rank], none, none_below[:, rank])
    examined = np.ones((rows, depth), order="F")
    for rank in range(depth - 1):
        on = np.where(lists.click[:, rank], of.after_click[:, rank], of.after_none[:, rank])
        goes_on = on * none_below[:, rank] / _quiet(on, none_below[:, rank])
        seen = examined[:, rank] * np.where(lists.shown[:, rank], goes_on, 1)
        examined[:, rank + 1] = np.where(rank < lists.last, 1, seen)
    return Posterior(examined, none_below)


def going_on(lists: ClickedLists, of: Cascade, none_below: Floats) -> Floats:
    """The probability that the user went on after each click: sure above the last one, inferred after it.

    `none_below` is that of the posterior. After the last document of a list nothing is learned.
    """
    after_last = of.after_click * none_below / _quiet(of.after_click, none_below)
    return np.where(lists.click, np.where(lists.ranks < lists.last[:, None], 1, after_last), 0)


def _quiet(on: Floats, none_below: Floats) -> Floats:
    """The probability of no click below: the user stops, or goes on and clicks nothing."""
    return 1 - on + on * none_below


def read_down(cascade_of: Callable[[Fit, ClickedLists], Cascade]) -> Callable[[Fit, ClickedLists], Chances]:
    """The chances of a model whose users read from the top."""
    return lambda fit, lists: cascade_chances(lists, cascade_of(fit, lists))
