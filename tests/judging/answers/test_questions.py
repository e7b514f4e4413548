"""Answer relevance: questions that a model makes from answers, their embeddings, and what is computed of them."""

import json
import re
from collections.abc import Callable
from math import sqrt
from pathlib import Path

import pytest

from cranfield.analysis.answers.audit import take_batch
from cranfield.judging.answers.by_model.questioning import AnswerQuestion, last_questions, questions_in
from cranfield.judging.models.asking.grammar import AnswerError
from cranfield.store.models import calls
from cranfield.store.store import Store
from tests.analysis.answered_stores import answered_store
from tests.conftest import Cranfield
from tests.judging.models.stand_in import Response, Sent, embedded, said, stand_in

VECTORS = {"first": (1, 0), "second": (0, 2), "one?": (3, 0), "two?": (0, 1), "three?": (1, 1)}
MADE = [{"text": text, "evasive": False} for text in ("one?", "two?", "three?")]


def answering(evasive: str = "", hidden: str = "") -> Callable[[Sent, int], Response]:
    """Three questions of each answer, and embeddings; some answers are evasive, some texts have no embedding."""

    def answer(sent: Sent, before: int) -> Response:
        if "input" in sent.json:
            text = sent.json["input"]
            return embedded(*((0, 0) if text == hidden else VECTORS[text]))
        return said(json.dumps([{**one, "evasive": str(one["text"]) in evasive} for one in MADE]))

    return answer


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> Callable[..., list[Sent]]:
    """A store with four answers in the current folder; what a command sends that asks for questions."""
    monkeypatch.chdir(tmp_path)
    answered_store(Store.create("t.db", "questions")).close()

    def ask(answer: Callable[[Sent, int], Response], *more: str) -> list[Sent]:
        with stand_in(answer) as server:
            words = ["--model", "m", "--url", server.url, "--embedding-model", "e", "--attempts", "1", *more]
            done = cranfield("answers", "questions", "make", "t.db", *words)
        assert done.code == 0, done.err
        return server.sent

    return ask


def scored(cranfield: Cranfield, *more: str) -> dict[tuple[str, str], float | None]:
    """AnsRel of each run and topic."""
    done = cranfield("evaluate", "t.db", "--answers", "-m", "AnsRel", "--per-topic", "--format", "json", *more)
    assert done.code == 0, done.err
    rows = json.loads(done.out)["scores"]
    return {(row["run"], row["query_id"]): row["value"] for row in rows if row.get("query_id") in ("1", "2")}


def test_the_mean_cosine(asked: Callable[..., list[Sent]], cranfield: Cranfield) -> None:
    """Each text of a topic has one embedding; asked again, nothing is sent; nothing but answer and texts is shown."""
    wanted = cranfield("evaluate", "t.db", "--answers", "-m", "AnsRel")
    assert "no answer has questions that a model made from it" in wanted.err
    assert "--again failed" in wanted.err
    sent = asked(answering())
    texts = [one.json["input"] for one in sent if "input" in one.json]
    assert set(texts) == set(VECTORS)
    assert not any(word in one.body.decode() for one in sent for word in ("d1", "ada", '"a"', "run"))
    assert asked(answering()) == []
    found = scored(cranfield)
    assert found["a", "1"] == pytest.approx((1 + 0 + 1 / sqrt(2)) / 3)
    assert found["b", "2"] == pytest.approx((0 + 1 + 1 / sqrt(2)) / 3)
    assert (
        "questions of answers by m, embeddings by e" in cranfield("evaluate", "t.db", "--answers", "-m", "AnsRel").err
    )


def test_an_answer_that_was_always_evasive_scores_0(asked: Callable[..., list[Sent]], cranfield: Cranfield) -> None:
    asked(answering(evasive="one? two? three?"))
    assert set(scored(cranfield).values()) == {0}
    asked(answering(evasive="one? two?"), "--again", "all")
    assert scored(cranfield)["a", "1"] == pytest.approx((1 + 0 + 1 / sqrt(2)) / 3)


def test_what_failed_is_nan_and_counted(asked: Callable[..., list[Sent]], cranfield: Cranfield) -> None:
    """An embedding of which all numbers are 0 is none; asked again for what failed, it is there."""
    asked(answering(hidden="second"))
    found = scored(cranfield)
    assert (found["a", "1"] is None, found["a", "2"], found["b", "2"]) == (False, None, None)
    said = cranfield("evaluate", "t.db", "--answers", "-m", "AnsRel").err
    assert "AnsRel is NaN for 2 answers of 4, with labels that failed or are missing" in said
    assert [one.json["input"] for one in asked(answering(), "--again", "failed")] == ["second"]
    assert None not in scored(cranfield).values()


def test_one_model_and_one_embedding_model_are_an_assessor(
    asked: Callable[..., list[Sent]], cranfield: Cranfield
) -> None:
    asked(answering())
    asked(answering(), "--assessor", "other")
    both = cranfield("evaluate", "t.db", "--answers", "-m", "AnsRel")
    assert "m, other made questions; --assessor NAME chooses one" in both.err
    assert scored(cranfield, "--assessor", "other") == scored(cranfield, "--assessor", "m")
    people = cranfield("evaluate", "t.db", "--answers", "-m", "AnsRel", "--labels", "people")
    assert "no answer has questions that a model made from it" in people.err
    words = ["--model", "m", "--url", "http://127.0.0.1:1/v1", "--embedding-model", "f"]
    refused = cranfield("answers", "questions", "make", "t.db", *words)
    assert (refused.code, "'m' was asked with the model e, not f" in refused.err) == (1, True)
    words = ["--model", "m", "--url", "http://127.0.0.1:1/v1", "--embedding-model", "e", "--embedding-url", "here"]
    assert "'here' is not the URL of a server" in cranfield("answers", "questions", "make", "t.db", *words).err
    assert cranfield("answers", "questions", "make", "t.db", *words[:4]).code == 2


def test_questions_by_a_batch_file(asked: Callable[..., list[Sent]], cranfield: Cranfield) -> None:
    """The embeddings follow once the answers are there."""
    done = cranfield("answers", "questions", "make", "t.db", "--model", "m", "--batch", "out.jsonl")
    assert (done.code, "4 requests written" in done.out) == (0, True)
    body = json.loads(said(json.dumps(MADE)).body)
    lines = [{"custom_id": json.loads(line)["custom_id"], "response": {"status_code": 200, "body": body}}
             for line in Path("out.jsonl").read_text().splitlines()]  # fmt: skip
    Path("in.jsonl").write_text("\n".join(map(json.dumps, lines)))
    with Store.open("t.db") as store:
        assert take_batch(store, Path("in.jsonl")).outcomes.total() == 4
    no_vectors = cranfield("evaluate", "t.db", "--answers", "-m", "AnsRel")
    assert "the questions of m have no embeddings" in no_vectors.err
    assert all("input" in one.json for one in asked(answering()))
    assert None not in scored(cranfield).values()


def test_what_came_of_it_as_json(asked: Callable[..., list[Sent]], cranfield: Cranfield) -> None:
    """With what came of the embeddings, or null where all were there."""
    with stand_in(answering()) as server:
        how = ["--model", "m", "--url", server.url, "--embedding-model", "e", "--format", "json"]
        first, again = (json.loads(cranfield("answers", "questions", "make", "t.db", *how).out) for _ in range(2))
    assert (first["outcomes"], first["embeddings"]["outcomes"]) == ({"ok": 4}, {"ok": 8})
    assert (again["outcomes"], again["embeddings"]) == ({}, None)


def test_embeddings_of_another_size_are_an_error(asked: Callable[..., list[Sent]], cranfield: Cranfield) -> None:
    def other(sent: Sent, before: int) -> Response:
        return embedded(1, 2, 3) if sent.json.get("input") == "one?" else answering()(sent, before)

    asked(other)
    done = cranfield("evaluate", "t.db", "--answers", "-m", "AnsRel")
    assert (done.code, "embeddings of m have 2 and 3 numbers" in done.err) == (1, True)


def test_as_json_and_what_a_later_failure_leaves(asked: Callable[..., list[Sent]]) -> None:
    def as_json(sent: Sent, before: int) -> Response:
        return answering()(sent, before) if "input" in sent.json else said(json.dumps({"questions": MADE}))

    asked(as_json, "--json")
    asked(
        lambda sent, before: answering()(sent, before) if "input" in sent.json else said("no"),
        "--json",
        "--again",
        "all",
    )
    with Store.open("t.db") as store:
        made = last_questions(store, "m")
        assert len(made) == 4
        assert made["1", 1][0] == AnswerQuestion("one?", False)
        assert {call.outcome for call in calls(store, "m", "questions")} == {"ok", "unparsable"}


@pytest.mark.parametrize(
    ("rows", "error"),
    [
        (MADE[:2], "2 of 3 questions"),
        ([*MADE, MADE[0]], "4 of 3 questions"),
        ([*MADE[:2], {"text": "x"}], "has no evasive, true or false"),
        ([*MADE[:2], {"text": "x", "evasive": 0}], "has no evasive, true or false"),
        ([*MADE[:2], {"text": " ", "evasive": True}], "is not a question"),
        ([*MADE[:2], "x?"], "is not a question"),
    ],
)
def test_what_is_not_three_questions_is_none(rows: list[object], error: str) -> None:
    with pytest.raises(AnswerError, match=re.escape(error)):
        questions_in(json.dumps(rows))
