"""The table of measures of answers, in display order."""

from cranfield.features.answers.measures import nuggets, support
from cranfield.metrics.measure import Measure

ANSWER_MEASURES: tuple[Measure, ...] = (
    nuggets.V_STRICT,
    nuggets.V,
    nuggets.A_STRICT,
    nuggets.A,
    nuggets.W_STRICT,
    nuggets.W,
    support.SUPPORTP,
    support.SUPPORTR,
    support.CITEPRECISION,
    support.CITERECALL,
    support.CTXP,
    support.CTXR,
    support.FAITHFUL,
    support.ANSREL,
)
