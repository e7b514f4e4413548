"""False alarms of `online preference`: systems that are liked as much, by users who differ."""

from functools import partial

import numpy as np

from benchmarks.designs.design import PValueDesign, Random
from cranfield.arrays.rankings import Floats
from cranfield.features.online.interleaving.preference import preference

SPREAD = 0.8  # of users' leaning, on the log odds


def one_list(random: Random, users: int) -> tuple[Floats, Floats]:
    return np.ones(users), np.zeros(users)


def few_lists(random: Random, users: int) -> tuple[Floats, Floats]:
    return random.integers(1, 6, users).astype(float), random.normal(0, SPREAD, users)


def heavy_lists(random: Random, users: int) -> tuple[Floats, Floats]:
    return np.ceil(20 * random.lognormal(-0.5, 1, users)), random.normal(0, SPREAD, users)


def busy_lean(random: Random, users: int) -> tuple[Floats, Floats]:
    """Those with many lists have a leaning, others none."""
    lists = heavy_lists(random, users)[0]
    return lists, np.where(lists > 20, 2.0, 0.0) * random.choice([-1.0, 1.0], users)


def no_preference(random: Random, kind: str, users: int, tied: float, weighs: bool) -> float | None:
    lists, lean = KINDS[kind](random, users)
    user = np.repeat(np.arange(users), lists.astype(np.int64))
    sign = np.where(random.random(len(user)) < 1 / (1 + np.exp(-lean[user])), 1.0, -1.0)
    outcome = np.where(random.random(len(user)) < tied, 0.0, sign)
    if weighs:
        outcome *= random.choice([1.0, 1 / 2, 1 / 3], len(user))
    p = preference(np.stack([outcome, np.zeros(len(user))], axis=1), user, weighs=weighs).p
    return None if np.isnan(p) else p


KINDS = {
    "a list each": one_list, "up to 5 lists each": few_lists, "a few with most lists": heavy_lists,
    "busy users with a leaning": busy_lean,
}  # fmt: skip


def row(kind: str, users: int, tied: float, weighs: bool = False) -> PValueDesign:
    test = "sign test" if kind == "a list each" and not weighs else "sign flips"
    design = f"{test}, {users} users, {kind}, {tied:.0%} ties" + ", weighed" * weighs
    part = partial(no_preference, kind=kind, users=users, tied=tied, weighs=weighs)
    return PValueDesign("online preference", design, part, 500)


P_VALUES = [
    *(row(kind, users, tied) for kind in KINDS for users in (8, 30, 300) for tied in (0.1,)),
    *(row(kind, 8, 0.8) for kind in KINDS),
    *(row(kind, 30, 0.5, True) for kind in KINDS),
]
