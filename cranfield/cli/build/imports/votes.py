"""import votes."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.import_options import (
    OffScale,
    Times,
    check_kind,
    pairs,
)
from cranfield.cli.options import InputFormat, InputPaths, NormalizeIds, StorePath, Strict
from cranfield.cli.tables import say_with
from cranfield.errors import blaming


def votes(
    path: StorePath,
    files: InputPaths,
    format: InputFormat = "auto",
    kind: Annotated[str, typer.Option(help="What the assessors are: human, model, or import if unknown.")] = "import",
    grades: Annotated[
        str, typer.Option(metavar="MAP", help="From the file's grades or words to the store's, as Relevant=1,Poor=0.")
    ] = "",
    field: Annotated[
        list[str] | None, typer.Option(metavar="OURS=THEIRS", help="Where a field is, as qid=topic_number; repeatable.")
    ] = None,
    assessor: Annotated[str, typer.Option(metavar="NAME", help="Whose votes they are where the file is silent.")] = "",
    times: Times = 1,
    off_scale: OffScale = None,
    rename: Annotated[
        list[str] | None, typer.Option(metavar="THEIRS=OURS", help="An assessor's name here; may be repeated.")
    ] = None,
    strict: Strict = False,
    normalize_ids: NormalizeIds = False,
) -> None:
    """Import what assessors said elsewhere: CSV, JSONL, Relevation, Quepid, Label Studio, Argilla, Prodigy, UMBRELA.

    Every vote becomes an event of its assessor, with provenance "import". What was skipped, discarded or could not be
    rated becomes cannot-judge, what was put off becomes later: nothing becomes grade 0 that was not. What has no place
    here is counted and named. Our fields: assessor, qid, docno, query, grade, state, reason, note, seconds, at.

    Example: cranfield import votes track.db project-3.json --format label-studio --field qid=topic --kind human
    """
    from cranfield.formats import read_votes
    from cranfield.store.history import importing
    from cranfield.store.names.matching import Demand, NameMatcher
    from cranfield.store.store import Store
    from cranfield.store.votes import import_votes

    check_kind(kind)
    words = {old: int(new) for old, new in pairs(grades.split(",") if grades else None, "--grades", number=True)}
    names, called = dict(pairs(field, "--field")), dict(pairs(rename, "--rename"))
    done = []
    with Store.open(path) as store, importing(store, "votes", files):
        spelling = NameMatcher(store, Demand(strict, normalize_ids))
        for file in files:
            with blaming(file):
                found = spelling.votes(read_votes(file, format, names, assessor))
                aside = off_scale is not None
                done.append(str(import_votes(store, found, kind, words or None, called, times, aside)))
    say_with("\n".join(done), spelling.notes)
