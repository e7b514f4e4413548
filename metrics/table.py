"""The table of measures, in display order: the first tend to be the more important."""

from __future__ import annotations

from .ap import AP
from .ap11 import AP11
from .bpref import BPREF
from .dcg import DCG
from .err import ERR
from .f import F
from .gmap import GMAP
from .infap import INFAP
from .iprec import IPREC
from .judged import JUDGED
from .measure import Measure
from .ndcg import NDCG
from .numq import NUMQ
from .numrel import NUMREL
from .numrelret import NUMRELRET
from .numret import NUMRET
from .p import P
from .r import R
from .rbp import RBP
from .rprec import RPREC
from .rr import RR
from .success import SUCCESS

MEASURES: tuple[Measure, ...] = (
    AP,
    NDCG,
    P,
    R,
    F,
    RR,
    SUCCESS,
    RPREC,
    GMAP,
    BPREF,
    INFAP,
    ERR,
    RBP,
    DCG,
    IPREC,
    AP11,
    JUDGED,
    NUMQ,
    NUMRET,
    NUMREL,
    NUMRELRET,
)
