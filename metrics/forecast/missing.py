"""How many relevant documents a frame holds, from a random draw that was judged: an exact interval.

    X ~ Hypergeometric(N, K, n): relevant documents among n drawn of N documents, of which K are relevant
    low  = the least K with P(X >= x) > a / 2,    high = the largest K with P(X <= x) > a / 2

Whatever K is, the interval holds it with probability 1 - a or more. For a frame much larger than the draw, the ends
divided by N are those of Clopper and Pearson. Sources: Clopper and Pearson, The use of confidence or fiducial limits,
Biometrika 26, 1934; for finite frames Konijn, Statistical theory of sample survey design and analysis, 1973.
"""

from bisect import bisect_left
from typing import NamedTuple

import numpy as np

from cranfield.errors import InputError
from cranfield.metrics.forecast.random_draw import RandomDraw

CONFIDENCE = 0.95
MAX_SHARE_WIDTH = 0.2  # an interval of the share of relevant documents that are judged is wide above this


class MissingRelevant(NamedTuple):
    """The relevant documents among the unjudged documents of a frame.

    Parameters
    ----------
    frame_size : int
        The documents in the frame.
    depth : int
        The depth of the frame: the unjudged documents in the first `depth` of the runs.
    drawn : int
        The documents that were drawn.
    labelled : int
        The labels that count: those before the first drawn document without a label.
    set_aside : int
        The labels after that document, which do not count.
    relevant : int
        The relevant documents among the labels that count.
    low, high : int
        The interval of the number of relevant documents in the frame.
    confidence : float
        The confidence of the interval.
    found : int
        The relevant documents that were judged without the draw.
    """

    frame_size: int
    depth: int
    drawn: int
    labelled: int
    set_aside: int
    relevant: int
    low: int
    high: int
    confidence: float
    found: int

    @property
    def found_share(self) -> tuple[float, float]:
        """The interval of the share of relevant documents, judged or in the frame, that were judged."""
        low, high = (self.found / max(self.found + missing, 1) for missing in (self.high, self.low))
        return low, high

    @property
    def is_wide(self) -> bool:
        """Whether the interval of that share is wider than 20 percentage points."""
        low, high = self.found_share
        return high - low > MAX_SHARE_WIDTH


def hypergeometric_interval(
    relevant: int, drawn: int, frame_size: int, confidence: float = CONFIDENCE
) -> tuple[int, int]:
    """Return an exact interval of the number of relevant documents in a frame, from a random draw.

    Parameters
    ----------
    relevant : int
        The relevant documents in the draw.
    drawn : int
        The documents in the draw, drawn at random without replacement.
    frame_size : int
        The documents in the frame.
    confidence : float, default 0.95
        The probability with which the interval holds, at least.

    Returns
    -------
    (int, int)
        The least and the largest number of relevant documents in the frame, those of the draw included.

    Raises
    ------
    InputError
        If not 0 <= relevant <= drawn <= frame_size.

    Examples
    --------
    >>> hypergeometric_interval(7, 100, 1240)
    (38, 168)
    >>> hypergeometric_interval(0, 0, 12), hypergeometric_interval(3, 12, 12)
    ((0, 12), (3, 3))
    """
    if not 0 <= relevant <= drawn <= frame_size:
        found = f"{relevant} relevant of {drawn} drawn from {frame_size} documents"
        raise InputError(f"found {found}; expected 0 <= relevant <= drawn <= documents in the frame")
    tail = (1 - confidence) / 2
    numbers = range(relevant, frame_size - drawn + relevant + 1)
    low = bisect_left(numbers, True, key=lambda total: _upper_tail(relevant, drawn, total, frame_size) > tail)
    too_many = bisect_left(numbers, True, key=lambda total: _lower_tail(relevant, drawn, total, frame_size) <= tail)
    return numbers[low], numbers[too_many - 1]


def _lower_tail(relevant: int, drawn: int, total: int, frame_size: int) -> float:
    """P(X <= relevant)."""
    return _probability(np.arange(relevant + 1), drawn, total, frame_size)


def _upper_tail(relevant: int, drawn: int, total: int, frame_size: int) -> float:
    """P(X >= relevant)."""
    return _probability(np.arange(relevant, drawn + 1), drawn, total, frame_size)


def _probability(
    numbers: "np.ndarray[tuple[int], np.dtype[np.int64]]", drawn: int, total: int, frame_size: int
) -> float:
    from scipy.special import gammaln

    possible = numbers[(numbers <= total) & (drawn - numbers <= frame_size - total)]

    def log_binomial_coefficient(size: object, chosen: object) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
        some, part = np.asarray(size, float), np.asarray(chosen, float)
        return np.asarray(gammaln(some + 1) - gammaln(part + 1) - gammaln(some - part + 1))

    logs = log_binomial_coefficient(total, possible) + log_binomial_coefficient(frame_size - total, drawn - possible)
    return float(np.exp(logs - log_binomial_coefficient(frame_size, drawn)).sum())


def estimate_missing(
    draw: RandomDraw, found: int, min_relevant: int = 1, confidence: float = CONFIDENCE
) -> MissingRelevant:
    """Estimate how many relevant documents are missing in the frame of a draw, from its labels.

    Parameters
    ----------
    draw : RandomDraw
        The draw with its grades.
    found : int
        The relevant documents that were judged without the draw.
    min_relevant : int, default 1
        The lowest relevant grade.
    confidence : float, default 0.95
        The confidence of the interval.

    Returns
    -------
    MissingRelevant
        The interval, and the numbers that it was made from.

    Examples
    --------
    >>> frame = [("1", f"d{number}") for number in range(20)]
    >>> from cranfield.metrics.forecast.random_draw import draw_from_frame
    >>> from dataclasses import replace
    >>> draw = replace(draw_from_frame(frame, 4, 50), grades=(1, 0, None, 1))
    >>> estimate_missing(draw, found=5)[2:8]
    (4, 2, 1, 1, 1, 19)
    """
    labels = draw.labels
    relevant = sum(grade >= min_relevant for grade in labels.values())
    low, high = hypergeometric_interval(relevant, len(labels), draw.frame_size, confidence)
    set_aside = sum(grade is not None for grade in draw.grades) - len(labels)
    return MissingRelevant(
        draw.frame_size, draw.depth, len(draw.documents), len(labels), set_aside, relevant, low, high, confidence, found
    )
