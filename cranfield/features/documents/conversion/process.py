"""The converter as the rest sees it, and the process in which it converts, with limits.

A file goes in, what it holds comes out; one that takes too long costs only itself. The process reads requests, a line
of JSON each, and answers with a length and that much JSON. Whatever a file makes of it, nothing else is lost: it has a
limit of memory, writes no files, and can be killed.

The time limit counts the processor time of the process, so a busy machine does not decide which documents a corpus has.
A process that does not answer within `WAIT` times that limit on the clock is slow as well: it may wait for a disk.
"""

import io
import json
import os
import select
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib import import_module
from types import TracebackType
from typing import Any, BinaryIO, Self

from cranfield.errors import InputError
from cranfield.extras import EXTRAS, MissingExtraError
from cranfield.features.documents.conversion.builder import LONGEST, Conversion, SkipError, SlowError, align
from cranfield.formats.files import open_decompressed
from cranfield.parallel import environment_without_keys

SECONDS = 20.0  # of processor time for a file
PATIENCE = 3  # times the limit, for the second try of a slow file
WAIT = 30  # seconds on the clock for each second of processor time
ENDING_SECONDS = 10  # from the end of the output to that of the process
COMMAND = (sys.executable, "-P", "-m", __name__)  # -P: modules in the current folder may be a stranger's


class Converter:
    """A process that converts; begun with the first file, and anew after a file that it did not survive.

    `seconds` is the limit of processor time for a file.
    """

    def __init__(self, seconds: float = SECONDS, command: Sequence[str] = ()) -> None:
        self.seconds = seconds
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def convert(self, path: str, type: str, encoding: str = "", patience: float = 1) -> Conversion:
        """What a file of a type holds, its size and SHA-256 among the metadata; a SkipError says why it does not.

        `patience` multiplies the limit of processor time. A SlowError says that another try may succeed.
        """
        ask = answer_to if type == "txt" else self._ask  # for which no library is needed
        answer = ask({"path": path, "type": type, "encoding": encoding, "seconds": self.seconds * patience})
        if "lacks" in answer:
            raise MissingExtraError("files", "the file", answer["lacks"], path)
        if "skip" in answer:
            raise SkipError(answer["skip"])
        content = Conversion(**answer["found"])
        return content._replace(metadata={**content.metadata, "bytes": answer["bytes"], "sha256": answer["sha256"]})

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        if self._process is None:
            self._process = _start(self._command or COMMAND)
        seconds = request["seconds"]
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            answer: dict[str, Any] = json.loads(self._read(seconds * WAIT))
            return answer
        except (EOFError, BrokenPipeError):
            raise _reason_of_end(self._end(is_over=True), seconds) from None
        except TimeoutError:
            self._end()
            raise SlowError(f"too slow: no answer within {seconds * WAIT:g} seconds") from None

    def _read(self, seconds: float) -> bytes:
        until = time.monotonic() + seconds
        return self._bytes(int.from_bytes(self._bytes(8, until), "big"), until)

    def _bytes(self, number: int, until: float) -> bytes:
        """So many bytes of the answer, as soon as they are there."""
        assert self._process is not None
        assert self._process.stdout is not None
        pipe, data = self._process.stdout.fileno(), bytearray()
        while len(data) < number:
            if not select.select([pipe], [], [], max(until - time.monotonic(), 0))[0]:
                raise TimeoutError
            if not (piece := os.read(pipe, min(number - len(data), 1 << 20))):
                raise EOFError
            data += piece
        return bytes(data)

    def _end(self, is_over: bool = False) -> int:
        """End the process. Returns its exit status, or minus the number of the signal that ended it.

        `is_over`: it closed its output, so it has ended or is ending, and its own status is wanted.
        """
        process, self._process = self._process, None
        if process is None:
            return 0
        if is_over:
            with suppress(subprocess.TimeoutExpired):
                process.wait(ENDING_SECONDS)
        process.kill()
        process.communicate()
        return process.returncode


def _reason_of_end(status: int, seconds: float) -> SkipError:
    if status == -getattr(signal, "SIGPROF", 0):
        return SlowError(f"too slow: more than {seconds:g} seconds of processor time")
    if status == -getattr(signal, "SIGKILL", 0):
        return SlowError("killed during the conversion, perhaps for lack of memory")
    return SkipError("damaged: the conversion failed")


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    environment = environment_without_keys() | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen(
        [*command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, bufsize=0
    )


MEMORY = 2 << 30
LARGEST = 256 << 20  # bytes of a file
CONVERTERS = {
    "txt": "texts:txt", "eml": "email_messages:email", "html": "html:html", "md": "html:markdown", "pdf": "files:pdf",
    "docx": "files:docx", "picture": "files:picture",
}  # fmt: skip


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Convert one file after the other, until there are no requests."""
    _limit()
    for line in requests:
        request = json.loads(line)
        with processor_time_limited(request.get("seconds", 0)):
            answer = json.dumps(answer_to(request)).encode()
        answers.write(len(answer).to_bytes(8, "big") + answer)
        answers.flush()


@contextmanager
def processor_time_limited(seconds: float) -> Iterator[None]:
    """End the process with SIGPROF where a block takes more processor time; 0, or on Windows, without a limit."""
    if not hasattr(signal, "ITIMER_PROF"):
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _limit() -> None:
    """Limit the memory, where the system can, and let nothing be written to a file."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        if sys.platform == "linux":
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def answer_to(request: Mapping[str, Any]) -> dict[str, Any]:
    """What a file holds, why it is skipped, or which library is missing."""
    try:
        if not (stored := contents(request["path"])) or not (data := decompressed(stored)):
            raise SkipError("empty")
        content = align(_converter(request["type"])(data, request["encoding"]))
        if len(content.text) > LONGEST:
            raise SkipError(f"too large: more than {LONGEST >> 20}M of text")
        return {"found": content._asdict(), "bytes": len(stored), "sha256": sha256(stored).hexdigest()}
    except SkipError as error:
        return {"skip": str(error)}
    except ImportError as error:
        return {"lacks": EXTRAS["files"].packages.get(error.name or "", error.name or str(error))}
    except (MemoryError, RecursionError):
        return {"skip": "too large: the conversion needs too much memory"}
    except Exception as error:  # of a library, on a file that nobody has seen
        return {"skip": f"damaged: {' '.join(str(error).split())[:200] or error.__class__.__name__}"}


def _converter(type: str) -> Callable[[bytes, str], Conversion]:
    module, _, name = CONVERTERS[type].partition(":")
    convert: Callable[[bytes, str], Conversion] = getattr(import_module(f"{__package__}.{module}"), name)
    return convert


def contents(path: str) -> bytes:
    """A regular file, whole; what is none is skipped, and a link is not followed."""
    try:
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        raise SkipError(f"cannot be read: {error.strerror}") from None
    with open(number, "rb") as file:
        status = os.fstat(number)
        if not stat.S_ISREG(status.st_mode):
            raise SkipError("no regular file")
        if status.st_size > LARGEST:
            raise SkipError(f"too large: {status.st_size:,} bytes")
        return file.read(LARGEST)


def decompressed(data: bytes) -> bytes:
    """The bytes of a file that is compressed, or the same; the first bytes say it, as for every other reader."""
    try:
        with open_decompressed("", content=io.BytesIO(data)) as plain:
            content = plain.read(LARGEST + 1)
    except InputError as error:
        raise SkipError(f"damaged: {error.message}") from None
    if len(content) > LARGEST:
        raise SkipError(f"too large: more than {LARGEST >> 20}M decompressed")
    return content


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
