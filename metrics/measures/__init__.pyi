# ruff: noqa: N816
"""The names of this package for type checkers; tests/test_project.py compares them with MEASURE_PLACES."""

from collections.abc import Mapping

from cranfield.metrics.measure import Measure

MEASURE_PLACES: Mapping[str, str]
MEASURES: tuple[Measure, ...]

def load_measure(name: str) -> Measure: ...

AP: Measure
nDCG: Measure
P: Measure
R: Measure
R_cap: Measure
F: Measure
SetAP: Measure
Utility: Measure
RR: Measure
Success: Measure
Rprec: Measure
RprecMult: Measure
gMAP: Measure
Bpref: Measure
gBpref: Measure
Q: Measure
Compat: Measure
infAP: Measure
xinfAP: Measure
infNDCG: Measure
ERR: Measure
nERR: Measure
RBP: Measure
RBPresid: Measure
INSQ: Measure
INST: Measure
DCG: Measure
IDCG: Measure
nDCGrel: Measure
RnDCG: Measure
binG: Measure
G: Measure
CG: Measure
SDCG: Measure
BPM: Measure
IPrec: Measure
AP11: Measure
YAAP: Measure
alpha_nDCG: Measure
alpha_DCG: Measure
ERR_IA: Measure
nERR_IA: Measure
NRBP: Measure
nNRBP: Measure
AP_IA: Measure
P_IA: Measure
StRecall: Measure
Judged: Measure
Unjudged: Measure
Accuracy: Measure
NumQ: Measure
NumRet: Measure
NumRel: Measure
NumRelRet: Measure
Hits: Measure
NumNonrelRet: Measure
