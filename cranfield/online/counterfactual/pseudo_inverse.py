"""Pseudo-inverse: the reward of a list is taken for a sum over its documents at their positions."""

from __future__ import annotations

from cranfield.online.counterfactual.estimator import Estimator
from cranfield.online.counterfactual.ips import ips_terms

PSEUDO_INVERSE = Estimator(
    "pseudo-inverse", "weights of lists whose reward is a sum over positions", ips_terms, "inverse", "NIPS 2017"
)
