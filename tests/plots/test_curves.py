"""Precision-recall figures: lines, bands and keys are what was computed."""

import numpy as np
import pytest

from cranfield.errors import InputError
from cranfield.plots.scores import precision_recall_plot, topic_curve_plot
from cranfield.plots.style import look
from tests.plots.data import BY_TOPIC, CURVES, FEW, MEANS, QRELS, SCORES, SYSTEMS, best, written

ORDER = best("AP11")
WIDE = CURVES.pivot(index="recall", columns="run", values="precision")


def keys(runs: list[str], roles: list[str] | None = None) -> list[str]:
    """The key of these runs."""
    named = zip(roles or [""] * len(runs), runs, strict=True)
    return [f"{MEANS[run, 'AP11']:.3f}  {role}{run}" for role, run in named]


def test_without_names_the_best_the_median_and_the_worst_are_lines() -> None:
    figure = precision_recall_plot(CURVES)
    (axes,) = figure.axes
    shown = [ORDER[0], ORDER[8], ORDER[16]]
    expected = keys(shown, ["best: ", "median: ", "worst: "])
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        *expected, "range of 14 others", "their middle half",
    ]  # fmt: skip
    for line, run in zip(axes.lines, shown, strict=True):
        assert np.asarray(line.get_ydata()).tolist() == WIDE[run].tolist()


def test_named_runs_are_lines_and_the_band_is_the_range_of_the_others() -> None:
    figure = precision_recall_plot(CURVES, FEW)
    (axes,) = figure.axes
    shown = [run for run in ORDER if run in FEW]
    assert [line.get_label() for line in axes.lines] == keys(shown)
    others = WIDE.drop(columns=FEW)
    corners = np.asarray(axes.collections[0].get_paths()[0].vertices)
    for recall, least, most in zip(WIDE.index, others.min(axis=1), others.max(axis=1), strict=True):
        heights = corners[np.isclose(corners[:, 0], recall), 1]
        assert (heights.min(), heights.max()) == pytest.approx((least, most))
    assert not [text for text in axes.texts if text.get_text()]  # nothing is written on the data


def test_a_few_runs_are_all_lines_without_a_band() -> None:
    (axes,) = precision_recall_plot(CURVES[CURVES["run"].isin(FEW)]).axes
    assert (len(axes.lines), len(axes.collections)) == (3, 0)


def test_lines_are_distinguished_without_colour() -> None:
    """No two of 17 runs share line style and marker."""
    (axes,) = precision_recall_plot(CURVES, list(SYSTEMS)).axes
    assert len({(str(look(n).linestyle), look(n).marker) for n in range(len(SYSTEMS))}) == len(SYSTEMS)
    assert [line.get_marker() for line in axes.lines] == [look(n).marker for n in range(len(SYSTEMS))]


def test_a_run_that_is_not_there_is_an_error() -> None:
    with pytest.raises(InputError, match="no run 'nobody' here; available: run-"):
        precision_recall_plot(CURVES, ["run-1", "nobody"])
    with pytest.raises(InputError, match="no run 'nobody' here; available: run-"):
        topic_curve_plot(BY_TOPIC, None, ["nobody"])


def test_a_panel_for_each_named_run_and_a_line_for_each_topic() -> None:
    """Grey lines are topics' points as they are, the coloured one is the interpolated mean; the best run is first."""
    figure = topic_curve_plot(BY_TOPIC, CURVES, FEW)
    used = [axes for axes in figure.axes if axes.axison]
    assert [axes.get_title(loc="left") for axes in used] == [run for run in ORDER if run in FEW]
    for axes in used:
        own = BY_TOPIC[BY_TOPIC["run"] == axes.get_title(loc="left")]
        assert len(axes.lines) == own["query_id"].nunique() + 1
        assert sum(len(np.asarray(line.get_xdata())) for line in axes.lines) == len(own) + 11


def test_of_many_runs_three_have_a_panel() -> None:
    titles = [axes.get_title(loc="left") for axes in topic_curve_plot(BY_TOPIC, CURVES).axes]
    assert titles == [f"best: {ORDER[0]}", f"median: {ORDER[8]}", f"worst: {ORDER[16]}"]
    assert "interpolated mean" in " ".join(written(topic_curve_plot(BY_TOPIC, CURVES)))


def test_points_of_topic_curves() -> None:
    """A point at each relevant document found, the last at recall 1 where all are; the mean of its precisions is AP."""
    run = BY_TOPIC[BY_TOPIC["run"] == "run-3"]
    for qid, points in run.groupby("query_id"):
        relevant = sum(QRELS[str(qid)].values())
        assert len(points) == relevant
        assert points["recall"].iloc[-1] == 1
        expected = SCORES.set_index(["run", "query_id", "measure"])["value"]["run-3", qid, "AP"]
        assert points["precision"].mean() == pytest.approx(expected)
