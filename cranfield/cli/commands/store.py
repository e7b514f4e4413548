"""`store`: undo mistakes, erase people, verify the log, back up, release."""

from cranfield.cli.build import command, show_lines, show_lines_and_notes, show_table
from cranfield.cli.common_options import Printer
from cranfield.cli.tables import TableFormat
from cranfield.commands import store_copies, stores
from cranfield.commands.judging import choose_labels
from cranfield.results import Result


def show_history(result: Result, printer: Printer) -> None:
    """Print the history; for people, long names are shortened."""
    from cranfield.charts.labels import shorten

    rows = result.rows()
    if printer.format is TableFormat.table:
        rows = [row | {"name": shorten(row["name"], 60)} for row in rows]
    printer.emit(rows, title=result.title, display=result.display, columns=result.columns)


remove = command(stores.remove, show_lines, "store")
withdraw = command(stores.withdraw, show_lines, "store")
restore = command(stores.restore, show_lines, "store")
erase = command(stores.erase, show_lines_and_notes, "store")
history = command(stores.list_history, show_history, "store")
verify = command(stores.verify, show_lines, "store")
backup = command(store_copies.backup, show_lines, "store")
release = command(stores.create_release, show_lines, "store")
releases = command(stores.list_releases, show_table, "store")
adopt = command(store_copies.adopt, show_lines_and_notes, "store")
upgrade = command(store_copies.upgrade_store, show_lines, "store")
labels = command(choose_labels, show_lines, "judging")
