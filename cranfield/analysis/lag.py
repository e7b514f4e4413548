"""Lag: how the same systems do from round to round, alone and against a pivot.

The change is that of the mean, relative to the first round (LongEval: Alkhalifa et al., CLEF 2023). A pivot tells how
much of it is due to topics and documents, which are others in each round. With S and P the means of system and pivot,
the relative improvement is RI = (S - P) / P; its fall from the first round is dRI, 0 if nothing has changed; ER is the
improvement S - P as a part of that in the first round, 1 if all of it is still there (Breuer et al., SIGIR 2020, as in
repro_eval).

It misleads where an improvement was near 0 in the first round: ER is a quotient of that. Intervals are from a bootstrap
over topics: expanded percentiles (Hesterberg, The American Statistician 69(4), 2015).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays import WhichTopics
from cranfield.arrays.judged import ratio
from cranfield.arrays.rankings import Floats
from cranfield.call_view import CallView
from cranfield.errors import InputError, StoreError
from cranfield.judging.labels.choice import require_decided_labellers
from cranfield.metrics.evaluate import mean, score_runs
from cranfield.metrics.measure import Measure
from cranfield.store.names import RunKey, read_run_keys, resolve_run_name
from cranfield.store.round_changes import same_systems
from cranfield.store.rounds import round_named
from cranfield.store.runs import run_info
from cranfield.store.store import Store
from cranfield.text import counted

SAMPLES, SEED, CONFIDENCE = 2000, 0, 0.95


class RoundScores(NamedTuple):
    """The scores of the systems in a round, an array (systems, topics, measures) over the topics of all rounds."""

    name: str
    values: Floats  # NaN for a topic that is not of this round


class LagRow(NamedTuple):
    """A system in a round against the first: means, change, and with a pivot dRI and ER; each with its interval."""

    system: str
    measure: str
    round: str
    topics: int
    first: float
    now: float
    change: float
    change_low: float
    change_high: float
    delta_ri: float | None = None
    delta_ri_low: float | None = None
    delta_ri_high: float | None = None
    er: float | None = None
    er_low: float | None = None
    er_high: float | None = None


def relative_change(first: Floats, now: Floats, *pivot: Floats) -> Floats:
    """The relative change of a mean.

    >>> relative_change(np.array([0.5, 0.0]), np.array([0.6, 0.1])).round(2).tolist()
    [0.2, nan]
    """
    return ratio(now - first, first, undefined=np.nan)


def delta_ri(first: Floats, now: Floats, pivot_first: Floats, pivot_now: Floats) -> Floats:
    """The relative improvement over the pivot in the first round, less that of now.

    >>> float(round(delta_ri(*np.array([0.4599, 0.5610, 0.2983, 0.5385])), 4))
    0.5
    """
    was = ratio(first - pivot_first, pivot_first, undefined=np.nan)
    return was - ratio(now - pivot_now, pivot_now, undefined=np.nan)


def effect_ratio(first: Floats, now: Floats, pivot_first: Floats, pivot_now: Floats) -> Floats:
    """The improvement over the pivot of now, as a part of that in the first round.

    >>> float(effect_ratio(*np.array([0.4599, 0.5610, 0.2983, 0.5385])).round(3))
    0.139
    """
    return ratio(now - pivot_now, first - pivot_first, undefined=np.nan)


Statistic = Callable[..., Floats]


def interval(
    of: Statistic, means: Callable[[Floats], Sequence[Floats]], topics: int, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """The expanded percentile interval of a statistic; `means` gives the means under weights (samples, topics)."""
    if topics < 2:
        return np.nan, np.nan
    random = np.random.default_rng(SEED)
    weights = random.multinomial(topics, np.full(topics, 1 / topics), size=SAMPLES).astype(float)
    values = of(*means(weights))
    values = values[np.isfinite(values)]
    if len(values) < SAMPLES / 2:
        return np.nan, np.nan
    tail = _expanded_tail(topics, confidence)
    low, high = np.quantile(values, [tail, 1 - tail])
    return float(low), float(high)


def _expanded_tail(topics: int, confidence: float) -> float:
    """The tail at which percentiles are as wide as a t interval, not as one of the normal distribution."""
    from scipy.special import ndtr, stdtrit

    return float(ndtr(stdtrit(topics - 1, (1 - confidence) / 2) * np.sqrt(topics / (topics - 1))))


def compare_rounds(columns: Sequence[Floats]) -> dict[str, Any]:
    """The numbers of a row, of scores by topic: the system's in the first round and now, and with a pivot its own.

    NaN is a topic that a round does not have.

    >>> found = compare_rounds([np.array([0.5, 0.25, np.nan]), np.array([0.25, 0.5, 0.75])])
    >>> found["topics"], found["first"], found["now"]
    (3, 0.375, 0.5)
    """
    used = ~np.all(np.isnan(columns), axis=0)
    columns, topics = [column[used] for column in columns], int(used.sum())

    def means(weights: Floats) -> list[Floats]:
        there = [~np.isnan(column) for column in columns]
        return [
            ratio(weights @ np.where(here, column, 0.0), weights @ here.astype(float), undefined=np.nan)
            for here, column in zip(there, columns, strict=True)
        ]

    now = [mean(column) for column in columns]
    row: dict[str, Any] = {"topics": topics, "first": float(now[0]), "now": float(now[1])}
    for name, of in STATISTICS.items():
        if name == "change" or len(columns) > 2:
            low, high = interval(of, means, topics)
            row |= {name: float(of(*now)), f"{name}_low": low, f"{name}_high": high}
    return row


STATISTICS: Mapping[str, Statistic] = {"change": relative_change, "delta_ri": delta_ri, "er": effect_ratio}


def lag_rows(
    several: Sequence[RoundScores], systems: Sequence[str], names: Sequence[str], pivot: int | None
) -> list[LagRow]:
    """A row for each system, measure and round after the first."""
    first, *later = several
    return [
        LagRow(tag, name, one.name, **compare_rounds([it.values[at, :, column] for at in by for it in (first, one)]))
        for system, tag in enumerate(systems)
        if system != pivot
        for by in [[system] if pivot is None else [system, pivot]]
        for column, name in enumerate(names)
        for one in later
    ]


class Systems(NamedTuple):
    """The systems that are in all rounds: what each is called, its runs by round, and tags of several teams."""

    names: list[str]
    runs: list[list[str]]
    strange: dict[str, list[RunKey]]


def systems_in(store: Store, numbers: Sequence[int]) -> Systems:
    """The systems with a run that counts in every round: of one team and tag, or as was declared."""
    keys, counting = read_run_keys(store), run_info(store)
    same = same_systems(store)
    by_name = {one.name: one for one in keys}

    def system(one: RunKey) -> tuple[str, str]:
        earlier = by_name.get(same.get(one.name, ""))
        return (one.team, one.tag) if earlier is None else system(earlier)

    runs_of: dict[tuple[str, str], dict[int, str]] = {}
    teams: dict[str, dict[tuple[str, str], RunKey]] = {}
    for one in keys:
        if one.round in numbers and one.name in counting:
            runs_of.setdefault(system(one), {})[one.round] = one.name
            teams.setdefault(one.tag, {})[system(one)] = one
    whole = {key: runs for key, runs in runs_of.items() if set(runs) >= set(numbers)}
    strange = {
        tag: list(several.values())
        for tag, several in teams.items()
        if len({one.round for one in several.values()}) > 1 and not any(key in whole for key in several)
    }
    order = sorted(whole, key=lambda key: key[1])
    return Systems([tag for _, tag in order], [[whole[key][number] for number in numbers] for key in order], strange)


def system_lag_rows(
    store: Store,
    names: Sequence[str],
    measures: Sequence[Measure],
    *,
    pivot: str | None = None,
    runs: Iterable[str] = (),
    topics: WhichTopics = WhichTopics.all,
    judged: str | None = None,
) -> tuple[list[LagRow], list[str]]:
    """The rows, and what a reader must know; of all systems that are in these rounds, or of those named."""
    if len(names) < 2 or len(set(names)) < len(names):
        raise InputError(
            f"rounds {', '.join(names) or 'none'}; expected at least two different rounds, such as --rounds 1,2"
        )
    numbers = [round_named(store, name).number for name in names]
    systems = systems_in(store, numbers)
    choice = [_system_number(store, systems, name) for name in runs] or list(range(len(systems.names)))
    base = None if pivot is None else _system_number(store, systems, pivot)
    if not {*choice} - {base}:
        other = "no system" if base is None else "no system except the pivot"
        raise InputError(f"{other} took part in all of these rounds; choose other rounds")
    several = [
        _scores(store, name, [runs_of[at] for runs_of in systems.runs], measures, judged)
        for at, name in enumerate(names)
    ]
    several = _align_topics(several, topics)
    places = list(dict.fromkeys([*choice, *([] if base is None else [base])]))
    scores = [RoundScores(one.name, one.values[places]) for one in several]
    tags = [systems.names[at] for at in places]
    lines = []
    if systems.strange:
        some = ", ".join(list(systems.strange)[:5]) + ", ..." * (len(systems.strange) > 5)
        are = counted(len(systems.strange), "tag is", "tags are")
        lines.append(f"{are} omitted, because different teams used the same tag in different rounds: {some}")
    rows = lag_rows(scores, tags, [str(measure) for measure in measures], None if base is None else places.index(base))
    return rows, lines


def _system_number(store: Store, systems: Systems, name: str) -> int:
    """The place of a system that somebody names by its tag or one of its runs."""
    if name in systems.names:
        return systems.names.index(name)
    tag = name.rpartition("/")[2]
    if tag in systems.strange:
        forms = " and ".join(one.forms[-1] for one in systems.strange[tag])
        remedy = "if they are the same system, link them with `cranfield round same STORE LATER EARLIER`"
        raise StoreError(f"{name}: {forms} are from different teams; {remedy}")
    places = [at for at, runs in enumerate(systems.runs) if resolve_run_name(store, name) in runs]
    if not places:
        raise StoreError(f"system {name!r} does not have a run in each of these rounds")
    return places[0]


def _scores(
    store: Store, name: str, runs: Sequence[str], measures: Sequence[Measure], judged: str | None
) -> RoundScores:
    """The scores in a round over all topics of the store."""
    labels = judged if round_named(store, name).number > 1 else None
    round_view = store.select(replace(store.selection, round=name, judged=labels), store.left_out)
    scores = score_runs(
        CallView.view_of_store(round_view, require_decided_labellers(round_view)).scored_blocks, measures
    )
    place = {tag: run for run, tag in enumerate(scores.tags)}
    rows = [place[run] for run in runs]
    column = {qid: number for number, qid in enumerate(store.qids.names.tolist())}
    values = np.full((len(rows), len(column), len(measures)), np.nan)
    values[:, [column[qid] for qid in scores.qids]] = scores.values[rows]
    return RoundScores(name, values)


def _align_topics(several: list[RoundScores], topics: WhichTopics) -> list[RoundScores]:
    if topics is WhichTopics.all:
        return several
    there = np.all([~np.isnan(one.values).all(axis=(0, 2)) for one in several], axis=0)
    if not there.any():
        raise InputError("these rounds have no topic in common")
    return [RoundScores(one.name, one.values[:, there]) for one in several]


def lag_display_rows(rows: Iterable[LagRow]) -> list[dict[str, Any]]:
    """Rows to be shown: without the columns of a pivot where there is none."""
    return [{name: value for name, value in row._asdict().items() if value is not None} for row in rows]
