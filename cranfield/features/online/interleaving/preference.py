"""Which system users prefer: wins, losses and ties by impression, with an interval over users.

Delta = (wins + ties / 2) / n - 1/2, over the informative impressions: above 0 users prefer the first system, and 1/2 is
every impression. Where a method weighs clicks, the outcome of an impression is the difference of credit, and Delta is
half its mean: for outcomes of 1, 0 and -1 that is the same.

Users are independent of each other, their impressions are not. The interval is that of a share, either end with
one user more, so that a few users who all prefer the same do not seem certain. p is that of sign flips: were there no
preference, the sum of a user's outcomes would as likely have the other sign. Where all users who prefer one have the
same sum, as with one impression each, that is the sign test, exactly; otherwise so many random flips; and of more than
20,000 different sums the normal distribution that the flips then have.

Sources: Chapelle, Joachims, Radlinski and Yue, Large-scale validation and analysis of interleaved search evaluation,
TOIS 30(1), 2012; Fisher, The Design of Experiments, 1935 (sign flips); online/measures/estimate.py (the interval).
"""

from collections.abc import Mapping
from math import erfc, sqrt
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.features.online.estimates import share_interval
from cranfield.features.online.interactions import Interactions
from cranfield.features.online.interleaving.method import NOBODY, InterleavingMethod, ShownList, SystemRankings


class Credit(NamedTuple):
    """Of each impression: the credit of each system, and what became of it."""

    credit: Floats  # (impressions, systems)
    credited: Mask  # whether it can be credited: its teams, or the rankings that were interleaved, are known
    informative: Mask  # whether it shows anything but documents with which all rankings begin alike


def credit_of(
    log: Interactions, method: InterleavingMethod, rankings: Mapping[int, SystemRankings], systems: int
) -> Credit:
    """The credit by a log; `rankings` has by topic what was interleaved, as documents of the log.

    >>> from cranfield.features.online.interactions import example
    >>> from cranfield.features.online.interleaving import METHODS
    >>> log = example("abc:a", "bac:ac", "bca:", teams="abaab-b-a")
    >>> credit_of(log, METHODS["team-draft"], {}, 2).credit.tolist()
    [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]
    >>> alike = {0: SystemRankings.from_orders([[0, 1, 2], [0, 1, 2]])}
    >>> credit_of(log, METHODS["balanced"], alike, 2).informative.tolist()
    [False, False, False]
    """
    has_rankings = np.isin(log.topic, list(rankings))
    # Documents in the beginning that all rankings of the topic share credit nobody.
    pairs = [(topic, doc) for topic, each in rankings.items() for doc in each.common]
    topic, document = np.array(pairs, np.int64).reshape(-1, 2).T
    size = max(log.document.max(initial=0), document.max(initial=0)) + 1
    common = np.isin(log.topic[log.impression] * size + log.document, topic * size + document)
    if method.teams:
        team = np.where(common, NOBODY, log.team).astype(np.int64)
        has_teams = np.bincount(log.impression[log.team >= 0], minlength=len(log)) > 0
        alike = has_rankings & ~_any(log, ~common)
        clicked = log.clicks & (team >= 0)
        cells = log.impression[clicked] * systems + team[clicked]
        clicks = np.bincount(cells, minlength=len(log) * systems).reshape(-1, systems).astype(float)
        return Credit(clicks, alike | has_teams, _any(log, team >= 0))
    credit, topics, bounds = np.zeros((len(log), systems)), log.topic.tolist(), log.bounds.tolist()
    known: dict[tuple[int, bytes, bytes], list[float]] = {}  # the same list with the same clicks is computed once
    for row in np.flatnonzero(has_rankings & _any(log, log.clicks)).tolist():
        documents = slice(bounds[row], bounds[row + 1])
        docs, clicked = log.document[documents], log.clicks[documents]
        key = (topics[row], docs.tobytes(), clicked.tobytes())
        if key not in known:
            shown = ShownList(rankings[topics[row]], docs.tolist(), [NOBODY] * len(docs), clicked.tolist())
            known[key] = method.credit(shown)
        credit[row] = known[key]
    return Credit(credit, has_rankings, _any(log, ~common) & has_rankings)


def _any(log: Interactions, documents: Mask) -> Mask:
    """The impressions that have any of these documents."""
    return np.bincount(log.impression[documents], minlength=len(log)) > 0


MOST = 20_000  # different sums whose signs are flipped
ROUNDING = 1e-9


class SystemPreference(NamedTuple):
    """Of a pair of systems."""

    wins: int
    losses: int
    ties: int
    delta: float
    low: float
    high: float
    p: float
    p_test: str | None  # the test that gave p; None where there is no p


def preference(
    credit: Floats, user: Ints, *, weighs: bool = False, alpha: float = 0.05, samples: int = 2000, seed: int = 0
) -> SystemPreference:
    """The preference for the first of two systems; `credit` is (impressions, 2), `user` -1 where unknown.

    The interval is NaN where there are not two users.

    >>> credit = np.repeat([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]], [60, 40, 100], axis=0)
    >>> result = preference(credit, np.arange(200))
    >>> result.wins, result.losses, result.ties, round(result.delta, 4), round(result.p, 4)
    (60, 40, 100, 0.05, 0.0569)
    """
    difference = np.round(credit[:, 0] - credit[:, 1], 12)
    sign = np.sign(difference)
    wins, losses = int((sign > 0).sum()), int((sign < 0).sum())
    halves: Floats = (difference if weighs else sign) / 2
    if not len(halves):
        undefined = float("nan")
        return SystemPreference(0, 0, 0, undefined, undefined, undefined, undefined, None)
    # A user who is unknown is somebody else each time.
    units = np.where(user < 0, user.max(initial=-1) + 1 + np.arange(len(user)), user)
    _, unit = np.unique(units, return_inverse=True)
    totals, counts = np.bincount(unit, halves).astype(float), np.bincount(unit).astype(float)
    most = max(0.5, float(np.abs(halves).max()))
    low, high = share_interval(totals, counts, 1 - alpha, (-most, most))
    p, p_test = sign_flips(totals, samples, seed), sign_flip_test(totals)
    ties, delta = len(sign) - wins - losses, float(halves.mean())
    return SystemPreference(wins, losses, ties, delta=delta, low=low, high=high, p=p, p_test=p_test)


def sign_flips(totals: Floats, samples: int = 2000, seed: int = 0) -> float:
    """Whether the sum is further from 0 than it would be if every user had preferred the other as likely, two-sided.

    >>> sign_flips(np.array([1.0, 1.0, 1.0, 0.0])), sign_flips(np.zeros(3))
    (0.25, 1.0)
    """
    size, users = _sizes(totals)
    if len(size) < 2:
        return sign_test(int((totals > 0).sum()), int((totals < 0).sum()))
    least = abs(float(totals.sum())) * (1 - ROUNDING)
    if len(size) > MOST:
        return erfc(least / sqrt(2 * float(totals @ totals)))
    generator, extreme = np.random.default_rng(seed), 1
    for start in range(0, samples, 100):
        flips = 2 * generator.binomial(users, 0.5, (min(100, samples - start), len(size))) - users
        extreme += int((np.abs(flips @ size) >= least).sum())
    return extreme / (samples + 1)


def sign_flip_test(totals: Floats) -> str:
    """Return the name of the test by which `sign_flips` computes p.

    >>> sign_flip_test(np.array([1.0, -1.0])), sign_flip_test(np.array([1.0, 2.0]))
    ('sign', 'sign-flips')
    """
    number = len(_sizes(totals)[0])
    return "sign" if number < 2 else "sign-flips-normal" if number > MOST else "sign-flips"


def _sizes(totals: Floats) -> tuple[Floats, Ints]:
    """The different sizes of the users' sums, and how many users have each."""
    size, users = np.unique(np.round(np.abs(totals[totals != 0]), 9), return_counts=True)
    return size, users


def sign_test(wins: int, losses: int) -> float:
    """Whether one wins more often than a fair coin would let it, two-sided; ties say nothing.

    >>> sign_test(3, 0), sign_test(0, 0)
    (0.25, 1.0)
    """
    from scipy.special import bdtr

    return float(min(1.0, 2 * bdtr(min(wins, losses), wins + losses, 0.5)))
