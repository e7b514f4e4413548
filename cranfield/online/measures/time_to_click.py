"""TimeToClick: the median of the seconds from a list to its first click."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.interactions import Interactions

from cranfield.online.measures.measure import Counts, OnlineMeasure


def time_to_click(log: Interactions, cutoff: int | None) -> Counts:
    """The median of the seconds to the first click, of lists with a click.

    >>> from cranfield.arrays.interactions import example
    >>> time_to_click(example("abc:ab", "bac:"), None)
    Counts(total=array([0.01, 0.  ]), times=array([1., 0.]))
    """
    timed = log.actions.of("click") & ~np.isnan(log.actions.at)
    first = np.full(len(log), np.inf)
    np.minimum.at(first, log.actions.impression[timed], log.actions.at[timed])
    known = np.isfinite(first)
    return Counts(np.where(known, first - log.at, 0.0), known.astype(float))


TIME_TO_CLICK = OnlineMeasure("TimeToClick", time_to_click, "worse", "seconds", median=True, explanation="""
TimeToClick: the median of the seconds from a list to its first click.

Lists without a click do not count, so it can improve because impatient users leave. It is a median, since users who go
for lunch make any mean useless; its interval is a bootstrap over users.

Source: Radlinski, Kurup and Joachims, How does clickthrough data reflect retrieval quality?, CIKM 2008.
""")  # fmt: skip
