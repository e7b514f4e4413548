"""`topics`: named sets of topics, and folds; how hard topics are, and which to judge next."""

from cranfield.cli.build import command, show_lines, show_table
from cranfield.cli.common_options import Printer
from cranfield.cli.tables import TableFormat, print_note
from cranfield.commands.hardness import TopicHardness, choose_next, measure_hardness
from cranfield.commands.topics import TopicSets, list_sets, save_set, split_into_folds
from cranfield.results import Result

set_ = command(save_set, show_lines, "topics")
split = command(split_into_folds, show_lines, "topics")


def show_sets(result: Result, *, printer: Printer) -> None:
    """Print the sets of topics, or how to make one."""
    if isinstance(result, TopicSets) and not result.rows() and printer.format is TableFormat.table:
        title = (
            "The store has no topic sets. Use `cranfield topics set` to name one, or `cranfield topics split` to draw"
            " several."
        )
        printer.emit([], title=title)
        return
    show_table(result, printer)


list_ = command(list_sets, show_sets, "topics")


def show_hardness(result: TopicHardness, *, printer: Printer) -> None:
    """Print how hard each topic is."""
    printer.emit(result.shown, document=result.rows(), display=result.display, columns=result.columns)


def show_next(result: Result, *, printer: Printer) -> None:
    """Print which topics to judge next, and what the list is not."""
    from cranfield.analysis.hardness import ADVICE

    if not result.rows():
        print_note("there is nothing to judge: all documents with different ranks in the two runs are judged")
    print_note(ADVICE)
    show_table(result, printer)


hardness = command(measure_hardness, show_hardness, "topics")
next_ = command(choose_next, show_next, "topics")
