"""`import runs`: the names of runs, what is known about them, and their files."""

from collections import Counter
from collections.abc import Collection, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli import in_python
from cranfield.cli.commands.imports import FileOptions, IdOptions, ImportedRound
from cranfield.cli.common_options import InputPaths, StorePath, Teams
from cranfield.cli.tables import note, say_with
from cranfield.errors import InputError
from cranfield.formats import RunInfo, bare_name, read_teams, run_names
from cranfield.formats.runs.files import Metadata, team_of, with_header
from cranfield.formats.runs_and_qrels import Origin
from cranfield.text import counted


class RunDetails:
    """Details of each run, by tag; `notes` is what to report about the headers."""

    def __init__(self, tags: Sequence[str], origins: Sequence[Origin], teams: Path | None = None) -> None:
        self._teams, self._known = teams, read_teams(teams) if teams else None
        self.notes: list[str] = []
        self.by_tag = {tag: self._of(tag, Path(origin.path), origin) for tag, origin in zip(tags, origins, strict=True)}
        headers = sum(bool(info.metadata) for info in self.by_tag.values())
        if headers:
            self.notes.append(
                f"the ir_metadata of {counted(headers, 'run')} is stored; `cranfield export runs --metadata` writes it"
            )

    def _of(self, tag: str, file: Path, origin: Origin) -> RunInfo:
        name = file.name if file.is_file() else ""  # a pipe's name says nothing
        info = self._info(tag, file)._replace(file=name, sha256=origin.sha256)
        return self._with_header(info, file, self._header(origin))

    def _info(self, tag: str, file: Path) -> RunInfo:
        if self._known is None:
            return RunInfo(team=tag)
        if tag not in self._known:
            raise InputError(f"no line for run {tag!r} of {file}", self._teams)
        return self._known[tag]

    def _with_header(self, info: RunInfo, file: Path, header: Metadata) -> RunInfo:
        """The details completed from the file's header; for the team, the teams file takes precedence."""
        team = team_of(header)
        if self._known is not None and team not in ("", info.team):
            self.notes.append(f"{file}: its header gives team {team!r}; team {info.team!r} from {self._teams} is used")
        return with_header(info, header, self._known is not None)

    def _header(self, origin: Origin) -> Metadata:
        """The header; a malformed one is reported, but the run is not refused."""
        if isinstance(origin.header, InputError):
            self.notes.append(f"{origin.header}; the header is ignored")
            return {}
        return origin.header


AnyPath = str | PathLike[str]


class Naming:
    """Tags for the runs of files, none of them in use yet; `notes` is what to report about them.

    >>> naming = Naming(None, False, names={"other"})
    >>> naming(["a/x.run", "a/y.run"], ["Anserini", "Anserini"]), naming.notes
    (['x', 'y'], ["2 files have the tag 'Anserini'; their runs are named after the files"])
    >>> Naming(None, False, names={"Anserini"})(["a.run"], ["Anserini"])
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: a.run: the store already has a run 'Anserini'; --tag NAME or --tag-from-name gives it
    another tag
    """

    def __init__(self, tag: str | None, from_name: bool, names: Collection[str]) -> None:
        self.tag, self.from_name, self.names = tag, from_name, names
        self.notes: list[str] = []

    def __call__(self, paths: Sequence[AnyPath], tags: Sequence[str]) -> list[str]:
        """The tag of each run; one that is in use is refused, with the option that gives it another."""
        names = self._names(paths, tags)
        for at, (path, name) in enumerate(zip(paths, names, strict=True)):
            if name in self.names:
                raise InputError(f"the store already has a run {name!r}; {self._remedy} gives it another tag", path)
            if name in names[:at]:
                other = f"{fspath(paths[names.index(name)])}; import one of them separately with --tag NAME"
                raise InputError(f"the tag {name!r} is also that of {other}", path)
        return names

    def _names(self, paths: Sequence[AnyPath], tags: Sequence[str]) -> list[str]:
        if several := [path for path, files in Counter(paths).items() if files > 1 and (self.from_name or self.tag)]:
            what = "--tag-from-name" if self.from_name else "--tag"
            raise InputError(f"{paths.count(several[0])} runs; {what} is for files of one run each", several[0])
        if self.tag is not None:
            return [self.tag]
        if self.from_name:
            return [bare_name(path) for path in paths]
        for tag, files in Counter(tags).items():
            if files > 1:
                self.notes.append(f"{files} files have the tag {tag!r}; their runs are named after the files")
        return run_names(paths, tags)

    @property
    def _remedy(self) -> str:
        if self.tag is not None:
            return "another --tag"
        return "--tag NAME" if self.from_name else "--tag NAME or --tag-from-name"


@in_python("store.import_runs")
def runs(
    path: StorePath,
    files: InputPaths,
    *,
    options: FileOptions,
    teams: Teams = None,
    tag: Annotated[str | None, typer.Option(metavar="NAME", help="Tag of the run.")] = None,
    tag_from_name: Annotated[
        bool,
        typer.Option("--tag-from-name", help="Name runs after their files, without extensions such as .run and .gz."),
    ] = False,
    extend: Annotated[
        bool, typer.Option("--extend", help="A run that is in the store gets these topics, all of which are new to it.")
    ] = False,
    ignore_own_id: Annotated[
        bool, typer.Option("--ignore-own-id", help="Leave out documents whose id is the topic's, as BEIR does.")
    ] = False,
    ids: IdOptions,
    round: ImportedRound = None,
) -> None:
    """Import runs, one file per run; of a folder, all its files. A table with a column run, tag or system may hold
    several. Without --teams each run is its own team and contributes to pools.

    The tag of a run is the one in its lines; if several files share a tag, their runs are named after the files. --tag
    and --tag-from-name set other tags. An ir_metadata header is stored with the run; it gives the run's team and
    description, unless --teams does.

    Example: cranfield import runs track.db runs/*.gz --teams teams.tsv

    Example: cranfield import runs track.db run.csv --field qid=topic
    """
    from cranfield.arrays.rankings import OWN_ID_RANKS, is_own_id_systematic, own_id_rows, without_own_id_rows
    from cranfield.formats.file_names import each_file
    from cranfield.formats.runs_and_qrels import read_runs_of
    from cranfield.parallel import progress_bar
    from cranfield.store.history import importing
    from cranfield.store.runs import add_runs, as_here, extend_runs, known_tags
    from cranfield.store.store import Store

    files, names = each_file(files), options.names_of("run")
    _check_tag(tag, tag_from_name, files)
    with Store.open(path, tell=note) as store:
        naming = Naming(tag, tag_from_name, () if extend else known_tags(store, round))
        with progress_bar("reading runs", len(files)) as advance:
            new, origins = read_runs_of(files, options.format, advance, naming, names)
        about = RunDetails(new.tags, origins, teams)
        spelling = ids.matcher(store)
        with importing(store, "runs", files, round=round):
            add, paths = (extend_runs if extend else add_runs), dict(zip(new.tags, origins, strict=True))
            new, headers = as_here(store, new, about.by_tag)
            own = [paths[str(headers[tag].metadata.get("system", tag))].path for tag in new.tags]
            new = spelling.runs(new, own)
            own_rows = own_id_rows(new)
            own_ids = int(own_rows.sum())
            first_own_ids = int((new.rank[own_rows] <= OWN_ID_RANKS).sum()) if own_ids else 0
            if own_ids and (ignore_own_id or is_own_id_systematic(first_own_ids, len(new.starts))):
                done = "left out" if ignore_own_id else "stored; --ignore-own-id leaves such documents out"
                about.notes.append(f"{counted(own_ids, 'retrieved document')} with the id of the topic {done}")
            new = without_own_id_rows(new) if ignore_own_id else new
            count = add(store, new, headers, round)
    say_with(
        f"{counted(count, 'run')}, {counted(len(new), 'retrieved document')}",
        [*naming.notes, *about.notes, *spelling.notes],
    )


def _check_tag(tag: str | None, from_name: bool, files: list[Path]) -> None:
    if tag is not None and (from_name or len(files) > 1):
        what = "with --tag-from-name" if from_name else f"for {len(files)} files; use --tag-from-name"
        raise typer.BadParameter(f"names a single run, and cannot be used {what}", param_hint="--tag")
    if tag is not None and tag.split() != [tag]:
        raise typer.BadParameter(f"{tag!r}; expected one word", param_hint="--tag")
