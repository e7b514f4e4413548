"""Imports into a store: topics and judgments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cranfield.commands.calls import OpenedStore, open_store_call
from cranfield.errors import ArgumentError, CorpusWarning, InputError, Note, file_named_in_errors
from cranfield.lazy import lazy_type
from cranfield.options.arguments import PresentStore, check_arguments, records_of_kind
from cranfield.options.imports import (
    FILES,
    AssessorKind,
    ColumnNames,
    FieldNames,
    FileFormat,
    GradeFactor,
    GradeMap,
    GradesOutsideScale,
    HeaderlessOption,
    IsCumulative,
    IsRejudged,
    IsStrict,
    RoundOfQrels,
    RoundOfTopics,
)
from cranfield.options.transfers import AssessorOfQrels, IdsNormalized
from cranfield.results import ResultInLines
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.arrays.rankings import Qrels
    from cranfield.formats import Topic
    from cranfield.formats.records import Kind, Names
    from cranfield.view import QrelsGiven
else:
    Topic = lazy_type("cranfield.formats", "Topic")
    QrelsGiven = lazy_type("cranfield.view", "QrelsGiven")

TopicsToImport = Annotated["str | PathLike[str] | Iterable[str | PathLike[str] | Topic]", FILES]
QrelsToImport = Annotated["QrelsGiven | Sequence[str | PathLike[str]]", FILES]


@check_arguments
def import_topics(
    store: PresentStore,
    topics: TopicsToImport,
    *,
    format: FileFormat = "auto",
    field: FieldNames = None,
    columns: ColumnNames = None,
    no_header: HeaderlessOption = False,
    round: RoundOfTopics = None,
) -> ResultInLines:
    """Import topics into a store.

    Topics that are already in the store are skipped if they are identical, and refused otherwise. The fields qid,
    title, description and narrative are recognised by their usual names. Other fields become metadata. If a topic has
    only one text, it becomes the title.

    Example: cranfield import topics track.db topics.xml

    Example: cranfield import topics track.db topics.csv --columns qid,text --no-header

    Parameters
    ----------
    store : path or Store
        The store.
    topics : path, sequence of paths, or iterable of Topic
        Files, or topics read by `cranfield.formats`. If any of them has an error, nothing is added.
    format : str
        Format of the files; detected from the content by default.
    field : mapping, optional
        Mapping from Cranfield's field names to the names in the files. An empty name means that the files lack the
        field.
    columns : sequence of str, optional
        Column names for files without a header line.
    no_header : bool
        Whether the files lack a header line.
    round : str, optional
        Round; the open round by default.

    Returns
    -------
    ResultInLines
        One row: the number of new topics.

    Raises
    ------
    InputError
        If a file has an error, or the store has a different topic with the same id.

    Examples
    --------
    >>> from cranfield.formats import Topic
    >>> from cranfield.store.store import Store
    >>> with Store.memory("two topics") as store:
    ...     import_topics(store, [Topic("q1", "a title"), Topic("q2", "another")])
    2 topics
    """
    from cranfield.formats import read_topics
    from cranfield.formats.files import group_notes
    from cranfield.store.history import importing
    from cranfield.store.named_rows import notes_on_unchanged_records
    from cranfield.store.names import unknown_names_notes

    files, names = as_file_paths(topics), names_in_files("topics", field, columns, no_header)
    notes, number, new = list[str](), 0, 0
    with open_store_call(store) as call:
        with importing(call.store, "topics", files or [], round=round):
            for file in files or ():
                with file_named_in_errors(file):
                    several = read_topics(file, format=format, names=names, note=note_collector(notes, file))
                    number, new = number + len(several), new + call.store.add_topics(several)
            if files is None:
                objects = [*records_of_kind(topics, "Topic", "qid")]
                number, new = len(objects), call.store.add_topics(objects)
            unknown = unknown_names_notes(call.store, "topic")
        note_on_files(
            call, [*group_notes(notes, files or []), *notes_on_unchanged_records("topic", number, new), *unknown]
        )
        return ResultInLines(
            [{"topics": new}], lines=(counted(new, "topic"),), context=call.context("store.import_topics")
        )


@check_arguments
def import_qrels(
    store: PresentStore,
    qrels: QrelsToImport,
    *,
    assessor: AssessorOfQrels = "import",
    kind: AssessorKind = "import",
    grades: GradeMap = None,
    times: GradeFactor = 1,
    off_scale: GradesOutsideScale = None,
    format: FileFormat = "auto",
    field: FieldNames = None,
    columns: ColumnNames = None,
    no_header: HeaderlessOption = False,
    strict: IsStrict = False,
    normalize_ids: IdsNormalized = False,
    round: RoundOfQrels = None,
    cumulative: IsCumulative = False,
    rejudged: IsRejudged = False,
) -> ResultInLines:
    """Import judgments made elsewhere as events of one assessor.

    After `times` and `grades` are applied, grades must be whole numbers on the store's scale. With `off_scale`
    cannot-judge, other grades are stored as cannot-judge.

    Example: cranfield import qrels track.db qrels.txt --assessor nist

    Example: cranfield import qrels track.db qrels.csv --assessor crowd --field grade=label

    Parameters
    ----------
    store : path or Store
        The store.
    qrels : judgments
        Files, or judgments in any form. If any of them has an error, nothing is added.
    assessor : str
        Assessor who made the judgments.
    kind : {"human", "model", "panel", "import"}
        Kind of assessor; "import" if unknown.
    grades : mapping, optional
        Mapping from the grades in the files to the store's grades.
    times : int
        Factor by which the grades in the files are multiplied.
    off_scale : bool, optional
        Store grades outside the scale as "cannot judge", instead of refusing them.
    format : str
        Format of the files; detected from the content by default.
    field : mapping, optional
        Mapping from Cranfield's field names to the names in the files. An empty name means that the files lack the
        field.
    columns : sequence of str, optional
        Column names for files without a header line.
    no_header : bool
        Whether the files lack a header line.
    strict : bool
        Refuse documents and topics that are not in the store.
    normalize_ids : bool
        Match ids that differ only in leading zeros, case, blanks or Unicode normalisation.
    round : str, optional
        Round; the open round by default.
    cumulative : bool
        Skip judgments that are already in the store, instead of refusing them.
    rejudged : bool
        Replace stored judgments whose grade differs (requires `cumulative`).

    Returns
    -------
    ResultInLines
        One row: the number of new judgments.

    Raises
    ------
    InputError
        If a file has an error, a grade is not on the scale, or a judgment is already in the store.

    Examples
    --------
    >>> from cranfield.formats import Document, Topic
    >>> from cranfield.store.store import Store
    >>> with Store.memory("one topic") as store:
    ...     _ = store.add_topics([Topic("q1", "a title")]), store.add_documents([Document("d1", text="a wing")])
    ...     import_qrels(store, {"q1": {"d1": 1}}, assessor="ada", kind="human")
    1 judgment by ada
    """
    from cranfield.formats import read_qrels
    from cranfield.store.history import importing
    from cranfield.store.names import Demand, NameMatcher, unknown_notes
    from cranfield.store.pools import newest_stratified_pool
    from cranfield.store.qrels import JudgedBeforeError
    from cranfield.store.qrels import import_qrels as add_qrels
    from cranfield.view import find_store, load_given_qrels

    has_store = isinstance(qrels, str | PathLike) and find_store(qrels) is not None
    files, names = None if has_store else as_file_paths(qrels), names_in_files("qrels", field, columns, no_header)
    notes, count = list[str](), 0
    with open_store_call(store) as call:
        with importing(call.store, "qrels", files or [], round=round):
            spelling = NameMatcher(call.store, Demand(strict, normalize_ids))
            scale = call.store.collection.grades
            add = partial(
                add_qrels, call.store, assessor=assessor, kind=kind, set_aside=bool(off_scale), cumulative=cumulative,
                rejudged=rejudged,
            )  # fmt: skip
            read = partial(read_qrels, format=format, names=names, times=times, grades=grades)
            for file in files or ():
                with file_named_in_errors(file):
                    judgments = read(file, scale=None if off_scale else scale)
                    notes += _scale_notes(file, judgments.given_grades.tolist(), scale)
                    try:
                        new = add(spelling.qrels(judgments, file))
                    except JudgedBeforeError as error:
                        raise InputError(
                            f"{error}; use --cumulative to skip judgments that are already in the store"
                        ) from error
                    count += new
                    notes += _notes_on_grade_minus_one(judgments, scale)
                    notes += _known_notes(file, judgments, new, lambda: newest_stratified_pool(call.store))
            if files is None:
                objects = load_given_qrels(qrels)
                notes += [
                    *_notes_on_grade_minus_one(objects, scale),
                    *unknown_notes(call.store, objects, "these judgments"),
                ]
                count = add(objects)
        note_on_files(call, [*notes, *spelling.notes])
        line = f"{counted(count, 'judgment')} by {assessor}"
        return ResultInLines([{"judgments": count}], lines=(line,), context=call.context("store.import_qrels"))


def _known_notes(file: Path, judgments: Qrels, n_new: int, sample: Callable[[], int | None]) -> Iterator[str]:
    if judgments.stratum is not None:
        yield f"{file} is a stratified sample; its strata are stored in pool {sample()}"
    elif n_known := len(judgments) - n_new:
        known = counted(n_known, "judgment is", "judgments are")
        yield f"{file}: {known} already in the store with the same grade"


def note_on_files(call: OpenedStore, lines: Iterable[str]) -> None:
    call.note(*(line if isinstance(line, Note) else Note(line, CorpusWarning) for line in lines))


def as_file_paths(source: object) -> list[Path] | None:
    """The files of an import; None if it is not of files."""
    several = source if isinstance(source, list | tuple) else [source]
    paths = [Path(path) for path in several if isinstance(path, str | PathLike)]
    return paths if paths and len(paths) == len(several) else None


def names_in_files(
    kind: Kind, field: Mapping[str, str] | None, columns: Sequence[str] | None, no_header: bool
) -> Names:
    """The names of the fields in the files of an import.

    >>> names_in_files("corpus", {"text": "story", "corpus.title": ""}, ["docno", "story"], True)
    Names(mapping={'text': 'story', 'title': ''}, columns=['docno', 'story'], present={}, places={})
    """
    from cranfield.formats.records import Names

    if no_header and not columns:
        raise ArgumentError("requires --columns, such as docno,text", "no_header")
    mapping = {ours.removeprefix(f"{kind}."): theirs for ours, theirs in (field or {}).items()}
    return Names(mapping, [*(columns or ())])


def note_collector(notes: list[str], file: Path) -> Callable[[str], None]:
    """Collects what the reader of this file reports, until the import has succeeded."""
    return lambda text: notes.append(f"{file}: {text}")


def _notes_on_grade_minus_one(qrels: Qrels, scale: Collection[int]) -> list[str]:
    from cranfield.arrays.rankings import MINUS_ONE_RULE, UNJUDGED

    number = int((qrels.grade == UNJUDGED).sum()) if qrels.stratum is None and UNJUDGED in scale else 0
    which = f"{counted(number, 'label')} {'has' if number == 1 else 'have'} grade {UNJUDGED}"
    judged = f"{'counts' if number == 1 else 'count'} as judged in this store, because its scale includes this grade"
    return [f"{which} and {judged}; {MINUS_ONE_RULE}"] * bool(number)


def _scale_notes(file: Path, grades: Sequence[int], scale: Collection[int]) -> Iterator[str]:
    """How many grades of a file are outside the scale, if any are.

    >>> list(_scale_notes(Path("qrels.txt"), [0, 1, 7], {0, 1}))
    ['qrels.txt: 1 of 3 grades is outside the scale; these documents are stored as cannot-judge']
    """
    if aside := sum(grade not in scale for grade in grades):
        are = "is" if aside == 1 else "are"
        where = f"{aside} of {len(grades)} grades {are} outside the scale"
        yield f"{file}: {where}; these documents are stored as cannot-judge"
