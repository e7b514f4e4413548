"""A law for tables of answers: a run and a topic that are withdrawn are said, and were otherwise never there."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import cranfield as package
from cranfield.features.answers.by_model.labelling import ASSIGNMENT, SUPPORT, plan_assigning, plan_supporting
from cranfield.features.answers.by_model.making import (
    MAKING,
    QUESTIONS,
    STATING,
    plan_making,
    plan_questions,
    plan_stating,
)
from cranfield.features.answers.by_model.whole import (
    COMPARISON,
    CORRECTNESS,
    RUBRIC,
    plan_comparing,
    plan_correcting,
    plan_rating,
)
from cranfield.features.answers.formats.answers import Answer, Sentence
from cranfield.features.answers.formats.nuggets import PlainQuestion, PlainRubric
from cranfield.features.answers.judging.labelling import AnswerLabelling
from cranfield.features.answers.judging.tasks import Assigning, Attributing, LabelTask, Supporting
from cranfield.features.answers.judging.whole import Comparing, Correcting, Rating
from cranfield.features.answers.store.answers import add_answers, stored_answers
from cranfield.features.answers.store.labels import (
    CLAIM_LABELS,
    COMPARISON_LABELS,
    CORRECTNESS_LABELS,
    NUGGET_LABELS,
    RUBRIC_LABELS,
    SUPPORT_LABELS,
    ClaimSet,
    LabelEvent,
    LabelLog,
    add_claims,
)
from cranfield.features.answers.store.nuggets import NuggetEdit, edit_nuggets
from cranfield.features.answers.store.rubrics import import_rubrics
from cranfield.features.models.asking.planned import asker_of
from cranfield.features.models.asking.prompt import PromptTask
from cranfield.features.models.calls import add_audit
from cranfield.judging.session.work import PassedOnError
from cranfield.store.store import Store
from cranfield.store.verification import verify
from cranfield.store.withdrawals import restore, withdraw
from tests.conftest import Cranfield
from tests.stores import new_store

GONE: Mapping[Any, str] = {"run": "c", "topic": "3"}
LOGS = {NUGGET_LABELS: Assigning, SUPPORT_LABELS: Supporting, CLAIM_LABELS: Attributing,
        CORRECTNESS_LABELS: Correcting, RUBRIC_LABELS: Rating, COMPARISON_LABELS: Comparing}  # fmt: skip
MEASURES = ("V_strict", "A", "SupportP", "CtxR", "Faithful", "Correct", "Rubric", "WinRate")
TABLES = {
    "evaluate": ["--answers", *(word for one in MEASURES for word in ("-m", one)), "--per-topic"],
    "compare": ["--answers", "-m", "A"], "reusability": ["--answers"], "progress": [], "answers nuggets show": [],
    "model audit estimate": ["-m", "A"],
    **{f"model audit report --of {kind}": ["--model", "llm"]
       for kind in ("nuggets", "support", "claims", "correctness", "rubrics", "comparisons")},
}  # fmt: skip


PLANS: Mapping[str, tuple[Any, PromptTask]] = {
    "assignment": (plan_assigning, ASSIGNMENT),
    "support": (plan_supporting, SUPPORT),
    "nuggets": (plan_making, MAKING),
    "questions": (plan_questions, QUESTIONS),
    "statements": (plan_stating, STATING),
    "rubric": (plan_rating, RUBRIC),
    "correctness": (plan_correcting, CORRECTNESS),
    "answers": (plan_comparing, COMPARISON),
}


def labelled_store(path: Path, runs: str, topics: str) -> Path:
    """A store in which a person and a model labelled everything, the person not always as the model did."""
    with new_store(path, documents=["d1", "d2"], topics=topics, people=["ada"], models=["llm"]) as store:
        sentences = {
            run: [Sentence(f"Sentence {docno} by {run}.", {docno: None}) for docno in ("d1", "d2")] for run in runs
        }
        add_answers(store, [Answer(run, qid, sentences[run], ["d1", "d2"]) for run in runs for qid in topics])
        edit_nuggets(store, [
            NuggetEdit("vital", qid, "ada", f"{qid} of {tags}", contributors=tuple({*tags} & {*runs}))
            for qid in topics for tags in ("a", "b", "bc", "c")
        ])  # fmt: skip
        add_claims(store, [ClaimSet(qid, None, [f"{qid} is so"], "ada") for qid in topics])
        add_claims(store, [ClaimSet(one.qid, one.number, [one.run], "ada") for one in stored_answers(store)])
        import_rubrics(store, [PlainRubric(qid, [PlainQuestion(f"{qid}?", 1.0)]) for qid in topics], "ada")
        for log, task in LOGS.items():
            _label(store, log, task(store, 0))
        sizes = {"all": len({*topics})}
        add_audit(store, "llm", "ada", unit="topic", by="", seed=0, strata=sizes, labels="nuggets", topics=topics[::2])
    return path


def _label(store: Store, log: LabelLog, task: LabelTask) -> None:
    """Labels that hang on what is shown, whatever its number."""
    for qid, items in task.items().items():
        for item in items:
            tags = [
                one.run for one in stored_answers(store) if one.number in (item if task.noun == "pair" else item[:1])
            ]
            number = sum(map(ord, f"{qid}{tags}{task.document(item).title}"))
            labels = list(task.scale.labels.values())
            for who, at in (("ada", number), ("llm", number + (number % 5 == 0))):
                log.append(store, [LabelEvent("label", item, who, labels[at % len(labels)])])


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("withdrawn")
    living = labelled_store(folder / "living.db", "abc", "123")
    for what, name in GONE.items():
        package.store.withdraw(living, what, name, reason="wrong")
    return living, labelled_store(folder / "plain.db", "ab", "12")


@pytest.mark.parametrize("command", TABLES)
def test_what_is_withdrawn_was_never_there(pair: tuple[Path, Path], cranfield: Cranfield, command: str) -> None:
    words = command.split()
    at = {"model": 3, "answers": 3}.get(words[0], 1)
    outputs = [cranfield(*words[:at], path, *words[at:], *TABLES[command], "--format", "json") for path in pair]
    assert [one.code for one in outputs] == [0, 0], outputs
    living, plain = (json.loads(one.out) for one in outputs)
    left_out = living.pop("left_out") if isinstance(living, dict) else outputs[0].err
    assert ("estimate" in command) == (isinstance(left_out, dict) and left_out.pop("topics of the sample", 0) == 1)
    assert (
        left_out == {"runs": {"c": "wrong"}, "topics": {"3": "wrong"}}
        or "1 run (c: wrong), 1 topic (wrong)" in left_out
    )
    assert living == plain
    assert "left_out" not in plain
    assert "wrong" not in outputs[1].err


def test_nobody_is_asked_about_it(pair: tuple[Path, Path], tmp_path: Path, cranfield: Cranfield) -> None:
    """Neither people nor models; and what is exported is what counts."""
    qids = []
    for path in pair:
        with Store.open(path) as store:
            qids.append([
                sorted(qid for qid, _ in plan(store, asker_of(store, about, "m", None, prompt)).subjects)
                for prompt, (plan, about) in PLANS.items()
            ])  # fmt: skip
            assert {qid for task in LOGS.values() for qid in task(store, 0).items()} == {"1", "2"}
        out = cranfield("export", "answers", path, tmp_path / f"{path.stem}.jsonl", "--format", "ragtime")
        assert out.code == 0, out
    assert qids[0] == qids[1]
    assert all(qids[0])
    assert (tmp_path / "living.jsonl").read_text() == (tmp_path / "plain.jsonl").read_text()


@pytest.mark.full
def test_it_is_undone_and_nothing_is_lost(tmp_path: Path, cranfield: Cranfield) -> None:
    """A release that was made before has it; whoever has it on screen is told; a tag stands for all that has it."""
    path = labelled_store(tmp_path / "track.db", "abc", "12")
    before = cranfield("evaluate", path, "--answers").out
    package.store.create_release(path, "1.0")
    with Store.open(path) as store:
        session = AnswerLabelling(store, "bob", Assigning, NUGGET_LABELS)
        open_one = session.command_target()
        assert open_one.pair
        [tag_on_screen] = [one.run for one in stored_answers(store) if one.number == json.loads(open_one.pair[1])[0]]
        withdraw(store, "run", [tag_on_screen], "wrong")
        with pytest.raises(PassedOnError, match="this answer has just been withdrawn; nothing was recorded"):
            session.grade(open_one, 1)
        assert not NUGGET_LABELS.events(store, "bob")
        restore(store, "run", [tag_on_screen])
        withdraw(store, "run", ["a"], "wrong")
        verify(store)
    note = cranfield("store", "withdraw", path, "run", "b", "--reason", "wrong prompt")
    assert note.out == "run b: withdrawn; release 1.0 keeps it\n"
    assert "2 runs (a: wrong, b: wrong prompt)" in cranfield("evaluate", path, "--answers").out
    assert cranfield("evaluate", f"{path}@1.0", "--answers").out.splitlines()[2:] == before.splitlines()[2:]
    assert cranfield("store", "withdraw", path, "run", "cc", "--reason", "x").err == (
        "error: no run 'cc' in this store; did you mean c?\n"
    )
    (answers := tmp_path / "more.jsonl").write_text(
        '{"metadata": {"run_id": "a", "topic_id": "2", "team_id": "t", "type": "automatic"}, "references": [],'
        ' "responses": []}'
    )
    error = cranfield("import", "answers", path, answers, "--format", "ragtime")
    assert (error.code, "run 'a' is withdrawn: wrong" in error.err) == (1, True), error
    for tag in "ab":
        assert cranfield("store", "restore", path, "run", tag).out == f"run {tag}: counts again\n"
    assert cranfield("evaluate", path, "--answers").out == before
    assert cranfield("store", "verify", path).code == 0
