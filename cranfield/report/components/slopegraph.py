"""Ranks before and after, a line for each: who falls how far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from .marks import colour, dashes, mark
from .markup import apart, chart, label, line, short, shortened

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 488.0, 212.0, 384.0, 52.0, 26.0
NEAR, FAR = 6.0, 24.0  # from the dot, where the lead to its label begins and ends
GAP = 16.0  # between labels
FEW = 16  # lines that are all named


class Slope(NamedTuple):
    """A name and its two ranks; `series` is the number of its colour and mark, None for one of many."""

    name: str
    before: int
    after: int
    series: int | None = None


def slopegraph(key: str, slopes: Sequence[Slope], heads: tuple[str, str], title: str, description: str) -> Markup:
    """The graph; the named lines are drawn last.

    >>> str(slopegraph("k", [Slope("a", 1, 3, 0)], ("with", "without"), "t", "d")).count("mark s0")
    2
    """
    last = max([2, *(max(slope.before, slope.after) for slope in slopes)])
    height = min(max(GAP * (last - 1), 150.0), 460.0)

    def at(rank: int) -> float:
        return TOP + height * (rank - 1) / (last - 1)

    order = sorted(slopes, key=lambda slope: slope.series is not None)
    body = [
        *_axes(heads, last, height),
        *(_line(slope, at(slope.before), at(slope.after)) for slope in order),
        *_labels(slopes, [at(slope.before) for slope in slopes], LEFT, "end", height),
        *_labels(slopes, [at(slope.after) for slope in slopes], RIGHT, "start", height),
    ]
    return chart(key, (WIDTH, TOP + height + BOTTOM), title, description, body)


def _axes(heads: tuple[str, str], last: int, height: float) -> list[str]:
    anchored = zip((LEFT, RIGHT), ("end", "start"), heads, strict=True)
    return [
        *(label(x, 12, head, anchor, "head") for x, anchor, head in anchored),
        *(line(x, TOP - 8, x, TOP + height + 8, "axis") for x in (LEFT, RIGHT)),
        label((LEFT + RIGHT) / 2, TOP - 16, "rank 1", "middle", "faint-text"),
        label((LEFT + RIGHT) / 2, TOP + height + 16, f"rank {last}", "middle", "faint-text"),
    ]


def _line(slope: Slope, before: float, after: float) -> str:
    path = f'd="M{short(LEFT)} {short(before)}L{short(RIGHT)} {short(after)}"'
    if slope.series is None:
        return f'<path class="context" {path}/>'
    ends = mark(slope.series, LEFT, before) + mark(slope.series, RIGHT, after)
    return f'<path class="series {colour(slope.series)}" {path}{dashes(slope.series)}/>{ends}'


def _labels(slopes: Sequence[Slope], places: Sequence[float], x: float, anchor: str, height: float) -> list[str]:
    """Names at the left and ranks at the right, each with a lead to its dot: of the named lines, or of all if few."""
    named = [at for at, slope in enumerate(slopes) if slope.series is not None or len(slopes) <= FEW]
    if anchor == "start":
        named = [at for at in named if slopes[at].before != slopes[at].after or slopes[at].series is not None]
        named.sort(key=lambda at: slopes[at].before)  # labels of one rank stand as their lines come in
    spread = apart([places[at] for at in named], GAP, TOP, TOP + height)
    side = -1 if anchor == "end" else 1
    leads = [
        line(x + side * NEAR, places[at], x + side * FAR, y, "leader") for at, y in zip(named, spread, strict=True)
    ]
    return leads + [
        label(x + side * (FAR + 4), y, _words(slopes[at], anchor), anchor, _weight(slopes[at]))
        for at, y in zip(named, spread, strict=True)
    ]


def _weight(slope: Slope) -> str:
    return "" if slope.series is None else "strong"


def _words(slope: Slope, anchor: str) -> str:
    if anchor == "end":
        return f"{shortened(slope.name, 16)}  {slope.before}"
    fall = slope.after - slope.before
    return f"{slope.after}" if not fall else f"{slope.after}  ({-fall:+d})".replace("-", "\N{MINUS SIGN}")
