"""One script of keys, four ways to judge: session, line mode, full screen and browser write the same log."""

from collections.abc import Callable
from contextlib import suppress
from io import StringIO

import pytest

from cranfield.errors import InputError
from cranfield.judging.frontends.plain import PlainJudging
from cranfield.judging.session.command import OTHER, REASONS
from cranfield.judging.session.recording import Recording
from cranfield.judging.session.session import Session
from cranfield.store.chain import Event
from cranfield.store.log import Criterion, criteria, read_events
from cranfield.store.store import Store
from tests.conftest import usually
from tests.judging.cases import POOLED, at, comparable, counted, on_screen, session_of, store_of
from tests.judging.screen import keys_of, on_the_screen
from tests.web.browser import Browser

pytestmark = pytest.mark.full

SCRIPTS = {
    "grades": "1 0 2 -1 1 1",
    "later and back": "s 1 s 2 0 u s 1 1",
    "undo and redo": "1 2 u u U U 0 u 1 u u U",
    "undo of everything": "1 s x1 u u u u 2",
    "redo is over": "1 u 0 U u U",
    "unsure": "m 1 m m 2 m s 1 u",
    "notes": "n 1 n 0 s 1 u 2",
    "cannot judge": "x1 x2 x3 x4 u u U",
    "off the scale": "7 1 99 -2 0",
    "another topic": "1 N 2 N N s u 1",
    "evidence": "e 1 e u e 2 e s",
    "terms": "H 1 h 0 h 2 N H h 1",
    "docno": "i 1 i 2 u i U u i 0",
    "criteria": "c 1 c 0 N c",
    "judged anew": "1 0 2 l2 1 u l1 m n 2 l2 l0 s l1 x1",
    "beyond the end": "1 1 1 1 1 1 1 s x1 m n N u 0 u u",
}
EVERY_KEY = (
    "1 2 u u U U 0 u n 1 u x1 x2 x3 x4 u u U u u N e 1 e u i H h i U u 7 99 -2 c s N c 2 l2 u l1 m n 2 l0 s l1 x1 u u u"
)
START = "The same words. "
TEXTS = {docno: f"{START}text of {docno}" for docno in ("d1", "d2", "d3", "d4", "d5")}
COMMANDS: dict[str, Callable[[Session], object]] = {
    "s": lambda session: at(session).later(),
    "n": lambda session: at(session).note("1"),
    "m": lambda session: at(session).toggle_unsure(),
    "u": lambda session: at(session).undo(),
    "U": lambda session: at(session).redo(),
    "N": lambda session: at(session).next_topic(),
    "e": lambda session: at(session).quote(START),
    "H": lambda session: at(session).terms("text, same"),
    "h": lambda session: at(session).toggle_highlight(),
    "i": lambda session: at(session).toggle_docno(),
    "c": lambda session: at(session).criterion("1"),
    "l0": lambda session: at(session).again(0),
    "l1": lambda session: at(session).again(1),
    "l2": lambda session: at(session).again(2),
    "x1": lambda session: at(session).cannot_judge(REASONS[0]),
    "x2": lambda session: at(session).cannot_judge(REASONS[1]),
    "x3": lambda session: at(session).cannot_judge(REASONS[2]),
    "x4": lambda session: at(session).cannot_judge(OTHER + "all numbers"),
}
NO_KEYS = {"99", "-2"}  # on the full screen there is no way to type these
LINES = {
    "e": f"e {START}",
    "H": "H text, same",
    "c": "c 1",
    "n": "n 1",
    "l0": "l 0",
    "l1": "l 1",
    "l2": "l 2",
    "x1": "x 1",
    "x2": "x\n2",
    "x3": "x 3",
    "x4": "x\n4\nall numbers",
}
PRESSED = {
    "e": ["e", "enter"],
    "H": ["H", *keys_of("text, same"), "enter"],
    "c": ["c", "1", "enter"],
    "n": ["n", "ctrl+u", "1", "escape"],
    "-1": ["-", "1"],
    "l0": ["escape"],
    "l1": ["l", "enter"],
    "l2": ["l", "down", "enter"],
    "x1": ["x", "1"],
    "x2": ["x", "2"],
    "x3": ["x", "3"],
    "x4": ["x", "4", *keys_of("all numbers"), "enter"],
}
FILLED = {  # what is not a button in the browser
    "n": ("note", {"note": "1"}),
    "e": ("evidence", {"words": START}),
    "H": ("terms", {"terms": "text, same"}),
    "c": ("criterion", {"criterion": "1"}),
    "x1": ("cannot-judge", {"reason": REASONS[0]}),
    "x2": ("cannot-judge", {"reason": REASONS[1]}),
    "x3": ("cannot-judge", {"reason": REASONS[2]}),
    "x4": ("cannot-judge", {"reason": OTHER.strip(), "other": "all numbers"}),
}
BUTTONS = {f"l{number}": f"/judge/again {number}" for number in range(3)}
Log = tuple[list[Event], object, list[Criterion]]
Way = Callable[[list[str]], object]


def judged(judge: Callable[[Session], object]) -> Log:
    """The log after judging, the document on screen then, and the criteria."""
    store = store_of(texts=TEXTS)
    session = session_of(store, ids=counted())
    judge(session)
    return log_of(store, session)


def log_of(store: Store, session: Recording) -> Log:
    """The log, the document on screen, and the criteria."""
    diary = [one._replace(at="") for qid in POOLED for one in criteria(store, qid, "ada")]
    return [event._replace(input="", event_id="") for event in comparable(store)], on_screen(session), diary


def perform(keys: list[str], session: Session) -> None:
    """Each key as the command that it stands for; what is refused is refused."""
    for key in keys:
        with suppress(InputError):
            COMMANDS[key](session) if key in COMMANDS else at(session).grade(int(key))


def lines_of(keys: list[str]) -> StringIO:
    return StringIO("".join(LINES.get(key, key) + "\n" for key in keys))


def presses(keys: list[str]) -> list[str]:
    return [one for key in keys for one in PRESSED.get(key, [key] if len(key) == 1 else [])]


def by_session(keys: list[str]) -> Log:
    return judged(lambda session: perform(keys, session))


def by_plain(keys: list[str]) -> Log:
    return judged(lambda session: PlainJudging(session, lines_of(keys), StringIO()).run())


def by_browser(keys: list[str]) -> Log:
    browser = Browser(lambda: store_of(texts=TEXTS), begin=lambda store, _: session_of(store))
    for key in keys:
        browser.fill(*FILLED[key]) if key in FILLED else browser.press(BUTTONS.get(key, key))
    log = browser.worker.run_and_wait(lambda store: log_of(store, browser.app.sessions.session_of("ada").session))
    browser.close()
    return log


def by_screen(keys: list[str]) -> Log:
    return judged(lambda session: on_the_screen(session, *presses(keys)))


def check_all_ways(keys: list[str], session: Way, plain: Way, browser: Way, screen: Way) -> None:
    """Line mode, browser and full screen write what the session does."""
    log = session(keys)
    assert plain(keys) == log
    assert browser(keys) == log
    typeable = [key for key in keys if key not in NO_KEYS]
    assert screen(typeable) == session(typeable)


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_the_same_keys_give_the_same_log(script: str) -> None:
    """Session and line mode record the same events and end at the same document."""
    keys = script.split()
    log = by_session(keys)
    assert log[0]
    assert by_plain(keys) == log


def test_the_full_screen_and_the_browser_give_the_same_log() -> None:
    """Every key, or all scripts, in one sitting at the full screen and in the browser; then as line mode."""
    keys = usually(EVERY_KEY, " u u u ".join(SCRIPTS.values())).split()
    assert set(keys) >= {*COMMANDS}
    check_all_ways(keys, by_session, by_plain, by_browser, by_screen)


def test_the_input_is_on_record() -> None:
    """Which skin a label came through is in the log."""
    store = store_of()
    at(session_of(store)).grade(0)
    PlainJudging(session_of(store), StringIO("1\n"), StringIO()).run()
    on_the_screen(session_of(store), "2")
    assert [event.input for event in read_events(store)] == ["", "plain", "key"]
