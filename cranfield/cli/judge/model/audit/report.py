"""model audit report."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.displays import signed
from cranfield.cli.options import Format, Measures, Output, StorePath
from cranfield.cli.tables import Display, TableFormat, emit, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.analysis.labels.model_audit import ModelAudit

DEFAULT = ["AP", "nDCG@10"]
SHOWN = 10  # runs, of those that are not favoured


def report(
    path: StorePath,
    model: Annotated[str, typer.Option(metavar="NAME", help="The model whose labels to check.")],
    human: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The person to compare it with. [default: all people, policy primary]"),
    ] = None,
    measure: Measures = None,
    declare: Annotated[
        list[str] | None,
        typer.Option(metavar="RUN=FAMILY", help="The family of models that a run uses; may be repeated."),
    ] = None,
    family: Annotated[
        str | None, typer.Option(metavar="NAME", help="The family of the model that labelled. [default: its name]")
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of the intervals.")] = 0,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Compare a model's labels with people's on the documents that both labelled, and say what they can be used for.

    First the verdict: whether they will do for the order of the runs, for mean scores, and as single labels. Then
    agreement, beside that of people with each other; how far grades are too high, by grade, by length of the document
    and by rank; which runs the model favours; and last what happens to the system ranking, because tau hardly changes
    when one run is favoured.

    A run is favoured if its scores by the model are too high by more than those of all runs are on average; p is
    corrected by Holm's method. --declare marks runs of the model's own family as circular.

    Example: cranfield model audit report track.db --model qwen --declare run7=qwen
    """
    from cranfield.analysis.labels.model_audit import as_document, audit, bias_row
    from cranfield.store.store import Store

    with Store.open(path) as store:
        found = audit(store, model, human, measure or DEFAULT, _families(declare), family, seed)
    rows = [bias_row(one) for one in found.runs]
    if format is not TableFormat.table or output is not None:
        emit(rows, format, output, document=as_document(found))
        return
    _say_verdict(found)
    _tables(found, rows)


def _families(declared: Sequence[str] | None) -> dict[str, str]:
    for one in declared or ():
        if "=" not in one:
            raise typer.BadParameter(f"{one!r}; expected RUN=FAMILY, such as run7=qwen", param_hint="--declare")
    return dict(one.rsplit("=", 1) for one in declared or ())


def _say_verdict(found: ModelAudit) -> None:
    from cranfield.cli.colours import BAD, GOOD, UNSURE, painted
    from cranfield.text import counted

    say(found.verdict)
    signs = {True: ("✓", GOOD), False: ("✗", BAD), None: ("?", UNSURE)}
    for one in found.uses:
        sign, colour = signs[one.usable]
        say(f"{painted(sign, colour, sys.stdout)} {one.use}: {one.why}")
    documents, changed = found.repeated
    if documents:
        share = f"{changed / documents:.0%}".replace("%", " %")
        say(f"Asked again about {counted(documents, 'document')}: {changed} got another grade ({share}).")
    say()


def _tables(found: ModelAudit, rows: Sequence[dict[str, Any]]) -> None:
    from cranfield.text import counted

    both = counted(found.labels.same + found.labels.other, "document")
    people = {one.coefficient: one.interval for one in found.ceiling}
    emit(
        [
            {"coefficient": one.coefficient, "value": one.interval.value, "low": one.interval.low,
             "high": one.interval.high, "between people": people[one.coefficient].value if people else None}
            for one in found.agreement
        ],
        TableFormat.table, title=f"agreement on {both} of {counted(found.topics, 'topic')} that both labelled",
    )  # fmt: skip
    say()
    grades = sorted({grade for pair in found.labels.grades for grade in pair})
    emit(
        [{"people": str(a)} | {f"-> {b}": found.labels.grades.get((a, b), 0) for b in grades} for a in grades],
        TableFormat.table, title=f"grades of people, and of {found.model}",
    )  # fmt: skip
    say()
    over = [{"by": one.by or "all", "group": one.group if one.by else "", **one._asdict()} for one in found.over]
    shown = [{name: row[name] for name in ("by", "group", "documents", "over", "low", "high")} for row in over]
    digits = {name: signed(2) for name in ("over", "low", "high")}
    emit(
        shown, TableFormat.table, title="how far the model's grades are above people's", display=Display(digits=digits)
    )
    if rows:
        say()
        _runs(found, rows)


def _runs(found: ModelAudit, rows: Sequence[dict[str, Any]]) -> None:
    favoured = sum(one.favoured for one in found.runs)
    shown = rows[: max(favoured, SHOWN)]
    emit(
        shown, TableFormat.table, title="scores by the model less scores by people; own: less the mean of all runs",
        display=Display(digits={name: signed(4) for name in ("bias", "own", "low", "high")}),
    )  # fmt: skip
    if len(shown) < len(rows):
        say(f"{len(rows) - len(shown)} more were favoured less; --format csv lists all.")
    say()
    systems = found.systems
    if systems is None:
        return
    from cranfield.judging.labels.diff import top_left

    emit(
        [
            {"measure": name, "top 5 lost": top_left(systems.of(name)), "top 10 lost": top_left(systems.of(name), 10),
             **systems.claims[name]._asdict(), "tau_AP": systems.tau_ap[name], "tau": systems.tau[name]}
            for name in systems.tau
        ],
        TableFormat.table, title="the system ranking by the model's labels, compared with that by people's",
    )  # fmt: skip
