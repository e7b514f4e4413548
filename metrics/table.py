"""The table of measures, in display order: the first tend to be the more important."""

from __future__ import annotations

from .accuracy import ACCURACY
from .alpha_ndcg import ALPHA_NDCG
from .ap import AP
from .ap11 import AP11
from .bing import BING
from .bpref import BPREF
from .cg import CG
from .compat import COMPAT
from .dcg import DCG
from .err import ERR
from .err_ia import ERR_IA
from .f import F
from .g import G
from .gbpref import GBPREF
from .gmap import GMAP
from .idcg import IDCG
from .infap import INFAP
from .infndcg import INFNDCG
from .insq import INSQ
from .inst import INST
from .iprec import IPREC
from .judged import JUDGED
from .measure import Measure
from .ndcg import NDCG
from .ndcgrel import NDCGREL
from .nerr import NERR
from .nrbp import NRBP
from .numnonrelret import NUMNONRELRET
from .numq import NUMQ
from .numrel import NUMREL
from .numrelret import NUMRELRET
from .numret import NUMRET
from .p import P
from .q import Q
from .r import R
from .r_cap import R_CAP
from .rbp import RBP
from .rbpresid import RBPRESID
from .rndcg import RNDCG
from .rprec import RPREC
from .rprecmult import RPRECMULT
from .rr import RR
from .setap import SETAP
from .strecall import STRECALL
from .success import SUCCESS
from .unjudged import UNJUDGED
from .utility import UTILITY
from .xinfap import XINFAP
from .yaap import YAAP

MEASURES: tuple[Measure, ...] = (
    AP,
    NDCG,
    P,
    R,
    R_CAP,
    F,
    SETAP,
    UTILITY,
    RR,
    SUCCESS,
    RPREC,
    RPRECMULT,
    GMAP,
    BPREF,
    GBPREF,
    Q,
    COMPAT,
    INFAP,
    XINFAP,
    INFNDCG,
    ERR,
    NERR,
    RBP,
    RBPRESID,
    INSQ,
    INST,
    DCG,
    IDCG,
    NDCGREL,
    RNDCG,
    BING,
    G,
    CG,
    IPREC,
    AP11,
    YAAP,
    ALPHA_NDCG,
    ERR_IA,
    NRBP,
    STRECALL,
    JUDGED,
    UNJUDGED,
    ACCURACY,
    NUMQ,
    NUMRET,
    NUMREL,
    NUMRELRET,
    NUMNONRELRET,
)
