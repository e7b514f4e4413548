"""The table of click models, from simple to complex."""

from __future__ import annotations

from collections.abc import Mapping

from cranfield.errors import InputError
from cranfield.online.click_models.ccm import CCM
from cranfield.online.click_models.ccm_pyclick import CCM_PYCLICK
from cranfield.online.click_models.cm import CM
from cranfield.online.click_models.dbn import DBN
from cranfield.online.click_models.dbn_pyclick import DBN_PYCLICK
from cranfield.online.click_models.dcm import DCM
from cranfield.online.click_models.dcm_em import DCM_EM
from cranfield.online.click_models.dctr import DCTR
from cranfield.online.click_models.gctr import GCTR
from cranfield.online.click_models.model import ClickModel
from cranfield.online.click_models.pbm import PBM
from cranfield.online.click_models.rctr import RCTR
from cranfield.online.click_models.sdbn import SDBN
from cranfield.online.click_models.sdbn_em import SDBN_EM
from cranfield.online.click_models.ubm import UBM

CLICK_MODELS: Mapping[str, ClickModel] = {
    model.name: model
    for model in (GCTR, RCTR, DCTR, PBM, CM, DCM, DCM_EM, SDBN, SDBN_EM, DBN, DBN_PYCLICK, UBM, CCM, CCM_PYCLICK)
}


def click_model(name: str) -> ClickModel:
    """The model of this name.

    >>> click_model("pmb")
    Traceback (most recent call last):
    cranfield.errors.InputError: unknown click model 'pmb'; available: gctr, rctr, dctr, pbm, cm, dcm, dcm-em, sdbn,
    sdbn-em, dbn, dbn-pyclick, ubm, ccm, ccm-pyclick
    """
    if name not in CLICK_MODELS:
        raise InputError(f"unknown click model {name!r}; available: {', '.join(CLICK_MODELS)}")
    return CLICK_MODELS[name]
