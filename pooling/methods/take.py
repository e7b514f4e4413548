"""take-N: documents by their best rank in any run, until the budget is spent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import FixedOrder, Method, MethodOption, generator


def by_best_rank(topic: Candidates, options: Mapping[str, Any], seed: int) -> FixedOrder:
    """Ties within a depth by docno descending, or at random.

    >>> from cranfield.pooling.examples import example, shown
    >>> topic = example("a b c", "b d")
    >>> shown(topic, TAKE.start(topic).order)
    'b a d c'
    """
    tie = -np.arange(len(topic)) if options["ties"] == "docno" else generator(seed, topic.qid).permutation(len(topic))
    return FixedOrder(np.lexsort((tie, topic.best)))


TAKE = Method(
    "take", "by the best rank in any run", by_best_rank,
    (MethodOption("ties", "docno", "what breaks ties within a depth", ("docno", "random")),), random=True,
    source="Lipani et al., ECIR 2017", explanation="""
take-N: documents by their best rank in any run, until the budget is spent.

    d comes by min_s r_s(d)

Depth-k pooling that may stop inside a depth. Good: simple, and fair as depth-k is. Bad: it takes the first documents of
weak runs before the second of strong ones, and what comes first within a depth is arbitrary. Source: TakeN and FairTake
of Lipani, Palotti, Lupu, Piroi, Zuccon and Hanbury, Fixed-cost pooling strategies based on IR evaluation measures, ECIR
2017.
""")  # fmt: skip
