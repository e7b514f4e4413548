"""ClicksPerSearch: how many clicks a list gets on average; a second click on the same document counts."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.interactions import Interactions

from cranfield.online.measures.measure import Counts, OnlineMeasure


def clicks_per_search(log: Interactions, cutoff: int | None) -> Counts:
    """The number of clicks per list.

    >>> from cranfield.arrays.interactions import example
    >>> clicks_per_search(example("abc:ab", "bac:"), None).total
    array([2., 0.])
    """
    clicked = log.actions.impression[log.actions.of("click")]
    return Counts(np.bincount(clicked, minlength=len(log)).astype(float), np.ones(len(log)))


CLICKS_PER_SEARCH = OnlineMeasure(
    "ClicksPerSearch", clicks_per_search, "neither", "number", of_documents=True, explanation="""
ClicksPerSearch: how many clicks a list gets on average; a second click on the same document counts.

More clicks are not better by themselves: users who find nothing in the first document click on the next.

Source: Radlinski, Kurup and Joachims, How does clickthrough data reflect retrieval quality?, CIKM 2008.
""")  # fmt: skip
