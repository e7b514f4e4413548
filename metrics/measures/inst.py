"""INST: the gain per document read of a reader who wants gain T and is more likely to stop the more she has found."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.gains import running_sum
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.err import product_above
from cranfield.metrics.measures.insq import share_of_best


def adaptive_inverse_squares(r: Judged, T: float = 1.0, max_grade: int | None = None) -> Floats:  # noqa: N803
    """The gains of the retrieved documents, each weighted by the probability that it is read, per document read.

    >>> from cranfield.metrics.examples import example
    >>> adaptive_inverse_squares(example([0, 1])).round(4)  # she sees rank 2 with 4/9, and 2.147 documents in all
    array([0.2071])
    >>> adaptive_inverse_squares(example([0, 0]))
    array([0.])
    """
    from scipy.special import zeta

    hit = r.relevant()
    gain = share_of_best(r, hit.grade, max_grade)
    missing = T - running_sum(hit.ranking, gain)
    # Between two gains the chances to go on telescope: from a + 1 to b documents, (a / b)^2 with these a and b.
    after = hit.rank + T + missing - 1
    since = np.where(hit.nth > 1, np.roll(after, 1), 2 * T)
    wanted = np.where(hit.nth > 1, np.roll(missing, 1), T)
    until = hit.rank + T + wanted - 1
    arrives = (since / until) ** 2
    came = product_above(hit.nth, arrives)
    comes = came * arrives
    read = came * since**2 * (zeta(2, np.where(hit.nth > 1, since + 1, since)) - zeta(2, until + 1))
    last = np.append(hit.nth[1:] == 1, True)[: len(hit.nth)]
    rest = np.where(last, comes * after**2 * zeta(2, after + 1), 0.0)
    return ratio(r.sum(hit, comes * gain), r.sum(hit, read + rest))


INST = Measure("INST", adaptive_inverse_squares, extremes="one way", explanation="""
INST: the gain per document read of a reader who wants gain T and is more likely to stop the more she has found.

An adaptive INSQ: at rank i, when T_i of the wanted gain is still missing, she continues with probability ((i + T + T_i
- 1) / (i + T + T_i))^2. T is the number of relevant documents that the topic needs, say 1 for a fact, 10 for a survey;
state it, since different T are different measures. It misleads as INSQ does: it never reaches 1, and a gain is the
grade divided by max_grade, by default the highest grade in the judgments.

Source: Bailey, Moffat, Scholer and Thomas, User variability and IR system evaluation, SIGIR 2015; Moffat, Bailey,
Scholer and Thomas, INST: an adaptive metric for information retrieval evaluation, ADCS 2015. All ranks count, as there;
cwl_eval cuts them at 1000 and so gives slightly more.
""")  # fmt: skip
