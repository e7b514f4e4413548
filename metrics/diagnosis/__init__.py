"""Is this collection fair to my new system?

Where a new run was not judged (`unjudged_ranks`), what its scores can become (`bounds`), what runs like it have lost
(`similar_runs`, `webber_park`, `lipani`), what would have to be judged to decide whether it is better than another
(`decisive`), and how probable that is (`probability`).
"""

from __future__ import annotations

from cranfield.metrics.diagnosis.bounds import bounds, mean_bounds
from cranfield.metrics.diagnosis.decisive import RunComparison, compare_runs
from cranfield.metrics.diagnosis.diagnose import Diagnosis, DiagnosisInputs, diagnose
from cranfield.metrics.diagnosis.lipani import adjusted_precision
from cranfield.metrics.diagnosis.probability import GradePrior, Probabilities, grade_prior
from cranfield.metrics.diagnosis.unjudged_ranks import first_unjudged, judged_by_depth, unjudged_ranks
from cranfield.metrics.diagnosis.webber_park import adjusted, common_topic_loss, mean_loss

__all__ = [
    "Diagnosis",
    "DiagnosisInputs",
    "GradePrior",
    "Probabilities",
    "RunComparison",
    "adjusted",
    "adjusted_precision",
    "bounds",
    "common_topic_loss",
    "compare_runs",
    "diagnose",
    "first_unjudged",
    "grade_prior",
    "judged_by_depth",
    "mean_bounds",
    "mean_loss",
    "unjudged_ranks",
]
