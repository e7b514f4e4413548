"""Waiting for another program that writes to a store: where that is reported.

A user interface sets it; a library reports nothing.
"""

from collections.abc import Callable
from contextvars import ContextVar


def nobody(text: str) -> None:
    """Report nothing."""


TELL = ContextVar[Callable[[str], None]]("TELL", default=nobody)
