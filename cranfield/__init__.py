"""Cranfield: build test collections, measure systems on them, and tell how far they can be trusted.

The verbs of the command line are here as functions; they take paths, DataFrames or dicts and give pandas DataFrames.
Everything is loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.lazy import lazily

__version__ = "0.1.0"

if TYPE_CHECKING:
    from cranfield.api import correlate, evaluate, leave_one_out, pool
    from cranfield.errors import CranfieldError, InputError, MeasureError, StoreError
    from cranfield.formats import read_corpus, read_qrels, read_runs, read_topics
    from cranfield.store import Store

HOME = {
    "CranfieldError": "errors", "InputError": "errors", "MeasureError": "errors", "StoreError": "errors",
    "Store": "store",
    "correlate": "api", "evaluate": "api", "leave_one_out": "api", "pool": "api",
    "read_corpus": "formats", "read_qrels": "formats", "read_runs": "formats", "read_topics": "formats",
}  # fmt: skip

__all__ = [
    "CranfieldError",
    "InputError",
    "MeasureError",
    "Store",
    "StoreError",
    "correlate",
    "evaluate",
    "leave_one_out",
    "pool",
    "read_corpus",
    "read_qrels",
    "read_runs",
    "read_topics",
]

__getattr__ = lazily(__name__, HOME)
