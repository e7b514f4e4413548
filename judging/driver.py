"""Terminal input that may be anything: bytes that are no UTF-8 end neither the session nor the screen."""

from __future__ import annotations

import os
from contextlib import suppress
from select import select
from typing import TYPE_CHECKING

from textual.driver import Driver
from textual.events import Paste

if TYPE_CHECKING:
    from textual.drivers.linux_driver import LinuxDriver
else:
    LinuxDriver = object

QUIET = 0.05  # seconds without input after which a burst of it is over


class Lenient(LinuxDriver):
    """Throws away a burst of input with bytes that are no UTF-8, as a paste of which nothing is left."""

    def run_input_thread(self) -> None:
        while not self.exit_event.is_set():
            try:
                super().run_input_thread()
            except UnicodeDecodeError:
                self._drain()
                self.process_message(Paste(""))

    def _drain(self) -> None:
        with suppress(OSError):
            while select([self.fileno], [], [], QUIET)[0] and os.read(self.fileno, 4096):
                pass


def lenient(driver: type[Driver]) -> type[Driver]:
    """The driver, made lenient if it reads bytes from a terminal."""
    return type(driver.__name__, (Lenient, driver), {}) if hasattr(driver, "run_input_thread") else driver
