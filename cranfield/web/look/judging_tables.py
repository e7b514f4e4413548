"""The tables of `cranfield progress`: who judges what, how fast, and what looks odd."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.judging.planning.progress import progress_of
from cranfield.judging.planning.sections import SECTIONS
from cranfield.store.store import Store

from .query import Query
from .view import LookView, Row, Rows


def _section(name: str) -> Rows:
    def rows(store: Store, query: Query) -> Sequence[Row]:
        return SECTIONS[name](progress_of(store))

    return rows


WORK = LookView("Work, by assessor and topic", _section("work"), heavy=True)
PACE = LookView("Pace and time left", _section("pace"), heavy=True)
AGREEMENT = LookView("Agreement so far, not corrected for chance", _section("agreement"), heavy=True)
REPEATS = LookView("Repeats: how far assessors agree with themselves", _section("repeats"), heavy=True)
DRIFT = LookView("Drift: the first, second and last third of each topic", _section("drift"), heavy=True)
