"""What is said of a score and of a difference, for values that decide which sentence it is."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from benchmarks import forecasts as benchmark
from benchmarks.designs.new_run_forecasts import OTHER_MEASURES
from cranfield.metrics.forecast.forecasts import ScoreForecast
from cranfield.metrics.forecast.outcomes import Outcome, PairOutcome
from cranfield.metrics.forecast.sentences import (
    ScoreStatus,
    more_labels_help,
    needs_draw,
    state_labels,
    state_pair,
    state_score,
)
from cranfield.metrics.forecast.track_record import (
    OTHER_INTERVALS,
    RECORDS,
    TrackRecord,
    base_name,
    find_track_record,
)

ROOT = Path(__file__).resolve().parents[3]
NAN = float("nan")
FORECAST = ScoreForecast("new", "AP", 0.30, 0.34, 0.31, 0.40, NAN, NAN, 0.2, 20, 0, 500, 10)
START = "AP is 0.3000 as judged. If its first 10 documents were judged, AP would be between "


@pytest.mark.parametrize(
    ("low", "high", "sentence"),
    [
        (0.31, 0.40, "AP is too low by between 3% and 25% (95% interval)."),
        (
            0.32,
            0.40,
            'AP is too low by between 6% and 25% (95% interval); the claim "at least 6%" was right in 5 of 5 tests.',
        ),
        (
            0.301,
            0.31,
            'AP is too low by up to 4% (95% interval); the claim "less than 6%" was right in 46 of 46 tests.',
        ),
        (0.29, 0.33, "AP is too low by up to 10% (95% interval)."),
        (0.29, 0.30, "AP is not too low."),
    ],
)
def test_interval_and_loss(low: float, high: float, sentence: str) -> None:
    """The loss is relative to the score with the labels, and rounded away from what is claimed."""
    said = state_score(replace(FORECAST, low=low, high=high), "depth")
    assert said.status is ScoreStatus.FORECAST
    assert said.sentence == f"{START}{low:.4f} and {high:.4f} (95% interval). {sentence}"


def test_scores_that_cannot_be_known() -> None:
    """The bounds come with the reason, and the interval goes where it may not be printed."""
    bounded = replace(FORECAST, lowest=0.2, highest=0.6)
    ends = "Under any labels of its unjudged documents at ranks 1 to 10, AP is between 0.2000 and 0.6000."
    wide = state_score(replace(bounded, low=0.2, high=0.5), "depth")
    assert (wide.status, wide.needs_labels) == (ScoreStatus.TOO_WIDE, True)
    assert "between 0.2000 and 0.5000 (95% interval). This interval is wider than half of the score. " in wide.sentence
    assert wide.sentence.endswith(ends)
    unfitted = replace(bounded, median=NAN, low=NAN, high=NAN, n_draws=0, reasons=("no model",))
    said = state_score(unfitted, "depth")
    assert (said.status, said.sentence) == (
        ScoreStatus.NO_MODEL,
        f"AP is 0.3000 as judged; no forecast was possible. {ends}",
    )
    unknown = state_score(replace(unfitted, lowest=NAN, highest=NAN), "depth")
    assert unknown.sentence.endswith("No bounds on AP are known.")


def test_sentences_right_too_seldom_are_withheld() -> None:
    """Intervals of nDCG on pools by a budget held too seldom; the statement has no interval then."""
    assert not find_track_record("budget", "interval", "nDCG@10", False).is_kept
    said = state_score(replace(FORECAST, measure="nDCG@10", lowest=0.2, highest=0.6), "budget")
    assert said.status is ScoreStatus.UNRELIABLE
    assert said.forecast.low != said.forecast.low
    assert re.search(r"no forecast is given, because its intervals held in 0\.\d\d of \d+ tested cases", said.sentence)
    assert "95% interval" not in said.sentence


@pytest.mark.parametrize("share", [0.7, 0.71])
def test_a_share_that_was_not_tested_is_named(share: float) -> None:
    said = state_score(replace(FORECAST, unjudged_share=share), "depth").sentence
    named = "71% of these documents are unjudged. Forecasts were tested up to 70%, so this interval allows for a larger"
    assert (named in said) == (share > 0.7)


def test_a_share_just_below_the_claim_is_not_rounded_to_it() -> None:
    assert "held in 0.929 of 126 tested cases" in TrackRecord("budget", "interval", 126, 117).sentence
    assert "held in 0.92 of 63 tested cases" in TrackRecord("budget", "interval", 63, 58).sentence


def test_more_labels_help_where_simulated_labels_decide() -> None:
    """Intervals of AP on pools by a budget held too seldom with drawn labels as well; those of P@10 did not."""
    wide = replace(FORECAST, low=0.2, high=0.5, lowest=0.2, highest=0.6, n_labels=10)
    precision = state_score(replace(wide, measure="P@10"), "budget")
    withheld = state_score(wide, "budget")
    assert [said.status for said in (precision, withheld)] == [ScoreStatus.TOO_WIDE, ScoreStatus.UNRELIABLE]
    assert more_labels_help([precision, withheld], [], "budget")
    assert not more_labels_help([withheld], [], "budget")
    unfitted = state_score(replace(wide, median=NAN, low=NAN, high=NAN, n_draws=0, reasons=("no model",)), "depth")
    assert not more_labels_help([unfitted], [], "depth")
    for n_draws, helps in ((500, True), (0, False)):
        pair = state_pair("AP", "new", "bm25", -0.1, PairOutcome(Outcome.UNDECIDED, True, 0.4, 0.0, -0.1, 0.1, n_draws))
        assert more_labels_help([], [pair], "depth") is helps


def test_a_sentence_right_too_seldom_gives_way_to_a_range(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interval was right often enough, "at least 6%" was not."""
    pools = {"interval": {"AP": (100, 99)}, "at least": {"AP": (100, 90)}, "less than": {"AP": (100, 99)}}
    monkeypatch.setitem(cast("dict[Any, Any]", RECORDS), ("budget", False), pools)
    large = state_score(replace(FORECAST, low=0.34), "budget")
    assert "at least 6%" not in large.sentence
    assert large.sentence.endswith("AP is too low by between 11% and 25% (95% interval).")


def test_a_measure_that_was_not_tested_has_no_interval() -> None:
    assert not find_track_record("depth", "interval", "mine:Own", False).is_kept
    assert not find_track_record("budget", "interval", "RR", False).is_kept
    said = state_score(replace(FORECAST, measure="RR", lowest=0.3, highest=0.6), "budget")
    assert said.status is ScoreStatus.UNRELIABLE
    assert "because its intervals were not tested on pools without a fixed depth." in said.sentence
    assert not TrackRecord("depth", "interval", 0, 0).is_kept
    assert TrackRecord("depth", "interval", 100, 93).is_kept
    assert not TrackRecord("depth", "at least", 100, 94).is_kept


def test_records_of_other_measures_are_rows_of_the_table_of_coverage() -> None:
    kept = json.loads((ROOT / "benchmarks" / "coverage.json").read_text(encoding="utf-8"))
    start = "neural run and 6 lexical runs, depth pool"
    for labelled, end in ((False, ""), (True, ", 20 drawn labels")):
        rows = {
            base_name(name): tuple(kept[f"diagnose: forecast of {name}, {start}{end}"][:2]) for name in OTHER_MEASURES
        }
        assert rows == OTHER_INTERVALS[labelled]
    assert find_track_record("depth", "interval", "RR(rel=2)", False)[2:] == OTHER_INTERVALS[False]["RR"]


def test_record_is_that_of_the_kept_results() -> None:
    """`python -m benchmarks.forecasts --page` writes it anew."""
    kept = json.loads(benchmark.KEPT.read_text(encoding="utf-8"))
    assert benchmark.track_record([row for rows in kept.values() for row in rows]) == RECORDS


def test_judged_documents_leave_nothing_open() -> None:
    judged = replace(FORECAST, n_unjudged=0, unjudged_share=0.0)
    said = state_score(judged, "depth")
    assert (said.status, said.sentence) == (ScoreStatus.JUDGED, "AP is 0.3000: its first 10 documents are judged.")
    assert (said.forecast.low, said.forecast.high) == (0.3, 0.3)
    first = state_score(replace(judged, depth=1), "depth")
    assert first.sentence == "AP is 0.3000: its first document is judged."
    labelled = state_score(replace(FORECAST, n_labels=20, n_unjudged=20, low=0.35, high=0.35), "depth")
    assert labelled.sentence.endswith("With the drawn labels, it is 0.3500: its first 10 documents have labels.")


def test_equal_draws() -> None:
    """Where all draws agree, the sentence says so, and speaks of no drawn labels and no certainty."""
    said = state_score(replace(FORECAST, n_labels=0, low=0.3, high=0.3), "depth").sentence
    assert "In each of 500 simulated labellings of its first 10 documents, it is 0.3000." in said
    assert "drawn labels" not in said
    assert "other label" not in said


@pytest.mark.parametrize(
    ("outcome", "draws", "said"),
    [
        (Outcome.SIGNIFICANT, 500, "Significant: the difference is significant in 97% of 500 simulated labellings."),
        (Outcome.UNDECIDED, 500, "Not decided: the difference is significant in 97% of 500 simulated labellings."),
        (Outcome.UNJUDGED, 500, "Due to unjudged documents: the difference is significant in 97% of 500 simulated"),
        (Outcome.NOT_SIGNIFICANT, 500, "Not significant: the difference is significant in 97% of 500 simulated"),
        (
            Outcome.SIGNIFICANT,
            0,
            "Significant: the smallest and the greatest possible difference give the same result.",
        ),
        (Outcome.UNDECIDED, 0, "Not decided: unjudged documents could make or undo a significant difference."),
    ],
)
def test_pairs(outcome: Outcome, draws: int, said: str) -> None:
    share = 0.97 if draws else NAN
    pair = state_pair("AP", "new", "old", -0.05, PairOutcome(outcome, True, 0.0, share, -0.1, -0.01, draws))
    assert pair.sentence.startswith(f"AP of new is 0.0500 lower than AP of old as judged. {said}")
    ends = (
        "If the unjudged documents were judged, the difference would be between -0.1000 and -0.0100 (95% interval)."
        if draws
        else "Under any labels of the unjudged documents, the difference is between -0.1000 and -0.0100."
    )
    assert pair.sentence.endswith(ends)
    assert needs_draw([], [pair]) == (outcome is Outcome.UNDECIDED)


def test_pair_that_turns() -> None:
    """A difference that may become significant in the other direction is said to."""
    outcome = PairOutcome(Outcome.UNDECIDED, False, 0.17, 0.01, -0.1, 0.2, 500)
    expected = (
        "Not decided: the difference is not significant as judged, but significant in 1% of 500 simulated labellings,"
        " and in the other direction in 17%."
    )
    assert expected in state_pair("AP", "new", "old", -0.05, outcome).sentence


@pytest.mark.parametrize(("relevant", "ends"), [(0, "0% and 17%"), (20, "83% and 100%"), (1, "0% and 25%")])
def test_share_of_a_draw(relevant: int, ends: str) -> None:
    """The exact interval of Clopper and Pearson: 1 - 0.025 ** (1 / 20) = 0.168 for none of 20."""
    assert f"between {ends} of the run's 90 unjudged documents are relevant (95% interval)" in state_labels(
        relevant, 20, 90
    )


def test_the_first_rank_alone_is_one_rank() -> None:
    """Bounds of a forecast to rank 1 speak of rank 1, and those to rank 2 of two ranks."""
    unfitted = replace(
        FORECAST, median=NAN, low=NAN, high=NAN, n_draws=0, lowest=0.2, highest=0.6, reasons=("no model",)
    )
    for depth, ranks in ((1, "rank 1"), (2, "ranks 1 to 2")):
        sentence = state_score(replace(unfitted, depth=depth), "depth").sentence
        assert f"of its unjudged documents at {ranks}, AP is between 0.2000 and 0.6000." in sentence
