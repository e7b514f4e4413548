"""The command diff: labels that changed, and what that did to the systems."""

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import ttest_rel

from cranfield.errors import InputError
from cranfield.judging.labels.diff import Side, label_changes, read_side, system_changes
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.notation import parse, parse_measures
from cranfield.store.runs import add_runs
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.judging.cases import at, session_of, store_of
from tests.stores import filled

AP = parse("AP")
RUNS = {
    "x": {"q1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}, "q2": {"d4": 1.0}},
    "y": {"q1": {"d2": 3.0, "d1": 2.0}, "q2": {"d4": 1.0}},
}
A = {"q1": {"d1": 1, "d2": 0, "d3": 1}, "q2": {"d4": 2}}
B = {"q1": {"d1": 0, "d2": 1}, "q2": {"d4": 2}, "q3": {"d1": 1}}


def test_labels() -> None:
    """What only one side has is no change of grade, and no grade 0."""
    changes = label_changes(Side("a", as_qrels(A)), Side("b", as_qrels(B)))
    assert changes.grades == {(0, 1): 1, (1, 0): 1, (2, 2): 1}
    assert (changes.n_same, changes.n_different, changes.only_a, changes.only_b) == (1, 2, 1, 1)
    assert (("q1", "d3"), 1, None) in changes.changes
    assert (("q3", "d1"), None, 1) in changes.changes


def test_systems_are_scored_as_evaluate_does_on_the_common_topics() -> None:
    """q3, which only one side has, is left out of both; with none in common nothing can be compared."""
    runs = as_runs(RUNS)
    systems = system_changes(runs, as_qrels(A), as_qrels(B), parse_measures(["AP", "P@1"]))
    assert systems.topics == 2
    common = {qid: grades for qid, grades in B.items() if qid != "q3"}
    for qrels, attribute in ((A, "a"), (common, "b")):
        table = evaluate(qrels, runs, ["AP", "P@1"]).set_index(["run", "measure"])["value"]
        for change in systems.changes:
            assert getattr(change, attribute) == pytest.approx(table[change.run, change.measure])
    with pytest.raises(InputError, match="no topic in common"):
        system_changes(runs, as_qrels({"q1": {"d1": 1}}), as_qrels({"q2": {"d4": 1}}), parse_measures("AP"))


def test_the_highest_grade_is_that_of_both_sides() -> None:
    """ERR is relative to it: a side without the highest grade would else be scored on another scale."""
    runs = as_runs({"x": {"q": {"d": 1.0}}, "y": {"q": {"e": 1.0}}})
    changes = system_changes(runs, as_qrels({"q": {"d": 3}}), as_qrels({"q": {"d": 1}}), parse_measures("ERR@10"))
    assert changes.changes[0].a == pytest.approx(7 / 8)
    assert changes.changes[0].b == pytest.approx(1 / 8)


def random_world(seed: int, topics: int = 7, documents: int = 12, runs: int = 5) -> tuple[Any, list[Any]]:
    """Runs that differ in how well they follow the grades, and two qrels that disagree on every fourth document."""
    random = np.random.default_rng(seed)
    truth = {f"q{q}": {f"d{d}": int(random.random() < 0.4) for d in range(documents)} for q in range(topics)}
    other = {q: {d: g ^ int(random.random() < 0.25) for d, g in own.items()} for q, own in truth.items()}
    scores = {f"r{r}": {q: {d: r * 0.4 * g + random.normal() for d, g in own.items()} for q, own in truth.items()}
              for r in range(runs)}  # fmt: skip
    return as_runs(scores), [truth, other]


def test_the_pairs_that_flip_are_those_of_the_paired_t_test() -> None:
    """Against scipy, pair by pair: which run is significantly better; what was turned round comes first, then lost."""

    def claim(of: dict[str, Any], x: str, y: str) -> int:
        outcome = ttest_rel(of[x], of[y])
        return int(np.sign(outcome.statistic)) if outcome.pvalue < 0.05 else 0

    order = []
    for seed in range(6):
        runs, both = random_world(seed)
        changes = system_changes(runs, as_qrels(both[0]), as_qrels(both[1]), parse_measures(["AP"]))
        tables = [evaluate(qrels, runs, "AP", per_topic=True) for qrels in both]
        scores = [
            {str(run): own.sort_values("query_id")["value"] for run, own in table.groupby("run")} for table in tables
        ]
        expected = {
            (x, y): (claim(scores[0], x, y), claim(scores[1], x, y)) for x, y in combinations(runs.tags, 2)
        }  # fmt: skip
        flips = {(it.run, it.other): (it.a, it.b) for it in changes.flips}
        assert all(a == 1 or (a, b) == (0, 1) for a, b in flips.values())
        for (x, y), claims in expected.items():
            here = flips.get((x, y)) or tuple(-it for it in flips.get((y, x), (0, 0)))
            assert here == (claims if claims[0] != claims[1] else (0, 0))
        counts = changes.claims["AP"]
        assert counts.claims == sum(a != 0 for a, _ in expected.values())
        assert (counts.lost, counts.gained, counts.reversed) == (
            sum(a != 0 and b == 0 for a, b in flips.values()), sum(a == 0 for a, _ in flips.values()),
            sum(b == -a for a, b in flips.values()),
        )  # fmt: skip
        order.append([it.b - it.a if it.a else 0 for it in changes.flips])
    assert sum(map(len, order)) > 6
    assert all(kinds == sorted(kinds) for kinds in order)


def test_two_assessors(tmp_path: Path, cranfield: Cranfield) -> None:
    """Counts, the table of grades, the systems, and a verdict that begins with scores and ranks; names of the JSON.

    Ada and Bob disagree on q1; there are two runs. A file is a side as well; --list gives the labels. Rows of a
    stratified sample stand for others: some of them alone would be a wrong estimate.
    """
    path, file, sample = tmp_path / "track.db", tmp_path / "old.qrels", tmp_path / "sample.qrels"
    with store_of({"q1": ["d1", "d2", "d3"], "q2": ["d4"]}, path) as store:
        for name, grades in {"ada": [1, 0, 1, 2], "bob": [0, 1, 0, 2]}.items():
            session = session_of(store, name)
            for grade in grades:
                at(session).grade(grade)
        add_runs(store, as_runs(RUNS))
    result = cranfield("diff", path, "ada", "bob", "-m", "AP")
    assert result.code == 0, result.err
    assert result.out.startswith(
        "4 documents are labelled in both: 1 equally, 3 differently; 0 only in ada, 0 only in bob."
    )
    assert "ada  -> 0  -> 1  -> 2\n0       0     1     0\n1       2     0     0\n2       0     0     1\n" in result.out
    assert "AP: scores change by up to 0.3750, ranks by up to 1. " in result.out
    assert "tau -1.0000" in result.out
    document = json.loads(cranfield("diff", path, "min", "max", "-m", "P@1", "--format", "json").out)
    assert set(document) == {"a", "b", "compared", "labels", "topics", "systems", "flips", "summary"}
    assert document["labels"]["changed"] == 3
    assert document["labels"]["changes"][0] == {"query_id": "q1", "doc_id": "d1", "a": 0, "b": 1}
    names = {"tau", "tau_ap", "max_change", "max_rank_change", "top_5_left", "flips"}
    assert set(document["summary"]["P@1"]) == names
    assert document["summary"]["P@1"]["flips"] == {"claims": 0, "lost": 0, "gained": 0, "reversed": 0}
    assert set(document["systems"][0]) == {"run", "measure", "a", "b", "rank_a", "rank_b"}
    file.write_text("q1 0 d1 1\nq1 0 d2 1\n")
    for options, more in (((), ""), (("--all",), "q1,d3,1,\nq2,d4,2,\n")):
        result = cranfield("diff", path, "primary", file, "--list", *options, "--format", "csv")
        assert result.out == "topic,document,a,b\nq1,d2,0,1\n" + more
    sample.write_text("q1 0 d1 1 1\nq1 0 d2 1 0\nq1 0 d3 2 -1\n")
    result = cranfield("diff", path, "primary", file)
    assert "0 only in old.qrels." in result.out  # without its folders
    result = cranfield("diff", path, "ada", sample)
    assert (result.code, "5 columns; qrels have 4" in result.err) == (1, True)


def test_the_pairs_that_flip(tmp_path: Path, cranfield: Cranfield) -> None:
    """In words below the systems, as a list on request, in the JSON always."""
    path, files = tmp_path / "track.db", [tmp_path / "a.qrels", tmp_path / "b.qrels"]
    topics = [f"q{number}" for number in range(1, 6)]
    store_of({qid: ["d1", "d2"] for qid in topics}, path).close()
    with Store.open(path) as store:
        add_runs(store, as_runs({"x": {q: {"d1": 2.0, "d2": 1.0} for q in topics},
                                 "y": {q: {"d2": 2.0, "d1": 1.0} for q in topics}}))  # fmt: skip
    for file, docno in zip(files, ("d1", "d2"), strict=True):
        file.write_text("".join(f"{qid} 0 {docno} 1\n" for qid in topics))
    apart = cranfield("diff", path, *files)
    assert (apart.code, "no document has labels from both" in apart.err) == (1, True)
    result = cranfield("diff", path, *files, "-m", "AP", "--all")
    output = (
        "1 pair of runs differs significantly in a. Of these, 0 do not differ significantly in b and 1 are reversed."
        " 0 pairs differ significantly only in b."
    )
    assert result.out.endswith(f"\n    {output}\n")
    flips = cranfield("diff", path, *files, "-m", "AP", "--all", "--flips", "--format", "csv")
    assert flips.out == "measure,run,than,a,b\nAP,x,y,better,worse\n"
    document = json.loads(cranfield("diff", path, *files, "-m", "AP", "--all", "--format", "json").out)
    assert document["flips"] == [{"measure": "AP", "run": "x", "other": "y", "a": 1, "b": -1}]
    assert cranfield("diff", path, *files, "--flips", "--list").code == 2


def test_names_that_mean_two_things_have_to_say_which(cranfield: Cranfield) -> None:
    """An assessor may be called as a policy is."""
    store = filled(store_of({"q1": ["d1"]}), labels={"max": {("q1", "d1"): 1}})
    with pytest.raises(InputError, match="'max' is policy and assessor; write policy:max or assessor:max"):
        read_side(store, "max")
    assert read_side(store, "assessor:max").labels == read_side(store, "policy:max").labels == {("q1", "d1"): 1}
    with pytest.raises(InputError, match="expected a policy, an assessor or a release of this store, a file"):
        read_side(store, "nobody")


def test_runs_that_tie_but_for_rounding_have_one_rank() -> None:
    """P@10 of .1, .2, .3 and of .3, .2, .1: the two sums differ in the last digit."""
    qrels = {qid: {f"d{number}": 1 for number in range(3)} for qid in "123"}
    ranked = {changes: {f"{'d' if at < changes else 'x'}{at}": -float(at) for at in range(10)} for changes in (1, 2, 3)}
    counts = {"up": (1, 2, 3), "down": (3, 2, 1), "low": (1, 1, 1)}
    runs = {tag: dict(zip("123", (ranked[n] for n in some), strict=True)) for tag, some in counts.items()}
    changes = system_changes(as_runs(runs), as_qrels(qrels), as_qrels(qrels), parse_measures("P@10"))
    assert {change.run: (change.rank_a, change.rank_b) for change in changes.changes} == {
        "up": (1, 1), "down": (1, 1), "low": (3, 3)
    }  # fmt: skip
    assert changes.tau["P@10"] == pytest.approx(1)


@pytest.mark.full
def test_what_both_label_is_compared(tmp_path: Path, cranfield: Cranfield) -> None:
    """A second assessor who labelled a tenth, and all of that alike, has changed nothing; --all tells another story."""
    path, small = tmp_path / "track.db", tmp_path / "second.qrels"
    random = np.random.default_rng(3)
    topics, docnos = [f"q{number}" for number in range(12)], [f"d{number}" for number in range(20)]
    truth = {qid: {docno: int(random.random() < 0.4) for docno in docnos} for qid in topics}
    scores = {
        f"r{r}": {qid: {d: r * 0.8 * truth[qid][d] + random.normal() for d in docnos} for qid in topics}
        for r in range(4)
    }  # fmt: skip
    labels = {(qid, docno): truth[qid][docno] for qid in topics for docno in docnos}
    filled(store_of(dict.fromkeys(topics, docnos), path), runs=scores, labels={"ada": labels}).close()
    small.write_text("".join(f"{qid} 0 {docno} {truth[qid][docno]}\n" for qid in topics for docno in docnos[:2]))
    result = cranfield("diff", path, "ada", small, "-m", "AP")
    assert result.out.startswith("24 documents are labelled in both: 24 equally, 0 differently; 216 only in ada")
    assert "on 12 topics, the 24 documents labelled by both sides" in result.out
    document = json.loads(cranfield("diff", path, "ada", small, "-m", "AP", "--format", "json").out)
    assert (document["compared"], document["flips"], document["summary"]["AP"]["max_change"]) == ("common", [], 0)
    every = cranfield("diff", path, "ada", small, "-m", "AP", "--all")
    assert "on 12 topics, all labels of both sides" in every.out
    document = json.loads(cranfield("diff", path, "ada", small, "-m", "AP", "--all", "--format", "json").out)
    assert document["compared"] == "all"
    assert document["summary"]["AP"]["flips"]["lost"] > 0


def test_people_against_models(tmp_path: Path, cranfield: Cranfield) -> None:
    """The labels of people and of models are sides as any other, and are compared without runs all the same."""
    path = tmp_path / "track.db"
    labels = {"ada": {("q1", "d1"): 1}, "llm": {("q1", "d1"): 0, ("q1", "d2"): 1}}
    filled(store_of({"q1": ["d1", "d2"]}, path), models=["llm"], labels=labels).close()
    counts = "1 document is labelled in both: 0 equally, 1 differently; 0 only in people, 1 only in labels:models."
    result = cranfield("diff", path, "people", "labels:models")
    assert (result.code, result.out.startswith(counts), "because there are no runs" in result.out) == (0, True, True)
    assert "labels:robots; expected one of people," in cranfield("diff", path, "labels:robots", "people").err
