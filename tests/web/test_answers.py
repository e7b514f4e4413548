"""The organiser's pages on a store of answers: progress, agreement and scores are what the command line prints."""

import json
import re
from collections.abc import Iterator
from contextlib import closing
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from cranfield.features.answers.formats.answers import Answer, Sentence
from cranfield.features.answers.store.answers import add_answers
from cranfield.store.invitations import invite
from cranfield.store.store import Store
from cranfield.web.application import Application
from cranfield.web.look.table import answer
from cranfield.web.results import Worker
from tests.conftest import Cranfield
from tests.features.answers.stores import RUNS, labelled_answers_store
from tests.stores import filled, new_store
from tests.web.browser import Browser
from tests.web.serving import computing_here


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store without rankings, pools or labels of documents: answers that two people and a model labelled."""
    labelled_answers_store(tmp_path / "a.db").close()
    return tmp_path / "a.db"


@pytest.fixture
def organiser(path: Path) -> Iterator[TestClient]:
    """The organiser's browser on this store."""
    with closing(computing_here(Application(Worker.worker_of_store(path)))) as app:
        client = TestClient(app.asgi(["testserver"]))
        assert client.get(f"/enter/{app.access.start_token}").status_code == 200
        yield client


def test_the_overview_shows_the_work_on_answers(organiser: TestClient) -> None:
    """No page speaks of pools where answers are labelled; what differs needs attention."""
    page = organiser.get("/").text
    assert "108 of 108 items by people" in page
    assert "72 of 72 items by people" in page
    assert "12 of 12 items by people" in page
    assert "18 nugget labels and 2 support labels" in page
    assert [words for words in ("no documents to judge", "no pool", "Nobody has documents", "`") if words in page] == []


def test_progress_in_the_browser_is_progress_in_the_terminal(
    organiser: TestClient, path: Path, cranfield: Cranfield
) -> None:
    """Both have the same rows, of each kind of labels and each assessor."""
    printed = json.loads(cranfield.out("progress", path, "--format", "json"))
    rows = organiser.get("/look/labelling.json").json()
    assert rows == printed["answers"]
    assert {(row["task"], row["assessor"]): (row["done"], row["left"]) for row in rows} == {
        ("make nuggets", "ada"): (36, None),
        ("assign nuggets", "ada"): (108, 0),
        ("assign nuggets", "bob"): (90, 18),
        ("assign nuggets", "llm"): (108, None),
        ("support", "ada"): (72, 0),
        ("support", "bob"): (6, 66),
        ("support", "llm"): (72, None),
    }
    assert [row["items"] for row in printed["items"]] == [12, 108, 72]


@pytest.mark.parametrize("kind", ["nuggets", "support"])
def test_agreement_in_the_browser_is_agreement_in_the_terminal(
    organiser: TestClient, path: Path, cranfield: Cranfield, kind: str
) -> None:
    """All coefficients of all pairs, and the same numbers of two decimals on the page."""
    options = ("--of", kind, "--by", "pair", "--labels", "people", "--format", "json", "--coefficient")
    names = ["raw agreement", "Cohen kappa", "Krippendorff alpha ordinal"]
    rows = {row["coefficient"]: row for row in organiser.get(f"/look/pairs.json?of={kind}").json()}
    page = organiser.get("/organise/agreement").text
    for name in names:
        [one] = json.loads(cranfield.out("agreement", path, *options, name))
        assert [rows[name][key] for key in ("value", "low", "high")] == [one[key] for key in ("value", "low", "high")]
        assert f"{one['value']:.2f}" in page
    assert f"Agreement on {kind}" in page
    assert "No document" not in page


def test_scores_in_the_browser_are_scores_in_the_terminal(
    organiser: TestClient, path: Path, cranfield: Cranfield
) -> None:
    """The page of systems shows answers where a store has no rankings, by the labels that are chosen."""
    measures = ("V_strict", "A", "SupportP")
    options = [word for name in measures for word in ("-m", name)]
    printed = json.loads(
        cranfield.out("evaluate", path, "--answers", "--assessor", "ada", *options, "--format", "json")
    )
    address = "/look/systems{}?assessor=ada&measures=V_strict,A,SupportP"
    assert organiser.get(address.format(".json")).json()["scores"] == printed["scores"]
    page = organiser.get(address.format(""))
    assert "/look/answer-systems" in str(page.url)
    values = [one["value"] for one in printed["scores"]]
    assert len(values) == 9
    assert [value for value in values if f"{value:.4f}" not in page.text] == []
    assert [run for run in RUNS if run not in page.text] == []


def test_labels_that_differ_need_a_choice(organiser: TestClient) -> None:
    """As in the terminal; the page offers what to choose."""
    page = organiser.get("/look/systems").text
    assert "2 assessors gave the same items different labels: ada, bob." in page
    assert "assessor=bob" in page
    assert "policy: first assessor" in organiser.get("/look/systems?policy=primary").text


def test_a_comparison_in_the_browser_is_the_comparison_in_the_terminal(
    organiser: TestClient, path: Path, cranfield: Cranfield
) -> None:
    """The same difference, interval and p of the pair, corrected over the same comparisons."""
    first, second, _ = RUNS
    command = ("compare", path, "--answers", "--assessor", "ada", "-m", "V_strict", "--baseline", second)
    printed = json.loads(cranfield.out(*command, "--format", "json"))
    [pair] = [one for one in printed["pairs"] if one["run_a"] == first]
    query = f"assessor=ada&measure=V_strict&first={first}&second={second}"
    shown = organiser.get(f"/look/compare.json?{query}").json()
    assert shown["pairs"] == [pair]
    assert len(shown["topics"]) == 12
    assert f"{first} and {second}" in organiser.get(f"/look/compare?{query}").text
    assert organiser.get("/look/compare?assessor=ada&first=none").status_code == 404


def test_what_runs_lose_without_their_own_nuggets(organiser: TestClient, path: Path, cranfield: Cranfield) -> None:
    """As `reusability --answers` prints it."""
    command = ("reusability", path, "--answers", "--assessor", "ada", "--by", "run", "--format", "json")
    printed = json.loads(cranfield.out(*command))
    shown = organiser.get("/look/reusability.json?assessor=ada").json()
    assert (shown["units"], shown["nuggets"]) == (printed["units"], 36)
    assert "36 nuggets, 36 of known origin." in organiser.get("/look/reusability?assessor=ada").text


def test_runs_and_topics_are_those_with_answers(organiser: TestClient) -> None:
    """Where the runs and topics of documents stand."""
    assert [row["answers"] for row in organiser.get("/look/runs.json").json()] == [12, 12, 12]
    [row, *_] = organiser.get("/look/answer-topics.json").json()
    assert (row["topic"], row["answers"], row["nuggets"], row["vital"], row["labels"], row["of"]) == (
        "q1", 3, 3, 2, 9, 9,
    )  # fmt: skip
    page = organiser.get("/look/topics").text
    assert page.index("Topics with answers") < page.index("nothing pooled")
    assert [name for name in (">Runs<", ">Results<") if name not in page] == []
    results = organiser.get("/look/systems?assessor=ada").text
    assert [name for name in (">Systems<", ">Compare<", ">Reusability<") if name not in results] == []


def test_the_page_of_a_topic_shows_its_answers_side_by_side(organiser: TestClient) -> None:
    """Each run's answer with its citations, and the nuggets with everybody's labels."""
    page = organiser.get("/look/topic?topic=q1").text
    assert page.count("<article>") == 3
    assert [text for run in RUNS for text in (f"Lift by {run}.", f"Drag by {run}.") if text not in page] == []
    assert "q1 fact 0" in page
    assert "No run has results" not in page
    document = organiser.get("/look/answers.json?topic=q1").json()
    assert len(document["sentences"]) == 6
    labels = [label for one in document["nuggets"] for label in one["labels"]]
    assert len(labels) == 27
    assert {label["assessor"] for label in labels} == {"ada", "bob", "llm"}


def test_the_same_answer_is_shown_once(path: Path) -> None:
    """With the runs that gave it; hostile text stays text."""
    text = "<script>alert(1)</script> says lift."
    with Store.open(path) as store:
        add_answers(store, [Answer(run, "q1", [Sentence(text)]) for run in ("twin-one", "twin-two")])
    with closing(computing_here(Application(Worker.worker_of_store(path)))) as app:
        client = TestClient(app.asgi(["testserver"]))
        client.get(f"/enter/{app.access.start_token}")
        page = client.get("/look/topic?topic=q1").text
    assert "These runs gave the same answer, which is shown once: twin-one, twin-two." in page
    assert page.count("&lt;script&gt;alert(1)") == 1
    assert "<script>alert" not in page


def test_a_store_with_rankings_and_answers_shows_both(path: Path) -> None:
    """Each page leads to the other."""
    with Store.open(path) as store:
        filled(store, runs={"bm25": {"q1": {"d1": 2.0}}, "rm3": {"q1": {"d2": 2.0}}}, qrels={"eve": {"q1": {"d1": 1}}})
    with closing(computing_here(Application(Worker.worker_of_store(path)))) as app:
        client = TestClient(app.asgi(["testserver"]))
        client.get(f"/enter/{app.access.start_token}")
        rankings = client.get("/look/systems")
        answers = client.get("/look/answer-systems?assessor=ada")
    assert "bm25" in rankings.text
    assert 'href="/look/answer-systems"' in rankings.text
    assert RUNS[0] in answers.text
    assert 'href="/look/systems">Systems</a>' in answers.text


def test_a_new_store_of_answers_says_what_is_missing(tmp_path: Path) -> None:
    """No page breaks or names a command where nothing has labels."""
    with new_store(tmp_path / "n.db", topics=["q1"]) as store:
        add_answers(store, [Answer(run, "q1", [Sentence(f"{run} lifts.")]) for run in ("a", "b")])
    pages = ("/", "/organise/agreement", "/look/systems", "/look/compare", "/look/reusability", "/look/topic?topic=q1")
    with closing(computing_here(Application(Worker.worker_of_store(tmp_path / "n.db")))) as app:
        client = TestClient(app.asgi(["testserver"]))
        client.get(f"/enter/{app.access.start_token}")
        answers = {page: client.get(page) for page in pages}
    assert {one.status_code for one in answers.values()} == {200}
    assert [page for page, one in answers.items() if "`" in one.text or "cranfield evaluate" in one.text] == []
    assert "Nobody has a link to make nuggets" in answers["/"].text
    assert "Invite somebody to label" in answers["/look/systems"].text


PAGES_OF_ANSWERS: tuple[tuple[str, dict[str, str]], ...] = (
    ("answer-systems", {}),
    ("answer-compare", {}),
    ("answer-reusability", {}),
    ("answer-runs", {}),
    ("answer-topics", {}),
    ("answers", {"topic": "q1"}),
    ("pairs", {"of": "nuggets"}),
    ("labelling", {}),
)


@pytest.mark.needs("organising")
@pytest.mark.parametrize(("name", "parameters"), PAGES_OF_ANSWERS)
def test_a_page_without_answers_links_to_where_they_are_added(name: str, parameters: dict[str, str]) -> None:
    link = '<a href="/organise/deliver#uploads">Add the data</a>'
    with new_store(topics=["q1"]) as store:
        assert link in answer(store, name, "", parameters.items()).text()
        add_answers(store, [Answer(run, "q1", [Sentence(f"{run} lifts.")]) for run in ("a", "b")])
        assert link not in answer(store, name, "", parameters.items()).text()


def test_answers_are_compared_side_by_side(path: Path) -> None:
    """The page says how many identical pairs are not shown, and gives no run away."""
    with Store.open(path) as store:
        add_answers(store, [Answer(run, "q1", [Sentence("The same words.")]) for run in ("twin-one", "twin-two")])
        token = invite(store, "zoe", role="compare-answers")
    with closing(Application(Worker.worker_of_store(path))) as app:
        client = TestClient(app.asgi(["testserver"]))
        client.get(f"/enter/{token}")
        page = client.get("/compare-answers").text
    assert "1 pair of identical answers is not shown and counts as a tie." in page
    assert "which answer is better?" in page
    assert [name for name in ("First answer", "Second answer", 'class="pair"') if name not in page] == []
    assert page.count("<article>") == 2
    assert not {run for run in (*RUNS, "twin-one") if f"{run}<" in page.replace(f"by {run}.", "")}


def test_labels_that_differ_are_settled_in_the_browser(path: Path, cranfield: Cranfield) -> None:
    """The adjudicator sees neither the labels nor who gave them, and can go from one kind to another."""
    with closing(Browser(lambda: Store.open(path), "zoe", role="settle-answers")) as browser:
        page = browser.page
        assert "Labels of <strong>nuggets</strong>, " in page.text
        assert not {name for name in ("ada", "bob", "llm") if re.search(rf"\b{name}\b", page.text)}
        first = browser.press("2")
        assert "Recorded: topic q1" in first.text
        text = browser.client.get("/settle-answers?choose=support").text
        assert "<strong>support</strong>" in text
        assert browser.client.get("/settle-answers?choose=rubrics").status_code == 409
        browser.get()
        for _ in range(2):
            page = browser.press("1")
        assert "Everything is done" in page.text
    listed = json.loads(cranfield.out("adjudicate", path, "--of", "nuggets", "--list", "--format", "json"))
    assert [(one["settled"], one["settled by"]) for one in listed if one["settled"]] == [("support", "zoe")]
    listed = json.loads(cranfield.out("adjudicate", path, "--of", "support", "--list", "--format", "json"))
    assert [one["settled"] for one in listed] == ["partial_support"] * 2


def main_of(page: str) -> str:
    """The main part of a page, without the help."""
    return str(re.findall(r"<main.*?</main>", page, re.DOTALL)[0])


@pytest.mark.parametrize(
    ("role", "about"),
    [
        ("assign", "A nugget is a fact that a good answer states. Label whether this answer states it."),
        ("support", "Label whether the cited documents support the sentence of the answer."),
        ("compare-answers", "Choose the better of two answers to the topic."),
        ("settle-answers", "Assessors gave this item different labels."),
    ],
)
def test_a_page_for_labels_begins_with_what_to_do(path: Path, role: str, about: str) -> None:
    """Until the first decision on a topic; later it is in the help."""
    with closing(Browser(lambda: Store.open(path), "zoe", role=role)) as browser:
        before, after = browser.page.text, browser.press("1").text
    assert about in main_of(before)
    assert about not in main_of(after)
    assert about in after


def test_the_page_of_nuggets_begins_with_what_to_do(path: Path) -> None:
    with closing(Application(Worker.worker_of_store(path))) as app:
        client = TestClient(app.asgi(["testserver"]))
        client.get(f"/enter/{app.worker.run_and_wait(lambda store: invite(store, 'zoe', role='nuggets'))}")
        page = main_of(client.get("/nuggets").text)
    assert "Write the facts that a good answer to this topic states" in page
    assert "Assessors then label whether each answer states these facts." in page


def test_nobody_settles_their_own_labels(path: Path) -> None:
    """Where all that differs is theirs, the page says that there is nothing to settle."""
    with Store.open(path) as store:
        token = invite(store, "ada", role="settle-answers")
    with closing(Application(Worker.worker_of_store(path))) as app:
        client = TestClient(app.asgi(["testserver"]))
        page = client.get(f"/enter/{token}") and client.get("/settle-answers")
    assert page.status_code == 409
    assert "so there is nothing to settle" in page.text


def test_the_overview_leads_to_a_link_for_settling(organiser: TestClient, path: Path, cranfield: Cranfield) -> None:
    """The number of differing labels is that of `adjudicate --list`."""
    page = organiser.get("/").text
    assert 'href="/organise/links?role=settle-answers"' in page
    assert '<option value="settle-answers" selected>' in organiser.get("/organise/links?role=settle-answers").text
    rows = json.loads(cranfield.out("progress", path, "--format", "json"))["items"]
    differ = {row["task"]: row["differ"] for row in rows}
    for task, kind in (("assign nuggets", "nuggets"), ("support", "support")):
        listed = json.loads(cranfield.out("adjudicate", path, "--of", kind, "--list", "--format", "json"))
        assert differ[task] == len(listed)


@pytest.mark.parametrize("kind", ["nuggets", "support"])
def test_the_audit_of_a_model_is_that_of_the_terminal(
    organiser: TestClient, path: Path, cranfield: Cranfield, kind: str
) -> None:
    """Its document, its verdict and the reason for each use; it is on the page of all models."""
    command = ("model", "audit", "report", path, "--model", "llm", "--of", kind, "--human", "ada", "--format", "json")
    printed = json.loads(cranfield.out(*command))
    query = f"of={kind}&model=llm&assessor=ada"
    shown = organiser.get(f"/look/audit.json?{query}").json()
    assert shown == printed
    assert len(shown["uses"]) == 3
    page = unescape(organiser.get(f"/look/audit?{query}").text)
    assert [text for text in (printed["verdict"], "Compared with labels by ada.") if text not in page] == []
    models = organiser.get("/look/models.json?assessor=ada").json()
    assert {row["labels"]: row["verdict"] for row in models}[kind] == printed["verdict"]


def test_people_and_timeline_count_labels_of_answers(organiser: TestClient) -> None:
    """The page of a person has what is done and left of each kind; days have the labels of all kinds."""
    person = organiser.get("/look/person.json?assessor=bob").json()
    assert [(row["task"], row["done"], row["left"]) for row in person["other labels"]] == [
        ("assign nuggets", 90, 18),
        ("support", 6, 66),
    ]
    assert sum(day["labels"] for day in person["days"]) == 96
    page = organiser.get("/look/person?assessor=bob").text
    assert "assign nuggets" in page
    assert [text for text in ("This person has given no label yet", "no document is assigned") if text in page] == []
    [pair] = [
        row for row in organiser.get("/look/pairs.json?of=nuggets").json() if row["coefficient"] == "raw agreement"
    ]
    assert f"{pair['value']:.0%}" in page
    timeline = organiser.get("/look/timeline.json").json()
    assert sum(day["labels"] for day in timeline["days"]) == 108 + 72 + 96
    assert "Nobody has labelled anything yet" not in organiser.get("/look/timeline").text
    people = organiser.get("/organise/agreement").text
    assert [name for name in (">Person<", ">Timeline<") if name not in people] == []
