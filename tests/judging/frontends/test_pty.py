"""The full screen in a real terminal: it starts by itself, and kill -9 loses nothing."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fcntl import ioctl
from itertools import pairwise
from pathlib import Path
from struct import pack
from termios import TIOCSWINSZ, tcgetattr
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.judging.frontends.terminal.driver import Pastes
from cranfield.store.log import current_decisions, read_events
from cranfield.store.store import Store
from tests.conftest import ROOT, usually
from tests.judging.cases import on_screen, session_of, store_of

pytestmark = [pytest.mark.full, pytest.mark.needs_extra("terminal")]

JUDGE = (
    "import typer; from cranfield.cli.commands.judge import judge;"
    " from cranfield.cli.common_options import expand_option_records;"
    " typer.run(expand_option_records(judge))"
)
PATIENCE = 30.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store of three topics."""
    store_of(path=tmp_path / "track.db").close()
    return tmp_path / "track.db"


class Window:
    """A terminal of 120 by 40 with a process in it."""

    def __init__(self, master: int, process: subprocess.Popen[bytes]) -> None:
        self._master, self.process = master, process
        self._output = b""

    @property
    def settings(self) -> list[Any]:
        """What the terminal does with what is typed."""
        return tcgetattr(self._master)

    def close(self) -> None:
        """Let the terminal go away."""
        os.close(self._master)
        self._master = -1

    def rest(self) -> str:
        """All that was written and not looked at."""
        with suppress(OSError):
            self.settle()
        return self._output.decode(errors="replace")

    def type(self, keys: str) -> None:
        self.send(keys.encode())

    def send(self, keys: bytes) -> None:
        os.write(self._master, keys)

    def begin(self) -> None:
        """Put the topic away and wait for the document: a key must not come before it can have been seen."""
        self.until("Read this topic first")
        self.settle()
        self.type(" ")
        self.until("text of ")
        self.settle()

    def settle(self) -> None:
        """Until nothing more is written."""
        while select.select([self._master], [], [], 0.2)[0]:
            self._output += os.read(self._master, 65536)

    def until(self, text: str) -> str:
        """What is written up to a text."""
        end = time.monotonic() + PATIENCE
        while text.encode() not in self._output:
            assert time.monotonic() < end, f"no {text!r} in {self._output[-2000:]!r}"
            if select.select([self._master], [], [], 0.1)[0]:
                self._output += os.read(self._master, 65536)
        before, _, self._output = self._output.partition(text.encode())
        return before.decode()


@contextmanager
def window(path: Path, *options: str, term: str = "xterm") -> Iterator[Window]:
    """`judge` in a terminal; killed at the end."""
    master, slave = pty.openpty()
    ioctl(slave, TIOCSWINSZ, pack("HHHH", 40, 120, 0, 0))
    command = [sys.executable, "-c", JUDGE, str(path), "--assessor", "ada", "--order", "docid", *options]
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    environment["TERM"] = term
    with subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, cwd=ROOT, env=environment) as process:
        os.close(slave)
        screen = Window(master, process)
        try:
            yield screen
        finally:
            process.kill()
            process.wait()
            with suppress(OSError):
                screen.close()


def test_kill_loses_nothing_on_the_full_screen(path: Path) -> None:
    """A label that was seen to be recorded is there after kill -9, and judging goes on where it was."""
    with window(path) as screen:
        screen.begin()
        screen.type("2")
        screen.until("1: grade 2")
    assert labels(path) == {("q1", "d1"): 2}
    with Store.open(path) as store:
        assert on_screen(session_of(store)) == ("q1", "d2")


PASTE, OVER = b"\x1b[200~", b"\x1b[201~"
INSIDE = (
    b"\x1b[0m q",
    b"\x1b",
    b"\x1b[200~1",
    b"\x1b[20",
    b"\x1b[A2\x1bOP1\x03\x04\x1a",
    b"\x1b[<0;1;1M\x1b]0;title\x07\x1bP1\x1b\\",
    b"\x1b[49;5u\x1b[48;24;80;0;0t\x1b[I\x1b[O",
    b"1 na\xefve \x9b1m\xff 2",  # of a file in another encoding
    b"1\x00\x1b" * 2000,
)


@pytest.mark.daily
def test_a_paste_is_text_whatever_is_in_it(path: Path) -> None:
    """What is in it neither grades nor quits, cut anywhere, also in a note; keys after it are obeyed, also Esc."""
    with window(path) as screen:
        screen.begin()
        for inside in INSIDE:
            screen.send(PASTE + inside + OVER)
        for piece in (b"\x1b[2", b"00~1\x1b", b"2\x1b[20", b"0m", b"q\x1b[201", b"~"):
            screen.send(piece)
            screen.settle()  # for long enough to tell a key ESC from a mark
        screen.until("pasted text is ignored; press the keys instead")
        screen.settle()
        assert labels(path) == {}
        screen.type("?")
        screen.until("to the document")
        screen.settle()
        screen.send(b"\x1b")
        screen.until("text of ")
        screen.settle()
        screen.type("n")
        screen.until("Note")
        screen.send(PASTE + b"a\x1b[0m\rb q" + OVER + b"\r")
        screen.settle()
        screen.type("2")
        screen.until("1: grade 2")
    with Store.open(path) as store:
        label = current_decisions(store, "ada")["q1", "d1"]
    assert (label.grade, label.note) == (2, "a␛[0m b q")


@given(st.lists(st.sampled_from([*INSIDE[:-1], b"", b"\xff\x1b", b"\xc3\xa9"])), st.data())
def test_pastes_are_found_however_they_are_cut(pastes: list[bytes], data: st.DataObject) -> None:
    """Each is one text, and what is typed between them stays as it is."""
    whole = b"1".join(PASTE + inside + OVER for inside in pastes)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=20)))
    parts, pastes_in = list[bytes | str](), Pastes()
    for start, end in pairwise([0, *cuts, len(whole)]):
        parts += pastes_in.take(whole[start:end])
    assert [part for part in parts if isinstance(part, str)] == [text.decode(errors="replace") for text in pastes]
    assert b"".join(part for part in parts if isinstance(part, bytes)) == b"1" * (len(pastes) - 1)
    assert not pastes_in.open


@pytest.mark.daily
def test_a_paste_without_an_end(path: Path) -> None:
    """It is told that no key is obeyed, and Ctrl-C quits."""
    with window(path) as screen:
        screen.begin()
        screen.send(PASTE + b"\x1b[0m12")
        screen.until("Ctrl-C quits")
        screen.type("1q")
        screen.until("Ctrl-C quits")
        screen.send(b"\x03")
        screen.until("judged 0")
        assert screen.process.wait(PATIENCE) == 0
    assert labels(path) == {}


# A terminal in trouble


@pytest.mark.parametrize("number", usually([signal.SIGTERM], [signal.SIGTERM, signal.SIGHUP]))
def test_whoever_ends_it_leaves_the_terminal_as_it_was(path: Path, number: signal.Signals) -> None:
    """The note that is being written is on disk, and the shell can be used on."""
    with window(path) as screen:
        before = screen.settings
        screen.begin()
        assert screen.settings != before
        screen.type("nhalf a note")
        screen.until("kept")
        screen.settle()
        screen.process.send_signal(number)
        screen.until(RESTORED)
        assert screen.process.wait(PATIENCE) == 128 + number
        assert screen.settings == before
        assert "Traceback" not in screen.rest()
    assert notes(path) == ["half a note"]


@pytest.mark.daily
def test_a_terminal_that_goes_away(path: Path) -> None:
    """Nobody is left behind, and the note that was being written is on disk."""
    with window(path) as screen:
        screen.begin()
        screen.type("nhalf a note")
        screen.until("kept")
        screen.settle()
        screen.close()
        assert screen.process.wait(PATIENCE) == 128 + signal.SIGHUP
    assert notes(path) == ["half a note"]


@pytest.mark.daily
def test_ctrl_z(path: Path) -> None:
    """It lies still, the terminal as it was, until it is taken up; then it goes on where it was."""
    with window(path) as screen:
        before = screen.settings
        screen.begin()
        screen.send(b"\x1a")
        screen.until(RESTORED)
        os.waitid(os.P_PID, screen.process.pid, os.WSTOPPED | os.WNOWAIT)
        assert screen.settings == before
        screen.process.send_signal(signal.SIGCONT)
        screen.until("text of d1")
        screen.settle()
        screen.type("2")
        screen.until("1: grade 2")
    assert labels(path) == {("q1", "d1"): 2}


@pytest.mark.parametrize("kind", usually(["dumb"], ["dumb", ""]))
def test_a_terminal_that_can_nothing(path: Path, kind: str) -> None:
    """It is given lines."""
    with window(path, term=kind) as screen:
        screen.until("text of d1")
        screen.until("> ")
        screen.type("2\n")
        screen.until("Recorded: topic q1, document 1: grade 2")
        assert "\x1b" not in screen.until("> ")


@pytest.mark.parametrize("closed", usually(["<&- >&- 2>&-"], ["<&-", "<&- >&- 2>&-"]))
def test_streams_that_are_closed(path: Path, closed: str) -> None:
    """They are taken for empty ones."""
    command = f'"{sys.executable}" -m cranfield judge "{path}" --assessor ada {closed}'
    output = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False, input="")
    assert (output.returncode, output.stderr) == (0, "")


RESTORED = "\x1b[?1049l"  # how the screen of before is brought back


def notes(path: Path) -> list[str]:
    with Store.open(path) as store:
        return [event.note for event in read_events(store)]


def labels(path: Path) -> dict[tuple[str, str], int | None]:
    with Store.open(path) as store:
        return {pair: event.grade for pair, event in current_decisions(store, "ada").items()}
