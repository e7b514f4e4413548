"""The pooling methods, one file a family; and their table."""

from collections.abc import Mapping

from cranfield.errors import row_named
from cranfield.hooks import CoreTable
from cranfield.pooling.method import Method
from cranfield.pooling.methods import bandits, learning, mtc, samples, static

__all__ = ["METHODS", "Method", "fusion_method_named", "method_named"]

METHODS: Mapping[str, Method] = CoreTable(
    (
        static.DEPTH,
        static.TAKE,
        static.RRF,
        static.VOTES,
        static.BORDA,
        static.CONDORCET,
        static.DCG,
        *static.COMB,
        *learning.RBP,
        learning.MTF,
        learning.HEDGE,
        *bandits.BANDITS,
        mtc.MTC,
        samples.UNIFORM,
        samples.STRATIFIED,
        samples.TAIL,
        samples.STATAP,
        samples.ACTIVE,
    ),
    lambda extension: extension.pooling_methods(),
)


def method_named(name: str) -> Method:
    """The method of this name."""
    return row_named(METHODS, name, "method")


def fusion_method_named(name: str) -> Method:
    """The method of this name; the error on an unknown one lists only the methods that make a ranking.

    >>> fusion_method_named("comb")
    Traceback (most recent call last):
    cranfield.errors.InputError: unknown method 'comb'; available: depth, take, rrf, votes, borda, condorcet, dcg,
    combsum, combmnz, combanz, combmed, combmax, combmin, rbp-a, rbp-b
    """
    if name in METHODS:
        return METHODS[name]
    return row_named({key: method for key, method in METHODS.items() if method.makes_ranking}, name, "method")
