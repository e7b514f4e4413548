"""The page: its sections, rendered as one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from cranfield import __version__
from cranfield.errors import CranfieldError
from cranfield.metrics.measure import Measure
from cranfield.text import counted

from . import by_topic, facts, online, scores
from .blocks import Section, Top, table
from .card import Card, card_of
from .components.markup import shown, told
from .components.theme import theme
from .experiments import experiments
from .subject import Subject, fingerprint, said
from .top import no_card, top
from .trust import trust

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
    sections = [trust(card)] if card_only and card else _sections(subject, asked, card, advance)
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            name=subject.name,
            top=_top(card, lack),
            key_figures=_key_figures(subject, card),
            sections=sections,
            citation=citation(subject),
            command=asked.command,
            version=__version__,
        )
    )


def _top(card: Card | None, lack: str) -> Top | None:
    """The verdict, or why there is none; nothing if there is nothing to measure."""
    if card:
        return top(card.verdict)
    return no_card(lack) if lack else None


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


def _sections(subject: Subject, asked: Asked, card: Card | None, advance: Callable[[int], object]) -> list[Section]:
    """All sections with content: the verdict and the scores first, then how the collection was built."""
    source = subject.source
    users = [experiments(subject.experiments), online.online(subject)]
    about = [*users, facts.collection(subject), facts.pool(subject), facts.judging(subject)]
    advance(1)
    if source is None:
        return [part for part in about if part is not None]
    systems = scores.scores(source, asked.measures)
    advance(1)
    found = by_topic.by_topic(source, asked.measures[0], subject.titles)
    by = [by_topic.runs_by_topic(source, found), by_topic.topics(source, found)]
    advance(1)
    parts = [*([trust(card)] if card else []), systems, *by, *about]
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
        (f"mean absolute change of own {card.measure}", f"{summary.mean_change_percent:.1f} %"),
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
    about += [
        f"{counted(len(qrels), 'judgment')} of {counted(len(qrels.qids), 'topic')}",
        f"SHA-256 {fingerprint(qrels)}",
    ]
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
    environment.globals |= {"own": lambda name: Markup(source(name)), "theme": Markup(theme()), "table": table}
    environment.filters |= {"shown": shown, "told": told}
    return environment
