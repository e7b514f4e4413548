"""Bpref, binary preference: how often a relevant document is ranked above those judged not relevant."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.aliases import Alias
from cranfield.metrics.measure import Measure


def binary_preference(r: Judged, rel: int = 1) -> Floats:
    """The share of the documents judged not relevant that each relevant one is ranked above, averaged.

    >>> from cranfield.metrics.examples import example
    >>> binary_preference(example([0, None, 1, 1], unretrieved=[0]))  # one of two above each: (1/2 + 1/2) / 2
    array([0.5])
    >>> binary_preference(example([None, None, 1]))
    array([1.])
    """
    r = r.as_trec_eval()
    hit, num_relevant = r.condensed().relevant(rel), r.num_relevant(rel)
    most = np.minimum(num_relevant, r.num_nonrelevant(rel))[hit.ranking]
    worse = ratio(np.minimum(hit.rank - hit.nth, num_relevant[hit.ranking]), most)
    return ratio(r.sum(hit, 1 - worse), num_relevant)


BPREF = Measure(
    "Bpref", binary_preference, synonyms=("bpref",), tells_unjudged=True, aliases=(Alias("BPref"),), condenses=True,
    explanation="""
Bpref, binary preference: how often a relevant document is ranked above those judged not relevant.

It looks at judged documents only, so it stays comparable when judgments are incomplete at random. It misleads where
they are incomplete in a system's disfavour: a system whose documents are not in the pool benefits, since what it ranked
high and nobody judged does not count against it. A relevant document that was not retrieved counts 0. The paper's first
formula divides by R; this is the later one (bpref of trec_eval 8 and later), which divides by min(N, R), N being the
documents judged not relevant. As in trec_eval no negative grade is a judgment.

Source: Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004; trec_eval's bpref.
""")  # fmt: skip
