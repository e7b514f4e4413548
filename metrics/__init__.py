"""Measures and what is built on them: evaluation, correlation, reusability.

`MEASURES` is the table of all measures in display order; `parse` turns a name into one.
They are loaded when first asked for, so that the command line starts without numpy.

>>> from cranfield.metrics import parse
>>> parse("ndcg_cut_10")
nDCG@10
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .measure import Measure as Measure
    from .measure import parse as parse
    from .table import MEASURES as MEASURES

_HOMES = {"MEASURES": ".table", "Measure": ".measure", "parse": ".measure"}
__all__ = ["MEASURES", "Measure", "parse"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)
