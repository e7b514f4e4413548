"""The sessions that label answers in the browser."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from cranfield.judging.answers.assigning import Assigning
from cranfield.judging.answers.labelling import AnswerLabelling, Begin
from cranfield.judging.answers.supporting import Supporting
from cranfield.store.answers.labels import NUGGET_LABELS, SUPPORT_LABELS, LabelLog
from cranfield.store.invitations import Role
from cranfield.store.store import Store
from cranfield.web.open_sessions import OpenSessions


class Labelling(NamedTuple):
    """What a link is for: how its task begins, and the log of its labels."""

    begin: Begin
    log: LabelLog


LABELLING: Mapping[Role, Labelling] = MappingProxyType(
    {
        "assign": Labelling(Assigning, NUGGET_LABELS),
        "support": Labelling(Supporting, SUPPORT_LABELS),
        "support-each": Labelling(partial(Supporting, each=True), SUPPORT_LABELS),
    }
)


def open_labelling(store: Store, clock: Callable[[], float] = time.monotonic) -> dict[Role, OpenSessions]:
    """The open sessions of each task."""

    def begun(role: Role) -> Callable[[Store, str], AnswerLabelling]:
        task = LABELLING[role]
        return lambda opened, assessor: AnswerLabelling(opened, assessor, task.begin, task.log, clock=clock)

    return {role: OpenSessions(store, clock, begun(role), role) for role in LABELLING}
