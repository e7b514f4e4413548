"""The full screen without a terminal: keys in, what is on the screen out."""

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple
from unittest.mock import patch

from textual._compositor import Compositor
from textual.events import Key
from textual.message import Message

from cranfield.judging.frontends.terminal.modes import TopicPage
from cranfield.judging.frontends.terminal.terminal import Terminal
from cranfield.judging.session.recording import Recording
from tests.judging.cases import Clock

SIZE = (120, 40)
SMALL = (80, 24)
PATIENCE = 30.0


class Ticking(Clock):
    """A second passes whenever somebody looks at the clock."""

    def __call__(self) -> float:
        self.now += 1
        return self.now


class AtOnce(tuple[str, ...]):
    """Keys that are typed before anything can be drawn."""


class Until(NamedTuple):
    """What is to be on the screen, or to hold, before the next key."""

    what: str | Callable[[], bool]


class Screen:
    """What a test sees: the screen after the last key or, where it is asked for, after each."""

    def __init__(self, terminal: Terminal, each: bool) -> None:
        self.terminal, self.each = terminal, each
        self.after: list[str] = []
        self.colours: set[str] = set()
        self.topics = True  # whether new topics are for the test to put away

    @property
    def text(self) -> str:
        """The screen after the last key."""
        return self.after[-1]

    def see(self) -> None:
        """Remember the screen."""
        self.after.append(self.look())

    def look(self) -> str:
        """The screen now."""
        strips = self.terminal.screen._compositor.render_strips()
        styles = [segment.style for strip in strips for segment in strip if segment.style]
        colours = {colour for style in styles for colour in (style.color, style.bgcolor) if colour}
        self.colours |= {colour.name for colour in colours if not colour.is_default}
        return "\n".join(strip.text.rstrip() for strip in strips)


Step = str | Callable[[], object] | Message | AtOnce | Until


def on_the_screen(
    session: Recording,
    *keys: Step,
    size: tuple[int, int] = SIZE,
    clock: Callable[[], float] | None = None,
    topics: bool | None = None,
    each: bool = False,
    terminal: type[Terminal] = Terminal,
    **options: object,
) -> Screen:
    """Press keys, one after the other; between them call what is no key, and hand messages over.

    A new topic is put away without a key on the wide screen, unless `topics` are asked for. Drawing is most of the time
    that a key takes: with `each` the screen is drawn after every key, else after the last one.
    """
    screen = Screen(terminal(session, clock=clock or Ticking(), **options), each)  # type: ignore[arg-type]
    screen.topics = size != SIZE if topics is None else topics
    asyncio.run(_press(screen, keys, size))
    return screen


async def _press(screen: Screen, keys: tuple[Step, ...], size: tuple[int, int]) -> None:
    with patch.object(Compositor, "render_update", _nothing):
        async with screen.terminal.run_test(size=size):
            await _steps(screen, keys)
            if not screen.each:
                screen.see()


def _nothing(compositor: Compositor, **_: object) -> None:
    """What is written to a terminal that is not there: `look` draws the screen."""
    compositor._dirty_regions.clear()


async def _steps(screen: Screen, keys: tuple[Step, ...]) -> None:
    await _settle(screen)
    for key in keys:
        if isinstance(key, Until):
            await _there(screen, key.what)
        elif isinstance(key, AtOnce):
            for each in key:
                screen.terminal.post_message(Key(each, character_of(each)))
        elif isinstance(key, Message):
            screen.terminal.post_message(key)
        elif callable(key):
            key()
        else:
            screen.terminal.post_message(Key(key, character_of(key)))
        await _settle(screen)


def character_of(key: str) -> str | None:
    return " " if key == "space" else key if len(key) == 1 else None


async def _settle(screen: Screen) -> None:
    """Until all is drawn and, where the test does not look at topics, a new one is put away."""
    await _draw(screen)
    if not screen.topics and isinstance(screen.terminal.mode, TopicPage) and screen.terminal.mode.new:
        screen.terminal.leave()
        await _draw(screen)
    if screen.each:
        screen.see()


async def _there(screen: Screen, what: str | Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not (what() if callable(what) else what in " ".join(screen.look().split())):
        assert time.monotonic() < end, f"no {what!r} on the screen:\n{screen.look()}"
        await asyncio.sleep(0.01)


async def _draw(screen: Screen) -> None:
    """Until the document and whatever follows from it is drawn; pilot.press would wait for the processor, too."""
    await _quiet()
    screen.terminal._check_resize()  # a new size is taken up now, not when Textual's timer says so
    await _quiet()
    while screen.terminal.failure is None and screen.terminal.is_running and not screen.terminal.controller.is_drawn:
        screen.terminal.screen._on_timer_update()
        await asyncio.sleep(0.001)
    for _ in range(3 if screen.terminal.is_running else 0):
        await _quiet()
        screen.terminal.screen._on_timer_update()
    await _quiet()


async def _quiet() -> None:
    """Until nothing is left to run: everybody waits for a message, a clock or a key."""
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]
    await asyncio.sleep(0)
    while ready:
        await asyncio.sleep(0)


def keys_of(text: str) -> Iterator[str]:
    return (("space" if letter == " " else letter) for letter in text)
