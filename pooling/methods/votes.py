"""Votes: documents by how many runs retrieved them within the considered depth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import FixedOrder, Method, ordered


def by_votes(topic: Candidates, options: Mapping[str, Any], seed: int) -> FixedOrder:
    """Ties by docno descending: rank does not count.

    >>> from cranfield.pooling.examples import example, shown
    >>> topic = example("a b c", "b d")
    >>> shown(topic, VOTES.start(topic).order)
    'b d c a'
    """
    return FixedOrder(ordered(np.bincount(topic.document, minlength=len(topic)).astype(float)))


VOTES = Method(
    "votes", "by the number of runs that retrieved it", by_votes, source="Aslam and Montague, SIGIR 2001",
    explanation="""
Votes: documents by how many runs retrieved them within the considered depth.

    score(d) = |{s : d in s}|

Good: needs neither ranks nor scores. Bad: a document that stands first in one run alone comes last, and near-duplicate
runs outvote the others. Source: the approval vote of Aslam and Montague, Models for metasearch, SIGIR 2001.
""")  # fmt: skip
