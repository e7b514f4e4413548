"""Preferences: import, export, and ask a model for them."""

from cranfield.cli.build import command, show_lines, show_summary
from cranfield.cli.common_options import Printer
from cranfield.cli.tables import say
from cranfield.features.models.asked import Asked
from cranfield.features.models.commands.asking import end, is_unsent, say_cost
from cranfield.features.preferences import functions

import_preferences = command(functions.import_preferences, show_lines, "store")
export_preferences = command(functions.export_preferences, show_summary, "judging")


def show_preferences(result: Asked, printer: Printer) -> None:
    """Print how the pairs were answered, or what would be asked."""
    if is_unsent(result, printer):
        return
    if printer.is_for_terminal:
        say(result.title)
        say(result.about)
        say_cost(result.tally)
    else:
        printer.emit(result.rows(), title=result.title, document=result.document)
    end(result)


prefer = command(functions.label_preferences, show_preferences, "models")
