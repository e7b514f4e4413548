"""`topics`: named sets of topics, and folds; how hard topics are, and which to judge next."""

from pathlib import Path
from typing import Annotated

import typer

from cranfield import hooks
from cranfield.cli import completion
from cranfield.cli.common_options import Printer, ReadStore, SourceView, StorePath
from cranfield.cli.tables import Display, TableFormat, note, notes, say
from cranfield.options.topics import HardnessOptions, NextOptions
from cranfield.store.reading import Reading
from cranfield.text import counted, moment

SetName = Annotated[str, typer.Argument(metavar="NAME", help="What the set is called, such as dev.")]


def set_(
    path: StorePath,
    name: SetName,
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="One topic id a line, or topics."),
    ],
) -> None:
    """Name a set of topics, for --topics NAME. A set that has changed is another version; NAME@1 is the first.

    Example: cranfield topics set track.db dev dev.txt
    """
    from cranfield.errors import blaming
    from cranfield.store.store import Store
    from cranfield.store.topic_sets import keep_topic_set, qids_in

    with Store.open(path, tell=note) as store, blaming(file):
        new = keep_topic_set(store, name, qids_in(file), {"file": file.name})
    say(f"{new.name}, version {new.version}: {counted(len(new.topics), 'topic')}")


def split(
    path: StorePath,
    name: SetName,
    *,
    folds: Annotated[int, typer.Option(min=2, metavar="N", help="How many folds.")],
    seed: Annotated[int, typer.Option(min=0, help="Random seed; the same seed gives the same folds.")] = 0,
    of: Annotated[
        str, typer.Option(metavar="NAME", help="Split this set instead of all topics."), completion.TOPIC_SETS
    ] = "",
) -> None:
    """Split the topics into folds, drawn at random: NAME-1, NAME-2, ..., each a set of its own.

    Example: cranfield topics split track.db fold --folds 5 --seed 1
    """
    from cranfield.store.store import Store
    from cranfield.store.topic_sets import split_topics

    with Store.open(path, tell=note) as store:
        for fold in split_topics(store, name, folds, seed, of):
            say(f"{fold.name}, version {fold.version}: {counted(len(fold.topics), 'topic')}")


def list_(path: ReadStore, *, printer: Printer, reading: Reading) -> None:
    """List the sets of topics of a store, every version.

    JSON: [{"set", "version", "topics", "made", "from", "members"}].

    Example: cranfield topics list track.db
    """
    if other := hooks.instead("topics list", reading.added):
        other.run(path, printer)
        return
    from cranfield.store.topic_sets import set_rows

    with reading.store(path) as store:
        rows = set_rows(store)
    if not rows and printer.format is TableFormat.table:
        say("No set of topics yet; `cranfield topics set` names one, `cranfield topics split` draws some.")
        return
    printer.emit(rows, display=Display(digits={"made": moment}, spare=("members",)))


def hardness(view: SourceView, *, options: HardnessOptions, printer: Printer) -> None:
    """Show how hard each topic is: how many documents are relevant, how the runs do, how far assessors agree.

    The topic with the lowest mean comes first, over the runs that answered it. Spread is the standard deviation over
    these, zero how many of them score 0; agreement the share of equal labels, of documents with several. A low mean of
    few judged documents says little.

    JSON: [{"topic", "title", "judged", "relevant", "runs", "mean", "best", "worst", "spread", "zero", "agreement"}].

    Example: cranfield topics hardness track.db -m nDCG@10
    """
    from cranfield.analysis.hardness import hardness_of, hardness_rows

    [measure] = view.measures(options.measure)
    summary = hardness_of(view, measure)
    notes(summary.notes)
    rows = hardness_rows(summary.topics, measure)
    printer.emit(rows, document=[row._asdict() for row in summary.topics], display=Display(spare=("title",)))


def next_(view: SourceView, *, options: NextOptions, printer: Printer) -> None:
    """Show which topics to judge next, so that the comparison of two runs gains most.

    Those come first where the unjudged among the first documents of both runs stand at the most different ranks: `open`
    is how far they can move the difference of DCG, if all are relevant to one run's favour, `each` the same for each
    document to be judged. It is advice on what to judge, no test: there is no p-value over topics that were chosen so.

    JSON: [{"topic", "title", "documents", "open", "each", "judged"}].

    Example: cranfield topics next track.db --run bm25 --run new
    """
    from cranfield.analysis.hardness import ADVICE, next_topics_of

    _ = view.source  # what is wrong with it is reported first
    if len(options.pair) != 2:
        raise typer.BadParameter(f"{len(options.pair)} given; a comparison is of two runs", param_hint="--run")
    rows = next_topics_of(view, options.pair, options.depth)
    if not rows:
        note("nothing is open: all that stands at different ranks is judged")
    note(ADVICE)
    printer.emit([row._asdict() for row in rows], display=Display(spare=("title",)))
