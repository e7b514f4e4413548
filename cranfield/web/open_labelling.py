"""The sessions in the browser that label answers, or compare pairs of documents."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from cranfield.errors import StoreError
from cranfield.judging.answers.assigning import Assigning
from cranfield.judging.answers.attributing import Attributing
from cranfield.judging.answers.labelling import AnswerLabelling, Begin
from cranfield.judging.answers.supporting import Supporting
from cranfield.judging.preferences.session import PreferenceSession
from cranfield.store.answers.labels import CLAIM_LABELS, NUGGET_LABELS, SUPPORT_LABELS, LabelLog
from cranfield.store.invitations import Role
from cranfield.store.preferences import has_pairs
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
        "claims": Labelling(Attributing, CLAIM_LABELS),
    }
)


def open_labelling(store: Store, clock: Callable[[], float] = time.monotonic) -> dict[Role, OpenSessions]:
    """The open sessions of each task."""

    def begun(role: Role) -> Callable[[Store, str], AnswerLabelling]:
        task = LABELLING[role]
        return lambda opened, assessor: AnswerLabelling(opened, assessor, task.begin, task.log, clock=clock)

    found: dict[Role, OpenSessions] = {role: OpenSessions(store, clock, begun(role), role) for role in LABELLING}
    return {**found, "prefer": OpenSessions(store, clock, partial(_comparing, clock=clock), "prefer")}


def _comparing(store: Store, assessor: str, clock: Callable[[], float]) -> PreferenceSession:
    if not has_pairs(store, assessor):
        raise StoreError(f"{assessor!r} has no pairs to compare; the organiser gives some with judge --pairs")
    return PreferenceSession(store, assessor, clock=clock)
