"""Pictures: what is in them, that they are the same to the byte each time, and that no window is needed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("matplotlib", reason="needs matplotlib, which is not here")

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from cranfield.errors import InputError
from cranfield.metrics.curve import precision_recall, topic_curves
from cranfield.metrics.evaluate import evaluate
from cranfield.plots.plots import difference_bars, precision_recall_plot, save, score_distribution, topic_curve_plot
from cranfield.plots.style import drawn, look
from tests.conftest import ROOT, usually

TOPICS, DOCUMENTS, RUNS = 8, 40, 17
GENERATOR = np.random.default_rng(7)
QRELS = {f"t{t}": {f"d{d}": int(GENERATOR.random() < 0.2) for d in range(DOCUMENTS)} for t in range(TOPICS)}
SYSTEMS = {
    f"run-{r}": {
        qid: {f"d{d}": float(GENERATOR.random() + QRELS[qid][f"d{d}"] * 0.05 * r) for d in range(DOCUMENTS)}
        for qid in QRELS
    }
    for r in range(RUNS)
}
SCORES = evaluate(SYSTEMS, QRELS, ["AP", "P@5"], per_topic=True)
MEANS = evaluate(SYSTEMS, QRELS, ["AP11", "AP"])
CURVES = precision_recall(SYSTEMS, QRELS)
BY_TOPIC = topic_curves(SYSTEMS, QRELS)

FEW = ["run-1", "run-2", "run-3"]
FIGURES: dict[str, Callable[[], Figure]] = {
    "precision_recall_plot": lambda: precision_recall_plot(CURVES[CURVES["run"].isin(FEW)]),
    "topic_curve_plot": lambda: topic_curve_plot(BY_TOPIC[BY_TOPIC["run"].isin(FEW)]),
    "difference_bars": lambda: difference_bars(SCORES, "run-16", "run-0"),
    "score_distribution": lambda: score_distribution(SCORES[SCORES["run"].isin(FEW)], "P@5"),
}


def mean(run: str, measure: str) -> float:
    """A run's score."""
    return float(MEANS.set_index(["run", "measure"])["value"][run, measure])


def test_every_run_has_its_line_in_the_order_of_the_key() -> None:
    """The lines hold the table's points; the key lists the runs by AP11, which is the mean of their points."""
    figure = precision_recall_plot(CURVES)
    (axes,) = figure.axes
    order = sorted(SYSTEMS, key=lambda run: -mean(run, "AP11"))
    labels = [str(line.get_label()) for line in axes.lines]
    assert labels == [f"{n}  {run}  {mean(run, 'AP11'):.3f}" for n, run in enumerate(order, start=1)]
    for line, run in zip(axes.lines, order, strict=True):
        assert np.asarray(line.get_ydata()).tolist() == CURVES[CURVES["run"] == run]["precision"].tolist()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == labels
    assert [text.get_text() for text in axes.texts] == [str(n) for n in range(1, RUNS + 1)]


def test_lines_are_told_apart_without_colour() -> None:
    """No two of 17 runs share line style and marker, nor the place of their label."""
    (axes,) = precision_recall_plot(CURVES).axes
    assert len({(str(look(n).linestyle), look(n).marker) for n in range(RUNS)}) == RUNS
    assert [line.get_marker() for line in axes.lines] == [look(n).marker for n in range(RUNS)]
    places = sorted(text.xy[0] for text in axes.texts)  # type: ignore[attr-defined]
    assert np.all(np.diff(places) > 0.05)


def test_of_very_many_runs_the_best_are_told_apart() -> None:
    """The 20 best have a look and a place in the key, the others are grey and counted."""
    many = pd.concat([CURVES.assign(run=CURVES["run"] + f"-{n}", precision=CURVES["precision"] / n) for n in (1, 2, 3)])
    figure = precision_recall_plot(many)
    keys = [text.get_text() for text in figure.legends[0].get_texts()]
    assert (len(figure.axes[0].lines), len(keys), keys[-1]) == (3 * RUNS, 21, f"{3 * RUNS - 20} more")
    assert len(figure.axes[0].texts) == 20


@pytest.mark.parametrize("number", [1, 2, 5, 6, 10, 15])
def test_labels_never_share_a_place(number: int) -> None:
    runs = list(SYSTEMS)[:number]
    (axes,) = precision_recall_plot(CURVES[CURVES["run"].isin(runs)]).axes
    assert len({text.xy[0] for text in axes.texts}) == number  # type: ignore[attr-defined]
    assert ({text.get_text() for text in axes.texts} == set(runs)) == (number <= 5)


def test_a_panel_a_run_and_a_line_a_topic() -> None:
    """Grey lines are topics' points as they are, the black one is the interpolated mean; the best run stands first."""
    figure = topic_curve_plot(BY_TOPIC, CURVES)
    used = [axes for axes in figure.axes if axes.axison]
    assert [axes.get_title(loc="left") for axes in used] == sorted(SYSTEMS, key=lambda run: -mean(run, "AP11"))
    for axes in used:
        own = BY_TOPIC[BY_TOPIC["run"] == axes.get_title(loc="left")]
        assert len(axes.lines) == own["query_id"].nunique() + 1
        assert sum(len(np.asarray(line.get_xdata())) for line in axes.lines) == len(own) + 11


def test_points_of_topic_curves() -> None:
    """A point at each relevant document found, the last at recall 1 where all are; the mean of its precisions is AP."""
    run = BY_TOPIC[BY_TOPIC["run"] == "run-3"]
    for qid, points in run.groupby("query_id"):
        relevant = sum(QRELS[str(qid)].values())
        assert len(points) == relevant
        assert points["recall"].iloc[-1] == 1
        expected = SCORES.set_index(["run", "query_id", "measure"])["value"]["run-3", qid, "AP"]
        assert points["precision"].mean() == pytest.approx(expected)


def test_bars_are_the_differences_the_best_topic_first() -> None:
    (axes,) = difference_bars(SCORES, "run-16", "run-0").axes
    wide = SCORES[SCORES["measure"] == "AP"].pivot(index="query_id", columns="run", values="value")
    difference = (wide["run-16"] - wide["run-0"]).sort_values(ascending=False)
    heights = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in axes.patches}  # type: ignore[attr-defined]
    assert [heights[place] for place in range(TOPICS)] == pytest.approx(difference.tolist())
    assert [label.get_text() for label in axes.get_xticklabels()] == difference.index.tolist()
    hatched = [bar for bar in axes.patches if bar.get_hatch()]
    assert len(hatched) == int((difference < 0).sum())
    assert f"mean {difference.mean():+.4f}" in axes.get_title(loc="left")


def test_of_very_many_topics_only_the_ends_are_named() -> None:
    many = pd.DataFrame(
        [(run, f"q{q:03}", "AP", (q * r) % 7 / 7) for r, run in ((1, "a"), (2, "b")) for q in range(100)],
        columns=["run", "query_id", "measure", "value"],
    )
    (axes,) = difference_bars(many, "a", "b").axes
    assert (len(axes.patches), len(axes.get_xticklabels())) == (100, 20)
    assert "of 100 labelled" in axes.get_xlabel()


def test_scores_have_a_dot_a_topic_and_a_box_a_run() -> None:
    (axes,) = score_distribution(SCORES, "P@5").axes
    means = SCORES[SCORES["measure"] == "P@5"].groupby("run")["value"].mean()
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert [means[name] for name in names] == sorted(means, reverse=True)
    dots = [line for line in axes.lines if line.get_marker() == "."]
    assert [len(np.asarray(line.get_xdata())) for line in dots] == [TOPICS] * RUNS
    assert [text.get_text() for text in axes.texts] == [f"{means[name]:.4f}" for name in names]
    crosses = [float(np.asarray(line.get_xdata())[0]) for line in axes.lines if line.get_marker() == "X"]
    assert crosses == pytest.approx([means[name] for name in names])


def test_a_run_without_a_defined_score_has_a_dash() -> None:
    scores = SCORES.copy()
    scores.loc[scores["run"] == "run-4", "value"] = np.nan
    (axes,) = score_distribution(scores).axes
    assert axes.texts[-1].get_text() == "-"


SIGNATURES = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


@pytest.mark.parametrize("name", [*FIGURES][:: usually(3, 1)])
def test_the_same_bytes_each_time(tmp_path: Path, name: str) -> None:
    """Drawn again, and drawn anew after other formats, a picture is the same file, without a date."""
    figure, anew = FIGURES[name](), FIGURES[name]()
    for suffix in SIGNATURES:
        save(figure, tmp_path / f"one{suffix}")
        save(figure, str(tmp_path / f"two{suffix}"))
    for suffix in reversed(SIGNATURES):
        save(anew, tmp_path / f"three{suffix}")
    for suffix, signature in SIGNATURES.items():
        one, two, three = ((tmp_path / f"{number}{suffix}").read_bytes() for number in ("one", "two", "three"))
        assert one == two == three
        assert one.startswith(signature)
        assert b"<dc:date>" not in one
        assert b"CreationDate" not in one


def test_the_text_of_an_svg_is_text() -> None:
    """It can be searched, copied and read aloud."""
    text = drawn(precision_recall_plot(CURVES), ".svg").decode()
    assert all(run in text for run in SYSTEMS)


def test_tags_are_text_and_nothing_else() -> None:
    """Dollars, markup and a leading underscore are shown as they are."""
    tags = ["$x_{", "_hidden", "<b>&amp;"]
    curves = CURVES[CURVES["run"].isin(FEW)].replace({"run": dict(zip(FEW, tags, strict=True))})
    text = drawn(precision_recall_plot(curves), ".svg").decode()
    assert all(shown in text for shown in ("$x_{", "_hidden", "&lt;b&gt;&amp;amp;"))
    scores = SCORES[SCORES["run"].isin(FEW)].replace({"run": dict(zip(FEW, tags, strict=True))})
    assert "$x_{ minus _hidden" in difference_bars(scores, "$x_{", "_hidden").axes[0].get_title(loc="left")
    assert drawn(difference_bars(scores, "$x_{", "_hidden"), ".png")


@pytest.mark.parametrize("name", FIGURES)
def test_a_picture_shows_itself_in_a_notebook(name: str) -> None:
    """Jupyter asks for _repr_png_; tables have their _repr_html_."""
    figure = FIGURES[name]()
    assert isinstance(figure.canvas, FigureCanvasAgg)
    assert figure._repr_png_().startswith(b"\x89PNG")  # type: ignore[attr-defined]
    assert "<table" in SCORES.head()._repr_html_()  # type: ignore[operator]


def test_no_window_and_no_global_state() -> None:
    """Pictures neither load pyplot nor a backend with windows, even where one is asked for and there is no display."""
    code = (
        "import sys; from cranfield.plots.plots import *; import pandas as pd;"
        "table = pd.DataFrame({'run': ['a', 'a'], 'recall': [0.0, 1.0], 'precision': [1.0, 0.5]});"
        "precision_recall_plot(table)._repr_png_();"
        "print([name for name in sys.modules if 'pyplot' in name or 'tkinter' in name or '_qt' in name])"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MPLBACKEND": "TkAgg"}
    environment.pop("DISPLAY", None)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.strip() == "[]"


WRONG = [
    (lambda: precision_recall_plot(SCORES), "needs the columns run, recall, precision; missing: recall, precision"),
    (lambda: precision_recall_plot(CURVES[:0]), "a precision-recall plot needs at least one row"),
    (lambda: difference_bars(SCORES, "run-1", "nobody"), "no scores of run 'nobody'; there are run-0, run-1, "),
    (lambda: difference_bars(SCORES, "run-1", "run-2", "nDCG"), "the table of scores by nDCG needs at least one row"),
    (lambda: score_distribution(MEANS), "needs the columns run, query_id, measure, value; missing: query_id"),
    (lambda: save(FIGURES["difference_bars"](), "out.gif"), "out.gif: a figure is written as .png, .svg or .pdf"),
]


@pytest.mark.parametrize(("draw", "message"), WRONG)
def test_what_cannot_be_drawn_is_said(draw: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        draw()


def test_topics_that_two_runs_do_not_share_are_said() -> None:
    scores = SCORES[SCORES["measure"] == "AP"].copy()
    scores.loc[scores["run"] == "run-1", "value"] = np.nan
    with pytest.raises(InputError, match="no topic on which 'run-1' and 'run-2' both have a score"):
        difference_bars(scores, "run-1", "run-2")
