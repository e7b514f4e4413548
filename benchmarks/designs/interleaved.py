"""Intervals of `online preference`: Delta, of users who differ in whom they prefer and in how often they come."""

from functools import cache, partial

import numpy as np

from benchmarks.designs.design import Design, Random, holds
from cranfield.arrays.rankings import Floats, Ints
from cranfield.features.online.interleaving.preference import preference

SPREAD = 0.8  # of users' leaning, on the log odds
Rates = tuple[float, float]  # of wins and losses


def chances(lean: Floats, rates: Rates) -> tuple[Floats, Floats]:
    """Of a win and of a loss, for users who lean so far."""
    win, loss = rates[0] * np.exp(lean), rates[1] * np.exp(-lean)
    whole = np.maximum(1.0, win + loss)
    return win / whole, loss / whole


@cache
def truth(rates: Rates, busy: bool) -> float:
    """Delta over users; all have as many lists, on average."""
    lean = np.random.default_rng(1).normal(0, SPREAD, 400_000) if busy else np.zeros(1)
    win, loss = chances(lean, rates)
    return float((win - loss).mean() / 2)


def delta(random: Random, users: int, rates: Rates, busy: bool, weighs: bool) -> bool | None:
    """Each user has a list or, if busy, up to five."""
    user: Ints = np.repeat(np.arange(users), random.integers(1, 6, users) if busy else 1)
    win, loss = chances(random.normal(0, SPREAD, users) if busy else np.zeros(users), rates)
    uniform = random.random(len(user))
    outcome = np.where(uniform < win[user], 1.0, np.where(uniform < (win + loss)[user], -1.0, 0.0))
    if weighs:  # half of them are of half the credit
        outcome = np.where(random.random(len(user)) < 0.5, outcome, outcome / 2)
    result = preference(np.stack([outcome, np.zeros(len(user))], axis=1), user, weighs=weighs, samples=100)
    return holds(result.low, result.high, truth(rates, busy) * (0.75 if weighs else 1))


def row(users: int, rates: Rates, busy: bool, weighs: bool) -> Design:
    """A row."""
    of = f"{users} users, up to 5 lists each" if busy else f"{users} users, a list each"
    what = f"wins {rates[0]:g}, losses {rates[1]:g}" + ", weighed" * weighs
    draw = partial(delta, users=users, rates=rates, busy=busy, weighs=weighs)
    return Design("online preference", f"{of}, {what}", draw)


ROWS = [
    *(row(users, rates, busy, False) for users in (2, 5, 30, 300) for rates in ((0.05, 0.0), (0.3, 0.2), (0.9, 0.1))
      for busy in (False, True)),
    *(row(users, (0.3, 0.2), True, True) for users in (2, 30, 300)),
]  # fmt: skip
