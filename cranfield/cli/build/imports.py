"""import corpus, topics, runs, qrels, votes, bundle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.build.import_options import (Fields, OffScale, Times, check_kind, named_fields, off_the_scale, pairs, parse_grades, telling)
from cranfield.errors import blaming
from cranfield.cli.options import (InputFormat, InputPaths, NormalizeIds, StorePath, Strict, Teams)
from cranfield.cli.tables import note, say

if TYPE_CHECKING:
    from cranfield.formats import Document

app = typer.Typer(
    help="Bring a corpus, topics, runs or judgments into a store.", no_args_is_help=True, add_completion=False
)


@app.command()
def corpus(path: StorePath, files: InputPaths, format: InputFormat = "auto", field: Fields = None) -> None:
    """Import documents: all files or, if anything is wrong with one, none.

    A document has a docno, a title, a text and a url, which are known by their usual names; what else there is becomes
    metadata. A corpus without a text in any document is refused: --field says where it is.

    Example: cranfield import corpus track.db corpus.jsonl.gz --field text=story
    """
    from cranfield.formats import read_corpus
    from cranfield.store.history import importing
    from cranfield.progress import progress_bar
    from cranfield.store.spelling import still_unknown
    from cranfield.store.store import Store

    names, notes, added = named_fields(field), list[str](), 0
    progress = progress_bar("importing documents")
    with Store.open(path) as store, importing(store, "corpus", files), progress as advance:
        for file in files:
            with blaming(file):
                found = read_corpus(file, format, names=names, note=telling(notes, file))
                added += store.add_documents(_counted(found, advance))
        notes += still_unknown(store, "document")
    _say(f"{added} documents", notes)


def _say(done: str, notes: Iterable[str]) -> None:
    say(done)
    for text in notes:
        note(text)


def _counted(documents: Iterator[Document], advance: Callable[[int], None]) -> Iterator[Document]:
    for document in documents:
        advance(1)
        yield document


@app.command()
def topics(path: StorePath, files: InputPaths, format: InputFormat = "auto", field: Fields = None) -> None:
    """Import topics.

    A topic has a qid, a title, a description and a narrative, which are known by their usual names; what else there is
    becomes metadata. A topic's only text is its title.

    Example: cranfield import topics track.db topics.xml
    """
    from cranfield.formats import read_topics
    from cranfield.store.history import importing
    from cranfield.store.spelling import still_unknown
    from cranfield.store.store import Store

    names, notes, added = named_fields(field), list[str](), 0
    with Store.open(path) as store, importing(store, "topics", files):
        for file in files:
            with blaming(file):
                added += store.add_topics(read_topics(file, format, names, telling(notes, file)))
        notes += still_unknown(store, "topic")
    _say(f"{added} topics", notes)


@app.command()
def runs(
    path: StorePath,
    files: InputPaths,
    format: InputFormat = "auto",
    teams: Teams = None,
    tag: Annotated[str | None, typer.Option(metavar="NAME", help="What to call the run.")] = None,
    tag_from_name: Annotated[
        bool,
        typer.Option("--tag-from-name", help="Call runs by the names of their files, without .run, .gz and such."),
    ] = False,
    strict: Strict = False,
    normalize_ids: NormalizeIds = False,
) -> None:
    """Import runs, one file a run. Without --teams each run is a team of its own and is pooled.

    Runs are called by the tag in their lines; files that share one, by their own names. --tag and --tag-from-name call
    them otherwise. What a file says of itself in an ir_metadata header is kept; its team and description are the run's,
    unless --teams says so.

    Example: cranfield import runs track.db runs/*.gz --teams teams.tsv
    """
    from cranfield.cli.build.about_runs import About
    from cranfield.cli.build.naming import Naming
    from cranfield.formats.reading import read_runs_of
    from cranfield.store.history import importing
    from cranfield.store.runs import (add_runs, run_info)
    from cranfield.progress import progress_bar
    from cranfield.store.spelling import (Demand, Spelling)
    from cranfield.store.store import Store

    _check_tag(tag, tag_from_name, files)
    with Store.open(path) as store:
        naming = Naming(tag, tag_from_name, set(run_info(store)))
        with progress_bar("reading runs", len(files)) as advance:
            new, origins = read_runs_of(files, format, advance, naming)
        about = About(new.tags, files, origins, teams)
        spelling = Spelling(store, Demand(strict, normalize_ids))
        with importing(store, "runs", files):
            added = add_runs(store, spelling.runs(new, files), about.by_tag)
    _say(f"{added} runs, {len(new)} documents retrieved", [*naming.notes, *about.notes, *spelling.notes])


def _check_tag(tag: str | None, from_name: bool, files: list[Path]) -> None:
    if tag is not None and (from_name or len(files) > 1):
        what = "--tag-from-name" if from_name else f"{len(files)} files; --tag-from-name is for several"
        raise typer.BadParameter(f"names one run, not with {what}", param_hint="--tag")
    if tag is not None and tag.split() != [tag]:
        raise typer.BadParameter(f"one word, not {tag!r}", param_hint="--tag")


@app.command()
def qrels(
    path: StorePath,
    files: InputPaths,
    assessor: Annotated[str, typer.Option(metavar="NAME", help="Whose judgments these are.")] = "import",
    kind: Annotated[str, typer.Option(help="What the assessor is: human, model, or import if unknown.")] = "import",
    grades: Annotated[str, typer.Option(help="From the file's grades to the store's, as 1=4,2=3,-1=0.")] = "",
    times: Times = 1,
    off_scale: OffScale = None,
    format: InputFormat = "auto",
    strict: Strict = False,
    normalize_ids: NormalizeIds = False,
) -> None:
    """Import judgments made elsewhere, as events of an assessor.

    A grade is a whole number, after --times, and on the store's scale, after --grades. With --off-scale cannot-judge
    one that is not becomes a document that cannot be judged.

    Example: cranfield import qrels track.db qrels.txt --assessor nist
    """
    from cranfield.store.details import newest_sample
    from cranfield.formats import read_qrels
    from cranfield.store.history import importing
    from cranfield.store.log import import_qrels
    from cranfield.store.spelling import (Demand, Spelling)
    from cranfield.store.store import Store

    check_kind(kind)
    grade_map, notes, added = parse_grades(grades) if grades else None, list[str](), 0
    with Store.open(path) as store, importing(store, "qrels", files):
        spelling, scale = Spelling(store, Demand(strict, normalize_ids)), store.collection.grades
        for file in files:
            with blaming(file):
                found = read_qrels(file, format, grade_map, times, None if off_scale else scale)
                notes += off_the_scale(file, found.given.tolist(), scale)
                added += import_qrels(store, spelling.qrels(found, file), assessor, kind, off_scale is not None)
                if found.stratum is not None:
                    notes.append(f"{file}: a stratified sample, whose strata are those of pool {newest_sample(store)}")
    _say(f"{added} judgments by {assessor}", [*notes, *spelling.notes])


@app.command()
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
    from cranfield.store.votes import import_votes
    from cranfield.formats import read_votes
    from cranfield.store.history import importing
    from cranfield.store.spelling import (Demand, Spelling)
    from cranfield.store.store import Store

    check_kind(kind)
    words = {old: int(new) for old, new in pairs(grades.split(",") if grades else None, "--grades", number=True)}
    names, called = dict(pairs(field, "--field")), dict(pairs(rename, "--rename"))
    done = []
    with Store.open(path) as store, importing(store, "votes", files):
        spelling = Spelling(store, Demand(strict, normalize_ids))
        for file in files:
            with blaming(file):
                found = spelling.votes(read_votes(file, format, names, assessor))
                aside = off_scale is not None
                done.append(str(import_votes(store, found, kind, words or None, called, times, aside)))
    _say("\n".join(done), spelling.notes)


@app.command()
def bundle(
    path: StorePath, file: Annotated[Path, typer.Argument(metavar="FILE", help="A bundle that was judged.")]
) -> None:
    """Bring back a bundle: add its events that are not here yet. Twice does no harm, nor do bundles of other people.

    Nothing in it is trusted. It has to be of this collection and of its owner alone, about topics that were assigned to
    her and documents pooled for them, its texts those of this store, its chain of hashes whole; else nothing is taken.

    Example: cranfield import bundle track.db ada.db
    """
    from cranfield.store.bundles import merge_bundle
    from cranfield.store.store import Store

    with Store.open(path) as store:
        merged = merge_bundle(store, file)
    if not merged.recorded:
        note(f"{file}: this store did not record that it made this bundle; be sure that it is from {merged.assessor}")
    say(
        f"{merged.new} new events by {merged.assessor}, {merged.known} known already; {merged.outdated} decisions of"
        " these are older than hers here and do not count"
    )
