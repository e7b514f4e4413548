"""Reformulation: the share of lists after which the user tried another query."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.interactions import Interactions

from cranfield.online.measures.measure import Counts, OnlineMeasure, lists_with, share

SOON = 1800.0  # seconds


def reformulation(log: Interactions, cutoff: int | None) -> Counts:
    """The share of lists after which the user tried another query.

    >>> from cranfield.arrays.interactions import example
    >>> reformulation(example("abc:", "bac:a"), None).total
    array([0., 0.])
    """
    found = lists_with(log, log.actions.of("reformulate"))
    order = np.lexsort((log.at, log.session))
    before, after = order[:-1], order[1:]
    same = (log.session[before] == log.session[after]) & (log.session[before] >= 0)
    other = (log.query[before] != log.query[after]) & (log.at[after] - log.at[before] <= SOON)
    found[before[same & other]] = True
    return share(found)


REFORMULATION = OnlineMeasure("Reformulation", reformulation, "worse", explanation="""
Reformulation: the share of lists after which the user tried another query.

The log says so by an action, or the next list of the same session, within half an hour, is of another query. A next
page is of the same query. It misleads where users explore: a new question is no reformulation, and looks like one.

Source: Hassan, Shi, Craswell and Ramsey, Beyond clicks: query reformulation as a predictor of search satisfaction,
CIKM 2013.
""")  # fmt: skip
