"""Position-based IPS: a click counts by how likely its rank is examined, in the log and in the new ranking.

    mean over lists of the sum over clicks of  examination(new rank) / examination(logged rank)

Needs no randomised lists, only the examination of ranks: from a position-based model, from documents that moved, or
from a file. It takes clicks to depend on examination of the rank and on the document alone. Documents that were not
shown count nothing, so a ranking that finds new ones gets too little.

Source: Joachims, Swaminathan and Schnabel, Unbiased learning-to-rank with biased feedback, WSDM 2017.
"""

from __future__ import annotations

from cranfield.online.counterfactual.estimator import Estimator
from cranfield.online.counterfactual.ips import terms

POSITION_BASED = Estimator(
    "position-based", "clicks weighed by the examination of their new and old ranks", terms, "examination", "WSDM 2017"
)
