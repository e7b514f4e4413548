"""Pools: what one costs and who contributed to it. Judging: progress, agreement, assignments, what is unusual."""

from collections.abc import Sequence
from datetime import UTC, datetime
from math import isnan
from typing import Any

import numpy as np

from cranfield.analysis.pools import pool_contents_and_title
from cranfield.errors import InputError, UndecidedError
from cranfield.judging.agreement import AGREEMENTS
from cranfield.judging.agreement.agreement import CAUTION, Coefficient, agreement_by_pair
from cranfield.judging.labels.choice import choose_labels, labellers_in_use, note_labellers
from cranfield.judging.labels.pairs import matrix_of_store
from cranfield.judging.labels.shown import open_pairs
from cranfield.judging.planning.checks import findings
from cranfield.judging.planning.overview import working_people
from cranfield.judging.planning.progress import Progress, progress_of
from cranfield.judging.planning.sections import SECTIONS, pace_rows, topic_states
from cranfield.judging.session.pace import TimeLeft, time_words
from cranfield.pooling.stored.contents import UnitOverlap, overlap
from cranfield.report.blocks import Block, Cell, Facts, Html, TableBlock, Text, as_sentence, rounded_cell, sentences
from cranfield.report.facts import pool_facts
from cranfield.report.table import overlap_map
from cranfield.selection import LabelledBy
from cranfield.store.invitations import invitations
from cranfield.store.labels import CountingLabels
from cranfield.store.log import last_signs
from cranfield.store.pools import pool_with_present_names
from cranfield.store.runs import run_info
from cranfield.store.store import Store, now
from cranfield.text import natural_sort_key, visible_line
from cranfield.web.look.labels import WHOSE, choice, label_choice_blocks, labellers_in
from cranfield.web.look.view import POOL, LookView, Query, Row, Rows, address, link_line, name_fields

UNIT = choice("unit", "Contributions by", ["run", "team"])
TABLE = choice("table", "", ["topics", "contributions", "overlap"])
HEADS = {"alone": "unique", "relevant alone": "unique relevant", "from one run": "unique to a run"}


def _unit_overlap(store: Store, query: Query) -> UnitOverlap:
    unit = query["unit"]
    units = {tag: info.team if unit == "team" else tag for tag, info in run_info(store).items()}
    return overlap(pool_with_present_names(store, query["pool"]), units)


def _rows(store: Store, query: Query) -> Sequence[Row]:
    table, unit = query["table"], query["unit"]
    if table == "overlap":
        return _unit_overlap(store, query).rows(unit)
    if table == "topics":
        return pool_contents_and_title(store, query["pool"], "topic", _labels_of_topics(store, query))[0]
    return pool_contents_and_title(store, query["pool"], unit, _labels_of_units(store, query)[0])[0]


def _labels_of_topics(store: Store, query: Query) -> CountingLabels:
    """Whatever the labels are: only how many documents have one, and by whom."""
    return choose_labels(store, labellers_in_use(store, labellers_in(query)))


def _labels_of_units(store: Store, query: Query) -> tuple[CountingLabels, str]:
    """The labels by which documents are relevant, and whose they are; those that differ need a choice."""
    labellers = labellers_in(query)
    labels = choose_labels(store, labellers)
    return labels, note_labellers(store, labels, labellers)


def _document(store: Store, query: Query) -> object:
    number, unit = query["pool"], query["unit"]
    pool = pool_with_present_names(store, number)
    about = {name: getattr(pool, name) for name in ("number", "method", "parameters", "seed", "version", "created")}
    tables = {
        "topics": pool_contents_and_title(store, number, "topic", _labels_of_topics(store, query))[0],
        "contributions": pool_contents_and_title(store, number, unit, _labels_of_units(store, query)[0])[0],
    }
    return {"pool": about, "by": unit, **tables, "overlap": _unit_overlap(store, query).rows(unit)}


def _parts(store: Store, query: Query) -> Sequence[Block]:
    topics, head = pool_contents_and_title(store, query["pool"], "topic", _labels_of_topics(store, query))
    *single, whole = topics
    rows = [_topic_row(row) for row in [whole, *sorted(single, key=lambda row: natural_sort_key(row["topic"]))]]
    return [
        Text(f"{head[:1].upper()}{head[1:]}."),
        Facts(pool_facts(pool_with_present_names(store, query["pool"]))),
        *_unit_blocks(store, query),
        Text("By topic", 2),
        TableBlock("topics", "Documents of the pool by topic", rows, filter="topics", heads=HEADS),
    ]


NOT_COUNTED = "relevant documents are not counted"


def _unit_blocks(store: Store, query: Query) -> list[Block]:
    """What each unit contributed, and whose labels say what is relevant; or why nothing says it."""
    unit, shares = query["unit"], _unit_overlap(store, query)
    head: list[Block] = [Text(f"What each {unit} contributed", 2)]
    try:
        labels, whose = _labels_of_units(store, query)
    except UndecidedError:
        undecided = open_pairs(store, labellers_in(query))
        return [*head, *label_choice_blocks(store, query, undecided, NOT_COUNTED), *_overlap_map(shares, query)]
    except InputError as error:
        return [*head, Text(as_sentence(name_fields(error.message, WHOSE))), *_overlap_map(shares, query)]
    additions, _ = pool_contents_and_title(store, query["pool"], unit, labels)
    if not additions:
        return []
    nearest = dict(zip(shares.units, _nearest(shares), strict=True))
    rows = [row | {"most in common with": nearest[row[unit]][0], "share %": nearest[row[unit]][1]} for row in additions]
    caption = f"Documents in the pool by {unit}: share % are those that the {unit} with most in common retrieved, too"
    return [
        *head,
        Text(_missing_unit_words(unit, pool_with_present_names(store, query["pool"]).method)),
        *sentences([whose] if whose else []),
        TableBlock("contributions", caption, rows, filter=f"{unit}s", heads=HEADS),
        link_line([("Contributions as CSV", query.address(".csv", table="contributions"))]),
        *_overlap_map(shares, query),
    ]


def _missing_unit_words(unit: str, method: str) -> str:
    """What a pool would lack without a unit.

    >>> _missing_unit_words("run", "depth")
    "Only a run's unique documents would be missing without it."
    """
    if method == "depth":
        return f"Only a {unit}'s unique documents would be missing without it."
    return f"{method} would choose other documents without a {unit}, whether or not it has unique ones."


def _topic_row(row: dict[str, Any]) -> dict[str, Any]:
    whole = row["topic"] == "all"
    return row | {"topic": Cell(str(row["topic"]), href="" if whole else address("topic", topic=row["topic"]))}


def _nearest(shares_of: UnitOverlap) -> list[tuple[str, Cell]]:
    """Of each unit which other has the largest share of its documents, and that share in per cent."""
    if len(shares_of.units) < 2:
        return [("-", Cell("-"))] * len(shares_of.units)
    shares = np.nan_to_num(shares_of.shares, nan=0.0)
    np.fill_diagonal(shares, -1)
    best = shares.argmax(axis=1).tolist()
    return [(shares_of.units[other], rounded_cell(100 * shares[one, other], 1)) for one, other in enumerate(best)]


def _overlap_map(shares: UnitOverlap, query: Query) -> list[Block]:
    if len(shares.units) < 2:
        return []
    unit = query["unit"]
    caption = f"Share of the documents of the row's {unit} that the column's {unit} contributed, too"
    return [
        Text(f"Overlap of {unit}s", 2),
        Html(overlap_map("overlap", caption, unit, shares.units, shares.shares)),
        link_line([("Overlap as CSV", query.address(".csv", table="overlap"))]),
    ]


POOL_VIEW = LookView("Pool", _rows, [POOL, UNIT, TABLE, *WHOSE], _parts, _document, entry="Pool", heavy=True)


def _section(name: str) -> Rows:
    def rows(store: Store, query: Query) -> Sequence[Row]:
        return SECTIONS[name](progress_of(store))

    return rows


WORK = LookView("Work, by assessor and topic", _section("work"), heavy=True)
PACE = LookView("Pace and time left", _section("pace"), heavy=True)
AGREEMENT = LookView("Agreement so far, not corrected for chance", _section("agreement"), heavy=True)
REPEATS = LookView("Repeats: how far assessors agree with themselves", _section("repeats"), heavy=True)
DRIFT = LookView("Drift: the first, second and last third of each topic", _section("drift"), heavy=True)


CAPTION = "Agreement of each pair of assessors on the documents that both labelled, with 95% intervals over topics"
RESAMPLES = 1000


def _coefficients(store: Store, names: Sequence[str] | None = None) -> list[Coefficient]:
    matrix = matrix_of_store(store, None, LabelledBy.people)
    return agreement_by_pair(matrix, names, RESAMPLES) if len(matrix.assessors) > 1 else []


def _judging_rows(store: Store, query: Query) -> Sequence[Row]:
    return [
        {"assessor": one.assessors[0], "and": one.assessors[1], "documents": one.units, "coefficient": one.coefficient,
         "value": one.interval.value, "low": one.interval.low, "high": one.interval.high,
         "no interval": one.interval.why}
        for one in _coefficients(store)
    ]  # fmt: skip


def _judging_parts(store: Store, query: Query) -> Sequence[Block]:
    coefficients = _coefficients(store, [it.name for it in AGREEMENTS.values() if it.brief])
    if not coefficients:
        return [Text("No document has labels by two people yet.")]
    rows: dict[tuple[str, ...], dict[str, object]] = {}
    for one in coefficients:
        pair: dict[str, object] = {
            "assessors": " and ".join(map(visible_line, one.assessors)),
            "documents": _documents_cell(one),
        }
        rows.setdefault(one.assessors, pair)[one.coefficient] = _coefficient_cell(one)
    heads = {it.name: it.heading or it.name for it in AGREEMENTS.values()}
    return [TableBlock("pairs", CAPTION, list(rows.values()), heads=heads), Text(CAUTION)]


def _documents_cell(one: Coefficient) -> Cell:
    """How many, and why there is no interval where there is none."""
    return Cell(f"{one.units:,}", one.units, below=f"no interval: {one.interval.why}" if one.interval.why else "")


def _coefficient_cell(one: Coefficient) -> Cell:
    value, low, high, *_ = one.interval
    if isnan(value):
        return Cell("undefined")
    return Cell(f"{value:.2f}", value, below="" if one.interval.why else f"{low:.2f} to {high:.2f}")


PAIRS = LookView("Agreement by pair", _judging_rows, parts=_judging_parts, heavy=True)


def _rows_assigned(store: Store, query: Query) -> Sequence[Row]:
    return [one._asdict() for one in topic_states(store, datetime.now(UTC))]


ASSIGNED = LookView("Topics and who judges them", _rows_assigned)


def _rows_checks(store: Store, query: Query) -> Sequence[Row]:
    return findings(progress_of(store))


UNUSUAL = LookView("What is unusual in the labels", _rows_checks, heavy=True)


PEOPLE_CAPTION = "Assessors: the time left is of active work, with a range of 19 cases in 20"


def people_rows(store: Store, state: Progress, moment: datetime) -> list[dict[str, Any]]:
    """One row per assessor, the queue among them."""
    pace = {row["assessor"]: row for row in pace_rows(state)}
    people = working_people(last_signs(store), state.kinds, pace.values(), moment)
    signs = {one.assessor: {"last": one.last, "now": one.now} for one in people}
    return [{"assessor": name} | signs.get(name, {"last": "", "now": False}) | row for name, row in pace.items()]


def people_table(rows: Sequence[Row]) -> list[Block]:
    """The same for people."""
    if not rows:
        return [Text("Nobody has anything to judge yet.")]
    people = [
        {
            "assessor": visible_line(row["assessor"]),
            "last sign": row["last"] and f"{row['last'][:16].replace('T', ' ')} UTC",
            "judged": row["judged"] + row["cannot judge"],
            "left": row["remaining"] + row["later"],
            "put off": row["later"],
            "median seconds": rounded_cell(row["median seconds"], 1),
            "per hour": row["per active hour"],
            "time left": _time_left(row),
        }
        for row in rows
    ]
    return [TableBlock("people", PEOPLE_CAPTION, people)]


def _people_page_rows(store: Store, query: Query) -> Sequence[Row]:
    return people_rows(store, progress_of(store), datetime.now(UTC))


def _time_left(row: Row) -> Cell:
    if not row["remaining"] + row["later"]:
        return Cell("none", 0.0)
    if row["hours left"] is None:
        return Cell("not known yet", below=row["basis"])
    low, likely, high = (row[name] * 3600 for name in ("from", "hours left", "to"))
    return Cell(time_words(TimeLeft(low, likely, high)), row["hours left"], below=f"from {row['basis']}")


PEOPLE = LookView(
    "Assessors", _people_page_rows, parts=lambda store, query: people_table(_people_page_rows(store, query)), heavy=True
)


def _rows_links(store: Store, query: Query) -> Sequence[Row]:
    return [
        {"assessor": one.assessor, "role": one.role, "invited": one.at[:16], "expires": (one.expires or "never")[:16]}
        | {"state": one.state(now())}
        for one in invitations(store)
    ]


LINKS = LookView("Links", _rows_links)
