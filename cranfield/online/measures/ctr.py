"""CTR, the click-through rate: the share of lists with at least one click; CTR@k: on one of the first k documents."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.interactions import Interactions

from cranfield.online.measures.measure import Counts, OnlineMeasure, clicked_ranks, share


def click_through_rate(log: Interactions, cutoff: int | None) -> Counts:
    """The share of lists with a click, at cutoff k on one of the first k documents.

    >>> from cranfield.arrays.interactions import example
    >>> log = example("abc:a", "bac:", "bca:ca")
    >>> click_through_rate(log, None).total, click_through_rate(log, 1).total
    (array([1., 0., 1.]), array([1., 0., 0.]))
    """
    lists, ranks = clicked_ranks(log)
    found = np.zeros(len(log), bool)
    found[lists if cutoff is None else lists[ranks <= cutoff]] = True
    return share(found)


CTR = OnlineMeasure("CTR", click_through_rate, "better", has_cutoff=True, of_documents=True, explanation="""
CTR, the click-through rate: the share of lists with at least one click; CTR@k: on one of the first k documents.

By position or by run it is the share of the documents shown there that were clicked. It misleads where a good answer
needs no click (a snippet that answers), and where clicks come from attractive titles: look at Satisfied and
Reformulation beside it.

Source: Radlinski, Kurup and Joachims, How does clickthrough data reflect retrieval quality?, CIKM 2008.
""")  # fmt: skip
