"""What a task would cost to judge if it closed now: the pool of the runs that stand."""

from collections import Counter
from typing import NamedTuple

from cranfield.features.tasks.store import task_of
from cranfield.features.tasks.submissions import Submission, rules_of, runs_of, standing
from cranfield.pooling.build import depth_pool
from cranfield.pooling.stored.contents import seconds_each
from cranfield.store.store import Store
from cranfield.text import counted


class TaskCost(NamedTuple):
    """The pool of the runs that stand: how many runs of how many teams, documents to judge, the time for them."""

    runs: int
    teams: int
    depth: int
    documents: int
    hours: float | None  # at the median pace in this store

    def __str__(self) -> str:
        of = f"{counted(self.runs, 'run')} of {counted(self.teams, 'team')} to depth {self.depth}"
        hours = "" if self.hours is None else f", {self.hours:,.1f} hours at the pace of this store"
        return f"closed now, {of} would be pooled: {counted(self.documents, 'document')} to judge{hours}"


def cost_of(store: Store) -> TaskCost:
    """The cost if the task closed now, by its depth and runs per team, without what was judged in earlier rounds."""
    task, rules = task_of(store), rules_of(store, "")
    first = _first(standing(store), task.per_team)
    pooled = {(one.qid, one.docno) for run in runs_of(store, first) for one in depth_pool(run, task.depth)}
    new = sum((qid.encode(), docno.encode()) not in rules.judged for qid, docno in pooled)
    seconds = seconds_each(store)
    hours = None if seconds is None else new * seconds / 3600
    return TaskCost(len(first), len({one.team for one in first}), task.depth, new, hours)


def _first(runs: list[Submission], each: int) -> list[Submission]:
    """The first runs of each team that are in time."""
    before = Counter[str]()
    found = []
    for one in runs:
        if not one.late and before[one.team] < each:
            found.append(one)
            before[one.team] += 1
    return found
