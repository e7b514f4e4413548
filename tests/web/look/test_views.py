"""What the organiser can look at: every view as a page, as JSON and as CSV, with the numbers of the commands."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from html.parser import HTMLParser
from itertools import cycle
from pathlib import Path
from threading import Semaphore
from typing import Any

import pytest
from starlette.testclient import TestClient

from cranfield.formats import Topic
from cranfield.store.invitations import invite
from cranfield.store.pools import Pool, PooledDocument
from cranfield.store.store import Store
from cranfield.web.application import Application
from cranfield.web.look.table import VIEWS, answer
from cranfield.web.navigation import GROUPS, navigation, navigation_entries
from cranfield.web.organise.table import SECTIONS
from cranfield.web.results import WAITING, Hear, Results, StoreThread, Worker
from tests.conftest import Cranfield
from tests.stores import new_file, new_store
from tests.web.look.hostile import evil, hostile_store
from tests.web.look.measured import DEPTH, measured_store

PARAMETERS = {
    "document": {"docno": evil("d0")},
    "why": {"topic": evil("q0"), "docno": evil("d0")},
    "documents": {"search": f"text {evil('d1')}"},
}
INERT = {"script", "img", "iframe", "object", "svg:script", "style", "base", "embed", "b"}


class Elements(HTMLParser):
    """The names of the elements of a page and of their attributes, its links, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags, self.attributes, self.links, self.text = set[str](), set[str](), list[str](), ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "script" or dict(attrs).get("src") not in ("/assets/page.js", "/assets/texts.js"):
            self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "action")]

    def handle_data(self, data: str) -> None:
        """Text between elements."""
        self.text += data


@pytest.fixture(scope="module")
def organiser() -> Iterator[TestClient]:
    """The organiser's browser on that store."""
    app = Application(Worker(hostile_store))
    client = TestClient(app.asgi(["testserver"]))
    assert client.get(f"/enter/{app.access.start_token}").status_code == 200
    client.worker = app.worker  # type: ignore[attr-defined]
    yield client
    app.close()


@pytest.mark.parametrize("name", [name for name, view in VIEWS.items() if not view.heavy])
def test_a_view_is_an_inert_page_and_json_and_csv(organiser: TestClient, name: str) -> None:
    """Nothing of the data becomes an element, an attribute or a link to elsewhere."""
    page = organiser.get(f"/look/{name}", params=PARAMETERS.get(name))
    assert page.status_code == 200
    elements = Elements(page.text)
    assert not elements.tags & INERT
    assert not {name for name in elements.attributes if name.startswith("on")} | elements.attributes & {"style"}
    assert all(link.startswith(("/", "#", "data:,")) and not link.startswith("//") for link in elements.links)
    assert not set(elements.text) & {"\x1b", "\u202e"}
    assert (
        organiser.get(f"/look/{name}.json", params=PARAMETERS.get(name)).headers["content-type"] == "application/json"
    )
    assert (
        organiser.get(f"/look/{name}.csv", params=PARAMETERS.get(name)).headers["content-type"].startswith("text/csv")
    )


def test_links_lead_to_pages(organiser: TestClient) -> None:
    """Whatever the names in them are."""
    pages = [
        organiser.get(f"/look/{name}", params=PARAMETERS.get(name)).text for name in ("documents", "topics", "topic")
    ]
    links = {link for page in pages for link in Elements(page).links if link.startswith("/look/") and "?" in link}
    assert len(links) > 10
    assert {organiser.get(link).status_code for link in links} == {200}


@pytest.mark.parametrize(
    ("address", "status", "message"),
    [
        ("secrets", 404, "no such page"),
        ("collection.xml", 404, "no such page"),
        ("collection?depth=2", 400, "unknown parameter &#39;depth&#39;; available: none"),
        ("collection.json?depth=2", 400, "Unknown parameter 'depth'"),
        ("topic?topic=1&topic=2", 400, "given twice"),
        ("topic?topic=9", 404, "no topic &#39;9&#39;"),
        ("topic?pool=9", 404, "no pool 9"),
        ("topic?pool=-1", 400, "pool is &#39;-1&#39;; expected a whole number"),
        ("topic?page=9", 404, "There is no page 9; the last page is 1"),
        ("document?docno=9", 404, "no document &#39;9&#39;"),
        ("document?docno=%00", 404, "no document"),
        pytest.param(
            "log?by=moon",
            400,
            "by is &#39;moon&#39;; expected one of arm, run, position, query",
            marks=pytest.mark.needs("online"),
        ),
        pytest.param("log?experiment=none", 404, "no experiment &#39;none&#39;", marks=pytest.mark.needs("online")),
        pytest.param("log?by=query", 200, "Too few users", marks=pytest.mark.needs("online")),
        pytest.param("log?by=position", 200, "0.0000", marks=pytest.mark.needs("online")),
        ("document.csv", 400, "No document is named"),
        ("why.json?topic=", 400, "expected topic= and docno="),
        ("why?docno=9", 404, "no document &#39;9&#39;"),
        (f"documents?search={'w' * 1001}", 400, "too long"),
        ("documents?search=*%22)+OR+NEAR(", 200, "No document contains any of these words"),
    ],
)
def test_a_wrong_question_is_told(organiser: TestClient, address: str, status: int, message: str) -> None:
    """In the page, or in a line of text for a program."""
    answer = organiser.get(f"/look/{address}")
    assert (answer.status_code, message.lower() in answer.text.lower()) == (status, True)


def test_the_navigation_leads_to_every_entry(organiser: TestClient) -> None:
    """Each group leads to its first page, and each page names itself and its group as the current ones."""
    bar = organiser.worker.run_and_wait(navigation)  # type: ignore[attr-defined]
    assert [link.text for link in bar.groups] == [*GROUPS]
    for group in bar.groups:
        page = organiser.get(group.href).text
        current = re.findall(r'aria-current="(\w+)">([^<]+)<', page)
        entries = re.findall(r'<nav class="sections"[^>]*>(.*?)</nav>', page, re.DOTALL)
        assert current[0] == ("true" if entries else "page", group.text)
        for href, text in re.findall(r'<a href="([^"]+)"[^>]*>([^<]+)<', "".join(entries)):
            page = organiser.get(unescape(href)).text.partition("<main")[0]
            assert re.findall(r'aria-current="(\w+)">([^<]+)<', page) == [("true", group.text), ("page", text)]


ENTRIES = {f"/look/{name}": view.entry for name, view in VIEWS.items()}
ENTRIES |= {f"/organise/{name}" if name else "/": section.entry for name, section in SECTIONS.items()}


@pytest.mark.parametrize("address", ENTRIES)
def test_each_page_marks_its_place(organiser: TestClient, address: str) -> None:
    """One entry is the current page, and its group is the current group, with or without a link to the page."""
    page = organiser.get(address, params=PARAMETERS.get(address.removeprefix("/look/"))).text.partition("<main")[0]
    current = re.findall(r'aria-current="(\w+)">([^<]+)<', page)
    group = navigation_entries()[ENTRIES[address]][0].group
    has_entries = 'class="sections"' in page
    assert current == ([("true", group), ("page", ENTRIES[address])] if has_entries else [("page", group)])


@pytest.mark.needs("organising")
def test_no_name_is_twice_in_the_navigation_and_no_entry_is_empty() -> None:
    """Groups and entries have names of their own; entries without data are hidden, but not the page that is read."""
    names = [*navigation_entries()]
    assert {page.group for pages in navigation_entries().values() for page in pages} == {*GROUPS}
    assert all(len({page.group for page in pages}) == 1 for pages in navigation_entries().values())
    assert len({*names, *GROUPS} - {"Overview"}) == len(names) + len(GROUPS) - 2
    with Store.memory("empty") as store:
        assert [link.text for link in navigation(store).groups] == ["Overview", "People", "Collection"]
        collection = navigation(store, "Contents")
        assert [link.text for link in collection.entries] == ["Contents", "Set up"]
        assert [link.text for link in navigation(store, "Links").entries] == []
        bar = navigation(store, "Systems")
        assert ([link.text for link in bar.groups if link.current], bar.entries) == (["Results"], [])


def test_views_are_for_the_organiser(organiser: TestClient) -> None:
    """Neither a stranger nor an assessor sees any, whether it exists or not."""
    stranger, assessor = TestClient(organiser.app), TestClient(organiser.app)
    link = organiser.worker.run_and_wait(lambda store: invite(store, evil("ada")))  # type: ignore[attr-defined]
    assert assessor.get(f"/enter/{link}").status_code == 200
    pages = [
        f"/look/{name}{kind}" for name, kind in zip((*VIEWS, "secrets"), cycle(("", ".json", ".csv")), strict=False)
    ]
    assert {assessor.get(page).status_code for page in pages} == {403}
    assert {stranger.get(page).status_code for page in pages[:3]} == {403}


@pytest.mark.full
@pytest.mark.parametrize("kind", ["json", "csv"])
@pytest.mark.parametrize(
    ("command", "arguments", "view", "parameters"),
    [
        ("info", [], "collection", {}),
        ("why", [evil("q0"), evil("d0")], "why", {"topic": evil("q0"), "docno": evil("d0")}),
    ],
    ids=["info", "why"],
)
def test_a_view_says_what_the_command_says(
    cranfield: Cranfield,
    hostile: Path,
    kind: str,
    *,
    command: str,
    arguments: list[str],
    view: str,
    parameters: dict[str, str],
) -> None:
    """Whatever the store contains."""
    result = cranfield(command, hostile, *arguments, "--format", kind)
    with Store.open(hostile) as store:
        assert answer(store, view, kind, parameters.items()).text() == result.out


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with runs, a pool and judgments."""
    return measured_store(tmp_path_factory.mktemp("measured") / "m.db")


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """The same, open."""
    with Store.open(path) as store:
        yield store


def text_of(store: Store, name: str, kind: str, **parameters: str) -> str:
    result = answer(store, name, kind, parameters.items())
    assert result.status == 200, result.content
    return result.text()


def document(store: Store, name: str, **parameters: str) -> Any:
    """A view as JSON."""
    return json.loads(text_of(store, name, "json", **parameters))


def test_systems_are_those_of_evaluate(store: Store, path: Path, cranfield: Cranfield) -> None:
    """To the last byte, as JSON and as CSV; the measures can be chosen."""
    for kind in ("json", "csv"):
        output = cranfield("evaluate", path, "-m", "nDCG@5,RR", "--format", kind).out
        assert text_of(store, "systems", kind, measures="nDCG@5,RR") == output


def test_live_scores_are_those_of_evaluate_with_bounds(store: Store, path: Path, cranfield: Cranfield) -> None:
    """Every run once, best first, between its bounds; the pooled runs are judged to the depth, so theirs meet."""
    live = document(store, "live", measure="P@5")
    assert (live["depth"], live["topics"], live["unlabelled_topics"]) == (DEPTH, 6, 0)
    rows = json.loads(cranfield("evaluate", path, "-m", "P@5", "--format", "json").out)["scores"]
    assert {one["run"]: one["score"] for one in live["scores"]} == {
        row["run"]: pytest.approx(row["value"]) for row in rows
    }
    assert all(one["low"] <= one["score"] <= one["high"] for one in live["scores"])
    narrow = {one["run"] for one in live["scores"] if one["low"] == one["high"]}
    assert narrow == {one["run"] for one in live["scores"] if one["judged"] == 1} == {f"run{at}" for at in range(5)}
    page = text_of(store, "live", "", measure="P@5")
    assert page.count('<g class="point">') == len(rows)
    assert all("run5" in pair for pair in live["open_pairs"])


def test_the_timeline_has_a_chart_and_the_days_of_its_document(organiser: TestClient) -> None:
    """The labels of people only; the days are those of the JSON."""
    worker: Worker = organiser.worker  # type: ignore[attr-defined]
    found = worker.run_and_wait(lambda store: document(store, "timeline"))
    assert sum(day["labels"] for day in found["days"]) == 4
    assert [day["same grade"] for day in found["days"]] == [0.0]
    page = worker.run_and_wait(lambda store: text_of(store, "timeline", ""))
    assert page.count('<svg class="chart"') == 1
    assert all(day["day"] in page for day in found["days"])


@pytest.mark.parametrize("name", ["links", "drift", "unusual"])
def test_an_empty_table_says_so_below_its_heading(tmp_path: Path, name: str) -> None:
    """The sentence does not repeat the heading; without links, the page leads to the form for one."""
    with new_store(tmp_path / "a.db") as store:
        page = Elements(text_of(store, name, ""))
    assert "This table has no rows yet." in page.text
    assert ("/organise/links" in page.links) == (name == "links")


def test_a_store_without_topics_leads_to_their_step(tmp_path: Path) -> None:
    with new_store(tmp_path / "a.db") as store:
        page, line = Elements(answer(store, "ranks", "", []).text()), answer(store, "ranks", "csv", []).text()
    assert "There are no topics in this store." in page.text
    assert "cranfield import" not in page.text
    assert "/organise/setup?step=topics#topics" in page.links
    assert line == "There are no topics in this store; add some with `cranfield import topics`.\n"


def test_live_scores_say_which_topics_they_leave_out(tmp_path: Path) -> None:
    """A topic of the pool without a label is in no score, and can change every order."""
    runs = {tag: {qid: {"d": 1.0} for qid in ("1", "2")} for tag in ("a", "b")}
    pool = Pool("depth", {"depth": 1}, [PooledDocument(qid, "d", 1, ("a", "b")) for qid in ("1", "2")])
    with Store.open(new_file(tmp_path / "t.db", qrels={"x": {"1": {"d": 1}}}, runs=runs, pool=pool)) as store:
        page = text_of(store, "live", "")
    assert "1 topic of the pool has no labels yet" in page


def test_a_page_names_its_own_choice_of_topics(tmp_path: Path) -> None:
    grades, ranking = {"1": {"d": 1}, "2": {"d": 0}}, {"d": 1.0}
    runs = {"whole": {"1": ranking, "2": ranking}, "part": {"1": ranking}}
    with Store.open(new_file(tmp_path / "t.db", qrels={"x": grades}, runs=runs)) as store:
        for name in ("systems", "compare"):
            text = text_of(store, name, "")
            assert "part 1; “Topics that count: common” uses only the 1 topic that all runs answered" in text
            assert "--topics" not in text


@pytest.mark.parametrize("test", ["t", "sign"])
def test_a_pair_is_that_of_compare(store: Store, path: Path, cranfield: Cranfield, test: str) -> None:
    """The pair is the one of all runs compared with the second, whose p is corrected; its topics add up to it."""
    pair_view = document(store, "compare", test=test)
    output = cranfield("compare", path, "--baseline", pair_view["second"], "--test", test, "--format", "json").out
    whole = json.loads(output)
    assert pair_view["pairs"] == [pair for pair in whole["pairs"] if pair["run_a"] == pair_view["first"]]
    assert {name: pair_view[name] for name in whole} | {"pairs": 0} == whole | {"pairs": 0}
    (pair,) = pair_view["pairs"]
    differences = [topic["difference"] for topic in pair_view["topics"]]
    assert sum(differences) / len(differences) == pytest.approx(pair["difference"])
    assert [sum(one > 0 for one in differences), sum(one < 0 for one in differences)] == [pair["wins"], pair["losses"]]
    assert differences == sorted(differences, reverse=True)


def test_the_page_of_a_pair_says_what_unjudged_documents_leave_open(tmp_path: Path) -> None:
    """As `compare` does: neither "yes" nor "no" where some labels would decide, with the judged shares and the ends."""
    qids = [str(number) for number in range(10)]
    runs = {"a": {qid: {"d": 2.0, "x": 1.0} for qid in qids}, "b": {qid: {"x": 2.0, "d": 1.0} for qid in qids}}
    grades = {qid: {"d": 1, "e": 0} for qid in qids}
    with Store.open(new_file(tmp_path / "t.db", qrels={"x": grades}, runs=runs)) as store:
        page = text_of(store, "compare", "")
    assert "<dt>significant at 0.05</dt><dd>not decided: unjudged documents</dd>" in page
    assert "<dt>judged within the first 1</dt><dd>100%, 0%</dd>" in page
    assert "depending on the labels of unjudged documents, the difference is between" in page
    assert ".." not in re.sub("<[^>]*>", "", page.partition("<main")[2].partition("</main")[0])


def test_no_error_names_an_option_of_the_command_line(tmp_path: Path) -> None:
    """Pages name the fields of their form, and programs the parameters of the address."""
    labels = {"1": {"d": 1}}, {"1": {"d": 0}}
    runs = {"a": {"1": {"d": 1.0}}, "b": {"1": {"d": 1.0}}}
    path = new_file(tmp_path / "t.db", qrels={"x": labels[0], "y": labels[1]}, runs=runs)
    both = {"assessor": "x", "policy": "max"}
    with Store.open(path) as store:
        page = answer(store, "systems", "", both.items()).content
        assert isinstance(page, dict)
        assert "“Labels of one assessor” and “Where labels differ” cannot be used together" in str(page["body"])
        for parameters in (both, {}):
            for name in VIEWS:
                for kind in ("", "json", "csv"):
                    text = str(answer(store, name, kind, parameters.items()).content)
                    assert not re.search(r"--(assessor|policy|labels)", text), (name, kind)
        assert "Assessor and policy cannot be used together" in str(
            answer(store, "systems", "csv", both.items()).content
        )


def test_reusability_is_that_of_the_commands(store: Store, path: Path, cranfield: Cranfield) -> None:
    """Verdict and depths to the digit, as JSON and as CSV; the page says what the command says."""
    verdict = document(store, "reusability", by="team", measures="AP")
    dial = verdict.pop("depths")
    command = json.loads(cranfield("reusability", path, "--by", "team", "-m", "AP", "--format", "json").out)
    of_page, of_command = (
        {name: value for name, value in one.items() if name != "labelled_by"} for one in (verdict, command)
    )
    assert of_page == of_command
    whole = json.loads(cranfield("depths", path, "--by", "team", "--all", "--format", "json").out)
    whole.pop("labelled_by")
    depths = [row["depth"] for row in dial["rows"]]
    assert dial == whole | {"rows": [row for row in whole["rows"] if row["depth"] in depths]}
    output = cranfield("reusability", path, "--by", "team", "-m", "AP", "--format", "csv").out
    assert text_of(store, "reusability", "csv", by="team", measures="AP") == output
    shallow = list(
        csv.DictReader(io.StringIO(text_of(store, "reusability", "csv", by="team", table="depths", measures="AP")))
    )
    assert [int(row["depth"]) for row in shallow] == depths


def test_each_depth_has_its_panel(store: Store) -> None:
    """One of them is seen: the pool's own depth, or the one that is asked for; deeper ones there are not."""
    for asked_for, depth in (({}, DEPTH), ({"depth": "2"}, 2)):
        page = text_of(store, "reusability", "", measures="P@10", **asked_for)
        open_panels = [part.split('"')[1] for part in page.split("<div data-depth=")[1:] if " hidden" not in part[:90]]
        assert open_panels == [f"{depth}"]
    verdict = document(store, "reusability", measures="P@10")["summary"]["P@10"]
    panel = text_of(store, "reusability", "", measures="P@10").partition(f'<div data-depth="{DEPTH}"')[2]
    numbers = dict(re.findall(r"<div><dt>([^<]*)</dt><dd>([^<]*)</dd></div>", panel.partition("</dl>")[0]))
    assert numbers["largest change %"] == f"{verdict['max_change_percent']:.2f}"
    assert numbers["largest rank drop"] == str(verdict["max_rank_drop"])
    assert answer(store, "reusability", "", [("depth", f"{DEPTH + 1}")]).status == 400


def test_a_pool_is_that_of_pool_show(store: Store, path: Path, cranfield: Cranfield) -> None:
    """Topics and contributions to the byte; two runs have the same in common, whichever is asked."""
    for table, by in (("topics", "topic"), ("contributions", "team")):
        output = cranfield("pool", "show", path, "--by", by, "--format", "csv").out
        assert text_of(store, "pool", "csv", table=table, unit="team") == output
    pool = document(store, "pool")
    own = {row["run"]: row["documents"] for row in pool["contributions"]}
    both = {(row["run"], row["other"]): row["in both"] for row in pool["overlap"]}
    assert all(both[other, one] == shared <= own[one] for (one, other), shared in both.items())
    assert all(row["share"] == row["in both"] / own[row["run"]] for row in pool["overlap"])
    assert {row["run"]: row["documents"] for row in pool["overlap"]} == own


def test_no_verdict_is_no_verdict(tmp_path: Path, cranfield: Cranfield) -> None:
    """With a single pooled run nobody can be left out: the page says so, and shows neither ranks nor numbers of it."""
    alone = measured_store(tmp_path / "alone.db", pooled=1)
    by_command = json.loads(cranfield("reusability", alone, "-m", "P@10", "--format", "json").out)
    with Store.open(alone) as store:
        page = text_of(store, "reusability", "", measures="P@10")
        verdict = document(store, "reusability", measures="P@10")
    assert (verdict.pop("depths"), verdict) == (None, by_command)
    assert by_command["no_verdict"] in page
    assert "Not tested" in page
    for sign in ("data-depth", "mean change", "Fair to", "Unfair", "with care"):
        assert sign not in page


class Gate(StoreThread):
    """Computes what it is let through."""

    def __init__(self, reader: Worker) -> None:
        super().__init__(reader)
        self.go = Semaphore(0)

    def run(self, compute: Callable[..., Any], *arguments: Any, hear: Hear) -> Any:
        """Say how far it is, and wait."""
        hear("step 2 of 3")
        self.go.acquire()
        return super().run(compute, *arguments, hear=hear)

    def close(self) -> None:
        """Let everything through."""
        self.go.release(100)


class Case:
    """The organiser's browser on an empty store, and the gate."""

    def __init__(self) -> None:
        self.app = Application(Worker(new_store))
        self.gate = Gate(self.app.reader)
        self.app.results = Results(self.app.reader, self.gate, patience=0)
        self.client = TestClient(self.app.asgi(["testserver"]))
        self.client.get(f"/enter/{self.app.access.start_token}")

    def passed(self) -> None:
        """Let one through, and wait for it."""
        self.gate.go.release()
        self.app.results._thread.submit(lambda: None).result()


@pytest.fixture
def case() -> Iterator[Case]:
    """A browser and a gate."""
    case = Case()
    yield case
    case.app.results.close()  # its thread would wait at the gate for ever
    case.app.close()


def test_a_page_waits_for_its_content(case: Case) -> None:
    """It reloads itself until it is complete; afterwards it states its time, if the store has changed."""
    first = case.client.get("/look/pool")
    assert (first.status_code, first.headers["refresh"]) == (202, "2")
    assert "Computing this page takes a while. Current step: " in first.text
    assert 'href="/look/pool"' in first.text
    case.passed()
    whole = case.client.get("/look/pool")
    assert (whole.status_code, "refresh" in whole.headers, "As of" in whole.text) == (200, False, False)
    case.app.worker.run_and_wait(lambda store: store.add_topics([Topic("q", "title")]))
    assert "; the store has changed since." in case.client.get("/look/pool").text


def test_a_program_waits_and_gets_what_is_current(case: Case) -> None:
    """JSON is answered when it is there."""
    case.gate.go.release()
    assert case.client.get("/look/pool.json").status_code == 409
    assert case.client.get("/look/pool.json").text.startswith("No pool in this store")


def test_too_many_views_at_once(case: Case) -> None:
    """What cannot wait is told to come again."""
    codes = [case.client.get(f"/look/systems?measures=P@{cutoff}").status_code for cutoff in range(1, WAITING + 2)]
    assert codes == [202] * WAITING + [503]
