"""Agreement between assessors: `AGREEMENTS` is the table of coefficients.

All take an array (units, assessors) of grades, NaN where there is no label. What is undefined (constant assessors, no
relevant document, no unit with two labels) is NaN, never 0 or 1. No coefficient can be read on its own: look at
prevalence, raw agreement and overlap beside a chance-corrected one.

>>> round(AGREEMENTS["Cohen kappa"]([[0, 0], [0, 0], [0, 1], [1, 1]]), 4)
0.5
>>> AGREEMENTS["Cohen kappa"]([[1, 1], [1, 1]])
nan
"""

from cranfield.judging.agreement.agreement import AGREEMENTS, Interval, bootstrap, interval
from cranfield.judging.agreement.base import Agreement, Labels, drop_off_scale, grades_as_labels
from cranfield.judging.agreement.chance_corrected import (
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
    krippendorff_alpha,
)

__all__ = [
    "AGREEMENTS",
    "Agreement",
    "Interval",
    "Labels",
    "bootstrap",
    "cohen_kappa",
    "drop_off_scale",
    "fleiss_kappa",
    "grades_as_labels",
    "gwet_ac1",
    "gwet_ac2",
    "interval",
    "krippendorff_alpha",
]
