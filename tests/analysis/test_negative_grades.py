"""A grade of -1 says that nobody judged a document; a lower one, such as -2 for junk, is a judgment: not relevant."""

import json
from pathlib import Path

import numpy as np
import pytest

import cranfield
from cranfield.arrays.join import join_runs_and_qrels
from cranfield.metrics.evaluate import score
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.notation import parse, parse_measures
from cranfield.metrics.reusability.leave_one_out import leave_one_out
from cranfield.metrics.shapes import RelevanceEvaluator
from cranfield.pooling.verify import verify
from tests.conftest import Cranfield
from tests.files import track_files
from tests.stores import new_store
from tests.views import view_of

RUNS = {"a": {"q": {"d1": 4.0, "d2": 3.0, "d3": 2.0, "d4": 1.0}}, "b": {"q": {"d1": 2.0, "d5": 1.0}}}
QRELS = {"q": {"d1": 1, "d2": -1, "d3": -2, "d4": 1, "d5": -3}}
NOTE = "1 of 5 grades in the qrels is -1, so its document counts as unjudged; in qrels files, grade -1 means unjudged"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    track_files(tmp_path, QRELS, RUNS)
    return tmp_path


def test_measures() -> None:
    """Of the four documents of a, three are judged; trec_eval's own measures skip both."""
    judged = join_runs_and_qrels(as_runs(RUNS), as_qrels(QRELS))
    measures = parse_measures(["Judged@4", "Unjudged@4", "RBPresid(p=0.5)", "P(judged_only=True)@3", "NumNonrelRet"])
    assert score(judged, measures)[0, 0].tolist() == pytest.approx([3 / 4, 1 / 4, 1 / 4 + 1 / 16, 2 / 3, 0])


@pytest.mark.parametrize("name", ["Bpref", "Bpref(judged_only=True)", "infAP", "NumNonrelRet"])
def test_what_trec_eval_defines_takes_no_negative_grade_as_a_judgment(name: str) -> None:
    grades = np.random.default_rng(0).integers(-3, 3, 60).tolist()
    qrels = {"q": {f"d{number}": grade for number, grade in enumerate(grades)}}
    plain = {"q": {docno: max(grade, -1) for docno, grade in qrels["q"].items()}}
    runs = {"a": {"q": {docno: float(number) for number, docno in enumerate(qrels["q"]) if number % 3}}}
    values = [
        parse(name).scores(join_runs_and_qrels(as_runs(runs), as_qrels(each))).tolist() for each in (qrels, plain)
    ]
    assert values[0] == values[1]


def test_pytrec_evals_shape_is_trec_evals() -> None:
    evaluator = RelevanceEvaluator(QRELS, {"num_nonrel_judged_ret", "unj", "bpref"}).evaluate(RUNS["a"])["q"]
    assert [evaluator["num_nonrel_judged_ret"], evaluator["unj_5"]] == pytest.approx([0, 2 / 5])


@pytest.mark.parametrize("measure", ["Bpref", "AP(judged_only=True)", "Judged@4", "RBPresid"])
def test_leave_one_out_counts_and_scores_as_a_plain_evaluation(measure: str) -> None:
    """Without a its own d3 (junk) and d4 are unjudged, and so is its d2, which nobody judged."""
    judged = join_runs_and_qrels(as_runs(RUNS), as_qrels(QRELS))
    left_out = leave_one_out(judged, {"a": ["a"], "b": ["b"]}, 4, measures=measure, pool_documents=5)
    without = join_runs_and_qrels(as_runs(RUNS), as_qrels({"q": {"d1": 1, "d5": -3}}))
    assert (left_out.units[0].unique, left_out.units[0].unique_relevant) == (2, 1)
    assert left_out.units[0].changes[0].reduced == pytest.approx(float(parse(measure).scores(without)[0]))
    assert (left_out.pool.judged, left_out.pool.unjudged) == (4, 1)


def test_closure_counts_what_the_measures_count() -> None:
    """d2 is a gap of a, below which b and its own depth say nothing."""
    closure = verify(as_runs(RUNS), as_qrels(QRELS), ["a", "b"], 4)
    assert (closure.judged, closure.pooled, closure.pooled_not_judged) == (4, 5, [("q", "d2")])
    assert closure.with_gaps == {"a": 1}


def test_diagnosis_and_its_bounds(files: Path, cranfield: Cranfield) -> None:
    """Only d2 may yet be relevant: P@4 lies between 2/4 and 3/4."""
    result = cranfield("diagnose", "qrels", "b", "a", "--depth", "4", "-m", "P@4", "--format", "json")
    document = json.loads(result.out)
    assert (document["unjudged"], document["unjudged_documents"]) == (0.25, 1)
    assert [document["scores"][0][name] for name in ("score", "lowest", "highest")] == pytest.approx([0.5, 0.5, 0.75])


@pytest.mark.parametrize(
    "command",
    ["evaluate qrels a b -m Judged@4", "pool verify qrels a b", "reusability qrels a b --depth 2", "diagnose qrels a"],
)
def test_a_grade_of_minus_one_is_told(files: Path, cranfield: Cranfield, command: str) -> None:
    assert f"note: {NOTE}" in " ".join(cranfield(*command.split()).err.split())


def test_python_warns(files: Path) -> None:
    with pytest.warns(UserWarning, match="1 of 5 grades in the qrels is -1"):
        cranfield.evaluate(QRELS, RUNS, measures="Judged@4")


@pytest.mark.needs_extra("report")
def test_in_a_store_minus_one_is_a_grade_of_the_scale(tmp_path: Path) -> None:
    """Somebody gave it, so it is a judgment; the grade that people see stays."""
    from cranfield.report.by_topic import first_ranks

    scale = {-1: "spam", 0: "not relevant", 1: "relevant"}
    with new_store(grades=scale, runs=RUNS, qrels={"ada": {"q": {"d1": 1, "d2": -1, "d4": 0}}}) as store:
        source = view_of([store])
        assert parse("Judged@4").scores(source.judged).tolist() == [0.75, 0.5]
        assert first_ranks(source.judged, source.qrels.grade)[0, 0, :4].tolist() == ["1", "-1", "?", "0"]
        assert verify(source.runs, source.qrels, ["a"], 4).pooled_not_judged == [("q", "d3")]
