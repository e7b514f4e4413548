"""An Evaluator gives the scores, the errors and the warnings of `evaluate`, to the last bit; so do joined dicts."""

import pickle
import re
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield.arrays.join import join_runs_with_common_topics
from cranfield.errors import CranfieldError, InputError, MeasureError
from cranfield.metrics import MEASURES, Measure, parse
from cranfield.metrics.dicts import joined_dicts
from cranfield.metrics.inputs import runs_and_qrels
from cranfield.testing.measures import variants_of
from tests.conftest import ROOT, usually
from tests.metrics.test_evaluate import assert_same, grades, ids, numbers
from tests.stores import new_file

Dicts = dict[str, dict[str, Any]]
EVERY = [variant for measure in MEASURES for variant in variants_of(measure)]
QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d2": 1}}
RUN = {"q1": {"d9": 2.0, "d1": 1.0}, "q2": {"d2": 1.0}}


@given(
    st.dictionaries(ids, st.dictionaries(ids, st.dictionaries(ids, numbers, max_size=5), max_size=4), max_size=3),
    st.dictionaries(ids, st.dictionaries(ids, grades, max_size=6), max_size=4),
)
def test_dicts_are_joined_as_arrays_are(runs: dict[str, Dicts], qrels: Dicts) -> None:
    """Ties, infinities, empty runs and topics, topics on one side alone; what is not plain is left to the arrays.

    Judgments stay in the order of the dict, in that of docnos here.
    """
    qrels = {qid: dict(sorted(documents.items())) for qid, documents in qrels.items()}
    for given_runs in (runs, *runs.values()):
        judged = joined_dicts(given_runs, qrels)
        if judged is not None:
            assert_same(judged, join_runs_with_common_topics(*runs_and_qrels(qrels, given_runs)))


def random_dicts(seed: int) -> tuple[Dicts, Dicts]:
    """A run with ties, topics without an answer, without a judgment or with nothing relevant, and its qrels.

    Scores of every second seed are floats of NumPy in part, which no compiled code reads.
    """
    rng = np.random.default_rng(seed)
    docnos = [f"D{number}" for number in range(60)]
    qrels = {
        str(topic): {str(docno): int(rng.choice([-2, -1, 0, 0, 1, 2, 3])) for docno in rng.choice(docnos, 30, False)}
        for topic in range(8)
    }
    qrels["0"] = dict.fromkeys(qrels["0"], 0)
    run = {
        str(topic): {str(docno): float(rng.integers(0, 9)) for docno in rng.choice(docnos, 30, False)}
        for topic in (*range(7, 1, -1), 11)
    }
    return {
        **run,
        "3": {},
        "4": {docno: (np.float32 if seed % 2 else float)(score) for docno, score in run["4"].items()},
    }, qrels


def outcome(scores: Callable[[], Any]) -> Any:
    """What a call returns, or the error that it raises."""
    try:
        return scores()
    except CranfieldError as error:
        return type(error), str(error)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("measure", EVERY[:: usually(5, 1)], ids=str)
def test_scores_are_those_of_evaluate(measure: Measure) -> None:
    """Where the measure needs subtopics or strata that are not there, both refuse it alike."""
    run, qrels = random_dicts(len(str(measure)))
    for judgments, own in ((qrels, False), (qrels, True), (subtopics(qrels), False)):
        evaluator = cranfield.Evaluator(judgments, measure, retrieved_topics_only=own)
        reference = outcome(partial(cranfield.evaluate, judgments, run, measures=measure, retrieved_topics_only=own))
        result = outcome(partial(evaluator.evaluate, run))
        if isinstance(reference, tuple):
            assert result == reference
            continue
        assert same(result, reference.frame.set_index("measure")["value"])
        reference = cranfield.evaluate(
            judgments, run, measures=measure, per_topic=True, retrieved_topics_only=own
        ).frame.set_index("query_id")["value"]
        result = {qid: scores[str(measure)] for qid, scores in evaluator.per_topic(run).items()}
        assert list(result) == list(reference.index)
        assert same(result, reference)


def subtopics(qrels: Dicts) -> pd.DataFrame:
    """The same judgments, of two subtopics in turn."""
    rows = [
        (qid, docno, max(grade, 0), number % 2)
        for qid, of in qrels.items()
        for number, (docno, grade) in enumerate(of.items())
    ]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance", "subtopic"])


def same(result: Mapping[Any, float], reference: Any) -> bool:
    """Whether both have the same keys and, bit for bit, the same values."""
    one, other = dict(result), dict(reference)
    return one.keys() == other.keys() and all(
        np.array_equal(one[key], other[key], equal_nan=True) and type(one[key]) is float for key in one
    )


def test_real_runs_have_the_same_scores(shared: Path) -> None:
    """Robust 2003: the scores of each run, from dicts and from files."""
    folder = shared / "robust03"
    judgments = cranfield.read_qrels(folder / "qrels.robust03.txt.gz")
    qrels = {qid: dict(zip(of["doc_id"], of["relevance"], strict=True)) for qid, of in judgments.groupby("query_id")}
    names = ["AP", "nDCG@10", "Bpref", "RBP", "gMAP", "NumRet"]
    evaluator = cranfield.Evaluator(qrels, names)
    for path in sorted((folder / "runs").iterdir())[: usually(1, 2)]:
        frame = cranfield.read_runs(path)
        run = {qid: dict(zip(of["doc_id"], of["score"], strict=True)) for qid, of in frame.groupby("query_id")}
        reference = cranfield.evaluate(folder / "qrels.robust03.txt.gz", path, measures=names).frame
        scores = evaluator.evaluate(run)
        assert scores == dict(zip(names, reference["value"], strict=True))
        assert evaluator.evaluate(path) == evaluator.evaluate(frame) == scores


def test_names_are_those_given() -> None:
    evaluator = cranfield.Evaluator(QRELS, ["map", "AP", "P_5", parse("AP").set(rel=2)])
    assert evaluator.evaluate(RUN) == {"map": 0.75, "AP": 0.75, "P_5": 0.2, "AP(rel=2)": 0.0}
    assert list(map(str, evaluator.measures)) == ["AP", "P@5", "AP(rel=2)"]


def test_what_else_is_wrong_is_said() -> None:
    with pytest.raises(MeasureError, match="unknown measure 'mapp'"):
        cranfield.Evaluator(QRELS, "mapp")
    evaluator = cranfield.Evaluator(QRELS, "AP")
    with pytest.raises(InputError, match="2 runs; expected one run; use `evaluate` for several runs"):
        evaluator.evaluate({"a": RUN, "b": RUN})
    with pytest.raises(
        InputError, match="no topic of the runs has judgments: the runs have 7, and the qrels have q1, q2"
    ):
        evaluator.evaluate({"7": {"d1": 1.0}})
    assert evaluator.evaluate({"a": RUN}) == evaluator.evaluate(RUN)


def test_warnings_are_those_of_evaluate_once() -> None:
    """A run that lacks a topic, one with a topic nobody judged, one without a judged document; grades of -1."""
    with pytest.warns(UserWarning, match="1 of 4 grades in the qrels is -1"):
        evaluator, messages = cranfield.Evaluator({**QRELS, "q3": {"d": -1}}, "AP"), set[str]()
    for run in ({"q1": {"d1": 1.0}}, {**RUN, "q3": {"d": 1.0}, "q8": {"d": 1.0}}, {"q1": {"x": 1.0}}, {}):
        with warnings.catch_warnings(record=True) as reference:
            warnings.simplefilter("always")
            cranfield.evaluate({**QRELS, "q3": {"d": -1}}, run, measures="AP")
        with warnings.catch_warnings(record=True) as record:
            warnings.simplefilter("always")
            evaluator.evaluate(run)
            evaluator.per_topic(run)
        texts = [
            str(warning.message).replace('topics="common"', "retrieved_topics_only=True")  # what an Evaluator takes
            for warning in reference
        ]
        lines = [text for text in texts if not any(part in text for part in ("grades", "no relevant document"))]
        assert [str(warning.message) for warning in record] == [line for line in lines if line not in messages]
        messages.update(lines)
        assert {warning.filename for warning in record} <= {__file__}


def test_it_is_pickled_and_takes_a_store(tmp_path: Path) -> None:
    evaluator = pickle.loads(pickle.dumps(cranfield.Evaluator(QRELS, ["AP", "nDCG@10"])))
    assert evaluator.evaluate(RUN) == cranfield.Evaluator(QRELS, ["AP", "nDCG@10"]).evaluate(RUN)
    scale, qrels = {0: "no", 1: "some", 2: "yes"}, {"NIST": {"q": {"d1": 1, "d2": 2}}}
    track = new_file(tmp_path / "track.db", grades=scale, min_relevant=2, qrels=qrels)
    assert cranfield.Evaluator(track, "AP").evaluate({"q": {"d1": 2.0, "d2": 1.0}}) == {"AP": 0.5}


def test_the_training_loop_of_the_guide_runs() -> None:
    page = (ROOT / "docs" / "measure" / "training.md").read_text(encoding="utf-8")
    for block in re.findall(r"^```python\n(.+?)^```", page, re.DOTALL | re.MULTILINE):
        exec(block, {})
