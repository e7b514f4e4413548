"""Two sets of judgments of a store compared: their labels, and their effect on the runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.judging.labels.diff import as_document, label_changes, system_changes
from cranfield.judging.labels.sides import in_common, side
from cranfield.metrics.notation.parse import MeasureLike, parse_all
from cranfield.store.runs import run_info, stored_runs

if TYPE_CHECKING:
    from cranfield.judging.labels.diff import LabelChanges, SystemChanges
    from cranfield.judging.labels.sides import Side
    from cranfield.store.store import Store


class LabelDiff(NamedTuple):
    """What differs between two sets of judgments, and the JSON document; no systems where there are no runs."""

    labels: LabelChanges
    systems: SystemChanges | None
    document: dict[str, Any]


EVERY = "; --all compares the labels of either"


def label_diff(store: Store, a: str, b: str, measures: MeasureLike | Iterable[MeasureLike], every: bool) -> LabelDiff:
    """Compare two sides; runs are scored on what both label or, with `every`, on all labels of either side."""
    left, right = side(store, a), side(store, b)
    labels = label_changes(left, right)
    systems = _systems(store, *((left, right) if every else in_common(left, right, EVERY)), measures)
    releases = {name: dict(it.release.counts) for name, it in (("a", left), ("b", right)) if it.release}
    document = as_document(a, b, every, labels, systems) | ({"releases": releases} if releases else {})
    return LabelDiff(labels, systems, document)


def _systems(store: Store, a: Side, b: Side, measures: MeasureLike | Iterable[MeasureLike]) -> SystemChanges | None:
    runs = stored_runs(
        store, [tag for tag in run_info(store) if all(it.runs is None or tag in it.runs for it in (a, b))]
    )
    if not runs.tags:
        return None
    return system_changes(runs, a.qrels, b.qrels, parse_all(measures, store.collection.min_relevant))
