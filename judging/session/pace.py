"""The active time on a document, without stretches in which nothing happens; and how long the rest will take.

That is estimated from the seconds of an assessor's own labels and the lengths of the documents.
Long documents take longer, though not in proportion. So seconds are regressed on characters, and the remaining
documents are counted at their own length: a regression estimate (Cochran, Sampling Techniques, 1977, chapter 7).
Nothing is shown before there are ten labels, and then a range: a 95 % interval, provided the assessor goes on as
before. It cannot know whether the next topics are harder. A few documents take long, and there may have been none of
them yet: so the variance counts two labels more, as far off as the farthest, and the upper end is on a logarithmic
scale. Without either the range held in 85 to 91 % where times are as skewed as people's are.
"""

from collections.abc import Callable, Collection, Sequence
from functools import cache
from math import exp, sqrt
from statistics import fmean
from typing import NamedTuple

from cranfield.store.log import FAST_SECONDS

IDLE = 180.0  # seconds without a sign of life that do not count: the assessor was away
FAST = FAST_SECONDS


def is_very_fast(seconds: float | None, marked: bool) -> bool:
    """Whether a label came so fast that it says nothing of a pace; the front end may have marked it.

    >>> is_very_fast(0.2, False), is_very_fast(None, True), is_very_fast(12.0, False), is_very_fast(None, False)
    (True, True, False, False)
    """
    return marked or (seconds is not None and seconds < FAST)


class ActiveTime:
    """Seconds since the start in which somebody worked, by one rule in every front end.

    What passes between two signs of life counts, unless it is `idle` seconds or more, or they were away in between. The
    page in a browser applies the same rule itself (web/pages/active_time.js) and gives the seconds to `report`.

    >>> times = iter([100.0, 110.0, 4000.0, 4001.5, 4005.0, 4045.0, 4046.0])
    >>> active = ActiveTime(lambda: next(times), idle=60)
    >>> active.seconds(), active.seconds(), active.seconds()
    (10.0, 10.0, 11.5)
    >>> active.leave(), active.return_to_front(), active.seconds()
    (None, None, 16.0)
    """

    def __init__(self, clock: Callable[[], float], idle: float) -> None:
        self._clock, self._idle = clock, idle
        self._away = False
        self._measured: dict[str, float] = {}
        self._counted: dict[str, float] = {}  # of reports, what was of an earlier start
        self.start()

    def start(self) -> None:
        """Begin at zero: another document is on screen."""
        self._began = self._last_sign = self._clock()
        self._total = 0.0
        self._counted |= {source: self._counted.get(source, 0.0) + value for source, value in self._measured.items()}
        self._measured = {}

    def leave(self) -> None:
        """Something else is in front; what passed until now counts."""
        self.seconds()
        self._away = True

    def return_to_front(self) -> None:
        """It is in front again: the time since the last sign of life does not count."""
        self._last_sign, self._away = self._clock(), False

    def report(self, source: str, seconds: float) -> None:
        """What a page has measured since it was shown, in all: it replaces its earlier reports and what passed.

        A report that comes late, after the start that followed it, counts nothing again.

        >>> times = iter([0.0, 20.0, 20.0, 20.0, 40.0, 40.0, 40.0])
        >>> active = ActiveTime(lambda: next(times), idle=60)
        >>> active.report("page", 13.5), active.seconds(), active.start()
        (None, 13.5, None)
        >>> active.report("page", 10.0), active.report("next", 6.5), active.seconds()
        (None, None, 6.5)
        """
        new = seconds - self._counted.get(source, 0.0)
        self._measured[source] = max(new, self._measured.get(source, 0.0))
        self.return_to_front()

    def seconds(self) -> float:
        """The active seconds so far, at most those since the start; asking is a sign of life."""
        moment = self._clock()
        span = max(moment - self._last_sign, 0.0)
        self._total += span if span < self._idle and not self._away else 0.0
        self._last_sign, self._away = moment, False
        return round(min(self._total + sum(self._measured.values()), max(moment - self._began, self._total)), 3)


class Stretch:
    """How long an assessor has worked without a break; a break is `rest` seconds without a sign of life.

    >>> times = iter([0.0, 100.0, 200.0, 300.0, 400.0, 900.0, 1000.0, 1100.0])
    >>> stretch = Stretch(lambda: next(times), long=200, rest=300)
    >>> [stretch.is_break_due() for _ in range(7)]
    [False, True, False, False, False, False, True]
    """

    def __init__(self, clock: Callable[[], float], long: float, rest: float) -> None:
        self._clock, self._long, self._rest = clock, long, rest
        self._began = self._last_sign = clock()
        self._is_reported = False

    def alive(self) -> None:
        """A sign of life."""
        moment = self._clock()
        if moment - self._last_sign >= self._rest:
            self._began, self._is_reported = moment, False
        self._last_sign = moment

    def is_break_due(self) -> bool:
        """Whether a break is due; true once per stretch. Asking is a sign of life."""
        self.alive()
        if self._is_reported or self._last_sign - self._began < self._long:
            return False
        self._is_reported = True
        return True


ENOUGH = 10
MOST = 3.0  # e to this times as long as is likely is as good as unknown
SAMPLE = 100  # documents from which the mean remaining length is estimated


class Pace:
    """How fast an assessor is.

    Lengths are read when they are needed. Those of the remaining documents come from a sample of what is `waiting`,
    redrawn whenever a tenth of it is done.

    >>> pace = Pace(len, lambda: ["d1", "d22"])
    >>> pace.time_left([("d1", 60.0)] * 9, documents=3), pace.time_left([("d1", 60.0)] * 10, documents=3)
    ('', 'about 3 min')
    """

    def __init__(self, length: Callable[[str], int], waiting: Callable[[], Sequence[str]]) -> None:
        self._length, self._waiting = cache(length), waiting
        self._typical, self._of = 0.0, 0  # the mean length when so many documents were left

    def time_left(self, times: Collection[tuple[str, float]], documents: int) -> str:
        """How long this many documents will take, given the docno and seconds of labels; empty if that is unknown."""
        if len(times) < ENOUGH or not documents:
            return ""
        if not 0.9 * self._of < documents <= self._of:
            self._typical, self._of = mean_length(self._length, self._waiting()), documents
        estimate = forecast_time_left(
            [LabelTime(seconds, self._length(docno)) for docno, seconds in times], documents, self._typical
        )
        return time_left_text(estimate) if estimate else ""


class LabelTime(NamedTuple):
    """How long a label took, and how long its document is."""

    seconds: float
    characters: int


class TimeLeft(NamedTuple):
    """The seconds that the rest will take, with a range."""

    low: float
    likely: float
    high: float


def forecast_time_left(times: Sequence[LabelTime], documents: int, characters: float) -> TimeLeft | None:
    """How long this many documents of this mean length will take; None while too little is known.

    At twenty seconds per document the estimate is that; where a second passes for every ten characters, a document
    twice as long takes twice the time.

    >>> forecast_time_left([LabelTime(20, 500)] * 10, documents=6, characters=500)
    TimeLeft(low=120.0, likely=120.0, high=120.0)
    >>> times = [LabelTime(size / 10, size) for size in range(100, 1100, 100)]
    >>> forecast_time_left(times, documents=6, characters=1100).likely
    660.0
    >>> forecast_time_left([LabelTime(20, 500)] * 9, documents=6, characters=500)
    """
    count = len(times)
    if count < ENOUGH:
        return None
    mean, length = fmean(each.seconds for each in times), fmean(each.characters for each in times)
    spread = sum((each.characters - length) ** 2 for each in times)
    together = sum((each.characters - length) * (each.seconds - mean) for each in times)
    slope = max(together / spread, 0.0) if spread else 0.0
    each = max(mean + slope * (characters - length), 0.0)
    off = [(one.seconds - mean - slope * (one.characters - length)) ** 2 for one in times]
    rest = (sum(off) + 2 * max(off)) / count
    unlike = (characters - length) ** 2 / spread if spread else 0.0
    error = _student_t_quantile(count - 2) * sqrt(rest * (documents + documents**2 * (1 / count + unlike)))
    likely = documents * each
    longest = likely * exp(min(error / likely, MOST)) if likely else 0.0
    return TimeLeft(max(likely - error, 0.0), likely, max(longest, likely + error))


def _student_t_quantile(freedom: int) -> float:
    """How many standard errors cover 95 %: Student's t, approximately."""
    return 1.96 + 2.4 / freedom + 3.7 / freedom**2


def mean_length(length: Callable[[str], int], docnos: Sequence[str]) -> float:
    """The mean length of a sample spread over all of these documents.

    >>> mean_length(len, ["a"] * 1000 + ["bbb"] * 1000), mean_length(len, [])
    (2.0, 0.0)
    """
    some = [docnos[place * len(docnos) // SAMPLE] for place in range(SAMPLE)] if len(docnos) > SAMPLE else docnos
    return fmean(map(length, some)) if some else 0.0


def time_left_text(estimate: TimeLeft) -> str:
    """The range in plain words, never more precise than it is.

    >>> [time_left_text(TimeLeft(*seconds)) for seconds in ((130, 150, 170), (20, 60, 300), (50, 60, 70))]
    ['2 to 3 min', '1 min, up to 5 min', 'about 1 min']
    >>> [time_left_text(TimeLeft(*seconds)) for seconds in ((2900, 4000, 6500), (6900, 9000, 12300), (0, 9, 20))]
    ['48 min to 1 h 50 min', '2 h to 3 h 20 min', 'under 1 min']
    >>> time_left_text(TimeLeft(0, 9.4 * 3600, 28 * 3600))  # from a few labels that differ much
    '9 h, up to 28 h'
    """
    low, high = _time_span_text(estimate.low), _time_span_text(estimate.high)
    if estimate.high < 30:
        return "under 1 min"
    if low == high:
        return f"about {high}"
    if estimate.low < 30:
        likely = f"{round(estimate.likely / 3600)} h" if estimate.likely >= 3600 else _time_span_text(estimate.likely)
        return f"up to {high}" if likely in ("0 min", high) else f"{likely}, up to {high}"
    short = low.removesuffix(" min") if low.endswith(" min") and " h" not in high else low
    return f"{short} to {high}"


def _time_span_text(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, rest = divmod(round(minutes / 10) * 10, 60)
    return f"{hours} h {rest} min" if hours < 5 and rest else f"{round(minutes / 60)} h"
