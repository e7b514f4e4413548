"""The results of a run: the page that TREC's proceedings print, with the figures of TREC-COVID."""

import csv
from dataclasses import replace
from math import comb
from pathlib import Path

import pytest

from cranfield.features.tasks.results import HIDDEN, TaskResults
from cranfield.formats import RunInfo
from cranfield.metrics.inputs import join_judged
from cranfield.metrics.significance.compare import compare
from tests.real import covid
from tests.views import view_of

pytestmark = pytest.mark.needs_extra("serve")

MEASURES = ("nDCG@10", "P@5", "AP", "Bpref", 'RBP(p=0.5,gains="linear")')
PUBLISHED = dict(zip(MEASURES, ("ndcg@10", "p@5", "MAP", "bpref", "RBP(p=.5)"), strict=True))


def test_the_page_of_run1(shared: Path) -> None:
    """The figures of NIST's page for run1 in round 1; the best, the median and the worst of topic 1."""
    source = covid(shared)
    results = TaskResults.from_judged(source.judged, source.run_info, MEASURES)
    summary = results.summary("run1")
    names = ("NumRet", "NumRel", "NumRelRet", "AP", "Bpref", "nDCG@10", "P@5", "P@10", "P@15", "P@20", "P@30", "Rprec")
    assert [round(summary[name], 4) for name in names] == [
        14983, 2352, 1203, 0.2663, 0.4159, 0.6844, 0.7933, 0.7067, 0.62, 0.57, 0.4811, 0.3202,
    ]  # fmt: skip
    assert results.said_of("run1", 0) == "Above the median on 30 of 30 topics, below on 0, best on 4."
    first = results.topic_results("run1", 0)[0]
    assert (first.qid, [round(x, 4) for x in first[2:]]) == ("1", [0.8656, 0.3549, 0])
    top = results.first_documents("run1")[0]
    assert top == ("1", 50, 27, 20, 101)
    sections = results.sections("run1")
    assert [section.key for section in sections] == ["summary", "recall", "topics", "documents", "trust"]


def test_the_published_table(shared: Path) -> None:
    """711 of 715 published values; the other four are those of BERT, ties in single precision."""
    source = covid(shared)
    rows = TaskResults.from_judged(source.judged, source.run_info, MEASURES).overview()
    with (shared / "treccovid-r1" / "leaderboard.csv").open() as file:
        rows_of = {row["run"]: row for row in csv.DictReader(file)}
    wrong = [
        row["run"]
        for row in rows
        for name, theirs in PUBLISHED.items()
        if f"{row[name]:.4f}" != rows_of[row["run"]][theirs]
    ]
    assert (len(rows) * len(MEASURES), wrong) == (715, ["BERT"] * 4)


def test_the_residual_of_rbp(shared: Path) -> None:
    """As published for BITEM_BERT4 in round 4, with the residual that the table does not have."""
    folder = shared / "treccovid-r4"
    source = view_of([folder / "qrels.covid-round4.txt.xz", folder / "runs" / "BITEM_BERT4.xz"])
    results = TaskResults.from_judged(source.judged, source.run_info, ['RBP(p=0.5,gains="linear")'])
    summary = results.summary("BITEM_BERT4")
    assert [f"{summary[name]:.4f}" for name in ('RBP(p=0.5,gains="linear")', "RBPresid(p=0.5)")] == ["0.6700", "0.0160"]


def test_what_the_results_allow_to_say(shared: Path) -> None:
    """The p of `compare` for all pairs, what `reusability --by team` tests; others' runs are named to no team."""
    source = covid(shared)
    results = replace(TaskResults.from_judged(source.judged, source.run_info, MEASURES), view=source)
    p = compare(source.judged, measures="nDCG@10", baseline="run1").set_index("run_a")["p"]
    expected = (p * comb(len(results.order), 2)).clip(upper=1)  # the best run was found by the same scores
    assert results.order[0] == "run1"
    assert {row["run"]: row["p"] for row in results.overview() if row["run"] != "run1"} == expected.to_dict()
    assert results.trust.sentence().startswith(
        "Removing one of the 56 teams from the pool (56 runs, depth 7, 30 topics) changes its runs' nDCG@10 by 23.6% on"
        " average."
    )
    without_names = f"{results.sections('BM25R2', names=False)}"
    assert not any(tag in without_names for tag in {*source.runs.tags} - {"BM25R2"} if len(tag) > 5)
    assert results.trust.sentence(names=False) == results.trust.sentence()


def test_one_run_has_no_p() -> None:
    """Nor is there a verdict where the pool is unknown."""
    results = TaskResults.from_judged(
        join_judged({"q": {"d1": 1}}, {"a": {"q": {"d1": 1.0}}}), {"a": RunInfo("x")}, ["AP"]
    )
    assert [row["run"] for row in results.overview()] == ["a"]
    assert results.p == {}
    assert results.trust.sentence() == "Not tested: the pool is unknown."
    assert results.trust.sentence(names=False) == "Not tested."


def test_few_runs_tell_no_median() -> None:
    """With fewer than five runs of three teams a median tells somebody's scores."""
    runs = {f"r{number}": {"q": {"d1": float(number)}} for number in range(5)}
    judged = join_judged({"q": {"d1": 1}}, runs)
    two = TaskResults.from_judged(judged, {tag: RunInfo(f"team{int(tag[1]) % 2}") for tag in runs}, ["AP"])
    three = TaskResults.from_judged(judged, {tag: RunInfo(f"team{int(tag[1]) % 3}") for tag in runs}, ["AP"])
    assert (two.said_of("r0", 0), two.topic_results("r0", 0)[0].median) != (HIDDEN, 1.0)
    assert two.said_of("r0", 0) == HIDDEN
    assert three.topic_results("r0", 0)[0].median == 1.0


def test_the_test_that_gave_p_is_named() -> None:
    """Where all differences are equal, p is the sign test's; the table, the sentence and the page of a run name it."""
    topics = [str(number) for number in range(10)]
    runs = {
        "best": {qid: {"d": 2.0, "n": 1.0} for qid in topics},
        "half": {qid: {"n": 2.0, "d": 1.0} for qid in topics},
        "mixed": {qid: {"d": 2.0, "n": 1.0} if qid > "4" else {"n": 2.0, "d": 1.0} for qid in topics},
    }
    judged = join_judged({qid: {"d": 1, "n": 0} for qid in topics}, runs)
    results = TaskResults.from_judged(judged, {tag: RunInfo(tag) for tag in runs}, ["RR"])
    assert {row["run"]: row["p test"] for row in results.overview()} == {"best": "-", "mixed": "t", "half": "sign"}
    assert "RR, paired t test (sign test where all differences are equal), corrected for all pairs" in results.p_caption
    assert f"{3 * 2**-9:.4f} (sign test, corrected for all pairs of runs)" in str(results.sections("half"))
