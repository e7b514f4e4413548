"""`import`: what its commands share, and those for texts, judgments and whole collections."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cranfield.cli import completion, in_python, not_in_python
from cranfield.cli.build import command, show_lines
from cranfield.cli.common_options import InputFormat, InputPaths, NormalizeIds, StorePath, Strict
from cranfield.cli.tables import note, say_with
from cranfield.commands.transfers import import_bundle, import_collection
from cranfield.errors import InputError, blaming
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.formats.records import Kind, Names
    from cranfield.store.names import NameMatcher
    from cranfield.store.store import Store


GRADE = re.compile(r"[+-]?\d{1,18}")


class Aside(StrEnum):
    """How grades outside the scale are stored."""

    cannot_judge = "cannot-judge"


class FileOptions(NamedTuple):
    """How the files of an import are read."""

    format: InputFormat = "auto"
    field: Annotated[
        list[str] | None,
        typer.Option(
            metavar="OURS=THEIRS",
            help="Name of a field in the files, as text=story; text= for none; may be repeated.",
        ),
    ] = None
    columns: Annotated[
        str | None,
        typer.Option(metavar="NAME,...", help="Columns of TSV and CSV files that have no header line, as docno,text."),
    ] = None
    no_header: Annotated[
        bool, typer.Option("--no-header", help="The files have no header line; requires --columns.")
    ] = False

    def names_of(self, kind: Kind) -> Names:
        """Our field names to theirs, which may be empty, and the columns of a file without a header.

        >>> FileOptions("auto", ["text=story", "corpus.title="], "docno, story", True).names_of("corpus")
        Names(mapping={'text': 'story', 'title': ''}, columns=['docno', 'story'], present={}, places={})
        """
        from cranfield.formats.records import Names

        parts = [(text, *map(str.strip, text.partition("="))) for text in self.field or ()]
        for text, ours, sign, _ in parts:
            if not (ours and sign):
                raise typer.BadParameter(f"{text!r}; expected OURS=THEIRS", param_hint="--field")
        if self.no_header and not self.columns:
            raise typer.BadParameter("requires --columns, such as docno,text", param_hint="--no-header")
        columns = [name.strip() for name in (self.columns or "").split(",") if name]
        return Names({ours.removeprefix(f"{kind}."): theirs for _, ours, _, theirs in parts}, columns)


class IdOptions(NamedTuple):
    """Which documents and topics of files are taken for those of the store."""

    strict: Strict = False
    normalize_ids: NormalizeIds = False

    def matcher(self, store: Store) -> NameMatcher:
        """What finds the names of the store for those in files."""
        from cranfield.store.names import Demand, NameMatcher

        return NameMatcher(store, Demand(*self))


ImportedRound = Annotated[
    str | None,
    typer.Option("--round", metavar="NAME", help="The round it is of; the open one by default."),
    completion.ROUNDS,
]
Times = Annotated[
    int,
    typer.Option(min=1, metavar="N", help="Multiply grades by this number, to turn fractional grades into whole ones."),
]
OffScale = Annotated[
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
    if kind not in ("human", "model", "panel", "import"):
        raise typer.BadParameter(f"{kind!r}; expected human, model, panel or import", param_hint="--kind")


def telling(notes: list[str], file: Path) -> Callable[[str], None]:
    """Collects what the reader of this file reports, until the import has succeeded."""
    return lambda text: notes.append(f"{file}: {text}")


def off_the_scale(file: Path, grades: Sequence[int], scale: Collection[int]) -> Iterator[str]:
    """How many grades of a file are outside the scale, if any are.

    >>> list(off_the_scale(Path("qrels.txt"), [0, 1, 7], {0, 1}))
    ['qrels.txt: 1 of 3 grades is outside the scale; these documents are stored as cannot-judge']
    """
    if aside := sum(grade not in scale for grade in grades):
        are = "is" if aside == 1 else "are"
        where = f"{aside} of {len(grades)} grades {are} outside the scale"
        yield f"{file}: {where}; these documents are stored as cannot-judge"


@in_python("store.import_topics")
def topics(
    path: StorePath,
    files: InputPaths,
    *,
    options: FileOptions,
    round: ImportedRound = None,
) -> None:
    """Import topics. Those that the store has already are left alone if they are the same, and refused if not.

    The fields of a topic are qid, title, description and narrative, recognised by their usual names; other fields
    become metadata. If a topic has a single text, it is the title.

    Example: cranfield import topics track.db topics.xml

    Example: cranfield import topics track.db topics.csv --columns qid,text --no-header
    """
    from cranfield.formats import read_topics
    from cranfield.formats.files import group_notes
    from cranfield.store.history import importing
    from cranfield.store.named_rows import unchanged_notes
    from cranfield.store.names import still_unknown
    from cranfield.store.store import Store

    names, notes, number, new = options.names_of("topics"), list[str](), 0, 0
    with Store.open(path, tell=note) as store, importing(store, "topics", files, round=round):
        for file in files:
            with blaming(file):
                several = read_topics(file, format=options.format, names=names, note=telling(notes, file))
                number, new = number + len(several), new + store.add_topics(several)
        notes = [*group_notes(notes, files), *unchanged_notes("topic", number, new), *still_unknown(store, "topic")]
    say_with(counted(new, "topic"), notes)


@in_python("store.import_qrels")
def qrels(
    path: StorePath,
    files: InputPaths,
    *,
    assessor: Annotated[
        str, typer.Option(metavar="NAME", help="The assessor who made the judgments."), completion.ASSESSORS
    ] = "import",
    kind: Annotated[
        str, typer.Option(help="Kind of assessor: human, model, or import if unknown."), completion.KINDS
    ] = "import",
    grades: Annotated[str, typer.Option(help="Mapping from the file's grades to the store's, as 1=4,2=3,-1=0.")] = "",
    times: Times = 1,
    off_scale: OffScale = None,
    options: FileOptions,
    ids: IdOptions,
    round: Annotated[
        str | None,
        typer.Option("--round", metavar="NAME", help="The round they are of; the open one by default."),
        completion.ROUNDS,
    ] = None,
    cumulative: Annotated[
        bool,
        typer.Option("--cumulative", help="The files also have judgments that are known; those are left as they are."),
    ] = False,
    rejudged: Annotated[
        bool,
        typer.Option("--rejudged", help="With --cumulative: a judgment with another grade replaces the known one."),
    ] = False,
) -> None:
    """Import judgments made elsewhere, as events of one assessor.

    Grades must be whole numbers (after --times) on the store's scale (after --grades). With --off-scale cannot-judge,
    documents with other grades are stored as cannot-judge.

    Example: cranfield import qrels track.db qrels.txt --assessor nist

    Example: cranfield import qrels track.db qrels.csv --assessor crowd --field grade=label
    """
    from cranfield.formats import read_qrels
    from cranfield.store.history import importing
    from cranfield.store.pools import newest_sample
    from cranfield.store.qrels import JudgedBeforeError, import_qrels
    from cranfield.store.store import Store

    check_kind(kind)
    grade_map, notes, count = parse_grades(grades) if grades else None, list[str](), 0
    with Store.open(path, tell=note) as store, importing(store, "qrels", files, round=round):
        spelling, scale = ids.matcher(store), store.collection.grades
        names = options.names_of("qrels")
        read = partial(read_qrels, format=options.format, names=names, times=times, grades=grade_map)
        add = partial(import_qrels, store, assessor=assessor, kind=kind, set_aside=bool(off_scale))
        for file in files:
            with blaming(file):
                judgments = read(file, scale=None if off_scale else scale)
                notes += off_the_scale(file, judgments.given_grades.tolist(), scale)
                own = spelling.qrels(judgments, file)
                try:
                    new = add(own, cumulative=cumulative, rejudged=rejudged)
                except JudgedBeforeError as error:
                    raise InputError(f"{error}; --cumulative leaves what is known as it is") from error
                count += new
                if judgments.stratum is not None:
                    notes.append(f"{file}: a stratified sample; its strata are those of pool {newest_sample(store)}")
                elif known_now := len(judgments) - new:
                    notes.append(f"{file}: {counted(known_now, 'judgment')} known already, with the same grade")
    say_with(f"{counted(count, 'judgment')} by {assessor}", [*notes, *spelling.notes])


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
    off_scale: OffScale = None,
    rename: Annotated[
        list[str] | None, typer.Option(metavar="THEIRS=OURS", help="Rename an assessor; may be repeated.")
    ] = None,
    ids: IdOptions,
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
        spelling = ids.matcher(store)
        for file in files:
            with blaming(file):
                ballots = spelling.votes(read_votes(file, format, names, assessor))
                notes += [f"{file}: {line}" for line in ballots.notes]
                assessors |= {vote.assessor for vote in ballots.votes}
                imports.append(str(take(store, ballots)))
    notes += [f"--rename {name}: no votes of an assessor with this name" for name in renames if name not in assessors]
    say_with("\n".join(imports), [*spelling.notes, *group_notes(notes, files)])
