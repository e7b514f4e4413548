"""The verdict in sentences: worst cases are those by ranks and by score, never by per cent of a score near 0."""

from dataclasses import replace
from pathlib import Path

import pytest

from cranfield.analysis.contributors import Contributors
from cranfield.analysis.headline import finding, headline, level, worst_cases
from cranfield.analysis.reusability import change_rows, reusability_of, worst_first
from cranfield.analysis.verdict import Verdict, verdict_rows
from cranfield.metrics.notation import parse_all
from cranfield.metrics.reusability.results import Flips, PoolOverlap, Reusability, ScoreChange, UnitResult
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


CALM = verdict_of(ScoreChange("calm", "AP", 0.5, 0.499, 1, 1, 1))


def on_pool(pool: PoolOverlap, share: float = 0.1) -> Verdict:
    """The calm verdict on another pool."""
    return CALM._replace(found=replace(CALM.found, pool=pool), relevant_share=share)


def test_the_verdict_names_what_it_holds_for() -> None:
    """Runs, depth and topics."""
    assert finding(CALM) == (
        "Fair to new systems: left out of the pool of 1 run to depth 7 on 30 topics, a run changes by 0.2 % in AP on"
        " average, within the noise of 1 %."
    )
    assert repr(CALM).startswith("Verdict: 1 unit by run of the pool of 1 run to depth 7 on 30 topics; ")
    own = CALM._replace(found=replace(CALM.found, depth={"a": 5, "b": 9}))
    assert "the pool of 1 run each to a depth of its own on 30 topics" in finding(own)
    again = CALM._replace(found=replace(CALM.found, replayed="rrf"))
    assert "the pool of 1 run by rrf on 30 topics" in finding(again)


@pytest.mark.parametrize(
    ("pool", "share", "said"),
    [
        (PoolOverlap(100, 98, 2, 0, 9), 0.1, ""),
        (PoolOverlap(98, 98, 0, 2, 9, 2, 2), 0.149, ""),
        (PoolOverlap(100, 70, 30, 0, 9), 0.1, "30 of the 100 documents in the pool are not judged and count as not"
         " relevant."),
        (PoolOverlap(70, 70, 0, 30, 9, 30, 4), 0.1, "30 of 100 judged documents, 4 of them relevant, do not come from"
         " this pool and stay whatever is left out."),
        (PoolOverlap(70, 70, 0, 30, 9, 0, 0), 0.1, ""),  # their origin is known
        (PoolOverlap(9, 9, 0, 0, 3), 0.599, "59.9 % of the judged documents are relevant, where 15 % is alarming:"
         " others have probably been missed."),
    ],
)  # fmt: skip
def test_what_a_verdict_leaves_open_is_said_and_weighed(pool: PoolOverlap, share: float, said: str) -> None:
    """In the headline, JSON and Python; no collection is simply fair with it."""
    verdict = on_pool(pool, share)
    assert verdict.reservations == ([said] if said else [])
    assert said in headline(verdict)
    assert said in repr(verdict)
    assert level(verdict) == ("unsure" if said else "good")
    assert finding(verdict).partition(":")[0] == ("Compare new systems with care" if said else "Fair to new systems")


def test_where_it_is_uncertain_who_was_pooled_the_larger_loss_counts() -> None:
    """A range, unless both round to the same."""
    who = Contributors(("a", "b"), "judgments", (), 7, ("a", "b"), ("b",))
    larger = verdict_of(ScoreChange("calm", "AP", 0.5, 0.49, 1, 1, 1)).found
    either = CALM._replace(who=who, least=larger)
    assert level(either) == "unsure"
    assert (
        "a run changes by 0.2 to 2.0 % in AP on average (depending on whether 2 runs were pooled), more than the noise"
        in finding(either)
    )
    assert finding(CALM._replace(who=who, least=CALM.found)) == finding(CALM)


def test_a_mean_within_the_noise_with_one_far_beyond() -> None:
    """That run is named."""
    calm = ScoreChange("calm", "AP", 0.5, 0.4999, 1, 1, 1)
    assert ", but loses by 16.7 %." in finding(verdict_of(*[calm] * 40, LOSES))


@pytest.fixture(scope="module")
def of_covid(shared: Path) -> Verdict:
    return reusability_of(covid(shared), "run", 7, parse_all("AP"))


@repeats_others
def test_the_worst_of_treccovid(of_covid: Verdict) -> None:
    """The run that falls from rank 22 to 50 is the headline, and none that falls from .0045 to .0011."""
    said = headline(of_covid)
    assert said.startswith(
        "Unfair to new systems: left out of the pool of 56 runs to depth 7 on 30 topics, a run changes by 12.1 % in AP"
        " on average, over the bound of 6 %. 1,738 of 8,691 judged documents, "
    )
    assert "27.1 % of the judged documents are relevant, where 15 % is alarming" in said
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
