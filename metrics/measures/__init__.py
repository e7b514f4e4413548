"""The measures by the names that they are written by, in display order: the more important tend to come first.

The module of a measure is imported on the first use of the measure.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from cranfield.metrics.measure import Measure

MEASURE_PLACES: Mapping[str, str] = {  # the module of each in this folder, and its name there
    "AP": "average_precision.AP",
    "nDCG": "discounted_gain.NDCG",
    "P": "precision_and_recall.P",
    "R": "precision_and_recall.R",
    "R_cap": "precision_and_recall.R_CAP",
    "F": "precision_and_recall.F",
    "SetAP": "precision_and_recall.SETAP",
    "Utility": "precision_and_recall.UTILITY",
    "RR": "reading.RR",
    "Success": "precision_and_recall.SUCCESS",
    "Rprec": "precision_and_recall.RPREC",
    "RprecMult": "precision_and_recall.RPRECMULT",
    "gMAP": "average_precision.GMAP",
    "Bpref": "incomplete.BPREF",
    "gBpref": "incomplete.GBPREF",
    "Q": "average_precision.Q",
    "Compat": "reading.COMPAT",
    "infAP": "incomplete.INFAP",
    "xinfAP": "incomplete.XINFAP",
    "infNDCG": "incomplete.INFNDCG",
    "ERR": "reading.ERR",
    "nERR": "reading.NERR",
    "RBP": "reading.RBP",
    "RBPresid": "reading.RBPRESID",
    "INSQ": "reading.INSQ",
    "INST": "reading.INST",
    "DCG": "discounted_gain.DCG",
    "IDCG": "discounted_gain.IDCG",
    "nDCGrel": "discounted_gain.NDCGREL",
    "RnDCG": "discounted_gain.RNDCG",
    "binG": "discounted_gain.BING",
    "G": "discounted_gain.G",
    "CG": "discounted_gain.CG",
    "SDCG": "discounted_gain.SDCG",
    "BPM": "reading.BPM",
    "IPrec": "average_precision.IPREC",
    "AP11": "average_precision.AP11",
    "YAAP": "average_precision.YAAP",
    "alpha_nDCG": "diversity.ALPHA_NDCG",
    "alpha_DCG": "diversity.ALPHA_DCG",
    "ERR_IA": "diversity.ERR_IA",
    "nERR_IA": "diversity.NERR_IA",
    "NRBP": "diversity.NRBP",
    "nNRBP": "diversity.NNRBP",
    "AP_IA": "diversity.AP_IA",
    "P_IA": "diversity.P_IA",
    "StRecall": "diversity.STRECALL",
    "Judged": "counts.JUDGED",
    "Unjudged": "counts.UNJUDGED",
    "Accuracy": "counts.ACCURACY",
    "NumQ": "counts.NUMQ",
    "NumRet": "counts.NUMRET",
    "NumRel": "counts.NUMREL",
    "NumRelRet": "counts.NUMRELRET",
    "Hits": "counts.HITS",
    "NumNonrelRet": "counts.NUMNONRELRET",
}
MEASURES: tuple[Measure, ...]
__all__ = ["MEASURES", *MEASURE_PLACES]  # noqa: PLE0604


@cache
def load_measure(name: str) -> Measure:
    """Return the measure of this name, without its synonyms.

    >>> load_measure("AP")
    AP
    """
    module, _, variable = MEASURE_PLACES[name].partition(".")
    measure: Measure = getattr(import_module(f"{__name__}.{module}"), variable)
    return measure


def __getattr__(name: str) -> Measure:
    if name == "MEASURES":
        return tuple(map(load_measure, MEASURE_PLACES))  # type: ignore[return-value]  # which has its type above
    if name in MEASURE_PLACES:
        return load_measure(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
