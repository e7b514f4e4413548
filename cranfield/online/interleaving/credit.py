"""The credit that an interaction log gives to each system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from cranfield.arrays.interactions import Interactions
from cranfield.arrays.rankings import Floats, Ints, Mask

from cranfield.online.interleaving.method import NOBODY, InterleavingMethod, Shown
from cranfield.online.interleaving.rankings import SystemRankings


class Credit(NamedTuple):
    """Of each impression: the credit of each system, and what became of it."""

    credit: Floats  # (impressions, systems)
    credited: Mask  # whether it can be credited: its teams, or the rankings that were interleaved, are known
    informative: Mask  # whether it shows anything but documents with which all rankings begin alike


def credit_of(
    log: Interactions, method: InterleavingMethod, rankings: Mapping[int, SystemRankings], systems: int
) -> Credit:
    """The credit by a log; `rankings` has by topic what was interleaved, as documents of the log.

    >>> from cranfield.arrays.interactions import example
    >>> from cranfield.online.interleaving.table import METHODS
    >>> log = example("abc:a", "bac:ac", "bca:", teams="abaab-b-a")
    >>> credit_of(log, METHODS["team-draft"], {}, 2).credit.tolist()
    [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]
    >>> alike = {0: SystemRankings.of([[0, 1, 2], [0, 1, 2]])}
    >>> credit_of(log, METHODS["balanced"], alike, 2).informative.tolist()
    [False, False, False]
    """
    known = np.isin(log.topic, list(rankings))
    common = _common(log, rankings)
    if method.teams:
        team = np.where(common, NOBODY, log.team).astype(np.int64)
        teamed = np.bincount(log.impression[log.team >= 0], minlength=len(log)) > 0
        alike = known & ~_any(log, ~common)
        return Credit(_by_team(log, team, systems), alike | teamed, _any(log, team >= 0))
    found = np.zeros((len(log), systems))
    for row, gained in _each(log, method, rankings, known):
        found[row] = gained
    return Credit(found, known, _any(log, ~common) & known)


def _any(log: Interactions, shown: Mask) -> Mask:
    """The impressions that have any of these documents."""
    return np.bincount(log.impression[shown], minlength=len(log)) > 0


def _common(log: Interactions, rankings: Mapping[int, SystemRankings]) -> Mask:
    """Which of the documents shown stand in the beginning that all rankings of the topic share."""
    pairs = [(topic, doc) for topic, each in rankings.items() for doc in each.common]
    topic, document = np.array(pairs, np.int64).reshape(-1, 2).T
    size = max(log.document.max(initial=0), document.max(initial=0)) + 1
    return np.isin(log.topic[log.impression] * size + log.document, topic * size + document)


def _by_team(log: Interactions, team: Ints, systems: int) -> Floats:
    clicked = log.clicks & (team >= 0)
    of = log.impression[clicked] * systems + team[clicked]
    return np.bincount(of, minlength=len(log) * systems).reshape(-1, systems).astype(float)


def _each(
    log: Interactions, method: InterleavingMethod, rankings: Mapping[int, SystemRankings], known: Mask
) -> Iterator[tuple[int, list[float]]]:
    """The impressions with clicks and their credit; the same list with the same clicks is computed once."""
    done: dict[tuple[int, bytes, bytes], list[float]] = {}
    topics, bounds = log.topic.tolist(), log.bounds.tolist()
    for row in np.flatnonzero(known & _any(log, log.clicks)).tolist():
        docs, clicked = (column[bounds[row] : bounds[row + 1]] for column in (log.document, log.clicks))
        key = (topics[row], docs.tobytes(), clicked.tobytes())
        if key not in done:
            shown = Shown(rankings[topics[row]], docs.tolist(), [NOBODY] * len(docs), clicked.tolist())
            done[key] = method.credit(shown)
        yield row, done[key]
