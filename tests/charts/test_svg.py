"""Charts in pages."""

import re

import pytest

from cranfield.charts.curves import Line, LineChart, losses_by_depth, pairs_by_topics, recall_curves, reversed_pairs
from cranfield.charts.scores import precision_recall_curves
from cranfield.charts.svg.lines import SLOPE_LEFT, SLOPE_RIGHT, SLOPE_TOP, Slope, line_chart, slopegraph
from tests.charts.data import CURVES, depths_document, stability_document

CHARTS = {
    "depths": losses_by_depth(depths_document(), "AP"),
    "reversed": reversed_pairs(stability_document()["measures"][0]),
    "distinguished": pairs_by_topics(stability_document()["measures"][0]),
}


@pytest.mark.parametrize("name", CHARTS)
def test_each_defined_number_is_a_point(name: str) -> None:
    """And each name has a mark; of notes, the last has room."""
    lines = [line.without_nan() for line in CHARTS[name].lines]
    page = str(line_chart("k", CHARTS[name]))
    assert page.count('class="mark') == sum(len(line.y) + 1 for line in lines)
    assert all(f">{line.notes[-1]}<" in page for line in lines if line.notes)


def test_a_page_names_the_runs_that_a_file_names() -> None:
    chart = recall_curves(CURVES)
    runs = [line.name for line in chart.lines if line.series is not None]
    keys = [text.get_text() for text in precision_recall_curves(CURVES).legends[0].get_texts()]
    assert [key.split()[-1] for key in keys[: len(runs)]] == runs
    assert str(line_chart("k", chart)).count('class="context"') == len(chart.lines) - len(runs)


def test_days_are_whole_numbers_below_the_axis() -> None:
    """The first day alone has no day of 1.2 beside it."""
    chart = LineChart("t", "d", "day", "labels", [Line("", [1.0], [3.0], 0)], low=0.0)
    below = re.compile(r'text-anchor="middle"[^>]*>([^<]*)<')
    assert "1.2" in below.findall(str(line_chart("k", chart)))
    assert below.findall(str(line_chart("k", chart._replace(is_x_whole=True)))) == ["1", "2"]


def test_of_very_many_lines_a_page_has_the_range() -> None:
    many = [Line(str(at), [0, 1], [at, 40 - at], 0 if at == 20 else None) for at in range(41)]
    page = str(line_chart("k", LineChart("t", "d", "x", "y", many, 0, 40, has_range=True)))
    assert 'class="context"' not in page
    assert re.findall('class="range" d="([^"]*)"', page) == ["M46 254L280 254L280 36L46 36z"]


SLOPES = [Slope("a", 1, 9, 0), Slope("b", 9, 40, 1), Slope("c", 10, 40, 2), Slope("d", 11, 11, 3), Slope("e", 40, 39)]
STEP = 460 / 39  # of one rank, where the labels do not fit beside their dots
LEAD = re.compile(r'<line class="leader" x1="([\d.]+)" y1="([\d.]+)" x2="([\d.]+)" y2="([\d.]+)"/>')
TEXT = re.compile(r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="(?:end|start)"[^>]*>([^<]*)</text>')


@pytest.mark.parametrize("side", [SLOPE_LEFT, SLOPE_RIGHT])
def test_each_label_has_a_lead_to_the_dot_of_its_rank(side: float) -> None:
    graph = str(slopegraph("k", SLOPES, ("with", "without"), "t", "d"))
    texts = {float(y) - 4: text for x, y, text in TEXT.findall(graph) if abs(float(x) - side) < 40}
    leads = [[float(number) for number in points] for points in LEAD.findall(graph)]
    here = [(y, texts[label]) for x, y, _, label in leads if abs(x - side) < 10]
    assert len(here) == len(SLOPES)
    for y, text in here:
        rank = text.split()[-1] if side == SLOPE_LEFT else text.split()[0]
        assert y == pytest.approx(SLOPE_TOP + STEP * (int(rank) - 1), abs=0.1)


def test_labels_of_one_rank_stand_as_their_lines_come_in() -> None:
    graph = str(slopegraph("k", list(reversed(SLOPES)), ("with", "without"), "t", "d"))
    at = {text: float(y) for _, y, text in TEXT.findall(graph)}
    assert at["40  (\N{MINUS SIGN}31)"] < at["40  (\N{MINUS SIGN}30)"]
