"""How likely users examine each rank, in a file: a line per rank, in order, with the rank and a probability."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.errors import InputError
from cranfield.formats.files import read_text


def read_examination(path: Path) -> Floats:
    """The probability of each rank, from the first."""
    found: list[float] = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if line.strip():
            found.append(_probability(line, len(found) + 1, path, number))
    if not found:
        raise InputError("no rank; expected lines of a rank and its probability", path)
    return np.array(found)


def _probability(line: str, rank: int, path: Path, number: int) -> float:
    parts = line.replace(",", " ").split()
    try:
        given, chance = int(parts[0]), float(parts[1])
    except (IndexError, ValueError):
        given, chance = 0, 0.0
    if len(parts) != 2 or given != rank or not 0 < chance <= 1:
        raise InputError(f"{line.strip()!r:.60}; expected rank {rank} and a probability above 0, to 1", path, number)
    return chance
