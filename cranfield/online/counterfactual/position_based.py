"""Position-based IPS: a click counts by how likely its rank is examined, in the log and in the new ranking."""

from __future__ import annotations

from cranfield.online.counterfactual.estimator import Estimator
from cranfield.online.counterfactual.ips import ips_terms

POSITION_BASED = Estimator(
    "position-based",
    "clicks weighed by the examination of their new and old ranks",
    ips_terms,
    "examination",
    "WSDM 2017",
)
