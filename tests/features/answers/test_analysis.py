"""Scores from labels of answers in a store: of runs, without a run's own nuggets, and by a model beside people."""

import json
from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from pathlib import Path
from shutil import copy

import numpy as np
import pytest

import cranfield as package
from cranfield.errors import InputError
from cranfield.features.answers.formats.answers import Answer, Sentence
from cranfield.features.answers.store.answers import add_answers, stored_answers
from cranfield.features.answers.store.labels import (
    CLAIM_LABELS,
    NUGGET_LABELS,
    SUPPORT_LABELS,
    ClaimSet,
    LabelEvent,
    LabelLog,
    add_claims,
    current_claims,
)
from cranfield.features.answers.store.nuggets import NuggetEdit, current_nuggets, edit_nuggets
from cranfield.features.answers.subjects import GeneratedAnswers
from cranfield.features.models.analysis.audit import ModelAudit, audit
from cranfield.features.models.analysis.topics import draw_topics_of
from cranfield.features.models.calls import audit_sample
from cranfield.features.models.sample import sample_for
from cranfield.judging.agreement.chance_corrected import COHEN
from cranfield.store.history import importing
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.features.answers.stores import SAID, answered_store, label_nuggets, label_support
from tests.stores import new_store

MEASURES = ["A", "A_strict", "V", "V_strict", "W", "W_strict", "SupportP", "SupportR"]
FIRST = [0.6, 0.4, 0.5, 0.3333, 0.5625, 0.375, 0.5, 0.375]  # of run a, topic 1


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Two runs of two answers, and no labels."""
    with answered_store(tmp_path / "t.db") as store:
        yield store


def test_the_scores_are_those_of_the_measures(store: Store, cranfield: Cranfield) -> None:
    """By topic and in the mean, in the terminal and in Python."""
    label_nuggets(store, "ada", SAID)
    label_support(store, "ada", "spn")
    options = [word for name in MEASURES for word in ("-m", name)]
    output = cranfield("evaluate", store.path, "--answers", *options, "--per-topic", "--format", "json")
    document = json.loads(output.out)
    first = [row["value"] for row in document["scores"] if (row["run"], row["query_id"]) == ("a", "1")]
    assert first == pytest.approx(FIRST, abs=5e-5)
    assert document["topics"] == 2
    assert output.err == ""  # all labels are there, and people's
    means = {(row["run"], row["measure"]): row["value"] for row in document["scores"] if row["query_id"] == "all"}
    assert means["a", "A"] == pytest.approx(0.8)
    table = package.evaluate(store, measures=MEASURES, subject=GeneratedAnswers()).frame
    assert {(row.run, row.measure): row.value for row in table.itertuples()} == pytest.approx(means)
    package.store.withdraw(store.path, "topic", "2", reason="ambiguous")
    rest = json.loads(cranfield("evaluate", store.path, "--answers", *options, "--format", "json").out)
    assert [row["value"] for row in rest["scores"] if row["run"] == "a"] == pytest.approx(FIRST, abs=5e-5)
    assert rest["left_out"] == {"topics": {"2": "ambiguous"}}


def test_score_rows_of_autojudge(store: Store, cranfield: Cranfield, tmp_path: Path) -> None:
    """Each topic and the mean, as autojudge-base 1.0.0 writes them; what is undefined is left out, and counted.

    Its `Leaderboard.load(path, "jsonl")` takes `None` and `NaN` for values.
    """
    label_nuggets(store, "ada", {**SAID, ("b", "2"): "x "})
    out = tmp_path / "scores.jsonl"
    how = ("evaluate", store.path, "--answers", "-m", "V", "-m", "A")
    output = cranfield(*how, "--score-rows", str(out))
    assert f"note: 4 undefined scores left out of {out}" in output.err
    lines = out.read_text().splitlines()
    assert lines[0] == '{"run_id": "a", "topic_id": "1", "measure": "V", "value": 0.5}'
    rows = [json.loads(line) for line in lines]
    assert {(row["run_id"], row["topic_id"]) for row in rows} == {("a", "1"), ("a", "2"), ("a", "all"), ("b", "1")}
    only = [line for line in lines if json.loads(line)["topic_id"] != "all"]
    out.write_text("\n".join(only) + "\n")
    output = cranfield("correlate", str(out), str(out))
    assert "no mean is a number, so there are no score rows" in output.err
    with pytest.warns(UserWarning, match="label"):
        table = package.evaluate(store, measures=["V", "A"], subject=GeneratedAnswers(), per_topic=True).frame.dropna()
    assert table.pop("labels_of").unique().tolist() == ["13 nugget labels by ada; 1 of them failed or cannot be judged"]
    names = {"run": "run_id", "query_id": "topic_id"}
    mine = [json.loads(line) for line in table.rename(columns=names).to_json(orient="records", lines=True).splitlines()]
    assert sorted(mine, key=str) == sorted((row for row in rows if row["topic_id"] != "all"), key=str)
    assert cranfield(*how, "--score-rows", "-").code == 2


def test_a_failed_or_missing_label_is_nan_and_counted(store: Store, cranfield: Cranfield) -> None:
    """Neither 0 nor left out; another option leaves out the topic, for all runs."""
    label_nuggets(store, "ada", {**SAID, ("b", "2"): "x ", ("b", "1"): "nnn n"})
    output = cranfield("evaluate", store.path, "--answers", "-m", "A", "-m", "V", "--format", "json")
    means = {(row["run"], row["measure"]): row["value"] for row in json.loads(output.out)["scores"]}
    assert means == pytest.approx({("a", "A"): 0.8, ("a", "V"): 0.75, ("b", "A"): None, ("b", "V"): None})
    assert "1 of them failed or cannot be judged" in output.err
    so = "A is NaN for 2 of 4 answers, because labels failed or are missing, so the mean of 1 run is NaN"
    assert so in output.err
    assert "V is NaN for 1 of 4 answers" in output.err
    only = cranfield("evaluate", store.path, "--answers", "-m", "V", "--labelled-topics-only", "--format", "json")
    document = json.loads(only.out)
    assert document.pop("labelled_by")["nuggets"]["assessors"] == ["ada"]
    assert document == {
        "topics": 1, "scores": [{"run": "a", "measure": "V", "value": 0.5}, {"run": "b", "measure": "V", "value": 0.0}],
    }  # fmt: skip
    assert "omitted 1 topic, because some answers lack labels; scores use 1 of 2 topics" in only.err


def test_a_topic_without_a_vital_nugget_is_undefined(store: Store, cranfield: Cranfield) -> None:
    """It is counted, and is no failure."""
    label_nuggets(store, "ada", SAID)
    vital = next(one for one in current_nuggets(store, "2") if one.importance == "vital")
    edit_nuggets(store, [NuggetEdit("okay", "2", "ada", nugget=vital.number)])
    output = cranfield("evaluate", store.path, "--answers", "-m", "V", "--format", "csv")
    assert output.out.splitlines() == ["run,V", "a,0.5", "b,0.0"] or output.out.splitlines()[1].startswith("a,0.5")
    assert "the means of V exclude 1 topic where it is undefined (there are no such nuggets)" in output.err


def test_a_models_nuggets_do_not_join_those_of_people(store: Store, cranfield: Cranfield) -> None:
    """People's scores stay what they were, in every command; what is left out is said, and can be asked for."""
    label_nuggets(store, "ada", SAID)
    commands = [
        ["evaluate", store.path, "--answers", "-m", "V", "-m", "A"],
        ["compare", store.path, "--answers", "-m", "A"],
        ["answers", "nuggets", "show", store.path],
    ]
    before = [cranfield(*words, "--format", "json").out for words in commands]
    edit_nuggets(store, [NuggetEdit("vital", qid, "llm", f"of {qid}") for qid in "12"])
    note = "note: 7 nuggets by people; 2 by models are left out (use --nuggets all to count them)\n"
    for words, out in zip(commands, before, strict=True):
        now = cranfield(*words, "--format", "json")
        assert (now.out, now.err) == (out, note)
    both = cranfield(*commands[0], "--nuggets", "all", "--format", "json")
    assert {row["value"] for row in json.loads(both.out)["scores"]} == {None}
    assert "note: 9 nuggets, of which 2 by models\n" in both.err
    rows = json.loads(cranfield(*commands[2], "--nuggets", "models", "--format", "json").out)
    assert [(row["nugget"], row["author"], row["by"]) for row in rows] == [
        ("of 1", "llm", "models"), ("of 2", "llm", "models"),
    ]  # fmt: skip
    with pytest.warns(UserWarning, match="2 by models are left out"):
        assert package.evaluate(store, measures="A", subject=GeneratedAnswers()).frame[
            "value"
        ].tolist() == pytest.approx([0.8, 0.125])
    with pytest.warns(UserWarning, match="of which 2 by models|A is NaN for 4 of"):
        assert (
            package.evaluate(store, measures="A", subject=GeneratedAnswers(nuggets="all")).frame["value"].isna().all()
        )
    with pytest.warns(UserWarning, match="of which 2 by models"):
        assert len(package.answers.list_nuggets(store, nuggets="all").rows()) == 9
    with pytest.raises(InputError, match="nuggets is 'nobody'; expected one of people, models, all"):
        package.compare(store, subject=GeneratedAnswers(nuggets="nobody"))  # type: ignore[arg-type]
    expected = r"expected subject=cranfield\.subjects\.GeneratedAnswers\(\.\.\.\)$"
    with pytest.raises(TypeError, match=rf"^evaluate\(\) got an unexpected keyword argument 'nuggets'; {expected}"):
        package.evaluate(store, nuggets="all")  # type: ignore[call-arg]
    assert cranfield("evaluate", store.path, "--nuggets", "all").code == 2
    assert cranfield("compare", store.path, "--nuggets", "all").code == 2
    assert cranfield("reusability", store.path, "--nuggets", "all").code == 2


@pytest.mark.full
def test_models_nuggets_count_where_people_have_none(store: Store, cranfield: Cranfield) -> None:
    """Asked for people's, that is an error."""
    for one in current_nuggets(store):
        edit_nuggets(store, [NuggetEdit("drop", one.qid, "ada", nugget=one.number)])
    edit_nuggets(store, [NuggetEdit("vital", qid, "llm", f"of {qid}") for qid in "12"])
    label_nuggets(store, "llm", dict.fromkeys(SAID, "s"))
    words = ["evaluate", store.path, "--answers", "-m", "A", "--format", "csv"]
    output = cranfield(*words)
    whose = '"4 nugget labels by llm, a model"'
    assert output.out.splitlines()[1:] == [f"a,1.0,{whose}", f"b,1.0,{whose}"]
    assert output.err.startswith("note: 2 nuggets by models\n")
    none = cranfield(*words, "--nuggets", "people")
    message = "no nugget was written by people; the 2 nuggets in this store are by other authors"
    assert (none.code, message in none.err) == (1, True)


def test_labels_of_nuggets_that_do_not_count_decide_nothing(store: Store, cranfield: Cranfield) -> None:
    """A person labelled a model's nuggets only: those of people have the model's labels."""
    label_nuggets(store, "llm", SAID)
    edit_nuggets(store, [NuggetEdit("vital", qid, "llm", f"of {qid}") for qid in "12"])
    label_nuggets(store, "ada", {("a", "1"): "     s", ("a", "2"): "  s"})
    output = cranfield("evaluate", store.path, "--answers", "-m", "A", "--format", "csv")
    assert output.out.splitlines()[1:] == [
        'a,0.8,"14 nugget labels by llm, a model"',
        'b,0.125,"14 nugget labels by llm, a model"',
    ]
    assert "note: 14 nugget labels by llm, a model\n" in output.err
    table = cranfield("evaluate", store.path, "--answers", "-m", "A", "--format", "markdown")
    assert table.out.endswith("\n14 nugget labels by llm, a model\n")


@pytest.mark.full
def test_people_count_before_models_and_are_never_mixed(store: Store, cranfield: Cranfield) -> None:
    """A model's labels count where no person labelled anything, or where they are asked for."""
    label_nuggets(store, "llm", dict.fromkeys(SAID, "sssss") | {("a", "2"): "ss", ("b", "2"): "ss"})
    output = cranfield("evaluate", store.path, "--answers", "-m", "A")
    assert "14 nugget labels by llm, a model" in output.err
    label_nuggets(store, "ada", {("a", "1"): "nnnnn"})
    output = cranfield("evaluate", store.path, "--answers", "-m", "A", "--per-topic", "--format", "json")
    values = {(row["run"], row["query_id"]): row["value"] for row in json.loads(output.out)["scores"]}
    assert values == {("a", "1"): 0.0, ("a", "2"): None, ("a", "all"): None,
                      ("b", "1"): None, ("b", "2"): None, ("b", "all"): None}  # fmt: skip
    assert "5 nugget labels by ada; 14 by models are left out" in output.err
    with pytest.warns(UserWarning, match="14 nugget labels by llm, a model"):
        assert package.evaluate(store, measures="A", subject=GeneratedAnswers(), labels="models").frame[
            "value"
        ].tolist() == [
            1.0,
            1.0,
        ]
    with pytest.warns(UserWarning, match="14 nugget labels by llm, a model"):
        assert package.evaluate(store, measures="A", subject=GeneratedAnswers(), assessor="llm").frame[
            "value"
        ].tolist() == [
            1.0,
            1.0,
        ]


def test_an_answer_that_is_not_there_counts_as_empty(store: Store) -> None:
    """A run that does not answer has no nugget; an option leaves such topics out."""
    from cranfield.features.answers.store.answers import add_answers

    add_answers(store, [Answer("c", "1", [])])
    label_nuggets(store, "ada", SAID)
    with pytest.warns(UserWarning, match="1 of 3 runs did not answer all 2 judged topics and scores 0 there: c 1"):
        table = package.evaluate(store, measures="A", subject=GeneratedAnswers(), per_topic=True).frame
    assert table[table["run"] == "c"]["value"].tolist() == [0.0, 0.0]
    with pytest.warns(UserWarning, match="so means are over different topics: c 1"):
        some = package.evaluate(
            store, measures="A", subject=GeneratedAnswers(), per_topic=True, retrieved_topics_only=True
        ).frame
    assert some[some["run"] == "c"]["query_id"].tolist() == ["1"]


def test_runs_are_compared_on_their_answers(store: Store, cranfield: Cranfield) -> None:
    """With any significance test, on the topics on which both have all labels."""
    label_nuggets(store, "ada", {**SAID, ("b", "2"): "p "})
    output = cranfield("compare", store.path, "--answers", "-m", "V", "--test", "permutation", "--format", "json")
    assert output.code == 0, output
    [pair] = json.loads(output.out)["pairs"]
    assert (pair["run_a"], pair["run_b"], pair["topics"], pair["difference"]) == ("a", "b", 2, 0.5)
    with pytest.warns(UserWarning, match="1 of 4 answers lacks labels"):
        alone = package.compare(store, measures="A", subject=GeneratedAnswers(), test="sign").frame
    assert alone["topics"].tolist() == [1]
    assert "1 of 4 answers lacks labels" in cranfield("compare", store.path, "--answers", "-m", "A", "-m", "V").err


NO_SCORES = {
    ("V",): "no answer has nugget labels; `cranfield answers nuggets assign` records them",
    ("SupportP",): "no citation has support labels; `cranfield answers support` records them",
    ("CtxP@3",): "this store has no judgments yet",
    ("AnsRel",): "there are no generated questions for any answer",
    ("AP",): "AP is a measure of rankings; for answers, choose from V_strict",
    ("V", "--assessor", "zoe"): "no assessor 'zoe' in this store; available: ada, llm",
}


def test_what_cannot_be_scored_is_said(store: Store, tmp_path: Path, cranfield: Cranfield) -> None:
    """With what would help; files have no answers."""
    for words, message in NO_SCORES.items():
        output = cranfield("evaluate", store.path, "--answers", "-m", *words)
        assert (output.code, message in output.err) == (1, True), output
    (tmp_path / "q").write_text("q 0 d 1\n")
    assert "answers are in a store" in cranfield("evaluate", tmp_path / "q", "--answers").err
    with pytest.raises(InputError, match="answers are in a store"):
        package.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, measures="V", subject=GeneratedAnswers())
    with new_store() as empty, pytest.raises(InputError, match="no answers in this store"):
        package.evaluate(empty, measures="V", subject=GeneratedAnswers())


def test_contexts_are_scored_by_judgments(store: Store) -> None:
    """An unjudged document makes the score NaN."""
    package.store.import_qrels(store, {"1": {"d1": 1, "d2": 0, "d3": 1}, "2": {"d1": 1}}, assessor="ada", kind="human")
    with pytest.warns(UserWarning, match="CtxP is NaN for 2 of 4 answers"):
        table = package.evaluate(store, measures=["CtxP", "CtxP@1"], subject=GeneratedAnswers(), per_topic=True).frame
    values = {(row.run, row.query_id, row.measure): row.value for row in table.itertuples()}
    assert [values["a", "1", name] for name in ("CtxP", "CtxP@1")] == pytest.approx([0.8333, 1.0], abs=5e-5)
    assert isnan(float(str(values["a", "2", "CtxP"])))


FROM = {"1 0": ["a"], "1 1": ["a", "b"], "1 3": ["b"], "2 0": ["a"], "2 1": ["b"]}  # two are on nobody's record


@pytest.fixture
def contributed_store(tmp_path: Path) -> Iterator[Store]:
    """Nuggets from a alone, from both, from b alone, and from nobody."""
    with answered_store(tmp_path / "t.db", FROM, {"ada": SAID}) as store:
        yield store


def test_a_run_loses_the_nuggets_it_alone_gave(contributed_store: Store, cranfield: Cranfield) -> None:
    """All answers are scored again, on the topics that still have such nuggets; by team, and in Python, too."""
    output = cranfield("reusability", contributed_store.path, "--answers", "-m", "A", "-m", "V", "--format", "json")
    document = json.loads(output.out)
    assert (document["nuggets"], document["contributed"], document["topics"]) == (7, 5, 2)
    assert "the store does not record an answer as the source of 2 of 7 nuggets, so they stay in every" in output.err
    assert (
        "without a run's nuggets, V is undefined on some of the 2 topics (a 1); the row for a omits these topics, so"
        " its score differs from the score that `cranfield evaluate --answers` prints"
    ) in output.err
    a, b = document["units"]
    assert [(unit["unit"], unit["unique"], unit["unique_relevant"]) for unit in (a, b)] == [("a", 2, 2), ("b", 2, 0)]
    full = {score["measure"]: (score["full"], score["reduced"]) for score in a["scores"]}
    assert full["A"] == pytest.approx(((0.6 + 1) / 2, ((0.5 + 0 + 1 + 0.5) / 4 + 1) / 2))
    assert full["V"] == pytest.approx((0.5, 0.25))  # topic 2 has no vital nugget without those of a
    assert document["summary"]["A"]["max_change_percent"] == pytest.approx(100)  # of b, from .125 to .25
    table = cranfield(
        "reusability", contributed_store.path, "--answers", "--by", "team", "-m", "A", "--format", "csv"
    ).out
    assert table.splitlines()[0] == "team,run,unique,vital,measure,score,without,change %,rank,rank without,tau"
    assert table.splitlines()[2].startswith("A,a,2,2,A,0.8,0.75")
    with pytest.warns(UserWarning, match="2 of 7 nuggets"):
        changes = package.trust.leave_one_out(contributed_store, measures="A", subject=GeneratedAnswers()).frame
    assert changes[["unit", "full", "reduced"]].values.tolist()[0] == ["a", 0.8, 0.75]
    assert cranfield("reusability", contributed_store.path, "--answers").code == 0


@pytest.mark.parametrize(
    ("contributors", "words", "code", "message"),
    [
        ({}, [], 1, "the store does not record which answers the nuggets come from"),
        ({"1 0": ["a"]}, [], 1, "all nuggets come from the answers of one run; expected"),
        ({"1 0": ["a"], "1 1": ["z"]}, [], 1, "a nugget comes from run 'z', but this store contains"),
        (FROM, ["-m", "AP"], 1, "AP is a measure of rankings"),
        (FROM, ["--depth", "3"], 2, "works with --by run, team or kind"),
    ],
)
def test_where_it_means_nothing_it_says_so(
    tmp_path: Path,
    cranfield: Cranfield,
    contributors: Mapping[str, Sequence[str]],
    *,
    words: list[str],
    code: int,
    message: str,
) -> None:
    """With the reason."""
    with answered_store(tmp_path / "t.db", contributors, {"ada": SAID}) as store:
        output = cranfield("reusability", store.path, "--answers", *words)
    assert (output.code, message in " ".join(output.err.split())) == (code, True), output


def test_a_missing_label_leaves_out_its_topic(tmp_path: Path, cranfield: Cranfield) -> None:
    """For all runs, and says so."""
    with answered_store(tmp_path / "t.db", FROM, {"ada": {**SAID, ("b", "2"): "p "}}) as store:
        output = cranfield("reusability", store.path, "--answers", "-m", "A", "--format", "json")
    assert json.loads(output.out)["topics"] == 1
    assert "omitted 1 topic, because some answers lack labels" in output.err


BY_MODEL = {("a", "1"): "sspnx", ("a", "2"): "ss", ("b", "1"): "nnnns", ("b", "2"): "nn"}


LABELS = {"ada": SAID, "llm": BY_MODEL, "bob": {("a", "2"): "sn"}}  # of all 14 pairs; with a failure; of 2


def test_labels_are_compared_on_what_both_gave() -> None:
    """By hand: people spns|ss|nnnnn|pn, the model sspn|ss|nnnns|nn; the failure is no label. The rest is refused."""
    with answered_store(labels=LABELS) as store:
        report = audit(store, "llm", human="ada", labels="nuggets")
        with pytest.raises(InputError, match="'ada' is not a model in this store"):
            audit(store, "ada", labels="nuggets")
        with pytest.raises(InputError, match="'llm' is a model; name a person with --human"):
            audit(store, "llm", human="llm", labels="nuggets")
        with pytest.raises(InputError, match="SupportP cannot be computed from labels of nuggets; use V_strict or A"):
            audit(store, "llm", human="ada", measures="SupportP", labels="nuggets")
        with pytest.raises(
            InputError, match="labels of 'answers' cannot be audited; expected one of documents, nuggets"
        ):
            audit(store, "llm", labels="answers")
        label_support(store, "ada", "spns")
        with pytest.raises(InputError, match="no item has labels of support by both 'llm' and people"):
            audit(store, "llm", labels="support")
    assert (report.items, report.topics, report.failed) == (13, 2, 1)
    people = [2, 1, 0, 2, 2, 2, 0, 0, 0, 0, 0, 1, 0]
    model = [2, 2, 1, 0, 2, 2, 0, 0, 0, 0, 2, 0, 0]
    pairs = list(zip(people, model, strict=True))
    assert dict(report.grades) == {pair: pairs.count(pair) for pair in pairs}
    values = {one.coefficient: one.interval.value for one in report.agreement}
    assert values["raw agreement"] == pytest.approx(sum(a == b for a, b in pairs) / 13)
    assert values["Cohen kappa"] == pytest.approx(COHEN["plain"](pairs))
    assert report.over[0].over == pytest.approx((sum(model) - sum(people)) / 13)
    assert {one.coefficient: one.interval.value for one in report.ceiling}["raw agreement"] == 0.5


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> None:
    monkeypatch.chdir(tmp_path)
    answered_store("t.db", labels=LABELS).close()
    how = ("model", "audit", "report", "t.db", "--of", "nuggets", "--model", "llm", "--human", "ada")
    output = cranfield(*how)
    assert output.code == 0, output.err
    assert "agreement on 13 items in 2 topics that people and " in output.out
    assert "Omitted 1 item that people labelled but llm did not." in output.out
    document = json.loads(cranfield(*how, "--format", "json").out)
    assert (document["labels"], document["items"], document["failed"]) == ("nuggets", 13, 1)
    assert document["over_rating"][0]["group"] == "all"
    bias = {(row["run"], row["measure"]): row["bias"] for row in document["runs"]}
    of_b = (1 - 0) / 5, (0 - 0.5) / 2  # what the model gives more than people, on topics 1 and 2
    assert bias["b", "A"] == pytest.approx(sum(of_b) / 2)


def test_a_sample_of_topics_says_what_people_would_have_said_of_all(tmp_path: Path, cranfield: Cranfield) -> None:
    """A person labels the answers to the topics drawn; of all topics, it is her score. The rest is refused."""
    answered_store(tmp_path / "t.db", labels={"llm": {**SAID, ("a", "1"): "sssss"}}).close()
    copy(tmp_path / "t.db", tmp_path / "a copy.db")
    how = ("model", "audit", "draw", str(tmp_path / "a copy.db"), "--of", "nuggets", "--model", "llm", "--size", "2")
    assert f"assign '{tmp_path}/a copy.db' --assessor 'ada b' --topic" in cranfield(*how, "--assessor", "ada b").out
    how = ("model", "audit", "draw", str(tmp_path / "t.db"), "--of", "nuggets", "--model", "llm", "--size", "2")
    output = cranfield(*how, "--assessor", "ada", "--seed", "3")
    assert "Sample 1: 2 topics, for ada to label:" in output.out
    assert "answers nuggets assign" in output.out
    assert "--topic 1" in output.out
    words = ("model", "audit", "estimate", str(tmp_path / "t.db"), "-m", "A", "--format", "json")
    assert "A of 'a' on 2 topics lacks labels by 'ada', first on '1'" in cranfield(*words).err
    with Store.open(tmp_path / "t.db") as store:
        label_nuggets(store, "ada", SAID)
        sample = audit_sample(store)
        assert (sample.labels, sorted(sample.topics), sample.strata) == ("nuggets", ["1", "2"], {"all": 2})
        with pytest.raises(InputError, match="sample 1 was drawn from labels of nuggets, not of documents"):
            sample_for(store, "ada", 1)
        with pytest.raises(InputError, match="'ada' had labelled 2 topics of the sample before the sample was drawn"):
            draw_topics_of(store, "nuggets", "llm", "ada", size=2)
        with pytest.raises(InputError, match="labels of 'preferences' cannot be sampled; expected documents"):
            draw_topics_of(store, "preferences", "llm", "bob", size=2)
        with pytest.raises(InputError, match="a sample of 3 is too large: the model labelled 2 topics"):
            draw_topics_of(store, "nuggets", "llm", "bob", size=3)
    document = json.loads(cranfield(*words).out)
    estimates = {one["run"]: (one["model"], one["tuned"]["value"]) for one in document["scores"]}
    assert estimates == {"a": (1.0, pytest.approx(0.8)), "b": (0.125, 0.125)}
    assert "judged by ada: 2 topics; of 2 topics" in cranfield(*words[:-2]).out
    assert cranfield("store", "verify", str(tmp_path / "t.db")).code == 0


def audit_of(log: LabelLog, kind: str, partial: str, measure: str) -> ModelAudit:
    """Three runs on 12 topics, and a judge who errs by chance, but always says yes for run c, the worst by people."""
    random = np.random.default_rng(3)
    store = new_store(documents="d", topics=[f"q{number}" for number in range(12)], people=["ada"], models=["llm"])
    sentences = [Sentence(f"Sentence {number}.", {"d": None}) for number in range(5)]
    with importing(store, "answers", ["answers.jsonl"]):
        add_answers(store, [Answer(run, f"q{at}", sentences, ["d"]) for run in "abc" for at in range(12)])
    if kind == "nuggets":
        edit_nuggets(store, [NuggetEdit("vital", f"q{q}", "ada", f"{q} {at}") for q in range(12) for at in range(5)])
    if kind == "claims":
        claims = [ClaimSet(one.qid, one.number, list("12345"), "ada") for one in stored_answers(store)]
        add_claims(store, claims)
    for answer in stored_answers(store):
        items = {
            "nuggets": [one.number for one in current_nuggets(store, answer.qid)],
            "claims": [one.number for one in current_claims(store) if one.answer == answer.number],
        }.get(kind, [])
        parts = [(at, ("d",)) for at in range(1, 6)] if kind == "support" else [(item,) for item in items]
        for rest in parts:
            yes = random.random() < {"a": 0.8, "b": 0.5, "c": 0.3}[answer.run]
            model = answer.run == "c" or yes == (random.random() < 0.8)
            labels = {"ada": "support" if yes else partial, "llm": "support" if model else partial}
            for name, label in labels.items():
                log.append(store, [LabelEvent("label", (answer.number, *rest), name, label)])
    with store:
        return audit(store, "llm", labels=kind, measures=measure, families={"c": "llm", "b": "other"})


@pytest.mark.parametrize(
    ("log", "kind", "measure"),
    [(NUGGET_LABELS, "nuggets", "A_strict"), (SUPPORT_LABELS, "support", "SupportP"),
     (CLAIM_LABELS, "claims", "Faithful")],
)  # fmt: skip
def test_a_judge_with_a_favourite_is_named_whatever_was_labelled(log: LabelLog, kind: str, measure: str) -> None:
    report = audit_of(log, kind, "not_support", measure)
    assert [one.run for one in report.runs if one.favoured] == ["c"]
    assert f"{measure} favours 1 run: c" in report.uses[0].why
    assert report.verdict.startswith("Not for the order of the runs")
    assert {one.run: one.family for one in report.runs} == {"a": "", "b": "other model", "c": "circular"}
    assert report.systems is not None
    assert report.systems.changes_of_measure(measure)[-1].rank_b == 1
    best = max(report.runs, key=lambda one: one.bias.bias)
    assert best.bias.low < best.bias.own < best.bias.high


@pytest.mark.parametrize("command", ["evaluate", "compare", "depths"])
def test_a_store_of_answers_alone_names_the_option_that_scores_them(
    tmp_path: Path, cranfield: Cranfield, command: str
) -> None:
    answered_store(tmp_path / "a.db").close()
    result = cranfield(command, tmp_path / "a.db")
    remedy = "it has 4 answers, which `cranfield evaluate --answers` and `compare --answers` score"
    assert (result.code, result.err) == (1, f"error: {tmp_path / 'a.db'}: there are no runs in this store; {remedy}\n")
