"""Fusing runs of a store or of files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import InputError
from cranfield.formats import RunInfo, read_runs
from cranfield.source import Place, is_store, name_of, opened
from cranfield.store.runs import add_runs, run_info, stored_runs
from cranfield.store.store import Store

if TYPE_CHECKING:
    from cranfield.arrays.rankings import Runs


def runs_to_fuse(paths: Sequence[Place], tags: list[str] | None) -> Runs:
    """The runs to fuse; a run that is itself fused only if it is named."""
    if is_store(paths[0]):
        with opened(paths[0]) as store:
            runs = stored_runs(store, tags or [tag for tag, info in run_info(store).items() if info.kind != "fused"])
            runs.docnos.names  # noqa: B018 - loaded while the store is open
    else:
        runs = read_runs([name_of(path) for path in paths])
    missing = [tag for tag in tags or () if tag not in runs.tags]
    if missing:
        raise InputError(f"unknown run {missing[0]!r}; available: {', '.join(runs.tags)}", name_of(paths[0]))
    if not runs.tags:
        raise InputError(
            "no runs in this store; `cranfield import runs` or `cranfield search` adds some", name_of(paths[0])
        )
    return runs.select(tags) if tags else runs


def add_fused(path: Path, fused: Runs, description: str) -> None:
    """Add a fused run, which does not contribute to pools."""
    about = RunInfo("fusion", "fused", description, pooled=False)
    with Store.open(path) as store:
        add_runs(store, fused, {fused.tags[0]: about})
