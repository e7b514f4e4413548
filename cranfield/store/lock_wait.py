"""Waiting for another program that writes to a store: who is told of it.

Whoever has people in front of her says who; a library tells nobody.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar


def nobody(text: str) -> None:
    """Tell nobody."""


TELL = ContextVar[Callable[[str], None]]("TELL", default=nobody)
