"""Lines over a common axis, described once for files and for pages: recall, depths of a pool, topic sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.errors import InputError
from cranfield.metrics.reusability.stability import ENOUGH
from cranfield.text import counted, name_hint

if TYPE_CHECKING:
    from pandas import DataFrame, Series

Row = Mapping[str, Any]


class Line(NamedTuple):
    """Points of a name; one without a number (`series`) is one of many. `notes` stand at the points."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    series: int | None = None
    notes: Sequence[str] = ()
    role: str = ""  # why this one of many has a number

    def without_nan(self) -> Line:
        """The line without its undefined points.

        >>> Line("a", [1, 2, 3], [0.5, float("nan"), 0.25], notes=["x", "y", "z"]).without_nan()[1:5]
        ([1, 3], [0.5, 0.25], None, ['x', 'z'])
        """
        places = [at for at, y in enumerate(self.y) if not isnan(y)]
        x, y, notes = [self.x[at] for at in places], [self.y[at] for at in places], [*self.notes]
        return self._replace(x=x, y=y, notes=[notes[at] for at in places] if notes else notes)


class LineChart(NamedTuple):
    """Lines, and what is said of them and of the axes; an axis ends where it is said, or where the data do."""

    title: str
    description: str
    x: str
    y: str
    lines: Sequence[Line]
    low: float | None = None
    high: float | None = None
    rules: Sequence[float] = ()  # dotted lines at these heights
    has_range: bool = False  # the lines without a number are drawn as their range
    is_x_whole: bool = False  # only whole numbers stand below the axis


FEW, MANY = 6, 30  # runs that all have a number; of more than many, a page has only the range of the others
INTERPOLATED = "Interpolated precision at eleven recall points, mean over topics"


def recall_chart(lines: Sequence[Line], which: str = "", has_range: bool = False) -> LineChart:
    """Interpolated precision; `which` is said of the lines."""
    about = f"{INTERPOLATED}.{which}"
    return LineChart("Precision and recall", about, "recall", "precision", lines, 0.0, 1.0, has_range=has_range)


def recall_curves(table: DataFrame, runs: Sequence[str] = ()) -> LineChart:
    """All runs of the table of `precision_recall`, the best first; those that `choose_runs` names have a number."""
    curves = table.pivot(index="run", columns="recall", values="precision")
    means = curves.mean(axis=1).sort_values(ascending=False, kind="stable")
    roles = choose_runs(means, runs, FEW)
    recall, numbers = [float(point) for point in curves.columns], {run: at for at, run in enumerate(roles)}
    lines = [
        Line(str(run), recall, precision, numbers.get(run), role=roles.get(run, ""))
        for run, precision in zip(means.index, curves.loc[means.index].to_numpy().tolist(), strict=True)
    ]
    others = len(lines) - len(roles)
    which = " Named: the runs with the best, median and worst mean." if others else " One line per run."
    if has_range := len(lines) > MANY:
        which += f" Shaded: the range of the {others} other runs."
    return recall_chart(lines, which, has_range)


def choose_runs(best: Series[float], runs: Sequence[str], most: int) -> dict[str, str]:
    """Which of the runs, given best first, are named, in their order, each with its role.

    >>> from pandas import Series
    >>> scores = Series({"a": 0.9, "b": 0.5, "c": 0.4, "d": 0.1})
    >>> choose_runs(scores, ["c", "b"], 3), choose_runs(scores, [], 4)
    ({'b': '', 'c': ''}, {'a': '', 'b': '', 'c': '', 'd': ''})
    >>> choose_runs(scores, [], 3)
    {'a': 'best: ', 'b': 'median: ', 'd': 'worst: '}
    """
    if unknown := [run for run in runs if run not in best]:
        raise InputError(f"no run {unknown[0]!r} here{name_hint(unknown[0], map(str, best.index))}")
    if runs or len(best) <= most:
        return {run: "" for run in best.index if not runs or run in runs}
    names = list(best.index)
    return {names[0]: "best: ", names[(len(names) - 1) // 2]: "median: ", names[-1]: "worst: "}


COST = "judged documents"
DEPTH_CAPTION = "the number at each point is the pool depth"


def losses_by_depth(document: Row, measure: str) -> LineChart:
    """Draw the loss of left-out units against the cost of each depth, from the JSON of `cranfield depths`."""
    about = f"Loss of left-out {document['by']}s in a pool of each depth; {DEPTH_CAPTION}."
    fields = [("largest", "max_change_percent"), ("mean", "mean_change_percent")]
    lines = [_cost_line(document, measure, field, name, number) for number, (name, field) in enumerate(fields)]
    lines[1] = lines[1]._replace(notes=())  # the first line has them
    return LineChart("Loss by pool depth", about, COST, f"absolute change of own {measure} (%)", lines, 0.0)


def tau_by_depth(document: Row, measure: str) -> LineChart:
    """Draw Kendall's tau between the ranking at each depth and the ranking of the whole pool, against the cost."""
    about = f"Agreement between the ranking from each pool and the ranking from all judgments; {DEPTH_CAPTION}."
    lines = [_cost_line(document, measure, "tau", "", 2)]
    return LineChart("Tau by depth", about, COST, f"Kendall's tau by {measure}", lines)


def _cost_line(document: Row, measure: str, field: str, name: str, number: int) -> Line:
    rows = [row for row in document["rows"] if row["measure"] == measure]
    depths = [str(row["depth"]) for row in rows]
    return Line(name, [row["judged"] for row in rows], [row[field] for row in rows], number, depths)


RELIABLE = 5  # per cent of pairs reversed


def reversed_pairs(stability: Row, most: int | None = None) -> LineChart:
    """A line for each size of the topic sets, or for `most` of them; `stability` is of one measure.

    Rates of few pairs are left out.
    """
    rates = [row for row in stability["swap_rates"] if row["pairs"] >= ENOUGH]
    sizes = sorted({row["topics"] for row in rates})
    if most and len(sizes) > most:
        sizes = [sizes[round(at * (len(sizes) - 1) / (most - 1))] for at in range(most)]
    lines = [
        Line(counted(size, "topic"), [row["from"] for row in of], [100 * row["rate"] for row in of], number)
        for number, size in enumerate(sizes)
        for of in [[row for row in rates if row["topics"] == size]]
    ]
    about = (
        "Pairs of systems that two disjoint topic sets order differently, by their difference in score. Dotted line:"
        f" {RELIABLE}%. Differences with fewer than {ENOUGH} pairs are not shown."
    )
    title, x = "Pairs that two topic sets order differently", f"difference in {stability['measure']}"
    return LineChart(title, about, x, "reversed pairs (%)", lines, 0.0, rules=[RELIABLE])


def pairs_by_topics(stability: Row) -> LineChart:
    """The shares of pairs that are distinguished and reversed, by the size of the topic sets."""
    about = (
        "Percentage of system pairs that differ significantly (paired t-test, p < 0.05), and of pairs in opposite order"
        " on two disjoint topic sets. The axis shows the number of topics."
    )
    lines = [
        _topics_line(stability, *one) for one in (("told_apart", "distinguished", 0), ("swap_rate", "reversed", 1))
    ]
    lines = [line._replace(y=[100 * share for share in line.y]) for line in lines]
    return LineChart("Distinguished and reversed pairs", about, "topics", "pairs of systems (%)", lines, 0.0, 100.0)


def tau_by_topics(stability: Row) -> LineChart:
    """Tau of two topic sets, by their size."""
    title = f"Agreement between two rankings by {stability['measure']}"
    return LineChart(
        title, "", "topics in each set", "Kendall's tau", [_topics_line(stability, "tau", "", 0)], high=1.0
    )


def _topics_line(stability: Row, field: str, name: str, number: int) -> Line:
    rows = stability["by_topics"]
    return Line(name, [row["topics"] for row in rows], [row[field] for row in rows], number)
