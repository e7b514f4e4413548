"""What others hand in and expect back: inputs, measures and results of ir_measures and pytrec_eval."""

import math
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

import cranfield
from cranfield.errors import InputError, MeasureError
from cranfield.metrics import MEASURES, parse, shapes
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.measure import own_measure_name

pytestmark = pytest.mark.full


class Qrel(NamedTuple):
    """A judgment as ir_measures and ir_datasets have it."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    """A retrieved document as ir_measures and ir_datasets have it."""

    query_id: str
    doc_id: str
    score: float


# The example of ir_measures' README, in every form that it documents.
QRELS = {"Q0": {"D0": 0, "D1": 1}, "Q1": {"D0": 0, "D3": 2}}
RUN = {"Q0": {"D0": 1.2, "D1": 1.0}, "Q1": {"D0": 2.4, "D3": 3.6}}
QREL_RECORDS = [Qrel(qid, docno, grade) for qid, judged in QRELS.items() for docno, grade in judged.items()]
RUN_RECORDS = [ScoredDoc(qid, docno, score) for qid, scores in RUN.items() for docno, score in scores.items()]
MEANS = {"AP": 0.75, "nDCG": 0.8154648767857288, "RR": 0.75, "nDCG@10": 0.8154648767857288, "P(rel=2)@10": 0.05}
BY_TOPIC = {
    "Q0": {"AP": 0.5, "RR": 0.5, "nDCG": 0.6309297535714575, "nDCG@10": 0.6309297535714575, "P(rel=2)@10": 0.0},
    "Q1": {"AP": 1.0, "RR": 1.0, "nDCG": 1.0, "nDCG@10": 1.0, "P(rel=2)@10": 0.1},
}


def test_whole_scores_are_scores() -> None:
    """The order of the arguments decides which is which, whatever the numbers look like."""
    whole = {qid: {docno: round(10 * score) for docno, score in scores.items()} for qid, scores in RUN.items()}
    assert evaluate(QRELS, whole, "AP")["value"].tolist() == evaluate(QRELS, RUN, "AP")["value"].tolist() == [0.75]


SWAPPED: dict[str, tuple[Any, Any]] = {
    "frames": (pd.DataFrame(RUN_RECORDS), pd.DataFrame(QREL_RECORDS)),
    "records": (RUN_RECORDS, QREL_RECORDS),
}


@pytest.mark.parametrize("case", SWAPPED)
def test_swapped_columns_are_asked_about(case: str) -> None:
    runs, qrels = SWAPPED[case]
    for verb in (evaluate, cranfield.evaluate, cranfield.compare, partial(cranfield.trust.leave_one_out, depth=1)):
        with pytest.raises(InputError, match="the qrels come first, then the runs: are they swapped") as error:
            verb(runs, qrels)
        assert "\n" not in str(error.value)
    assert len(evaluate(qrels, runs, "AP")) == 1


def test_swapped_files_are_asked_about(tmp_path: Path) -> None:
    """The error names the file that cannot be read; the question comes after it."""
    qrels, run = tmp_path / "qrels.txt", tmp_path / "a.run"
    qrels.write_text("1 0 d1 1\n")
    run.write_text("1 Q0 d1 1 2 a\n")
    with pytest.raises(InputError, match=r"^.*(qrels.txt|a.run):1: .*; the qrels come first, .*: are they swapped"):
        evaluate(run, qrels, "AP")
    with pytest.raises(InputError) as error:
        evaluate(run, qrels, "AP")
    assert str(error.value).count("the runs") == 1  # the question replaces the hint of the command line
    assert len(evaluate(qrels, [run], "AP")) == 1


def test_frames_of_other_types() -> None:
    """A column of tags names the runs, no rows are a run without rankings, and times are no scores."""
    frame = pd.DataFrame({"qid": ["q", "q"], "docno": ["d1", "d1"], "score": [2, 1], "tag": ["b", "a"]})
    qrels = {"q": {"d1": 1}}
    assert evaluate(qrels, frame, "AP")["run"].tolist() == ["a", "b"]
    assert evaluate(qrels, frame[:0].drop(columns="tag"), "AP")["value"].tolist() == [0.0]
    for score, kind in ((pd.to_datetime(["2025", "2026"]), "datetime64"), ([1j, 2], "complex128")):
        with pytest.raises(InputError, match=rf"the column score is of type {kind}.*; expected a number in each row"):
            evaluate(qrels, frame.assign(score=score), "AP")


def test_a_document_is_no_example_of_its_own() -> None:
    """Where the run's first document was judged for another topic, it is not told from itself."""
    every = r"^none of the runs' documents is judged, so every score is 0$"
    with pytest.warns(UserWarning, match=every), pytest.warns(UserWarning, match="did not answer|answered"):
        cranfield.evaluate({"1": {"a": 1}, "2": {"d": 1}}, {"1 ": {"a": 1.0}, "2": {"c": 1.0}}, measures="AP")


def test_whole_scores_are_no_mistake() -> None:
    """With whole grades, grades written as floats, and fractions."""
    assert evaluate({"q": {"d1": 1.5}}, {"q": {"d1": 2.0}}, "AP")["value"].tolist() == [1.0]
    qrels = {"q": {"d1": 1.0, "d2": 0.0}}
    assert evaluate({"q": {"d1": 1}}, {"q": {"d1": 2, "d2": 1}}, "AP")["value"].tolist() == [1.0]
    assert evaluate(qrels, {"q": {"d1": 2.0, "d2": 1.0}}, "AP")["value"].tolist() == [1.0]
    assert as_qrels({"q": {"d1": True, "d2": False}}).grade.tolist() == [1, 0]


def stream(records: list[Any]) -> Iterator[Any]:
    """Records that can be read once only."""
    yield from records


def frame_of(records: list[Any], *names: str) -> pd.DataFrame:
    return pd.DataFrame([tuple(record)[: len(names)] for record in records], columns=list(names))


QRELS_FORMS: dict[str, Any] = {
    "dict": lambda: QRELS,
    "records": lambda: QREL_RECORDS,
    "tuple of records": lambda: tuple(QREL_RECORDS),
    "stream of records": lambda: stream(QREL_RECORDS),
    "frame": lambda: pd.DataFrame(QREL_RECORDS),
    "frame of three columns": lambda: frame_of(QREL_RECORDS, "query_id", "doc_id", "relevance"),
    "PyTerrier's frame": lambda: frame_of(QREL_RECORDS, "qid", "docno", "label"),
}
RUN_FORMS: dict[str, Any] = {
    "dict": lambda: RUN,
    "records": lambda: RUN_RECORDS,
    "stream of records": lambda: stream(RUN_RECORDS),
    "frame": lambda: pd.DataFrame(RUN_RECORDS),
    "PyTerrier's frame": lambda: frame_of(RUN_RECORDS, "qid", "docno", "score").assign(query="the text", rank=0),
    "ranx's frame": lambda: frame_of(RUN_RECORDS, "q_id", "doc_id", "score"),
    "records by tag": lambda: {"run": RUN_RECORDS},
    "stream by tag": lambda: {"run": list(stream(RUN_RECORDS))},
    "PyTerrier's frame by tag": lambda: {"run": frame_of(RUN_RECORDS, "qid", "docno", "score")},
}


@pytest.mark.parametrize("qrels", QRELS_FORMS)
@pytest.mark.parametrize("run", RUN_FORMS)
def test_the_documented_example_in_every_form(qrels: str, run: str) -> None:
    """ir_measures' README gives these means, whatever the form of qrels and run."""
    table = evaluate(QRELS_FORMS[qrels](), RUN_FORMS[run](), list(MEANS))
    assert dict(zip(table["measure"], table["value"], strict=True)) == pytest.approx(MEANS)


def test_the_documented_example_by_topic() -> None:
    """And these values by topic, as Metrics; the means as a dict."""
    metrics = list(shapes.iter_calc(list(MEANS), QRELS, RUN))
    by_topic = {(qid, name): value for qid, values in BY_TOPIC.items() for name, value in values.items()}
    assert {(metric.query_id, metric.measure): metric.value for metric in metrics} == pytest.approx(by_topic)
    assert metrics[0]._fields == ("query_id", "measure", "value")
    assert shapes.calc_aggregate(list(MEANS), QRELS, RUN) == pytest.approx(MEANS)
    results = shapes.calc(["AP"], QRELS, RUN)
    assert (results.aggregated, len(results.per_query)) == ({"AP": 0.75}, 2)


def test_files_are_taken_by_tag_and_alone(tmp_path: Path) -> None:
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("1 0 a 1\n1 0 b 0\n")
    run.write_text("1 Q0 a 1 2.0 tagged\n1 Q0 b 2 1.0 tagged\n")
    table = evaluate(qrels, {"mine": run, "other": {"1": {"b": 1.0}}}, "AP")
    assert table[["run", "value"]].to_numpy().tolist() == [["mine", 1.0], ["other", 0.0]]
    for runs in (run, str(run), [run], iter([run])):
        assert evaluate(qrels, runs, "AP")[["run", "value"]].to_numpy().tolist() == [["tagged", 1.0]]


def test_the_second_column_of_records_is_kept() -> None:
    qrels = as_qrels([Qrel("q", "a", 1, "x"), Qrel("q", "b", 0, "y")])
    assert qrels.sources.tolist() == ["x", "y"]


ABOUT = [("q", "a", 1, "1"), ("q", "a", 2, "2"), ("q", "b", 0, "1"), ("q", "b", 1, "3"), ("p", "a", 1, "2")]


@pytest.mark.parametrize("form", ["records", "stream", "frame", "frame with subtopic", "mixed order"])
def test_iterations_are_subtopics_where_a_document_has_two(tmp_path: Path, form: str) -> None:
    """Records and frames with `iteration` give what a file of subtopic qrels gives."""
    (tmp_path / "qrels").write_text("".join(f"{q} {name} {d} {grade}\n" for q, d, grade, name in ABOUT))
    records = [Qrel(*row) for row in ABOUT]
    frame = pd.DataFrame(records)
    qrels: Any = {
        "records": records, "stream": iter(records), "frame": frame, "mixed order": records[::-1],
        "frame with subtopic": frame.rename(columns={"iteration": "subtopic"}),
    }[form]  # fmt: skip
    run = {"q": {"b": 2.0, "a": 1.0}, "p": {"a": 1.0}}
    measures = ["alpha_nDCG@2", "P_IA@1", "AP_IA", "AP", "nDCG"]
    with pytest.warns(UserWarning, match="read as subtopics"):
        reference = evaluate(tmp_path / "qrels", run, measures, per_topic=True)
    pd.testing.assert_frame_equal(evaluate(qrels, run, measures, per_topic=True), reference)
    assert reference["value"].nunique() > 3


@pytest.mark.parametrize("rounds", [("0.5", "1"), ("-1", "1"), ("1", "1.5")])
def test_rounds_of_judging_are_no_subtopics(rounds: tuple[str, str]) -> None:
    """A document judged in two rounds appears twice, as in a file."""
    with pytest.raises(InputError, match="topic 'q', document 'a' appears twice"):
        as_qrels([Qrel("q", "a", 1, rounds[0]), Qrel("q", "a", 0, rounds[1])])
    single = as_qrels([Qrel("q", "a", 1, rounds[0]), Qrel("q", "b", 0, rounds[1])])
    assert (single.subtopics, single.sources.tolist()) == (None, list(rounds))
    with pytest.raises(MeasureError, match="or a column `subtopic`"):
        evaluate(single, {"q": {"a": 1.0}}, "alpha_nDCG@5")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([{1}], "the runs are of type list of set"),
        ([*RUN_RECORDS, ("q", "d", 1.0)], r"record 5 is \('q', 'd', 1.0\); expected query_id, doc_id, score"),
        ([*RUN_RECORDS, RUN_RECORDS[0]], "topic 'Q0', document 'D0' appears twice"),
        ([ScoredDoc("q", "d", float("nan"))], "topic 'q', document 'd': the score is nan"),
        (iter([]), "the runs are of type list_iterator"),
        ({"a": RUN_RECORDS, "b": "nowhere.run"}, "nowhere.run"),
    ],
)
def test_bad_records_are_refused_in_one_line(wrong: Any, message: str) -> None:
    with pytest.raises((InputError, FileNotFoundError), match=message):
        as_runs(wrong)


def test_one_run_where_one_is_asked_for() -> None:
    with pytest.raises(InputError, match="2 runs; expected one"):
        shapes.calc_aggregate(["AP"], QRELS, {"a": RUN, "b": RUN})


THEIR_NAMES = {
    "nDCG(dcg='exp-log2')@10": 'nDCG(gains="exp")@10',
    "nDCG(dcg='log2')@10": "nDCG@10",
    "P(rel=2)@5": "P(rel=2)@5",
    "RR@10": "RR@10",
    "MRR": "RR",
    "MAP": "AP",
    "SetP": "P",
    "SetR(rel=2)": "R(rel=2)",
    "SetF": "F",
    "Judged@10": "Judged@10",
    "RBP(p=0.5,rel=1)": "RBP(p=0.5)",
    "ERR@20": "ERR@20",
    "AP(rel=2)@100": "AP(rel=2)@100",
    "IPrec@0.1": "IPrec@0.1",
    "BPref": "Bpref",
    "NumRet": "NumRet",
    "NumRet(rel=2)": "NumRelRet(rel=2)",
    "NumRelRet": "NumRelRet",
    "NumQ": "NumQ",
    "SetP(relative=True)": "R_cap",
    "INST(T=2.0,min_rel=0,max_rel=3)": "INST(T=2,max_grade=3)",
    "Precision@5": "P@5",
    "Recall@5": "R@5",
    "RPrec": "Rprec",
    "infAP(rel=2)": "infAP(rel=2)",
    "Success@5": "Success@5",
    "P.10": "P@10",
    "ndcg_cut.10": "nDCG@10",
    "set_F_4": "F(beta=2)",
    "set_F.0.25": "F(beta=0.5)",
    "ndcg@10": "nDCG@10",
    "ndcg_burges@10": 'nDCG(gains="exp")@10',
    "mrr@10": "RR@10",
    "map@100-l2": "AP(rel=2)@100",
    "precision@5": "P@5",
    "r-precision": "Rprec",
    "hit_rate@10": "Success@10",
    "f1@10": "F@10",
    "hits": "Hits",
    "hits@10-l2": "Hits(rel=2)@10",
    "rbp.80": 'RBP(gains="linear",normalize=False)',
    "rbp@95": 'RBP(p=0.95,gains="linear",normalize=False)',
    "rbp.5-l3": 'RBP(p=0.5,gains="1=0,2=0",normalize=False)',
    "nDCG(gains={0:1,1:4})@10": 'nDCG(gains="0=1,1=4")@10',
    "nDCG(gains={0: 1, 1: 4},judged_only=True)": 'nDCG(gains="0=1,1=4",judged_only=True)',
    "nDCG(gains={})@10": "nDCG@10",
    "BPM(T=2.0,min_rel=0,max_rel=3)@10": "BPM(T=2,max_grade=3)@10",
    "SDCG(dcg='log2',max_rel=3)@10": "SDCG(max_grade=3)@10",
    "MAP_IA": "AP_IA",
    "\u03b1_DCG@10": "alpha_DCG@10",
    "nERR-IA@5": "nERR_IA@5",
}


def test_names_of_others_are_understood() -> None:
    assert {theirs: str(parse(theirs)) for theirs in THEIR_NAMES} == THEIR_NAMES


def test_our_own_names_stay_as_they_are() -> None:
    """The dialects touch no name of the table."""
    for measure in MEASURES:
        assert own_measure_name(str(measure)) == str(measure)
    assert own_measure_name("no measure at all") == "no measure at all"
    with pytest.raises(MeasureError, match="unknown measure"):
        parse("nDCG(dcg='other')@10 twice")
    with pytest.raises(MeasureError, match="nDCG has no option 'dcg'"):
        parse("nDCG(dcg='other')@10")


GRADED = {"1": {"a": 1, "b": 0, "c": 2, "d": 1, "e": -1}, "2": {"a": 1, "x": 0, "y": 2}, "3": {"z": 1}}
RANKED = {"1": {"a": 3.0, "b": 2.0, "u": 1.5, "c": 1.0}, "2": {"v": 2.0, "y": 1.0, "a": 0.5, "x": 0.25}}

NAMES = [
    "AP", "AP(rel=2)@100", "nDCG", "nDCG@3", "nDCG(dcg='exp-log2')@3", "P@2", "P(rel=2)@5", "R@3", "RR", "RR@10",
    "SetP", "SetR", "SetF", "SetF(beta=2.0)", "Bpref", "Rprec", "Success@2", "ERR@20", "NumRet", "NumRet(rel=2)",
    "NumRelRet", "infAP", "P(judged_only=True)@2", "nDCG(gains={0:1,1:4})@3", "nDCG(gains={1:0,2:5})",
]  # fmt: skip


# What ranx 0.3.21 gives by topic for GRADED and RANKED without the topic that the run leaves out; it takes minutes.
OF_RANX = {
    "hits": [2, 2], "hits@2": [1, 1], "hits@3-l2": [0, 1],
    "rbp.80": [0.4048, 0.448], "rbp@80": [0.4048, 0.448], "rbp.95": [0.1357375, 0.140125], "rbp.5-l2": [0.125, 0.5],
}  # fmt: skip


@pytest.mark.parametrize(("name", "values"), OF_RANX.items())
def test_ranx_numbers_are_its_own(name: str, values: list[float]) -> None:
    """By topic and as a mean, with grades above 1."""
    ours = shapes.calc([name], {qid: GRADED[qid] for qid in RANKED}, RANKED)
    assert [metric.value for metric in ours.per_query] == pytest.approx(values)
    assert ours.aggregated == {name: pytest.approx(np.mean(values))}


def test_gains_as_a_dict() -> None:
    """In Python as ir_measures takes them; grades that it does not name keep their own."""
    measure = parse("nDCG@10").set(gains={0: 1, 1: 4})
    assert measure == parse('nDCG(gains="0=1,1=4")@10')
    with pytest.raises(MeasureError, match="gains is"):
        parse("nDCG").set(gains={"high": 4})
    with pytest.raises(MeasureError, match="gains is"):
        parse("nDCG(gains={0:1,-1:4})")


def test_a_long_list_of_gains_is_read_once() -> None:
    """One that is wrong at its end was tried in 2^60 ways."""
    pairs = ",".join(f"{grade}=93" for grade in range(60))
    assert parse(f'nDCG(gains="{pairs}")') != parse("nDCG")
    with pytest.raises(MeasureError, match="gains is"):
        parse(f'nDCG(gains="{pairs},")')
    assert parse('nDCG(gains="1=2.,2=.5,3=1.25")') == parse('nDCG(gains="1=2,2=0.5,3=1.25")')


@pytest.fixture
def ir_measures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """ir_measures, where it is installed; one of its parts leaves a log where it is imported."""
    monkeypatch.chdir(tmp_path)
    return pytest.importorskip("ir_measures", reason="needs ir_measures, which is not here")


@pytest.mark.parametrize("name", NAMES)
def test_numbers_are_its_own(ir_measures: Any, name: str) -> None:
    """Of measures that trec_eval or gdeval compute for it, with a judged topic that the run leaves out."""
    measure = ir_measures.parse_measure(name)
    try:
        theirs = ir_measures.calc([measure], GRADED, RANKED)
    except (RuntimeError, ValueError) as error:  # gdeval needs perl
        pytest.skip(f"ir_measures cannot compute {name} here: {error}")
    ours = shapes.calc([measure], GRADED, RANKED)
    assert ours.aggregated == pytest.approx(theirs.aggregated, abs=1e-5)  # gdeval prints five decimals
    assert sorted((m.query_id, m.measure.NAME) for m in ours.per_query) == sorted(
        (m.query_id, m.measure.NAME) for m in theirs.per_query
    )
    reference = {metric.query_id: metric.value for metric in theirs.per_query}
    assert {m.query_id: m.value for m in ours.per_query} == pytest.approx(reference, abs=1e-5)


def test_objects_are_keys(ir_measures: Any) -> None:
    """The measures that were handed in are the keys, alone or several, and `evaluate` takes them, too."""
    measures = [ir_measures.AP, ir_measures.nDCG @ 10, ir_measures.P(rel=2) @ 10]
    assert shapes.calc_aggregate(measures, QRELS, RUN) == pytest.approx(
        {measures[0]: 0.75, measures[1]: 0.8154648767857288, measures[2]: 0.05}
    )
    assert shapes.calc_aggregate(ir_measures.AP, QRELS, RUN) == {ir_measures.AP: 0.75}
    assert evaluate(QRELS, RUN, measures)["measure"].tolist() == ["AP", "nDCG@10", "P(rel=2)@10"]
    assert evaluate(QRELS, RUN, ir_measures.RR)["value"].tolist() == [0.75]


def test_its_records_are_taken(ir_measures: Any) -> None:
    qrels = ir_measures.read_trec_qrels("Q0 0 D0 0\nQ0 0 D1 1\nQ1 0 D0 0\nQ1 0 D3 2\n")
    run = ir_measures.read_trec_run("Q0 0 D0 0 1.2 r\nQ0 0 D1 1 1.0 r\nQ1 0 D0 1 2.4 r\nQ1 0 D3 0 3.6 r\n")
    assert shapes.calc_aggregate(["AP", "nDCG@10"], qrels, run) == pytest.approx(
        {"AP": 0.75, "nDCG@10": 0.8154648767857288}
    )


FAMILIES = {
    "map", "ndcg", "ndcg_cut", "P.2,7", "recall", "recip_rank", "Rprec", "bpref", "gm_map", "success",
    "set_P", "set_recall", "set_F", "map_cut", "num_q", "num_ret", "num_rel", "num_rel_ret", "infAP",
}  # fmt: skip


@pytest.fixture
def pytrec_eval() -> Any:
    return pytest.importorskip("pytrec_eval", reason="needs pytrec_eval, which is not here")


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("judged_only", [False, True])
def test_the_same_dicts(pytrec_eval: Any, level: int, judged_only: bool) -> None:
    """{qid: {measure: value}} over the topics that the run answers, for families and single measures alike."""
    names = FAMILIES - ({"num_rel", "num_rel_ret"} if level == 2 else set())
    arguments = (GRADED, names, level, judged_only)
    theirs = pytrec_eval.RelevanceEvaluator(*arguments).evaluate(RANKED)
    ours = shapes.RelevanceEvaluator(*arguments).evaluate(RANKED)
    assert ours.keys() == theirs.keys() == {"1", "2"}
    for qid, values in theirs.items():
        for measure, value in values.items():
            assert ours[qid][measure] == pytest.approx(value, abs=1e-6), (qid, measure)
        assert ours[qid].keys() == values.keys()


@pytest.mark.parametrize("name", ["official", "set"])
def test_nicknames(pytrec_eval: Any, name: str) -> None:
    """A nickname stands for trec_eval's names, but for those that are no numbers."""
    theirs = pytrec_eval.RelevanceEvaluator(QRELS, {name}).evaluate(RUN)["Q0"]
    ours = shapes.RelevanceEvaluator(QRELS, {name}).evaluate(RUN)["Q0"]
    assert ours.keys() == theirs.keys() - {"runid"}


def test_aggregates(pytrec_eval: Any) -> None:
    for measure in ("map", "num_ret", "gm_map"):
        for values in ([0.5, 1.0], [0.0, -2.0, 3.0]):
            theirs = pytrec_eval.compute_aggregated_measure(measure, values)
            assert shapes.compute_aggregated_measure(measure, values) == pytest.approx(theirs)


def test_set_f_of_trec_eval_is_f_of_the_root() -> None:
    """Its parameter is beta squared; an ir_measures object with beta=2 has trec_eval's number, the name has F2's."""
    for theirs, ours in (("set_F", "F"), ("set_F_4", "F(beta=2)")):
        evaluator = shapes.RelevanceEvaluator(QRELS, [theirs]).evaluate(RUN)
        reference = shapes.calc_aggregate([ours], QRELS, RUN)[ours]
        assert np.mean([values[theirs] for values in evaluator.values()]) == pytest.approx(reference)


def test_an_empty_run_has_no_topic() -> None:
    assert shapes.RelevanceEvaluator(QRELS, {"map"}).evaluate({}) == {}


def test_geometric_means_of_pytrec_eval_are_of_logarithms() -> None:
    evaluator = shapes.RelevanceEvaluator(QRELS, {"gm_map"}).evaluate(RUN)
    assert evaluator["Q0"]["gm_map"] == pytest.approx(math.log(0.5))
    values = [topic["gm_map"] for topic in evaluator.values()]
    assert shapes.compute_aggregated_measure("gm_map", values) == pytest.approx(math.sqrt(0.5))


RUN_DICTS = [{"qid": qid, "docno": docno, "score": score} for qid, docno, score in RUN_RECORDS]
QREL_DICTS = [{"query-id": qid, "corpus-id": docno, "score": grade} for qid, docno, grade, _ in QREL_RECORDS]
RUN_LINES = [(*record[:1], "Q0", record[1], 1, record[2], "theirs") for record in map(tuple, RUN_RECORDS)]
QREL_LINES = [(qid, "0", docno, grade) for qid, docno, grade, _ in QREL_RECORDS]


@pytest.mark.parametrize("runs", [RUN_DICTS, list(map(tuple, RUN_RECORDS)), RUN_LINES, list(map(list, RUN_LINES))])
@pytest.mark.parametrize("qrels", [QREL_DICTS, [line[:1] + line[2:] for line in QREL_LINES], QREL_LINES])
def test_lists_of_dicts_and_of_tuples(runs: Any, qrels: Any) -> None:
    """Rows by the names of columns, or the cells of a line, whose tag is the run's, in any iterable."""
    assert as_runs(RUN_LINES).tags == ("theirs",)
    scores = evaluate(qrels, iter(runs), list(MEANS)).set_index("measure")["value"].to_dict()
    assert scores == pytest.approx(MEANS)
    assert cranfield.evaluate(QRELS, {"a": runs, "b": RUN}, measures="AP").frame["value"].tolist() == [0.75, 0.75]


WRONG_ROWS: list[tuple[Any, Any, str]] = [
    (as_runs, [("q", "d")], r"record 1 is \('q', 'd'\); expected \(query_id, doc_id, score\) or \(query_id, Q0, doc"),
    (as_qrels, [("q", "d", 1), ("q", "d2")], r"record 2 is \('q', 'd2'\); expected query_id, doc_id, relevance, as"),
    (as_runs, [{"qid": "q", "docno": "d", "score": 1.0}, {"qid": "q"}], "record 2 is .*; expected qid, docno, score"),
    (as_runs, [{"qid": "q", "docno": "d", "score": 1.0}, 7], "record 2 is 7; expected qid, docno, score, as in rec"),
    (as_runs, [{"qid": "q", "score": 1.0}], r"missing: doc_id \(or docno, docid, corpus-id\)$"),
    (as_runs, pd.DataFrame({"qid": ["q"], "score": [1.0]}), r"missing: doc_id \(or docno, docid, corpus-id\)$"),
    (as_qrels, pd.DataFrame({"docno": ["d"], "label": [1]}), r"missing: query_id \(or qid, q_id, query-id\)$"),
    (as_qrels, pd.DataFrame({"qid": ["q"], "docno": ["d"]}), r"missing: relevance \(or label, grade, rel\)$"),
]


@pytest.mark.parametrize(("take", "wrong", "message"), WRONG_ROWS)
def test_what_lacks_is_told(take: Any, wrong: Any, message: str) -> None:
    """A frame with a qid and no docno lacks the docno, and not both."""
    with pytest.raises(InputError, match=message) as error:
        take(wrong)
    assert "\n" not in str(error.value)


def frames_of(library: str) -> tuple[Any, Any]:
    """The run and the qrels as another library's tables."""
    run = pd.DataFrame(RUN_RECORDS).to_dict("list")
    qrels = pd.DataFrame(QREL_DICTS).to_dict("list")
    module = pytest.importorskip(library, reason=f"needs {library}")
    if library == "polars":
        return module.LazyFrame(run).filter(module.col("score") > -1), module.LazyFrame(qrels)
    return module.Dataset.from_dict(run), module.Dataset.from_dict(qrels)


@pytest.mark.parametrize("library", ["polars", "datasets"])
def test_lazy_frames_and_datasets_of_hugging_face(library: str) -> None:
    """Alone and by tag; a DatasetDict is told to be several."""
    run, qrels = frames_of(library)
    assert evaluate(qrels, run, "AP")["value"].tolist() == [0.75]
    assert evaluate(qrels, {"a": run, "b": RUN}, "AP")["value"].tolist() == [0.75, 0.75]
    if library == "datasets":
        assert evaluate(qrels.to_iterable_dataset(), run.to_iterable_dataset(), "AP")["value"].tolist() == [0.75]
        split = pytest.importorskip("datasets").DatasetDict({"dev": qrels, "test": qrels})
        with pytest.raises(
            InputError, match="this Hugging Face DatasetDict has several splits; expected one of dev, test"
        ):
            as_qrels(split)


@pytest.mark.parametrize("library", ["polars", "datasets"])
def test_their_tables_are_known_by_what_they_can(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same where these libraries are not installed, with what of them is used."""

    class Table:
        """A table that is collected, or made one of pandas."""

        column_names = ("query_id",)

        def __init__(self, frame: pd.DataFrame) -> None:
            self.frame = frame

        def to_pandas(self) -> pd.DataFrame:
            return self.frame

        def collect(self) -> Any:
            import pyarrow as pa

            return pa.Table.from_pandas(self.frame)

    monkeypatch.setattr(Table, "__module__", f"{library}.somewhere")
    run: Any = Table(pd.DataFrame(RUN_RECORDS))
    assert evaluate(QRELS, run, "AP")["value"].tolist() == [0.75]
    assert evaluate(QRELS, {"a": run}, "AP")["value"].tolist() == [0.75]


def test_datasets_of_ir_datasets() -> None:
    """Their qrels, with subtopics where they have them, and their scoreddocs; what they lack is told."""
    ir_datasets = pytest.importorskip("ir_datasets", reason="needs ir_datasets")
    formats = ir_datasets.formats

    class Qrels(formats.BaseQrels):  # type: ignore[misc,name-defined]
        def qrels_iter(self) -> Iterator[object]:
            yield formats.TrecSubQrel("Q0", "D1", 1, "1")
            yield formats.TrecSubQrel("Q0", "D1", 0, "2")

    class Found(formats.BaseScoredDocs):  # type: ignore[misc,name-defined]
        def scoreddocs_iter(self) -> Iterator[object]:
            yield from (formats.GenericScoredDoc(*record) for record in RUN_RECORDS)

    both, alone = ir_datasets.Dataset(Qrels(), Found()), ir_datasets.Dataset(Found())
    assert as_runs(both).topics.names.tolist() == ["Q0", "Q1"]
    assert evaluate(QRELS, alone, "AP")["value"].tolist() == [0.75]
    assert evaluate(QRELS, {"theirs": alone}, "AP")["run"].tolist() == ["theirs"]
    assert as_qrels(both).subtopics.names.tolist() == ["1", "2"]  # type: ignore[union-attr]
    with pytest.raises(InputError, match="this ir_datasets dataset has no qrels"):
        as_qrels(alone)
