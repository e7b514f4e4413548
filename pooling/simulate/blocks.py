"""Replays on blocks of topics, as the workers of a cluster read them, and what comes of them on all topics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.join import judge
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints, Qrels, Runs
from cranfield.formats.runs.partitioned import JudgedPart, PartitionedRuns, judged_parts
from cranfield.metrics.notation import parse
from cranfield.metrics.reusability.leave_one_out import means
from cranfield.parallel import WORKERS, in_blocks, in_processes, kept
from cranfield.pooling.simulate.replay import Replayed, ReplayInput, Setting, Trial, everything, play, replay_input

Task = tuple[Trial, int]


class Outcome(NamedTuple):
    """What came of a replay on all topics. The counts are budgets x topics, the scores budgets x runs."""

    documents: Ints
    relevant: Ints
    unjudged: Ints
    scores: Floats


class ReplayBlocks(NamedTuple):
    """What replays start from, by blocks of topics: here, or kept by workers. `judged` has all topics and judgments."""

    judged: Judged
    topics: Sequence[Ints]
    parts: Sequence[Any]
    setting: Setting

    def everything(self) -> Outcome:
        """The pool of all that the pooled runs retrieved, and the scores under all judgments."""
        if len(self.parts) == 1:
            return self._joined([everything(self.parts[0])])
        return self._joined(list(in_blocks(everything, [(part,) for part in self.parts])))

    def played(self, tasks: Sequence[Task], workers: int, progress: Callable[[int], None]) -> Iterator[Outcome]:
        """The outcome of every task, in order."""
        if len(self.parts) == 1:
            found = in_blocks(_played, tasks, self.parts, in_processes(min(workers, len(tasks))))
        else:
            found = in_blocks(play, [(part, *task) for task in tasks for part in self.parts])
        for _ in tasks:
            outcome = self._joined(list(islice(found, len(self.parts))))
            progress(1)
            yield outcome

    def _joined(self, parts: Sequence[Replayed]) -> Outcome:
        documents, relevant, unjudged, scores = (self._column(column) for column in zip(*parts, strict=True))
        measure = parse(self.setting.measure)
        return Outcome(documents, relevant, unjudged, means(scores[..., None], [measure])[..., 0])

    def _column(self, parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
        """What blocks have by topic, for all topics."""
        if len(parts) == 1:
            return parts[0]
        whole = np.empty((*parts[0].shape[:-1], len(self.judged.qids)), parts[0].dtype)
        for topics, part in zip(self.topics, parts, strict=True):
            whole[..., topics] = part
        return whole


def replay_blocks(runs: Runs, qrels: Qrels, setting: Setting) -> ReplayBlocks:
    """What replays start from: one block or, on a cluster, those of a data set, each read by a worker that keeps it.

    A budget for all topics together needs them all.
    """
    if isinstance(runs, PartitionedRuns) and WORKERS.get() and not setting.total:
        bare, parts, topics = judged_parts(runs, qrels)
        return ReplayBlocks(bare, topics, kept(_read, [(part, setting) for part in parts]), setting)
    judged = judge(runs, qrels)
    return ReplayBlocks(judged, [np.arange(len(judged.qids))], [replay_input(runs, judged, qrels, setting)], setting)


def _read(part: JudgedPart, setting: Setting) -> ReplayInput:
    runs = part.runs()
    return replay_input(runs, part.judged(runs), part.qrels, setting)


def _played(trial: Trial, unit: int, on: ReplayInput) -> Replayed:
    return play(on, trial, unit)
