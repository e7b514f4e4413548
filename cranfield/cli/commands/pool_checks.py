"""`pool`: check pools, simulate them, forecast their cost, and estimate from samples."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cranfield.cli import in_python
from cranfield.cli.build import command, show_table
from cranfield.cli.common_options import GivenOptions, Plot, Printer, SourceView, drawable
from cranfield.cli.tables import CHANGES, note, notes, say
from cranfield.commands.pools import estimate_from_sample
from cranfield.errors import InputError
from cranfield.options import Option, Written
from cranfield.options.pools import ForecastOptions, SimulateOptions, VerifyOptions
from cranfield.text import counted, in_words

if TYPE_CHECKING:
    from cranfield.call_view import CallView
    from cranfield.metrics.forecast.missing import MissingRelevant
    from cranfield.metrics.forecast.random_draw import RandomDraw
    from cranfield.pooling.replay import Trial

NOT_OF_A_DRAW = (  # not in a proposed command
    "draw", "pool_out", "store_pool", "drawn", "new_run", "by_topic", "plot", "format", "output", "release",
)  # fmt: skip
MANY = 4  # files, which a proposed command has by name
SMALL = 100_000  # retrieved documents of all replays, which are done before another process has started


@in_python("pooling.verify_pool")
def verify(view: SourceView, *, options: VerifyOptions, printer: Printer) -> None:
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

    Example: cranfield pool verify track.db
    """
    from cranfield.analysis.pools import closure_of
    from cranfield.arrays.selection import answered_topics
    from cranfield.formats.files import refuse_notes
    from cranfield.pooling.verify import summary

    respelled = answered_topics(view.source.judged).respelled_lines()
    refuse_notes(respelled)
    notes(respelled)
    closure, ties = closure_of(view, options.depth)
    lines = [*summary(closure, options.examples), *ties.rows()]
    document = {**closure._asdict(), "gaps": closure.gaps.to_json(), "ties": ties.to_json()}
    printer.emit([{"what": name, "found": str(value)} for name, value in lines], document=document)


class SimulateCommand(SimulateOptions):
    """The same, by how many processes, and drawn."""

    workers: Annotated[
        int | None,
        Option(
            "Number of processes; by default one per core, or one for little work. Results do not depend on it.",
            min=1,
            before="cluster",
        ),
    ] = None
    plot: Annotated[
        Path | None,
        Option("Also draw a figure: .png, .svg or .pdf.", metavar="FILE", callback=drawable, before="teams"),
        Written(),
    ] = None


@in_python("pooling.simulate_methods")
def simulate(view: SourceView, *, options: SimulateCommand, printer: Printer) -> None:
    """Replay pooling methods on judged data: what they find within a budget, and what left-out systems lose.

    Each method obtains the known judgments for the documents it asks for. Then each run or team is left out, the method
    is run again without it, and its own runs are scored with that pool: the change is the bias. Consider both: the
    method that finds the most is seldom the one with the least bias. "unjudged" counts documents that a method asked
    for and nobody had judged; they count as not relevant, so that many of them make that method look worse than it is.
    --plot draws the relevant documents found by budget, and the bias.

    Example: cranfield pool simulate qrels.txt runs/*.gz --method rrf --method maxmean:credit=arm --budgets 50,100

    Example: cranfield pool simulate track.db --method mtf --budgets 100 --by team
    """
    from cranfield.analysis.contributors import with_contributors
    from cranfield.analysis.pools import simulation_of
    from cranfield.analysis.reusability import contributors
    from cranfield.pooling.simulate import headline, rows, title

    trials = _trials(options)
    source = with_contributors(view.source, options.depth)
    notes(contributors(source).notes)
    size = len(source.runs) * len(trials) * (1 + len(source.runs.tags))  # documents, or fewer
    simulation = simulation_of(source, trials, options, options.workers or (_cores() if size > SMALL else 1))
    if options.plot is not None:
        from cranfield.charts.pools import simulation_plot
        from cranfield.charts.style import save

        save(simulation_plot(simulation), options.plot)
    printer.emit(rows(simulation), title=title(simulation), document=simulation.to_json(), display=CHANGES)
    if printer.for_people:
        say(f"\n{headline(simulation)}")


def _trials(options: SimulateOptions) -> "list[Trial]":
    from cranfield.pooling.build import check_sizes
    from cranfield.pooling.methods import method_named
    from cranfield.pooling.simulate import DEFAULT, trial

    if options.budgets and options.total:
        raise typer.BadParameter("give budgets per topic (--budgets) or over all topics (--total), not both")
    total = options.total
    try:
        trials = [trial(text) for text in options.methods or DEFAULT]
        for one in trials:
            method = method_named(one.method)
            method.fill_options(one.options)
            check_sizes(method, None if total else 1, 1 if total else None, options=one.options)
    except InputError as error:
        raise typer.BadParameter(str(error), param_hint="--method") from error
    return trials


def _cores() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class ForecastCommand(ForecastOptions):
    """The same, and what is shown."""

    by_topic: Annotated[
        bool, Option("Also forecast rich topics by depth, each with its back-test.", before="teams")
    ] = False


@in_python("pooling.forecast_completeness")
def forecast(
    view: SourceView,
    *,
    options: ForecastCommand,
    plot: Plot = None,
    printer: Printer,
    given: GivenOptions,
) -> None:
    """Estimate how complete the judgments are: what deeper pools would find, what no team found, which topics are rich.

    Read the back-test first: it predicts the second half of the depths from the first half, next to what was found. The
    forecast is as good as that; it has no interval, since those of a power law hold too seldom on real pools.
    Then the topics: "many" and "too many" relevant documents among the judged ones mean that there are more; "missing"
    is a lower bound on the relevant documents that no team found, assuming that teams search independently. --by-topic
    needs a pool of depth 20 and 40 relevant documents in a topic; with fewer, a power law cannot be fitted.

    --plot draws the new relevant documents by depth with the fitted curve, and what each topic may lack.

    No depth predicts what a pool of active learning (cal, scal) lacks. For it, and for any other pool, --draw draws
    unjudged documents at random from the first 50 of each run. Judge them, and run the command again: it gives an exact
    interval of the relevant documents that are missing there.

    Example: cranfield pool forecast qrels.txt runs/*.gz --teams teams.tsv
    Example: cranfield pool forecast track.db --draw 100 draw.tsv --store-pool

    Example: cranfield pool forecast track.db --draw 100 draw.tsv --store-pool
    """
    from cranfield.analysis.forecast import document, forecast_of, lines, rows, title
    from cranfield.analysis.random_draws import check_destinations, missing_document
    from cranfield.analysis.reusability import contributors, is_answered_by_draw

    if options.draw is None and (options.pool_out or options.store_pool):
        raise typer.BadParameter("--pool-out and --store-pool require --draw N OUT", param_hint="--draw")
    check_destinations(options, view)
    source = view.source
    request = ForecastRequest(view, options, printer, _command(view.paths, given))
    if options.new_run is not None:
        _forecast_new_run(options.new_run, request)
        return
    if options.draw is not None:
        _draw(request)
        return
    missing, pool = _missing(view, options)
    if missing is not None and (options.drawn or is_answered_by_draw(source, options.depth)):
        _print_missing(missing, pool, request)
        return
    source, forecasts, deepest = forecast_of(view, options)
    notes(contributors(source).notes)
    if plot is not None:
        from cranfield.charts.pools import forecast_plot
        from cranfield.charts.style import save

        save(forecast_plot(forecasts, deepest), plot)
    whole = document(forecasts, deepest) | {"missing": missing and missing_document(missing, pool)}
    printer.emit(rows(forecasts, options.by_topic), title=title(forecasts), document=whole)
    if printer.for_people:
        say("\n" + "\n".join(lines(forecasts)))
        if missing is not None:
            _say_missing(missing, request)


class ForecastRequest(NamedTuple):
    """What `pool forecast` was asked for, and the command to type again."""

    view: "CallView"
    options: ForecastCommand
    printer: Printer
    command: str


def _draw(request: ForecastRequest) -> None:
    from cranfield.analysis.random_draws import draw_for_forecast

    draw = draw_for_forecast(request.view, request.options)
    frame = f"of {counted(draw.frame_size, 'unjudged document')} in the first {draw.depth} of the runs"
    kept = sum(grade is not None for grade in draw.grades)
    labels = f"; {kept} of them have labels of an earlier draw" if kept else ""
    _deliver(draw, f"{counted(len(draw.documents), 'document')} drawn at random {frame}{labels}", request)


def _deliver(draw: "RandomDraw", drawn: str, request: ForecastRequest) -> None:
    from shlex import quote

    from cranfield.analysis.random_draws import store_draw, write_draw

    options, view = request.options, request.view
    write_draw(draw, options)
    pool = view.ask_store(lambda store: store_draw(store, draw), None) if options.store_pool else None
    files = [str(path) for path in (options.draw and options.draw[1], options.pool_out) if path is not None]
    say(f"{in_words([*files, *([f'pool {pool}'] if pool else [])], 'and')}: {drawn}")
    if pool is None:
        say(f"Fill in the grades, from the top. Then: {request.command} --drawn {quote(files[0])}")
    else:
        say(f"Judge it with `cranfield judge {quote(str(view.path))}`. Then: {request.command}")


def _forecast_new_run(tag: str, request: ForecastRequest) -> None:
    """Forecast P@10 of a run, or draw from its unjudged documents."""
    from shlex import quote

    from cranfield.analysis.new_run import CUTOFF, new_run_precision, open_new_run, precision_lines, precision_row
    from cranfield.metrics.forecast.random_draw import draw_documents

    view, options, printer = request.view, request.options, request.printer
    if not view.is_stored:
        raise typer.BadParameter("files have no pools by active learning; expected a store", param_hint="--new-run")
    source = view.source
    case = open_new_run(source, tag, view, Path(options.drawn) if options.drawn else None)
    request = request._replace(command=f"{request.command} --new-run {quote(tag)}")
    if options.draw is None:
        found = new_run_precision(source, case)
        printer.emit([precision_row(tag, found)], document={"run": tag, "measure": f"P@{CUTOFF}", **found._asdict()})
        if printer.for_people:
            for line in precision_lines(tag, found, request.command):
                say(f"\n{line}")
        return
    if not case.pairs.n_pairs:
        raise InputError(f"no document in the first {CUTOFF} of {tag} is unjudged; expected some to draw from")
    draw = draw_documents(case.pairs, tag, options.draw[0], CUTOFF, seed=options.seed)
    frame = f"{counted(draw.frame_size, 'unjudged document')} in the first {CUTOFF} of {tag}"
    _deliver(draw, f"{counted(len(draw.documents), 'document')} drawn at random of {frame}", request)


def _missing(view: "CallView", options: ForecastCommand) -> "tuple[MissingRelevant | None, int | None]":
    """What a judged draw says of missing relevant documents, and the pool that has it; None where none is judged."""
    from cranfield.analysis.random_draws import frame_note, missing_relevant, read_draw, stored_draw
    from cranfield.analysis.reusability import is_answered_by_draw

    source = view.source
    if options.drawn is not None:
        draw, pool = read_draw(Path(options.drawn), source), None
    else:
        stored = view.ask_store(lambda store: stored_draw(store, source), None)
        if stored is None:
            return None, None
        pool, draw = stored
        notes(filter(None, [frame_note(source, draw)]))
    if not draw.labels:
        first = "the first drawn document has no label" if any(grade is not None for grade in draw.grades) else (
            f"none of the {len(draw.documents)} drawn documents has a label"
        )  # fmt: skip
        if pool is None:
            raise InputError(f"{first}; fill in the grades from the top", options.drawn)
        waiting = f"pool {pool} is a random draw, and {first}; judge it with `cranfield judge {view.path}`"
        if is_answered_by_draw(source, options.depth):
            raise InputError(waiting)
        note(waiting)
        return None, pool
    return missing_relevant(source, draw), pool


def _print_missing(missing: "MissingRelevant", pool: int | None, request: ForecastRequest) -> None:
    from cranfield.analysis.random_draws import missing_document, missing_row, missing_title

    whole = {"missing": missing_document(missing, pool)}
    request.printer.emit([missing_row(missing)], title=missing_title(missing), document=whole)
    if request.printer.for_people:
        _say_missing(missing, request)


def _say_missing(missing: "MissingRelevant", request: ForecastRequest) -> None:
    from shlex import quote

    from cranfield.analysis.random_draws import missing_lines

    earlier = request.options.drawn
    drawn = f" --drawn {quote(str(earlier))}" if earlier else ""
    destination = ("more.tsv" if earlier else "draw.tsv") + " --store-pool" * request.view.is_stored
    for line in missing_lines(missing, request.command + drawn, destination):
        say(f"\n{line}")


def _command(paths: list[Path], given: GivenOptions) -> str:
    """What to type for a forecast of these files."""
    from shlex import join

    names = join(map(str, paths[:MANY])) + " RUNS..." * (len(paths) > MANY)
    return " ".join(["cranfield pool forecast", names, *filter(None, [join(given.words(NOT_OF_A_DRAW))])])


estimate = command(estimate_from_sample, show_table, "pooling")
