"""False alarms of `online ab`: arms that do not differ, users who do."""

from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.designs.ab import Users, describe
from benchmarks.designs.design import PValueDesign, Random
from cranfield.arrays.rankings import Floats, Ints
from cranfield.features.online.arm_users import UserTotals, as_totals, linearise
from cranfield.features.online.experiments import adjust, arm_effect, sample_ratio, sequential_effect
from cranfield.metrics.significance.pairs import CORRECTIONS, correct_p_values

Draw = Callable[[Random, int], UserTotals]  # the users of an arm
LOOKS = 14
DIVISIONS = 999  # of the permutation test, of which the command has more


def totals(total: Floats | Ints, times: Floats | Ints) -> UserTotals:
    return UserTotals(np.asarray(total, float), np.asarray(times, float), np.zeros(len(total)))


def one_share(random: Random, users: int, rate: float = 0.2) -> UserTotals:
    return as_totals(random.binomial(1, rate, users).astype(np.float64))


def rare_share(random: Random, users: int) -> UserTotals:
    return one_share(random, users, 0.02)


def few_lists(random: Random, users: int) -> UserTotals:
    lists = random.integers(1, 6, users)
    return totals(random.binomial(lists, random.beta(0.4, 1.6, users)), lists)


def heavy_lists(random: Random, users: int) -> Ints:
    return np.ceil(20 * random.lognormal(-0.5, 1, users)).astype(np.int64)


def busy_alike(random: Random, users: int) -> UserTotals:
    lists = heavy_lists(random, users)
    return totals(random.binomial(lists, random.beta(1, 1, users)), lists)


def busy_click_more(random: Random, users: int) -> UserTotals:
    lists = heavy_lists(random, users)
    rate = np.where(lists > 20, 0.6, 0.2)
    return totals(random.binomial(lists, rate), lists)


def busy_click_less(random: Random, users: int) -> UserTotals:
    lists = heavy_lists(random, users)
    rate = np.where(lists > 20, 0.1, 0.5)
    return totals(random.binomial(lists, rate), lists)


def few_clicks(random: Random, users: int) -> UserTotals:
    lists = random.integers(1, 6, users)
    return totals(random.poisson(random.gamma(1, 0.5, users) * lists), lists)


def busy_many_clicks(random: Random, users: int) -> UserTotals:
    lists = heavy_lists(random, users)
    return totals(random.poisson(np.where(lists > 20, 1.5, 0.3) * lists), lists)


def seconds(random: Random, users: int) -> UserTotals:
    return as_totals(random.lognormal(3, 1, users))


def revenue(random: Random, users: int) -> UserTotals:
    return as_totals(random.lognormal(0, 1.5, users) * (random.random(users) < 0.05))


def seldom_clicks(random: Random, users: int) -> UserTotals:
    return as_totals(random.poisson(0.1, users).astype(float))


def printed(p: float) -> float | None:
    return None if np.isnan(p) else p


def once(random: Random, draw: Draw, users: Users, share: bool) -> float | None:
    return printed(arm_effect(draw(random, users[0]), draw(random, users[1]), share, samples=DIVISIONS).p)


def cuped(random: Random, draw: Draw, users: Users, share: bool) -> float | None:
    """What users did before is drawn with the same lists and the same rates."""
    arms = [draw(random, size) for size in users]
    before = linearise(*(np.concatenate([np.asarray(arm[i]) for arm in arms]) for i in (0, 1)))
    before = before * random.lognormal(0, 0.3, len(before))
    values = np.concatenate([arm.values for arm in arms])
    explained = np.split(values - adjust(values, before), [users[0]])
    control, arm = (one._replace(explained=part) for one, part in zip(arms, explained, strict=True))
    return printed(arm_effect(control, arm, share, samples=DIVISIONS).p)


def looks(random: Random, draw: Draw, users: int, plan: int, share: bool) -> float | None:
    """The least p of all looks."""
    arms = [draw(random, users) for _ in range(2)]
    sizes = np.linspace(2, users, LOOKS).astype(int).tolist()
    values = [[UserTotals(*(column[:size] for column in arm)).values for arm in arms] for size in sizes]
    p = [sequential_effect(control, arm, share, plan).p for control, arm in values]
    return None if np.isnan(p).all() else float(np.nanmin(p))


def many(random: Random, arms: int, users: int, correction: str) -> float | None:
    """The least corrected p of several arms and three measures."""
    drawn = [(few_lists, True), (busy_many_clicks, False), (seldom_clicks, False)]
    p = []
    for draw, share in drawn:
        control, *others = (draw(random, users) for _ in range(arms))
        p += [arm_effect(control, arm, share, samples=DIVISIONS).p for arm in others]
    return float(correct_p_values(np.array(p), CORRECTIONS[correction]).min())


def ratio(random: Random, users: int, shares: tuple[float, ...]) -> float | None:
    planned = np.array(shares) / sum(shares)
    return sample_ratio(random.multinomial(users, planned).tolist(), list(shares)).p


KINDS: dict[str, tuple[Draw, bool]] = {
    "share of users, 20%": (one_share, True),
    "share of users, 2%": (rare_share, True),
    "CTR, up to 5 lists": (few_lists, True),
    "CTR, a few with most lists": (busy_alike, True),
    "CTR, busy users click more": (busy_click_more, True),
    "CTR, busy users click less": (busy_click_less, True),
    "clicks per search, up to 5 lists": (few_clicks, False),
    "clicks per search, busy users click more": (busy_many_clicks, False),
    "clicks of a user, rare": (seldom_clicks, False),
    "seconds, lognormal": (seconds, False),
    "revenue, 5% pay": (revenue, False),
}
SMALL, LARGE = ((2, 2), (5, 5), (25, 25), (5, 45), (60, 60)), ((200, 200), (200, 1800))
OF_FEW = ("share of users, 2%", "CTR, busy users click less", "clicks of a user, rare")  # with few users alone


def row(kind: str, users: Users) -> PValueDesign:
    draw, share = KINDS[kind]
    permutes = not share and min(users) < 200
    test = "permutation test" if permutes else "Welch's test"
    part = partial(once, draw=draw, users=users, share=share)
    return PValueDesign("online ab", f"{test}, {kind}, {describe(users)}", part, 500 if permutes else 2000)


def before(kind: str, users: Users) -> PValueDesign:
    draw, share = KINDS[kind]
    part = partial(cuped, draw=draw, users=users, share=share)
    return PValueDesign("online ab --before", f"{kind}, {describe(users)}", part, 500)


def sequence(kind: str, users: int, plan: int) -> PValueDesign:
    draw, share = KINDS[kind]
    part = partial(looks, draw=draw, users=users, plan=plan, share=share)
    of = f"{kind}, the least of {LOOKS} looks at up to {users} users of an arm, {plan} planned"
    return PValueDesign("online ab --sequential", of, part, 500)


P_VALUES = [
    *(row(kind, users) for kind, (_, share) in KINDS.items() for users in SMALL if share or users != (2, 2)),
    *(row(kind, users) for kind in KINDS for users in LARGE if kind not in OF_FEW),
    *(before(kind, users) for kind, users in (
        ("CTR, up to 5 lists", (25, 25)), ("CTR, busy users click more", (25, 25)),
        ("clicks per search, busy users click more", (25, 25)), ("clicks per search, busy users click more", (10, 40)),
        ("clicks per search, busy users click more", (200, 200)))),
    *(sequence(kind, users, plan) for kind, users, plan in (
        ("share of users, 20%", 50, 20), ("CTR, busy users click more", 100, 200),
        ("CTR, busy users click more", 300, 600), ("clicks per search, busy users click more", 600, 1200))),
    *(PValueDesign("online ab", f"5 arms of {users} users, 3 measures, the least after {correction}",
                   partial(many, arms=5, users=users, correction=correction), 300)
      for users, correction in ((25, "holm"),)),
    *(PValueDesign("online ab", f"sample ratio, {users} users, {':'.join(map(str, shares))}",
                   partial(ratio, users=users, shares=shares), 200 if users < 100 else 500 if 99 in shares else 2000)
      for users, shares in ((30, (1, 1)), (30, (9, 1)), (1000, (1, 1)), (1000, (99, 1)),
                            (2000, (1, 1, 1, 1, 1)))),
]  # fmt: skip
