"""Scores by topic in the shapes of pivots, and results as data frames of other libraries."""

import sys
from typing import Any

import pandas as pd
import pytest

import cranfield
from cranfield.errors import InputError
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.results import Result
from tests.needed_extras import skip_without

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}, "q3": {"d1": 1}}
RUNS = {
    "a": {"q1": {"d1": 1.0}, "q2": {"d2": 1.0, "d1": 0.5}, "q3": {"d2": 1.0}},
    "b": {"q1": {"d1": 1.0}, "q2": {"d1": 1.0}, "q3": {"d1": 1.0}},
}
RESULT = cranfield.evaluate(QRELS, RUNS, measures=["AP", "P@1"], per_topic=True)
LONG = RESULT.frame
BOTH = LONG.pivot(index=["run", "query_id"], columns="measure", values="value")
ONE = LONG[LONG["measure"] == "AP"].pivot(index="query_id", columns="run", values="value")


def by(*columns: str) -> pd.DataFrame:
    rows = [name for name in ("run", "query_id", "measure") if name not in columns]
    return LONG.pivot(index=rows, columns=[*columns], values="value")


SHAPES: dict[str, Any] = {
    "result": RESULT,
    "long": LONG,
    "pivot=True": cranfield.evaluate(QRELS, RUNS, measures=["AP", "P@1"], per_topic=True, pivot=True),
    "index of run and topic": BOTH,
    "columns of run and topic": BOTH.reset_index(),
    "names of PyTerrier": BOTH.reset_index().rename(columns={"query_id": "qid", "run": "tag"}),
    "topics by measure and run": by("measure", "run"),
    "runs by measure and topic": by("measure", "query_id"),
    "columns are topics": by("query_id"),
    "columns are runs": by("run"),
}
WRONG: dict[str, tuple[Any, str]] = {
    "means": (
        cranfield.evaluate(QRELS, RUNS, measures="AP").frame,
        "^scores of runs without topics; expected scores by",
    ),
    "wide means": (
        cranfield.evaluate(QRELS, RUNS, measures="AP", pivot=True).frame,
        "^scores of runs without topics; expected scores",
    ),
    "no measure": (ONE, "^this table of runs and topics does not name its measure; give it, as in measures='AP'"),
    "no names": (
        ONE.rename_axis(columns=None),
        r"^the columns of these scores have no name; expected .rename_axis\(col",
    ),
    "text": (BOTH.astype(object).where(BOTH != 0.5, "half"), "^a score is 'half'; expected a number"),
}


def compared(scores: Any, measures: Any = None) -> list[Any]:
    table = cranfield.compare(scores, measures=measures).frame
    return table[["run_a", "run_b", "measure", "difference", "p"]].values.tolist()


@pytest.mark.parametrize("shape", SHAPES)
def test_scores_in_each_shape_compare_equally(shape: str) -> None:
    assert compared(SHAPES[shape], ["AP", "P@1"]) == compared(LONG)


@pytest.mark.parametrize("table", [ONE, ONE.T, ONE.reset_index()], ids=["topics by runs", "runs by topics", "column"])
def test_a_table_of_topics_and_runs_needs_the_name_of_its_measure(table: pd.DataFrame) -> None:
    assert compared(table, "AP") == compared(LONG, "AP")


@pytest.mark.parametrize("case", WRONG)
def test_wrong_tables_of_scores_are_refused_in_one_line(case: str) -> None:
    table, message = WRONG[case]
    with pytest.raises(InputError, match=message) as error:
        cranfield.compare(table)
    assert "\n" not in str(error.value)


def test_results_are_frames_of_polars_and_back() -> None:
    polars = pytest.importorskip("polars")
    skip_without("frames")
    frame = RESULT.to_frame("polars")
    assert isinstance(frame, polars.DataFrame)
    assert frame.columns == [*LONG.columns]
    assert compared(frame) == compared(LONG)
    wide = SHAPES["pivot=True"].to_frame("polars")
    assert wide.columns == ["run", "query_id", "AP", "P@1"]
    assert compared(wide) == compared(LONG)


def test_polars_is_read_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    polars = pytest.importorskip("polars")
    run = polars.DataFrame({"query_id": ["q"], "doc_id": ["d"], "score": [0.5]})
    qrels = polars.DataFrame({"query_id": ["q"], "doc_id": ["d"], "relevance": [1]})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert as_runs(run).score.tolist() == [0.5]
    assert as_qrels(qrels.lazy()).grade.tolist() == [1]


def test_cells_of_several_types_are_refused() -> None:
    pytest.importorskip("polars")
    skip_without("frames")
    with pytest.raises(
        InputError, match=r"^the column 'x' contains cells of several types, but polars needs one type per column"
    ):
        Result([{"x": 1}, {"x": "a"}]).to_frame("polars")
    with pytest.raises(InputError, match=r"^library is 'nothing'; expected a library that narwhals supports"):
        RESULT.to_frame("nothing")


def test_a_missing_narwhals_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "narwhals", None)
    with pytest.raises(InputError, match=r"^a frame of another library needs narwhals: pip install 'cranfield\[frames"):
        RESULT.to_frame("polars")
