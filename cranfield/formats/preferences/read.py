"""Reading preferences."""

from __future__ import annotations

from cranfield.formats.files import Path, opened
from cranfield.formats.preferences.line import PreferenceLine
from cranfield.formats.table import AUTO, chosen, nothing_read


def read_preferences(path: Path, format: str = AUTO) -> list[PreferenceLine]:
    """The lines of a file of preferences."""
    with opened(path) as source:
        row = chosen("preferences", format, source)
        if not (lines := list(row.read(source))):
            raise nothing_read(row, source)
    return lines
