"""What the functions of the Python API take as runs and as qrels, made Runs and Qrels.

Runs: Runs, paths of run files, a DataFrame (query_id, doc_id, score; run, where there are several), a dict
{qid: {docno: score}}, or a dict of any of these but Runs by tag. Qrels: Qrels, a path, a DataFrame (query_id, doc_id,
relevance), or a dict {qid: {docno: grade}}. Ids are text: the topics 1 and "1" are one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cranfield.errors import InputError
from cranfield.rankings import Ints, Qrels, Runs, Vocabulary, canonical

if TYPE_CHECKING:
    from pandas import DataFrame, Series

Path: TypeAlias = "str | PathLike[str]"
RunsLike: TypeAlias = "Runs | Path | Sequence[Path] | DataFrame | Mapping[str, Any]"
QrelsLike: TypeAlias = "Qrels | Path | DataFrame | Mapping[str, Mapping[str, int]]"


def as_runs(given: RunsLike) -> Runs:
    """Runs in canonical order.

    >>> runs = as_runs({"bm25": {"q1": {"d1": 1.0, "d2": 2.0}}, "empty": {}})
    >>> runs.tags, runs.docnos.names[runs.document].tolist()
    (('bm25', 'empty'), ['d2', 'd1'])
    >>> as_runs({"q1": {"d1": "high"}})
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: run 'run', topic 'q1', document 'd1': the score is 'high', where a number is right
    """
    import pandas as pd

    if isinstance(given, Runs):
        return given
    if isinstance(given, str | PathLike):
        return _read_runs([given])
    if isinstance(given, pd.DataFrame):
        return _runs(given.assign(run="run") if "run" not in given else given)
    if isinstance(given, Mapping):
        return _runs_by_tag(given if _is_by_tag(given) else {"run": given})
    if isinstance(given, Sequence) and given and all(isinstance(path, str | PathLike) for path in given):
        return _read_runs(given)
    raise InputError(f"runs are paths, a DataFrame or a dict, not {type(given).__name__}")


def as_qrels(given: QrelsLike) -> Qrels:
    """Qrels.

    >>> as_qrels({"q1": {"d1": 1, "d2": 0}}).grade
    array([1, 0])
    >>> as_qrels({"q1": {"d1": 0.5}})
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: topic 'q1', document 'd1': the relevance is 0.5, where a whole number is right
    """
    import pandas as pd

    if isinstance(given, Qrels):
        return given
    if isinstance(given, str | PathLike):
        from cranfield.formats import read_qrels

        return read_qrels(given)
    if isinstance(given, pd.DataFrame):
        return _qrels(given)
    if isinstance(given, Mapping):
        return _qrels(_frame(_triples(given), ["query_id", "doc_id", "relevance"]))
    raise InputError(f"qrels are a path, a DataFrame or a dict, not {type(given).__name__}")


def _read_runs(paths: Sequence[Path]) -> Runs:
    from cranfield.formats import read_runs

    return read_runs(list(paths))


def _is_by_tag(given: Mapping[str, Any]) -> bool:
    """Whether the keys are tags: there is a frame under one, or dicts two levels down."""
    import pandas as pd

    inner = [value for run in given.values() if isinstance(run, Mapping) for value in run.values()]
    return any(isinstance(value, Mapping) for value in inner) or any(
        isinstance(run, pd.DataFrame) for run in given.values()
    )


def _runs_by_tag(given: Mapping[str, Any]) -> Runs:
    import pandas as pd

    columns = ["query_id", "doc_id", "score"]
    empty = _frame([], [*columns, "run"])
    frames = [_run_frame(tag, run, columns).assign(run=str(tag)) for tag, run in given.items()]
    return _runs(pd.concat([empty, *frames]), tags=[str(tag) for tag in given])


def _run_frame(tag: str, run: object, columns: list[str]) -> DataFrame:
    import pandas as pd

    if isinstance(run, pd.DataFrame):
        return run
    if isinstance(run, Mapping):
        return _frame(_triples(run), columns)
    raise InputError(f"run '{tag}' is {run!r}, where a dict of topics or a DataFrame is right")


def _triples(given: Mapping[str, Any]) -> list[tuple[str, str, object]]:
    wrong = [qid for qid, documents in given.items() if not isinstance(documents, Mapping)]
    if wrong:
        raise InputError(f"topic '{wrong[0]}' holds {given[wrong[0]]!r}, where a dict of documents is right")
    return [(qid, docno, value) for qid, documents in given.items() for docno, value in documents.items()]


def _frame(rows: list[tuple[str, str, object]], columns: list[str]) -> DataFrame:
    import pandas as pd

    return pd.DataFrame(rows, columns=columns, dtype=object)


def _runs(frame: DataFrame, tags: Sequence[str] | None = None) -> Runs:
    _require(frame, ["query_id", "doc_id", "score"], "a run")
    found, run = _codes(frame["run"])
    order = found if tags is None else list(tags)
    run = Vocabulary(order).codes(found)[run] if found else run
    topics, topic = _codes(frame["query_id"])
    docnos, document = _codes(frame["doc_id"])
    score = _numbers(frame, "score", "a number")
    _refuse_duplicates(frame, ["run", "query_id", "doc_id"])
    return canonical(order, Vocabulary(topics), Vocabulary(docnos), run, topic, document, score)


def _qrels(frame: DataFrame) -> Qrels:
    _require(frame, ["query_id", "doc_id", "relevance"], "qrels")
    topics, topic = _codes(frame["query_id"])
    docnos, document = _codes(frame["doc_id"])
    grade = _numbers(frame, "relevance", "a whole number").astype(np.int64)
    _refuse_duplicates(frame, ["query_id", "doc_id"])
    iteration = np.asarray(frame["iteration"].astype(str), dtype=object) if "iteration" in frame else None
    return Qrels(Vocabulary(topics), Vocabulary(docnos), topic, document, grade, iteration).rows(
        np.lexsort((document, topic))
    )


def _require(frame: DataFrame, columns: list[str], what: str) -> None:
    missing = [column for column in columns if column not in frame]
    if missing:
        raise InputError(f"{what} needs the columns {', '.join(columns)}; there is no {', '.join(missing)}")


def _codes(ids: Series[Any]) -> tuple[list[str], Ints]:
    """The distinct ids, sorted, and the number of each row's."""
    import pandas as pd

    if ids.isna().any():
        raise InputError(f"a {ids.name} is missing")
    codes, names = pd.factorize(ids.astype(str), sort=True)
    return [str(name) for name in names], codes.astype(np.int64)


def _numbers(frame: DataFrame, column: str, right: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    import pandas as pd

    numbers = np.asarray(pd.to_numeric(frame[column], errors="coerce"), dtype=float)
    wrong = np.isnan(numbers) if column == "score" else ~np.isfinite(numbers) | (numbers % 1 != 0)
    if wrong.any():
        row = frame.iloc[int(np.argmax(wrong))]
        value = row[column].item() if isinstance(row[column], np.generic) else row[column]
        raise InputError(f"{_where(row)}: the {column} is {value!r}, where {right} is right")
    return numbers


def _refuse_duplicates(frame: DataFrame, keys: list[str]) -> None:
    twice = np.asarray(frame[keys].astype(str).duplicated())
    if twice.any():
        raise InputError(f"{_where(frame.iloc[int(np.argmax(twice))])} is there twice")


def _where(row: Series[Any]) -> str:
    run = f"run '{row['run']}', " if "run" in row else ""
    return f"{run}topic '{row['query_id']}', document '{row['doc_id']}'"
