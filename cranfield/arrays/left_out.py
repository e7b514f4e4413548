"""What of a collection an analysis leaves out, and why: gathered while it reads, and said at its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Ints, Mask, Qrels, Runs
from cranfield.text import counted

NAMED = 3  # runs that the line names, with their reasons


@dataclass
class LeftOut:
    """Runs, topics and documents with the reason for each; of each run, how many rows were judged earlier.

    >>> some = LeftOut({"bm25": "wrong index"}, {"7": "", "9": ""}, rows={"a": 1748})
    >>> some.line
    'left out: 1 run (bm25: wrong index), 2 topics, 1,748 rows judged earlier'
    >>> LeftOut(others={"topics not in dev": 1}).line
    'left out: 1 topic not in dev'
    >>> LeftOut().line, LeftOut().record
    ('', {})
    """

    runs: dict[str, str] = field(default_factory=dict)
    topics: dict[str, str] = field(default_factory=dict)
    documents: dict[str, str] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    others: dict[str, int] = field(default_factory=dict)  # what else, in words, and how many

    @property
    def line(self) -> str:
        """All of it in one line; empty where there is nothing."""
        parts = [_some(self.runs, "run"), _some(self.topics, "topic"), _some(self.documents, "document")]
        parts += [f"{number:,} {what.replace('s ', ' ', number == 1)}" for what, number in self.others.items()]
        if number := sum(self.rows.values()):
            parts.append(f"{counted(number, 'row')} judged earlier")
        said = ", ".join(filter(None, parts))
        return f"left out: {said}" if said else ""

    @property
    def record(self) -> dict[str, Any]:
        """The same for JSON, without what is empty."""
        said: dict[str, Any] = {"runs": self.runs, "topics": self.topics, "documents": self.documents, **self.others}
        said["rows_judged_earlier"] = {tag: number for tag, number in self.rows.items() if number}
        return {name: dict(value) if isinstance(value, dict) else value for name, value in said.items() if value}


def _some(names: Mapping[str, str], noun: str) -> str:
    """How many there are, and the reasons: of a few each, of more those that are not said twice."""
    if not names:
        return ""
    told = [f"{name}: {why}" if len(names) <= NAMED and noun == "run" else why for name, why in names.items() if why]
    reasons = list(dict.fromkeys(told))
    more = ", ..." * (len(reasons) > NAMED)
    return counted(len(names), noun) + (f" ({', '.join(reasons[:NAMED])}{more})" if reasons else "")


NOTED: ContextVar[LeftOut | None] = ContextVar("NOTED", default=None)  # of the command or function that runs


@contextmanager
def noting() -> Iterator[LeftOut]:
    """Gather what is left out meanwhile; inside another such block it is gathered there as well.

    >>> with noting() as found:
    ...     noted().topics["7"] = "withdrawn"
    >>> found.line
    'left out: 1 topic (withdrawn)'
    """
    outer, found = NOTED.get(), LeftOut()
    token = NOTED.set(found)
    try:
        yield found
    finally:
        NOTED.reset(token)
        if outer is not None:
            for name, own in vars(found).items():
                getattr(outer, name).update(own)


def noted() -> LeftOut:
    """Where what is left out is noted."""
    found = NOTED.get()
    return LeftOut() if found is None else found


TOPICS: ContextVar[str] = ContextVar("TOPICS", default="")  # the set of topics that is asked for: its name, or a file


@contextmanager
def on_set(name: str) -> Iterator[None]:
    """Let analyses take these topics meanwhile: a set of the store by its name, or the file of a list."""
    token = TOPICS.set(name)
    try:
        yield
    finally:
        TOPICS.reset(token)


PAIR = 1 << 32  # above every document: a pair is topic * PAIR + document


@dataclass(frozen=True, eq=False)
class Selection:
    """What counts, over the numbers of topics and documents of some runs and judgments.

    `topics` is a mask of the topics that count. `document` is the number by which each document goes now, -1 for one
    that is left out. `earlier` are the pairs judged before, as `pair_keys` gives them. A ranking
    ends at `most`. What is None changes nothing.

    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> runs, qrels = as_runs({"q": {"old": 3.0, "gone": 2.0, "new": 1.0}}), as_qrels({"q": {"old": 1}})
    >>> number = {name: at for at, name in enumerate(runs.docnos.names)}
    >>> document = np.array([number["new"] if name == "old" else number[name] for name in number])
    >>> document[number["gone"]] = -1
    >>> kept = Selection(document=document).of_runs(runs)
    >>> kept.docnos.names[kept.document].tolist(), kept.score
    (['new'], array([3.]))
    """

    topics: Mask | None = None
    document: Ints | None = None
    earlier: Ints | None = None
    most: int | None = None

    @property
    def changes_nothing(self) -> bool:
        """Whether all counts as it is."""
        return self.topics is None and self.document is None and self.earlier is None and self.most is None

    def of_runs(self, runs: Runs) -> Runs:
        """The rows that count; how many were judged earlier is noted for each run."""
        if self.changes_nothing:
            return runs
        if self.topics is not None:
            runs = runs.rows(self.topics[runs.topic])
        if self.document is not None:
            runs = _first_of_each(replace(runs, document=self.document[runs.document]))
        if self.earlier is not None:
            known = self._known(runs.topic, runs.document)
            number = np.bincount(runs.run[known], minlength=len(runs.tags))
            noted().rows.update(zip(runs.tags, number.tolist(), strict=True))
            runs = runs.rows(~known)
        return runs if self.most is None else runs.rows(runs.rank <= self.most)

    def rows_of(self, qrels: Qrels) -> Ints:
        """Which judgments count, by topic and document; of two of one document now, the one by its present name."""
        now = qrels.document if self.document is None else self.document[qrels.document]
        counts = now >= 0
        if self.topics is not None:
            counts &= self.topics[qrels.topic]
        if self.earlier is not None:
            counts &= ~self._known(qrels.topic, now)
        rows = np.flatnonzero(counts)
        order = rows[np.lexsort((now[rows] != qrels.document[rows], now[rows], qrels.topic[rows]))]
        return order[_first(qrels.topic[order], now[order])]

    def of_qrels(self, qrels: Qrels) -> Qrels:
        """These judgments, by the present names of their documents."""
        kept = qrels.rows(self.rows_of(qrels))
        return kept if self.document is None else replace(kept, document=self.document[kept.document])

    def _known(self, topic: Ints, document: Ints) -> Mask:
        keys = np.zeros(0, np.int64) if self.earlier is None else self.earlier
        known: Mask = np.isin(topic * PAIR + document, keys)
        return known


def pair_keys(topic: Ints, document: Ints) -> Ints:
    """Pairs as Selection has them.

    >>> pair_keys(np.array([1, 0]), np.array([0, 5])).tolist()
    [5, 4294967296]
    """
    return np.unique(topic * PAIR + document)


def _first_of_each(runs: Runs) -> Runs:
    """Without documents that are left out, and without the second of two that go by one name now."""
    runs = runs.rows(runs.document >= 0)
    order = np.lexsort((runs.rank, runs.document, runs.groups))
    return runs.rows(np.sort(order[_first(runs.groups[order], runs.document[order])]))


def _first(topic: Ints, document: Ints) -> Mask:
    """Of sorted pairs, the first of each."""
    first: Mask = (np.diff(topic, prepend=-1) != 0) | (np.diff(document, prepend=-1) != 0)
    return first
