"""Leave-one-out: what a system loses that did not help to build a test collection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np

from cranfield.arrays.judged import Judged, JudgedBlocks, as_judged_blocks
from cranfield.arrays.rankings import Floats, Ints, Mask, is_judged
from cranfield.errors import InputError
from cranfield.metrics.correlation.coefficients import DIGITS, kendall_tau, tau_ap
from cranfield.metrics.evaluate import aggregate_scores
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse_measures
from cranfield.metrics.reusability.judgment_subsets import Worlds, score_subsets
from cranfield.metrics.reusability.results import (
    Flips,
    PoolOverlap,
    Reusability,
    ScoreChange,
    UnitResult,
    count_claim_flips,
    significance_matrix,
)

Units = Mapping[str, Sequence[str]]


def score_without(
    judged: Judged | JudgedBlocks, units: Units, losses: Sequence[Mask], measures: Sequence[Measure], rel: int = 1
) -> tuple[UnitResult, ...]:
    """What each unit would have lost; `losses` has for each a mask over the judgments that would be missing."""
    bare = as_judged_blocks(judged).bare
    subsets = ~np.stack([np.zeros(len(bare.qrels_grade), bool), *losses])  # no unit is left out of the first
    scores = score_subsets(judged, measures, Worlds(subsets)).scores_of_subsets(np.arange(len(subsets)))
    return results_of(bare, units, losses, scores, measures, rel=rel)


def results_of(
    bare: Judged, units: Units, losses: Sequence[Mask], scores: Floats, measures: Sequence[Measure], *, rel: int = 1
) -> tuple[UnitResult, ...]:
    """What each unit loses, from the scores with all judgments and without each: (1 + units, runs, topics, measures).

    `bare` has the judgments that `losses` are of.
    """
    full, *outcomes = _outcomes(measures, scores)
    shift = cache(_shift)
    return tuple(
        _unit(
            bare,
            name,
            tags,
            lost=without,
            rel=rel,
            outcomes={at: (full[at], outcome[at], shift(full[at], outcome[at])) for at in full},
        )
        for (name, tags), without, outcome in zip(units.items(), losses, outcomes, strict=True)
    )


def means(scores: Floats, measures: Sequence[Measure]) -> Floats:
    """The scores over topics, (..., runs, measures), without the last digits: rounding must not order what ties."""
    return np.round(aggregate_scores(scores, measures), DIGITS)


@dataclass(frozen=True, eq=False)
class _Outcome:
    """The outcome of all runs by one measure: their means, and their scores (runs, topics)."""

    means: Floats
    scores: Floats

    @cached_property
    def claims(self) -> Ints:
        """Which run is better than which."""
        return significance_matrix(self.scores)


class _Shift(NamedTuple):
    """How two outcomes by one measure differ."""

    tau: float
    tau_ap: float
    flips: Flips


def _outcomes(measures: Sequence[Measure], scores: Floats) -> Iterator[dict[str, _Outcome]]:
    """Each of the scores (runs, topics, measures), by measure; what is equal is the same object."""
    earlier: dict[tuple[str, bytes], _Outcome] = {}
    for mean, one in zip(means(scores, measures), scores, strict=True):
        columns = zip(map(str, measures), mean.T, np.moveaxis(one, -1, 0), strict=True)
        yield {name: earlier.setdefault((name, of.tobytes()), _Outcome(average, of)) for name, average, of in columns}


def _shift(full: _Outcome, without: _Outcome) -> _Shift:
    before, after = full.means, without.means
    return _Shift(kendall_tau(before, after), tau_ap(before, after), count_claim_flips(full.claims, without.claims))


def _unit(
    judged: Judged,
    name: str,
    tags: Sequence[str],
    *,
    lost: Mask,
    rel: int,
    outcomes: Mapping[str, tuple[_Outcome, _Outcome, _Shift]],
) -> UnitResult:
    """What the unit that lost these judgments would have lost in score and rank; `outcomes` is by measure."""
    return UnitResult(
        unit=name,
        runs=tuple(tags),
        unique=int(np.count_nonzero(lost & is_judged(judged.qrels_grade))),
        unique_relevant=int(np.count_nonzero(lost & (judged.qrels_grade >= rel))),
        tau={measure: shift.tau for measure, (_, _, shift) in outcomes.items()},
        tau_ap={measure: shift.tau_ap for measure, (_, _, shift) in outcomes.items()},
        flips={measure: shift.flips for measure, (_, _, shift) in outcomes.items()},
        changes=score_changes_of_runs(
            judged.tags, tags, {at: (before.means, after.means) for at, (before, after, _) in outcomes.items()}
        ),
    )


def score_changes_of_runs(
    tags: Sequence[str], own: Sequence[str], scores: Mapping[str, tuple[Floats, Floats]]
) -> tuple[ScoreChange, ...]:
    """How a unit's own runs change; `scores` are, by measure, those of all runs `tags` with the unit and without."""
    return tuple(_change(tag, measure, *both, tags.index(tag)) for tag in own for measure, both in scores.items())


def _change(tag: str, measure: str, before: Floats, after: Floats, run: int) -> ScoreChange:
    alone = before.copy()
    alone[run] = after[run]
    ranks = run_rank(before, run), run_rank(after, run), run_rank(alone, run)
    return ScoreChange(tag, measure, float(before[run]), float(after[run]), *ranks)


def run_rank(scores: Floats, run: int) -> int:
    """The rank of a run among all by their scores; tied runs share the better rank, an undefined score is last.

    >>> run_rank(np.array([0.2, 0.3, 0.2, np.nan]), 2), run_rank(np.array([0.2, 0.3, 0.2, np.nan]), 3)
    (2, 4)
    """
    above = ~np.isnan(scores) if np.isnan(scores[run]) else scores > scores[run]
    return int(np.count_nonzero(above)) + 1


NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class PoolEntry:
    """How each judged document entered the pool: the best rank that any unit gave it, and the best of another unit.

    One pass serves every depth: a document is in the pool of depth k if first <= k, and unique to one unit if also
    second > k.
    """

    unit: Ints  # per judgment, -1 if no unit retrieved it
    first: Ints
    second: Ints

    def select_units(self, part: Ints) -> PoolEntry:
        """The same for some of the judgments."""
        return PoolEntry(self.unit[part], self.first[part], self.second[part])

    def pooled(self, depth: int | Ints) -> Mask:
        """Per judgment: is it in the pool of this depth?"""
        return self.first <= depth

    def unique(self, depth: int | Ints) -> Ints:
        """Per judgment: the unit that alone contributed it to the pool of this depth, -1 if there is none."""
        return np.where((self.first <= depth) & (self.second > depth), self.unit, -1)


def pool_entry(judged: Judged, unit: Ints, protected: Mask | None = None) -> PoolEntry:
    """The entry of every judged document; `unit` is the unit of each row of `judged`, -1 if it did not contribute.

    A document in `protected` has another origin, too, so it is unique to none.
    """
    size = len(judged.qrels_topic)
    best = np.full(size, -1)
    first = _least_ranks(judged, unit >= 0, size)
    first_judged = np.flatnonzero((unit >= 0) & (judged.rank == first[judged.judgment]))
    best[judged.judgment[first_judged]] = unit[first_judged]
    second = _least_ranks(judged, (unit >= 0) & (unit != best[judged.judgment]), size)
    return PoolEntry(best, first, second if protected is None else np.where(protected, 0, second))


def pool_entries(
    judged: Judged | JudgedBlocks, units: Units, depth: int | Mapping[str, int], protected: Mask | None = None
) -> PoolEntry:
    """The entry of every judged document where the units' runs were pooled to a depth, for all or by run."""
    blocks = as_judged_blocks(judged)
    entries = blocks.map_blocks(
        _entries, (units, depth), lambda judgments: (None if protected is None else protected[judgments],)
    )
    unit, first, second = np.empty((3, len(blocks.bare.qrels_grade)), np.int64)
    for part, of in zip(blocks.judgments, entries, strict=True):
        unit[part], first[part], second[part] = of.unit, of.first, of.second
    return PoolEntry(unit, first, second)


def _entries(judged: Judged, protected: Mask | None, units: Units, depth: int | Mapping[str, int]) -> PoolEntry:
    """The same for one block."""
    top = judged.rows(judged.rank <= max(_unit_depths(units, depth).values(), default=0))
    return pool_entry(top, unit_of_rows(top, units, depth), protected)


def _least_ranks(judged: Judged, rows: Mask, size: int) -> Ints:
    """Per judgment: its least rank in these rows."""
    least = np.full(size, NEVER)
    np.minimum.at(least, judged.judgment[rows], judged.rank[rows])
    return least


def leave_one_out(
    judged: Judged | JudgedBlocks,
    units: Units,
    depth: int | Mapping[str, int],
    *,
    measures: str | Measure | Iterable[str | Measure] = ("AP", "nDCG@10", "P@10"),
    protected: Mask | None = None,
    by: str = "run",
    pool_documents: int | None = None,
    rel: int = 1,
    relevant_only: bool = False,
) -> Reusability:
    """What each unit would have lost, had it not contributed to the pool.

    Each unit (a run, a team, ...) is taken out of the pool in turn: the judged documents that it alone contributed
    become unjudged, relevant or not, and every run is scored again. What the unit's own runs lose is what a system of
    its kind would have lost, had it come later.

    Read the changes of own scores and the rank drops first, the correlation of the whole ranking last: one run among
    many hardly changes it. It misleads where the units resemble each other, since then nothing is unique to any; by run
    where a team submitted near-duplicates (use teams); where the pool is not of depth k; and where pooled runs are
    missing (what they contributed seems unique to others) or runs that were not pooled are included (they hide what
    others contributed).

    Sources: Zobel, How reliable are the results of large-scale information retrieval experiments?, SIGIR 1998; Buckley,
    Dimmick, Soboroff and Voorhees, Bias and the limits of pooling, Information Retrieval 10, 2007; removing documents
    judged not relevant too: Büttcher et al., Reliable information retrieval evaluation with incomplete and biased
    judgements, SIGIR 2007.

    `units` are the pooled runs by unit; `depth` is how deep they were pooled, for all or by run. `protected` is a mask
    over the judgments of `judged`: those with another origin, too, such as an earlier round.
    `pool_documents` is the size of the pool, judged or not, for the report. `relevant_only` removes only relevant
    unique documents: an older practice, equal for AP, P and nDCG, which hides that Bpref overestimates outsiders.

    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> from cranfield.arrays.join import join_runs_and_qrels
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> judged = join_runs_and_qrels(as_runs(runs), as_qrels({"q": {"d1": 1, "d2": 1, "d3": 0}}))
    >>> without_a, without_b = leave_one_out(judged, {"a": ["a"], "b": ["b"]}, 2, measures=["R", "P@1"]).units
    >>> without_a.unique, without_a.unique_relevant, without_a.changes[1].reduced
    (1, 1, 0.0)
    >>> without_b.unique, without_b.unique_relevant, without_b.changes[0].change_percent  # d3 is not relevant
    (1, 0, 0.0)
    """
    measure_list, blocks = parse_measures(measures), as_judged_blocks(judged)
    entry, bare = pool_entries(blocks, units, depth, protected), blocks.bare
    deepest = max(_unit_depths(units, depth).values(), default=0)
    unique, relevant = entry.unique(deepest), bare.qrels_grade >= rel
    removable = relevant if relevant_only else np.ones_like(relevant)
    losses = [(unique == number) & removable for number in range(len(units))]
    results = score_without(blocks, units, losses, measure_list, rel)
    pool = pool_overlap(bare, entry.pooled(deepest), pool_documents, protected, rel)
    return Reusability(by, depth, len(bare.qids), pool=pool, measures=tuple(map(str, measure_list)), units=results)


def unit_of_rows(judged: Judged, units: Units, depth: int | Mapping[str, int]) -> Ints:
    """The unit of each row that is in the pool, -1 for the others."""
    number = {tag: i for i, tags in enumerate(units.values()) for tag in tags}
    depths = _unit_depths(units, depth)
    _check_units(judged, units, depths)
    run = judged.ranking // max(len(judged.qids), 1)
    unit_of_run = np.array([number.get(tag, -1) for tag in judged.tags])
    depth_of_run = np.array([depths.get(tag, 0) for tag in judged.tags])
    return np.where(judged.rank <= depth_of_run[run], unit_of_run[run], -1)


def _unit_depths(units: Units, depth: int | Mapping[str, int]) -> dict[str, int]:
    tags = [tag for tags in units.values() for tag in tags]
    if not isinstance(depth, Mapping):
        return dict.fromkeys(tags, depth)
    missing = [tag for tag in tags if tag not in depth]
    if missing:
        raise InputError(f"there is no depth for the pooled run '{missing[0]}'")
    return {tag: depth[tag] for tag in tags}


def _check_units(judged: Judged, units: Units, depths: Mapping[str, int]) -> None:
    unknown = [tag for tag in depths if tag not in judged.tags]
    if unknown:
        raise InputError(f"the pooled run '{unknown[0]}' is not among the runs")
    if len(depths) < sum(map(len, units.values())):
        raise InputError("a run is in two units; expected each run in one unit")
    shallow = [tag for tag, depth in depths.items() if depth < 1]
    if shallow:
        raise InputError(f"the depth of run '{shallow[0]}' is {depths[shallow[0]]}; expected at least 1")


def pool_overlap(
    judged: Judged, pooled: Mask, documents: int | None = None, protected: Mask | None = None, rel: int = 1
) -> PoolOverlap:
    """How a pool and the judgments overlap; `pooled` is a mask over the judgments, `documents` the pool's size."""
    graded, relevant = is_judged(judged.qrels_grade), judged.qrels_grade >= max(rel, 0)
    outside = ~pooled if protected is None else ~pooled & ~protected
    inside = int(np.sum(graded & pooled))
    return PoolOverlap(
        documents,
        inside,
        None if documents is None else documents - inside,
        judged_outside=int(np.sum(graded & ~pooled)),
        relevant=int(np.sum(relevant & pooled)),
        unexplained=int(np.sum(graded & outside)),
        relevant_unexplained=int(np.sum(relevant & outside)),
    )
