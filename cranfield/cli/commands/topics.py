"""`topics`: named sets of topics, and folds; how hard topics are, and which to judge next."""

from cranfield import hooks
from cranfield.cli import in_python
from cranfield.cli.build import command, show_lines, show_table
from cranfield.cli.common_options import Printer, ReadStore
from cranfield.cli.tables import Display, TableFormat, note, say
from cranfield.commands.hardness import TopicHardness, choose_next, measure_hardness
from cranfield.commands.topics import save_set, split_into_folds
from cranfield.results import Result
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


def show_hardness(result: TopicHardness, *, printer: Printer) -> None:
    """Print how hard each topic is."""
    printer.emit(result.shown, document=result.rows(), display=result.display)


def show_next(result: Result, *, printer: Printer) -> None:
    """Print which topics to judge next, and what the list is not."""
    from cranfield.analysis.hardness import ADVICE

    if not result.rows():
        note("nothing is open: all that stands at different ranks is judged")
    note(ADVICE)
    show_table(result, printer)


hardness = command(measure_hardness, show_hardness, "topics")
next_ = command(choose_next, show_next, "topics")
