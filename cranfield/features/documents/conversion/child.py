"""The process that converts: it reads requests, a line of JSON each, and answers with a length and that much JSON.

Whatever a file makes of it, nothing else is lost: it has a limit of memory, writes no files, and can be killed.
"""

import json
import os
import stat
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from importlib import import_module
from typing import Any, BinaryIO

from cranfield.features.documents.conversion.builder import LONGEST, Converted, SkipError, aligned

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
        converted = aligned(_converter(request["type"])(data, request["encoding"]))
        if len(converted.text) > LONGEST:
            raise SkipError(f"too large: more than {LONGEST >> 20}M of text")
        return {"found": converted._asdict(), "bytes": len(data), "sha256": sha256(data).hexdigest()}
    except SkipError as error:
        return {"skip": str(error)}
    except ImportError as error:
        return {"lacks": error.name or str(error)}
    except (MemoryError, RecursionError):
        return {"skip": "too large: it takes more memory than a conversion may have"}
    except Exception as error:  # of a library, on a file that nobody has seen
        return {"skip": f"damaged: {' '.join(str(error).split())[:200] or error.__class__.__name__}"}


def _converter(type: str) -> Callable[[bytes, str], Converted]:
    module, _, name = CONVERTERS[type].partition(":")
    convert: Callable[[bytes, str], Converted] = getattr(import_module(f"{__package__}.{module}"), name)
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
