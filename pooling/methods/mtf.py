"""Move-to-front: stay with a run while it yields relevant documents, else turn to another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np

from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import Method, MethodOption, StepByStep


class MoveToFront(StepByStep):
    """Priorities are at most 0; -inf is a run that is at its end.

    r1's b is relevant: r1 stays in front until c, not relevant, puts it behind r2. d makes them tie, and r2 stays.

    >>> from cranfield.pooling.examples import example, judged
    >>> topic = example("b c e", "d f")
    >>> judged(topic, MTF.start(topic, seed=3), relevant="b")
    'b c d f e'
    """

    def __init__(self, topic: Candidates, options: Mapping[str, Any], seed: int) -> None:
        super().__init__(topic, seed)
        self.forgives = options["reset"] == "paper"
        self.priority = np.where(topic.lengths > 0, 0.0, -np.inf)
        self.front = -1
        self.place = np.zeros(len(topic.tags), np.int64)
        self.relevant = np.zeros(len(topic), bool)
        self.waiting: defaultdict[int, list[int]] = defaultdict(list)  # runs lowered by a pending document

    @property
    def promise(self) -> float:
        """The highest priority of a run."""
        return float(self.priority.max())

    def choose(self) -> int:
        while True:
            run = self._front()
            document = int(self.topic.lists[run][self.place[run]])
            if self.relevant[document]:
                self._reward(run)
            else:
                self.priority[run] -= 1
            self.place[run] += 1
            if not self.known[document]:
                self.waiting[document].append(run)
            if self.place[run] == len(self.topic.lists[run]):
                self.priority[run] = -np.inf
            if self.open[document]:
                return document

    def _front(self) -> int:
        highest = self.priority.max()
        if self.front < 0 or self.priority[self.front] != highest:
            first = np.flatnonzero(self.priority == highest)
            self.front = int(first[self.random.integers(len(first))])
        return self.front

    def _reward(self, run: int) -> None:
        if self.forgives:
            self.priority[run] = 0

    def learn(self, document: int, relevant: bool) -> None:
        self.relevant[document] = relevant
        for run in self.waiting.pop(document, ()):
            if relevant and np.isfinite(self.priority[run]):
                self.priority[run] = 0 if self.forgives else self.priority[run] + 1


MTF = Method(
    "mtf", "stays with a run while it yields relevant documents", MoveToFront,
    (
        MethodOption("reset", "paper", "what a relevant document does to a run's priority", ("paper", "decay")),
        MethodOption("scope", "local", "whether topics compete for one budget, --total", ("local", "global")),
    ),
    adaptive=True, random=True, source="Cormack, Palmer and Clarke, SIGIR 1998", explanation="""
Move-to-front: stay with a run while it yields relevant documents, else turn to another.

Runs have priorities, all equal at first. The next document of a run of the highest priority is taken. If it is
relevant, or was judged relevant by way of another run, the run's priority becomes the highest again ("paper"); else it
is lowered by one. With "decay" a relevant document leaves the priority as it is, so that it only ever falls: this is
what public re-implementations do, and on TREC-8 it found less. Among runs that tie, the one in front stays there; else
chance decides.

With scope=local every topic has a budget of its own; with scope=global all topics have one, `--total`, and a document
is taken from a run of the highest priority in any topic (`budget.py`).

Good: finds relevant documents fast, the wait since the last one tells how many are left. Bad: unfair to runs whose
relevant documents come late. Source: Cormack, Palmer and Clarke, Efficient construction of large test collections,
SIGIR 1998.
""")  # fmt: skip
