"""Two runs by topic, the largest difference first, each with its bar: to the right where the first is better."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from cranfield.text import counted

from .markup import joined, said, short
from .table import Cell, Table, rounded, table

HALF, HEIGHT = 100.0, 14.0


class Difference(NamedTuple):
    """The scores of both runs on a topic."""

    topic: str
    title: str
    href: str
    first: float
    second: float

    @property
    def difference(self) -> float:
        """How much better the first is."""
        return self.first - self.second


def difference_bars(key: str, caption: str, runs: tuple[str, str], topics: Sequence[Difference]) -> Markup:
    """The table, below the sentence that sums it up; the script chooses other runs.

    Topics on which either score is undefined come last.
    """
    order = sorted(topics, key=lambda each: (each.difference != each.difference, -each.difference))
    largest = max([abs(each.difference) for each in topics if each.difference == each.difference] or [1.0])
    rows = [_row(each, runs, largest or 1.0) for each in order]
    heads = {"first": runs[0], "second": runs[1], "bar": "first better to the right"}
    summary = f'<p class="summary" data-summary="{key}">{said(summed(runs, [each.difference for each in topics]))}</p>'
    names = f' data-first="{said(runs[0])}" data-second="{said(runs[1])}"'
    body = str(table(Table(key, caption, rows, heads=heads))).replace("<table ", f"<table data-compare{names} ", 1)
    return joined([summary, body])


def _row(each: Difference, runs: tuple[str, str], largest: float) -> dict[str, Cell]:
    return {
        "topic": Cell(each.topic, below=each.title, href=each.href),
        "first": rounded(each.first, 4)._replace(kind="first"),
        "second": rounded(each.second, 4)._replace(kind="second"),
        "difference": signed(each.difference)._replace(kind="difference"),
        "bar": Cell("", picture=bar(each.difference, largest)),
    }


def signed(value: float, decimals: int = 4) -> Cell:
    """A difference with its sign; none where it rounds to 0.

    >>> signed(0.25).text, signed(-0.00001).text
    ('+0.2500', '0.0000')
    """
    found = rounded(value, decimals)
    if found.value is None:
        return found
    return found._replace(text=f"{value:+.{decimals}f}" if round(value, decimals) else f"{0:.{decimals}f}")


def bar(difference: float, largest: float) -> str:
    """The bar as an <svg>, silent to screen readers.

    >>> bar(-0.5, 1.0).partition("<rect ")[2].partition("/>")[0]
    'class="down" x="50" y="2" width="50" height="10"'
    """
    width = HALF * abs(difference) / largest if difference == difference else 0.0  # noqa: PLR0124
    kind, x = ("up", HALF) if difference >= 0 else ("down", HALF - width)
    return (
        f'<svg class="bar" viewBox="0 0 {short(2 * HALF)} {short(HEIGHT)}" aria-hidden="true">'
        f'<rect class="{kind}" x="{short(x)}" y="2" width="{short(width)}" height="10"/>'
        f'<path class="axis" d="M{short(HALF)} 0v{short(HEIGHT)}"/></svg>'
    )


def summed(runs: tuple[str, str], differences: Sequence[float]) -> str:
    """On how many topics which run is better, and the mean difference.

    >>> summed(("a", "b"), [0.5, 0.25, -0.25, 0.0])
    'a is better on 2 topics, b on 1, equal on 1; mean difference +0.1250'
    """
    defined = [each for each in differences if each == each]  # noqa: PLR0124
    better, worse = sum(each > 0 for each in defined), sum(each < 0 for each in defined)
    mean = signed(sum(defined) / len(defined)).text if defined else "undefined"
    equal = len(defined) - better - worse
    wins = f"{runs[0]} is better on {counted(better, 'topic')}, {runs[1]} on {worse}, equal on {equal}"
    return f"{wins}; mean difference {mean}"
