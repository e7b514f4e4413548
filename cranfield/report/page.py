"""Writing a report: the page, or the card alone as Markdown or JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cranfield import __version__
from cranfield.analysis.reusability import require_protected_judgments
from cranfield.call_view import CallView
from cranfield.charts.palette import theme_css
from cranfield.charts.svg.markup import fact_markup, plain_text, sentence_markup
from cranfield.errors import CranfieldError, InputError
from cranfield.formats.whole_files import write_text
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import as_measure_list, parse_measures
from cranfield.options.trusting import MEASURES
from cranfield.parallel import progress_bar
from cranfield.report import by_topic, facts
from cranfield.report.blocks import Section, table
from cranfield.report.card import Card, card_of
from cranfield.report.facts import ReportSubject, error_message, fingerprint
from cranfield.report.trust import top_of_verdict, top_without_card, trust_section
from cranfield.text import counted
from cranfield.view import Measures

if TYPE_CHECKING:
    from jinja2 import Environment


def check_suffix(out: Path) -> None:
    """Refuse a file that is not an .html, .md or .json."""
    if out.suffix not in WRITERS:
        raise InputError(
            f"unknown report format; expected {', '.join(WRITERS)}, with the file as the last argument, such as"
            " report.html",
            out,
        )


class ReportRequest(NamedTuple):
    """What a report is asked for: how units are left out, by which measures, and what is selected."""

    by: str | None = None
    depth: int | None = None
    pool: int | None = None
    measures: Measures = MEASURES
    teams: str | PathLike[str] | None = None
    protect: str | None = None
    labels: str = "all"
    assessor: str | None = None
    policy: str | None = None
    title: str | None = None
    topics: str = "all"
    card_only: bool = False


def report_command(paths: Sequence[Path], options: ReportRequest, suffix: str) -> str:
    """The command that makes the report, without the folders of this machine.

    >>> report_command([Path("/x/track.db")], ReportRequest(by="team", measures="AP"), ".html")
    'cranfield report track.db OUT.html --by team -m AP'
    >>> of_files = ReportRequest(depth=7, teams=Path("/x/t.tsv"), protect="0.5")
    >>> report_command([Path("/x/qrels"), Path("/x/a"), Path("/x/b")], of_files, ".md")
    'cranfield report qrels RUNS... OUT.md --depth 7 --teams t.tsv --protect 0.5'
    >>> report_command([Path("track.db")], ReportRequest(policy="median-low"), ".json")
    'cranfield report track.db OUT.json --policy median-low'
    """
    import shlex

    words = [shlex.quote(paths[0].name), *(["RUNS..."] if len(paths) > 1 else []), f"OUT{suffix}"]
    options_and_values: list[tuple[str, object]] = [
        ("--by", options.by),
        ("--depth", options.depth),
        ("--pool", options.pool),
    ]
    options_and_values += [
        ("-m", str(name)) for name in as_measure_list(() if options.measures is MEASURES else options.measures)
    ]
    options_and_values += [("--teams", options.teams and Path(options.teams).name), ("--protect", options.protect)]
    options_and_values += [
        ("--labels", None if options.labels == "all" else options.labels),
        ("--assessor", options.assessor),
        ("--policy", options.policy),
        ("--title", options.title),
        ("--topics", None if options.topics == "all" else options.topics),
    ]
    words += [
        word for name, value in options_and_values if value is not None for word in (name, shlex.quote(str(value)))
    ]
    return " ".join(["cranfield report", *words])


def report_on(view: CallView, out: Path, options: ReportRequest) -> Sequence[str]:
    """Write the report on a view. Returns notes on how it is known who was pooled."""
    check_suffix(out)
    subject, paths = facts.subject_of(view, options.depth), view.paths
    if scored := subject.scored:
        require_protected_judgments(scored, options.protect, paths[0])
    measures = parse_measures(options.measures, scored.min_relevant if scored else 1)
    made_by = report_command(paths, options, out.suffix)
    report_options = ReportOptions(measures, options.by, options.depth, options.protect, made_by, options.title)
    write_report(out, subject, report_options, options.card_only)
    return scored.contributors.notes if scored and scored.contributors else ()


def write_report(out: Path, subject: ReportSubject, options: ReportOptions, card_only: bool = False) -> None:
    """Write the report to a file, in the format that its suffix names."""
    write_text(out, WRITERS[out.suffix](subject, options, card_only))


def _page(subject: ReportSubject, options: ReportOptions, card_only: bool) -> str:
    with progress_bar("making the report", None if card_only else 4) as advance:
        return page(subject, options, card_only, advance)


def _markdown(subject: ReportSubject, options: ReportOptions, card_only: bool) -> str:
    from cranfield.report.card import card_markdown

    return card_markdown(reusability_card(subject, options))


def _json(subject: ReportSubject, options: ReportOptions, card_only: bool) -> str:
    from cranfield.formats.text_tables import as_json

    return as_json(reusability_card(subject, options).to_json())


WRITERS: Mapping[str, Callable[[ReportSubject, ReportOptions, bool], str]] = {
    ".html": _page,
    ".md": _markdown,
    ".json": _json,
}


REPORT_PACKAGE = "cranfield.report"


class ReportOptions(NamedTuple):
    """The options of a report."""

    measures: Sequence[Measure]
    by: str | None = None
    depth: int | None = None
    protect: str | None = None
    command: str = "cranfield report"
    title: str | None = None  # instead of the collection's name


def page(
    subject: ReportSubject,
    options: ReportOptions,
    card_only: bool = False,
    advance: Callable[[int], object] = lambda done: None,
) -> str:
    """The whole page as text, or the card alone; deterministic."""
    card, lack = _card(subject, options, card_only)
    advance(1)
    sections = [trust_section(card)] if card_only and card else _sections(subject, options, card, advance)
    return (
        _jinja_environment()
        .get_template("page.html.jinja")
        .render(
            name=options.title or subject.name,
            top=top_of_verdict(card.verdict) if card else top_without_card(lack) if lack else None,
            key_figures=_key_figures(subject, card),
            sections=sections,
            citation=citation(subject),
            command=options.command,
            version=__version__,
        )
    )


def reusability_card(subject: ReportSubject, options: ReportOptions) -> Card:
    """The reusability card alone."""
    return card_of(
        subject, options.by, options.depth, measures=options.measures, protect=options.protect, command=options.command
    )


def _card(subject: ReportSubject, options: ReportOptions, needed: bool) -> tuple[Card | None, str]:
    """The card, or why there is none; an error if only the card is wanted."""
    try:
        return reusability_card(subject, options), ""
    except CranfieldError as error:
        if needed:
            raise
        return None, error_message(error)


def _sections(
    subject: ReportSubject, options: ReportOptions, card: Card | None, advance: Callable[[int], object]
) -> list[Section]:
    """All sections with content: the verdict and the scores first, then how the collection was built."""
    scored = subject.scored
    about = [*subject.sections, facts.collection(subject), facts.pool(subject), facts.judging_section(subject)]
    advance(1)
    if scored is None:
        return [part for part in about if part is not None]
    systems = by_topic.scores(scored, options.measures)
    advance(1)
    grid = by_topic.topic_score_grid(scored, options.measures[0], subject.titles)
    by = [by_topic.runs_by_topic_section(scored, grid), by_topic.topics(scored, grid)]
    advance(1)
    parts = [*([trust_section(card)] if card else []), systems, *by, *about]
    return [part for part in parts if part is not None]


def _key_figures(subject: ReportSubject, card: Card | None) -> list[tuple[str, str]]:
    scored = subject.scored
    if scored is None:
        return []
    figures = [
        ("topics", f"{len(scored.qrels.qids)}"),
        ("runs", f"{len(scored.runs.tags)}"),
        ("judgments", f"{scored.qrels.judged.sum():,}"),
    ]
    if card is None:
        return figures
    figures.append(("relevant", f"{100 * card.verdict.relevant_share:.1f}%"))
    if card.verdict.left_out.no_verdict:
        return figures
    summary = card.verdict.left_out.summary[card.measure]
    return [
        *figures,
        (f"mean absolute change of own {card.measure}", f"{summary.mean_change_percent:.1f}%"),
        ("largest rank drop", f"{summary.max_rank_drop}"),
    ]


def citation(subject: ReportSubject) -> list[str]:
    """What to cite so that others find the same judgments."""
    about = [subject.name]
    if subject.collection:
        collection = subject.collection
        about += [
            f"created {collection.created[:10]}",
            *([f"licence {collection.licence}"] if collection.licence else []),
        ]
    if subject.scored is None:
        return ["; ".join(about)]
    qrels = subject.scored.qrels
    about += [
        f"{counted(int(qrels.judged.sum()), 'judgment')} of {counted(len(qrels.qids), 'topic')}",
        f"SHA-256 {fingerprint(qrels)}",
    ]
    checksum = "The checksum is computed over the qrels lines 'topic 0 docno grade', sorted bytewise."
    return ["; ".join(about), checksum]


@cache
def _jinja_environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    def source(name: str) -> str:
        return files(REPORT_PACKAGE).joinpath(name).read_text(encoding="utf-8")

    environment = Environment(
        loader=FunctionLoader(source), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals |= {"own": lambda name: Markup(source(name)), "theme": Markup(theme_css()), "table": table}
    environment.filters |= {"shown": plain_text, "told": sentence_markup, "fact": fact_markup}
    return environment
