"""Runs, judgments, and the one place where they meet: arrays that know nothing else.

Here is which topics count, and what of a collection an analysis leaves out: gathered while it reads, said at its end.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from cranfield.text import counted


class WhichTopics(StrEnum):
    """The topics that count: all that were judged, or of these the ones that all runs answered."""

    all = "all"
    common = "common"


NO_SETS: frozenset[str] = frozenset(WhichTopics)  # what no set of topics can be called
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
    labelled_by: dict[str, Any] = field(default_factory=dict)  # whose labels scored, and by which policy

    @property
    def line(self) -> str:
        """All of it in one line; empty where there is nothing."""
        if not any(value for name, value in vars(self).items() if name != "labelled_by"):
            return ""
        parts = [_some(self.runs, "run"), _some(self.topics, "topic"), _some(self.documents, "document")]
        parts += [f"{number:,} {what.replace('s ', ' ', number == 1)}" for what, number in self.others.items()]
        if number := sum(self.rows.values()):
            parts.append(f"{counted(number, 'row')} judged earlier")
        words = ", ".join(filter(None, parts))
        return f"left out: {words}" if words else ""

    @property
    def record(self) -> dict[str, Any]:
        """The same for JSON, without what is empty."""
        fields: dict[str, Any] = {"runs": self.runs, "topics": self.topics, "documents": self.documents, **self.others}
        fields["rows_judged_earlier"] = {tag: number for tag, number in self.rows.items() if number}
        return {name: dict(value) if isinstance(value, dict) else value for name, value in fields.items() if value}


def _some(names: Mapping[str, str], noun: str) -> str:
    """How many there are, and the reasons: of a few each, of more those that are not said twice."""
    if not names:
        return ""
    whys = [f"{name}: {why}" if len(names) <= NAMED and noun == "run" else why for name, why in names.items() if why]
    reasons = list(dict.fromkeys(whys))
    more = ", ..." * (len(reasons) > NAMED)
    return counted(len(names), noun) + (f" ({', '.join(reasons[:NAMED])}{more})" if reasons else "")


NOTED: ContextVar[LeftOut | None] = ContextVar("NOTED", default=None)  # of the command or function that runs


@contextmanager
def noting() -> Iterator[LeftOut]:
    """Gather what is left out meanwhile; inside another such block it is gathered there as well.

    >>> with noting() as left_out:
    ...     left_out_notes().topics["7"] = "withdrawn"
    >>> left_out.line
    'left out: 1 topic (withdrawn)'
    """
    outer, left_out = NOTED.get(), LeftOut()
    token = NOTED.set(left_out)
    try:
        yield left_out
    finally:
        NOTED.reset(token)
        if outer is not None:
            for name, own in vars(left_out).items():
                getattr(outer, name).update(own)


def left_out_notes() -> LeftOut:
    """Where what is left out is noted."""
    left_out = NOTED.get()
    return LeftOut() if left_out is None else left_out


TOPICS: ContextVar[str] = ContextVar("TOPICS", default="")  # the set of topics that is asked for: its name, or a file


@contextmanager
def on_set(name: str) -> Iterator[None]:
    """Let analyses take these topics meanwhile: a set of the store by its name, or the file of a list."""
    token = TOPICS.set(name)
    try:
        yield
    finally:
        TOPICS.reset(token)
