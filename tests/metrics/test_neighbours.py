"""Measures as objects, and in the programs of others: ir_measures and PyTerrier, whose own code runs here."""

import inspect
import pickle
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import cranfield
from cranfield import metrics
from cranfield.errors import InputError, MeasureError
from cranfield.metrics import AP, MEASURES, RBP, RR, Measure, NumRet, P, Success, gMAP, nDCG, parse, to_ir_measures
from tests.conftest import usually
from tests.metrics.test_evaluator import EVERY, outcome, random_dicts, same, subtopics

pytestmark = pytest.mark.full

QRELS = {"q1": {"d1": 1, "d2": 0, "d3": 2}, "q2": {"d2": 1}, "q3": {"d1": 1}}
RUN = {"q1": {"d1": 1.0, "d2": 2.0}, "q2": {"d2": 1.0}, "q9": {"d2": 1.0}}


def test_each_measure_has_its_name() -> None:
    assert all(getattr(metrics, measure.name) is measure for measure in MEASURES)
    assert {measure.name for measure in MEASURES} <= {*metrics.__all__}


def test_objects_are_values() -> None:
    """Equal by their names, with which they are read again; hashed, pickled."""
    for measure in EVERY:
        others: list[Measure] = [parse(str(measure)), pickle.loads(pickle.dumps(measure)), measure()]
        for other in others:
            assert other == measure
            assert hash(other) == hash(measure)
            assert str(other) == str(measure)


def test_options_and_cutoffs_are_written_as_in_ir_measures() -> None:
    assert nDCG @ 10 == parse("nDCG@10")
    assert str(nDCG(gains="exp") @ 10) == 'nDCG(gains="exp")@10'
    assert {P(rel=2) @ 5, RBP(p=0.5), RBP(p=0.8)} == {parse("P(rel=2)@5"), parse("RBP(p=0.5)"), parse("RBP")}
    assert metrics.IPrec @ 0.1 == parse("IPrec@0.1")
    with pytest.raises(MeasureError, match='AP: cutoff is "ten"; expected a whole number of at least 1'):
        AP @ "ten"
    with pytest.raises(MeasureError, match="AP has no option 'depth'"):
        AP(depth=3)
    with pytest.raises(MeasureError, match="NumQ takes no cutoff"):
        metrics.NumQ @ 3


def test_importing_cranfield_imports_no_neighbour() -> None:
    code = """
import cranfield, sys
from cranfield.metrics import AP, nDCG
cranfield.Evaluator({"q": {"d": 1}}, [AP, nDCG @ 10]).evaluate({"q": {"d": 1.0}})
print({"ir_measures", "pyterrier"} & set(sys.modules))
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


SCORES = {"measures": "nDCG@5"}
CALLS: list[tuple[Any, dict[str, Any]]] = [  # functions that take measures, and their options
    (cranfield.evaluate, SCORES),
    (cranfield.compare, SCORES),
    (cranfield.trust.leave_one_out, SCORES),
    (cranfield.trust.reusability, SCORES),
    (cranfield.trust.stability, {"measures": "AP"}),
    (cranfield.trust.depths, SCORES),
    (cranfield.pooling.simulate_methods, {"measure": "AP", "methods": ["depth"], "budgets": [5]}),
]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("function", "options"), CALLS)
def test_functions_take_objects_as_names(function: Any, options: dict[str, Any], workshop: Path) -> None:
    """Ours, and those made for ir_measures."""
    key = "measure" if "measure" in options else "measures"
    assert key in inspect.signature(function).parameters
    reference = text_of(function(workshop, **options))
    for measure in (parse(options[key]), peer_of(options[key])):
        assert text_of(function(workshop, **{**options, key: measure})) == reference


def peer_of(name: str) -> Any:
    """A measure as ir_measures' object, where that is installed."""
    try:
        return to_ir_measures(name)
    except InputError:
        return parse(name)


def text_of(result: Any) -> str:
    """A frame in full, or what else a function returns."""
    result = getattr(result, "frame", result)
    return result.to_csv() if isinstance(result, pd.DataFrame) else str(result)


@pytest.fixture
def ir_measures() -> Any:
    return pytest.importorskip("ir_measures", reason="needs ir_measures, which is not installed")


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "measure", [measure for measure in EVERY if not measure.needs_strata][:: usually(4, 1)], ids=str
)
def test_ir_measures_computes_ours(ir_measures: Any, measure: Measure) -> None:
    """The scores of topics and over topics, to the last bit; a topic without an answer too."""
    run, qrels = random_dicts(3)
    judgments: Any = qrels
    if "no subtopics" in str(outcome(partial(cranfield.evaluate, qrels, run, measures=measure))):
        one = subtopics(qrels).rename(columns={"subtopic": "iteration"})
        judgments = pd.concat([one.assign(iteration=name) for name in ("1", "2")])  # each document for both
    evaluator, theirs = cranfield.Evaluator(judgments, measure), to_ir_measures(measure)
    results = ir_measures.calc([theirs], judgments, run)
    assert same({str(theirs): results.aggregated[theirs]}, evaluator.evaluate(run))
    reference = {qid: scores[str(measure)] for qid, scores in evaluator.per_topic(run).items()}
    assert same({metric.query_id: metric.value for metric in results.per_query}, reference)
    assert parse(theirs) == measure
    assert pickle.loads(pickle.dumps(theirs)) == theirs


@pytest.mark.filterwarnings("ignore:run answered 2 of 3")
def test_it_takes_all_forms_and_other_measures_beside(ir_measures: Any) -> None:
    ours = to_ir_measures([AP, nDCG(gains="exp") @ 10, gMAP, NumRet])
    assert [str(measure) for measure in ours] == ["AP", 'nDCG(gains="exp")@10', "gMAP", "NumRet"]
    qrels = [ir_measures.Qrel(qid, docno, grade) for qid, of in QRELS.items() for docno, grade in of.items()]
    run = [ir_measures.ScoredDoc(qid, docno, score) for qid, of in RUN.items() for docno, score in of.items()]
    reference = ir_measures.calc_aggregate(ours, QRELS, RUN)
    assert ir_measures.calc_aggregate(ours, iter(qrels), iter(run)) == reference
    assert ir_measures.calc_aggregate(ours, pd.DataFrame(qrels), pd.DataFrame(run)) == reference
    assert same({str(k): v for k, v in reference.items()}, cranfield.Evaluator(QRELS, ours).evaluate(with_topics(RUN)))
    both = ir_measures.calc_aggregate([*ours, ir_measures.AP, ir_measures.P @ 5], QRELS, RUN)
    assert both == {**reference, ir_measures.AP: reference[ours[0]], ir_measures.P @ 5: pytest.approx(2 / 15)}
    assert ir_measures.calc_aggregate(ours[:1], QRELS, []) == {ours[0]: 0.0}
    assert ours[0] != ir_measures.AP
    assert str(ours[1] @ 5) == 'nDCG(gains="exp")@5'
    assert str(ours[0](rel=2)) == "AP(rel=2)"


def with_topics(run: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """The answers to judged topics, and an empty one to the others: nothing to warn of."""
    return {qid: run.get(qid, {}) for qid in QRELS}


def test_the_provider_computes_theirs(ir_measures: Any) -> None:
    """Those that no other provider supports, and by its name any that we have."""
    to_ir_measures("AP")
    provider = ir_measures.providers.registry["cranfield"]
    theirs = [ir_measures.AP @ 10, ir_measures.nDCG, ir_measures.RR @ 2]
    assert provider.calc_aggregate(theirs, QRELS, RUN) == pytest.approx(ir_measures.calc_aggregate(theirs, QRELS, RUN))
    assert provider.supports(ir_measures.RBP)
    assert ir_measures.DefaultPipeline.providers.count(provider) == 1


def test_without_ir_measures_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    monkeypatch.delitem(sys.modules, "cranfield.metrics.ir_measures_provider", raising=False)
    with pytest.raises(
        InputError, match=r"a measure for ir_measures needs ir_measures: pip install 'cranfield\[interop\]'"
    ):
        to_ir_measures("AP")


@pytest.mark.filterwarnings("ignore::Warning")
def test_pyterrier_computes_ours() -> None:
    """Experiment on results and on transformers, in batches, against a baseline; Evaluate."""
    pt = pytest.importorskip("pyterrier", reason="needs python-terrier, which is not installed")
    run = {**with_topics(RUN), "q3": {"d9": 1.0}}
    judged = [(qid, docno, grade) for qid, of in QRELS.items() for docno, grade in of.items()]
    qrels = pd.DataFrame(judged, columns=["qid", "docno", "label"])
    retrieved = [(qid, docno, score, 0) for qid, of in run.items() for docno, score in of.items()]
    frame = pd.DataFrame(retrieved, columns=["qid", "docno", "score", "rank"])
    topics = pd.DataFrame({"qid": list(QRELS), "query": "words"})
    measures = to_ir_measures([AP, nDCG(gains="exp") @ 10, Success @ 1, RR])
    reference = cranfield.Evaluator(QRELS, measures).evaluate(run)
    table = pt.Experiment([frame, pt.Transformer.from_df(frame)], topics, qrels, measures, names=["a", "b"])
    for _, row in table.iterrows():
        assert same({name: float(row[name]) for name in reference}, reference)
    batches = pt.Experiment(
        [pt.Transformer.from_df(frame)], topics, qrels, [*measures, "P_5"], names=["a"], batch_size=1
    )
    assert {name: batches[name][0] for name in reference} == pytest.approx(reference)
    assert pt.Evaluate(frame, qrels, metrics=measures) == pytest.approx(reference)
    by_topic = pt.Experiment([frame], topics, qrels, measures, names=["a"], perquery=True)
    assert dict(zip(zip(by_topic["qid"], by_topic["measure"], strict=True), by_topic["value"], strict=True)) == {
        (qid, name): value
        for qid, of in cranfield.Evaluator(QRELS, measures).per_topic(run).items()
        for name, value in of.items()
    }
    assert np.isfinite(pt.Experiment([frame, frame.iloc[:2]], topics, qrels, measures, baseline=0)["AP"]).all()
