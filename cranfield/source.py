"""SOURCE: what every analysis works on, a store or a qrels file followed by run files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cranfield.errors import InputError
from cranfield.formats import RunInfo, read_both, read_teams
from cranfield.progress import progress_bar
from cranfield.rankings import Qrels, Runs

if TYPE_CHECKING:
    from cranfield.holdings import Pool

SQLITE = b"SQLite format 3\0"


class Source(NamedTuple):
    """Runs and judgments, what is known of each run, the lowest grade that is relevant, a store's newest pool."""

    runs: Runs
    qrels: Qrels
    about: Mapping[str, RunInfo]
    min_relevant: int
    depth: int | None = None  # of a stored pool of depth k
    pool: Pool | None = None  # a stored pool of another method


def is_store(path: Path) -> bool:
    """Whether a file is an SQLite database."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(SQLITE)) == SQLITE


def open_source(paths: Sequence[Path], teams: Path | None = None, assessor: str | None = None) -> Source:
    """Read a store, or a qrels file and run files; `teams` tells about runs what a store would know."""
    if is_store(paths[0]):
        if len(paths) > 1:
            raise InputError("a store needs no further files; its runs are in it", paths[1])
        source = _from_store(paths[0], assessor)
    else:
        source = _from_files(paths)
    if not source.runs.tags:
        raise InputError("no runs here; `cranfield import runs` or `cranfield search` add some", paths[0])
    if not len(source.qrels):
        raise InputError("no judgments here yet", paths[0])
    return source if teams is None else source._replace(about=_about(source.runs, teams))


def _from_store(path: Path, assessor: str | None) -> Source:
    from cranfield.holdings import budgeted_pool, pool_depth, run_info, stored_runs
    from cranfield.log import qrels_of
    from cranfield.store import Store

    with closing(Store.open(path)) as store:
        runs, qrels, rel = stored_runs(store), qrels_of(store, assessor), store.collection.min_relevant
        return Source(runs, qrels, run_info(store), rel, pool_depth(store), budgeted_pool(store))


def _from_files(paths: Sequence[Path]) -> Source:
    if len(paths) < 2:
        raise InputError("not a store; a qrels file is to be followed by run files", paths[0])
    with progress_bar("reading runs", len(paths) - 1) as advance:
        runs, qrels = read_both(paths[0], paths[1:], progress=advance)
    return Source(runs, qrels, {tag: RunInfo(team=tag) for tag in runs.tags}, 1)


def _about(runs: Runs, teams: Path) -> dict[str, RunInfo]:
    known = read_teams(teams)
    missing = [tag for tag in runs.tags if tag not in known]
    if missing:
        raise InputError(f"run {missing[0]!r} has no line here ({len(missing)} such, of {len(runs.tags)})", teams)
    return {tag: known[tag] for tag in runs.tags}
