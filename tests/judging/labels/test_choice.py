"""Whose labels score where several assessors differ: refused without a choice, named with one."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cranfield as package
from cranfield.analysis.collections import first_ranks, pool_topic_rows, topic_documents, topic_rows
from cranfield.arrays.join import join_runs_and_qrels
from cranfield.errors import InputError, UndecidedError
from cranfield.judging.labels.choice import (
    choose_labels,
    decisions_by_given_or_recorded_policy,
    labellers_line,
    models_at_chance,
    undecided_pairs,
)
from cranfield.judging.labels.policies import POLICIES
from cranfield.judging.labels.shown import shown_grades_of_document
from cranfield.metrics.evaluate import score
from cranfield.metrics.inputs import as_runs
from cranfield.metrics.notation import parse
from cranfield.selection import POLICY_NAMES, LabelledBy, Labellers
from cranfield.store.chain import Event
from cranfield.store.log import append
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.stores import new_store

RUNS = {
    "r1": {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d1": 2.0, "d2": 1.0}},
    "r2": {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d2": 2.0, "d1": 1.0}},
}
ONE = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1, "d2": 0}}
OTHER = {"q1": {"d1": 0, "d2": 1}, "q2": {"d1": 0, "d2": 1}}
SCORES = {"m1": [1.0, 0.0], "m2": [0.0, 1.0]}


def two_labellers(path: Path | None, people: bool = False, second: dict[str, dict[str, int]] = OTHER) -> Store:
    """Two models, or two people, who labelled the same documents."""
    kind = {"people": ["m1", "m2"]} if people else {"models": ["m1", "m2"]}
    return new_store(path, topics=["q1", "q2"], runs=RUNS, qrels={"m1": ONE, "m2": second}, **kind)  # type: ignore[arg-type]


@pytest.mark.parametrize("people", [False, True])
@pytest.mark.parametrize(
    "command",
    [
        *("evaluate", "compare", "reusability", "pool estimate", "topics hardness"),
        pytest.param("report", marks=pytest.mark.needs_extra("report")),
    ],
)
def test_labels_that_differ_are_refused_without_a_choice(
    tmp_path: Path, cranfield: Cranfield, people: bool, command: str
) -> None:
    two_labellers(tmp_path / "s.db", people).close()
    words = [*command.split(), tmp_path / "s.db", *([tmp_path / "out.html"] if command == "report" else [])]
    result = cranfield(*words)
    assert result.code == 1
    assert "4 documents have different labels by m1 and m2" in result.err
    for choice in ("--assessor NAME", "--policy NAME", "median-low", "mean-rounded", "cranfield store labels"):
        assert choice in result.err
    assert ("cranfield model panel" in result.err) is not people


@pytest.mark.parametrize("people", [False, True])
def test_a_choice_decides_grades_and_scores(people: bool) -> None:
    """P@1 is 1.0 by one of two models and 0.0 by the other; the order in which they came does not matter."""
    with two_labellers(None, people) as store:
        for name, values in SCORES.items():
            chosen = choose_labels(store, Labellers(name))
            judged = join_runs_and_qrels(as_runs(RUNS), chosen.qrels)
            assert score(judged, [parse("P@1")])[..., 0].mean(axis=1).tolist() == values
            assert name in labellers_line(store, chosen, Labellers(name))
        for rule, grade in (("max", 1), ("min", 0), ("median-low", 0), ("mean-rounded", 1)):
            labellers = Labellers(policy=rule)
            chosen = choose_labels(store, labellers)
            assert chosen.qrels.grade.tolist() == [grade] * 4
            line = labellers_line(store, chosen, labellers)
            assert line.endswith(f"m1, m2; 4 documents have different labels; policy: {rule}")
        with pytest.raises(InputError, match="cannot be used together"):
            choose_labels(store, Labellers("m1", policy="max"))


@pytest.mark.needs_extra("report")
def test_a_choice_is_named_wherever_it_scores(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "s.db"
    two_labellers(path).close()
    result = cranfield("evaluate", path, "-m", "P@1", "--assessor", "m2", "--format", "json")
    document = json.loads(result.out)
    assert {row["run"]: row["value"] for row in document["scores"]} == {"r1": 0.0, "r2": 1.0}
    assert document["labelled_by"]["assessors"] == ["m2"]
    assert "m2" in result.err
    result = cranfield("evaluate", path, "-m", "P@1", "--policy", "max", "--format", "json")
    document = json.loads(result.out)
    assert {row["value"] for row in document["scores"]} == {1.0}
    assert (document["labelled_by"]["policy"], document["labelled_by"]["assessors"]) == ("max", ["m1", "m2"])
    assert "m1, m2; 4 documents have different labels; policy: max" in result.err
    both = cranfield("evaluate", path, "--policy", "max", "--assessor", "m1")
    assert (both.code, "cannot be used together" in both.err) == (1, True)
    latex = cranfield("evaluate", path, "--policy", "max", "--format", "latex")
    assert "policy: max" in latex.out
    assert cranfield("report", path, tmp_path / "out.html", "--policy", "max").code == 0
    assert "m1, m2; 4 documents have different labels; policy: max" in (tmp_path / "out.html").read_text("utf-8")


@pytest.mark.parametrize("command", ["evaluate --per-topic", "compare"])
def test_a_column_of_scores_says_whose_labels_scored(tmp_path: Path, cranfield: Cranfield, command: str) -> None:
    """In CSV and TSV, on the standard output and in files, as the line of tables has it and the frames of Python."""
    path, scores = tmp_path / "s.db", tmp_path / "scores.csv"
    two_labellers(path, people=True).close()
    words = [*command.split(), path, "-m", "P@1", "--policy", "max"]
    whose = json.loads(cranfield.out(*words, "--format", "json"))["labelled_by"]["line"]
    assert whose == "4 labels by m1, m2; 4 documents have different labels; policy: max"
    assert cranfield(*words, "-o", scores).code == 0
    for text, delimiter in (
        (cranfield.out(*words, "--format", "csv"), ","),
        (cranfield.out(*words, "--format", "tsv"), "\t"),
        (scores.read_text(), ","),
    ):
        rows = list(csv.DictReader(io.StringIO(text), delimiter=delimiter))
        assert {row["labels_of"] for row in rows} == {whose}
    is_compared = command == "compare"
    function: Callable[..., Any] = package.compare if is_compared else package.evaluate
    with pytest.warns(UserWarning, match="m1, m2; 4 documents have different labels; policy: max"):
        result = function(path, measures="P@1", policy="max")
    frame = getattr(result, "frame", result)
    assert set(frame["labels_of"]) == {whose}
    if not is_compared:
        compared = json.loads(cranfield.out("compare", scores, "--format", "json"))["pairs"]
        assert [pair["measure"] for pair in compared] == ["P@1"]
        with pytest.warns(UserWarning, match="m1, m2; 4 documents have different labels; policy: max"):
            by_topic = package.evaluate(path, measures="P@1", policy="max", per_topic=True).frame
        assert "labels_of" in by_topic
        assert list(package.compare(by_topic).table["measure"]) == ["P@1"]


TABLES = (
    "reusability", "curve", "depths", "stability", "correlate", "topics hardness", "pool forecast", "compare",
    "evaluate", "pool show --by run",
)  # fmt: skip


@pytest.mark.parametrize("command", TABLES)
def test_every_table_of_scores_says_whose_labels_scored(tmp_path: Path, cranfield: Cranfield, command: str) -> None:
    """The CSV of a command has the line that stands under its table, in a column."""
    path, qids, docnos = tmp_path / "s.db", [f"q{number}" for number in range(10)], [f"d{n}" for n in range(12)]
    runs = {
        f"r{k}": {qid: {docno: float((at * (k + 2) + number) % 13) for at, docno in enumerate(docnos)}
                  for number, qid in enumerate(qids)} for k in range(5)
    }  # fmt: skip
    qrels = {name: {qid: {docno: (at + n) % 3 % 2 for at, docno in enumerate(docnos)} for qid in qids}
             for n, name in enumerate(("ada", "bob"))}  # fmt: skip
    new_store(path, topics=qids, runs=runs, people=["ada", "bob"], qrels=qrels, pool=5).close()
    assert cranfield("store", "labels", path, "--policy", "max").code == 0
    rows = list(csv.DictReader(io.StringIO(cranfield.out(*command.split(), path, "--format", "csv"))))
    assert {row["labels_of"] for row in rows} == {
        "120 labels by ada, bob; 80 documents have different labels; policy: max, the store's choice"
    }


def test_frames_say_whose_labels_scored(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    two_labellers(path, people=True).close()
    for function in (package.curve, package.topics.measure_hardness):
        with pytest.warns(UserWarning, match="policy: max"):
            frame = function(path, policy="max").frame
        assert set(frame["labels_of"]) == {"4 labels by m1, m2; 4 documents have different labels; policy: max"}


def test_scores_without_several_assessors_have_no_such_column(tmp_path: Path, cranfield: Cranfield) -> None:
    with new_store(tmp_path / "s.db", topics=["q1", "q2"], runs=RUNS, people=["ada"], qrels={"ada": ONE}):
        pass
    assert "labels_of" not in cranfield.out("evaluate", tmp_path / "s.db", "-m", "P@1", "--format", "csv")
    assert "labels_of" not in package.evaluate(tmp_path / "s.db", measures="P@1").frame
    assert "labels_of" not in package.evaluate(ONE, RUNS, measures="P@1").frame


def test_labels_that_agree_are_not_refused(cranfield: Cranfield, tmp_path: Path) -> None:
    two_labellers(tmp_path / "s.db", second=ONE).close()
    result = cranfield("evaluate", tmp_path / "s.db", "-m", "P@1")
    assert result.code == 0
    assert "m1; no difference" not in result.err
    with Store.open(tmp_path / "s.db") as store:
        assert undecided_pairs(store) == ([], [])


def test_an_adjudication_or_a_first_assessor_decides() -> None:
    with two_labellers(None, people=True) as store:
        pairs = [(qid, docno) for qid in ONE for docno in ONE[qid]]
        assert list(undecided_pairs(store).items) == pairs
        append(store, Event("adjudicate", "q1", "d1", "m2", grade=0))
        assert list(undecided_pairs(store).items) == pairs[1:]
        append(store, *(Event("adjudicate", *pair, "m2", grade=1) for pair in pairs[1:]))
        assert choose_labels(store).qrels.grade.tolist() == [0, 1, 1, 1]


def test_people_go_before_models_and_their_labels_may_be_asked_for() -> None:
    with new_store(topics=["q1", "q2"], runs=RUNS, people=["ada"], models=["m1", "m2"],
                   qrels={"ada": ONE, "m1": ONE, "m2": OTHER}) as store:  # fmt: skip
        assert choose_labels(store).qrels.grade.tolist() == [1, 0, 1, 0]
        with pytest.raises(UndecidedError) as refused:
            choose_labels(store, Labellers(kind=LabelledBy.models))
        assert refused.value.names == ("m1", "m2")


def test_a_recorded_choice_holds_until_another(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "s.db"
    two_labellers(path).close()
    shown = cranfield("store", "labels", path).out
    assert shown.startswith("no choice is recorded, and 4 documents need one; choose with --assessor NAME")
    assert shown.endswith("\n4 documents have different labels by m1 and m2\n")
    chosen = cranfield("store", "labels", path, "--assessor", "m2").out
    assert chosen.startswith("the labels of m2 count (recorded choice)\n")
    scored = json.loads(cranfield("evaluate", path, "-m", "P@1", "--format", "json").out)
    assert {row["run"]: row["value"] for row in scored["scores"]} == {"r1": 0.0, "r2": 1.0}
    assert scored["labelled_by"]["assessors"] == ["m2"]
    other = json.loads(cranfield("evaluate", path, "-m", "P@1", "--assessor", "m1", "--format", "json").out)
    assert {row["run"]: row["value"] for row in other["scores"]} == {"r1": 1.0, "r2": 0.0}
    assert cranfield("store", "labels", path, "--policy", "max", "--reason", "users see both").code == 0
    with pytest.warns(UserWarning, match="m1, m2; 4 documents have different labels; policy: max"):
        assert package.evaluate(path, measures="P@1").frame["value"].tolist() == [1.0, 1.0]
    assert cranfield("store", "labels", path, "--none").code == 0
    lines = json.loads(cranfield.out("store", "history", path, "--format", "json"))
    choices = [(line["number"], line["name"], line["reason"]) for line in lines if line["what"] == "labels"]
    assert choices == [
        ("choice 1", "labels by m2", ""),
        ("choice 2", "policy max", "users see both"),
        ("choice 3", "no choice is recorded", ""),
    ]
    assert cranfield("evaluate", path).code == 1
    assert cranfield("store", "verify", path).code == 0
    for words in (["--policy", "no"], ["--assessor", "no"], ["--assessor", "m1", "--policy", "max"]):
        assert cranfield("store", "labels", path, *words).code == 1
    assert cranfield("store", "labels", path, "--none", "--policy", "max").code == 2


@pytest.mark.parametrize(
    ("words", "grade"),
    [
        ("--policy max", {"d1": 1, "d2": 1}),
        ("--policy min", {"d1": 0, "d2": 0}),
        ("--assessor m2", {"d1": 0, "d2": 1}),
        ("--policy primary", {"d1": 1, "d2": 0}),
    ],
)
def test_what_shows_labels_follows_the_recorded_choice(
    tmp_path: Path, cranfield: Cranfield, words: str, grade: dict[str, int]
) -> None:
    """Files, `why`, pages, differences between releases, and what is judged of a pool give the same grades."""
    path = tmp_path / "s.db"
    two_labellers(path, people=True).close()
    cranfield.run(f"store labels {path} {words}", f"store release {path} 1.0 --note first")
    cranfield.out("export", "qrels", path, tmp_path / "qrels")
    lines = [line.split() for line in (tmp_path / "qrels").read_text().splitlines()]
    assert {docno: int(value) for qid, _, docno, value in lines if qid == "q1"} == grade
    for docno, value in grade.items():
        assert json.loads(cranfield.out("why", path, "q1", docno, "--format", "json"))["grade"] == value
        assert package.judging.explain_label(path, "q1", docno).frame["fate"].tolist().count("counts") >= 1
    differences = json.loads(cranfield.out("diff", path, "1.0", str(tmp_path / "qrels"), "--format", "json"))
    assert differences["labels"]["changes"] == []
    with Store.open(path) as store:
        assert {one.docno: one.grade for one in topic_documents(store, "q1", None)} == grade
        assert {row["relevant"] for row in topic_rows(store)} == {sum(grade.values())}
        assert {docno: shown_grades_of_document(store, docno).grades["q1"] for docno in grade} == grade
        assert {
            docno: one
            for (qid, docno), one in decisions_by_given_or_recorded_policy(store).labels.items()
            if qid == "q1"
        } == grade


def test_pages_show_no_grade_until_somebody_chooses() -> None:
    """Documents whose labels differ are judged, but neither relevant nor of any grade."""
    with two_labellers(None, people=True) as store:
        documents = topic_documents(store, "q1", None)
        assert [(one.docno, one.grade, one.undecided) for one in documents] == [("d1", None, True), ("d2", None, True)]
        rows = [(row["judged"], row["undecided"], row["relevant"], row["grade 0"]) for row in topic_rows(store)]
        assert rows == [(2, 2, 0, 0), (2, 2, 0, 0)]
        assert [(one.grades, one.undecided) for one in first_ranks(store, "q1")] == [([None, None], [True, True])] * 2
        assert shown_grades_of_document(store, "d1").grades == {"q1": None, "q2": None}
        chosen = pool_topic_rows(store, None, Labellers("m2"))[0]
        assert [(row["undecided"], row["relevant"]) for row in chosen] == [(0, 1), (0, 1)]


def test_the_names_of_policies_are_all_but_single() -> None:
    assert ("single", *POLICY_NAMES) == tuple(POLICIES)


@pytest.mark.needs_extra("serve")
def test_pages_say_what_to_choose_and_take_the_choice() -> None:
    from cranfield.web.look.table import answer

    with two_labellers(None) as store:
        for view in ("systems", "compare", "reusability", "hardness"):
            page = answer(store, view, "", [])
            assert page.status == 200
            assert not isinstance(page.content, str)
            text = str(page.content["body"])
            assert "2 assessors gave the same documents different labels: m1, m2" in text
            names = {field["name"] for field in page.content["fields"]}
            assert {"assessor", "policy"} <= names
            refused = answer(store, view, "json", [])
            assert refused.status == 409
        document = json.loads(str(answer(store, "systems", "json", [("measures", "P@1"), ("assessor", "m2")]).content))
        assert {row["run"]: row["value"] for row in document["scores"]} == {"r1": 0.0, "r2": 1.0}
        assert document["labelled_by"]["assessors"] == ["m2"]
        assert answer(store, "systems", "json", [("policy", "x")]).status == 400


def test_a_model_at_chance_is_refused_beside_people() -> None:
    """People labelled eight documents of 12 topics; the labels of the model have nothing to do with theirs."""
    qids = [f"q{number}" for number in range(12)]
    people = {qid: {f"d{at}": at % 2 for at in range(8)} for qid in qids}
    chance = {qid: {f"d{at}": at // 2 % 2 for at in range(9)} for qid in qids}
    good = {qid: {f"d{at}": at % 2 for at in range(9)} for qid in qids}
    runs = {"r": {qid: {f"d{at}": float(-at) for at in range(9)} for qid in qids}}
    for name, labels in (("chance", chance), ("good", good)):
        with new_store(topics=qids, runs=runs, people=["ada"], models=[name],
                       qrels={"ada": people, name: labels}) as store:  # fmt: skip
            assert list(models_at_chance(store)) == (["chance"] if name == "chance" else [])
            if name == "good":
                assert choose_labels(store).by_model.sum() == 12
                continue
            with pytest.raises(InputError, match="the labels of chance agree with human labels no better than chance"):
                choose_labels(store)
            assert choose_labels(store, Labellers(policy="primary")).by_model.sum() == 12
            assert not choose_labels(store, Labellers(kind=LabelledBy.people)).by_model.any()
            for chosen in (Labellers(policy="primary"), Labellers(kind=LabelledBy.models), Labellers("chance")):
                line = labellers_line(store, choose_labels(store, chosen), chosen)
                assert "; chance agrees with people no better than chance: kappa " in line


EXPORTS = (
    "export qrels s.db out",
    "export beir s.db out",
    pytest.param(
        "publish build s.db out --draft",
        marks=[pytest.mark.needs("publishing"), pytest.mark.needs_extra("arrow", "files", "report")],
    ),
)


@pytest.mark.parametrize("words", EXPORTS)
def test_exports_refuse_or_name_a_model_at_chance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield, words: str
) -> None:
    """As `evaluate` does: refused while nothing is chosen, named where a policy was chosen or is on record."""
    monkeypatch.chdir(tmp_path)
    qids = [f"q{number}" for number in range(12)]
    docnos = [f"d{number}" for number in range(9)]
    people = {qid: {docno: at % 2 for at, docno in enumerate(docnos[:8])} for qid in qids}
    chance = {qid: {docno: at // 2 % 2 for at, docno in enumerate(docnos)} for qid in qids}
    new_store(
        tmp_path / "s.db", documents=dict.fromkeys(docnos, "words"), topics=dict.fromkeys(qids, "title"),
        people=["ada"], models=["chance"], qrels={"ada": people, "chance": chance},
    ).close()  # fmt: skip
    refusal = cranfield(*words.split())
    assert (refusal.code, (tmp_path / "out").exists()) == (1, False)
    assert "the labels of chance agree with human labels no better than chance: kappa is " in refusal.err
    assert "use its labels with --policy primary" in refusal.err
    assert ("--labels people" in refusal.err) is words.startswith("export")
    named = cranfield(*words.split(), "--policy", "primary")
    assert (named.code, named.err.count("chance agrees with people no better than chance: kappa ")) == (0, 1)
    if words.startswith("export"):
        clean = cranfield(*[word.replace("out", "people") for word in words.split()], "--labels", "people")
        assert (clean.code, "no better than chance" in clean.err) == (0, False)


def test_a_pool_that_learns_from_a_model_at_chance_names_it(tmp_path: Path, cranfield: Cranfield) -> None:
    path, qids = tmp_path / "s.db", [f"q{number}" for number in range(12)]
    docnos = [f"d{number}" for number in range(9)]
    people = {qid: {docno: at % 2 for at, docno in enumerate(docnos[:8])} for qid in qids}
    chance = {qid: {docno: at // 2 % 2 for at, docno in enumerate(docnos)} for qid in qids}
    runs = {tag: {qid: {docno: float(at * sign) for at, docno in enumerate(docnos)} for qid in qids}
            for tag, sign in (("a", 1), ("b", -1))}  # fmt: skip
    qrels = {"ada": people, "chance": chance}
    new_store(path, topics=qids, people=["ada"], models=["chance"], qrels=qrels, runs=runs, pool=3).close()
    for words in ("pool build {} --method mtf --budget 4 --depth 5", "pool show {} --by run"):
        result = cranfield(*words.format(path).split())
        assert result.code == 0, result
        assert "chance agrees with people no better than chance" in " ".join((result.out + result.err).split())
