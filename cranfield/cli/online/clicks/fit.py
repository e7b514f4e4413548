"""online clicks fit.

JSON: {"lists", "held_out", "different_lists", "pairs", "models": [{"model", "parameters": {NAME: [...]}, "prediction":
null or {"log_likelihood", "perplexity", "perplexity_by_rank", "conditional_perplexity",
"conditional_perplexity_by_rank", "excluded_clicks"}}]}.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.lists import names
from cranfield.cli.online_options import Arms, Experiment, Since, Until, choice_of
from cranfield.cli.options import Format, Output, Plot, StorePath
from cranfield.cli.tables import Display, TableFormat, emit, note, say
from cranfield.errors import InputError
from cranfield.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.analysis.online.click_fits import ClickFits, Row
    from cranfield.store.store import Store


def fit(
    path: StorePath,
    model: Annotated[
        list[str],
        typer.Option(metavar="NAME", callback=names, help="A click model, as `online clicks models` lists them."),
    ],
    test: Annotated[
        float,
        typer.Option(min=0, max=0.9, metavar="SHARE", help="Hold out this share of the sessions, and predict it."),
    ] = 0,
    experiment: Experiment = None,
    arms: Arms = "",
    since: Since = None,
    until: Until = None,
    steps: Annotated[int, typer.Option(min=1, help="Steps of expectation maximisation.")] = 50,
    seed: Annotated[int, typer.Option(help="Random seed of the held-out sessions.")] = 0,
    votes: Annotated[
        bool, typer.Option("--votes", help="Store the model's relevance as labels of an assessor of kind model.")
    ] = False,
    thresholds: Annotated[
        str, typer.Option(metavar="X,...", help="With --votes: the least relevance of each grade above the lowest.")
    ] = "",
    min_impressions: Annotated[
        int, typer.Option(min=1, help="With --votes: label only documents shown this often for a topic.")
    ] = 10,
    assessor: Annotated[
        str | None, typer.Option(metavar="NAME", help="With --votes: the assessor. [default: clicks-MODEL]")
    ] = None,
    relevance: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the parameters of each query and document as CSV.")
    ] = None,
    min_users: Annotated[
        int, typer.Option(min=0, help="With --relevance: leave out queries of fewer users that are not topics.")
    ] = 5,
    plot: Plot = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Fit click models to the log: what users examine, and what attracts and satisfies them.

    With --test, models predict held-out sessions: log-likelihood per list (higher is better) and perplexity (1 is
    perfect, 2 a coin), without and with the clicks above known. Several models need it: none is judged by the
    sessions that it was fitted to. A click that a model excludes counts with a probability of .000001.

    --votes stores labels, never mixed with people's: relevance (attractiveness, times satisfaction where the model has
    it) becomes the highest grade whose threshold it reaches; by default thresholds are equal steps. With --test, labels
    come from the sessions that were not held out.

    Example: cranfield online clicks fit track.db --model pbm --model dbn --test 0.25
    """
    from cranfield.analysis.online.click_fits import as_document, click_fits, parameter_rows, prediction_rows
    from cranfield.analysis.online.showing import chosen_log
    from cranfield.store.store import Store

    if (votes or relevance) and len(model) > 1:
        raise typer.BadParameter("one model can give labels or relevance; name one", param_hint="--model")
    with Store.open(path) as store:
        found = click_fits(chosen_log(store, choice_of(experiment, arms, since, until)), model, test, seed, steps)
        if relevance is not None:
            _write_relevance(found, min_users, relevance)
        if votes:
            _store_votes(store, found, thresholds, min_impressions, assessor)
    if plot is not None:
        _draw(found, plot)
    rows, predictions = parameter_rows(found), prediction_rows(found)
    if format is not TableFormat.table or output is not None:
        emit(predictions or rows, format, output, document=as_document(found))
        return
    _say(found, rows, predictions)
    if relevance is None:
        note("--relevance FILE writes the parameters of each query and document")


def _write_relevance(found: ClickFits, min_users: int, path: Path) -> None:
    from cranfield.analysis.online.click_fits import relevance_rows

    rows = list(relevance_rows(found, found.models[0], min_users))
    emit(rows, TableFormat.csv, path)
    left = len(found.impressions) - len(rows)
    if left:
        note(f"{counted(left, 'document')} of queries of fewer than {counted(min_users, 'user')} left out")


def _store_votes(store: Store, found: ClickFits, thresholds: str, enough: int, assessor: str | None) -> None:
    from cranfield.analysis.online.click_labels import store_labels, thresholds_of

    least = thresholds_of(list(store.collection.grades), _numbers(thresholds))
    name, labels = store_labels(store, found, found.models[0], least, enough, assessor)
    grades = ", ".join(f"{grade} from {relevance:g}" for grade, relevance in least.items())
    note(f"{counted(labels, 'label')} stored by {name}, of kind model; grade {grades}")


def _numbers(text: str) -> list[float]:
    try:
        return [float(one) for one in text.split(",") if one.strip()]
    except ValueError:
        raise typer.BadParameter(f"{text!r}; expected numbers, such as 0.2,0.5", param_hint="--thresholds") from None


def _say(found: ClickFits, rows: Sequence[Row], predictions: Sequence[Row]) -> None:
    of = f"{counted(found.lists, 'list')}, {found.different:,} of them different"
    if predictions:
        shown = [{name: value for name, value in row.items() if name != "excluded_clicks"} for row in predictions]
        heads = {"log_likelihood": "log-likelihood", "conditional_perplexity": "conditional perplexity"}
        emit(
            shown, TableFormat.table, title=f"fitted to {of}; predicting {counted(found.held_out, 'list')}",
            display=Display(heads=heads),
        )  # fmt: skip
        for row in predictions:
            if row["excluded_clicks"]:
                note(f"{row['model']} excludes {counted(row['excluded_clicks'], 'click')} that users made")
        say()
    if rows:
        emit(rows, TableFormat.table, title=f"parameters of all documents, from {of}")


def _draw(found: ClickFits, path: Path) -> None:
    from cranfield.analysis.online.click_fits import parameters_by_rank
    from cranfield.plots.click_models import examination_plot, perplexity_plot
    from cranfield.plots.style import save

    told = {one.model.name: one.prediction for one in found.models if one.prediction is not None}
    if told:
        save(perplexity_plot({name: (one.by_rank, one.conditional_by_rank) for name, one in told.items()}), path)
        return
    ranked = parameters_by_rank(found.models[0])
    if not ranked:
        raise InputError(f"{found.models[0].model.name} has no parameters by rank; --test draws perplexity")
    save(examination_plot(found.models[0].model.name, ranked), path)
