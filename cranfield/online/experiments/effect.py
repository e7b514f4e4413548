"""The difference of an arm from the control, by Welch's t test: for one look, at a size that was planned."""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats

NAN = float("nan")
ENOUGH = 200  # users of each arm for an interval of what has no upper end
SAMPLES, AT_ONCE = 9999, 2_000_000  # permutations, and numbers in memory
ROUNDING = 1e-12  # of the largest value


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


def arm_effect(control: Floats, arm: Floats, share: bool, alpha: float = 0.05) -> ArmEffect:
    """The effect at one look; without an interval where there are too few users for one, and p of two in each arm.

    The difference of an arm from the control, by Welch's t test: for one look, at a size that was planned.

    Read the interval first, then p. To look every day and stop at the first p below .05 is to err in far more than 1 of
    20 cases: sequence.py is for that.

    A share has a user at 0 and one at 1 added to each arm, as Agresti and Caffo do for proportions: an arm in which all
    users are alike is not certain then, and may differ from another such arm. The difference itself stays as it is. Of
    numbers and seconds, which have no upper end, Welch's test needs 200 users in each arm, some of whom differ; with
    fewer there is no interval, and p is the permutation test's over users.

    Sources: Welch, The generalization of Student's problem when several different population variances are involved,
    Biometrika 34, 1947; Agresti and Caffo, Simple and effective confidence intervals for proportions and differences of
    proportions, The American Statistician 54, 2000; Pitman, Significance tests which may be applied to samples from any
    populations, JRSS Supplement 4, 1937.

    An arm that returns nothing, by the share of lists without a document:

    >>> found = arm_effect(np.zeros(8), np.ones(8), share=True)
    >>> found.difference, round(found.low, 2), found.high, round(found.p, 5)
    (1.0, 0.5, 1.0, 2e-05)
    >>> found = arm_effect(np.full(8, 3.0), np.zeros(8), share=False)  # clicks per search
    >>> found.difference, found.low, round(found.p, 5)
    (-3.0, nan, 0.00016)
    """
    if min(len(control), len(arm)) < 2:
        return untested(control, arm)
    if share:
        return of_share(control, arm, lambda a, b: welch(a, b, alpha))
    if enough(control, arm):
        return welch(control, arm, alpha)
    return untested(control, arm)._replace(p=permuted(control, arm))


def enough(control: Floats, arm: Floats) -> bool:
    """Whether what has no upper end can have an interval."""
    return min(len(control), len(arm)) >= ENOUGH and testable(control, arm)


def of_share(control: Floats, arm: Floats, by: Callable[[Floats, Floats], ArmEffect]) -> ArmEffect:
    """The interval and p with two more users in each arm, one at either end; the difference without them."""
    found = by(*(np.append(values, [0.0, 1.0]) for values in (control, arm)))
    ends = {"low": max(found.low, -1.0), "high": min(found.high, 1.0)}
    return untested(control, arm)._replace(**ends, p=found.p)


def permuted(control: Floats, arm: Floats) -> float:
    """The share of divisions of these users into such arms whose means differ at least as much, of a random 9,999.

    Where nobody differs from the others of the arm it is exact.

    >>> permuted(np.zeros(3), np.ones(2)), permuted(np.zeros(3), np.zeros(3))
    (0.1, 1.0)
    """
    every, least = np.concatenate([control, arm]), abs(float(arm.mean() - control.mean()))
    least -= ROUNDING * float(np.abs(every).max())
    if least > 0 and not testable(control, arm):
        return (1 + (len(control) == len(arm))) / comb(len(every), len(arm))
    generator, extreme, step = np.random.default_rng(0), 1, max(1, AT_ONCE // len(every))
    for start in range(0, SAMPLES, step):
        drawn = generator.permuted(np.tile(every, (min(step, SAMPLES - start), 1)), axis=1)
        a, b = drawn[:, : len(control)].mean(axis=1), drawn[:, len(control) :].mean(axis=1)
        extreme += int((np.abs(b - a) >= least).sum())
    return extreme / (SAMPLES + 1)


def untested(control: Floats, arm: Floats) -> ArmEffect:
    """The means and their difference alone."""
    a, b = (float(values.mean()) if len(values) else NAN for values in (control, arm))
    return ArmEffect(a, b, b - a, NAN, NAN, NAN)


def testable(control: Floats, arm: Floats) -> bool:
    """Whether both arms have two users or more, and some differ."""
    return min(len(control), len(arm)) >= 2 and bool(np.ptp(control) or np.ptp(arm))
