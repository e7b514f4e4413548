"""The verdict in sentences: worst cases are those by ranks and by score, never by per cent of a score near 0."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.analysis.headline import finding, headline, level, worst_cases
from cranfield.analysis.reusability import change_rows, reusability_of, worst_first
from cranfield.analysis.verdict import Verdict, verdict_rows
from cranfield.metrics.notation.parse import parse_all
from cranfield.metrics.reusability.flips import Flips
from cranfield.metrics.reusability.results import PoolOverlap, Reusability, ScoreChange, UnitResult
from tests.conftest import repeats_others
from tests.real import covid, robust

NEAR_ZERO = ScoreChange("tiny", "AP", 0.0045, 0.0011, 3, 3, 3)
DROPS = ScoreChange("drops", "AP", 0.3, 0.28, 1, 2, 2)
LOSES = ScoreChange("loses", "AP", 0.6, 0.5, 1, 1, 1)


def verdict_of(*changes: ScoreChange, refused: str = "") -> Verdict:
    """A verdict on some runs, each a unit."""
    units = tuple(
        UnitResult(change.run, (change.run,), 1, 1, {"AP": 1.0}, {"AP": 1.0}, {"AP": Flips(0, 0, 0, 0)}, (change,))
        for change in changes
    )
    found = Reusability("run", 7, 30, PoolOverlap(9, 9, 0, 0, 3), ("AP",), units, refused)
    return Verdict(found, {}, 0.1)


def test_a_score_near_0_is_not_the_headline() -> None:
    """It loses three quarters of itself, which is .0034: others drop in rank, or lose more."""
    cases = worst_cases(verdict_of(NEAR_ZERO, DROPS, LOSES))
    assert [(name, loss.change.run) for name, loss, _ in cases] == [
        ("most ranks lost", "drops"),
        ("most score lost", "loses"),
    ]
    assert "tiny" not in headline(verdict_of(NEAR_ZERO, DROPS, LOSES))


def test_one_run_may_be_both() -> None:
    ((name, loss, said),) = worst_cases(verdict_of(NEAR_ZERO, DROPS))
    assert (name, loss.change.run) == ("most ranks and score lost", "drops")
    assert said == "drops falls 1 rank, from rank 1 to 2; its AP falls from 0.3000 to 0.2800"


def test_levels() -> None:
    """By the mean of all and by the run that loses the most score."""
    calm = ScoreChange("calm", "AP", 0.5, 0.499, 1, 1, 1)
    assert level(verdict_of(calm)) == "good"
    assert level(verdict_of(calm, *[calm] * 20, LOSES)) == "unsure"
    assert level(verdict_of(NEAR_ZERO, DROPS, LOSES)) == "bad"
    assert level(verdict_of(calm, refused="half of the pool is missing")) == "none"


def test_without_a_verdict_there_is_no_worst_case() -> None:
    refused = verdict_of(LOSES, refused="half of the pool is missing")
    assert headline(refused) == "No verdict: half of the pool is missing."
    undefined = verdict_of(ScoreChange("zero", "AP", 0.0, 0.0, 1, 1, 1))
    assert finding(undefined) == "No verdict: no run has a defined AP that could change."


@pytest.fixture(scope="module")
def of_covid(shared: Path) -> Verdict:
    return reusability_of(covid(shared), "run", 7, parse_all("AP"))


@repeats_others
def test_the_worst_of_treccovid(of_covid: Verdict) -> None:
    """The run that falls from rank 22 to 50 is the headline, and none that falls from .0045 to .0011."""
    said = headline(of_covid)
    assert said.startswith("Unfair to new systems: left out of the pool, a run changes by 12.1 % in AP on average")
    assert "xj4wang_run1 falls 28 ranks, from rank 22 to 50; its AP falls from 0.2367 to 0.1930" in said
    rows = {row["AP"]: row for row in verdict_rows(of_covid, "AP")}
    assert rows["own rank, largest drop"]["value"] == "28"
    assert "; xj4wang_run1 from rank 22 to 50" in rows["own rank, largest drop"]["how to read it"]
    assert rows["own score, largest loss"]["value"] == "0.0437"
    assert worst_first(change_rows(of_covid.found))[0]["run"] == "xj4wang_run1"


@repeats_others
def test_robust_has_no_verdict(shared: Path) -> None:
    """17 runs of 78 do not explain the judgments."""
    refused = reusability_of(robust(shared), "run", 125, parse_all("AP"))
    assert level(refused) == "none"
    assert finding(refused).startswith("No verdict: the pool of these runs does not explain the judgments: ")
