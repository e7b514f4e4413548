"""`agreement` and `diff`: how far assessors agree, and how two lots of labels differ."""

from __future__ import annotations

from math import isnan
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.build import command
from cranfield.cli.common_options import Printer
from cranfield.cli.tables import Display, TableFormat, say, signed_formatter
from cranfield.commands.agreement import AgreementTable, measure_agreement
from cranfield.commands.differences import JudgmentDifferences, ReleaseChanges, compare_judgments
from cranfield.results import Result
from cranfield.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.judging.agreement.agreement import Coefficient, LabelMatrix
    from cranfield.judging.labels.diff import LabelChanges, SystemChanges


def show_agreement(result: AgreementTable, printer: Printer) -> None:
    """Print the coefficients, or a row for each pair or topic, with remarks for people."""
    if printer.format is TableFormat.json:
        printer.emit([], document=[one.document() for one in result.coefficients])
        return
    panel, is_table = result.panel, printer.format is TableFormat.table
    rows = result.shown_rows(for_programs=printer.is_separated, has_short_heads=is_table)
    printer.emit(rows, title=_title(panel, result.of))
    if printer.is_for_terminal:
        coefficients = result.shown_coefficients
        headings = [] if result.by == "overall" else list(dict.fromkeys(one.coefficient for one in coefficients))
        remarks = _remarks(panel, result.models)
        say("\n" + "\n".join([*_legend_lines(headings), *_no_intervals(coefficients), *remarks]))


agreement = command(measure_agreement, show_agreement, "judging")


def _no_intervals(several: Sequence[Coefficient]) -> list[str]:
    """Which defined coefficients have no interval, and why."""
    known_values = [one for one in several if not isnan(one.interval.value)]
    reasons: dict[str, list[str]] = {}
    for one in known_values:
        reasons.setdefault(one.interval.why, []).append(one.coefficient)
    whose = {
        why: "" if len(names) == len(known_values) else f" of {', '.join(names)}" for why, names in reasons.items()
    }
    return [f"No interval{whose[why]}: {why}." for why in reasons if why]


def _title(panel: LabelMatrix, of: str) -> str:
    names = ", ".join(panel.assessors) if len(panel.assessors) < 6 else f"{len(panel.assessors)} assessors"
    units, topics = int(panel.has_two_labels.sum()), len(panel.select_rows(panel.has_two_labels).topics)
    labels = counted(units, "document") if of == "documents" else f"{counted(units, 'item')} of {of}"
    return f"{names}: {labels} with at least two labels, on {counted(topics, 'topic')}"


def _legend_lines(names: Sequence[str]) -> list[str]:
    """What the short column heads stand for.

    >>> _legend_lines(["overlap", "Gwet AC1", "prevalence"])
    ['AC1: Gwet AC1; relevant: prevalence.']
    """
    from cranfield.judging.agreement import AGREEMENTS

    headings = [f"{AGREEMENTS[name].heading}: {name}" for name in names if AGREEMENTS[name].heading]
    return ["; ".join(headings) + "."] if headings else []


def _remarks(panel: LabelMatrix, models: Sequence[str]) -> list[str]:
    from cranfield.judging.agreement.agreement import CAUTION, constant_assessors

    remarks = [CAUTION]
    if models:
        out = "to choose assessors, use --assessor NAME; to exclude models, use --labels people"
        remarks.append(f"Models among these assessors: {', '.join(models)} ({out}).")
    if same := constant_assessors(panel):
        remarks.append(
            "Kappa and alpha are not informative for assessors who gave every document the same grade:"
            f" {', '.join(same)}."
        )
    for name, grades in (panel.outside or {}).items():
        grades_of_name = ", ".join(f"{grade:g} ({times}x)" for grade, times in grades.items())
        remarks.append(f"The labels by {name} outside the scale are left out: {grades_of_name}.")
    return remarks


def _one_list(context: typer.Context, value: bool) -> bool:
    """Refuse two lists before anything is compared."""
    if value and (context.params.get("list_labels") or context.params.get("list_flips")):
        raise typer.BadParameter("give either --list or --flips", param_hint="--flips")
    return value


ListLabels = Annotated[
    bool,
    typer.Option(
        "--list",
        callback=_one_list,
        help="List the labels that differ, instead of the systems. With --contents, list every change.",
    ),
]
ListFlips = Annotated[
    bool,
    typer.Option(
        "--flips",
        callback=_one_list,
        help="List the pairs of runs that gain or lose a significant difference, instead of the systems.",
    ),
]


def show_differences(
    result: Result, printer: Printer, *, list_labels: ListLabels = False, list_flips: ListFlips = False
) -> None:
    """Print what differs: systems, labels or significant differences, or what changed between releases."""
    if isinstance(result, ReleaseChanges):
        _show_contents(result, list_labels, printer)
        return
    assert isinstance(result, JudgmentDifferences)
    diffs, every = result.diffs, result.every
    if len(diffs) > 1:
        printer.emit(result.records, document=result.document)
        return
    [(a, b, (labels, systems, document))] = diffs
    rows = result.shown_rows("labels" if list_labels else "flips" if list_flips else "systems")
    if not printer.is_for_terminal:
        printer.emit(rows, document=document)
        return
    a, b = _file_names(a, b)
    say(_label_changes_text(labels, a, b))
    if len(releases := document.get("releases", {})) > 1:
        say(_sizes(releases, a, b))
    for table, title in ((_grade_rows(labels, a), ""), (rows, _heading(systems, labels, every))):
        if table:
            say()
            printer.emit(table, title=title, display=Display(digits={"change": signed_formatter(4)}))
    say("\n" + _verdict(document["summary"]))


diff = command(compare_judgments, show_differences, "judging")


def _show_contents(result: ReleaseChanges, each: bool, printer: Printer) -> None:
    delta, programs = result.changes, printer.format not in (TableFormat.table, TableFormat.markdown)
    rows = delta.rows if each or programs else delta.counts
    printer.emit(rows, title=result.title, document=delta.document)
    if delta.scores and printer.is_for_terminal:
        say()
        on = counted(delta.systems.topics, "shared topic") if delta.systems else ""
        printer.emit(
            delta.scores,
            title=f"scores of the runs that are in both releases, on {on}",
            display=Display(digits={"change": signed_formatter(4)}),
        )


def _heading(systems: SystemChanges | None, labels: LabelChanges, every: bool) -> str:
    """The title of the table."""
    if systems is None:
        return ""
    both = f"the {counted(labels.n_same + labels.n_different, 'document')} labelled by both sides"
    which = "all labels of both sides" if every else both
    return f"on {counted(systems.topics, 'topic')}, {which}"


def _file_names(*sides: str) -> Sequence[str]:
    """Shorten paths to the names of their files, which leaves room for the table; not where two files share a name.

    >>> _file_names("old/first.qrels", "primary"), _file_names("a/qrels.txt", "b/qrels.txt")
    (['first.qrels', 'primary'], ('a/qrels.txt', 'b/qrels.txt'))
    """
    names = [PurePath(side).name for side in sides]
    return names if len(set(names)) == len(names) and all(names) else sides


def _label_changes_text(labels: LabelChanges, a: str, b: str) -> str:
    both = counted(labels.n_same + labels.n_different, "document is", "documents are")
    return (
        f"{both} labelled in both: {labels.n_same:,} equally, {labels.n_different:,} differently;"
        f" {labels.only_a:,} only in {a}, {labels.only_b:,} only in {b}."
    )


def _sizes(releases: dict[str, dict[str, int]], a: str, b: str) -> str:
    """How much each of two releases has.

    >>> _sizes({"a": {"topics": 1, "runs": 2}, "b": {"topics": 1, "runs": 3}}, "1.0", "2.0")
    '1.0 has 1 topic, 2 runs; 2.0 has 1 topic, 3 runs.'
    """
    both = [
        f"{name} has {', '.join(counted(number, what.removesuffix('s')) for what, number in releases[side].items())}"
        for side, name in (("a", a), ("b", b))
    ]
    return f"{'; '.join(both)}."


def _grade_rows(labels: LabelChanges, a: str) -> list[dict[str, Any]]:
    """How often each grade of a became each grade of b: a row per grade of a, a column per grade of b."""
    grades = sorted({grade for pair in labels.grades for grade in pair})
    return [{a: str(x)} | {f"-> {y}": labels.grades.get((x, y), 0) for y in grades} for x in grades]


def _verdict(summary: dict[str, dict[str, Any]]) -> str:
    from cranfield.formats.text_tables import format_cell

    lines = [
        f"{name}: scores change by up to {format_cell(it['max_change'])}, ranks by up to {it['max_rank_change']}."
        f" {it['top_5_left']} of the top five systems in a are not in the top five in b. tau {format_cell(it['tau'])},"
        f" tau_AP {format_cell(it['tau_ap'])}.\n{' ' * len(name)}  {_flips_text(it['flips'])}"
        for name, it in summary.items()
    ]
    return "\n".join(lines) or "Systems are not compared because there are no runs."


def _flips_text(flips: dict[str, int]) -> str:
    """What happens to the significant differences, in a sentence.

    >>> _flips_text({"claims": 7, "lost": 2, "gained": 1, "reversed": 0})[:60]
    '7 pairs of runs differ significantly in a. Of these, 2 do no'
    """
    claims = counted(flips["claims"], "pair of runs differs", "pairs of runs differ")
    gained = counted(flips["gained"], "pair differs", "pairs differ")
    return (
        f"{claims} significantly in a. Of these, {flips['lost']} do not differ significantly in b and"
        f" {flips['reversed']} are reversed. {gained} significantly only in b."
    )
