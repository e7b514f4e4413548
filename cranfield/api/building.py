"""Stores: what is in them, and what goes into them."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.api.arguments import checked
from cranfield.errors import CorpusWarning, FormatWarning, InputError, give_warning
from cranfield.lazy import type_in
from cranfield.view import (
    RunsGiven,
    StoreGiven,
    TeamsGiven,
    runs_in,
    store_in,
    store_open,
)

if TYPE_CHECKING:
    from cranfield.arrays.rankings import Runs
    from cranfield.formats.runs.files import Metadata
else:
    DataFrame = type_in("pandas", "DataFrame")
    Document = type_in("cranfield.formats", "Document")


@checked
def import_runs(store: StoreGiven, runs: RunsGiven, *, teams: TeamsGiven = None, extend: bool = False) -> int:
    """Add runs in any form; the number of runs. `teams` is a file as for `cranfield import runs`, or a dict by run.

    The ir_metadata headers of files are stored; they give team and description, unless `teams` does. With `extend` a
    run that is in the store gets these topics, all of which are new to it.
    """
    from cranfield.formats import RunInfo
    from cranfield.formats.runs.files import teams_and_pooled, with_header
    from cranfield.store.history import importing
    from cranfield.store.names import unknown_notes
    from cranfield.store.runs import add_runs, as_here, extend_runs

    read, headers = _runs_and_headers(runs)
    if isinstance(teams, str | PathLike):
        about, _ = teams_and_pooled(Path(teams))
    else:
        about = {tag: RunInfo(team=(teams or {}).get(tag, tag)) for tag in read.tags}
    if lacking := [tag for tag in read.tags if tag not in about]:
        raise InputError(f"teams have no entry for run {lacking[0]!r}")
    with store_open(store) as there, importing(there, "runs", _names(runs)):
        headers_of = {tag: with_header(about[tag], headers.get(tag, {}), teams is not None) for tag in read.tags}
        notes = unknown_notes(there, read, "these runs")
        number = (extend_runs if extend else add_runs)(there, *as_here(there, read, headers_of))
    for line in notes:
        give_warning(line, CorpusWarning)
    return number


def _runs_and_headers(source: RunsGiven) -> tuple[Runs, Mapping[str, Metadata]]:
    """The runs, and the headers of those that are files; one that is no YAML is warned of."""
    several = [source] if isinstance(source, str | PathLike) else source if isinstance(source, list | tuple) else []
    paths = [path for path in several if isinstance(path, str | PathLike)]
    if not paths or len(paths) < len(several) or store_in(source) is not None:
        return runs_in(source), {}
    from cranfield.formats.runs_and_qrels import read_runs_of

    runs, origins = read_runs_of(paths, "auto", None)
    for origin in origins:
        if isinstance(origin.header, InputError):
            give_warning(f"{origin.header}; the header is ignored", FormatWarning)
    pairs = zip(runs.tags, origins, strict=True)
    return runs, {tag: one.header for tag, one in pairs if not isinstance(one.header, InputError)}


def _names(source: object) -> list[str]:
    """The names of the files of an import, of those that are files."""
    several = source if isinstance(source, list | tuple) else [source]
    return [str(one) for one in several if isinstance(one, str | PathLike)]
