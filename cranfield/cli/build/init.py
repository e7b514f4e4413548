"""init."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.import_options import is_grade
from cranfield.cli.tables import say
from cranfield.errors import InputError


def init(
    path: Annotated[Path, typer.Argument(metavar="STORE", help="The new store, such as track.db.")],
    name: Annotated[str, typer.Option(help="The collection's name.")],
    description: Annotated[str, typer.Option(help="A description of the collection.")] = "",
    licence: Annotated[str, typer.Option(help="The licence of the collection.")] = "",
    scale: Annotated[str, typer.Option(help="The grades and their meanings.")] = "0=not relevant,1=relevant",
    min_relevant: Annotated[int, typer.Option(help="The lowest relevant grade.")] = 1,
    guidelines: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Guidelines that assessors can read while judging.")
    ] = None,
    private: Annotated[bool, typer.Option("--private", help="Only you can read the store.")] = False,
) -> None:
    """Create an empty store.

    Example: cranfield init track.db --name "My track" --scale "0=no,1=partly,2=fully"
    """
    from cranfield.formats.files import read_text
    from cranfield.store.connection import placed
    from cranfield.store.log import set_guidelines
    from cranfield.store.store import Store, new_collection

    grades, text = parse_scale(scale), read_text(guidelines) if guidelines else ""
    with placed(path, private) as part:
        about = new_collection(name, description, licence, grades, min_relevant)
        with Store.begin(part, about) as store:
            set_guidelines(store, text)
    say(f"created {path}, an empty collection. Next: cranfield import corpus {path} FILE")


def parse_scale(scale: str) -> dict[int, str]:
    """Grades and their meanings, as given on the command line.

    >>> parse_scale("-1=spam,0=not relevant,1=relevant")
    {-1: 'spam', 0: 'not relevant', 1: 'relevant'}
    """
    grades: dict[int, str] = {}
    for part in scale.split(","):
        grade, sign, meaning = part.partition("=")
        if not sign or not is_grade(grade):
            raise InputError(f"--scale: {part!r:.60}; expected a list such as 0=not relevant,1=relevant")
        number = int(grade.strip())
        if number in grades:
            raise InputError(f"--scale: grade {number} occurs twice")
        grades[number] = meaning.strip()
    return grades
