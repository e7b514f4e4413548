"""The section with the reusability card: verdict, units, pool depths, stability over topics."""

from __future__ import annotations

from math import isnan
from typing import Any

from cranfield.analysis import depths, stability
from cranfield.analysis.reusability import change_rows, pool_line
from cranfield.analysis.verdict import verdict_rows
from cranfield.plots.figures import change_plot, depths_plot, stability_plot

from .blocks import Block, Figure, Section, Table, Text, as_cell, rounded
from .card import Card
from .inline import svg

Row = dict[str, Any]
CARD = "Reusability card"


def trust(card: Card) -> Section:
    """The card as a section of the page."""
    blocks = [*_verdict(card), *_units(card), *_depths(card), *_stability(card)]
    return Section("trust", CARD, blocks)


def _verdict(card: Card) -> list[Block]:
    found = card.verdict.found
    closed = (
        ""
        if card.closed_topics is None
        else f" {card.closed_topics} of {found.topics} topics are completely judged to this depth."
    )
    tables = [
        Table(f"verdict-{place}", f"What left-out {found.by}s lose in {name}; read from the top", rows, sortable=False)
        for place, name in enumerate(() if found.no_verdict else found.measures)
        if (
            rows := [{by_measure(key): value for key, value in row.items()} for row in verdict_rows(card.verdict, name)]
        )
    ]
    lack = f" No verdict: {found.no_verdict}." if found.no_verdict else ""
    who = [Text(f"{line[0].upper()}{line[1:]}.") for line in (card.verdict.who.notes if card.verdict.who else ())]
    return [Text(f"{pool_line(found).capitalize()}.{closed}{lack}"), *who, *tables]


def by_measure(heading: str) -> str:
    """The heading of a column of `verdict_rows`, the first of which is the measure."""
    return heading if heading in ("value", "how to read it") else f"by {heading}"


def _units(card: Card) -> list[Block]:
    found = card.verdict.found
    rows = [_unit_row(row) for row in change_rows(found, [card.measure])]
    caption = f"Each {found.by} scored as if it had not contributed to the pool, largest change of {card.measure} first"
    drawn: list[Row] = [
        {"unit": unit.unit, "run": change.run, "change": change.change_percent, "fall": change.rank_drop}
        for unit in found.units
        for change in unit.changes
        if change.measure == card.measure
    ]
    blocks: list[Block] = [Text(f"Each {found.by} left out", 3), Table("units", caption, rows)]
    if not found.no_verdict and not all(isnan(row["change"]) for row in drawn):
        text = (
            f"Change of each left-out {found.by}'s own {card.measure} in per cent, one dot per run, and its rank drop."
            " Dotted line: 1 %, the noise of assessors and topics; dashed line: 6 %, which calls for care."
        )
        figure = change_plot(drawn, found.by, card.measure)
        blocks.insert(1, Figure("changes", svg(figure, "changes", f"What each {found.by} loses", text), text))
    return blocks


def _unit_row(row: Row) -> Row:
    kept = {name: value for name, value in row.items() if name != "measure"}
    short = {name: rounded(value) for name, value in kept.items() if name.endswith("%")}
    return kept | short | {"tau": rounded(row["tau"], 3)}


def _depths(card: Card) -> list[Block]:
    if card.verdict.found.no_verdict:
        return []
    if card.dial is None:
        return [Text("The pool was not built to a fixed depth, so there are no shallower pools to compare.")]
    rows = [_short(row) for row in depths.rows(card.dial)]
    title = depths.title(card.dial)
    table = Table("dial-table", title[0].upper() + title[1:], rows, sortable=False)
    text = "Judgments that a shallower pool would have cost, and what left-out units would have lost with it."
    figure = Figure("dial", svg(depths_plot(card.dial), "dial", "Pool depths", text), text)
    read = Text(depths.HOW_TO_READ)
    return [Text("Was the pool deep enough?", 3), read, figure, table]


def _stability(card: Card) -> list[Block]:
    first = card.stability["measures"][0]
    rows = [_short(row) for row in stability.rows(card.stability)]
    caption = f"Disjoint topic sets compared, by {card.measure}"
    text = "How often two disjoint topic sets disagree, by score difference, and how many pairs differ significantly."
    figure = Figure("stability", svg(stability_plot(first), "stability", "Stability over topics", text), text)
    read = [Text(line) for line in stability.stability_sentences(first, card.stability["topics"])]
    table = Table("stability-table", caption, rows, sortable=False)
    return [Text("How much depends on the topics?", 3), *read, figure, table]


def _short(row: Row) -> Row:
    """Percentages with two decimals, coefficients with three."""
    decimals = {name: 2 if name.endswith("%") or name.startswith("difference") else 3 for name in row}
    return {
        name: rounded(value, decimals[name]) if isinstance(value, float) else as_cell(value)
        for name, value in row.items()
    }
