"""Satisfied: the share of lists with a document on which the user stayed for 30 seconds or more."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.interactions import Interactions

from cranfield.online.measures.measure import Counts, OnlineMeasure, lists_with, share

LONG = 30.0  # seconds


def satisfied(log: Interactions, cutoff: int | None) -> Counts:
    """The share of lists with a click of 30 seconds or more.

    >>> from cranfield.arrays.interactions import example
    >>> satisfied(example("abc:ab"), None)
    Counts(total=array([0.]), times=array([0.]))
    """
    stayed = (log.actions.of("dwell") | log.actions.of("click")) & ~np.isnan(log.actions.seconds)
    if not stayed.any():
        return Counts(np.zeros(len(log)), np.zeros(len(log)))
    return share(lists_with(log, stayed & (log.actions.seconds >= LONG)))


SATISFIED = OnlineMeasure("Satisfied", satisfied, "better", of_documents=True, explanation="""
Satisfied: the share of lists with a document on which the user stayed for 30 seconds or more.

The usual guess at which clicks were good ones. Undefined where the log has no seconds at all.

Source: Fox et al., Evaluating implicit measures to improve web search, ACM TOIS 23(2), 2005.
""")  # fmt: skip
