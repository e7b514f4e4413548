"""The reusability card as Markdown."""

from __future__ import annotations

import re
from math import isnan
from typing import Any

from cranfield import __version__
from cranfield.analysis import depths, stability
from cranfield.analysis.headline import headline
from cranfield.analysis.reusability import change_rows, pool_line, worst_first
from cranfield.analysis.verdict import verdict_rows
from cranfield.formats.text_tables import as_markdown

from .card import Card

MARKS = re.compile(r"[\\`*<\[]|(?<!\w)_|_(?!\w)")


def card_markdown(card: Card) -> str:
    """The card as Markdown: the finding, its numbers by each measure, units, depths and stability."""
    found = card.verdict.found
    parts = [
        f"# Reusability card: {plain(card.name)}\n",
        f"{plain(headline(card.verdict))}\n",
        _table(_facts(card)),
        *(
            f"## By {name}\n\n{_table(verdict_rows(card.verdict, name))}"
            for name in found.measures
            if not found.no_verdict
        ),
        f"## Each {found.by} left out, by {card.measure}\n\n{_table(worst_first(change_rows(found, [card.measure])))}",
        *_depths(card),
        f"## Stability over topics, by {card.measure}\n\n{_stability(card)}",
        f"---\nMade with cranfield {__version__}: `{card.command}`\n",
    ]
    return "\n".join(parts)


def _facts(card: Card) -> list[dict[str, Any]]:
    found = card.verdict.found
    closed = f"{card.closed_topics} of {found.topics}"
    who = card.verdict.who.notes if card.verdict.who else []
    pairs = [
        *([("licence", card.licence)] if card.licence else []),
        ("topics", found.topics),
        ("runs", card.runs),
        ("judgments", f"{card.judgments:,}, relevant from grade {card.relevant_from}"),
        ("pool", pool_line(found)),
        *(("topics answered", line) for line in card.verdict.partial_answers),
        *(("contributing runs", line) for line in who),
        *([] if card.closed_topics is None else [("topics judged to the pool depth, but for 2 %", closed)]),
        ("SHA-256 of the judgments", card.qrels_sha256),
    ]
    return [{"fact": term, "value": value} for term, value in pairs]


def _depths(card: Card) -> list[str]:
    """Nothing if the pool is not of depth k."""
    if card.dial is None:
        return []
    rows = _table(depths.rows(card.dial))
    return [f"## Pool depths, by {card.measure}\n\n{rows}", f"{depths.HOW_TO_READ}\n"]


def _stability(card: Card) -> str:
    first = card.stability["measures"][0]
    sentences = "\n".join(f"- {line}" for line in stability.stability_sentences(first, card.stability["topics"]))
    return f"{_table(stability.rows(card.stability))}\n{sentences}\n"


def _table(rows: list[dict[str, Any]]) -> str:
    """A table: percentages with two decimals, and nothing in a name read as Markdown."""

    def shown(name: str, value: Any) -> Any:
        if isinstance(value, str):
            return plain(value)
        return f"{value:.2f}" if name.endswith("%") and isinstance(value, float) and not isnan(value) else value

    return as_markdown([{name: shown(name, value) for name, value in row.items()} for row in rows])


def plain(text: str) -> str:
    r"""Text of the data on one line, nothing in it read as Markdown or HTML; the table escapes bars.

    >>> print(plain("a_b <b>bold</b>\n_and_ *so* on"))
    a_b \<b>bold\</b> \_and\_ \*so\* on
    """
    return MARKS.sub(r"\\\g<0>", " ".join(text.split()))
