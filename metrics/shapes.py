"""Evaluation as ir_measures and pytrec_eval spell it, the same calls and shapes; and measures for ir_measures.

To port a program, change its import: `from cranfield.metrics import shapes as ir_measures`, `from
cranfield.metrics.shapes import AP, nDCG`, or `from cranfield.metrics.shapes import RelevanceEvaluator`. Measures,
objects of ir_measures included, come back as given, as keys. The scores are those of `evaluate`: trec_eval's order and
arithmetic with scores in double precision, and NaN where undefined. docs/measure/migration.md lists where they differ
from the originals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.judged import Judged as JudgedArrays
from cranfield.arrays.rankings import Floats
from cranfield.errors import InputError
from cranfield.extras import require_extra
from cranfield.metrics.evaluate import FLOOR, aggregate_scores, is_answered, score
from cranfield.metrics.inputs import QrelsLike, RunsLike, as_qrels, join_judged
from cranfield.metrics.measure import ForeignMeasure, Measure
from cranfield.metrics.named_measures import (
    AP,
    AP_IA,
    BPM,
    ERR,
    ERR_IA,
    INSQ,
    INST,
    MAP,
    MAP_IA,
    MRR,
    NDCG,
    NRBP,
    P_IA,
    RBP,
    RR,
    SDCG,
    Accuracy,
    BPref,
    Bpref,
    Compat,
    IPrec,
    Judged,
    NamedMeasure,
    NumQ,
    NumRel,
    NumRelRet,
    NumRet,
    P,
    Precision,
    Qrel,
    R,
    Recall,
    RPrec,
    Rprec,
    ScoredDoc,
    SetAP,
    SetF,
    SetP,
    SetR,
    SetRelP,
    StRecall,
    Success,
    alpha_DCG,
    alpha_nDCG,
    infAP,
    nDCG,
    nERR_IA,
    nNRBP,
    read_trec_qrels,
    read_trec_run,
)
from cranfield.metrics.notation import MeasureLike, as_measure_list, parse, parse_measures
from cranfield.metrics.trec_eval import lines_of

__all__ = [
    "AP",
    "AP_IA",
    "BPM",
    "ERR",
    "ERR_IA",
    "INSQ",
    "INST",
    "MAP",
    "MAP_IA",
    "MRR",
    "NDCG",
    "NRBP",
    "P_IA",
    "RBP",
    "RR",
    "SDCG",
    "Accuracy",
    "BPref",
    "Bpref",
    "CalcResults",
    "Compat",
    "Evaluator",
    "IPrec",
    "Judged",
    "Metric",
    "NamedMeasure",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "P",
    "Precision",
    "Qrel",
    "R",
    "RPrec",
    "Recall",
    "RelevanceEvaluator",
    "Rprec",
    "ScoredDoc",
    "SetAP",
    "SetF",
    "SetP",
    "SetR",
    "SetRelP",
    "StRecall",
    "Success",
    "alpha_DCG",
    "alpha_nDCG",
    "calc",
    "calc_aggregate",
    "compute_aggregated_measure",
    "evaluator",
    "infAP",
    "iter_calc",
    "nDCG",
    "nERR_IA",
    "nNRBP",
    "parse_measure",
    "parse_trec_measure",
    "read_trec_qrels",
    "read_trec_run",
    "to_ir_measures",
]


class Metric(NamedTuple):
    """A score of one topic, as ir_measures has it."""

    query_id: str
    measure: Any
    value: float


class CalcResults(NamedTuple):
    """Means by measure, and the scores of each topic, as ir_measures has them."""

    aggregated: dict[Any, float]
    per_query: list[Metric]


def calc(measures: MeasureLike | Iterable[MeasureLike], qrels: QrelsLike, run: RunsLike) -> CalcResults:
    """ir_measures.calc: the means of a run, and its scores by topic."""
    return Evaluator(measures, qrels).calc(run)


def calc_aggregate(measures: MeasureLike | Iterable[MeasureLike], qrels: QrelsLike, run: RunsLike) -> dict[Any, float]:
    """ir_measures.calc_aggregate: the means of a run, by measure.

    >>> calc_aggregate([AP, P(rel=2) @ 10], {"q": {"d1": 2, "d2": 1}}, {"q": {"d1": 1.5, "d3": 1.0}})
    {AP: 0.5, P(rel=2)@10: 0.1}
    """
    return calc(measures, qrels, run).aggregated


def iter_calc(measures: MeasureLike | Iterable[MeasureLike], qrels: QrelsLike, run: RunsLike) -> Iterator[Metric]:
    """ir_measures.iter_calc: the scores of a run, one topic and measure at a time; every judged topic has one.

    >>> next(iter_calc([AP], {"q": {"d1": 1}}, {"q": {"d1": 1.5}}))
    Metric(query_id='q', measure=AP, value=1.0)
    """
    yield from calc(measures, qrels, run).per_query


class Evaluator:
    """What ir_measures.evaluator returns: judgments and measures now, runs later.

    >>> Evaluator([RR], {"q": {"d1": 1}}).calc_aggregate({"q": {"d2": 1.0, "d1": 0.5}})
    {RR: 0.5}
    """

    def __init__(self, measures: MeasureLike | Iterable[MeasureLike], qrels: QrelsLike) -> None:
        self.measures = {name: parse_measures(name)[0] for name in as_measure_list(measures)}
        self.qrels = as_qrels(qrels)

    def calc(self, run: RunsLike) -> CalcResults:
        """The means of a run, and its scores by topic."""
        judged = _join_with_single_run(self.qrels, run)
        scores = score(judged, list(self.measures.values()))
        means = aggregate_scores(scores, list(self.measures.values()))[0].tolist()
        per_query = [
            Metric(qid, measure, value)
            for qid, values in zip(judged.qids, scores[0].tolist(), strict=True)
            for measure, value in zip(self.measures, values, strict=True)
        ]
        return CalcResults(dict(zip(self.measures, means, strict=True)), per_query)

    def calc_aggregate(self, run: RunsLike) -> dict[Any, float]:
        """The means of a run, by measure."""
        return self.calc(run).aggregated

    def iter_calc(self, run: RunsLike) -> Iterator[Metric]:
        """The scores of a run, one topic and measure at a time."""
        yield from self.calc(run).per_query


def evaluator(measures: MeasureLike | Iterable[MeasureLike], qrels: QrelsLike) -> Evaluator:
    """ir_measures.evaluator: judgments and measures now, runs later."""
    return Evaluator(measures, qrels)


def parse_measure(measure: MeasureLike) -> Any:
    """ir_measures.parse_measure: the measure of a name; measure objects stay as they are.

    >>> parse_measure("nDCG@10")
    nDCG@10
    """
    return parse(measure) if isinstance(measure, str) else measure


def parse_trec_measure(measure: str) -> list[Measure]:
    """ir_measures.parse_trec_measure: the measures of a name of trec_eval, at its cutoffs.

    >>> parse_trec_measure("ndcg_cut.10"), parse_trec_measure("success")
    ([nDCG@10], [Success@1, Success@5, Success@10])
    """
    return [line.measure for line in lines_of([measure]) if line.measure is not None]


class RelevanceEvaluator:
    """pytrec_eval.RelevanceEvaluator: judgments and measures now, runs later.

    As there, a run's topics are those that it answers and somebody judged, a family such as "ndcg_cut" means
    trec_eval's cutoffs, and "official" or "all_trec" all measures of that name but runid and relstring.

    >>> evaluator = RelevanceEvaluator({"q": {"d1": 1}, "r": {"d1": 1}}, {"map", "success"})
    >>> evaluator.evaluate({"q": {"d2": 1.0, "d1": 0.5}})
    {'q': {'map': 0.5, 'success_1': 0.0, 'success_5': 1.0, 'success_10': 1.0}}
    """

    def __init__(
        self,
        query_relevance: QrelsLike,
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        self.qrels = as_qrels(query_relevance)
        self.measures = {
            line.name: _measure_at_level(line.measure, relevance_level, judged_docs_only_flag)
            for line in lines_of(sorted(measures))
            if line.measure is not None
        }

    def evaluate(self, scores: RunsLike) -> dict[str, dict[str, float]]:
        """The scores of a run: {qid: {measure: value}}."""
        if isinstance(scores, Mapping) and not scores:
            return {}
        judged = _join_with_single_run(self.qrels, scores).drop_negative_grades()
        values = np.stack([_topic_values(measure, judged) for measure in self.measures.values()], axis=-1)
        topics = np.flatnonzero(is_answered(judged)[0])
        return {judged.qids[topic]: dict(zip(self.measures, values[topic].tolist(), strict=True)) for topic in topics}


def compute_aggregated_measure(measure: str, values: Sequence[float]) -> float:
    """pytrec_eval.compute_aggregated_measure: the sum of counts, the mean of all else, exponentiated for logarithms.

    >>> compute_aggregated_measure("num_ret", [3.0, 4.0]), compute_aggregated_measure("map", [0.5, 0.0])
    (7.0, 0.25)
    """
    if measure.startswith("num_"):
        return float(np.sum(values))
    mean = float(np.mean(values))
    return float(np.exp(mean)) if measure.startswith("gm_") else mean


def _measure_at_level(measure: Measure, rel: int, judged_only: bool) -> Measure:
    options: dict[str, object] = {"judged_only": True} if judged_only else {}
    if rel != 1 and "rel" in measure.defaults:
        options["rel"] = rel
    return measure.set(**options)


def _topic_values(measure: Measure, judged: JudgedArrays) -> Floats:
    """The scores by topic, as in trec_eval: logarithms for geometric means."""
    values = measure.scores(judged)
    return np.log(np.maximum(values, FLOOR)) if measure.aggregate == "geometric mean" else values


def _join_with_single_run(qrels: QrelsLike, run: RunsLike) -> JudgedArrays:
    judged = join_judged(qrels, run)
    if len(judged.tags) != 1:
        raise InputError(f"{len(judged.tags)} runs; expected one (evaluate takes several)")
    return judged


def to_ir_measures(measures: MeasureLike | Iterable[MeasureLike]) -> Any:
    """Convert measures to ir_measures objects, for `ir_measures.calc` and PyTerrier's Experiment.

    This adds a provider "cranfield" to ir_measures, which scores these measures. It also scores measures of ir_measures
    that no other provider supports. `parse` converts the objects back.

        import pyterrier as pt
        from cranfield.metrics import AP, nDCG, to_ir_measures

        pt.Experiment([bm25], topics, qrels, to_ir_measures([AP, nDCG(gains="exp")@10]))

    Parameters
    ----------
    measures : measure or iterable of measures
        Names or measure objects.

    Returns
    -------
    ir_measures.Measure or list of ir_measures.Measure
        One object for one measure, otherwise a list.

    Raises
    ------
    InputError
        If ir_measures is not installed.
    """
    require_extra("interop", "a measure for ir_measures", "ir_measures")
    from cranfield.metrics.ir_measures_provider import CranfieldMeasure

    if isinstance(measures, str | Measure | ForeignMeasure):
        return CranfieldMeasure(parse(measures))
    return [CranfieldMeasure(measure) for measure in parse_measures(measures)]
