"""Fusing runs of a store or of files."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cranfield.arrays.answered import first_names
from cranfield.arrays.rankings import Runs, occurring
from cranfield.errors import InputError
from cranfield.formats import RunInfo, read_runs
from cranfield.source import Place, is_store, name_of, opened
from cranfield.store.files_asked import asked_of_files
from cranfield.store.runs import add_runs, run_info, stored_runs
from cranfield.store.store import Store


def runs_to_fuse(paths: Sequence[Place], tags: list[str] | None) -> Runs:
    """The runs to fuse; a run that is itself fused only if it is named."""
    if is_store(paths[0]):
        with opened(paths[0]) as store:
            runs = stored_runs(store, tags or [tag for tag, info in run_info(store).items() if info.kind != "fused"])
            runs.docnos.names  # noqa: B018 - loaded while the store is open
    else:
        runs, asked = read_runs([name_of(path) for path in paths]), asked_of_files()
        runs = asked.of_runs(runs) if asked else runs
    missing = [tag for tag in tags or () if tag not in runs.tags]
    if missing:
        raise InputError(f"unknown run {missing[0]!r}; available: {', '.join(runs.tags)}", name_of(paths[0]))
    if not runs.tags:
        raise InputError(
            "no runs in this store; `cranfield import runs` or `cranfield search` adds some", name_of(paths[0])
        )
    return runs.select(tags) if tags else runs


def apart(runs: Runs) -> list[str]:
    """Which runs did not answer all topics that are fused, and which share no document with another, a line each.

    >>> from cranfield.metrics.inputs import as_runs
    >>> several = {"a": {"1": {"d": 1.0}, "2": {"d": 1.0}}, "b": {"1": {"d": 1.0}}, "c": {"1": {"x:d": 1.0}}}
    >>> print(*apart(as_runs(several)), sep="\\n")
    2 of 3 runs did not answer all 2 topics, where the others alone are fused: b 1, c 1
    1 of 3 runs shares no document with another: c, such as 'x:d'
    """
    return [*_partial(runs), *(_strangers(runs) if len(runs.tags) > 1 else [])]


def _partial(runs: Runs) -> list[str]:
    every = len(occurring(runs.topic))
    topics = np.bincount(runs.run[runs.starts], minlength=len(runs.tags)).tolist()
    fewer = sorted((number, tag) for number, tag in zip(topics, runs.tags, strict=True) if number < every)
    if not fewer:
        return []
    named = first_names([f"{tag} {number}" for number, tag in fewer])
    where = f"all {every} topics, where the others alone are fused"
    return [f"{len(fewer)} of {len(runs.tags)} runs did not answer {where}: {named}"]


def _strangers(runs: Runs) -> list[str]:
    pairs = np.unique(runs.document * len(runs.tags) + runs.run)
    document, run = np.divmod(pairs, len(runs.tags))
    shared = np.bincount(document)[document] > 1
    alone = np.setdiff1d(run, run[shared])
    if not len(alone):
        return []
    docno = runs.docnos.some(runs.document[runs.run == alone[0]][:1]).tolist()[0]
    share = "shares" if len(alone) == 1 else "share"
    named = first_names([runs.tags[one] for one in alone])
    return [f"{len(alone)} of {len(runs.tags)} runs {share} no document with another: {named}, such as {docno!r}"]


def add_fused(path: Path, fused: Runs, description: str) -> None:
    """Add a fused run, which does not contribute to pools."""
    about = RunInfo("fusion", "fused", description, pooled=False)
    with Store.open(path) as store:
        add_runs(store, fused, {fused.tags[0]: about})
