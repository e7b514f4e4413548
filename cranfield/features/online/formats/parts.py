"""What readers of interaction logs yield: some impressions of a file as columns, in its order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.features.online.interactions import KINDS, Small

LATEST = 253_402_300_800  # seconds since 1970 at the end of the year 9999


class CodedNames(NamedTuple):
    """Names by number; -1 where there is none."""

    codes: Ints
    names: Sequence[str]

    @classmethod
    def empty(cls, rows: int) -> CodedNames:
        """Nothing in any of so many rows."""
        return cls(np.full(rows, -1), [])

    def rows(self, keep: Mask) -> CodedNames:
        """Only these rows."""
        return CodedNames(self.codes[keep], self.names)

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
    def empty(cls) -> LoggedActions:
        """No actions."""
        ints, floats = np.zeros(0, np.int64), np.zeros(0)
        return cls(ints, np.zeros(0, np.int8), ints, document=ints, at=floats, seconds=floats, value=floats)


class KeptColumn(NamedTuple):
    """An attribute of each list, or of each document shown."""

    values: CodedNames
    of: Literal["list", "document"]


@dataclass(frozen=True, eq=False)
class LogPart:
    """One row per impression; -1 and NaN where something is unknown.

    The documents of impression i are those at bounds[i]:bounds[i + 1], as in Interactions.
    """

    line: Ints
    id: Sequence[str]
    at: Floats
    experiment: CodedNames
    arm: CodedNames
    user: CodedNames
    session: CodedNames
    qid: CodedNames
    query: CodedNames
    first: Ints
    bounds: Ints
    document: CodedNames
    team: Small
    propensity: Floats
    actions: LoggedActions
    attributes: Mapping[str, KeptColumn] = field(default_factory=dict)

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
        documents, kept_actions = keep[self.impression], keep[self.actions.impression]
        actions = self.actions.rows(kept_actions)
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
            document=self.document.rows(documents),
            team=self.team[documents],
            propensity=self.propensity[documents],
            actions=replace(actions, impression=(np.cumsum(keep) - 1)[actions.impression]),
            attributes={
                name: each._replace(values=each.values.rows(keep if each.of == "list" else documents))
                for name, each in self.attributes.items()
            },
        )


class BadLine(NamedTuple):
    """What is wrong with a line: what kind of thing, and the sentence about it."""

    line: int
    kind: str
    message: str


NAN = float("nan")


@dataclass
class ActionRow:
    """What a user did with a list; `position` is from 0, -1 for none."""

    kind: str
    document: str = ""
    position: int = -1
    at: float = NAN
    seconds: float = NAN
    value: float = NAN


@dataclass
class ListRow:
    """A list that was shown."""

    line: int
    id: str
    at: float
    user: str = ""
    session: str = ""
    qid: str = ""
    query: str = ""
    arm: str = ""
    documents: Sequence[str] = ()
    propensity: Sequence[float] = ()
    first: int = 0
    actions: list[ActionRow] = field(default_factory=list)
    attributes: Mapping[str, str | Sequence[str]] = field(default_factory=dict)  # of the list, or of each document


def part_of_rows(rows: Sequence[ListRow]) -> LogPart:
    """The lists as columns.

    >>> part = part_of_rows([ListRow(1, "i1", 0.0, documents=["a", "b"], actions=[ActionRow("click", "b")])])
    >>> part.bounds.tolist(), part.document.names, part.actions.document.tolist()
    ([0, 2], ['a', 'b'], [1])
    """
    docnos = [docno for row in rows for docno in row.documents]
    actions = [(number, action) for number, row in enumerate(rows) for action in row.actions]
    documents = encode([*docnos, *(action.document for _, action in actions)])
    propensity = [weight for row in rows for weight in (row.propensity or [NAN] * len(row.documents))]
    return LogPart(
        line=np.array([row.line for row in rows], np.int64),
        id=[row.id for row in rows],
        at=np.array([row.at for row in rows], float),
        experiment=CodedNames.empty(len(rows)),
        arm=encode([row.arm for row in rows]),
        user=encode([row.user for row in rows]),
        session=encode([row.session for row in rows]),
        qid=encode([row.qid for row in rows]),
        query=encode([row.query for row in rows]),
        first=np.array([row.first for row in rows], np.int64),
        bounds=np.cumsum([0, *(len(row.documents) for row in rows)]),
        document=CodedNames(documents.codes[: len(docnos)], documents.names),
        team=np.full(len(docnos), -1, np.int8),
        propensity=np.array(propensity, float),
        actions=LoggedActions(
            impression=np.array([number for number, _ in actions], np.int64),
            kind=np.array([KINDS.index(action.kind) for _, action in actions], np.int8),
            position=np.array([action.position for _, action in actions], np.int64),
            document=documents.codes[len(docnos) :],
            at=np.array([action.at for _, action in actions], float),
            seconds=np.array([action.seconds for _, action in actions], float),
            value=np.array([action.value for _, action in actions], float),
        ),
        attributes={
            name: attribute_column([row.attributes.get(name, "") for row in rows], [len(row.documents) for row in rows])
            for name in dict.fromkeys(name for row in rows for name in row.attributes)
        },
    )


def attribute_column(values: Sequence[str | Sequence[str]], lengths: Sequence[int]) -> KeptColumn:
    """The values of an attribute: one a list or, where some lists have one a document, one a document in all.

    >>> attribute_column(["phone", ""], [2, 1])
    KeptColumn(values=CodedNames(codes=array([ 0, -1]), names=['phone']), of='list')
    >>> attribute_column([["9", "8"], "7"], [2, 1]).values.codes
    array([0, 1, 2])
    """
    if all(isinstance(value, str) for value in values):
        return KeptColumn(encode([str(value) for value in values]), "list")
    spread = ([value] * n if isinstance(value, str) else value for value, n in zip(values, lengths, strict=True))
    return KeptColumn(encode([text for texts in spread for text in texts]), "document")


def encode(texts: Sequence[str]) -> CodedNames:
    """Texts by number, in the order they come; an empty one is none.

    >>> encode(["b", "", "b"])
    CodedNames(codes=array([ 0, -1,  0]), names=['b'])
    """
    number: dict[str, int] = {}
    codes = [number.setdefault(text, len(number)) if text else -1 for text in texts]
    return CodedNames(np.array(codes, np.int64), list(number))
