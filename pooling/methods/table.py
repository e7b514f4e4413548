"""The table of pooling methods; each is in a file of its own, near-identical ones in one.

To add one: a file with a `Method`, a line here.
"""

from __future__ import annotations

from cranfield.pooling.method import Method
from cranfield.pooling.methods import (
    active,
    borda,
    condorcet,
    dcg,
    depth,
    hedge,
    mtc,
    mtf,
    rrf,
    statap,
    stratified,
    tail,
    take,
    uniform,
    votes,
)
from cranfield.pooling.methods.bandits import BANDITS
from cranfield.pooling.methods.comb import COMB
from cranfield.pooling.methods.rbp import RBP

__all__ = ["METHODS", "Method"]

METHODS = {
    method.name: method
    for method in (
        depth.DEPTH,
        take.TAKE,
        rrf.RRF,
        votes.VOTES,
        borda.BORDA,
        condorcet.CONDORCET,
        dcg.DCG,
        *COMB,
        *RBP,
        mtf.MTF,
        hedge.HEDGE,
        *BANDITS,
        mtc.MTC,
        uniform.UNIFORM,
        stratified.STRATIFIED,
        tail.TAIL,
        statap.STATAP,
        active.ACTIVE,
    )
}
