"""Measures and what is built on them: evaluation, correlation, reusability.

`MEASURES` is the table of all measures in display order; `parse` turns a name into one; `register` adds one's own.
They are loaded when first asked for, so that the command line starts without numpy.

>>> from cranfield.metrics import parse
>>> parse("ndcg_cut_10")
nDCG@10
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.lazy import lazily

if TYPE_CHECKING:
    from cranfield.metrics.measures.table import MEASURES as MEASURES

    from .measure import Measure as Measure
    from .notation import parse as parse
    from .registry import register as register

__all__ = ["MEASURES", "Measure", "parse", "register"]
__getattr__ = lazily(
    __name__, {"MEASURES": "measures.table", "Measure": "measure", "parse": "notation", "register": "registry"}
)
