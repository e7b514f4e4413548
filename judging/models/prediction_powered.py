"""A mean over all units of which a model labelled each, and people a recorded random sample: prediction-powered.

    mean = sum over strata of W_h (λ f̄_h + mean of (y - λ f) over the sample of h)
    var  = sum over strata of W_h² (1 - n_h / N_h) s_h² / n_h,   s_h² of y - λ f, with n_h - 1
    λ    = the value that makes var smallest, kept within 0 and 1

y is what people's label gives a unit, f what the model's gives it, W_h = N_h / N. λ = 0 does without the model; λ = 1
takes it at its word and can be worse than no model at all. The interval uses Student's t with n - H degrees of freedom
and is about these N units alone: not about other topics, nor about errors of people. It needs labels enough to show
what errors there are: sampled_score.py has intervals for runs, of whose documents few are in a sample.

Sources: Angelopoulos, Duchi and Zrnic, PPI++: Efficient Prediction-Powered Inference, arXiv:2311.01453, here on a
finite population drawn without replacement (Cochran, Sampling Techniques, 3rd edition 1977, 5.3 and 7.3); for retrieval
Oosterhuis, Jagerman, Qin, Wang and Bendersky, arXiv:2407.02464.
"""

from __future__ import annotations

from math import nan, sqrt
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.errors import InputError


class PoweredEstimate(NamedTuple):
    """A mean with its interval; `tuning` is λ, and `worth` how many times as many labels of people would do as well.

    `worth` is NaN where the estimate has no variance, and the interval where a stratum has fewer than two labels, or
    for the reason in `why`.
    """

    value: float
    low: float
    high: float
    tuning: float
    worth: float
    sampled: int
    units: int
    why: str = ""


def powered(
    human: Floats, model: Floats, strata: Ints | None = None, tuning: float | None = None, level: float = 0.95
) -> PoweredEstimate:
    """The mean of what people would say of all units; `human` is NaN where they were not asked.

    Both are (units,); `strata` numbers the stratum of each unit from 0. A `tuning` is λ itself instead of the best one.

    >>> human, model = np.array([1.0, 0.0, 1.0, np.nan]), np.array([1.0, 0.0, 1.0, 1.0])
    >>> estimate = powered(human, model)
    >>> estimate.value, estimate.tuning, estimate.low, estimate.high
    (0.75, 1.0, 0.75, 0.75)
    >>> round(powered(human, model, tuning=0.0).value, 4)
    0.6667
    >>> powered(np.array([1.0, np.nan]), np.array([1.0, 0.0])).low
    nan
    """
    group = np.zeros(len(model), np.int64) if strata is None else strata
    asked = ~np.isnan(human)
    sizes, drawn = np.bincount(group), np.bincount(group[asked], minlength=int(group.max(initial=0)) + 1)
    if np.any((sizes > 0) & (drawn == 0)):
        raise InputError("a stratum has no label of a person; a mean over all units cannot be estimated")
    y, f, here = human[asked], model[asked], group[asked]
    share = sizes / len(model)
    factor = share**2 * np.divide(1 - drawn / np.maximum(sizes, 1), drawn, out=np.zeros(len(sizes)), where=drawn > 0)
    lam = _tuned(y, f, here, factor, drawn) if tuning is None else tuning
    value = float(share @ (lam * _means(model, group, sizes) + _means(y - lam * f, here, drawn)))
    variance, alone = (float(factor @ _variances(y - one * f, here, drawn)) for one in (lam, 0.0))
    wide = _wide(variance, drawn, sizes, level)
    worth = alone / variance if variance > 0 else nan
    return PoweredEstimate(value, value - wide, value + wide, lam, worth, int(asked.sum()), len(model))


def _tuned(y: Floats, f: Floats, group: Ints, factor: Floats, drawn: Ints) -> float:
    """The λ of the smallest variance; 0 where the model's labels do not differ."""
    spread = float(factor @ _variances(f, group, drawn))
    if not spread > 0:
        return 0.0
    both, apart = _variances(y + f, group, drawn), _variances(y - f, group, drawn)
    return float(np.clip(float(factor @ (both - apart)) / 4 / spread, 0, 1))


def _means(values: Floats, group: Ints, sizes: Ints) -> Floats:
    sums = np.bincount(group, values, minlength=len(sizes))
    return np.asarray(sums / np.maximum(sizes, 1), float)


def _variances(values: Floats, group: Ints, sizes: Ints) -> Floats:
    """The variance of each stratum, with n - 1; 0 where there is only one."""
    off = values - _means(values, group, sizes)[group]
    return np.asarray(np.bincount(group, off**2, minlength=len(sizes)) / np.maximum(sizes - 1, 1), float)


def _wide(variance: float, drawn: Ints, sizes: Ints, level: float) -> float:
    """Half the width of the interval; NaN where a stratum that was not asked whole has a single label."""
    from scipy.stats import t

    if np.any((drawn == 1) & (sizes > 1)):
        return nan
    freedom = int(drawn.sum()) - int(np.count_nonzero(sizes))
    return 0.0 if variance == 0 else float(t.ppf((1 + level) / 2, freedom)) * sqrt(variance)
