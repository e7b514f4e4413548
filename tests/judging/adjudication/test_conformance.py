"""One script of keys, four ways to adjudicate: session, line mode, full screen and browser write the same log."""

from collections.abc import Callable
from functools import partial
from io import StringIO
from itertools import count

import pytest

from cranfield.analysis.labels import ranked_disputes
from cranfield.judging.adjudication.adjudication import Adjudication
from cranfield.judging.frontends.plain import PlainAdjudication
from cranfield.judging.frontends.terminal.terminal import AdjudicationTerminal
from cranfield.store.chain import Event
from cranfield.store.store import Store
from tests.conftest import usually
from tests.judging.cases import Clock, at, comparable, session_of, store_of
from tests.judging.frontends.test_conformance import FILLED, TEXTS, check_all_ways, lines_of, perform, presses
from tests.judging.screen import on_the_screen
from tests.web.browser import Browser

pytestmark = pytest.mark.full

POOLED = {"q1": ["d1", "d2"], "q2": ["d3"], "q3": ["d4", "d5"]}
SCRIPTS = {
    "grades": "1 0 2 -1 1 1",
    "undo and redo": "1 2 u u U U 0 u 1 u u U",
    "put off": "s 1 s 2 0 u s 1 1",
    "reasons": "n 1 n 0 s 1 u 2",
    "cannot judge": "x1 x2 x3 x4 u u U",
    "off the scale": "7 1 99 -2 0",
    "terms": "H 1 H h 0 H h h 2",
    "settled again": "1 0 2 l2 1 u l1 n 2 l2 l0 s l1 x1",
    "beyond the end": "1 1 1 1 1 1 1 s x1 n u 0 u u",
}
EVERY_KEY = "x1 x2 x3 x4 u u U u u H 1 H h 0 H h h 2 l2 1 u l1 n 2 l0 s l1 x1 u u u"  # so that some case is left
Log = tuple[list[Event], int]


def dispute() -> Store:
    """Ada and Bob disagree on every document."""
    store = store_of(POOLED, texts=TEXTS)
    for name, grades in {"ada": (0, 2, 1, 0, 0), "bob": (1, 0, 2, 1, 2)}.items():
        session = session_of(store, name, ids=partial(next, map(f"{name}{{}}".format, count())))
        for grade in grades:
            at(session).grade(grade)
    return store


def log_of(store: Store, adjudication: Adjudication) -> Log:
    """The log, and the case on screen."""
    log = [event._replace(input="", event_id="", seconds=None) for event in comparable(store, "eve")]
    return log, adjudication.view.position.number


def log_after(adjudicate: Callable[[Adjudication], object]) -> Log:
    store = dispute()
    adjudication = Adjudication(store, "eve", ranked_disputes(store), clock=Clock())
    adjudicate(adjudication)
    return log_of(store, adjudication)


def by_session(keys: list[str]) -> Log:
    return log_after(lambda adjudication: perform(keys, adjudication))  # type: ignore[arg-type]


def by_plain(keys: list[str]) -> Log:
    return log_after(lambda adjudication: PlainAdjudication(adjudication, lines_of(keys), StringIO()).run())


def by_browser(keys: list[str]) -> Log:
    browser = Browser(dispute, "eve", role="adjudicate")
    for key in keys:
        button = f"/adjudicate/again {key[1:]}" if key in ("l0", "l1", "l2") else key
        browser.fill(*FILLED[key]) if key in FILLED else browser.press(button)

    def log(store: Store) -> Log:
        session = browser.app.adjudications.session_of("eve").session
        assert isinstance(session, Adjudication)
        return log_of(store, session)

    result = browser.worker.run_and_wait(log)
    browser.close()
    return result


def by_screen(keys: list[str]) -> Log:
    return log_after(lambda it: on_the_screen(it, *presses(keys), terminal=AdjudicationTerminal))


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_the_same_keys_give_the_same_log(script: str) -> None:
    """Session and line mode record the same events and end at the same case."""
    keys = script.split()
    log = by_session(keys)
    assert log[0]
    assert by_plain(keys) == log


@pytest.mark.parametrize(
    "script", usually([EVERY_KEY], [EVERY_KEY, *(f"{script} u u u" for script in SCRIPTS.values())])
)
def test_the_full_screen_and_the_browser_give_the_same_log(script: str) -> None:
    """All keys in one sitting, or also each script, at the full screen and in the browser."""
    check_all_ways(script.split(), by_session, by_plain, by_browser, by_screen)
