"""Pools: which documents of many runs assessors are to judge.

`methods` has the ways to choose them, each in a file of its own; `build` pools runs, `stored` pools those of a store.
"""

from cranfield.lazy import lazy_dir, lazy_getattr

__getattr__ = lazy_getattr(__name__)
__dir__ = lazy_dir(__name__)
