"""Dwell: the mean of the seconds on a document, of the actions that have them."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.interactions import Interactions

from cranfield.online.measures.measure import Counts, OnlineMeasure


def dwell(log: Interactions, cutoff: int | None) -> Counts:
    """The mean of the seconds on a document.

    >>> from cranfield.arrays.interactions import example
    >>> dwell(example("abc:ab"), None)
    Counts(total=array([0.]), times=array([0.]))
    """
    stayed = (log.actions.of("dwell") | log.actions.of("click")) & ~np.isnan(log.actions.seconds)
    lists = log.actions.impression[stayed]
    seconds = np.bincount(lists, log.actions.seconds[stayed], minlength=len(log)).astype(float)
    return Counts(seconds, np.bincount(lists, minlength=len(log)).astype(float))


DWELL = OnlineMeasure("Dwell", dwell, "better", "seconds", of_documents=True, explanation="""
Dwell: the mean of the seconds on a document, of the actions that have them.

Long is usually good, and misleads where a document is long or hard to read. Satisfied cuts it at 30 seconds.

Source: Fox et al., Evaluating implicit measures to improve web search, ACM TOIS 23(2), 2005.
""")  # fmt: skip
