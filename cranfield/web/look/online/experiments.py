"""The experiments with users, and what each says."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.analysis.online.ab import experiment_results
from cranfield.report.blocks import Block, Text
from cranfield.report.online import experiment_blocks
from cranfield.store.store import Store

from ..query import Query
from ..view import LookView, Row

NONE = "No experiment yet: `cranfield import log` brings lists with their arms or teams."


def _rows(store: Store, query: Query) -> Sequence[Row]:
    return experiment_results(store)


def _parts(store: Store, query: Query) -> Sequence[Block]:
    rows = experiment_results(store)
    return experiment_blocks(rows) if rows else [Text(NONE)]


EXPERIMENTS = LookView("Experiments", _rows, parts=_parts, entry="Experiments", heavy=True)
