"""Interaction logs: what users saw and did, and which system they prefer."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from os import PathLike, fspath
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from cranfield.api.arguments import checked
from cranfield.api.keywords import of_store, of_store_and
from cranfield.errors import InputError, give_warning
from cranfield.features.online.options import (
    AbOptions,
    ClickFitOptions,
    CounterfactualOptions,
    DivergenceOptions,
    LogImportOptions,
    LogShowOptions,
    PreferenceOptions,
    check_lists,
)
from cranfield.options.values import expected
from cranfield.view import StoreGiven, store_open

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.features.online.analysis.clicks import ClickFits
    from cranfield.features.online.analysis.counterfactual import Counterfactual
    from cranfield.features.online.analysis.divergence import Divergence
    from cranfield.features.online.analysis.log import LogImport


@checked
@of_store_and(LogImportOptions)
def import_log(
    store: StoreGiven,
    files: str | PathLike[str] | Sequence[str | PathLike[str]] | DataFrame,
    options: LogImportOptions,
) -> LogImport:
    """Append logs to a store, all of them or nothing: impressions, actions, repeated, bad, bots, unmatched, ...

    `fields` says under which name the files have a field, as {"user": "visitor"}; with `skip`, lines that cannot be
    used are left out. `salt` is a file outside the store for the salt that users are hashed with. A DataFrame has a row
    for each document shown, or for each event; columns that are `attributes` are kept.
    """
    from cranfield.features.online.analysis.log import import_log as append_log

    check_lists(arms=options.arms, attributes=options.attributes)
    if not isinstance(files, str | PathLike | Iterable):
        raise InputError(f"a log is given as files or a DataFrame, not as {type(files).__name__}")
    if isinstance(files, str | PathLike) or not hasattr(files, "to_parquet"):
        several = [files] if isinstance(files, str | PathLike) else list(files)
        if right := expected(Sequence[str | PathLike[str]], {}, several):
            raise InputError(f"files is {files!r:.60}; expected {right}")
        with store_open(store) as there:
            return append_log(there, several, options)
    with TemporaryDirectory() as folder, store_open(store) as there:
        path = Path(folder, "DataFrame.parquet")
        files.to_parquet(path, index=False)
        try:
            outcome = append_log(there, [path], options.but(format="parquet"))
        except InputError as error:
            raise InputError(f"{error}".replace(f"{folder}{os.sep}", "")) from None
        outcome.notes, outcome.first = ([line.replace(f"{folder}{os.sep}", "") for line in several]
                                  for several in (outcome.notes, outcome.first))  # fmt: skip
        return outcome


@checked
@of_store(LogShowOptions)
def summarize_log(store: StoreGiven, options: LogShowOptions) -> DataFrame:
    """The measures of a log: the group, measure, value, low, high, lists, users; times are seconds since 1970.

    `by` is arm, run, position, query, or an attribute of the log. By query, those of fewer than `min_users` users
    are left out.
    """
    import pandas as pd

    from cranfield.features.online.analysis.log import first_groups, interval_notes, measured_log, remarks

    with store_open(store) as there:
        log, rows = measured_log(there, options)
    _, groups = first_groups(rows, options.by, 0)
    for line in (*interval_notes(rows), *remarks(log, options.by, groups, options.min_users)):
        give_warning(line)
    return pd.DataFrame(rows)


@checked
def list_interleaving_methods() -> DataFrame:
    """The interleaving methods: systems, outcome, what, bias, source.

    >>> list_interleaving_methods()["method"].tolist()
    ['team-draft', 'balanced', 'probabilistic', 'optimized', 'pairwise']
    """
    import pandas as pd

    from cranfield.features.online.interleaving import METHODS

    return pd.DataFrame([method.row for method in METHODS.values()])


@checked
@of_store(PreferenceOptions)
def infer_preferences(store: StoreGiven, options: PreferenceOptions) -> DataFrame:
    """Whom users prefer of every two interleaved systems: wins, losses, ties, delta with low and high, p, prefers.

    One row per pair of each experiment with interleaved lists, or of the one named. Times are seconds since 1970.

    >>> from cranfield import Store
    >>> with Store.memory("clicks") as store:
    ...     infer_preferences(store)
    Traceback (most recent call last):
    cranfield.errors.InputError: this store has no interleaved lists; `cranfield import log` brings them
    """
    import pandas as pd

    from cranfield.features.online.analysis.interleaving import preferences

    with store_open(store) as there:
        return pd.DataFrame([row for each in preferences(there, options) for row in each.rows])


@checked
@of_store(ClickFitOptions)
def fit_click_model(store: StoreGiven, options: ClickFitOptions) -> ClickFits:
    """Fit click models to a log: the `models` with their parameters, and what they predict of a held-out share `test`.

    Several models need `test`: none is judged by the sessions that it was fitted to.
    """
    from cranfield.features.online.analysis.clicks import click_fits
    from cranfield.features.online.analysis.log import chosen_log

    with store_open(store) as there:
        return click_fits(chosen_log(there, options.choice()), options.names, options.test, options.seed, options.steps)


@checked
def list_click_models() -> DataFrame:
    """The click models: model, summary, fitted_by (EM or counts), source.

    >>> "pbm" in list_click_models()["model"].tolist()
    True
    """
    import pandas as pd

    from cranfield.features.online.click_models import CLICK_MODELS

    return pd.DataFrame(
        [
            {"model": one.name, "summary": one.summary, "fitted_by": one.fitted_by, "source": one.source}
            for one in CLICK_MODELS.values()
        ]
    )


@checked
@of_store_and(AbOptions)
def compare_arms(store: StoreGiven, control: str, options: AbOptions) -> DataFrame:
    """Each arm of an A/B test against the control: measure, arm, difference with low and high, relative, p.

    With `by`, an attribute, for each of its values. `cap` is a share of users, as .995, whose totals are not cut.
    `margins` are of guardrails, {"CTR": "2%"} or {"CTR": .01}: each `holds`, is `broken` or `undecided`. A measure can
    be a TOML file of measures.

    An error where the sample ratio fails, unless `despite_srm`. With `plan`, a difference, how many users of each arm
    it takes to find it: measure, users, deviation, difference, users_needed, detectable. `since` and `until` are
    seconds since 1970.
    """
    import pandas as pd

    from cranfield.features.online.analysis.ab import ab_test, plan
    from cranfield.features.online.analysis.subjects import AbRequest

    request = AbRequest(**vars(options), control=control)
    with store_open(store) as there:
        return pd.DataFrame(ab_test(there, request).rows if request.plan is None else plan(there, request))


@checked
@of_store_and(CounterfactualOptions)
def estimate_counterfactual(store: StoreGiven, run: str, options: CounterfactualOptions) -> Counterfactual:
    """The clicks per list that a run would get, from the log of others: `estimates`, and `logged` beside them.

    The run is a tag or a file, or a CSV file of probabilities; with the `policy` plackett-luce, rankings are drawn by
    its scores. `propensity` is logged, pbm, swap or a file; an estimate whose effective sample size is below `min_ess`
    is NaN.
    """
    from cranfield.features.online.analysis.counterfactual import counterfactual_notes, counterfactual_of

    if not isinstance(run, str | PathLike):
        raise InputError(f"a run is given by its tag or as a file, not as {type(run).__name__}")
    with store_open(store) as there:
        result = counterfactual_of(there, run, options)
    for line in counterfactual_notes(result, fspath(run), options.propensity):
        give_warning(line)
    return result


@checked
@of_store(DivergenceOptions)
def measure_divergence(store: StoreGiven, options: DivergenceOptions) -> Divergence:
    """Whether offline and online differences of the arms agree: `pairs`, `agreements` by measure, `topics`.

    An arm is the run of its name.
    """
    from cranfield.features.online.analysis.divergence import divergence
    from cranfield.features.online.analysis.log import chosen_log

    with store_open(store) as there:
        return divergence(there, chosen_log(there, options.choice()), options)
