"""Corrections for many pairs: of twenty pairs without any difference, one is significant at .05 by chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from cranfield.arrays.rankings import Floats


@dataclass(frozen=True)
class Correction:
    """A correction: a function from the p values of a family of pairs to corrected ones."""

    name: str
    title: str
    function: Callable[[Floats], Floats]
    any_false: bool = False  # whether the first claim needs p <= alpha / pairs


def correct(p: Floats, correction: Correction) -> Floats:
    """The corrected p values; NaN stays NaN and does not count as a pair.

    Holm keeps the probability of any false claim at alpha, under any dependence, and is never weaker than Bonferroni.
    Benjamini-Hochberg keeps the expected share of false claims among all claims at alpha, which is less strict and
    finds more. No correction is right for a single pair that was chosen before the scores were seen.

    >>> correct(np.array([0.01, np.nan, 0.04]), CORRECTIONS["bonferroni"])
    array([0.02,  nan, 0.08])
    """
    corrected = np.full(len(p), np.nan)
    defined = ~np.isnan(p)
    corrected[defined] = correction.function(p[defined])
    return corrected


def holm(p: Floats) -> Floats:
    """The smallest p times the number of pairs, the next times one less, and so on; never below the one before.

    Source: Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 1979.

    >>> holm(np.array([0.01, 0.04, 0.03]))
    array([0.03, 0.06, 0.06])
    """
    order = np.argsort(p, kind="stable")
    corrected = np.empty(len(p))
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)))
    return corrected


def bh(p: Floats) -> Floats:
    """The k-th smallest p times pairs / k; never above the next one.

    Source: Benjamini and Hochberg, Controlling the false discovery rate, JRSS B 57(1), 1995.

    >>> bh(np.array([0.01, 0.04, 0.03]))
    array([0.03, 0.04, 0.04])
    """
    from scipy.stats import false_discovery_control

    return np.asarray(false_discovery_control(p, method="bh"), dtype=float) if len(p) else p


def bonferroni(p: Floats) -> Floats:
    """Every p times the number of pairs.

    Source: Dunn, Multiple comparisons among means, JASA 56, 1961.

    >>> bonferroni(np.array([0.01, 0.04, 0.5]))
    array([0.03, 0.12, 1.  ])
    """
    return np.minimum(1.0, p * len(p))


def none(p: Floats) -> Floats:
    """The p values unchanged."""
    return p.copy()


CORRECTIONS: Mapping[str, Correction] = {
    correction.name: correction
    for correction in (
        Correction("holm", "Holm", holm, any_false=True),
        Correction("bh", "Benjamini-Hochberg", bh),
        Correction("bonferroni", "Bonferroni", bonferroni, any_false=True),
        Correction("none", "no correction", none),
    )
}
