"""import qrels."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.import_options import (
    Columns,
    Fields,
    NoHeader,
    OffScale,
    Times,
    check_kind,
    named_fields,
    off_the_scale,
    parse_grades,
)
from cranfield.cli.options import InputFormat, InputPaths, NormalizeIds, StorePath, Strict
from cranfield.cli.tables import say_with
from cranfield.errors import blaming
from cranfield.text import counted


def qrels(
    path: StorePath,
    files: InputPaths,
    assessor: Annotated[str, typer.Option(metavar="NAME", help="The assessor who made the judgments.")] = "import",
    kind: Annotated[str, typer.Option(help="Kind of assessor: human, model, or import if unknown.")] = "import",
    grades: Annotated[str, typer.Option(help="Mapping from the file's grades to the store's, as 1=4,2=3,-1=0.")] = "",
    times: Times = 1,
    off_scale: OffScale = None,
    format: InputFormat = "auto",
    field: Fields = None,
    columns: Columns = None,
    no_header: NoHeader = False,
    strict: Strict = False,
    normalize_ids: NormalizeIds = False,
) -> None:
    """Import judgments made elsewhere, as events of one assessor.

    Grades must be whole numbers (after --times) on the store's scale (after --grades). With --off-scale cannot-judge,
    documents with other grades are stored as cannot-judge.

    Example: cranfield import qrels track.db qrels.txt --assessor nist
    """
    from cranfield.formats import read_qrels
    from cranfield.store.history import importing
    from cranfield.store.names.matching import Demand, NameMatcher
    from cranfield.store.pools.sample_frame import newest_sample
    from cranfield.store.qrels import import_qrels
    from cranfield.store.store import Store

    check_kind(kind)
    grade_map, notes, added = parse_grades(grades) if grades else None, list[str](), 0
    names = named_fields(field, columns, no_header)
    with Store.open(path) as store, importing(store, "qrels", files):
        spelling, scale = NameMatcher(store, Demand(strict, normalize_ids)), store.collection.grades
        for file in files:
            with blaming(file):
                found = read_qrels(file, format, grade_map, times, None if off_scale else scale, names=names)
                notes += off_the_scale(file, found.given.tolist(), scale)
                added += import_qrels(store, spelling.qrels(found, file), assessor, kind, off_scale is not None)
                if found.stratum is not None:
                    notes.append(f"{file}: a stratified sample; its strata are those of pool {newest_sample(store)}")
    say_with(f"{counted(added, 'judgment')} by {assessor}", [*notes, *spelling.notes])
