"""Parts of a log from lists that a reader builds one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from cranfield.arrays.interactions import KINDS
from cranfield.formats.logs.part import Coded, LoggedActions, LogPart

NAN = float("nan")


@dataclass
class ActionRow:
    """What a user did with a list; `position` is from 0, -1 for none."""

    kind: str
    doc: str = ""
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
    docs: Sequence[str] = ()
    propensity: Sequence[float] = ()
    first: int = 0
    actions: list[ActionRow] = field(default_factory=list)


def part_of_rows(rows: Sequence[ListRow]) -> LogPart:
    """The lists as columns.

    >>> part = part_of_rows([ListRow(1, "i1", 0.0, docs=["a", "b"], actions=[ActionRow("click", "b")])])
    >>> part.bounds.tolist(), part.document.names, part.actions.document.tolist()
    ([0, 2], ['a', 'b'], [1])
    """
    shown = [doc for row in rows for doc in row.docs]
    acted = [(number, action) for number, row in enumerate(rows) for action in row.actions]
    documents = coded([*shown, *(action.doc for _, action in acted)])
    propensity = [weight for row in rows for weight in (row.propensity or [NAN] * len(row.docs))]
    return LogPart(
        line=np.array([row.line for row in rows], np.int64),
        id=[row.id for row in rows],
        at=np.array([row.at for row in rows], float),
        experiment=Coded.none(len(rows)),
        arm=coded([row.arm for row in rows]),
        user=coded([row.user for row in rows]),
        session=coded([row.session for row in rows]),
        qid=coded([row.qid for row in rows]),
        query=coded([row.query for row in rows]),
        first=np.array([row.first for row in rows], np.int64),
        bounds=np.cumsum([0, *(len(row.docs) for row in rows)]),
        document=Coded(documents.codes[: len(shown)], documents.names),
        team=np.full(len(shown), -1, np.int8),
        propensity=np.array(propensity, float),
        actions=LoggedActions(
            impression=np.array([number for number, _ in acted], np.int64),
            kind=np.array([KINDS.index(action.kind) for _, action in acted], np.int8),
            position=np.array([action.position for _, action in acted], np.int64),
            document=documents.codes[len(shown) :],
            at=np.array([action.at for _, action in acted], float),
            seconds=np.array([action.seconds for _, action in acted], float),
            value=np.array([action.value for _, action in acted], float),
        ),
    )


def coded(texts: Sequence[str]) -> Coded:
    """Texts by number, in the order they come; an empty one is none.

    >>> coded(["b", "", "b"])
    Coded(codes=array([ 0, -1,  0]), names=['b'])
    """
    number: dict[str, int] = {}
    codes = [number.setdefault(text, len(number)) if text else -1 for text in texts]
    return Coded(np.array(codes, np.int64), list(number))
