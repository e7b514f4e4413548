"""Options that take several names: `-m AP,P@10` is `-m AP -m P@10`.

So do the options whose names come from tables of cranfield. Names from data (run tags, topics, assessors) may contain
commas, so their options are repeated.
"""

from __future__ import annotations

import re

from cranfield.metrics.notation.lists import measures_in

BEFORE_METHOD = re.compile(r",(?=[^=,:]+(?:[,:]|$))")


def measures(value: list[str] | None) -> list[str] | None:
    """Measures, split at the commas outside their own options.

    >>> measures(["AP,P@10", 'nDCG(gains="0=1,2=4")@10,RBP(p=0.8,rel=2)', "AP(rel=2"])
    ['AP', 'P@10', 'nDCG(gains="0=1,2=4")@10', 'RBP(p=0.8,rel=2)', 'AP(rel=2']
    """
    return value and [name for text in value for name in measures_in(text)]


def names(value: list[str] | None) -> list[str] | None:
    """Names, split at commas.

    >>> names(["bm25,lsa", "rm3"])
    ['bm25', 'lsa', 'rm3']
    """
    return value and [name.strip() for text in value for name in text.split(",")]


def methods(value: list[str] | None) -> list[str] | None:
    """Pooling methods, split at the commas before a name; after others the options of a method go on.

    >>> methods(["rrf,maxmean:credit=arm,rate=.9,depth", "rrf:c=60,borda:n=0"])
    ['rrf', 'maxmean:credit=arm,rate=.9', 'depth', 'rrf:c=60', 'borda:n=0']
    """
    return value and [name.strip() for text in value for name in BEFORE_METHOD.split(text)]
