"""All pages in a language from right to left in which every text is marked: what is not marked is data.

English texts that no catalogue has belong to one of the kinds in tests/web/english_texts.py.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote_plus

import pytest
from starlette.testclient import TestClient

from cranfield.features.organising.downloads import make_download
from cranfield.judging.labels.recorded import record_label_choice
from cranfield.store import import_qrels
from cranfield.store.chain import Event
from cranfield.store.invitations import invite
from cranfield.store.log import append
from cranfield.store.store import Store
from cranfield.web.application import Application
from cranfield.web.language import Language, find_language
from cranfield.web.offline_page import write_page
from cranfield.web.open_sessions import invited_roles
from cranfield.web.organise.choosing import CHOOSE
from cranfield.web.organise.policies import policy_options, policy_question, publication_question
from cranfield.web.results import Worker
from tests.browser import PHONE, InBrowser, evaluate_again
from tests.conftest import Cranfield
from tests.stores import new_store
from tests.web.english_texts import ENGLISH_KINDS, kind_of_text, normalise_text
from tests.web.serving import Serving, computing_here
from tests.web.test_on_a_phone import judged_store
from tests.web.test_reading import COVERED, DESK
from tests.web.test_words_on_pages import STATES, VisibleText, addresses, assigned_store

pytest.importorskip("babel")
catalogue = pytest.importorskip("tests.web.catalogue")
pytestmark = pytest.mark.full
PSEUDO = "ar_XB"
MARK = re.compile(f"{catalogue.OPENING}[^{catalogue.OPENING}{catalogue.CLOSING}]*{catalogue.CLOSING}")
SAME_EVERYWHERE = {"cranfield", "json", "csv", "s.db", "enter", "corpus.jsonl.gz", "topics.jsonl", "qrels.txt"}


@pytest.fixture(scope="module")
def pseudo(tmp_path_factory: pytest.TempPathFactory) -> Language:
    """A language from right to left in which every text is marked."""
    folder = tmp_path_factory.mktemp("catalogues")
    catalogue.write_pseudo_catalogue(folder, PSEUDO)
    return find_language(PSEUDO, folder)


def untranslated(page: str) -> Iterator[str]:
    """The texts of a page outside the marks, each with its numbers as 0.

    >>> list(untranslated("<p>⟦ש Topic ⟦ש a ש⟧ <b>x ש⟧</b> of 12 labels</p>"))
    ['of 0 labels']
    """
    text = "\n".join(VisibleText(page).lines)
    while text != (shorter := MARK.sub("\n", text)):
        text = shorter
    for line in text.splitlines():
        words = re.sub(r"\d+([.,:]\d+)*", "0", " ".join(line.split())).strip(" .,:;()-\N{EM DASH}")
        if re.search(r"[A-Za-z]{2}", words):
            yield words


def data_of(path: Path) -> str:
    """All that a store contains, to tell its data from texts of pages."""
    with closing(sqlite3.connect(path)) as store:
        text = " ".join(store.iterdump()).replace("''", "'").replace("_", " ")
        return " ".join(re.sub(r"\d+([.,:]\d+)*", "0", text).lower().split())


def is_data(text: str, data: str) -> bool:
    """Return whether all parts of a text are data, such as names in a list.

    >>> is_data("Ada, bo: 0", "x ada y bo"), is_data("Ada, labels", "x ada y bo")
    (True, False)
    """
    parts = [part.strip(" .") for part in re.split(r"[,;:/.] | - ", text.lower())]
    return (
        "<script>" in text
        or "http://testserver/" in text
        or all(part in data or part in SAME_EVERYWHERE or not re.search("[a-z]{2}", part) for part in parts)
    )


@pytest.mark.daily
@pytest.mark.parametrize("make", STATES)
def test_visible_texts_are_translated(make: Callable[[Path], None], tmp_path: Path, pseudo: Language) -> None:
    """All pages of the organiser and the first page of each link, on stores with work of several kinds."""
    make(tmp_path / "s.db")
    found = dict[str, str]()
    with closing(computing_here(Application(Worker.worker_of_store(tmp_path / "s.db"), language=pseudo))) as app:
        asgi = app.asgi(["testserver"])
        client = TestClient(asgi)
        client.get(f"/enter/{app.access.start_token}")
        pages = {address: client.get(address) for address in addresses()}
        for role in invited_roles():
            own = TestClient(asgi)
            own.get(f"/enter/{app.worker.run_and_wait(partial(_invite, role=role))}")
            pages[f"/{role}"] = own.get(f"/{quote(role)}")
    data = data_of(tmp_path / "s.db")
    for address, answer in pages.items():
        assert answer.status_code < 500, address
        assert 'lang="ar-XB" dir="rtl"' in answer.text, address
        asked = normalise_text(unquote_plus(address).replace("=", " ").replace("&", ", "))  # titles repeat it
        found |= {text: address for text in untranslated(answer.text) if not is_data(text, f"{data} {asked}")}
    unknown = {text: address for text, address in found.items() if kind_of_text(text) is None}
    lines = "\n".join(f"{address}: {text}" for text, address in sorted(unknown.items()))
    assert not unknown, f"{len(unknown)} texts are neither translated nor of a kind that stays English:\n{lines}"


def test_the_guide_lists_the_kinds_of_english_texts() -> None:
    """docs/translating.md has a row for each kind, in the same order."""
    guide = (catalogue.ROOT / "docs/translating.md").read_text("utf-8").partition("## What stays English")[2]
    rows = [line.split("|")[1].strip() for line in guide.splitlines() if line.startswith("|")]
    assert rows[2:] == list(ENGLISH_KINDS)


@pytest.mark.parametrize(
    "text", ["Choose the topics that you would like to see", "This topic is settled", "Add documents first"]
)
def test_an_english_text_of_no_kind_is_found(text: str) -> None:
    """Words of the field alone are not enough for a kind."""
    assert kind_of_text(text) is None


def test_the_choice_of_a_policy_is_translated(pseudo: Language) -> None:
    """Question and options of a download are in the language of the page, as texts with values."""
    with Store.memory("small") as store:
        for grade, name in enumerate(("ada", "bo")):
            import_qrels(store, {"q1": {"d1": 1, "d2": grade}}, assessor=name, kind="human")
        assert [*untranslated(policy_question(store, pseudo))] == []
        for choice in ({"policy": "adjudicated-else-max"}, {"assessor": "ada"}):
            record_label_choice(store, **choice)
            options = policy_options(store, pseudo)
            assert [text for words in options.values() for text in untranslated(words)] == []
            assert "⟦" in options[""]
        assert [*untranslated(publication_question(store, pseudo))] == []


def test_a_newer_choice_is_named_in_the_language(pseudo: Language) -> None:
    """An old page of choices names the newer policy or assessor, or says that the choice was withdrawn."""
    with Store.memory("small") as store:
        import_qrels(store, {"q1": {"d1": 1}}, assessor="ada", kind="human")
        for choice in ({"policy": "median-low"}, {"assessor": "ada"}, {}):
            record_label_choice(store, **choice)
            done = CHOOSE.act(store, {"choice": "policy max", "newest": "0"}, "", pseudo)
            assert done.wrong
            assert [*untranslated(done.message)] == []


@pytest.mark.parametrize(
    "address", ["/", "/organise/checks", "/look/unusual", "/look/pace", "/look/collection", "/organise/choice"]
)
def test_findings_and_choices_are_translated(pseudo: Language, address: str) -> None:
    """On a store with assessors of different strictness, and with a choice of each kind that was recorded."""

    def store_with_findings() -> Store:
        docnos = [f"d{number}" for number in range(30)]
        store = new_store(
            documents=docnos,
            topics={"q1": "wings"},
            people=["ada", "bo"],
            pool={"q1": docnos},
            grades={0: "no", 1: "some", 2: "yes"},
        )
        for name, grade in (("ada", 2), ("bo", 0)):
            append(store, *(Event("label", "q1", docno, name, grade=grade) for docno in docnos))
        for choice in ({"policy": "median-low"}, {"assessor": "ada"}, {}):
            record_label_choice(store, **choice)
        return store

    with closing(computing_here(Application(Worker(store_with_findings), language=pseudo))) as app:
        client = TestClient(app.asgi(["testserver"]))
        client.get(f"/enter/{app.access.start_token}")
        page = client.get(address).text
    words = re.compile(
        "grades for the same|higher on|lower on|nothing is left|no choice|choice 0|labels (of|by)|times in"
    )
    assert [text for text in untranslated(page) if words.search(text)] == []


def _invite(store: Store, role: str) -> str:
    return invite(store, "ada", role=role)


ORGANISED = ["/", "/organise/topics", "/organise/links", "/organise/setup", "/organise/deliver", "/look/people",
             "/look/systems", "/look/agreement", "/organise/choice", "/look/disputes", "/look/live", "/look/timeline",
             "/organise/erase"]  # fmt: skip


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_pages_fit_from_right_to_left(
    in_browser: InBrowser, tmp_path: Path, pseudo: Language, size: dict[str, int]
) -> None:
    """With texts that are a third longer no page is wider than the screen, and no text is covered."""
    judged_store(tmp_path / "s.db")
    wrong = dict[str, list[str]]()
    app = computing_here(Application(Worker.worker_of_store(tmp_path / "s.db"), language=pseudo))
    with closing(Serving(app)) as serving:
        base = serving.at.base

        def look(page: Any, address: str) -> None:
            page.goto(base + address)
            page.locator("main").wait_for()
            wide = evaluate_again(page, "document.documentElement.scrollWidth")
            wrong[address] = [*evaluate_again(page, COVERED), *[f"{wide} pixels wide"] * (wide > size["width"])]

        def visit(browser: Any) -> None:
            with browser.new_context(viewport=size) as context:
                page = context.new_page()
                page.goto(f"{base}/enter/{app.access.start_token}")
                page.locator("main:not(.message)").wait_for()
                for address in ORGANISED:
                    look(page, address)
            for role in ("judge", "adjudicate"):
                with browser.new_context(viewport=size) as context:
                    page = context.new_page()
                    page.goto(f"{base}/enter/{app.worker.run_and_wait(partial(_invite, role=role))}")
                    page.wait_for_url(f"**/{role}")
                    look(page, f"/{role}")
                    assert page.evaluate("getComputedStyle(document.body).direction") == "rtl"

        in_browser(visit)
    assert {address: texts for address, texts in wrong.items() if texts} == {}


def test_an_offline_page_has_the_language_when_it_is_written(tmp_path: Path, pseudo: Language) -> None:
    """Its texts and those of its scripts; without a language it is English."""
    assigned_store(tmp_path / "s.db")
    with Store.open(tmp_path / "s.db") as store:
        write_page(store, tmp_path / "a.html", "ada", language=pseudo)
        write_page(store, tmp_path / "b.html", "ada")
    page, english = ((tmp_path / f"{name}.html").read_text("utf-8") for name in "ab")
    assert '<html lang="ar-XB" dir="rtl" data-texts=' in page
    assert '<html lang="en" dir="ltr">' in english
    assert catalogue.marked("Download your work") in page
    assert catalogue.marked("nothing to download yet") in page
    assert catalogue.marked("The store has no text for this document.") in page


def test_the_command_and_the_download_have_the_language(cranfield: Cranfield, tmp_path: Path, pseudo: Language) -> None:
    """`export page --language` and the organiser's download write the offline page in a language of a catalogue."""
    assigned_store(tmp_path / "s.db")
    options = ("--assessor", "ada", "--language", PSEUDO, "--catalogue", pseudo.folder)
    cranfield.out("export", "page", tmp_path / "s.db", tmp_path / "a.html", *options)
    (tmp_path / "made").mkdir()
    with Store.open(tmp_path / "s.db") as store:
        made = make_download(store, "page", str(tmp_path / "made"), {"assessor": "ada"}, pseudo)
    for file in (tmp_path / "a.html", Path(made.path)):
        assert '<html lang="ar-XB" dir="rtl"' in file.read_text("utf-8")
    wrong = cranfield("export", "page", tmp_path / "s.db", tmp_path / "b.html", "--assessor", "ada", "--language", "xx")
    assert wrong.code == 1
    assert "'xx' has no catalogue" in wrong.err
