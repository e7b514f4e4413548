"""Files: the same to the byte each time, text that is text, distinguishable colours, --plot of the commands."""

import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from cranfield import evaluate
from cranfield.arrays.rankings import Floats
from cranfield.charts.curves import INTERPOLATED
from cranfield.charts.differences import comparison_chart, difference_bars
from cranfield.charts.palette import DARK, DARK_GREYS, DARK_PAPER, GREYS, LIGHT, PAPER, STATUS, Greys
from cranfield.charts.rankings import rank_plot, scatter_plot
from cranfield.charts.scores import precision_recall_curves, score_distribution, topic_recall_curves
from cranfield.charts.style import figure_bytes, save
from cranfield.errors import InputError
from cranfield.metrics.significance.compare import compare
from tests.charts.data import BY_TOPIC, CURVES, FEW, SCORES, SYSTEMS, overlaps, reusability_document, texts_of
from tests.conftest import ROOT, Cranfield, usually

pytestmark = pytest.mark.full

OWN = SCORES[SCORES["run"].isin(FEW)]
FIGURES: dict[str, Callable[[], Figure]] = {
    "precision_recall_curves": lambda: precision_recall_curves(CURVES, FEW),
    "topic_recall_curves": lambda: topic_recall_curves(BY_TOPIC[BY_TOPIC["run"].isin(FEW)]),
    "difference_bars": lambda: difference_bars(SCORES, "run-16", "run-0"),
    "score_distribution": lambda: score_distribution(OWN, ["P@5"]),
    "comparison_chart": lambda: comparison_chart(compare(OWN, measures=["AP"]), None, 0.05),
}
SIGNATURES = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


@pytest.mark.parametrize("name", usually(["score_distribution"], [*FIGURES]))
def test_the_same_bytes_each_time(tmp_path: Path, name: str) -> None:
    """Drawn again, and drawn after other formats, a figure is the same file, without a date."""
    figure, again = FIGURES[name](), FIGURES[name]()
    for suffix in SIGNATURES:
        save(figure, tmp_path / f"one{suffix}")
        save(figure, str(tmp_path / f"two{suffix}"))
    for suffix in reversed(SIGNATURES):
        save(again, tmp_path / f"three{suffix}")
    for suffix, signature in SIGNATURES.items():
        one, two, three = ((tmp_path / f"{number}{suffix}").read_bytes() for number in ("one", "two", "three"))
        assert one == two == three
        assert one.startswith(signature)
        assert b"<dc:date>" not in one
        assert b"CreationDate" not in one


@pytest.mark.parametrize("name", FIGURES)
def test_texts_do_not_overlap(name: str) -> None:
    assert overlaps(FIGURES[name]()) == []


def test_the_text_of_an_svg_is_text() -> None:
    """It can be searched, copied and read aloud."""
    text = figure_bytes(precision_recall_curves(CURVES, list(SYSTEMS)), ".svg").decode()
    assert all(run in text for run in SYSTEMS)


SHOWN = {  # what is written for each name
    "$x_{": "$x_{",
    "_hidden": "_hidden",
    "<b>&amp;": "<b>&amp;",
    "\u4e2d\u6587": "<U+4E2D><U+6587>",
    "\u0645\u0631\u062d\u0628\u0627": "\u0645\u0631\u062d\u0628\u0627",
    "\U0001f9d1\u200d\U0001f680": "<U+1F9D1>",
    "a\x00\x1b[2Jb": "a<U+0000><U+001B>[2Jb",
    "long" * 50: "\u2026",
}
HOSTILE = [*SHOWN]


def test_hostile_names_are_shown_and_never_boxes() -> None:
    """Runs and topics: dollars, markup, scripts that the font lacks, controls, 200 characters; without a warning."""
    tags = dict(zip([*SYSTEMS], HOSTILE, strict=False))
    topics = dict(zip(sorted(set(SCORES["query_id"])), HOSTILE, strict=True))
    scores = SCORES[SCORES["run"].isin([*tags])].replace({"run": tags, "query_id": topics})
    curves = CURVES[CURVES["run"].isin([*tags])].replace({"run": tags})
    ranks = {tag: (place, 9 - place) for place, tag in enumerate(HOSTILE, 1)}
    sides = [(f"{tag} in a", {name: float(len(name)) for name in HOSTILE}) for tag in HOSTILE[:2]]
    figures = [
        precision_recall_curves(curves, HOSTILE), score_distribution(scores), difference_bars(scores, *HOSTILE[3:5]),
        comparison_chart(compare(scores, measures=["AP"]), None, 0.05), rank_plot(reusability_document(ranks)),
        scatter_plot([(sides[0], sides[1])], [np.nan]),
    ]  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for figure in figures:
            figure.draw_without_rendering()
    for figure in figures[:2]:
        text = " ".join(texts_of(figure))
        assert [name for name in SHOWN.values() if name not in text] == []
    assert figure_bytes(figures[2], ".svg").startswith(SIGNATURES[".svg"])


@pytest.mark.parametrize("name", usually(["score_distribution"], [*FIGURES]))
def test_a_figure_shows_itself_in_a_notebook(name: str) -> None:
    """Jupyter asks for _repr_png_; tables have their _repr_html_."""
    figure = FIGURES[name]()
    assert isinstance(figure.canvas, FigureCanvasAgg)
    assert figure._repr_png_().startswith(b"\x89PNG")  # type: ignore[attr-defined]
    assert "<table" in SCORES.head()._repr_html_()  # type: ignore[operator]


@pytest.mark.daily
def test_no_window_and_no_global_state() -> None:
    """Figures neither load pyplot nor a backend with windows, even where one is asked for and there is no display."""
    code = (
        "import sys; from cranfield.charts.scores import *; import pandas as pd;"
        "table = pd.DataFrame({'run': ['a', 'a'], 'recall': [0.0, 1.0], 'precision': [1.0, 0.5]});"
        "precision_recall_curves(table)._repr_png_();"
        "print([name for name in sys.modules if 'pyplot' in name or 'tkinter' in name or '_qt' in name])"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MPLBACKEND": "TkAgg"}
    environment.pop("DISPLAY", None)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert result.stdout.strip() == "[]"


WRONG = [
    (lambda: precision_recall_curves(SCORES), "needs the columns run, recall, precision; missing: recall, precision"),
    (lambda: precision_recall_curves(CURVES[:0]), "a precision-recall plot needs at least one row"),
    (
        lambda: difference_bars(SCORES, "run-1", "nobody"),
        "there are no scores for run 'nobody'; the table has scores for run-0, run-1, ",
    ),
    (lambda: difference_bars(SCORES, "run-1", "run-2", "nDCG"), "the table of scores by nDCG needs at least one row"),
    (
        lambda: score_distribution(evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, "AP", per_topic=True)),  # type: ignore[arg-type]
        "a score plot needs a DataFrame, not Scores; give its .frame",
    ),
    (lambda: score_distribution(CURVES), "needs the columns run, query_id, measure, value; missing: query_id"),
    (
        lambda: save(FIGURES["difference_bars"](), "out.gif"),
        "out.gif: unknown figure format; expected .png, .svg or .pdf",
    ),
    (lambda: save(FIGURES["difference_bars"](), "nowhere/out.svg"), "nowhere: no such folder"),
]


@pytest.mark.parametrize(("draw", "message"), WRONG)
def test_what_cannot_be_drawn_is_said(draw: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        draw()


def test_topics_that_two_runs_do_not_share_are_said() -> None:
    scores = SCORES[SCORES["measure"] == "AP"].copy()
    scores.loc[scores["run"] == "run-1", "value"] = np.nan
    with pytest.raises(InputError, match="no topic has scores for both 'run-1' and 'run-2'"):
        difference_bars(scores, "run-1", "run-2")


SIGHT = {  # how linear RGB looks to a reader without red or green cones (Machado, Oliveira and Fernandes 2009)
    "usual": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}
CONES = np.array([[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]])  # Oklab
OPPONENT = np.array([[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]])


def linear(colour: str) -> Floats:
    """The linear RGB of #rrggbb."""
    share = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2."""
    low, high = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def distance(one: str, other: str, sight: str) -> float:
    """The difference of two colours in Oklab, times 100."""
    places = [OPPONENT @ np.cbrt(CONES @ np.clip(SIGHT[sight] @ linear(colour), 0, None)) for colour in (one, other)]
    return float(100 * np.linalg.norm(places[0] - places[1]))


@pytest.mark.parametrize(("series", "greys", "paper"), [(LIGHT, GREYS, PAPER), (DARK, DARK_GREYS, DARK_PAPER)])
def test_contrast_with_the_paper(series: tuple[str, ...], greys: Greys, paper: str) -> None:
    statuses = [status.light if paper == PAPER else status.dark for status in STATUS.values()]
    assert all(contrast(colour, paper) >= 3 for colour in (*series, greys.context))
    assert all(contrast(colour, paper) >= 4.5 for colour in (*statuses, greys.ink, greys.soft))


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("series", [LIGHT, DARK])
def test_series_do_not_look_alike(series: tuple[str, ...], sight: str) -> None:
    assert min(distance(*pair, sight) for pair in combinations(series, 2)) > 8
    assert len(LIGHT) == len(DARK)


TITLES = {  # what is drawn of the bundled collection
    ("evaluate", "-m", "AP", "-m", "P@5"): "2 measures over 25 topics, 14 runs, sorted by AP",
    ("compare", "-m", "AP", "--baseline", "bm25"): "Each run minus bm25, sorted by AP",
    ("compare", "-m", "AP"): "Row minus column: 14 runs, sorted by their mean AP",
    ("curve",): INTERPOLATED,
    ("curve", "--run", "bm25", "--run", "lsa"): INTERPOLATED,
    ("correlate",): "Two rankings of the same systems",
    ("reusability", "--by", "team", "-m", "AP"): "Ranks with and without the team's own contribution to the pool",
    ("depths",): "Pool depth 10, 25 topics: cost of shallower pools, and loss of a left-out team",
    ("stability",): "How stable is the ranking of systems? 14 runs, 25 topics",
    ("pool", "forecast"): "How complete is the pool? 14 runs of 3 teams to depth 10",
}


@pytest.fixture
def plots(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """The figures that commands save, which are not rendered."""
    figures: list[Figure] = []
    monkeypatch.setattr("cranfield.charts.style.save", lambda figure, path: figures.append(figure))
    return figures


@pytest.mark.parametrize("command", TITLES, ids=" ".join)
def test_what_is_drawn(workshop: Path, cranfield: Cranfield, plots: list[Figure], command: tuple[str, ...]) -> None:
    words = 2 if command[0] == "pool" else 1
    output = cranfield(*command[:words], workshop, *command[words:], "--plot", "figure.svg")
    assert (output.code, len(plots)) == (0, 1), output.err
    assert " ".join(str(plots[0].get_suptitle()).split()) == TITLES[command]


WRONG_PLOTS = {
    ("evaluate", "--plot", "a.gif"): "a.gif: unknown figure format; expected .png, .svg or .pdf",
    ("evaluate", "--plot", "nowhere/a.svg"): "nowhere: no such folder",
    ("curve", "--run", "bm25"): "requires --plot",
    ("compare", "--plan", "0.1", "--plot", "a.svg"): "--plot: cannot be used with --plan",
}


@pytest.mark.parametrize("command", WRONG_PLOTS, ids=" ".join)
def test_wrong_use_is_refused(workshop: Path, cranfield: Cranfield, command: tuple[str, ...]) -> None:
    output = cranfield(command[0], workshop, *command[1:])
    assert (output.code, output.out) == (2, "")
    assert WRONG_PLOTS[command] in " ".join(output.err.split())


def test_an_unknown_run_is_refused_before_the_table(workshop: Path, cranfield: Cranfield, plots: list[Figure]) -> None:
    output = cranfield("curve", workshop, "--run", "nobody", "--plot", "a.svg")
    assert (output.code, output.out, plots) == (1, "", [])
    assert "no run 'nobody' here; available: bm25plus, " in output.err
