"""Reciprocal rank fusion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import FixedOrder, Method, MethodOption, ordered


def by_reciprocal_ranks(topic: Candidates, options: Mapping[str, Any], seed: int) -> FixedOrder:
    """b: 1/62 + 1/61, a: 1/61, d: 1/62, c: 1/63; with c = 0, b: 3/2, a: 1, d: 1/2, c: 1/3.

    >>> from cranfield.pooling.examples import example, shown
    >>> topic = example("a b c", "b d")
    >>> shown(topic, RRF.start(topic).order), shown(topic, RRF.start(topic, {"c": 0}).order)
    ('b a d c', 'b a d c')
    >>> tied = example("a b", "b a")
    >>> shown(tied, RRF.start(tied).order)
    'b a'
    """
    return FixedOrder(ordered(topic.total(1 / (options["c"] + topic.ranks))))


RRF = Method(
    "rrf", "by the sum of reciprocal ranks", by_reciprocal_ranks,
    (MethodOption("c", 60, "larger gives the first ranks less weight", low=0),),
    source="Cormack, Clarke and Büttcher, SIGIR 2009", explanation="""
Reciprocal rank fusion.

    score(d) = sum over runs that retrieved d of  1 / (c + r_s(d)),   c = 60

Good: ranks only, nothing to tune, and of the methods with a budget it was least unfair to left-out teams on TREC-8.
Bad: it finds fewer relevant documents than methods that look at judgments. Source: Cormack, Clarke and Büttcher,
Reciprocal rank fusion outperforms Condorcet and individual rank learning methods, SIGIR 2009.
""")  # fmt: skip
