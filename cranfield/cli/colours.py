"""Colours for what is good, needs care or is bad; never the only sign, and absent from pipes and with NO_COLOR."""

from __future__ import annotations

import os
from typing import Any, TextIO

import typer

GOOD, UNSURE, BAD, HEAD = "good", "unsure", "bad", "head"
STYLES: dict[str, dict[str, Any]] = {  # of the 256 colours, those that are read on black and on white alike
    GOOD: {"fg": 28},
    UNSURE: {"fg": 130},
    BAD: {"fg": 160},
    HEAD: {"bold": True},
    "none": {"bold": True},
}


def is_coloured(stream: TextIO) -> bool:
    """Whether a stream shows colours: a terminal that can, unless NO_COLOR is set."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and stream.isatty()


def painted(text: str, meaning: str, stream: TextIO) -> str:
    """The text in the colour of its meaning, where the stream shows colours.

    >>> import io
    >>> painted("fair", GOOD, io.StringIO())
    'fair'
    """
    return typer.style(text, **STYLES[meaning]) if meaning and text and is_coloured(stream) else text
