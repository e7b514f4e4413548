"""Laws that every file format keeps."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from cranfield.errors import InputError
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import Format, open_file
from cranfield.formats.records import Names
from cranfield.testing.checks import run_checks

HEAD_BYTES = 1 << 16


def check_format(row: Format, sample: bytes, exempt: Mapping[str, str] | None = None) -> None:
    """
    Check that a file format keeps the laws of formats.

    Parameters
    ----------
    row : Format
        The format. It describes single files; formats of folders are refused.
    sample : bytes
        A valid, uncompressed file of the format.
    exempt : mapping of str to str, optional
        Laws that the format does not keep, by name, each with the reason.
        `cranfield.testing.FORMAT_LAWS` lists the names.

    Raises
    ------
    AssertionError
        If the format breaks a law, with the format and the law; or if it keeps
        a law from which it is exempt.
    ValueError
        If the format describes folders, or `exempt` names an unknown law.

    Examples
    --------
    >>> from cranfield.formats.jsonl import TOPICS
    >>> check_format(TOPICS, b'{"qid": "q1", "title": "wings"}\\n')
    >>> check_format(TOPICS, b"no JSON")
    Traceback (most recent call last):
    ...
    AssertionError: topics jsonl breaks the law detects: it does not recognise b'no JSON'
    """
    if row.place == "folder":
        raise ValueError(f"{row.kind} {row.name} describes folders; check_format checks formats of files")
    with TemporaryDirectory() as folder:
        file = SampleFile(row, sample, Path(folder))
        laws = {name: partial(law, file) for name, law in FORMAT_LAWS.items()}
        run_checks(f"{row.kind} {row.name}", laws, exempt or {})


class SampleFile(NamedTuple):
    """A format, a valid file of it, and a folder to write to."""

    row: Format
    content: bytes
    folder: Path

    def read(self, content: bytes) -> list[Any]:
        """Return the records of a file with this content."""
        path = self.folder / "sample"
        path.write_bytes(content)
        with open_file(path, Names()) as source:
            records = self.row.read(source)
            if isinstance(records, UnreadTable):
                quick, exact = records.columns(), records.exact()
                for field, column in zip(quick._fields, quick, strict=True):
                    other = getattr(exact, field)
                    same = _as_list(column) == _as_list(other)
                    assert same, f"{field} read at once is {column}; expected {other}, as line by line"
                return list(records.rows())
            return list(records)

    def check_records(self, content: bytes, change: str) -> None:
        """Check that a file with this content has the records of the sample."""
        try:
            records = self.read(content)
        except InputError as error:
            raise AssertionError(f"it refuses its sample {change}: {error}") from None
        assert repr(records) == repr(self.read(self.content)), f"it reads other records from its sample {change}"


def _as_list(column: Any) -> Any:
    return repr(column.tolist() if hasattr(column, "tolist") else column)


def check_detects(file: SampleFile) -> None:
    """Check that the format recognises its sample, and no empty or binary file."""
    for content in (b"", b"\0\1\2\3" * 40):
        found = file.row.detect(content, "sample")
        assert not found, f"it recognises {content[:8]!r}"
    assert file.row.detect(file.content[:HEAD_BYTES], "sample"), f"it does not recognise {file.content[:40]!r}"


def check_reads(file: SampleFile) -> None:
    """Check that the format reads its sample, twice the same."""
    file.check_records(file.content, "as it is")
    assert file.read(file.content), "it reads no record from its sample"


def check_compressed(file: SampleFile) -> None:
    """Check that a compressed file has the same records."""
    file.check_records(gzip.compress(file.content), "compressed")


def check_line_ends(file: SampleFile) -> None:
    """Check that CRLF line ends, or a last line without an end, change no record."""
    file.check_records(file.content.replace(b"\n", b"\r\n"), "with CRLF")
    file.check_records(file.content.rstrip(b"\n"), "without its last line end")


def check_damage(file: SampleFile) -> None:
    """Check that a damaged file is read, or refused with an InputError of one line that names the file."""
    for content in damaged_copies(file.content):
        message = _refusal_message(file, content)
        assert "\n" not in message, f"an error of several lines: {message}"
        assert not message or "sample" in message, f"an error that does not name the file: {message}"


def _refusal_message(file: SampleFile, content: bytes) -> str:
    """The message with which a file is refused; empty if it is read."""
    try:
        file.read(content)
    except InputError as error:
        return str(error)
    except AssertionError:
        raise
    except Exception as error:
        raise AssertionError(f"{type(error).__name__}: {error} for {content[:80]!r}; expected InputError") from None
    return ""


def check_round_trip(file: SampleFile) -> None:
    """Check that a file of topics that the format writes has the topics that were written."""
    if file.row.write is None or file.row.kind != "topics":
        return
    topics = [record.topic for record in file.read(file.content)]
    path = file.folder / "written"
    file.row.write(path, topics)
    again = [record.topic for record in file.read(path.read_bytes())]
    assert again == topics, f"{again} from what it wrote of {topics}"


def damaged_copies(content: bytes, n_files: int = 60, seed: int = 1) -> Iterator[bytes]:
    """Yield copies of a file, cut off, with changed bytes, or with a line twice or missing."""
    random = np.random.default_rng(seed)
    lines = content.split(b"\n")
    for number in range(n_files):
        place, line = int(random.integers(len(content))), int(random.integers(len(lines)))
        yield (
            content[:place],
            content[:place] + bytes(random.integers(0, 256, 1 + number % 3, np.uint8)) + content[place + 1 :],
            b"\n".join(lines[: line + 1] + lines[line:]),
            b"\n".join(lines[:line] + lines[line + 1 :]),
        )[number % 4]


FORMAT_LAWS: Mapping[str, Callable[[SampleFile], None]] = {
    "detects": check_detects,
    "reads": check_reads,
    "compressed": check_compressed,
    "line_ends": check_line_ends,
    "damage": check_damage,
    "round_trip": check_round_trip,
}
