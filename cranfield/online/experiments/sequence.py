"""Confidence sequences: intervals that hold at every look, however often you look and whenever you stop."""

from __future__ import annotations

from math import e, exp, log, sqrt

from cranfield.arrays.rankings import Floats

from cranfield.online.experiments.effect import ArmEffect, enough, of_share, testable, untested


def r_squared(planned: float, alpha: float = 0.05) -> float:
    """The r^2 for which the sequence is tightest after so many users.

    >>> round(r_squared(1000), 6)
    0.008212
    """
    from scipy.special import lambertw

    return float(-lambertw(-(alpha**2) / e, -1).real - 1) / planned


def half_width(users: float, deviation: float, r2: float, alpha: float = 0.05) -> float:
    """Half of the interval after so many users, of values with this standard deviation.

    >>> round(half_width(1000, 1, 0.1**2), 4), round(half_width(1000, 1, r_squared(1000)), 4)
    (0.0961, 0.096)
    """
    grown = users * r2 + 1
    return deviation * sqrt(2 * grown / (users**2 * r2) * log(sqrt(grown) / alpha))


def sequential(control: Floats, arm: Floats, planned: float, alpha: float = 0.05) -> ArmEffect:
    """The effect at this look, by one value per user; p is the least alpha whose interval would leave out 0.

    Confidence sequences: intervals that hold at every look, however often you look and whenever you stop.

    Half-width s sqrt(2 (t r^2 + 1) / (t^2 r^2) ln(sqrt(t r^2 + 1) / alpha)) after t users. r sets when it is tightest:
    at the planned number of users, which is chosen before. For the difference of two arms t counts the users of both,
    and s^2 is t (sA^2 / nA + sB^2 / nB). It is wider than a fixed interval, by half at the planned number; it is
    asymptotic: with a few dozen users it would be too narrow. So a share has two users added to each arm, as for one
    look, and of what has no upper end there is none below 200 users of an arm.

    Source: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Time-uniform central limit theory and asymptotic confidence
    sequences, Annals of Statistics 52(6), 2024 (arXiv:2103.06476).

    >>> import numpy as np
    >>> found = sequential(np.arange(100.0), np.arange(100.0) + 30, planned=200)
    >>> [round(value, 4) for value in found]
    [49.5, 79.5, 30.0, 17.5474, 42.4526, 0.0]
    """
    effect = untested(control, arm)
    if not testable(control, arm):
        return effect
    users, r2 = len(control) + len(arm), r_squared(planned, alpha)
    variance = users * (control.var(ddof=1) / len(control) + arm.var(ddof=1) / len(arm))
    half = half_width(users, sqrt(variance), r2, alpha)
    grown, found = users * r2 + 1, effect.difference
    p = min(1.0, sqrt(grown) * exp(-(found**2) * users**2 * r2 / (2 * variance * grown)))
    return effect._replace(low=found - half, high=found + half, p=p)


def sequential_effect(control: Floats, arm: Floats, share: bool, planned: float, alpha: float = 0.05) -> ArmEffect:
    """The effect at this look; interval and p are NaN where there are too few users for them.

    >>> import numpy as np
    >>> found = sequential_effect(np.zeros(50), np.ones(50), share=True, planned=100)
    >>> found.difference, round(found.low, 2), found.high, found.p < 0.001
    (1.0, 0.88, 1.0, True)
    """
    if share and min(len(control), len(arm)) >= 2:
        return of_share(control, arm, lambda a, b: sequential(a, b, planned, alpha))
    return sequential(control, arm, planned, alpha) if enough(control, arm) else untested(control, arm)
