"""Nuggets of documents by a model: in windows, merged, weighed; what people wrote or edited stays."""

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

import cranfield
from cranfield.errors import InputError
from cranfield.features.answers.by_model.from_documents import FROM_DOCUMENTS, plan_document_nuggets
from cranfield.features.answers.by_model.shared import ask_in_rounds
from cranfield.features.answers.store.nuggets import NuggetEdit, current_nuggets, edit_nuggets
from cranfield.features.models.asking.assess import take_batch
from cranfield.features.models.asking.limits import AskingTally
from cranfield.features.models.asking.planned import asker_of
from cranfield.features.models.calls import calls
from cranfield.store.chain import Event
from cranfield.store.log import append
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.features.models.answering import QUICK, answer_batch
from tests.features.models.stand_in import Answering, Post, Response, reply, stand_in
from tests.stores import new_store

pytestmark = pytest.mark.full


@pytest.fixture
def store() -> Iterator[Store]:
    """Five relevant documents of a topic, of which one has no text; one that is not relevant; another topic."""
    with new_store(
        grades={0: "no", 1: "yes", 2: "very"},
        documents={f"d{n}": f"fact {n} of wings." if n != 4 else "" for n in range(6)},
        topics={"q1": "wings", "q2": "drag"},
        labels={"ada": {("q1", f"d{n}"): grade for n, grade in enumerate((1, 1, 2, 1, 1, 0))}},
    ) as store:
        yield store


def facts(post: Post, before: int) -> Response:
    """A nugget of each document; at the end the first two as one, and the last one vital."""
    if "go over the nuggets once more" in post.text:
        ids = re.findall(r'"id": "(n\d+)", "text": "([^"]*)"', post.text)
        (one, _), (other, _), *_, (last, text) = ids
        both = {"text": "two facts of wings", "importance": "okay", "replaces": [one, other]}
        return reply(json.dumps([both, {"text": text, "importance": "vital", "replaces": [last]}]))
    texts = re.findall(r"fact \d of wings", post.text.partition("Relevant documents:")[2])
    return reply(json.dumps([{"text": one, "importance": "okay", "replaces": []} for one in texts]))


def make(store: Store, answer: Answering, again: str = "", window: int = 2) -> tuple[AskingTally, list[Post]]:
    with stand_in(answer) as server:
        asker = asker_of(store, FROM_DOCUMENTS, "qwen", server.url, "documents")
        tally = ask_in_rounds(
            lambda again, done: plan_document_nuggets(store, asker, None, again, done, window=window), again, QUICK
        )
        return tally, server.posts


def texts(store: Store) -> dict[str, str]:
    """The nuggets and their importance."""
    return {one.text: one.importance for one in current_nuggets(store)}


def test_windows_are_asked_about_best_first_then_all_is_gone_over(store: Store) -> None:
    tally, posts = make(store, facts)
    assert tally.outcomes == {"ok": 3}
    assert [re.findall(r"fact \d", one.text.partition("Relevant documents:")[2]) for one in posts] == [
        ["fact 2", "fact 0"], ["fact 1", "fact 3"], [],
    ]  # fmt: skip
    assert texts(store) == {"two facts of wings": "okay", "fact 1 of wings": "okay", "fact 3 of wings": "vital"}
    assert {(one.author, one.by_model, one.contributors) for one in current_nuggets(store)} == {("qwen", True, ())}
    assert {call.task for call in calls(store)} == {"document-nuggets"}
    assert make(store, facts)[1] == []
    append(store, Event("label", "q1", "d5", "ada", grade=2))
    tally, posts = make(store, facts)  # a new judgment brings a new window, and another look
    assert tally.outcomes == {"ok": 2}
    assert "fact 5 of wings" in posts[0].text.partition("Relevant documents:")[2]
    assert "fact 2" not in posts[0].text.partition("Relevant documents:")[2]
    verify(store)


def test_what_people_wrote_or_edited_stays(store: Store) -> None:
    edit_nuggets(store, [NuggetEdit("vital", "q1", "ada", "fact 0 of wings")])
    make(store, facts)
    assert texts(store)["fact 0 of wings"] == "vital"
    [own] = [one for one in current_nuggets(store) if one.text == "two facts of wings"]
    edit_nuggets(store, [NuggetEdit("vital", "q1", "ada", nugget=own.number)])

    def grasping(post: Post, before: int) -> Response:
        return reply(json.dumps([{"text": "all", "importance": "okay", "replaces": [f"n{own.number}"]}]))

    tally, posts = make(store, grasping, "all")
    assert tally.outcomes["unparsable"] == tally.answered
    assert f'"id": "n{own.number}"' not in posts[0].text
    assert "two facts of wings" in posts[0].text
    assert texts(store)["two facts of wings"] == "vital"


def test_an_edit_in_the_meantime_is_not_undone(store: Store) -> None:
    make(store, facts, window=9)
    ours = [one for one in current_nuggets(store) if one.importance == "okay"]
    with stand_in(facts) as server:
        asker = asker_of(store, FROM_DOCUMENTS, "qwen", server.url, "documents")
        before = [(call.qid, call.subject) for call in calls(store) if "d0" in call.subject]
        plan = plan_document_nuggets(store, asker, None, "all", before)
        edit_nuggets(store, [NuggetEdit("drop", "q1", "ada", nugget=ours[0].number)])
        assert plan.run(QUICK).outcomes == {"ok": 1}
    assert ours[0].text not in texts(store)
    assert "two facts of wings" not in set(texts(store)) - {one.text for one in ours}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"text": "x", "importance": "vital", "replaces": ["n77"]}, "'n77' is not the id of a nugget"),
        ({"text": "x", "importance": "vital", "replaces": [3]}, "3 is not the id of a nugget"),
        ({"text": "x", "importance": "high"}, "'high' is not an importance"),
        ({"importance": "vital"}, "lacks the field text or importance"),
    ],
)
def test_an_answer_that_cannot_be_read_changes_nothing(store: Store, row: dict[str, object], reason: str) -> None:
    tally, _ = make(store, lambda post, before: reply(json.dumps([row])), window=9)
    assert set(tally.outcomes) == {"unparsable"}
    assert all(reason in call.reason for call in calls(store))
    assert current_nuggets(store) == []
    assert make(store, facts, "failed", window=9)[0].outcomes == {"ok": 2}


def test_batch_files_ask_window_after_window(store: Store, tmp_path: Path) -> None:
    out, answers = tmp_path / "batch.jsonl", tmp_path / "answers.jsonl"
    asking = cranfield.models.Asking("qwen", batch=out)
    make_next = partial(cranfield.answers.make_nuggets, store, asking, source="documents", window=2)
    for number in range(3):
        assert make_next().outcomes == {"written": 1}
        answer_batch(out, answers, facts)
        if number == 1:
            edit_nuggets(store, [NuggetEdit("vital", "q1", "ada", nugget=current_nuggets(store)[0].number)])
        assert take_batch(store, answers).outcomes == {"ok": 1}
    assert make_next().outcomes == {"written": 0}
    verify(store)


def test_without_relevant_documents_it_says_so() -> None:
    with new_store(topics=["q1"]) as store, pytest.raises(InputError, match="no topic has a relevant document with a"):
        make(store, facts)
