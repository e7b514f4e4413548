"""Intervals of `online divergence`: of two arms, offline over topics and online over users."""

from functools import partial

import numpy as np

from benchmarks.designs.ab import Users, clicks, describe
from benchmarks.designs.design import Design, Random, holds
from benchmarks.designs.online_show import Lists, ctr
from cranfield.features.online.analysis.divergence import offline_difference, online_difference
from cranfield.features.online.measures import ListSums


def offline(random: Random, topics: int, alike: float) -> bool | None:
    """Scores as of AP; on some topics the arms are alike."""
    best = random.beta(2, 3, topics)
    differs = random.random(topics) >= alike
    difference = offline_difference(np.where(differs, best - random.beta(2, 3, topics), 0.0), most=1.0)
    return holds(difference.low, difference.high, 0.0)


def online(random: Random, users: Users, rates: tuple[float, float], both: bool) -> bool | None:
    """CTR; users are in one arm, or in both."""
    groups: list[Lists] = [ctr(random, size, rate) for size, rate in zip(users, rates, strict=True)]
    (a, of_a), (b, of_b) = groups
    difference = online_difference(a, b, (of_a, of_b if both else of_b + users[0]), share=True)
    return holds(difference.low, difference.high, rates[0] - rates[1])


def number(random: Random, users: Users, means: tuple[float, float]) -> bool | None:
    """Clicks per search."""
    a, b = (clicks(random, size, mean) for size, mean in zip(users, means, strict=True))
    of = np.arange(users[0]), users[0] + np.arange(users[1])
    difference = online_difference(ListSums(a, np.ones(users[0])), ListSums(b, np.ones(users[1])), of, share=False)
    return holds(difference.low, difference.high, means[0] - means[1])


def topics(number: int, alike: float) -> Design:
    """A row of topics."""
    of = f"offline, {number} topics, alike on {alike:.0%}"
    return Design("online divergence", of, partial(offline, topics=number, alike=alike))


def arms(users: Users, rates: tuple[float, float], both: bool = False) -> Design:
    """A row of users."""
    of = f"CTR, {describe(users, rates)}{', in both arms' * both}"
    return Design("online divergence", of, partial(online, users=users, rates=rates, both=both))


FEW, MANY = ((2, 2), (5, 45), (30, 30)), (300, 300)
ROWS = [
    *(topics(number, alike) for number in (8, 25, 50) for alike in (0.0, 0.5)),
    *(arms(users, rates) for users in (*FEW, MANY) for rates in ((0.02, 0.02), (0.4, 0.1))),
    arms(MANY, (0.2, 0.2), both=True),
    *(Design("online divergence", f"clicks per search, {describe(users, (0.5, 0.2))}",
             partial(number, users=users, means=(0.5, 0.2))) for users in ((200, 200), (200, 1000))),
]  # fmt: skip
