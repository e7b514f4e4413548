"""Intervals of A/B tests: over users, of shares, ratios, numbers and seconds, after CUPED, and at every look."""

from functools import partial

import numpy as np

from benchmarks.designs.design import Design, Random, holds
from cranfield.arrays.rankings import Floats
from cranfield.features.online.arm_users import as_totals, linearise
from cranfield.features.online.experiments import adjust, arm_effect, sequential_effect

Users = tuple[int, int]  # of the control and of the arm
LISTS = 5  # of a user, at most


def share(random: Random, users: Users, rates: tuple[float, float]) -> bool | None:
    """A user has the one value 0 or 1."""
    control, arm = (random.binomial(1, rate, size).astype(np.float64) for rate, size in zip(rates, users, strict=True))
    effect = arm_effect(as_totals(control), as_totals(arm), True)
    return holds(effect.low, effect.high, rates[1] - rates[0])


def lists_of(random: Random, users: int, rate: float) -> tuple[Floats, Floats]:
    """The lists with a click and the lists of each user; some users click far more than others."""
    lists = random.integers(1, LISTS + 1, users)
    hits = random.binomial(lists, random.beta(2 * rate, 2 * (1 - rate), users))
    return hits.astype(np.float64), lists.astype(np.float64)


def ratio(random: Random, users: Users, rates: tuple[float, float]) -> bool | None:
    """Lists with a click over lists."""
    control, arm = (linearise(*lists_of(random, size, rate)) for rate, size in zip(rates, users, strict=True))
    effect = arm_effect(as_totals(control), as_totals(arm), True)
    return holds(effect.low, effect.high, rates[1] - rates[0])


def clicks(random: Random, size: int, mean: float) -> Floats:
    """Clicks per search of each user."""
    lists = random.integers(1, LISTS + 1, size)
    return linearise(random.poisson(random.gamma(1, mean, size) * lists).astype(np.float64), lists.astype(np.float64))


def number(random: Random, users: Users, means: tuple[float, float]) -> bool | None:
    """Clicks per search."""
    control, arm = (clicks(random, size, mean) for mean, size in zip(means, users, strict=True))
    effect = arm_effect(as_totals(control), as_totals(arm), False)
    return holds(effect.low, effect.high, means[1] - means[0])


def seconds(random: Random, users: Users) -> bool | None:
    """Seconds that are lognormal."""
    control, arm = (random.lognormal(3, 1, size) for size in users)
    effect = arm_effect(as_totals(control), as_totals(arm), False)
    return holds(effect.low, effect.high, 0.0)


def revenue(random: Random, users: Users) -> bool | None:
    """One user in twenty pays, lognormally."""
    control, arm = (random.lognormal(0, 1.5, size) * (random.random(size) < 0.05) for size in users)
    effect = arm_effect(as_totals(control), as_totals(arm), False)
    return holds(effect.low, effect.high, 0.0)


def busy(random: Random, users: Users) -> bool | None:
    """CTR by list; a few users have most of the lists, and users differ."""
    lists = [np.ceil(20 * random.lognormal(-0.5, 1, size)) for size in users]
    hits = [random.binomial(each.astype(np.int64), random.beta(1, 1, len(each))) for each in lists]
    control, arm = (linearise(one.astype(np.float64), each) for one, each in zip(hits, lists, strict=True))
    effect = arm_effect(as_totals(control), as_totals(arm), True)
    return holds(effect.low, effect.high, 0.0)


def cuped(random: Random, users: Users, share: bool) -> bool | None:
    """The arm adds .1; what users did before explains two thirds of the variance."""
    likes = [random.beta(2, 3, size) * 0.8 for size in users]
    before, after = ([random.binomial(10, like + more) / 10 for like, more in zip(likes, (0, by), strict=True)]
                     for by in (0.0, 0.1))  # fmt: skip
    control, arm = np.split(adjust(np.concatenate(after), np.concatenate(before)), [users[0]])
    effect = arm_effect(as_totals(control), as_totals(arm), share)
    return holds(effect.low, effect.high, 0.1)


def every_look(random: Random, users: int, plan: int, share: bool) -> bool | None:
    """The intervals of all looks, of which there are 14, hold at once; None where there was never one."""
    rates = (0.1, 0.2)
    control, arm = (
        random.binomial(1, rate, users).astype(np.float64) if share else clicks(random, users, rate) for rate in rates
    )
    looks = np.linspace(2, users, 14).astype(int).tolist()
    effects = [sequential_effect(control[:size], arm[:size], share, plan) for size in looks]
    outcomes = [holds(one.low, one.high, rates[1] - rates[0]) for one in effects]
    return None if outcomes[-1] is None else False not in outcomes


SMALL, LARGE = ((2, 2), (5, 5), (5, 45), (30, 30), (300, 300)), ((200, 200), (200, 1800))
RATES = ((0.02, 0.02), (0.1, 0.4), (0.05, 0.95))


def describe(users: Users, of: tuple[float, float] | None = None) -> str:
    """The users of a design, and what is so of the arms."""
    return f"{users[0]} and {users[1]} users" + (f", {of[0]:g} and {of[1]:g}" if of else "")


def sequence(users: int, plan: int, share: bool) -> Design:
    """A row of looks."""
    of = f"{'share' if share else 'clicks per search'}, 14 looks at up to {users} users of an arm, {plan} planned"
    return Design("online ab --sequential", of, partial(every_look, users=users, plan=plan, share=share))


def before(users: Users, share: bool) -> Design:
    """A row of CUPED."""
    of = f"{'share' if share else 'number'}, {describe(users)}"
    return Design("online ab --before", of, partial(cuped, users=users, share=share))


ROWS = [
    *(Design("online ab", f"{name}, {describe(users, rates)}", partial(draw, users=users, rates=rates))
      for name, draw in (("share", share), ("CTR by list", ratio)) for users in SMALL for rates in RATES),
    *(Design("online ab", f"clicks per search, {describe(users, means)}", partial(number, users=users, means=means))
      for users in LARGE for means in ((0.1, 0.2), (0.5, 0.5))),
    *(Design("online ab", f"{name}, {describe(users)}", partial(draw, users=users))
      for name, draw in (("seconds", seconds), ("revenue", revenue)) for users in LARGE),
    *(Design("online ab", f"CTR by list, {describe(users)}, a few with most lists", partial(busy, users=users))
      for users in ((30, 30), (30, 300))),
    *(before(users, share) for users, share in (((2, 2), True), ((30, 30), True), ((200, 200), False))),
    *(sequence(*of) for of in ((50, 20, True), (300, 600, True), (300, 100, False), (300, 600, False))),
]  # fmt: skip
