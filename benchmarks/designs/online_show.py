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


def alike(random: Random, users: int, rate: float) -> Lists:
    """Twenty lists of each user, all of whom are alike."""
    hits = random.binomial(20, rate, users).astype(np.float64)
    return ListSums(hits, np.full(users, 20.0)), np.arange(users)


def busy(random: Random, users: int, rate: float) -> Lists:
    """A few users have most of the lists; some, with half of all clicks, always click."""
    lists = np.ceil(20 * random.lognormal(-0.5, 1, users))
    always = random.random(users) < rate / (2 - rate)
    hits = np.where(always, lists, random.binomial(lists.astype(np.int64), rate / 2))
    return ListSums(hits.astype(np.float64), lists), np.arange(users)


def clicks(random: Random, users: int, mean: float) -> Lists:
    """Clicks of each list."""
    user = whose(random, users)
    return ListSums(random.poisson(random.gamma(1, mean, users)[user]).astype(float), np.ones(len(user))), user


def revenue(random: Random, users: int, share: float) -> Lists:
    """One list of each user: of few a value, lognormal."""
    value = np.where(random.random(users) < share, random.lognormal(-0.5, 1, users), 0.0)
    return ListSums(value, np.ones(users)), np.arange(users)


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
    kinds: dict[Callable[..., Lists], str] = {alike: ", alike, 20 lists each", busy: ", a few with most lists"}
    what = kinds.get(draw, "")
    return Design("online show", f"{measure} of {of:g}, {users} users{what}", part)


MEAN = float(np.exp(sum(spread**2 for spread in TWO_LEVELS) / 2))  # of seconds whose median is 1

ROWS = [
    *(row("CTR", ctr, users, rate, rate) for users in (2, 5, 30, 300) for rate in (0.01, 0.2, 0.5, 0.95)),
    *(row("CTR", alike, users, rate, rate) for users, rate in ((1000, 0.05), (3000, 0.01))),
    *(row("CTR", busy, users, 0.2, 0.2) for users in (30, 300)),
    *(row("ClicksPerSearch", clicks, users, mean, mean) for users in (200, 1000) for mean in (0.1, 1.0)),
    *(row("Value", revenue, users, share, share) for users in (200, 1000) for share in (0.05, 0.3)),
    *(row("Dwell", seconds, users, 20, 20 * MEAN) for users in (200, 1000)),
    *(row("TimeToClick", seconds, users, 20, 20) for users in (2, 5, 10, 30, 300)),
]
