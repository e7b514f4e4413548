"""The exact interval of relevant documents in a frame: against scipy, its coverage, and draws that are unfinished."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest, hypergeom

from cranfield.errors import InputError
from cranfield.metrics.forecast.missing import estimate_missing, hypergeometric_interval
from cranfield.metrics.forecast.random_draw import (
    ALL_RUNS,
    check_draw,
    draw_from_frame,
    format_draw,
    parse_draw,
)

FRAME = [(str(number % 3), f"d{number:03}") for number in range(90)]


@pytest.mark.parametrize(("drawn", "frame"), [(1, 4), (12, 60), (20, 20), (40, 300)])
def test_it_holds_whatever_is_in_the_frame(drawn: int, frame: int) -> None:
    """For each number of relevant documents, the exact probability that the interval holds it is at least 0.95."""
    intervals = [hypergeometric_interval(x, drawn, frame) for x in range(drawn + 1)]
    for total in range(frame + 1):
        chance = hypergeom.pmf(np.arange(drawn + 1), frame, total, drawn)
        holds = [low <= total <= high for low, high in intervals]
        assert chance[holds].sum() >= 0.95


@pytest.mark.parametrize(("relevant", "drawn", "frame"), [(0, 50, 900), (7, 100, 1240), (3, 12, 40), (100, 100, 5000)])
def test_its_ends_are_those_of_the_two_tests(relevant: int, drawn: int, frame: int) -> None:
    """By scipy: the ends are not rejected at 2.5%, one more and one less is, or was seen to be impossible."""
    low, high = hypergeometric_interval(relevant, drawn, frame)
    assert hypergeom.sf(relevant - 1, frame, low, drawn) > 0.025
    assert hypergeom.cdf(relevant, frame, high, drawn) > 0.025
    assert low == relevant or hypergeom.sf(relevant - 1, frame, low - 1, drawn) <= 0.025
    assert high == frame - drawn + relevant or hypergeom.cdf(relevant, frame, high + 1, drawn) <= 0.025


def test_a_large_frame_gives_clopper_and_pearson() -> None:
    """Of 10 million documents, the shares are those of the binomial interval."""
    low, high = hypergeometric_interval(7, 100, 10_000_000)
    exact = binomtest(7, 100).proportion_ci(method="exact")
    assert (low / 1e7, high / 1e7) == pytest.approx((exact.low, exact.high), rel=1e-4)


def test_impossible_numbers_are_refused() -> None:
    """More relevant than drawn, and more drawn than there are."""
    for numbers in ((3, 2, 10), (1, 11, 10), (-1, 2, 10)):
        with pytest.raises(InputError, match="expected 0 <= relevant <= drawn"):
            hypergeometric_interval(*numbers)


def test_draws_hold_as_often_as_they_say() -> None:
    """Draws from one frame with 18 relevant documents, by 400 seeds: 95% of the intervals hold, or nearly."""
    truth = {pair: int(int(pair[1][1:]) % 5 == 0) for pair in FRAME}
    holds = 0
    for seed in range(400):
        draw = draw_from_frame(FRAME, 30, 50, seed=seed)
        judged = replace(draw, grades=tuple(truth[pair] for pair in draw.documents))
        missing = estimate_missing(judged, found=40)
        holds += missing.low <= 18 <= missing.high
    assert holds >= 365  # 0.95 gives fewer with a chance below 0.1%


def test_an_unfinished_draw_counts_to_its_first_gap() -> None:
    """Labels after it are set aside; without any label the interval is the whole frame."""
    draw = draw_from_frame(FRAME, 5, 50)
    part = estimate_missing(replace(draw, grades=(2, 0, None, 2, 2)), found=1, min_relevant=2)
    assert (part.labelled, part.relevant, part.set_aside, part.drawn) == (2, 1, 2, 5)
    nothing = estimate_missing(draw, found=10)
    assert (nothing.low, nothing.high, nothing.is_wide) == (0, 90, True)
    assert nothing.found_share == (0.1, 1.0)
    assert not estimate_missing(draw, found=1000).is_wide


def test_a_larger_draw_begins_with_the_smaller() -> None:
    """So that labels are not lost; the format is that of draws from one run."""
    small, large = (draw_from_frame(FRAME, n, 50, seed=4) for n in (7, 20))
    assert large.documents[:7] == small.documents
    assert (large.frame, large.frame_size) == (small.frame, 90)
    again = parse_draw(format_draw(large))
    assert (again, again.run) == (large, ALL_RUNS)
    assert check_draw(again, reversed(FRAME)) == large
    with pytest.raises(
        InputError, match=("expected the 89 unjudged documents in the first 50 of all runs; draw the sample again")
    ):
        check_draw(again, FRAME[1:])
    with pytest.raises(InputError, match="f:2: found a draw from the run new; expected a draw from all runs"):
        check_draw(replace(again, run="new"), FRAME, "f")
