"""The clinic: is this collection fair to my new system?

Where a new run was not judged (`holes`), what its scores can become (`bounds`), what runs like it have lost
(`analogues`, `adjust`, `lipani`), what would have to be judged to know whether it is better than another (`decide`),
and how probable that is (`chance`).
"""

from __future__ import annotations

from .adjust import adjusted, common_topic_loss, mean_loss
from .bounds import bounds, mean_bounds
from .case import Case, Clinic, examine
from .chance import Chance, Prior, prior
from .decide import Decision, decide
from .holes import first_hole, holes, profile
from .lipani import adjusted_precision

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
