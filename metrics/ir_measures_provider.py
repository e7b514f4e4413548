"""How ir_measures computes measures by our code. Only who uses ir_measures imports this, never `import cranfield`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import ir_measures
import numpy as np
from ir_measures.measures.base import Agg
from ir_measures.providers import Evaluator, Provider, register
from ir_measures.util import QrelsConverter, RunConverter

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.errors import MeasureError
from cranfield.metrics.evaluate import AGGREGATES, score
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.measure import Aggregate, Measure
from cranfield.metrics.notation import parse

NAME = "cranfield"


class Mean(Agg):
    """The scores of topics over all, as the measure says; what is undefined does not count."""

    def __init__(self, aggregate: Aggregate) -> None:
        self._aggregate, self._values = AGGREGATES[aggregate], list[float]()

    def add(self, value: float) -> None:
        """Take the score of one more topic."""
        self._values.append(value)

    def result(self) -> float:
        """The scores over all topics, NaN where there is none."""
        return float(self._aggregate(np.array(self._values))) if self._values else float("nan")


class CranfieldMeasure(ir_measures.Measure):
    """A measure of ours: its str is ours, @ and options work as they do for it."""

    NAME = NAME

    def __init__(self, measure: Measure) -> None:
        super().__init__()
        self.cranfield_measure = measure.complete()
        self.__name__ = str(measure)

    def __call__(self, **options: object) -> CranfieldMeasure:
        return CranfieldMeasure(self.cranfield_measure.set(**options))

    def __matmul__(self, at: object) -> CranfieldMeasure:
        return CranfieldMeasure(self.cranfield_measure @ at)

    def __repr__(self) -> str:
        return str(self.cranfield_measure)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CranfieldMeasure) and self.cranfield_measure == other.cranfield_measure

    def __hash__(self) -> int:
        return hash((NAME, self.cranfield_measure))

    def aggregator(self) -> Agg:
        """What makes one number of the scores of topics."""
        return Mean(self.cranfield_measure.aggregate)


class CranfieldEvaluator(Evaluator):
    """Scores runs by these measures: every judged topic, one without an answer too, as ir_measures does."""

    def __init__(self, measures: Sequence[Any], qrels: object) -> None:
        self._qrels = as_qrels(QrelsConverter(qrels).as_pd_dataframe())
        super().__init__(measures, set(self._qrels.qids))

    def _iter_calc(self, run: object) -> Iterator[ir_measures.Metric]:
        frame = RunConverter(run).as_pd_dataframe()
        judged = join_runs_and_qrels(as_runs({"run": frame if len(frame) else {}}), self._qrels)
        scores = score(judged, [parse(measure) for measure in self.measures])[0].tolist()
        for qid, values in zip(judged.qids, scores, strict=True):
            for measure, value in zip(self.measures, values, strict=True):
                yield ir_measures.Metric(qid, measure, value)


class CranfieldProvider(Provider):
    """Computes measures of ours, and those of ir_measures that we have too."""

    NAME = NAME

    def supports(self, measure: Any) -> bool:
        """Whether it is a measure of ours, or one of ir_measures that we can compute."""
        measure.validate_params()
        try:
            return parse(measure).complete().of == "rankings"
        except MeasureError:
            return False

    def _evaluator(self, measures: Iterable[Any], qrels: object) -> CranfieldEvaluator:
        return CranfieldEvaluator(list(measures), qrels)


PROVIDER = register(CranfieldProvider())
ir_measures.DefaultPipeline.providers.append(PROVIDER)
