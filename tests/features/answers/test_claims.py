"""Claims and questions that a model makes of answers: written, labelled by people and models, and measured."""

import json
import re
from collections.abc import Callable, Iterator
from math import isnan, sqrt
from pathlib import Path

import pytest

import cranfield as package
from cranfield.errors import InputError, StoreError
from cranfield.features.answers.by_model.labelling import ATTRIBUTION, plan_attributing
from cranfield.features.answers.by_model.making import (
    STATING,
    AnswerQuestion,
    last_questions,
    plan_stating,
    questions_in,
)
from cranfield.features.answers.formats.answers import Answer
from cranfield.features.answers.formats.nuggets import PlainClaims, read_claims
from cranfield.features.answers.judging.labelling import AnswerLabelling
from cranfield.features.answers.judging.tasks import Attributing, count_missing_texts
from cranfield.features.answers.store.answers import add_answers
from cranfield.features.answers.store.labels import (
    CLAIM_LABELS,
    ClaimSet,
    LabelEvent,
    add_claims,
    answers_without_claims,
    current_claims,
    import_claims,
)
from cranfield.features.answers.subjects import GeneratedAnswers
from cranfield.features.models.asking.assess import take_batch
from cranfield.features.models.asking.grammar import AnswerError
from cranfield.features.models.asking.planned import asker_of
from cranfield.features.models.calls import calls
from cranfield.store.history import history, importing
from cranfield.store.log import add_external_assessor, assessors
from cranfield.store.removal import remove
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.conftest import Cranfield
from tests.features.answers.stores import answered_store
from tests.features.models.answering import QUICK, answer_batch, ids_in
from tests.features.models.stand_in import Answering, Post, Response, embedding, reply, stand_in

pytestmark = pytest.mark.full

REFERENCE = ["Wings lift.", "Drag slows.", "Speed counts."]


@pytest.fixture
def store() -> Iterator[Store]:
    """Runs a and b with answers to topics 1 and 2, made from three documents; a reference answer to topic 1."""
    with answered_store() as store:
        import_claims(store, [PlainClaims("1", "", REFERENCE)], "ada")
        yield store


def send(store: Store, task: str, answer: Answering, again: str = "", json_answer: bool = False) -> list[Post]:
    """What is sent to make statements, or to label claims."""
    about, prompt, plan = {
        "make": (STATING, "statements", plan_stating), "label": (ATTRIBUTION, "attribution", plan_attributing)
    }[task]  # fmt: skip
    with stand_in(answer) as server:
        plan(store, asker_of(store, about, "qwen", server.url, prompt, json_answer=json_answer), None, again).run(QUICK)
        return server.posts


def labelled(post: Post, before: int) -> Response:
    """Support for the first claim of each question, partial support for the second, none for the others."""
    labels = zip(ids_in(post.text), ["support", "partial_support", *["not_support"] * 9], strict=False)
    return reply(json.dumps([{"id": name, "label": label} for name, label in labels]))


def test_people_label_claims_at_the_keyboard(store: Store) -> None:
    """The claim is shown with the answer's documents, and neither run nor docno."""
    session = AnswerLabelling(store, "ada", Attributing, CLAIM_LABELS, topics=["1"])
    assert session.view.document is not None
    assert session.view.document.title == "Claim: Wings lift."
    assert session.view.document.text.startswith("Document 1 of 3:\n\na text 1\n\nDocument 2 of 3:")
    for grade in (2, 1, 0):
        session.grade(session.command_target(), grade)
    assert list(CLAIM_LABELS.labels(store, "ada").values()) == ["support", "partial_support", "not_support"]
    assert session.view.counts.remaining == 3


def test_a_model_states_and_labels(store: Store) -> None:
    """Each answer once; what it claims and the reference answer to its topic are labelled, ten at a time."""
    three = json.dumps([{"text": f"Statement {n}."} for n in range(3)])
    assert 2 <= len(send(store, "make", lambda post, before: reply(three))) <= 4  # of both runs the answers are alike
    assert send(store, "make", lambda post, before: reply(three)) == []
    assert len([claim for claim in current_claims(store) if claim.answer]) == 12
    posts = send(store, "label", labelled)
    assert len(CLAIM_LABELS.labels(store, "qwen")) == 12 + 2 * 3
    assert not any(secret in one.body.decode() for one in posts for secret in ("ada", '"d1"', "run"))
    assert verify(store).other_events == 7 + 3 + 12 + 18 + len(calls(store))


def test_answers_as_json(store: Store) -> None:
    send(store, "make", lambda post, before: reply('{"statements": [{"text": "It lifts."}]}'), json_answer=True)
    assert sum(claim.text == "It lifts." for claim in current_claims(store)) == 4


@pytest.mark.parametrize("answer", ["none", '[{"text": ""}]', '["It lifts."]', '{"statements": []}'])
def test_what_cannot_be_read_states_nothing(store: Store, answer: str) -> None:
    send(store, "make", lambda post, before: reply(answer))
    assert not [claim for claim in current_claims(store) if claim.answer]
    assert len(send(store, "make", lambda post, before: reply('[{"text": "It lifts."}]'), "failed")) == 4
    assert len([claim for claim in current_claims(store) if claim.answer]) == 4


def test_an_answer_may_state_nothing(store: Store, tmp_path: Path) -> None:
    """By a model or a person, whose word counts first: then Faithful is undefined, and nothing has failed."""
    send(store, "make", lambda post, before: reply("[]"))
    assert (
        plan_stating(store, asker_of(store, STATING, "qwen", "http://h/v1", "statements"), again="failed").subjects
        == []
    )
    assert (answers_without_claims(store), len(current_claims(store))) == ({1, 2, 3, 4}, 3)
    (path := tmp_path / "claims.jsonl").write_text(
        '{"qid": "1", "run": "a", "claims": ["It lifts."]}\n{"qid": "2", "run": "a", "claims": []}'
    )
    with importing(store, "claims", [path]) as number:
        assert import_claims(store, read_claims(path), "ada") == 1
    [claim] = [one.number for one in current_claims(store) if one.answer]
    assert answers_without_claims(store) == {2, 3, 4}
    CLAIM_LABELS.append(store, [LabelEvent("label", (1, claim), "ada", "support")])
    with pytest.warns(UserWarning, match="Faithful") as warnings:
        table = package.evaluate(store, measures="Faithful", subject=GeneratedAnswers()).frame
    lines = [str(one.message) for one in warnings]
    assert "the means of Faithful exclude 1 topic where it is undefined (no answer contains statements)" in lines
    assert "the means of Faithful exclude 1 of 4 answers, for which it is undefined (there are no statements)" in lines
    assert not any("failed" in line for line in lines)
    assert table["value"].fillna(-1).tolist() == [1, -1]
    add_answers(store, [Answer("c", "2", [])])
    with pytest.warns(UserWarning, match="undefined|did not answer") as warnings:
        package.evaluate(store, measures="Faithful", subject=GeneratedAnswers())
    line = "Faithful is undefined where a run gave no answer, so the run's mean excludes these topics"
    assert line in [str(one.message) for one in warnings]
    CLAIM_LABELS.append(store, [LabelEvent("retract", (1, claim), "ada", supersedes=1)])
    assert remove(store, "import", [str(number)])[0].endswith("1 claim kept on record, but no longer counted")
    assert (answers_without_claims(store), verify(store).chains) == ({1, 2, 3, 4}, 0)


def test_peoples_claims_count_before_models_and_the_last_version(store: Store) -> None:
    add_external_assessor(store, "qwen", "model")
    add_claims(store, [ClaimSet("1", None, ["By a model."], "qwen"), ClaimSet("2", None, ["By a model."], "qwen")])
    assert [claim.text for claim in current_claims(store)] == [*REFERENCE, "By a model."]
    import_claims(store, [PlainClaims("1", "", ["Another."]), PlainClaims("2", "", ["A person's."])], "ada")
    assert [claim.text for claim in current_claims(store)] == ["Another.", "A person's."]


def test_an_import_of_claims_is_taken_back_unless_they_have_labels(store: Store) -> None:
    with importing(store, "claims", ["claims.jsonl"]) as number:
        import_claims(store, [PlainClaims("1", "", ["Another."]), PlainClaims("2", "a", ["x", "y"])], "ada")
    assert history(store)[-1].holds == "3 claims"
    [claim] = [one.number for one in current_claims(store) if one.text == "Another."]
    [event] = CLAIM_LABELS.append(store, [LabelEvent("label", (1, claim), "ada", "support")])
    with pytest.raises(StoreError, match="its claims have 1 label"):
        remove(store, "import", [str(number)])
    CLAIM_LABELS.append(store, [LabelEvent("retract", (1, claim), "ada", supersedes=event)])
    assert remove(store, "import", [str(number)])[0].endswith("3 claims kept on record, but no longer counted")
    assert [claim.text for claim in current_claims(store)] == REFERENCE
    assert history(store)[-2].holds == "0 claims"
    verify(store)


def test_answers_whose_documents_have_no_text_are_left_out(store: Store) -> None:
    store.conn.execute("UPDATE document SET text = NULL WHERE docno = 'd2'")
    assert count_missing_texts(store, None) == 2
    with pytest.raises(InputError, match="no answer has both claims and documents with texts in this store"):
        plan_attributing(store, asker_of(store, ATTRIBUTION, "qwen", "http://h/v1", "attribution"))


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ('{"qid": "1"}', "claims is missing; expected a list of sentences"),
        ('{"qid": "1", "run": "a"}', "claims is missing; expected a list of sentences"),
        ('{"qid": "1", "claims": []}', "the claims of the reference answer are missing; expected a list of sentences"),
        ('{"qid": "1", "claims": [""]}', "claims contains ''; expected sentences"),
        ('{"qid": "1", "claims": "x"}', "claims is 'x'; expected a list"),
        ('{"qid": "1", "run": "", "claims": ["x"]}', "run is ''; expected a name"),
        ('{"qid": "1", "runs": "a", "claims": ["x"]}', "unknown field 'runs'; expected qid, run and claims"),
        (
            '{"qid": "0", "claims": ["x"]}',
            "second claims of the reference answer for topic '0'; the first are on line 1",
        ),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, error: str) -> None:
    path = tmp_path / "claims.jsonl"
    path.write_text('{"qid": "0", "claims": ["x"]}\n' + line)
    with pytest.raises(InputError, match=re.escape(f"claims.jsonl:2: {error}")):
        read_claims(path)


def test_an_answer_that_is_not_there_is_refused(store: Store) -> None:
    for one, error in ((PlainClaims("9", "", ["x"]), "topic '9' is not in the store"),
                       (PlainClaims("1", "zz", ["x"]), "run 'zz' has no answer to topic '1'")):  # fmt: skip
        with pytest.raises(InputError, match=error):
            import_claims(store, [one], "eve")
    assert "eve" not in assessors(store)


def scores(cranfield: Cranfield, *more: str) -> dict[tuple[str, str], float | None]:
    """What `evaluate --answers` gives, per run and measure."""
    output = cranfield("evaluate", "t.db", "--answers", *more, "--format", "json")
    assert output.code == 0, output.err
    return {(row["run"], row["measure"]): row["value"] for row in json.loads(output.out)["scores"]}


def test_the_commands_measure_faithfulness_and_context_recall(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield
) -> None:
    """Statements of run a only: run b's are missing, so that its score is NaN; partial support is not enough."""
    monkeypatch.chdir(tmp_path)
    answered_store("t.db").close()
    lines = [{"qid": "1", "claims": REFERENCE}, {"qid": "2", "claims": ["One."]},
             *({"qid": qid, "run": "a", "claims": ["x", "y"]} for qid in "12")]  # fmt: skip
    Path("claims.jsonl").write_text("\n".join(map(json.dumps, lines)))
    output = cranfield("answers", "claims", "import", "t.db", "claims.jsonl", "--assessor", "ada")
    assert output.out == "8 claims imported\n"
    lacking = cranfield("evaluate", "t.db", "--answers", "-m", "Faithful")
    assert "no claim of an answer is labelled; `cranfield answers claims label` records them" in lacking.err
    with stand_in(labelled) as server:
        output = cranfield("answers", "claims", "label", "t.db", "--model", "m", "--url", server.url)
    assert (output.code, "4 questions about claims: 4 ok" in output.out) == (0, True)
    values = scores(cranfield, "-m", "Faithful", "-m", "CtxR")
    # one statement or sentence of each question is supported: 1 of 3 + 2, 1 of 1 + 2; of b, 1 of 3 and 1 of 1
    assert values["b", "CtxR"] == pytest.approx((1 / 3 + 1) / 2)
    assert values["a", "CtxR"] == pytest.approx((1 / 3 + 1) / 2)
    assert values["a", "Faithful"] == pytest.approx((0 + 0) / 2)
    assert values["b", "Faithful"] is None or isnan(values["b", "Faithful"])
    with Store.open("t.db") as store:
        items = [item for several in Attributing(store, 0).items().values() for item in several]
        CLAIM_LABELS.append(store, [LabelEvent("label", item, "ada", "support") for item in items])
    assert scores(cranfield, "-m", "Faithful", "-m", "CtxR")["a", "Faithful"] == 1


VECTORS = {"first": (1, 0), "second": (0, 2), "one?": (3, 0), "two?": (0, 1), "three?": (1, 1)}
MADE = [{"text": text, "evasive": False} for text in ("one?", "two?", "three?")]


def answering(evasive: str = "", without: str = "") -> Callable[[Post, int], Response]:
    """Three questions of each answer, and embeddings; some answers are evasive, some texts have no embedding."""

    def answer(post: Post, before: int) -> Response:
        if "input" in post.json:
            text = post.json["input"]
            return embedding(*((0, 0) if text == without else VECTORS[text]))
        return reply(json.dumps([{**one, "evasive": str(one["text"]) in evasive} for one in MADE]))

    return answer


@pytest.fixture
def ask_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> Callable[..., list[Post]]:
    """A store with four answers in the current folder; what a command sends that asks for questions."""
    monkeypatch.chdir(tmp_path)
    answered_store("t.db").close()

    def ask(answer: Callable[[Post, int], Response], *more: str, code: int = 0) -> list[Post]:
        with stand_in(answer) as server:
            words = ["--model", "m", "--url", server.url, "--embedding-model", "e", "--attempts", "1", *more]
            output = cranfield("answers", "questions", "make", "t.db", *words)
        assert output.code == code, output.err
        return server.posts

    return ask


EVALUATE = ("evaluate", "t.db", "--answers", "-m", "AnsRel")


def relevance(cranfield: Cranfield, *more: str) -> dict[tuple[str, str], float | None]:
    """AnsRel of each run and topic."""
    output = cranfield(*EVALUATE, "--per-topic", "--format", "json", *more)
    assert output.code == 0, output.err
    rows = json.loads(output.out)["scores"]
    return {(row["run"], row["query_id"]): row["value"] for row in rows if row.get("query_id") in ("1", "2")}


def test_the_mean_cosine(ask_model: Callable[..., list[Post]], cranfield: Cranfield) -> None:
    """Each text of a topic has one embedding; asked again, nothing is sent; nothing but answer and texts is shown."""
    lacking = cranfield(*EVALUATE)
    assert "there are no generated questions for any answer" in lacking.err
    assert "--again failed" in lacking.err
    posts = ask_model(answering())
    texts = [one.json["input"] for one in posts if "input" in one.json]
    assert set(texts) == set(VECTORS)
    assert not any(word in one.body.decode() for one in posts for word in ("d1", "ada", '"a"', "run"))
    assert ask_model(answering()) == []
    values = relevance(cranfield)
    assert values["a", "1"] == pytest.approx((1 + 0 + 1 / sqrt(2)) / 3)
    assert values["b", "2"] == pytest.approx((0 + 1 + 1 / sqrt(2)) / 3)
    assert "AnsRel uses the questions from m and the embeddings from e" in cranfield(*EVALUATE).err


def test_an_answer_that_was_always_evasive_scores_0(ask_model: Callable[..., list[Post]], cranfield: Cranfield) -> None:
    ask_model(answering(evasive="one? two? three?"))
    assert set(relevance(cranfield).values()) == {0}
    ask_model(answering(evasive="one? two?"), "--again", "all")
    assert relevance(cranfield)["a", "1"] == pytest.approx((1 + 0 + 1 / sqrt(2)) / 3)


def test_what_failed_is_nan_and_counted(ask_model: Callable[..., list[Post]], cranfield: Cranfield) -> None:
    """An embedding of which all numbers are 0 is none; asked again for what failed, it is there."""
    ask_model(answering(without="second"))
    values = relevance(cranfield)
    assert (values["a", "1"] is None, values["a", "2"], values["b", "2"]) == (False, None, None)
    note = cranfield(*EVALUATE).err
    assert "AnsRel is NaN for 2 of 4 answers, because labels failed or are missing" in note
    assert [one.json["input"] for one in ask_model(answering(), "--again", "failed")] == ["second"]
    assert None not in relevance(cranfield).values()


def test_one_model_and_one_embedding_model_are_an_assessor(
    ask_model: Callable[..., list[Post]], cranfield: Cranfield
) -> None:
    ask_model(answering())
    ask_model(answering(), "--assessor", "other")
    both = cranfield(*EVALUATE)
    assert "m, other made questions; --assessor NAME chooses one" in both.err
    assert relevance(cranfield, "--assessor", "other") == relevance(cranfield, "--assessor", "m")
    people = cranfield(*EVALUATE, "--labels", "people")
    assert "there are no generated questions for any answer" in people.err
    words = ["--model", "m", "--url", "http://127.0.0.1:1/v1", "--embedding-model", "f"]
    error = cranfield("answers", "questions", "make", "t.db", *words)
    assert (error.code, "'m' used the model e, not f" in error.err) == (1, True)
    words = ["--model", "m", "--url", "http://127.0.0.1:1/v1", "--embedding-model", "e", "--embedding-url", "here"]
    assert "'here' is not the URL of a server" in cranfield("answers", "questions", "make", "t.db", *words).err
    assert cranfield("answers", "questions", "make", "t.db", *words[:4]).code == 2


def test_questions_by_a_batch_file(ask_model: Callable[..., list[Post]], cranfield: Cranfield) -> None:
    """The embeddings follow once the answers are there."""
    output = cranfield("answers", "questions", "make", "t.db", "--model", "m", "--batch", "out.jsonl")
    assert (output.code, "4 requests written" in output.out) == (0, True)
    answer_batch(Path("out.jsonl"), Path("in.jsonl"), answering())
    with Store.open("t.db") as store:
        assert take_batch(store, Path("in.jsonl")).outcomes.total() == 4
    no_vectors = cranfield(*EVALUATE)
    assert "the questions from m have no embeddings" in no_vectors.err
    assert all("input" in one.json for one in ask_model(answering()))
    assert None not in relevance(cranfield).values()


def test_what_came_of_it_as_json(ask_model: Callable[..., list[Post]], cranfield: Cranfield) -> None:
    """With what came of the embeddings, or null where all were there."""
    with stand_in(answering()) as server:
        how = ["--model", "m", "--url", server.url, "--embedding-model", "e", "--format", "json"]
        first, again = (json.loads(cranfield("answers", "questions", "make", "t.db", *how).out) for _ in range(2))
    assert (first["outcomes"], first["embeddings"]["outcomes"]) == ({"ok": 4}, {"ok": 8})
    assert (again["outcomes"], again["embeddings"]) == ({}, None)


def test_embeddings_of_another_size_are_an_error(ask_model: Callable[..., list[Post]], cranfield: Cranfield) -> None:
    def other(post: Post, before: int) -> Response:
        return embedding(1, 2, 3) if post.json.get("input") == "one?" else answering()(post, before)

    ask_model(other)
    output = cranfield(*EVALUATE)
    assert (output.code, "the embeddings from m differ in length (2 and 3)" in output.err) == (1, True)


def test_as_json_and_what_a_later_failure_leaves(ask_model: Callable[..., list[Post]]) -> None:
    def as_json(post: Post, before: int) -> Response:
        return answering()(post, before) if "input" in post.json else reply(json.dumps({"questions": MADE}))

    ask_model(as_json, "--json")
    words = ("--json", "--again", "all")
    ask_model(lambda post, before: answering()(post, before) if "input" in post.json else reply("no"), *words, code=1)
    with Store.open("t.db") as store:
        questions = last_questions(store, "m")
        assert len(questions) == 4
        assert questions["1", 1][0] == AnswerQuestion("one?", False)
        assert {call.outcome for call in calls(store, "m", "questions")} == {"ok", "unparsable"}


@pytest.mark.parametrize(
    ("rows", "error"),
    [
        (MADE[:2], "2 of 3 questions"),
        ([*MADE, MADE[0]], "4 of 3 questions"),
        ([*MADE[:2], {"text": "x"}], "lacks the field evasive (true or false)"),
        ([*MADE[:2], {"text": "x", "evasive": 0}], "lacks the field evasive (true or false)"),
        ([*MADE[:2], {"text": " ", "evasive": True}], "is not a question"),
        ([*MADE[:2], "x?"], "is not a question"),
    ],
)
def test_what_is_not_three_questions_is_none(rows: list[object], error: str) -> None:
    with pytest.raises(AnswerError, match=re.escape(error)):
        questions_in(json.dumps(rows))
