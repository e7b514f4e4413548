"""One script of keys, two ways to judge: the session and its line mode write the same log."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from io import StringIO
from itertools import count

import pytest

from cranfield.errors import InputError
from cranfield.judging.plain import Plain
from cranfield.judging.session import OTHER, REASONS, Session
from cranfield.log import Event
from tests.judging_cases import comparable, counted, on_screen, session_of, store_of

SCRIPTS = {
    "grades": "1 0 2 -1 1 1",
    "later and back": "s 1 s 2 0 u s 1 1",
    "undo and redo": "1 2 u u U U 0 u 1 u u U",
    "undo of everything": "1 s x1 u u u u 2",
    "redo is over": "1 u 0 U u U",
    "unsure": "? 1 ? ? 2 ? s 1 u",
    "notes": "n 1 n 0 s 1 u 2",
    "cannot judge": "x1 x2 x3 x4 u u U",
    "off the scale": "7 1 99 -2 0",
    "another topic": "1 N 2 N N s u 1",
    "beyond the end": "1 1 1 1 1 1 1 s x1 ? n N u 0 u u",
}
COMMANDS: dict[str, Callable[[Session], object]] = {
    "s": Session.later,
    "n": lambda session: session.note("1"),
    "?": Session.toggle_unsure,
    "u": Session.undo,
    "U": Session.redo,
    "N": Session.next_topic,
    "x1": lambda session: session.cannot_judge(REASONS[0]),
    "x2": lambda session: session.cannot_judge(REASONS[1]),
    "x3": lambda session: session.cannot_judge(REASONS[2]),
    "x4": lambda session: session.cannot_judge(OTHER + "all numbers"),
}
LINES = {"n": "n 1", "x1": "x 1", "x2": "x\n2", "x3": "x 3", "x4": "x\n4\nall numbers"}


def by_session(keys: list[str]) -> tuple[list[Event], object]:
    store = store_of()
    session = session_of(store, ids=counted(), clock=map(float, count()).__next__)
    for key in keys:
        with suppress(InputError):
            COMMANDS[key](session) if key in COMMANDS else session.grade(int(key))
    return list(comparable(store)), on_screen(session)


def by_plain(keys: list[str]) -> tuple[list[Event], object]:
    store = store_of()
    session = session_of(store, ids=counted(), clock=map(float, count()).__next__)
    Plain(session, StringIO("".join(LINES.get(key, key) + "\n" for key in keys)), StringIO()).run()
    return list(comparable(store)), on_screen(session)


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_the_same_keys_give_the_same_log(script: str) -> None:
    """Session and line mode record the same events and end at the same document."""
    keys = script.split()
    log, screen = by_session(keys)
    assert log
    assert by_plain(keys) == (log, screen)
