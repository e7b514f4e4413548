"""What of a source a rehearsal plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.pooling.verify.verify import pooled_pairs

if TYPE_CHECKING:
    from cranfield.arrays.judged import Judged
    from cranfield.source import Source


def judged_pool(source: Source, depth: int | None) -> tuple[Judged, int]:
    """The judged documents of the pool, and how many of it are not judged."""
    judged = source.judged
    if source.qrels.stratum is not None:  # there a negative grade is a document that was not drawn
        judged = judged.only(judged.qrels_grade >= 0)
    if depth is None:
        return judged, 0
    pooled = np.zeros(len(judged.qrels_grade), bool)
    pooled[judged.judgment[judged.rank <= depth]] = True
    every = pooled_pairs(source.runs, source.qrels, np.full(len(source.runs.tags), depth))
    return judged.only(pooled), len(every) - int(pooled.sum())
