"""Pools: what one costs and who contributed to it. Judging: progress, agreement, assignments, what is unusual."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import numpy as np

from cranfield.analysis.pools import pool_rows_and_title
from cranfield.errors import InputError, UndecidedError
from cranfield.judging.labels.choice import choose_labels, given_or_recorded_labellers, note_labellers
from cranfield.judging.labels.shown import open_pairs
from cranfield.judging.planning.checks import findings
from cranfield.judging.planning.forecast import count_labels_left
from cranfield.judging.planning.label_work import label_work, labeller_rows, possible_label_work, time_left
from cranfield.judging.planning.overview import working_people
from cranfield.judging.planning.progress import NOBODY, QUEUE, Progress, progress_of
from cranfield.judging.planning.sections import SECTIONS, pace_rows, topic_states
from cranfield.judging.session.pace import TimeLeft, time_left_text
from cranfield.pooling.stored.contents import UnitOverlap, overlap
from cranfield.report.blocks import Block, Cell, Facts, Html, TableBlock, Text, paragraph_blocks, rounded_cell
from cranfield.report.facts import pool_facts
from cranfield.report.table import overlap_map
from cranfield.store.invitations import invitations
from cranfield.store.labels import CountingLabels
from cranfield.store.log import last_signs
from cranfield.store.pools import pool_with_present_names
from cranfield.store.runs import run_info
from cranfield.store.store import Store, now
from cranfield.text import natural_sort_key, visible_line
from cranfield.web.language import ENGLISH, Language, translatable
from cranfield.web.look.cells import readable_cell
from cranfield.web.look.labels import WHOSE, choice_parameter, label_choice_blocks, labellers_in
from cranfield.web.look.page_text import remedy_links, sentence_blocks
from cranfield.web.look.times import seconds_cell, time_cell
from cranfield.web.look.view import (
    NOTHING_YET,
    POOL,
    LookView,
    Query,
    Row,
    Rows,
    address,
    has_rows,
    link_line,
    table_blocks,
)
from cranfield.web.translated_blocks import translate_cells

UNIT = choice_parameter("unit", translatable("Contributions by"), ["run", "team"])
TABLE = choice_parameter("table", "", ["topics", "contributions", "overlap"])
HEADS = {"alone": "unique", "relevant alone": "unique relevant", "from one run": "unique to a run"}


def labelled_pool_text(row: Row, language: Language) -> str:
    """How many documents of a pool people labelled, and how many only models, from a `pool_progress_row`."""
    numbers = {"people": f"{row['people']:,}", "models": f"{row['models']:,}"}
    text = (
        language.ngettext(
            "%(people)s of %(num)s pool document labelled by people, %(models)s only by models",
            "%(people)s of %(num)s pool documents labelled by people, %(models)s only by models",
            row["documents"],
            **numbers,
        )
        if row["models"]
        else language.ngettext(
            "%(people)s of %(num)s pool document labelled by people",
            "%(people)s of %(num)s pool documents labelled by people",
            row["documents"],
            **numbers,
        )
    )
    imported = language.ngettext("%(num)s label is imported", "%(num)s labels are imported", row["imported"])
    return f"{text} ({imported})" if row["imported"] else text


def _unit_overlap(store: Store, query: Query) -> UnitOverlap:
    unit = query["unit"]
    units = {tag: info.team if unit == "team" else tag for tag, info in run_info(store).items()}
    return overlap(pool_with_present_names(store, query["pool"]), units)


def _pool_progress_rows(store: Store, query: Query) -> Sequence[Row]:
    table, unit = query["table"], query["unit"]
    if table == "overlap":
        return _unit_overlap(store, query).rows(unit)
    if table == "topics":
        return pool_rows_and_title(store, query["pool"], "topic", _labels_of_topics(store, query))[0]
    return pool_rows_and_title(store, query["pool"], unit, _read_counting_labels(store, query)[0])[0]


def _labels_of_topics(store: Store, query: Query) -> CountingLabels:
    """Whatever the labels are: only how many documents have one, and by whom."""
    return choose_labels(store, given_or_recorded_labellers(store, labellers_in(query)))


def _read_counting_labels(store: Store, query: Query) -> tuple[CountingLabels, str]:
    """The labels by which documents are relevant, and whose they are; those that differ need a choice."""
    labellers = labellers_in(query)
    labels = choose_labels(store, labellers)
    return labels, note_labellers(store, labels, labellers)


def _document(store: Store, query: Query) -> object:
    number, unit = query["pool"], query["unit"]
    pool = pool_with_present_names(store, number)
    about = {name: getattr(pool, name) for name in ("number", "method", "parameters", "seed", "version", "created")}
    tables = {
        "topics": pool_rows_and_title(store, number, "topic", _labels_of_topics(store, query))[0],
        "contributions": pool_rows_and_title(store, number, unit, _read_counting_labels(store, query)[0])[0],
    }
    return {"pool": about, "by": unit, **tables, "overlap": _unit_overlap(store, query).rows(unit)}


def _parts(store: Store, query: Query) -> Sequence[Block]:
    topics, head = pool_rows_and_title(store, query["pool"], "topic", _labels_of_topics(store, query))
    *single, whole = topics
    rows = [_topic_row(row) for row in [whole, *sorted(single, key=lambda row: natural_sort_key(row["topic"]))]]
    return [
        Text(f"{head[:1].upper()}{head[1:]}."),
        Facts(pool_facts(pool_with_present_names(store, query["pool"]))),
        *_unit_blocks(store, query),
        Text(translatable("By topic"), 2),
        TableBlock("topics", translatable("Pool documents by topic"), rows, filter=translatable("topics"), heads=HEADS),
    ]


NOT_COUNTED = translatable("Relevant documents are not counted.")


def _unit_blocks(store: Store, query: Query) -> list[Block]:
    """What each unit contributed, and whose labels say what is relevant; or why nothing says it."""
    unit, shares = query["unit"], _unit_overlap(store, query)
    head: list[Block] = [Text(UNIT_TEXTS[unit].title, 2)]
    try:
        labels, whose = _read_counting_labels(store, query)
    except UndecidedError:
        undecided = open_pairs(store, labellers_in(query))
        return [*head, *label_choice_blocks(store, query, undecided, NOT_COUNTED), *_overlap_map(shares, query)]
    except InputError as error:
        return [*head, *sentence_blocks(error.message, WHOSE, query.language), *_overlap_map(shares, query)]
    additions, _ = pool_rows_and_title(store, query["pool"], unit, labels)
    if not additions:
        return []
    nearest = dict(zip(shares.units, _nearest_unit_of_each(shares), strict=True))
    rows = [row | {"most in common with": nearest[row[unit]][0], "share %": nearest[row[unit]][1]} for row in additions]
    return [
        *head,
        Text(_missing_unit_words(unit, pool_with_present_names(store, query["pool"]).method, query.language)),
        *paragraph_blocks([whose] if whose else []),
        TableBlock("contributions", UNIT_TEXTS[unit].caption, rows, filter=UNIT_TEXTS[unit].plural, heads=HEADS),
        link_line(
            [(translatable("Contributions as CSV"), query.address(".csv", table="contributions"))], query.language
        ),
        *_overlap_map(shares, query),
    ]


class UnitTexts(NamedTuple):
    """The texts of a page that differ by the unit of contributions."""

    plural: str
    title: str
    caption: str
    missing_from_depth: str
    missing: str
    overlap: str
    overlap_caption: str


UNIT_TEXTS = {
    "run": UnitTexts(
        translatable("runs"),
        translatable("Contributions by run"),
        translatable("Pool documents by run. share %: percentage that the run with the largest overlap also retrieved"),
        translatable("Without a run, only its unique documents would be missing from the pool."),
        translatable(
            "If a run is left out, %(method)s chooses different documents, even if that run has no unique documents."
        ),
        translatable("Overlap of runs"),
        translatable("Share of the row run's documents that the column run also contributed"),
    ),
    "team": UnitTexts(
        translatable("teams"),
        translatable("Contributions by team"),
        translatable(
            "Pool documents by team. share %: percentage that the team with the largest overlap also retrieved"
        ),
        translatable("Without a team, only its unique documents would be missing from the pool."),
        translatable(
            "If a team is left out, %(method)s chooses different documents, even if that team has no unique documents."
        ),
        translatable("Overlap of teams"),
        translatable("Share of the row team's documents that the column team also contributed"),
    ),
}


def _missing_unit_words(unit: str, method: str, language: Language) -> str:
    """What a pool would lack without a unit.

    >>> _missing_unit_words("run", "depth", ENGLISH)
    'Without a run, only its unique documents would be missing from the pool.'
    """
    if method == "depth":
        return language.look_up(UNIT_TEXTS[unit].missing_from_depth)
    return language.gettext(UNIT_TEXTS[unit].missing, method=method)


def _topic_row(row: dict[str, Any]) -> dict[str, Any]:
    whole = row["topic"] == "all"
    return row | {"topic": Cell(str(row["topic"]), href="" if whole else address("topic", topic=row["topic"]))}


def _nearest_unit_of_each(shares_of: UnitOverlap) -> list[tuple[str, Cell]]:
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
    caption = query.language.look_up(UNIT_TEXTS[unit].overlap_caption)
    return [
        Text(UNIT_TEXTS[unit].overlap, 2),
        Html(overlap_map("overlap", caption, query.language.look_up(unit), shares.units, shares.shares)),
        link_line([(translatable("Overlap as CSV"), query.address(".csv", table="overlap"))], query.language),
    ]


POOL_VIEW = LookView(
    translatable("Pool"),
    _pool_progress_rows,
    [POOL, UNIT, TABLE, *WHOSE],
    _parts,
    _document,
    entry=translatable("Pool"),
    heavy=True,
    group=translatable("Collection"),
    has_data=has_rows("pool"),
)


def _section_rows(name: str) -> Rows:
    def rows(store: Store, query: Query) -> Sequence[Row]:
        return SECTIONS[name](progress_of(store))

    return rows


WORK = LookView(
    translatable("Work, by assessor and topic"),
    _section_rows("work"),
    heavy=True,
    entry=translatable("Assignments"),
    is_in_menu=False,
)


def _pace_blocks(store: Store, query: Query) -> Sequence[Block]:
    rows = [
        {name: readable_cell(name, value) for name, value in row.items()}
        | {"basis": query.language.translate_message(str(row["basis"]))}
        for row in _section_rows("pace")(store, query)
    ]
    return table_blocks(query.view, PACE.title if rows else "", rows, NOTHING_YET, query.language)


PACE = LookView(
    translatable("Pace and time left"),
    _section_rows("pace"),
    parts=_pace_blocks,
    heavy=True,
    entry=translatable("Overview"),
    is_in_menu=False,
)
AGREEMENT = LookView(
    translatable("Agreement so far, not corrected for chance"),
    _section_rows("agreement"),
    heavy=True,
    entry=translatable("Agreement"),
    is_in_menu=False,
)
REPEATS = LookView(
    translatable("Repeats: each assessor's agreement with their own labels"),
    _section_rows("repeats"),
    heavy=True,
    entry=translatable("Agreement"),
    is_in_menu=False,
)
DRIFT = LookView(
    translatable("Drift: first, middle and last third of each topic"),
    _section_rows("drift"),
    heavy=True,
    entry=translatable("Agreement"),
    is_in_menu=False,
)


def _rows_assigned(store: Store, query: Query) -> Sequence[Row]:
    return [one._asdict() for one in topic_states(store, datetime.now(UTC))]


def _assigned_blocks(store: Store, query: Query) -> Sequence[Block]:
    rows = _format_time_columns(_rows_assigned(store, query), ("since", "until"), query.language)
    blocks = table_blocks(query.view, ASSIGNED.title, rows, language=query.language)
    table = blocks[0]
    return (
        [translate_cells(query.language, table, "state", "role"), *blocks[1:]]
        if isinstance(table, TableBlock)
        else blocks
    )


def _format_time_columns(rows: Sequence[Row], columns: Sequence[str], language: Language) -> list[Row]:
    moment = datetime.now(UTC)
    return [{**row, **{name: time_cell(row[name], moment, language=language) for name in columns}} for row in rows]


ASSIGNED = LookView(
    translatable("Topics and their assessors"),
    _rows_assigned,
    parts=_assigned_blocks,
    entry=translatable("Assignments"),
    is_in_menu=False,
)


def _rows_checks(store: Store, query: Query) -> Sequence[Row]:
    return findings(progress_of(store))


def _unusual_blocks(store: Store, query: Query) -> Sequence[Block]:
    """The findings in words, without the values that the words have."""
    language = query.language
    rows = [
        {
            "check": language.look_up(row["check"]),
            "assessor": row["assessor"],
            "topic": row["topic"] or language.gettext("all"),
            "found": language.translate_message(row["found"]),
            "labels": row["labels"],
        }
        for row in _rows_checks(store, query)
    ]
    return table_blocks(query.view, UNUSUAL.title if rows else "", rows, language=query.language)


UNUSUAL = LookView(
    translatable("Unusual labels"),
    _rows_checks,
    parts=_unusual_blocks,
    heavy=True,
    entry=translatable("Unusual"),
    is_in_menu=False,
)


NOBODY_JUDGES = translatable("Nobody has documents to judge yet.")
PEOPLE_CAPTION = translatable(
    "Assessors. Repeats do not count as judged documents, but second labels and repeats count as labels that are left."
    " The median time leaves very fast labels out. The time left is active time, with its 95% interval."
)


def people_rows(store: Store, state: Progress, moment: datetime) -> list[dict[str, Any]]:
    """One row per assessor, the queue among them."""
    pace = {row["assessor"]: row for row in pace_rows(state)}
    people = working_people(last_signs(store), state.kinds, pace.values(), moment)
    signs = {one.assessor: {"last": one.last, "now": one.now} for one in people}
    return [{"assessor": name} | signs.get(name, {"last": "", "now": False}) | row for name, row in pace.items()]


def people_table(
    rows: Sequence[Row], moment: datetime, empty: str = NOBODY_JUDGES, language: Language = ENGLISH
) -> list[Block]:
    """The same for people; `empty` is shown where there are no rows."""
    if not rows:
        return [Text(empty)]
    people = [
        {
            "assessor": _person_cell(row["assessor"]),
            "last sign": time_cell(row["last"], moment, language=language),
            "judged": row["judged"] + row["cannot judge"],
            "left": count_labels_left(row),
            "put off": row["later"],
            "median time": seconds_cell(row["median seconds"]),
            "per hour": row["per active hour"],
            "time left": _time_left(row, language),
        }
        for row in rows
    ]
    return [TableBlock("people", PEOPLE_CAPTION, people)]


def _person_cell(name: str) -> Cell:
    return Cell(visible_line(name), href="" if name in (QUEUE, NOBODY) else address("person", assessor=name))


LABELLING_CAPTION = translatable(
    "Assessors by kind of label. done: labels given; left: items without a decision; time left: active time with its"
    " 95% interval"
)


def labelling_rows(store: Store) -> list[dict[str, Any]]:
    """One row per kind of labels other than document labels, and assessor."""
    return labeller_rows(label_work(store, datetime.now(UTC)))


def labelling_table(rows: Sequence[Row], moment: datetime, language: Language = ENGLISH) -> list[Block]:
    """The same for people."""
    if not rows:
        return [Text(translatable("No answer has been labelled yet."))]
    cells = [
        {
            "assessor": Cell(visible_line(row["assessor"]), below="" if row["kind"] == "human" else row["kind"]),
            "labels": language.look_up(row["task"]),
            "last sign": time_cell(row["last"], moment, language=language),
            "done": row["done"] + row["cannot judge"],
            "left": row["left"],
            "put off": row["later"],
            "median time": seconds_cell(row["median seconds"]),
            "per hour": row["per active hour"],
            "time left": Cell(
                language.translate_message(time_left(row)),
                row["hours left"],
                below=_forecast_basis_text(row, language),
            ),
        }
        for row in rows
    ]
    return [TableBlock("labelling", LABELLING_CAPTION, cells)]


def _forecast_basis_text(row: Row, language: Language) -> str:
    """On what a forecast rests, or why there is none."""
    basis = str(row["basis"])
    basis = language.translate_message(basis)
    return language.gettext("from %(labels)s", labels=basis) if row["from"] is not None else basis


def _labelling_parts(store: Store, query: Query) -> list[Block]:
    if not possible_label_work(store):
        return [
            Text(translatable("There are no answers yet, so only documents can be labelled.")),
            *remedy_links("import answers", query.language),
        ]
    return labelling_table(labelling_rows(store), datetime.now(UTC), query.language)


LABELLING = LookView(
    translatable("Assessors by kind of label"),
    lambda store, query: labelling_rows(store),
    parts=_labelling_parts,
    entry=translatable("Overview"),
    is_in_menu=False,
    heavy=True,
)


def _people_page_rows(store: Store, query: Query) -> Sequence[Row]:
    return people_rows(store, progress_of(store), datetime.now(UTC))


def _time_left(row: Row, language: Language) -> Cell:
    if not count_labels_left(row):
        return Cell(language.gettext("none"), 0.0)
    if row["hours left"] is None:
        return Cell(language.gettext("not known yet"), below=language.translate_message(row["basis"]))
    low, likely, high = (row[name] * 3600 for name in ("from", "hours left", "to"))
    left = language.translate_message(time_left_text(TimeLeft(low, likely, high)))
    return Cell(left, row["hours left"], below=_forecast_basis_text(row, language))


PEOPLE = LookView(
    translatable("Assessors"),
    _people_page_rows,
    parts=lambda store, query: people_table(
        _people_page_rows(store, query), datetime.now(UTC), language=query.language
    ),
    entry=translatable("Overview"),
    is_in_menu=False,
    heavy=True,
)


def _rows_links(store: Store, query: Query) -> Sequence[Row]:
    return [
        {"assessor": one.assessor, "role": one.role, "invited": one.at[:16], "expires": (one.expires or "never")[:16]}
        | {"state": one.state(now())}
        for one in invitations(store)
    ]


def _link_blocks(store: Store, query: Query) -> Sequence[Block]:
    moment, language = datetime.now(UTC), query.language
    rows = [
        {"assessor": one.assessor, "role": one.role, "invited": time_cell(one.at, moment, language=language)}
        | {"expires": time_cell(one.expires, moment, language.gettext("never"), language)}
        | {"state": language.look_up(one.state(now()))}
        for one in invitations(store)
    ]
    own = link_line([(translatable("Make a link"), "/organise/links")], language)
    return [*table_blocks(query.view, LINKS.title if rows else "", rows, language=language), own]


LINKS = LookView(translatable("Links"), _rows_links, parts=_link_blocks, entry=translatable("Links"), is_in_menu=False)
