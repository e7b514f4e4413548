"""Conversion: the share of lists from which a user got to what the system is for: a purchase, a download, a loan."""

from __future__ import annotations

from cranfield.arrays.interactions import Interactions

from cranfield.online.measures.measure import Counts, OnlineMeasure, lists_with, share


def conversion(log: Interactions, cutoff: int | None) -> Counts:
    """The share of lists with a conversion.

    >>> from cranfield.arrays.interactions import example
    >>> conversion(example("abc:a"), None).total
    array([0.])
    """
    return share(lists_with(log, log.actions.of("convert")))


CONVERSION = OnlineMeasure("Conversion", conversion, "better", of_documents=True, explanation="""
Conversion: the share of lists from which a user got to what the system is for: a purchase, a download, a loan.

Close to what the owner of a system wants, and rare: an experiment needs many users before it says anything.

Source: Kohavi, Tang and Xu, Trustworthy Online Controlled Experiments, Cambridge University Press 2020.
""")  # fmt: skip
