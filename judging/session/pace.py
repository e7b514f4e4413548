"""How long the rest will take, estimated from the seconds of an assessor's own labels and the lengths of the documents.

Long documents take longer, though not in proportion. So seconds are regressed on characters, and the remaining
documents are counted at their own length: a regression estimate (Cochran, Sampling Techniques, 1977, chapter 7).
Nothing is shown before there are ten labels, and then a range: a 95 % interval, provided the assessor goes on as
before. It cannot know whether the next topics are harder. A few documents take long, and there may have been none of
them yet: so the variance counts two labels more, as far off as the farthest, and the upper end is on a logarithmic
scale. Without either the range held in 85 to 91 % where times are as skewed as people's are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache
from math import exp, sqrt
from statistics import fmean
from typing import NamedTuple

ENOUGH = 10
MOST = 3.0  # e to this times as long as is likely is as good as unknown
SAMPLE = 100  # documents from which the mean remaining length is estimated


class Pace:
    """How fast an assessor is.

    Lengths are read when they are needed. Those of the remaining documents come from a sample of what is `waiting`,
    redrawn whenever a tenth of it is done.

    >>> pace = Pace(len, lambda: ["d1", "d22"])
    >>> pace.left([("d1", 60.0)] * 9, documents=3), pace.left([("d1", 60.0)] * 10, documents=3)
    ('', 'about 3 min')
    """

    def __init__(self, length: Callable[[str], int], waiting: Callable[[], Sequence[str]]) -> None:
        self._length, self._waiting = cache(length), waiting
        self._typical, self._of = 0.0, 0  # the mean length when so many documents were left

    def left(self, timed: Collection[tuple[str, float]], documents: int) -> str:
        """How long this many documents will take, given the docno and seconds of labels; empty if that is unknown."""
        if len(timed) < ENOUGH or not documents:
            return ""
        if not 0.9 * self._of < documents <= self._of:
            self._typical, self._of = typical(self._length, self._waiting()), documents
        found = forecast(
            [LabelTime(seconds, self._length(docno)) for docno, seconds in timed], documents, self._typical
        )
        return in_words(found) if found else ""


class LabelTime(NamedTuple):
    """How long a label took, and how long its document is."""

    seconds: float
    characters: int


class TimeLeft(NamedTuple):
    """The seconds that the rest will take, with a range."""

    low: float
    likely: float
    high: float


def forecast(taken: Sequence[LabelTime], documents: int, characters: float) -> TimeLeft | None:
    """How long this many documents of this mean length will take; None while too little is known.

    At twenty seconds per document the estimate is that; where a second passes for every ten characters, a document
    twice as long takes twice the time.

    >>> forecast([LabelTime(20, 500)] * 10, documents=6, characters=500)
    TimeLeft(low=120.0, likely=120.0, high=120.0)
    >>> forecast([LabelTime(size / 10, size) for size in range(100, 1100, 100)], documents=6, characters=1100).likely
    660.0
    >>> forecast([LabelTime(20, 500)] * 9, documents=6, characters=500)
    """
    count = len(taken)
    if count < ENOUGH:
        return None
    mean, length = fmean(each.seconds for each in taken), fmean(each.characters for each in taken)
    spread = sum((each.characters - length) ** 2 for each in taken)
    together = sum((each.characters - length) * (each.seconds - mean) for each in taken)
    slope = max(together / spread, 0.0) if spread else 0.0
    each = max(mean + slope * (characters - length), 0.0)
    off = [(one.seconds - mean - slope * (one.characters - length)) ** 2 for one in taken]
    rest = (sum(off) + 2 * max(off)) / count
    unlike = (characters - length) ** 2 / spread if spread else 0.0
    error = _student(count - 2) * sqrt(rest * (documents + documents**2 * (1 / count + unlike)))
    likely = documents * each
    longest = likely * exp(min(error / likely, MOST)) if likely else 0.0
    return TimeLeft(max(likely - error, 0.0), likely, max(longest, likely + error))


def _student(freedom: int) -> float:
    """How many standard errors cover 95 %: Student's t, approximately."""
    return 1.96 + 2.4 / freedom + 3.7 / freedom**2


def typical(length: Callable[[str], int], docnos: Sequence[str]) -> float:
    """The mean length of a sample spread over all of these documents.

    >>> typical(len, ["a"] * 1000 + ["bbb"] * 1000)
    2.0
    """
    some = [docnos[place * len(docnos) // SAMPLE] for place in range(SAMPLE)] if len(docnos) > SAMPLE else docnos
    return fmean(map(length, some)) if some else 0.0


def in_words(found: TimeLeft) -> str:
    """The range in plain words, never more precise than it is.

    >>> in_words(TimeLeft(130, 150, 170)), in_words(TimeLeft(20, 60, 300)), in_words(TimeLeft(50, 60, 70))
    ('2 to 3 min', '1 min, up to 5 min', 'about 1 min')
    >>> in_words(TimeLeft(2900, 4000, 6500)), in_words(TimeLeft(6900, 9000, 12300)), in_words(TimeLeft(0, 9, 20))
    ('48 min to 1 h 50 min', '2 h to 3 h 20 min', 'under 1 min')
    >>> in_words(TimeLeft(0, 9.4 * 3600, 28 * 3600))  # from a few labels that differ much
    '9 h, up to 28 h'
    """
    low, high = _span(found.low), _span(found.high)
    if found.high < 30:
        return "under 1 min"
    if low == high:
        return f"about {high}"
    if found.low < 30:
        likely = f"{round(found.likely / 3600)} h" if found.likely >= 3600 else _span(found.likely)
        return f"up to {high}" if likely in ("0 min", high) else f"{likely}, up to {high}"
    short = low.removesuffix(" min") if low.endswith(" min") and " h" not in high else low
    return f"{short} to {high}"


def _span(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, rest = divmod(round(minutes / 10) * 10, 60)
    return f"{hours} h {rest} min" if hours < 5 and rest else f"{round(minutes / 60)} h"
