"""New relevant documents by depth as a power law: fitted, extrapolated, and tested on what is known."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Ints
from cranfield.errors import InputError
from cranfield.text import counted

LEAST_DEPTHS = 3  # a line through two points has no error


class PowerLaw(NamedTuple):
    """n(p) + 1 = C p^s over depths p, and how well it is known.

        n(p) + 1 = C p^s,   ln(n(p) + 1) = ln C + s ln p        for the n(p) relevant documents that depth p brings

    Good: tells before judging what another ten ranks would bring. Bad: has been seen to promise too much: on TREC-8,
    fitted on depths 1-50, it predicts 1,261 for 51-100, and 1,010 came. On TREC-5 Zobel predicted 1,296 and 1,350 came.
    Look at the back-test before the forecast, which has no interval: where runs find documents as they do, and not by a
    power law, that of the fit held what came in 0 to 90 % of simulated pools. Source: Zobel, How reliable are the
    results of large-scale information retrieval experiments?, SIGIR 1998.
    """

    c: float
    s: float
    depths: tuple[int, int]  # fitted on these, first and last
    residual: float  # standard deviation of ln(n + 1) about the line


class Prediction(NamedTuple):
    """New relevant documents over some depths; observed where those depths are judged."""

    first: int
    last: int
    predicted: float
    observed: int | None = None


def power_law(new: Sequence[float] | Ints, first: int = 1) -> PowerLaw:
    """The least-squares line of ln(n + 1) on ln p; `new` are the documents new at depth `first`, `first` + 1, ...
    >>> law = power_law([99, 49, 100 / 3 - 1, 24])  # 100 p^-1 - 1
    >>> round(law.c, 6), round(law.s, 6)
    (100.0, -1.0)
    """
    counts = np.asarray(new, float)
    if len(counts) < LEAST_DEPTHS:
        raise InputError(f"{counted(len(counts), 'depth')}; a fit needs at least {LEAST_DEPTHS}")
    depths = np.arange(first, first + len(counts))
    design = np.stack([np.ones(len(counts)), np.log(depths)], axis=1)
    a, s = np.linalg.inv(design.T @ design) @ design.T @ np.log(counts + 1)
    errors = np.log(counts + 1) - design @ np.array([a, s])
    variance = float(errors @ errors) / (len(counts) - 2)
    return PowerLaw(exp(a), float(s), (first, int(depths[-1])), sqrt(variance))


def extrapolated(law: PowerLaw, first: int, last: int) -> Prediction:
    """What the depths `first` to `last` would bring: the sum of C p^s - 1, never below 0.

    C p^s is the median of a depth, if errors are normal; the mean is a little above.

    >>> round(extrapolated(PowerLaw(398.2, -0.634, (1, 50), 0.0), 51, 100).predicted)
    1259
    """
    depths = np.arange(first, last + 1)
    return Prediction(first, last, max(0.0, float((law.c * depths**law.s - 1).sum())))


def back_test(new: Sequence[int] | Ints) -> Prediction | None:
    """The second half of the depths as the first half predicts it, and as it came; None for fewer than six depths.

    >>> back_test([100, 40, 20, 12, 9, 7])._replace(predicted=0)
    Prediction(first=4, last=6, predicted=0, observed=28)
    >>> back_test([9, 5, 3, 2]) is None
    True
    """
    half = len(new) // 2
    if half < LEAST_DEPTHS:
        return None
    predicted = extrapolated(power_law(np.asarray(new)[:half]), half + 1, len(new))
    return predicted._replace(observed=int(np.sum(np.asarray(new)[half:])))
