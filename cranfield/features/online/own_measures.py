"""Measures of one's own, as ratios of sums over a log, declared in TOML.

    [RevenuePerUser]
    numerator = "value"               # a sum: see SUMS
    denominator = "users"             # another, lists (where not given), or users
    unit = "EUR"                      # "share" where it is from 0 to 1
    better = "more"                   # or "less"; guardrails need to know
    filter = {device = "phone"}       # only lists with this attribute

A measure per user is the users' mean: each counts once, whatever they were shown. Others are ratios, whose variance is
the delta method's.

Source: Deng, Knoblich and Lu, Applying the delta method in metric analytics, KDD 2018.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.errors import InputError, Path
from cranfield.features.online.interactions import KINDS, Interactions
from cranfield.features.online.measures import ListSums, OnlineMeasure, online_measure
from cranfield.formats.files import read_text
from cranfield.formats.mappings import parse_toml

USERS = "users"
FIELDS = ("numerator", "denominator", "unit", "better", "filter")


def sum_of(log: Interactions, kind: str = "", column: str = "") -> Floats:
    """Of each list, how many actions it has, of a kind, or the sum of what they have in a column."""
    rows = log.actions.is_kind(kind) if kind else np.ones(len(log.actions), bool)
    values = np.nan_to_num(getattr(log.actions, column)) if column else np.ones(len(rows))
    return np.bincount(log.actions.impression[rows], values[rows], len(log)).astype(float)


NOUNS = dict(zip(KINDS, ("clicks", "dwells", "conversions", "reformulations", "hovers"), strict=True))
SUMS: Mapping[str, Callable[[Interactions], Floats]] = {
    "lists": lambda log: np.ones(len(log)),
    "documents": lambda log: log.length.astype(float),
    "value": partial(sum_of, column="value"),
    "seconds": partial(sum_of, column="seconds"),
    **{NOUNS[kind]: partial(sum_of, kind=kind) for kind in KINDS},
}


def measures_named(names: Sequence[str]) -> list[OnlineMeasure]:
    """The measures of these names; of the name of a TOML file, those that it declares."""
    measures: list[OnlineMeasure] = []
    for name in names:
        measures += declared_measures(name) if name.endswith(".toml") else [online_measure(name)]
    return measures


def attributes_needed(measures: Sequence[OnlineMeasure]) -> tuple[str, ...]:
    """The attributes that these measures choose lists by."""
    return tuple(dict.fromkeys(name for measure in measures for name in measure.filter))


def declared_measures(path: Path) -> list[OnlineMeasure]:
    """The measures of a TOML file."""
    tables = parse_toml(read_text(path), path)
    if not tables:
        raise InputError("no measure; expected [NAME] with numerator = ...", path)
    return [_measure_of(name, table, path) for name, table in tables.items()]


def _measure_of(name: str, table: Any, path: Path) -> OnlineMeasure:
    def wrong(what: str) -> InputError:
        return InputError(f"[{name}]: {what}", path)

    if not isinstance(table, dict) or "numerator" not in table:
        raise wrong("the numerator is missing; expected one of " + ", ".join(SUMS))
    if odd := [key for key in table if key not in FIELDS]:
        raise wrong(f"unknown {odd[0]!r}; expected {', '.join(FIELDS)}")
    above, below = table["numerator"], table.get("denominator", "lists")
    if not isinstance(above, str) or above not in SUMS:
        raise wrong(f"numerator is {above!r}; expected one of {', '.join(SUMS)}")
    if below not in (*SUMS, USERS):
        raise wrong(f"denominator is {below!r}; expected one of {', '.join((*SUMS, USERS))}")
    if (better := table.get("better", "more")) not in ("more", "less"):
        raise wrong(f"better is {better!r}; expected 'more' or 'less'")
    filters, unit = table.get("filter", {}), table.get("unit", "number")
    if not isinstance(filters, dict) or not all(isinstance(value, str) for value in filters.values()):
        raise wrong(f'filter is {filters!r:.40}; expected attributes and their values, such as {{device = "phone"}}')
    if not isinstance(unit, str):
        raise wrong(f"unit is {unit!r:.40}; expected text, such as EUR")
    of = "" if unit in ("share", "number") else f", in {unit}"
    return OnlineMeasure(
        name, partial(_ratio, above, below, filters), "better" if better == "more" else "worse",
        "share" if unit == "share" else "number", counts_users=below == USERS, filter=filters,
        explanation=f"{name}: {above} per {below.removesuffix('s')}{of}, as {path} declares it.",
    )  # fmt: skip


def _ratio(above: str, below: str, filters: Mapping[str, str], log: Interactions, cutoff: int | None) -> ListSums:
    """What the lists chosen add; a user counts once where sums of users are made."""
    keep = np.ones(len(log), bool)
    for name, value in filters.items():
        attribute = log.attributes[name]
        if attribute.of_documents:
            raise InputError(f"{name} is a document attribute; expected a list attribute in filter")
        keep &= np.array([*(each == value for each in attribute.names), False])[attribute.codes]
    times = np.ones(len(log)) if below == USERS else SUMS[below](log)
    return ListSums(SUMS[above](log) * keep, times * keep)
