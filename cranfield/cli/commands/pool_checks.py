"""`pool`: check pools, simulate them, forecast their cost, and estimate from samples."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli import completion
from cranfield.cli.options import (
    Assessor,
    Cluster,
    Confidence,
    Format,
    Labels,
    Measures,
    Output,
    Plot,
    PoolDepth,
    PoolNumber,
    ReadStore,
    SourcePaths,
    Teams,
    methods,
)
from cranfield.cli.tables import CHANGES, TableFormat, emit, note, notes, say
from cranfield.errors import InputError
from cranfield.store.labelled_by import LabelledBy

if TYPE_CHECKING:
    from cranfield.pooling.replay import Trial


def verify(
    paths: SourcePaths,
    *,
    teams: Teams = None,
    depth: Annotated[int | None, typer.Option(min=1, help="The pool's depth; inferred by default.")] = None,
    labels: Labels = LabelledBy.all,
    pool: PoolNumber = None,
    examples: Annotated[int, typer.Option(min=0, help="How many exceptions of each kind to show.")] = 5,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Check whether pooling the runs again reproduces the judgments; infer the depth and the contributing runs.

    With a stored pool its runs are used, with --teams the runs marked as pooled. Otherwise the contributors are
    inferred: the depth is the one at which the runs without gaps explain the most judgments, and those runs are the
    contributors. A run with an unjudged document above that depth was not pooled; a run without one and without unique
    documents remains undecided. Gaps where scores tie across the depth do not count, and where some topics were judged
    otherwise, up to half of them are set aside: "runs without a gap" and "topics without a gap" count all of these.

    Documents with equal scores are ordered by docno descending, as in trec_eval. "tie rule" is the order that the pool
    itself used, where this can be inferred; for files their line order and rank column are tried as well, which a store
    does not keep.

    Example: cranfield pool verify qrels.txt runs/*.gz --teams teams.tsv
    """
    from cranfield.analysis.pools import verified
    from cranfield.pooling.verify import summary
    from cranfield.source import open_source

    closure, ties = verified(open_source(paths, teams=teams, labels=labels, pool=pool, tell=note), paths, depth)
    found = [*summary(closure, examples), *ties.rows()]
    rows = [{"what": name, "found": str(value)} for name, value in found]
    emit(
        rows,
        format,
        output=output,
        document={**closure._asdict(), "gaps": closure.gaps.to_json(), "ties": ties.to_json()},
    )


class RunOrTeam(StrEnum):
    """What is left out of the pool at a time."""

    run = "run"
    team = "team"


def simulate(
    paths: SourcePaths,
    *,
    method: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[:opt=value,...]",
            callback=methods,
            help="A method of `cranfield pool methods`, with options; or several: rrf,depth. By default ten of them.",
        ),
        completion.METHODS,
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
        str,
        typer.Option("-m", "--measure", metavar="MEASURE", help="The measure to score runs by."),
        completion.MEASURES,
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
    from cranfield.analysis.pools import simulated
    from cranfield.analysis.reusability import contributors
    from cranfield.pooling.simulate import headline, rows, title
    from cranfield.source import open_source

    trials, sizes = _trials(method, total), _sizes(budgets, total)
    source = with_contributors(
        open_source(paths, teams=teams, assessor=assessor, labels=labels, pool=pool, tell=note), depth
    )
    notes(contributors(source).notes)
    found = simulated(
        source,
        trials,
        sizes,
        total=total is not None,
        by=by.value,
        measure=measure,
        depth=depth,
        batch=batch,
        seed=seed,
        workers=workers or _cores(),
    )
    if plot is not None:
        from cranfield.plots.pools import simulation_plot
        from cranfield.plots.style import save

        save(simulation_plot(found), plot)
    emit(rows(found), format, output, title=title(found), document=found.to_json(), display=CHANGES)
    if format is TableFormat.table and output is None:
        say(f"\n{headline(found)}")


def _trials(method: list[str] | None, total: str | None) -> list[Trial]:
    from cranfield.pooling.build import check_sizes
    from cranfield.pooling.methods.table import METHODS
    from cranfield.pooling.simulate import DEFAULT, trial

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
    from cranfield.pooling.simulate import BUDGETS, ascending

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


def forecast(
    paths: SourcePaths,
    *,
    depth: PoolDepth = None,
    to: Annotated[
        int | None, typer.Option(min=2, help="Forecast to this depth; twice the pool's depth by default.")
    ] = None,
    last: Annotated[int, typer.Option(min=1, help="Number of most recent judgments per topic to consider.")] = 50,
    by_topic: Annotated[
        bool, typer.Option("--by-topic", help="Also forecast rich topics by depth, each with its back-test.")
    ] = False,
    teams: Teams = None,
    assessor: Assessor = None,
    labels: Labels = LabelledBy.all,
    pool: PoolNumber = None,
    plot: Plot = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Estimate how complete the judgments are: what deeper pools would find, what no team found, which topics are rich.

    Read the back-test first: it predicts the second half of the depths from the first half, next to what was found. The
    forecast is as good as that; it has no interval, since those of a power law hold too seldom on real pools.
    Then the topics: "many" and "too many" relevant documents among the judged ones mean that there are more; "missing"
    is a lower bound on the relevant documents that no team found, assuming that teams search independently. --by-topic
    needs a pool of depth 20 and 40 relevant documents in a topic; with fewer, a power law cannot be fitted.

    --plot draws the new relevant documents by depth with the fitted curve, and what each topic may lack.

    Example: cranfield pool forecast qrels.txt runs/*.gz --teams teams.tsv
    """
    from cranfield.analysis.contributors import with_contributors
    from cranfield.analysis.forecast import document, judged_in_order, lines, rows, title
    from cranfield.analysis.reusability import contributors, depth_of, units
    from cranfield.pooling.forecast import forecast as look_ahead
    from cranfield.source import open_source

    source = open_source(paths, teams=teams, assessor=assessor, labels=labels, pool=pool, tell=note)
    source = with_contributors(source, depth)
    who, depth = contributors(source), depth_of(source, depth)
    notes(who.notes)
    members = units(source.about, who.runs, "team")
    order = judged_in_order(paths[0], source.qrels, source.min_relevant, assessor, labels)
    found = look_ahead(
        source.runs, source.qrels, members, depth, to=to, min_relevant=source.min_relevant, order=order, last=last
    )
    if plot is not None:
        from cranfield.plots.pools import forecast_plot
        from cranfield.plots.style import save

        save(forecast_plot(found, to or 2 * depth), plot)
    emit(rows(found, by_topic), format, output, title=title(found), document=document(found, to or 2 * depth))
    if format is TableFormat.table and output is None:
        say("\n" + "\n".join(lines(found)))


DEFAULT = ["AP", "P@10"]


def estimate(
    path: ReadStore,
    *,
    number: PoolNumber = None,
    by_topic: Annotated[
        bool, typer.Option("--by-topic", help="Estimate the number of relevant documents per topic instead of scores.")
    ] = False,
    measure: Measures = None,
    confidence: Confidence = 0.95,
    assessor: Assessor = None,
    labels: Labels = LabelledBy.all,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Estimate runs' scores from a sampled pool, or with --by-topic the number of relevant documents per topic.

    Estimates AP, AP@k and P@k as if all documents that the sample was drawn from were judged. The pool must have
    inclusion probabilities, have been able to draw every document, and be judged completely. Intervals cover the
    sampling error only. With few relevant documents the intervals of AP are wide, and there are none where most topics
    have fewer than two in the sample.

    Example: cranfield pool estimate track.db -m AP -m P@10
    """
    from cranfield.analysis.pools import estimated
    from cranfield.errors import blaming
    from cranfield.metrics.notation import parse_all
    from cranfield.store.store import Store

    with Store.open(path) as store, blaming(path):
        asked = parse_all(measure or DEFAULT, store.collection.min_relevant)
        pool, scores, of_topics, line, lack = estimated(
            store, number, asked, confidence=confidence, assessor=assessor, labels=labels
        )
    for one in (line, None if by_topic else lack):
        if one:
            note(one)
    title = f"pool {pool.number}: {pool.method}, {len(pool.documents)} sampled documents; {confidence:.0%} intervals"
    head = {"pool": pool.number, "method": pool.method, "confidence": confidence}
    shown = of_topics if by_topic else scores
    emit(shown, format, output, title=title, document=head | {"topics": of_topics, "scores": scores})
