"""The labels to compare, from a store or from qrels files of the same documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import InputError
from cranfield.formats import read_qrels
from cranfield.formats.files import bare_name
from cranfield.judging.agreement.label_matrix import matrix_of_qrels
from cranfield.judging.labels.matrix import matrix_of_store
from cranfield.source import check_of_store, is_store
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.log import assessors
from cranfield.store.store import Store

if TYPE_CHECKING:
    from cranfield.judging.agreement.label_matrix import LabelMatrix


def labels_to_compare(
    paths: list[Path],
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
            raise InputError("a store takes no further files; it contains its labels", paths[1])
        with Store.open(paths[0]) as store:
            panel, kinds = matrix_of_store(store, names, labels, pool), assessors(store)
    else:
        check_of_store(paths[0], None, labels, pool)
        panel = _of_files(paths, names, scale, min_relevant)
    if len(panel.assessors) < 2:
        raise InputError(f"agreement needs two assessors, but here is {', '.join(panel.assessors) or 'none'}", paths[0])
    if not panel.both.any():
        raise InputError("no document has labels by two of these assessors", paths[0])
    return panel, [name for name in panel.assessors if kinds.get(name) == "model"]


def _of_files(paths: list[Path], names: list[str] | None, scale: list[int] | None, min_relevant: int) -> LabelMatrix:
    by_name = {bare_name(path): path for path in paths}
    if len(by_name) < len(paths):
        by_name = {str(path): path for path in paths}
    for name in names or ():
        if name not in by_name:
            raise InputError(f"unknown assessor {name!r}; available: {', '.join(by_name)}")
    several = {name: read_qrels(path) for name, path in by_name.items() if not names or name in names}
    return matrix_of_qrels(several, scale, min_relevant)
