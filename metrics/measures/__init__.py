"""The measures by the names that they are written by, in display order: the more important tend to come first."""
# ruff: noqa: N816 - these names are the field's

from cranfield.metrics.measure import Measure
from cranfield.metrics.measures import (
    average_precision,
    counts,
    discounted_gain,
    diversity,
    incomplete,
    precision_and_recall,
    reading,
)

AP = average_precision.AP
nDCG = discounted_gain.NDCG
P = precision_and_recall.P
R = precision_and_recall.R
R_cap = precision_and_recall.R_CAP
F = precision_and_recall.F
SetAP = precision_and_recall.SETAP
Utility = precision_and_recall.UTILITY
RR = reading.RR
Success = precision_and_recall.SUCCESS
Rprec = precision_and_recall.RPREC
RprecMult = precision_and_recall.RPRECMULT
gMAP = average_precision.GMAP
Bpref = incomplete.BPREF
gBpref = incomplete.GBPREF
Q = average_precision.Q
Compat = reading.COMPAT
infAP = incomplete.INFAP
xinfAP = incomplete.XINFAP
infNDCG = incomplete.INFNDCG
ERR = reading.ERR
nERR = reading.NERR
RBP = reading.RBP
RBPresid = reading.RBPRESID
INSQ = reading.INSQ
INST = reading.INST
DCG = discounted_gain.DCG
IDCG = discounted_gain.IDCG
nDCGrel = discounted_gain.NDCGREL
RnDCG = discounted_gain.RNDCG
binG = discounted_gain.BING
G = discounted_gain.G
CG = discounted_gain.CG
SDCG = discounted_gain.SDCG
BPM = reading.BPM
IPrec = average_precision.IPREC
AP11 = average_precision.AP11
YAAP = average_precision.YAAP
alpha_nDCG = diversity.ALPHA_NDCG
alpha_DCG = diversity.ALPHA_DCG
ERR_IA = diversity.ERR_IA
nERR_IA = diversity.NERR_IA
NRBP = diversity.NRBP
nNRBP = diversity.NNRBP
AP_IA = diversity.AP_IA
P_IA = diversity.P_IA
StRecall = diversity.STRECALL
Judged = counts.JUDGED
Unjudged = counts.UNJUDGED
Accuracy = counts.ACCURACY
NumQ = counts.NUMQ
NumRet = counts.NUMRET
NumRel = counts.NUMREL
NumRelRet = counts.NUMRELRET
Hits = counts.HITS
NumNonrelRet = counts.NUMNONRELRET

MEASURES = tuple(one for one in tuple(vars().values()) if isinstance(one, Measure))
