"""The clinic: is this collection fair to my new system?

Where a new run was not judged (`holes`), what its scores can become (`bounds`), what runs like it have lost
(`analogues`, `adjust`, `lipani`), what would have to be judged to know whether it is better than another (`decide`),
and how probable that is (`chance`).
"""

from __future__ import annotations

from cranfield.metrics.diagnosis.adjust import adjusted, common_topic_loss, mean_loss
from cranfield.metrics.diagnosis.bounds import bounds, mean_bounds
from cranfield.metrics.diagnosis.case import Case, Clinic, examine
from cranfield.metrics.diagnosis.chance import Chance, Prior, prior
from cranfield.metrics.diagnosis.decide import Decision, decide
from cranfield.metrics.diagnosis.holes import first_hole, holes, profile
from cranfield.metrics.diagnosis.lipani import adjusted_precision

__all__ = [
    "Case",
    "Chance",
    "Clinic",
    "Decision",
    "Prior",
    "adjusted",
    "adjusted_precision",
    "bounds",
    "common_topic_loss",
    "decide",
    "examine",
    "first_hole",
    "holes",
    "mean_bounds",
    "mean_loss",
    "prior",
    "profile",
]
