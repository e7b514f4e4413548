"""init."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.import_options import is_grade
from cranfield.cli.tables import say
from cranfield.errors import InputError


def init(
    path: Annotated[Path, typer.Argument(metavar="STORE", help="A new file, such as track.db.")],
    name: Annotated[str, typer.Option(help="The collection's name.")],
    description: Annotated[str, typer.Option(help="What it is about.")] = "",
    licence: Annotated[str, typer.Option(help="Under which terms it may be used.")] = "",
    scale: Annotated[str, typer.Option(help="The grades and what they mean.")] = "0=not relevant,1=relevant",
    min_relevant: Annotated[int, typer.Option(help="The lowest grade that counts as relevant.")] = 1,
    guidelines: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Guidelines that assessors can call up while judging.")
    ] = None,
) -> None:
    """Make an empty store.

    Example: cranfield init track.db --name "My track" --scale "0=no,1=partly,2=fully"
    """
    from cranfield.formats.files import read_text
    from cranfield.store.connection import placed
    from cranfield.store.log import set_guidelines
    from cranfield.store.store import Store, new_collection

    grades, told = parse_scale(scale), read_text(guidelines) if guidelines else ""
    with placed(path) as part:
        about = new_collection(name, description, licence, grades, min_relevant)
        with Store.begin(part, about) as store:
            set_guidelines(store, told)
    say(f"{path}: an empty collection. Next: cranfield import corpus {path} FILE")


def parse_scale(scale: str) -> dict[int, str]:
    """Grades and their meanings, as written on the command line.

    >>> parse_scale("-1=spam,0=not relevant,1=relevant")
    {-1: 'spam', 0: 'not relevant', 1: 'relevant'}
    """
    grades: dict[int, str] = {}
    for part in scale.split(","):
        grade, sign, meaning = part.partition("=")
        if not sign or not is_grade(grade):
            raise InputError(f"--scale is written as 0=not relevant,1=relevant; this part is not: {part!r:.60}")
        number = int(grade.strip())
        if number in grades:
            raise InputError(f"--scale has grade {number} twice")
        grades[number] = meaning.strip()
    return grades
