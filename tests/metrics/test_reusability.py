"""Leave-one-out, against brute force and numbers computed elsewhere; clusters of near-duplicate runs."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import stdtrit
from scipy.stats import kendalltau

import cranfield as package
from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.judged import Judged, as_judged_blocks
from cranfield.arrays.rankings import Qrels, Runs
from cranfield.errors import CranfieldWarning, InputError, ProvenanceWarning
from cranfield.metrics.correlation.coefficients import tau_ap
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.reusability.leave_one_out import leave_one_out, pool_entry
from cranfield.metrics.reusability.near_duplicates import cluster_near_duplicates, shared_document_shares
from cranfield.metrics.reusability.results import Reusability, ScoreChange, UnitResult, t_critical_value
from cranfield.pooling.verify import pool_size, pooled_pairs
from tests import real
from tests.conftest import ROOT, Cranfield, usually
from tests.stores import new_store
from tests.views import view_of

Grades = dict[str, dict[str, int]]
Rankings = dict[str, dict[str, list[str]]]  # tag, qid: docnos, best first


# A small world: "a" alone has d1 and n1, "b" alone d3; "c" was not pooled.
RANKINGS = {
    "a": {"q": ["d1", "d2", "n1", "d3"], "p": ["e1"]},
    "b": {"q": ["d2", "x", "d3"], "p": ["e1"]},
    "c": {"q": ["d1", "d3", "n1"]},
}
QRELS = {"q": {"d1": 1, "d2": 1, "d3": 1, "n1": 0, "late": 1}, "p": {"e1": 1}}


def meeting(rankings: Rankings, qrels: Grades) -> Judged:
    runs = {
        tag: {qid: {docno: -float(rank) for rank, docno in enumerate(docnos)} for qid, docnos in run.items()}
        for tag, run in rankings.items()
    }
    return join_runs_and_qrels(as_runs(runs), as_qrels(qrels))


def change(left_out: Reusability, unit: str, run: str, measure: str) -> ScoreChange:
    (the,) = [x for u in left_out.units if u.unit == unit for x in u.changes if (x.run, x.measure) == (run, measure)]
    return the


def test_a_unit_may_lose_its_relevant_documents_only() -> None:
    """Of the judged documents d1 and n1, which `a` alone contributed, d1 is relevant; d3 is the one of `b`."""
    judged, units = meeting(RANKINGS, QRELS), {"A": ["a"], "B": ["b"]}
    for relevant_only, unique in ((False, [(2, 1), (1, 1)]), (True, [(1, 1), (1, 1)])):
        left_out = leave_one_out(judged, units, 3, measures="P@3", relevant_only=relevant_only)
        assert [(unit.unique, unit.unique_relevant) for unit in left_out.units] == unique


@pytest.fixture
def small() -> Reusability:
    return leave_one_out(
        meeting(RANKINGS, QRELS), {"A": ["a"], "B": ["b"]}, 3, measures=["P@1", "R"], by="team", pool_documents=6
    )


def test_the_documents_that_only_one_unit_pooled_are_removed(small: Reusability) -> None:
    """Relevant or not. Beyond the depth, or in a run that was not pooled, does not count as pooled."""
    a, b = small.units
    assert (a.unique, a.unique_relevant) == (2, 1)
    assert (b.unique, b.unique_relevant) == (1, 1)
    assert (small.pool.documents, small.pool.judged, small.pool.unjudged, small.pool.judged_outside) == (6, 5, 1, 1)


def test_everybody_is_scored_anew(small: Reusability) -> None:
    """Without A, d1 is unjudged: recall is now over d2, d3 and late, and P@1 of a falls from 1 to 1/2."""
    assert change(small, "A", "a", "P@1") == ScoreChange("a", "P@1", 1.0, 0.5, 1, 2, rank_alone=2)
    assert change(small, "A", "a", "R").full == pytest.approx((3 / 4 + 1) / 2)
    assert change(small, "A", "a", "R").reduced == pytest.approx((2 / 3 + 1) / 2)
    assert change(small, "B", "b", "R").reduced == pytest.approx((1 / 3 + 1) / 2)


def test_a_loss_is_negative_and_the_absolute_change_is_not() -> None:
    """Of a negative score, too: utility falls from -.4 to -.5."""
    for full, without, percent in ((0.5, 0.4, -20), (0.5, 0.6, 20), (-0.4, -0.5, -25), (-0.4, -0.3, 25)):
        the = ScoreChange("a", "AP", full, reduced=without, full_rank=1, reduced_rank=3, rank_alone=3)
        assert [the.change_percent, the.absolute_percent] == pytest.approx([percent, abs(percent)])
    assert np.isnan(ScoreChange("a", "AP", 0.0, reduced=0.0, full_rank=1, reduced_rank=1, rank_alone=1).change_percent)


def test_tied_runs_share_the_better_rank() -> None:
    """All three runs score 1; without its document the one left out is last, of three."""
    rankings = {tag: {"q": [tag]} for tag in "xyz"}
    judged = meeting(rankings, {"q": dict.fromkeys("xyz", 1)})
    left_out = leave_one_out(judged, {tag: [tag] for tag in "xyz"}, 1, measures=["P@1"])
    assert change(left_out, "y", "y", "P@1") == ScoreChange("y", "P@1", 1.0, 0.0, 1, 3, rank_alone=3)


def test_tau_is_nan_where_all_scores_tie() -> None:
    rankings = {tag: {"q": [tag]} for tag in "xy"}
    left_out = leave_one_out(meeting(rankings, {"q": {"x": 1, "y": 1}}), {"x": ["x"]}, 1, measures=["P@1"])
    assert np.isnan(left_out.units[0].tau["P@1"])
    assert np.isnan(left_out.units[0].tau_ap["P@1"])
    assert np.isnan(left_out.summary["P@1"].tau_min)
    assert left_out.to_json()["units"][0]["tau"]["P@1"] is None


def test_protected_documents_are_unique_to_none() -> None:
    judged = meeting(RANKINGS, QRELS)
    protected = np.ones(len(judged.qrels_grade), bool)
    left_out = leave_one_out(judged, {"A": ["a"], "B": ["b"]}, 3, measures=["AP"], protected=protected)
    assert [unit.unique for unit in left_out.units] == [0, 0]
    assert left_out.pool.judged == 5


def test_runs_may_be_pooled_to_different_depths() -> None:
    """Pooled to depth 1, "b" no longer has d3, which nobody has then."""
    judged = meeting(RANKINGS, QRELS)
    left_out = leave_one_out(judged, {"A": ["a"], "B": ["b"]}, {"a": 3, "b": 1}, measures=["AP"])
    assert [unit.unique for unit in left_out.units] == [2, 0]
    assert left_out.pool.judged_outside == 2
    assert left_out.to_json()["depth"] == {"a": 3, "b": 1}


def test_one_entry_pass_serves_every_depth() -> None:
    judged = meeting(RANKINGS, QRELS)
    unit_of_row = np.array([0, 1, -1])[judged.ranking // len(judged.qids)]
    everywhere = pool_entry(judged, unit_of_row)
    for depth in range(1, 6):
        shallow = pool_entry(judged, np.where(judged.rank <= depth, unit_of_row, -1))
        assert everywhere.unique(depth).tolist() == shallow.unique(depth).tolist()
        assert everywhere.pooled(depth).tolist() == shallow.pooled(depth).tolist()


def test_a_unit_without_unique_documents_changes_nothing_exactly() -> None:
    rankings = {**RANKINGS, "copy": RANKINGS["a"]}
    measures = ["AP", "nDCG", "Bpref", "ERR", "Judged@3", "P(rel=0)@2"]
    left_out = leave_one_out(meeting(rankings, QRELS), {t: [t] for t in rankings}, 3, measures=measures)
    for name in ("a", "copy"):
        (unit,) = [unit for unit in left_out.units if unit.unit == name]
        assert unit.unique == 0
        assert all(x.full == x.reduced and x.full_rank == x.reduced_rank for x in unit.changes)
        assert [*unit.tau.values()] == pytest.approx([1] * len(measures))


def test_the_highest_grade_stays_that_of_the_collection() -> None:
    """ERR's scale must not shrink because the only document of the highest grade is left out."""
    judged = meeting({"x": {"q": ["d", "e"]}, "y": {"q": ["e"]}}, {"q": {"d": 3, "e": 1}})
    left_out = leave_one_out(judged, {"x": ["x"], "y": ["y"]}, 2, measures=["ERR"])
    assert change(left_out, "x", "x", "ERR").reduced == pytest.approx(1 / 8 / 2)


def test_the_json_is_the_documented_shape(small: Reusability) -> None:
    document = json.loads(json.dumps(small.to_json(), allow_nan=False))
    assert list(document) == [
        "by",
        "depth",
        "topics",
        "pool",
        "units",
        "untested",
        "draws",
        "not_drawn",
        "no_verdict",
        "summary",
    ]
    assert (document["by"], document["depth"], document["topics"]) == ("team", 3, 2)
    pool = {"documents": 6, "judged": 5, "unjudged": 1, "judged_outside": 1}
    assert document["pool"] == pool | {"relevant": 4, "unexplained": 1, "relevant_unexplained": 1, "to_come": 0}
    assert document["no_verdict"] is None
    unit = document["units"][0]
    assert list(unit) == ["unit", "runs", "unique", "unique_relevant", "tau", "tau_ap", "flips", "missed", "scores"]
    assert (unit["unit"], unit["runs"], list(unit["tau"])) == ("A", ["a"], ["P@1", "R"])
    assert unit["scores"][0] == {
        "run": "a",
        "measure": "P@1",
        "full": 1.0,
        "reduced": 0.5,
        "full_rank": 1,
        "reduced_rank": 2,
        "rank_alone": 2,
        "reduced_low": None,
        "reduced_high": None,
        "change_percent": -50.0,
    }
    assert document["summary"]["P@1"] == {
        "mean_change_percent": 25.0,
        "max_change_percent": 50.0,
        "max_rank_drop": 1,
        "tau_min": pytest.approx(small.units[0].tau["P@1"]),
        "tau_mean": pytest.approx(np.mean([unit.tau["P@1"] for unit in small.units])),
        "missed": 0,
        "mean_change_low": None,
        "mean_change_high": None,
    }


def test_an_undefined_change_is_none_and_left_out_of_the_summary() -> None:
    judged = meeting({"x": {"q": ["n"]}, "y": {"q": ["d"]}}, {"q": {"d": 1, "n": 0}})
    document = leave_one_out(judged, {"x": ["x"]}, 1, measures=["AP"], protected=judged.qrels_grade == 1).to_json()
    assert document["units"][0]["scores"][0]["change_percent"] is None
    assert document["summary"]["AP"]["mean_change_percent"] is None
    assert document["pool"]["documents"] is document["pool"]["unjudged"] is None


@pytest.mark.parametrize(
    ("units", "depth", "message"),
    [
        ({"A": ["nobody"]}, 3, "the pooled run 'nobody' is not among the runs"),
        ({"A": ["a"], "B": ["a"]}, 3, "a run is in two units"),
        ({"A": ["a"]}, 0, "the depth of run 'a' is 0; expected at least 1"),
        ({"A": ["a"]}, {"b": 3}, "there is no depth for the pooled run 'a'"),
    ],
)
def test_units_that_make_no_sense_are_refused(
    units: dict[str, list[str]], depth: int | dict[str, int], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        leave_one_out(meeting(RANKINGS, QRELS), units, depth, measures=["AP"])


# Real collections


@pytest.fixture(scope="module")
def robust(shared: Path) -> tuple[Runs, Qrels]:
    return real.robust(shared).runs, real.robust(shared).qrels


def as_lists(runs: Runs) -> Rankings:
    lists: Rankings = {tag: {} for tag in runs.tags}
    names = zip(runs.run.tolist(), runs.topics.names[runs.topic], runs.docnos.names[runs.document], strict=True)
    for run, qid, docno in names:
        lists[runs.tags[run]].setdefault(qid, []).append(docno)
    return lists


def as_dicts(qrels: Qrels) -> Grades:
    grades: Grades = {}
    names = zip(qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], qrels.grade.tolist(), strict=True)
    for qid, docno, grade in names:
        grades.setdefault(qid, {})[docno] = grade
    return grades


Ranks = dict[str, dict[str, list[tuple[int, str]]]]  # tag, qid: rank and docno of what is relevant


def mean_ap(run: dict[str, list[tuple[int, str]]], relevant: dict[str, set[str]]) -> float:
    total = 0.0
    for qid, docnos in relevant.items():
        ranks = [rank for rank, docno in run[qid] if docno in docnos]
        total += sum(nth / rank for nth, rank in enumerate(ranks, 1)) / len(docnos) if docnos else 0.0
    return total / len(relevant)


def brute_force(rankings: Rankings, grades: Grades, depth: int) -> Iterator[tuple[str, int, int, float, float, float]]:
    """By run: its tag, unique judged, unique relevant, AP full and reduced, tau of the whole ranking."""
    relevant = {qid: {d for d, grade in docs.items() if grade > 0} for qid, docs in grades.items()}
    ranks: Ranks = {
        tag: {qid: [(i, d) for i, d in enumerate(run.get(qid, ()), 1) if d in relevant[qid]] for qid in grades}
        for tag, run in rankings.items()
    }
    top = {
        tag: {qid: set(run.get(qid, ())[:depth]) & set(grades[qid]) for qid in grades} for tag, run in rankings.items()
    }
    full = {tag: mean_ap(run, relevant) for tag, run in ranks.items()}
    for tag in rankings:
        unique = {qid: top[tag][qid].difference(*(top[t][qid] for t in top if t != tag)) for qid in grades}
        rest = {qid: relevant[qid] - unique[qid] for qid in grades}
        without = {other: mean_ap(run, rest) for other, run in ranks.items()}
        tau = kendalltau([*full.values()], [*without.values()]).statistic
        number = sum(len(unique[qid] & relevant[qid]) for qid in grades)
        yield tag, sum(map(len, unique.values())), number, full[tag], without[tag], tau


def test_robust_2003_by_run_is_brute_force(robust: tuple[Runs, Qrels]) -> None:
    everything, qrels = robust
    runs = everything.select(everything.tags[:: usually(4, 1)])
    left_out = leave_one_out(join_runs_and_qrels(runs, qrels), {tag: [tag] for tag in runs.tags}, 125, measures=["AP"])
    reference = list(brute_force(as_lists(runs), as_dicts(qrels), 125))
    assert len(left_out.units) == len(reference) == usually(5, 17)
    for unit, (tag, unique, unique_relevant, full, without, tau) in zip(left_out.units, reference, strict=True):
        (own,) = unit.changes
        assert (unit.unit, unit.unique, unit.unique_relevant) == (tag, unique, unique_relevant)
        assert [own.full, own.reduced, unit.tau["AP"]] == pytest.approx([full, without, tau], abs=1e-9)


def test_a_copy_of_a_run_leaves_both_without_a_change(robust: tuple[Runs, Qrels]) -> None:
    runs, qrels = robust
    size, rows = len(runs.tags), runs.run == 0
    twice = replace(
        runs,
        tags=(*runs.tags, "copy"),
        run=np.concatenate([runs.run, np.full(rows.sum(), size)]),
        topic=np.concatenate([runs.topic, runs.topic[rows]]),
        document=np.concatenate([runs.document, runs.document[rows]]),
        scores=np.concatenate([runs.score, runs.score[rows]]),
    )
    left_out = leave_one_out(
        join_runs_and_qrels(twice, qrels), {tag: [tag] for tag in twice.tags}, 125, measures=["AP", "nDCG@10"]
    )
    units: dict[str, UnitResult] = {unit.unit: unit for unit in left_out.units}
    assert units[runs.tags[1]].unique > 0
    for tag in (runs.tags[0], "copy"):
        assert units[tag].unique == 0
        assert [x.change_percent for x in units[tag].changes] == [0, 0]


@pytest.fixture(scope="module")
def covid(shared: Path) -> tuple[Judged, dict[str, list[str]], Qrels]:
    """TREC-COVID round 1: the judged runs, the pooled runs by team, the judgments."""
    source = real.covid(shared)
    return source.judged, real.covid_teams(shared), source.qrels


def test_trec_covid_by_team(covid: tuple[Judged, dict[str, list[str]], Qrels]) -> None:
    """Own AP changes by 10.95 % on average and 76 % at most, tau is .988 at least; unprotected AP changes by more."""
    judged, teams, qrels = covid
    assert qrels.iteration is not None
    earlier = (qrels.iteration == "0.5")[judged.qrels_row]
    left_out = leave_one_out(judged, teams, 7, measures=["AP", "nDCG@10", "P@5"], protected=earlier, by="team")
    assert sum(map(len, teams.values())) == 56
    assert left_out.summary["AP"].mean_change_percent == pytest.approx(10.95, abs=0.005)
    assert left_out.summary["AP"].max_change_percent == pytest.approx(76, abs=0.5)
    assert left_out.summary["AP"].tau_min == pytest.approx(0.988, abs=0.0005)
    assert left_out.summary["AP"].max_rank_drop == 25
    assert left_out.pool.judged == 6953
    plain = leave_one_out(judged, teams, 7, measures=["AP"], by="team")
    assert plain.summary["AP"].mean_change_percent == pytest.approx(12.05, abs=0.005)


def test_the_docs_say_how_their_numbers_are_obtained(
    shared: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command in docs/explanation/verdict.md (`--protect 0.5`) finds the change and the tau on that page."""
    page = (ROOT / "docs" / "explanation" / "verdict.md").read_text(encoding="utf-8")
    (words,) = re.findall(r"^cranfield (reusability qrels-rnd1.*)$", page, re.MULTILINE)
    folder = shared / "treccovid-r1"
    names = {"qrels-rnd1.txt": [folder / "qrels-rnd1.txt.gz"], "teams.tsv": [folder / "teams.tsv"]}
    monkeypatch.setattr(
        "cranfield.view.read_source", lambda *_, **__: real.covid(shared)._source
    )  # read once in a process
    names["runs/*"] = sorted((folder / "runs").iterdir())
    arguments = [path for word in words.split() for path in names.get(word, [word])]
    result = cranfield(*arguments, "-m", "AP", "--format", "json")
    document = json.loads(result.out)["summary"]["AP"]
    assert f"{document['mean_change_percent']:.2f}%" in page
    assert (round(document["max_change_percent"]), round(document["tau_min"], 3)) == (76, 0.988)


def test_a_team_brings_at_least_what_its_runs_bring_alone(robust: tuple[Runs, Qrels]) -> None:
    judged = join_runs_and_qrels(*robust)
    by_run = leave_one_out(judged, {tag: [tag] for tag in judged.tags}, 50, measures=["AP"])
    pairs = {f"pair{i}": list(judged.tags[i : i + 2]) for i in range(0, 17, 2)}
    by_pair = leave_one_out(judged, pairs, 50, measures=["AP"], by="team")
    alone = {unit.unit: unit.unique for unit in by_run.units}
    for unit in by_pair.units:
        assert unit.unique >= sum(alone[tag] for tag in unit.runs)


def test_tau_ap_takes_the_full_judgments_as_the_truth(small: Reusability) -> None:
    """P@1 of a, b, c: 1, 1, 1/2 under all judgments, 1/2, 1, 0 without A."""
    assert small.units[0].tau_ap["P@1"] == tau_ap(truth=[1, 1, 0.5], estimate=[0.5, 1, 0])


Ranking = list[int]
rankings = st.lists(st.integers(0, 9), unique=True, max_size=8)


def scores_of(ranking: Ranking) -> dict[str, float]:
    return {f"d{document}": float(len(ranking) - place) for place, document in enumerate(ranking)}


def runs_of(several: list[list[Ranking]]) -> dict[str, dict[str, dict[str, float]]]:
    """Runs, a ranking a topic."""
    return {f"r{n}": {f"q{t}": scores_of(r) for t, r in enumerate(topics) if r} for n, topics in enumerate(several)}


@settings(deadline=None, max_examples=usually(25, 60))
@given(st.lists(st.tuples(rankings, rankings), min_size=2, max_size=4), st.integers(1, 12))
def test_shared_documents_equal_those_counted_one_by_one(several: list[tuple[Ranking, Ranking]], depth: int) -> None:
    """For rankings of all lengths, over all topics; the larger of two runs divides."""
    topics = [list(each) for each in several]
    if not any(ranking for each in topics for ranking in each):
        return
    runs = as_runs(runs_of(topics))
    shares, names = shared_document_shares(runs, depth), [f"r{number}" for number in range(len(topics))]
    first = {
        tag: {(topic, document) for topic, ranking in enumerate(topics[at]) for document in ranking[:depth]}
        for at, tag in enumerate(names)
    }
    for a, one in enumerate(runs.tags):
        for b, other in enumerate(runs.tags):
            larger = max(len(first[one]), len(first[other]))
            expected = 1.0 if a == b else len(first[one] & first[other]) / max(larger, 1)
            assert shares[a, b] == pytest.approx(expected, abs=1e-12)


def test_near_duplicates_are_one_cluster() -> None:
    """A copy joins its original in any order of its documents; chains join; a smaller share joins more."""
    alike, half = list(range(10)), [*range(5), *range(20, 25)]
    runs = as_runs(runs_of([[alike], [half], [alike[::-1]]]))
    assert cluster_near_duplicates(runs, 10) == {"r0 +1": ["r0", "r2"], "r1": ["r1"]}
    assert cluster_near_duplicates(runs, 5) == {"r0 +1": ["r0", "r1"], "r2": ["r2"]}
    assert cluster_near_duplicates(runs, 10, 0.5) == {"r0 +2": ["r0", "r1", "r2"]}
    assert cluster_near_duplicates(runs.select(["r1"]), 10) == {"r1": ["r1"]}


def test_treccovid_has_known_doubles(shared: Path) -> None:
    """Of 143 runs, variants of one system are found together, and others are not."""
    folder = shared / "treccovid-r1"
    names = ("bm25_baseline", "bm25_basline", "uogTrDPH_QE", "uogTrDPH_QE_QQ", "sab20.1.meta.docs", "run1")
    files = [path for path in sorted((folder / "runs").iterdir()) if path.name.removesuffix(".gz") in names]
    assert len(files) == len(names)
    groups = cluster_near_duplicates(view_of([folder / "qrels-rnd1.txt.gz", *files]).runs, 7)
    assert ["bm25_baseline", "bm25_basline"] in [sorted(tags) for tags in groups.values()]
    assert ["run1"] in groups.values()


def test_the_critical_value_of_t_is_that_of_scipy() -> None:
    """To 9 digits, for even and odd degrees of freedom; older versions of SciPy have no more."""
    for freedom in (*range(1, 60), 6979, 6980):
        for alpha in (0.01, 0.05, 0.5):
            assert t_critical_value(freedom, alpha) == pytest.approx(stdtrit(freedom, 1 - alpha / 2), rel=1e-9)


def test_the_size_of_a_pool_is_how_many_pairs_it_has() -> None:
    """Each run down to its own depth, in judged topics; a document of two runs or two topics is counted by topic."""
    runs = as_runs({"a": {"1": {"x": 3, "y": 2, "z": 1}, "2": {"x": 1}}, "b": {"1": {"y": 2, "w": 1}, "3": {"v": 1}}})
    qrels = as_qrels({"1": {"x": 1}, "2": {"u": 0}})
    assert pooled_pairs(runs, qrels, np.array([2, 1])) == {("1", "x"), ("1", "y"), ("2", "x")}
    assert pool_size(runs, as_judged_blocks(join_runs_and_qrels(runs, qrels)), qrels, {"a": 2, "b": 1}) == 3


@pytest.mark.parametrize("seed", range(4))
def test_the_size_of_a_pool_is_that_of_its_pairs(seed: int) -> None:
    """Also where some runs were not pooled, a judged topic was not answered, and only a few documents were judged."""
    random = np.random.default_rng(seed)
    lists = {tag: {qid: {f"d{d}": 1 / (1 + n) for n, d in enumerate(random.permutation(12)[: random.integers(0, 9)])}
                   for qid in "123"} for tag in "abcd"}  # fmt: skip
    runs = as_runs({tag: {qid: scores for qid, scores in run.items() if scores} for tag, run in lists.items()})
    qrels = as_qrels({qid: {f"d{d}": int(d % 2) for d in random.permutation(12)[:6]} for qid in "134"})
    depths = {"a": 3, "b": 5, "d": 1}
    pairs = pooled_pairs(runs.select([*depths]), qrels, np.array([*depths.values()]))
    assert pool_size(runs, as_judged_blocks(join_runs_and_qrels(runs, qrels)), qrels, depths) == len(pairs)


def test_each_run_is_pooled_to_its_own_depth() -> None:
    depths = {"a": 1, "b": 2, "c": 3}
    runs = as_runs({tag: {"1": {f"{tag}{rank}": 9 - rank for rank in range(1, 5)}} for tag in depths})
    expected = {("1", f"{tag}{rank}") for tag, depth in depths.items() for rank in range(1, depth + 1)}
    assert pooled_pairs(runs, as_qrels({"1": {"x": 1}}), np.array([*depths.values()])) == expected


def test_a_late_run_with_unjudged_documents_is_not_tested(tmp_path: Path, cranfield: Cranfield) -> None:
    """Its row has no change, and the mean is that of the pool without it; judged, it is tested like the others."""
    path, topics = tmp_path / "t.db", [f"q{number}" for number in range(4)]
    documents = [f"d{number}" for number in range(9)]
    runs = {
        "a": {qid: {"d0": 3.0, "d1": 2.0, "d2": 1.0} for qid in topics},
        "b": {qid: {"d1": 3.0, "d3": 2.0, "d4": 1.0} for qid in topics},
        "c": {qid: {"d4": 3.0, "d5": 2.0, "d0": 1.0} for qid in topics},
    }
    labels = {qid: {f"d{number}": number % 2 for number in range(6)} for qid in topics}
    new_store(path, topics=topics, documents=documents, runs=runs, qrels={"ada": labels}, people=["ada"]).close()
    late = "".join(
        f"{qid} Q0 d{number} {place} {-place} late\n" for qid in topics for place, number in enumerate((6, 7, 8, 0))
    )
    (tmp_path / "late.run").write_text(late)
    cranfield("pool", "build", path, "--depth", "3")
    before = package.trust.reusability(path, by="run", measures="P@2")
    cranfield("import", "runs", path, tmp_path / "late.run")
    cranfield("pool", "extend", path, "--run", "late")

    shown = cranfield("reusability", path, "--by", "run", "-m", "P@2")
    assert "late is not tested, because 12 of the 12 documents at its pooled ranks are unjudged." in " ".join(
        shown.err.split()
    )
    assert [line.split()[-4:] for line in shown.out.splitlines() if line.startswith("late ")] == [["-", "4", "-", "-"]]
    with pytest.warns(CranfieldWarning, match="late is not tested"):
        after = package.trust.reusability(path, by="run", measures="P@2")
    assert [unit.unit for unit in after.left_out.units] == ["a", "b", "c"]
    means = [found.left_out.summary["P@2"].mean_change_percent for found in (before, after)]
    assert means[0] == means[1] > 0
    row = after.frame.set_index("run").loc["late"]
    assert row[["reduced", "change_percent", "reduced_rank", "tau"]].isna().all()
    assert [unit["unit"] for unit in json.loads(after.to_json())["untested"]] == ["late"]

    (tmp_path / "more.qrels").write_text("".join(f"{qid} 0 d{n} {n % 2}\n" for qid in topics for n in (6, 7, 8)))
    cranfield("import", "qrels", path, tmp_path / "more.qrels", "--assessor", "bob")
    with pytest.warns(ProvenanceWarning):
        tested = package.trust.reusability(path, by="run", measures="P@2").left_out
    assert (len(tested.units), tested.untested) == (4, ())
