"""Labels compared: of assessors of a store or of qrels files of the same documents, and two sets and their effect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cranfield.arrays.rankings import Qrels
from cranfield.errors import InputError
from cranfield.formats import read_qrels
from cranfield.formats.files import bare_name
from cranfield.judging.agreement.agreement import LabelMatrix, matrix_of_qrels
from cranfield.judging.labels.diff import (
    LabelChanges,
    Side,
    SystemChanges,
    as_document,
    in_common,
    label_changes,
    side,
    system_changes,
)
from cranfield.judging.labels.pairs import matrix_of_store
from cranfield.metrics.notation import MeasureLike, parse_all
from cranfield.source import Place, check_of_store, is_store, name_of, opened
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.log import assessors
from cranfield.store.runs import run_info, stored_runs
from cranfield.store.store import Store


def labels_to_compare(
    paths: Sequence[Place],
    names: list[str] | None,
    labels: LabelledBy,
    pool: int | None,
    scale: list[int] | None,
    min_relevant: int,
) -> tuple[LabelMatrix, list[str]]:
    """The labels of at least two assessors with documents in common, and which assessors are models."""
    kinds: dict[str, str] = {}
    if is_store(paths[0]) or len(paths) < 2:
        if len(paths) > 1:
            raise InputError("a store takes no further files; it contains its labels", name_of(paths[1]))
        with opened(paths[0]) as store:
            panel, kinds = matrix_of_store(store, names, labels, pool), assessors(store)
    else:
        files = [name_of(path) for path in paths]
        check_of_store(files[0], None, labels, pool)
        panel = _of_files(files, names, scale, min_relevant)
    _check(panel, name_of(paths[0]))
    return panel, [name for name in panel.assessors if kinds.get(name) == "model"]


def labels_of_qrels(
    several: Mapping[str, Qrels], scale: Sequence[int] | None = None, min_relevant: int = 1
) -> LabelMatrix:
    """The labels of several qrels, of at least two assessors with documents in common."""
    panel = matrix_of_qrels(several, scale, min_relevant)
    _check(panel)
    return panel


def _check(panel: LabelMatrix, path: Path | None = None) -> None:
    if len(panel.assessors) < 2:
        raise InputError(f"agreement needs two assessors, but here is {', '.join(panel.assessors) or 'none'}", path)
    if not panel.both.any():
        raise InputError("no document has labels by two of these assessors", path)


def _of_files(paths: list[Path], names: list[str] | None, scale: list[int] | None, min_relevant: int) -> LabelMatrix:
    by_name = {bare_name(path): path for path in paths}
    if len(by_name) < len(paths):
        by_name = {str(path): path for path in paths}
    for name in names or ():
        if name not in by_name:
            raise InputError(f"unknown assessor {name!r}; available: {', '.join(by_name)}")
    several = {name: read_qrels(path) for name, path in by_name.items() if not names or name in names}
    return matrix_of_qrels(several, scale, min_relevant)


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
