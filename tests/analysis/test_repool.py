"""Leaving units out of pools that are not of depth k: the method is run again, and what nobody judged is drawn."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from shutil import copy

import numpy as np
import pytest

import cranfield as package
from benchmarks.designs.rebuilt_pools import own_changes, pool_of, stages_of, truth
from cranfield.analysis import missed
from cranfield.analysis.change_rows import change_rows
from cranfield.analysis.missed import losses_with_missed, repool_without_units, why_unknown
from cranfield.analysis.reusability import ReusabilitySetting, verdict_of
from cranfield.analysis.verdict import describe_finding, verdict_sentences
from cranfield.arrays.join import join_runs_and_qrels, join_runs_with_common_topics
from cranfield.formats import RunInfo
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.notation import parse
from cranfield.metrics.reusability.leave_one_out import pool_entries, score_without
from cranfield.metrics.reusability.results import Imputation, ScoreChange
from cranfield.pooling.build import build_pool, depth_pool
from cranfield.pooling.candidates import candidates_by_topic
from cranfield.pooling.methods import METHODS
from cranfield.pooling.stored.rebuild import grade_model
from cranfield.store.open_pools import Stage
from cranfield.store.pools import Pool, stored_pool
from cranfield.store.qrels import import_qrels
from cranfield.store.store import Store
from tests.analysis.test_verdict import CALM
from tests.conftest import Cranfield
from tests.stores import new_file
from tests.views import make_view

random = np.random.default_rng(3)


def ranking() -> dict[str, float]:
    """Thirty documents, the later ones better on average."""
    return {f"d{d}": float(s) for d, s in enumerate(random.normal(size=30) + np.arange(30) / 9)}


RUNS = {tag: {"q1": ranking(), "q2": ranking()} for tag in ("a", "b", "c")}
GRADES = {q: {f"d{d}": int(d % 3 == 0) for d in range(30)} for q in ("q1", "q2")}


def stored_pool_of(method: str, budget: int | None, depth: int = 30) -> list[Stage]:
    """A pool as the store keeps it."""
    documents = build_pool(METHODS[method], as_runs(RUNS), depth, budget=budget)
    about: dict[str, object] = {"depth": None, "considered": depth, "runs": list(RUNS), "options": {}, "budget": budget}
    return [Stage(Pool(method, about, documents, seed=0))]


def test_depth_k_is_the_plain_case() -> None:
    """Building a depth-k pool anew without a run takes away exactly what that run alone brought."""
    runs, qrels = as_runs(RUNS), as_qrels(GRADES)
    judged, units = join_runs_and_qrels(runs, qrels), {tag: [tag] for tag in RUNS}
    unique = pool_entries(judged, units, 5).unique(5)
    stages = stored_pool_of("depth", None, 5)
    sizes = {q: sum(d.qid == q for d in stages[0].pool.documents) for q in GRADES}
    again = repool_without_units(runs, qrels, judged, stages, units)
    assert min(sizes.values()) > 5
    for number, mask in enumerate(again.losses):
        assert np.array_equal(mask, unique == number)
    assert again.missed == [0, 0, 0]


@pytest.mark.parametrize("method", ["rrf", "take", "dcg", "combsum"])
def test_a_budget_is_spent_on_others(method: str) -> None:
    """What is lost was in the pool and is not in the pool without the unit; a unit that is none loses nothing."""
    runs, qrels = as_runs(RUNS), as_qrels(GRADES)
    judged, pool = join_runs_and_qrels(runs, qrels), stored_pool_of(method, 8)
    again = repool_without_units(runs, qrels, judged, pool, {"a": ["a"], "nobody": []})
    assert again.pooled.sum() == 16
    assert 0 < again.losses[0].sum() < 16
    assert not (again.losses[0] & ~again.pooled).any()
    assert not again.losses[1].any()


def test_what_is_wanted_and_unjudged_is_counted() -> None:
    """With only the pool judged, a pool without a run wants documents that nobody judged."""
    stages = stored_pool_of("rrf", 8)
    in_pool = {(d.qid, d.docno) for d in stages[0].pool.documents}
    grades = {q: {d: g for d, g in of.items() if (q, d) in in_pool} for q, of in GRADES.items()}
    runs, qrels = as_runs(RUNS), as_qrels(grades)
    judged = join_runs_and_qrels(runs, qrels)
    again = repool_without_units(runs, qrels, judged, stages, {"a": ["a"], "nobody": []})
    assert again.missed[0] == again.losses[0].sum() > 0
    assert again.missed[1] == 0


@pytest.fixture
def folder(workshop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a copy of it, to work in."""
    copy(workshop, tmp_path / "w.db")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.daily
@pytest.mark.usefixtures("folder")
def test_an_adaptive_pool_in_the_demo(cranfield: Cranfield) -> None:
    """The labels that are there are taken, to the budget; what the replay missed is said, in the report too."""
    output = cranfield("pool", "build", "w.db", "--method", "mtf", "--budget", "24")
    assert output.out.startswith("pool 2: 600 documents for 25 topics")
    assert "595 of 600 new documents are already judged, 595 of them by models" in output.err
    result = json.loads(cranfield("reusability", "w.db", "-m", "AP", "--format", "json").out)
    assert (result["pool"]["documents"], result["pool"]["judged"]) == (600, 595)
    number = sum(unit["missed"] for unit in result["units"])
    assert number > 0
    table = cranfield("reusability", "w.db", "-m", "AP")
    assert f"rebuilt without each team it missed {number} documents" in " ".join(table.out.split())
    assert cranfield("report", "w.db", "w.html").code == 0
    assert f"it missed {number} documents" in Path("w.html").read_text()
    only = json.loads(cranfield("reusability", "w.db", "-m", "AP", "--relevant-only", "--format", "json").out)
    assert all(unit["unique"] == unit["unique_relevant"] for unit in only["units"])
    assert [unit["unique_relevant"] for unit in only["units"]] == [u["unique_relevant"] for u in result["units"]]


@pytest.mark.needs_extra("report")
def test_a_pool_that_is_refused(tmp_path: Path, cranfield: Cranfield) -> None:
    """Nobody judged it: one line, exit code 1; the page says why there is no verdict."""
    nist = {q: {"d0": 1, "d1": 0, "d2": 1} for q in GRADES}
    path = new_file(tmp_path / "w.db", runs=RUNS, qrels={"nist": nist})
    assert cranfield("pool", "build", path, "--method", "hedge", "--budget", 3).code == 0
    lack = "pool 1 (hedge) is unjudged: none of its 6 documents has a label"
    assert cranfield("reusability", path) == (1, "", f"error: {lack}\n")
    assert cranfield("report", path, tmp_path / "w.html").code == 0
    assert lack in (tmp_path / "w.html").read_text()


@pytest.mark.parametrize(("batches", "verdict"), [(1, False), (2, True), (3, True)])
def test_no_verdict_while_much_of_an_adaptive_pool_is_to_come(
    tmp_path: Path, cranfield: Cranfield, batches: int, verdict: bool
) -> None:
    """All that it has so far is judged, but it may still get as much again or more; later that is said."""
    path = new_file(tmp_path / "w.db", runs=RUNS)
    for batch in range(batches):
        assert cranfield("pool", "build", path, "--method", "hedge", "--budget", 6, "--batch", 2).code == 0
        with Store.open(path) as store:
            new: dict[str, dict[str, int]] = {qid: {} for qid in GRADES}
            for qid, docno, *_ in stored_pool(store).documents:
                new[qid][docno] = GRADES[qid].get(docno, 0)
            import_qrels(store, as_qrels(new), f"part {batch}")
    pooled = sum(map(len, new.values()))
    result = cranfield("reusability", path, "--by", "run", "-m", "AP", "--format", "json")
    document = json.loads(result.out)
    whole = 6 * len(GRADES)
    assert (document["pool"]["judged"], document["pool"]["to_come"]) == (pooled, whole - pooled)
    message = f"{whole - pooled} of up to {whole} documents in the pool are not judged"
    assert document["no_verdict"] == (None if verdict else message)
    assert any(message in line for line in document["reservations"]) == (batches == 2)


def test_a_source_with_a_budgeted_pool() -> None:
    """The stored pool's method is run again; a depth asks for the plain case; clusters are units."""
    runs, [stage] = as_runs(RUNS), stored_pool_of("rrf", 8)
    grades = {q: {d.docno: GRADES[q][d.docno] for d in stage.pool.documents if d.qid == q} for q in GRADES}
    source = make_view(
        runs, as_qrels(grades), {tag: RunInfo(tag) for tag in RUNS}, 1, pool=stage.pool._replace(number=1),
        stages=[stage], pool_runs=tuple(RUNS),
    )  # fmt: skip
    found = verdict_of(source, ReusabilitySetting(measures=["AP"], by="run")).to_json()
    assert found["pool"]["documents"] == len(stage.pool.documents) == 16
    assert any(unit["missed"] for unit in found["units"])
    plain = verdict_of(source, ReusabilitySetting(measures=["AP"], depth=2, by="cluster")).to_json()
    assert (plain["by"], plain["pool"]["documents"]) == ("cluster", len(depth_pool(runs, 2)))


@pytest.mark.full
def test_a_depth_pool_that_is_another(tmp_path: Path, cranfield: Cranfield) -> None:
    """Of depth k too, the pool that the runs give has to be the stored one."""
    path = new_file(tmp_path / "w.db", runs=RUNS, qrels={"nist": GRADES})
    assert cranfield("pool", "build", path, "--depth", 3).code == 0
    assert cranfield("reusability", path).code == 0
    with Store.open(path) as store:
        size = len(stored_pool(store).documents)
        store.conn.executescript("UPDATE run SET depth = 1 WHERE tag = 'a'")
    output = cranfield("reusability", path)
    assert (output.code, output.out) == (1, "")
    assert f" contains {size} documents, but its runs retrieved " in output.err
    assert cranfield("reusability", path, "--depth", 3).code == 0


DOCUMENTS, TOPICS, THREE_RUNS = 60, 10, 5
Lists = dict[str, dict[str, dict[str, float]]]


def collection(seed: int, topics: int = TOPICS) -> tuple[Lists, dict[str, dict[str, int]]]:
    """Runs that see relevance through noise; every document is judged, a sixth of them relevant."""
    random = np.random.default_rng(seed)
    quality = random.normal(size=(topics, DOCUMENTS))
    noise = 1.2 * random.normal(size=(THREE_RUNS, topics, DOCUMENTS))
    grades = {f"q{q}": {f"d{d}": int(quality[q, d] > 1) for d in range(DOCUMENTS)} for q in range(topics)}
    lists: Lists = {f"r{run}": {} for run in range(THREE_RUNS)}
    for run, q in product(range(THREE_RUNS), range(topics)):
        lists[f"r{run}"][f"q{q}"] = {f"d{d}": float(s) for d, s in enumerate(quality[q] + noise[run, q])}
    return lists, grades


def errors(method: str, seed: int) -> tuple[float, float, bool]:
    """How far off the mean is with missed documents not relevant, and with drawn grades; whether the interval holds."""
    lists, grades = collection(seed)
    runs, units, measure = as_runs(lists), {tag: [tag] for tag in lists}, parse("AP")
    pool, steps = pool_of(runs, grades, method, 12, seed)
    labels: dict[str, dict[str, int]] = {qid: {} for qid in grades}
    for document in pool.documents:
        labels[document.qid][document.docno] = grades[document.qid][document.docno]
    qrels = as_qrels(labels)
    judged = join_runs_with_common_topics(runs, qrels)
    again = repool_without_units(runs, qrels, judged, stages_of(pool, steps, labels), units)
    real = _mean(truth(runs, stages_of(pool, steps, grades), grades, units, measure))
    plain = _mean(own_changes(score_without(judged, units, again.losses, [measure])))
    _, means = losses_with_missed(
        runs, qrels, judged, again=again, units=units, measures=[measure], protected=np.zeros(len(qrels), bool)
    )
    mean = means["AP"]
    return plain - real, mean.value - real, mean.low <= real <= mean.high


def _mean(changes: Sequence[ScoreChange]) -> float:
    return float(np.mean([change.absolute_percent for change in changes]))


@pytest.mark.full
@pytest.mark.parametrize("method", ["rrf", "mtf"])
def test_drawn_grades_mend_what_none_get_wrong(method: str) -> None:
    """A method that does not listen, and one that does: the mean is nearer, and the interval holds the truth."""
    plain, better, holds = np.array([errors(method, seed) for seed in range(5)]).T
    assert np.abs(better).mean() < np.abs(plain).mean() / 2
    assert holds.all()


def test_the_model_knows_how_many_are_relevant() -> None:
    """Of those that nobody judged, a quarter as many as are judged: within the spread of its draws."""
    lists, grades = collection(7)
    topics = candidates_by_topic(as_runs(lists))
    grade = np.array([grades[topic.qid][docno] for topic in topics for docno in topic.docnos])
    best = np.concatenate([topic.best for topic in topics])
    model, random = grade_model(topics, grade, best <= 4), np.random.default_rng(0)
    draws = [model.draw(random)[best > 4].sum() for _ in range(50)]
    assert abs(np.mean(draws) - grade[best > 4].sum()) < 2 * np.std(draws)
    assert grade[best <= 4].mean() > 3 * grade[best > 4].mean()


def test_grades_above_relevant_are_drawn_too() -> None:
    """Each as often as documents like it have it; one that nobody has is never drawn."""
    lists, grades = collection(8)
    topics = candidates_by_topic(as_runs(lists))
    quality = np.array([grades[topic.qid][docno] for topic in topics for docno in topic.docnos])
    grade = np.where(quality > 0, np.arange(len(quality)) % 2 * 2 + 1, 0)  # 0, 1 or 3
    model = grade_model(topics, grade, np.ones(len(grade), bool)).draw(np.random.default_rng(0))
    assert set(model.tolist()) == {0, 1, 3}


def test_too_few_judgments_say_so() -> None:
    """What was tested includes what is left open."""
    assert why_unknown(as_qrels({"q": {f"d{d}": int(d < 10) for d in range(20)}}), 1) == ""
    few = why_unknown(as_qrels({"q": {f"d{d}": int(d < 9) for d in range(20)}}), 1)
    assert few == "drawing grades needs 10 documents judged relevant and 10 judged not relevant"
    units = (replace(CALM.left_out.units[0], missed=3),)
    undrawn = CALM._replace(left_out=replace(CALM.left_out, units=units, not_drawn=few))
    so = "3 documents of the pools without a run are unjudged and count as not relevant"
    assert f"{so}, because {few}. The true changes may be larger or smaller." in verdict_sentences(undrawn)


def test_a_mean_of_drawn_grades_has_its_interval() -> None:
    """Next to the mean, in the sentence."""
    mean = Imputation(0.5, 0.2, 0.8)
    verdict = CALM._replace(left_out=replace(CALM.left_out, draws=20, mean_changes={"AP": mean}))
    assert "changes its AP by 0.5% (95% interval: 0.2% to 0.8%) on average." in describe_finding(verdict)


@pytest.fixture
def store(tmp_path: Path, cranfield: Cranfield) -> Path:
    """A store of which the pool is judged, and nothing else."""
    lists, grades = collection(9, 4)
    path = new_file(tmp_path / "w.db", runs=lists)
    cranfield("pool", "build", path, "--method", "rrf", "--budget", "12")
    with Store.open(path) as new:
        judged: dict[str, dict[str, int]] = {qid: {} for qid in grades}
        for document in stored_pool(new).documents:
            judged[document.qid][document.docno] = grades[document.qid][document.docno]
        import_qrels(new, as_qrels(judged), "nist")
    return path


def test_where_it_does_not_hold_there_is_no_interval(monkeypatch: pytest.MonkeyPatch, store: Path) -> None:
    """The value stays; the verdict says what is not known."""
    monkeypatch.setattr(missed, "INTERVAL_FREE_METHODS", {"rrf"})
    verdict = package.trust.reusability(store, by="run", measures="AP")
    document = json.loads(verdict.to_json())
    assert document["summary"]["AP"]["mean_change_low"] is None
    assert document["units"][0]["scores"][0]["reduced_high"] is None
    assert "For pools built by rrf, the error of the drawn grades is unknown." in repr(verdict)
    assert "95%" not in repr(verdict)
    assert "low" not in change_rows(verdict.left_out)[0]


@pytest.mark.needs_extra("report")
def test_commands_say_how_missed_documents_were_graded(store: Path, cranfield: Cranfield) -> None:
    """Table, CSV, JSON, report, Python; ranges are those of the measure."""
    document = json.loads(
        cranfield("reusability", store, "--by", "run", "-m", "AP", "-m", "P@10", "--format", "json").out
    )
    assert (document["draws"], document["not_drawn"]) == (20, None)
    mean = document["summary"]["AP"]
    assert 0 <= mean["mean_change_low"] < mean["mean_change_percent"] < mean["mean_change_high"]
    scores = [score for unit in document["units"] for score in unit["scores"]]
    assert all(0 <= one["reduced_low"] <= one["reduced"] <= one["reduced_high"] <= 1 for one in scores)
    interval = f"(95% interval: {mean['mean_change_low']:.1f}% to {mean['mean_change_high']:.1f}%)"
    table = " ".join(cranfield("reusability", store, "--by", "run", "-m", "AP").out.split())
    assert "documents, whose grades are drawn 20 times from a model of the judged documents" in table
    assert f" AP by {mean['mean_change_percent']:.1f}% {interval} on average." in table
    assert ",without,low,high," in cranfield("reusability", store, "--by", "run", "--format", "csv").out
    assert interval in repr(package.trust.reusability(store, by="run", measures="AP"))
    assert {"reduced_low", "reduced_high"} < {*package.trust.leave_one_out(store, by="run", measures="AP").frame}
    page = store.with_suffix(".html")
    assert cranfield("report", store, page, "--by", "run").code == 0
    words = " ".join(page.read_text().split())
    assert interval in words
    assert "whose grades are drawn 20 times" in words
