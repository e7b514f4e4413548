"""Judging without a server: the page in a real browser, and its download back in the store."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from cranfield.errors import InputError
from cranfield.judging.planning.assign import organise
from cranfield.store.bundles.bundle import merge_bundle
from cranfield.store.events import Event
from cranfield.store.log import Criterion, criteria
from cranfield.store.store import Store
from cranfield.store.verification import verify
from cranfield.web.offline_page import write_page
from tests.browser import InBrowser
from tests.conftest import usually
from tests.judging.cases import POOLED, at, comparable, session_of, store_of
from tests.judging.frontends.test_conformance import COMMANDS, FILLED, SCRIPTS, TEXTS
from tests.web.offline import opened

SHORT = "m 2 n e 0 u U s x4 H h 1 c N 1 l2 1 u u U -1 1 1 u"
EVERY = [key for name in SCRIPTS if name != "docno" for key in [*SCRIPTS[name].split(), "u", "u", "u"]]
KEYS = usually(SHORT.split(), EVERY)  # a page does not have docnos


def work_of() -> Store:
    """A store whose work is ada's."""
    store = store_of(texts=TEXTS)
    organise(store, ["ada"])
    return store


def told(events: list[Event]) -> list[Event]:
    """Events without what differs between front ends."""
    return [event._replace(input="", event_id="", seconds=None) for event in events]


def by_session(keys: list[str]) -> tuple[list[Event], list[Criterion]]:
    """The log and the criteria of the same keys in a session."""
    store = store_of(texts=TEXTS)
    session = session_of(store, order="hash")
    for key in keys:
        with suppress(InputError):
            COMMANDS[key](session) if key in COMMANDS else at(session).grade(int(key))
    diary = [one._replace(at="") for qid in POOLED for one in criteria(store, qid, "ada")]
    return list(comparable(store)), diary


def test_the_same_keys_give_the_same_log(in_browser: InBrowser, tmp_path: Path) -> None:
    """What is brought back from a page is what the session records, and the chain holds."""

    def visit(browser: Any) -> None:
        with opened(browser, tmp_path / "ada.html") as page:
            page.judge(KEYS, FILLED)
            page.download(tmp_path / "ada.jsonl")

    with work_of() as store:
        write_page(store, tmp_path / "ada.html", "ada")
        in_browser(visit)
        merged = merge_bundle(store, tmp_path / "ada.jsonl")
        log, diary = by_session(KEYS)
        assert told(list(comparable(store))) == told(log)
        assert merged.new == len(log)
        assert [one._replace(at="") for qid in POOLED for one in criteria(store, qid, "ada")] == diary
        assert verify(store).events == len(log)
