"""`pool`: check pools, simulate them, forecast their cost, and estimate from samples."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cranfield.cli import in_python
from cranfield.cli.build import command, show_table
from cranfield.cli.common_options import GivenOptions, Plot, Printer, SourceView
from cranfield.cli.tables import note, print_notes, say
from cranfield.commands.pool_checks import SimulatedPools, VerifiedPool, simulate_methods, verify_pool
from cranfield.commands.pools import estimate_from_sample
from cranfield.errors import InputError
from cranfield.options import Option
from cranfield.options.pools import ForecastOptions
from cranfield.text import counted, join_words

if TYPE_CHECKING:
    from cranfield.call_view import CallView
    from cranfield.metrics.forecast.missing import MissingRelevant
    from cranfield.metrics.forecast.random_draw import RandomDraw

NOT_OF_A_DRAW = (  # not in a proposed command
    "draw", "pool_out", "store_pool", "drawn", "new_run", "by_topic", "plot", "format", "output", "release",
)  # fmt: skip
MANY = 4  # files, which a proposed command has by name


def show_closure(result: VerifiedPool, *, printer: Printer) -> None:
    """Print what was found."""
    printer.emit_typeset(result)


verify = command(verify_pool, show_closure, "pooling")


def show_simulation(result: SimulatedPools, *, plot: Plot = None, printer: Printer) -> None:
    """Print the table; draw it on request."""
    if plot is not None:
        from cranfield.charts.style import save

        save(result.plot(), plot)
    printer.emit(result.rows(), title=result.title, document=result.document, display=result.display)
    if printer.is_for_terminal:
        say(f"\n{result.headline}")


simulate = command(simulate_methods, show_simulation, "pooling")


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
    print_notes(contributors(source).notes)
    if plot is not None:
        from cranfield.charts.pools import forecast_plot
        from cranfield.charts.style import save

        save(forecast_plot(forecasts, deepest), plot)
    whole = document(forecasts, deepest) | {"missing": missing and missing_document(missing, pool)}
    printer.emit(rows(forecasts, options.by_topic), title=title(forecasts), document=whole)
    if printer.is_for_terminal:
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
    say(f"{join_words([*files, *([f'pool {pool}'] if pool else [])], 'and')}: {drawn}")
    if pool is None:
        say(f"Fill in the grades, from the top. Then: {request.command} --drawn {quote(files[0])}")
    else:
        say(f"Judge it with `cranfield judge {quote(str(view.path))}`. Then: {request.command}")


def _forecast_new_run(tag: str, request: ForecastRequest) -> None:
    """Forecast P@10 of a run, or draw from its unjudged documents."""
    from shlex import quote

    from cranfield.analysis.new_run import CUTOFF, new_run_precision, open_new_run_case, precision_lines, precision_row
    from cranfield.metrics.forecast.random_draw import draw_documents

    view, options, printer = request.view, request.options, request.printer
    if not view.is_stored:
        raise typer.BadParameter("files have no pools by active learning; expected a store", param_hint="--new-run")
    source = view.source
    case = open_new_run_case(source, tag, view, Path(options.drawn) if options.drawn else None)
    request = request._replace(command=f"{request.command} --new-run {quote(tag)}")
    if options.draw is None:
        found = new_run_precision(source, case)
        printer.emit([precision_row(tag, found)], document={"run": tag, "measure": f"P@{CUTOFF}", **found._asdict()})
        if printer.is_for_terminal:
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
        print_notes(filter(None, [frame_note(source, draw)]))
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
    if request.printer.is_for_terminal:
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
