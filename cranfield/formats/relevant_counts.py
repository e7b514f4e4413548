"""How many relevant documents topics have: lines of a qid and a number."""

from __future__ import annotations

from cranfield.errors import InputError
from cranfield.formats.files import Path, opened


def read_relevant_counts(path: Path) -> dict[str, int]:
    """The number of relevant documents of each topic."""
    found: dict[str, int] = {}
    with opened(path) as source:
        for number, line in source.lines():
            if not (values := line.split()):
                continue
            if len(values) != 2 or not values[1].isdecimal() or len(values[1]) > 9:
                raise InputError(f"{line!r:.60}; expected a qid and a number", source.path, number)
            if values[0] in found:
                raise InputError(f"duplicate topic {values[0]!r}", source.path, number)
            found[values[0]] = int(values[1])
    return found
