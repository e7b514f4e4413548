"""`online divergence`: what the judgments say of the arms of a log, beside what users do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cranfield.cli.common_options import Plot, Printer, StorePath
from cranfield.cli.tables import Display, TableFormat, emit, note, say, signed
from cranfield.features.online.options import DivergenceOptions
from cranfield.options import Option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.features.online.analysis.divergence import Divergence
    from cranfield.formats.text_tables import Row

WARNING = (
    "the measure that agrees best was chosen on these pairs, so expect it to agree less on new ones. Pairs share arms,"
    " so what they have in common has no interval"
)


class DivergenceCommand(DivergenceOptions):
    """The same, with the topics that differ most."""

    most: Annotated[int, Option("How many topics.", "-n", min=0, before="confidence")] = 10


def divergence(
    path: StorePath,
    *,
    options: DivergenceCommand,
    plot: Plot = None,
    printer: Printer,
) -> None:
    """Compare offline and online differences of the arms: do the judgments predict what users prefer?

    An arm is the run of its name. Two arms of an experiment agree (same) or not (opposite) where both intervals are on
    one side of 0, else they are undecided; an interval needs eight topics that differ, and of clicks per search or
    seconds 200 users in each arm. From 4 pairs on: the share with the same sign, Kendall's tau, Pearson's r,
    and the slope, which is the online difference for .01 of the offline one.

    Then the topics that differ most by the first measure, with judged documents among the first 10 of each run, and
    how many days before the last list the newest judgment was: missing and old labels are the first suspects.

    Example: cranfield online divergence track.db -m nDCG@10 -m AP --online CTR
    """
    from cranfield.features.online.analysis.divergence import as_document, divergence, pair_rows
    from cranfield.features.online.analysis.log import chosen_log
    from cranfield.store.store import Store

    with Store.open(path) as store:
        result = divergence(store, chosen_log(store, options.choice()), options)
    if result.without_run:
        note(f"arms of no run: {', '.join(result.without_run)}")
    if plot is not None:
        from cranfield.features.online.plots import divergence_plot
        from cranfield.plots.style import save

        save(divergence_plot(pair_rows(result), result.online), plot)
    if not printer.for_people:
        printer.emit(pair_rows(result), document=as_document(result))
        return
    _say(result, options.most)


def _say(result: Divergence, most: int) -> None:
    from cranfield.features.online.analysis.divergence import agreement_rows, pair_rows

    heads = {"arm_a": "a", "arm_b": "b", "online": result.online, "online_low": "low ", "online_high": "high ",
             "offline_low": "low", "offline_high": "high", "lists_a": "lists a", "lists_b": "lists b",
             "judged_a": "Judged@10 a", "judged_b": "Judged@10 b", "slope": "slope per .01"}  # fmt: skip
    digits = {name: signed(4) for name in pair_rows(result)[0] if name.startswith(("offline", "online"))}
    measures = sorted({pair.measure for pair in result.pairs})
    offline = measures[0] if len(measures) == 1 else "offline"
    emit(
        _varied(pair_rows(result)), TableFormat.table, title=f"differences a - b, {offline} and {result.online}",
        display=Display(heads=heads, digits=digits, spare=("experiment",)),
    )  # fmt: skip
    if rows := agreement_rows(result):
        say()
        emit(rows, TableFormat.table, title="agreement over pairs", display=Display(heads=heads))
        note(WARNING if len(rows) > 1 else WARNING.partition(". ")[2])
    else:
        note("fewer than 4 pairs: too few to summarise")
    if result.topics and most:
        say()
        digits |= {"days": "{:.0f}".format}
        emit(
            _varied(result.topics[:most]), TableFormat.table, title="topics that differ most",
            display=Display(heads=heads, digits=digits, spare=("experiment",)),
        )  # fmt: skip


def _varied(rows: Sequence[Row]) -> list[Row]:
    """The rows without their experiment or measure where all have the same."""
    alike = {name for name in ("experiment", "measure") if len({row.get(name) for row in rows}) == 1}
    return [{name: value for name, value in row.items() if name not in alike} for row in rows]
