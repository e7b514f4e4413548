"""Evaluation in the shapes of pytrec_eval, next to the measures themselves."""

import gzip
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.errors import InputError, MeasureError
from cranfield.metrics import parse, shapes
from cranfield.metrics.evaluate import score
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.named_measures import NamedMeasure
from cranfield.metrics.shapes import RelevanceEvaluator

QRELS = {"1": {"a": 2, "b": 1, "c": 0}, "2": {"a": 1, "d": 2}}
RUN = {"1": {"b": 3.0, "x": 2.5, "c": 2.0, "a": 1.0}, "2": {"a": 2.0, "d": 1.0}}


@pytest.mark.parametrize(("level", "average_precision"), [(1, "AP"), (2, "AP(rel=2)")])
def test_a_level_of_relevance_is_for_measures_that_have_one(level: int, average_precision: str) -> None:
    """nDCG takes the grades as they are."""
    found = RelevanceEvaluator(QRELS, {"map", "ndcg"}, relevance_level=level).evaluate(RUN)
    judged = join_runs_and_qrels(as_runs({"r": RUN}), as_qrels(QRELS))
    [expected] = score(judged, [parse(average_precision), parse("nDCG")])
    for qid, values in zip(judged.qids, expected.tolist(), strict=True):
        assert [found[qid]["map"], found[qid]["ndcg"]] == pytest.approx(values)
    assert found["1"]["map"] == pytest.approx({1: (1 + 2 / 4) / 2, 2: 1 / 4}[level])


def test_only_judged_documents_count_on_request() -> None:
    """The unjudged document at rank 2 is left out."""
    found = RelevanceEvaluator(QRELS, {"map"}, judged_docs_only_flag=True).evaluate(RUN)
    assert found["1"]["map"] == pytest.approx((1 + 2 / 3) / 2)


README_QRELS = {"Q0": {"D0": 0, "D1": 1}, "Q1": {"D0": 0, "D3": 2}}
README_RUN = {"Q0": {"D0": 1.2, "D1": 1.0}, "Q1": {"D0": 2.4, "D3": 3.6}}


def test_the_readme_of_ir_measures_runs_with_another_import(tmp_path: Path) -> None:
    """Its measures, its forms of judgments and runs, and its files."""
    measures = [shapes.AP, shapes.nDCG, shapes.RR, shapes.nDCG @ 10, shapes.P(rel=2) @ 10]
    expected = {"AP": 0.75, "nDCG": 0.8154648767857288, "RR": 0.75, "nDCG@10": 0.8154648767857288, "P(rel=2)@10": 0.05}
    found = shapes.calc_aggregate(measures, README_QRELS, README_RUN)
    assert {str(name): value for name, value in found.items()} == pytest.approx(expected)
    assert found[shapes.AP] == 0.75
    lines = [*map(str, shapes.iter_calc(measures, README_QRELS, README_RUN))]
    assert "Metric(query_id='Q0', measure=AP, value=0.5)" in lines
    assert "Metric(query_id='Q1', measure=P(rel=2)@10, value=0.1)" in lines
    qrels = [shapes.Qrel(qid, *pair) for qid, grades in README_QRELS.items() for pair in grades.items()]
    run = [shapes.ScoredDoc(qid, *pair) for qid, scores in README_RUN.items() for pair in scores.items()]
    (tmp_path / "qrels.txt").write_text("Q0 0 D0 0\nQ0 0 D1 1\n\nQ1 0 D0 0\nQ1 0 D3 2\n")
    with gzip.open(tmp_path / "run.gz", "wt") as file:
        file.writelines(f"{line.query_id} Q0 {line.doc_id} 1 {line.score} a\n" for line in run)
    read = [*shapes.read_trec_qrels(str(tmp_path / "qrels.txt"))], [*shapes.read_trec_run(str(tmp_path / "run.gz"))]
    assert read == (qrels, run)
    for judgments, ranking in ((pd.DataFrame(qrels), pd.DataFrame(run)), (qrels, run), (iter(qrels), iter(run)), read):
        assert shapes.calc_aggregate(measures, judgments, ranking) == found
    with (tmp_path / "qrels.txt").open() as file:
        evaluator = shapes.evaluator(measures, shapes.read_trec_qrels(file))
    assert evaluator.calc_aggregate(README_RUN) == found
    assert evaluator.calc(README_RUN) == shapes.calc(measures, README_QRELS, README_RUN)
    assert [*map(str, evaluator.iter_calc(README_RUN))] == lines


def test_every_measure_has_the_name_and_value_of_ir_measures() -> None:
    """With its options in their notation, computed by their providers alone: ours may be registered by another test."""
    ir_measures = pytest.importorskip("ir_measures")
    providers = [item for item in ir_measures.DefaultPipeline.providers if item.NAME != "cranfield"]
    theirs_alone = type(ir_measures.DefaultPipeline)(providers)
    rng = np.random.default_rng(1)
    qrels = {str(q): {f"d{d}": int(rng.choice([0, 0, 1, 2, 3])) for d in range(30)} for q in range(8)}
    run = {str(q): {f"d{d}": float(rng.random()) for d in rng.choice(45, 30, replace=False)} for q in range(8)}
    forms: list[Callable[[Any], Any]] = [
        lambda m: m, lambda m: m @ 5, lambda m: m(rel=2), lambda m: m(rel=2) @ 5, lambda m: m(judged_only=True) @ 5,
        lambda m: m(p=0.7), lambda m: m @ 0.3, lambda m: m(dcg="exp-log2") @ 5,
        lambda m: m(gains={0: 0, 1: 1, 2: 5}) @ 5, lambda m: m(beta=2.0), lambda m: m(cutoff=7),
    ]  # fmt: skip
    compared = 0
    for name in shapes.__all__:
        ours, theirs = getattr(shapes, name), getattr(ir_measures, name, None)
        if not isinstance(ours, NamedMeasure):
            continue
        for form in forms:
            try:
                measure = form(theirs)
                [expected] = theirs_alone.calc_aggregate([measure], qrels, run).values()
            except (KeyError, TypeError, ValueError, AssertionError, RuntimeError, NotImplementedError):
                continue  # without a provider, or with an option that it does not have
            if name == "IPrec" or (name == "Judged" and not measure.params):
                continue  # follows trec_eval 10; refused here without a cutoff
            if parse(str(form(ours))).needs_subtopics:  # pyndeval scores judgments without them, with a warning
                with pytest.raises(MeasureError):
                    shapes.calc_aggregate([form(ours)], qrels, run)
                continue
            [found] = shapes.calc_aggregate([form(ours)], qrels, run).values()
            assert found == pytest.approx(expected, abs=2e-5 if name.startswith(("ERR", "n", "N")) else 1e-9), measure
            compared += 1
    assert compared > 70


def test_names_of_ir_measures_and_trec_eval_are_parsed() -> None:
    assert shapes.parse_measure("nDCG@10") == parse("nDCG@10")
    assert shapes.parse_measure(shapes.AP) is shapes.AP
    assert shapes.parse_trec_measure("ndcg_cut_10") == [parse("nDCG@10")]
    assert [*map(str, shapes.parse_trec_measure("success"))] == ["Success@1", "Success@5", "Success@10"]
    with pytest.raises(MeasureError, match=r"^AP has no option 'beta'"):
        shapes.AP(beta=2)


@pytest.mark.parametrize(
    ("read", "text", "line"),
    [
        (shapes.read_trec_qrels, "q 0 d 1\nq 0 d\n", "3 columns; expected 4"),
        (shapes.read_trec_qrels, "q 0 d x\n", "relevance is 'x'; expected a whole number"),
        (shapes.read_trec_run, "q Q0 d 1 x a\n", "score is 'x'; expected a number"),
        (shapes.read_trec_run, 3, "file is 3; expected a path, an open file or a text of several lines"),
    ],
)
def test_a_wrong_line_is_named(read: Callable[[Any], Iterable[object]], text: Any, line: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"{re.escape(line)}$"):
        list(read(text))
    if isinstance(text, str):
        (tmp_path / "file").write_text(text)
        with pytest.raises(InputError, match=rf"file:{text.count(chr(10))}: {re.escape(line)}$"):
            list(read(tmp_path / "file"))
