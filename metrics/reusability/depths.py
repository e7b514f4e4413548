"""Depths of a pool: what each shallower pool would have cost, and what it would have changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.arrays.judged import Judged, JudgedBlocks, as_judged_blocks
from cranfield.arrays.rankings import Floats, Ints, Mask, is_judged
from cranfield.errors import InputError
from cranfield.lazy import former_names
from cranfield.metrics.correlation.coefficients import kendall_tau
from cranfield.metrics.evaluate import score
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse_measures
from cranfield.metrics.reusability.judgment_subsets import score_subsets
from cranfield.metrics.reusability.leave_one_out import PoolEntry, Units, means, pool_entries, score_changes_of_runs
from cranfield.metrics.reusability.results import ScoreChange, own_score_losses

if TYPE_CHECKING:
    from pandas import DataFrame


def by_depth(
    judged: Judged,
    units: Units,
    depths: Sequence[int],
    *,
    measures: str | Measure | Iterable[str | Measure] = "AP",
    protected: Mask | None = None,
    rel: int = 1,
    progress: Callable[[int], object] | None = None,
    limits: Mapping[str, int] | None = None,
) -> DataFrame:
    """One row per depth and measure: judged and relevant documents, tau with the full collection's ranking, own losses.

    For a collection whose pool of depth k was judged, every depth up to k is a collection, too. `by_depth` shows how
    many documents each would have judged and found relevant, how it would rank the systems, and how much a left-out
    unit would lose. It tells at which depth judging could have stopped; it says nothing about depths beyond k, which
    were never judged.

    Source: the depth study of Zobel, How reliable are the results of large-scale information retrieval experiments?,
    SIGIR 1998, with leave-one-out at every depth.

    `protected` judgments have another origin and are there at every depth; `limits` are the depths of single runs that
    were pooled less deeply. All depths are scored together, topic by topic; `progress` is called after each.

    >>> from cranfield.arrays.join import join_runs_and_qrels
    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> judged = join_runs_and_qrels(as_runs(runs), as_qrels({"q": {"d1": 1, "d2": 1, "d3": 0}}))
    >>> table = by_depth(judged, {"a": ["a"], "b": ["b"]}, [1, 2], measures="P@1")
    >>> table[["depth", "judged", "relevant", "max_change_percent"]].values.tolist()
    [[1.0, 2.0, 2.0, 100.0], [2.0, 3.0, 2.0, 100.0]]
    """
    import pandas as pd

    return pd.DataFrame(
        [
            one.row()
            for one in leave_out_at_each_depth(
                judged, units, depths, measures=measures, protected=protected, rel=rel, progress=progress, limits=limits
            )
        ]
    )


class DepthResult(NamedTuple):
    """A pool of one depth, by one measure: its size, its tau with the full collection, and what left-out runs lose."""

    depth: int
    judged: int
    relevant: int
    measure: str
    tau: float
    changes: tuple[ScoreChange, ...]

    def row(self) -> dict[str, Any]:
        """The same in numbers."""
        plain = self._asdict()
        del plain["changes"]
        return plain | own_score_losses(self.changes)


def leave_out_at_each_depth(
    judged: Judged | JudgedBlocks,
    units: Units,
    depths: Sequence[int],
    *,
    measures: str | Measure | Iterable[str | Measure] = "AP",
    protected: Mask | None = None,
    rel: int = 1,
    progress: Callable[[int], object] | None = None,
    limits: Mapping[str, int] | None = None,
) -> list[DepthResult]:
    """The pools of each depth, as `by_depth` has them, each with the change of every left-out run."""
    if min(depths) < 1:
        raise InputError(f"a depth is {min(depths)}; expected at least 1")
    measure_list, blocks = parse_measures(measures), as_judged_blocks(judged)
    bare = blocks.bare
    if protected is None:
        protected = np.zeros(len(bare.qrels_grade), bool)
    deep = {tag: min((limits or {}).get(tag, max(depths)), max(depths)) for tags in units.values() for tag in tags}
    entry = pool_entries(blocks, units, deep, protected)
    subsets = score_subsets(blocks, measure_list, DepthWorlds(entry, protected, depths, len(units)), progress)
    full = means(score(blocks, measure_list), measure_list)
    rows: list[DepthResult] = []
    for number, depth in enumerate(depths):
        grades = bare.qrels_grade[entry.pooled(depth) | protected]
        size = depth, int(np.sum(is_judged(grades))), int(np.sum(grades >= rel))
        some, similar_subsets = subsets.distinct_subsets(np.arange(len(units) + 1) + number * (len(units) + 1))
        scores = means(subsets.scores_of_subsets(some), measure_list)[similar_subsets]
        rows += _depth_by_measure(size, bare.tags, units, measures=measure_list, full=full, scores=scores)
    return rows


class DepthWorlds(NamedTuple):
    """One subset per depth and, within it, for no unit and then each unit left out: the judgments there would be."""

    entry: PoolEntry
    protected: Mask
    depths: Sequence[int]
    units: int

    def select_judgments(self, judgments: Ints) -> DepthWorlds:
        """The same for some of the judgments."""
        return self._replace(entry=self.entry.select_units(judgments), protected=self.protected[judgments])

    def mask_of(self, part: Ints) -> Mask:
        """The mask (subsets, judgments) for part of the judgments."""
        entry, protected = self.entry.select_units(part), self.protected[part]
        depth, left_out = np.array(self.depths)[:, None], np.arange(self.units)[:, None]
        pooled, unique = entry.pooled(depth) | protected, entry.unique(depth)
        without = pooled[:, None] & (unique[:, None] != left_out)
        return np.concatenate([pooled[:, None], without], axis=1).reshape(len(self.depths) * (self.units + 1), -1)


def _depth_by_measure(
    size: tuple[int, int, int],
    tags: Sequence[str],
    units: Units,
    *,
    measures: Sequence[Measure],
    full: Floats,
    scores: Floats,
) -> Iterator[DepthResult]:
    """By measure: tau of one depth's scores with the `full` ones, and what units lose; scores are (runs, measures).

    `scores` has one such array for nobody and then for each unit left out.
    """
    for column, measure in enumerate(map(str, measures)):
        before, *after = scores[..., column]
        own = tuple(
            change
            for unit, runs in enumerate(units.values())
            for change in score_changes_of_runs(tags, runs, {measure: (before, after[unit])})
        )
        yield DepthResult(*size, measure, kendall_tau(full[:, column], before), own)


__getattr__ = former_names(__name__, {"dial": "by_depth"})
