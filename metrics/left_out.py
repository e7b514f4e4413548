"""Everybody scored anew without the judgments that a left-out unit alone brought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.judged import Judged
from cranfield.rankings import Floats, Ints, Mask

from .correlation import kendall_tau, tau_ap
from .evaluate import aggregate, score
from .findings import Change, Unit
from .flips import claims, flips
from .measure import Measure

Units = Mapping[str, Sequence[str]]


def left_out(
    judged: Judged, units: Units, lost: Sequence[Mask], measures: Sequence[Measure], rel: int = 1
) -> tuple[Unit, ...]:
    """What each unit would have lost; `lost` has for each a mask over the judgments that would not be there."""
    worlds = _worlds(judged, measures)
    full = score(judged, measures)
    claimed = [claims(full[..., at]) for at in range(len(measures))]
    return tuple(
        _unit(judged, name, tags, without, rel, measures, full, claimed, worlds)
        for (name, tags), without in zip(units.items(), lost, strict=True)
    )


@dataclass(frozen=True, eq=False)
class _World:
    """The judgments that some of the measures look at."""

    judged: Judged
    kept: Mask  # per judgment of all: is it looked at?
    measures: tuple[Measure, ...]
    columns: list[int]  # where these measures stand among all


def _worlds(judged: Judged, measures: Sequence[Measure]) -> list[_World]:
    """Most measures do not look at what was judged not relevant, which is most of the judgments."""
    worlds = []
    for looks, kept in ((True, np.ones(len(judged.qrels_grade), bool)), (False, judged.qrels_grade > 0)):
        columns = [i for i, m in enumerate(measures) if looks == m.sees_nonrelevant]
        if columns:
            worlds.append(_World(judged.only(kept), kept, tuple(measures[i] for i in columns), columns))
    return worlds


def _rescored(worlds: list[_World], full: Floats, lost: Mask) -> Floats:
    """The scores (runs, topics, measures) without the lost judgments; only the topics that lose any change."""
    scores = full.copy()
    for world in worlds:
        losing = lost[world.kept]
        topics = np.unique(world.judged.qrels_topic[losing])
        if len(topics):
            rest = ~losing[np.isin(world.judged.qrels_topic, topics)]
            scores[:, topics[:, None], world.columns] = score(world.judged.at(topics).only(rest), world.measures)
    return scores


def _unit(
    judged: Judged,
    name: str,
    tags: Sequence[str],
    lost: Mask,
    rel: int,
    measures: Sequence[Measure],
    full: Floats,
    claimed: Sequence[Ints],
    worlds: list[_World],
) -> Unit:
    """What the unit that lost these judgments would have lost in score and rank."""
    reduced = _rescored(worlds, full, lost) if lost.any() else full
    before, after = aggregate(full, measures), aggregate(reduced, measures)
    own = [judged.tags.index(tag) for tag in tags]
    names = [str(measure) for measure in measures]
    columns = list(zip(names, before.T, after.T, strict=True))
    return Unit(
        unit=name,
        runs=tuple(tags),
        unique=int(np.sum(lost & (judged.qrels_grade >= 0))),
        unique_relevant=int(np.sum(lost & (judged.qrels_grade >= rel))),
        tau={measure: kendall_tau(x, y) for measure, x, y in columns},
        tau_ap={measure: tau_ap(truth=x, estimate=y) for measure, x, y in columns},
        flips={
            measure: flips(claimed[at], claims(reduced[..., at]) if lost.any() else claimed[at])
            for at, measure in enumerate(names)
        },
        changes=tuple(_change(judged.tags[run], measure, x, y, run) for run in own for measure, x, y in columns),
    )


def _change(tag: str, measure: str, before: Floats, after: Floats, run: int) -> Change:
    alone = before.copy()
    alone[run] = after[run]
    ranks = rank(before, run), rank(after, run), rank(alone, run)
    return Change(tag, measure, float(before[run]), float(after[run]), *ranks)


def rank(scores: Floats, run: int) -> int:
    """The rank of a run among all by their scores; tied runs share the better rank, an undefined score is last.

    >>> rank(np.array([0.2, 0.3, 0.2, np.nan]), 2), rank(np.array([0.2, 0.3, 0.2, np.nan]), 3)
    (2, 4)
    """
    defined = np.nan_to_num(scores, nan=-np.inf)
    return int(np.sum(defined > defined[run])) + 1
