"""Every page at 390 pixels: none is wider, no text is below 12 pixels, and every control can be pressed.

Which pages there are is asked of the routes. Reports, the pages of a task and work without a server have the same test
beside theirs.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.routing import Route

from cranfield.features.answers.formats.answers import Answer, Sentence
from cranfield.features.answers.formats.nuggets import PlainClaims, read_rubrics
from cranfield.features.answers.store.answers import add_answers
from cranfield.features.answers.store.labels import import_claims
from cranfield.features.answers.store.rubrics import import_rubrics
from cranfield.features.briefing.store import answer, ask
from cranfield.features.collecting.finding.store import allow, record_search
from cranfield.features.preferences.store import DocumentPair, add_pairs
from cranfield.features.tasks.transfers import CORPUS
from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.store.chain import Event
from cranfield.store.invitations import invite
from cranfield.store.log import add_assessor, append, set_guidelines
from cranfield.store.pools import stored_pool
from cranfield.store.store import Store
from cranfield.web.application import Application
from cranfield.web.look.table import VIEWS
from cranfield.web.open_sessions import deciding_roles, judging_roles
from cranfield.web.organise.table import SECTIONS
from cranfield.web.results import Worker
from tests.browser import PHONE, InBrowser, misfits
from tests.conftest import usually
from tests.features.answers.stores import label_nuggets, three_run_store
from tests.features.briefing.test_briefing import practice_store
from tests.features.tasks.test_in_browser import PAGES as OF_TASK
from tests.web.look.measured import measured_store
from tests.web.serving import Serving, computing_here

pytestmark = pytest.mark.daily

PEOPLE: tuple[str, ...] = ("judge", "adjudicate", "prefer", "search", "develop")  # who have links to documents
BEFORE: tuple[str, ...] = ("practice", "questions")  # and before these
ANSWERS: tuple[str, ...] = tuple(
    role.name for role in judging_roles() if role.name not in (*PEOPLE, *BEFORE)
)  # and to answers
OPEN = "document.querySelectorAll('main > details, aside > details').forEach((one) => { one.open = true; })"
PARAMETERS = {
    "why": {"topic": "q1", "docno": "d01"},
    "document": {"docno": "d01"},
    "documents": {"search": "wings"},
    "give": {"topic": "q1", "role": "first"},
    "assign": {"to": "assessors", "assessors": "ada"},
    "revoke": {"assessor": "ada"},
}
LOOKED_AT = [f"/look/{name}?{urlencode(PARAMETERS.get(name, {}))}" for name in VIEWS]
ORGANISED = [f"/organise/{name}?{urlencode(PARAMETERS.get(name, {}))}" for name in SECTIONS if name]
EMPTY = {"/look/audit?"}  # as no model has labels here
OF_ORGANISER = ["/", *LOOKED_AT, *ORGANISED]
ALSO = {  # pages of a link beside its first
    "judge": ["/judge/labels"],
    "questions": ["/questions?topic=q1"],
    "search": ["/search?topic=q1", "/search?search=1"],
}
OF_LINKS = [f"/{role}" for role in (*PEOPLE, *BEFORE, *ANSWERS)]
OF_LINKS += [address for more in ALSO.values() for address in more]
NO_PAGES = {  # what is part of a page, or no page
    "/assets/{name}", "/image/{digest}", "/look/{name}.{kind}",
    *(f"/{role}/text/{{document}}/{{block}}" for role in deciding_roles()),
    "/team/topics.jsonl", "/team/qrels.txt", "/team/terms", f"/team/{CORPUS}", "/team/runs/{tag}/receipt.json",
    "/organise/task.toml",
}  # fmt: skip
LEADS_ON = {"/enter/{token}", "/team/enter/{token}"}  # every visit begins there
SAME = {f"/{role}/labels" for role in deciding_roles()} - {"/judge/labels"}  # the page of another link


def judged_store(path: Path) -> None:
    """Runs, a pool, labels of two people who disagree, pairs and guidelines."""
    with Store.open(measured_store(path)) as store:
        for grade, name in enumerate(("ada", "bo")):
            add_assessor(store, name)
            append(store, *(Event("label", "q1", d, name, grade, note="why", seconds=9.0) for d in pooled(store)[:3]))
        assign_topics_to_assessors(store, ["ada", "bo"], topics=["q1", "q2"], overlap=0.5)
        add_pairs(store, "ada", [DocumentPair("q1", "d01", "d02")], "file")
        set_guidelines(store, "What is relevant. " * 30)
        allow(store, "ada")
        record_search(store, "ada", "q1", "wings", engine="text", docnos=pooled(store)[:3], seconds=1.0, event_id="1")


def pooled(store: Store) -> list[str]:
    """The pool of q1."""
    return [one.docno for one in stored_pool(store).documents if one.qid == "q1"]


def briefed_store(path: Path) -> None:
    """Practice on two documents, and a question that was answered."""
    with practice_store(path) as store:
        add_assessor(store, "ada")
        ask(store, "q1", "ada", "Does a review count?", "1")
        answer(store, 1, "It does. " * 30, "2")


def answered_store(path: Path) -> None:
    """Answers with nuggets, claims and a rubric."""
    with three_run_store(path) as store:
        add_answers(store, [Answer("other", "q1", [Sentence("Lift.")], ["d1", "d2"])])
        import_claims(store, [PlainClaims("q1", "", ["Lift grows with speed."])], "zoe")
        (rubrics := path.with_suffix(".toml")).write_text('["q1"]\nquestions = ["Does it say what lifts?"]')
        import_rubrics(store, read_rubrics(rubrics), "zoe")
        for letters, name in (("sps", "kim"), ("nnn", "lea")):  # who disagree
            add_assessor(store, name)
            label_nuggets(store, name, {("canary-one", "q1"): letters})


@contextmanager
def served(path: Path) -> Iterator[tuple[Application, str]]:
    """A served store, and the beginning of its addresses."""
    with closing(Serving(computing_here(Application(Worker.worker_of_store(path))))) as serving:
        yield serving.app, serving.at.base


def test_every_page_is_here(tmp_path: Path) -> None:
    """Each route that is read leads to a page that this file visits, or the test of a task."""
    judged_store(tmp_path / "s.db")
    app = Application(Worker.worker_of_store(tmp_path / "s.db"))
    try:
        routes: list[Route] = app.asgi(["a"]).app.routes  # type: ignore[attr-defined]
        read = [route for route in routes if "GET" in (route.methods or ())]
        addresses = [address.partition("?")[0] for address in (*OF_ORGANISER, *OF_LINKS, *OF_TASK)]
        unread = {one.path for one in read if not any(map(one.path_regex.match, addresses))}
    finally:
        app.close()
    assert unread == {*NO_PAGES, *LEADS_ON, *SAME}


def test_the_organisers_pages_fit(in_browser: InBrowser, tmp_path: Path) -> None:
    """All that is looked at, and all forms."""
    wrong = dict[str, list[str]]()
    judged_store(tmp_path / "s.db")
    with served(tmp_path / "s.db") as (app, base):

        def visit(browser: Any) -> None:
            with browser.new_context(viewport=PHONE) as context:
                page = context.new_page()
                page.goto(f"{base}/enter/{app.access.start_token}")
                page.get_by_role("navigation", name="Pages", exact=True).wait_for()
                for address in usually(["/look/work", "/look/topics", "/organise/topics"], OF_ORGANISER):
                    assert page.goto(base + address).ok or address in EMPTY
                    wrong[address] = misfits(page)

        in_browser(visit)
    assert {address: problems for address, problems in wrong.items() if problems} == {}


@pytest.mark.parametrize(
    ("make", "roles"), [(judged_store, PEOPLE), (briefed_store, BEFORE), (answered_store, ANSWERS)]
)
def test_the_pages_of_links_fit(in_browser: InBrowser, tmp_path: Path, make: Any, roles: tuple[str, ...]) -> None:
    """Those of assessors, adjudicators, and who labels answers; with the topic open too, and all decisions."""
    wrong = dict[str, list[str]]()
    make(tmp_path / "s.db")
    with served(tmp_path / "s.db") as (app, base):

        def visit(browser: Any) -> None:
            for role in usually(roles[:1], roles):
                with browser.new_context(viewport=PHONE) as context:
                    page = context.new_page()
                    page.goto(f"{base}/enter/{app.worker.run_and_wait(partial(invite, assessor='ada', role=role))}")
                    page.wait_for_url(f"**/{role}")
                    assert not page.locator("main.message").count(), page.content()
                    wrong[role] = misfits(page)
                    page.evaluate(OPEN)
                    wrong[f"{role}, open"] = misfits(page)
                    for address in ALSO.get(role, ()):
                        assert page.goto(base + address).ok
                        wrong[address] = misfits(page)

        in_browser(visit)
    assert {address: problems for address, problems in wrong.items() if problems} == {}
