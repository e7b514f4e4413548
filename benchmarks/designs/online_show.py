"""Intervals of `online show`: of the measures of a log, over users."""

from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.designs.design import Design, Random, holds
from cranfield.arrays.rankings import Ints
from cranfield.features.online.estimates import estimate
from cranfield.features.online.measures import ListSums, online_measure

LISTS = 5  # of a user, at most
Lists = tuple[ListSums, Ints]  # of lists, and whose they are
TWO_LEVELS = (0.6, 0.8)  # the spread of users, and of the lists of one


def whose(random: Random, users: int) -> Ints:
    """The user of each list."""
    return np.repeat(np.arange(users), random.integers(1, LISTS + 1, users))


def ctr(random: Random, users: int, rate: float) -> Lists:
    """Lists with a click; some users click far more than others."""
    user = whose(random, users)
    hits = random.random(len(user)) < random.beta(2 * rate, 2 * (1 - rate), users)[user]
    return ListSums(hits.astype(float), np.ones(len(user))), user


def clicks(random: Random, users: int, mean: float) -> Lists:
    """Clicks of each list."""
    user = whose(random, users)
    return ListSums(random.poisson(random.gamma(1, mean, users)[user]).astype(float), np.ones(len(user))), user


def seconds(random: Random, users: int, middle: float) -> Lists:
    """Lognormal seconds of each list."""
    user = whose(random, users)
    spread = random.normal(0, TWO_LEVELS[0], users)[user] + random.normal(0, TWO_LEVELS[1], len(user))
    return ListSums(middle * np.exp(spread), np.ones(len(user))), user


def value(
    random: Random, measure: str, draw: Callable[[Random, int, float], Lists], *, users: int, of: float, truth: float
) -> bool | None:
    """One group of lists."""
    interval = estimate(online_measure(measure), *draw(random, users, of))
    return holds(interval.low, interval.high, truth)


def row(measure: str, draw: Callable[[Random, int, float], Lists], users: int, of: float, truth: float) -> Design:
    """A row; `of` is the mean of the population, or its median."""
    part = partial(value, measure=measure, draw=draw, users=users, of=of, truth=truth)
    return Design("online show", f"{measure} of {of:g}, {users} users", part)


MEAN = float(np.exp(sum(spread**2 for spread in TWO_LEVELS) / 2))  # of seconds whose median is 1

ROWS = [
    *(row("CTR", ctr, users, rate, rate) for users in (2, 5, 30, 300) for rate in (0.01, 0.2, 0.5, 0.95)),
    *(row("ClicksPerSearch", clicks, users, mean, mean) for users in (200, 1000) for mean in (0.1, 1.0)),
    *(row("Dwell", seconds, users, 20, 20 * MEAN) for users in (200, 1000)),
    *(row("TimeToClick", seconds, users, 20, 20) for users in (2, 5, 10, 30, 300)),
]
