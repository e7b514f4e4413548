"""Nuggets, support and preferences by batch files, and as JSON that the server enforces."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from cranfield.analysis.answers.audit import take_batch
from cranfield.errors import InputError
from cranfield.judging.answers.by_model.assigning import ASSIGNMENT, assigning_asked
from cranfield.judging.answers.by_model.making import MAKING, making_asked
from cranfield.judging.answers.by_model.supporting import SUPPORT, supporting_asked
from cranfield.judging.models.asking.limits import AskLimits
from cranfield.judging.models.asking.planned import PlannedAsking, asker_of
from cranfield.judging.preferences.by_model import PREFERENCE, preferences_asked
from cranfield.judging.preferences.resolve import resolve
from cranfield.store.answers.labels import NUGGET_LABELS, SUPPORT_LABELS
from cranfield.store.answers.nuggets import NuggetEdit, current_nuggets, edit_nuggets
from cranfield.store.models import calls
from cranfield.store.preferences import current_preferences
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.conftest import Cranfield
from tests.judging.answers.test_by_model import TWELVE, filled
from tests.judging.models.stand_in import Response, Sent, said, stand_in

QUICK = AskLimits(pause=0.0, timeout=60.0, parallel=2)
Plans = Mapping[str, PlannedAsking]


@pytest.fixture
def store() -> Iterator[Store]:
    """Two answers and twelve nuggets."""
    with Store.memory("answers") as store:
        filled(store)
        edit_nuggets(store, TWELVE)
        yield store


def planned(store: Store, folder: Path, url: str | None, json_answer: bool = False) -> Plans:
    """All three kinds of questions that need no answer to another."""
    pairs = folder / "pairs"
    pairs.write_text("q1 d0 d1\n")

    assign, support, prefer = (
        asker_of(store, about, "qwen", url, prompt, json_answer=json_answer)
        for about, prompt in ((ASSIGNMENT, "assignment"), (SUPPORT, "support"), (PREFERENCE, "preference"))
    )
    return {
        "assign": assigning_asked(store, assign), "support": supporting_asked(store, support),
        "prefer": preferences_asked(store, prefer, str(pairs))[0],
    }  # fmt: skip


def answer_to(text: str, as_json: bool) -> str:
    """What a good model answers to a prompt."""
    if names := re.findall(r'^\{"id": "(n\d+)"', text, re.MULTILINE):
        rows = [{"id": name, "label": "support"} for name in names]
        return json.dumps({"labels": rows} if as_json else rows)
    if "the first document is better" in text:
        first = text.index("text 0") < text.index("text 1")
        return json.dumps({"score": 1 if first else 2}) if as_json else f"Better: {1 if first else 2}"
    return '{"score": 2}' if as_json else "Support: 2"


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
    with stand_in(lambda sent, before: said(answer_to(sent.text, as_json=True))) as server:
        for plan in planned(store, tmp_path, server.url, json_answer=True).values():
            plan.run(QUICK)
    check(store)
    names = {one.json["response_format"]["json_schema"]["name"] for one in server.sent}
    assert names == {"labels", "grade"}
    assert all("JSON object" in one.text for one in server.sent)


@pytest.mark.parametrize(
    "answer", ['[{"id": "n1", "label": "support"}]', '{"labels": [], "more": []}', '{"labels": 3}']
)
def test_json_of_another_form_labels_nothing(store: Store, tmp_path: Path, answer: str) -> None:
    with stand_in(lambda sent, before: said(answer)) as server:
        tally = planned(store, tmp_path, server.url, json_answer=True)["assign"].run(QUICK)
    assert tally.outcomes == {"unparsable": 4}
    assert set(NUGGET_LABELS.labels(store, "qwen").values()) == {None}


def test_nuggets_are_made_as_json() -> None:
    def answering(sent: Sent, before: int) -> Response:
        return said(
            '{"nuggets": [{"text": "wings shake", "importance": "vital"}]}' if not before else '{"nuggets": []}'
        )

    with Store.memory("made") as store, stand_in(answering) as server:
        filled(store)
        asker = asker_of(store, MAKING, "qwen", server.url, "nuggets", json_answer=True)
        assert making_asked(store, asker).run(QUICK).outcomes == {"ok": 1}
        assert [one.text for one in current_nuggets(store)] == ["wings shake"]


def test_nuggets_by_batch_files_a_round_each(tmp_path: Path) -> None:
    """A file has the next answer; nuggets that people edit meanwhile are in the next question, not in this one."""
    one, other = '[{"text": "wings shake", "importance": "vital"}]', "[]"

    def plan() -> PlannedAsking:
        return making_asked(made, asker_of(made, MAKING, "qwen", None, "nuggets"))

    with Store.memory("made") as made:
        filled(made)
        for round_, said_of_it in enumerate((one, other)):
            assert plan().write(tmp_path / "out.jsonl") == 1
            asked_ = (tmp_path / "out.jsonl").read_text()
            assert ("(none)" in asked_, "mine" in asked_, "wings shake" in asked_) == (
                (not round_,) + (bool(round_),) * 2
            )
            edit_nuggets(made, [NuggetEdit("okay", "q1", "ada", f"mine, {round_}")])
            assert plan().write(tmp_path / "none.jsonl") == 0
            answered(tmp_path / "out.jsonl", tmp_path / "in.jsonl", said_of_it)
            assert take_batch(made, tmp_path / "in.jsonl").outcomes == {"ok": 1}
        assert [one.text for one in current_nuggets(made)] == ["mine, 0", "wings shake", "mine, 1"]
        assert plan().subjects == []


def test_a_batch_file_that_was_lost_is_written_again(store: Store, tmp_path: Path) -> None:
    """Asked for, the requests on their way are in another file; the answers to both are read."""
    asker = asker_of(store, SUPPORT, "qwen", None, "support")
    assert supporting_asked(store, asker).write(tmp_path / "lost.jsonl") == 2
    assert supporting_asked(store, asker).write(tmp_path / "out.jsonl") == 0
    assert supporting_asked(store, asker, again="failed").write(tmp_path / "out.jsonl") == 2
    for name in ("out.jsonl", "lost.jsonl"):
        answered(tmp_path / name, tmp_path / "in.jsonl")
        assert take_batch(store, tmp_path / "in.jsonl").outcomes == {"ok": 2}
    assert supporting_asked(store, asker, again="failed").subjects == []


def answered(out: Path, back: Path, answer: str | None = None) -> None:
    """The answers to a batch file."""
    lines = []
    for line in map(json.loads, out.read_text().splitlines()):
        text = answer or answer_to(line["body"]["messages"][0]["content"], as_json=False)
        body = json.loads(said(text).body)
        lines.append(json.dumps({"custom_id": line["custom_id"], "response": {"status_code": 200, "body": body}}))
    back.write_text("\n".join(lines))


def test_batch_files_go_out_and_come_in(store: Store, tmp_path: Path) -> None:
    """Written once, read once; then there is nothing left to ask."""
    back = tmp_path / "in.jsonl"
    for name, plan in planned(store, tmp_path, None).items():
        out = tmp_path / f"{name}.jsonl"
        number = plan.write(out)
        assert plan.write(tmp_path / "again.jsonl") == 0
        answered(out, back)
        assert take_batch(store, back).outcomes == {"ok": number}
        assert take_batch(store, back).known == number
    check(store)
    assert [plan.subjects for plan in planned(store, tmp_path, None).values()] == [[], [], []]


def test_a_nugget_reworded_since_is_named_with_its_line(store: Store, tmp_path: Path) -> None:
    """And nothing of the file is recorded."""
    out, back = tmp_path / "out.jsonl", tmp_path / "in.jsonl"
    planned(store, tmp_path, None)["assign"].write(out)
    answered(out, back)
    edit_nuggets(store, [NuggetEdit("okay", "q1", "ada", "another wording", replaces=(12,))])
    with pytest.raises(InputError, match=r"in.jsonl:2: nugget 12 was replaced or dropped since"):
        take_batch(store, back)
    assert NUGGET_LABELS.labels(store, "qwen") == {}


def test_commands_write_and_read_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> None:
    monkeypatch.chdir(tmp_path)
    with Store.create("t.db", "answers") as store:
        filled(store)
        edit_nuggets(store, TWELVE)
    Path("pairs").write_text("q1 d0 d1\n")
    for words, number in (("answers nuggets assign", 4), ("answers support", 2), ("model prefer --pairs pairs", 2)):
        command, *more = words.split(" --")
        asked = [*command.split(), "t.db", *(f"--{more[0]}".split() if more else []), "--model", "m"]
        done = cranfield(*asked, "--batch", "out.jsonl")
        assert (done.code, done.out) == (0, f"{number} requests written to out.jsonl\n")
        answered(Path("out.jsonl"), Path("in.jsonl"))
        assert cranfield("model", "assess", "import", "t.db", "in.jsonl").out == f"{number} answers: {number} ok\n"
        assert cranfield(*asked, "--batch", "out.jsonl", "--url", "http://h/v1").code == 2
        assert cranfield(*asked).code == 2


def test_what_came_of_it_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> None:
    monkeypatch.chdir(tmp_path)
    with Store.create("t.db", "answers") as store:
        filled(store)
        edit_nuggets(store, TWELVE)
    Path("pairs").write_text("q1 d0 d1\n")
    with stand_in(lambda sent, before: said(answer_to(sent.text, as_json=False))) as server:
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


def test_what_would_be_asked_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> None:
    """A look ahead, and what was written into a batch file; what is on its way is not left to ask."""
    monkeypatch.chdir(tmp_path)
    with Store.create("t.db", "answers") as store:
        filled(store)
    how = ["answers", "support", "t.db", "--model", "m", "--format"]
    ahead = json.loads(cranfield(*how, "json", "--batch", "out.jsonl", "--dry-run").out)
    assert (ahead["assessor"], ahead["calls"], ahead["cost"], ahead["messages"][0]["role"]) == ("m", 2, None, "user")
    assert not Path("out.jsonl").exists()
    both = cranfield(*how, "json", "--batch", "-")
    assert (both.code, "is taken by --batch -" in both.err) == (2, True)
    assert cranfield(*how, "csv", "--batch", "out.jsonl").out == "file,requests,doubtful\nout.jsonl,2,0\n"
    done = cranfield(*how, "json", "--batch", "none.jsonl")
    written = {"file": "none.jsonl", "requests": 0, "doubtful": 2}
    assert json.loads(done.out) == {name: ahead[name] for name in list(ahead)[:4]} | written
    assert done.err == "note: 2 questions sent before, without an answer on record, left out\n"
    nothing = json.loads(cranfield(*how, "json", "--batch", "x", "--dry-run").out)
    assert [*nothing] == [*ahead]
    assert (nothing["messages"], nothing["calls"], nothing["tokens_in"], nothing["cost"]) == ([], 0, 0, 0.0)


@pytest.mark.parametrize("more", [["--batch", "x"], ["--limit", "3"], ["--format", "json"], ["--prompt", "x"]])
def test_a_person_is_not_asked_like_a_model(
    tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch, more: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Store.create("t.db", "answers").close()
    for words in ("support", "nuggets make", "nuggets assign", "claims label"):
        done = cranfield("answers", *words.split(), "t.db", "--assessor", "ada", *more)
        assert (done.code, "needed with options that are about asking a model" in done.err) == (2, True), done
