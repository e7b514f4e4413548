"""What readers of interaction logs yield: some impressions of a file as columns, in its order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from cranfield.arrays.interactions import Small
from cranfield.arrays.rankings import Floats, Ints, Mask

LATEST = 253_402_300_800  # seconds since 1970 at the end of the year 9999


class Coded(NamedTuple):
    """Names by number; -1 where there is none."""

    codes: Ints
    names: Sequence[str]

    @classmethod
    def none(cls, rows: int) -> Coded:
        """Nothing in any of so many rows."""
        return cls(np.full(rows, -1), [])

    def rows(self, keep: Mask) -> Coded:
        """Only these rows."""
        return Coded(self.codes[keep], self.names)

    def name(self, row: int) -> str:
        """The name in a row; empty where there is none."""
        return self.names[self.codes[row]] if self.codes[row] >= 0 else ""


@dataclass(frozen=True, eq=False)
class LoggedActions:
    """One row per action, by impression; -1 and NaN where something is unknown."""

    impression: Ints  # the row of its impression
    kind: Small  # its place in KINDS
    position: Ints  # in the list, from 0
    document: Ints  # by number among the documents of the part
    at: Floats
    seconds: Floats
    value: Floats

    def __len__(self) -> int:
        return len(self.impression)

    def rows(self, keep: Mask) -> LoggedActions:
        """Only these."""
        return LoggedActions(**{name: column[keep] for name, column in vars(self).items()})

    @classmethod
    def none(cls) -> LoggedActions:
        """No actions."""
        ints, floats = np.zeros(0, np.int64), np.zeros(0)
        return cls(ints, np.zeros(0, np.int8), ints, ints, floats, floats, floats)


@dataclass(frozen=True, eq=False)
class LogPart:
    """One row per impression; -1 and NaN where something is unknown.

    The documents of impression i are those at bounds[i]:bounds[i + 1], as in Interactions.
    """

    line: Ints
    id: Sequence[str]
    at: Floats
    experiment: Coded
    arm: Coded
    user: Coded
    session: Coded
    qid: Coded
    query: Coded
    first: Ints
    bounds: Ints
    document: Coded
    team: Small
    propensity: Floats
    actions: LoggedActions

    def __len__(self) -> int:
        return len(self.line)

    @property
    def impression(self) -> Ints:
        """The impression of each document."""
        return np.repeat(np.arange(len(self)), np.diff(self.bounds))

    def rows(self, keep: Mask) -> LogPart:
        """Only these impressions, with their actions."""
        if keep.all():
            return self
        shown, acted = keep[self.impression], keep[self.actions.impression]
        actions = self.actions.rows(acted)
        return replace(
            self,
            line=self.line[keep],
            id=np.asarray(self.id, object)[keep].tolist(),
            at=self.at[keep],
            **{
                name: getattr(self, name).rows(keep)
                for name in ("experiment", "arm", "user", "session", "qid", "query")
            },
            first=self.first[keep],
            bounds=np.concatenate([[0], np.cumsum(np.diff(self.bounds)[keep])]),
            document=self.document.rows(shown),
            team=self.team[shown],
            propensity=self.propensity[shown],
            actions=replace(actions, impression=(np.cumsum(keep) - 1)[actions.impression]),
        )


class BadLine(NamedTuple):
    """What is wrong with a line: what kind of thing, and the sentence about it."""

    line: int
    kind: str
    message: str
