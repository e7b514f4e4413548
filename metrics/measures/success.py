"""Success@k: whether the reader finds anything at all."""

from __future__ import annotations

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.aliases import Alias
from cranfield.metrics.measure import Measure


def success(r: Judged, cutoff: int, rel: int = 1) -> Floats:
    """1 if there is a relevant document among the first k, else 0.

    >>> from cranfield.metrics.examples import example
    >>> success(example([0, 1, 1]), cutoff=1), success(example([0, 1, 1]), cutoff=3)
    (array([0.]), array([1.]))
    """
    hit = r.relevant(rel, cutoff)
    return r.sum(hit, hit.nth == 1)


SUCCESS = Measure(
    "Success", success, synonyms=("success_{}", "success"), aliases=(Alias("hit_rate"),), extremes="one way",
    explanation="""
Success@k: whether the reader finds anything at all.

For question answering and known-item search; its mean is the share of topics answered. It misleads as soon as the
number or the order of relevant documents matters. Often published as "recall@k", "hit rate" or "top-k accuracy".

Source: trec_eval's success.
""")  # fmt: skip
