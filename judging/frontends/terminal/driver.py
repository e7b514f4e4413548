"""A robust terminal driver: pastes are never keys, bytes that are not UTF-8 end nothing, the terminal may go away.

A bracketed paste is the text between the start mark and the end mark, whatever it is. Textual has no public
parser of keys, and its driver takes no other reader of pastes; so its private parser is used here, for keys alone.
"""

import asyncio
import os
import signal
import termios
from codecs import getincrementaldecoder
from collections.abc import Iterator
from contextlib import suppress
from select import select
from time import monotonic
from typing import TYPE_CHECKING

from textual._xterm_parser import XTermParser
from textual.driver import Driver
from textual.events import Key, Paste
from textual.message import Message

START, END = b"\x1b[200~", b"\x1b[201~"
ESCAPE = START[:1]
LONGEST = 1_000_000  # bytes of a paste that are kept


class Pastes:
    r"""Separates pastes from keys in bytes that may be cut anywhere: a paste becomes text, typed keys stay bytes.

    What may be the beginning of a mark waits for the rest of it; a lone ESC may be the key itself, see `quiet`.

    >>> pastes = Pastes()
    >>> list(pastes.take(b"1\x1b[200~q\x1b[0m")), list(pastes.take(b"\x1b[20")), list(pastes.take(b"1~2"))
    ([b'1'], [], ['q\x1b[0m', b'2'])
    >>> list(pastes.take(b"\x1b")), pastes.take_lone_escape(), pastes.take_lone_escape()
    ([], b'\x1b', b'')
    """

    def __init__(self) -> None:
        self._tail = b""  # perhaps the beginning of a mark
        self._pasted: bytearray | None = None  # so far, None outside a paste

    @property
    def open(self) -> bool:
        """Whether a paste has begun and not ended."""
        return self._pasted is not None

    def take(self, data: bytes) -> Iterator[bytes | str]:
        """The keys and the pastes that these bytes complete."""
        data, self._tail = self._tail + data, b""
        while data:
            before, mark, after = data.partition(END if self.open else START)
            rest = 0 if mark else _count_bytes_of_begun_mark(before, END if self.open else START)
            text, self._tail = before[: len(before) - rest], before[len(before) - rest :]
            if self._pasted is not None:
                self._pasted += text[: max(LONGEST - len(self._pasted), 0)]
            elif text:
                yield text
            if mark and self._pasted is not None:
                yield self.end_paste()
            elif mark:
                self._pasted = bytearray()
            data = after

    def take_lone_escape(self) -> bytes:
        """The key ESC, if nothing followed it."""
        escape = ESCAPE if self._tail == ESCAPE and not self.open else b""
        self._tail = self._tail[len(escape) :]
        return escape

    def end_paste(self) -> str:
        """The paste so far, which ends here."""
        paste, self._pasted, self._tail = bytes(self._pasted or b""), None, b""
        return paste.decode(errors="replace") + "…" * (len(paste) == LONGEST)


def _count_bytes_of_begun_mark(data: bytes, mark: bytes) -> int:
    """How many bytes at the end may be the beginning of a mark."""
    return next((size for size in range(len(mark) - 1, 0, -1) if data.endswith(mark[:size])), 0)


if TYPE_CHECKING:
    from textual.drivers.linux_driver import LinuxDriver
else:
    LinuxDriver = object

QUIET = 0.05  # seconds without input after which a burst of it is over
TICK = 0.1  # seconds without input after which an ESC is the key
STUCK = 1.0  # seconds without input after which Ctrl-C alone ends a paste that has no end mark
CTRL_C = b"\x03"


class OpenPaste(Message):
    """A paste has begun, but neither its end nor anything else has come."""


class EndRequest(Message):
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
                asyncio.get_running_loop().add_signal_handler(number, self._on_signal, number)

    def _on_signal(self, number: int) -> None:
        try:
            termios.tcgetattr(self.fileno)
        except termios.error:
            self.gone = True
        self.process_message(EndRequest(128 + number))

    def write(self, data: str) -> None:
        if not self.gone:
            super().write(data)

    def close(self) -> None:
        if not self.gone:
            super().close()

    def run_input_thread(self) -> None:
        self._pastes, self._parser = Pastes(), XTermParser()
        self._decoder = getincrementaldecoder("utf-8")()
        self._last = monotonic()  # when input last came
        self._is_reported = False  # whether an open paste has been reported
        while not self.exit_event.is_set():
            if select([self.fileno], [], [], TICK)[0]:
                if not (data := self._read()):
                    self.gone = True
                    self.process_message(EndRequest(128 + signal.SIGHUP))
                    return
                self._take(data)
            else:
                if self._pastes.take_lone_escape():
                    self.process_message(Key("escape", "\x1b"))
                for event in self._parser.tick():
                    self.process_message(event)
                if self._pastes.open and not self._is_reported and monotonic() - self._last > STUCK:
                    self._is_reported = True
                    self.process_message(OpenPaste())

    def _read(self) -> bytes:
        """The new input; empty where the terminal is gone."""
        try:
            return os.read(self.fileno, 4096)
        except OSError:
            return b""

    def _take(self, data: bytes) -> None:
        if self._pastes.open and data == CTRL_C and monotonic() - self._last > STUCK:
            self.process_message(Paste(self._pastes.end_paste()))
        self._last = monotonic()
        self._is_reported = False
        try:
            for part in [*self._pastes.take(data)]:
                self._obey(part)
        except UnicodeDecodeError:
            self._decoder.reset()
            self._drain()
            self.process_message(Paste(""))

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


def make_driver_lenient(driver: type[Driver]) -> type[Driver]:
    """The driver, made lenient if it reads bytes from a terminal."""
    return type(driver.__name__, (Lenient, driver), {}) if hasattr(driver, "run_input_thread") else driver
