"""A page per person: what is left and when it is done, the pace by day, agreement with others and with themselves."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from cranfield import hooks
from cranfield.analysis.labels import label_readers
from cranfield.charts.curves import Line, LineChart
from cranfield.judging.planning.checks import findings
from cranfield.judging.planning.daily import DayOfWork, daily_work, join_days
from cranfield.judging.planning.forecast import forecast_person
from cranfield.judging.planning.label_work import daily_label_work, label_work, labeller_rows, time_left
from cranfield.judging.planning.progress import Progress, progress_of
from cranfield.judging.planning.sections import agreement_with_others, pace_rows, repeat_rows
from cranfield.report.blocks import Block, Cell, Facts, Figures, TableBlock, Text, figure_of_lines, rounded_cell
from cranfield.report.table import as_cell
from cranfield.store.log import assessors
from cranfield.store.store import Store
from cranfield.text import visible_line
from cranfield.web.language import Language, translatable
from cranfield.web.look.agreement import compared_matrix
from cranfield.web.look.cells import share_cell
from cranfield.web.look.times import seconds_cell
from cranfield.web.look.view import (
    LookView,
    Parameter,
    Query,
    QueryError,
    Row,
    address,
    link_line,
    short_text,
)

MAX_NOTES = 50
MAX_DAYS = 60  # of a chart and a table; the CSV has all
NO_PERSON = translatable("no person %(name)s in this store")
CLOCKLESS = translatable("None of this person's labels has been timed yet.")


def people_in(store: Store) -> list[str]:
    """Return the people who are assessors."""
    return [name for name, kind in assessors(store).items() if kind == "human"]


def _read_person(store: Store, text: str) -> str:
    if text not in people_in(store):
        raise QueryError(NO_PERSON, 404, name=short_text(text))
    return text


PERSON_PARAMETER = Parameter(
    "assessor", translatable("Person"), _read_person, lambda store: (people_in(store) or [""])[0], people_in
)


def _person_rows(store: Store, query: Query) -> Sequence[Row]:
    return [day_row(one) for one in days_of_work(store, progress_of(store), query["assessor"])]


def days_of_work(store: Store, state: Progress, assessor: str | None = None) -> list[DayOfWork]:
    """Return the days of all work, on documents and on other labels, of one person or of all people."""
    return join_days(daily_work(state, assessor), daily_label_work(label_work(store, datetime.now(UTC)), assessor))


def has_labels(store: Store) -> bool:
    """Return whether anybody labelled documents, or anything else."""
    return bool(store.last_row_number("judgment_event")) or any(
        hooks.ask(lambda extension: extension.last_signs(store))
    )


def day_row(day: DayOfWork) -> dict[str, Any]:
    """Return a day as a row of CSV and JSON."""
    return {
        "day": day.day.isoformat(),
        "labels": day.labels,
        "median seconds": day.seconds,
        "active hours": round(day.hours, 2),
        "second labels": day.compared,
        "same grade": day.agreement,
    }


def _document(store: Store, query: Query) -> Mapping[str, Any]:
    name, state = query["assessor"], progress_of(store)
    return {
        "assessor": name,
        "forecast": forecast_person(state, name, datetime.now(UTC)).to_json(),
        "days": [day_row(one) for one in days_of_work(store, state, name)],
        "other labels": [row for row in labeller_rows(label_work(store, datetime.now(UTC))) if row["assessor"] == name],
        "agreement": agreement_with_others(state, name),
        "repeats": [row for row in repeat_rows(state) if row["assessor"] == name],
    }


def _parts(store: Store, query: Query) -> Sequence[Block]:
    name, state, moment = query["assessor"], progress_of(store), datetime.now(UTC)
    if not name:
        return [
            Text(translatable("There are no people yet. To let people start, create judging links on the Links page."))
        ]
    days, labels = days_of_work(store, state, name), _label_blocks(store, name, moment, query.language)
    facts = _facts(state, name, moment, query.language, documents=not labels)
    return [
        *([facts] if facts.pairs else []),
        *labels,
        Text(translatable("Pace"), 2),
        *_pace_blocks(days, query.language),
        Text(translatable("Agreement"), 2),
        *_agreement_blocks(store, state, name, query.language),
        *_unusual_blocks(state, name, query.language),
        *_note_blocks(state, name, query.language),
    ]


def _facts(state: Progress, name: str, moment: datetime, language: Language, documents: bool) -> Facts:
    """The work on documents, which is left out if there is none and they are not all that this person labels."""
    forecast = forecast_person(state, name, moment)
    pace = next((row for row in pace_rows(state) if row["assessor"] == name), None)
    done = f"{forecast.done_in_words}" if forecast.total else language.gettext("no document is assigned")
    facts = [(translatable("Done"), done)] if forecast.total or documents else []
    if forecast.total:
        end = "; ".join(filter(None, [forecast.hours_in_words, forecast.date_in_words]))
        facts.append((translatable("Left"), end))
    if pace and pace["later"]:
        facts.append(
            (translatable("Put off"), language.ngettext("%(num)s document", "%(num)s documents", pace["later"]))
        )
    if pace and pace["median seconds"]:
        rate = language.gettext(
            "%(time)s per label (median), %(number)s labels per active hour",
            time=seconds_cell(pace["median seconds"]).text,
            number=format(pace["per active hour"], ","),
        )
        facts.append((translatable("Pace"), rate))
    return Facts(facts)


def _label_blocks(store: Store, name: str, moment: datetime, language: Language) -> list[Block]:
    """The other kinds of labels that this person gives."""
    rows = [row for row in labeller_rows(label_work(store, moment)) if row["assessor"] == name]
    cells = [
        {
            "labels": language.look_up(row["task"]),
            "done": row["done"] + row["cannot judge"],
            "left": row["left"],
            "put off": row["later"],
            "median time": seconds_cell(row["median seconds"]),
            "time left": Cell(language.translate_message(time_left(row)), row["hours left"]),
        }
        for row in rows
    ]
    caption = translatable("Other labels of this person. done: labels given; left: items without a decision")
    return [TableBlock("own-labels", caption, cells)] if cells else []


def _pace_blocks(days: Sequence[DayOfWork], language: Language) -> list[Block]:
    if not days:
        return [Text(translatable("No label of this person has a date and a time."))]
    shown = days[-MAX_DAYS:]
    numbers = [float((one.day - shown[0].day).days + 1) for one in shown]
    day, start = language.gettext("day"), f"{shown[0].day:%-d %B %Y}"
    about = language.gettext("Labels by day. Day 1 is %(date)s. Days are in UTC.", date=start)
    labels = LineChart(language.gettext("Labels a day"), about, day, language.gettext("labels"),
                       [Line("", numbers, [float(one.labels) for one in shown], 0)],
                       low=0.0, is_x_whole=True)  # fmt: skip
    timed = [(x, one.seconds) for x, one in zip(numbers, shown, strict=True) if one.seconds is not None]
    charts = [figure_of_lines("labels-a-day", labels)]
    if timed:
        about = language.gettext("Median seconds per label by day. Day 1 is %(date)s. Days are in UTC.", date=start)
        times = LineChart(language.gettext("Seconds a label"), about, day, language.gettext("seconds"),
                          [Line("", [x for x, _ in timed], [y for _, y in timed], 1)],
                          low=0.0, is_x_whole=True)  # fmt: skip
        charts.append(figure_of_lines("seconds-a-label", times))
    return [*([] if timed else [Text(CLOCKLESS)]), Figures(charts), day_table(days)]


def day_table(days: Sequence[DayOfWork]) -> TableBlock:
    """Return the table of days with labels, the newest first."""
    rows = [
        {
            "day": one.day.isoformat(),
            "labels": one.labels,
            "median time": seconds_cell(one.seconds),
            "active hours": rounded_cell(one.hours, 1),
            "second labels": one.compared,
            "same grade": share_cell(one.agreement),
        }
        for one in reversed(days)
        if one.labels or one.compared
    ]
    caption = translatable(
        "Days with labels (UTC), newest first. Repeats do not count. A second label is for a document that another"
        " person had labelled."
    )
    return TableBlock("days", caption, rows[:MAX_DAYS])


def _agreement_blocks(store: Store, state: Progress, name: str, language: Language) -> list[Block]:
    rows, others = _document_agreement(state, name, language), _other_agreement(store, name, language)
    caption = translatable(
        "Agreement with every other person. mean difference: the other label's grade minus this person's grade"
    )
    other_caption = translatable("Agreement with every other person on other kinds of label")
    if not rows and not others:
        return [Text(translatable("There are no second labels to compare with this person's labels."))]
    return [
        *([TableBlock("agreement", caption, rows)] if rows else []),
        *([TableBlock("other-agreement", other_caption, others)] if others else []),
    ]


def _other_agreement(store: Store, name: str, language: Language) -> list[dict[str, Any]]:
    """The share of equal labels with each other person, by kind of labels."""
    rows = []
    for kind in label_readers():
        matrix = compared_matrix(store, kind)
        for other in matrix.assessors if name in matrix.assessors else ():
            one, two = (matrix.grades[:, matrix.assessors.index(each)] for each in (name, other))
            both = ~np.isnan(one) & ~np.isnan(two)
            if other != name and both.any():
                share = float((one[both] == two[both]).mean())
                row = {"with": visible_line(other), "labels": language.look_up(kind), "items": int(both.sum())}
                rows.append({**row, "same label": share_cell(share)})
    return rows


def _document_agreement(state: Progress, name: str, language: Language) -> list[dict[str, Any]]:
    others = agreement_with_others(state, name)
    repeats = next((row for row in repeat_rows(state) if row["assessor"] == name and row["pairs"]), None)
    rows = [_agreement_row(visible_line(row["with"]), row) for row in others]
    if repeats:
        rows.append(_agreement_row(language.gettext("their own earlier labels"), repeats))
    return rows


def _agreement_row(label: str, row: Row) -> dict[str, Any]:
    return {
        "with": label,
        "documents": row["pairs"],
        "same grade": share_cell(row["same grade"]),
        "same relevance": share_cell(row["same relevance"]),
        "mean difference": rounded_cell(row["mean difference"], 2),
    }


def _unusual_blocks(state: Progress, name: str, language: Language) -> list[Block]:
    rows = [row for row in findings(state) if row["assessor"] == name]
    if not rows:
        return []
    text = language.ngettext(
        "%(num)s check found something unusual in this person's labels.",
        "%(num)s checks found something unusual in this person's labels.",
        len(rows),
    )
    return [
        Text(translatable("Unusual labels"), 2),
        Text(text),
        link_line([(translatable("What is unusual"), "/organise/checks")], language),
    ]


def _note_blocks(state: Progress, name: str, language: Language) -> list[Block]:
    noted = [event for event in state.standing.get(name, {}).values() if event.note]
    if not noted:
        return []
    newest = sorted(noted, key=lambda event: event.at, reverse=True)
    rows = [
        {
            "topic": Cell(visible_line(one.qid), href=address("topic", topic=one.qid)),
            "document": Cell(visible_line(one.docno), href=address("why", topic=one.qid, docno=one.docno)),
            "grade": as_cell("-" if one.grade is None else one.grade),
            "note": visible_line(one.note),
        }
        for one in newest[:MAX_NOTES]
    ]
    left_out = len(noted) - len(rows)
    more = language.ngettext("%(num)s older note is not shown.", "%(num)s older notes are not shown.", left_out)
    cut = [Text(more)] if left_out else []
    return [
        Text(translatable("Notes"), 2),
        TableBlock("notes", translatable("Notes with labels, newest first"), rows),
        *cut,
    ]


def _heading(store: Store, query: Query) -> str:
    return visible_line(query["assessor"]) if query["assessor"] else query.language.gettext("Person")


PERSON = LookView(
    translatable("Person"),
    _person_rows,
    (PERSON_PARAMETER,),
    _parts,
    _document,
    _heading,
    entry=translatable("Person"),
    heavy=True,
    group=translatable("People"),
    has_data=has_labels,
)
