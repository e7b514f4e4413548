"""online show.

JSON: [{"experiment", "variant" (by run: "run"; by position: "position"; by query: "query", "topic"), "measure",
"value", "low", "high", "lists", "users"}]; undefined numbers are null.
"""

from __future__ import annotations

from enum import StrEnum
from math import isnan
from typing import Annotated

import typer

from cranfield.cli.lists import names
from cranfield.cli.online_options import Arms, Experiment, MinUsers, Since, Until, choice_of
from cranfield.cli.options import Confidence, Format, Output, Plot, StorePath
from cranfield.cli.tables import Display, TableFormat, emit, note, notes
from cranfield.text import counted


class Group(StrEnum):
    """What a row is about."""

    variant = "variant"
    run = "run"
    position = "position"
    query = "query"


def show(
    path: StorePath,
    by: Annotated[Group, typer.Option(help="Measure by arm, by run, by position or by query.")] = Group.variant,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "-m", "--measure", metavar="MEASURE", callback=names, help="An online measure, such as CTR@10 or Dwell."
        ),
    ] = None,
    experiment: Experiment = None,
    arms: Arms = "",
    since: Since = None,
    until: Until = None,
    min_users: MinUsers = 5,
    most: Annotated[int, typer.Option("-n", min=1, help="How many positions or queries.")] = 20,
    confidence: Confidence = 0.95,
    plot: Plot = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Show the measures of an interaction log: clicks, time, reformulations, conversions.

    Users are independent of each other, their lists are not: intervals are over users (delta method). Clicks per search
    and seconds have one from 200 users, a median from five. By run and by position each document shown counts; the run
    of an interleaved list's document is that of its team. Measures: CTR, CTR@k, Abandonment, ClicksPerSearch, MaxRR,
    MeanRR, TimeToClick, Dwell, Satisfied, Reformulation, Conversion, ZeroHits; `cranfield measures CTR` describes one.

    Example: cranfield online show track.db --by variant -m CTR@10 -m Abandonment
    """
    from cranfield.analysis.online.showing import chosen_log, first_groups, online_rows, remarks
    from cranfield.online.experiments.effect import ENOUGH
    from cranfield.online.measures.estimate import OF_MEDIAN
    from cranfield.store.store import Store

    with Store.open(path) as store:
        log = chosen_log(store, choice_of(experiment, arms, since, until))
        rows = online_rows(log, by.value, measure or (), confidence, min_users)
        kept, groups = first_groups(rows, by.value, most)
    if len({row.get("experiment") for row in kept}) == 1 and format is TableFormat.table:
        kept = [{name: value for name, value in row.items() if name != "experiment"} for row in kept]
    title = f"{counted(len(log), 'list')}, {counted(log.users, 'user')}"
    emit(kept, format, output, title=title, display=Display(spare=("users", "lists")))
    if groups > most and by in (Group.position, Group.query):
        note(f"{by.value}: the first {most} of {groups:,}; -n shows more")
    if any(isnan(row["low"]) and row["users"] for row in kept):
        note(f"no interval: too few users; shares need 2, medians {OF_MEDIAN} and more spread, other measures {ENOUGH}")
    notes(remarks(log, by.value, groups, min_users))
    if plot is not None:
        from cranfield.plots.online import online_plot
        from cranfield.plots.style import save

        save(online_plot(kept, by.value, confidence), plot)
