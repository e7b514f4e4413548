"""Item-position: IPS for each document at its position, not for whole lists.

Far larger samples than whole lists give, under the assumption that a click depends on the document and its position
alone. The propensity of a document is that of being shown at its position, whatever else is shown.

Source: Li, Abbasi-Yadkori, Kveton, Muthukrishnan, Vinay and Wen, Offline evaluation of ranking policies with click
models, KDD 2018.
"""

from __future__ import annotations

from cranfield.online.counterfactual.estimator import Estimator
from cranfield.online.counterfactual.ips import terms

ITEM_POSITION = Estimator(
    "item-position", "ips by document and position; clicks must not depend on the rest", terms, "positions", "KDD 2018"
)
