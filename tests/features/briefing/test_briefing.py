"""Practice before the first topic, and questions to the organiser: by command, in Python and in the browser."""

import io
import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from cranfield.errors import InputError, StoreError
from cranfield.features.briefing.store import answer, ask, practice_of, questions, set_gold
from cranfield.judging import answer_question, list_practice_results, list_questions, set_practice_topic
from cranfield.store.chain import Event
from cranfield.store.invitations import invite
from cranfield.store.log import add_assessor, append, events
from cranfield.store.store import Store
from cranfield.store.verification import verify
from cranfield.web.application import Application
from cranfield.web.results import Worker
from tests.conftest import Cranfield
from tests.judging.cases import store_of
from tests.web.look.hostile import evil

HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
GOLD = {"d1": 1, "d2": 0}


def practice_store(path: Path | None = None) -> Store:
    """Two documents that kim has graded, with notes, are to be practised on."""
    store = store_of(path=path)
    add_assessor(store, "kim")
    append(store, *(Event("label", "q1", d, "kim", grade, note=evil(f"why {d}")) for d, grade in GOLD.items()))
    assert set_gold(store, "q1", "kim") == 2
    return store


class Visit:
    """Somebody's browser, which sends the form of the page on screen."""

    def __init__(self, app: Application, token: str) -> None:
        self.client = TestClient(app.asgi(["testserver"]))
        assert self.client.get(f"/enter/{token}").status_code == 200

    def send(self, page: str, to: str, **fields: str) -> str:
        """The page that follows on sending its form, with what is typed."""
        data = dict(HIDDEN.findall(self.client.get(page).text)) | fields
        response = self.client.post(to, data=data)
        assert response.status_code == 200, response.text
        self.client.post(to, data=data)  # twice is once
        return response.text


@pytest.fixture
def app() -> Iterator[Application]:
    """A served store with practice."""
    app = Application(Worker(practice_store))
    yield app
    app.close()


def visit(app: Application, name: str) -> Visit:
    """The browser of an assessor."""
    return Visit(app, app.worker.run_and_wait(partial(invite, assessor=name)))


def test_practice_comes_first_and_says_what_is_right(app: Application) -> None:
    """Before the first document; each grade is answered by the right one and its reason; none of them is a judgment."""
    ada, before = visit(app, "ada"), len(app.worker.run_and_wait(events))
    assert ada.client.get("/judge").url.path == "/practice"
    page = ada.client.get("/practice").text
    assert "document 1 of 2" in page
    assert "why d1" not in page
    page = ada.send("/practice", "/practice/grade", grade="1")
    assert "<strong>Right:</strong>" in page
    assert "why d1" in page
    assert "<script>alert" not in page
    page = ada.send("/practice", "/practice/grade", grade="2")
    assert "You gave 2, right is 0" in page
    assert "You gave the right grade to 1 of 2 documents." in page
    assert ada.client.get("/judge").url.path == "/judge"
    assert len(app.worker.run_and_wait(events)) == before
    assert app.worker.run_and_wait(partial(practice_of, assessor="ada")) == [("q1", "d1", 1, 1), ("q1", "d2", 2, 0)]


def test_who_has_judged_does_not_practise(app: Application) -> None:
    """Nor does a grade off the scale count."""
    kim = visit(app, "kim")
    assert kim.client.get("/judge").url.path == "/judge"
    ada = visit(app, "ada")
    fields = dict(HIDDEN.findall(ada.client.get("/practice").text))
    assert ada.client.post("/practice/grade", data=fields | {"grade": "9"}).status_code == 409
    assert app.worker.run_and_wait(partial(practice_of, assessor="ada")) == []


def test_practice_comes_first_in_the_terminal(
    tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in the browser; what is no grade is asked again, q stops, and the same command goes on."""
    practice_store(tmp_path / "s.db").close()

    def judge(keys: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(keys))
        output = cranfield("judge", tmp_path / "s.db", "--assessor", "ada", "--plain")
        assert output.code == 0, output.err
        return output.out

    out = judge("9\n1\nq\n")
    assert "Practice, document 1 of 2" in out
    assert "'9' is no grade; type -1, 0, 1, 2, or q" in out
    assert "Right: relevant.\nWhy: " in out
    assert "So far" not in out
    out = judge("2\n1\n")
    assert "Practice, document 1 of 1" in out
    assert "You gave 2, right is 0" in out
    assert "Practice is done: 1 of 2 grades were right." in out
    with Store.open(tmp_path / "s.db") as store:
        assert practice_of(store, "ada") == [("q1", "d1", 1, 1), ("q1", "d2", 2, 0)]
        assert [one.grade for one in events(store) if one.assessor == "ada"] == [1]
    assert "ractice" not in judge("q\n")


def test_a_question_and_its_answer_stand_with_the_topic(app: Application) -> None:
    """The organiser answers it; everybody sees both with the topic, and nobody who asked."""
    kim = visit(app, "kim")
    assert 'href="/questions?topic=q' in kim.client.get("/judge").text
    kim.send("/questions?topic=q1", "/questions/ask", text=evil("is a cause enough?"))
    assert "The organiser has not answered yet." in kim.client.get("/questions").text
    organiser = Visit(app, app.access.start_token)
    page = organiser.client.get("/organise/briefing").text
    assert "is a cause enough?" in page
    assert "<script>alert" not in page
    text = organiser.send("/organise/briefing", "/organise/answer", text="no, <partly>")
    assert "everybody who judges it sees it" in text
    assert [(one.assessor, one.answer) for one in app.worker.run_and_wait(questions)] == [("kim", "no, <partly>")]
    for page in (kim.client.get("/questions").text, kim.client.get("/questions?topic=q1").text):
        assert "no, &lt;partly&gt;" in page
    app.worker.run_and_wait(lambda store: append(store, Event("label", "q1", "d3", "bo", 1)) if add_bo(store) else None)
    bos_page = visit(app, "bo").client.get("/questions?topic=q1").text
    assert "no, &lt;partly&gt;" in bos_page
    assert "kim" not in bos_page
    assert organiser.client.get("/questions").status_code == 403
    app.worker.run_and_wait(verify)


def add_bo(store: Store) -> bool:
    """Somebody who has no practice before her."""
    add_assessor(store, "bo")
    return True


def test_the_commands_and_their_functions(tmp_path: Path, cranfield: Cranfield) -> None:
    """The same numbers and texts."""
    path = tmp_path / "s.db"
    practice_store(path).close()
    output = cranfield("assessor", "practice", path, "q1", "--gold", "kim")
    assert (output.code, output.out) == (0, "practice: 2 documents of topic q1, by the grades of kim\n")
    assert set_practice_topic(path, "q1", gold="kim").rows()[0]["documents"] == 2
    with Store.open(path) as store:
        ask(store, "q1", "kim", "is it?", "e1")
        ask(store, "q1", "kim", "is it?", "e1")
    assert cranfield("assessor", "answer", path, "1", "it is").code == 0
    answer_question(path, 1, "it is not")
    rows = json.loads(cranfield("assessor", "questions", path, "--format", "json").out)
    assert [(one["question"], one["answer"]) for one in rows] == [("is it?", "it is not")]
    assert list_questions(path).frame["answer"].tolist() == ["it is not"]
    assert json.loads(cranfield("assessor", "results", path, "--format", "json").out) == []
    assert list_practice_results(path).frame.empty
    assert cranfield("store", "verify", path).code == 0


def test_what_is_wrong_is_said() -> None:
    """And nothing is recorded."""
    with practice_store() as store:
        for act, message in (
            (
                partial(set_gold, store, "q2", "kim"),
                "'kim' has no labels on topic 'q2'",
            ),
            (partial(ask, store, "q9", "kim", "x", "e"), "no topic 'q9' in this store"),
            (partial(ask, store, "q1", "kim", "  ", "e"), "the question has no words"),
            (partial(ask, store, "q1", "kim", "x" * 2001, "e"), "2,001 characters; expected at most 2,000"),
        ):
            with pytest.raises(InputError, match=re.escape(message)):
                act()
        with pytest.raises(StoreError, match="no question 7 in this store; it has 0 questions"):
            answer(store, 7, "x", "e")
        assert questions(store) == []
