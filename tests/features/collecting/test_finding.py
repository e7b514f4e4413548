"""Searching and judging: engines that know the corpus and one's own labels alone, pages, and what stays apart."""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from cranfield.errors import InputError, StoreError
from cranfield.features.collecting.finding.engines import SHOWN, expression, full_text
from cranfield.features.collecting.finding.store import allow, judge_found, record_search, searches
from cranfield.formats import RunInfo
from cranfield.metrics.inputs import as_runs
from cranfield.pooling.stored.growth import build
from cranfield.pooling.stored.request import PoolRequest
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append, read_events
from cranfield.store.runs import add_runs
from cranfield.store.store import Store
from cranfield.store.verification import verify
from cranfield.web.application import Application
from cranfield.web.results import Worker
from tests.conftest import Cranfield
from tests.features.briefing.test_briefing import Visit, visit
from tests.features.collecting.corpora import relevant, store_of
from tests.judging.cases import session_of
from tests.stores import filled

CANARIES = ("canary-run", "canary-team", "canary-note")
OF_A_MOMENT = re.compile(r"\b(?:[0-9a-f]{32}){1,2}\b")  # numbers of events, and tokens of forms


def searchable(others: bool = True) -> Store:
    """A store in which ada may search; other runs, teams and assessors have names, notes and grades not for her."""
    store = store_of()
    build(store, PoolRequest("depth", 3))
    allow(store, "ada")
    add_assessor(store, "bo")
    if others:
        add_runs(store, as_runs({"canary-run": {"1": {"wing00": 3.0}}}), {"canary-run": RunInfo("canary-team")})
        docnos = [one.docno for one in store.documents()]
        append(store, *(Event("label", "1", d, "bo", int(not relevant("1", d)), note="canary-note") for d in docnos))
    return store


@pytest.fixture
def app() -> Iterator[Application]:
    application = Application(Worker(searchable))
    yield application
    application.close()


def test_what_a_query_asks_for() -> None:
    """All words, a phrase, one or the other, and not this, as by looking at every text; none is a syntax error."""
    with store_of() as store:
        for query in ('"a', "a OR", "OR OR b", "NEAR(a b)", "title:x*", "a AND NOT b^", "-x y", "é — ß", "{}:a"):
            full_text(store, query)
        texts = {one.docno: one.text.split() for one in store.documents()}
        cases: tuple[tuple[str, Callable[[list[str]], bool]], ...] = (
            ("wing shield", lambda t: "wing" in t and "shield" in t),
            ("lift OR jet -drag", lambda t: ("lift" in t or "jet" in t) and "drag" not in t),
            ('"wing lift"', lambda t: "wing lift" in " ".join(t)),
        )
        for query, matches in cases:
            assert {*full_text(store, query, 99)} == {docno for docno, text in texts.items() if matches(text)}
    with pytest.raises(InputError, match="contains no words to search for"):
        expression("-x ...")


def test_an_assessor_searches_and_judges(app: Application) -> None:
    """Her labels teach the engine, are not blind, and nobody else's names or notes are on any page."""
    ada = visit(app, "ada")
    assert 'href="/search?topic=1"' in ada.client.get("/judge").text
    page = ada.send("/search?topic=1", "/search/find", topic="1", query="wing", engine="text")
    pages = [page, ada.client.get("/search").text]
    assert "taught" not in page
    ranks = [int(rank) for rank in re.findall(r"rank=(\d+)", page)]
    assert len(ranks) == SHOWN
    [search] = app.worker.run_and_wait(partial(searches, assessor="ada", qid="1"))
    for rank in ranks[:4]:
        grade = str(int(relevant("1", search.docno(rank))))
        pages.append(ada.client.get(f"/search?search=1&rank={rank}").text)
        pages.append(ada.send(f"/search?search=1&rank={rank}", "/search/grade", grade=grade))
    assert pages[-1].count("you gave") == 4
    assert "since then you judged" in pages[-1]
    pages.append(ada.send("/search?topic=1", "/search/find", topic="1", query="", engine="learnt"))
    pages.append(ada.send("/search?search=2&rank=1", "/search/find"))
    learnt, like = app.worker.run_and_wait(partial(searches, assessor="ada", qid="1"))[1:]
    assert (learnt.engine, like.engine, like.query) == ("learnt", "like", learnt.docno(1))
    assert sum(relevant("1", docno) for docno in learnt.shown[:10]) >= 8
    assert not {*learnt.shown} & {search.docno(rank) for rank in ranks[:4]}
    events_of_ada = [one for one in app.worker.run_and_wait(read_events) if one.assessor == "ada"]
    assert [(one.order_policy, one.order_seed, one.position) for one in events_of_ada] == [
        ("search", 1, r) for r in ranks[:4]
    ]
    assert not [word for word in CANARIES for page in pages if word in page]
    app.worker.run_and_wait(verify)
    labels, events_before = len(events_of_ada), len(app.worker.run_and_wait(read_events))
    assert ada.client.get("/judge").status_code == 200  # and judges on, what she found being done
    assert (labels, len(app.worker.run_and_wait(read_events))) == (4, events_before)


def pages_after_search(others: bool) -> list[str]:
    """Every page that ada is shown while she searches, grades what is found and searches on, but for random numbers."""
    app = Application(Worker(partial(searchable, others)))
    try:
        ada = visit(app, "ada")
        pages = [ada.send("/search?topic=1", "/search/find", topic="1", query="wing", engine="text")]
        for rank in (1, 2):
            pages.append(ada.client.get(f"/search?search=1&rank={rank}").text)
            pages.append(ada.send(f"/search?search=1&rank={rank}", "/search/grade", grade=str(rank % 2)))
        pages.append(ada.send("/search?topic=1", "/search/find", topic="1", query="", engine="learnt"))
        pages.append(ada.send("/search?search=2&rank=1", "/search/find"))
        return [OF_A_MOMENT.sub("", page) for page in [*pages, ada.client.get("/search").text]]
    finally:
        app.close()


@pytest.mark.full
def test_what_others_did_changes_no_page() -> None:
    """Neither runs nor the grades and notes of others: all pages are those of a store without these."""
    assert pages_after_search(True) == pages_after_search(False)


def test_only_who_may_searches(app: Application, tmp_path: Path, cranfield: Cranfield) -> None:
    """An invitation allows it."""
    bo = visit(app, "bo")
    assert "/search" not in bo.client.get("/judge").text
    assert bo.client.get("/search").status_code == 409
    assert "The organiser has not allowed you to search</p>" in bo.client.get("/search?topic=1").text
    ada = visit(app, "ada")
    assert "No topic &#39;9&#39;" in ada.client.get("/search?topic=9").text
    assert "Search 7 belongs to another assessor or does not exist" in ada.client.get("/search?search=7").text
    assert Visit(app, app.access.start_token).client.get("/search").status_code == 403
    path = tmp_path / "s.db"
    store_of(path).close()
    assert cranfield("assessor", "invite", path, "ada", "--search").code == 0
    assert cranfield("assessor", "invite", path, "bo", "--search", "--adjudicate").code == 2
    with Store.open(path) as store:
        assert store.rows("SELECT name FROM searcher s JOIN assessor a ON a.id = s.assessor") == [("ada",)]


def test_what_was_given_is_judged_where_it_was_given() -> None:
    """A label of the pool is not changed by a search; one of a search is done in the pool."""
    with searchable() as store:
        session = session_of(store, "ada")
        document = session.view.document
        assert document is not None
        session.grade(session.command_target(), 1)
        number = record_search(
            store, "ada", "1", "x", engine="text", docnos=[document.docno, "heat09"], seconds=0.1, event_id="e"
        )
        assert number == record_search(store, "ada", "1", "x", engine="text", docnos=[], seconds=0, event_id="e")
        [search] = searches(store, "ada")
        with pytest.raises(InputError, match="judged this document when it was given to you"):
            judge_found(store, "ada", search, 1, grade=0, event_id="a")
        with pytest.raises(InputError, match="2 documents, so there is no document at rank 3"):
            judge_found(store, "ada", search, 3, grade=0, event_id="a")
        judge_found(store, "ada", search, 2, grade=0, event_id="b")
        judge_found(store, "ada", search, 2, grade=0, event_id="b")
        assert [one.docno for one in read_events(store, "ada")] == [document.docno, "heat09"]
        assert session_of(store, "ada", order=None).order == "docid"  # not that of the search
        with pytest.raises(StoreError, match="not allowed you to search"):
            record_search(store, "bo", "1", "x", engine="text", docnos=[], seconds=0, event_id="f")


def test_what_was_found_by_hand_is_no_runs_alone(cranfield: Cranfield, tmp_path: Path) -> None:
    """A document of one run is unique to it, until an assessor finds it, too; every verdict tells it."""
    path = tmp_path / "s.db"
    results = {"a": {"1": {"wing00": 2.0, "flow00": 1.0}}, "b": {"1": {"heat00": 2.0, "flow00": 1.0}}}
    with store_of(path, run=False) as store:
        filled(store, runs=results)
        build(store, PoolRequest("depth", 2))
        allow(store, "ada")
        filled(store, labels={"bo": {("1", "wing00"): 1, ("1", "flow00"): 1, ("1", "heat00"): 0}})
    before = cranfield("reusability", path, "--by", "run", "--format", "json")
    assert json.loads(before.out)["units"][0]["unique_relevant"] == 1
    assert "searched" not in before.err
    with Store.open(path) as store:
        record_search(store, "ada", "1", "x", engine="text", docnos=["wing00", "wing09"], seconds=0.1, event_id="e")
        for rank in (1, 2):
            judge_found(store, "ada", searches(store, "ada")[0], rank, grade=1, event_id=f"{rank}")
    after = cranfield("reusability", path, "--by", "run", "--format", "json")
    assert json.loads(after.out)["units"][0]["unique_relevant"] == 0
    assert (
        "2 documents were found by an assessor through search and not judged blind, so do not count as unique to a run"
        in after.err
    )
    assert json.loads(cranfield("depths", path, "--format", "json").out)["rows"]
    closure = json.loads(cranfield("pool", "verify", path, "--format", "json").out)
    assert closure["judged_not_pooled"] == [["1", "wing09"]]
    assert closure["otherwise"] == {"search": 1}
    rows = json.loads(cranfield("progress", path, "--format", "json").out)["searches"]
    assert rows == [{"assessor": "ada", "topic": "1", "searches": 1, "judged": 2, "relevant": 2}]
