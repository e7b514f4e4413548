"""diff."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.displays import signed
from cranfield.cli.options import Format, Measures, Output, StorePath
from cranfield.cli.tables import Display, TableFormat, emit, say
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.judging.labels.diff import LabelChanges, SystemChanges

DEFAULT = ["AP", "nDCG@10"]
NAME = (
    "A policy, an assessor, people or models, a release, or a qrels file; prefix it with policy:, assessor:, labels:,"
    " release: or file: if it is ambiguous."
)


def diff(
    path: StorePath,
    a: Annotated[str, typer.Argument(metavar="A", help=NAME)],
    b: Annotated[str, typer.Argument(metavar="B", help=NAME)],
    measure: Measures = None,
    every: Annotated[
        bool, typer.Option("--all", help="Compare all labels of either side, not only the pairs that both label.")
    ] = False,
    list_labels: Annotated[
        bool, typer.Option("--list", help="List the labels that differ instead of the systems.")
    ] = False,
    list_flips: Annotated[
        bool, typer.Option("--flips", help="List the pairs of runs that gain or lose a significant difference instead.")
    ] = False,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Compare two sets of judgments: which labels differ, and the effect on scores, ranks and significance of the runs.

    A and B are policies (such as primary or median-low), assessors, people or models, releases, or qrels files. Runs
    are scored on the documents that both sides label, because a document that only one side labelled is no
    disagreement. With --all they are scored on all labels of either side, on the topics that both have; documents that
    a side did not label then count as unjudged. Of two releases the runs that both have are scored.

    Read the score and rank changes of single runs before tau, which hardly changes when one run moves. Significance is
    by the paired t test at 5 %, without correction: among many pairs some differences appear or vanish by chance.

    Example: cranfield diff track.db primary median-low
    """
    from cranfield.analysis.labels.label_diff import label_diff
    from cranfield.store.store import Store

    if list_labels and list_flips:
        raise typer.BadParameter("give either --list or --flips", param_hint="--flips")
    with Store.open(path) as store:
        labels, systems, document = label_diff(store, a, b, measure or DEFAULT, every)
    rows = _label_rows(labels, every) if list_labels else _flip_rows(systems) if list_flips else _system_rows(systems)
    if format is not TableFormat.table or output is not None:
        emit(rows, format, output, document=document)
        return
    say(_counts(labels, a, b))
    if len(held := document.get("releases", {})) > 1:
        say(_held(held, a, b))
    for table, title in ((_grade_rows(labels, a), ""), (rows, _heading(systems, labels, every))):
        if table:
            say()
            emit(table, format, title=title, display=Display(digits={"change": signed(4)}))
    say("\n" + _verdict(document["summary"]))


def _heading(systems: SystemChanges | None, labels: LabelChanges, every: bool) -> str:
    """The title of the table."""
    if systems is None:
        return ""
    both = f"the {counted(labels.same + labels.other, 'document')} that both label"
    which = "all labels of either side" if every else both
    return f"on {counted(systems.topics, 'topic')}, {which}"


def _counts(labels: LabelChanges, a: str, b: str) -> str:
    both = counted(labels.same + labels.other, "document is", "documents are")
    return (
        f"{both} labelled in both: {labels.same} equally, {labels.other} differently;"
        f" {labels.only_a} only in {a}, {labels.only_b} only in {b}."
    )


def _held(held: dict[str, dict[str, int]], a: str, b: str) -> str:
    """How much each of two releases has.

    >>> _held({"a": {"topics": 1, "runs": 2}, "b": {"topics": 1, "runs": 3}}, "1.0", "2.0")
    '1.0 has 1 topic, 2 runs; 2.0 has 1 topic, 3 runs.'
    """
    both = [
        f"{name} has {', '.join(counted(number, what.removesuffix('s')) for what, number in held[side].items())}"
        for side, name in (("a", a), ("b", b))
    ]
    return f"{'; '.join(both)}."


def _grade_rows(labels: LabelChanges, a: str) -> list[dict[str, Any]]:
    """How often each grade of a became each grade of b: a row per grade of a, a column per grade of b."""
    grades = sorted({grade for pair in labels.grades for grade in pair})
    return [{a: str(x)} | {f"-> {y}": labels.grades.get((x, y), 0) for y in grades} for x in grades]


def _label_rows(labels: LabelChanges, every: bool) -> list[dict[str, Any]]:
    shown = [one for one in labels.changed if every or None not in one]
    return [{"topic": qid, "document": docno, "a": x, "b": y} for (qid, docno), x, y in shown]


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
