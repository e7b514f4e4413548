"""`online interleave` and `online preference`: mix rankings, and tell which one users prefer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.cli.build import command, show_table
from cranfield.cli.common_options import Plot, Printer
from cranfield.cli.tables import BAD, GOOD, Display, TableFormat, print_notes, print_summary, say
from cranfield.features.online.functions import InterleavingPreferences, infer_preferences, list_interleaving_methods
from cranfield.features.online.interleaved_lists import InterleavedLists, interleave_runs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.features.online.analysis.interleaving import ExperimentPreference


def show_lists(result: InterleavedLists) -> None:
    """Print how many lists were written."""
    print_summary(result.output, result.lines[0])


lists = command(interleave_runs, show_lists, "online")
methods = command(list_interleaving_methods, show_table, "online")


def _direction(row: Mapping[str, Any]) -> str:
    return "" if not row["p"].endswith("*") else BAD if row["Delta"].startswith("-") else GOOD


PREFERENCE_DISPLAY = Display(spare=["n", "w/t/l", "interval"], colours={"Delta": _direction})


def show_preferences(result: InterleavingPreferences, plot: Plot = None, *, printer: Printer) -> None:
    """Print the pairs of each experiment, with a sentence on whom users prefer."""
    from cranfield.features.online.analysis.interleaving import preference_notes
    from cranfield.features.online.experiment_tables import preference_title, short_preference_rows

    if plot is not None:
        from cranfield.charts.style import save
        from cranfield.features.online.charts import preference_plot

        save(preference_plot(result.rows()), plot)
    if printer.is_separated or printer.format is TableFormat.json:
        printer.emit(result.records, document=result.document)
        return
    for each in result.experiments:
        if each.impressions:
            printer.emit(short_preference_rows(each), title=preference_title(each), display=PREFERENCE_DISPLAY)
            if printer.is_for_terminal:
                say(f"\n{_reading(each)}\n" if len(result.experiments) > 1 else f"\n{_reading(each)}")
        print_notes(preference_notes(each, result.has_period))


preference = command(infer_preferences, show_preferences, "online")


def _reading(each: ExperimentPreference) -> str:
    lines = []
    for pair in each.pairs:
        who = each.winner(pair)
        other = pair.b if who == pair.a else pair.a
        lines.append(f"Users prefer {who} to {other}." if who else f"Undecided between {pair.a} and {pair.b}.")
    return " ".join(lines)
