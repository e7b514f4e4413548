"""rehearse."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.lists import names
from cranfield.cli.options import Format, Labels, Measures, Output, SourcePaths
from cranfield.cli.tables import TableFormat, emit, note, say
from cranfield.store.labelled_by import LabelledBy
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.judging.planning.rehearsal import Rehearsal, RehearsalPlan, RehearsalSetting

MEASURES = ["AP", "nDCG@10"]
PANEL = ["strict", "lenient", "tired"]
POLICIES = ["primary", "median-low", "mean-rounded", "min", "max"]


def rehearse(
    paths: SourcePaths,
    simulate: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND[:RATE]",
            help="A simulated assessor: oracle, strict, lenient, tired or random, and the error rate;"
            " several: strict,tired:0.1. [default: strict, lenient, tired]",
            callback=names,
        ),
    ] = None,
    overlap: Annotated[float, typer.Option(min=0, max=1, help="Share of documents that all assessors judge.")] = 0.1,
    depth: Annotated[
        int | None, typer.Option(min=1, help="Use only documents that the runs retrieve to this depth.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0, help="Seconds per judgment.")] = 80.0,
    policy: Annotated[
        list[str] | None, typer.Option(metavar="NAME", callback=names, help="A policy to compare, or several: min,max.")
    ] = None,
    measure: Measures = None,
    labels: Labels = LabelledBy.all,
    repeats: Annotated[int, typer.Option(min=1, help="Number of simulations.")] = 10,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Simulate assessors before any are paid: cost, expected agreement, and effect of policies. Nothing is stored.

    The judgments of SOURCE are taken as the truth. The output shows the hours needed, the agreement to expect, and the
    effect of each policy on the ranking of the systems. Simulated errors are independent, while people err together on
    hard topics, so treat the result as the best case.

    Example: cranfield rehearse qrels.txt runs/*.gz --simulate strict --simulate lenient:0.1 --overlap 0.2
    """
    from cranfield.analysis.rehearsal import judged_pool
    from cranfield.judging.labels.policies import policy as policy_named
    from cranfield.judging.planning.rehearsal import RehearsalSetting, as_document, rehearse
    from cranfield.judging.planning.simulated_assessors import simulated
    from cranfield.metrics.notation.parse import parse_all
    from cranfield.progress_bar import progress_bar
    from cranfield.source import open_source

    source = open_source(paths, labels=labels, tell=note)
    panel = [simulated(name) for name in simulate or PANEL]
    setting = RehearsalSetting(panel, overlap, seconds, source.min_relevant)
    policies = [policy_named(name) for name in policy or POLICIES]
    measures = parse_all(measure or MEASURES, source.min_relevant)
    judged, unknown = judged_pool(source, depth)
    with progress_bar("rehearsing", repeats) as advance:
        found = rehearse(judged, setting, policies, measures, unknown, repeats, seed, advance)
    document = as_document(found, setting)
    if format is not TableFormat.table or output is not None:
        emit(document["systems"], format, output, document=document)
        return
    _show(found, document, setting, repeats)


def _show(found: Rehearsal, document: dict[str, Any], setting: RehearsalSetting, repeats: int) -> None:
    say(_cost(found.plan))
    if found.plan.twice:
        say()
        rows = [_undefined(row) for row in document["agreement"]]
        emit(rows, TableFormat.table, title=f"agreement on the overlap, over {repeats} simulations")
    say()
    rows = [
        {
            "policy": row["policy"], "measure": row["measure"], "tau": row["tau"], "lowest tau": row["tau_min"],
            "tau_AP": row["tau_ap"], "largest |change|": row["max_change"], "of top 5 lost": row["top_5_left"],
            "best lost": f"{row['best_lost']:.0%}",
        }
        for row in document["systems"]
    ]  # fmt: skip
    emit(rows, TableFormat.table, title="system rankings, compared with the ranking by the true grades")
    say("\n" + _advice(found, setting))


def _cost(plan: RehearsalPlan) -> str:
    unknown = f" ({plan.unknown} more without a true grade cost time, but are not simulated)" if plan.unknown else ""
    each = plan.hours / plan.assessors
    return (
        f"{counted(plan.documents, 'document')} of {counted(plan.topics, 'topic')}{unknown}; {plan.twice} of them"
        f" judged by all {counted(plan.assessors, 'assessor')}: {counted(plan.judgments, 'judgment')}. At"
        f" {plan.seconds:g} seconds each, {plan.hours:.1f} hours, {each:.1f} per assessor."
    )


def _undefined(row: dict[str, Any]) -> dict[str, Any]:
    """A row for people: low and high are the lowest and highest of the simulations, and no interval."""
    names = {"low": "lowest", "high": "highest"}
    return {
        names.get(name, name): "undefined" if isinstance(value, float) and isnan(value) else value
        for name, value in row.items()
    }


def _advice(found: Rehearsal, setting: RehearsalSetting) -> str:
    if not found.plan.twice:
        return "No document is judged twice, so agreement cannot be estimated and all policies are equal."
    if setting.overlap < 1:
        return (
            f"Policies can only differ on the {setting.overlap:.0%} that all judge; --overlap 1 shows the largest"
            " differences."
        )
    return "All documents are judged by all: the most expensive plan, and the one in which policies differ most."
