"""The converter as the rest sees it: a file in, what it holds out; a file that takes too long costs only itself."""

import json
import os
import select
import subprocess
import sys
import time
from types import TracebackType
from typing import Any, Self

from cranfield.errors import InputError
from cranfield.features.documents.conversion.builder import Converted, SkipError
from cranfield.features.documents.conversion.child import answer_to

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

    def convert(self, path: str, type: str, encoding: str = "") -> Converted:
        """What a file of a type holds, its size and SHA-256 among the metadata; a SkipError says why it does not."""
        ask = answer_to if type == "txt" else self._ask  # for which no library is needed
        answer = ask({"path": path, "type": type, "encoding": encoding})
        if "lacks" in answer:
            raise InputError(f"needs {answer['lacks']}: pip install 'cranfield[files]'", path)
        if "skip" in answer:
            raise SkipError(answer["skip"])
        converted = Converted(**answer["found"])
        return converted._replace(metadata={**converted.metadata, "bytes": answer["bytes"], "sha256": answer["sha256"]})

    def _ask(self, request: dict[str, str]) -> dict[str, Any]:
        if self._process is None:
            self._process = _begun()
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


def _begun() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "cranfield.features.documents.conversion.child"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, bufsize=0
    )
