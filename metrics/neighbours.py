"""Measures of ours as objects of ir_measures, which ir_measures and PyTerrier compute by our code."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cranfield.errors import InputError
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import MeasureLike, parse, parse_all
from cranfield.metrics.other_tools import ForeignMeasure


def to_ir_measures(measures: MeasureLike | Iterable[MeasureLike]) -> Any:
    """The measure as an object of ir_measures, or a list of them, for `ir_measures.calc` and PyTerrier's Experiment.

    ir_measures then knows a provider "cranfield", which scores them, and which scores measures of ir_measures that no
    other provider supports. `parse` gives the measure back.

        import pyterrier as pt
        from cranfield.metrics import AP, nDCG, to_ir_measures

        pt.Experiment([bm25], topics, qrels, to_ir_measures([AP, nDCG(gains="exp")@10]))
    """
    try:
        from cranfield.metrics.ir_measures_provider import CranfieldMeasure
    except ModuleNotFoundError as error:
        if error.name != "ir_measures":
            raise
        raise InputError("ir_measures is not installed; `pip install ir_measures` installs it") from error
    if isinstance(measures, str | Measure | ForeignMeasure):
        return CranfieldMeasure(parse(measures))
    return [CranfieldMeasure(measure) for measure in parse_all(measures)]
