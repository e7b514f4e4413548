"""Interaction logs: what users saw and did, and which system they prefer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal

from cranfield.api.inputs import Measures, StoreGiven, store_open
from cranfield.metrics.notation import one_or_several

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.features.online.analysis.clicks import ClickFits
    from cranfield.features.online.analysis.counterfactual import Counterfactual
    from cranfield.features.online.analysis.divergence import Divergence
    from cranfield.features.online.analysis.log import LogImport


def import_log(
    store: StoreGiven,
    files: str | PathLike[str] | Sequence[str | PathLike[str]] | DataFrame,
    *,
    format: str = "auto",
    fields: Mapping[str, str] | None = None,
    experiment: str = "log",
    arms: Sequence[str] = (),
    skip: bool = False,
    max_searches: int = 500,
    drop_bots: bool = False,
    salt: str | PathLike[str] | None = None,
    attributes: Sequence[str] = (),
) -> LogImport:
    """Append logs to a store, all of them or nothing: impressions, actions, repeated, bad, bots, unmatched, ...

    `fields` says under which name the files have a field, as {"user": "visitor"}; with `skip`, lines that cannot be
    used are left out. `salt` is a file outside the store for the salt that users are hashed with. A DataFrame has a row
    for each document shown, or for each event; columns that are `attributes` are kept.
    """
    from cranfield.features.online.analysis.log import import_log as imported

    with _files(files) as given, store_open(store) as there:
        return imported(
            there,
            given,
            format=format,
            names=fields,
            experiment=experiment,
            arms=arms,
            skip=skip,
            max_searches=max_searches,
            drop_bots=drop_bots,
            salt=salt,
            attributes=attributes,
        )


@contextmanager
def _files(given: str | PathLike[str] | Sequence[str | PathLike[str]] | DataFrame) -> Iterator[list[Any]]:
    """The files; of a DataFrame one that has it."""
    if isinstance(given, str | PathLike):
        yield [given]
    elif hasattr(given, "to_parquet"):
        with TemporaryDirectory() as folder:
            path = Path(folder, "DataFrame.parquet")
            given.to_parquet(path, index=False)
            yield [path]
    else:
        yield list(given)


def online_show(
    store: StoreGiven,
    *,
    by: str = "variant",
    measures: str | Sequence[str] = (),
    experiment: str | None = None,
    arms: Sequence[str] = (),
    since: float | None = None,
    until: float | None = None,
    min_users: int = 5,
    confidence: float = 0.95,
) -> DataFrame:
    """The measures of a log: the group, measure, value, low, high, lists, users; times are seconds since 1970.

    `by` is variant, run, position, query, or an attribute of the log. By query, those of fewer than `min_users` users
    are left out.
    """
    import pandas as pd

    from cranfield.features.online.analysis.log import chosen_log, kept_by, online_rows
    from cranfield.features.online.store.read import LogChoice

    names = [measures] if isinstance(measures, str) else list(measures)
    with store_open(store) as there:
        log = chosen_log(there, LogChoice(experiment, tuple(arms), since, until, kept_by(by, names)))
        return pd.DataFrame(online_rows(log, by, names, confidence, min_users))


def online_interleave_methods() -> DataFrame:
    """The interleaving methods: systems, outcome, what, bias, source.

    >>> online_interleave_methods()["method"].tolist()
    ['team-draft', 'balanced', 'probabilistic', 'optimized', 'pairwise']
    """
    import pandas as pd

    from cranfield.features.online.interleaving import METHODS

    return pd.DataFrame([method.row for method in METHODS.values()])


def online_preference(
    store: StoreGiven,
    *,
    experiment: str | None = None,
    method: str | None = None,
    alpha: float = 0.05,
    samples: int = 2000,
    seed: int = 0,
    since: float | None = None,
    until: float | None = None,
) -> DataFrame:
    """Whom users prefer of every two interleaved systems: wins, losses, ties, delta with low and high, p, prefers.

    One row per pair of each experiment with interleaved lists, or of the one named. Times are seconds since 1970.

    >>> from cranfield import Store
    >>> with Store.memory("clicks") as store:
    ...     online_preference(store)
    Traceback (most recent call last):
    cranfield.errors.InputError: this store has no interleaved lists; `cranfield import log` brings them
    """
    import pandas as pd

    from cranfield.features.online.analysis.interleaving import preferences

    with store_open(store) as there:
        found = preferences(
            there, name=experiment, method=method, alpha=alpha, samples=samples, seed=seed, since=since, until=until
        )
    return pd.DataFrame([row for each in found for row in each.rows])


def online_clicks_fit(
    store: StoreGiven,
    *,
    model: str | Sequence[str] = "pbm",
    test: float = 0,
    experiment: str | None = None,
    arms: Sequence[str] = (),
    seed: int = 0,
    steps: int = 50,
) -> ClickFits:
    """Fit click models to a log: the `models` with their parameters, and what they predict of a held-out share `test`.

    Several models need `test`: none is judged by the sessions that it was fitted to.
    """
    from cranfield.features.online.analysis.clicks import click_fits
    from cranfield.features.online.analysis.log import chosen_log
    from cranfield.features.online.store.read import LogChoice

    names = [model] if isinstance(model, str) else list(model)
    with store_open(store) as there:
        return click_fits(chosen_log(there, LogChoice(experiment, tuple(arms))), names, test, seed, steps)


def online_clicks_models() -> DataFrame:
    """The click models: model, summary, fitted_by (EM or counts), source.

    >>> "pbm" in online_clicks_models()["model"].tolist()
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


def online_ab(
    store: StoreGiven,
    control: str,
    *,
    measures: str | Sequence[str] = "CTR",
    experiment: str | None = None,
    unit: Literal["user", "session", "list"] = "user",
    before: int | None = None,
    sequential: bool = False,
    planned_users: int | None = None,
    plan: float | None = None,
    alpha: float = 0.05,
    correction: str = "holm",
    shares: Mapping[str, float] | None = None,
    despite_srm: bool = False,
    since: float | None = None,
    until: float | None = None,
    by: str | None = None,
    cap: float | None = None,
    margins: Mapping[str, str | float] | None = None,
) -> DataFrame:
    """Each arm of an A/B test against the control: measure, arm, difference with low and high, relative, p.

    With `by`, an attribute, for each of its values. `cap` is a share of users, as .995, whose totals are not cut.
    `margins` are of guardrails, {"CTR": "2%"} or {"CTR": .01}: each `holds`, is `broken` or `undecided`. A measure can
    be a TOML file of measures.

    An error where the sample ratio fails, unless `despite_srm`. With `plan`, a difference, how many users of each arm
    it takes to find it: measure, users, deviation, difference, users_needed, detectable. `since` and `until` are
    seconds since 1970.
    """
    import pandas as pd

    from cranfield.features.online.analysis.ab import ab_test, planned
    from cranfield.features.online.analysis.subjects import AbWanted

    names = [measures] if isinstance(measures, str) else list(measures)
    wanted = AbWanted(
        control,
        names,
        experiment,
        unit=unit,
        before=before,
        sequential=sequential,
        planned=planned_users,
        alpha=alpha,
        correction=correction,
        shares=shares or {},
        despite_srm=despite_srm,
        since=since,
        until=until,
        by=by,
        cap=cap,
        margins={name: str(margin) for name, margin in (margins or {}).items()},
    )
    with store_open(store) as there:
        return pd.DataFrame(ab_test(there, wanted).rows if plan is None else planned(there, wanted, plan))


def online_counterfactual(
    store: StoreGiven,
    run: str,
    *,
    estimators: str | Sequence[str] = (),
    propensity: str = "logged",
    min_ess: float = 100,
    experiment: str | None = None,
    arms: Sequence[str] = (),
    confidence: float = 0.95,
    seed: int = 0,
    policy: str = "ranking",
    temperature: float = 1.0,
) -> Counterfactual:
    """The clicks per list that a run would get, from the log of others: `estimates`, and `logged` beside them.

    The run is a tag or a file, or a CSV file of probabilities; with the `policy` plackett-luce, rankings are drawn by
    its scores. `propensity` is logged, pbm, swap or a file; an estimate whose effective sample size is below `min_ess`
    is NaN.
    """
    from cranfield.features.online.analysis.counterfactual import counterfactual, policy_of
    from cranfield.features.online.analysis.log import chosen_log
    from cranfield.features.online.store.read import LogChoice

    names = [estimators] if isinstance(estimators, str) else list(estimators)
    with store_open(store) as there:
        log = chosen_log(there, LogChoice(experiment, tuple(arms)))
        return counterfactual(
            log,
            policy_of(there, run, log, policy=policy, temperature=temperature),
            run,
            names=names,
            propensity=propensity,
            enough=min_ess,
            confidence=confidence,
            seed=seed,
        )


def online_divergence(
    store: StoreGiven,
    *,
    measures: Measures = "nDCG@10",
    online: str = "CTR",
    experiment: str | None = None,
    arms: Sequence[str] = (),
    confidence: float = 0.95,
) -> Divergence:
    """Whether offline and online differences of the arms agree: `pairs`, `agreements` by measure, `topics`.

    An arm is the run of its name.
    """
    from cranfield.features.online.analysis.divergence import divergence
    from cranfield.features.online.analysis.log import chosen_log
    from cranfield.features.online.store.read import LogChoice

    with store_open(store) as there:
        log = chosen_log(there, LogChoice(experiment, tuple(arms)))
        return divergence(there, log, one_or_several(measures), online, confidence=confidence)
