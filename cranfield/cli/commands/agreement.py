"""`agreement` and `diff`: how far assessors agree, and how two lots of labels differ."""

from __future__ import annotations

from math import isnan, nan
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli import completion, in_python
from cranfield.cli.build import command
from cranfield.cli.common_options import Measures, Printer
from cranfield.cli.reading_options import RUNS_AND_QRELS
from cranfield.cli.tables import Display, TableFormat, note, say, with_sign
from cranfield.commands.agreement import AgreementTable, measure_agreement
from cranfield.options import ScopeOptions
from cranfield.store.reading import Reading
from cranfield.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.analysis.labels import LabelDiff
    from cranfield.judging.agreement.agreement import Coefficient, LabelMatrix
    from cranfield.judging.labels.diff import LabelChanges, SystemChanges


def show_agreement(result: AgreementTable, printer: Printer) -> None:
    """Print the coefficients, or a row for each pair or topic, with remarks for people."""
    panel, by, kind = result.panel, result.by, printer.format
    intervals, overall = result.resamples > 0, by == "overall"
    if overall or kind is TableFormat.json:
        coefficients = result.coefficients
    else:  # a table has no room for more
        coefficients = result.without_intervals(_brief(panel, by))
    rows = [_row(one, kind, intervals) for one in coefficients] if overall else _wide(coefficients, by, kind)
    printer.emit(rows, title=_title(panel, result.of), document=[one.document() for one in coefficients])
    if printer.for_people:
        headings = [] if overall else list(dict.fromkeys(one.coefficient for one in coefficients))
        remarks = _remarks(panel, result.models)
        say("\n" + "\n".join([*_legend(headings), *_no_intervals(coefficients), *remarks]))


agreement = command(measure_agreement, show_agreement, "judging")


def _brief(panel: LabelMatrix, by: str) -> list[str]:
    from cranfield.judging.agreement import AGREEMENTS

    two = by == "pair" or len(panel.assessors) == 2
    return [it.name for it in AGREEMENTS.values() if it.brief and (two or not it.for_two)]


def _row(one: Coefficient, format: TableFormat, intervals: bool) -> dict[str, Any]:
    from cranfield.judging.agreement import AGREEMENTS

    cells: dict[str, Any] = {"value": _cell(one.interval.value, format)}
    if intervals:
        cells |= {"low": one.interval.low, "high": one.interval.high}
    if intervals and format in (TableFormat.csv, TableFormat.tsv):
        cells |= {"no interval": one.interval.why}
    return {"coefficient": one.coefficient, **cells, "reading": AGREEMENTS[one.coefficient].reading}


def _no_intervals(several: Sequence[Coefficient]) -> list[str]:
    """Which defined coefficients have no interval, and why."""
    with_value = [one for one in several if not isnan(one.interval.value)]
    reasons: dict[str, list[str]] = {}
    for one in with_value:
        reasons.setdefault(one.interval.why, []).append(one.coefficient)
    whose = {why: "" if len(names) == len(with_value) else f" of {', '.join(names)}" for why, names in reasons.items()}
    return [f"No interval{whose[why]}: {why}." for why in reasons if why]


def _wide(several: Sequence[Coefficient], by: str, format: TableFormat) -> list[dict[str, Any]]:
    """One row per pair of assessors or topic, one column per coefficient."""
    from cranfield.judging.agreement import AGREEMENTS

    rows: dict[Any, dict[str, Any]] = {}
    for one in several:
        pair = dict(zip(("assessor", "and"), one.assessors, strict=False))
        about = pair if by == "pair" else {"topic": one.topic}
        row = rows.setdefault((one.assessors, one.topic), {**about, "documents": one.units})
        name = one.coefficient
        heading = AGREEMENTS[name].heading if format is TableFormat.table else ""
        row[heading or name] = _cell(one.interval.value, format)
    return list(rows.values())


def _cell(value: float, format: TableFormat) -> float | str:
    """A number; for people a word if it is undefined."""
    for_programs = format in (TableFormat.csv, TableFormat.tsv, TableFormat.json)
    return value if for_programs or not isnan(value) else "undefined"


def _title(panel: LabelMatrix, of: str) -> str:
    names = ", ".join(panel.assessors) if len(panel.assessors) < 6 else f"{len(panel.assessors)} assessors"
    units, topics = int(panel.both.sum()), len(panel.of(panel.both).topics)
    labels = counted(units, "document") if of == "documents" else f"{counted(units, 'item')} of {of}"
    return f"{names}: {labels} with two labels or more, of {counted(topics, 'topic')}"


def _legend(names: Sequence[str]) -> list[str]:
    """What the short column heads stand for.

    >>> _legend(["overlap", "Gwet AC1", "prevalence"])
    ['AC1: Gwet AC1; relevant: prevalence.']
    """
    from cranfield.judging.agreement import AGREEMENTS

    headings = [f"{AGREEMENTS[name].heading}: {name}" for name in names if AGREEMENTS[name].heading]
    return ["; ".join(headings) + "."] if headings else []


def _remarks(panel: LabelMatrix, models: Sequence[str]) -> list[str]:
    from cranfield.judging.agreement.agreement import CAUTION, constant

    remarks = [CAUTION]
    if models:
        out = "choose assessors with --assessor NAME, or leave models out with --labels people"
        remarks.append(f"These assessors are models: {', '.join(models)}; {out}.")
    if same := constant(panel):
        remarks.append(
            f"Gave every document the same grade, so that kappa and alpha are not informative: {', '.join(same)}."
        )
    for name, grades in (panel.outside or {}).items():
        grades_of_name = ", ".join(f"{grade:g} ({times}x)" for grade, times in grades.items())
        remarks.append(f"Left out because they are not on the scale: labels of {name}: {grades_of_name}.")
    return remarks


DEFAULT = ["AP", "nDCG@10"]
NAME = (
    "A policy, an assessor, people or models, a release, or a qrels file; prefix it with policy:, assessor:, labels:,"
    " release: or file: if it is ambiguous."
)


@in_python("judging.compare_judgments")
def diff(
    path: Annotated[Path, typer.Argument(metavar="STORE|QRELS", help="A store, or a qrels file."), RUNS_AND_QRELS],
    names: Annotated[
        list[str],
        typer.Argument(metavar="A B...|QRELS...", help=f"{NAME} Of files: more qrels, then runs."),
        completion.ASSESSORS,
    ],
    *,
    measure: Measures = None,
    every: Annotated[
        bool, typer.Option("--all", help="Compare all labels of either side, not only the pairs that both label.")
    ] = False,
    contents: Annotated[
        bool,
        typer.Option("--contents", help="Of releases: list the topics, documents, runs and labels that changed."),
    ] = False,
    list_labels: Annotated[
        bool, typer.Option("--list", help="List the labels that differ instead of the systems; with --contents, all.")
    ] = False,
    list_flips: Annotated[
        bool, typer.Option("--flips", help="List the pairs of runs that gain or lose a significant difference instead.")
    ] = False,
    choice: ScopeOptions,
    printer: Printer,
    reading: Reading,
) -> None:
    """Compare two sets of judgments: which labels differ, and the effect on scores, ranks and significance of the runs.

    A and B are policies (such as primary or median-low), assessors, people or models, releases, or qrels files. Runs
    are scored on the documents that both sides label, because a document that only one side labelled is no
    disagreement. With --all they are scored on all labels of either side, on the topics that both have; documents that
    a side did not label then count as unjudged. Of two releases the runs that both have are scored.

    Read the score and rank changes of single runs before tau, which hardly changes when one run moves. Significance is
    by the paired t test at 5%, without correction: among many pairs some differences appear or vanish by chance.

    With --contents it says what is new, gone, renamed, withdrawn or changed from release A to B, or to the store as it
    stands, and scores the runs of both by all labels of either, on the topics of both.

    Instead of a store there may be two qrels files or more, and after them runs. With three or more, each pair is
    compared, in a row of the table.

    Example: cranfield diff track.db primary median-low

    Example: cranfield diff old.qrels new.qrels runs/*.gz
    """
    from cranfield.analysis.labels import label_diffs

    if list_labels and list_flips:
        raise typer.BadParameter("give either --list or --flips", param_hint="--flips")
    if contents and choice.topics is not None:
        raise typer.BadParameter("lists all that changed; --topics does not go with it", param_hint="--contents")
    if contents:
        _show_contents(path, names, measure or DEFAULT, list_labels, printer)
        return
    diffs = label_diffs([str(path), *names], measure or DEFAULT, every, reading)
    if not diffs:
        raise typer.BadParameter("name two or more to compare", param_hint="A B...")
    if len(diffs) > 1:
        measures = list(dict.fromkeys(name for *_, one in diffs if one.systems for name in one.systems.tau))
        printer.emit([_pair_row(*pair, measures) for pair in diffs], document=[pair[2].document for pair in diffs])
        return
    [(a, b, (labels, systems, document))] = diffs
    rows = _label_rows(labels, every) if list_labels else _flip_rows(systems) if list_flips else _system_rows(systems)
    if not printer.for_people:
        printer.emit(rows, document=document)
        return
    a, b = _file_names(a, b)
    say(_counts(labels, a, b))
    if len(releases := document.get("releases", {})) > 1:
        say(_sizes(releases, a, b))
    for table, title in ((_grade_rows(labels, a), ""), (rows, _heading(systems, labels, every))):
        if table:
            say()
            printer.emit(table, title=title, display=Display(digits={"change": with_sign(4)}))
    say("\n" + _verdict(document["summary"]))


def _show_contents(path: Path, names: list[str], measure: Sequence[str], each: bool, printer: Printer) -> None:
    from cranfield.analysis.changes import content_changes
    from cranfield.store.store import Store

    with Store.open(path, tell=note) as store:
        delta = content_changes(store, names, measure)
    programs = printer.format not in (TableFormat.table, TableFormat.markdown)
    title = f"from {delta.a} to {delta.b}: " + (counted(len(delta.changes), "change") if delta.changes else "no change")
    rows = delta.rows if each or programs else delta.counts
    if not rows and printer.format is TableFormat.table:
        say(title)
    else:
        printer.emit(rows, title=title, document=delta.document)
    for side, whose in delta.labelled_by.items():
        note(f"the labels of {delta.a if side == 'a' else delta.b} are those of {whose}, the store's choice")
    if delta.scores and printer.for_people:
        say()
        on = counted(delta.systems.topics, "topic") if delta.systems else ""
        printer.emit(
            delta.scores,
            title=f"scores of the runs of both, on {on} of both",
            display=Display(digits={"change": with_sign(4)}),
        )


def _pair_row(a: str, b: str, one: LabelDiff, measures: Sequence[str]) -> dict[str, Any]:
    """One of several pairs: how many labels differ, and how far the system ranking moves by each measure."""
    labels, tau = {"same": one.labels.same, "changed": one.labels.other}, one.systems.tau if one.systems else {}
    taus = {f"tau {name}": tau.get(name, nan) for name in measures}
    return {"a": a, "b": b, **labels, "only a": one.labels.only_a, "only b": one.labels.only_b, **taus}


def _heading(systems: SystemChanges | None, labels: LabelChanges, every: bool) -> str:
    """The title of the table."""
    if systems is None:
        return ""
    both = f"the {counted(labels.same + labels.other, 'document')} that both label"
    which = "all labels of either side" if every else both
    return f"on {counted(systems.topics, 'topic')}, {which}"


def _file_names(*sides: str) -> Sequence[str]:
    """Shorten paths to the names of their files, which leaves room for the table; not where two files share a name.

    >>> _file_names("old/first.qrels", "primary"), _file_names("a/qrels.txt", "b/qrels.txt")
    (['first.qrels', 'primary'], ('a/qrels.txt', 'b/qrels.txt'))
    """
    names = [PurePath(side).name for side in sides]
    return names if len(set(names)) == len(names) and all(names) else sides


def _counts(labels: LabelChanges, a: str, b: str) -> str:
    both = counted(labels.same + labels.other, "document is", "documents are")
    return (
        f"{both} labelled in both: {labels.same:,} equally, {labels.other:,} differently;"
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


def _label_rows(labels: LabelChanges, every: bool) -> list[dict[str, Any]]:
    changes = [one for one in labels.changes if every or None not in one]
    return [{"topic": qid, "document": docno, "a": x, "b": y} for (qid, docno), x, y in changes]


def _system_rows(systems: SystemChanges | None) -> list[dict[str, Any]]:
    if systems is None:
        return []
    return [
        {
            "run": it.run, "measure": it.measure, "a": it.a, "b": it.b, "change": it.b - it.a,
            "rank in a": it.rank_a, "rank in b": it.rank_b,
        }
        for measure in systems.tau
        for it in systems.of(measure)
    ]  # fmt: skip


def _flip_rows(systems: SystemChanges | None) -> list[dict[str, Any]]:
    words = {1: "better", 0: "no difference", -1: "worse"}
    return [
        {"measure": it.measure, "run": it.run, "than": it.other, "a": words[it.a], "b": words[it.b]}
        for it in (systems.flips if systems else ())
    ]


def _verdict(summary: dict[str, dict[str, Any]]) -> str:
    from cranfield.formats.text_tables import cell

    lines = [
        f"{name}: scores change by up to {cell(it['max_change'])}, ranks by up to {it['max_rank_change']};"
        f" {it['top_5_left']} of the top five in a are not in the top five in b."
        f" tau {cell(it['tau'])}, tau_AP {cell(it['tau_ap'])}.\n{' ' * len(name)}  {_flips(it['flips'])}"
        for name, it in summary.items()
    ]
    return "\n".join(lines) or "There are no runs here, so systems are not compared."


def _flips(flips: dict[str, int]) -> str:
    """What happens to the significant differences, in a sentence.

    >>> _flips({"claims": 7, "lost": 2, "gained": 1, "reversed": 0})
    'Of 7 pairs of runs that differ significantly in a, 2 do not in b and 0 are reversed; 1 more differ only in b.'
    """
    return (
        f"Of {flips['claims']} pairs of runs that differ significantly in a, {flips['lost']} do not in b"
        f" and {flips['reversed']} are reversed; {flips['gained']} more differ only in b."
    )
