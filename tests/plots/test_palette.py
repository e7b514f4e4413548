"""The colours can be seen and distinguished, on light and on dark paper."""

from itertools import combinations

import numpy as np
import pytest

from cranfield.arrays.rankings import Floats
from cranfield.plots.palette import DARK, DARK_GREYS, DARK_PAPER, GREYS, LIGHT, PAPER, STATUS, Greys

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
