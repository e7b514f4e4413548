"""DCG-weighted pooling: documents by the sum of the discounts of their ranks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import FixedOrder, Method, ordered


def by_discounts(topic: Candidates, options: Mapping[str, Any], seed: int) -> FixedOrder:
    """b: 1/log2(3) + 1, a: 1, d: 1/log2(3), c: 1/2.

    >>> from cranfield.pooling.examples import example, shown
    >>> topic = example("a b c", "b d")
    >>> shown(topic, DCG.start(topic).order)
    'b a d c'
    """
    return FixedOrder(ordered(topic.total(1 / np.log2(topic.ranks + 1))))


DCG = Method(
    "dcg", "by the sum of nDCG's rank discounts", by_discounts, source="Lipani et al., ECIR 2017", explanation="""
DCG-weighted pooling: documents by the sum of the discounts of their ranks.

    score(d) = sum over runs that retrieved d of  log 2 / log(r_s(d) + 1)

Good: spends the budget where nDCG looks. Bad: like all fusion it follows the majority of runs. Source: Lipani, Palotti,
Lupu, Piroi, Zuccon and Hanbury, Fixed-cost pooling strategies based on IR evaluation measures, ECIR 2017.
""")  # fmt: skip
