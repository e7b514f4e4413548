"""`online clicks` and `online counterfactual`: models of clicks, and what another ranking would have got."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli import completion, in_python, not_in_python
from cranfield.cli.commands.exports import OutputFile, TextFormat
from cranfield.cli.common_options import Plot, Printer, StorePath
from cranfield.cli.reading_options import RUNS
from cranfield.cli.tables import Display, TableFormat, emit, note, notes, say, summary
from cranfield.errors import InputError
from cranfield.features.online.options import CLICK_MODELS, ClickFitOptions, CounterfactualOptions, MinUsers
from cranfield.options import Option, Written, names
from cranfield.store.reading import Reading
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.features.online.analysis.clicks import ClickFits, Row
    from cranfield.store.store import Store


class QuerySample(StrEnum):
    """How queries become topics."""

    top = "top"
    random = "random"
    proportional = "proportional"


@not_in_python("cranfield.features.online.analysis.log makes the topics that it writes")
def topics(
    path: StorePath,
    out: OutputFile,
    *,
    top: Annotated[int, typer.Option(min=1, metavar="N", help="How many topics to make.")] = 50,
    min_users: MinUsers = 5,
    sample: Annotated[
        QuerySample,
        typer.Option(help="Which: of the most users; at random, all alike; or in proportion to how often they came."),
    ] = QuerySample.top,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of a sample.")] = 0,
    format: TextFormat = "jsonl",
) -> None:
    """Make topics of a log's queries that are not topics yet, for `cranfield import topics`: frequent or sampled ones.

    A query is a topic if its text is the title of one, whatever its case and blanks. Rare queries may tell who asked
    them: those of fewer than --min-users users are left out.

    Example: cranfield online clicks topics track.db frequent.jsonl --top 50

    Example: cranfield online clicks topics track.db frequent.jsonl --min-users 5
    """
    from cranfield.features.online.analysis.log import new_topics
    from cranfield.formats import write_topics
    from cranfield.store.store import Store

    with Store.open(path, tell=note) as store:
        new = new_topics(store, top, min_users, sample.value, seed)
    write_topics(out, new.topics, format)
    rare = f"; {counted(new.rare, 'query', 'queries')} of fewer than {counted(min_users, 'user')} left out"
    summary(out, counted(len(new.topics), "topic") + (rare if new.rare else ""))


def _numbers(text: str) -> list[float]:
    try:
        return [float(one) for one in text.split(",") if one.strip()]
    except ValueError:
        raise InputError(f"{text!r}; expected numbers, such as 0.2,0.5") from None


class FitCommand(ClickFitOptions):
    """The same, and what is made of the model: labels, or a file."""

    votes: Annotated[bool, Option("Store the model's relevance as labels of an assessor of kind model.", "--votes")] = (
        False
    )
    thresholds: Annotated[
        Sequence[float] | None,
        Option(
            "With --votes: the least relevance of each grade above the lowest.", metavar="X,...", typed=str | None,
            parse=_numbers,
        ),
    ] = None  # fmt: skip
    min_impressions: Annotated[
        int, Option("With --votes: label only documents shown this often for a topic.", min=1)
    ] = 10
    assessor: Annotated[
        str | None,
        Option("With --votes: the assessor. [default: clicks-MODEL]", metavar="NAME", complete="assessor"),
    ] = None
    relevance: Annotated[
        Path | None, Option("Write the parameters of each query and document as CSV.", metavar="FILE"), Written()
    ] = None
    min_users: Annotated[
        int, Option("With --relevance: leave out queries of fewer users that are not topics.", min=0)
    ] = 5


@in_python("online.fit_click_model")
def fit(
    path: StorePath,
    model: Annotated[
        list[str],
        typer.Option(
            metavar="NAME",
            callback=lambda value: value and names(value),
            help="A click model, as `online clicks models` lists them.",
        ),
        CLICK_MODELS,
    ],
    *,
    options: FitCommand,
    plot: Plot = None,
    printer: Printer,
    reading: Reading,
) -> None:
    """Fit click models to the log: what users examine, and what attracts and satisfies them.

    With --test, models predict held-out sessions: log-likelihood per list (higher is better) and perplexity (1 is
    perfect, 2 a coin), without and with the clicks above known. Several models need it: none is judged by the
    sessions that it was fitted to. A click that a model excludes counts with a probability of .000001.

    --votes stores labels, never mixed with people's: relevance (attractiveness, times satisfaction where the model has
    it) becomes the highest grade whose threshold it reaches; by default thresholds are equal steps. With --test, labels
    come from the sessions that were not held out.

    Example: cranfield online clicks fit track.db --model pbm --model dbn --test 0.25

    Example: cranfield online clicks fit track.db --model dbn
    """
    from cranfield.features.online.analysis.clicks import as_document, click_fits, parameter_rows, prediction_rows
    from cranfield.features.online.analysis.log import chosen_log

    if (options.votes or options.relevance) and len(model) > 1:
        raise typer.BadParameter("one model can give labels or relevance; name one", param_hint="--model")
    if options.thresholds and not options.votes:
        raise typer.BadParameter("is of labels; requires --votes", param_hint="--thresholds")
    if options.assessor and not options.votes:
        raise typer.BadParameter("is whose labels they are; requires --votes", param_hint="--assessor")
    with reading.store(path) as store:
        fits = click_fits(chosen_log(store, options.choice()), model, options.test, options.seed, options.steps)
        for line in fits.notes:
            note(line)
        if options.relevance is not None:
            _write_relevance(fits, options.min_users, options.relevance, printer.safe_csv)
        if options.votes:
            _store_votes(store, fits, options)
    if plot is not None:
        _draw(fits, plot)
    rows, predictions = parameter_rows(fits), prediction_rows(fits)
    if not printer.for_people:
        printer.emit(predictions or rows, document=as_document(fits))
        return
    _say(fits, rows, predictions, printer)
    if options.relevance is None and any(one.fit.relevance is not None for one in fits.models):
        note("--relevance FILE writes the parameters of each query and document")


def _write_relevance(fits: ClickFits, min_users: int, path: Path, safe_csv: bool) -> None:
    from cranfield.features.online.analysis.clicks import relevance_rows

    rows = list(relevance_rows(fits, fits.models[0], min_users))
    emit(rows, TableFormat.csv, path, safe_csv=safe_csv)
    rare = len(fits.impressions) - len(rows)
    if rare:
        note(f"{counted(rare, 'document')} of queries of fewer than {counted(min_users, 'user')} left out")


def _store_votes(store: Store, fits: ClickFits, options: FitCommand) -> None:
    from cranfield.features.online.analysis.clicks import store_labels, thresholds_of

    least = thresholds_of(list(store.collection.grades), options.thresholds or ())
    enough, assessor = options.min_impressions, options.assessor
    name, labels = store_labels(store, fits, fits.models[0], least, enough=enough, assessor=assessor)
    grades = ", ".join(f"{grade} from {relevance:g}" for grade, relevance in least.items())
    note(f"{counted(labels, 'label')} stored by {name}, of kind model; grade {grades}")


def _say(fits: ClickFits, rows: Sequence[Row], predictions: Sequence[Row], printer: Printer) -> None:
    of = f"{counted(fits.lists, 'list')}, {fits.different:,} of them different"
    if predictions:
        columns = [{name: value for name, value in row.items() if name != "excluded_clicks"} for row in predictions]
        heads = {"log_likelihood": "log-likelihood", "conditional_perplexity": "conditional perplexity"}
        printer.emit(
            columns, title=f"fitted to {of}; predicting {counted(fits.held_out, 'list')}",
            display=Display(heads=heads),
        )  # fmt: skip
        for row in predictions:
            if row["excluded_clicks"]:
                note(f"{row['model']} excludes {counted(row['excluded_clicks'], 'click')} that users made")
        say()
    if rows:
        printer.emit(rows, title=f"parameters of all documents, from {of}")


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
        raise InputError(f"{fits.models[0].model.name} has no parameters by rank; --test draws perplexity")
    save(examination_plot(fits.models[0].model.name, ranked), path)


@in_python("online.list_click_models")
def models(*, printer: Printer) -> None:
    """List the click models.

    Those fitted by EM are fitted exactly, but for dbn-pyclick and ccm-pyclick. Those fitted by counts are the simplest;
    dcm and sdbn take the last click for the end of reading, dcm-em and sdbn-em do not.

    Example: cranfield online clicks models

    Example: cranfield online clicks models --format json
    """
    from cranfield.features.online.click_models import CLICK_MODELS

    rows = [
        {"model": model.name, "what": model.summary, "fitted_by": model.fitted_by,
         "source": model.source}
        for model in CLICK_MODELS.values()
    ]  # fmt: skip
    printer.emit(rows, display=Display(heads={"fitted_by": "fitted by"}))


HEADS = {
    "effective_sample_size": "effective size", "max_weight": "max weight", "mean_weight": "mean weight",
    "clicks_per_list": "clicks per list",
}  # fmt: skip


@in_python("online.estimate_counterfactual")
def counterfactual(
    path: StorePath,
    run: Annotated[
        str,
        typer.Argument(metavar="NEWRUN", help="A run by its tag, a run file, or a CSV of probabilities."),
        RUNS,
        completion.RUNS,
    ],
    *,
    options: CounterfactualOptions,
    plot: Plot = None,
    printer: Printer,
    reading: Reading,
) -> None:
    """Estimate the clicks that users would give a run they were not shown, from the log of others.

    A list counts as often as the new run makes it likelier than the log did. Read the effective sample size first: as
    many lists of equal weight would be as exact. Below 100 the estimate is withheld, because a single list can have
    more than a tenth of the weight then. The mean weight of whole lists should be about 1.

    Whole lists (ips, snips, clipped, dr) and documents at positions (item-position) need logged propensities: of each
    document at its position, given those above it, or whatever else is shown. Without them: position-based, by how
    likely each rank is examined (--propensity pbm, swap or FILE, lines of rank and probability); pseudo-inverse, where
    lists of a topic vary; dm, a click model alone. Intervals are from a jackknife over users, for which examinations
    are estimated again. Where one could not hold there is none, and a note says why: where weights were cut, where the
    log could not show what the run would, with fewer than 10 users, and for dm without logged propensities; with them,
    its interval contains that of dr.

    A policy may draw: --policy plackett-luce takes the next document by exp(score / temperature) among those left. A
    CSV file has qid, docno, position and probability, for item-position, dm, and lists of one document.

    Example: cranfield online counterfactual track.db bm25 --propensity pbm

    Example: cranfield online counterfactual track.db bm25 --estimator position-based
    """
    from cranfield.features.online.analysis import counterfactual as analysis

    with reading.store(path) as store:
        result = analysis.counterfactual_of(store, run, options)
    rows = analysis.estimate_rows(result)
    log_estimate = result.logged
    columns = [{name: value for name, value in row.items() if name not in ("se", "concluded", "why")} for row in rows]
    interval = "" if isnan(log_estimate.low) else f" ({log_estimate.low:.4f} to {log_estimate.high:.4f})"
    title = (
        f"{counted(result.lists, 'list')} of {counted(log_estimate.users, 'user')}; clicks per list as logged:"
        f" {log_estimate.value:.4f}{interval}"
    )
    full = printer.format is not TableFormat.table
    printer.emit(
        rows if full else columns, title=title, document=analysis.as_document(result),
        display=Display(heads=HEADS, digits={"effective_sample_size": "{:,.1f}".format}),
    )  # fmt: skip
    notes(analysis.counterfactual_notes(result, run, options.propensity))
    if plot is not None:
        from cranfield.charts.style import save
        from cranfield.features.online.charts import counterfactual_plot

        save(counterfactual_plot(run, rows, log_estimate, options.confidence), plot)
    if reason := analysis.refusal(result):
        raise InputError(reason)
