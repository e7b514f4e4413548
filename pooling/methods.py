"""The table of pooling methods; each is in a file of its own, near-identical ones in one.

To add one: a file with a `Method`, a line here.
"""

from __future__ import annotations

from . import active, borda, condorcet, dcg, depth, hedge, mtc, mtf, rrf, statap, stratified, tail, take, uniform, votes
from .bandits import BANDITS
from .comb import COMB
from .protocol import Method
from .rbp import RBP

__all__ = ["METHODS", "Method"]

METHODS = {
    method.name: method
    for method in (
        depth.METHOD,
        take.METHOD,
        rrf.METHOD,
        votes.METHOD,
        borda.METHOD,
        condorcet.METHOD,
        dcg.METHOD,
        *COMB,
        *RBP,
        mtf.METHOD,
        hedge.METHOD,
        *BANDITS,
        mtc.METHOD,
        uniform.METHOD,
        stratified.METHOD,
        tail.METHOD,
        statap.METHOD,
        active.METHOD,
    )
}
