"""Models in which a click is examination and attraction, each by itself: both are fitted by expectation maximisation."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.online.click_models.lists import ClickedLists
from cranfield.online.click_models.model import share


def fitted(lists: ClickedLists, place: Ints, places: int, steps: int) -> tuple[Floats, Floats]:
    """The attraction of each pair and the examination of each place.

    Examination depends on the place of a cell alone: its rank (PBM), or its rank and the last click above it (UBM).
    Cells with the same document and place are one, so a step takes as long as there are such pairs, however long the
    log is. Only the product of both is observed: all attractions times a constant, and all examinations divided by it,
    fit as well.

    >>> from cranfield.arrays.interactions import example
    >>> from cranfield.online.click_models.lists import clicked_lists
    >>> lists = clicked_lists(example(*["ab:a"] * 90, *["ba:a"] * 40, *["ba:"] * 50))
    >>> [found.round(2).tolist() for found in fitted(lists, lists.ranks, 2, 50)]
    [[0.99, 0.01], [0.99, 0.45]]
    """
    cell, which = np.unique((lists.pair * places + place)[lists.shown], return_inverse=True)
    pair, at = cell // places, cell % places
    times, clicks = (np.bincount(which, (lists.times * of)[lists.shown]) for of in (True, lists.click))
    of_pair, of_place = np.bincount(pair, times, lists.pairs), np.bincount(at, times, places)
    attraction, examination = np.full(lists.pairs, 0.5), np.full(places, 0.5)
    for _ in range(steps):
        a, e = attraction[pair], examination[at]
        skips = (times - clicks) / (1 - a * e)
        attraction = share(np.bincount(pair, clicks + skips * a * (1 - e), lists.pairs), of_pair)
        examination = share(np.bincount(at, clicks + skips * e * (1 - a), places), of_place)
    return attraction, examination
