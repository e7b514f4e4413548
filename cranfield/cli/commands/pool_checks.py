"""`pool`: check pools, simulate them, forecast their cost, and estimate from samples."""

from shlex import join, quote
from typing import TYPE_CHECKING, Annotated

from cranfield.cli.build import command, show_table
from cranfield.cli.common_options import GivenOptions, Plot, Printer
from cranfield.cli.tables import say
from cranfield.commands.completeness import CompletenessForecast, forecast_completeness
from cranfield.commands.fusion_tuning import tune_fusion
from cranfield.commands.pool_checks import SimulatedPools, VerifiedPool, simulate_methods, verify_pool
from cranfield.commands.pools import estimate_from_sample
from cranfield.options import Option
from cranfield.text import join_words

if TYPE_CHECKING:
    from cranfield.metrics.forecast.missing import MissingRelevant

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
tune = command(tune_fusion, show_table, "pooling")


RichTopics = Annotated[
    bool, Option("Include forecasts by depth for rich topics, each with a back-test.", before="teams")
]


def show_forecast(
    result: CompletenessForecast,
    *,
    by_topic: RichTopics = False,
    plot: Plot = None,
    given: GivenOptions,
    printer: Printer,
) -> None:
    """Print the forecast, an estimate from a draw, or what was drawn."""
    if result.draw is not None:
        _say_drawn(result, given)
        return
    rows = result.rows()
    if result.forecast is not None:
        from cranfield.analysis.forecast import lines
        from cranfield.analysis.forecast import rows as rows_of_topics

        rows = rows_of_topics(result.forecast, by_topic)
        if plot is not None:
            from cranfield.charts.style import save

            save(result.plot(), plot)
    printer.emit(rows, title=result.title, document=result.document)
    if not printer.is_for_terminal:
        return
    if result.forecast is not None:
        say("\n" + "\n".join(lines(result.forecast)))
    if result.precision is not None:
        from cranfield.analysis.new_run import precision_lines

        for line in precision_lines(rows[0]["run"], result.precision, _command(result, given, "new_run")):
            say(f"\n{line}")
    if result.missing is not None:
        _say_missing(result.missing, result, given)


def _say_drawn(result: CompletenessForecast, given: GivenOptions) -> None:
    _, _, path = given["draw"]
    files = [path, *given.get("pool_out", ())[1:]]
    words = _command(result, given, "new_run")
    say(f"{join_words([*files, *([f'pool {result.pool}'] if result.pool else [])], 'and')}: {result.title}")
    if result.pool is None:
        say(f"Fill in the grades, from the top. Then: {words} --drawn {quote(path)}")
    else:
        say(f"Judge it with `cranfield judge {quote(str(result.paths[0]))}`. Then: {words}")


def _say_missing(missing: "MissingRelevant", result: CompletenessForecast, given: GivenOptions) -> None:
    from cranfield.analysis.random_draws import missing_lines

    destination = join(["more.tsv" if "drawn" in given else "draw.tsv", *result.draw_options])
    for line in missing_lines(missing, _command(result, given, "drawn"), destination):
        say(f"\n{line}")


def _command(result: CompletenessForecast, given: GivenOptions, option: str) -> str:
    """What to type for a forecast of these files, with an option of the draw."""
    names = join(map(str, result.paths[:MANY])) + " RUNS..." * (len(result.paths) > MANY)
    words = [*given.words(NOT_OF_A_DRAW), *given.get(option, ())]
    return " ".join(["cranfield pool forecast", names, *filter(None, [join(words)])])


forecast = command(forecast_completeness, show_forecast, "pooling")
estimate = command(estimate_from_sample, show_table, "pooling")
