"""progress."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from cranfield.cli.options import Format, Output, PoolNumber, StorePath
from cranfield.cli.tables import TableFormat, emit, say
from cranfield.formats.text_tables import aligned
from cranfield.formats.whole_files import write_text


class ProgressSection(StrEnum):
    """The tables of progress."""

    work = "work"
    pace = "pace"
    agreement = "agreement"
    repeats = "repeats"
    drift = "drift"


TITLES = {
    "work": "Work, by assessor and topic",
    "pace": "Pace and time left (mind the range)",
    "agreement": "Agreement so far: raw shares, not corrected for chance (see cranfield agreement)",
    "repeats": "Repeats: how far assessors agree with themselves",
    "drift": "Drift: the first, second and last third of each topic, in the order judged",
    "answers": "Generated answers: nuggets made and assigned, citations labelled",
}


def progress(
    path: StorePath,
    pool: PoolNumber = None,
    show: Annotated[
        ProgressSection | None,
        typer.Option(help="Show only this table. [default: all; as csv, tsv, markdown, latex: work]"),
    ] = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Show the progress of judging, the time left, agreement so far, and anomalies.

    The first line shows how much of the pool was labelled by people, by models only, and by nobody; for models and
    imported judgments only the number of labels is shown.

    Times are active seconds. The estimate of the hours left allows for the length of documents, has a range (19 cases
    in 20) and a basis, and requires ten timed decisions. Documents that an adaptive pool may still add within its
    budget count as remaining. Labels given in less than 0.4 seconds are counted as fast. In a blind order the thirds of
    a topic should be similar; if they are not, standards may have drifted.

    Example: cranfield progress track.db
    """
    from cranfield.judging.planning.answer_progress import answer_rows
    from cranfield.judging.planning.progress import pool_line, pool_row, progress_of
    from cranfield.judging.planning.progress_sections import SECTIONS
    from cranfield.store.store import Store

    with Store.open(path) as store:
        row = pool_row(store, pool) if pool or store.counts()["pool"] else None
        state, answers = progress_of(store, pool), answer_rows(store)
    wanted = [show] if show else list(SECTIONS)
    tables: dict[str, list[dict[str, Any]]] = {name: SECTIONS[name](state) for name in wanted}
    if answers and not show:
        tables["answers"] = answers
    if format is TableFormat.table and "pace" in tables:
        tables["pace"] = [_narrow(row) for row in tables["pace"]]
    if format is TableFormat.json or show or format is not TableFormat.table:
        rows = tables[show or "work"]
        emit(rows, format, output, TITLES[show or "work"], document=rows if show else {"pool": row, **tables})
    else:
        _all(pool_line(row) if row else "", tables, output)


def _narrow(row: Mapping[str, Any]) -> dict[str, object]:
    """A row of the pace that fits a screen."""
    likely, low, high = (row[name] for name in ("hours left", "from", "to"))
    return {
        "assessor": row["assessor"],
        "judged": row["judged"],
        "left": row["remaining"] + row["later"],
        "seconds": row["median seconds"] and round(row["median seconds"], 1),
        "an hour": row["per active hour"],
        "hours": row["active hours"],
        "hours left": row["basis"] if likely is None else f"{likely:g} ({low:g} to {high:g})" if high else "none",
    }


def _all(head: str, tables: dict[str, list[dict[str, object]]], output: Path | None) -> None:
    """Print the tables that have rows, one below the other."""
    shown = {name: rows for name, rows in tables.items() if rows}
    if output is not None:
        texts = [aligned(rows, TITLES[name]) for name, rows in shown.items()]
        write_text(output, "\n".join([*([f"{head}\n"] if head else []), *texts]))
        return
    if head or not shown:
        say(head or "Nothing is pooled yet; build a pool with `cranfield pool build`.")
    for number, (name, rows) in enumerate(shown.items()):
        emit(rows, TableFormat.table, title=("\n" if head or number else "") + TITLES[name])
