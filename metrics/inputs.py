"""What the functions of the Python API accept as runs and qrels, converted to Runs and Qrels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeGuard

from cranfield.arrays.join import JudgedRuns, Judgments, join_runs_with_common_topics
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Qrels, Runs
from cranfield.errors import InputError, give_warning
from cranfield.extras import MissingExtraError
from cranfield.formats.files import ignore_note
from cranfield.formats.given_files import is_partitioned
from cranfield.formats.runs import find_partitioned_runs
from cranfield.lazy import lazy_type
from cranfield.metrics.dicts import (
    find_table_columns,
    first_run_and_others_text,
    joined_dicts,
    note_constant_scores,
    qrels_from_plain_dict,
    runs_from_plain_dict,
)
from cranfield.metrics.frames import (
    JUDGMENTS,
    MORE,
    RUN,
    frame_of,
    judgments,
    qrels_of,
    rank_notes,
    rename_columns,
    runs_of,
)
from cranfield.metrics.lists import grades_of_lists, is_document_list, is_listed_run, relevant_docs_of, scores_of_lists
from cranfield.metrics.texts import is_bare_name, refuse_text

if TYPE_CHECKING:
    from pandas import DataFrame
else:
    DataFrame = lazy_type("pandas", "DataFrame")


def convert_foreign_table(data: Any) -> Any:
    """The same as a DataFrame of pandas or as dicts, where it is another library's; anything else as it is.

    >>> import pyarrow as pa
    >>> convert_foreign_table(pa.table({"query_id": ["q1"], "doc_id": ["d1"], "score": [0.5]}))
      query_id doc_id  score
    0       q1     d1    0.5
    """
    if _is_ranx(data):
        return data.to_dict()
    if _library_name(data) == "datasets" and isinstance(data, Mapping):
        splits = ", ".join(map(str, data))
        raise InputError(f"this Hugging Face {type(data).__name__} has several splits; expected one of {splits}")
    if isinstance(data, Mapping):
        return (
            {tag: convert_foreign_table(run) for tag, run in data.items()}
            if any(map(_is_foreign, data.values()))
            else data
        )
    if isinstance(data, list | tuple) and data and all(map(_is_ranx, data)):
        return {run.name or f"run {number}": run.to_dict() for number, run in enumerate(data, 1)}
    return _frame(data) if _is_foreign(data) else data


def _is_foreign(data: object) -> bool:
    """Whether this is another library's; a Dataset of Hugging Face that streams is an iterable of dicts."""
    if _library_name(data) == "builtins":
        return False
    is_hugging_face = _library_name(data) == "datasets" and hasattr(data, "to_pandas") and hasattr(data, "column_names")
    return is_hugging_face or _is_ranx(data) or _is_lazy(data) or _is_arrow(data)


def _is_arrow(data: object) -> bool:
    return hasattr(data, "__arrow_c_stream__") and _library_name(data) != "pandas"


def _is_ranx(data: object) -> bool:
    return _library_name(data) == "ranx" and hasattr(data, "to_dict")


def _is_lazy(data: object) -> bool:
    """Whether this is a LazyFrame of polars."""
    return _library_name(data) == "polars" and hasattr(data, "collect")


def _library_name(data: object) -> str:
    return type(data).__module__.partition(".")[0]


def _frame(data: Any) -> Any:
    if _is_lazy(data):
        return _frame(data.collect())
    if not _is_arrow(data):
        return data.to_pandas()
    try:
        import pyarrow as pa
    except ModuleNotFoundError:
        if _library_name(data) != "polars":
            raise InputError("pyarrow is not installed; install it with `pip install pyarrow`") from None
        import pandas as pd

        return pd.DataFrame(data.to_dict(as_series=False))
    return pa.table(data).to_pandas()


class RunResult(Protocol):
    """A result whose table is a run, such as that of `fuse`."""

    @property
    def frame(self) -> DataFrame: ...


def _is_result(data: object) -> bool:
    return _library_name(data) == "cranfield" and hasattr(data, "frame")


def _frame_of_result(data: Any) -> Any:
    """The table of what a function returned, such as `fuse`; anything else as it is."""
    return data.frame if _is_result(data) else data


def unwrap_dataset(data: Any, part: str) -> Any:
    """The qrels or the scoreddocs of a dataset of ir_datasets; anything else as it is."""
    if _library_name(data) != "ir_datasets" or not hasattr(data, f"has_{part}"):
        return data
    if not getattr(data, f"has_{part}")():
        raise InputError(f"this ir_datasets dataset has no {part}; see the ir_datasets documentation for its parts")
    return getattr(data, f"{part}_iter")()


Path: TypeAlias = str | PathLike[str]
RunsLike: TypeAlias = Runs | Path | Iterable[Path] | DataFrame | Mapping[str, Any] | Iterable[Any] | RunResult
JudgedDocuments: TypeAlias = Mapping[str, int] | AbstractSet[Any] | Sequence[Any]
QrelsLike: TypeAlias = Qrels | Path | DataFrame | Mapping[str, JudgedDocuments] | Iterable[Any]


def as_runs(runs: RunsLike, note: Callable[[str], object] = give_warning) -> Runs:
    """Runs in canonical order; `note` takes the notes on dicts and frames.

    What the functions of the Python API accept as runs and qrels, converted to Runs and Qrels.

    Runs: Runs, paths of run files, the path or address of a partitioned data set, a DataFrame (query_id, doc_id, score;
    run, where there are several), a dict {qid: {docno: score}}, records with these names as attributes (ir_measures'
    ScoredDoc, ir_datasets'), in a list or any iterable, or a dict by tag of any of these except Runs. Qrels: Qrels, a
    path, a DataFrame (query_id, doc_id, relevance, perhaps iteration, and stratum or subtopic; frames.py says which
    iterations are subtopics), a dict {qid: {docno: grade}}, or records (Qrel). Records may also be dicts with the names
    of columns, or tuples with the cells of a file's line or only (qid, docno, number). Ids are text: the topics 1 and
    "1" are one. The column names qid, q_id, docno, docid and label, as in PyTerrier and ranx, are accepted. A frame may
    be one of polars (lazy or not), Arrow or Hugging Face; a Run or Qrels of ranx is taken as its dict, a run in a list
    under its name; a dataset of ir_datasets as its scoreddocs or its qrels. A topic of a dict may list its documents:
    relevant ids in a set or list (grade 1), and for runs ids by rank, pairs (id, score), or results of LangChain and
    LlamaIndex; docs/measure/shapes.md shows each. A Result, such as that of `fuse`, is taken as its frame.

    >>> runs = as_runs({"bm25": {"q1": {"d1": 1.0, "d2": 2.0}}, "empty": {}})
    >>> runs.tags, runs.docnos.names[runs.document].tolist()
    (('bm25', 'empty'), ['d2', 'd1'])
    >>> as_runs({"q1": {"d1": "high"}})
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: run 'run', topic 'q1', document 'd1': the score is 'high'; expected a number
    """
    import pandas as pd

    runs = unwrap_dataset(convert_foreign_table(_frame_of_result(runs)), "scoreddocs")
    if isinstance(runs, Runs):
        return runs
    if isinstance(runs, str | PathLike):
        refuse_text(runs)
        return _read_runs([runs])
    if isinstance(runs, pd.DataFrame):
        return _runs_of_frame(rename_columns(runs), note)
    if isinstance(runs, Mapping):
        return _runs_by_tag(runs if any(map(_is_run, runs.values())) else {"run": runs}, note)
    several: list[Any] = list(runs) if isinstance(runs, Iterable) else []
    if not several and isinstance(runs, Sequence):
        raise InputError(f"no runs were given: the {type(runs).__name__} is empty; expected at least one run")
    if several and _are_paths(several):
        refuse_text(next(iter(several)), "lines")
        return _read_runs(several)
    if several and not isinstance(several[0], Sequence) and is_document_list(several):
        name = type(several[0]).__name__
        raise InputError(f"a list of {name} has no topic; expected {{qid: results}}, the results of each topic")
    if several and all(isinstance(one, Mapping) and _is_run(one) for one in several):
        raise InputError(f"a list of {len(several)} runs has no tags; expected a dict by tag, such as {{'bm25': run}}")
    _refuse_unnamed_run(several)
    if several and (rows := _frame_of_rows(several, RUN, RUN_LINES)) is not None:
        return as_runs(rows, note)
    raise InputError(
        f"the runs are of type {type(runs).__name__}{_item_type_text(several)};"
        " expected paths, a DataFrame, a dict or records"
    )


def as_qrels(qrels: QrelsLike | None) -> Qrels:
    """Qrels.

    >>> as_qrels({"q1": {"d1": 1, "d2": 0}}).grade
    array([1, 0])
    >>> as_qrels({"q1": {"d1": 0.5, "d2": 0}}).grade
    array([0.5, 0. ])
    """
    import pandas as pd

    qrels = relevant_docs_of(unwrap_dataset(convert_foreign_table(qrels), "qrels"))
    if isinstance(qrels, Qrels):
        return qrels
    if isinstance(qrels, str | PathLike):
        refuse_text(qrels)
        from cranfield.formats import read_qrels
        from cranfield.formats.files import notes_as_warnings

        with notes_as_warnings():
            return read_qrels(qrels, fractions=True)
    if isinstance(qrels, pd.DataFrame):
        return qrels_of(judgments(qrels))
    if isinstance(qrels, Mapping):
        qrels = grades_of_lists(qrels)
        plain = qrels_from_plain_dict(qrels)
        return qrels_of(frame_of(_topic_document_value_triples(qrels), JUDGMENTS)) if plain is None else plain
    several = list(qrels) if isinstance(qrels, Iterable) and not isinstance(qrels, bytes) else []
    if several and _are_paths(several):
        refuse_text(next(iter(several)), "lines")
    if several and (frame := _frame_of_rows(several, JUDGMENTS, QRELS_LINES)) is not None:
        return qrels_of(judgments(frame))
    raise InputError(
        f"qrels are a path, a DataFrame, a dict or records, not {type(qrels).__name__}{_item_type_text(several)}"
    )


def join_judged(qrels: QrelsLike | Judged, runs: RunsLike | None = None) -> Judged:
    """Join qrels and runs. Judged positions stay as they are.

    >>> join_judged({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d1": 1.0}}).rank
    array([1])
    """
    if isinstance(qrels, Judged):
        return qrels
    judged = joined_dicts(runs, qrels)
    return each_judged(qrels, runs).stack() if judged is None else judged


def each_judged(qrels: QrelsLike | Judged, runs: RunsLike | None) -> JudgedRuns:
    """Join qrels and runs; of files, one run at a time."""
    if isinstance(qrels, Judged):
        return JudgedRuns([qrels])
    if runs is None:
        raise InputError("the runs are missing; give qrels, then runs")
    paths = [runs] if isinstance(runs, str | PathLike) else runs if isinstance(runs, Sequence) else []
    refuse_text(qrels)
    if len(paths):
        refuse_text(paths[0], "text.splitlines()" if isinstance(runs, str) else "lines")
    are_files = len(paths) and _are_paths(paths) and not any(map(is_partitioned, paths))
    if are_files and isinstance(qrels, str | PathLike):
        from cranfield.formats import distinct_names

        places = list[Path]()
        return JudgedRuns(_join_each_run_file(paths, qrels, places), partial(distinct_names, places))
    return JudgedRuns([join_runs_with_common_topics(*runs_and_qrels(qrels, runs))])


def _join_each_run_file(runs: Iterable[Path], qrels: Path, places: list[Path]) -> Iterator[Judged]:
    from cranfield.formats import each_run, read_qrels
    from cranfield.formats.files import notes_as_warnings

    try:
        with notes_as_warnings():
            judgments = Judgments(read_qrels(qrels, sorts_rows=False, fractions=True))
            yield from judgments.join_runs_in_parts(each_run(runs, judgments, places=places))
    except InputError as error:
        raise _error_if_swapped(qrels, next(iter(runs)), error) from None


def runs_and_qrels(qrels: QrelsLike | None, runs: RunsLike) -> tuple[Runs, Qrels]:
    """Read runs and qrels. Where each can be read as the other, the error asks whether they are swapped.

    >>> runs_and_qrels({"q1": {"d1": 1}}, "no.run")
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: no.run: no such file
    """
    try:
        return as_runs(runs), as_qrels(qrels)
    except InputError as error:
        raise _error_if_swapped(qrels, runs, error) from None


SWAPPED = "the qrels come first, then the runs: are they swapped?"


def _error_if_swapped(qrels: Any, runs: Any, error: InputError) -> InputError:
    if isinstance(error, MissingExtraError):
        return error
    try:
        as_runs(qrels, ignore_note), as_qrels(runs)
    except InputError:
        return error
    found, _, _ = error.message.partition("; this looks like ")
    return InputError(f"{found}; {SWAPPED}", error.path, error.line)


def _are_paths(values: Iterable[object]) -> TypeGuard[Iterable[Path]]:
    return all(isinstance(path, str | PathLike) for path in values)


def _read_runs(places: Iterable[Path]) -> Runs:
    from cranfield.formats import read_runs
    from cranfield.formats.files import notes_as_warnings

    paths = list(places)
    runs = find_partitioned_runs(paths)
    with notes_as_warnings():
        return read_runs(paths) if runs is None else runs


SECOND = {**{name: name for name in MORE}, "subtopic_id": "subtopic"}  # which is ir_datasets' name


RUN_LINES = (RUN, ("query_id", "Q0", "doc_id", "rank", "score", "run"))
QRELS_LINES = (JUDGMENTS, ("query_id", "iteration", "doc_id", "relevance"))


def _frame_of_rows(items: Sequence[Any], names: Sequence[str], lines: Sequence[Sequence[str]]) -> DataFrame | None:
    """Dicts, tuples or records with these names as a frame; None where they are none of these."""
    if (frame := _plain_records(items, lines)) is not None:
        return frame
    lacking = next((i for i, item in enumerate(items) if not all(hasattr(item, name) for name in names)), None)
    if lacking:
        raise InputError(f"record {lacking + 1} is {items[lacking]!r}; expected {', '.join(names)}")
    if lacking is not None:
        return None
    extra = SECOND if names is JUDGMENTS else {}
    more = {theirs: ours for theirs, ours in extra.items() if hasattr(items[0], theirs)}
    rows = [tuple(getattr(item, name) for name in (*names, *more)) for item in items]
    return frame_of(rows, [*names, *more.values()])


def _plain_records(items: Sequence[Any], lines: Sequence[Sequence[str]]) -> DataFrame | None:
    """Dicts by the names of columns, or tuples of the cells of a line, as a frame; None where the first is neither.

    >>> _plain_records([("q1", "d1", 2), ("q1", "d2", 0)], QRELS_LINES)
      query_id doc_id relevance
    0       q1     d1         2
    1       q1     d2         0
    """
    import pandas as pd

    first = items[0]
    if isinstance(first, Mapping):
        _check_records_alike(
            items, lambda one: isinstance(one, Mapping) and {*one} == {*first}, ", ".join(map(str, first))
        )
        return pd.DataFrame(list(items), dtype=object)
    if not isinstance(first, tuple | list) or hasattr(first, "_fields"):
        return None
    names = next((names for names in lines if len(names) == len(first)), None)
    if names is None:
        right = " or ".join(f"({', '.join(names)})" for names in lines)
        raise InputError(f"record 1 is {first!r:.60}; expected {right}")
    _check_records_alike(items, lambda one: isinstance(one, tuple | list) and len(one) == len(first), ", ".join(names))
    return frame_of([tuple(one) for one in items], names)


def _check_records_alike(items: Sequence[Any], alike: Callable[[Any], bool], right: str) -> None:
    """Refuse a record that is not as the first."""
    for number, one in enumerate(items, 1):
        if not alike(one):
            raise InputError(f"record {number} is {one!r:.60}; expected {right}, as in record 1")


def _refuse_unnamed_run(several: Sequence[object]) -> None:
    """Refuse a list with a run that is no path.

    >>> import pandas as pd
    >>> _refuse_unnamed_run(["a.run", pd.DataFrame()])
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: item 2 of the list of runs is a DataFrame; expected paths only, or a dict by tag, such
    as {'a': 'a.run', 'bm25': run}
    """
    import pandas as pd

    for number, one in enumerate(several, 1):
        if isinstance(one, pd.DataFrame) or _is_result(one) or (isinstance(one, Mapping) and _is_run(one)):
            right = "expected paths only, or a dict by tag, such as {'a': 'a.run', 'bm25': run}"
            raise InputError(f"item {number} of the list of runs is a {type(one).__name__}; {right}")


def _item_type_text(several: Sequence[object]) -> str:
    return f" of {type(several[0]).__name__}" if several else ""


def _is_run(data: object) -> bool:
    """Whether this is a run and not one topic's documents."""
    import pandas as pd

    if isinstance(data, Mapping):
        return any(isinstance(documents, Mapping) for documents in data.values()) or is_listed_run(data)
    if isinstance(data, Sequence) and not isinstance(data, str):
        return (
            bool(data)
            and not is_document_list(data)
            and (isinstance(data[0], Mapping | tuple | list) or _has_names(data[0]))
        )
    return isinstance(data, str | PathLike | pd.DataFrame) or _library_name(data) == "ir_datasets" or _is_result(data)


def _has_names(record: object) -> bool:
    return all(hasattr(record, name) for name in RUN)


def _runs_of_frame(frame: DataFrame, note: Callable[[str], object]) -> Runs:
    runs = runs_of(frame) if "run" in frame else runs_of(frame.assign(run="run"), ["run"])
    for line in rank_notes(frame):
        note(line)
    return runs


def _runs_by_tag(runs_by_tag: Mapping[str, Any], note: Callable[[str], object]) -> Runs:
    import pandas as pd

    tags_by_note: dict[str, list[str]] = {}
    runs_by_tag = {tag: _convert_listed_run(str(tag), run, tags_by_note) for tag, run in runs_by_tag.items()}
    if (plain := runs_from_plain_dict(runs_by_tag)) is not None:
        note_constant_scores(runs_by_tag, note)
        _tell_of_tags(tags_by_note, note)
        return plain
    frames = {tag: _run_frame(tag, run).assign(run=str(tag)) for tag, run in runs_by_tag.items()}
    rows = [frame for frame in frames.values() if len(frame)] or [frame_of([], [*RUN, "run"])]
    runs = runs_of(pd.concat(rows), tags=[str(tag) for tag in runs_by_tag])
    for tag, frame in frames.items():
        for line in () if isinstance(runs_by_tag[tag], str | PathLike) else rank_notes(frame):
            tags_by_note.setdefault(line, []).append(str(tag))
    _tell_of_tags(tags_by_note, note)
    return runs


def _convert_listed_run(tag: str, run: Any, tags_by_note: dict[str, list[str]]) -> Any:
    """The run with scores for listed documents; anything else as it is."""
    if not is_listed_run(run):
        return run
    listed = scores_of_lists(run)
    for line in listed.notes:
        tags_by_note.setdefault(line, []).append(tag)
    return listed.scores


def _tell_of_tags(tags_by_note: Mapping[str, Sequence[str]], note: Callable[[str], object]) -> None:
    for line, tags in tags_by_note.items():
        note(f"{first_run_and_others_text(tags)}: {line}")


def _run_frame(tag: str, run: object) -> DataFrame:
    import pandas as pd

    run = unwrap_dataset(_frame_of_result(run), "scoreddocs")
    if isinstance(run, pd.DataFrame):
        return rename_columns(run)
    if isinstance(run, Mapping):
        return frame_of(_topic_document_value_triples(run), RUN)
    if isinstance(run, str | PathLike):
        if is_bare_name(run):
            raise InputError(
                f"run {tag!r} is {run!r}, which is not an existing file; expected a path, or a list of ids for each "
                "topic"
            )
        refuse_text(run)
        runs = _read_runs([run])
        if len(runs.tags) > 1:
            raise InputError(f"{len(runs.tags)} runs; expected one", run)
        columns = (runs.topics.names[runs.topic], runs.docnos.names[runs.document], runs.score)
        return pd.DataFrame(dict(zip(RUN, columns, strict=True)))
    several = list(run) if isinstance(run, Iterable) else []
    if several and (frame := _frame_of_rows(several, RUN, RUN_LINES)) is not None:
        return rename_columns(frame)
    raise InputError(f"run '{tag}' is {run!r}; expected a dict of topics, a DataFrame, a path or records")


def _topic_document_value_triples(topics: Mapping[str, Any]) -> list[tuple[str, str, object]]:
    if columns := find_table_columns(topics):
        what = f"a dict with the columns {columns}, as DataFrame.to_dict returns it"
        raise InputError(f"{what}; expected {{qid: {{docno: number}}}}, or the DataFrame itself")
    wrong = [qid for qid, documents in topics.items() if not isinstance(documents, Mapping)]
    if wrong:
        raise InputError(f"the value of topic '{wrong[0]}' is {topics[wrong[0]]!r}; expected a dict of documents")
    topic_of_id = dict[str, object]()
    for qid in topics:
        if (other := topic_of_id.setdefault(str(qid), qid)) is not qid:
            raise InputError(f"the topics {other!r} and {qid!r} have the same id; expected each topic once")
    return [(qid, docno, value) for qid, documents in topics.items() for docno, value in documents.items()]
