"""Preferences between documents, in trec_eval's two forms."""

from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from typing import NamedTuple

from cranfield.errors import InputError, Path
from cranfield.formats.files import Format, OpenFile, open_file, report_notes
from cranfield.formats.layout import split_first_lines
from cranfield.formats.table import AUTO, choose_format, format_guess_notes, nothing_read_error
from cranfield.formats.whole_files import check_words, write_lines


class PreferenceLine(NamedTuple):
    """Level of a document within a subgroup; documents with a higher level are preferred.

    A group is one person's information need, so its subgroups must not contradict each other. Different groups may
    contradict each other.
    """

    line: int
    qid: str
    group: str
    subgroup: str
    docno: str
    level: float


def lines_of(source: OpenFile, columns: Sequence[str]) -> Iterator[PreferenceLine]:
    """The lines of a file with these columns; a document twice in a subgroup is an error."""
    firsts: dict[tuple[str, str, str, str], int] = {}
    for number, text in source.lines():
        values = text.split()
        if not values or text.startswith("#"):
            continue
        if len(values) != len(columns):
            wrong = f"{len(values)} columns; expected {len(columns)}: {' '.join(columns)}"
            raise InputError(wrong, source.path, number)
        fields = dict(zip(columns, values, strict=True))
        place = (fields["qid"], fields["group"], fields.get("subgroup", "0"), fields["docno"])
        if (first := firsts.setdefault(place, number)) != number:
            again = f"duplicate document {place[3]!r} of topic {place[0]} in a group, first on line {first}"
            raise InputError(again, source.path, number)
        yield PreferenceLine(number, *place, _parse_level(fields["level"], source, number))


def _parse_level(text: str, source: OpenFile, number: int) -> float:
    try:
        level = float(text)
    except ValueError:
        level = float("nan")
    if not isfinite(level):
        raise InputError(f"level {text!r}; expected a number", source.path, number)
    return level


PREFS_COLUMNS = ("qid", "group", "subgroup", "docno", "level")


def detect_prefs(head: bytes, path: str) -> bool:
    rows = split_first_lines(head, 1)
    return bool(rows) and len(rows[0]) == len(PREFS_COLUMNS)


def read_prefs(source: OpenFile) -> Iterator[PreferenceLine]:
    """trec_eval's preferences: `qid group subgroup docno level`; a higher level is preferred within a subgroup."""
    return lines_of(source, PREFS_COLUMNS)


def write_prefs(path: Path, lines: Iterable[PreferenceLine]) -> None:
    """Write the lines."""
    rows = list(lines)
    words = {name: [getattr(one, name) for one in rows] for name in PREFS_COLUMNS[:-1]}
    check_words(path, **words)
    write_lines(path, (f"{one.qid} {one.group} {one.subgroup} {one.docno} {one.level:g}" for one in rows))


PREFS = Format(
    "preferences",
    "prefs",
    "qid group subgroup docno level: trec_eval -R prefs",
    detect=detect_prefs,
    read=read_prefs,
    write=write_prefs,
)


QRELS_PREFS_COLUMNS = ("qid", "group", "docno", "level")


def detect_qrels_prefs(head: bytes, path: str) -> bool:
    rows = split_first_lines(head, 1)
    return bool(rows) and len(rows[0]) == len(QRELS_PREFS_COLUMNS)


def read_qrels_prefs(source: OpenFile) -> Iterator[PreferenceLine]:
    """Qrels as preferences: `qid group docno level`, every document of a group beside every other."""
    return lines_of(source, QRELS_PREFS_COLUMNS)


QRELS_PREFS = Format(
    "preferences",
    "qrels_prefs",
    "qid group docno level: trec_eval -R qrels_prefs",
    detect_qrels_prefs,
    read_qrels_prefs,
)


def read_preferences(path: Path, format: str = AUTO) -> list[PreferenceLine]:
    """Read the lines of a preference file."""
    with open_file(path) as source:
        row = choose_format("preferences", format, source)
        if not (lines := list(row.read(source))):
            raise nothing_read_error(row, source)
    report_notes({note: [path] for note in format_guess_notes(row, format, source.names)})
    return lines
