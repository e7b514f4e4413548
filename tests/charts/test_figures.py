"""Figures draw each number that was computed, and no other: scores, differences, curves and analyses."""

from math import isnan

import numpy as np
import pandas as pd
import pytest
from matplotlib.path import Path

from cranfield.charts.differences import comparison_chart, difference_bars
from cranfield.charts.labels import spread_places
from cranfield.charts.palette import series_look
from cranfield.charts.pools import depths_plot, forecast_plot
from cranfield.charts.rankings import rank_plot, scatter_plot, stability_plot
from cranfield.charts.scores import layout, precision_recall_curves, score_distribution, topic_recall_curves
from cranfield.charts.style import HIGHEST, WIDEST
from cranfield.errors import InputError
from cranfield.metrics.significance.compare import compare
from cranfield.pooling.forecast import Forecast, TopicForecast, chao_bound, extrapolate_power_law, power_law
from tests.charts.data import (
    BY_TOPIC,
    CURVES,
    FEW,
    MEANS,
    QRELS,
    RUNS,
    SCORES,
    SYSTEMS,
    TOPICS,
    best,
    depths_document,
    overlaps,
    reusability_document,
    stability_document,
    texts_of,
)

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
    grid = layout(runs, measures)
    assert grid.columns * grid.lines >= measures
    assert grid.lines * (0.62 + grid.runs * grid.row) + 1 <= HIGHEST
    assert 1.7 + grid.columns * grid.width <= WIDEST + 0.01
    assert grid.runs == runs or runs > 60


def test_runs_that_do_not_fit_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cranfield.charts.scores.HIGHEST", 2.5)
    figure = score_distribution(AP)
    (axes,) = figure.axes
    texts = [label.get_text() for label in axes.get_yticklabels()]
    assert texts == best("AP")[: len(texts)]
    assert f"AP over 8 topics; the {len(texts)} best of 17 runs" in texts_of(figure)


def test_bars_are_the_differences_the_best_topic_first() -> None:
    figure = difference_bars(SCORES, "run-16", "run-0")
    (axes,) = figure.axes
    difference = (WIDE["run-16"] - WIDE["run-0"]).sort_values(ascending=False)
    heights = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in axes.patches}  # type: ignore[attr-defined]
    assert [heights[place] for place in range(TOPICS)] == pytest.approx(difference.tolist())
    assert [label.get_text() for label in axes.get_xticklabels()] == difference.index.tolist()
    assert len([bar for bar in axes.patches if bar.get_hatch()]) == int((difference < 0).sum())
    assert "run-16 minus run-0, AP by topic" in texts_of(figure)
    assert f"mean difference {difference.mean():+.4f} (dashed)" in " ".join(" ".join(texts_of(figure)).split())


def test_of_very_many_topics_some_are_named() -> None:
    many = pd.DataFrame(
        [(run, f"q{q:03}", "AP", (q * r) % 7 / 7) for r, run in ((1, "a"), (2, "b")) for q in range(250)],
        columns=["run", "query_id", "measure", "value"],
    )
    (axes,) = difference_bars(many, "a", "b").axes
    assert (len(axes.patches), len(axes.get_xticklabels())) == (250, 50)
    assert axes.get_xlabel() == "topic (50 of 250 are named)"


def test_differences_from_a_baseline_are_points_with_intervals() -> None:
    """Filled marks are significant; the best run is first."""
    table = compare(SCORES, measures=["AP"], baseline="run-0")
    (axes,) = comparison_chart(table, "run-0", 0.05).axes
    rows = table.sort_values("difference", ascending=False)
    assert [label.get_text() for label in axes.get_yticklabels()] == rows["run_a"].tolist()
    draws = {
        int(y): (x, line.get_markerfacecolor() != "#ffffff")
        for line in axes.lines[1:]
        for x, y in zip(np.asarray(line.get_xdata()), np.asarray(line.get_ydata()), strict=True)
    }
    marks = zip(rows["difference"], rows["significant"], strict=True)
    assert [draws[place] for place in range(len(rows))] == [(pytest.approx(x), bool(y)) for x, y in marks]
    intervals = [tuple(xs(path)) for path in axes.collections[0].get_paths()]
    assert intervals == [pytest.approx(pair) for pair in zip(rows["low"], rows["high"], strict=True)]


@pytest.mark.parametrize("baseline", ["run-0", None])
def test_undecided_differences_have_a_question_mark(baseline: str | None) -> None:
    """Unlike differences that are not significant; the caption names the mark."""
    table = compare(SCORES, measures=["AP"], baseline=baseline)
    outcomes = ["significant" if yes else "not significant" for yes in table["significant"]]
    is_open = [*table["significant"]].index(False)
    figure = comparison_chart(table.assign(outcome=outcomes), baseline, 0.05)
    assert "?" not in "".join(texts_of(figure))
    outcomes[is_open] = "not decided: unjudged documents"
    figure = comparison_chart(table.assign(outcome=outcomes), baseline, 0.05)
    marks = [text.get_position() for text in figure.axes[0].texts if text.get_text() == "?"]
    row = table.iloc[is_open]
    if baseline is not None:
        assert [x for x, _ in marks] == [pytest.approx(row["difference"])]
    else:
        assert len(marks) == 2
    assert "?: not decided because of unjudged documents." in " ".join(" ".join(texts_of(figure)).split())


def test_all_pairs_are_a_matrix() -> None:
    """Row minus column, with the numbers of the significant pairs."""
    table = compare(SCORES, measures=["AP"])
    axes = comparison_chart(table, None, 0.05).axes[0]
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == best("AP")
    cells = np.asarray(axes.images[0].get_array())
    for row in table.to_dict("records"):
        a, b = names.index(row["run_a"]), names.index(row["run_b"])
        assert (cells[a, b], cells[b, a]) == pytest.approx((row["difference"], -row["difference"]))
    assert len(axes.texts) == 2 * int(table["significant"].sum())
    assert float(MEANS[names[0], "AP"]) == max(float(MEANS[run, "AP"]) for run in SYSTEMS)


ORDER = best("AP11")
WIDE_CURVES = CURVES.pivot(index="recall", columns="run", values="precision")


def keys(runs: list[str], roles: list[str] | None = None) -> list[str]:
    pairs = zip(roles or [""] * len(runs), runs, strict=True)
    return [f"{MEANS[run, 'AP11']:.3f}  {role}{run}" for role, run in pairs]


def test_without_names_the_best_the_median_and_the_worst_are_lines() -> None:
    figure = precision_recall_curves(CURVES)
    (axes,) = figure.axes
    runs = [ORDER[0], ORDER[8], ORDER[16]]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        *keys(runs, ["best: ", "median: ", "worst: "]), "range of 14 others", "their middle half",
    ]  # fmt: skip
    for line, run in zip(axes.lines, runs, strict=True):
        assert np.asarray(line.get_ydata()).tolist() == WIDE_CURVES[run].tolist()


def test_named_runs_are_lines_and_the_band_is_the_range_of_the_others() -> None:
    figure = precision_recall_curves(CURVES, FEW)
    (axes,) = figure.axes
    assert [line.get_label() for line in axes.lines] == keys([run for run in ORDER if run in FEW])
    others = WIDE_CURVES.drop(columns=FEW)
    corners = np.asarray(axes.collections[0].get_paths()[0].vertices)
    for recall, least, most in zip(WIDE_CURVES.index, others.min(axis=1), others.max(axis=1), strict=True):
        heights = corners[np.isclose(corners[:, 0], recall), 1]
        assert (heights.min(), heights.max()) == pytest.approx((least, most))
    assert not [text for text in axes.texts if text.get_text()]  # nothing is written on the data


def test_a_few_runs_are_all_lines_without_a_band() -> None:
    (axes,) = precision_recall_curves(CURVES[CURVES["run"].isin(FEW)]).axes
    assert (len(axes.lines), len(axes.collections)) == (3, 0)


def test_lines_are_distinguished_without_colour() -> None:
    """No two of 17 runs share line style and marker."""
    (axes,) = precision_recall_curves(CURVES, list(SYSTEMS)).axes
    assert len({(series_look(n).dashes, series_look(n).marker) for n in range(len(SYSTEMS))}) == len(SYSTEMS)
    assert [line.get_marker() for line in axes.lines] == [series_look(n).marker for n in range(len(SYSTEMS))]


def test_a_run_that_is_not_there_is_an_error() -> None:
    with pytest.raises(InputError, match="no run 'nobody' here; available: run-"):
        precision_recall_curves(CURVES, ["run-1", "nobody"])
    with pytest.raises(InputError, match="no run 'nobody' here; available: run-"):
        topic_recall_curves(BY_TOPIC, None, ["nobody"])


def test_a_panel_for_each_named_run_and_a_line_for_each_topic() -> None:
    """Grey lines are topics' points as they are, the coloured one is the interpolated mean; the best run is first."""
    figure = topic_recall_curves(BY_TOPIC, CURVES, FEW)
    used = [axes for axes in figure.axes if axes.axison]
    assert [axes.get_title(loc="left") for axes in used] == [run for run in ORDER if run in FEW]
    for axes in used:
        own = BY_TOPIC[BY_TOPIC["run"] == axes.get_title(loc="left")]
        assert len(axes.lines) == own["query_id"].nunique() + 1
        assert sum(len(np.asarray(line.get_xdata())) for line in axes.lines) == len(own) + 11


def test_of_many_runs_three_have_a_panel() -> None:
    titles = [axes.get_title(loc="left") for axes in topic_recall_curves(BY_TOPIC, CURVES).axes]
    assert titles == [f"best: {ORDER[0]}", f"median: {ORDER[8]}", f"worst: {ORDER[16]}"]
    assert "interpolated mean" in " ".join(texts_of(topic_recall_curves(BY_TOPIC, CURVES)))


def test_points_of_topic_curves() -> None:
    """A point at each relevant document found, the last at recall 1 where all are; the mean of its precisions is AP."""
    run = BY_TOPIC[BY_TOPIC["run"] == "run-3"]
    for qid, points in run.groupby("query_id"):
        relevant = sum(QRELS[str(qid)].values())
        assert len(points) == relevant
        assert points["recall"].iloc[-1] == 1
        score = SCORES.set_index(["run", "query_id", "measure"])["value"]["run-3", qid, "AP"]
        assert points["precision"].mean() == pytest.approx(score)


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
    for number, own in enumerate(document["measures"]):
        left, middle, right = panels[3 * number : 3 * number + 3]
        rates = [(row["from"], row["rate"]) for row in own["swap_rates"] if row["pairs"] >= 20]
        rows = own["by_topics"]
        reliable = [(row["difference"], 0.05) for row in rows if not isnan(row["difference"])]
        assert points(left, percent=True) == sorted((x, round(y, 9)) for x, y in rates + reliable)
        assert points(middle) == [(row["topics"], row["tau"]) for row in rows if not isnan(row["tau"])]
        shares = [(row["topics"], row[name]) for row in rows for name in ("told_apart", "swap_rate")]
        assert points(right, percent=True) == sorted((x, round(y, 9)) for x, y in shares if not isnan(y))
        assert left.get_xlabel() == f"difference in {own['measure']}"


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
        ticks = zip(above.get_xticks(), above.get_xticklabels(), strict=True)
        assert all(place == 40 * int(label.get_text()) for place, label in ticks)
        assert panels[2 * number].get_ylim()[0] == 0
        assert panels[2 * number + 1].get_ylim()[1] >= 1


def test_a_forecast_draws_what_was_found_and_what_may_be_missing() -> None:
    """Bars by depth, the curve to the depth asked for; bars by topic, the one that lacks most first."""
    new = tuple(round(100 / depth) - 1 for depth in range(1, 21))
    law, bound = power_law(new), chao_bound([3, 2, 1, 1, 1], 4)
    topics = tuple(
        TopicForecast(f"t{n}", 30, 10 + n, share=0.3, level="", by_one=2, missing=2.0 * n, deeper_half=1)
        for n in range(3)
    )
    prediction = Forecast(
        20,
        4,
        2,
        new=new,
        fit=law,
        prediction=extrapolate_power_law(law, 21, 40),
        back_test=None,
        bound=bound,
        topics=topics,
    )
    left, right = forecast_plot(prediction, 40).axes
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
    assert "Not tested: nobody judged it." in " ".join(" ".join(texts_of(rank_plot(document))).split())


def test_points_are_systems_and_named_are_those_that_move() -> None:
    truth, estimate = {"a": 0.9, "b": 0.5, "c": 0.4, "x": 0.1}, {"a": 0.3, "b": 0.6, "c": 0.5, "y": 0.1}
    (axes,) = scatter_plot([(("AP", truth), ("P@5", estimate))], [0.5]).axes
    assert points(axes) == [(0.4, 0.5), (0.5, 0.6), (0.9, 0.3)]
    assert {text.get_text() for text in axes.texts} == {"a  1→3", "b  2→1", "c  3→2"}
    assert axes.get_title(loc="left") == "Kendall's tau 0.500"


@pytest.mark.parametrize("places", [[0.5] * 6, [0, 0, 1, 1], [0.2, 0.21, 0.22, 0.9], [1, 0.99, 0.98]])
def test_spread_labels_keep_their_order_and_their_distance(places: list[float]) -> None:
    positions = spread_places(places, 0.1)
    order = np.argsort(places, kind="stable")
    assert np.all(np.diff(np.array(positions)[order]) >= 0.1 - 1e-6)
    assert min(positions) >= 0
    assert max(positions) <= 1


@pytest.mark.full
@pytest.mark.parametrize("count", [3, 17, 143])
def test_names_of_ranks_do_not_overlap(count: int) -> None:
    """Even where all fall to the same rank."""
    ranks = {f"run-{n:03}": (n, count if n < 12 else n) for n in range(1, count + 1)}
    assert overlaps(rank_plot(reusability_document(ranks))) == []


@pytest.mark.full
def test_labels_of_depths_and_stability_do_not_overlap() -> None:
    assert overlaps(depths_plot(depths_document(30))) == []
    assert overlaps(stability_plot(stability_document())) == []
