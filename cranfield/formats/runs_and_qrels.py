"""Reading runs and qrels, whatever their format."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, cast

import numpy as np

from cranfield.arrays.join import Judgments, Rankings
from cranfield.arrays.rankings import Floats, Ints, Qrels, Runs, Vocabulary, as_grades, join_subtopics, sort_runs
from cranfield.errors import InputError, Path
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import LIMITS, Digest, open_file, report_note, report_notes
from cranfield.formats.given_files import Called, distinct_names, list_run_files, run_names
from cranfield.formats.layout import Columns, Layout
from cranfield.formats.qrels import SUBTOPICS, read_small_qrels, reread_as_subtopics
from cranfield.formats.records import Kind, Names, as_names
from cranfield.formats.runs import SCORE_COLUMN, RankCounts, count_ranks
from cranfield.formats.runs.files import Metadata, check_tag, metadata_beside, metadata_of, metadata_path, other_tags
from cranfield.formats.table import AUTO, choose_format, describe_guessed_format, format_guess_notes
from cranfield.parallel import map_in_threads
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.formats.fingerprints import Places
    from cranfield.formats.runs.united import FileRun

Progress = Callable[[int], object]
T = TypeVar("T")
AnyRuns = TypeVar("AnyRuns", "Runs | Rankings", "FileRun")
Coded = tuple[Vocabulary, Ints]  # names, and the integer of each row


class Origin(NamedTuple):
    """What is known of a run from its file: its path, the SHA-256 of its bytes as they are, its header or an error."""

    path: Path
    sha256: str
    header: Metadata | InputError


class NotedResult(NamedTuple, Generic[T]):
    """What was read from a file, and the notes on it."""

    content: T
    notes: Sequence[str] = ()


def read_runs(
    paths: Path | Iterable[Path],
    format: str = AUTO,
    progress: Progress | None = None,
    naming: Called = run_names,
) -> Runs:
    """Read the runs of many files, in canonical order.

    A run's tag is the tag in its last line. A file with named columns may contain several runs; they are returned in
    the order of their first rows. `naming` derives the runs' names from the paths and tags; equal names are an error.
    `progress` is called for every file.
    """
    several = list_run_files(paths)
    runs = _read_each(several, partial(_read_run, format), progress)
    return _unite_tagged_runs(several, runs, naming, np.int64)


def read_runs_of(
    paths: Sequence[Path],
    format: str,
    progress: Progress | None,
    naming: Called = run_names,
    names: Names | Mapping[str, str] | None = None,
) -> tuple[Runs, list[Origin]]:
    """The same in less memory, and what is known of each run from its file; each file is read once.

    `names` says under which name the files have a field, as {"docno": "passage"}.
    """
    several, origins = list_run_files(paths), list[Origin]()
    read = partial(_read_with_origin, format, len(several) == 1, as_names(names))

    def runs() -> Iterator[FileRun]:
        for run, origin in _read_each(several, read, progress):
            origins.extend([origin] * len(run.tags))
            yield run

    return _unite_tagged_runs(several, runs(), naming, np.int32), origins


def _unite_tagged_runs(
    paths: Sequence[Path], runs: Iterable[FileRun], naming: Called, codes: type[np.int32] | type[np.int64]
) -> Runs:
    from cranfield.formats.runs.united import united_runs

    places = list[Path]()
    placed_runs = _runs_with_places(paths, runs, places)
    [union] = [united_runs(placed_runs, codes)] if len(paths) > 1 else cast("list[Runs]", [*placed_runs])
    return replace(union, tags=tuple(distinct_names(places, union.tags, naming)))


def _runs_with_places(paths: Sequence[Path], read: Iterable[AnyRuns], places: list[Path]) -> Iterator[AnyRuns]:
    """The runs of each file; `places` becomes the path of each run."""
    for path, runs in zip(paths, read, strict=True):
        places += [path] * len(runs.tags)
        yield runs


def each_run(
    paths: Path | Iterable[Path],
    judgments: Judgments,
    progress: Progress | None = None,
    places: list[Path] | None = None,
) -> Iterator[Runs | Rankings]:
    """Yield the run in each file in turn, keeping at least its judged documents.

    A run's tag is the tag in its last line. Several files are read at a time. The path of each run is
    appended to `places`, because a file may contain several runs.
    """
    several = list_run_files(paths)
    read = _read_each(several, _Judging(judgments, len(several) == 1).read, progress)
    return _runs_with_places(several, read, [] if places is None else places)


class _Judging:
    """Reads runs for what these judgments need of them."""

    def __init__(self, judgments: Judgments, alone: bool) -> None:
        from cranfield.formats.runs.scanned import names_for_scanner

        self._docnos, self._alone, self._known = judgments.docnos, alone, names_for_scanner(judgments)

    @cached_property
    def _places(self) -> Places:
        from cranfield.formats.runs.blocks import places

        return places(self._docnos)

    def read(self, path: Path) -> NotedResult[Runs | Rankings]:
        """The run of a file, read again if it needs a closer look; a stream can be read only once."""
        found = self._read_quickly(path) if os.path.isfile(path) and not _has_named_format("run") else None
        if found is None:
            return cast("NotedResult[Runs | Rankings]", _read_run(AUTO, path))
        return NotedResult(found[0], [*found[1].notes()])

    def _read_quickly(self, path: Path) -> tuple[Rankings, RankCounts] | None:
        from cranfield.formats.runs.scanned import scan_file

        found = None if self._known is None else scan_file(self._known, self._alone, path)
        if found is not None:
            return found
        from cranfield.formats.runs.blocks import read_rankings

        return read_rankings(path, self._places, self._alone)


def read_qrels(
    path: Path,
    *,
    format: str = AUTO,
    grades: Mapping[int, int] | None = None,
    times: int = 1,
    scale: Collection[int] | None = None,
    sorts_rows: bool = True,
    names: Names | Mapping[str, str] | None = None,
    fractions: bool = False,
) -> Qrels:
    """Read judgments from a file.

    The judgments are sorted by topic and document. Without `sorts_rows`, documents stay in file order, which is faster.
    Grades are multiplied by `times` and must then be whole numbers, unless `fractions` is set. `grades` maps each grade
    of the file to a new grade; an unmapped grade is an error. A grade that is not on `scale` is also an error. Negative
    grades are kept: in TREC's web tracks, -2 is spam. `names` maps a field to its name in the file, such as {"grade":
    "label"}.
    """
    from cranfield.formats.runs import scanner_in_c

    table, guesses = _read_table("qrels", format, path, names)
    for line in guesses:
        report_note(line, path)
    table = replace(table, times=times, takes_fractions=fractions)
    plainly = (
        not sorts_rows and grades is None and scale is None and scanner_in_c() is not None
    )  # else Arrow is needed anyway
    few = read_small_qrels(table) if plainly else None
    if few is not None:
        return few
    from cranfield.formats.arrow import sorted_vocabulary, vocabulary_in_file_order

    try:
        read = table.columns()
    except InputError:
        is_guessed = format == AUTO and LIMITS.get().reading.formats.get("qrels", AUTO) == AUTO
        as_subtopics = reread_as_subtopics(table) if is_guessed else None
        if as_subtopics is None:
            raise
        report_note(describe_guessed_format(SUBTOPICS, Names()), path)
        table, read = as_subtopics, as_subtopics.columns()
    columns = read if grades is None else _map_grades(table, read, grades)
    if scale is not None:
        _check_scale(table, columns, grades or {}, scale)
    return _read_judgments(table.layout, columns, sorted_vocabulary if sorts_rows else vocabulary_in_file_order)


def qrels_of_table(table: UnreadTable) -> Qrels:
    """The judgments of a table, sorted by topic and document."""
    from cranfield.formats.arrow import sorted_vocabulary

    return _read_judgments(table.layout, table.columns(), sorted_vocabulary)


def _read_each(paths: Sequence[Path], read: Callable[[Path], NotedResult[T]], progress: Progress | None) -> Iterator[T]:
    """What is read from each file, several at a time; at the end, the notes, each once for all files that have it."""
    places: dict[str, list[Path]] = {}
    for path, result in zip(paths, map_in_threads(read, paths), strict=True):
        for line in result.notes:
            places.setdefault(line, []).append(path)
        yield result.content
        if progress:
            progress(1)
    report_notes(places)


def _read_run(format_name: str, path: Path) -> NotedResult[Runs]:
    table, guesses = _read_table("run", format_name, path)
    run, ranks = _as_run(table)
    return NotedResult(run, [*guesses, *_notes(table, run, ranks)])


def _read_with_origin(format_name: str, alone: bool, names: Names, path: Path) -> NotedResult[tuple[FileRun, Origin]]:
    """A run without a header is read quickly; a stream can be read only once."""
    from hashlib import sha256

    from cranfield.formats.runs.blocks import read_run

    digest = sha256()
    if (
        os.path.isfile(path)
        and not (names.mapping or names.columns or _has_named_format("run"))
        and (found := read_run(path, format_name, alone, digest))
    ):
        run, ranks = found
        origin = Origin(path, digest.hexdigest(), _metadata_beside(path, run))
        return NotedResult((run, origin), [*ranks.notes()])
    digest = sha256()
    table, guesses = _read_table("run", format_name, path, names, digest)
    try:
        header: Metadata | InputError = metadata_of(table.data, path)
    except InputError as error:
        header = error
    run, ranks = _as_run(table)
    if not isinstance(header, InputError):
        check_tag(header, run.tags[0], table.data, path)
    metadata = _metadata_beside(path, run) if header == {} else header
    origin = Origin(path, digest.hexdigest(), metadata)
    return NotedResult((run, origin), [*guesses, *_notes(table, run, ranks)])


def _has_named_format(kind: Kind) -> bool:
    """Whether the user named the format of such files, or fields of them."""
    reading = LIMITS.get().reading
    return kind in reading.formats or bool(reading.fields.get(kind))


def _metadata_beside(path: Path, run: FileRun) -> Metadata | InputError:
    try:
        metadata = metadata_beside(path)
    except InputError as error:
        return error
    check_tag(metadata, run.tags[0], b"", metadata_path(path))
    return metadata


def _read_table(
    kind: Kind,
    format_name: str,
    path: Path,
    names: Names | Mapping[str, str] | None = None,
    digest: Digest | None = None,
) -> tuple[UnreadTable, list[str]]:
    """The table of a file, and a line that says what it was taken for, unless that is plain TREC or was named."""
    field_names, reading = as_names(names), LIMITS.get().reading
    field_names = field_names if field_names.mapping else Names(reading.fields.get(kind, {}), field_names.columns)
    format_name = reading.formats.get(kind, AUTO) if format_name == AUTO else format_name
    field_names.check(kind)
    with open_file(path, field_names, digest=digest) as source:
        row = choose_format(kind, format_name, source)
        table: UnreadTable = row.read(replace(source, is_guessed=format_name == AUTO))
    field_names.check_names(path)
    return table, format_guess_notes(row, format_name, field_names)


def _as_run(table: UnreadTable) -> tuple[Runs, RankCounts]:
    from cranfield.formats.arrow import sorted_vocabulary, vocabulary_in_file_order

    columns = table.columns()
    (topics, topic), (docnos, document) = sorted_vocabulary(columns.qid), vocabulary_in_file_order(columns.docno)
    score: Floats = columns.number.astype(float, copy=False)
    if table.layout.duplicate_column:
        tags, run = vocabulary_in_file_order(columns.iteration)
        names = tags.names.tolist()
    else:
        names, run = [columns.tag], np.zeros_like(topic)
    pair = run * len(topics.names) + topic
    if columns.rank is None:  # without a rank column, none can be swapped
        ranks = count_ranks(pair, np.full(len(score), np.nan), score)._replace(counting=-1)
    else:
        words = int(np.count_nonzero(np.isnan(columns.rank))) if columns.rank.dtype.kind == "f" else 0
        if words and table.layout.refuses_shifts:
            row = next(row for row in table.rows() if np.isnan(row.rank))
            what = f"the rank of docno {row.docno!r:.60} is not a number, so the docno or qid may contain a blank"
            remedy = "write ids with blanks as CSV or TSV with the header qid,docno,score"
            raise InputError(f"{what}; {remedy}; if the ids are right, name the format trec", table.path, row.line)
        ranks = count_ranks(pair, columns.rank, score)._replace(words=words)
    return sort_runs(names, topics, docnos, run=run, topic=topic, document=document, score=score), ranks


def _notes(table: UnreadTable, run: Runs, ranks: RankCounts) -> list[str]:
    notes = [*table.notes, *(ranks.notes() if "Q0" in table.layout.columns else ranks.notes(SCORE_COLUMN))]
    if table.named_rank and not ranks.contradicting:
        remedy = "to order it by rank, remove the score column"
        notes.append(f"the run is ordered by its scores, not by the field {table.named_rank} named as rank; {remedy}")
    return [*_notes_on_tags(run.tags[0], other_tags(table)), *notes]


def _notes_on_tags(tag: str, others: Sequence[str]) -> list[str]:
    """What to report if lines have other tags than the last one, whose tag counts, as in trec_eval.

    >>> print(*_notes_on_tags("c", ("a", "b")))
    all lines are read as one run with the last line's tag 'c'; 2 other tags: 'a', 'b'; if these are several runs, give
    each in its own file
    """
    if not others:
        return []
    examples = ", ".join(map(repr, others[:3])) + (", ..." if len(others) > 3 else "")
    found = f"all lines are read as one run with the last line's tag {tag!r}"
    examples = f"{counted(len(others), 'other tag')}: {examples}"
    return [f"{found}; {examples}; if these are several runs, give each in its own file"]


def _map_grades(table: UnreadTable, columns: Columns, grades: Mapping[int, int]) -> Columns:
    values, at = np.unique(columns.number, return_inverse=True)
    if any(grade not in grades for grade in values.tolist()):
        row = next(row for row in table.rows() if row.number not in grades)
        words = ", ".join(map(str, grades))
        raise InputError(f"grade {row.number}; expected one of {words}", table.path, row.line)
    return columns._replace(number=np.array([grades[grade] for grade in values.tolist()], np.int64)[at])


def _check_scale(table: UnreadTable, columns: Columns, grades: Mapping[int, int], scale: Collection[int]) -> None:
    """Refuse a grade that is not on a scale, with its line; of a sample, -1 is no grade."""
    acceptable = {*scale, *([-1] if "stratum" in table.layout.columns else [])}
    if set(np.unique(columns.number).tolist()) <= acceptable:
        return
    row = next(row for row in table.rows() if grades.get(int(row.number), row.number) not in acceptable)
    words, becomes = ", ".join(map(str, sorted(scale))), grades.get(int(row.number), int(row.number))
    grade = f"grade {row.number}" + (f", which becomes {becomes}," if becomes != row.number else "")
    remedy = "map it with --grades OLD=NEW, or set such labels aside with --off-scale cannot-judge"
    raise InputError(f"{grade} is not on the scale {words}: {remedy}", table.path, row.line)


def _read_judgments(layout: Layout, columns: Columns, encode: Callable[[Any], Coded]) -> Qrels:
    """The judgments of a table, with the docnos as `encode` orders them where there are no subtopics."""
    return (
        _qrels_by_subtopic(columns)
        if layout.duplicate_column
        else _qrels_without_subtopics(columns, layout.more_of_it, encode)
    )


def _qrels_without_subtopics(columns: Columns, column: str, encode: Callable[[Any], Coded]) -> Qrels:
    from cranfield.formats.arrow import decode, sorted_vocabulary

    (topics, topic), (docnos, document) = sorted_vocabulary(columns.qid), encode(columns.docno)
    grade = as_grades(columns.number)
    more = decode(columns.iteration)
    iteration, stratum = (None, more) if column == "stratum" else (more, None)
    order = np.lexsort((document, topic))
    return Qrels(topics, docnos, topic, document=document, grade=grade, iteration=iteration, stratum=stratum).rows(
        order
    )


def _qrels_by_subtopic(columns: Columns) -> Qrels:
    from cranfield.formats.arrow import sorted_vocabulary

    topics, topic = sorted_vocabulary(columns.qid)
    docnos, document = sorted_vocabulary(columns.docno)
    subtopics, subtopic = sorted_vocabulary(columns.iteration)
    grade = as_grades(columns.number)
    return join_subtopics(topics, docnos, subtopics, topic=topic, document=document, subtopic=subtopic, grade=grade)
