"""import runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.import_options import Columns, Fields, NoHeader, named_fields
from cranfield.cli.options import InputFormat, InputPaths, NormalizeIds, StorePath, Strict, Teams
from cranfield.cli.tables import say_with
from cranfield.text import counted


def runs(
    path: StorePath,
    files: InputPaths,
    format: InputFormat = "auto",
    field: Fields = None,
    columns: Columns = None,
    no_header: NoHeader = False,
    teams: Teams = None,
    tag: Annotated[str | None, typer.Option(metavar="NAME", help="Tag of the run.")] = None,
    tag_from_name: Annotated[
        bool,
        typer.Option("--tag-from-name", help="Name runs after their files, without extensions such as .run and .gz."),
    ] = False,
    strict: Strict = False,
    normalize_ids: NormalizeIds = False,
) -> None:
    """Import runs, one file per run; of a folder, all its files. A table with a column run, tag or system may hold
    several. Without --teams each run is its own team and contributes to pools.

    The tag of a run is the one in its lines; if several files share a tag, their runs are named after the files. --tag
    and --tag-from-name set other tags. An ir_metadata header is stored with the run; it gives the run's team and
    description, unless --teams does.

    Example: cranfield import runs track.db runs/*.gz --teams teams.tsv
    """
    from cranfield.cli.run_details import About
    from cranfield.cli.run_names import Naming
    from cranfield.formats.files import each_file
    from cranfield.formats.runs_and_qrels import read_runs_of
    from cranfield.progress_bar import progress_bar
    from cranfield.store.history import importing
    from cranfield.store.names.matching import Demand, NameMatcher
    from cranfield.store.runs import add_runs, run_info
    from cranfield.store.store import Store

    files, names = each_file(files), named_fields(field, columns, no_header)
    _check_tag(tag, tag_from_name, files)
    with Store.open(path) as store:
        naming = Naming(tag, tag_from_name, set(run_info(store)))
        with progress_bar("reading runs", len(files)) as advance:
            new, origins = read_runs_of(files, format, advance, naming, names)
        about = About(new.tags, origins, teams)
        spelling = NameMatcher(store, Demand(strict, normalize_ids))
        with importing(store, "runs", files):
            added = add_runs(store, spelling.runs(new, [origin.path for origin in origins]), about.by_tag)
    say_with(
        f"{counted(added, 'run')}, {counted(len(new), 'retrieved document')}",
        [*naming.notes, *about.notes, *spelling.notes],
    )


def _check_tag(tag: str | None, from_name: bool, files: list[Path]) -> None:
    if tag is not None and (from_name or len(files) > 1):
        what = "with --tag-from-name" if from_name else f"for {len(files)} files; use --tag-from-name"
        raise typer.BadParameter(f"names a single run, and cannot be used {what}", param_hint="--tag")
    if tag is not None and tag.split() != [tag]:
        raise typer.BadParameter(f"{tag!r}; expected one word", param_hint="--tag")
