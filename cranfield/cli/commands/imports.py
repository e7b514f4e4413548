"""`import`: what its commands share, and those for texts, judgments and whole collections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli import completion, not_in_python
from cranfield.cli.build import command, show_lines
from cranfield.cli.common_options import InputFormat, InputPaths, NormalizeIds, StorePath, Strict
from cranfield.cli.tables import note, say_with
from cranfield.commands.corpus_import import import_corpus
from cranfield.commands.imports import import_qrels, import_topics
from cranfield.commands.run_import import import_runs
from cranfield.commands.transfers import import_bundle, import_collection
from cranfield.errors import InputError, blaming
from cranfield.options.imports import is_grade

if TYPE_CHECKING:
    pass


class Aside(StrEnum):
    """How grades outside the scale are stored."""

    cannot_judge = "cannot-judge"


Times = Annotated[
    int,
    typer.Option(min=1, metavar="N", help="Multiply grades by this number, to turn fractional grades into whole ones."),
]
GradesOutsideScaleOption = Annotated[
    Aside | None, typer.Option(help="How to store grades outside the scale; by default they are refused.")
]


def pairs(
    texts: Sequence[str] | None, option: str, number: bool = False, form: str = "OLD=NEW"
) -> Iterator[tuple[str, str]]:
    """The pairs of this form; they are split at the last =, because names may contain one."""
    for text in texts or ():
        old, sign, new = text.rpartition("=")
        if not (sign and old and new) or (number and not is_grade(new)):
            raise typer.BadParameter(f"{text!r}; expected {form}", param_hint=option)
        if not is_utf8(text):
            raise InputError(f"{option}: {text!r:.60} is not UTF-8")
        yield old.strip(), new.strip()


def is_utf8(words: str) -> bool:
    """Whether a word of the command line is UTF-8.

    >>> is_utf8("relevant"), is_utf8("relevant\\udcff")
    (True, False)
    """
    return words.encode("utf-8", "ignore").decode() == words


def check_kind(kind: str) -> None:
    """Refuse an unknown kind of assessor."""
    if kind not in ("human", "model", "panel", "import"):
        raise typer.BadParameter(f"{kind!r}; expected human, model, panel or import", param_hint="--kind")


corpus = command(import_corpus, show_lines, "store")
topics = command(import_topics, show_lines, "store")
runs = command(import_runs, show_lines, "store")
qrels = command(import_qrels, show_lines, "store")
collection = command(import_collection, show_lines, "store")
bundle = command(import_bundle, show_lines, "judging")


@not_in_python("its options describe the file; store.import_qrels takes judgments in any form")
def votes(
    path: StorePath,
    files: InputPaths,
    *,
    format: InputFormat = "auto",
    kind: Annotated[
        str, typer.Option(help="Kind of the assessors: human, model, or import if unknown."), completion.KINDS
    ] = "import",
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
        str,
        typer.Option(metavar="NAME", help="The assessor of votes without one; refused if the file names all."),
        completion.ASSESSORS,
    ] = "",
    times: Times = 1,
    off_scale: GradesOutsideScaleOption = None,
    rename: Annotated[
        list[str] | None, typer.Option(metavar="THEIRS=OURS", help="Rename an assessor; may be repeated.")
    ] = None,
    strict: Strict = False,
    normalize_ids: NormalizeIds = False,
) -> None:
    """Import votes of other tools: CSV, JSONL, Relevation, Quepid, Label Studio, Argilla, Prodigy, Doccano and others.

    Every vote becomes an event of its assessor, with provenance "import". Documents that were skipped, discarded or not
    ratable become cannot-judge, postponed ones become later; none of them becomes grade 0. Fields without a counterpart
    are counted and listed. Our fields: assessor, qid, docno, query, grade, state, reason, note, seconds, at.

    Example: cranfield import votes track.db project-3.json --format label-studio --field qid=topic --kind human

    Example: cranfield import votes track.db votes.csv --assessor ada
    """
    from cranfield.formats import read_votes
    from cranfield.formats.files import group_notes
    from cranfield.store.history import importing
    from cranfield.store.names import Demand, NameMatcher
    from cranfield.store.store import Store
    from cranfield.store.votes import import_votes

    check_kind(kind)
    words = {old: int(new) for old, new in pairs(grades.split(",") if grades else None, "--grades", number=True)}
    names, renames, aside = (
        dict(pairs(field, "--field", form="OURS=THEIRS")),
        dict(pairs(rename, "--rename")),
        off_scale is not None,
    )
    imports, notes, assessors = [], [], set[str]()
    take = partial(import_votes, kind=kind, grades=words or None, rename=renames, times=times, set_aside=aside)
    with Store.open(path, tell=note) as store, importing(store, "votes", files):
        spelling = NameMatcher(store, Demand(strict, normalize_ids))
        for file in files:
            with blaming(file):
                ballots = spelling.votes(read_votes(file, format, names, assessor))
                notes += [f"{file}: {line}" for line in ballots.notes]
                assessors |= {vote.assessor for vote in ballots.votes}
                imports.append(str(take(store, ballots)))
    notes += [f"--rename {name}: no votes of an assessor with this name" for name in renames if name not in assessors]
    say_with("\n".join(imports), [*spelling.notes, *group_notes(notes, files)])
