"""One input read by one reader: what came of it, told by a seed alone."""

import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import process_time
from typing import NamedTuple

import typer

from cranfield.cli.tables import one_line
from cranfield.errors import CranfieldError
from cranfield.text import UNSEEN
from tests.hardening.inputs import damage
from tests.hardening.readers import Reader

SECONDS, CHARACTERS = 10, 2100
KEPT = 20  # of so many inputs that are read, one is kept as well
BREAKS = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


class TooLongError(BaseException):
    """A reader that does not end."""


class Outcome(NamedTuple):
    """What came of an input: "read", "refused", or else what is wrong; in how many seconds of the processor."""

    what: str
    seconds: float


def outcome(reader: Reader, seed: int, folder: Path) -> Outcome:
    """Read the input of a seed, written into a folder."""
    path = write(reader, damage(random_of(reader.name, seed), reader.samples), folder)
    start = process_time()
    try:
        with time_limit(SECONDS):
            content = reader.read(path)
            if reader.keep and seed % KEPT == 0:
                reader.keep(content)
        what = "read"
    except CranfieldError as error:
        what = unclean(str(error)) or "refused"
    except typer.BadParameter as error:
        what = unclean(one_line(error.message)) or "refused"
    except TooLongError:
        what = f"no end after {SECONDS} seconds"
    except Exception as error:
        what = f"{type(error).__name__}: {error}"[:200] + where(error)
    return Outcome(what, process_time() - start)


def random_of(name: str, seed: int) -> Random:
    return Random(f"{name} {seed}")


def write(reader: Reader, data: bytes, folder: Path) -> Path:
    """The file, or the folder that it is in, as the reader wants it."""
    path = folder / "input"
    if reader.inside:
        path.mkdir(exist_ok=True)
    (path / reader.inside).write_bytes(data)
    return path


def unclean(message: str) -> str:
    """What is wrong with an error's message, nothing if it is one line that a terminal can show."""
    if BREAKS.search(message):
        return f"a message of several lines: {message!r:.200}"
    if re.search(UNSEEN, message):
        return f"a message with controls: {message!r:.200}"
    return f"a message of {len(message)} characters: {message!r:.100}" if len(message) > CHARACTERS else ""


def where(error: BaseException) -> str:
    """The last line of the program that an error came through."""
    trace, line = error.__traceback__, ""
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if "/tests/" not in name and "site-packages" not in name and "/lib/python" not in name:
            line = f" ({Path(name).name}:{trace.tb_lineno})"
        trace = trace.tb_next
    return line


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """A block that is stopped when it takes longer, of processor time; in the main thread alone."""

    def stop(number: int, frame: object) -> None:
        raise TooLongError

    before: Callable[..., object] | int | None = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
