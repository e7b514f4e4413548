"""Pseudo-inverse: the reward of a list is taken for a sum over its documents at their positions.

    weight of a logged list s = n' G+ s,  G = mean of s s' over the lists of its topic

where s and n (of the new list) have a 1 for each document at its position. G comes from the logged lists of a topic, so
no propensities are needed, but lists of a topic must vary. Weights can be negative.

Source: Swaminathan, Krishnamurthy, Agarwal, Dudik, Langford, Jose and Zitouni, Off-policy evaluation for slate
recommendation, NIPS 2017.
"""

from __future__ import annotations

from cranfield.online.counterfactual.estimator import Estimator
from cranfield.online.counterfactual.ips import terms

PSEUDO_INVERSE = Estimator(
    "pseudo-inverse", "weights of lists whose reward is a sum over positions", terms, "inverse", "NIPS 2017"
)
