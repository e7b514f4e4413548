"""online counterfactual.

JSON: {"run", "lists", "left_out", "users", "never_shown", "min_effective_sample_size", "logged": {"clicks_per_list",
"low", "high"}, "estimates": [{"estimator", "effective_sample_size", "max_weight", "mean_weight", "clicks_per_list",
"low", "high", "se", "concluded", "why"}]}; an estimate that is withheld is null, and so are the ends of an interval
that could not hold, for the reason in `why`.
"""

from __future__ import annotations

from math import isnan
from typing import Annotated

import typer

from cranfield.cli.lists import names
from cranfield.cli.online_options import Arms, Experiment, Since, Until, choice_of
from cranfield.cli.options import Confidence, Format, Output, Plot, StorePath
from cranfield.cli.tables import Display, TableFormat, emit, note
from cranfield.errors import InputError
from cranfield.text import counted, in_words

HEADS = {
    "effective_sample_size": "effective size", "max_weight": "max weight", "mean_weight": "mean weight",
    "clicks_per_list": "clicks per list",
}  # fmt: skip


def counterfactual(
    path: StorePath,
    run: Annotated[str, typer.Argument(metavar="NEWRUN", help="A run of the store by its tag, or a run file.")],
    estimator: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            callback=names,
            help="ips, snips, clipped, dm, dr, item-position, position-based or pseudo-inverse; may be repeated.",
        ),
    ] = None,
    propensity: Annotated[
        str,
        typer.Option(
            metavar="logged|pbm|swap|FILE", help="As logged; or the examination of ranks: estimated, or from a file."
        ),
    ] = "logged",
    min_ess: Annotated[float, typer.Option(min=1, help="The least effective sample size to conclude from.")] = 100,
    experiment: Experiment = None,
    arms: Arms = "",
    since: Since = None,
    until: Until = None,
    confidence: Confidence = 0.95,
    seed: Annotated[int, typer.Option(help="Random seed of the groups of users.")] = 0,
    plot: Plot = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Estimate the clicks that users would give a run they were not shown, from the log of others.

    A list counts as often as the new run makes it likelier than the log did. Read the effective sample size first: as
    many lists of equal weight would be as exact. Below 100 the estimate is withheld, because a single list can have
    more than a tenth of the weight then. The mean weight of whole lists should be about 1.

    Whole lists (ips, snips, clipped, dr) and documents at positions (item-position) need logged propensities: of each
    document at its position, given those above it, or whatever else is shown. Without them: position-based, by how
    likely each rank is examined (--propensity pbm, swap or FILE, lines of rank and probability); pseudo-inverse, where
    lists of a topic vary; dm, a click model alone. Intervals are from a jackknife over users, for which examinations
    are estimated again. Where one could not hold there is none, and a note says why: for dm, where weights were cut,
    where the log could not show what the run would, and with fewer than 10 users.

    Example: cranfield online counterfactual track.db bm25 --propensity pbm
    """
    from cranfield.analysis.online import counterfactual as analysis
    from cranfield.analysis.online.showing import chosen_log
    from cranfield.store.store import Store

    with Store.open(path) as store:
        log = chosen_log(store, choice_of(experiment, arms, since, until))
        new = analysis.new_ranking(store, run)
        found = analysis.counterfactual(log, new, run, estimator or (), propensity, min_ess, confidence, seed)
    rows = analysis.estimate_rows(found)
    logged = found.logged
    shown = [{name: value for name, value in row.items() if name not in ("se", "concluded", "why")} for row in rows]
    known = "" if isnan(logged.low) else f" ({logged.low:.4f} to {logged.high:.4f})"
    title = (
        f"{counted(found.lists, 'list')} of {counted(logged.users, 'user')}; clicks per list as logged:"
        f" {logged.value:.4f}{known}"
    )
    full = format is not TableFormat.table
    emit(
        rows if full else shown, format, output, title=title, document=analysis.as_document(found),
        display=Display(heads=HEADS, digits={"effective_sample_size": "{:,.1f}".format}),
    )  # fmt: skip
    weighed = propensity == analysis.LOGGED
    if found.left_out:
        note(
            f"{counted(found.left_out, 'list')} left out: {run} has no ranking for the topic"
            + ", or there are no propensities" * weighed
        )
    if found.never_shown:
        note(f"{found.never_shown:.1%} of the documents of {run}, at the depth of the log, were never shown")
    for why in dict.fromkeys(one.why for one in found.estimates if one.why):
        note(f"{in_words([one.estimator for one in found.estimates if one.why == why])}: no interval: {why}")
    if plot is not None:
        from cranfield.plots.counterfactual import counterfactual_plot
        from cranfield.plots.style import save

        save(counterfactual_plot(run, rows, logged, confidence), plot)
    if refused := analysis.refusal(found):
        raise InputError(refused)
