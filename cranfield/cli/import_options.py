"""Options of imports, and how their values are parsed."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.formats.records import Names

GRADE = re.compile(r"[+-]?\d{1,18}")


class Aside(StrEnum):
    """How grades outside the scale are stored."""

    cannot_judge = "cannot-judge"


Fields = Annotated[
    list[str] | None,
    typer.Option(
        "--field",
        metavar="OURS=THEIRS",
        help="Name of a field in the files, as text=story; text= for none; may be repeated.",
    ),
]
Columns = Annotated[
    str | None,
    typer.Option(metavar="NAME,...", help="Columns of TSV and CSV files that have no header line, as docno,text."),
]
NoHeader = Annotated[bool, typer.Option("--no-header", help="The files have no header line; requires --columns.")]
Times = Annotated[
    int,
    typer.Option(min=1, metavar="N", help="Multiply grades by this number, to turn fractional grades into whole ones."),
]
OffScale = Annotated[
    Aside | None, typer.Option(help="How to store grades outside the scale; by default they are refused.")
]


def named_fields(fields: Sequence[str] | None, columns: str | None, no_header: bool) -> Names:
    """Our field names to theirs, which may be empty, and the columns of a file without a header.

    >>> named_fields(["text=story", "title="], "docno, story", True)
    Names(asked={'text': 'story', 'title': ''}, columns=['docno', 'story'], seen={}, places={})
    """
    from cranfield.formats.records import Names

    parts = [(text, *map(str.strip, text.partition("="))) for text in fields or ()]
    for text, ours, sign, _ in parts:
        if not (ours and sign):
            raise typer.BadParameter(f"{text!r}; expected OURS=THEIRS", param_hint="--field")
    if no_header and not columns:
        raise typer.BadParameter("requires --columns, such as docno,text", param_hint="--no-header")
    return Names(
        {ours: theirs for _, ours, _, theirs in parts}, [name.strip() for name in (columns or "").split(",") if name]
    )


def pairs(texts: Sequence[str] | None, option: str, number: bool = False) -> Iterator[tuple[str, str]]:
    """The pairs of OLD=NEW; they are split at the last =, because names may contain one."""
    for text in texts or ():
        old, sign, new = text.rpartition("=")
        if not (sign and old and new) or (number and not is_grade(new)):
            raise typer.BadParameter(f"{text!r}; expected OLD=NEW", param_hint=option)
        if not is_text(text):
            raise InputError(f"{option}: {text!r:.60} is not UTF-8")
        yield old.strip(), new.strip()


def parse_grades(grades: str) -> dict[int, int]:
    """A mapping between grades, as given on the command line.

    >>> parse_grades("1=4,-1=0")
    {1: 4, -1: 0}
    """
    parts = [part.split("=") for part in grades.split(",")]
    if not all(len(part) == 2 and all(map(is_grade, part)) for part in parts):
        raise typer.BadParameter(f"{grades!r:.60}; expected a list such as 1=4,2=3,-1=0", param_hint="--grades")
    return {int(old.strip()): int(new.strip()) for old, new in parts}


def is_grade(text: str) -> bool:
    """Whether a text is a grade: a whole number of at most 18 digits.

    >>> is_grade(" -1"), is_grade(""), is_grade("9" * 30)
    (True, False, False)
    """
    return bool(GRADE.fullmatch(text.strip()))


def is_text(words: str) -> bool:
    """Whether a word of the command line is UTF-8.

    >>> is_text("relevant"), is_text("relevant\\udcff")
    (True, False)
    """
    return words.encode("utf-8", "ignore").decode() == words


def check_kind(kind: str) -> None:
    """Refuse an unknown kind of assessor."""
    if kind not in ("human", "model", "import"):
        raise typer.BadParameter(f"{kind!r}; expected human, model or import", param_hint="--kind")


def telling(notes: list[str], file: Path) -> Callable[[str], None]:
    """Collects what the reader of this file reports, until the import has succeeded."""
    return lambda text: notes.append(f"{file}: {text}")


def off_the_scale(file: Path, grades: Sequence[int], scale: Collection[int]) -> Iterator[str]:
    """How many grades of a file are outside the scale, if any are.

    >>> list(off_the_scale(Path("qrels.txt"), [0, 1, 7], {0, 1}))
    ['qrels.txt: 1 of 3 grades is outside the scale; these documents are stored as cannot-judge']
    """
    aside = sum(grade not in scale for grade in grades)
    if aside:
        are = "is" if aside == 1 else "are"
        where = f"{aside} of {len(grades)} grades {are} outside the scale"
        yield f"{file}: {where}; these documents are stored as cannot-judge"
