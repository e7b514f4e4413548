"""Pools: which documents of many runs assessors are to judge.

`methods` has the ways to choose them, each in a file of its own; `build` pools runs, `stored` pools those of a store.
"""

from cranfield.lazy import lazily, listing

__getattr__ = lazily(__name__)
__dir__ = listing(__name__)
