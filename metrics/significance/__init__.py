"""Significance: do two systems differ by more than the choice of topics explains?

`TESTS` and `CORRECTIONS` are the tables; `compare` tests runs in pairs; `plan` says how many topics it takes to detect
a difference.
"""

from cranfield.metrics.significance.compare import compare as compare
from cranfield.metrics.significance.pairs import CORRECTIONS as CORRECTIONS
from cranfield.metrics.significance.tests import TESTS as TESTS
from cranfield.metrics.significance.topic_set_size import plan as plan

__all__ = ["CORRECTIONS", "TESTS", "compare", "plan"]
