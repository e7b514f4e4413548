"""Data frames converted to Runs and Qrels."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.arrays.rankings import (
    GRADE_LIMIT,
    Floats,
    Ints,
    Qrels,
    Runs,
    Vocabulary,
    as_grades,
    join_subtopics,
    sort_runs,
)
from cranfield.errors import InputError
from cranfield.formats.layout import NEGATIVE_GRADES, rank_number
from cranfield.formats.runs import SCORE_COLUMN, count_ranks
from cranfield.metrics.dicts import are_grades
from cranfield.text import join_words

if TYPE_CHECKING:
    from pandas import DataFrame, Series


RUN = ("query_id", "doc_id", "score")
JUDGMENTS = ("query_id", "doc_id", "relevance")
PAIR = ["query_id", "doc_id"]
MORE = ("iteration", "stratum", "subtopic")
EACH_ONCE = "expected each name once"
SYNONYMS = {
    "run": ("tag",),
    "query_id": ("qid", "q_id", "query-id"),
    "doc_id": ("docno", "docid", "corpus-id"),
    "relevance": ("label", "grade", "rel"),
}


def rename_columns(frame: DataFrame) -> DataFrame:
    """The frame with our names of columns.

    >>> import pandas as pd
    >>> rename_columns(pd.DataFrame([("q", "d", 1, 2)], columns=["qid", "docno", "score", "score"]))
    Traceback (most recent call last):
    cranfield.errors.InputError: a DataFrame with two columns 'score'; expected each name once
    """
    if not frame.columns.is_unique:
        raise InputError(f"a DataFrame with two columns {frame.columns[frame.columns.duplicated()][0]!r}; {EACH_ONCE}")
    columns = {name: next((n for n in (name, *others) if n in frame), None) for name, others in SYNONYMS.items()}
    return frame.rename(columns={theirs: ours for ours, theirs in columns.items() if theirs not in (None, ours)})


def judgments(frame: DataFrame) -> DataFrame:
    """The same of qrels; those of Hugging Face have the grade as their score.

    >>> import pandas as pd
    >>> list(judgments(pd.DataFrame([("q", "d", 1.0)], columns=["query-id", "corpus-id", "score"])))
    ['query_id', 'doc_id', 'relevance']
    """
    ours = rename_columns(frame)
    is_theirs = "query-id" in frame and "relevance" not in ours
    return ours.rename(columns={"score": "relevance"}) if is_theirs else ours


def frame_of(rows: Sequence[tuple[object, ...]], columns: Sequence[str]) -> DataFrame:
    """Rows as a frame, with cells unchanged."""
    import pandas as pd

    return pd.DataFrame(rows, columns=list(columns), dtype=object)


def runs_of(frame: DataFrame, tags: Sequence[str] | None = None) -> Runs:
    """The runs in a frame of run, query_id, doc_id and score, in canonical order; `tags` are all, in their order."""
    _require_columns(frame, RUN, "a run")
    names, run = _encode_ids(frame["run"])
    order = names if tags is None else list(tags)
    run = Vocabulary(order).codes(names)[run] if names else run
    topics, topic = _encode_ids(frame["query_id"])
    docnos, document = _encode_ids(frame["doc_id"])
    score = _numeric_column(frame, "score", "a number").astype(float)
    _refuse_duplicates(frame, ["run", "query_id", "doc_id"])
    return sort_runs(
        order, Vocabulary(topics), Vocabulary(docnos), run=run, topic=topic, document=document, score=score
    )


def rank_notes(frame: DataFrame) -> list[str]:
    """The notes on the scores of a frame, and on its ranks where it has any, as on a file with named columns.

    >>> import pandas as pd
    >>> rank_notes(pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [3, 4], "rank": [1, 2]}))
    ['ranks contradict scores in 1 of 1 topic; documents are ranked by score, as in trec_eval']
    """
    import pandas as pd

    if frame.empty:
        return []
    keys = [frame[name].astype(str) for name in ("run", "query_id") if name in frame]
    topic = frame.groupby(keys, sort=False).ngroup().to_numpy(np.int64)
    score = pd.to_numeric(_unwrap_scalars(frame["score"])).to_numpy(float)
    if "rank" not in frame:
        return [*count_ranks(topic, np.full(len(score), np.nan), score)._replace(counting=-1).notes()]
    rank = np.array([rank_number(str(value).encode("utf-8", "replace")) for value in frame["rank"]], float)
    return [*count_ranks(topic, rank, score).notes(SCORE_COLUMN)]


def qrels_of(frame: DataFrame) -> Qrels:
    """The judgments in a frame of query_id, doc_id, relevance, and optionally the columns in MORE.

    ir_measures' Qrel has the field `iteration`, for the second column of TREC qrels, and uses it as the subtopic in
    measures of diversity. Here it is the subtopic where a document of a topic is judged for two of them, by the same
    rule that detects files of subtopic qrels; otherwise it is kept as the second column. A column `subtopic` is always
    the subtopic.
    """
    _require_columns(frame, JUDGMENTS, "qrels")
    frame = with_subtopics(frame)
    topics, topic = _encode_ids(frame["query_id"])
    docnos, document = _encode_ids(frame["doc_id"])
    grade = as_grades(_numeric_column(frame, "relevance", "a number"))
    if "subtopic" in frame:
        _refuse_duplicates(frame, ["query_id", "doc_id", "subtopic"])
        subtopics, subtopic = _encode_ids(frame["subtopic"])
        names = Vocabulary(topics), Vocabulary(docnos), Vocabulary(subtopics)
        return join_subtopics(*names, topic=topic, document=document, subtopic=subtopic, grade=grade)
    _refuse_duplicates(frame, ["query_id", "doc_id"])
    iteration, stratum = (
        np.asarray(frame[name].astype(str), dtype=object) if name in frame else None
        for name in ("iteration", "stratum")
    )
    return Qrels(
        Vocabulary(topics),
        Vocabulary(docnos),
        topic,
        document=document,
        grade=grade,
        iteration=iteration,
        stratum=stratum,
    ).rows(np.lexsort((document, topic)))


def with_subtopics(frame: DataFrame) -> DataFrame:
    """The judgments with `iteration` called `subtopic` where it names subtopics.

    >>> import pandas as pd
    >>> rows = [("q", "d", 1, "1"), ("q", "d", 0, "2"), ("q", "e", 1, "2")]
    >>> frame = pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance", "iteration"])
    >>> list(with_subtopics(frame)), list(with_subtopics(frame[1:]))
    (['query_id', 'doc_id', 'relevance', 'subtopic'], ['query_id', 'doc_id', 'relevance', 'iteration'])
    """
    if "iteration" not in frame or "subtopic" in frame:
        return frame
    from cranfield.formats.qrels import ROUND

    names = frame.assign(iteration=frame["iteration"].astype(str))
    parts = names.drop_duplicates([*PAIR, "iteration"])
    is_round = any(ROUND.fullmatch(name) for name in names["iteration"].unique())
    return frame.rename(columns={"iteration": "subtopic"}) if parts.duplicated(PAIR).any() and not is_round else frame


def _require_columns(frame: DataFrame, columns: Sequence[str], what: str) -> None:
    missing = [column for column in columns if column not in frame]
    if missing:
        also = [f"{column} (or {', '.join(SYNONYMS[column])})" if column in SYNONYMS else column for column in missing]
        index_names = {*SYNONYMS, *chain(*SYNONYMS.values())} & {*map(str, frame.index.names)}
        remedy = (
            (f"; the index contains {join_words(sorted(index_names))}; use frame.reset_index()") if index_names else ""
        )
        raise InputError(f"{what} needs the columns {', '.join(columns)}; missing: {', '.join(also)}{remedy}")


def _encode_ids(ids: Series[Any]) -> tuple[list[str], Ints]:
    """The distinct ids, sorted, and the number of each row's."""
    import pandas as pd

    if ids.isna().any():
        raise InputError(f"a {ids.name} is missing")
    codes, names = pd.factorize(ids.astype(str), sort=True)
    return [str(name) for name in names], codes.astype(np.int64)


def _numeric_column(frame: DataFrame, column: str, right: str) -> Floats | Ints:
    import pandas as pd

    if getattr(frame[column].dtype, "kind", "O") in "mMc":
        raise InputError(f"the column {column} is of type {frame[column].dtype}; expected {right} in each row")
    cells = _unwrap_scalars(frame[column])
    try:
        numbers = np.asarray(pd.to_numeric(cells, errors="coerce"))
    except OverflowError:
        within = cells.map(lambda value: None if _is_beyond_floats(value) else value)
        numbers = np.asarray(pd.to_numeric(within, errors="coerce"))
    numbers = numbers if numbers.dtype.kind in "iu" else numbers.astype(float)
    wrong = np.isnan(numbers) if column == "score" else ~are_grades(numbers)
    if wrong.any():
        at = int(np.argmax(wrong))
        row = frame.iloc[at]
        value = row[column].item() if isinstance(row[column], np.generic) else row[column]
        if column == "relevance" and np.isfinite(numbers[at]):
            right = NEGATIVE_GRADES if -GRADE_LIMIT < numbers[at] < 0 else f"{right} of at most 18 digits"
        if _is_beyond_floats(value):
            digits, right = int(value.bit_length() * np.log10(2)) + 1, f"{right} below 1.8e308"
            raise InputError(f"{_row_words(row)}: the {column} has about {digits} digits; expected {right}")
        raise InputError(f"{_row_words(row)}: the {column} is {value!r}; expected {right}")
    return numbers


def _unwrap_scalars(column: Series[Any]) -> Series[Any]:
    """The column with numbers for arrays and tensors of 0 dimensions."""
    kinds = set(map(type, column)) if column.dtype == object else set[type]()
    if not any(hasattr(kind, "ndim") and not issubclass(kind, np.generic) for kind in kinds):
        return column
    return column.map(lambda value: value.item() if getattr(value, "ndim", None) == 0 else value)


def _is_beyond_floats(value: object) -> bool:
    return isinstance(value, int) and abs(value) > sys.float_info.max


def _refuse_duplicates(frame: DataFrame, keys: list[str]) -> None:
    twice = np.asarray(frame[keys].astype(str).duplicated())
    if twice.any():
        raise InputError(f"{_row_words(frame.iloc[int(np.argmax(twice))])} appears twice")


def _row_words(row: Series[Any]) -> str:
    run = f"run '{row['run']}', " if "run" in row else ""
    return f"{run}topic '{row['query_id']}', document '{row['doc_id']}'"
