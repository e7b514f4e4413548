"""Figures of scores and differences hold the numbers of the tables."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.path import Path

from cranfield.metrics.significance.compare import compare
from cranfield.plots.differences import comparison_plot, difference_bars
from cranfield.plots.scores import layout, score_distribution
from cranfield.plots.style import HIGHEST, WIDEST
from tests.plots.data import FEW, MEANS, RUNS, SCORES, SYSTEMS, TOPICS, best, written

AP = SCORES[SCORES["measure"] == "AP"]
WIDE = AP.pivot(index="query_id", columns="run", values="value")


def xs(path: Path) -> list[float]:
    """Where a line begins and ends, from left to right."""
    return [float(x) for x in np.asarray(path.vertices)[:, 0]]


def test_every_measure_has_a_panel_and_every_run_a_row() -> None:
    """Sorted by the first measure; dots are the topics, diamonds the means, which are printed."""
    figure = score_distribution(SCORES)
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["AP", "P@5"]
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == best("AP")
    for axes, measure in zip(figure.axes, ("AP", "P@5"), strict=True):
        means = SCORES[SCORES["measure"] == measure].groupby("run")["value"].mean()[best("AP")]
        dots = [line for line in axes.lines if line.get_marker() == "."]
        assert [len(np.asarray(line.get_xdata())) for line in dots] == [TOPICS] * RUNS
        assert [text.get_text() for text in axes.texts] == [f"{mean:.4f}" for mean in means]
        (diamonds,) = (line for line in axes.lines if line.get_marker() == "D")
        assert np.asarray(diamonds.get_xdata()) == pytest.approx(means.to_numpy())


def test_boxes_are_the_middle_half() -> None:
    (axes,) = score_distribution(AP[AP["run"].isin(FEW)]).axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    ranges, halves = ([tuple(xs(path)) for path in lines.get_paths()] for lines in axes.collections)
    for name, whole, half in zip(names, ranges, halves, strict=True):
        assert whole == pytest.approx((WIDE[name].min(), WIDE[name].max()))
        assert half == pytest.approx(tuple(WIDE[name].quantile([0.25, 0.75])))


def test_a_run_without_a_defined_score_has_a_dash() -> None:
    scores = AP.copy()
    scores.loc[scores["run"] == "run-4", "value"] = np.nan
    (axes,) = score_distribution(scores).axes
    assert axes.texts[-1].get_text() == "-"


@pytest.mark.parametrize("runs", [1, 3, 20, 21, 143, 1000])
@pytest.mark.parametrize("measures", [1, 2, 5, 12, 30])
def test_a_figure_of_scores_has_a_bounded_size(runs: int, measures: int) -> None:
    found = layout(runs, measures)
    assert found.columns * found.lines >= measures
    assert found.lines * (0.62 + found.shown * found.row) + 1 <= HIGHEST
    assert 1.7 + found.columns * found.width <= WIDEST + 0.01
    assert found.shown == runs or runs > 60


def test_runs_that_do_not_fit_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cranfield.plots.scores.HIGHEST", 2.5)
    figure = score_distribution(AP)
    (axes,) = figure.axes
    shown = [label.get_text() for label in axes.get_yticklabels()]
    assert shown == best("AP")[: len(shown)]
    assert f"AP over 8 topics; the {len(shown)} best of 17 runs" in written(figure)


def test_bars_are_the_differences_the_best_topic_first() -> None:
    figure = difference_bars(SCORES, "run-16", "run-0")
    (axes,) = figure.axes
    difference = (WIDE["run-16"] - WIDE["run-0"]).sort_values(ascending=False)
    heights = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in axes.patches}  # type: ignore[attr-defined]
    assert [heights[place] for place in range(TOPICS)] == pytest.approx(difference.tolist())
    assert [label.get_text() for label in axes.get_xticklabels()] == difference.index.tolist()
    assert len([bar for bar in axes.patches if bar.get_hatch()]) == int((difference < 0).sum())
    assert "run-16 minus run-0, AP by topic" in written(figure)
    assert f"mean {difference.mean():+.4f}" in " ".join(" ".join(written(figure)).split())


def test_of_very_many_topics_some_are_named() -> None:
    many = pd.DataFrame(
        [(run, f"q{q:03}", "AP", (q * r) % 7 / 7) for r, run in ((1, "a"), (2, "b")) for q in range(250)],
        columns=["run", "query_id", "measure", "value"],
    )
    (axes,) = difference_bars(many, "a", "b").axes
    assert (len(axes.patches), len(axes.get_xticklabels())) == (250, 50)
    assert axes.get_xlabel() == "topic (one in 5 of 250 named)"


def test_differences_from_a_baseline_are_points_with_intervals() -> None:
    """Filled marks are significant; the best run is first."""
    table = compare(SCORES, measures=["AP"], baseline="run-0")
    (axes,) = comparison_plot(table, "run-0", 0.05).axes
    rows = table.sort_values("difference", ascending=False)
    assert [label.get_text() for label in axes.get_yticklabels()] == rows["run_a"].tolist()
    drawn = {
        int(y): (x, line.get_markerfacecolor() != "#ffffff")
        for line in axes.lines[1:]
        for x, y in zip(np.asarray(line.get_xdata()), np.asarray(line.get_ydata()), strict=True)
    }
    expected = list(zip(rows["difference"], rows["significant"], strict=True))
    assert [drawn[place] for place in range(len(rows))] == [(pytest.approx(x), bool(y)) for x, y in expected]
    intervals = [tuple(xs(path)) for path in axes.collections[0].get_paths()]
    assert intervals == [pytest.approx(pair) for pair in zip(rows["low"], rows["high"], strict=True)]


def test_all_pairs_are_a_matrix() -> None:
    """Row minus column, with the numbers of the significant pairs."""
    table = compare(SCORES, measures=["AP"])
    axes = comparison_plot(table, None, 0.05).axes[0]
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == best("AP")
    cells = np.asarray(axes.images[0].get_array())
    for row in table.to_dict("records"):
        a, b = names.index(row["run_a"]), names.index(row["run_b"])
        assert (cells[a, b], cells[b, a]) == pytest.approx((row["difference"], -row["difference"]))
    assert len(axes.texts) == 2 * int(table["significant"].sum())
    assert float(MEANS[names[0], "AP"]) == max(float(MEANS[run, "AP"]) for run in SYSTEMS)
