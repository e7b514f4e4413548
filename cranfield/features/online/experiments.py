"""A/B tests: one value per user of each arm, effects with intervals, power, and results looked at while users come."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, comb, e, exp, inf, isnan, log, sqrt
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.errors import InputError
from cranfield.features.online.arm_users import UserTotals

NAN = float("nan")
ENOUGH = 200  # users of each arm for an interval of what has no upper end
SAMPLES, MAX_PERMUTED_NUMBERS = 9999, 2_000_000  # permutations, and numbers in memory
ROUNDING = 1e-12  # of the largest value


class ArmEffect(NamedTuple):
    """The means of control and arm, their difference with its interval, and p."""

    control: float
    arm: float
    difference: float
    low: float
    high: float
    p: float
    p_test: str | None = None  # the test that gave p; None where there is no p

    @property
    def relative(self) -> float:
        """The difference as a share of the control's mean."""
        return self.difference / self.control if self.control else NAN


def welch(control: Floats, arm: Floats, alpha: float = 0.05) -> ArmEffect:
    """The effect by one value per user; interval and p are NaN where an arm has fewer than two, or none differ.

    >>> effect = welch(np.array([1.0, 2.0, 3.0]), np.array([3.0, 4.0, 8.0]))
    >>> [round(value, 4) for value in effect[:-1]], effect.p_test
    ([2.0, 5.0, 3.0, -2.7407, 8.7407, 0.1791], 'welch')
    """
    from scipy.special import stdtr, stdtrit

    effect = means_only(control, arm)
    if not is_testable(control, arm):
        return effect
    mean_variances = [float(values.var(ddof=1)) / len(values) for values in (control, arm)]
    error = sum(mean_variances) ** 0.5
    freedom = error**4 / sum(
        one**2 / (len(values) - 1) for one, values in zip(mean_variances, (control, arm), strict=True)
    )
    half = float(stdtrit(freedom, 1 - alpha / 2)) * error
    p = float(2 * stdtr(freedom, -abs(effect.difference) / error))
    return effect._replace(low=effect.difference - half, high=effect.difference + half, p=p, p_test="welch")


def arm_effect(
    control: UserTotals, arm: UserTotals, share: bool, alpha: float = 0.05, samples: int = SAMPLES
) -> ArmEffect:
    """The effect at one look; without an interval where there are too few users for one, and p of two in each arm.

    The difference of an arm from the control, by Welch's t test: for one look, at a size that was planned.

    Read the interval first, then p. To look every day and stop at the first p below .05 is to err in far more than 1 of
    20 cases: sequence.py is for that.

    Each arm has two users more, one at either end, as Agresti and Caffo add them for proportions; the ends are 0 and 1
    of a share, and the least and the most of any user of both arms where that is further. An arm in which all users are
    alike is not certain then, and may differ from another such arm; and an arm of few users has what a larger one shows
    to be possible, such as a rare large value. The difference itself stays as it is. Numbers and seconds have no upper
    end, and need 200 users in each arm, some of whom differ; with fewer there is no interval, and p is the permutation
    test's over users.

    Sources: Welch, The generalization of Student's problem when several different population variances are involved,
    Biometrika 34, 1947; Agresti and Caffo, Simple and effective confidence intervals for proportions and differences of
    proportions, The American Statistician 54, 2000; Pitman, Significance tests which may be applied to samples from any
    populations, JRSS Supplement 4, 1937.

    An arm that returns nothing, by the share of lists without a document:

    >>> from cranfield.features.online.arm_users import as_totals
    >>> effect = arm_effect(as_totals(np.zeros(8)), as_totals(np.ones(8)), share=True)
    >>> effect.difference, round(effect.low, 2), effect.high, round(effect.p, 5)
    (1.0, 0.5, 1.0, 2e-05)
    >>> effect = arm_effect(as_totals(np.full(8, 3.0)), as_totals(np.zeros(8)), share=False)  # clicks per search
    >>> effect.difference, effect.low, round(effect.p, 5)
    (-3.0, nan, 0.00016)
    """
    values = control.values, arm.values
    if min(len(each) for each in values) < 2:
        return means_only(*values)
    if share or enough(*values):
        return effect_with_ends(*values, share, lambda a, b: welch(a, b, alpha))
    return means_only(*values)._replace(p=permutation_test(control, arm, samples), p_test="permutation")


def enough(control: Floats, arm: Floats) -> bool:
    """Whether what has no upper end can have an interval."""
    return min(len(control), len(arm)) >= ENOUGH and is_testable(control, arm)


def effect_with_ends(control: Floats, arm: Floats, share: bool, by: Callable[[Floats, Floats], ArmEffect]) -> ArmEffect:
    """The interval and p with two more users in each arm, one at either end; the difference without them."""
    both = ends([control, arm], share)
    wider, most = by(*(np.append(values, both) for values in (control, arm))), 1.0 if share else inf
    return means_only(control, arm)._replace(
        low=max(wider.low, -most), high=min(wider.high, most), p=wider.p, p_test=wider.p_test
    )


def ends(arms: Sequence[Floats], share: bool) -> tuple[float, float]:
    """The least and the most that any user of these arms has; of a share 0 and 1, or beyond, by the delta method.

    >>> ends([np.array([0.2, 0.3]), np.array([0.5])], share=True), ends([np.array([2.0]), np.array([5.0])], share=False)
    ((0.0, 1.0), (2.0, 5.0))
    """
    values = np.concatenate([*arms, [0.0, 1.0] if share else []])
    return float(values.min()), float(values.max())


def permutation_test(control: UserTotals, arm: UserTotals, samples: int = SAMPLES) -> float:
    """Return the share of divisions of these users into such arms that differ as much, of so many random ones.

    A user moves with their total and count, and each division has its ratios computed from its own sums. Values that
    were linearised within their arm are not exchangeable: each holds the ratio of the arm that it came from.

    The result is exact where all users of each arm have the same ratio.

    >>> from cranfield.features.online.arm_users import as_totals
    >>> zeros, ones = as_totals(np.zeros(3)), as_totals(np.ones(2))
    >>> permutation_test(zeros, ones), permutation_test(zeros, zeros)
    (0.1, 1.0)
    """
    sizes = len(control.total), len(arm.total)
    users = np.concatenate([np.column_stack(control), np.column_stack(arm)])
    n_users, smaller = users.sum(axis=0), min(sizes)
    observed = abs(float(arm.values.mean() - control.values.mean()))
    counted = min(float(totals.times.sum()) for totals in (control, arm))
    size = max(float(np.abs(totals.total).sum()) for totals in (control, arm)) / counted
    rounding_error = ROUNDING * (size + max(float(np.abs(totals.explained).max()) for totals in (control, arm)))
    least = observed - rounding_error
    has_spread = any(np.ptp(totals.values) > ROUNDING * np.abs(totals.values).max() for totals in (control, arm))
    if least > 0 and not users[:, 2].any() and not has_spread:
        return (1 + (sizes[0] == sizes[1])) / comb(len(users), smaller)
    generator, extreme, step = np.random.default_rng(0), 1, max(1, MAX_PERMUTED_NUMBERS // len(users))
    member = np.arange(len(users)) < smaller
    for start in range(0, samples, step):
        members = generator.permuted(np.tile(member, (min(step, samples - start), 1)), axis=1)
        sums = members @ users
        means = _means_of_sums(sums, smaller), _means_of_sums(n_users - sums, len(users) - smaller)
        extreme += int((np.abs(means[0] - means[1]) >= least).sum())
    return extreme / (samples + 1)


def _means_of_sums(sums: Floats, users: int) -> Floats:
    return np.asarray(sums[:, 0] / sums[:, 1] - sums[:, 2] / users)


def means_only(control: Floats, arm: Floats) -> ArmEffect:
    """The means and their difference alone."""
    a, b = (float(values.mean()) if len(values) else NAN for values in (control, arm))
    return ArmEffect(a, b, b - a, low=NAN, high=NAN, p=NAN)


def is_testable(control: Floats, arm: Floats) -> bool:
    """Whether both arms have two users or more, and some differ."""
    return min(len(control), len(arm)) >= 2 and bool(np.ptp(control) or np.ptp(arm))


def adjust(values: Floats, earlier: Floats) -> Floats:
    """The values of the users of all arms, adjusted for those of before.

    CUPED: what users did before the experiment explains part of how they differ, and is taken out of their values.

    Y - theta (X - mean X), with theta = cov(Y, X) / var(X) over the arms pooled: the same for all, so that no arm
    gains, and the difference of the arms is estimated with less variance, by the square of the correlation of Y and X.
    It misleads where X is not from before: then part of the effect is taken out.

    Source: Deng, Xu, Kohavi and Walker, Improving the sensitivity of online controlled experiments by utilizing
    pre-experiment data, WSDM 2013.

    >>> adjust(np.array([1.0, 2.0, 3.0, 6.0]), np.array([0.0, 1.0, 2.0, 5.0])).round(6).tolist()
    [3.0, 3.0, 3.0, 3.0]
    >>> adjust(np.array([1.0, 2.0]), np.array([1.0, 1.0])).tolist()  # nothing to learn from
    [1.0, 2.0]
    """
    deviation = earlier - earlier.mean()
    variance = deviation @ deviation
    theta = (values - values.mean()) @ deviation / variance if variance > 0 else 0.0
    return np.asarray(values - theta * deviation, float)


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
    miss = float(ncfdtr(1.0, freedom, users * effect**2 / 2, float(fdtri(1.0, freedom, 1 - alpha))))
    return 1.0 if isnan(miss) else 1 - miss


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
        raise InputError(
            f"a difference of {difference:g} would need more than {MOST:.0e} users; expected a larger difference"
        )
    return ceil(brentq(lambda users: power(users, effect, alpha) - (1 - beta), 2, MOST))


def detectable(users: float, deviation: float, alpha: float = 0.05, beta: float = 0.2) -> float:
    """The smallest difference for which so many users of each arm suffice.

    >>> round(detectable(64, 1.0), 3)
    0.499
    """
    from scipy.optimize import brentq

    return float(brentq(lambda effect: power(users, effect, alpha) - (1 - beta), 0.0, 1000.0)) * deviation


ALPHA = 0.0005
FEW_EXPECTED, DIVISIONS = 20, 99_999  # users of an arm, and random divisions


class SampleRatio(NamedTuple):
    """The users of each arm, those expected, and the chi-square test."""

    users: tuple[int, ...]
    expected: tuple[float, ...]
    p: float

    @property
    def holds(self) -> bool:
        """Whether results can be trusted."""
        return self.p >= ALPHA


def sample_ratio(users: Sequence[int], shares: Sequence[float] = ()) -> SampleRatio:
    """The check of how many users each arm has; `shares` are those planned, equal by default.

    A mismatch says that users were lost or moved on the way, most often by the treatment itself (a slow page, a
    redirect, a filter of bots), so that the arms are not alike and no difference between them means what it seems to
    mean. It is tested before anything else, at .0005, since it is tested in every experiment. Where fewer than 20 users
    of an arm are expected, p is the share of as far divisions among random ones, for chi-square would be too small.

    Source: Fabijan et al., Diagnosing sample ratio mismatch in online controlled experiments, KDD 2019.

    >>> round(sample_ratio([2023, 1977]).p, 3), sample_ratio([2023, 1977]).holds, sample_ratio([2200, 1800]).holds
    (0.467, True, False)
    >>> sample_ratio([3000, 1010], [3, 1]).holds, round(sample_ratio([2, 1], [99, 1]).p, 2)
    (True, 0.03)
    """
    from scipy.special import chdtrc

    planned = np.array(shares or [1.0] * len(users), float)
    planned /= planned.sum()
    mean = sum(users) * planned
    square = float(((np.array(users) - mean) ** 2 / np.where(mean, mean, 1.0)).sum())
    p = float(chdtrc(len(users) - 1, square))
    if 0 < mean.min() < FEW_EXPECTED:
        draws = np.random.default_rng(0).multinomial(sum(users), planned, DIVISIONS)
        p = float(1 + (((draws - mean) ** 2 / mean).sum(axis=1) >= square * (1 - ROUNDING)).sum()) / (DIVISIONS + 1)
    return SampleRatio(tuple(users), tuple(mean.tolist()), p)


def r_squared(plan: float, alpha: float = 0.05) -> float:
    """The r^2 for which the sequence is tightest after so many users.

    >>> round(r_squared(1000), 6)
    0.008212
    """
    from scipy.special import lambertw

    return float(-lambertw(-(alpha**2) / e, -1).real - 1) / plan


def half_width(users: float, deviation: float, r2: float, alpha: float = 0.05) -> float:
    """Half of the interval after so many users, of values with this standard deviation.

    >>> round(half_width(1000, 1, 0.1**2), 4), round(half_width(1000, 1, r_squared(1000)), 4)
    (0.0961, 0.096)
    """
    growth = users * r2 + 1
    return deviation * sqrt(2 * growth / (users**2 * r2) * log(sqrt(growth) / alpha))


def sequential(control: Floats, arm: Floats, plan: float, alpha: float = 0.05) -> ArmEffect:
    """The effect at this look, by one value per user; p is the least alpha whose interval would leave out 0.

    Confidence sequences: intervals that hold at every look, however often you look and whenever you stop.

    Half-width s sqrt(2 (t r^2 + 1) / (t^2 r^2) ln(sqrt(t r^2 + 1) / alpha)) after t users. r sets when it is tightest:
    at the planned number of users, which is chosen before. For the difference of two arms t counts the users of both,
    and s^2 is t (sA^2 / nA + sB^2 / nB). It is wider than a fixed interval, by half at the planned number; it is
    asymptotic: with a few dozen users it would be too narrow. So each arm has two users added, as for one look, and of
    what has no upper end there is none below 200 users of an arm.

    Source: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Time-uniform central limit theory and asymptotic confidence
    sequences, Annals of Statistics 52(6), 2024 (arXiv:2103.06476).

    >>> import numpy as np
    >>> effect = sequential(np.arange(100.0), np.arange(100.0) + 30, plan=200)
    >>> [round(value, 4) for value in effect[:-1]], effect.p_test
    ([49.5, 79.5, 30.0, 17.5474, 42.4526, 0.0], 'sequential')
    """
    effect = means_only(control, arm)
    if not is_testable(control, arm):
        return effect
    users, r2 = len(control) + len(arm), r_squared(plan, alpha)
    variance = users * (control.var(ddof=1) / len(control) + arm.var(ddof=1) / len(arm))
    half = half_width(users, sqrt(variance), r2, alpha)
    growth, difference = users * r2 + 1, effect.difference
    p = min(1.0, sqrt(growth) * exp(-(difference**2) * users**2 * r2 / (2 * variance * growth)))
    return effect._replace(low=difference - half, high=difference + half, p=p, p_test="sequential")


def sequential_effect(control: Floats, arm: Floats, share: bool, plan: float, alpha: float = 0.05) -> ArmEffect:
    """The effect at this look; interval and p are NaN where there are too few users for them.

    >>> import numpy as np
    >>> effect = sequential_effect(np.zeros(50), np.ones(50), share=True, plan=100)
    >>> effect.difference, round(effect.low, 2), effect.high, effect.p < 0.001
    (1.0, 0.88, 1.0, True)
    """
    if enough(control, arm) or (share and min(len(control), len(arm)) >= 2):
        return effect_with_ends(control, arm, share, lambda a, b: sequential(a, b, plan, alpha))
    return means_only(control, arm)
