"""Plain dicts are read at once, and as a frame of the same rows is; what is not plain is left to the frame."""

from dataclasses import fields
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.arrays.rankings import Qrels, Runs, Vocabulary
from cranfield.errors import InputError
from cranfield.metrics.frames import JUDGMENTS, RUN, framed, plain_qrels, plain_runs, qrels_of, runs_of
from cranfield.metrics.inputs import as_qrels, as_runs
from tests.conftest import repeats_others

ids = st.sampled_from(["1", "10", "2", "D", "d", "é", "\U0001f600", "\uff5e", ""])
numbers = st.one_of(
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False),
    st.booleans(),
    st.builds(np.float32, st.floats(allow_nan=False, width=32)),
)
grades = st.one_of(st.integers(-2, 4), st.sampled_from([1.0, np.int8(2), True]))


def content(found: Runs | Qrels) -> dict[str, Any]:
    """All that runs or qrels hold."""
    held = {field.name: getattr(found, field.name) for field in fields(found)}
    return {name: value.names if isinstance(value, Vocabulary) else value for name, value in held.items()}


def assert_same(one: Runs | Qrels, other: Runs | Qrels) -> None:
    expected = content(other)
    for name, value in content(one).items():
        assert np.array_equal(value, expected[name]), name
        assert getattr(value, "dtype", None) == getattr(expected[name], "dtype", None), name


@given(st.dictionaries(ids, st.dictionaries(ids, st.dictionaries(ids, numbers, max_size=4), max_size=3), max_size=3))
def test_runs_are_those_of_a_frame(runs: dict[str, dict[str, dict[str, Any]]]) -> None:
    """Runs, topics and dicts that are empty, ties, numbers of every kind; whole ones of 70 bits are left to it."""
    rows = [(tag, q, d, score) for tag, run in runs.items() for q, of in run.items() for d, score in of.items()]
    found = plain_runs(runs)
    if found is None:
        assert any(isinstance(row[-1], int) and abs(row[-1]) >= 2**63 for row in rows)
    else:
        assert_same(found, runs_of(framed(rows, ("run", *RUN)), tags=list(runs)))


@given(st.dictionaries(ids, st.dictionaries(ids, grades, max_size=5), max_size=4))
def test_qrels_are_those_of_a_frame(qrels: dict[str, dict[str, Any]]) -> None:
    rows = [(q, d, grade) for q, of in qrels.items() for d, grade in of.items()]
    found = plain_qrels(qrels)
    assert found is not None
    assert_same(found, qrels_of(framed(rows, JUDGMENTS)))


@pytest.mark.parametrize("score", [None, "1.5", np.nan, [1.0], 10**400, np.timedelta64(1, "s")])
def test_a_score_that_is_no_number_is_left_to_the_frame(score: object) -> None:
    assert plain_runs({"r": {"q": {"d": 1.0, "e": score}}}) is None


@pytest.mark.parametrize("qrels", [{1: {"d": 1}}, {"q": {1: 1}}, {"q": {"d": 0.5}}, {"q": {"d": np.inf}}, {"q": ["d"]}])
def test_grades_and_ids_that_are_not_plain_are_left_to_the_frame(qrels: Any) -> None:
    assert plain_qrels(qrels) is None


def test_what_is_not_plain_is_read_all_the_same() -> None:
    """Ids that are numbers are text, and so is a score that says one."""
    assert_same(as_runs({7: {1: {2: "1.5"}}}), as_runs({"7": {"1": {"2": 1.5}}}))
    assert_same(as_qrels({1: {2: 1}}), as_qrels({"1": {"2": 1}}))


LONG = "expected a whole number of at most 18 digits"


@pytest.mark.parametrize("grade", [10**18, 2**63, 2**64, -(2**63) - 1, np.uint64(2**63 + 1), 1e18, 1e300])
def test_a_grade_that_does_not_fit_is_refused(grade: Any) -> None:
    """It would turn negative; alone, among others, and in frames of any kind."""
    frame = pd.DataFrame({"query_id": "q", "doc_id": ["d", "e"], "relevance": pd.Series([grade, 1], dtype=object)})
    alone = pd.DataFrame({"query_id": ["q"], "doc_id": ["d"], "relevance": [grade]})
    for qrels in (
        {"q": {"d": grade}},
        {"q": {"d": grade, "e": -2}},
        frame,
        alone,
        pa.table({"query_id": ["q"], "doc_id": ["d"], "relevance": pa.array([2**63], pa.uint64())}),
    ):
        with pytest.raises(InputError, match=LONG):
            as_qrels(qrels)


def test_a_long_grade_keeps_every_digit() -> None:
    """A float has 53 bits; one that is not whole has its own remedy."""
    most = 10**18 - 1
    frame = pd.DataFrame({"query_id": "q", "doc_id": ["d", "e"], "relevance": [most, 2**53 + 1]})
    for qrels in ({"q": {"d": most, "e": 2**53 + 1}}, frame):
        assert as_qrels(qrels).grade.tolist() == [most, 2**53 + 1]
    with pytest.raises(InputError, match="expected a whole number; --times 10"):
        as_qrels({"q": {"d": 0.5}})


class HeldByRanx:
    """A run or qrels as ranx holds them: its module, a name, and a way to dicts."""

    __module__ = "ranx.data_structures"

    def __init__(self, name: str, content: dict[str, dict[str, float]]) -> None:
        self.name, self._content = name, content

    def to_dict(self) -> dict[str, dict[str, float]]:
        """All of it."""
        return self._content


def test_what_other_libraries_hold_is_read() -> None:
    """Frames of Arrow, as polars and DuckDB give them, and ranx's runs under their names, one, several or by tag."""
    run = {"q": {"d": 1.5, "e": 1.0}}
    frame = pa.table({"query_id": ["q", "q"], "doc_id": ["d", "e"], "score": [1.5, 1.0]})
    assert_same(as_runs(frame), as_runs(run))
    ranx: Any = HeldByRanx("a", run)
    assert_same(as_runs(ranx), as_runs(run))
    assert_same(as_runs([HeldByRanx("a", run), HeldByRanx("", run)]), as_runs({"a": run, "run 2": run}))
    assert_same(as_runs({"x": HeldByRanx("a", run), "y": frame}), as_runs({"x": run, "y": run}))
    ranx = HeldByRanx("q", {"q": {"d": 1}})
    assert_same(as_qrels(ranx), as_qrels({"q": {"d": 1}}))
    table = pa.table({"query_id": ["q"], "doc_id": ["d"], "relevance": [1]})
    assert_same(as_qrels(table), as_qrels({"q": {"d": 1}}))


@repeats_others
def test_a_run_of_ranx_is_read() -> None:
    """The library's own class."""
    ranx = pytest.importorskip("ranx")
    run = {"q": {"d": 1.5, "e": 1.0}}
    assert_same(as_runs([ranx.Run(run, name="a")]), as_runs({"a": run}))
    assert_same(as_qrels(ranx.Qrels({"q": {"d": 1}})), as_qrels({"q": {"d": 1}}))
