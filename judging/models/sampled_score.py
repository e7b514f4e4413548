"""A score that is a sum over units with known ends, of which people judged a random sample: an interval that holds.

    score = L + U (λ f̄ + mean of (x - λ f) over the sample),   x = (y - l) / (u - l), so 0 to 1, and f by the model
    mean  weighs a unit by w (u - l), where one stands for w units of its stratum; L and U are the sums of l and u - l
    var   = (1 - n / N) sum of weight² (x - λ f - mean)² / (sum of weights)² · m / (m - 1)
    m     = (sum of weights)² / sum of weights² + 2

Only units count that the score can look at (u > l): of a run, the documents at ranks that its measure has. Few labels
are among them, so a sample that shows no error may only happen to. Variance and middle are taken with two more units of
the mean weight, one where the person says 0 and the model 1, and one the other way round, as Agresti and Caffo do for
proportions. The interval is Student's t with m - 1 degrees of freedom, and is cut where the labels that are known end
it, were all others 0 or 1. Below 5 labels there is none.

Sources: Hájek, in Foundations of Statistical Inference, 1971 (weights over their sum); Kish, Survey Sampling, 1965 (m);
Agresti and Caffo, The American Statistician 54, 2000; and prediction_powered.py, which has λ.
"""

from __future__ import annotations

from math import nan, sqrt
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.judging.models.prediction_powered import PoweredEstimate

FEWEST = 5  # labels within what a score looks at
EITHER = ((0.0, 1.0), (1.0, 0.0))  # a person's and a model's word for the two more units


class Sums(NamedTuple):
    """What each unit adds to a score, all (units,): by people, NaN where they were not asked, and by the model.

    `weight` is how many units each stands for, `ends` the least and the most that each can add.
    """

    human: Floats
    model: Floats
    weight: Floats
    ends: tuple[Floats, Floats]


def sampled_score(of: Sums, tuning: float, level: float = 0.95) -> PoweredEstimate:
    """The score by people.

    >>> human, model = np.array([1.0, 0.0, 1.0, 0.0, 1.0, np.nan]), np.array([1.0, 0.0, 1.0, 0.0, 1.0, 1.0])
    >>> of = Sums(human, model, np.full(6, 1.2), (np.zeros(6), np.ones(6)))
    >>> found = sampled_score(of, tuning=1.0)
    >>> found.value, round(found.low, 2), round(found.high, 2)  # no error was seen
    (4.0, 3.0, 4.0)
    >>> sampled_score(Sums(human[1:], model[1:], of.weight[1:], (np.zeros(5), np.ones(5))), tuning=1.0).why
    '4 labels of the sample count for it; expected 5 or more'
    """
    human, model, weight, ends = of
    least, size = ends[0], ends[1] - ends[0]
    reach = size > 0
    asked = reach & ~np.isnan(human)
    known, number, units = float(least.sum()), int(asked.sum()), int(reach.sum())
    enough = number >= min(FEWEST, units)
    few = "" if enough else f"{number} labels of the sample count for it; expected {FEWEST} or more"
    if not number:
        value = nan if units else known
        return PoweredEstimate(value, value, value, tuning, nan, 0, units, few)
    share, whole = size[reach] / size.sum(), float(size.sum())
    by_model = float(share @ ((model - least)[reach] / size[reach]))
    x, f = ((values - least)[asked] / size[asked] for values in (human, model))
    unseen = 1 - number / units
    found, alone = (_mean(x, f, weight[asked] * size[asked], lam, unseen, level) for lam in (tuning, 0.0))
    worst, best = (float(np.where(asked, human, end).sum()) for end in ends)
    value, low, high = (
        min(max(known + whole * (tuning * by_model + one), worst), best) for one in (found.value, found.low, found.high)
    )
    worth = alone.variance / found.variance if found.variance > 0 else nan
    if not enough:
        low = high = worth = nan
    return PoweredEstimate(value, low, high, tuning, worth, number, units, few)


class _Mean(NamedTuple):
    """Of x - λ f over the sample."""

    value: float
    low: float
    high: float
    variance: float


def _mean(x: Floats, f: Floats, weight: Floats, lam: float, unseen: float, level: float) -> _Mean:
    from scipy.special import stdtrit

    size = float(weight.sum()) ** 2 / float((weight**2).sum())
    weights = np.append(weight, [weight.sum() / size] * len(EITHER))
    off = np.append(x - lam * f, [person - lam * machine for person, machine in EITHER])
    value, middle = float(weight @ off[: len(x)] / weight.sum()), float(weights @ off / weights.sum())
    more = size + len(EITHER)
    variance = unseen * float(weights**2 @ (off - middle) ** 2) / float(weights.sum()) ** 2 * more / (more - 1)
    centre = value + unseen * (middle - value)
    half = float(stdtrit(more - 1, (1 + level) / 2)) * sqrt(variance)
    return _Mean(value, centre - half, centre + half, variance)
