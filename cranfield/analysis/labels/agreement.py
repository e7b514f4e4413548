"""The labels to compare, from a store or from qrels files of the same documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import InputError
from cranfield.formats import read_qrels
from cranfield.formats.files import bare_name
from cranfield.judging.agreement.label_matrix import matrix_of_qrels
from cranfield.judging.labels.matrix import matrix_of_store
from cranfield.source import Place, check_of_store, is_store, name_of, opened
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.log import assessors

if TYPE_CHECKING:
    from cranfield.arrays.rankings import Qrels
    from cranfield.judging.agreement.label_matrix import LabelMatrix


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
