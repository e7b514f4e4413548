"""Evaluation, its averages, its inputs, and the precision-recall curve."""

from dataclasses import fields
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import gmean

from cranfield import Evaluator, fuse
from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Qrels, Runs, Vocabulary
from cranfield.errors import InputError, MeasureError
from cranfield.metrics import parse
from cranfield.metrics.dicts import qrels_from_plain_dict, runs_from_plain_dict
from cranfield.metrics.evaluate import aggregate_scores, curve, evaluate, geometric_mean, mean, precision_recall, total
from cranfield.metrics.frames import JUDGMENTS, RUN, frame_of, qrels_of, runs_of
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.options import Ideal
from tests.arrow import pa

QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 2, "c": 1}, "3": {"a": 0}}
RUNS = {"good": {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 2.0, "c": 1.0}, "9": {"a": 1.0}}, "bad": {"1": {"b": 1.0}}}


def values(table: pd.DataFrame) -> dict[tuple[str, ...], float]:
    keys = [column for column in table.columns if column != "value"]
    return {tuple(map(str, row[keys])): float(row["value"]) for _, row in table.iterrows()}


def test_a_mean_is_over_the_topics_of_the_qrels() -> None:
    """A missing topic and one without relevant documents count 0; a topic that nobody judged does not count."""
    assert values(evaluate(QRELS, RUNS, ["AP", "NumQ", "NumRet"])) == {
        ("good", "AP"): pytest.approx(2 / 3),
        ("good", "NumQ"): 3,
        ("good", "NumRet"): 4,
        ("bad", "AP"): 0,
        ("bad", "NumQ"): 3,
        ("bad", "NumRet"): 1,
    }


def test_only_the_answered_topics_count_if_asked_for() -> None:
    assert values(evaluate(QRELS, RUNS, ["AP", "NumQ", "NumRel"], retrieved_topics_only=True)) == {
        ("good", "AP"): 1,
        ("good", "NumQ"): 2,
        ("good", "NumRel"): 3,
        ("bad", "AP"): 0,
        ("bad", "NumQ"): 1,
        ("bad", "NumRel"): 1,
    }


def test_per_topic_has_a_row_for_every_topic() -> None:
    table = evaluate(QRELS, RUNS, ["AP", "P@1"], per_topic=True)
    assert list(table.columns) == ["run", "query_id", "measure", "value"]
    assert len(table) == 2 * 3 * 2
    assert values(table)["good", "2", "AP"] == 1
    assert values(table)["bad", "2", "AP"] == 0
    only = evaluate(QRELS, RUNS, "AP", per_topic=True, retrieved_topics_only=True)
    assert [*values(only)] == [("good", "1", "AP"), ("good", "2", "AP"), ("bad", "1", "AP")]


def test_the_undefined_is_left_out_of_a_mean() -> None:
    """Judged is undefined where nothing was retrieved; undefined everywhere it stays so, without a warning."""
    table = evaluate(QRELS, RUNS | {"none": {"9": {"a": 1.0}}}, ["Judged@10"])
    assert values(table) == {
        ("good", "Judged@10"): 1,
        ("bad", "Judged@10"): 1,
        ("none", "Judged@10"): pytest.approx(np.nan, nan_ok=True),
    }


def test_averages() -> None:
    assert mean(np.zeros((1, 0))) == pytest.approx([np.nan], nan_ok=True)
    assert geometric_mean(np.array([[1.0, 0.0]])) == pytest.approx([np.sqrt(1e-5)])
    scores = np.array([[[0.5, 2.0, 0.5], [0.0, 3.0, 0.0], [np.nan, np.nan, np.nan]]])
    measures = [parse("AP"), parse("NumRet"), parse("gMAP")]
    assert aggregate_scores(scores, measures).tolist() == [[0.25, 5.0, pytest.approx(np.sqrt(0.5e-5))]]


def test_scores_with_several_judgment_sets_are_averaged_set_by_set() -> None:
    """Sets, runs, topics and measures differ in number, so that no axis can stand for another."""
    scores = np.random.default_rng(2).random((2, 4, 5, 3))
    measures = [parse("AP"), parse("NumRet"), parse("gMAP")]
    expected = np.stack([scores[..., 0].mean(-1), scores[..., 1].sum(-1), gmean(scores[..., 2], axis=-1)], axis=2)
    assert aggregate_scores(scores, measures) == pytest.approx(expected)
    assert aggregate_scores(scores[..., :1], measures[:1]) == pytest.approx(expected[..., :1])


def test_measures_are_columns_of_their_canonical_names_each_once() -> None:
    assert evaluate(QRELS, RUNS, ["map", "AP", "P_5"])["measure"].unique().tolist() == ["AP", "P@5"]
    assert evaluate(QRELS, RUNS, parse("nDCG"))["measure"].unique().tolist() == ["nDCG"]
    with pytest.raises(MeasureError):
        evaluate(QRELS, RUNS, ["mapp"])


def test_topics_of_another_numbering_are_an_error_not_a_zero() -> None:
    with pytest.raises(InputError, match=r"the runs have 01, 02, and the qrels have 1, 2, 3"):
        evaluate(QRELS, {"01": {"a": 1.0}, "02": {"a": 1.0}}, "AP")
    with pytest.raises(InputError, match="the runs have 1, 2, 9, and the qrels have none"):
        evaluate({}, RUNS, "AP")
    assert evaluate(QRELS, {"r": {"1": {}}}, "AP")["value"].tolist() == [0.0]


def frame(rows: list[tuple[Any, ...]], *columns: str) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=list(columns))


ONE_RUN = [
    {"q": {"x": 2.0, "y": 1.0}},
    frame([("q", "y", 1.0), ("q", "x", 2.0)], "query_id", "doc_id", "score"),
    {"run": {"q": {"x": 2, "y": 1}}},
    {"run": frame([("q", "y", "1"), ("q", "x", "2")], "query_id", "doc_id", "score")},
    frame([("run", "q", "y", 1), ("run", "q", "x", 2)], "run", "query_id", "doc_id", "score"),
]


@pytest.mark.parametrize("form", ONE_RUN)
def test_runs_are_taken_as_dict_or_frame_by_tag_or_alone(form: Any) -> None:
    runs = as_runs(form)
    assert runs.tags == ("run",)
    assert runs.docnos.names[runs.document].tolist() == ["x", "y"]
    assert runs.score.tolist() == [2.0, 1.0]
    assert as_runs(runs) is runs


def test_runs_by_tag_keep_their_order_and_the_empty_ones() -> None:
    runs = as_runs({"z": {"q": {"x": 1.0}}, "empty": {}, "a": {"q": {"y": 1.0}}})
    assert runs.tags == ("z", "empty", "a")
    assert runs.run.tolist() == [0, 2]


def test_ids_are_text() -> None:
    runs = frame([(1, 10, 0.5)], "query_id", "doc_id", "score")
    qrels = frame([("1", "10", 1)], "query_id", "doc_id", "relevance")
    assert evaluate(qrels, runs, "AP")["value"].tolist() == [1.0]


def test_qrels_are_taken_as_dict_or_frame() -> None:
    as_frame = as_qrels(
        frame([("2", "b", 1.0, "x"), ("1", "a", -1, "y")], "query_id", "doc_id", "relevance", "iteration")
    )
    as_dict = as_qrels({"2": {"b": 1}, "1": {"a": -1}})
    for qrels in (as_frame, as_dict):
        assert qrels.qids == ["1", "2"]
        assert qrels.grade.tolist() == [-1, 1]
    assert as_frame.iteration is not None
    assert as_frame.iteration.tolist() == ["y", "x"]
    assert as_qrels(as_dict) is as_dict


FUSED = fuse({"a": {"q": {"d": 1.0}}})
BAD_RUNS = [
    (3, "the runs are of type int; expected paths, a DataFrame, a dict or records"),
    ([], "no runs were given: the list is empty; expected at least one run"),
    ([{"q": {"d": 1}}, {"q": {"d": 2}}], "a list of 2 runs has no tags; expected a dict by tag, such as {'bm25': run}"),
    (["a.run", {"q": {"d": 1}}], "item 2 of the list of runs is a dict; expected paths only, or a dict by tag"),
    (["a.run", "b.run", FUSED], "item 3 of the list of runs is a FusedRun; expected paths only, or a dict by tag"),
    ([FUSED.frame, "a.run"], "item 1 of the list of runs is a DataFrame; expected paths only, or a dict by tag"),
    ({"q": 3}, "the value of topic 'q' is 3; expected a dict of documents"),
    ({"r": {"q": {}}, "s": 3}, "run 's' is 3; expected a dict of topics, a DataFrame, a path or records"),
    ({"q": {"d": None}}, "document 'd': the score is None; expected a number"),
    ({"q": {"d": float("nan")}}, "the score is nan"),
    ({"r": {"q": {"d": "x"}}}, "run 'r', topic 'q', document 'd': the score is 'x'"),
    (frame([(None, "d", 1)], "query_id", "doc_id", "score"), "a query_id is missing"),
    (frame([("q", "d")], "query_id", "doc_id"), "a run needs the columns query_id, doc_id, score; missing: score"),
    (frame([("q", "d", 1), ("q", "d", 2)], "query_id", "doc_id", "score"), "topic 'q', document 'd' appears twice"),
]
BAD_QRELS = [
    (3, "qrels are a path, a DataFrame, a dict or records, not int"),
    ({"q": "d"}, "topic 'q' is 'd'; expected a set or list"),
    ({"q": {"d": "yes"}}, "the relevance is 'yes'; expected a number"),
    (frame([("q", "d", 1), ("q", "d", 1)], "query_id", "doc_id", "relevance"), "appears twice"),
    (frame([], "qid"), r"missing: doc_id \(or docno, docid, corpus-id\), relevance \(or label, grade, rel\)"),
]


@pytest.mark.parametrize(("wrong", "message"), BAD_RUNS)
def test_bad_runs_are_refused_in_one_line(wrong: Any, message: str) -> None:
    for take in (as_runs, Evaluator({"q": {"d": 1}}, "AP").evaluate):
        with pytest.raises(InputError, match=message):
            take(wrong)


@pytest.mark.parametrize(("wrong", "message"), BAD_QRELS)
def test_bad_qrels_are_refused_in_one_line(wrong: Any, message: str) -> None:
    for take in (as_qrels, partial(Evaluator, measures="AP")):
        with pytest.raises(InputError, match=message):
            take(wrong)


def test_the_curve_is_interpolated_precision_averaged_over_topics() -> None:
    table = precision_recall(QRELS, RUNS)
    assert list(table.columns) == ["run", "recall", "precision"]
    assert len(table) == 2 * 11
    reference = evaluate(QRELS, RUNS, [f"IPrec@{point / 10}" for point in range(11)])
    assert table["precision"].tolist() == reference["value"].tolist()
    assert curve(join_runs_and_qrels(as_runs(RUNS), as_qrels(QRELS)), rel=2)[0] == pytest.approx([1 / 3] * 11)


def test_the_curve_never_rises() -> None:
    rng = np.random.default_rng(3)
    qrels = {str(t): {f"d{d}": int(rng.integers(0, 2)) for d in range(30)} for t in range(5)}
    run = {str(t): {f"d{d}": float(rng.random()) for d in range(40)} for t in range(5)}
    assert np.all(np.diff(precision_recall(qrels, run)["precision"]) <= 0)


ids = st.sampled_from(["1", "10", "2", "D", "d", "é", "\U0001f600", "\uff5e", ""])
numbers = st.one_of(
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False),
    st.booleans(),
    st.builds(np.float32, st.floats(allow_nan=False, width=32)),
)
grades = st.one_of(st.integers(-2, 4), st.sampled_from([1.0, np.int8(2), True]))


def content(arrays: Runs | Qrels | Judged) -> dict[str, Any]:
    """All that runs, qrels or both hold."""
    columns = {field.name: getattr(arrays, field.name) for field in fields(arrays) if field.compare}
    return {name: value.names if isinstance(value, Vocabulary) else value for name, value in columns.items()}


def assert_same(one: Runs | Qrels | Judged, other: Runs | Qrels | Judged) -> None:
    reference = content(other)
    for name, value in content(one).items():
        same = np.array_equal(value, reference[name]) if isinstance(value, np.ndarray) else value == reference[name]
        assert same, name
        assert getattr(value, "dtype", None) == getattr(reference[name], "dtype", None), name


@given(st.dictionaries(ids, st.dictionaries(ids, st.dictionaries(ids, numbers, max_size=4), max_size=3), max_size=3))
def test_runs_are_those_of_a_frame(runs: dict[str, dict[str, dict[str, Any]]]) -> None:
    """Runs, topics and dicts that are empty, ties, numbers of every kind; whole ones of 70 bits are left to it."""
    rows = [(tag, q, d, score) for tag, run in runs.items() for q, of in run.items() for d, score in of.items()]
    ours = runs_from_plain_dict(runs)
    if ours is None:
        assert any(isinstance(row[-1], int) and abs(row[-1]) >= 2**63 for row in rows)
    else:
        assert_same(ours, runs_of(frame_of(rows, ("run", *RUN)), tags=list(runs)))


@given(st.dictionaries(ids, st.dictionaries(ids, grades, max_size=5), max_size=4))
def test_qrels_are_those_of_a_frame(qrels: dict[str, dict[str, Any]]) -> None:
    rows = [(q, d, grade) for q, of in qrels.items() for d, grade in of.items()]
    ours = qrels_from_plain_dict(qrels)
    assert ours is not None
    assert_same(ours, qrels_of(frame_of(rows, JUDGMENTS)))


@pytest.mark.parametrize("score", [None, "1.5", np.nan, [1.0], 10**400, np.timedelta64(1, "s")])
def test_a_score_that_is_no_number_is_left_to_the_frame(score: object) -> None:
    assert runs_from_plain_dict({"r": {"q": {"d": 1.0, "e": score}}}) is None


@pytest.mark.parametrize("qrels", [{1: {"d": 1}}, {"q": {1: 1}}, {"q": {"d": np.inf}}, {"q": ["d"]}])
def test_grades_and_ids_that_are_not_plain_are_left_to_the_frame(qrels: Any) -> None:
    assert qrels_from_plain_dict(qrels) is None


def test_what_is_not_plain_is_read_all_the_same() -> None:
    """Ids that are numbers are text, and so is a score that says one."""
    assert_same(as_runs({7: {1: {2: "1.5"}}}), as_runs({"7": {"1": {"2": 1.5}}}))
    assert_same(as_qrels({1: {2: 1}}), as_qrels({"1": {"2": 1}}))


LONG = "expected a number of at most 18 digits"


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
    """A float has 53 bits."""
    most = 10**18 - 1
    frame = pd.DataFrame({"query_id": "q", "doc_id": ["d", "e"], "relevance": [most, 2**53 + 1]})
    for qrels in ({"q": {"d": most, "e": 2**53 + 1}}, frame):
        assert as_qrels(qrels).grade.tolist() == [most, 2**53 + 1]
    assert as_qrels({"q": {"d": 0.5}}).grade.tolist() == [0.5]


def test_calls_share_nothing_that_changes() -> None:
    """A table that is changed leaves the next as it is, and judgments that are changed count as they are then."""
    qrels = {"1": {"a": 1, "b": 0}}
    first = evaluate(qrels, {"1": {"a": 1.0}}, "P@1")
    first["run"], first["value"] = "x", 9.0
    second = evaluate(qrels, {"1": {"a": 1.0}}, "P@1")
    assert second.to_numpy().tolist() == [["run", "P@1", 1.0]]
    qrels["1"] = {"b": 1, "a": 0}
    third = evaluate(qrels, {"1": {"a": 1.0, "b": 0.5}}, ["P@1", "RR"])
    assert third["value"].tolist() == [0.0, 0.5]
    other = evaluate({"1": {"x": 1, "a": 0}}, {"1": {"a": 1.0}}, "P@1")
    assert other["value"].tolist() == [0.0]


class HeldByRanx:
    """A run or qrels as ranx holds them: its module, a name, and a way to dicts."""

    __module__ = "ranx.data_structures"

    def __init__(self, name: str, content: dict[str, dict[str, float]]) -> None:
        self.name, self._content = name, content

    def to_dict(self) -> dict[str, dict[str, float]]:
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


@pytest.mark.daily
def test_a_run_of_ranx_is_read() -> None:
    """The library's own class."""
    ranx = pytest.importorskip("ranx")
    run = {"q": {"d": 1.5, "e": 1.0}}
    assert_same(as_runs([ranx.Run(run, name="a")]), as_runs({"a": run}))
    assert_same(as_qrels(ranx.Qrels({"q": {"d": 1}})), as_qrels({"q": {"d": 1}}))


@pytest.mark.parametrize("size", [400, 5000])
def test_numbers_beyond_floats_are_refused(size: int) -> None:
    """With their place, and without their digits."""
    large, one = {"q": {"a": 10**size, "b": 1}}, {"q": {"a": 1, "b": 0}}
    message = f"topic 'q', document 'a': the {{}} has about {size + 1} digits; expected a number below 1.8e308"
    for runs, qrels, name in ((large, one, "score"), (one, large, "relevance")):
        with pytest.raises(InputError) as error:
            evaluate(qrels, runs, measures=["RR"])
        assert str(error.value).endswith(message.format(name))


class DatasetStub:
    """A data set of ir_datasets: the module of its class tells it from other objects."""

    __module__ = "ir_datasets.datasets.base"

    def __init__(self, qrels: list[tuple[str, str, int]] | None) -> None:
        self.qrels = qrels

    def has_qrels(self) -> bool:
        return self.qrels is not None

    def qrels_iter(self) -> Any:
        return iter(self.qrels or ())


def test_qrels_of_an_ir_datasets_dataset() -> None:
    qrels = as_qrels(DatasetStub([("1", "a", 2), ("1", "b", 0)]))  # type: ignore[arg-type]
    assert dict(zip(qrels.docnos.names[qrels.document].tolist(), qrels.grade.tolist(), strict=True)) == {"a": 2, "b": 0}
    with pytest.raises(InputError, match="this ir_datasets dataset has no qrels"):
        as_qrels(DatasetStub(None))  # type: ignore[arg-type]


def test_the_first_gains_of_the_best_ranking() -> None:
    """All gains of a topic that has fewer; 0 in a topic without gains, after one with gains."""
    best = Ideal(np.array([0, 0, 2]), np.array([1, 2, 1]), np.array([3.0, 1.0, 2.0]), np.array([2, 0, 1]))
    topic, rank = np.array([0, 0, 1, 2]), np.array([1, 5, 3, 1])
    assert best.first(best.gain, topic, rank).tolist() == [3, 4, 0, 2]


def test_topics_are_added_one_after_the_other() -> None:
    """As trec_eval adds them: a sum in pairs would round this mean to 0.0333."""
    values = np.array([0.01, 0.109, 0.008] * 40)
    added = 0.0
    for value in values.tolist():
        added += value
    for shape in ((1, 120), (1, 1, 120), (3, 120)):
        assert (mean(np.broadcast_to(values, shape)) == added / 120).all()
        assert (total(np.broadcast_to(values, shape)) == added).all()
    assert np.add.reduce(values) != added
