"""Unjudged@k: the share of the first k ranks that are unjudged.

Like Judged it shows how far other scores can be trusted, but it always divides by k: what a short ranking leaves empty
counts as judged, so Judged@k and Unjudged@k add up to 1 only for rankings of at least k documents. It misleads where
rankings are short, and says nothing of quality. A grade of -1 counts as unjudged, a lower one (junk, spam) as judged;
`cranfield trec-eval` takes both as unjudged, as trec_eval does.

Source: trec_eval's unj.
"""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure


def unjudged_share(r: Judged, cutoff: int) -> Floats:
    """The unjudged documents among the first k, over k.

    >>> from cranfield.metrics.examples import example
    >>> unjudged_share(example([0, None, -1]), cutoff=5), unjudged_share(example([]), cutoff=5)
    (array([0.4]), array([0.]))
    """
    return (np.minimum(r.retrieved, cutoff) - r.sum(r.judged(cutoff))) / cutoff


UNJUDGED = Measure("Unjudged", unjudged_share, synonyms=("unj_{}", "unj"), tells_unjudged=True)
