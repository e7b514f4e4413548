"""Options of imports: how their files are read, and which names they may have."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Annotated, Literal

from cranfield.errors import InputError
from cranfield.options import Argument, Option

GRADE = re.compile(r"[+-]?\d{1,18}")


def is_grade(text: str) -> bool:
    """Whether a text is a grade: a whole number of at most 18 digits.

    >>> is_grade(" -1"), is_grade(""), is_grade("9" * 30)
    (True, False, False)
    """
    return bool(GRADE.fullmatch(text.strip()))


def parse_grades(grades: str) -> dict[int, int] | None:
    """A mapping between grades, as given on the command line.

    >>> parse_grades("1=4,-1=0")
    {1: 4, -1: 0}
    """
    if not grades:
        return None
    parts = [part.split("=") for part in grades.split(",")]
    if not all(len(part) == 2 and all(map(is_grade, part)) for part in parts):
        raise InputError(f"{grades!r:.60}; expected a list such as 1=4,2=3,-1=0")
    return {int(old.strip()): int(new.strip()) for old, new in parts}


def parse_fields(texts: Sequence[str]) -> dict[str, str]:
    """Our names of fields to theirs, which may be empty.

    >>> parse_fields(["text=story", "corpus.title="])
    {'text': 'story', 'corpus.title': ''}
    """
    parts = [(text, *map(str.strip, text.partition("="))) for text in texts]
    for text, ours, sign, _ in parts:
        if not (ours and sign):
            raise InputError(f"{text!r}; expected OURS=THEIRS")
    return {ours: theirs for _, ours, _, theirs in parts}


def parse_columns(text: str) -> list[str]:
    """Names of columns.

    >>> parse_columns("docno, text,")
    ['docno', 'text']
    """
    return [name.strip() for name in text.split(",") if name]


def parse_kind(kind: str) -> str:
    """A kind of assessor."""
    if kind not in ("human", "model", "panel", "import"):
        raise InputError(f"the kind is {kind!r}; expected human, model, panel or import")
    return kind


def parse_pairs(texts: Sequence[str], form: str = "OLD=NEW") -> dict[str, str]:
    """Pairs of this form; they are split at the last =, because names may contain one.

    >>> parse_pairs(["a=b=c", " ben = Benjamin"])
    {'a=b': 'c', 'ben': 'Benjamin'}
    """
    pairs = {}
    for text in texts:
        old, sign, new = text.rpartition("=")
        if not (sign and old and new):
            raise InputError(f"{text!r}; expected {form}")
        pairs[old.strip()] = new.strip()
    return pairs


def parse_vote_grades(text: str) -> dict[str, int]:
    """A mapping from the grades or words of votes to grades, as given on the command line.

    >>> parse_vote_grades("Relevant=1,Poor=0")
    {'Relevant': 1, 'Poor': 0}
    """
    grades = {}
    for part in text.split(",") if text else ():
        [(old, new)] = parse_pairs([part]).items()
        if not is_grade(new):
            raise InputError(f"{part!r}; expected OLD=NEW")
        grades[old] = int(new)
    return grades


def check_utf8(option: str, pairs: Mapping[str, object]) -> None:
    """Refuse pairs with bytes that are not UTF-8, which the command line passes on.

    >>> check_utf8("--rename", {"ben": "Benjamin\\udcff"})
    Traceback (most recent call last):
    cranfield.errors.InputError: --rename: 'ben=Benjamin\\udcff' is not UTF-8
    """
    for old, new in pairs.items():
        text = f"{old}={new}"
        if text.encode("utf-8", "ignore").decode() != text:
            raise InputError(f"{option}: {text!r:.60} is not UTF-8")


FILES = Argument(
    "Files: plain, .gz, .xz, .zst, .bz2 or .lz4.", metavar="PATH...", typed=list[Path], reads="texts"
)  # fmt: skip
FileFormat = Annotated[
    str, Option("Format of the files. [default: detected from the content]", "--format", complete="format")
]
FieldNames = Annotated[
    Mapping[str, str] | None,
    Option(
        "Name of a field in the files, such as text=story; may be repeated. Use text= if the files lack the"
            " field.", metavar="OURS=THEIRS",
        typed=list[str] | None, parse=parse_fields,
    ),
]  # fmt: skip
ColumnNames = Annotated[
    Sequence[str] | None,
    Option(
        "Column names for TSV and CSV files without a header line, such as docno,text.", metavar="NAME,...",
        typed=str | None, parse=parse_columns,
    ),
]  # fmt: skip
HeaderlessOption = Annotated[bool, Option("Read files that have no header line (requires --columns).", "--no-header")]
IsStrict = Annotated[bool, Option("Refuse documents and topics that are not in the store.", "--strict")]
RoundOfTopics = Annotated[
    str | None, Option("Round of the topics. [default: the open round]", metavar="NAME", complete="round")
]
RoundOfQrels = Annotated[
    str | None, Option("Round of the imported data. [default: the open round]", metavar="NAME", complete="round")
]
AssessorKind = Annotated[
    Literal["human", "model", "panel", "import"],
    Option("Kind of assessor: human, model, or import (unknown).", typed=str, parse=parse_kind,
           complete="assessor kind"),
]  # fmt: skip
GradeMap = Annotated[
    Mapping[int, int] | None,
    Option(
        "Mapping from the file's grades to the store's grades, such as 1=4,2=3,-1=0.", typed=str | None,
        parse=parse_grades,
    ),
]  # fmt: skip
GradeFactor = Annotated[
    int,
    Option("Factor by which grades are multiplied, to turn fractions into whole numbers.", min=1, metavar="N"),
]
GradesOutsideScale = Annotated[
    bool | None,
    Option(
        "How to store grades outside the scale. [default: refuse them]",
        typed=Literal["cannot-judge"] | None, parse=bool,
    ),
]  # fmt: skip
RunTag = Annotated[str | None, Option("Tag of the run.", metavar="NAME")]
TagFromName = Annotated[
    bool, Option("Name runs after their files, without extensions such as .run and .gz.", "--tag-from-name")
]
ExtendsRuns = Annotated[bool, Option("Add new topics to runs that are already in the store.", "--extend")]
LeavesOutOwnId = Annotated[
    bool, Option("Leave out documents whose id equals the topic id, as BEIR does.", "--ignore-own-id")
]
IsCumulative = Annotated[
    bool, Option("Skip judgments that the store already has, instead of refusing the files.", "--cumulative")
]
IsRejudged = Annotated[
    bool, Option("Replace stored judgments whose grade differs (requires --cumulative).", "--rejudged")
]
VoteFiles = Annotated[str | PathLike[str] | Iterable[str | PathLike[str]], FILES]
KindOfVoters = Annotated[
    Literal["human", "model", "panel", "import"],
    Option("Kind of the assessors: human, model, or import (unknown).", "--kind", typed=str, parse=parse_kind,
           complete="assessor kind"),
]  # fmt: skip
VoteGrades = Annotated[
    Mapping[str, int] | None,
    Option(
        "Mapping from the file's grades or words to the store's grades, such as Relevant=1,Poor=0.", metavar="MAP",
        typed=str, default="", parse=parse_vote_grades,
    ),
]  # fmt: skip
VoteFields = Annotated[
    Mapping[str, str] | None,
    Option(
        "Name of a field in the files, such as qid=topic_number; may be repeated.", metavar="OURS=THEIRS",
        typed=list[str] | None, parse=partial(parse_pairs, form="OURS=THEIRS"),
    ),
]  # fmt: skip
AssessorWithoutName = Annotated[
    str,
    Option(
        "Assessor for votes that name no assessor; refused if every vote names one.",
        metavar="NAME",
        complete="assessor",
    ),
]
RenamedAssessors = Annotated[
    Mapping[str, str] | None,
    Option(
        "Rename an assessor of the file; may be repeated.", metavar="THEIRS=OURS", typed=list[str] | None,
        parse=parse_pairs,
    ),
]  # fmt: skip
