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
    kind: Annotated[str, typer.Option(help="Kind of the assessors: human, model, or import if unknown.")] = "import",
    grades: Annotated[
        str,
        typer.Option(
            metavar="MAP", help="Mapping from the file's grades or words to the store's grades, as Relevant=1,Poor=0."
        ),
    ] = "",
    field: Annotated[
        list[str] | None,
        typer.Option(metavar="OURS=THEIRS", help="Name of a field in the files, as qid=topic_number; may be repeated."),
    ] = None,
    assessor: Annotated[
        str, typer.Option(metavar="NAME", help="The assessor of votes whose file does not name one.")
    ] = "",
    times: Times = 1,
    off_scale: OffScale = None,
    rename: Annotated[
        list[str] | None, typer.Option(metavar="THEIRS=OURS", help="Rename an assessor; may be repeated.")
    ] = None,
    strict: Strict = False,
    normalize_ids: NormalizeIds = False,
) -> None:
    """Import votes from other tools: CSV, JSONL, Relevation, Quepid, Label Studio, Argilla, Prodigy, UMBRELA.

    Every vote becomes an event of its assessor, with provenance "import". Documents that were skipped, discarded or not
    ratable become cannot-judge, postponed ones become later; none of them becomes grade 0. Fields without a counterpart
    are counted and listed. Our fields: assessor, qid, docno, query, grade, state, reason, note, seconds, at.

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
    done, notes, met = [], [], set[str]()
    with Store.open(path) as store, importing(store, "votes", files):
        spelling = NameMatcher(store, Demand(strict, normalize_ids))
        for file in files:
            with blaming(file):
                found = spelling.votes(read_votes(file, format, names, assessor))
                notes += found.notes
                met |= {vote.assessor for vote in found.votes}
                aside = off_scale is not None
                done.append(str(import_votes(store, found, kind, words or None, called, times, aside)))
    notes += [f"--rename {name}: no votes of an assessor with this name" for name in called if name not in met]
    say_with("\n".join(done), [*spelling.notes, *notes])
