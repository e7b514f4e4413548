"""How long the rest takes: the regression estimate, its range, and that it is silent where it does not know."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from cranfield.judging.session.controller import BREAK_SECONDS, MAX_WORK_SECONDS, Controller
from cranfield.judging.session.pace import ENOUGH, LabelTime, TimeLeft, forecast_time_left, time_left_text
from tests.judging.cases import Clock, at, session_of, store_of
from tests.judging.screen import on_the_screen

TIMES = st.lists(st.builds(LabelTime, st.floats(0.5, 180), st.integers(0, 20_000)), min_size=ENOUGH, max_size=50)


@given(TIMES, st.integers(1, 5000), st.integers(0, 20_000))
def test_the_estimate_is_the_regression_line(times: list[LabelTime], documents: int, characters: int) -> None:
    """As numpy fits it, where it rises; never below nothing, and always inside its own range."""
    estimate = forecast_time_left(times, documents, characters)
    assert estimate
    x, y = np.array([one.characters for one in times], float), np.array([one.seconds for one in times])
    slope = np.polyfit(x - x.mean(), y, 1)[0] if np.ptp(x) else 0.0
    expected = max(y.mean() + max(slope, 0) * (characters - x.mean()), 0) * documents
    assert estimate.likely == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert 0 <= estimate.low <= estimate.likely <= estimate.high


@given(TIMES, st.integers(1, 1000))
def test_more_documents_take_longer(times: list[LabelTime], documents: int) -> None:
    """And their range is wider, though narrower in parts of the whole; nine labels are nobody's pace."""
    one, two = forecast_time_left(times, documents, 1000), forecast_time_left(times, 2 * documents, 1000)
    assert one
    assert two
    assert two.likely == pytest.approx(2 * one.likely)
    assert one.high - one.likely <= two.high - two.likely <= 2 * (one.high - one.likely) + 1e-6
    assert forecast_time_left(times[: ENOUGH - 1], documents, 1000) is None


LONGEST = len("50 min, up to 4 h 50 min")  # for which a screen has room


@pytest.mark.parametrize("labels", [10, 50])
def test_the_range_holds_in_nineteen_cases_of_twenty(labels: int) -> None:
    """Played 2000 times: an assessor takes 10 seconds and one more for every 100 characters, give or take 5."""
    random, inside = np.random.default_rng(labels), 0
    for _ in range(2000):
        length = random.integers(200, 4000, labels + 30)
        seconds = 10 + length / 100 + random.normal(0, 5, len(length))
        times = [LabelTime(float(s), int(n)) for s, n in zip(seconds[:labels], length[:labels], strict=True)]
        estimate = forecast_time_left(times, 30, float(length[labels:].mean()))
        assert estimate
        inside += bool(estimate.low <= seconds[labels:].sum() <= estimate.high)
    assert 0.94 <= inside / 2000 <= 0.985


@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_a_range_is_said_from_the_shorter_to_the_longer(one: float, other: float) -> None:
    """Without a number twice, and never longer than a screen has room for."""
    low, high = sorted([one, other])
    words = time_left_text(TimeLeft(low, low, high))
    first, _, second = words.partition(" to ")
    assert first != second
    assert len(words) <= LONGEST


@given(st.floats(91, 5e5), st.floats(2, 10))
def test_a_range_that_begins_at_nothing_has_its_middle(likely: float, times: float) -> None:
    """ "Up to 28 h" alone would say neither how long it may well take nor how little is known."""
    words = time_left_text(TimeLeft(0, likely, likely * times))
    assert ", up to " in words
    assert not words.startswith("0")
    assert len(words) <= LONGEST


def test_longer_documents_ahead_take_longer() -> None:
    """Of two topics of ten documents, the second has documents four times as long: it takes four times as long."""
    pooled = {f"q{topic}": [f"d{topic}{number}" for number in range(10)] for topic in range(2)}
    texts = {
        docno: "x" * (100 + 10 * int(docno[2])) * (4 if docno[1] == "1" else 1) for q in pooled.values() for docno in q
    }
    store, clock = store_of(pooled, texts=texts), Clock()
    session = session_of(store, clock=clock)
    for _ in range(10):
        clock.now += len(session.text) / 10
        at(session).grade(1)
    assert session.view.eta == session_of(store).view.eta == "about 10 min"


def test_a_break_is_mentioned_once_a_stretch() -> None:
    """After fifty minutes, until there was one; a moment's pause is none."""
    clock = Clock()
    controller = Controller(session_of(store_of(), clock=clock))

    def work(seconds: float) -> str:
        for _ in range(int(seconds // 60)):
            clock.now += 60
            controller.touch()
        return controller.break_notice()

    assert (work(MAX_WORK_SECONDS - 60), work(60), work(MAX_WORK_SECONDS)) == ("", "50 minutes without a break", "")
    clock.now += BREAK_SECONDS - 1
    assert work(0) == ""
    clock.now += BREAK_SECONDS
    assert (work(0), work(MAX_WORK_SECONDS)) == ("", "50 minutes without a break")


def test_the_break_is_a_line_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands with the next document, and is gone with the next key; nothing is asked, and nothing recorded."""
    clock = Clock()
    store = store_of({"q1": ["d1", "d2", "d3"]})

    def a_long_time() -> None:
        clock.now += 61

    monkeypatch.setattr("cranfield.judging.session.controller.MAX_WORK_SECONDS", 60.0)
    session = session_of(store, clock=clock)
    after = on_the_screen(session, a_long_time, "1", "1", each=True).after
    assert ["without a break" in text for text in after] == [False, False, True, False]
    assert "text of d2" in after[2]


@pytest.mark.parametrize("labels", [10, 12, 20, 40, 100])
def test_the_range_has_the_quantile_of_students_t(labels: int) -> None:
    """Documents of one length: the error is t times the deviation of the sum of a mean and of what is to come."""
    times = [LabelTime(float(20 + 10 * (number % 2)), 500) for number in range(labels)]
    found = forecast_time_left(times, documents=4, characters=500)
    assert found is not None
    rest = (labels * 25 + 2 * 25) / labels
    error = (found.likely - found.low) / math.sqrt(rest * (4 + 16 / labels))
    assert error == pytest.approx(t.ppf(0.975, labels - 2), rel=0.01)
