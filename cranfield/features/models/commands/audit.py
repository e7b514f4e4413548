"""`model audit` and `judge --audit`: compare a model's labels with people's, and correct what they give."""

from __future__ import annotations

import sys
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from cranfield.cli.build import command, show_lines
from cranfield.cli.commands.judge import JudgeOptions, JudgingTask, judging_task
from cranfield.cli.common_options import Printer
from cranfield.cli.tables import Display, print_note, say, signed_formatter
from cranfield.features.models.auditing import audit, draw_audit_sample, estimate_human_labels
from cranfield.features.models.failures import AuditFailure, is_failed
from cranfield.features.models.results import AuditReport, EstimatedLabels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.features.models.analysis.audit import ModelAudit
    from cranfield.features.models.analysis.estimate import EstimatedScore
    from cranfield.store.store import Store


class AuditOptions(NamedTuple):
    """The sample."""

    audit: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Number of the sample to judge, as printed by `model audit draw`."),
    ] = None


def judge_sample(options: AuditOptions, store: Store, session_options: JudgeOptions) -> JudgingTask:
    """The documents of a sample, for the one who judges it."""
    from cranfield.features.models.sample import sample_for
    from cranfield.judging.session.session import Session

    work = sample_for(store, session_options.assessor, options.audit or 0)
    session = Session(
        store,
        session_options.assessor,
        work,
        order=session_options.order,
        seed=session_options.seed,
        topics=session_options.topics,
    )
    return judging_task(session)


SHOWN = 10  # runs, of those that are not favoured


def show_audit(
    result: AuditReport,
    printer: Printer,
    *,
    fail_if: Annotated[
        list[AuditFailure] | None,
        typer.Option(
            help="Exit with status 3 if the labels are at chance, or cannot be used for the order of runs,"
            " mean scores or single labels; may be repeated."
        ),
    ] = None,
) -> None:
    """Print what an audit found, and fail if the labels fail at what is named."""
    from cranfield.cli.tables import BAD, GOOD, UNSURE, colour_text
    from cranfield.text import counted

    findings, rows = result.findings, result.rows()
    if printer.is_for_terminal:
        say(findings.verdict)
        signs = {True: ("✓", GOOD), False: ("✗", BAD), None: ("?", UNSURE)}
        for use in findings.uses:
            sign, colour = signs[use.usable]
            say(f"{colour_text(sign, colour, sys.stdout)} {use.use}: {use.why}")
        documents, changes = findings.repeated
        if documents:
            share = f"{changes / documents:.0%}"
            say(f"Asked again about {counted(documents, 'document')}: {changes} got another grade ({share}).")
        say(findings.people_line)
        say()
        _tables(findings, rows, printer)
    else:
        print_note(findings.people_line)
        printer = printer._replace(left_out=result.context.left_out)
        printer.emit(rows, document=result.document)
    if failures := [one for one in fail_if or () if is_failed(findings.at_chance, findings.uses, one)]:
        for one in failures:
            print_note(f"failed: {one}: {findings.verdict}")
        raise typer.Exit(3)


def _tables(result: ModelAudit, rows: Sequence[dict[str, Any]], printer: Printer) -> None:
    from cranfield.text import counted

    both = counted(result.items, "document" if result.labels == "documents" else "item")
    people = {one.coefficient: one.interval for one in result.ceiling}
    printer.emit(
        [
            {"coefficient": one.coefficient, "value": one.interval.value, "low": one.interval.low,
             "high": one.interval.high, "between people": people[one.coefficient].value if people else None}
            for one in result.agreement
        ],
        title=f"agreement on {both} in {counted(result.topics, 'topic')} that people and {result.model} both labelled",
    )  # fmt: skip
    say()
    grades = sorted({grade for pair in result.grades for grade in pair})
    printer.emit(
        [{"people": str(a)} | {f"-> {b}": result.grades.get((a, b), 0) for b in grades} for a in grades],
        title=f"grades by people (rows) and by {result.model} (columns)",
    )  # fmt: skip
    if result.failed:
        say(f"\nOmitted {counted(result.failed, 'item')} that people labelled but {result.model} did not.")
    say()
    over = [{"by": one.by or "all", "group": one.group if one.by else "", **one._asdict()} for one in result.over]
    columns = [{name: row[name] for name in ("by", "group", "items", "over", "low", "high")} for row in over]
    digits = {name: signed_formatter(2) for name in ("over", "low", "high")}
    if columns:
        title = "over: the model's mean grade minus people's mean grade"
        printer.emit(columns, title=title, display=Display(digits=digits))
    if rows:
        say()
        _runs(result, rows, printer)


def _runs(result: ModelAudit, rows: Sequence[dict[str, Any]], printer: Printer) -> None:
    number = sum(one.favoured for one in result.runs)
    first = rows[: max(number, SHOWN)]
    printer.emit(
        first, title="bias: score by the model minus score by people; own: bias beyond an honest judge's bias",
        display=Display(digits={name: signed_formatter(4) for name in ("bias", "own", "low", "high")}),
    )  # fmt: skip
    if len(first) < len(rows):
        say(f"{len(rows) - len(first)} other runs were favoured less; --format csv lists all runs.")
    say()
    systems = result.systems
    if systems is None:
        return
    from cranfield.judging.labels.diff import count_leaving_top

    printer.emit(
        [
            {"measure": name, "top 5 lost": count_leaving_top(systems.changes_of_measure(name)),
             "top 10 lost": count_leaving_top(systems.changes_of_measure(name), 10),
             **systems.claims[name]._asdict(), "tau_AP": systems.tau_ap[name], "tau": systems.tau[name]}
            for name in systems.tau
        ],
        title="changes in the system ranking if the model's labels replace people's labels",
    )  # fmt: skip


CAUTION = (
    "The intervals refer to the {} that the model labelled, and assume that the person is right. Worth: the"
    " number of human labels that the same precision would require without the model, divided by the number used."
)
GRADE_GROUPS_NOTE = (
    " The sample was stratified by the model's grades, which makes every estimate more precise; worth is the"
    " additional gain from using the model's labels."
)


def show_estimate(result: EstimatedLabels, printer: Printer) -> None:
    """Print what people would have said; for people, few columns and what they mean."""
    from cranfield.text import counted

    estimate = result.estimate
    if not printer.is_for_terminal:
        printer = printer._replace(left_out=result.context.left_out)
        printer.emit(result.rows(), document=result.document)
        return
    sample = estimate.sample
    unit = "document" if sample.unit == "pair" else "topic"
    of = counted(sum(sample.strata.values()), unit)
    judged = counted(estimate.judged, "topic" if sample.topics else "document")
    only = "" if estimate.topics is None else f", of {counted(estimate.topics, 'topic')} judged whole"
    printer.emit([_row(one) for one in estimate.scores], title=f"{estimate.labels_line}: {judged}; of {of}{only}")
    if estimate.left_out:
        say(f"{counted(estimate.left_out, 'document')} of the sample cannot be judged, so the estimate ignores them.")
    say(f"\n{CAUTION.format(f'{unit}s')}{GRADE_GROUPS_NOTE if sample.by == 'grade' else ''}")


def _row(one: EstimatedScore) -> dict[str, Any]:
    estimate, alone, trusting = one.estimate, one.alone, one.trusting
    worth = "-" if isnan(estimate.worth) else f"{estimate.worth:.2f}"
    return {
        "run": one.run, "measure": one.measure, "model": one.model, "estimate": estimate.value, "low": estimate.low,
        "high": estimate.high, "tuning": f"{estimate.tuning:.2f}", "worth": worth,
        "people alone": alone.value, "± alone": (alone.high - alone.low) / 2,
        "± tuning 1": (trusting.high - trusting.low) / 2,
    }  # fmt: skip


draw = command(draw_audit_sample, show_lines, "models")
report = command(audit, show_audit, "models")
estimate = command(estimate_human_labels, show_estimate, "models")
