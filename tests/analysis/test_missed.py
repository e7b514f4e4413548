"""What left-out units lose of rebuilt pools with documents that nobody judged: grades are drawn for these."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield as package
from benchmarks.designs.rebuilt_pools import heard, own_changes, pool_of, truth
from cranfield.analysis import missed
from cranfield.analysis.headline import finding, level
from cranfield.analysis.missed import losses_with_missed, why_unknown
from cranfield.analysis.repool import repooled
from cranfield.analysis.reusability import change_rows
from cranfield.arrays.join import meet
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.notation import parse
from cranfield.metrics.reusability.leave_one_out import score_without
from cranfield.metrics.reusability.results import Imputed, ScoreChange
from cranfield.pooling.candidates import by_topic
from cranfield.pooling.stored.rebuild import grade_model
from cranfield.store.pools import stored_pool
from cranfield.store.qrels import import_qrels
from cranfield.store.runs import add_runs
from cranfield.store.store import Store
from tests.analysis.test_headline import verdict_of
from tests.conftest import Cranfield

DOCUMENTS, TOPICS, RUNS = 60, 10, 5
Lists = dict[str, dict[str, dict[str, float]]]


def collection(seed: int) -> tuple[Lists, dict[str, dict[str, int]]]:
    """Runs that see relevance through noise; every document is judged, a sixth of them relevant."""
    random = np.random.default_rng(seed)
    quality = random.normal(size=(TOPICS, DOCUMENTS))
    noise = 1.2 * random.normal(size=(RUNS, TOPICS, DOCUMENTS))
    grades = {f"q{q}": {f"d{d}": int(quality[q, d] > 1) for d in range(DOCUMENTS)} for q in range(TOPICS)}
    lists: Lists = {f"r{run}": {} for run in range(RUNS)}
    for run, q in product(range(RUNS), range(TOPICS)):
        lists[f"r{run}"][f"q{q}"] = {f"d{d}": float(s) for d, s in enumerate(quality[q] + noise[run, q])}
    return lists, grades


def errors(method: str, seed: int) -> tuple[float, float, bool]:
    """How far off the mean is with missed documents not relevant, and with drawn grades; whether the interval holds."""
    lists, grades = collection(seed)
    runs, units, measure = as_runs(lists), {tag: [tag] for tag in lists}, parse("AP")
    pool, steps = pool_of(runs, grades, method, 12, seed)
    known: dict[str, dict[str, int]] = {qid: {} for qid in grades}
    for document in pool.documents:
        known[document.qid][document.docno] = grades[document.qid][document.docno]
    qrels = as_qrels(known)
    judged = meet(runs, qrels)
    again = repooled(runs, qrels, judged, heard(pool, steps, known), units)
    real = _mean(truth(runs, heard(pool, steps, grades), grades, units, measure))
    plain = _mean(own_changes(score_without(judged, units, again.lost, [measure])))
    _, means = losses_with_missed(runs, qrels, judged, again, units, [measure], np.zeros(len(qrels), bool))
    drawn = means["AP"]
    return plain - real, drawn.value - real, drawn.low <= real <= drawn.high


def _mean(changes: Sequence[ScoreChange]) -> float:
    return float(np.mean([change.absolute_percent for change in changes]))


@pytest.mark.parametrize("method", ["rrf", "mtf"])
def test_drawn_grades_mend_what_none_get_wrong(method: str) -> None:
    """A method that does not listen, and one that does: the mean is nearer, and the interval holds the truth."""
    plain, drawn, held = np.array([errors(method, seed) for seed in range(5)]).T
    assert np.abs(drawn).mean() < np.abs(plain).mean() / 2
    assert held.all()


def test_the_model_knows_how_many_are_relevant() -> None:
    """Of those that nobody judged, a quarter as many as are judged: within the spread of its draws."""
    lists, grades = collection(7)
    topics = by_topic(as_runs(lists))
    grade = np.array([grades[topic.qid][docno] for topic in topics for docno in topic.docnos])
    best = np.concatenate([topic.best for topic in topics])
    model, random = grade_model(topics, grade, best <= 4), np.random.default_rng(0)
    drawn = [model.draw(random)[best > 4].sum() for _ in range(50)]
    assert abs(np.mean(drawn) - grade[best > 4].sum()) < 2 * np.std(drawn)
    assert grade[best <= 4].mean() > 3 * grade[best > 4].mean()


def test_grades_above_relevant_are_drawn_too() -> None:
    """Each as often as documents like it have it; one that nobody has is never drawn."""
    lists, grades = collection(8)
    topics = by_topic(as_runs(lists))
    quality = np.array([grades[topic.qid][docno] for topic in topics for docno in topic.docnos])
    grade = np.where(quality > 0, np.arange(len(quality)) % 2 * 2 + 1, 0)  # 0, 1 or 3
    drawn = grade_model(topics, grade, np.ones(len(grade), bool)).draw(np.random.default_rng(0))
    assert set(drawn.tolist()) == {0, 1, 3}


def test_too_few_judgments_say_so() -> None:
    """The verdict has what is left open, and is no better than unsure."""
    assert why_unknown(as_qrels({"q": {f"d{d}": int(d < 10) for d in range(20)}}), 1) == ""
    few = why_unknown(as_qrels({"q": {f"d{d}": int(d < 9) for d in range(20)}}), 1)
    assert few == "to draw grades takes 10 documents judged relevant and 10 judged not"
    calm = verdict_of(ScoreChange("calm", "AP", 0.5, 0.499, 1, 1, 1))
    units = (replace(calm.found.units[0], missed=3),)
    told = calm._replace(found=replace(calm.found, units=units, not_drawn=few))
    so = "The 3 unjudged documents of the pools without a run count as not relevant"
    assert f"{so}, so the changes may be larger or smaller: {few}." in finding(told)
    assert (level(calm), level(told)) == ("good", "unsure")


@pytest.mark.parametrize("without", [{"not_drawn": "too few"}, {"draws": 20, "replayed": "hedge"}])
@pytest.mark.parametrize(("reduced", "percent"), [(0.3, "40.0 %"), (0.499, "0.2 %")])
def test_a_mean_without_interval_is_neither_fair_nor_unfair(
    without: dict[str, Any], reduced: float, percent: str
) -> None:
    """However large or small: nobody knows how far off it is, so it is held against no bound."""
    plain = verdict_of(ScoreChange("some", "AP", 0.5, reduced, 1, 1, 1)).found
    found = replace(plain, units=(replace(plain.units[0], missed=3),), **without)
    if found.draws:
        found = replace(found, imputed={"AP": Imputed(found.summary["AP"].mean_change_percent, nan, nan)})
    verdict = verdict_of(ScoreChange("some", "AP", 0.5, reduced, 1, 1, 1))._replace(found=found)
    assert level(verdict) == "unsure"
    assert f"a run changes by {percent} in AP on average. " in finding(verdict)


@pytest.mark.parametrize(
    ("mean", "expected", "beside"),
    [
        (Imputed(0.5, 0.2, 0.8), "good", "0.5 % (95 %: 0.2 to 0.8 %) in AP on average, within the noise of 1 %"),
        (Imputed(0.8, 0.2, 1.4), "unsure", "in AP on average, maybe more than the noise of 1 %"),
        (Imputed(6.5, 5.0, 8.0), "unsure", "in AP on average, more than the noise of 1 %"),
        (Imputed(9.0, 7.0, 11.0), "bad", "in AP on average, over the bound of 6 %"),
    ],
)
def test_both_ends_have_to_agree(mean: Imputed, expected: str, beside: str) -> None:
    """What the interval leaves open is not claimed."""
    verdict = verdict_of(ScoreChange("calm", "AP", 0.5, 0.499, 1, 1, 1))
    drawn = verdict._replace(found=replace(verdict.found, draws=20, imputed={"AP": mean}))
    assert level(drawn) == expected
    assert beside in finding(drawn)


@pytest.fixture
def store(tmp_path: Path, cranfield: Cranfield) -> Path:
    """A store of which the pool is judged, and nothing else."""
    path = tmp_path / "w.db"
    lists, grades = collection(9)
    with Store.create(path, "w") as made:
        add_runs(made, as_runs(lists))
    cranfield("pool", "build", path, "--method", "rrf", "--budget", "12")
    with Store.open(path) as made:
        judged: dict[str, dict[str, int]] = {qid: {} for qid in grades}
        for document in stored_pool(made).documents:
            judged[document.qid][document.docno] = grades[document.qid][document.docno]
        import_qrels(made, as_qrels(judged), "nist")
    return path


def test_where_it_does_not_hold_there_is_no_interval(monkeypatch: pytest.MonkeyPatch, store: Path) -> None:
    """The value stays; the verdict says what is not known."""
    monkeypatch.setattr(missed, "WITHOUT_INTERVAL", {"rrf"})
    verdict = package.reusability(store, measures="AP")
    document = verdict.to_json()
    assert document["summary"]["AP"]["mean_change_low"] is None
    assert document["units"][0]["scores"][0]["reduced_high"] is None
    assert "How far off the drawn grades of missed documents are is not known of pools by rrf." in repr(verdict)
    assert "95 %" not in repr(verdict)
    assert "low" not in change_rows(verdict.found)[0]


def test_commands_say_how_missed_documents_were_graded(store: Path, cranfield: Cranfield) -> None:
    """Table, CSV, JSON, report, Python; ranges are those of the measure."""
    told = json.loads(cranfield("reusability", store, "-m", "AP", "-m", "P@10", "--format", "json").out)
    assert (told["draws"], told["not_drawn"]) == (20, None)
    mean = told["summary"]["AP"]
    assert 0 <= mean["mean_change_low"] < mean["mean_change_percent"] < mean["mean_change_high"]
    scores = [score for unit in told["units"] for score in unit["scores"]]
    assert all(0 <= one["reduced_low"] <= one["reduced"] <= one["reduced_high"] <= 1 for one in scores)
    interval = f"(95 %: {mean['mean_change_low']:.1f} to {mean['mean_change_high']:.1f} %)"
    table = " ".join(cranfield("reusability", store, "-m", "AP").out.split())
    assert "documents, whose grades are drawn 20 times from a model of the judged ones" in table
    assert f"changes by {mean['mean_change_percent']:.1f} % {interval} in AP on average" in table
    assert ",without,low,high," in cranfield("reusability", store, "--format", "csv").out
    assert interval in repr(package.reusability(store, measures="AP"))
    assert {"reduced_low", "reduced_high"} < {*package.leave_one_out(store, measures="AP")}
    page = store.with_suffix(".html")
    assert cranfield("report", store, page).code == 0
    words = " ".join(page.read_text().split())
    assert interval in words
    assert "whose grades are drawn 20 times" in words
