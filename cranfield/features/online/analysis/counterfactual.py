"""What a new run would get of users' clicks, from the log of another."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask, Runs
from cranfield.errors import InputError
from cranfield.features.online.click_models.model import STEPS, clicked_lists
from cranfield.features.online.click_models.rates import PBM
from cranfield.features.online.counterfactual.estimate import GROUPS, CounterfactualEstimate, Refit, estimate_by
from cranfield.features.online.counterfactual.estimators import DR, ENOUGH, Estimator, WeightedLists, estimator
from cranfield.features.online.counterfactual.policies import plackett_luce
from cranfield.features.online.counterfactual.weights import (
    NewRanking,
    Predictions,
    check_identified,
    equal_weights,
    examination_by_swaps,
    never_shown,
    predictions,
    weigh_by_examination,
    weigh_by_inverse,
    weigh_by_list,
    weigh_by_position,
)
from cranfield.features.online.estimates import OnlineEstimate, estimate, units_of
from cranfield.features.online.formats.reading import is_policy, read_policy
from cranfield.features.online.interactions import Interactions
from cranfield.features.online.measures import CLICKS_PER_SEARCH
from cranfield.formats import read_runs
from cranfield.store.runs import run_info, stored_runs
from cranfield.store.store import Store
from cranfield.text import counted, join_words, name_hint

LOGGED = "logged"
ESTIMATED = ("pbm", "swap")  # from the same log


class Counterfactual(NamedTuple):
    """The estimates of a run's clicks per list, beside those of the lists logged."""

    run: str
    lists: int
    left_out: int  # lists of no topic of the run, or without the propensities needed
    never_shown: float  # the share of the run's documents, down to the depth of the log, that no list showed
    logged: OnlineEstimate
    estimates: Sequence[CounterfactualEstimate]
    enough: float


def counterfactual_notes(result: Counterfactual, run: str, propensity: str) -> list[str]:
    """Return the notes on lists that are left out, documents that were never shown and estimates without interval."""
    lines = list[str]()
    if result.left_out:
        why = ", or no propensities were logged" * (propensity == LOGGED)
        lines.append(f"omitted {counted(result.left_out, 'list')}: {run} does not rank the topic{why}")
    if result.never_shown:
        lines.append(f"{result.never_shown:.1%} of the documents of {run} (at the log's depth) were never shown")
    for why in dict.fromkeys(one.why for one in result.estimates if one.why):
        names = join_words([one.estimator for one in result.estimates if one.why == why])
        lines.append(f"{names}: no interval: {why}")
    return lines


def new_ranking(store: Store, run: str) -> NewRanking:
    """A run of the store by its tag, a run file, or a CSV file of probabilities; unknown documents were not shown."""
    if run in run_info(store):
        runs = stored_runs(store, [run])
        return NewRanking(runs.topic, runs.document, runs.rank - 1)
    found = _read_run(run, run_info(store))
    if found is not None:
        return _ranking_of_file(store, found)
    table = read_policy(run)
    topics = store.qids.codes(table.qid)
    names, number = np.unique(np.array(table.docno, object).astype(str), return_inverse=True)
    numbers = store.docnos.codes(names.tolist())
    codes = np.where(numbers >= 0, numbers, len(store.docnos.names) + np.arange(len(names)))
    of_store = topics >= 0
    return NewRanking(topics[of_store], codes[number][of_store], table.rank[of_store], table.probability[of_store])


def _read_run(path: str, tags: Collection[str]) -> Runs | None:
    """The only run of a file; None if the file holds probabilities."""
    if not Path(path).exists():
        raise InputError(f"there is no run {path!r} in this store, and no such file{name_hint(path, tags)}")
    if Path(path).is_file() and is_policy(path):  # a pipe can be read once
        return None
    runs = read_runs([Path(path)])
    if len(runs.tags) > 1:
        raise InputError(f"{len(runs.tags)} runs; expected one", path)
    return runs


def _ranking_of_file(store: Store, runs: Runs) -> NewRanking:
    documents = runs.docnos.codes_in(store.docnos)[runs.document]
    topics = runs.topics.codes_in(store.qids)[runs.topic]
    unknown = len(store.docnos.names) + np.arange(len(runs))
    of_store = topics >= 0
    return NewRanking(topics[of_store], np.where(documents >= 0, documents, unknown)[of_store], runs.rank[of_store] - 1)


def policy_of(
    store: Store, run: str, log: Interactions, *, policy: str = "ranking", temperature: float = 1.0
) -> NewRanking:
    """The ranking of a run, a policy of a file of probabilities, or one that draws by the scores of a run."""
    if policy == "ranking" and temperature != 1:
        raise InputError("--temperature applies only to a policy that draws lists; add --policy plackett-luce")
    if policy == "ranking":
        return new_ranking(store, run)
    if policy != "plackett-luce":
        raise InputError(f"unknown policy {policy!r}; available: ranking, plackett-luce")
    depth = int((log.first + log.length).max(initial=1))
    if run in run_info(store):
        runs = stored_runs(store, [run])
        return plackett_luce(runs.topic, runs.document, runs.score, depth=depth, temperature=temperature)
    found = _read_run(run, run_info(store))
    if found is None:
        raise InputError("a file of probabilities already defines a policy; leave --policy out", run)
    ranking = _ranking_of_file(store, found)
    of_store = found.topics.codes_in(store.qids)[found.topic] >= 0
    return plackett_luce(ranking.topic, ranking.document, found.score[of_store], depth=depth, temperature=temperature)


def counterfactual(
    log: Interactions,
    new: NewRanking,
    run: str,
    *,
    names: Sequence[str] = (),
    propensity: str = LOGGED,
    enough: float = ENOUGH,
    confidence: float = 0.95,
    seed: int = 0,
) -> Counterfactual:
    """The estimates of these estimators: by default snips with logged propensities, else position-based."""
    estimators = [estimator(name) for name in names or (["snips"] if propensity == LOGGED else ["position-based"])]
    for each in estimators:
        if each.weighing == "examination" and propensity == LOGGED:
            raise InputError(
                f"{each.name} needs the examination probability of each rank; use --propensity pbm, swap or a FILE"
            )
        if each.weighing in ("lists", "positions") and propensity != LOGGED:
            raise InputError(
                f"{each.name} needs logged propensities; --propensity {propensity} provides only the examination"
                " probability of each rank"
            )
    usable = np.isin(log.topic, np.unique(new.topic)) & (log.topic >= 0) & (log.length > 0)
    if not usable.any():
        raise InputError("the log has no lists for the topics of this run")
    if any(each.weighing in ("lists", "positions") for each in estimators):
        missing = np.bincount(log.impression, np.isnan(log.propensity), len(log)) > 0
        if missing[usable].all():
            raise InputError(
                "the log has no propensities, so its lists cannot be weighted; --propensity pbm or swap estimates how"
                " likely users are to examine each rank"
            )
        usable &= ~missing
    log, unusable = log.choose(usable), int((~usable).sum())
    users, new_documents = units_of(log), never_shown(log, new)
    if any(each.name == "dm" for each in estimators):
        check_identified(log, new)
    model = predictions(log, new) if any(each.modelled for each in estimators) else None
    estimates = [
        estimate_by(
            each, _weighted(each, log, new, model, propensity), users, enough=enough, confidence=confidence,
            refit=_refit(each, log, new, propensity, seed), never_shown=new_documents,
            draws=new.probability is not None,
        )
        for each in estimators
    ]  # fmt: skip
    if propensity == LOGGED:
        estimates = [
            _as_wide_as_dr(one, log, new, users, confidence) if one.estimator == "dm" else one for one in estimates
        ]
    log_estimate = estimate(CLICKS_PER_SEARCH, CLICKS_PER_SEARCH(log), users, confidence)
    return Counterfactual(
        run, len(log), unusable, never_shown=new_documents, logged=log_estimate, estimates=estimates, enough=enough
    )


def _as_wide_as_dr(
    dm: CounterfactualEstimate, log: Interactions, new: NewRanking, users: Ints, confidence: float
) -> CounterfactualEstimate:
    """The direct method with an interval that contains the doubly robust one: what propensities say of its error.

    How wrong the model is, no sample that it was fitted to tells; lists with propensities do. So there is an interval
    where the log has them, and enough lists count: as far to either side as the further end of dr's.
    """
    if np.isnan(log.propensity).any() or (new.probability is not None and new.worth is None and (log.length > 1).any()):
        return dm
    model = predictions(log, new)
    dr = estimate_by(
        DR, weigh_by_list(log, new).with_model(model.prediction, model.expectation), users, confidence=confidence,
        never_shown=never_shown(log, new), draws=new.probability is not None,
    )  # fmt: skip
    if np.isnan(dr.low):
        return dm
    half = max(dm.value - dr.low, dr.high - dm.value)
    return dm._replace(low=max(dm.value - half, 0.0), high=dm.value + half, why="")


def _refit(by: Estimator, log: Interactions, new: NewRanking, propensity: str, seed: int) -> Refit | None:
    """The estimates without each random group of users, with the examination estimated again; None if it was given."""
    if by.weighing != "examination" or propensity not in ESTIMATED:
        return None

    def refit_without(rest: Mask) -> float:
        part = log.choose(rest)
        try:
            return by.terms(weigh_by_examination(part, new, examination(part, propensity, new))).value
        except InputError:  # without these users no document was at both ranks
            return float("nan")

    def refit() -> Floats:
        users = units_of(log)
        number = int(users.max()) + 1
        group = (np.random.default_rng(seed).permutation(number) % GROUPS)[users]
        return np.array([refit_without(group != one) for one in range(min(number, GROUPS))])

    return refit


def _weighted(
    by: Estimator, log: Interactions, new: NewRanking, model: Predictions | None, propensity: str
) -> WeightedLists:
    if by.weighing == "examination":
        return weigh_by_examination(log, new, examination(log, propensity, new))
    if by.weighing == "positions":
        return weigh_by_position(log, new)
    if by.weighing == "inverse":
        weighted, beyond = weigh_by_inverse(log, new)
        if beyond.any():
            raise InputError(
                f"pseudo-inverse: for {int(beyond.sum()):,} of {len(beyond):,} lists, some of the run's documents"
                " were never shown at their positions for the topic"
            )
        return weighted
    weighted = weigh_by_list(log, new) if by.weighing == "lists" else equal_weights(log)
    return weighted if model is None or not by.modelled else weighted.with_model(model.prediction, model.expectation)


def examination(log: Interactions, propensity: str, new: NewRanking) -> Floats:
    """The examination of each rank: by a position-based model, by documents that moved, or from a file.

    A model is refused if the log cannot tell the examinations that the new ranking compares.
    """
    lists = clicked_lists(log)
    if propensity == "pbm":
        check_identified(log, new)
        return PBM.fit(lists, STEPS).shared["examination"]
    if propensity == "swap":
        return examination_by_swaps(lists)
    from cranfield.features.online.formats.reading import read_examination

    return read_examination(Path(propensity))


def estimate_rows(result: Counterfactual) -> list[dict[str, Any]]:
    """One row per estimator; NaN where it must not conclude."""
    return [
        {"estimator": one.estimator, "effective_sample_size": one.effective, "max_weight": one.most,
         "mean_weight": one.mean, "clicks_per_list": one.value, "low": one.low, "high": one.high, "se": one.error,
         "concluded": one.concluded, "why": one.why}
        for one in result.estimates
    ]  # fmt: skip


def as_document(result: Counterfactual) -> dict[str, Any]:
    """The JSON."""
    value, low, high, _, users = result.logged
    return {
        "run": result.run, "lists": result.lists, "left_out": result.left_out, "users": users,
        "never_shown": result.never_shown, "min_effective_sample_size": result.enough,
        "logged": {"clicks_per_list": value, "low": low, "high": high}, "estimates": estimate_rows(result),
    }  # fmt: skip


def refusal(result: Counterfactual) -> str:
    """Why some estimators must not conclude; empty if all do."""
    few = [one for one in result.estimates if not one.concluded]
    if not few:
        return ""
    sizes = ", ".join(f"{one.effective:,.1f} ({one.estimator})" for one in few)
    return (
        f"no conclusion: the effective sample size is {sizes}, from {result.lists:,} lists; expected at least"
        f" {result.enough:g}. With that size, no list gets more than {result.enough**-0.5:.0%} of the total weight. Log"
        " more randomised lists, or lower --min-ess"
    )
