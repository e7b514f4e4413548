"""Import runs into a store: their names, what is known about them, and their files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import repeat
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cranfield.commands.calls import open_store_call
from cranfield.commands.imports import as_file_paths, names_in_files, note_on_files
from cranfield.errors import ArgumentError, FormatWarning, InputError, Note
from cranfield.lazy import lazy_type
from cranfield.options import Teams
from cranfield.options.arguments import PresentStore, check_arguments
from cranfield.options.imports import (
    FILES,
    ColumnNames,
    ExtendsRuns,
    FieldNames,
    FileFormat,
    HeaderlessOption,
    IsStrict,
    LeavesOutOwnId,
    RoundOfTopics,
    RunTag,
    TagFromName,
)
from cranfield.options.transfers import IdsNormalized
from cranfield.results import ResultInLines
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.arrays.rankings import Runs
    from cranfield.formats import RunInfo
    from cranfield.formats.records import Names
    from cranfield.formats.runs.files import Metadata
    from cranfield.formats.runs_and_qrels import Origin
    from cranfield.view import RunsGiven, TeamsGiven
else:
    RunsGiven = lazy_type("cranfield.view", "RunsGiven")

AnyPath = str | PathLike[str]
RunsToImport = Annotated["RunsGiven | Iterable[str | PathLike[str]]", FILES]


@check_arguments
def import_runs(
    store: PresentStore,
    runs: RunsToImport,
    *,
    format: FileFormat = "auto",
    field: FieldNames = None,
    columns: ColumnNames = None,
    no_header: HeaderlessOption = False,
    teams: Teams = None,
    tag: RunTag = None,
    tag_from_name: TagFromName = False,
    extend: ExtendsRuns = False,
    ignore_own_id: LeavesOutOwnId = False,
    strict: IsStrict = False,
    normalize_ids: IdsNormalized = False,
    round: RoundOfTopics = None,
) -> ResultInLines:
    """Import runs from files and folders.

    Each file contains one run, but a table with a column run, tag or system may contain several. If you pass a folder,
    all its files are imported. Without `teams`, each run is its own team and contributes to pools.

    A run's tag comes from its lines. If several files share a tag, their runs are named after the files. `tag` and
    `tag_from_name` set other tags. An ir_metadata header is stored with the run. The run's team and description come
    from this header, unless `teams` gives them.

    Example: cranfield import runs track.db runs/*.gz --teams teams.tsv

    Example: cranfield import runs track.db run.csv --field qid=topic

    Parameters
    ----------
    store : path or Store
        The store.
    runs : runs
        Files, folders, or runs in any form. If any of them has an error, nothing is added.
    format : str
        Format of the files; detected from the content by default.
    field : mapping, optional
        Mapping from Cranfield's field names to the names in the files. An empty name means that the files lack the
        field.
    columns : sequence of str, optional
        Column names for files without a header line.
    no_header : bool
        Whether the files lack a header line.
    teams : path or mapping, optional
        A table file with the columns run and team, and optionally kind, pooled and depth, or a mapping from run to
        team.
    tag : str, optional
        Tag of the run (for one file).
    tag_from_name : bool
        Name runs after their files.
    extend : bool
        Add new topics to runs that are already in the store.
    ignore_own_id : bool
        Leave out documents whose id equals the topic id.
    strict : bool
        Refuse documents and topics in files that are not in the store.
    normalize_ids : bool
        Match ids in files that differ only in leading zeros, case, blanks or Unicode normalisation.
    round : str, optional
        Round; the open round by default.

    Returns
    -------
    ResultInLines
        One row: the numbers of runs and retrieved documents.

    Raises
    ------
    InputError
        If a file has an error, or the store already has a run with this tag.

    Examples
    --------
    >>> import warnings
    >>> from cranfield.store.store import Store
    >>> with Store.memory("empty") as store, warnings.catch_warnings(action="ignore"):  # no corpus, no topics
    ...     import_runs(store, {"a": {"q1": {"d1": 2.0, "d2": 1.0}}})
    1 run, 2 retrieved documents
    """
    from cranfield.store.history import importing
    from cranfield.store.names import Demand, NameMatcher, unknown_notes
    from cranfield.store.runs import add_runs, extend_runs, known_tags, runs_as_stored
    from cranfield.view import find_store, load_given_runs

    has_store = isinstance(runs, str | PathLike) and find_store(runs) is not None
    files, names = None if has_store else as_file_paths(runs), names_in_files("run", field, columns, no_header)
    if files is not None:
        from cranfield.formats.given_files import expand_folders

        files = expand_folders(files)
    _check_tag(tag, tag_from_name, files)
    with open_store_call(store) as call:
        naming = Naming(tag, tag_from_name, () if extend else known_tags(call.store, round))
        if files is None:
            new = load_given_runs(runs)
            about = RunDetails(new.tags, None, teams)
        else:
            new, origins = _read(files, format, naming, names)
            about = RunDetails(new.tags, origins, teams)
        spelling = NameMatcher(call.store, Demand(strict, normalize_ids))
        with importing(call.store, "runs", files or [], round=round):
            unknown = unknown_notes(call.store, new, "these runs") if files is None else []
            new, headers = runs_as_stored(call.store, new, about.by_tag)
            if files is not None:
                paths = dict(zip(about.by_tag, origins, strict=True))
                systems = [str(headers[tag].metadata.get("system", tag)) for tag in new.tags]
                new = spelling.runs(new, [paths[system].path for system in systems])
            new, notes = _without_own_ids(new, ignore_own_id)
            count = (extend_runs if extend else add_runs)(call.store, new, headers, round)
        if about.n_headers:
            runs_of_headers = counted(about.n_headers, "run")
            stored = f"the ir_metadata of {runs_of_headers} is stored; `cranfield export runs --metadata` writes it"
            if call.is_in_python:
                call.keep(stored)
            else:
                about.notes.append(stored)
        note_on_files(call, [*naming.notes, *about.notes, *notes, *spelling.notes, *unknown])
        row = {"runs": count, "documents": len(new)}
        line = f"{counted(count, 'run')}, {counted(len(new), 'retrieved document')}"
        return ResultInLines([row], lines=(line,), context=call.context("store.import_runs"))


def _check_tag(tag: str | None, from_name: bool, files: Sequence[Path] | None) -> None:
    if files is None and (tag is not None or from_name):
        argument = "tag_from_name" if from_name else "tag"
        raise ArgumentError("works only for files; run objects have their own names", argument)
    if tag is not None and (from_name or len(files or ()) > 1):
        what = "with --tag-from-name" if from_name else f"for {len(files or ())} files; use --tag-from-name"
        raise ArgumentError(f"applies to a single run, so it cannot be used {what}", "tag")
    if tag is not None and tag.split() != [tag]:
        raise ArgumentError(f"{tag!r}; expected one word", "tag")


def _read(files: Sequence[Path], format: str, naming: Naming, names: Names) -> tuple[Runs, Sequence[Origin]]:
    from cranfield.formats.runs_and_qrels import read_runs_of
    from cranfield.parallel import progress_bar

    with progress_bar("reading runs", len(files)) as advance:
        return read_runs_of(files, format, advance, naming, names)


def _without_own_ids(runs: Runs, are_left_out: bool) -> tuple[Runs, list[str]]:
    """The runs, without documents whose id is the topic's if that is wanted; and a note on these, if there are many."""
    from cranfield.arrays.rankings import OWN_ID_RANKS, drop_own_id_rows, is_own_id_systematic, own_id_rows

    rows = own_id_rows(runs)
    number, notes = int(rows.sum()), list[str]()
    first = int((runs.rank[rows] <= OWN_ID_RANKS).sum()) if number else 0
    if number and (are_left_out or is_own_id_systematic(first, len(runs.starts))):
        documents = f"{counted(number, 'retrieved document')} whose id equals the topic id"
        stored = f"stored {documents}; --ignore-own-id leaves such documents out"
        notes.append(f"omitted {documents}" if are_left_out else stored)
    return (drop_own_id_rows(runs) if are_left_out else runs), notes


class RunDetails:
    """Details of each run, by tag; `notes` is what to report about the headers. Runs of files have origins."""

    def __init__(self, tags: Sequence[str], origins: Sequence[Origin] | None, teams: TeamsGiven = None) -> None:
        from cranfield.formats import RunInfo, read_teams

        self._file = teams if isinstance(teams, str | PathLike) else None
        self._known: Mapping[str, RunInfo] | None = None
        if isinstance(teams, Mapping):
            self._known = {tag: RunInfo(team=team) for tag, team in teams.items()}
        elif teams is not None:
            self._known = read_teams(teams)
        self.notes: list[str] = []
        self.by_tag = {tag: self._details_of_tag(tag, origin) for tag, origin in zip(tags, origins or repeat(None))}  # noqa: B905
        self.n_headers = sum(bool(info.metadata) for info in self.by_tag.values())

    def _details_of_tag(self, tag: str, origin: Origin | None) -> RunInfo:
        if origin is None:
            return self._info(tag, "")
        file = Path(origin.path)
        name = file.name if file.is_file() else ""  # a pipe's name says nothing
        info = self._info(tag, f" of {file}")._replace(file=name, sha256=origin.sha256)
        return self._complete_details(info, file, self._header(origin))

    def _info(self, tag: str, place: str) -> RunInfo:
        from cranfield.formats import RunInfo

        if self._known is None:
            return RunInfo(team=tag)
        if tag not in self._known:
            if self._file is None:
                raise InputError(f"teams lacks an entry for run {tag!r}")
            raise InputError(f"the file lacks a line for run {tag!r}{place}", self._file)
        return self._known[tag]

    def _complete_details(self, info: RunInfo, file: Path, header: Metadata) -> RunInfo:
        """The details completed from the file's header; for the team, known teams take precedence."""
        from cranfield.formats.runs.files import add_header, team_of

        team = team_of(header)
        if self._file is not None and team not in ("", info.team):
            self.notes.append(
                f"{file}: the header states team {team!r}, but team {info.team!r} from {self._file} is used"
            )
        return add_header(info, header, self._known is not None)

    def _header(self, origin: Origin) -> Metadata:
        """The header; a malformed one is reported, but the run is not refused."""
        if isinstance(origin.header, InputError):
            self.notes.append(Note(f"{origin.header}; the header is ignored", FormatWarning))
            return {}
        return origin.header


class Naming:
    """Tags for the runs of files, none of them in use yet; `notes` is what to report about them.

    >>> naming = Naming(None, False, names={"other"})
    >>> naming(["a/x.run", "a/y.run"], ["Anserini", "Anserini"]), naming.notes
    (['x', 'y'], ["2 files have the tag 'Anserini'; their runs are named after the files"])
    >>> Naming(None, False, names={"Anserini"})(["a.run"], ["Anserini"])
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: a.run: the store already has a run 'Anserini'; set another tag with --tag NAME or
    --tag-from-name
    """

    def __init__(self, tag: str | None, from_name: bool, names: Collection[str]) -> None:
        self.tag, self.from_name, self.names = tag, from_name, names
        self.notes: list[str] = []

    def __call__(self, paths: Sequence[AnyPath], tags: Sequence[str]) -> list[str]:
        """The tag of each run; one that is in use is refused, with the option that gives it another."""
        names = self._names(paths, tags)
        for at, (path, name) in enumerate(zip(paths, names, strict=True)):
            if name in self.names:
                raise InputError(f"the store already has a run {name!r}; set {self._remedy}", path)
            if name in names[:at]:
                other = f"{fspath(paths[names.index(name)])}; import one of them separately with --tag NAME"
                raise InputError(f"the tag {name!r} is also used by {other}", path)
        return names

    def _names(self, paths: Sequence[AnyPath], tags: Sequence[str]) -> list[str]:
        if several := [path for path, files in Counter(paths).items() if files > 1 and (self.from_name or self.tag)]:
            what = "--tag-from-name" if self.from_name else "--tag"
            raise InputError(f"{paths.count(several[0])} runs; {what} requires files with one run each", several[0])
        if self.tag is not None:
            return [self.tag]
        if self.from_name:
            from cranfield.formats import file_name_without_suffixes

            return [file_name_without_suffixes(path) for path in paths]
        for tag, files in Counter(tags).items():
            if files > 1:
                self.notes.append(f"{files} files have the tag {tag!r}; their runs are named after the files")
        from cranfield.formats import run_names

        return run_names(paths, tags)

    @property
    def _remedy(self) -> str:
        if self.tag is not None:
            return "another --tag"
        return "another tag with --tag NAME" + ("" if self.from_name else " or --tag-from-name")
