"""An estimate with what it rests on: the effective sample size first, and the interval by a bootstrap over users.

Below an effective sample size of 100 nothing is concluded: from 100 on, no single list has more than a tenth of the
total weight, since the largest share of it is at most 1 over the root of the effective size. Below it, the interval
would rest on a few lists, and a bootstrap cannot know of large weights that it did not see.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.online.bootstrap import interval, redrawn
from cranfield.online.counterfactual.estimator import ENOUGH, Estimator, Weighted

NAN = float("nan")
SAMPLES = 2000


class CounterfactualEstimate(NamedTuple):
    """What an estimator says of the clicks per list; NaN where it must not conclude, or has no weights."""

    estimator: str
    effective: float
    most: float  # the largest weight
    mean: float  # of the weights of a list; about 1 where propensities are right and whole lists are weighed
    lists: int
    value: float
    low: float
    high: float
    error: float  # the standard error

    @property
    def concluded(self) -> bool:
        """Whether there is an estimate."""
        return not np.isnan(self.value)


def estimated(
    by: Estimator, of: Weighted, users: Ints, enough: float = ENOUGH, confidence: float = 0.95, seed: int = 0
) -> CounterfactualEstimate:
    """The estimate; `users` has the user of each list, from 0.

    >>> from cranfield.online.counterfactual.estimator import one_per_list
    >>> from cranfield.online.counterfactual.table import ESTIMATORS
    >>> few = one_per_list([1.6, 3.2, 0.25, 1.0], [1, 0, 1, 1])
    >>> found = estimated(ESTIMATORS["ips"], few, np.arange(4))
    >>> round(found.effective, 2), found.concluded, estimated(ESTIMATORS["ips"], few, np.arange(4), enough=2).value
    (2.64, False, 0.7125)
    """
    weighed = by.weighing != "none"
    effective = of.effective if weighed else NAN
    most, mean = (float(of.weight.max()), float(of.weight.mean())) if weighed else (NAN, NAN)
    told = CounterfactualEstimate(by.name, effective, most, mean, of.impressions, NAN, NAN, NAN, NAN)
    if weighed and effective < enough:
        return told
    total, count = by.terms(of)
    low, high, error = _spread(total, count, users, confidence, seed)
    return told._replace(value=by.terms(of).value, low=low, high=high, error=error)


def _spread(total: Floats, count: Floats, users: Ints, confidence: float, seed: int) -> tuple[float, float, float]:
    by_user = [np.bincount(users, column).astype(float) for column in (total, count)]
    if len(by_user[0]) < 2:
        return NAN, NAN, NAN
    found = redrawn(by_user[0], by_user[1], SAMPLES, seed)
    return (*interval(found, 1 - confidence), float(found.std(ddof=1)))
