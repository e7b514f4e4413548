"""Item-position: IPS for each document at its position, not for whole lists."""

from __future__ import annotations

from cranfield.online.counterfactual.estimator import Estimator
from cranfield.online.counterfactual.ips import ips_terms

ITEM_POSITION = Estimator(
    "item-position",
    "ips by document and position; clicks must not depend on the rest",
    ips_terms,
    "positions",
    "KDD 2018",
)
