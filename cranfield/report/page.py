"""Writing a report: the page, or the card alone as Markdown or JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cranfield import __version__
from cranfield.arrays import WhichTopics
from cranfield.errors import CranfieldError, InputError
from cranfield.formats.whole_files import write_text
from cranfield.metrics.measure import Measure
from cranfield.progress_bar import progress_bar
from cranfield.report import by_topic, facts
from cranfield.report.blocks import Section, Top, table
from cranfield.report.card import Card, card_of
from cranfield.report.components.markup import shown, theme, told
from cranfield.report.facts import Subject, fingerprint, said
from cranfield.report.top import no_card, top
from cranfield.report.trust import trust
from cranfield.store.labelled_by import LabelledBy
from cranfield.text import counted

if TYPE_CHECKING:
    from jinja2 import Environment


def check_suffix(out: Path) -> None:
    """Refuse a file that is not an .html, .md or .json."""
    if out.suffix not in WRITERS:
        raise InputError(f"a report is written as {', '.join(WRITERS)}", out)


def command(
    paths: Sequence[Path], by: str, depth: int | None, *, measures: Sequence[str] | None, teams: Path | None,
    protect: str | None, suffix: str, labels: LabelledBy = LabelledBy.all, pool: int | None = None,
    topics: WhichTopics = WhichTopics.all, title: str | None = None,
) -> str:  # fmt: skip
    """The command that makes the report, without the folders of this machine.

    >>> command([Path("/x/track.db")], "team", None, measures=["AP"], teams=None, protect=None, suffix=".html")
    'cranfield report track.db OUT.html --by team -m AP'
    >>> files, teams = [Path("/x/qrels"), Path("/x/a"), Path("/x/b")], Path("/x/t.tsv")
    >>> command(files, "run", 7, measures=None, teams=teams, protect="0.5", suffix=".md")
    'cranfield report qrels RUNS... OUT.md --by run --depth 7 --teams t.tsv --protect 0.5'
    """
    import shlex

    words = [shlex.quote(paths[0].name), *(["RUNS..."] if len(paths) > 1 else []), f"OUT{suffix}", "--by", by]
    given: list[tuple[str, object]] = [("--depth", depth), ("--pool", pool)]
    given += [("-m", name) for name in measures or ()]
    given += [("--teams", teams and teams.name), ("--protect", protect)]
    given += [("--labels", None if labels is LabelledBy.all else labels.value)]
    given += [("--title", title)]
    given += [("--topics", None if topics is WhichTopics.all else topics.value)]
    words += [word for name, value in given if value is not None for word in (name, shlex.quote(str(value)))]
    return " ".join(["cranfield report", *words])


def write_report(out: Path, subject: Subject, asked: ReportOptions, card_only: bool = False) -> None:
    """Write the report to a file, in the format that its suffix names."""
    write_text(out, WRITERS[out.suffix](subject, asked, card_only))


def _page(subject: Subject, asked: ReportOptions, card_only: bool) -> str:
    with progress_bar("making the report", None if card_only else 4) as advance:
        return page(subject, asked, card_only, advance)


def _markdown(subject: Subject, asked: ReportOptions, card_only: bool) -> str:
    from cranfield.report.card import card_markdown

    return card_markdown(card_for(subject, asked))


def _json(subject: Subject, asked: ReportOptions, card_only: bool) -> str:
    from cranfield.formats.text_tables import as_json

    return as_json(card_for(subject, asked).to_json())


WRITERS: Mapping[str, Callable[[Subject, ReportOptions, bool], str]] = {
    ".html": _page,
    ".md": _markdown,
    ".json": _json,
}


HERE = "cranfield.report"


class ReportOptions(NamedTuple):
    """The options of a report."""

    measures: Sequence[Measure]
    by: str = "run"
    depth: int | None = None
    protect: str | None = None
    command: str = "cranfield report"
    title: str | None = None  # instead of the collection's name


def page(
    subject: Subject,
    asked: ReportOptions,
    card_only: bool = False,
    advance: Callable[[int], object] = lambda done: None,
) -> str:
    """The whole page as text, or the card alone; deterministic."""
    card, lack = _card(subject, asked, card_only)
    advance(1)
    sections = [trust(card)] if card_only and card else _sections(subject, asked, card, advance)
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            name=asked.title or subject.name,
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


def card_for(subject: Subject, asked: ReportOptions) -> Card:
    """The reusability card alone."""
    return card_of(
        subject, asked.by, asked.depth, measures=asked.measures, protect=asked.protect, command=asked.command
    )


def _card(subject: Subject, asked: ReportOptions, needed: bool) -> tuple[Card | None, str]:
    """The card, or why there is none; an error if only the card is wanted."""
    try:
        return card_for(subject, asked), ""
    except CranfieldError as error:
        if needed:
            raise
        return None, said(error)


def _sections(
    subject: Subject, asked: ReportOptions, card: Card | None, advance: Callable[[int], object]
) -> list[Section]:
    """All sections with content: the verdict and the scores first, then how the collection was built."""
    source = subject.source
    about = [*subject.sections, facts.collection(subject), facts.pool(subject), facts.judging(subject)]
    advance(1)
    if source is None:
        return [part for part in about if part is not None]
    systems = by_topic.scores(source, asked.measures)
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
        ("judgments", f"{source.qrels.judged.sum():,}"),
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
        f"{counted(int(qrels.judged.sum()), 'judgment')} of {counted(len(qrels.qids), 'topic')}",
        f"SHA-256 {fingerprint(qrels)}",
    ]
    checksum = "Checksum of the qrels ('topic 0 docno grade' lines, sorted bytewise)."
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
