"""The standard streams, as line mode uses them."""

from __future__ import annotations

import shutil
import sys
from io import TextIOWrapper
from typing import TextIO

WIDEST = 100  # columns: longer lines are hard to read


def streams() -> tuple[TextIO, TextIO]:
    """The standard streams, set to escape characters that their encoding lacks."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    return sys.stdin, sys.stdout


def width() -> int:
    """How many columns lines may take."""
    return min(shutil.get_terminal_size().columns, WIDEST)
