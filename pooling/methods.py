"""The table of pooling methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from cranfield.holdings import PooledDocument
from cranfield.rankings import Runs

from .depth import depth_pool


class Method(NamedTuple):
    """A way to build a pool from runs, a depth, and the depths that single runs have of their own."""

    name: str
    description: str
    build: Callable[[Runs, int, Mapping[str, int | None]], list[PooledDocument]]


METHODS = {method.name: method for method in (Method("depth", "the first k documents of every run", depth_pool),)}
