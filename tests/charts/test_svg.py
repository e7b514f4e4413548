"""Charts in pages."""

import re

import pytest

from cranfield.charts.svg.lines import SLOPE_LEFT, SLOPE_RIGHT, SLOPE_TOP, Slope, slopegraph

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
