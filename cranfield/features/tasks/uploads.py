"""Uploads: a form with a file, streamed to a temporary file without a name, so that nothing of it outlives the server.

What its sender calls the file is not used. Each part is bounded, and so is the time that all of it may take.
"""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from tempfile import TemporaryFile
from typing import IO, NamedTuple

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.exceptions import HTTPException
from starlette.requests import Request

from cranfield.formats.files import written

FIELDS = 64 * 1024  # bytes of all parts but the run
MOST_PARTS = 60
DAMAGED = "The form is damaged, or not all of it arrived. Nothing was recorded."
SLOWEST = 900.0  # seconds in which an upload has to arrive


class Upload(NamedTuple):
    """What was sent: the fields of the form, and the run, a file that its reader closes."""

    fields: dict[str, str]
    run: IO[bytes]
    size: int


class _Parts:
    """The parts of a form as they arrive."""

    def __init__(self, run: IO[bytes], most: int) -> None:
        self.run, self.most = run, most
        self.fields: dict[str, bytearray] = {}
        self.name, self.header, self.value = "", bytearray(), bytearray()
        self.size = self.parts = self.other = 0
        self.complete = False

    def callbacks(self) -> dict[str, Callable[..., None]]:
        """What the parser calls."""
        return {
            "on_part_begin": self.begin,
            "on_header_field": lambda data, start, end: self.header.extend(data[start:end]),
            "on_header_value": lambda data, start, end: self.value.extend(data[start:end]),
            "on_header_end": self.end_header,
            "on_part_data": self.data,
            "on_end": self.end,
        }

    def end(self) -> None:
        """The form is complete."""
        self.complete = True

    def begin(self) -> None:
        """A part begins."""
        self.name = ""
        self.parts += 1
        if self.parts > MOST_PARTS:
            raise HTTPException(400, f"The form has more than {MOST_PARTS} parts. Nothing was recorded.")

    def end_header(self) -> None:
        """A header of the part is complete."""
        if bytes(self.header).lower() == b"content-disposition":
            _, options = parse_options_header(bytes(self.value))
            self.name = options.get(b"name", b"").decode("utf-8", "replace")
        self.header.clear()
        self.value.clear()

    def data(self, data: bytes, start: int, end: int) -> None:
        """Some of the part."""
        if self.name == "run":
            self.size += self.run.write(data[start:end])
            if self.size > self.most:
                raise HTTPException(413, f"The file is larger than {written(self.most)} bytes. Nothing was recorded.")
            return
        self.other += end - start
        if self.other > FIELDS:
            raise HTTPException(413, "The form is too long. Nothing was recorded.")
        self.fields.setdefault(self.name, bytearray()).extend(data[start:end])


async def upload(request: Request, most: int) -> Upload:
    """The parts of a request, its run of at most so many bytes. An HTTPException where it cannot be taken."""
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind != b"multipart/form-data" or b"boundary" not in options:
        raise HTTPException(400, "This is no form with a file. Send multipart/form-data with a part called run.")
    if int(request.headers.get("content-length") or 0) > most + FIELDS:
        raise HTTPException(413, f"The file is larger than {written(most)} bytes. Nothing was recorded.")
    with ExitStack() as stack:
        parts = _Parts(stack.enter_context(TemporaryFile()), most)
        await _arrived(request, MultipartParser(options[b"boundary"], parts.callbacks()))  # type: ignore[arg-type]
        if not parts.complete:
            raise HTTPException(400, DAMAGED)
        stack.pop_all()
    return Upload({name: text.decode("utf-8", "replace") for name, text in parts.fields.items()}, parts.run, parts.size)


async def _arrived(request: Request, parser: MultipartParser) -> None:
    try:
        async with asyncio.timeout(SLOWEST):
            async for piece in request.stream():
                parser.write(piece)
    except MultipartParseError:
        raise HTTPException(400, DAMAGED) from None
    except TimeoutError:
        raise HTTPException(408, "The file took too long to arrive. Nothing was recorded.") from None
