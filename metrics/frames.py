"""Data frames and plain dicts converted to Runs and Qrels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import BEYOND, Floats, Ints, Mask, Qrels, Runs, Vocabulary, by_subtopic, canonical
from cranfield.errors import InputError
from cranfield.formats.layout import fractional

if TYPE_CHECKING:
    from pandas import DataFrame, Series


NUMBERS = (int, float, np.integer, np.floating)


class PlainRows(NamedTuple):
    """One row per topic and document: their numbers, and the score or grade.

    Anything else gives None: frames.py then converts what it can, and says what is wrong.
    """

    topics: Vocabulary
    docnos: Vocabulary
    topic: Ints
    document: Ints
    value: Floats | Ints


def plain_runs(given: Mapping[str, Any]) -> Runs | None:
    """The runs of a dict {tag: {qid: {docno: score}}}, in canonical order; None where it is not plain.

    >>> runs = plain_runs({"bm25": {"q1": {"d1": 1.0, "d2": 2}}})
    >>> runs.docnos.names[runs.document]
    array(['d2', 'd1'], dtype=object)
    >>> plain_runs({"bm25": {1: {"d1": 1.0}}}), plain_runs({"bm25": {"q1": {"d1": float("nan")}}})
    (None, None)
    """
    runs = list(given.values())
    if not _are_text(given) or not all(isinstance(run, Mapping) for run in runs):
        return None
    rows = _rows(list(chain.from_iterable(run.items() for run in runs)))
    if rows is None or np.isnan(rows.value).any():
        return None
    run = np.repeat(np.arange(len(runs)), [sum(map(len, run.values())) for run in runs])
    return canonical(list(given), rows.topics, rows.docnos, run, rows.topic, rows.document, rows.value.astype(float))


def plain_qrels(given: Mapping[str, Any]) -> Qrels | None:
    """The judgments of a dict {qid: {docno: grade}}; None where it is not plain, or a grade is none.

    >>> plain_qrels({"q1": {"d1": 1, "d2": 0.0}}).grade
    array([1, 0])
    >>> plain_qrels({"q1": {"d1": 0.5}})
    """
    rows = _rows(list(given.items()))
    if rows is None or not are_grades(rows.value).all():
        return None
    topics, docnos, topic, document, value = rows
    return Qrels(topics, docnos, topic, document, value.astype(np.int64)).rows(np.lexsort((document, topic)))


def _rows(lists: list[tuple[Any, Any]]) -> PlainRows | None:
    """Pairs of a topic and its dict, row by row; a topic without documents has none."""
    if not all(isinstance(documents, Mapping) for _, documents in lists):
        return None
    qids = [qid for qid, documents in lists if documents]
    docnos = list(chain.from_iterable(documents for _, documents in lists))
    value = _plain_numbers(list(chain.from_iterable(documents.values() for _, documents in lists)))
    if value is None or not _are_text(qids) or not _are_text(docnos):
        return None
    topics, names = Vocabulary(sorted(set(qids))), Vocabulary(sorted(set(docnos)))
    topic = np.repeat(topics.codes(qids), [len(documents) for _, documents in lists if documents])
    return PlainRows(topics, names, topic, names.codes(docnos), value)


def _are_text(ids: Iterable[object]) -> bool:
    return set(map(type, ids)) <= {str}


def _plain_numbers(values: list[object]) -> Floats | Ints | None:
    """The numbers; None where one is none, or a whole number of more than 64 bits."""
    if not all(issubclass(kind, NUMBERS) for kind in set(map(type, values))):
        return None
    found = np.array(values)
    return found if found.dtype.kind in "biuf" else None


def are_grades(numbers: Floats | Ints) -> Mask:
    """Whether each is a grade: a whole number of at most 18 digits, as in files.

    >>> are_grades(np.array([2.0, 0.5, np.nan, 1e18])), are_grades(np.array([2**63, 1], np.uint64))
    (array([ True, False, False, False]), array([False,  True]))
    """
    with np.errstate(invalid="ignore"):  # of infinity
        return np.asarray((numbers % 1 == 0) & (numbers < BEYOND) & (numbers > -BEYOND))


RUN = ("query_id", "doc_id", "score")
JUDGMENTS = ("query_id", "doc_id", "relevance")
PAIR = ["query_id", "doc_id"]
WHOLE_TOPIC = "0"  # the iteration that is not a subtopic
MORE = ("iteration", "stratum", "subtopic")
SYNONYMS = {
    "query_id": ("qid", "q_id", "query-id"),
    "doc_id": ("docno", "docid", "corpus-id"),
    "relevance": ("label",),
}


def renamed(frame: DataFrame) -> DataFrame:
    """The frame with our names of columns."""
    found = {name: next((n for n in (name, *others) if n in frame), None) for name, others in SYNONYMS.items()}
    return frame.rename(columns={theirs: ours for ours, theirs in found.items() if theirs not in (None, ours)})


def judgments(frame: DataFrame) -> DataFrame:
    """The same of qrels; those of Hugging Face have the grade as their score.

    >>> import pandas as pd
    >>> list(judgments(pd.DataFrame([("q", "d", 1.0)], columns=["query-id", "corpus-id", "score"])))
    ['query_id', 'doc_id', 'relevance']
    """
    found = renamed(frame)
    is_theirs = "query-id" in frame and "relevance" not in found
    return found.rename(columns={"score": "relevance"}) if is_theirs else found


def framed(rows: Sequence[tuple[object, ...]], columns: Sequence[str]) -> DataFrame:
    """Rows as a frame, with cells unchanged."""
    import pandas as pd

    return pd.DataFrame(rows, columns=list(columns), dtype=object)


def runs_of(frame: DataFrame, tags: Sequence[str] | None = None) -> Runs:
    """The runs in a frame of run, query_id, doc_id and score, in canonical order; `tags` are all, in their order."""
    _require(frame, RUN, "a run")
    found, run = _codes(frame["run"])
    order = found if tags is None else list(tags)
    run = Vocabulary(order).codes(found)[run] if found else run
    topics, topic = _codes(frame["query_id"])
    docnos, document = _codes(frame["doc_id"])
    score = _numbers(frame, "score", "a number").astype(float)
    _refuse_duplicates(frame, ["run", "query_id", "doc_id"])
    return canonical(order, Vocabulary(topics), Vocabulary(docnos), run, topic, document, score)


def qrels_of(frame: DataFrame) -> Qrels:
    """The judgments in a frame of query_id, doc_id, relevance, and optionally the columns in MORE.

    ir_measures' Qrel has the field `iteration`, for the second column of TREC qrels, and uses it as the subtopic in
    measures of diversity. Here it is the subtopic where a document of a topic is judged for two of them, by the same
    rule that detects files of subtopic qrels; otherwise it is kept as the second column. A column `subtopic` is always
    the subtopic.
    """
    _require(frame, JUDGMENTS, "qrels")
    frame = with_subtopics(frame)
    topics, topic = _codes(frame["query_id"])
    docnos, document = _codes(frame["doc_id"])
    grade = _numbers(frame, "relevance", "a whole number").astype(np.int64)
    if "subtopic" in frame:
        _refuse_duplicates(frame, ["query_id", "doc_id", "subtopic"])
        subtopics, subtopic = _codes(frame["subtopic"])
        names = Vocabulary(topics), Vocabulary(docnos), Vocabulary(subtopics)
        return by_subtopic(*names, topic, document, subtopic, grade)
    _refuse_duplicates(frame, ["query_id", "doc_id"])
    iteration, stratum = (
        np.asarray(frame[name].astype(str), dtype=object) if name in frame else None
        for name in ("iteration", "stratum")
    )
    return Qrels(Vocabulary(topics), Vocabulary(docnos), topic, document, grade, iteration, stratum).rows(
        np.lexsort((document, topic))
    )


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
    names = frame.assign(iteration=frame["iteration"].astype(str))
    named = names[names["iteration"] != WHOLE_TOPIC].drop_duplicates([*PAIR, "iteration"])
    is_round = any(re.fullmatch(r"-\d+|-?\d*\.\d+", name) for name in names["iteration"].unique())
    return frame.rename(columns={"iteration": "subtopic"}) if named.duplicated(PAIR).any() and not is_round else frame


def _require(frame: DataFrame, columns: Sequence[str], what: str) -> None:
    missing = [column for column in columns if column not in frame]
    if missing:
        also = [f"{column} (or {', '.join(SYNONYMS[column])})" if column in SYNONYMS else column for column in missing]
        raise InputError(f"{what} needs the columns {', '.join(columns)}; missing: {', '.join(also)}")


def _codes(ids: Series[Any]) -> tuple[list[str], Ints]:
    """The distinct ids, sorted, and the number of each row's."""
    import pandas as pd

    if ids.isna().any():
        raise InputError(f"a {ids.name} is missing")
    codes, names = pd.factorize(ids.astype(str), sort=True)
    return [str(name) for name in names], codes.astype(np.int64)


def _numbers(frame: DataFrame, column: str, right: str) -> Floats | Ints:
    import pandas as pd

    numbers = np.asarray(pd.to_numeric(frame[column], errors="coerce"))
    numbers = numbers if numbers.dtype.kind in "iu" else numbers.astype(float)
    wrong = np.isnan(numbers) if column == "score" else ~are_grades(numbers)
    if wrong.any():
        at = int(np.argmax(wrong))
        row = frame.iloc[at]
        value = row[column].item() if isinstance(row[column], np.generic) else row[column]
        if column == "relevance" and float(numbers[at]).is_integer():
            right += " of at most 18 digits"
        elif column == "relevance" and isinstance(value, float):
            right += f"; {fractional(str(value))}"
        raise InputError(f"{_where(row)}: the {column} is {value!r}; expected {right}")
    return numbers


def _refuse_duplicates(frame: DataFrame, keys: list[str]) -> None:
    twice = np.asarray(frame[keys].astype(str).duplicated())
    if twice.any():
        raise InputError(f"{_where(frame.iloc[int(np.argmax(twice))])} appears twice")


def _where(row: Series[Any]) -> str:
    run = f"run '{row['run']}', " if "run" in row else ""
    return f"{run}topic '{row['query_id']}', document '{row['doc_id']}'"
