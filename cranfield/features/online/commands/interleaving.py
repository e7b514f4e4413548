"""`online interleave` and `online preference`: mix rankings, and tell which one users prefer."""

from __future__ import annotations

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli import completion, in_python
from cranfield.cli.build import command, show_table
from cranfield.cli.common_options import Plot, Printer, StorePath
from cranfield.cli.tables import BAD, GOOD, Display, TableFormat, note, notes, say, summary
from cranfield.features.online.functions import InterleavingPreferences, infer_preferences, list_interleaving_methods
from cranfield.features.online.options import INTERLEAVING
from cranfield.formats.text_tables import FormattedNumber
from cranfield.options import Written
from cranfield.text import counted, p_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.features.online.analysis.interleaving import ExperimentPreference


@in_python("online.interleave")
def lists(
    path: StorePath,
    tags: Annotated[
        list[str], typer.Argument(metavar="RUN...", help="Two runs or more; team a is the first."), completion.RUNS
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="The new file of lists, JSONL."), Written()
    ],
    *,
    method: Annotated[
        str, typer.Option(metavar="METHOD", help="See cranfield online interleave methods."), INTERLEAVING
    ] = "team-draft",
    depth: Annotated[
        int, typer.Option(min=1, metavar="K", help="Number of documents in a list; optimized: at most 12.")
    ] = 10,
    lists: Annotated[int, typer.Option(min=1, metavar="N", help="Number of lists per topic.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Random seed; the same seed gives the same lists.")] = 0,
    experiment: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Name of the experiment; by default the method and the runs."),
        completion.EXPERIMENTS,
    ] = None,
) -> None:
    """Write interleaved lists of stored runs, for a service to show.

    For each impression the service takes a line of the topic at random, shows its documents, and logs the line with id,
    at, user and actions added; the token can be the id's beginning. The experiment is recorded in the store, so that
    `import log` and `online preference` know its runs and method. A service that has its own rankings calls
    `cranfield.online.interleave` instead.

    Example: cranfield online interleave lists track.db bm25 dense -o lists.jsonl

    Example: cranfield online interleave lists track.db bm25 dense -o lists.jsonl --lists 10 --seed 1
    """
    from cranfield.features.online.analysis.interleaving import (
        ListsRequest,
        check_wanted,
        recorded_lists,
        stored_rankings,
    )
    from cranfield.features.online.formats.own import write_lists
    from cranfield.parallel import progress_bar
    from cranfield.store.store import Store

    request = ListsRequest(tags, method, depth, seed, lists)
    name = experiment or f"{method}: {', '.join(tags)}"
    with Store.open(path, tell=note) as store:
        topics = len(stored_rankings(store, tags))
        check_wanted(store, request, name)
        with progress_bar("lists", topics * lists) as advance:
            write_lists(output, recorded_lists(store, request, name, advance))
    summary(output, f"{counted(topics * lists, 'list')} of {counted(topics, 'topic')}; experiment {name!r}")
    if not topics:
        note("no topic is answered by all these runs")


methods = command(list_interleaving_methods, show_table, "online")


Row = dict[str, Any]


def _direction(row: Mapping[str, Any]) -> str:
    return "" if not row["p"].endswith("*") else BAD if row["Delta"].startswith("-") else GOOD


DISPLAY = Display(spare=["n", "w/t/l", "interval"], colours={"Delta": _direction})


def show_preferences(result: InterleavingPreferences, plot: Plot = None, *, printer: Printer) -> None:
    """Print the pairs of each experiment, with a sentence on whom users prefer."""
    from cranfield.features.online.analysis.interleaving import preference_notes

    if plot is not None:
        from cranfield.charts.style import save
        from cranfield.features.online.charts import preference_plot

        save(preference_plot(result.rows()), plot)
    if printer.is_separated or printer.format is TableFormat.json:
        printer.emit(result.records, document=result.document)
        return
    for each in result.experiments:
        if each.impressions:
            printer.emit([_short(row) for row in each.rows], title=_title(each), display=DISPLAY)
            if printer.for_people:
                say(f"\n{_reading(each)}\n" if len(result.experiments) > 1 else f"\n{_reading(each)}")
        notes(preference_notes(each, result.has_period))


preference = command(infer_preferences, show_preferences, "online")


def _short(row: Row) -> Row:
    star = "*" if row["prefers"] else ""
    return {
        "a": row["a"],
        "b": row["b"],
        "n": row["impressions"],
        "w/t/l": FormattedNumber(f"{row['wins']}/{row['ties']}/{row['losses']}"),
        "Delta": FormattedNumber(f"{row['delta']:+.4f}"),
        "interval": FormattedNumber("-" if isnan(row["low"]) else f"{row['low']:+.4f} {row['high']:+.4f}"),
        "p": FormattedNumber(f"{p_value(row['p_corrected'])}{star}"),
        "test": row["p_test"] or "-",
    }


def _title(each: ExperimentPreference) -> str:
    of = f"{counted(each.impressions, 'impression')} of {counted(each.users, 'user')}"
    less = [f"{counted(number, 'impression')} {why}" for number, why in (
        (each.left_out, "without teams or rankings"), (each.uninformative, "that show no difference"),
    ) if number]  # fmt: skip
    return f"{each.experiment}, by {each.method.name}: {of}" + (f"; left out: {', '.join(less)}" if less else "")


def _reading(each: ExperimentPreference) -> str:
    lines = []
    for pair in each.pairs:
        who = each.winner(pair)
        other = pair.b if who == pair.a else pair.a
        lines.append(f"Users prefer {who} to {other}." if who else f"Undecided between {pair.a} and {pair.b}.")
    return " ".join(lines)
