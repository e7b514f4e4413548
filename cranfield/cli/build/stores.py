"""init and info."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.build.import_options import is_grade
from cranfield.errors import InputError
from cranfield.cli.options import (Format, Output, StorePath)
from cranfield.cli.tables import TableFormat, emit, note, say


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
    from cranfield.store.connection import placed
    from cranfield.formats.files import read_text
    from cranfield.store.log import set_guidelines
    from cranfield.store.store import Store

    grades, told = parse_scale(scale), read_text(guidelines) if guidelines else ""
    with placed(path) as part, Store.begin(part, name, description, licence, grades, min_relevant) as store:
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


def info(path: StorePath, format: Format = TableFormat.table, output: Output = None) -> None:
    """Show what a store holds. Unknown is what runs or judgments name and is in no corpus and no topics that came.

    Example: cranfield info track.db
    """
    from cranfield.store.log import (counted, spelled)
    from cranfield.store.store import Store
    from cranfield.store.unknown import lacks

    if Path(f"{path}-wal").exists():
        beside = f"{path}-wal beside it may hold what was written last"
        note(f"{path} is open elsewhere; {beside}: copy it with `cranfield store backup`")
    with Store.open(path) as store:
        collection, counts, lacking = store.collection, store.counts(), {lack.table: lack for lack in lacks(store)}
        counts["qrels_by_models"] = int(counted(store).by_model.sum())
        bare = counts["document"] > 0 and not store.has("document")
    unknown = {f"unknown_{table}": lacking.get(table) for table in ("document", "topic")}
    shown = {name: f"{lack.missing}, the first is {lack.first!r}" if lack else 0 for name, lack in unknown.items()}
    lacked = {name: lack.missing if lack else 0 for name, lack in unknown.items()}
    what = collection._asdict() | {"grades": spelled(collection.grades)} | counts | shown
    what |= {"corpus": "none; documents are known by their docnos alone"} if bare else {}
    rows = [{"what": name.replace("_", " "), "value": str(value)} for name, value in what.items()]
    emit(rows, format, output, document=collection._asdict() | counts | lacked)
