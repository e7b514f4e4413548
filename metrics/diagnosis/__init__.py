"""Is this collection fair to my new system?

Where a new run was not judged (`unjudged_ranks`), what its scores can become (`bounds`), what runs like it have lost
(`similar_runs`, `webber_park`, `lipani`), what would have to be judged to decide whether it is better than another
(`decisive`), and how probable that is (`probability`).
"""

from cranfield.metrics.diagnosis.adjustments import adjusted, adjusted_precision, common_topic_loss, mean_loss
from cranfield.metrics.diagnosis.bounds import bounds, mean_bounds
from cranfield.metrics.diagnosis.decisive import GradePrior, Probabilities, RunComparison, compare_runs, grade_prior
from cranfield.metrics.diagnosis.diagnose import Diagnosis, DiagnosisInputs, diagnose
from cranfield.metrics.diagnosis.unjudged import first_unjudged, judged_by_depth, unjudged_ranks

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
