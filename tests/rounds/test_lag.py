"""Systems from round to round, and what late runs need; on TREC-COVID to the digit of what was published of it."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield as package
from cranfield.analysis.delta import plan_delta
from cranfield.analysis.lag import compare_rounds
from cranfield.arrays.rankings import Floats
from cranfield.errors import CranfieldWarning
from cranfield.formats import read_qrels
from cranfield.store.chain import Event
from cranfield.store.log import append
from cranfield.store.pools import stored_pool
from cranfield.store.qrels import qrels_of_topic
from cranfield.store.runs import run_info
from cranfield.store.store import Store
from cranfield.store.withdrawals import withdraw
from tests.conftest import Cranfield
from tests.rounds.test_rounds import JUDGED, RUNS, living, qrels_file, run_file
from tests.stores import new_file


def test_a_system_in_two_rounds(tmp_path: Path, cranfield: Cranfield) -> None:
    """Its means are those of evaluate; the change is relative to the first; topics common to both are asked for."""
    track = living(tmp_path, cranfield)
    own = {}
    for number in ("1", "2"):
        words = ("evaluate", track, "--round", number, "-m", "P@5", "--per-topic", "--format", "json")
        scores = json.loads(cranfield(*words).out)["scores"]
        own[number] = {one["query_id"]: one["value"] for one in scores if one["run"].rpartition("/")[2] == "a"}
    with pytest.warns(CranfieldWarning, match="left out: 2 rows judged earlier"):
        whole = package.rounds.compare_systems(track, ["1", "2"], measures="P@5").frame.iloc[0]
    assert (whole["first"], whole["now"]) == pytest.approx((own["1"]["all"], own["2"]["all"]))
    assert whole["change"] == pytest.approx(own["2"]["all"] / own["1"]["all"] - 1)
    with pytest.warns(CranfieldWarning, match="left out: 2 rows judged earlier"):
        common = package.rounds.compare_systems(track, ["1", "2"], measures="P@5", topics="common").frame.iloc[0]
    both = sorted(own["1"].keys() & own["2"].keys() - {"all"})
    assert (common["topics"], common["now"]) == (len(both), pytest.approx(np.mean([own["2"][q] for q in both])))


def test_of_two_teams_it_is_declared(tmp_path: Path, cranfield: Cranfield) -> None:
    """A tag of two teams is no system, until somebody says so."""
    track = living(tmp_path, cranfield, rounds=1)
    cranfield("round", "close", track, "1")
    cranfield("round", "start", track, "2")
    (tmp_path / "teams.tsv").write_text("run\tteam\na\tothers\n")
    cranfield("import", "runs", track, run_file(tmp_path, "a", RUNS[2]["a"]), "--teams", tmp_path / "teams.tsv")
    cranfield("import", "qrels", track, qrels_file(tmp_path, JUDGED[2]), "--assessor", "ada")
    output = cranfield("lag", track, "--rounds", "1,2", "--run", "a")
    assert "1/a/a and 2/others/a are from different teams" in output.err
    assert cranfield("round", "same", track, "2/a", "1/a/a").code == 0
    with pytest.warns(CranfieldWarning, match="left out"):
        result = package.rounds.compare_systems(track, ["1", "2"], runs=["a"], measures="AP")
    assert cranfield.out("lag", track, "--rounds", "1,2", "--run", "a", "-m", "AP", "--format", "latex") == (
        result.to_latex()
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rounds", "1"], "rounds 1; expected at least two different rounds, such as --rounds 1,2"),
        (["--rounds", "1,3"], "no round '3' in this store; available: 1, 2"),
        (["--rounds", "1,2", "--pivot", "c"], "system 'c' does not have a run in each of these rounds"),
        (["--rounds", "1,2", "--pivot", "a"], "no system except the pivot took part in all of these rounds"),
    ],
)
def test_bad_input(tmp_path: Path, cranfield: Cranfield, words: list[str], message: str) -> None:
    output = cranfield("lag", living(tmp_path, cranfield), *words)
    assert (output.code, output.out, output.err.count("\n")) == (1, "", 1)
    assert message in output.err


def test_a_run_that_is_withdrawn_is_of_no_system(tmp_path: Path, cranfield: Cranfield) -> None:
    """Nor is there anything to score in a round of which no run counts."""
    track = living(tmp_path, cranfield)
    cranfield("store", "withdraw", track, "run", "2/a", "c", "--reason", "wrong")
    output = cranfield("lag", track, "--rounds", "1,2")
    assert output.err.count("no system took part in all of these rounds; choose other rounds\n") == 1
    assert cranfield("evaluate", track, "--round", "2").err.endswith(
        "this round contains no runs, or all of them are withdrawn\n"
    )


def test_intervals_hold_what_they_are_of() -> None:
    """Without differences between topics they have no width; with two topics or fewer there is none."""
    even = [np.full(10, level) for level in (0.4, 0.5, 0.2, 0.4)]
    row = compare_rounds(even)
    for name, value in {"change": 0.25, "delta_ri": 0.75, "er": 0.5}.items():
        assert [row[f"{name}{end}"] for end in ("", "_low", "_high")] == pytest.approx([value] * 3)
    assert np.isnan(compare_rounds([column[:1] for column in even])["change_low"])


def with_late_run(folder: Path, cranfield: Cranfield) -> Path:
    """A store of two rounds and a pool, to which a run came late."""
    track = living(folder, cranfield)
    cranfield("pool", "build", track, "--depth", 2)
    cranfield("import", "runs", track, run_file(folder, "late", RUNS[3]["late"]))
    return track


def needs_of_late(track: Path) -> set[tuple[str, str]]:
    return {
        *package.pooling.list_unjudged(track, runs=["late"])[["query_id", "doc_id"]].itertuples(index=False, name=None)
    }


def test_what_a_late_run_needs(tmp_path: Path, cranfield: Cranfield) -> None:
    """Every pair down to the depth that nobody judged; nothing is pooled; the pairs go to a file."""
    track = with_late_run(tmp_path, cranfield)
    words = ("pool", "extend", track, "--run", "late", "--dry-run")
    document = json.loads(cranfield(*words, "--format", "json", "-o", tmp_path / "pairs.csv").out)
    heads = cranfield(*words).out.splitlines()[1].split("  ")
    assert [one.strip() for one in heads if one] == [
        "run", "to judge", "topics", "of no other run", "hours", "nDCG@10 if none relevant", "if all relevant",
    ]  # fmt: skip
    judged = {(qid, docno) for number in (1, 2) for qid, docno, _ in JUDGED[number]}
    new = {(q, d) for q, docnos in RUNS[3]["late"].items() for d in docnos[:2] if (q, d) not in judged}
    assert (document["depth"], document["runs"][0]["pairs"]) == (2, len(new))
    with (tmp_path / "pairs.csv").open() as file:
        assert {(row["query_id"], row["doc_id"]) for row in csv.DictReader(file)} == new
    assert needs_of_late(track) == new
    with Store.open(track) as store:
        assert store.count("pool") == 1


def test_a_late_run_of_a_depth_of_its_own(tmp_path: Path, cranfield: Cranfield) -> None:
    """It needs what it has down to that, which is what the pool gets; also where nothing was judged yet."""
    track = new_file(tmp_path / "new.db", runs={"a": {"1": {"d1": 1.0}}})
    (tmp_path / "teams.tsv").write_text("run\tteam\tdepth\nlate\tl\t1\n")
    cranfield("pool", "build", track, "--depth", 2)
    late = run_file(tmp_path, "late", RUNS[3]["late"])
    cranfield("import", "runs", track, late, "--teams", tmp_path / "teams.tsv")
    (row,) = json.loads(cranfield("pool", "extend", track, "--dry-run", "--format", "json").out)["runs"]
    assert (row["pairs"], row["nDCG@10 if none"]) == (3, None)
    assert cranfield("pool", "extend", track, "--delta").code == 0
    with Store.open(track) as store:
        _, own, new = ({(one.qid, one.docno) for one in stored_pool(store, number).documents} for number in (1, 2, 3))
    assert own < new


def test_a_delta_is_a_pool_and_a_bundle(tmp_path: Path, cranfield: Cranfield) -> None:
    """The longer pool has all of it; the bundle has just that; once it is judged and back, nothing is left."""
    track = with_late_run(tmp_path, cranfield)
    needs = needs_of_late(track)
    assert cranfield("pool", "extend", track, "--run", "late").code == 0
    assert cranfield("assign", track, "--assessor", "eve").code == 0
    output = cranfield("export", "bundle", track, tmp_path / "eve.db", "--assessor", "eve", "--unjudged")
    assert output.code == 0, output.err
    with Store.open(track) as store, Store.open(tmp_path / "eve.db") as bundle:
        judged = {(qid, docno) for number in (1, 2) for qid, docno, _ in JUDGED[number]}
        pooled = {(one.qid, one.docno) for one in stored_pool(store).documents}
        in_bundle = {(one.qid, one.docno) for one in stored_pool(bundle).documents}
        assert needs <= in_bundle == pooled - judged  # the pool had unjudged documents before
        assert f"{len(in_bundle)} documents to judge" in output.out
        assert run_info(bundle) == {}
        append(bundle, *(Event("label", qid, docno, "eve", 1) for qid, docno in sorted(in_bundle)))
    assert cranfield("import", "bundle", track, tmp_path / "eve.db").code == 0
    assert len(package.pooling.list_unjudged(track, runs=["late"])) == 0
    output = cranfield("export", "bundle", track, tmp_path / "none.db", "--assessor", "eve", "--unjudged")
    assert (output.code, output.err.endswith("'eve' has already judged all assigned documents\n")) == (1, True)


def test_a_delta_is_a_pool_of_its_own(tmp_path: Path, cranfield: Cranfield) -> None:
    """Just what is to be judged, for whoever is given it; the newest pool, of verdicts, has everything. Once."""
    track = with_late_run(tmp_path, cranfield)
    needs = needs_of_late(track)
    (copy := tmp_path / "copy.db").write_bytes(track.read_bytes())
    output = cranfield("pool", "extend", track, "--run", "late", "--delta")
    assert (output.code, output.out.startswith(f"pool 2: to depth 2, {len(needs)} documents in ")) == (0, True), output
    package.pooling.list_unjudged(copy, runs=["late"], keep=True)
    for path in (track, copy):
        with Store.open(path) as store:
            pools = [stored_pool(store, number) for number in (1, 2, 3)]
            assert stored_pool(store) == pools[2]
        old, own, new = ({(one.qid, one.docno) for one in pool.documents} for pool in pools)
        assert own == needs
        assert new == old | {(qid, docno) for qid, docnos in RUNS[3]["late"].items() for docno in docnos[:2]}
    cranfield("assign", track, "--assessor", "eve", "--pool", 2)
    output = cranfield("export", "bundle", track, tmp_path / "eve.db", "--assessor", "eve")
    assert f"{len(needs)} documents to judge" in output.out
    for words, message in (
        ((), "pool 3 already has these documents; hand out"),
        (("--dry-run",), "cannot be combined with --dry-run"),
    ):
        output = cranfield("pool", "extend", track, "--run", "late", "--delta", *words)
        assert (output.code > 0, message in " ".join(output.err.split())) == (True, True), output
    with Store.open(track) as store:
        assert store.count("pool") == 3


@pytest.fixture
def covid(shared: Path, tmp_path: Path, cranfield: Cranfield) -> Path:
    """TREC-COVID's first round: all runs and labels, and the pool of one run a team."""
    first, track = shared / "treccovid-r1", tmp_path / "covid.db"
    cranfield("init", track, "--name", "TREC-COVID", "--scale", "0=no,1=partly,2=yes")
    words = ("--tag-from-name", "--teams", first / "teams.tsv")
    assert cranfield("import", "runs", track, first / "runs", *words).code == 0
    assert cranfield("import", "qrels", track, first / "qrels-rnd1.txt.gz", "--assessor", "nist").code == 0
    assert "6,959 documents for 30 topics from 56 runs" in cranfield("pool", "build", track, "--depth", 7).out
    return track


@pytest.mark.daily
def test_covid_deltas(covid: Path, shared: Path) -> None:
    later = read_qrels(shared / "treccovid-r2" / "qrels.covid-round2.txt.xz")
    pairs = zip(later.topics.names[later.topic], later.docnos.names[later.document], strict=True)
    grade = dict(zip(pairs, later.grade.tolist(), strict=True))
    with Store.open(covid) as store:
        one, two, every = plan_delta(store, ["BM25R2"]), plan_delta(store, ["BM25R2", "smith.bm25"]), plan_delta(store)
        assert (one.rows[0]["pairs"], one.rows[0]["topics"], len(two.union)) == (94, 26, 121)
        assert (len(every.pairs), len(every.union)) == (87, 4924)
        judged = [grade[key] for row in every.pair_rows if (key := (row["query_id"], row["doc_id"])) in grade]
        assert (len(judged), sum(one > 0 for one in judged)) == (1217, 351)
        assert package.pooling.summarize_pool(covid).frame.set_index("topic").loc["all", "judged"] == 6953
        before = {(one.qid, one.docno) for one in stored_pool(store).documents}
        withdraw(store, "run", ["run1", "run2", "run3"], "test")  # of GUIR_S2
        missing = before - {(one.qid, one.docno) for one in stored_pool(store).documents}
        grades = {qid: qrels_of_topic(store, qid) for qid, _ in missing}
        assert (len(missing), sum(grades[qid][docno] > 0 for qid, docno in missing)) == (38, 18)


@pytest.mark.daily
def test_covid_lag(covid: Path, shared: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """Technion-RRF against BITEM_BL on the 30 topics of the first round; run1 is of two teams."""
    second = shared / "treccovid-r2"
    with (second / "leaderboard.csv").open() as file:
        teams = [f"{row['tag']}\t{row['team']}\n" for row in csv.DictReader(file)]
    (tmp_path / "teams.tsv").write_text("run\tteam\n" + "".join(teams))
    cranfield("round", "close", covid, "1")
    cranfield("round", "start", covid, "2")
    runs = [second / "runs" / f"{tag}.xz" for tag in ("Technion-RRF", "BITEM_BL", "run1")]
    assert cranfield("import", "runs", covid, *runs, "--teams", tmp_path / "teams.tsv").code == 0
    assert cranfield("import", "qrels", covid, second / "qrels.covid-round2.txt.xz", "--assessor", "nist").code == 0
    words = ("lag", covid, "--rounds", "1,2", "--pivot", "BITEM_BL", "--topics", "common")
    [row] = json.loads(cranfield(*words, "--run", "Technion-RRF", "--format", "json").out)
    names = ("topics", "first", "now", "change", "delta_ri", "er")
    assert [round(row[name], 4) for name in names] == [30, 0.4599, 0.5610, 0.2198, 0.5000, 0.1393]
    [alone] = json.loads(cranfield(*words[:4], "--topics", "common", "--run", "BITEM_BL", "--format", "json").out)
    assert [round(alone[name], 4) for name in ("first", "now")] == [0.2983, 0.5385]
    assert "1/GUIR_S2/run1 and 2/cuni/run1 are from different teams" in cranfield(*words, "--run", "run1").err


def pairs_of_rounds() -> Iterator[list[Floats]]:
    """Scores by topic of a system in two rounds, and of a pivot; each round has its own topics."""
    random = np.random.default_rng(3)
    for _ in range(200):
        several = [random.integers(5, 60), random.integers(5, 60)]
        first, now, pivot_first, pivot_now = (random.random(size) for size in (*several, *several))
        yield [first, now, pivot_first, pivot_now]


def in_columns(first: Floats, now: Floats, pivot_first: Floats, pivot_now: Floats) -> list[Floats]:
    """The same over the topics of both rounds, NaN where a round does not have one."""
    before, after = np.full(len(now), np.nan), np.full(len(first), np.nan)
    return [
        np.append(first, before),
        np.append(after, now),
        np.append(pivot_first, before),
        np.append(after, pivot_now),
    ]


def test_measures_are_their_definitions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Breuer et al.: means of the differences by topic, and relative improvements of means."""
    monkeypatch.setattr("cranfield.analysis.lag.SAMPLES", 2)
    for first, now, pivot_first, pivot_now in pairs_of_rounds():
        row = compare_rounds(in_columns(first, now, pivot_first, pivot_now))
        ri = [np.mean(one - other) / np.mean(other) for one, other in ((first, pivot_first), (now, pivot_now))]
        assert row["er"] == pytest.approx(np.mean(now - pivot_now) / np.mean(first - pivot_first), abs=1e-12, rel=1e-9)
        assert row["delta_ri"] == pytest.approx(ri[0] - ri[1], abs=1e-12)


def test_measures_are_those_of_repro_eval(monkeypatch: pytest.MonkeyPatch) -> None:
    """ER and dRI, of systems and a pivot with other topics in each round."""
    peer: Any = pytest.importorskip("repro_eval.measure.overall_effects", reason="needs repro_eval, which is not here")
    monkeypatch.setattr("cranfield.analysis.lag.SAMPLES", 2)
    for several in pairs_of_rounds():
        runs = [{f"{topic}": {"ndcg": score} for topic, score in enumerate(scores.tolist())} for scores in several]
        first, now, pivot_first, pivot_now = runs
        row = compare_rounds(in_columns(*several))
        assert row["er"] == pytest.approx(peer.ER(first, pivot_first, now, pivot_now)["ndcg"], rel=1e-9)
        assert row["delta_ri"] == pytest.approx(peer.DRI(first, pivot_first, now, pivot_now)["ndcg"], abs=1e-12)
