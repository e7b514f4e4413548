"""The organiser's pages: what they show and do, and that nobody else sees them or does it."""

import csv
import io
import itertools
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.store.assignments import assignments, documents_drawn_for, plans
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append, read_events
from cranfield.store.pools import stored_pool
from cranfield.store.store import Store
from cranfield.web.application import Application
from cranfield.web.language import ENGLISH
from cranfield.web.look.page_text import all_remedies, page_text
from cranfield.web.look.table import VIEWS, answer
from cranfield.web.look.view import parse_view_query
from cranfield.web.organise.section import Done
from cranfield.web.organise.table import FORMS, SECTIONS, Content, content, live, page_html, submit_form
from cranfield.web.results import Worker
from tests.conftest import Cranfield
from tests.judging.cases import store_of
from tests.stores import filled, new_store
from tests.web.browser import Browser
from tests.web.forms import FormsOfPage
from tests.web.look.hostile import evil, hostile_store
from tests.web.look.test_views import INERT, Elements

LISTED = (
    "links",
    "work",
    "pace",
    "agreement",
    "repeats",
    "drift",
    "assigned",
    "people",
    "labelling",
    "pairs",
    "unusual",
)
HOSTILE = "<b>eve"
SHARE = {"to": "assessors", "assessors": "ada\nbo", "topics": "q1 q2", "overlap": "40%", "repeats": "1", "lease": "12"}


class Organiser(Browser):
    """A browser that is in with the start-up token beside that of an assessor."""

    def __init__(self) -> None:
        super().__init__(store_of)
        self.own = TestClient(self.client.app)
        assert self.own.get(f"/enter/{self.app.access.start_token}").status_code == 200

    def post(self, action: str, **fields: str) -> str:
        """Send a form of the organiser; the page that comes of it."""
        form = re.findall(r'name="form" value="(\w+)"', self.own.get("/organise/links").text)[0]
        answer = self.own.post(f"/organise/{action}", data={"form": form, **fields})
        assert answer.history[0].status_code == 303, answer.text
        return answer.text


@pytest.fixture
def organiser() -> Iterator[Organiser]:
    """An organiser's and an assessor's browser on a small store."""
    with closing(Organiser()) as browser:
        yield browser


def distribute(store: Store) -> list[Any]:
    """What is recorded of the distribution of work, without when it was made."""
    samples = [documents_drawn_for(store, purpose) for purpose in ("overlap", "repeat")]
    return [assignments(store), *samples, *(plan._replace(made="") for plan in plans(store))]


def test_the_overview_shows_the_state_of_judging(organiser: Organiser) -> None:
    """What an assessor records is on the organiser's next page, and what has to be done leads to where."""
    organiser.press("1")
    page = organiser.own.get("/").text
    assert "1 of 6 labels" in page
    assert "<dd>ada</dd>" in page
    assert 'href="/organise/topics#share">No topic is assigned' in page
    assert 'href="/look/people.csv"' in page
    assert "3 topics with 6 documents." in organiser.own.get("/organise/topics").text


def test_checks_without_labels_do_not_say_that_nothing_is_unusual(organiser: Organiser) -> None:
    """What nobody labelled was not checked."""
    show = organiser.worker.run_and_wait
    assert not show(lambda store: content(store, "checks").values["has_labels"])
    organiser.press("1")
    assert show(lambda store: content(store, "checks").values["has_labels"])
    assert "<h2>Nothing to report</h2>" in organiser.own.get("/organise/checks").text


def overview_of(store: Store) -> str:
    """The overview, without a server."""
    values = {**content(store, "").values, **live(store, "")}
    return page_html("", Content(values), "", Done(""), language=ENGLISH)


STEPS: dict[str, tuple[str, Any]] = {
    "documents": ("Add documents", {"documents": ["d1"]}),
    "topics": ("Add topics", {"topics": ["q1"]}),
    "runs": ("Add runs", {"runs": {"r": {"q1": {"d1": 1.0}}}}),
    "pool": ("Build a pool", {"pool": {"q1": ["d1"]}}),
}


@pytest.mark.needs("organising")
@pytest.mark.parametrize("lacking", [*STEPS, ""])
def test_the_overview_names_the_first_step_that_is_lacking(lacking: str) -> None:
    """With a button to it; it shows no bar and no rest of work before there is a pool."""
    with new_store() as store:
        for step in itertools.takewhile(lambda step: step != lacking, STEPS):
            filled(store, **STEPS[step][1])
        overview = overview_of(store)
    named = re.findall(r"Documents cannot be judged yet, because the collection has no (\w+)\.", overview)
    assert named == ([lacking] if lacking else [])
    buttons = re.findall(r'<a href="/organise/setup\?step=(\w+)#\w+">([^<]+)</a>', overview)
    assert buttons == ([(lacking, STEPS[lacking][0])] if lacking else [])
    assert ("<progress" in overview) == (not lacking)
    assert "nothing is left" not in overview


def test_a_pool_needs_runs_but_no_texts() -> None:
    """A store with runs needs no texts of documents to get a pool."""
    with new_store(topics=["q1"], runs={"r": {"q1": {"d1": 1.0}}}) as store:
        assert "because the collection has no pool." in overview_of(store)
    with new_store(documents=["d1"], topics=["q1"], pool={"q1": ["d1"]}) as store:
        assert "Documents cannot be judged yet" not in overview_of(store)


@pytest.mark.parametrize("assigned", [False, True])
@pytest.mark.parametrize("judged", [0, 1, 2])
def test_the_overview_and_the_contents_count_the_same_labels(assigned: bool, judged: int) -> None:
    """Labels of people; those that only models gave are named apart."""
    pairs = [("q1", "d1"), ("q1", "d2")]
    with new_store(
        documents=["d1", "d2"], topics=["q1"], pool={"q1": ["d1", "d2"]}, people=["ada"], models=["llm"]
    ) as store:
        if assigned:
            assign_topics_to_assessors(store, ["ada"])
        append(store, *(Event("label", *pair, "llm", grade=1) for pair in pairs))
        append(store, *(Event("label", *pair, "ada", grade=1) for pair in pairs[:judged]))
        contents = answer(store, "collection", "", ()).text()
        overview = overview_of(store)
    models = f", {2 - judged} only by models" if judged < 2 else ""
    state = f"{judged} of 2 pool documents labelled by people{models}"
    assert f"{state}<" in overview
    assert (f"Newest pool: {state}." in contents) == (judged < 2)
    assert ("People have labelled every document of the newest pool." in contents) == (judged == 2)


def test_the_contents_count_the_documents_that_were_added() -> None:
    """A document that only a run names is counted as unknown, as in the set-up."""
    with new_store(documents=["d1", "d2"], topics=["q1"], runs={"r": {"q1": {"d1": 2.0, "x9": 1.0}}}) as store:
        contents = answer(store, "collection", "", ()).text()
        listed = answer(store, "documents", "", ()).text()
    assert "The list includes 1 document that only runs or judgments name." in listed
    assert re.search(r"<dt>documents</dt>\s*<dd>2</dd>", contents)
    assert "1 of 3 documents here is not in the corpus" in contents


def test_imported_labels_are_named_as_such() -> None:
    with new_store(
        documents=["d1", "d2"], topics=["q1"], pool={"q1": ["d1", "d2"]}, qrels={"import": {"q1": {"d1": 1}}}
    ) as store:
        state = "1 of 2 pool documents labelled by people (1 label is imported)"
        assert f"Newest pool: {state}." in answer(store, "collection", "", ()).text()
        assert state in overview_of(store)


@pytest.mark.parametrize("judged", [0, 1])
def test_a_pool_that_only_models_labelled_waits_for_people(organiser: Organiser, judged: int) -> None:
    """No topic is assigned, so an invited assessor has the whole pool to judge; the overview counts it so."""
    pairs = [(one.qid, one.docno) for one in organiser.worker.run_and_wait(stored_pool).documents]

    def label_by_model(store: Store) -> None:
        add_assessor(store, "llm", "model")
        append(store, *(Event("label", *pair, "llm", grade=1) for pair in pairs))

    organiser.worker.run_and_wait(label_by_model)
    if judged:
        organiser.press("1")
    page = organiser.own.get("/").text
    assert f"{judged} of 6 pool documents labelled by people, {6 - judged} only by models" in page
    assert f"{6 - judged} documents without a human label" in page
    assert ("No topic is assigned, so each assessor judges the whole pool (6 documents)." in page) == (judged == 0)
    assert "nothing is left" not in page


@pytest.mark.parametrize("name", LISTED)
def test_a_view_is_json_and_csv(organiser: Organiser, name: str) -> None:
    """Both have the rows of the view."""
    organiser.press("1")
    rows = organiser.worker.run_and_wait(
        lambda store: VIEWS[name].rows(store, parse_view_query(store, name, VIEWS[name].parameters, ()))
    )
    assert organiser.own.get(f"/look/{name}.json").json() == [dict(row) for row in rows]
    table = list(csv.DictReader(io.StringIO(organiser.own.get(f"/look/{name}.csv").text)))
    assert [*map(list, table)] == [list(row) for row in rows]


def test_assignments_have_a_row_for_each_topic() -> None:
    """In pages of 25, the form first; a filter by words, state or assessor holds on the next page."""
    titles = {f"q{number:02}": f"wing {number}" if number % 2 else "tail" for number in range(60)}
    worker = Worker(lambda: store_of({qid: ["d1", "d2", "d3"] for qid in titles}))
    with closing(Application(worker)) as app:
        client = TestClient(app.asgi(["testserver"]))
        client.get(f"/enter/{app.access.start_token}")
        worker.run_and_wait(lambda store: assign_topics_to_assessors(store, ["ada", "bo"], [*titles][:58], overlap=0.5))
        page = client.get("/organise/topics").text
        topics = re.findall(r'<th scope="row"[^>]*><a [^>]*>(q\d\d)<', page)
        assert topics == [*titles][:25]
        assert page.index("Share out topics") < page.index('<table id="assigned"')
        assert "60 topics, page 1 of 3" in page
        pages = [client.get(f"/organise/topics?assessor=ada&page={number}").text for number in (1, 2, 3)]
        rows = [re.findall(r"<tr>.*?</tr>", one.partition("<tbody>")[2], re.DOTALL) for one in pages]
        assert all("ada" in row for row in (*rows[0], *rows[1], *rows[2]))
        assert 'href="/organise/topics?assessor=ada&amp;page=2"' in pages[0]
        free = client.get("/organise/topics?state=not+assigned").text
        assert re.findall(r'<th scope="row"[^>]*><a [^>]*>(q\d\d)<', free) == ["q58", "q59"]
        assert "1 topic" in client.get("/organise/topics?search=Q07").text
        assert client.get("/organise/topics?page=x&state=none").status_code == 200


def test_an_assessor_is_not_the_organiser(organiser: Organiser) -> None:
    """No page, table or form is for assessors; the organiser's link is not one to judge with."""
    form = organiser.page.forms["/judge/stay"].fields["form"]
    for name in SECTIONS:
        assert organiser.client.get(f"/organise/{name}").status_code == 403 if name else True
    for name in FORMS:
        assert organiser.client.post(f"/organise/{name}", data={"form": form, "assessor": "bo"}).status_code == 403
        assert organiser.own.post(f"/organise/{name}", data={"form": form}).status_code == 403
        assert organiser.own.post(f"/organise/{name}").status_code == 403
    assert organiser.client.get("/look/work.json").status_code == 403
    assert organiser.client.get("/", follow_redirects=False).headers["location"] == "/judge"
    assert organiser.own.get("/judge").status_code == 403
    assert organiser.own.get("/organise/secrets").status_code == 404
    assert not organiser.worker.run_and_wait(assignments)


def test_links_are_made_shown_once_and_revoked(organiser: Organiser) -> None:
    """A link works until it is revoked; what the page says is said once. A name is text."""
    page = organiser.post("invite", assessor=HOSTILE, expires="14d", role="judge")
    link = re.findall(r'value="(http\S+)"', page)[0]
    stranger = TestClient(organiser.client.app)
    assert stranger.get(link).status_code == 200
    listed = organiser.own.get("/organise/links").text
    assert "A link opens the pages of one person in a browser, without a password." in listed
    assert "Anyone who has the link can use it until it expires or you revoke it." in listed
    assert link not in listed
    assert "<b>" not in listed
    assert "&lt;b&gt;eve" in listed
    question = organiser.own.get("/organise/revoke", params={"assessor": HOSTILE}).text
    assert "1 valid link" in question
    assert stranger.get("/judge").status_code == 200
    assert "1 link of" in organiser.post("revoke", assessor=HOSTILE)
    assert stranger.get("/judge").status_code == 403
    assert "has no invitation" in organiser.post("revoke", assessor="nobody")
    assert "1 link of all assessors revoked" in organiser.post("revoke", assessor="")
    for name, reason in ((HOSTILE, "&lt;b&gt;eve has no valid link."), ("", "there is no valid link.")):
        question = organiser.own.get("/organise/revoke", params={"assessor": name}).text
        assert f"No link is chosen: {reason}" in question
        assert "/organise/revoke" not in [one.action for one in FormsOfPage(question).buttons()]
        assert "No link was revoked, because no valid link was chosen." in organiser.post("revoke", assessor=name)
    assert organiser.client.get("/judge").status_code == 403
    assert "Ada&#39; is a new assessor, but the name is similar to &#39;ada&#39;." in organiser.post(
        "invite", assessor="Ada"
    )


@pytest.mark.parametrize(
    ("name", "typed", "message"),
    [
        ("invite", {"assessor": "bo", "expires": "a while"}, "&#39;a while&#39; is not a time"),
        ("invite", {"assessor": "eve\x1b[2J", "expires": "2w"}, "it contains an invisible character"),
        ("invite", {"assessor": "b" * 201, "expires": "2w"}, "expected at most 200"),
        ("give", {"topic": "q1", "role": "first", "assessor": "bo"}, "has no first assessor"),
        ("assign", SHARE | {"overlap": "lots"}, "&#39;lots&#39;; expected a share"),
        ("assign", SHARE | {"assessors": ""}, "no assessor is named"),
        ("assign", SHARE | {"repeats": "-1"}, "expected a whole number of at least 0"),
        ("assign", SHARE | {"topics": "q9"}, "is not in the pool"),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_stays(
    organiser: Organiser, name: str, typed: dict[str, str], message: str
) -> None:
    """At the form, and nothing is done."""
    page = organiser.post(name, **typed)
    assert message in page
    assert 'role="alert"' in page
    assert name == "give" or f'value="{typed.get("expires", typed.get("overlap"))}"' in page
    assert not organiser.worker.run_and_wait(assignments)


@pytest.mark.full
def test_topics_are_shared_out_as_by_the_command(organiser: Organiser, tmp_path: Path, cranfield: Cranfield) -> None:
    """The page before shows the shares and does nothing; then there are the rows that `cranfield assign` makes."""
    preview = organiser.own.get("/organise/assign", params=SHARE).text
    assert "Assign 2 topics" in preview
    assert "5 documents, of which 2 are judged by a second assessor" in preview
    assert not organiser.worker.run_and_wait(assignments)
    assert "The topics are assigned" in organiser.post("assign", **SHARE)
    store_of(path=tmp_path / "s.db").close()
    words = "--assessor ada --assessor bo --topic q1 --topic q2 --overlap 40% --repeat 1 --lease 12"
    cranfield("assign", tmp_path / "s.db", *words.split())
    with Store.open(tmp_path / "s.db") as store:
        expected = distribute(store)
    assert expected[0]
    assert organiser.worker.run_and_wait(distribute) == expected


@pytest.mark.needs("organising")
@pytest.mark.needs("answers")
@pytest.mark.needs("tasks")
@pytest.mark.parametrize("command", [*all_remedies(), "answers nuggets import"])
def test_advice_names_a_page_in_place_of_a_command(organiser: Organiser, command: str) -> None:
    """Each remedy is a link to a page that the server has, which shows the form or the fragment that it names."""
    text, links = page_text(f"nothing is there; use `cranfield {command}`")
    assert text == "nothing is there"
    [link] = links
    answer = organiser.own.get(link.href)
    assert answer.status_code == 200
    fragment = link.href.partition("#")[2]
    assert not fragment or f'id="{fragment}"' in answer.text
    role = re.findall(r"role=([\w-]+)", link.href)
    assert [f'<option value="{name}" selected>' in answer.text for name in role] == [True] * len(role)


@pytest.mark.needs("organising")
def test_a_refused_form_links_to_the_page_of_its_remedy() -> None:
    """No command is shown; the same holds for a form that was accepted with a note."""
    with new_store(documents=["d1"], topics=["q1"]) as store:
        typed = {"to": "assessors", "assessors": "ada", "overlap": "0%", "repeats": "0"}
        outcome = submit_form(store, "assign", typed, "")
        shown = page_html("topics", content(store, "topics"), "", outcome.notice, language=ENGLISH)
    assert outcome.notice.wrong
    assert "`" not in outcome.notice.message
    assert [link.text for link in outcome.notice.remedies] == ["Build a pool"]
    assert ">Build a pool</a>" in shown


@pytest.mark.parametrize(
    ("overlap", "repeats", "drawn"),
    [
        ("40%", "1", "The documents for the overlap and the repeats are chosen at random."),
        ("40%", "0", "The documents for the overlap are chosen at random."),
        ("0%", "1", "The documents for the repeats are chosen at random."),
        ("0%", "0", ""),
    ],
)
def test_the_preview_names_only_the_documents_that_are_drawn(overlap: str, repeats: str, drawn: str) -> None:
    typed = {"to": "assessors", "assessors": "ada\nbo", "overlap": overlap, "repeats": repeats}
    with store_of({"q1": [f"d{number}" for number in range(40)]}) as store:
        preview = page_html("assign", content(store, "assign", tuple(typed.items())), "", Done(""), language=ENGLISH)
    assert re.findall(r"The documents for [\w ]+ chosen at random\.", preview) == ([drawn] if drawn else [])
    assert ("Nobody can change this selection later." in preview) == bool(drawn)


def test_who_judges_is_told_when_the_topic_is_somebody_elses(organiser: Organiser) -> None:
    """At the next command, of which nothing is recorded; the organiser's forms record no event either."""
    organiser.post("assign", **SHARE | {"assessors": "ada", "topics": "", "overlap": "0%"})
    organiser.get()
    organiser.press("1")
    before = organiser.worker.run_and_wait(read_events)
    qid = before[-1].qid
    assert "is now assigned to bo" in organiser.post("give", topic=qid, role="first", assessor="bo")
    assert f"topic {qid} is no longer yours" in organiser.press("1").text
    assert "is now in the queue" in organiser.post("give", topic=qid, role="first", back="yes")
    assert organiser.worker.run_and_wait(read_events) == before
    page = organiser.own.get("/organise/give", params={"topic": qid, "role": "first"}).text
    assert "nobody: in the queue" in page
    queued = organiser.own.get("/organise/topics", params={"state": "in the queue"}).text
    assert queued.count(">change</a>") == 1


@pytest.fixture(scope="module")
def hostile() -> Iterator[TestClient]:
    """The organiser's browser on a store whose every name is hostile, of which one topic is assigned."""
    app = Application(Worker(hostile_store))
    app.worker.run_and_wait(
        lambda store: assign_topics_to_assessors(store, [evil("ada"), evil("bo")], topics=[evil("q0")], overlap=0.5)
    )
    client = TestClient(app.asgi(["testserver"]))
    assert client.get(f"/enter/{app.access.start_token}").status_code == 200
    yield client
    app.close()


@pytest.mark.parametrize("name", SECTIONS)
def test_a_page_is_inert(hostile: TestClient, name: str) -> None:
    """Nothing of the data becomes an element, an attribute or a link to elsewhere; only fields have it as it is."""
    fields = {"topic": evil("q0"), "role": "first", "to": "assessors", "assessors": evil("eve"), "assessor": evil("bo")}
    fields |= {"document": evil("d0"), "adjudicator": evil("eve")}
    page = hostile.get(f"/organise/{name}" if name else "/", params=fields if name else {})
    assert page.status_code == 200
    elements = Elements(page.text)
    assert not elements.tags & (INERT - {"script"})
    assert not {one for one in elements.attributes if one.startswith("on")} | elements.attributes & {"style"}
    assert all(link.startswith(("/", "#", "data:,")) and not link.startswith("//") for link in elements.links)
    assert "<script>" not in page.text
    assert not re.findall(
        "[\x1b\u202e]", re.sub(r'value="[^"]*"|<textarea.*?</textarea>', "", page.text, flags=re.DOTALL)
    )
