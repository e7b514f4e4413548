"""`online clicks` and `online counterfactual`: models of clicks, and what another ranking would have got."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.build import command, show_summary, show_table
from cranfield.cli.common_options import Plot, Printer
from cranfield.cli.tables import Display, TableFormat, output_table, print_note, print_notes, say
from cranfield.errors import InputError
from cranfield.features.online.click_functions import (
    CounterfactualEstimates,
    FittedClickModels,
    estimate_counterfactual,
    fit_click_model,
    list_click_models,
    write_query_topics,
)
from cranfield.options import Option, Written
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.features.online.analysis.clicks import ClickFits, Row


def show_click_models(
    result: FittedClickModels,
    relevance: Annotated[
        Path | None,
        Option("CSV file to write, with the parameters of each query and document.", metavar="FILE", before="test"),
        Written(),
    ] = None,
    min_users: Annotated[
        int,
        Option("Leave out queries that are not topics and have fewer users, with --relevance.", min=0, before="test"),
    ] = 5,
    plot: Plot = None,
    *,
    printer: Printer,
) -> None:
    """Print how well models predict, and their parameters."""
    from cranfield.features.online.analysis.clicks import parameter_rows, prediction_rows, relevance_rows

    fits = result.found
    if relevance and len(fits.models) > 1:
        raise typer.BadParameter("only one model can give labels or relevance; name one model", param_hint="--model")
    print_notes(result.context.notes)
    if relevance is not None:
        rows = list(relevance_rows(fits, fits.models[0], min_users))
        output_table(rows, TableFormat.csv, relevance, safe_csv=printer.safe_csv)
        if rare := len(fits.impressions) - len(rows):
            print_note(
                f"omitted {counted(rare, 'pair')} of a query and a document, because fewer than"
                f" {counted(min_users, 'user')} typed the query"
            )
    if plot is not None:
        _draw(fits, plot)
    if not printer.is_for_terminal:
        printer.emit(result.records, document=result.document)
        return
    _say(fits, parameter_rows(fits), prediction_rows(fits), printer)
    if relevance is None and any(one.fit.relevance is not None for one in fits.models):
        print_note("to write the parameters of each query and document, use --relevance FILE")


def _say(fits: ClickFits, rows: Sequence[Row], predictions: Sequence[Row], printer: Printer) -> None:
    of = f"{counted(fits.lists, 'list')} ({fits.different:,} different)"
    if predictions:
        columns = [{name: value for name, value in row.items() if name != "excluded_clicks"} for row in predictions]
        heads = {"log_likelihood": "log-likelihood", "conditional_perplexity": "conditional perplexity"}
        printer.emit(
            columns, title=f"fitted to {of}; tested on {counted(fits.held_out, 'other list')}",
            display=Display(heads=heads),
        )  # fmt: skip
        for row in predictions:
            if row["excluded_clicks"]:
                print_note(f"{row['model']} rules out {counted(row['excluded_clicks'], 'click')} in the log")
        say()
    if rows:
        printer.emit(rows, title=f"parameters that all documents share, fitted to {of}")


def _draw(fits: ClickFits, path: Path) -> None:
    from cranfield.charts.style import save
    from cranfield.features.online.analysis.clicks import parameters_by_rank
    from cranfield.features.online.charts import examination_plot, perplexity_plot

    predictions = {one.model.name: one.prediction for one in fits.models if one.prediction is not None}
    if predictions:
        save(perplexity_plot({name: (one.by_rank, one.conditional_by_rank) for name, one in predictions.items()}), path)
        return
    ranked = parameters_by_rank(fits.models[0])
    if not ranked:
        raise InputError(
            f"{fits.models[0].model.name} has no parameters by rank to plot; with --test, --plot draws perplexity"
        )
    save(examination_plot(fits.models[0].model.name, ranked), path)


def show_counterfactual(result: CounterfactualEstimates, plot: Plot = None, *, printer: Printer) -> None:
    """Print the estimates; an error where one must not conclude."""
    from cranfield.features.online.analysis.counterfactual import refusal

    rows = result.rows()
    columns = [{name: value for name, value in row.items() if name not in ("se", "concluded", "why")} for row in rows]
    full = printer.format is not TableFormat.table
    printer.emit(rows if full else columns, title=result.title, document=result.document, display=result.display)
    print_notes(result.context.notes)
    if plot is not None:
        from cranfield.charts.style import save
        from cranfield.features.online.charts import counterfactual_plot

        save(counterfactual_plot(result.run, rows, result.found.logged, result.confidence), plot)
    if reason := refusal(result.found):
        raise InputError(reason)


topics = command(write_query_topics, show_summary, "online")
fit = command(fit_click_model, show_click_models, "online")
models = command(list_click_models, show_table, "online")
counterfactual = command(estimate_counterfactual, show_counterfactual, "online")
