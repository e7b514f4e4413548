"""Figures of depths, stability, reusability and correlation draw each number that was computed, and no other."""

from math import isnan

import numpy as np
import pytest

from cranfield.plots.pools import depths_plot, forecast_plot
from cranfield.plots.rankings import rank_plot, scatter_plot, stability_plot
from cranfield.plots.style import spread
from cranfield.pooling.forecast import Forecast, TopicForecast, chao, extrapolated, power_law
from tests.plots.data import depths_document, overlaps, reusability_document, stability_document, written


def points(axes: object, percent: bool = False) -> list[tuple[float, float]]:
    """The points of all lines with markers, sorted."""
    lines = [line for line in axes.lines if line.get_marker() not in ("None", "")]  # type: ignore[attr-defined]
    own = [line for line in lines if line.get_transform().contains_branch(axes.transData)]  # type: ignore[attr-defined]
    pairs = [pair for line in own for pair in zip(line.get_xdata(), line.get_ydata(), strict=True)]
    return sorted((float(x), round(float(y) / (100 if percent else 1), 9)) for x, y in pairs)


def test_stability_draws_each_defined_number_once() -> None:
    """But for rates of fewer than 20 pairs."""
    document = stability_document(2)
    panels = stability_plot(document).axes
    assert len(panels) == 6
    for number, measured in enumerate(document["measures"]):
        left, middle, right = panels[3 * number : 3 * number + 3]
        rates = [(row["from"], row["rate"]) for row in measured["swap_rates"] if row["pairs"] >= 20]
        rows = measured["by_topics"]
        reliable = [(row["difference"], 0.05) for row in rows if not isnan(row["difference"])]
        assert points(left, percent=True) == sorted((x, round(y, 9)) for x, y in rates + reliable)
        assert points(middle) == [(row["topics"], row["tau"]) for row in rows if not isnan(row["tau"])]
        shares = [(row["topics"], row[name]) for row in rows for name in ("told_apart", "swap_rate")]
        expected = [*((x, round(y, 9)) for x, y in shares if not isnan(y))]
        assert points(right, percent=True) == sorted(expected)
        assert left.get_xlabel() == f"difference in {measured['measure']}"


def test_depths_are_points_of_each_measure_and_their_names_are_above() -> None:
    document = depths_document(measures=("AP", "P@5"))
    panels = depths_plot(document).axes
    for number, measure in enumerate(("AP", "P@5")):
        rows = [row for row in document["rows"] if row["measure"] == measure]
        losses = [
            (row["judged"], round(row[name], 9))
            for row in rows
            for name in ("max_change_percent", "mean_change_percent")
        ]
        assert points(panels[2 * number]) == sorted(losses)
        assert points(panels[2 * number + 1]) == [(row["judged"], round(row["tau"], 9)) for row in rows]
        above = panels[2 * number].child_axes[0]
        named = zip(above.get_xticks(), above.get_xticklabels(), strict=True)
        assert all(place == 40 * int(label.get_text()) for place, label in named)
        assert panels[2 * number].get_ylim()[0] == 0
        assert panels[2 * number + 1].get_ylim()[1] >= 1


def test_a_forecast_draws_what_was_found_and_what_may_be_missing() -> None:
    """Bars by depth, the curve to the depth asked for; bars by topic, the one that lacks most first."""
    new = tuple(round(100 / depth) - 1 for depth in range(1, 21))
    law, bound = power_law(new), chao([3, 2, 1, 1, 1], 4)
    topics = tuple(TopicForecast(f"t{n}", 30, 10 + n, 0.3, "", 2, 2.0 * n, 1) for n in range(3))
    found = Forecast(20, 4, 2, new, law, extrapolated(law, 21, 40), None, bound, topics)
    left, right = forecast_plot(found, 40).axes
    assert [bar.get_height() for bar in left.patches] == list(new)  # type: ignore[attr-defined]
    assert max(float(np.max(np.asarray(line.get_xdata()))) for line in left.lines) == 40
    assert [bar.get_height() for bar in right.patches] == [12, 11, 10, 4, 2, 0]  # type: ignore[attr-defined]
    assert [label.get_text() for label in right.get_xticklabels()] == ["t2", "t1", "t0"]


def test_lines_of_ranks_and_names_of_those_that_fall() -> None:
    ranks = {"a": (1, 4), "b": (2, 2), "c": (3, 1), "d": (4, 5)}
    (axes,) = rank_plot(reusability_document(ranks)).axes
    assert [tuple(np.asarray(line.get_ydata())) for line in axes.lines] == list(ranks.values())
    assert [line.get_linestyle() for line in axes.lines] == ["-", "-", "--", "-"]
    texts = [text.get_text() for text in axes.texts]
    assert texts == ["a  1", "b  2", "c  3", "d  4", "4  a  -3", "5  d  -1"]


def test_a_collection_without_a_verdict_says_so_beside_its_ranks() -> None:
    document = {**reusability_document({"a": (1, 1), "b": (2, 2)}), "no_verdict": "nobody judged it"}
    assert "No verdict: nobody judged it." in " ".join(" ".join(written(rank_plot(document))).split())


def test_points_are_systems_and_named_are_those_that_move() -> None:
    truth, estimate = {"a": 0.9, "b": 0.5, "c": 0.4, "x": 0.1}, {"a": 0.3, "b": 0.6, "c": 0.5, "y": 0.1}
    (axes,) = scatter_plot([(("AP", truth), ("P@5", estimate))], [0.5]).axes
    assert points(axes) == [(0.4, 0.5), (0.5, 0.6), (0.9, 0.3)]
    assert {text.get_text() for text in axes.texts} == {"a  1→3", "b  2→1", "c  3→2"}
    assert axes.get_title(loc="left") == "Kendall's tau 0.500"


@pytest.mark.parametrize("places", [[0.5] * 6, [0, 0, 1, 1], [0.2, 0.21, 0.22, 0.9], [1, 0.99, 0.98]])
def test_spread_labels_keep_their_order_and_their_distance(places: list[float]) -> None:
    found = spread(places, 0.1)
    order = np.argsort(places, kind="stable")
    assert np.all(np.diff(np.array(found)[order]) >= 0.1 - 1e-6)
    assert min(found) >= 0
    assert max(found) <= 1


@pytest.mark.parametrize("count", [3, 17, 143])
def test_names_of_ranks_do_not_overlap(count: int) -> None:
    """Even where all fall to the same rank."""
    ranks = {f"run-{n:03}": (n, count if n < 12 else n) for n in range(1, count + 1)}
    assert overlaps(rank_plot(reusability_document(ranks))) == []


def test_labels_of_depths_and_stability_do_not_overlap() -> None:
    assert overlaps(depths_plot(depths_document(30))) == []
    assert overlaps(stability_plot(stability_document())) == []
