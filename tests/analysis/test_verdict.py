"""The verdict: the noise floor, the claims that flip, the depths of the pool, and how they are told in sentences.

Worst cases are those by ranks and by score, never by per cent of a score near 0.
"""

import json
import re
import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import ttest_rel

from cranfield.analysis.change_rows import change_rows, sort_worst_first
from cranfield.analysis.reusability import has_bound, reusability_verdict
from cranfield.analysis.verdict import (
    Verdict,
    bounds_in_words,
    describe_finding,
    state_tested_kinds,
    verdict_rows,
    verdict_sentences,
    worst_cases,
)
from cranfield.arrays.join import join_runs_and_qrels
from cranfield.contributors import Contributors
from cranfield.metrics.correlation.coefficients import kendall_tau, kendall_taus_by_row
from cranfield.metrics.correlation.correlate import correlate
from cranfield.metrics.evaluate import score
from cranfield.metrics.forecast.next_system import LossBound
from cranfield.metrics.forecast.track_record import BoundRecord, MeasureRecords, find_bound_records
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.notation import parse_measures
from cranfield.metrics.reusability.depths import by_depth
from cranfield.metrics.reusability.leave_one_out import leave_one_out
from cranfield.metrics.reusability.results import (
    Flips,
    PoolOverlap,
    Reusability,
    ScoreChange,
    UnitResult,
    count_claim_flips,
    significance_matrix,
)
from cranfield.metrics.reusability.stability import (
    bootstrap,
    discriminative_power,
    noise_floor,
    split_half,
    swap_rates,
)
from cranfield.trust import reusability
from tests.conftest import Cranfield
from tests.real import covid, covid_teams, robust

random = np.random.default_rng(5)
SCORES = random.normal(size=(8, 30)) * 0.2 + np.linspace(0, 0.3, 8)[:, None]


def test_claims_are_those_of_the_paired_t_test() -> None:
    """Equal to scipy for every pair."""
    claim = significance_matrix(SCORES)
    for a in range(len(SCORES)):
        for b in range(len(SCORES)):
            p = ttest_rel(SCORES[a], SCORES[b]).pvalue if a != b else 1.0
            assert abs(claim[a, b]) == (p < 0.05)
    assert np.array_equal(claim, -claim.T)


def test_equal_runs_and_single_topics_claim_nothing() -> None:
    """No difference and no variance is no claim, and one topic supports none."""
    assert not significance_matrix(np.ones((3, 10))).any()
    assert not significance_matrix(np.array([[0.1], [0.9]])).any()
    assert significance_matrix(np.array([[0.1, 0.2, 0.1], [0.9, np.nan, 0.8], [0.9, 0.8, 0.8]])).tolist()[1] == [
        0,
        0,
        0,
    ]


def test_flips_count_every_change_once() -> None:
    """Lost, gained and reversed claims over pairs of runs."""
    before = np.array([[0, 1, 1], [-1, 0, 0], [-1, 0, 0]])
    after = np.array([[0, -1, 0], [1, 0, 1], [0, -1, 0]])
    assert count_claim_flips(before, after) == (2, 1, 1, 1)
    assert count_claim_flips(before, before) == (2, 0, 0, 0)


def change(run: str, full: float, reduced: float, ranks: tuple[int, int] = (1, 1)) -> ScoreChange:
    """How a run's AP and rank change when it is left out."""
    return ScoreChange(run, "AP", full, reduced=reduced, full_rank=ranks[0], reduced_rank=ranks[1], rank_alone=ranks[1])


SMALL_POOL = PoolOverlap(9, 9, 0, 0, 3)


def verdict_of(
    *changes: ScoreChange,
    flips: Mapping[str, Flips] = {},
    pool: PoolOverlap = SMALL_POOL,
    refusal: str = "",
) -> Verdict:
    """A verdict on some runs, each a unit; `flips` has whose claims change."""
    units = tuple(
        UnitResult(
            each.run, (each.run,), 1, unique_relevant=1, tau={"AP": 1.0}, tau_ap={"AP": 1.0},
            flips={"AP": flips.get(each.run, Flips(0, 0, 0, 0))}, changes=(each,),
        )
        for each in changes
    )  # fmt: skip
    return Verdict(Reusability("run", 7, 30, pool=pool, measures=("AP",), units=units, refusal=refusal), {}, 0.1)


CALM = verdict_of(change("calm", 0.5, 0.499))


def test_claims_are_counted_against_those_before() -> None:
    """Of two claims one is lost and one turned round, and three are new: that is two of two, not five."""
    worst, calm = change("a", 0.5, 0.4), change("b", 0.5, 0.4)
    verdict = verdict_of(worst, calm, flips={"a": Flips(2, 1, 3, 1), "b": Flips(2, 0, 0, 0)})
    rows = {row["AP"]: row for row in verdict_rows(verdict._replace(floor={"AP": noise_floor(SCORES)}), "AP")}
    assert rows["significant pairs that change"]["value"] == "2 of 2"
    assert "1 lost, 1 reversed; 3 gained" in rows["significant pairs that change"]["how to read it"]


@pytest.mark.parametrize(
    ("pool", "lack"),
    [
        ((40, 40, 0, 20, 9, 20, 1), ""),
        ((40, 40, 0, 21, 9, 21, 1), "21 of 61 judged documents are outside"),
        ((20, 20, 0, 21, 9, 0, 0), ""),  # they came by another way, which is known
        ((20, 20, 0, 5, 4, 5, 5), "5 of 9 relevant documents are outside"),
        ((21, 14, 7, 0, 4, 0, 0), ""),
        ((21, 13, 8, 0, 4, 0, 0), "8 of the 21 documents in the pool are not judged"),
        ((None, 9, None, 0, 4, 0, 0), ""),
        ((0, 0, 0, 0, 0, 0, 0), "no document in the pool is judged"),
    ],
)
def test_no_verdict_where_the_runs_are_not_the_pool(pool: tuple[Any, ...], lack: str) -> None:
    """Two thirds of what is judged, of what is relevant and of the pool are needed; else JSON has no summary."""
    left_out = verdict_of(change("a", 0.5, 0.4), pool=PoolOverlap(*pool)).left_out
    assert lack in left_out.no_verdict
    assert bool(left_out.no_verdict) == bool(lack)
    document = left_out.to_json()
    assert (document["summary"] is None) == bool(lack)
    assert document["no_verdict"] == (left_out.no_verdict or None)


def test_three_runs_of_treccovid_have_no_verdict(shared: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """The numbers are there, no headline is, whoever tells it; the reason is one line."""
    folder = shared / "treccovid-r1"
    files = [folder / "qrels-rnd1.txt.gz", *(folder / "runs" / f"{tag}.gz" for tag in ("BERT", "BITEM_df", "BM25R2"))]
    teams = tmp_path / "teams.tsv"
    teams.write_text("run\tteam\tpooled\nBERT\tx\tyes\nBITEM_df\ty\tyes\nBM25R2\tz\tyes\n")
    inputs = [*files, "--depth", "7", "-m", "AP", "--teams", teams]
    message = "8,176 of 8,691 judged documents are outside it"
    result = cranfield("reusability", *inputs)
    assert "BITEM_df" in result.out
    assert "own score" not in result.out
    gaps = "2 of 3 pooled runs and 4 of 30 topics have no unjudged document within the pool's depth"
    assert result.err == (
        f"note: {gaps}; 1 run and 26 topics have such documents\n"
        f"note: not tested: the pool of these runs does not explain the judgments: {message}\n"
    )
    document = json.loads(cranfield("reusability", *inputs, "--format", "json").out)
    assert message in document["no_verdict"]
    assert document["summary"] is None
    remedy = (
        "For a test, give all pooled runs. State which runs were pooled with --teams, the pool's depth with --depth"
    )
    assert document["remedy"].startswith(remedy)
    begin = f"Not tested: the pool of these runs does not explain the judgments: {message}. {remedy}"
    assert result.out.startswith(begin)
    for name in ("out.txt", "out.md", "out.tex"):
        assert cranfield("reusability", *inputs, "-o", tmp_path / name).code == 0
        assert begin in (tmp_path / name).read_text().replace("\n", " ")
    assert cranfield("report", *files, tmp_path / "card.md", "--depth", "7", "-m", "AP", "--teams", teams).code == 0
    card = (tmp_path / "card.md").read_text()
    assert f"Not tested: the pool of these runs does not explain the judgments: {message}" in card
    assert "own score" not in card
    assert "Pool depths" not in card
    output = cranfield("diagnose", *files, folder / "runs" / "10x10.prf.unipd.it.gz", *inputs[-6:])
    assert output.code == 0, output.err
    assert "No forecast: 94% of the judged documents are not in the first 7 of any pooled run" in output.out


def test_the_floor_is_1_where_topics_agree_and_0_where_there_is_only_noise() -> None:
    """Split-half tau sees the difference between signal and noise; both are the same under the seed."""
    steady = np.arange(6)[:, None] + np.zeros((6, 20))
    assert split_half(steady).tolist() == [1.0] * 200
    noise = np.random.default_rng(1).normal(size=(30, 40))
    assert abs(split_half(noise).mean()) < 0.1
    assert split_half(noise).tolist() == split_half(noise).tolist()
    assert bootstrap(SCORES).mean() > split_half(SCORES).mean()


def test_taus_of_many_are_kendall_tau_of_each() -> None:
    """With ties, with all tied, and with an undefined score."""
    x, y = np.random.default_rng(8).integers(0, 4, (2, 60, 9)).astype(float)
    x[3], y[4, 2] = 0.5, np.nan
    each = [kendall_tau(*pair) for pair in zip(x, y, strict=True)]
    assert np.array_equal(kendall_taus_by_row(x, y), each, equal_nan=True)
    assert np.flatnonzero(np.isnan(each)).tolist() == [3, 4]


def test_swap_rates_fall_with_the_difference() -> None:
    """Two disjoint halves disagree less the larger the difference; systems that always differ never swap."""
    noise = np.random.default_rng(2).normal(size=(30, 50)) * 0.3 + np.linspace(0, 0.2, 30)[:, None]
    counts = swap_rates(noise, 25)
    rate = counts[:, 1] / np.maximum(counts[:, 0], 1)
    assert counts[:, 0].sum() == 50 * 30 * 29 // 2
    assert rate[:3].mean() > rate[5:8].mean() > rate[12:15].mean()
    steady = np.arange(4)[:, None] + np.zeros((4, 20))
    assert swap_rates(steady, 10)[:, 1].sum() == 0
    with pytest.raises(ValueError, match="need 22 topics; there are 20"):
        swap_rates(steady, 11)


def test_swap_rates_of_scores_of_any_size() -> None:
    """Differences beyond the last bin count in it, even those beyond 64 bits (DCG with exponential gains)."""
    scores = np.random.default_rng(7).normal(size=(4, 20))
    assert swap_rates(scores * 1e150, 10).sum(axis=0).tolist() == swap_rates(scores * 1e3, 10).sum(axis=0).tolist()


def test_discriminative_power_is_about_alpha_for_equal_systems() -> None:
    """Systems that do not differ are told apart about as often as alpha says; distinct ones always."""
    equal = np.random.default_rng(3).normal(size=(25, 60))
    assert 0 < discriminative_power(equal) < 0.12
    assert discriminative_power(np.arange(5)[:, None] + np.random.default_rng(4).normal(size=(5, 60)) * 0.1) == 1


@pytest.mark.daily
def test_yardsticks_on_robust03(shared: Path) -> None:
    """Seventeen runs over a hundred topics: the floor is far below 1, and nine in ten pairs differ."""
    source = robust(shared)
    scores = score(source.judged, parse_measures("AP"))[..., 0]
    assert 0.8 < split_half(scores).mean() < 0.9 < bootstrap(scores).mean() < 0.96
    assert 0.75 < discriminative_power(scores) < 0.85


RUNS = {
    "a": {"q": {"d1": 4.0, "d2": 3.0, "d3": 2.0}, "r": {"d1": 1.0}},
    "b": {"q": {"d2": 4.0, "d4": 3.0, "d5": 2.0}, "r": {"d2": 1.0}},
}
GRADES = {"q": {"d1": 1, "d2": 1, "d3": 0, "d4": 1, "d5": 0}, "r": {"d1": 0, "d2": 1}}


def test_the_dial_at_full_depth_is_leave_one_out() -> None:
    """The deepest row is the collection itself; each shallower one is its own leave-one-out."""
    judged = join_runs_and_qrels(as_runs(RUNS), as_qrels(GRADES))
    table = by_depth(judged, {"a": ["a"], "b": ["b"]}, [1, 2, 3], measures="AP")
    left_out = leave_one_out(judged, {"a": ["a"], "b": ["b"]}, 3, measures="AP")
    last = table.iloc[-1]
    assert last["tau"] == 1
    assert (last["judged"], last["relevant"]) == (7, 4)
    assert last["mean_change_percent"] == left_out.summary["AP"].mean_change_percent
    assert table["judged"].tolist() == [4, 5, 7]


def test_protected_judgments_are_there_at_every_depth() -> None:
    """What came by another way does not depend on the depth of the pool."""
    judged = join_runs_and_qrels(as_runs(RUNS), as_qrels(GRADES))
    everything = np.ones(len(judged.qrels_grade), bool)
    table = by_depth(judged, {"a": ["a"], "b": ["b"]}, [1, 3], measures="AP", protected=everything)
    assert table["judged"].tolist() == [7, 7]
    assert table["max_change_percent"].tolist() == [0, 0]


def test_the_dial_of_treccovid(shared: Path) -> None:
    """At depth 7 it gives the published 10.95 %; at depth 1 the pool costs 3,589 judgments."""
    source = covid(shared)
    judged = source.judged
    protected = source.qrels.sources[judged.qrels_row] == "0.5"
    table = by_depth(judged, covid_teams(shared), [1, 7], measures="AP", protected=protected)
    assert table["judged"].tolist() == [3589, 8685]
    assert table["mean_change_percent"].iloc[-1] == pytest.approx(10.95, abs=0.005)


@pytest.mark.daily
def test_relevant_only_differs_for_bpref_alone(shared: Path) -> None:
    """Leaving out the relevant uniques alone is the same for AP, P and nDCG; Bpref falls, where with all it rises."""
    source = robust(shared)
    measures = parse_measures(["AP", "P@10", "nDCG@10", "Bpref"])
    both = [reusability_verdict(source, "run", 125, measures, relevant_only=only).left_out for only in (False, True)]
    for measure in ("AP", "P@10", "nDCG@10"):
        assert both[0].summary[measure] == both[1].summary[measure]
    of_all, of_relevant = (
        [change for unit in left_out.units for change in unit.changes if change.measure == "Bpref"] for left_out in both
    )
    full = np.mean([change.full for change in of_all])
    assert np.mean([change.reduced for change in of_relevant]) < full < np.mean([change.reduced for change in of_all])


def test_the_verdict_is_told_in_order(shared: Path) -> None:
    """Own score first, tau last and beside what topics alone give."""
    source = robust(shared)
    verdict = reusability_verdict(source, "run", 125, parse_measures("AP"))
    rows = verdict_rows(verdict, "AP")
    assert (rows[0]["AP"], rows[0]["value"]) == ("own score, mean absolute change", "0.51%")
    assert rows[1]["how to read it"].startswith("uic0301 from 0.2404 to 0.2333")
    assert [row["AP"] for row in rows][-3:] == ["Kendall's tau, lowest", "tau_AP, lowest", "tau from resampling topics"]
    assert set(verdict.to_json()) >= {"by", "depth", "topics", "pool", "units", "summary", "floor", "relevant_share"}


ORDERS = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.0, 0.1, 0.1]])  # the first two tie


def test_rounding_orders_no_runs_that_tie() -> None:
    """Sums of the same scores in another order differ in the last digit; runs tie all the same, whoever ranks them."""
    assert ORDERS[0].sum() != ORDERS[1].sum()
    assert swap_rates(np.array([[0.3, 0.1 + 0.2], [0.1 + 0.2, 0.3]]), 1)[:, 1].sum() == 0
    first, second = (dict(zip("abc", scores.mean(axis=1), strict=True)) for scores in (ORDERS, ORDERS[[1, 0, 2]]))
    assert correlate(first, second).set_index("coefficient")["value"]["tau_b"] == pytest.approx(1)


def test_a_difference_on_the_border_of_two_bins_is_in_the_upper_one() -> None:
    """.29 less .26 is .03 to a person, .0299... to a machine."""
    counts = swap_rates(np.array([[0.29] * 4, [0.26] * 4]), 2, trials=1)
    assert np.flatnonzero(counts[:, 0]).tolist() == [3]


NEAR_ZERO, DROPS, LOSES = (
    change("tiny", 0.0045, 0.0011, (3, 3)),
    change("drops", 0.3, 0.28, (1, 2)),
    change("loses", 0.6, 0.5),
)


def test_a_score_near_0_is_not_the_headline() -> None:
    """It loses three quarters of itself, which is .0034: others drop in rank, or lose more."""
    cases = worst_cases(verdict_of(NEAR_ZERO, DROPS, LOSES))
    assert [(name, loss.change.run) for name, loss, _ in cases] == [
        ("most ranks lost", "drops"),
        ("most score lost", "loses"),
    ]
    assert "tiny" not in verdict_sentences(verdict_of(NEAR_ZERO, DROPS, LOSES))


def test_one_run_may_be_both() -> None:
    ((name, loss, text),) = worst_cases(verdict_of(NEAR_ZERO, DROPS))
    assert (name, loss.change.run) == ("most ranks and score lost", "drops")
    assert text == "drops falls 1 rank, from rank 1 to 2; its AP falls from 0.3000 to 0.2800"


def test_what_was_not_tested_has_no_worst_case() -> None:
    none = verdict_of(LOSES, refusal="half of the pool is missing")
    assert verdict_sentences(none) == "Not tested: half of the pool is missing."
    of_zero = verdict_of(change("zero", 0.0, 0.0))
    assert (
        describe_finding(of_zero)
        == "Not tested: the AP of every left-out run is 0 or undefined, so no percentage change can be computed."
    )


def test_the_finding_names_what_it_holds_for() -> None:
    """Units, runs, depth and topics."""
    assert describe_finding(CALM) == (
        "Removing 1 run from the pool (1 run, depth 7, 30 topics) changes its AP by 0.2% on average."
    )
    assert repr(CALM).startswith(describe_finding(CALM))
    own = CALM._replace(left_out=replace(CALM.left_out, depth={"a": 5, "b": 9}))
    assert "the pool (1 run, a depth for each run, 30 topics)" in describe_finding(own)
    again = CALM._replace(left_out=replace(CALM.left_out, method="rrf"))
    assert "the pool (1 run, built by rrf, 30 topics)" in describe_finding(again)
    for no_depth in (own, again):
        assert (
            "The loss of a new system was not tested: this test needs a pool with one depth for all runs."
            in verdict_sentences(no_depth)
        )
    assert " Cal came." in verdict_sentences(CALM._replace(who=Contributors(("a",), "pool 1", origins=("cal came",))))
    of_clusters = CALM._replace(left_out=replace(CALM.left_out, by="cluster"))
    assert describe_finding(of_clusters) == describe_finding(CALM)  # a cluster of one run is a run
    [unit] = CALM.left_out.units
    two = replace(unit, runs=(*unit.runs, "other"))
    of_clusters = CALM._replace(left_out=replace(CALM.left_out, by="cluster", units=(two,)))
    assert describe_finding(of_clusters).startswith("Removing 1 cluster of near-duplicate runs from the pool (2 runs, ")
    assert " changes its runs' AP by 0.2% " in describe_finding(of_clusters)


@pytest.mark.parametrize(
    ("pool", "share", "text"),
    [
        ((100, 98, 2, 0, 9), 0.1, ""),
        ((98, 98, 0, 2, 9, 2, 2), 0.149, ""),
        ((100, 70, 30, 0, 9), 0.1, "30 of the 100 documents in the pool are not judged and count as not relevant."),
        (
            (70, 70, 0, 30, 9, 30, 4),
            0.1,
            "30 of the 100 judged documents (4 relevant) were not in this pool, so they stay judged in every test.",
        ),
        ((70, 70, 0, 30, 9, 0, 0), 0.1, ""),  # their origin is known
        (
            (9, 9, 0, 0, 3),
            0.599,
            "59.9% of the judged documents are relevant. At 15% or more, the pool has probably missed other relevant"
            " documents.",
        ),
    ],
)
def test_what_the_test_leaves_open_is_in_every_output(pool: tuple[int, ...], share: float, text: str) -> None:
    """In the headline, JSON and Python."""
    verdict = CALM._replace(left_out=replace(CALM.left_out, pool=PoolOverlap(*pool)), relevant_share=share)
    assert verdict.reservations == ([text] if text else [])
    assert text in verdict_sentences(verdict)
    assert text in repr(verdict)
    assert verdict.to_json()["reservations"] == verdict.reservations


def test_where_it_is_uncertain_who_was_pooled_there_are_two_means() -> None:
    """A range, unless both round to the same."""
    who = Contributors(("a", "b"), "judgments", (), depth=7, undecided=("a", "b"), spare=("b",))
    larger = verdict_of(change("calm", 0.5, 0.49)).left_out
    either = CALM._replace(who=who, least=larger)
    assert "changes its AP by 0.2% to 2.0% on average, depending on whether 2 runs were pooled." in describe_finding(
        either
    )
    assert describe_finding(CALM._replace(who=who, least=CALM.left_out)) == describe_finding(CALM)


def test_no_sentence_answers_whether_the_collection_is_fair() -> None:
    """However little or much is lost."""
    for verdict in (CALM, verdict_of(LOSES), verdict_of(NEAR_ZERO, DROPS, LOSES)):
        for text in (verdict_sentences(verdict), repr(verdict), verdict_sentences(verdict)):
            assert not re.search(r"\b(un)?fair|can be compared|within the noise", text, re.IGNORECASE)


def two_measures(by: str, *losses: tuple[str, float, float]) -> Reusability:
    """Units that lose these shares of AP and of P@10, as percentages of a score of .5."""
    units = tuple(
        replace(
            CALM.left_out.units[0],
            unit=name,
            runs=(name,),
            changes=tuple(
                ScoreChange(f"{name}-run", measure, 0.5, 0.5 * (1 - lost / 100), 1, 2, 2)
                for measure, lost in (("AP", ap), ("P@10", p))
            ),
            tau={"AP": 1.0, "P@10": 1.0},
        )
        for name, ap, p in losses
    )
    return replace(CALM.left_out, by=by, measures=("AP", "P@10"), units=units)


def test_the_worst_measure_and_the_worst_unit_are_named() -> None:
    """Although another measure comes first."""
    verdict = CALM._replace(left_out=two_measures("team", ("x", 1.0, 2.0), ("y", 2.0, 8.0)))
    assert verdict.worst_measure == verdict.to_json()["worst_measure"] == "P@10"
    text = verdict_sentences(verdict)
    assert text.startswith(
        "Removing one of the 2 teams from the pool (2 runs, depth 7, 30 topics) changes its runs' P@10"
    )
    assert " P@10 by 5.0% on average. Of the 2 measures, P@10 changes most." in text
    assert "y-run (y) falls 1 rank, from rank 1 to 2; its P@10 falls from 0.5000 to 0.4600." in text


def test_kinds_are_named_and_left_out_where_they_are_known() -> None:
    """With the kind that loses most; one kind cannot be left out; unknown kinds are called that."""
    of_teams = two_measures("team", ("x", 1.0, 2.0), ("y", 2.0, 8.0))
    assert "kinds of the pooled runs are unknown" in state_tested_kinds(CALM._replace(left_out=of_teams))
    several = CALM._replace(left_out=of_teams, kinds=two_measures("kind", ("lexical", 1.0, 2.0), ("neural", 30.0, 3.0)))
    assert state_tested_kinds(several) == (
        "Tested on lexical and neural runs only. Removing a whole kind changes neural runs most: their AP changes by up"
        " to 30.0%."
    )
    assert [unit["unit"] for unit in several.to_json()["kinds"]] == ["lexical", "neural"]
    alone = CALM._replace(left_out=of_teams, kinds=two_measures("kind", ("lexical", 1.0, 2.0)))
    assert state_tested_kinds(alone) == "Tested on lexical runs only."


def test_the_bound_for_the_next_system_is_named_by_its_unjudged_share() -> None:
    """In the headline and JSON; a band with few losses is called not tested, and none where nothing was tested."""
    ends = (0.0, 0.15, 0.3, 0.5, 1.0)
    bounds = [
        LossBound("AP", low, high, 40, bound)
        for low, high, bound in zip(ends, ends[1:], (None, 0.184, 0.381, 1.196), strict=False)
    ]
    verdict = CALM._replace(bounds=bounds)
    records = find_bound_records("AP", 7)
    assert records is not None
    assert records.depth == 5
    assert (
        "A new system could lose AP, depending on the unjudged share of its first 7 documents: up to 18.4% with 15% to"
        " 30% unjudged, up to 38.1% with 30% to 50% and all of it with more than 50%."
        f" {records.sentence} Unjudged shares of up to 15% were not tested here."
    ) in verdict_sentences(verdict)
    assert records.sentence.startswith("In tests on pools of depth 5, such bounds on AP held for ")
    assert [one["held"] for one in verdict.to_json()["next_system"]] == [records.worst.share] * 4
    assert [one["bound"] for one in verdict.to_json()["next_system"]] == [None, 0.184, 0.381, 1.196]
    assert "A new system" not in verdict_sentences(CALM)


@pytest.mark.parametrize(
    ("measure", "tested"), [("nDCG@10", True), ("P(rel=2)@10", True), ("RR", False), ("P@5", False)]
)
def test_a_measure_without_a_record_of_its_own_has_no_bound(measure: str, tested: bool) -> None:
    """Its own, not that of AP; the sentence names the measures that were tested."""
    text = bounds_in_words([LossBound(measure, 0.0, 0.15, 40, 0.02)], 10)
    missing = f"There is no bound on a new system's {measure} loss: only AP, nDCG@10 and P@10 were tested."
    assert (text == missing) != tested
    assert has_bound(measure, 10) == tested
    verdict = CALM._replace(bounds=[LossBound(measure, 0.0, 0.15, 40, 0.02)])
    assert (verdict.to_json()["next_system"][0]["held"] is not None) == tested


def test_a_bound_that_held_too_seldom_is_withheld() -> None:
    """The sentence has the counts of the worst test; 90% is enough."""
    worst, good = BoundRecord("CACM", 24, 17), BoundRecord("CISI", 20, 18)
    assert MeasureRecords("AP", 20, [good]).is_kept
    assert not MeasureRecords("AP", 20, [good, worst]).is_kept
    assert MeasureRecords("AP", 20, [good, worst]).sentence == (
        "There is no bound on AP: in tests on pools of depth 20, such bounds held for only 17 of 24 systems (CACM)."
    )
    assert MeasureRecords("AP", 20, [good]).sentence == (
        "In tests on pools of depth 20, such bounds on AP held for 90% of 20 systems (CISI)."
    )


def test_treccovid_bounds_the_next_system(of_covid: Verdict) -> None:
    """With most documents unjudged it could lose all; one with few is not tested."""
    bounds = [bound.bound for bound in of_covid.bounds]
    assert [bound is None for bound in bounds] == [True, False, False, False]
    known = [bound for bound in bounds if bound is not None]
    assert 0.1 < known[0] < known[1] < known[2]


def test_the_unit_is_the_team_where_teams_are_known_otherwise_the_cluster(tmp_path: Path) -> None:
    """And every kind of run is left out once kinds are stated."""
    near = {"q": {"d1": 4.0, "d2": 3.0}, "r": {"d3": 2.0}}
    runs = {"a": near, "a2": near, "b": {"q": {"d2": 4.0, "d4": 3.0}, "r": {"d2": 1.0}}}
    grades = {"q": {"d1": 1, "d2": 1, "d4": 1}, "r": {"d2": 1, "d3": 0}}
    with warnings.catch_warnings(action="ignore"):  # on which runs were pooled
        by_cluster = reusability(grades, runs, depth=2, measures="AP")
        by_team = reusability(grades, runs, depth=2, measures="AP", teams={"a": "x", "a2": "y", "b": "x"})
    assert [unit.unit for unit in by_cluster.left_out.units] == ["a +1", "b"]
    assert by_cluster.verdict is not None
    assert by_cluster.verdict.kinds is None
    assert (by_team.left_out.by, [unit.unit for unit in by_team.left_out.units]) == ("team", ["x", "y"])
    stated = tmp_path / "teams.tsv"
    stated.write_text("run\tteam\tkind\na\tx\tlexical\na2\ty\tneural\nb\tx\tlexical\n")
    with warnings.catch_warnings(action="ignore"):
        with_kinds = reusability(grades, runs, depth=2, measures="AP", teams=stated)
    assert with_kinds.verdict is not None
    assert with_kinds.verdict.kinds is not None
    assert [unit.unit for unit in with_kinds.verdict.kinds.units] == ["lexical", "neural"]


@pytest.fixture(scope="module")
def of_covid(shared: Path) -> Verdict:
    return reusability_verdict(covid(shared), "run", 7, parse_measures("AP"))


@pytest.mark.daily
def test_the_worst_of_treccovid(of_covid: Verdict) -> None:
    """The run that falls from rank 22 to 50 is the headline, and none that falls from .0045 to .0011."""
    text = verdict_sentences(of_covid)
    assert text.startswith(
        "Removing one of the 56 runs from the pool (56 runs, depth 7, 30 topics) changes its AP by 12.1% on average. "
    )
    assert " 1,738 of the 8,691 judged documents (" in text
    assert "27.1% of the judged documents are relevant. At 15% or more, the pool has probably missed other " in text
    assert "xj4wang_run1 falls 28 ranks, from rank 22 to 50; its AP falls from 0.2367 to 0.1930" in text
    rows = {row["AP"]: row for row in verdict_rows(of_covid, "AP")}
    assert rows["own rank, largest drop"]["value"] == "28"
    assert "; xj4wang_run1 from rank 22 to 50" in rows["own rank, largest drop"]["how to read it"]
    assert rows["own score, largest loss"]["value"] == "0.0437"
    assert sort_worst_first(change_rows(of_covid.left_out))[0]["run"] == "xj4wang_run1"


@pytest.mark.daily
def test_robust_has_no_verdict(shared: Path) -> None:
    """17 runs of 78 do not explain the judgments."""
    verdict = reusability_verdict(robust(shared), "run", 125, parse_measures("AP"))
    assert describe_finding(verdict).startswith("Not tested: the pool of these runs does not explain the judgments: ")
