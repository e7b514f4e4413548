"""The measures of a log, by arm, run, position or query, with intervals over users."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.interactions import Interactions
from cranfield.arrays.rankings import Ints
from cranfield.errors import MeasureError, StoreError
from cranfield.online.measures.estimate import estimate, known_units, units_of
from cranfield.online.measures.measure import Counts, OnlineMeasure
from cranfield.online.measures.table import ONLINE_MEASURES, online_measures
from cranfield.store.online.read import LogChoice, check_log, interactions
from cranfield.store.store import Store
from cranfield.text import counted

DEFAULT = ("CTR", "CTR@3", "Abandonment", "ClicksPerSearch", "MaxRR", "TimeToClick", "Reformulation", "ZeroHits")
OF_DOCUMENTS = ("CTR",)
Row = dict[str, Any]


class Groups(NamedTuple):
    """The lists of a log in groups: of each its number, -1 for none, and of each number its names."""

    log: Interactions
    codes: Ints
    names: Sequence[Row]


def by_variant(log: Interactions) -> Groups:
    """The lists of each arm of each experiment; those without an arm are one group."""
    size = len(log.arms.names) + 1
    keys, codes = np.unique(log.experiment * size + log.arm + 1, return_inverse=True)
    arms = ["", *log.arms.names]
    names = [{"experiment": log.experiments.names[key // size], "variant": arms[key % size]} for key in keys.tolist()]
    return Groups(log, codes, names)


def by_run(log: Interactions) -> Groups:
    """The documents that each system put into lists: those of its team, or of all lists of its arm."""
    documents = log.by_document()
    system = np.where(log.team >= 0, _team_arms(log)[log.team], documents.arm)
    used, codes = np.unique(system, return_inverse=True)
    names = [{"run": log.arms.names[arm] if arm >= 0 else ""} for arm in used.tolist()]
    return Groups(documents, codes, names)


def _team_arms(log: Interactions) -> Ints:
    """The arm of each team."""
    return np.arange(max(len(log.arms.names), int(log.team.max(initial=0)) + 1))


def by_position(log: Interactions) -> Groups:
    """The documents at each rank."""
    documents = log.by_document()
    ranks, codes = np.unique(documents.first, return_inverse=True)
    return Groups(documents, codes, [{"position": rank + 1} for rank in ranks.tolist()])


def by_query(log: Interactions) -> Groups:
    """The lists of each query."""
    used, first, codes = np.unique(log.query, return_index=True, return_inverse=True)
    names = [
        {"query": log.queries.names[query], "topic": log.topics.names[topic] if topic >= 0 else ""}
        for query, topic in zip(used.tolist(), log.topic[first].tolist(), strict=True)
    ]
    return Groups(log, codes, names)


BY: Mapping[str, Callable[[Interactions], Groups]] = {
    "variant": by_variant, "run": by_run, "position": by_position, "query": by_query,
}  # fmt: skip


def chosen_log(store: Store, choice: LogChoice | None = None) -> Interactions:
    """The lists chosen of the store's log; an error where there are none."""
    check_log(store)
    log = interactions(store, choice)
    if not len(log):
        raise StoreError("the log has no lists for this experiment, these arms and this period")
    return log


def online_rows(
    log: Interactions,
    by: str = "variant",
    measures: Sequence[str] = (),
    confidence: float = 0.95,
    min_users: int = 5,
) -> list[Row]:
    """One row for each group and measure: value, low, high, lists, users. Queries of fewer users are left out."""
    found = online_measures(measures or (DEFAULT if by in ("variant", "query") else OF_DOCUMENTS))
    if by in ("run", "position"):
        _refuse_lists(found, by)
    groups = BY[by](log)
    units, known = units_of(groups.log), known_units(groups.log)
    least, users = min_users if by == "query" else 0, _users(groups.codes[known], units[known], len(groups.names))
    kept = np.flatnonzero(users >= least).tolist()
    return list(_rows(groups, units, kept, found, confidence))


def _refuse_lists(measures: Sequence[OnlineMeasure], by: str) -> None:
    if wrong := [str(measure) for measure in measures if not measure.of_documents or measure.cutoff]:
        known = ", ".join(measure.name for measure in ONLINE_MEASURES.values() if measure.of_documents)
        raise MeasureError(f"{wrong[0]} is of whole lists; by {by}, use {known}")


def _users(codes: Ints, units: Ints, groups: int) -> Ints:
    """How many users each group has."""
    pairs = np.unique(np.column_stack([codes, units]), axis=0)
    return np.bincount(pairs[:, 0], minlength=groups)


def _rows(
    groups: Groups, units: Ints, kept: Sequence[int], measures: Sequence[OnlineMeasure], confidence: float
) -> Iterator[Row]:
    order = np.argsort(groups.codes, kind="stable")
    bounds = np.searchsorted(groups.codes[order], np.arange(len(groups.names) + 1))
    lists = [order[bounds[group] : bounds[group + 1]] for group in kept]
    for measure in measures:
        counts = measure(groups.log)
        for group, rows in zip(kept, lists, strict=True):
            found = estimate(measure, Counts(*(column[rows] for column in counts)), units[rows], confidence)
            yield groups.names[group] | {"measure": str(measure)} | found._asdict()


def first_groups(rows: Sequence[Row], by: str, most: int) -> tuple[list[Row], int]:
    """The rows of the first groups, queries by their lists, and how many groups there are."""
    lists = {_group(row, by): row["lists"] for row in reversed(rows)}
    order = sorted(lists, key=lambda group: -lists[group]) if by == "query" else list(lists)[::-1]
    kept = dict.fromkeys(order if by in ("variant", "run") else order[:most])
    place = {group: number for number, group in enumerate(kept)}
    found = [row for row in rows if _group(row, by) in kept]
    if by == "query":
        found.sort(key=lambda row: place[_group(row, by)])
    return found, len(lists)


def remarks(log: Interactions, by: str, groups: int, min_users: int) -> list[str]:
    """What to say of queries that too few users asked, where so many are shown, and of lists without a user.

    >>> from dataclasses import replace
    >>> from cranfield.arrays.interactions import example
    >>> for line in remarks(replace(example("ab:a", "ba:"), user=np.array([0, -1])), "query", 0, 5):
    ...     print(line)
    1 query of fewer than 5 users left out
    1 of 2 lists without a user: taken as their session's, or each as another user's; intervals may be too narrow
    """
    rare = len(np.unique(log.query)) - groups if by == "query" else 0
    found = [f"{counted(rare, 'query', 'queries')} of fewer than {counted(min_users, 'user')} left out"] if rare else []
    if unknown := int((log.user < 0).sum()):
        how = "taken as their session's, or each as another user's; intervals may be too narrow"
        found.append(f"{unknown:,} of {counted(len(log), 'list')} without a user: {how}")
    return found


def _group(row: Row, by: str) -> tuple[str, ...]:
    return (str(row.get("experiment", "")), str(row[by]))
