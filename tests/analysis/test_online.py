"""The measures of an interaction log by arm, run, position and query."""

from dataclasses import replace

import numpy as np
import pytest

from cranfield.analysis.online.log import BY, first_groups, online_rows
from cranfield.arrays.interactions import KINDS, Actions, Interactions, example
from cranfield.arrays.rankings import Vocabulary
from cranfield.errors import MeasureError
from cranfield.online.estimates import estimate
from cranfield.online.experiments import ENOUGH
from cranfield.online.measures import ONLINE_MEASURES, Counts, online_measure

LOG = example("abc:a", "bac:", "bca:ca", "cab:b", ":", arms="xyxyx", users="uvwuw")


def with_actions(log: Interactions, *actions: tuple[int, str, int, float, float]) -> Interactions:
    """The log with these actions: of which list, kind, position, at, seconds."""
    impression, kind, position, at, seconds = (np.array(column) for column in zip(*actions, strict=True))
    kinds = np.array([KINDS.index(one) for one in kind], np.int8)
    nan = np.full(len(actions), np.nan)
    return replace(log, actions=Actions(impression, kinds, position, at.astype(float), seconds.astype(float), nan))


def values(log: Interactions, name: str) -> list[float]:
    counts = online_measure(name)(log)
    found: list[float] = counts.total[counts.times > 0].tolist()
    return found


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("CTR", [1, 0, 1, 1, 0]),
        ("CTR@1", [1, 0, 0, 0, 0]),
        ("CTR@2", [1, 0, 1, 0, 0]),
        ("Abandonment", [0, 1, 0, 0, 1]),
        ("ClicksPerSearch", [1, 0, 2, 1, 0]),
        ("MaxRR", [1, 0, 1 / 2, 1 / 3, 0]),
        ("MeanRR", [1, 0, 5 / 12, 1 / 3, 0]),
        ("ZeroHits", [0, 0, 0, 0, 1]),
        ("Conversion", [0, 0, 0, 0, 0]),
        ("Satisfied", []),
        ("Dwell", []),
    ],
)
def test_what_each_list_adds(name: str, expected: list[float]) -> None:
    assert values(LOG, name) == pytest.approx(expected)


def test_seconds_and_times() -> None:
    log = with_actions(
        LOG, (0, "click", 0, 4, np.nan), (0, "click", 1, 2, np.nan), (0, "dwell", 0, 4, 31), (0, "dwell", 1, 2, 5),
        (2, "dwell", 0, 9, 29), (3, "convert", -1, 9, np.nan), (4, "reformulate", -1, 9, np.nan),
    )  # fmt: skip
    assert values(log, "TimeToClick") == [2]
    assert values(log, "Dwell") == [36, 29]
    assert values(log, "Satisfied") == [1, 0, 0, 0, 0]
    assert values(log, "Conversion") == [0, 0, 0, 1, 0]
    assert values(log, "Reformulation") == [0, 0, 0, 0, 1]


def test_another_query_in_the_same_session_is_a_reformulation() -> None:
    log = replace(
        LOG,
        session=np.array([0, 0, 0, 0, 1]),
        query=np.array([0, 0, 1, 2, 0]),
        at=np.array([0, 10, 20, 20 + 1801.0, 30]),
    )
    assert values(log, "Reformulation") == [0, 1, 0, 0, 0]


def test_lists_of_a_user_are_not_independent() -> None:
    """Four users who always do the same say as much as four lists, not as forty."""
    total, count = np.tile([1.0, 0, 1, 0], 10), np.ones(40)
    ctr = online_measure("CTR")
    by_list = estimate(ctr, Counts(total, count), np.arange(40))
    by_user = estimate(ctr, Counts(total, count), np.tile(np.arange(4), 10))
    assert (by_user.value, by_user.users, by_user.lists) == (0.5, 4, 40)
    assert (by_user.high - by_user.low) / (by_list.high - by_list.low) > 2


def test_the_interval_of_a_median_is_over_users() -> None:
    generator = np.random.default_rng(1)
    user = np.repeat(np.arange(50), 4)
    seconds = np.exp(generator.normal(size=50)[user])
    found = estimate(online_measure("TimeToClick"), Counts(seconds, np.ones(200)), user)
    alone = estimate(online_measure("TimeToClick"), Counts(seconds, np.ones(200)), np.arange(200))
    assert found.low < found.value < found.high
    assert found.high - found.low > 1.5 * (alone.high - alone.low)
    few = estimate(online_measure("TimeToClick"), Counts(seconds[:8], np.ones(8)), user[:8])
    assert few.value == np.median(seconds[:8])
    assert np.isnan([few.low, few.high]).all()


def test_intervals_stay_within_their_range_and_need_users() -> None:
    """Shares from two users on, of whatever size; clicks from two hundred."""
    ctr, clicks = online_measure("CTR"), online_measure("ClicksPerSearch")
    for hits in range(4):
        found = estimate(ctr, Counts((np.arange(3) < hits).astype(float), np.ones(3)), np.arange(3))
        assert 0 <= found.low <= found.value <= found.high <= 1
        assert found.low < found.high
    for users in (ENOUGH - 1, ENOUGH):
        of = Counts(np.random.default_rng(1).poisson(0.5, users).astype(float), np.ones(users))
        found = estimate(clicks, of, np.arange(users))
        assert np.isnan(found.low) == (users < ENOUGH)
        assert np.isnan(found.low) or 0 < found.low < found.value < found.high


def test_groups() -> None:
    rows = online_rows(LOG, measures=["CTR"])
    assert [(row["variant"], row["value"], row["lists"], row["users"]) for row in rows] == [
        ("x", pytest.approx(2 / 3), 3, 2), ("y", 0.5, 2, 2)
    ]  # fmt: skip
    assert [(row["position"], row["value"]) for row in online_rows(LOG, "position")] == [(1, 0.25), (2, 0.25), (3, 0.5)]
    assert online_rows(LOG, "query", ["CTR"]) == []
    assert [row["query"] for row in online_rows(LOG, "query", ["CTR"], min_users=3)] == ["q"]
    nobody = np.full(len(LOG), -1)
    sessions = replace(LOG, user=nobody, session=np.arange(len(LOG)) % 3)
    assert [len(online_rows(sessions, "query", ["CTR"], min_users=least)) for least in (3, 4)] == [1, 0]
    unknown = replace(LOG, user=nobody, session=nobody)
    assert [len(online_rows(unknown, "query", ["CTR"], min_users=least)) for least in (0, 1)] == [1, 0]
    assert set(BY) == {"variant", "run", "position", "query"}


def test_documents_of_interleaved_lists_are_their_teams() -> None:
    log = example("ab:b", "ba:b", teams="abba")
    log = replace(log, arm=np.full(2, -1), arms=Vocabulary(["one", "two"]))
    assert [(row["run"], row["value"]) for row in online_rows(log, "run")] == [("one", 0.0), ("two", 1.0)]
    assert [row["variant"] for row in online_rows(log, measures=["CTR"])] == [""]


def test_the_first_positions_are_kept() -> None:
    rows, groups = first_groups(online_rows(LOG, "position"), "position", 2)
    assert ([row["position"] for row in rows], groups) == ([1, 2], 3)


def test_a_measure_of_lists_is_not_one_of_documents() -> None:
    with pytest.raises(MeasureError, match="ZeroHits is of whole lists; by position, use CTR"):
        online_rows(LOG, "position", ["ZeroHits"])
    with pytest.raises(MeasureError, match="Dwell has no cutoff"):
        online_measure("Dwell@3")
    assert all(measure.about and measure.description for measure in ONLINE_MEASURES.values())


def test_a_figure_has_a_row_for_each_arm_of_each_experiment() -> None:
    from cranfield.plots.online import online_plot

    rows = [row | {"experiment": one} for one in ("first", "second") for row in online_rows(LOG, measures=["CTR"])]
    names = [text.get_text() for text in online_plot(rows, "variant").axes[0].get_yticklabels()]
    assert names == ["first: x", "first: y", "second: x", "second: y"]
