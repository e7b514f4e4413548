"""Evaluation, its averages, its inputs, and the precision-recall curve."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from cranfield.arrays.join import judge
from cranfield.errors import InputError, MeasureError
from cranfield.metrics import parse
from cranfield.metrics.evaluate import aggregate, curve, evaluate, geometric_mean, mean, precision_recall
from cranfield.metrics.inputs import as_qrels, as_runs

QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 2, "c": 1}, "3": {"a": 0}}
RUNS = {"good": {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 2.0, "c": 1.0}, "9": {"a": 1.0}}, "bad": {"1": {"b": 1.0}}}


def values(table: pd.DataFrame) -> dict[tuple[str, ...], float]:
    keys = [column for column in table.columns if column != "value"]
    return {tuple(map(str, row[keys])): float(row["value"]) for _, row in table.iterrows()}


def test_a_mean_is_over_the_topics_of_the_qrels() -> None:
    """A missing topic and one without relevant documents count 0; a topic that nobody judged does not count."""
    assert values(evaluate(RUNS, QRELS, ["AP", "NumQ", "NumRet"])) == {
        ("good", "AP"): pytest.approx(2 / 3),
        ("good", "NumQ"): 3,
        ("good", "NumRet"): 4,
        ("bad", "AP"): 0,
        ("bad", "NumQ"): 3,
        ("bad", "NumRet"): 1,
    }


def test_only_the_answered_topics_count_if_asked_for() -> None:
    assert values(evaluate(RUNS, QRELS, ["AP", "NumQ", "NumRel"], retrieved_topics_only=True)) == {
        ("good", "AP"): 1,
        ("good", "NumQ"): 2,
        ("good", "NumRel"): 3,
        ("bad", "AP"): 0,
        ("bad", "NumQ"): 1,
        ("bad", "NumRel"): 1,
    }


def test_per_topic_has_a_row_for_every_topic() -> None:
    table = evaluate(RUNS, QRELS, ["AP", "P@1"], per_topic=True)
    assert list(table.columns) == ["run", "query_id", "measure", "value"]
    assert len(table) == 2 * 3 * 2
    assert values(table)["good", "2", "AP"] == 1
    assert values(table)["bad", "2", "AP"] == 0
    only = evaluate(RUNS, QRELS, "AP", per_topic=True, retrieved_topics_only=True)
    assert [*values(only)] == [("good", "1", "AP"), ("good", "2", "AP"), ("bad", "1", "AP")]


def test_the_undefined_is_left_out_of_a_mean() -> None:
    """Judged is undefined where nothing was retrieved; undefined everywhere it stays so, without a warning."""
    table = evaluate(RUNS | {"none": {"9": {"a": 1.0}}}, QRELS, ["Judged@10"])
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
    assert aggregate(scores, measures).tolist() == [[0.25, 5.0, pytest.approx(np.sqrt(0.5e-5))]]


def test_measures_are_columns_of_their_canonical_names_each_once() -> None:
    assert evaluate(RUNS, QRELS, ["map", "AP", "P_5"])["measure"].unique().tolist() == ["AP", "P@5"]
    assert evaluate(RUNS, QRELS, parse("nDCG"))["measure"].unique().tolist() == ["nDCG"]
    with pytest.raises(MeasureError):
        evaluate(RUNS, QRELS, ["mapp"])


def test_topics_of_another_numbering_are_an_error_not_a_zero() -> None:
    with pytest.raises(InputError, match=r"the runs have 01, 02, the qrels have 1, 2, 3"):
        evaluate({"01": {"a": 1.0}, "02": {"a": 1.0}}, QRELS, "AP")
    with pytest.raises(InputError, match="the runs have 1, 2, 9, the qrels have none"):
        evaluate(RUNS, {}, "AP")
    assert evaluate({"r": {"1": {}}}, QRELS, "AP")["value"].tolist() == [0.0]


def frame(rows: list[tuple[Any, ...]], *columns: str) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=list(columns))


ONE_RUN = [
    {"q": {"x": 2.0, "y": 1.0}},
    frame([("q", "y", 1.0), ("q", "x", 2.0)], "query_id", "doc_id", "score"),
    {"run": {"q": {"x": 2, "y": 1}}},
    {"run": frame([("q", "y", "1"), ("q", "x", "2")], "query_id", "doc_id", "score")},
    frame([("run", "q", "y", 1), ("run", "q", "x", 2)], "run", "query_id", "doc_id", "score"),
]


@pytest.mark.parametrize("given", ONE_RUN)
def test_runs_are_taken_as_dict_or_frame_by_tag_or_alone(given: Any) -> None:
    runs = as_runs(given)
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
    assert evaluate(runs, qrels, "AP")["value"].tolist() == [1.0]


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


def test_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 2.0 tagged\n")
    for runs in (tmp_path / "run", str(tmp_path / "run"), [tmp_path / "run"]):
        table = evaluate(runs, tmp_path / "qrels", "AP")
        assert table["value"].tolist() == [1.0]


BAD_RUNS = [
    (3, "runs are paths, a DataFrame, a dict or records, not int"),
    ([], "not list"),
    ({"q": 3}, "topic 'q' holds 3; expected a dict of documents"),
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
    ({"q": ["d"]}, "topic 'q' holds"),
    ({"q": {"d": "yes"}}, "the relevance is 'yes'; expected a whole number"),
    (frame([("q", "d", 1.5)], "query_id", "doc_id", "relevance"), "the relevance is 1.5"),
    (frame([("q", "d", 1), ("q", "d", 1)], "query_id", "doc_id", "relevance"), "appears twice"),
    (frame([], "qid"), "missing: query_id, doc_id, relevance"),
]


@pytest.mark.parametrize(("given", "message"), BAD_RUNS)
def test_bad_runs_are_refused_in_one_line(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        as_runs(given)


@pytest.mark.parametrize(("given", "message"), BAD_QRELS)
def test_bad_qrels_are_refused_in_one_line(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        as_qrels(given)


def test_the_curve_is_interpolated_precision_averaged_over_topics() -> None:
    table = precision_recall(RUNS, QRELS)
    assert list(table.columns) == ["run", "recall", "precision"]
    assert len(table) == 2 * 11
    expected = evaluate(RUNS, QRELS, [f"IPrec@{point / 10}" for point in range(11)])
    assert table["precision"].tolist() == expected["value"].tolist()
    assert curve(judge(as_runs(RUNS), as_qrels(QRELS)), rel=2)[0] == pytest.approx([1 / 3] * 11)


def test_the_curve_never_rises() -> None:
    rng = np.random.default_rng(3)
    qrels = {str(t): {f"d{d}": int(rng.integers(0, 2)) for d in range(30)} for t in range(5)}
    run = {str(t): {f"d{d}": float(rng.random()) for d in range(40)} for t in range(5)}
    assert np.all(np.diff(precision_recall(run, qrels)["precision"]) <= 0)
