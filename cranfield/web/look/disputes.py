"""Disagreements by their effect on the ranking of runs, filtered by person and topic, each with a page to settle it."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from cranfield.analysis.labels import dispute_rows, weighed_disputes
from cranfield.errors import InputError
from cranfield.judging.adjudication.cases import Dispute, Effect, lettered_labels, rank_disputes, summary
from cranfield.judging.labels.policies import Decisions
from cranfield.report.blocks import Block, Cell, TableBlock, Text
from cranfield.store.store import Store
from cranfield.text import visible_line
from cranfield.web.language import ENGLISH, Language, translatable
from cranfield.web.look.labels import CHOICE_PAGE
from cranfield.web.look.person import NO_PERSON, people_in
from cranfield.web.look.view import (
    PAGE,
    TOO_LONG,
    LookView,
    Parameter,
    Query,
    QueryError,
    Row,
    has_rows,
    link_line,
    page_of_rows,
    short_text,
)
from cranfield.web.look.view import TOPIC as ONE_TOPIC

TOP = 5  # runs whose order matters most
LONGEST_NAME = 200
NO_DISPUTES = translatable("No two people have given a document different labels.")


def _read_person(store: Store, text: str) -> str:
    if text not in people_in(store):
        raise QueryError(NO_PERSON, 404, name=short_text(text))
    return text


def _read_name(store: Store, text: str) -> str:
    if len(text) > LONGEST_NAME:
        raise QueryError(TOO_LONG, value=short_text(text), most=LONGEST_NAME)
    return text.strip()


PERSON = Parameter(
    "assessor",
    translatable("Labels by"),
    _read_person,
    choices=lambda store: ["", *people_in(store)],
    nothing=translatable("everybody"),
)
TOPIC = ONE_TOPIC._replace(
    default=lambda store: "",
    choices=lambda store: ["", *(topic.qid for topic in store.topics())],
    nothing=translatable("all"),
)
STATE = Parameter(
    "state",
    translatable("State"),
    lambda store, text: text,
    lambda store: "open",
    lambda store: ["open", "settled", "all"],
)
ADJUDICATOR = Parameter("adjudicator", translatable("Your name as adjudicator"), _read_name)


def _disputes(store: Store, query: Query) -> tuple[list[Dispute], Decisions | None, int]:
    """The disagreements that a query selects, by effect; the decisions of the store; and the number of runs."""
    try:
        several, outcome, runs = weighed_disputes(store, top=TOP)
    except InputError:  # nobody disagrees
        return [], None, 0
    selected = [
        one
        for one in rank_disputes(several)
        if query["topic"] in (None, one.pair[0])
        and (query["assessor"] is None or query["assessor"] in {vote.assessor for vote in one.votes})
        and query["state"] in ("all", "settled" if _is_settled(one, outcome) else "open")
    ]
    return selected, outcome, runs


def _is_settled(one: Dispute, outcome: Decisions) -> bool:
    return one.pair in outcome.by_pair and bool(outcome.by_pair[one.pair].adjudications)


def _dispute_rows(store: Store, query: Query) -> Sequence[Row]:
    selected, outcome, _ = _disputes(store, query)
    return dispute_rows(selected, outcome) if outcome else []


def _parts(store: Store, query: Query) -> Sequence[Block]:
    selected, outcome, n_runs = _disputes(store, query)
    if outcome is None:
        return [Text(NO_DISPUTES)]
    if not selected:
        return [Text(translatable("No disagreement matches this choice."))]
    page = page_of_rows(query, len(selected), what="disagreements")
    rows = [_table_row(one, outcome, query, n_runs) for one in selected[page.first : page.last]]
    caption = translatable(
        "Disagreements, by effect on the ranking of runs; labels: in an order that does not reveal the assessors"
    )
    lead = (
        summary(selected, TOP)
        if n_runs
        else query.language.ngettext("%(num)s disagreement.", "%(num)s disagreements.", len(selected))
    )
    choose = link_line([(translatable("Choose whose labels count"), CHOICE_PAGE)], query.language)
    return [Text(lead), choose, *page.links, TableBlock("disputes", caption, rows), *page.links]


def _table_row(one: Dispute, outcome: Decisions, query: Query, n_runs: int) -> dict[str, Any]:
    qid, docno = one.pair
    address = {"topic": qid, "document": docno, "adjudicator": query["adjudicator"] or ""}
    is_settled = _is_settled(one, outcome)
    notes = [visible_line(vote.note) for _, vote in lettered_labels(one, 0) if vote.note]
    grades = ", ".join(str(vote.grade) for _, vote in lettered_labels(one, 0))
    return {
        "topic": visible_line(qid),
        "document": visible_line(docno),
        "labels": Cell(grades, below="; ".join(notes)[:300]),
        **({"effect": effect_cell(one.effect, query.language)} if n_runs else {}),
        "state": Cell(query.language.gettext("settled") if is_settled else query.language.gettext("open")),
        "settle": Cell(
            query.language.gettext("look") if is_settled else query.language.gettext("settle"),
            href=f"/organise/settle?{urlencode(address)}",
        ),
    }


def effect_cell(effect: Effect, language: Language = ENGLISH) -> Cell:
    """Return the effect of the worst settlement in words.

    >>> effect_cell(Effect(True, 2, 0.1)).text, effect_cell(Effect(False, 1, 0.1)).text, effect_cell(Effect()).text
    ('changes the top 5, changes the order of 2 pairs of runs', 'changes the order of 1 pair of runs', 'none')
    """
    top = [language.gettext("changes the top %(number)s", number=TOP)] if effect.moves_top else []
    swaps = language.ngettext(
        "changes the order of %(num)s pair of runs", "changes the order of %(num)s pairs of runs", effect.swaps
    )
    pairs = [swaps] if effect.swaps else []
    spread = language.gettext("moves scores by %(number)s", number=format(effect.spread, ".4f"))
    moved = [] if top or pairs or not effect.spread else [spread]
    return Cell(", ".join([*top, *pairs, *moved]) or language.gettext("none"))


DISPUTES = LookView(
    translatable("Disagreements"),
    _dispute_rows,
    (PERSON, TOPIC, STATE, ADJUDICATOR, PAGE),
    _parts,
    entry=translatable("Disagreements"),
    heavy=True,
    group=translatable("People"),
    has_data=has_rows("judgment_event"),
)
