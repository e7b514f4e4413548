"""Abandonment: the share of lists without a click."""

from __future__ import annotations

from cranfield.arrays.interactions import Interactions

from cranfield.online.measures.measure import Counts, OnlineMeasure, lists_with, share


def abandonment(log: Interactions, cutoff: int | None) -> Counts:
    """The share of lists without a click.

    >>> from cranfield.arrays.interactions import example
    >>> abandonment(example("abc:a", "bac:"), None).total
    array([0., 1.])
    """
    return share(~lists_with(log, log.actions.of("click")))


ABANDONMENT = OnlineMeasure("Abandonment", abandonment, "worse", explanation="""
Abandonment: the share of lists without a click.

Lists without documents count. It misleads where the list itself answers the question, which is good abandonment.

Source: Radlinski, Kurup and Joachims, How does clickthrough data reflect retrieval quality?, CIKM 2008.
""")  # fmt: skip
