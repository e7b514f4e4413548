"""Raw agreement, overlap and prevalence: the three numbers without which no kappa should be printed.

None is chance-corrected. Where 5 per cent are relevant, two assessors who guess agree on 90 per cent; and the same
overlap goes with quite different kappas at different prevalences.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays.rankings import Floats

from .base import Agreement, Labels, quotient


def raw_agreement(grades: ArrayLike) -> float:
    """Raw agreement: the share of all pairs of labels of one unit that agree.

    A unit that three assessors labelled has three pairs, and counts for more than one that two labelled. Misleads
    wherever one grade dominates: nearly all documents are not relevant, so nearly all labels agree.

    >>> raw_agreement([[0, 0], [0, 1], [1, np.nan]]), raw_agreement([[1, np.nan]])
    (0.5, nan)
    >>> raw_agreement([[0, 0, 0], [0, 1, np.nan]])
    0.75
    """
    return RAW(grades)


def overlap(grades: ArrayLike, rel: float = 1) -> float:
    """Overlap: relevant to all who labelled it, as a share of what is relevant to any; units with two labels or more.

    Voorhees found .42 to .49 between pairs of NIST's assessors, and about .30 among three. Misleads as a measure of
    reliability: it looks at relevant documents only, falls as they get rare, and falls with every further assessor.
    Undefined where nobody found anything relevant. Source: Lesk and Salton, Relevance assessments and retrieval system
    evaluation, 1968; Voorhees, Information Processing and Management 36, 2000.

    >>> overlap([[1, 1], [1, 0], [0, 0]]), overlap([[0, 0], [0, 0]])
    (0.5, nan)
    """
    return OVERLAP(grades, rel=rel)


def prevalence(grades: ArrayLike, rel: float = 1) -> float:
    """Prevalence: the share of relevant labels, over units with two or more. It does not measure agreement.

    >>> prevalence([[1, 1], [1, 0], [0, 0], [0, 0]]), prevalence([[1, np.nan]])
    (0.375, nan)
    """
    return PREVALENCE(grades, rel=rel)


def _agreeing(labels: Labels) -> Floats:
    """Per unit: its pairs of labels that agree, and all of them, each pair twice."""
    alike = np.sum(labels.counts * (labels.counts - 1), axis=1)
    return np.stack([alike, labels.labels * (labels.labels - 1)], axis=1)


def _overlapping(labels: Labels) -> Floats:
    every = (labels.relevant == labels.labels) & (labels.relevant > 0)
    return np.asarray(labels.paired[:, None] * np.stack([every, labels.relevant > 0], axis=1))


def _prevailing(labels: Labels) -> Floats:
    return np.asarray(labels.paired[:, None] * np.stack([labels.relevant, labels.labels], axis=1))


def _share(sums: Floats, scale: Floats) -> Floats:
    return quotient(sums[..., 0], sums[..., 1])


RAW = Agreement(
    "raw agreement",
    _agreeing,
    _share,
    "share of pairs of labels that agree; high wherever one grade dominates",
    heading="raw",
    brief=True,
    limits=(0.0, 1.0),
)
OVERLAP = Agreement(
    "overlap",
    _overlapping,
    _share,
    "of what anyone calls relevant, the share that everyone does; not chance-corrected",
    brief=True,
    limits=(0.0, 1.0),
)
PREVALENCE = Agreement(
    "prevalence",
    _prevailing,
    _share,
    "share of labels that are relevant; read the other coefficients against it",
    heading="relevant",
    brief=True,
    limits=(0.0, 1.0),
)
