"""Nuggets and support by a model: labels in the logs of people's, failures that are none, people's first."""

import json
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from cranfield.api.answers import answers_nuggets_make
from cranfield.errors import InputError
from cranfield.formats import Document, Topic
from cranfield.formats.answers import Answer, Sentence
from cranfield.judging.answers.by_model.assigning import ASSIGNMENT, assigning_asked
from cranfield.judging.answers.by_model.making import MAKING, making_asked
from cranfield.judging.answers.by_model.shared import Subject, in_rounds
from cranfield.judging.answers.by_model.supporting import SUPPORT, supporting_asked
from cranfield.judging.models.asking.asking import Tally
from cranfield.judging.models.asking.limits import AskLimits
from cranfield.judging.models.asking.planned import PlannedAsking, asker_of
from cranfield.store.answers.answers import add_answers
from cranfield.store.answers.labels import NUGGET_LABELS, SUPPORT_LABELS, LabelEvent
from cranfield.store.answers.nuggets import NuggetEdit, current_nuggets, edit_nuggets
from cranfield.store.log import add_assessor
from cranfield.store.models import calls
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.judging.models.stand_in import Answering, Response, Sent, failed, said, stand_in

QUICK = AskLimits(pause=0.0, timeout=60.0, parallel=2)
TWELVE = [NuggetEdit("vital", "q1", "ada", f"fact {n}") for n in range(12)]


def filled(store: Store) -> None:
    """Two answers to a topic that cite documents."""
    store.add_documents([Document(f"d{n}", text=f"text {n}") for n in range(3)])
    store.add_topics([Topic("q1", "wing flutter", "What is it?")])
    cited = dict.fromkeys(("d0", "d1", "d2"))
    first = Answer("secret-tag-1", "q1", [Sentence("Wings flutter.", cited), Sentence("Uncited.", {})])
    add_answers(store, [first, Answer("secret-tag-2", "q1", [Sentence("They shake.", {"d1": None})])])
    add_assessor(store, "ada")


@pytest.fixture
def store() -> Iterator[Store]:
    """A store with them, and twelve nuggets."""
    with Store.memory("answers") as store:
        filled(store)
        edit_nuggets(store, TWELVE)
        yield store


def labelled(sent: Sent, before: int) -> Response:
    """Labels for all nuggets asked about, as literals of Python."""
    ids = [line.split('"')[3] for line in sent.text.splitlines() if line.startswith('{"id"')]
    return said(repr([{"id": name, "label": "partial_support"} for name in ids]))


def assign(store: Store, answer: Answering, again: str = "") -> tuple[Tally, list[Sent]]:
    """Ask about nuggets."""
    with stand_in(answer) as server:
        asker = asker_of(store, ASSIGNMENT, "qwen", server.url, "assignment")
        return in_rounds(lambda again, done: assigning_asked(store, asker, None, again), again, QUICK), server.sent


def test_nuggets_are_assigned_ten_at_a_time(store: Store) -> None:
    tally, sent = assign(store, labelled)
    assert (tally.outcomes, len(sent)) == ({"ok": 4}, 4)
    found = NUGGET_LABELS.labels(store, "qwen")
    assert (len(found), set(found.values())) == (24, {"partial_support"})
    everything = "".join(one.body.decode() for one in sent)
    assert "secret" not in everything
    assert "vital" not in everything
    assert assign(store, labelled)[1] == []
    events = NUGGET_LABELS.events(store, "qwen")
    assert {json.loads(event.evidence or "")["call"] for event in events} == {call.id for call in calls(store)}


def test_a_persons_label_of_a_nugget_goes_first(store: Store) -> None:
    NUGGET_LABELS.append(store, [LabelEvent("label", (1, 1), "ada", "support")])
    assign(store, labelled)
    assert NUGGET_LABELS.labels(store)[1, 1] == "support"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("[]", "no label for n1, n2"),
        ('[{"id": "n99", "label": "support"}]', "'n99' is not an id that was asked about"),
        ('[{"id": "n1", "label": "okay"}]', "'okay' is not a label; expected"),
        ("all of them", "not a list"),
    ],
)
def test_what_cannot_be_read_labels_nothing(store: Store, answer: str, reason: str) -> None:
    tally, sent = assign(store, lambda sent, before: said(answer))
    assert (tally.outcomes, len(sent), tally.reminded) == ({"unparsable": 4}, 8, 4)
    assert set(NUGGET_LABELS.labels(store, "qwen").values()) == {None}
    assert all(f"unparsable: {reason}" in event.reason for event in NUGGET_LABELS.events(store, "qwen"))
    assert assign(store, labelled)[1] == []
    assert assign(store, labelled, "failed")[0].outcomes == {"ok": 4}


def support(store: Store, answer: Answering, each: bool = False, again: str = "") -> tuple[Tally, list[Sent]]:
    """Ask about citations."""
    with stand_in(answer) as server:
        asker = asker_of(store, SUPPORT, "qwen", server.url, "support")

        def plan(again: str, done: Collection[Subject]) -> PlannedAsking:
            return supporting_asked(store, asker, None, again, each, done)

        return in_rounds(plan, again, QUICK), server.sent


def test_the_first_citation_of_each_sentence_is_asked_about(store: Store) -> None:
    tally, sent = support(store, lambda sent, before: said("Support: 1"))
    assert SUPPORT_LABELS.labels(store, "qwen") == {
        (1, 1, ("d0",)): "partial_support",
        (2, 1, ("d1",)): "partial_support",
    }
    assert (tally.calls, ["secret" in one.text for one in sent]) == (2, [False, False])


def test_sets_of_citations_are_asked_as_the_labels_ask(store: Store) -> None:
    """Each alone, since the three together support the sentence; the others without it, where it alone does not."""

    def answering(sent: Sent, before: int) -> Response:
        together = "text 0" in sent.text
        return said(f"Support: {2 if together else 0}")

    asked = support(store, answering, each=True)[0].outcomes
    assert support(store, answering, each=True, again="all")[0].outcomes == asked
    assert set(SUPPORT_LABELS.labels(store, "qwen")) == {
        (1, 1, ("d0",)), (1, 1, ("d0", "d1", "d2")), (1, 1, ("d1",)), (1, 1, ("d0", "d2")), (1, 1, ("d2",)),
        (1, 1, ("d0", "d1")), (2, 1, ("d1",)),
    }  # fmt: skip


def test_support_off_the_scale_is_no_label(store: Store) -> None:
    support(store, lambda sent, before: said("Support: 5") if before else failed(400))
    assert set(SUPPORT_LABELS.labels(store, "qwen").values()) == {None}
    assert support(store, lambda sent, before: said("Support: 2"), again="all")[0].outcomes == {"ok": 2}
    assert set(SUPPORT_LABELS.labels(store, "qwen").values()) == {"support"}


def test_nuggets_are_made_answer_by_answer() -> None:
    new = '```json\n[{"text": "wings shake", "importance": "vital"}, {"text": "badly", "importance": "okay"}]\n```'
    more = '[{"text": "Wings shake", "importance": "okay"}, {"text": "a third", "importance": "okay"}]'
    with Store.memory("made") as store:
        filled(store)
        with stand_in(lambda sent, before: said([new, more][before])) as server:
            asker = asker_of(store, MAKING, "qwen", server.url, "nuggets")
            tally = in_rounds(lambda again, done: making_asked(store, asker, None, again, done), "", QUICK)
        found = [(one.text, one.importance, one.author) for one in current_nuggets(store)]
        assert found == [("wings shake", "vital", "qwen"), ("badly", "okay", "qwen"), ("a third", "okay", "qwen")]
        assert [len(one.contributors) for one in current_nuggets(store)] == [1, 1, 1]
        assert (tally.outcomes, "(none)" in server.sent[0].text) == ({"ok": 2}, True)
        assert "wings shake\nbadly" in server.sent[1].text
        assert making_asked(store, asker).subjects == []


@pytest.mark.parametrize("again", ["failed", "all"])
def test_nuggets_of_each_answer_are_asked_for_again(again: str) -> None:
    """Also where the first of them is followed by others to the same topic."""
    with Store.memory("made") as store:
        filled(store)
        with stand_in(lambda sent, before: said("no list" if before < 4 else "[]")) as server:
            asker = asker_of(store, MAKING, "qwen", server.url, "nuggets")
            for how, outcomes in (("", {"unparsable": 2}), ("", {}), (again, {"ok": 2})):
                tally = in_rounds(lambda again, done: making_asked(store, asker, None, again, done), how, QUICK)
                assert tally.outcomes == outcomes


def test_all_nuggets_have_no_batch_file(tmp_path: Path) -> None:
    """Each would ask about the first answer."""
    with Store.memory("made") as store:
        filled(store)
        with pytest.raises(InputError, match="--again all has no batch file"):
            answers_nuggets_make(store, "m", None, batch=str(tmp_path / "batch.jsonl"), again="all")


def test_a_persons_name_is_no_models(store: Store) -> None:
    with pytest.raises(InputError, match="'ada' is a person"):
        asker_of(store, SUPPORT, "qwen", "http://h/v1", "support", "ada")
    with pytest.raises(InputError, match="a prompt for 'relevance'; expected 'support'"):
        asker_of(store, SUPPORT, "qwen", "http://h/v1", "basic")


def test_what_remains_is_of_all_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> None:
    """Of three answers to a topic, which are asked about one after the other; so is what a look ahead counts."""
    monkeypatch.chdir(tmp_path)
    with Store.create("t.db", "answers") as store:
        filled(store)
        add_answers(store, [Answer("r3", "q1", [Sentence("Wings.", {})], [])])
    with stand_in(lambda sent, before: said("[]")) as server:
        how = ("answers", "nuggets", "make", "t.db", "--model", "m", "--url", server.url)
        assert "\n3 calls, about" in cranfield(*how, "--dry-run").out
        assert "\n2 calls, about" in cranfield(*how, "--dry-run", "--limit", "2").out
        assert "stopped by --limit 2: 1 question remaining" in cranfield(*how, "--limit", "2").err
        assert "stopped by --max-tokens-total 9: 1 question remaining" in cranfield(*how, "--max-tokens-total", "9").err
    ahead = cranfield("answers", "support", "t.db", "--each", "--model", "m", "--url", "http://h/v1", "--dry-run")
    assert ahead.err == "note: the answers lead to further questions, which are not counted\n"


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> None:
    monkeypatch.chdir(tmp_path)
    with Store.create("t.db", "answers") as store:
        filled(store)
    made = said('[{"text": "wings shake", "importance": "vital"}]')
    with stand_in(lambda sent, before: [made, said("[]")][before]) as server:
        done = cranfield("answers", "nuggets", "make", "t.db", "--model", "m", "--url", server.url)
        assert (done.code, done.out.splitlines()[1], done.err) == (0, "2 questions about answers: 2 ok", "")
    with stand_in(labelled) as server:
        how = ("answers", "nuggets", "assign", "t.db", "--model", "m", "--url", server.url)
        assert "2 calls, about" in cranfield(*how, "--dry-run").out
        assert "2 questions about nuggets in answers: 2 ok" in cranfield(*how).out
    with stand_in(lambda sent, before: said("Support: 9")) as server:
        done = cranfield("answers", "support", "t.db", "--model", "m", "--url", server.url, "--limit", "1")
        assert "1 question about citations: 1 off-scale" in done.out
        assert "stopped by --limit 1: 1 question remaining" in done.err
    for wrong in (["--model", "m"], ["--url", "http://h/v1"], []):
        assert cranfield("answers", "support", "t.db", *wrong).code == 2
