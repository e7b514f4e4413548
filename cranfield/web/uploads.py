"""Forms with files: each part is bounded, files go to a folder on disk, and nothing of a form that fails stays."""

import asyncio
import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import IO, NamedTuple

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.exceptions import HTTPException
from starlette.requests import Request

from cranfield.formats.files import format_byte_size
from cranfield.web.language import translatable

MAX_FIELD_BYTES = 2 << 20  # of all fields together
MAX_FILES, MAX_FIELDS = 1000, 100
MAX_PART_HEADERS, MAX_PART_HEADER_BYTES = 8, 4096  # of one part
MAX_EPILOGUE_BYTES = 1024  # after the last boundary, which RFC 2046 allows and nobody reads
MAX_NAME_CHARS = 120
NOTHING_STORED = translatable("Nothing was stored.")


class FormLimits(NamedTuple):
    """What a form with files may have, and the sentence that ends the refusal of a form that has more."""

    file_bytes: int  # of all files together
    field_bytes: int = MAX_FIELD_BYTES  # of all other parts together
    parts: int = MAX_FILES + MAX_FIELDS
    seconds: float = 3600.0  # in which it has to arrive
    outcome: str = NOTHING_STORED

    def refusal(self, status: int, reason: str, headers: Mapping[str, str] | None = None) -> HTTPException:
        """The error that refuses a form."""
        return HTTPException(status, f"{reason} {self.outcome}", headers)

    @property
    def too_large(self) -> HTTPException:
        """The refusal of files that are too large together."""
        return self.refusal(413, f"The files are larger than {format_byte_size(self.file_bytes)} bytes.")

    @property
    def damaged(self) -> HTTPException:
        """The refusal of a form that is damaged or incomplete."""
        return self.refusal(400, "The form is damaged or incomplete.")


Check = Callable[[Mapping[str, str]], object]
OpenPart = Callable[[str, str, Mapping[str, str]], IO[bytes] | None]


class ReceivedForm(NamedTuple):
    """The fields of a form, and the files in the order in which they came."""

    fields: dict[str, str]
    files: list[Path]


def safe_file_name(name: str) -> str:
    """The name under which a file is kept: no folder, nothing hidden, no characters that file systems refuse.

    >>> safe_file_name("../../etc/passwd"), safe_file_name(r"C:\\runs\\a.run"), safe_file_name("..")
    ('passwd', 'a.run', 'file')
    >>> len(safe_file_name("x" * 500 + ".jsonl.gz")), safe_file_name("x" * 500 + ".jsonl.gz")[-9:]
    (120, '.jsonl.gz')
    """
    last = re.split(r"[/\\]", name)[-1]
    plain = re.sub(r"[^\w .,()+=@-]", "_", last).strip(" .") or "file"
    while len(plain.encode()) > MAX_NAME_CHARS:
        plain = plain[1:]
    return plain


class FormParts:
    """The parts of a form as they arrive; `open_part` opens the file of a part by its name, and None for a field."""

    def __init__(self, limits: FormLimits, open_part: OpenPart) -> None:
        self._limits, self._open_part = limits, open_part
        self._fields: dict[str, bytearray] = {}
        self._header, self._value = bytearray(), bytearray()
        self._name, self._file_name = "", ""
        self._file: IO[bytes] | None = None
        self._size = self._field_bytes = self._parts = 0
        self.complete = False

    def callbacks(self) -> dict[str, Callable[..., None]]:
        """Functions that the parser calls."""
        return {
            "on_part_begin": self._begin,
            "on_header_field": lambda data, start, end: self._header.extend(data[start:end]),
            "on_header_value": lambda data, start, end: self._value.extend(data[start:end]),
            "on_header_end": self._end_header,
            "on_headers_finished": self._start_content,
            "on_part_data": self._add,
            "on_end": self._end,
        }

    @property
    def fields(self) -> dict[str, str]:
        """The fields as text."""
        return {name: content.decode("utf-8", "replace") for name, content in self._fields.items()}

    def _begin(self) -> None:
        self._name, self._file_name, self._file = "", "", None
        self._parts += 1
        if self._parts > self._limits.parts:
            raise self._limits.refusal(400, f"The form has more than {self._limits.parts:,} parts.")

    def _end_header(self) -> None:
        if bytes(self._header).lower() == b"content-disposition":
            _, options = parse_options_header(bytes(self._value))
            self._name = options.get(b"name", b"").decode("utf-8", "replace")
            self._file_name = options.get(b"filename", b"").decode("utf-8", "replace")
        self._header.clear()
        self._value.clear()

    def _start_content(self) -> None:
        self._file = self._open_part(self._name, self._file_name, self.fields)

    def _add(self, data: bytes, start: int, end: int) -> None:
        if self._file is not None:
            self._size += self._file.write(data[start:end])
            if self._size > self._limits.file_bytes:
                raise self._limits.too_large
            return
        self._field_bytes += end - start
        if self._field_bytes > self._limits.field_bytes:
            raise self._limits.refusal(413, "The text is too long for a form; upload it as a file.")
        self._fields.setdefault(self._name, bytearray()).extend(data[start:end])

    def _end(self) -> None:
        self.complete = True


async def receive_form(request: Request, limits: FormLimits, open_part: OpenPart) -> dict[str, str]:
    """Receive a form within limits, and return its fields.

    `open_part` is called with the name of each part, its file name, and the fields before it. It returns the file for
    the content of the part, or None for a field.
    """
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind != b"multipart/form-data" or b"boundary" not in options:
        raise limits.refusal(400, "The form has no file; send it as multipart/form-data.")
    if int(request.headers.get("content-length") or 0) > limits.file_bytes + limits.field_bytes:
        raise limits.too_large
    parts = FormParts(limits, open_part)
    parser = MultipartParser(
        options[b"boundary"],
        parts.callbacks(),  # type: ignore[arg-type]
        max_header_count=MAX_PART_HEADERS,
        max_header_size=MAX_PART_HEADER_BYTES,
    )
    await _receive(request, parser, parts, limits)
    if not parts.complete:
        raise limits.damaged
    return parts.fields


async def _receive(request: Request, parser: MultipartParser, parts: FormParts, limits: FormLimits) -> None:
    after = 0  # bytes that came after the form
    try:
        async with asyncio.timeout(limits.seconds):
            async for piece in request.stream():
                if not parts.complete:
                    parser.write(piece)
                else:
                    after += len(piece)
                if after > MAX_EPILOGUE_BYTES:
                    raise limits.refusal(
                        400, "The request continues after the end of its form.", {"connection": "close"}
                    )
    except MultipartParseError:
        raise limits.damaged from None
    except OSError as error:
        raise limits.refusal(507, f"The files could not be written: {error.strerror}.") from error
    except TimeoutError:
        raise limits.refusal(408, "The files took too long to arrive.") from None


class _FolderFiles:
    """The files of a form in a folder, under names that no two of them share."""

    def __init__(self, folder: Path, check: Check, stack: ExitStack) -> None:
        self._folder, self._check, self._stack = folder, check, stack
        self.paths: list[Path] = []

    def open_part(self, name: str, file_name: str, fields: Mapping[str, str]) -> IO[bytes] | None:
        """Open the file of a part that has a file name."""
        if not file_name:
            return None
        if not self.paths:
            self._check(fields)  # before the first byte of a file is kept
        self._stack.close()  # the file before it
        path = self._folder / safe_file_name(file_name)
        number = 2
        while path.exists():
            path = path.with_name(f"{number}-{path.name.removeprefix(f'{number - 1}-')}")
            number += 1
        self.paths.append(path)
        return self._stack.enter_context(path.open("wb"))


async def receive_files(request: Request, folder: Path, limit: int, check: Check) -> ReceivedForm:
    """Receive a form, and write its files to a folder, which the caller deletes where this fails.

    `check` is called with the fields before the first file is kept, and raises an error where the form is refused.
    """
    with ExitStack() as stack:
        files = _FolderFiles(folder, check, stack)
        fields = await receive_form(request, FormLimits(limit), files.open_part)
    if not files.paths:
        check(fields)
    return ReceivedForm(fields, files.paths)
