"""Measures of generated answers; ANSWER_MEASURES lists them in display order.

A measure is a function of one JudgedAnswer in a file of its own. What failed, or was not labelled, is NaN, and so is
every measure that needs it; it is never 0, and never left out of an answer.

>>> from cranfield.features.answers.measures.support import faithfulness
>>> from cranfield.features.answers.measures.judged import JudgedAnswer
>>> faithfulness(JudgedAnswer(statements=[1, 0, 1]))
0.6666666666666666
"""

from cranfield.features.answers.measures import nuggets, support, whole
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
    whole.CORRECT,
    whole.CORRECTP,
    whole.CORRECTR,
    whole.RUBRIC,
    whole.RUBRICSHARE,
    whole.WINRATE,
)
