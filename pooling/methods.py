"""Pools: which documents of many runs assessors are to judge.

`METHODS` lists the ways to build one; each has a file of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from cranfield.holdings import PooledDocument
from cranfield.pooling.depth import depth_pool
from cranfield.pooling.verify import Closure, verify
from cranfield.rankings import Runs

__all__ = ["METHODS", "Closure", "Method", "depth_pool", "verify"]


class Method(NamedTuple):
    """A way to build a pool from runs, a depth, and the depths that single runs have of their own."""

    name: str
    description: str
    build: Callable[[Runs, int, Mapping[str, int | None]], list[PooledDocument]]


METHODS = {method.name: method for method in (Method("depth", "the first k documents of every run", depth_pool),)}
