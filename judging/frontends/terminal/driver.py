"""A robust terminal driver: pastes are never keys, bytes that are not UTF-8 end nothing, the terminal may go away."""

from __future__ import annotations

import asyncio
import os
import signal
import termios
from codecs import getincrementaldecoder
from contextlib import suppress
from select import select
from time import monotonic
from typing import TYPE_CHECKING

from textual._xterm_parser import XTermParser
from textual.driver import Driver
from textual.events import Key, Paste
from textual.message import Message

from cranfield.judging.frontends.terminal.paste import Pastes

if TYPE_CHECKING:
    from textual.drivers.linux_driver import LinuxDriver
else:
    LinuxDriver = object

QUIET = 0.05  # seconds without input after which a burst of it is over
TICK = 0.1  # seconds without input after which an ESC is the key
STUCK = 1.0  # seconds without input after which Ctrl-C alone ends a paste that has no end mark
CTRL_C = b"\x03"


class Unended(Message):
    """A paste has begun, but neither its end nor anything else has come."""


class Ended(Message):
    """The program is asked to end, or its terminal is gone; `status` is the exit status."""

    def __init__(self, status: int) -> None:
        super().__init__()
        self.status = status


class Lenient(LinuxDriver):
    """Keeps pastes apart from keys; discards a burst of input with bytes that are not UTF-8, as an empty paste.

    When the program is asked to end, or the terminal is gone, it is notified; nothing is written to a terminal that is
    gone.
    """

    gone = False

    def start_application_mode(self) -> None:
        super().start_application_mode()  # type: ignore[no-untyped-call]
        for number in (signal.SIGHUP, signal.SIGTERM):
            if signal.getsignal(number) is not signal.SIG_IGN:
                asyncio.get_running_loop().add_signal_handler(number, self._asked, number)

    def _asked(self, number: int) -> None:
        try:
            termios.tcgetattr(self.fileno)
        except termios.error:
            self.gone = True
        self.process_message(Ended(128 + number))

    def write(self, data: str) -> None:
        if not self.gone:
            super().write(data)

    def close(self) -> None:
        if not self.gone:
            super().close()

    def run_input_thread(self) -> None:
        self._begin()
        while not self.exit_event.is_set():
            if select([self.fileno], [], [], TICK)[0]:
                if not (data := self._read()):
                    self.gone = True
                    self.process_message(Ended(128 + signal.SIGHUP))
                    return
                self._arrived(data)
            else:
                self._nothing_came()

    def _read(self) -> bytes:
        """The new input; empty where the terminal is gone."""
        try:
            return os.read(self.fileno, 4096)
        except OSError:
            return b""

    def _begin(self) -> None:
        self._pastes, self._parser = Pastes(), XTermParser()
        self._decoder = getincrementaldecoder("utf-8")()
        self._last, self._told = monotonic(), False  # when input last came, and whether an open paste has been reported

    def _arrived(self, data: bytes) -> None:
        if self._pastes.open and data == CTRL_C and monotonic() - self._last > STUCK:
            self.process_message(Paste(self._pastes.give_up()))
        self._last = monotonic()
        self._told = False
        try:
            for part in [*self._pastes.take(data)]:
                self._obey(part)
        except UnicodeDecodeError:
            self._decoder.reset()
            self._drain()
            self.process_message(Paste(""))

    def _nothing_came(self) -> None:
        if self._pastes.quiet():
            self.process_message(Key("escape", "\x1b"))
        for event in self._parser.tick():
            self.process_message(event)
        if self._pastes.open and not self._told and monotonic() - self._last > STUCK:
            self._told = True
            self.process_message(Unended())

    def _obey(self, part: bytes | str) -> None:
        if isinstance(part, str):
            self.process_message(Paste(part))
        elif text := self._decoder.decode(part):
            for event in self._parser.feed(text):
                self.process_message(event)

    def _drain(self) -> None:
        """Read on until nothing comes; a paste that begins in it still counts."""
        with suppress(OSError):
            while select([self.fileno], [], [], QUIET)[0] and (data := os.read(self.fileno, 4096)):
                for _ in self._pastes.take(data):
                    pass


def lenient(driver: type[Driver]) -> type[Driver]:
    """The driver, made lenient if it reads bytes from a terminal."""
    return type(driver.__name__, (Lenient, driver), {}) if hasattr(driver, "run_input_thread") else driver
