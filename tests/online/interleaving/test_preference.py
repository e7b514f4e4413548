"""Who is preferred, by a log."""

from itertools import product

import numpy as np
import pytest

from cranfield.arrays.interactions import example
from cranfield.online.interleaving.method import SystemRankings
from cranfield.online.interleaving.preference import MOST, credit_of, preference, sign_flips, sign_test
from cranfield.online.interleaving.table import METHODS


def test_wins_losses_and_ties() -> None:
    credit = np.repeat([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]], [60, 40, 100], axis=0)
    found = preference(credit, np.arange(200))
    assert (found.wins, found.losses, found.ties) == (60, 40, 100)
    assert found.delta == pytest.approx(0.05)
    assert found.p == pytest.approx(0.0569, abs=5e-5)
    half = 1.96 * np.std(np.sign(credit[:, 0] - credit[:, 1]) / 2) / np.sqrt(200)
    assert (found.low, found.high) == pytest.approx((0.05 - half, 0.05 + half), abs=0.006)
    assert found.p == sign_test(60, 40)


def test_a_user_counts_once_however_busy() -> None:
    """Ten users with the same twenty lists each: as sure as ten lists are, not two hundred."""
    credit = np.repeat(np.eye(2)[[0, 0, 0, 0, 0, 0, 1, 1, 1, 1]], 20, axis=0)
    alone, busy = preference(credit, np.arange(200)), preference(credit, np.repeat(np.arange(10), 20))
    assert alone.delta == busy.delta == pytest.approx(0.1)
    assert busy.high - busy.low == pytest.approx((alone.high - alone.low) * np.sqrt(20), rel=0.1)
    assert alone.p < 0.01
    assert busy.p == sign_test(6, 4) > 0.7  # not the .006 of 200 impressions
    unknown = preference(credit, np.full(200, -1))
    assert (unknown.low, unknown.high) == (alone.low, alone.high)


def test_outcomes_that_weigh() -> None:
    """A system that wins seldom but much: by the difference of credit it is preferred, by wins it is not."""
    credit = np.repeat([[1.0, 0.0], [0.0, 0.1]], [40, 60], axis=0)
    weighed, counted = (preference(credit, np.arange(100), weighs) for weighs in (True, False))
    assert weighed.delta == pytest.approx(0.17)
    assert weighed.p == pytest.approx(1 / 2001)
    assert counted.delta == pytest.approx(-0.1)
    assert (counted.wins, counted.losses) == (weighed.wins, weighed.losses) == (40, 60)


def test_flips_of_signs_are_those_that_there_are() -> None:
    totals = np.array([3.0, -1.0, 2.0, 0.5, 0.5, -2.0, 4.0, 0.0])
    flipped = np.abs(np.array(list(product([-1, 1], repeat=8))) @ totals)
    expected = float(np.mean(flipped >= abs(totals.sum()) - 1e-9))
    assert sign_flips(totals, samples=50_000) == pytest.approx(expected, abs=0.01)
    many = np.random.default_rng(2).normal(0.02, 1, MOST + 5000)
    assert sign_flips(many) == pytest.approx(sign_flips(many[:MOST], 20_000), abs=0.05)


@pytest.mark.parametrize("weighs", [False, True])
def test_a_few_users_who_agree_are_no_certainty(weighs: bool) -> None:
    """However often the two come: their resamples all have the same sign, and two coins often do."""
    credit = np.repeat([[1.0, 0.0], [0.7, 0.0]], 50, axis=0)
    found = preference(credit, np.repeat([0, 1], 50), weighs)
    assert found.p == pytest.approx(0.5, abs=0.05)
    assert found.low < 0 < found.high
    assert np.isnan(preference(credit, np.zeros(100, np.int64), weighs).low)


def test_nothing_informative() -> None:
    found = preference(np.zeros((0, 2)), np.zeros(0, np.int64))
    assert np.isnan(found[3:]).all()
    assert sign_test(0, 0) == 1


def test_credit_by_teams() -> None:
    """A document clicked twice counts once; documents that both have first count for nobody, where that is known."""
    log = example("abc:aab", "abc:c", "ab:", teams="abaabaab")
    rankings = {0: SystemRankings.of([[0, 1, 2], [0, 2, 1]])}
    method = METHODS["team-draft"]
    assert credit_of(log, method, {}, 2).credit.tolist() == [[1, 1], [1, 0], [0, 0]]
    assert credit_of(log, method, rankings, 2).credit.tolist() == [[0, 1], [1, 0], [0, 0]]
    assert credit_of(log, method, rankings, 2).informative.all()


def test_lists_that_show_only_what_both_have_first() -> None:
    log = example("ab:a", "abc:b", teams="abaab")
    rankings = {0: SystemRankings.of([[0, 1, 2], [0, 1]])}
    for name, method in METHODS.items():
        found = credit_of(log, method, rankings, 2)
        assert found.informative.tolist() == [False, True], name
        assert found.credited.all()


def test_credit_without_teams_or_rankings() -> None:
    log = example("ab:a", "ba:b")
    for name, method in METHODS.items():
        assert not credit_of(log, method, {}, 2).credited.any(), name


@pytest.mark.parametrize(("name", "expected"), [("balanced", [1, 0]), ("probabilistic", [0.448033, 0.01912])])
def test_credit_by_rankings(name: str, expected: list[float]) -> None:
    log = example("123:1" if name == "balanced" else "123:12", "123:")
    rankings = {0: SystemRankings.of([[0, 1, 2], [1, 2, 0]])}
    found = credit_of(log, METHODS[name], rankings, 2)
    assert found.credit[0] == pytest.approx(expected, abs=1e-6)
    assert found.credit[1].tolist() == [0, 0]
