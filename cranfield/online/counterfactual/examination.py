"""How likely each rank is examined, from documents that were shown at more than one rank."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.errors import InputError
from cranfield.online.click_models.lists import ClickedLists


def by_swaps(lists: ClickedLists) -> Floats:
    """The examination of each rank, relative to the first.

    A document of a query attracts as much at any rank, so the ratio of its click-through rates at two ranks is that of
    their examinations. The first rank is 1; each next one follows from the documents shown at both it and the one
    above, weighted by how often. What is shown where must not depend on how good it looked that day; random swaps are
    best.

    Source: Joachims, Swaminathan and Schnabel, Unbiased learning-to-rank with biased feedback, WSDM 2017 (swaps at
    random); Agarwal, Zaitsev, Wang, Li, Najork and Joachims, Estimating position bias without intrusive interventions,
    WSDM 2019.

    >>> from cranfield.arrays.interactions import example
    >>> from cranfield.online.click_models.lists import clicked_lists
    >>> by_swaps(clicked_lists(example(*["ab:a"] * 8, *["ab:"] * 2, *["ba:a"] * 4, *["ba:"] * 6))).tolist()
    [1.0, 0.5]
    """
    cell = lists.pair * lists.depth + lists.ranks
    size = lists.pairs * lists.depth
    times, clicks = (
        np.bincount(cell.ravel(), (lists.times * of).ravel(), size).reshape(lists.pairs, lists.depth)
        for of in (True, lists.click)
    )
    found = [1.0]
    for rank in range(1, lists.depth):
        above, here = times[:, rank - 1], times[:, rank]
        both = np.divide(above * here, above + here, out=np.zeros(len(here)), where=above + here > 0)
        rates = [(both * clicks[:, at] / np.maximum(times[:, at], 1)).sum() for at in (rank - 1, rank)]
        if not rates[0] or not rates[1]:
            raise InputError(f"no document was shown and clicked at both rank {rank} and rank {rank + 1}")
        found.append(found[-1] * float(rates[1] / rates[0]))
    return np.array(found)
