"""Intervals of counterfactual estimates: of a ranking that position-based users were seldom shown, and of policies."""

from dataclasses import replace
from functools import cache, partial
from itertools import permutations

import numpy as np

from benchmarks.designs.design import Design, Random, holds
from cranfield.arrays.rankings import Floats, Ints
from cranfield.features.online.analysis.counterfactual import LOGGED, counterfactual
from cranfield.features.online.counterfactual.policies import plackett_luce
from cranfield.features.online.counterfactual.weights import NewRanking
from cranfield.features.online.interactions import Actions, Interactions, example

ATTRACTION, EXAMINATION = np.array([0.7, 0.5, 0.2]), np.array([0.9, 0.6, 0.3])
DEPTH, NEW = 3, [2, 1, 0]  # the worst document first
ZEAL = 4.0  # of users, beta distributed around 1


def evenly(random: Random, lists: int) -> Ints:
    """Every order is as likely."""
    return random.permuted(np.tile(np.arange(DEPTH), (lists, 1)), axis=1)


def swap_first(random: Random, lists: int) -> Ints:
    """The best first, swapped with a random one."""
    orders, row, place = np.tile(np.arange(DEPTH), (lists, 1)), np.arange(lists), random.integers(DEPTH, size=lists)
    orders[row, 0], orders[row, place] = orders[row, place], orders[row, 0].copy()
    return orders


def log_of(
    orders: Ints, clicks: Ints, user: Ints, *, users: int, topic: Ints, propensity: float | None
) -> Interactions:
    """A log of these lists; propensities of whole lists in every order, or of documents at their positions."""
    row, position = np.nonzero(clicks)
    unknown, lists = np.full(len(row), np.nan), len(orders)
    actions = Actions(row, np.zeros(len(row), np.int8), position, at=row.astype(float), seconds=unknown, value=unknown)
    chances = np.tile([1 / 3, 1 / 2, 1.0], lists) if propensity is None else np.full(lists * DEPTH, propensity)
    return replace(
        example(*["abc:"] * lists), document=(orders + DEPTH * topic[:, None]).ravel(), actions=actions, user=user,
        users=users, topic=topic, query=topic, propensity=chances,
    )  # fmt: skip


def value(
    random: Random, name: str, propensity: str, *, lists: int, users: int, topics: int, clicks: float = 1.0
) -> bool | None:
    """The clicks per list of the new ranking; the log has swaps where their examinations are estimated."""
    user, topic = random.integers(users, size=lists), random.integers(topics, size=lists)
    zeal, attraction = 2 * random.beta(ZEAL, ZEAL, users), clicks * ATTRACTION
    orders = (evenly if propensity == LOGGED else swap_first)(random, lists)
    chance = attraction[orders] * EXAMINATION * (zeal if users < lists else np.ones(users))[user][:, None]
    log = log_of(
        orders, random.random(orders.shape) < np.minimum(chance, 1), user, users=users, topic=topic,
        propensity=1 / DEPTH if name == "item-position" else None,
    )  # fmt: skip
    documents = np.concatenate([np.array(NEW) + DEPTH * one for one in range(topics)])
    new = NewRanking(np.repeat(np.arange(topics), DEPTH), documents, np.tile(np.arange(DEPTH), topics))
    (score,) = counterfactual(log, new, "new", names=[name], propensity=propensity).estimates
    return holds(score.low, score.high, truth(clicks, users < lists))


@cache
def truth(clicks: float, zealous: bool) -> float:
    """Expected clicks, over users."""
    every = 2 * np.random.default_rng(1).beta(ZEAL, ZEAL, 400_000) if zealous else np.ones(1)
    return float(sum(np.minimum(clicks * ATTRACTION[d] * EXAMINATION[r] * every, 1).mean() for r, d in enumerate(NEW)))


def row(name: str, propensity: str, lists: int, users: int, *, topics: int = 1, clicks: float = 1.0) -> Design:
    """A row; lists that are one a user are of equal users."""
    which = name if propensity == LOGGED else f"{name} {propensity}"
    of = f"{which}, {lists} lists of {users} users, {topics} topic{'s' * (topics > 1)}"
    seldom = f", {clicks:.0%} of the clicks" if clicks < 1 else ""
    draw = partial(
        value, name=name, propensity=propensity, lists=lists, users=users, topics=topics, clicks=clicks
    )  # fmt: skip
    return Design("online counterfactual", of + seldom, draw, draws=300)


SCORES, LOGGED_SCORES = np.array([0.2, 1.0, 0.0, 1.4]), np.array([1.0, 0.8, 0.6, 0.0])  # of a policy, and of what logs
APPEAL = np.array([0.7, 0.5, 0.2, 0.4])
LISTS = np.array(list(permutations(range(len(SCORES)), DEPTH)))


def chances(scores: Floats, lists: Ints) -> Floats:
    """The probability of each document, given those above it, by Plackett and Luce's model: (lists, ranks)."""
    worth = np.exp(scores)[lists]
    return np.asarray(worth / (np.exp(scores).sum() - np.cumsum(worth, axis=1) + worth))


def at_ranks(scores: Floats, depth: int) -> Floats:
    """The probability of each document at each rank, by all lists: (documents, ranks)."""
    every, totals = chances(scores, LISTS).prod(axis=1), np.zeros((len(scores), depth))
    np.add.at(totals, (LISTS[:, :depth], np.arange(depth)), every[:, None])
    return totals


def drawn_value(
    random: Random, name: str, policy: str, *, lists: int, users: int, topics: int, depth: int
) -> bool | None:
    """The clicks per list of a policy that draws, from the log of another one that does."""
    log = drawn_log(random, lists, users, topics=topics, depth=depth, by_position=name == "item-position")
    (score,) = counterfactual(log, policy_of(policy, topics, depth), "new", names=[name]).estimates
    return holds(score.low, score.high, drawn_truth(depth, users < lists))


def drawn_log(
    random: Random, lists: int, users: int, *, topics: int, depth: int = DEPTH, by_position: bool = False
) -> Interactions:
    """The log of that other one, with the propensities of documents after those above them, or at their positions."""
    user, topic = random.integers(users, size=lists), random.integers(topics, size=lists)
    noise = random.gumbel(size=(lists, len(SCORES)))
    orders = np.argsort(-(LOGGED_SCORES + noise), axis=1)[:, :depth]
    zeal = (2 * random.beta(ZEAL, ZEAL, users) if users < lists else np.ones(users))[user][:, None]
    clicks = random.random(orders.shape) < np.minimum(APPEAL[orders] * EXAMINATION[:depth] * zeal, 1)
    row, position = np.nonzero(clicks)
    unknown, kind = np.full(len(row), np.nan), np.zeros(len(row), np.int8)
    at = at_ranks(LOGGED_SCORES, depth)[orders, np.arange(depth)]
    return replace(
        shape(lists, depth), document=(orders + len(SCORES) * topic[:, None]).ravel(),
        actions=Actions(row, kind, position, at=row.astype(float), seconds=unknown, value=unknown),
        user=user, users=users, topic=topic, query=topic,
        propensity=(at if by_position else chances(LOGGED_SCORES, orders)).ravel(),
    )  # fmt: skip


@cache
def shape(lists: int, depth: int) -> Interactions:
    """A log of so many lists."""
    return example(*["abcd"[:depth] + ":"] * lists)


@cache
def policy_of(policy: str, topics: int, depth: int) -> NewRanking:
    """The policy, by the scores or by the probabilities of each document at each rank."""
    every, documents = np.repeat(np.arange(topics), len(SCORES)), np.arange(topics * len(SCORES))
    if policy == "plackett-luce":
        return plackett_luce(every, documents, np.tile(SCORES, topics), depth=depth)
    ranks, chance = np.tile(np.arange(depth), len(documents)), np.tile(at_ranks(SCORES, depth).ravel(), topics)
    return NewRanking(every.repeat(depth), documents.repeat(depth), ranks, chance)


@cache
def drawn_truth(depth: int, zealous: bool) -> float:
    """Expected clicks, over users and lists."""
    every = 2 * np.random.default_rng(1).beta(ZEAL, ZEAL, 400_000) if zealous else np.ones(1)
    clicks = [[np.minimum(appeal * chance * every, 1).mean() for chance in EXAMINATION[:depth]] for appeal in APPEAL]
    return float((at_ranks(SCORES, depth) * clicks).sum())


RARE, ITS_APPEAL = -5.4, 0.9  # a document that only the policy may show: less than one in a thousand that it shows


def unseen_value(random: Random, name: str) -> bool | None:
    """The clicks per list of a policy with a document that the log never showed."""
    log = drawn_log(random, 900, 900, topics=1)
    (score,) = counterfactual(log, with_rare(), "new", names=[name]).estimates
    every = np.array(list(permutations(range(len(SCORES) + 1), DEPTH)))
    weights, appeal = chances(np.array([*SCORES, RARE]), every).prod(axis=1), np.array([*APPEAL, ITS_APPEAL])[every]
    return holds(score.low, score.high, float((weights[:, None] * appeal * EXAMINATION).sum()))


@cache
def with_rare() -> NewRanking:
    """That policy."""
    number = len(SCORES) + 1
    return plackett_luce(np.zeros(number, int), np.arange(number), np.array([*SCORES, RARE]), depth=DEPTH)


def drawn_row(
    name: str, policy: str, users: int, topics: int, *, lists: int = 900, depth: int = DEPTH, draws: int = 1000
) -> Design:
    """A row of a policy that draws."""
    of = f"{name}, {policy}, {lists} lists of {depth} of {users} users, {topics} topic{'s' * (topics > 1)}"
    draw = partial(drawn_value, name=name, policy=policy, lists=lists, users=users, topics=topics, depth=depth)
    return Design("online counterfactual", of, draw, draws=draws)


WEIGHTS = ("ips", "snips", "clipped", "dr", "item-position", "pseudo-inverse")
USERS = ((10, 1), (900, 1), (100, 10))  # and topics
MAIN = ("ips", "snips", "dr", "dm")
ROWS = [
    *(row(name, LOGGED, 900, users, topics=topics) for name in WEIGHTS for users, topics in USERS),
    *(row(name, LOGGED, 2000, 2000, topics=1, clicks=0.02) for name in WEIGHTS if name != "clipped"),
    *(row("position-based", of, 900, users, topics=topics) for of in ("pbm", "swap") for users, topics in USERS),
    row("dm", "pbm", 900, 100, topics=1),
    *(row("dm", LOGGED, 900, users, topics=topics) for users, topics in USERS),
    *(drawn_row(name, "plackett-luce", *of) for name in (*MAIN, "clipped", "item-position") for of in USERS[::2]),
    *(drawn_row(name, "probabilities", *USERS[2], depth=1, draws=4000 if name == "dr" else 1000) for name in MAIN),
    drawn_row("item-position", "probabilities", *USERS[2]),
    *(drawn_row(name, "plackett-luce", 300, 1, lists=300, draws=3000 if name == "snips" else 1000) for name in MAIN),
    *(
        Design(
            "online counterfactual",
            f"{name}, plackett-luce, 0.09 % of the documents never shown",
            partial(unseen_value, name=name),
            draws=1000,
        )
        for name in MAIN
    ),
]
