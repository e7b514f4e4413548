"""The difference of an arm from the control, by Welch's t test: for one look, at a size that was planned.

Read the interval first, then p. To look every day and stop at the first p below .05 is to err in far more than 1 of 20
cases: sequence.py is for that.

Source: Welch, The generalization of Student's problem when several different population variances are involved,
Biometrika 34, 1947.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats

NAN = float("nan")


class ArmEffect(NamedTuple):
    """The means of control and arm, their difference with its interval, and p."""

    control: float
    arm: float
    difference: float
    low: float
    high: float
    p: float

    @property
    def relative(self) -> float:
        """The difference as a share of the control's mean."""
        return self.difference / self.control if self.control else NAN


def welch(control: Floats, arm: Floats, alpha: float = 0.05) -> ArmEffect:
    """The effect by one value per user; interval and p are NaN where an arm has fewer than two, or none differ.

    >>> found = welch(np.array([1.0, 2.0, 3.0]), np.array([3.0, 4.0, 8.0]))
    >>> [round(value, 4) for value in found]
    [2.0, 5.0, 3.0, -2.7407, 8.7407, 0.1791]
    """
    from scipy.special import stdtr, stdtrit

    effect = untested(control, arm)
    if not testable(control, arm):
        return effect
    of_mean = [float(values.var(ddof=1)) / len(values) for values in (control, arm)]
    error = sum(of_mean) ** 0.5
    freedom = error**4 / sum(one**2 / (len(values) - 1) for one, values in zip(of_mean, (control, arm), strict=True))
    half = float(stdtrit(freedom, 1 - alpha / 2)) * error
    p = float(2 * stdtr(freedom, -abs(effect.difference) / error))
    return effect._replace(low=effect.difference - half, high=effect.difference + half, p=p)


def untested(control: Floats, arm: Floats) -> ArmEffect:
    """The means and their difference alone."""
    a, b = (float(values.mean()) if len(values) else NAN for values in (control, arm))
    return ArmEffect(a, b, b - a, NAN, NAN, NAN)


def testable(control: Floats, arm: Floats) -> bool:
    """Whether both arms have two users or more, and some differ."""
    return min(len(control), len(arm)) >= 2 and bool(np.ptp(control) or np.ptp(arm))
