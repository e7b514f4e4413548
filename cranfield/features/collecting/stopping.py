"""When judging a topic may stop: rules that look at what was found, and those that certify a recall from a random draw.

Rules are told, never forced. What they promise: the knees, the share of the budget and the hypergeometric test promise
nothing; a certified rule holds only with documents drawn at random from the corpus before learning began, judged blind.

    knee          (r_i / i) / ((1 + r_s - r_i) / (s - i)) >= 156 - min(r_s, 150), over ends of batches i; s >= 100
    knee6         the same with 6
    budget-knee   ratio >= 6 and s >= 10 n / r, or s >= 3/4 n            (n documents in the corpus)
    precision     at most 5 of the last 200 are relevant
    hypergeometric    p < .05 at any end of a batch, as if what followed had been drawn from the rest
    target        10 relevant ones of the draw are all found: a recall of .74 in 95 % of topics
    qbcb          the j-th of r relevant ones of the draw is found, Bin(j - 1; r, t) >= 1 - alpha

Sources: Cormack and Grossman, Engineering quality and reliability in technology-assisted review, SIGIR 2016 (knee,
budget, target); Callaghan and Müller-Hansen, Systematic Reviews 9, 2020 (hypergeometric); Lewis, Yang and Frieder,
Certifying one-phase technology-assisted reviews, CIKM 2021 (qbcb).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import floor
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Ints
from cranfield.errors import InputError

ALPHA = 0.05
TARGET = 10  # relevant documents of the draw, of which all are to be found


class Curve(NamedTuple):
    """What was judged of a topic: how many relevant documents there were at each end of a batch, of how many."""

    judged: Ints
    relevant: Ints
    documents: int  # in the corpus

    @property
    def ratio(self) -> float:
        """The greatest ratio of the rate of relevant documents before an earlier end of a batch to that after it."""
        i, r, s, total = self.judged[:-1], self.relevant[:-1], self.judged[-1], self.relevant[-1]
        if not len(i):
            return 0.0
        return float(np.max((r / i) / ((1 + total - r) / (s - i))))


def knee(curve: Curve, least: float | None = None) -> bool:
    """Whether relevant documents have become rare.

    >>> curve = Curve(np.array([10, 100, 400]), np.array([10, 30, 30]), 1000)
    >>> round(curve.ratio, 1), knee(curve), knee(curve, 6)
    (90.0, False, True)
    """
    bound = 156 - min(int(curve.relevant[-1]), 150) if least is None else least
    return bool(curve.judged[-1] >= 100 and curve.ratio >= bound)


def budget_knee(curve: Curve) -> bool:
    """A knee after enough was judged, or three quarters of the corpus."""
    judged, relevant = int(curve.judged[-1]), int(curve.relevant[-1])
    enough = relevant > 0 and judged >= 10 * curve.documents / relevant
    return bool((curve.ratio >= 6 and enough) or judged >= 0.75 * curve.documents)


def precision(curve: Curve) -> bool:
    """Whether at most 5 of the last 200 documents were relevant."""
    start = int(np.searchsorted(curve.judged, curve.judged[-1] - 200, side="right")) - 1
    return bool(start >= 0 and curve.relevant[-1] - curve.relevant[start] <= 5)


def hypergeometric(curve: Curve, recall: float = 0.95) -> bool:
    """Whether what followed some end of a batch would be too poor, had recall not been reached there."""
    from scipy.stats import hypergeom

    total = int(curve.relevant[-1])
    for judged, relevant in zip(curve.judged[:-1].tolist(), curve.relevant[:-1].tolist(), strict=True):
        missing = floor(total / recall - relevant + 1)
        rest, sample = curve.documents - judged, int(curve.judged[-1]) - judged
        if missing <= rest and hypergeom.cdf(total - relevant, rest, missing, sample) < ALPHA:
            return True
    return False


def least_found(relevant: int, recall: float, alpha: float = ALPHA) -> int:
    """Of so many relevant documents drawn at random, how many have to be found to certify a recall: the least j.

    >>> [least_found(r, 0.8) for r in (14, 20, 30, 100)]
    [14, 20, 28, 87]
    >>> least_found(13, 0.8)
    Traceback (most recent call last):
    cranfield.errors.InputError: a recall of 0.8 cannot be certified from 13 relevant documents; expected at
    least 14
    """
    from scipy.stats import binom

    for j in range(1, relevant + 1):
        if binom.cdf(j - 1, relevant, recall) >= 1 - alpha:
            return j
    raise InputError(
        f"a recall of {recall:g} cannot be certified from {relevant} relevant documents; expected at least"
        f" {fewest(recall, alpha)}"
    )


def fewest(recall: float, alpha: float = ALPHA) -> int:
    """The fewest relevant documents of a draw from which a recall can be certified.

    >>> [fewest(recall) for recall in (0.8, 0.9, 0.95)]
    [14, 29, 59]
    """
    return int(np.ceil(np.log(alpha) / np.log(recall)))


def price(relevant: int, documents: int, prevalence: int) -> int:
    """How many documents have to be judged to draw so many relevant ones, of as many as are expected in a corpus.

    >>> price(14, 1_000_000, 50)
    280000
    """
    return int(np.ceil(relevant * documents / max(prevalence, 1)))


RULES: Mapping[str, Callable[[Curve], bool]] = {
    "knee": knee,
    "knee6": lambda curve: knee(curve, 6),
    "budget-knee": budget_knee,
    "precision": precision,
    "hypergeometric": hypergeometric,
}


class CertifyingRule(NamedTuple):
    """A rule that certifies a recall, from relevant documents that were drawn at random before learning.

    >>> read = CertifyingRule.read
    >>> read("qbcb:0.9"), read("target").fewest, read("knee"), read("qbcb:9")
    (CertifyingRule(name='qbcb', recall=0.9), 10, None, None)
    >>> [(rule.limit(30), rule.threshold(30)) for rule in (CertifyingRule("qbcb", 0.8), CertifyingRule("target", 0.74))]
    [(30, 28), (10, 10)]
    """

    name: str
    recall: float

    @staticmethod
    def read(text: str) -> CertifyingRule | None:
        """The rule, as it is asked for; None where it is no such rule."""
        name, _, number = text.partition(":")
        try:
            recall = float(number or 0.8)
        except ValueError:
            return None
        if text == "target":
            return CertifyingRule(text, ALPHA ** (1 / TARGET))
        return CertifyingRule(name, recall) if name == "qbcb" and 0 < recall < 1 else None

    @property
    def fewest(self) -> int:
        """How many relevant documents have to be in the draw."""
        return TARGET if self.name == "target" else fewest(self.recall)

    def limit(self, sample: int) -> int:
        """How many of the relevant ones that were drawn it looks at: the first ones."""
        return min(sample, TARGET) if self.name == "target" else sample

    def threshold(self, sample: int) -> int | None:
        """How many of these have to be found to stop; None where so few certify nothing."""
        if sample < self.fewest:
            return None
        return TARGET if self.name == "target" else least_found(sample, self.recall)

    def price(self, documents: int, relevant: Sequence[int]) -> str:
        """What it would take, as a topic of the corpus has so many documents, and each topic so many relevant ones.

        >>> CertifyingRule("qbcb", 0.8).price(1_000_000, [50]).rpartition("takes ")[2]
        'about 280,000 labels per topic'
        """
        rule = self.name if self.name == "target" else f"{self.name}:{self.recall:g}"
        labels = min(price(self.fewest, documents, int(np.mean(relevant)) if len(relevant) else 0), documents)
        what = f"{self.fewest} relevant documents from a random draw that was judged blind before learning"
        return f"{rule} needs {what}, which takes about {labels:,} labels per topic"
