"""The page: its sections, rendered as one self-contained HTML file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from cranfield import __version__
from cranfield.analysis.headline import headline
from cranfield.errors import CranfieldError
from cranfield.metrics.measure import Measure

from . import facts, scores
from .blocks import Section, Text
from .card import Card, card_of
from .subject import Subject, fingerprint, said
from .trust import CARD, trust

if TYPE_CHECKING:
    from jinja2 import Environment

HERE = "cranfield.report"


class Asked(NamedTuple):
    """The options of a report."""

    measures: Sequence[Measure]
    by: str = "run"
    depth: int | None = None
    protect: str | None = None
    command: str = "cranfield report"


def page(
    subject: Subject, asked: Asked, card_only: bool = False, advance: Callable[[int], object] = lambda done: None
) -> str:
    """The whole page as text, or the card alone; deterministic."""
    card, lack = _card(subject, asked, card_only)
    advance(1)
    sections = [trust(card)] if card_only and card else _sections(subject, asked, card, lack, advance)
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            name=subject.name,
            headline=headline(card.verdict) if card else "",
            key_figures=_key_figures(subject, card),
            sections=sections,
            citation=citation(subject),
            command=asked.command,
            version=__version__,
        )
    )


def card_for(subject: Subject, asked: Asked) -> Card:
    """The reusability card alone."""
    return card_of(subject, asked.by, asked.depth, asked.measures, asked.protect, asked.command)


def _card(subject: Subject, asked: Asked, needed: bool) -> tuple[Card | None, str]:
    """The card, or why there is none; an error if only the card is wanted."""
    try:
        return card_for(subject, asked), ""
    except CranfieldError as error:
        if needed:
            raise
        return None, said(error)


def _sections(
    subject: Subject, asked: Asked, card: Card | None, lack: str, advance: Callable[[int], object]
) -> list[Section]:
    """All sections with content, in the order in which a collection is built."""
    source = subject.source
    about = [facts.collection(subject), facts.pool(subject), facts.judging(subject)]
    advance(1)
    if source is None:
        return [part for part in about if part is not None]
    systems = scores.scores(source, asked.measures)
    advance(1)
    verdict = trust(card) if card else Section("trust", CARD, [Text(f"There is no card: {lack}.")])
    parts = [*about, systems, verdict, scores.topics(source, subject.titles)]
    advance(1)
    return [part for part in parts if part is not None]


def _key_figures(subject: Subject, card: Card | None) -> list[tuple[str, str]]:
    """The numbers at the top of the page."""
    source = subject.source
    if source is None:
        return []
    found = [
        ("topics", f"{len(source.qrels.qids)}"),
        ("runs", f"{len(source.runs.tags)}"),
        ("judgments", f"{len(source.qrels):,}"),
    ]
    if card is None:
        return found
    found.append(("relevant", f"{100 * card.verdict.relevant_share:.1f} %"))
    if card.verdict.found.no_verdict:
        return found
    summary = card.verdict.found.summary[card.measure]
    return [
        *found,
        (f"mean change of own {card.measure}", f"{summary.mean_change_percent:.1f} %"),
        ("largest rank drop", f"{summary.max_rank_drop}"),
    ]


def citation(subject: Subject) -> list[str]:
    """What to cite so that others find the same judgments."""
    about = [subject.name]
    if subject.collection:
        collection = subject.collection
        about += [
            f"created {collection.created[:10]}",
            *([f"licence {collection.licence}"] if collection.licence else []),
        ]
    if subject.source is None:
        return ["; ".join(about)]
    qrels = subject.source.qrels
    about += [f"{len(qrels):,} judgments of {len(qrels.qids)} topics", f"SHA-256 {fingerprint(qrels)}"]
    checksum = "The checksum is of the judgments as lines of topic, 0, docno and grade, sorted by bytes."
    return ["; ".join(about), checksum]


def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    def source(name: str) -> str:
        return files(HERE).joinpath(name).read_text(encoding="utf-8")

    environment = Environment(
        loader=FunctionLoader(source), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals["script"] = lambda name: Markup(source(name))  # the project's own files
    environment.filters["shown"] = _shown
    return environment


def _shown(text: object) -> str:
    """Text of the data with its controls made visible; a number keeps its per cent sign.

    >>> _shown("up 5 %\x1b")
    'up 5\xa0%␛'
    """
    from cranfield.text import visible

    return re.sub(r"(?<=\d) %", "\N{NO-BREAK SPACE}%", visible(str(text)))
