"""How many users it takes to detect a difference: by the noncentral t distribution, for two arms of equal size."""

from __future__ import annotations

from math import ceil, isnan

from cranfield.errors import InputError

MOST = 1e9  # users of an arm; more are not worth a number


def power(users: float, effect: float, alpha: float = 0.05) -> float:
    """The probability that a t test on so many users of each arm detects a difference of `effect` deviations.

    Decide before the experiment: adding users until something is significant invalidates the test.

    >>> round(power(64, 0.5), 4)
    0.8015
    >>> power(10, 17.51)  # SciPy before 1.18 finds no number here
    1.0
    """
    from scipy.special import fdtri, ncfdtr

    freedom = 2.0 * users - 2
    missed = float(ncfdtr(1.0, freedom, users * effect**2 / 2, float(fdtri(1.0, freedom, 1 - alpha))))
    return 1.0 if isnan(missed) else 1 - missed


def users_needed(difference: float, deviation: float, alpha: float = 0.05, beta: float = 0.2) -> int:
    """The users that each arm needs to detect this difference with probability 1 - beta.

    >>> [users_needed(d, 1.0) for d in (0.2, 0.5, 0.8)]  # small, medium, large
    [394, 64, 26]
    """
    from scipy.optimize import brentq

    if not 0 < difference < float("inf"):
        raise InputError(f"the difference is {difference:g}; expected a number above 0")
    effect = difference / deviation if deviation else float("inf")
    if not deviation or power(2, effect, alpha) >= 1 - beta:
        return 2
    if power(MOST, effect, alpha) < 1 - beta:
        raise InputError(f"a difference of {difference:g} would need more than {MOST:.0e} users; ask for a larger one")
    return ceil(brentq(lambda users: power(users, effect, alpha) - (1 - beta), 2, MOST))


def detectable(users: float, deviation: float, alpha: float = 0.05, beta: float = 0.2) -> float:
    """The smallest difference for which so many users of each arm suffice.

    >>> round(detectable(64, 1.0), 3)
    0.499
    """
    from scipy.optimize import brentq

    return float(brentq(lambda effect: power(users, effect, alpha) - (1 - beta), 0.0, 1000.0)) * deviation
