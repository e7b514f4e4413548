"""`progress`, `why` and `rehearse`: how the work goes, where a label comes from, and what other policies would give."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cranfield import hooks
from cranfield.cli import completion, in_python
from cranfield.cli.common_options import Printer, ReadStore, SourceView
from cranfield.cli.tables import Display, TableFormat, say
from cranfield.formats.text_tables import align
from cranfield.formats.whole_files import write_text
from cranfield.options import DEFAULT_POLICY, LABELS_DIFFER, PoolNumber, ScopeOptions
from cranfield.options.judging import RehearseOptions
from cranfield.store.reading import Reading
from cranfield.text import counted, moment

if TYPE_CHECKING:
    from cranfield.judging.labels.why import Why
    from cranfield.judging.planning.rehearsal import Rehearsal, RehearsalPlan, RehearsalSetting


Section = Literal["work", "pace", "agreement", "repeats", "drift"]
TITLES = {
    "work": "Work, by assessor and topic",
    "pace": "Pace and time left (mind the range)",
    "agreement": "Agreement so far: raw shares, not corrected for chance (see cranfield agreement)",
    "repeats": "Repeats: how far assessors agree with themselves",
    "drift": "Drift: the first, second and last third of each topic, in the order judged",
    "searches": "Searches: what assessors judged that they found themselves; not blind, and kept apart",
    "stopping": "Stopping, by knee6: it promises no recall, and early documents were likelier to be relevant",
    "answers": "Generated answers: nuggets made and assigned, citations labelled",
}


@in_python("judging.progress")
def progress(
    path: ReadStore,
    pool: PoolNumber = None,
    *,
    choice: ScopeOptions,
    show: Annotated[
        Section | None,
        typer.Option(help="Show only this table. [default: all; as csv, tsv, markdown, latex: work]"),
    ] = None,
    printer: Printer,
    reading: Reading,
) -> None:
    """Show the progress of judging, the time left, agreement so far, and anomalies.

    The first line shows how much of the pool was labelled by people, by models only, and by nobody; for models and
    imported judgments only the number of labels is shown.

    Times are active seconds. The estimate of the hours left allows for the length of documents, has a range (19 cases
    in 20) and a basis, and requires ten timed decisions. Documents that an adaptive pool may still add within its
    budget count as remaining. Labels given in less than 0.4 seconds are counted as fast. In a blind order the thirds of
    a topic should be similar; if they are not, standards may have drifted.

    Example: cranfield progress track.db

    Example: cranfield progress track.db --format json
    """
    from cranfield.judging.planning.progress import pool_line, pool_row, progress_of
    from cranfield.judging.planning.sections import SECTIONS

    if other := hooks.instead("progress", reading.added):
        with reading.store(path) as store:
            rows, title = other.run(store, pool)
        printer.emit(rows, title=title)
        return
    with reading.store(path) as store:
        row = pool_row(store, pool) if pool or store.counts()["pool"] else None
        state = progress_of(store, pool)
        others = dict[str, list[dict[str, Any]]]()
        for of_extension in hooks.ask(lambda extension: extension.progress(store)):
            others |= of_extension
    sections = [show] if show else list(SECTIONS)
    tables: dict[str, list[dict[str, Any]]] = {name: SECTIONS[name](state) for name in sections}
    if not show:
        tables |= {name: rows for name, rows in others.items() if rows}
    if printer.format is TableFormat.table and "pace" in tables:
        tables["pace"] = [_narrow(row) for row in tables["pace"]]
    if show or printer.format is not TableFormat.table:
        rows = tables[show or "work"]
        printer.emit(rows, title=TITLES[show or "work"], document=rows if show else {"pool": row, **tables})
    else:
        _all(pool_line(row) if row else "", tables, printer)


def _narrow(row: Mapping[str, Any]) -> dict[str, object]:
    """A row of the pace that fits a screen."""
    likely, low, high = (row[name] for name in ("hours left", "from", "to"))
    return {
        "assessor": row["assessor"],
        "judged": row["judged"],
        "left": row["remaining"] + row["later"],
        "seconds": row["median seconds"] and round(row["median seconds"], 1),
        "an hour": row["per active hour"],
        "hours": f"{row['active hours']:g}",
        "hours left": row["basis"] if likely is None else f"{likely:g} ({low:g} to {high:g})" if high else "none",
    }


def _all(head: str, tables: dict[str, list[dict[str, object]]], printer: Printer) -> None:
    """Print the tables that have rows, one below the other."""
    full = {name: rows for name, rows in tables.items() if rows}
    if printer.output is not None:
        texts = [align(rows, TITLES[name]) for name, rows in full.items()]
        write_text(printer.output, "\n".join([*([f"{head}\n"] if head else []), *texts]))
        return
    if head or not full:
        say(head or "Nothing is pooled yet; build a pool with `cranfield pool build`.")
    for number, (name, rows) in enumerate(full.items()):
        printer.emit(rows, title=("\n" if head or number else "") + TITLES[name])


SPARE = ("text", "unsure", "kind of assessor", "seconds", "said", "at")


@in_python("judging.explain_label")
def why(
    path: ReadStore,
    qid: Annotated[str, typer.Argument(metavar="QID", help="The topic."), completion.TOPICS],
    docno: Annotated[str, typer.Argument(metavar="DOCNO", help="The document."), completion.DOCUMENTS],
    *,
    policy: Annotated[
        str | None, typer.Option(metavar="NAME", help=f"{LABELS_DIFFER} {DEFAULT_POLICY}"), completion.POLICY
    ] = None,
    printer: Printer,
    reading: Reading,
) -> None:
    """Explain a line of the qrels: every event behind it, pools, runs, and whether the text has changed since.

    For organisers only, because it shows what assessors must not see. "counts" marks the labels on which the grade in
    the qrels rests, as `export qrels` writes them. The policy primary takes one label: an adjudication, otherwise a
    person's before a model's, otherwise the first assessor's of the topic, otherwise the earliest. The evidence of each
    event follows: marked passages, and labels that an adjudicator saw.

    Example: cranfield why track.db 51 DOC-17

    Example: cranfield why track.db 51 DOC-17 --format json
    """
    from cranfield.judging.labels import why
    from cranfield.judging.labels.why import as_document
    from cranfield.judging.labels.why import why as ask

    with reading.store(path) as store:
        reasons = ask(store, qid, docno, policy)
        rows = why.event_rows(store, reasons)
    if printer.for_people:
        say("\n".join(_lines(reasons)))
    spare = ("evidence",) if printer.for_people else ()
    cells = [{key: value for key, value in row.items() if key not in spare} for row in rows]
    printer.emit(cells, document=as_document(reasons), display=Display(digits={"at": moment}, spare=SPARE))
    if printer.for_people:
        say("\n".join(why.evidence(reasons)))


def _lines(reasons: Why) -> list[str]:
    """The lines above the events."""
    from cranfield.judging.labels.why import pooled, retrieved, text_there, verdict
    from cranfield.text import visible_line

    name = visible_line(f"Topic {reasons.qid}, document {reasons.docno}")
    return [f"{name}: {verdict(reasons)}", text_there(reasons), *pooled(reasons), *retrieved(reasons)]


@in_python("judging.rehearse")
def rehearse(view: SourceView, *, options: RehearseOptions, printer: Printer) -> None:
    """Simulate assessors before any are paid: cost, expected agreement, and effect of policies. Nothing is stored.

    The judgments of SOURCE are taken as the truth. The output shows the hours needed, the agreement to expect, and the
    effect of each policy on the ranking of the systems. Simulated errors are independent, while people err together on
    hard topics, so treat the result as the best case.

    Example: cranfield rehearse qrels.txt runs/*.gz --simulate strict --simulate lenient:0.1 --overlap 0.2

    Example: cranfield rehearse track.db --overlap 10%
    """
    from cranfield.analysis.pools import rehearsal

    outcome, document, setting = rehearsal(view.by_settled_labellers().source, options)
    if printer.for_people:
        _show(outcome, document, setting, options.repeats, printer)
    else:
        printer.emit(document["systems"], document=document)


def _show(
    outcome: Rehearsal, document: dict[str, Any], setting: RehearsalSetting, repeats: int, printer: Printer
) -> None:
    say(_cost(outcome.plan))
    if outcome.plan.twice:
        say()
        rows = [_without_interval(row) for row in document["agreement"]]
        printer.emit(rows, title=f"agreement on the overlap, over {repeats} simulations")
    say()
    rows = [
        {
            "policy": row["policy"], "measure": row["measure"], "tau": row["tau"], "lowest tau": row["tau_min"],
            "tau_AP": row["tau_ap"], "largest |change|": row["max_change"], "of top 5 lost": row["top_5_left"],
            "best lost": f"{row['best_lost']:.0%}",
        }
        for row in document["systems"]
    ]  # fmt: skip
    printer.emit(rows, title="system rankings, compared with the ranking by the true grades")
    say("\n" + _advice(outcome, setting))


def _cost(plan: RehearsalPlan) -> str:
    unknown = f" ({plan.unknown} more without a true grade cost time, but are not simulated)" if plan.unknown else ""
    each = plan.hours / plan.assessors
    return (
        f"{counted(plan.documents, 'document')} of {counted(plan.topics, 'topic')}{unknown}; {plan.twice} of them"
        f" judged by all {counted(plan.assessors, 'assessor')}: {counted(plan.judgments, 'judgment')}. At"
        f" {plan.seconds:g} seconds each, {plan.hours:.1f} hours, {each:.1f} per assessor."
    )


def _without_interval(row: dict[str, Any]) -> dict[str, Any]:
    """A row for people: low and high are the lowest and highest of the simulations, and no interval."""
    names = {"low": "lowest", "high": "highest"}
    return {
        names.get(name, name): "undefined" if isinstance(value, float) and isnan(value) else value
        for name, value in row.items()
    }


def _advice(outcome: Rehearsal, setting: RehearsalSetting) -> str:
    if not outcome.plan.twice:
        return "No document is judged twice, so agreement cannot be estimated and all policies are equal."
    if setting.overlap < 1:
        return (
            f"Policies can only differ on the {setting.overlap:.0%} that all judge; --overlap 1 shows the largest"
            " differences."
        )
    return "All documents are judged by all: the most expensive plan, and the one in which policies differ most."
