"""`topics`: named sets of topics, and folds; how hard topics are, and which to judge next."""

import typer

from cranfield import hooks
from cranfield.cli import in_python
from cranfield.cli.build import command, show_lines
from cranfield.cli.common_options import Printer, ReadStore, SourceView
from cranfield.cli.tables import Display, TableFormat, note, notes, say
from cranfield.commands.topics import save_set, split_into_folds
from cranfield.options.topics import HardnessOptions, NextOptions
from cranfield.store.reading import Reading
from cranfield.text import moment

set_ = command(save_set, show_lines, "topics")
split = command(split_into_folds, show_lines, "topics")


@in_python("topics.list_sets")
def list_(path: ReadStore, *, printer: Printer, reading: Reading) -> None:
    """List the sets of topics of a store, every version.

    JSON: [{"set", "version", "topics", "made", "from", "members"}].

    Example: cranfield topics list track.db

    Example: cranfield topics list track.db --format json
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


@in_python("topics.measure_hardness")
def hardness(view: SourceView, *, options: HardnessOptions, printer: Printer) -> None:
    """Show how hard each topic is: how many documents are relevant, how the runs do, how far assessors agree.

    The topic with the lowest mean comes first, over the runs that answered it. Spread is the standard deviation over
    these, zero how many of them score 0; agreement the share of equal labels, of documents with several. A low mean of
    few judged documents says little.

    JSON: [{"topic", "title", "judged", "relevant", "runs", "mean", "best", "worst", "spread", "zero", "agreement"}].

    Example: cranfield topics hardness track.db -m nDCG@10

    Example: cranfield topics hardness qrels.txt runs/*.gz --output hardness.csv
    """
    from cranfield.analysis.hardness import hardness_of, hardness_rows

    [measure] = view.measures(options.measure)
    summary = hardness_of(view, measure)
    notes(summary.notes)
    rows = hardness_rows(summary.topics, measure)
    printer.emit(rows, document=[row._asdict() for row in summary.topics], display=Display(spare=("title",)))


@in_python("topics.choose_next")
def next_(view: SourceView, *, options: NextOptions, printer: Printer) -> None:
    """Show which topics to judge next, so that the comparison of two runs gains most.

    Those come first where the unjudged among the first documents of both runs stand at the most different ranks: `open`
    is how far they can move the difference of DCG, if all are relevant to one run's favour, `each` the same for each
    document to be judged. It is advice on what to judge, no test: there is no p-value over topics that were chosen so.

    JSON: [{"topic", "title", "documents", "open", "each", "judged"}].

    Example: cranfield topics next track.db --run bm25 --run new

    Example: cranfield topics next track.db --run bm25 --run new --topics dev
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
