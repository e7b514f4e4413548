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
from cranfield.features.briefing.store import answer, ask, practice_of, question_notes, questions, results, set_gold
from cranfield.judging import answer_question, list_practice_results, list_questions, set_practice_topic
from cranfield.store.chain import Event
from cranfield.store.invitations import invite
from cranfield.store.log import add_assessor, append, read_events
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
    ada, before = visit(app, "ada"), len(app.worker.run_and_wait(read_events))
    assert ada.client.get("/judge").url.path == "/practice"
    page = ada.client.get("/practice").text
    assert "Practice 1 of 2" in page
    assert "Your practice grades do not count in the results, but the organiser can see them." in page
    assert "why d1" not in page
    title = heading_of(page)
    page = ada.send("/practice", "/practice/grade", grade="1")
    assert "Practice 1 of 2" in page
    assert heading_of(page) == title
    assert "<strong>Right:</strong>" in page
    assert "why d1" in page
    assert "Next document" in page
    assert 'name="grade"' not in page
    assert "<script>alert" not in page
    page = ada.client.get("/practice").text
    assert heading_of(page) != title
    assert "why" not in page
    page = ada.send("/practice", "/practice/grade", grade="2")
    assert "The right grade is 0:" in page
    assert "You gave 2:" in page
    assert "why d2" in page
    assert "Finish practice" in page
    assert "You gave the right grade to 1 of 2 documents." in ada.client.get("/practice").text
    assert ada.client.get("/judge").url.path == "/judge"
    assert len(app.worker.run_and_wait(read_events)) == before
    assert app.worker.run_and_wait(partial(practice_of, assessor="ada")) == [("q1", "d1", 1, 1), ("q1", "d2", 2, 0)]


def heading_of(page: str) -> str:
    """The title of the document on screen."""
    return page.partition("<h1")[2].partition("</h1>")[0]


def test_practice_can_be_undone(app: Application) -> None:
    """The document is shown again without its right grade; the last grade counts, and the organiser sees the change."""
    ada = visit(app, "ada")
    shown = ada.send("/practice", "/practice/grade", grade="2")
    assert 'name="again" value="1"' in shown
    assert 'name="again" value="1"' in ada.client.get("/practice").text
    page = ada.client.get("/practice?again=1").text
    assert heading_of(page) == heading_of(shown)
    assert "why d1" not in page
    assert "Practice 1 of 2" in page
    assert app.worker.run_and_wait(partial(practice_of, assessor="ada")) == [("q1", "d1", 2, 1)]
    page = ada.send("/practice?again=1", "/practice/grade", grade="1")
    assert "<strong>Right:</strong>" in page
    assert app.worker.run_and_wait(partial(practice_of, assessor="ada")) == [("q1", "d1", 1, 1)]
    ada.send("/practice", "/practice/grade", grade="2")
    rows = app.worker.run_and_wait(results)
    assert rows == [{"assessor": "ada", "documents": 2, "right": 1, "above": 1, "below": 0, "changed": 1}]
    assert "again=" not in ada.client.get("/practice?again=7&graded=x").text  # neither is a graded document
    organiser = Visit(app, app.access.start_token)
    assert "changed after the right grade was shown" in organiser.client.get("/organise/briefing").text


def test_an_old_page_of_practice_changes_nothing(app: Application) -> None:
    """A second window shows the recorded grade; after a change of the documents, a grade of the old one is refused."""
    ada = visit(app, "ada")
    old = dict(HIDDEN.findall(ada.client.get("/practice").text)) | {"grade": "2"}
    ada.send("/practice", "/practice/grade", grade="1")
    assert "<strong>Right:</strong>" in ada.client.post("/practice/grade", data=old).text
    old = dict(HIDDEN.findall(ada.client.get("/practice").text)) | {"grade": "2"}
    app.worker.run_and_wait(practise_on_another_document)
    answer = ada.client.post("/practice/grade", data=old)
    assert answer.status_code == 409
    assert "has changed the practice documents" in answer.text
    assert app.worker.run_and_wait(partial(practice_of, assessor="ada")) == [("q1", "d1", 1, 1)]


def practise_on_another_document(store: Store) -> None:
    """The organiser chooses the labels of bo, who judged another document."""
    add_assessor(store, "bo")
    append(store, Event("label", "q1", "d3", "bo", 1))
    set_gold(store, "q1", "bo")


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

    out = judge("9\nu\n1\nq\n")
    assert out.count("Practice, document 1 of 2") == 1
    assert "'9' is not possible here; type -1, 0, 1, 2 or q" in out
    assert "'u' is not possible here" in out
    assert "Right: relevant.\nWhy: " in out
    assert "Press Enter to continue, or u to undo the grade.\npractice> \n" in out
    assert "So far" not in out
    out = judge("u\n2\nu\n1\n\n\n2\n1\n\n1\n")
    assert out.count("Practice, document 2 of 2") == 2
    assert out.count("Practice, document 1 of 2") == 2
    assert "You gave 2. The right grade is 1: relevant.\nWhy: " in out
    assert "Enter is not possible here; type -1, 0, 1, 2, q or u" in out
    assert "'1' is not possible here; type Enter, u or q" in out
    assert "You gave 2. The right grade is 0" in out
    assert "Practice is finished: 1 of 2 grades were right." in out
    with Store.open(tmp_path / "s.db") as store:
        assert practice_of(store, "ada") == [("q1", "d1", 1, 1), ("q1", "d2", 2, 0)]
        assert [one.grade for one in read_events(store) if one.assessor == "ada"] == [1]
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
    note = '<a href="/organise/briefing">1 question by assessors has no answer</a>'
    assert note in organiser.client.get("/").text
    assert len(app.worker.run_and_wait(question_notes)) == 1
    text = organiser.send("/organise/briefing", "/organise/answer", text="no, <partly>")
    assert app.worker.run_and_wait(question_notes) == []
    assert "to everybody who judges the topic" in text
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
    assert (output.code, output.out) == (0, "practice on topic q1: 2 documents with the right grades from kim\n")
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


def test_a_page_that_sends_two_texts_asks_and_answers_twice() -> None:
    """After the Back button a page has the event that it had: only the same text is the same question or answer."""
    with practice_store() as store:
        for text in ("is it?", "why?", "why?"):
            ask(store, "q1", "kim", text, "e1")
        for text in ("yes", "no", "no"):
            answer(store, 1, text, "e2")
        assert [(one.question, one.answer) for one in questions(store)] == [("is it?", "no"), ("why?", "")]
        verify(store)


def test_what_is_wrong_is_said() -> None:
    """And nothing is recorded."""
    with practice_store() as store:
        for act, message in (
            (
                partial(set_gold, store, "q2", "kim"),
                "'kim' has no labels on topic 'q2'",
            ),
            (partial(ask, store, "q9", "kim", "x", "e"), "no topic 'q9' in this store"),
            (partial(ask, store, "q1", "kim", "  ", "e"), "the question is empty"),
            (partial(ask, store, "q1", "kim", "x" * 2001, "e"), "2,001 characters; expected at most 2,000"),
        ):
            with pytest.raises(InputError, match=re.escape(message)):
                act()
        with pytest.raises(StoreError, match="there is no question 7; this store has 0 questions"):
            answer(store, 7, "x", "e")
        assert questions(store) == []


def test_the_organiser_chooses_the_practice_topic_in_the_browser() -> None:
    """The topics that people have labelled can be chosen; another one is refused."""
    app = Application(Worker(store_of))
    try:
        visit = Visit(app, app.access.start_token)
        assert "Let assessors practise on this topic" not in visit.client.get("/organise/briefing").text

        def label(store: Store) -> None:
            add_assessor(store, "kim")
            append(store, *(Event("label", "q1", docno, "kim", grade) for docno, grade in GOLD.items()))

        app.worker.run_and_wait(label)
        page = visit.client.get("/organise/briefing").text
        assert re.search(r'<option value="q1\tkim">\s*q1: kim \(2 labels\)</option>', page), page
        assert "has no labels on topic" in visit.send("/organise/briefing", "/organise/practice", gold="q2\tkim")
        assert "no topic is chosen" in visit.send("/organise/briefing", "/organise/practice", gold="q1")
        assert "2 documents" in visit.send("/organise/briefing", "/organise/practice", gold="q1\tkim")
        assert "Assessors grade 2 documents before their first topic." in visit.client.get("/organise/briefing").text
    finally:
        app.close()
