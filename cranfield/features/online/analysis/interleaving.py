"""Interleaved lists of stored runs, and whom users prefer by a log of such lists."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from cranfield.errors import InputError
from cranfield.features.online.interleaving import interleaved, method_called
from cranfield.features.online.interleaving.method import InterleavingMethod, SystemRankings
from cranfield.features.online.interleaving.preference import SystemPreference, credit_of, preference
from cranfield.features.online.store.read import (
    Experiment,
    LogChoice,
    add_experiment,
    check_log,
    experiments,
    interactions,
)
from cranfield.metrics.significance.pairs import CORRECTIONS, all_pairs, correct_p_values
from cranfield.store.runs import run_info, stored_runs
from cranfield.store.store import Store
from cranfield.text import name_hint

Row = dict[str, Any]


class ListsRequest(NamedTuple):
    """What to interleave, and how."""

    tags: Sequence[str]
    method: str = "team-draft"
    depth: int = 10
    seed: int = 0
    lists: int = 1000  # of each topic


def add_interleaving(store: Store, request: ListsRequest, name: str) -> None:
    """The experiment in the store to which logs of these lists belong."""
    experiment = add_experiment(store, name, "interleave", request.tags, method=request.method, seed=request.seed)
    if experiment.method != request.method:
        method = f"the method {experiment.method}" if experiment.method else "no method"
        raise InputError(
            f"experiment {name!r} already exists and records {method}; choose another name with --experiment"
        )


def check_wanted(store: Store, request: ListsRequest, name: str) -> None:
    """Refuse what cannot be interleaved, or recorded in the store, before it is."""
    method_called(request.method).check(len(request.tags))
    if twice := next((tag for tag in request.tags if request.tags.count(tag) > 1), None):
        raise InputError(f"run {twice!r} is named twice; expected different runs")
    with store.writing():
        if name in experiments(store):
            add_interleaving(store, request, name)


def recorded_lists(
    store: Store, request: ListsRequest, experiment: str, advance: Callable[[int], None] = lambda done: None
) -> Iterator[Row]:
    """The lists; their experiment is in the store after the last of them, and not if one cannot be drawn."""
    yield from interleaved_lists(store, request, experiment, advance)
    add_interleaving(store, request, experiment)


def interleaved_lists(
    store: Store, request: ListsRequest, experiment: str, advance: Callable[[int], None] = lambda done: None
) -> Iterator[Row]:
    """Lists of each topic that all the runs answer, as lines of a log to which the service adds what happened."""
    method, docnos, qids = method_called(request.method), store.docnos.names.tolist(), store.qids.names.tolist()
    titles = {topic.qid: topic.title for topic in store.topics()}
    for topic, rankings in stored_rankings(store, request.tags).items():
        docno_rankings = SystemRankings(
            tuple(tuple(docnos[int(str(doc))] for doc in order) for order in rankings.orders)
        )
        for number in range(request.lists):
            mixture = interleaved(docno_rankings, method, f"{request.seed} {qids[topic]} {number}", request.depth)
            row = {"experiment": experiment, "qid": qids[topic], "query": titles.get(qids[topic], "")}
            yield {**row, **mixture._asdict()}
            advance(1)


def stored_rankings(store: Store, tags: Sequence[str]) -> dict[int, SystemRankings]:
    """The rankings of the topics that all these runs answer, as the store's integers of topics and documents."""
    runs = stored_runs(store, tags)
    by_topic: dict[int, dict[int, tuple[int, ...]]] = {}
    for start, end in pairwise([*runs.starts.tolist(), len(runs)]):
        order = tuple(runs.document[start:end].tolist())
        by_topic.setdefault(int(runs.topic[start]), {})[int(runs.run[start])] = order
    return {
        topic: SystemRankings(tuple(orders[run] for run in range(len(tags))))
        for topic, orders in sorted(by_topic.items())
        if len(orders) == len(tags)
    }


class PairPreference(NamedTuple):
    """Whom users prefer of two systems."""

    a: str
    b: str
    preference: SystemPreference
    p_corrected: float


class ExperimentPreference(NamedTuple):
    """Of one experiment: its lists, and the preference between every two of its systems."""

    experiment: str
    method: InterleavingMethod
    impressions: int
    left_out: int  # without teams, or without the rankings that were interleaved
    uninformative: int  # they show only documents with which all rankings begin alike
    users: int
    pairs: Sequence[PairPreference]
    alpha: float

    @property
    def rows(self) -> list[Row]:
        """One row per pair."""
        return [
            {
                "experiment": self.experiment, "method": self.method.name, "a": pair.a, "b": pair.b,
                "impressions": by.wins + by.ties + by.losses, **by._asdict(), "p_corrected": pair.p_corrected,
                "prefers": self.winner(pair),
            }
            for pair in self.pairs for by in [pair.preference]
        ]  # fmt: skip

    def winner(self, pair: PairPreference) -> str | None:
        """The system that users prefer; None where neither is significantly preferred."""
        if not pair.p_corrected <= self.alpha:
            return None
        return pair.a if pair.preference.delta > 0 else pair.b

    @property
    def document(self) -> Row:
        """The JSON."""
        same = ("experiment", "method")
        return {
            "experiment": self.experiment, "method": self.method.name, "impressions": self.impressions,
            "left_out": self.left_out, "uninformative": self.uninformative, "users": self.users,
            "pairs": [{name: value for name, value in row.items() if name not in same} for row in self.rows],
        }  # fmt: skip


@dataclass(frozen=True)
class PreferenceRequest:
    """Of which interleaved lists, and how it is tested."""

    experiment: str | None = None
    since: float | None = None
    until: float | None = None
    method: str | None = None
    alpha: float = 0.05
    samples: int = 2000
    seed: int = 0


def preference_notes(result: ExperimentPreference, has_period: bool) -> list[str]:
    """Return the notes on an experiment: no lists, no interval, a biased method."""
    if not result.impressions:
        return [f"{result.experiment}: no lists {'in this period' if has_period else 'in the log yet'}"]
    lines = []
    if any(isnan(pair.preference.low) for pair in result.pairs):
        lines.append(f"{result.experiment}: no interval, because fewer than two users have lists that count")
    if result.method.name == "balanced":
        lines.append("balanced interleaving is biased; see `cranfield online interleave methods`")
    return lines


def preferences(store: Store, request: PreferenceRequest) -> list[ExperimentPreference]:
    """The preferences by each interleaving experiment of the store, or the one named."""
    name, by_name = request.experiment, experiments(store)
    if store.as_of:
        check_log(store)
    if name is not None and name not in by_name:
        raise InputError(f"no experiment {name!r} in this store{name_hint(name, by_name)}")
    ours = [each for each in by_name.values() if name in (None, each.name) and each.kind == "interleave" and each.arms]
    if not ours:
        of = f"experiment {name!r}" if name else "this store"
        raise InputError(f"{of} contains no interleaved lists; import them with `cranfield import log`")
    return [_preferences(store, each, request) for each in ours]


def _preferences(store: Store, experiment: Experiment, request: PreferenceRequest) -> ExperimentPreference:
    log = interactions(store, LogChoice(experiment.name, since=request.since, until=request.until))
    method = method_called(request.method or experiment.method or "team-draft")
    if experiment.method and method.name != experiment.method:
        raise InputError(
            f"--method is {method.name}, but the lists of {experiment.name!r} were made with {experiment.method}"
        )
    try:
        method.check(len(experiment.arms))
    except InputError as error:
        raise InputError(f"experiment {experiment.name!r}: {error.message}") from None
    arms = experiment.arms
    rankings = stored_rankings(store, arms) if {*arms} <= run_info(store).keys() else {}
    credit = credit_of(log, method, rankings, len(arms))
    if len(log) and not credit.credited.any():
        lack = "the lists have no teams; expected a teams field in the log"
        if not method.teams:
            runs = ", ".join(arms)
            lack = (
                f"{method.name} needs the interleaved rankings; expected runs {runs} in the store, and lists with a qid"
            )
        raise InputError(f"experiment {experiment.name!r}: {lack}")
    counts = credit.credited & credit.informative
    gains, users = credit.credit[counts], log.user[counts]
    pairs = list(zip(*(side.tolist() for side in all_pairs(len(arms))), strict=True))
    results = [
        preference(
            gains[:, pair], users, weighs=method.weighs, alpha=request.alpha, samples=request.samples,
            seed=request.seed,
        )
        for pair in pairs
    ]  # fmt: skip
    p_values = correct_p_values(np.array([each.p for each in results]), CORRECTIONS["holm"]).tolist()
    return ExperimentPreference(
        experiment.name, method, len(log), left_out=int((~credit.credited).sum()),
        uninformative=int((credit.credited & ~credit.informative).sum()),
        users=len(np.unique(users[users >= 0])), alpha=request.alpha,
        pairs=[PairPreference(arms[a], arms[b], each, p)
               for (a, b), each, p in zip(pairs, results, p_values, strict=True)],
    )  # fmt: skip
