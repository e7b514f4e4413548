"""import runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import InputFormat, InputPaths, NormalizeIds, StorePath, Strict, Teams
from cranfield.cli.tables import say_with


def runs(
    path: StorePath,
    files: InputPaths,
    format: InputFormat = "auto",
    teams: Teams = None,
    tag: Annotated[str | None, typer.Option(metavar="NAME", help="What to call the run.")] = None,
    tag_from_name: Annotated[
        bool,
        typer.Option("--tag-from-name", help="Call runs by the names of their files, without .run, .gz and such."),
    ] = False,
    strict: Strict = False,
    normalize_ids: NormalizeIds = False,
) -> None:
    """Import runs, one file a run. Without --teams each run is a team of its own and is pooled.

    Runs are called by the tag in their lines; files that share one, by their own names. --tag and --tag-from-name call
    them otherwise. What a file says of itself in an ir_metadata header is kept; its team and description are the run's,
    unless --teams says so.

    Example: cranfield import runs track.db runs/*.gz --teams teams.tsv
    """
    from cranfield.cli.run_details import About
    from cranfield.cli.run_names import Naming
    from cranfield.formats.runs_and_qrels import read_runs_of
    from cranfield.progress_bar import progress_bar
    from cranfield.store.history import importing
    from cranfield.store.names.matching import Demand, NameMatcher
    from cranfield.store.runs import add_runs, run_info
    from cranfield.store.store import Store

    _check_tag(tag, tag_from_name, files)
    with Store.open(path) as store:
        naming = Naming(tag, tag_from_name, set(run_info(store)))
        with progress_bar("reading runs", len(files)) as advance:
            new, origins = read_runs_of(files, format, advance, naming)
        about = About(new.tags, files, origins, teams)
        spelling = NameMatcher(store, Demand(strict, normalize_ids))
        with importing(store, "runs", files):
            added = add_runs(store, spelling.runs(new, files), about.by_tag)
    say_with(f"{added} runs, {len(new)} documents retrieved", [*naming.notes, *about.notes, *spelling.notes])


def _check_tag(tag: str | None, from_name: bool, files: list[Path]) -> None:
    if tag is not None and (from_name or len(files) > 1):
        what = "--tag-from-name" if from_name else f"{len(files)} files; --tag-from-name is for several"
        raise typer.BadParameter(f"names one run, not with {what}", param_hint="--tag")
    if tag is not None and tag.split() != [tag]:
        raise typer.BadParameter(f"one word, not {tag!r}", param_hint="--tag")
