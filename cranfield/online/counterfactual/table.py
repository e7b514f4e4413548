"""The table of counterfactual estimators."""

from __future__ import annotations

from collections.abc import Mapping

from cranfield.errors import InputError
from cranfield.online.counterfactual.clipped import CLIPPED
from cranfield.online.counterfactual.dm import DM
from cranfield.online.counterfactual.dr import DR
from cranfield.online.counterfactual.estimator import Estimator
from cranfield.online.counterfactual.ips import IPS
from cranfield.online.counterfactual.item_position import ITEM_POSITION
from cranfield.online.counterfactual.position_based import POSITION_BASED
from cranfield.online.counterfactual.pseudo_inverse import PSEUDO_INVERSE
from cranfield.online.counterfactual.snips import SNIPS

ESTIMATORS: Mapping[str, Estimator] = {
    one.name: one for one in (IPS, SNIPS, CLIPPED, DM, DR, ITEM_POSITION, POSITION_BASED, PSEUDO_INVERSE)
}


def estimator(name: str) -> Estimator:
    """The estimator of this name.

    >>> estimator("ipw")
    Traceback (most recent call last):
    cranfield.errors.InputError: unknown estimator 'ipw'; available: ips, snips, clipped, dm, dr, item-position,
    position-based, pseudo-inverse
    """
    if name not in ESTIMATORS:
        raise InputError(f"unknown estimator {name!r}; available: {', '.join(ESTIMATORS)}")
    return ESTIMATORS[name]
