"""pool simulate.

JSON: {"by", "measure", "depth", "topics", "runs", "pooled", "relevant", "reachable", "budget_of", "seed", "batch",
"methods": [{"label", "method", "options", "budgets": [{"budget", "documents", "relevant", "unjudged", "tau",
"mean_change_percent", "max_change_percent", "mean_rank_drop", "max_rank_drop", "worst",
"topics": [{"query_id", "documents", "relevant", "unjudged"}],
"units": [{"unit", "documents", "unjudged", "scores": [{"run", "full", "reduced", "change_percent", "full_rank",
"reduced_rank"}]}]}]}]}.

`budget_of` is "topic" or, with --total, "all". Documents are counted over all topics; `unjudged` ones count as not
relevant. `reachable` is the number of relevant documents that pooled runs retrieve within the depth. `full` and
`reduced` are a run's scores under the method's pool at that budget with all units, and without the run's own; its
change in per cent is negative where it loses, and the mean and the largest are of absolute changes. Undefined values
are null: a change where `full` is 0, everything where there is only one unit.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.displays import CHANGES
from cranfield.cli.lists import methods
from cranfield.cli.options import Assessor, Cluster, Format, Labels, Output, Plot, PoolNumber, SourcePaths, Teams
from cranfield.cli.tables import TableFormat, emit, note, notes, say
from cranfield.errors import InputError
from cranfield.store.labelled_by import LabelledBy

if TYPE_CHECKING:
    from cranfield.pooling.simulate.replay import Trial


class RunOrTeam(StrEnum):
    """What is left out of the pool at a time."""

    run = "run"
    team = "team"


def simulate(
    paths: SourcePaths,
    method: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[:opt=value,...]",
            callback=methods,
            help="A method of `cranfield pool methods`, with options; or several: rrf,depth. By default ten of them.",
        ),
    ] = None,
    budgets: Annotated[
        str | None,
        typer.Option(metavar="N,N,...", help="Numbers of documents to judge per topic; 50,100,200 by default."),
    ] = None,
    total: Annotated[
        str | None,
        typer.Option(
            metavar="N,N,...", help="Instead: numbers of documents over all topics, distributed or competed for."
        ),
    ] = None,
    by: Annotated[RunOrTeam, typer.Option(help="The unit to leave out of the pool, one at a time.")] = RunOrTeam.run,
    measure: Annotated[
        str, typer.Option("-m", "--measure", metavar="MEASURE", help="The measure to score runs by.")
    ] = "AP",
    depth: Annotated[
        int | None, typer.Option(min=1, help="Depth to which runs are considered; the judged pool's depth by default.")
    ] = None,
    batch: Annotated[
        int, typer.Option(min=1, help="Batch size of adaptive methods: documents awaiting judgment at a time.")
    ] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Number of processes; one per core by default. Results do not depend on it."),
    ] = None,
    cluster: Cluster = None,
    plot: Plot = None,
    teams: Teams = None,
    assessor: Assessor = None,
    labels: Labels = LabelledBy.all,
    pool: PoolNumber = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Replay pooling methods on judged data: what they find within a budget, and how fair they are to left-out systems.

    Each method obtains the known judgments for the documents it asks for. Then each run or team is left out, the method
    is run again without it, and its own runs are scored with that pool: the change is the bias. Consider both: the
    method that finds the most is seldom the fairest. "unjudged" counts documents that a method asked for and nobody had
    judged; they count as not relevant, so that many of them make the comparison unfair to that method. --plot draws the
    relevant documents found by budget, and the bias.

    Example: cranfield pool simulate qrels.txt runs/*.gz --method rrf --method maxmean:credit=arm --budgets 50,100
    """
    from cranfield.analysis.contributors import with_contributors
    from cranfield.analysis.reusability import contributors
    from cranfield.analysis.simulation import simulated
    from cranfield.pooling.simulate.results import headline, rows, title
    from cranfield.source import open_source

    trials, sizes = _trials(method, total), _sizes(budgets, total)
    source = with_contributors(open_source(paths, teams, assessor, labels, pool, note), depth)
    notes(contributors(source).notes)
    found = simulated(
        source, trials, sizes, total is not None, by.value, measure, depth, batch, seed, workers or _cores()
    )
    if plot is not None:
        from cranfield.plots.simulation import simulation_plot
        from cranfield.plots.style import save

        save(simulation_plot(found), plot)
    emit(rows(found), format, output, title=title(found), document=found.to_json(), display=CHANGES)
    if format is TableFormat.table and output is None:
        say(f"\n{headline(found)}")


def _trials(method: list[str] | None, total: str | None) -> list[Trial]:
    from cranfield.pooling.build import check_sizes
    from cranfield.pooling.methods.table import METHODS
    from cranfield.pooling.simulate.simulate import DEFAULT, trial

    try:
        found = [trial(text) for text in method or DEFAULT]
        for one in found:
            if one.method not in METHODS:
                raise InputError(f"unknown method {one.method!r}; available: {', '.join(METHODS)}")
            METHODS[one.method].filled(one.options)
            check_sizes(METHODS[one.method], None if total else 1, 1 if total else None, options=one.options)
    except InputError as error:
        raise typer.BadParameter(str(error), param_hint="--method") from error
    return found


def _sizes(budgets: str | None, total: str | None) -> tuple[int, ...]:
    from cranfield.pooling.simulate.simulate import BUDGETS, ascending

    if budgets and total:
        raise typer.BadParameter("give budgets per topic (--budgets) or over all topics (--total), not both")
    text = budgets or total
    try:
        return ascending([int(part) for part in text.split(",")] if text else BUDGETS)
    except (ValueError, InputError) as error:
        raise typer.BadParameter(
            f"{text!r}; expected numbers from 1, such as 50,100",
            param_hint="--total" if total else "--budgets",
        ) from error


def _cores() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
