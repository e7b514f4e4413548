"""Adjudicating, comparing and labelling answers in the browser, what is recorded, and what the pages give away."""

import re
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import Any

import pytest
from starlette.testclient import TestClient

from cranfield.features.answers.formats.answers import Answer, Sentence
from cranfield.features.answers.formats.nuggets import PlainClaims, PlainQuestion, PlainRubric
from cranfield.features.answers.store.answers import add_answers
from cranfield.features.answers.store.labels import (
    CLAIM_LABELS,
    COMPARISON_LABELS,
    CORRECTNESS_LABELS,
    NUGGET_LABELS,
    RUBRIC_LABELS,
    SUPPORT_LABELS,
    LabelLog,
    import_claims,
)
from cranfield.features.answers.store.nuggets import Nugget, NuggetEdit, current_nuggets, edit_nuggets, nugget_edits
from cranfield.features.answers.store.rubrics import import_rubrics
from cranfield.features.preferences.store import DocumentPair, add_pairs, preference_events
from cranfield.store.chain import Event
from cranfield.store.invitations import invite
from cranfield.store.log import add_assessor, add_external_assessor, read_events
from cranfield.store.store import Store
from cranfield.web import results
from cranfield.web.application import Application
from cranfield.web.commands import LATE
from cranfield.web.results import Worker
from tests.features.answers.stores import RUNS, three_run_store
from tests.judging.cases import SECRET_DEPTH, SECRET_RUN, at, given_away, session_of, store_of
from tests.web.browser import Browser, Page

NAMES = {"ada.lovelace": (0, 1, 1), "bob.smith": (2, 0, 1)}


def disagreements() -> Store:
    """Two people disagree on two of three documents; both wrote notes, and one marked evidence."""
    store = store_of({"q1": ["d1", "d2"], "q2": ["d3"]})
    for name, grades in NAMES.items():
        session = session_of(store, name)
        for grade in grades:
            at(session).note(f"a note for {grade}")
            at(session).grade(grade)
    return store


@pytest.fixture
def browser() -> Iterator[Browser]:
    with closing(Browser(disagreements, "eve.jones", role="adjudicate")) as browser:
        yield browser


def answers(browser: Browser) -> list[Event]:
    """The adjudications on record."""
    return [event for event in browser.worker.run_and_wait(read_events) if event.kind == "adjudicate"]


def another(browser: Browser, name: str) -> tuple[TestClient, Page]:
    """The browser of another adjudicator on the same server, and its page."""
    client = TestClient(browser.app.asgi(["testserver"]))
    client.get(f"/enter/{browser.worker.run_and_wait(partial(invite, assessor=name, role='adjudicate'))}")
    return client, Page(client.get("/adjudicate").text)


def test_an_answer_is_on_record_with_its_reason(browser: Browser) -> None:
    """Labels and notes are in sight; the answer comes with the reason, and the next case after it."""
    assert "a note for 2" in browser.page.text
    browser.fill("note", {"note": "it <says> so"})
    page = browser.press("2")
    assert "Recorded: topic q1, disagreement 1: grade 2, highly relevant: it &lt;says&gt; so." in page.text
    (answer,) = answers(browser)
    assert (answer.docno, answer.note, answer.input, answer.assessor) == ("d1", "it <says> so", "browser", "eve.jones")
    assert browser.press("u").text.count("disagreement 1 of 2") == 1
    browser.press("U")
    assert len(answers(browser)) == 2


def test_the_page_gives_nothing_away(browser: Browser) -> None:
    """Neither names nor docnos nor runs, before an answer, after it, and where somebody else settled the case."""
    texts = [browser.page.text, browser.press("1").text, browser.press("1").text]
    client, page = another(browser, "fay.miller")
    texts += [page.text, client.get("/adjudicate").text]
    assert given_away(texts, (*NAMES, "eve.jones", "fay.miller", SECRET_RUN, ">d1<", '"d1"', "secret")) == set()


def test_each_link_has_one_role(browser: Browser) -> None:
    """An assessor's link does not reach adjudication, an adjudicator's neither judging nor the organiser's pages."""
    for path in ("/judge", "/look/topics", "/look/topics.csv", "/organise/links"):
        assert browser.client.get(path).status_code == 403
    assert browser.client.get("/").url.path == "/adjudicate"
    form = browser.page.keys["1"]
    assert browser.client.post("/judge/grade", data=form.fields).status_code == 403
    browser.client.cookies.clear()
    browser.client.get(f"/enter/{browser.worker.run_and_wait(partial(invite, assessor='ada'))}")
    assert browser.client.get("/adjudicate").status_code == 403
    assert not answers(browser)


def test_a_repeated_answer_is_one_and_a_late_one_is_none(browser: Browser) -> None:
    """A double click, and a page that is out of date."""
    first, other = browser.page.keys["1"], browser.page.keys["2"]
    browser.send(first)
    assert "disagreement 2 of 2" in browser.send(first).text
    assert LATE in browser.send(other).text
    assert [answer.grade for answer in answers(browser)] == [1]


def test_the_second_of_two_adjudicators_is_told(browser: Browser) -> None:
    """Whoever comes second overwrites nothing: before the page is loaded again, and after."""
    client, page = another(browser, "fay")
    browser.press("1")
    settled = client.get("/adjudicate").text
    assert "<strong>Settled:</strong> <bdi>grade 1, relevant, by another adjudicator</bdi>" in settled
    grade = page.keys["2"]
    text = client.post(grade.action, data=grade.fields).text
    assert "Not recorded: another adjudicator has already settled this case; their answer is kept" in text
    assert "disagreement 2 of 2" in text
    assert [answer.grade for answer in answers(browser)] == [1]


def test_new_disagreements_come_with_the_next_page(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """What assessors say meanwhile counts; the case on screen stays."""
    monkeypatch.setattr(results, "GOOD_FOR", 0)
    before = browser.page.forms["/adjudicate/stay"].fields["document"]
    browser.worker.run_and_wait(lambda store: at(session_of(store, "cyd", topics=["q2"])).grade(-1))
    page = browser.get()
    assert "of 3" in page.text
    assert page.forms["/adjudicate/stay"].fields["document"] == before


def test_nothing_to_settle() -> None:
    with closing(Browser(store_of, "eve", role="adjudicate")) as browser:
        assert "No disagreement is left to settle" in browser.page.text


def with_pairs() -> Store:
    store = store_of()
    add_assessor(store, "ada")
    add_pairs(store, "ada", [DocumentPair("q1", "d1", "d2"), DocumentPair("q2", "d2", "d4")], "file")
    return store


@pytest.fixture(params=["prefer", "judge"])
def comparing_browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """On the page of pairs, with a link for them or one for judging."""
    with closing(Browser(with_pairs, role=request.param)) as browser:
        browser.role = "prefer"
        browser.get()
        yield browser


def test_pairs_are_compared_and_nothing_is_given_away(comparing_browser: Browser) -> None:
    """By the keys of the terminal, side by side, both orders."""
    texts = [comparing_browser.page.text, *(comparing_browser.press(key).text for key in "2u1001")]
    assert all(name in texts[0] for name in ("First document", "Second document", "text of d1", "text of d2"))
    assert [text in texts[0] for text in ("the beginning of the documents", "as they are")] == [True, False]  # its help
    assert "Recorded: topic q1, pair 1: answer 2, the second document is better." in texts[1]
    assert "You have compared all pairs assigned to you." in texts[-1]
    assert given_away(texts, (SECRET_RUN, str(SECRET_DEPTH), ">d1<", '"d1"', "secret")) == set()
    events = comparing_browser.worker.run_and_wait(preference_events)
    assert [event.choice for event in events] == ["second", None, "first", "equal", "equal", "first"]
    assert {(event.kind, event.input) for event in events if event.choice} == {("prefer", "browser")}


def test_a_link_for_judging_leads_to_pairs_as_well() -> None:
    """The page says so; the page of an assessor without pairs does not, and has none."""
    with closing(Browser(with_pairs)) as browser, closing(Browser(with_pairs, "bob")) as other:
        assert '<a href="/prefer">' in browser.page.text
        assert '<a href="/prefer">' not in other.page.text
        answer = other.client.get("/prefer")
        assert (answer.status_code, "No pairs are assigned to" in answer.text) == (409, True)


def with_claims() -> Store:
    """One more answer, whose documents all have texts."""
    store = three_run_store()
    add_answers(store, [Answer(RUNS[0] + "2", "q1", [Sentence("Lift.")], ["d1", "d2"])])
    import_claims(store, [PlainClaims("q1", "", ["Lift grows with speed.", "Drag grows."])], "zoe")
    import_rubrics(store, [PlainRubric("q1", [PlainQuestion("Does it name lift?")])], "zoe")
    return store


@pytest.fixture
def labelling_browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    role: str = request.param
    store = three_run_store if role in ("assign", "support", "support-each") else with_claims
    with closing(Browser(store, "ada.lovelace", role=role)) as browser:
        yield browser


@pytest.mark.full
@pytest.mark.parametrize("labelling_browser", ["assign"], indirect=True)
def test_nuggets_are_assigned_and_no_run_is_named(labelling_browser: Browser) -> None:
    texts = [labelling_browser.page.text, *(labelling_browser.press(key).text for key in "21u")]
    labelling_browser.press("0")
    assert "Nugget: lift grows" in texts[0]
    assert "Recorded: topic q1, nugget 1: grade 2, support." in texts[1]
    assert given_away(texts, (*RUNS, "ada.lovelace", "zoe", "vital", "okay")) == set()
    events = labelling_browser.worker.run_and_wait(lambda store: NUGGET_LABELS.events(store, "ada.lovelace"))
    assert [event.label for event in events] == ["support", "partial_support", None, "not_support"]
    assert {event.input for event in events} == {"browser"}
    assert labelling_browser.client.get("/support").status_code == 403


@pytest.mark.parametrize("labelling_browser", ["support", "support-each"], indirect=True)
def test_citations_are_labelled(labelling_browser: Browser) -> None:
    texts = [labelling_browser.page.text, labelling_browser.press("2").text]
    assert "Sentence: Lift grows." in texts[0]
    assert given_away(texts, (*RUNS, ">d1<", '"d1"')) == set()
    labels = labelling_browser.worker.run_and_wait(lambda store: list(SUPPORT_LABELS.labels(store).items()))
    assert [(docnos, label) for (_, _, docnos), label in labels] == [(("d1",), "support")]
    assert ("Document 1 of 3" if labelling_browser.role == "support-each" else "Drag too.") in texts[1]


@pytest.mark.full
@pytest.mark.parametrize(
    ("labelling_browser", "question", "log", "key", "label"),
    [
        ("correctness", "Claim: Lift grows with speed.", CORRECTNESS_LABELS, "1", "partial_support"),
        ("rubrics", "Question: Does it name lift?", RUBRIC_LABELS, "1", "yes"),
        ("compare-answers", ": which answer is better?", COMPARISON_LABELS, "1", "first"),
        ("claims", "Claim: Lift grows with speed.", CLAIM_LABELS, "2", "support"),
    ],
    indirect=["labelling_browser"],
)
def test_answers_and_claims_are_labelled(
    labelling_browser: Browser, question: str, log: LabelLog, key: str, label: str
) -> None:
    texts = [labelling_browser.page.text, labelling_browser.press(key).text]
    assert question in texts[0]
    assert given_away(texts, (*RUNS, ">d1<", '"d1"', "zoe")) == set()
    assert labelling_browser.worker.run_and_wait(lambda store: list(log.labels(store).values())) == [label]
    assert labelling_browser.client.get("/support").status_code == 403


HIDDEN = re.compile(r'<input type="hidden" name="(form|page|topic|answer)" value="([^"]*)">')


class Editor:
    """Somebody's browser, which sends forms as a page has them."""

    def __init__(self, app: Application, worker: Worker, name: str) -> None:
        self.worker, self.client = worker, TestClient(app.asgi(["testserver"]))
        token = worker.run_and_wait(partial(invite, assessor=name, role="nuggets"))
        assert self.client.get(f"/enter/{token}").status_code == 200
        self.text = self.client.get("/nuggets").text

    def fields(self) -> dict[str, str]:
        """What every form of the page has."""
        return dict(HIDDEN.findall(self.text))

    def send(self, command: str, again: int = 1, **fields: Any) -> str:
        content = self.fields() | fields
        for _ in range(again):
            answer = self.client.post(f"/nuggets/{command}", data=content)
            assert answer.status_code == 200, answer.text
            self.text = answer.text
        return self.text

    def nuggets(self) -> list[Nugget]:
        return self.worker.run_and_wait(lambda store: current_nuggets(store, "q1"))

    def about(self, place: int) -> dict[str, Any]:
        one = self.nuggets()[place]
        return {"nugget": one.number, "edit": one.edit}


@pytest.fixture
def worker() -> Iterator[Worker]:
    with closing(Worker(three_run_store)) as worker:
        yield worker


def test_every_form_of_the_page(worker: Worker) -> None:
    ada = Editor(Application(worker), worker, "ada")
    assert "Recorded: nugget added." in ada.send("add", again=2, text="wings <lift>", importance="vital")
    assert "wings &lt;lift&gt;" in ada.text
    ada.send("go", to_answer=2)
    ada.send("add", text="from the second", importance="okay")
    assert "Recorded: the nugget is okay." in ada.send("weigh", **ada.about(3), text="wings <lift>", importance="okay")
    ada.send("weigh", **ada.about(3), text="wings lift", importance="vital")
    ada.send("reword", **ada.about(1), text="with the speed")
    ada.send("drop", **ada.about(2))
    ticks: dict[str, Any] = {f"merge-{one.number}": one.edit for one in ada.nuggets()[2:]}
    assert "Recorded: 2 nuggets merged." in ada.send("merge", **ticks, text="wings lift a lot")
    ada.send("undo")
    assert "Recorded: redone." in ada.send("redo")
    texts = [(one.text, one.importance, len(one.contributors)) for one in ada.nuggets()]
    assert texts == [("lift grows", "vital", 0), ("with the speed", "okay", 0), ("wings lift a lot", "vital", 2)]
    assert worker.run_and_wait(lambda store: {edit.input for edit in nugget_edits(store, "q1", after=3)}) == {"browser"}
    assert "Topic q2, 2 of 2" in ada.send("go", to_topic="q2")
    assert "Topic q1, 1 of 2" in ada.client.get("/nuggets?topic=q1&answer=3").text
    assert given_away([ada.text], RUNS) == set()
    assert "by <bdi>zoe</bdi>" in ada.text


def test_a_models_nugget_has_its_author_and_can_be_kept(worker: Worker) -> None:
    """It says that a model wrote it; kept as it is, it counts as people's."""
    worker.run_and_wait(add_models_nugget)
    ada = Editor(Application(worker), worker, "ada")
    assert "by <bdi>qwen, a model</bdi>" in ada.text
    assert "Keep as vital" in ada.text
    *_, its = ada.nuggets()
    text = ada.send("weigh", nugget=its.number, edit=its.edit, importance="vital")
    assert "by <bdi>qwen</bdi>" in text
    assert not any(one.by_model for one in ada.nuggets())


@pytest.mark.full
def test_a_conflict_keeps_what_was_typed(worker: Worker) -> None:
    app = Application(worker)
    ada, bob = Editor(app, worker, "ada"), Editor(app, worker, "bob")
    nugget = ada.about(0)
    bob.send("drop", **nugget)
    text = ada.send("reword", **nugget, text="lift rises fast")
    assert "Not recorded: somebody else has reworded, merged or dropped this nugget; nothing was recorded" in text
    assert 'value="lift rises fast" data-key="n"' in text
    assert len(ada.nuggets()) == 2


def test_what_is_refused(worker: Worker) -> None:
    app = Application(worker)
    ada = Editor(app, worker, "ada")
    assert "Not recorded: choose two nuggets or more to merge" in ada.send("merge", text="x")
    assert "Not recorded: nugget is &#39;&#39;; expected a whole number" in ada.send("drop")
    assert ada.client.post("/nuggets/add", data={"text": "x"}).status_code == 403
    assert ada.client.post("/nuggets/rob", data=dict(HIDDEN.findall(ada.text))).status_code == 404
    assert ada.client.get("/nuggets?topic=nowhere").status_code == 409
    assert ada.client.get("/judge").status_code == 403
    judge = TestClient(app.asgi(["testserver"]))
    judge.get(f"/enter/{worker.run_and_wait(partial(invite, assessor='eve'))}")
    assert judge.get("/nuggets").status_code == 403


def add_models_nugget(store: Store) -> None:
    add_external_assessor(store, "qwen", "model")
    edit_nuggets(store, [NuggetEdit("vital", "q1", "qwen", "its own")])


CHOICES = re.compile(r"<(?:strong|a href=\"([^\"]*)\")>(people|models|all)<")


def test_whose_nuggets_are_edited_can_be_chosen(worker: Worker) -> None:
    """As --nuggets does; what is not shown is said, and the choice holds for the next page."""
    ada = Editor(Application(worker), worker, "ada")
    assert CHOICES.findall(ada.text) == []
    worker.run_and_wait(add_models_nugget)
    ada.text = ada.client.get("/nuggets").text
    links = [("/nuggets?nuggets=people", "people"), ("/nuggets?nuggets=models", "models"), ("", "all")]
    assert CHOICES.findall(ada.text) == links
    assert "4 nuggets: 2 vital, 2 okay" in ada.text
    for whose, there, counts in (
        ("people", {"lift grows"}, "3 nuggets: 1 vital, 2 okay; 1 nugget by other authors is not shown"),
        ("models", {"its own"}, "1 nugget: 1 vital, 0 okay; 3 nuggets by other authors are not shown"),
        ("all", {"its own", "lift grows"}, "4 nuggets: 2 vital, 2 okay"),
    ):
        ada.client.get(f"/nuggets?nuggets={whose}")
        ada.text = ada.client.get("/nuggets").text
        assert {text for text in ("its own", "lift grows") if f'value="{text}"' in ada.text} == there
        assert f">{counts}<" in ada.text
    answer = ada.client.get("/nuggets?nuggets=robots")
    assert (answer.status_code, "expected people, models or all" in answer.text) == (409, True)


def test_whose_nuggets_are_assigned_can_be_chosen() -> None:
    """By default people's, as on the command line."""
    with closing(Browser(three_run_store, role="assign")) as browser:
        assert CHOICES.findall(browser.page.text) == []
        assert "no nugget was written by models" in browser.client.get("/assign?choose=models").text
        browser.worker.run_and_wait(add_models_nugget)
        assert CHOICES.findall(browser.get().text)[0] == ("", "people")
        remaining = {}
        for whose in ("all", "models", "people"):
            browser.page = Page(browser.client.get(f"/assign?choose={whose}").text)
            assert ("", whose) in CHOICES.findall(browser.page.text)
            remaining[whose] = int(re.findall(r"remaining (\d+)", browser.page.text)[0])
        assert remaining == {"people": 12, "models": 3, "all": 15}
        browser.client.get("/assign?choose=models")
        browser.get()
        assert "Nugget: its own" in browser.page.text
        browser.press("2")
        [event] = browser.worker.run_and_wait(lambda store: NUGGET_LABELS.events(store, "ada"))
        assert (event.item[1], event.label) == (5, "support")
        assert browser.client.get("/assign?choose=robots").status_code == 409
