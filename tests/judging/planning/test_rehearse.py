"""Rehearsals: what simulated assessors do, what it costs, and what comes of it."""

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Ints
from cranfield.errors import InputError
from cranfield.judging.labels.policies import POLICIES, find_policy
from cranfield.judging.planning.rehearsal import (
    SIMULATED,
    Rehearsal,
    RehearsalSetting,
    SimulatedWork,
    as_document,
    assessor_named,
    decide,
    rehearse,
    simulate_labels,
)
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.notation import parse_measures
from tests.conftest import Cranfield
from tests.real import robust

TRUTH = np.random.default_rng(5).choice(3, size=20_000, p=[0.7, 0.2, 0.1])
WORK = SimulatedWork(TRUTH, 3, np.bincount(TRUTH) / len(TRUTH))


def labels_of(name: str, seed: int = 0) -> Ints:
    """What a simulated assessor makes of the truth."""
    return assessor_named(name).judge(WORK, np.random.default_rng(seed))


def collection(documents: int = 200, runs: int = 6) -> Judged:
    """Runs of different quality over judged documents of eight topics."""
    random = np.random.default_rng(11)
    grades = {f"q{q}": {f"d{d}": int(random.random() < 0.2) * int(random.integers(1, 3)) for d in range(documents)}
              for q in range(8)}  # fmt: skip
    scores = {
        f"r{r}": {qid: {d: 2.0 * g / (r + 1) + random.normal() for d, g in own.items()} for qid, own in grades.items()}
        for r in range(runs)
    }
    return join_runs_and_qrels(as_runs(scores), as_qrels(grades))


def rehearse_policies(
    names: Sequence[str], overlap: float = 0.5, rules: Sequence[str] = ("primary",), seed: int = 0
) -> Rehearsal:
    """A rehearsal over the collection."""
    setting = RehearsalSetting([assessor_named(name) for name in names], overlap)
    return rehearse(
        collection(), setting, [find_policy(rule) for rule in rules], parse_measures("AP"), repeats=3, seed=seed
    )


# The assessors


def test_labels_are_on_the_scale_and_seeded() -> None:
    """The same seed the same labels; who is strict never raises one, who is lenient never lowers one."""
    for name in SIMULATED:
        labels = labels_of(name)
        assert set(labels.tolist()) <= {0, 1, 2}
        assert np.array_equal(labels, labels_of(name))
    assert np.all(labels_of("strict") <= TRUTH)
    assert np.all(labels_of("lenient") >= TRUTH)


def test_the_rate_is_how_often_they_err() -> None:
    """An oracle always hits another grade; who is strict cannot go below 0, who is lenient not above the highest."""
    may_err = {"oracle": TRUTH >= 0, "strict": TRUTH > 0, "lenient": TRUTH < 2}
    for rate in (0.0, 0.1, 0.5, 1.0):
        for name, where in may_err.items():
            assert np.mean((labels_of(f"{name}:{rate}") != TRUTH)[where]) == pytest.approx(rate, abs=0.02)


def test_who_is_tired_errs_more_at_the_end() -> None:
    """Never at the beginning, at the rate at the end."""
    wrong = (labels_of("tired:0.4") != TRUTH).reshape(10, -1).mean(axis=1)
    assert wrong[0] < 0.05
    assert wrong[-1] == pytest.approx(0.38, abs=0.04)
    assert np.all(np.diff(wrong) > -0.02)


def test_random_keeps_the_shares_and_nothing_else() -> None:
    """As many of each grade as in truth, whatever the document."""
    rows = labels_of("random")
    assert np.allclose(np.bincount(rows) / len(rows), WORK.shares, atol=0.02)
    assert abs(np.corrcoef(rows, TRUTH)[0, 1]) < 0.02


def test_unknown_assessors_are_refused() -> None:
    """In one sentence."""
    for name in ("lazy", "strict:2", "strict:", "oracle:x", ""):
        with pytest.raises(InputError, match=r"not a simulated assessor|expected a rate"):
            assessor_named(name)


# The play


def test_overlap_and_first_assessors() -> None:
    """Every document has its topic's assessor; the sample is judged by all, the rest by one."""
    judged = collection()
    setting = RehearsalSetting([assessor_named(name) for name in ("oracle", "strict", "random")], 0.25)
    labels, first, everybody = simulate_labels(judged, setting, np.array([0, 1, 2]), np.random.default_rng(0))
    per_document = np.sum(~np.isnan(labels), axis=1)
    assert everybody.sum() == round(0.25 * len(labels))
    assert np.all(per_document[everybody] == 3)
    assert np.all(per_document[~everybody] == 1)
    assert not np.isnan(labels[np.arange(len(labels)), first]).any()
    assert all(len(np.unique(first[judged.qrels_topic == topic])) == 1 for topic in range(8))


def test_policies_on_arrays_are_the_policies() -> None:
    """The first assessor's label comes first, missing ones are not there."""
    random = np.random.default_rng(2)
    labels = np.where(random.random((300, 3)) < 0.4, np.nan, random.integers(0, 3, (300, 3)))
    first = random.integers(0, 3, 300)
    labels[np.arange(300), first] = random.integers(0, 3, 300)
    for name in (name for name in POLICIES if name != "single"):
        decision = decide(find_policy(name), labels, first, np.array([0, 1, 2]))
        for row, (own, column) in enumerate(zip(labels, first, strict=True)):
            order = np.roll(own, -column)
            expected = find_policy(name).grade([int(grade) for grade in order if not np.isnan(grade)], (0, 1, 2))
            assert decision[row] == expected


# What comes of it


def test_oracles_change_nothing() -> None:
    """All agree, every policy gives the truth, every system stays; at random there is no kappa, if raw agreement."""
    oracles = rehearse_policies(["oracle", "oracle"], rules=["primary", "median-low", "max"])
    assert oracles.agreement["Cohen kappa"] == [1, 1, 1]
    for several in oracles.systems.values():
        for one in several:
            assert one == {"tau": 1, "tau_ap": 1, "max_change": 0, "top_left": 0, "best_lost": 0}
    random = rehearse_policies(["random", "random"], overlap=1)
    assert abs(np.mean(random.agreement["Cohen kappa"])) < 0.05
    assert np.mean(random.agreement["raw agreement"]) > 0.6


def test_three_who_err_are_better_than_one() -> None:
    """With all of them on everything, the median is nearer the truth than the first label."""
    rehearsal = rehearse_policies(["oracle:0.2"] * 3, overlap=1, rules=["primary", "median-low"])
    changes = {
        rule: np.mean([one["max_change"] for one in rehearsal.systems[rule, "AP"]])
        for rule in ("primary", "median-low")
    }
    assert changes["median-low"] < changes["primary"]


def test_the_cost() -> None:
    """Judgments and hours by hand: 1600 documents, of which a tenth are judged by three."""
    judged = collection()
    setting = RehearsalSetting([assessor_named("oracle")] * 3, 0.1, seconds=90)
    plan = rehearse(judged, setting, [find_policy("min")], parse_measures("AP"), unknown=100, repeats=1).plan
    assert (plan.documents, plan.twice, plan.judgments) == (1600, 160, 1600 + 100 + 2 * 160)
    assert plan.hours == pytest.approx(2020 * 90 / 3600)


def test_it_is_seeded() -> None:
    """The same seed the same outcome, whatever the policies asked for beside."""
    once = rehearse_policies(["strict", "tired"], rules=["min"], seed=4)
    again = rehearse_policies(["strict", "tired"], rules=["max", "min"], seed=4)
    other = rehearse_policies(["strict", "tired"], rules=["min"], seed=5)
    assert once.systems["min", "AP"] == again.systems["min", "AP"] != other.systems["min", "AP"]
    assert once.agreement == again.agreement


def test_json_has_stable_names() -> None:
    """What programs build on."""
    setting = RehearsalSetting([assessor_named("strict:0.5"), assessor_named("oracle")], 0.5)
    document = as_document(
        rehearse(collection(20), setting, [find_policy("min")], parse_measures("AP"), repeats=2), setting
    )
    assert set(document) == {"plan", "simulated", "agreement", "systems"}
    assert set(document["systems"][0]) == {
        "policy", "measure", "tau", "tau_min", "tau_ap", "max_change", "top_5_left", "best_lost",
    }  # fmt: skip
    assert set(document["agreement"][0]) == {"coefficient", "mean", "low", "high"}
    assert document["simulated"][0] == {"kind": "strict:0.5", "rate": 0.5}


# The command, on real data


def test_the_command(tmp_path: Path, cranfield: Cranfield) -> None:
    """Cost, agreement and systems; to a depth the unjudged of the pool are told and cost time; one line of errors."""
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 0\nq2 0 d1 1\nq2 0 d4 0\n")
    (tmp_path / "a").write_text("q1 Q0 d1 1 9 a\nq1 Q0 d9 2 8 a\nq2 Q0 d1 1 7 a\n")
    (tmp_path / "b").write_text("q1 Q0 d3 1 9 b\nq1 Q0 d1 2 8 b\nq2 Q0 d4 1 7 b\n")
    rehearse_files = partial(cranfield, "rehearse", *(tmp_path / name for name in ("qrels", "a", "b")))
    result = rehearse_files("--overlap", "100%", "--repeats", "2")
    assert result.code == 0, result.err
    assert "5 of these documents are judged by all assessors, so 3 assessors make 15 judgments in total." in result.out
    assert "At 80 seconds each, these take 0.3 hours, or 0.1 per assessor." in result.out
    deep = rehearse_files("--depth", "2", "--simulate", "oracle", "--overlap", "0")
    assert "4 documents on 2 topics (time is also planned for 1 document without a true grade)" in deep.out
    assert "No document is judged twice" in deep.out
    single = ("--policy", "single", "--overlap", "1", "--simulate", "oracle", "--simulate", "strict:1")
    for arguments, message in (
        (("--simulate", "lazy"), "'lazy' is not a simulated assessor"),
        (("--policy", "majority"), "tie rule"),
        (single, "policy single"),
        (("--overlap", "120%"), "the overlap is 120%; expected 0% to 100%"),
    ):
        wrong = rehearse_files(*arguments)
        assert (wrong.code, message in wrong.err) == (1, True)


def test_treccovid(shared: Path, cranfield: Cranfield) -> None:
    """On a real collection the default panel agrees about as far as people do, and the system ranking bears it."""
    folder = shared / "treccovid-r1"
    runs = sorted((folder / "runs").glob("*.gz"))[:12]
    result = cranfield(
        "rehearse", folder / "qrels-rnd1.txt.gz", *runs, "--overlap", "1", "--repeats", "2", "--format", "json"
    )
    document = json.loads(result.out)
    agreement = {row["coefficient"]: row["mean"] for row in document["agreement"]}
    assert document["plan"]["judgments"] == 3 * 8691
    assert 0.4 < agreement["overlap"] < 0.7
    by_policy = {row["policy"]: row for row in document["systems"] if row["measure"] == "AP"}
    assert by_policy["median-low"]["tau"] >= by_policy["primary"]["tau"] > 0.85


def test_a_grade_map_keeps_every_judged_position(shared: Path) -> None:
    """Robust 2003 with oracles: the scores are those of the truth, to the last digit."""
    source = robust(shared)
    judged = join_runs_and_qrels(source.runs.select(source.runs.tags[:4]), source.qrels)
    setting = RehearsalSetting([assessor_named("oracle")], 0)
    rehearsal = rehearse(judged, setting, [find_policy("primary")], parse_measures(["AP", "Bpref", "nDCG"]), repeats=1)
    assert all(several[0]["max_change"] == 0 for several in rehearsal.systems.values())
