"""Answers labelled by a model, also by batch files and from Python: in the logs of people's, failures that are none."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

import cranfield
from cranfield.errors import InputError
from cranfield.features.answers.by_model.labelling import ASSIGNMENT, SUPPORT, plan_assigning, plan_supporting
from cranfield.features.answers.by_model.making import MAKING, embeddings, plan_making
from cranfield.features.answers.by_model.shared import Subject, ask_in_rounds
from cranfield.features.answers.formats.answers import Answer, Sentence
from cranfield.features.answers.judging.tasks import Assigning
from cranfield.features.answers.store.answers import add_answers
from cranfield.features.answers.store.labels import CLAIM_LABELS, NUGGET_LABELS, SUPPORT_LABELS, LabelEvent
from cranfield.features.answers.store.nuggets import NuggetEdit, current_nuggets, edit_nuggets
from cranfield.features.models.asking.assess import take_batch
from cranfield.features.models.asking.limits import AskingTally
from cranfield.features.models.asking.planned import PlannedAsking, asker_of
from cranfield.features.models.calls import calls
from cranfield.features.models.options import Asking
from cranfield.features.preferences.by_model import PREFERENCE, plan_preferences
from cranfield.features.preferences.pairs import resolve
from cranfield.features.preferences.store import current_preferences
from cranfield.formats import Topic
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.conftest import Cranfield
from tests.features.answers.stores import answered_store
from tests.features.models.answering import QUICK, answer_batch, ids_in, same_label
from tests.features.models.stand_in import Answering, Post, Response, StandIn, embedding, failure, reply, stand_in
from tests.stores import new_store

pytestmark = pytest.mark.full

TWELVE = [NuggetEdit("vital", "q1", "ada", f"fact {n}") for n in range(12)]


def two_answer_store(path: Path | None = None) -> Store:
    """Two answers to a topic that cite documents."""
    documents = {f"d{n}": f"text {n}" for n in range(3)}
    store = new_store(path, documents=documents, topics=[Topic("q1", "wing flutter", "What is it?")], people=["ada"])
    citations = dict.fromkeys(("d0", "d1", "d2"))
    first = Answer("secret-tag-1", "q1", [Sentence("Wings flutter.", citations), Sentence("Uncited.", {})])
    add_answers(store, [first, Answer("secret-tag-2", "q1", [Sentence("They shake.", {"d1": None})])])
    return store


@pytest.fixture
def store() -> Iterator[Store]:
    """A store with them, and twelve nuggets."""
    with two_answer_store() as store:
        edit_nuggets(store, TWELVE)
        yield store


@pytest.fixture
def track(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """The store in the current folder, t.db, without nuggets; and a file of a pair of documents."""
    monkeypatch.chdir(tmp_path)
    Path("pairs").write_text("q1 d0 d1\n")
    with two_answer_store(Path("t.db")) as store:
        yield store


def labelled(post: Post, before: int) -> Response:
    """Labels for all nuggets asked about, as literals of Python."""
    return reply(repr([{"id": name, "label": "partial_support"} for name in ids_in(post.text)]))


def assign(store: Store, answer: Answering, again: str = "") -> tuple[AskingTally, list[Post]]:
    """Ask about nuggets."""
    with stand_in(answer) as server:
        asker = asker_of(store, ASSIGNMENT, "qwen", server.url, "assignment")
        return ask_in_rounds(lambda again, done: plan_assigning(store, asker, None, again), again, QUICK), server.posts


def test_nuggets_are_assigned_ten_at_a_time(store: Store) -> None:
    tally, posts = assign(store, labelled)
    assert (tally.outcomes, len(posts)) == ({"ok": 4}, 4)
    labels = NUGGET_LABELS.labels(store, "qwen")
    assert (len(labels), set(labels.values())) == (24, {"partial_support"})
    everything = "".join(one.body.decode() for one in posts)
    assert "secret" not in everything
    assert "vital" not in everything
    assert assign(store, labelled)[1] == []
    events = NUGGET_LABELS.events(store, "qwen")
    assert {json.loads(event.evidence or "")["call"] for event in events} == {call.id for call in calls(store)}
    NUGGET_LABELS.append(store, [LabelEvent("label", (1, 1), "ada", "support")])
    assert NUGGET_LABELS.labels(store)[1, 1] == "support"  # a person's goes first


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("[]", "no label for n1, n2"),
        ('[{"id": "n99", "label": "support"}]', "'n99' is not an id in the question"),
        ('[{"id": "n1", "label": "okay"}]', "'okay' is not a label; expected"),
        ("all of them", "not a list"),
    ],
)
def test_what_cannot_be_read_labels_nothing(store: Store, answer: str, reason: str) -> None:
    tally, posts = assign(store, lambda post, before: reply(answer))
    assert (tally.outcomes, len(posts), tally.reminded) == ({"unparsable": 4}, 8, 4)
    assert set(NUGGET_LABELS.labels(store, "qwen").values()) == {None}
    assert all(f"unparsable: {reason}" in event.reason for event in NUGGET_LABELS.events(store, "qwen"))
    assert assign(store, labelled)[1] == []
    assert assign(store, labelled, "failed")[0].outcomes == {"ok": 4}


def test_labels_that_got_an_error_are_asked_for_again(store: Store) -> None:
    """Without being told: nothing was answered, so nothing is paid twice; answers that could not be read are not."""
    answers = iter([failure(400, "down"), failure(400, "down"), reply("[]"), reply("[]")])
    tally, _ = assign(store, lambda post, before: next(answers, None) or labelled(post, before))
    assert (tally.outcomes["error"], tally.outcomes["unparsable"] + tally.outcomes["ok"]) == (2, 2)
    again, _ = assign(store, labelled)
    assert again.outcomes == {"ok": 2}
    assert assign(store, labelled)[1] == []


def support(store: Store, answer: Answering, each: bool = False, again: str = "") -> tuple[AskingTally, list[Post]]:
    """Ask about citations."""
    with stand_in(answer) as server:
        asker = asker_of(store, SUPPORT, "qwen", server.url, "support")

        def plan(again: str, before: Collection[Subject]) -> PlannedAsking:
            return plan_supporting(store, asker, topics=None, again=again, each=each, before=before)

        return ask_in_rounds(plan, again, QUICK), server.posts


def test_nothing_is_asked_of_an_answer_without_sentences(store: Store) -> None:
    """It says no nugget, whatever a label would say."""
    add_answers(store, [Answer("secret-tag-3", "q1", [])])
    tally, posts = assign(store, labelled)
    assert (tally.outcomes, len(posts)) == ({"ok": 4}, 4)
    assert len(Assigning(store, 0).to_label()["q1"]) == 24


def test_the_first_citation_of_each_sentence_is_asked_about(store: Store) -> None:
    tally, posts = support(store, lambda post, before: reply("Support: 1"))
    assert SUPPORT_LABELS.labels(store, "qwen") == {
        (1, 1, ("d0",)): "partial_support",
        (2, 1, ("d1",)): "partial_support",
    }
    assert (tally.calls, ["secret" in one.text for one in posts]) == (2, [False, False])


def test_sets_of_citations_are_asked_as_the_labels_ask(store: Store) -> None:
    """Each alone, since the three together support the sentence; the others without it, where it alone does not."""

    def answering(post: Post, before: int) -> Response:
        together = "text 0" in post.text
        return reply(f"Support: {2 if together else 0}")

    outcomes = support(store, answering, each=True)[0].outcomes
    assert support(store, answering, each=True, again="all")[0].outcomes == outcomes
    assert set(SUPPORT_LABELS.labels(store, "qwen")) == {
        (1, 1, ("d0",)), (1, 1, ("d0", "d1", "d2")), (1, 1, ("d1",)), (1, 1, ("d0", "d2")), (1, 1, ("d2",)),
        (1, 1, ("d0", "d1")), (2, 1, ("d1",)),
    }  # fmt: skip


def test_support_off_the_scale_is_no_label(store: Store) -> None:
    support(store, lambda post, before: reply("Support: 5") if before else failure(400))
    assert set(SUPPORT_LABELS.labels(store, "qwen").values()) == {None}
    assert support(store, lambda post, before: reply("Support: 2"), again="all")[0].outcomes == {"ok": 2}
    assert set(SUPPORT_LABELS.labels(store, "qwen").values()) == {"support"}


def test_nuggets_are_made_answer_by_answer() -> None:
    new = '```json\n[{"text": "wings shake", "importance": "vital"}, {"text": "badly", "importance": "okay"}]\n```'
    more = '[{"text": "Wings shake", "importance": "okay"}, {"text": "a third", "importance": "okay"}]'
    with two_answer_store() as store:
        with stand_in(lambda post, before: reply([new, more][before])) as server:
            asker = asker_of(store, MAKING, "qwen", server.url, "nuggets")
            tally = ask_in_rounds(lambda again, done: plan_making(store, asker, None, again, done), "", QUICK)
        nuggets = [(one.text, one.importance, one.author) for one in current_nuggets(store)]
        assert nuggets == [("wings shake", "vital", "qwen"), ("badly", "okay", "qwen"), ("a third", "okay", "qwen")]
        assert [len(one.contributors) for one in current_nuggets(store)] == [1, 1, 1]
        assert (tally.outcomes, "(none)" in server.posts[0].text) == ({"ok": 2}, True)
        assert "wings shake\nbadly" in server.posts[1].text
        assert plan_making(store, asker).subjects == []


@pytest.mark.parametrize("again", ["failed", "all"])
def test_nuggets_of_each_answer_are_asked_for_again(tmp_path: Path, again: Literal["failed", "all"]) -> None:
    """Also where the first of them is followed by others to the same topic; a batch file would ask about the first."""
    with two_answer_store() as store:
        if again == "all":
            with pytest.raises(InputError, match='again="all" does not work with a batch file'):
                cranfield.answers.make_nuggets(store, Asking("m", batch=str(tmp_path / "batch.jsonl"), again=again))
        with stand_in(lambda post, before: reply("no list" if before < 4 else "[]")) as server:
            asker = asker_of(store, MAKING, "qwen", server.url, "nuggets")
            for how, outcomes in (("", {"unparsable": 2}), ("", {}), (again, {"ok": 2})):
                tally = ask_in_rounds(lambda again, done: plan_making(store, asker, None, again, done), how, QUICK)
                assert tally.outcomes == outcomes


def test_a_persons_name_is_no_models(store: Store) -> None:
    with pytest.raises(InputError, match="'ada' is a person"):
        asker_of(store, SUPPORT, "qwen", "http://h/v1", "support", assessor="ada")
    with pytest.raises(InputError, match="this prompt is for 'relevance'; expected 'support'"):
        asker_of(store, SUPPORT, "qwen", "http://h/v1", "basic")


def test_what_remains_is_of_all_rounds(track: Store, cranfield: Cranfield) -> None:
    """Of three answers to a topic, which are asked about one after the other; so is what a look ahead counts."""
    add_answers(track, [Answer("r3", "q1", [Sentence("Wings.", {})], [])])
    with stand_in(lambda post, before: reply("[]")) as server:
        how = ("answers", "nuggets", "make", "t.db", "--model", "m", "--url", server.url)
        assert "\n3 calls, about" in cranfield(*how, "--dry-run").out
        assert "\n2 calls, about" in cranfield(*how, "--dry-run", "--limit", "2").out
        assert "stopped by --limit 2; 1 question remains" in cranfield(*how, "--limit", "2").err
        assert "stopped by --budget 9tokens; 1 question remains" in cranfield(*how, "--budget", "9tokens").err
    ahead = cranfield("answers", "support", "t.db", "--each", "--model", "m", "--url", "http://h/v1", "--dry-run")
    assert ahead.err == "note: the answers will lead to further questions, which are not counted here\n"


def test_the_commands(track: Store, cranfield: Cranfield) -> None:
    nugget = reply('[{"text": "wings shake", "importance": "vital"}]')
    with stand_in(lambda post, before: [nugget, reply("[]")][before]) as server:
        output = cranfield("answers", "nuggets", "make", "t.db", "--model", "m", "--url", server.url)
        assert (output.code, output.out.splitlines()[1], output.err) == (0, "2 questions about answers: 2 ok", "")
    with stand_in(labelled) as server:
        how = ("answers", "nuggets", "assign", "t.db", "--model", "m", "--url", server.url)
        assert "2 calls, about" in cranfield(*how, "--dry-run").out
        assert "2 questions about nuggets in answers: 2 ok" in cranfield(*how).out
    with stand_in(lambda post, before: reply("Support: 9")) as server:
        output = cranfield("answers", "support", "t.db", "--model", "m", "--url", server.url, "--limit", "1")
        assert "1 question about citations: 1 off-scale" in output.out
        assert "stopped by --limit 1; 1 question remains" in output.err
    for wrong in (["--model", "m"], ["--url", "http://h/v1"], []):
        assert cranfield("answers", "support", "t.db", *wrong).code == 2


Plans = Mapping[str, PlannedAsking]


def plans(store: Store, folder: Path, url: str | None, json_answer: bool = False) -> Plans:
    """All three kinds of questions that need no answer to another."""
    pairs = folder / "pairs"
    pairs.write_text("q1 d0 d1\n")

    assign, support, prefer = (
        asker_of(store, about, "qwen", url, prompt, json_answer=json_answer)
        for about, prompt in ((ASSIGNMENT, "assignment"), (SUPPORT, "support"), (PREFERENCE, "preference"))
    )
    return {
        "assign": plan_assigning(store, assign), "support": plan_supporting(store, support),
        "prefer": plan_preferences(store, prefer, str(pairs))[0],
    }  # fmt: skip


def answer_to(text: str, as_json: bool) -> str:
    """What a good model answers to a prompt."""
    if names := ids_in(text):
        rows = [{"id": name, "label": "support"} for name in names]
        return json.dumps({"labels": rows} if as_json else rows)
    if "the first document is better" in text:
        first = text.index("text 0") < text.index("text 1")
        return json.dumps({"score": 1 if first else 2}) if as_json else f"Better: {1 if first else 2}"
    return '{"score": 2}' if as_json else "Support: 2"


def well(post: Post, before: int) -> Response:
    return reply(answer_to(post.text, as_json=False))


def check(store: Store) -> None:
    """All labels are there, as the model gave them."""
    assert set(NUGGET_LABELS.labels(store, "qwen").values()) == {"support"}
    assert len(NUGGET_LABELS.labels(store, "qwen")) == 24
    assert set(SUPPORT_LABELS.labels(store, "qwen").values()) == {"support"}
    [one] = resolve(current_preferences(store, "qwen")).preferences
    assert (one.better, one.consistent) == ("d0", True)
    assert verify(store).other_events == 12 + 24 + 2 + 2 + len(calls(store))


def test_answers_come_as_json(store: Store, tmp_path: Path) -> None:
    """The server is told the schema, and the prompt asks for JSON."""
    with stand_in(lambda post, before: reply(answer_to(post.text, as_json=True))) as server:
        for plan in plans(store, tmp_path, server.url, json_answer=True).values():
            plan.run(QUICK)
    check(store)
    names = {one.json["response_format"]["json_schema"]["name"] for one in server.posts}
    assert names == {"labels", "grade"}
    assert all("JSON object" in one.text for one in server.posts)


@pytest.mark.parametrize(
    "answer", ['[{"id": "n1", "label": "support"}]', '{"labels": [], "more": []}', '{"labels": 3}']
)
def test_json_of_another_form_labels_nothing(store: Store, tmp_path: Path, answer: str) -> None:
    with stand_in(lambda post, before: reply(answer)) as server:
        tally = plans(store, tmp_path, server.url, json_answer=True)["assign"].run(QUICK)
    assert tally.outcomes == {"unparsable": 4}
    assert set(NUGGET_LABELS.labels(store, "qwen").values()) == {None}


def test_nuggets_are_made_as_json() -> None:
    def answering(post: Post, before: int) -> Response:
        return reply(
            '{"nuggets": [{"text": "wings shake", "importance": "vital"}]}' if not before else '{"nuggets": []}'
        )

    with two_answer_store() as store, stand_in(answering) as server:
        asker = asker_of(store, MAKING, "qwen", server.url, "nuggets", json_answer=True)
        assert plan_making(store, asker).run(QUICK).outcomes == {"ok": 1}
        assert [one.text for one in current_nuggets(store)] == ["wings shake"]


def test_nuggets_by_batch_files_a_round_each(tmp_path: Path) -> None:
    """A file has the next answer; nuggets that people edit meanwhile are in the next question, not in this one."""

    def answering(post: Post, before: int) -> Response:
        return reply("[]" if "wings shake" in post.text else '[{"text": "wings shake", "importance": "vital"}]')

    with two_answer_store() as store:

        def plan() -> PlannedAsking:
            return plan_making(store, asker_of(store, MAKING, "qwen", None, "nuggets"))

        for round_ in range(2):
            assert plan().write(tmp_path / "out.jsonl") == 1
            request = (tmp_path / "out.jsonl").read_text()
            assert ("(none)" in request, "mine" in request, "wings shake" in request) == (
                (not round_,) + (bool(round_),) * 2
            )
            edit_nuggets(store, [NuggetEdit("okay", "q1", "ada", f"mine, {round_}")])
            assert plan().write(tmp_path / "none.jsonl") == 0
            answer_batch(tmp_path / "out.jsonl", tmp_path / "in.jsonl", answering)
            assert take_batch(store, tmp_path / "in.jsonl").outcomes == {"ok": 1}
        assert [one.text for one in current_nuggets(store)] == ["mine, 0", "wings shake", "mine, 1"]
        assert plan().subjects == []


def test_a_batch_file_that_was_lost_is_written_again(store: Store, tmp_path: Path) -> None:
    """Asked for, the requests on their way are in another file; the answers to both are read."""
    asker = asker_of(store, SUPPORT, "qwen", None, "support")
    assert plan_supporting(store, asker).write(tmp_path / "lost.jsonl") == 2
    assert plan_supporting(store, asker).write(tmp_path / "out.jsonl") == 0
    assert plan_supporting(store, asker, again="failed").write(tmp_path / "out.jsonl") == 2
    for name in ("out.jsonl", "lost.jsonl"):
        answer_batch(tmp_path / name, tmp_path / "in.jsonl", well)
        assert take_batch(store, tmp_path / "in.jsonl").outcomes == {"ok": 2}
    assert plan_supporting(store, asker, again="failed").subjects == []


def test_batch_files_go_out_and_come_in(store: Store, tmp_path: Path) -> None:
    """Written once, read once; then there is nothing left to ask."""
    back = tmp_path / "in.jsonl"
    for name, plan in plans(store, tmp_path, None).items():
        out = tmp_path / f"{name}.jsonl"
        number = plan.write(out)
        assert plan.write(tmp_path / "again.jsonl") == 0
        answer_batch(out, back, well)
        assert take_batch(store, back).outcomes == {"ok": number}
        assert take_batch(store, back).earlier == number
    check(store)
    assert [plan.subjects for plan in plans(store, tmp_path, None).values()] == [[], [], []]


def test_a_nugget_reworded_since_is_named_with_its_line(store: Store, tmp_path: Path) -> None:
    """And nothing of the file is recorded."""
    out, back = tmp_path / "out.jsonl", tmp_path / "in.jsonl"
    plans(store, tmp_path, None)["assign"].write(out)
    answer_batch(out, back, well)
    edit_nuggets(store, [NuggetEdit("okay", "q1", "ada", "another wording", replaces=(12,))])
    with pytest.raises(InputError, match=r"in.jsonl:2: nugget 12 was replaced or dropped after the request"):
        take_batch(store, back)
    assert NUGGET_LABELS.labels(store, "qwen") == {}


def test_commands_write_and_read_files(track: Store, cranfield: Cranfield) -> None:
    edit_nuggets(track, TWELVE)
    for name, number in (("answers nuggets assign", 4), ("answers support", 2), ("model prefer --pairs pairs", 2)):
        command, *more = name.split(" --")
        words = [*command.split(), "t.db", *(f"--{more[0]}".split() if more else []), "--model", "m"]
        output = cranfield(*words, "--batch", "out.jsonl")
        assert (output.code, output.out) == (0, f"{number} requests written to out.jsonl\n")
        answer_batch(Path("out.jsonl"), Path("in.jsonl"), well)
        assert cranfield("model", "assess", "import", "t.db", "in.jsonl").out == f"{number} answers: {number} ok\n"
        assert cranfield(*words, "--batch", "out.jsonl", "--url", "http://h/v1").code == 2
        assert cranfield(*words).code == 2


def test_what_came_of_it_as_json(track: Store, cranfield: Cranfield) -> None:
    edit_nuggets(track, TWELVE)
    with stand_in(well) as server:
        how = ["--model", "m", "--url", server.url, "--format", "json"]
        assign, prefer = (
            json.loads(cranfield(*words.split(), "t.db", *more, *how).out)
            for words, *more in (("answers nuggets assign",), ("model prefer", "--pairs", "pairs"))
        )
    assert [*assign] == [*prefer][:-3]
    assert (assign["assessor"], assign["prompt"], assign["outcomes"], assign["calls"]) == (
        "m",
        "assignment",
        {"ok": 4},
        4,
    )
    assert [prefer[name] for name in ("outcomes", "pairs", "different", "shown_first")] == [{"ok": 2}, 1, 0, 0]


def test_what_would_be_asked_as_json(track: Store, cranfield: Cranfield) -> None:
    """A look ahead, and what was written into a batch file; what is on its way is not left to ask."""
    how = ["answers", "support", "t.db", "--model", "m", "--format"]
    ahead = json.loads(cranfield(*how, "json", "--batch", "out.jsonl", "--dry-run").out)
    assert (ahead["assessor"], ahead["calls"], ahead["cost"], ahead["messages"][0]["role"]) == ("m", 2, None, "user")
    assert not Path("out.jsonl").exists()
    both = cranfield(*how, "json", "--batch", "-")
    assert (both.code, "expected a file, because --batch - writes to standard output" in both.err) == (2, True)
    one = cranfield(*how[:5], "--assessor", "other", "--batch", "one.jsonl", "--limit", "1")
    assert (one.out, one.err) == (
        "1 request written to one.jsonl\n", "note: --limit 1 was reached; 1 question remains for another file\n"
    )  # fmt: skip
    assert cranfield(*how, "csv", "--batch", "out.jsonl").out == "file,requests,doubtful\nout.jsonl,2,0\n"
    output = cranfield(*how, "json", "--batch", "none.jsonl")
    counts = {"file": "none.jsonl", "requests": 0, "doubtful": 2}
    assert json.loads(output.out) == {name: ahead[name] for name in list(ahead)[:4]} | counts
    assert output.err == "note: omitted 2 questions sent before without a recorded answer\n"
    nothing = json.loads(cranfield(*how, "json", "--batch", "x", "--dry-run").out)
    assert [*nothing] == [*ahead]
    assert (nothing["messages"], nothing["calls"], nothing["tokens_in"], nothing["cost"]) == ([], 0, 0, 0.0)


def test_a_person_is_not_asked_like_a_model(track: Store, cranfield: Cranfield) -> None:
    for more in (["--batch", "x"], ["--limit", "3"], ["--format", "json"], ["--prompt", "x"]):
        for words in ("support", "nuggets make", "nuggets assign", "claims label"):
            output = cranfield("answers", *words.split(), track.path, "--assessor", "ada", *more)
            assert (output.code, "is required, because other options apply only to a model" in output.err) == (
                2,
                True,
            ), output


def whole_answer_to(post: Post, before: int) -> Response:
    """What a good model answers to each task."""
    if "input" in post.json:
        return embedding(1, len(post.json["input"]))
    if ids_in(post.text):
        return same_label(post)
    if "evasive" in post.text:
        return reply(json.dumps([{"text": f"Question {n}?", "evasive": False} for n in range(3)]))
    if "Support: N" in post.text:
        return reply("Support: 2")
    return reply('[{"text": "wings shake", "importance": "vital"}]')


@pytest.fixture(scope="module")
def server() -> Iterator[StandIn]:
    with stand_in(whole_answer_to) as server:
        yield server


@pytest.fixture
def two_run_store() -> Iterator[Store]:
    """Answers of two runs to two topics, with nuggets."""
    with answered_store() as store:
        yield store


def test_every_task_is_asked(two_run_store: Store, server: StandIn) -> None:
    asking = Asking("m", server.url)
    assert cranfield.answers.make_nuggets(two_run_store, asking).outcomes == {"ok": 4}
    assert cranfield.answers.assign_nuggets(two_run_store, replace(asking, limit=1), topics=["1"]).outcomes == {"ok": 1}
    assert cranfield.answers.assign_nuggets(two_run_store, asking).outcomes == {"ok": 3}
    assert cranfield.answers.label_support(two_run_store, asking, each=True).outcomes["ok"] > 0
    assert cranfield.answers.make_claims(two_run_store, replace(asking, again="all")).outcomes == {"ok": 4}
    assert cranfield.answers.label_claims(two_run_store, asking).outcomes == {"ok": 4}
    assert cranfield.answers.make_questions(two_run_store, asking).outcomes == {"ok": 4}
    assert cranfield.answers.make_questions(two_run_store, asking, embedding_model="e").outcomes == {"embedded": 8}
    assert cranfield.answers.make_questions(two_run_store, asking, embedding_model="e").outcomes == {}
    assert sum(one.text == "wings shake" for one in current_nuggets(two_run_store)) == 2
    by_log = [log.labels(two_run_store, "m") for log in (NUGGET_LABELS, SUPPORT_LABELS, CLAIM_LABELS)]
    assert all(set(labels.values()) == {"support"} for labels in by_log)
    assert len(embeddings(two_run_store, "m")) == 8


def test_a_dry_run_in_python_sends_nothing(two_run_store: Store, server: StandIn) -> None:
    before = len(server.posts)
    result = cranfield.answers.make_claims(two_run_store, Asking("m", server.url, dry_run=True, price=(1.0, 2.0)))
    assert result.prospect is not None
    assert (result.tally, result.outcomes, result.rows()[0]["calls"], len(server.posts)) == (None, {}, 4, before)
    assert json.loads(result.to_json())["cost"] == result.rows()[0]["cost"]


def test_questions_go_to_a_file_and_wrong_usage_is_named(two_run_store: Store, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert cranfield.answers.make_claims(two_run_store, Asking("m", batch=out)).outcomes == {"written": 4}
    assert len(out.read_text().splitlines()) == 4
    assert cranfield.answers.make_questions(two_run_store, Asking("m", batch=tmp_path / "more.jsonl")).outcomes == {
        "written": 4
    }
    with pytest.raises(InputError, match=r"expected model with url \(a server\) or with batch \(files\)"):
        cranfield.answers.label_support(two_run_store, Asking("m"))
    with pytest.raises(InputError, match="expected model with url"):
        cranfield.answers.make_questions(
            two_run_store, Asking("m", "http://h/v1", batch=out, assessor="x"), embedding_model="e"
        )
    with pytest.raises(TypeError, match="unexpected keyword argument 'tries'"):
        Asking("m", "http://h/v1", tries=3)  # type: ignore[call-arg]
    with pytest.raises(InputError, match="'none'"):
        cranfield.answers.label_support(two_run_store, Asking("m", "http://h/v1", prompt="none"))
