"""The judged documents of a source that a rehearsal replays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.pooling.verify.verify import pooled_pairs

if TYPE_CHECKING:
    from cranfield.arrays.judged import Judged
    from cranfield.source import Source


def judged_pool(source: Source, depth: int | None) -> tuple[Judged, int]:
    """The judged documents of the pool, and the number of unjudged ones."""
    judged = source.judged.without_unjudged()
    if depth is None:
        return judged, 0
    pooled = np.zeros(len(judged.qrels_grade), bool)
    pooled[judged.judgment[judged.rank <= depth]] = True
    every = pooled_pairs(source.runs, source.qrels, np.full(len(source.runs.tags), depth))
    return judged.only(pooled), len(every) - int(pooled.sum())
