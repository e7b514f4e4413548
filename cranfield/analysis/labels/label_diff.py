"""Two sets of judgments of a store compared: their labels, and their effect on the runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.judging.labels.diff import as_document, in_common, label_changes, side, system_changes
from cranfield.metrics.notation.parse import MeasureLike, parse_all
from cranfield.store.runs import stored_runs

if TYPE_CHECKING:
    from cranfield.judging.labels.diff import LabelChanges, Side, SystemChanges
    from cranfield.store.store import Store


class LabelDiff(NamedTuple):
    """What differs between two sets of judgments, and the JSON document; no systems where there are no runs."""

    labels: LabelChanges
    systems: SystemChanges | None
    document: dict[str, Any]


def label_diff(store: Store, a: str, b: str, measures: MeasureLike | Iterable[MeasureLike], every: bool) -> LabelDiff:
    """Compare two sides; runs are scored on what both label or, with `every`, on all labels of either side."""
    left, right = side(store, a), side(store, b)
    labels = label_changes(left, right)
    systems = _systems(store, *((left, right) if every else in_common(left, right)), measures)
    return LabelDiff(labels, systems, as_document(a, b, every, labels, systems))


def _systems(store: Store, a: Side, b: Side, measures: MeasureLike | Iterable[MeasureLike]) -> SystemChanges | None:
    runs = stored_runs(store)
    if not runs.tags:
        return None
    return system_changes(runs, a.qrels, b.qrels, parse_all(measures, store.collection.min_relevant))
