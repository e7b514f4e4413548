"""The converter as the rest sees it, and the process in which it converts, with limits.

A file goes in, what it holds comes out; one that takes too long costs only itself. The process reads requests, a line
of JSON each, and answers with a length and that much JSON. Whatever a file makes of it, nothing else is lost: it has a
limit of memory, writes no files, and can be killed.
"""

import json
import os
import select
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from importlib import import_module
from types import TracebackType
from typing import Any, BinaryIO, Self

from cranfield.errors import InputError
from cranfield.features.documents.conversion.builder import LONGEST, Conversion, SkipError, align

SECONDS = 20.0  # for a file


class Converter:
    """A process that converts; begun with the first file, and anew after a file that it did not survive."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def convert(self, path: str, type: str, encoding: str = "") -> Conversion:
        """What a file of a type holds, its size and SHA-256 among the metadata; a SkipError says why it does not."""
        ask = answer_to if type == "txt" else self._ask  # for which no library is needed
        answer = ask({"path": path, "type": type, "encoding": encoding})
        if "lacks" in answer:
            raise InputError(f"needs {answer['lacks']}: pip install 'cranfield[files]'", path)
        if "skip" in answer:
            raise SkipError(answer["skip"])
        content = Conversion(**answer["found"])
        return content._replace(metadata={**content.metadata, "bytes": answer["bytes"], "sha256": answer["sha256"]})

    def _ask(self, request: dict[str, str]) -> dict[str, Any]:
        if self._process is None:
            self._process = _start()
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            answer: dict[str, Any] = json.loads(self._read())
            return answer
        except (EOFError, BrokenPipeError):
            self._end()
            raise SkipError("damaged: its conversion broke off") from None
        except TimeoutError:
            self._end()
            raise SkipError(f"too slow: more than {self.seconds:g} seconds") from None

    def _read(self) -> bytes:
        until = time.monotonic() + self.seconds
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

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _start() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", __name__]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, bufsize=0
    )


MEMORY = 2 << 30
LARGEST = 256 << 20  # bytes of a file
CONVERTERS = {
    "txt": "texts:plain", "eml": "html:email", "html": "html:html", "md": "html:markdown", "pdf": "files:pdf",
    "docx": "files:docx", "picture": "files:picture",
}  # fmt: skip


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Convert one file after the other, until there are no requests."""
    _limit()
    for line in requests:
        answer = json.dumps(answer_to(json.loads(line))).encode()
        answers.write(len(answer).to_bytes(8, "big") + answer)
        answers.flush()


def _limit() -> None:
    """Limit the memory, where the system can, and let nothing be written to a file."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        if sys.platform == "linux":
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def answer_to(request: Mapping[str, str]) -> dict[str, Any]:
    """What a file holds, why it is skipped, or which library is missing."""
    try:
        if not (data := contents(request["path"])):
            raise SkipError("empty")
        content = align(_converter(request["type"])(data, request["encoding"]))
        if len(content.text) > LONGEST:
            raise SkipError(f"too large: more than {LONGEST >> 20}M of text")
        return {"found": content._asdict(), "bytes": len(data), "sha256": sha256(data).hexdigest()}
    except SkipError as error:
        return {"skip": str(error)}
    except ImportError as error:
        return {"lacks": error.name or str(error)}
    except (MemoryError, RecursionError):
        return {"skip": "too large: it takes more memory than a conversion may have"}
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


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
