"""Which runs were pooled, how that is known, and what is uncertain about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.metrics.reusability.results import MOST
from cranfield.pooling.infer import MAX_JUDGED_BELOW, Gaps
from cranfield.text import counted

MOST_NAMES = 5


class Contributors(NamedTuple):
    """The pooled runs, how they are known, and what is uncertain about them."""

    runs: tuple[str, ...]
    known_by: str  # such as "pool 3"; "teams" where given, "judgments" where inferred
    late: tuple[str, ...] = ()  # marked as pooled, but that pool was built without them
    depth: int | None = None  # inferred with them
    undecided: tuple[str, ...] = ()  # fully judged, but with no unique document
    spare: tuple[str, ...] = ()  # as many of the undecided as the pool can do without at once
    others: int = 0  # runs with unjudged documents
    refusal: str = ""  # why no run can be left out
    origins: tuple[str, ...] = ()  # how else documents came to be judged, a line each
    gaps: Gaps | None = None  # of these runs and of the topics, to the pool's depth; None where a pool is stored
    judged_below: float = 0.0  # of an inferred depth: the judged share of the documents one rank below it

    @property
    def notes(self) -> list[str]:
        """What to know when reading the findings, one line each."""
        lines = []
        if self.late:
            lines.append(
                f"these late runs are not in {self.known_by}: {join_first_few(self.late)}; they are scored, but"
                " never left out"
            )
        if self.known_by == "judgments" and self.runs:
            have = "has unjudged documents" if self.others == 1 else "have unjudged documents"
            count = "counts" if self.others == 1 else "count"
            rest = f"; {self.others} {have} within that depth and {count} as not pooled" if self.others else ""
            lines.append(
                f"treated {len(self.runs)} of {counted(len(self.runs) + self.others, 'run')} as pooled to depth"
                f" {self.depth}: {join_first_few(self.runs)}{rest}"
            )
        lines += self._gap_lines
        if self.undecided:
            is_one = len(self.undecided) == 1
            uncertain = f"{len(self.undecided)} of the {len(self.runs)} {'is' if is_one else 'are'} uncertain"
            reason = f"because {'it has' if is_one else 'they have'} no unique documents"
            lines.append(f"{uncertain}, {reason}: {join_first_few(self.undecided)}")
        return [*lines, *self.origins]

    @property
    def _gap_lines(self) -> list[str]:
        """How many of these runs, and of the topics, have gaps; nothing where none has."""
        if self.gaps is None or not (self.gaps.runs.tied or self.gaps.runs.open):
            return []
        runs, topics = self.gaps
        have = f"{runs.closed} of {sum(runs)} pooled runs and {topics.closed} of {counted(sum(topics), 'topic')}"
        tied = f"; {_counts_text(runs.tied, topics.tied)} have such documents only because scores tie at that depth"
        ties, others = runs.tied or topics.tied, runs.open
        other = f"; {_counts_text(runs.open, topics.open)} have such documents{' elsewhere' if ties else ''}"
        return [
            f"{have} have no unjudged document within the pool's depth{tied if ties else ''}{other if others else ''}"
        ]

    @property
    def lack(self) -> str:
        """Why there can be no verdict on a pool of these runs; empty where there can be one."""
        if self.known_by == "judgments" and self.gaps is not None:
            topics = self.gaps.topics
            if topics.open > MOST * sum(topics):
                where = f"{topics.open} of {counted(sum(topics), 'topic')}"
                gaps = f"in {where}, runs that were treated as pooled have unjudged documents"
                return f"{gaps}, so these topics were judged in another way"
        if self.judged_below >= MAX_JUDGED_BELOW:
            return (
                f"{self.judged_below:.0%} of the documents that rank {(self.depth or 0) + 1} adds are judged, so the"
                f" pool was not built to depth {self.depth}"
            )
        return ""

    @property
    def assumption(self) -> str:
        """What a verdict on a pool of these runs assumes, in a sentence; empty where nothing."""
        if self.known_by != "judgments" or self.gaps is None or not self.gaps.topics.open:
            return ""
        have = f"{self.gaps.topics.open} of {counted(sum(self.gaps.topics), 'topic')}"
        return (
            "The verdict assumes that all topics were pooled in the same way; "
            f"in {have}, pooled runs have unjudged documents."
        )

    def check(self) -> None:
        """Raise an error where no run can be left out."""
        if self.refusal:
            raise InputError(self.refusal)

    def to_json(self) -> dict[str, Any]:
        """Plain dicts and lists."""
        names = ("known_by", "runs", "late", "undecided", "origins")
        return {name: getattr(self, name) for name in names} | {"gaps": self.gaps and self.gaps.to_json()}


def _counts_text(runs: int, topics: int) -> str:
    return f"{counted(runs, 'run')} and {counted(topics, 'topic')}"


def join_first_few(names: Sequence[str]) -> str:
    """The first few names, and how many more there are.

    >>> join_first_few("abcdefg"), join_first_few("ab")
    ('a, b, c, d, e and 2 more', 'a, b')
    """
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more
