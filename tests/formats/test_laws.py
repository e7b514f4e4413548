"""Laws over the table of formats; EXEMPT names exceptions with their reasons."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from cranfield.formats.files import Format, OpenFile
from cranfield.formats.jsonl import TOPICS
from cranfield.formats.records import LocatedTopic, Topic
from cranfield.formats.table import all_kinds, formats_of
from cranfield.testing import FORMAT_LAWS, check_format
from cranfield.testing.formats import SampleFile
from tests.arrow import require_arrow
from tests.hardening.samples import of_formats

NAME_ONLY_REASON = "read only by its name, because its lines look like the lines of another format"
FALLBACK = "the last of its kind, which is tried on any file that no other format recognises"
COMPRESSES = "a binary file with its own compression"
BINARY = {"compressed": COMPRESSES}
PARQUET = {**BINARY, "line_ends": "a binary file"}
EXEMPT: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("corpus", "parquet"): PARQUET,
    ("topics", "parquet"): BINARY,
    ("topics", "tsv"): {"detects": FALLBACK},
    ("run", "ranx"): BINARY,
    ("run", "parquet"): PARQUET,
    ("run", "qid-docno-score"): {"detects": NAME_ONLY_REASON},
    ("run", "trec"): {"detects": FALLBACK},
    ("qrels", "parquet"): BINARY,
    ("qrels", "grade-stratum"): {"detects": NAME_ONLY_REASON},
    ("qrels", "sample-eval"): {"detects": NAME_ONLY_REASON},
    ("qrels", "trec"): {"detects": FALLBACK},
    ("log", "parquet"): PARQUET,
}
ROWS = [row for kind in all_kinds() for row in formats_of(kind) if row.place != "folder"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.kind} {row.name}")
def test_every_format_keeps_the_laws(row: Format) -> None:
    if row.name in ("parquet", "ranx") or (row.kind, row.name) in {("log", "jsonl"), ("log", "csv")}:
        require_arrow()
    check_format(row, of_formats()[row.kind, row.name][0], EXEMPT.get((row.kind, row.name)))


def read_topics(source: OpenFile) -> Iterator[LocatedTopic]:
    """A reader without a check: it keeps the ends of lines, and fails on a line without a colon."""
    for number, line in enumerate(source.data().decode().split("\n"), 1):
        if line:
            qid, title = line.split(":")
            yield LocatedTopic(number, Topic(qid, title))


FAULTY = Format("topics", "faulty", "faulty", lambda head, path: head.startswith(b"1:"), read_topics)


def write_one(path: Path, topics: object) -> None:
    path.write_text("1:x\n")


FAULTS: Mapping[str, Format] = {
    "detects": FAULTY._replace(detect=lambda head, path: True),
    "reads": FAULTY._replace(read=lambda source: iter(())),
    "line_ends": FAULTY,
    "damage": FAULTY,
    "round_trip": FAULTY._replace(write=write_one),
}


@pytest.mark.parametrize("law", FAULTS)
def test_a_faulty_format_breaks_its_law(law: str, tmp_path: Path) -> None:
    file = SampleFile(FAULTS[law], b"1:wings\n2:drag\n", tmp_path)
    with pytest.raises(AssertionError):
        FORMAT_LAWS[law](file)


def test_a_sample_that_is_refused_is_an_error() -> None:
    with pytest.raises(AssertionError, match="topics jsonl breaks the law detects"):
        check_format(TOPICS, b"no JSON")


def test_a_format_of_folders_is_refused() -> None:
    folder = next(row for kind in all_kinds() for row in formats_of(kind) if row.place == "folder")
    with pytest.raises(ValueError, match="check_format checks formats of files"):
        check_format(folder, b"")
