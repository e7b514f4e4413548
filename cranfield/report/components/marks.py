"""The marks of series, by the letters of cranfield.plots.palette, so that no series depends on its colour."""

from __future__ import annotations

from cranfield.plots.palette import DASHES, LIGHT, MARKERS

from .markup import short

PATHS = {  # within a square from -1 to 1
    "o": "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0z",
    "s": "M-.9-.9h1.8v1.8h-1.8z",
    "^": "M0-1.1L1.1.9H-1.1z",
    "D": "M0-1.2L1.2 0 0 1.2-1.2 0z",
    "v": "M0 1.1L1.1-.9H-1.1z",
    "P": "M-.4-1.1h.8v.7h.7v.8h-.7v.7h-.8v-.7h-.7v-.8h.7z",
    "X": "M-1.1-.6L-.6-1.1 0-.5.6-1.1 1.1-.6.5 0 1.1.6.6 1.1 0 .5-.6 1.1-1.1.6-.5 0z",
    "<": "M-1.1 0L.9-1.1V1.1z",
    "*": "M0-1.3L.3-.4 1.2-.4.5.2.8 1.1 0 .6-.8 1.1-.5.2-1.2-.4-.3-.4z",
    ">": "M1.1 0L-.9 1.1V-1.1z",
    "p": "M0-1.1L1.05-.34.65.9H-.65L-1.05-.34z",
}


def colour(series: int) -> str:
    """The class that gives a series its colour.

    >>> colour(0), colour(len(LIGHT))
    ('s0', 's0')
    """
    return f"s{series % len(LIGHT)}"


def mark(series: int, x: float, y: float, size: float = 4) -> str:
    """The mark of a series at a place.

    >>> mark(1, 10, 20)
    '<path class="mark s1" transform="translate(10 20)scale(4)" d="M-.9-.9h1.8v1.8h-1.8z"/>'
    """
    shape = PATHS[MARKERS[series % len(MARKERS)]]
    place = f"translate({short(x)} {short(y)})scale({short(size)})"
    return f'<path class="mark {colour(series)}" transform="{place}" d="{shape}"/>'


def dashes(series: int) -> str:
    """The attribute for the dashes of a series; none for a solid line."""
    pattern = DASHES[series % len(DASHES)]
    return f' stroke-dasharray="{" ".join(short(2 * part) for part in pattern)}"' if pattern else ""
