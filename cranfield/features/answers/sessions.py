"""The sessions of those who label answers in the browser."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from cranfield.features.answers.judging.assigning import Assigning
from cranfield.features.answers.judging.attributing import Attributing
from cranfield.features.answers.judging.labelling import AnswerLabelling, Begin
from cranfield.features.answers.judging.supporting import Supporting
from cranfield.features.answers.store.labels import CLAIM_LABELS, NUGGET_LABELS, SUPPORT_LABELS, LabelLog
from cranfield.features.answers.store.nuggets import Nugget, counted_nuggets, current_nuggets
from cranfield.store.invitations import Role
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.store import Store
from cranfield.web.open_sessions import OpenSession, OpenSessions


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


def _open(role: Role, store: Store, clock: Callable[[], float] = time.monotonic) -> OpenSessions:
    task = LABELLING[role]

    def begun(opened: Store, assessor: str) -> AnswerLabelling:
        return AnswerLabelling(opened, assessor, task.begin, task.log, clock=clock)

    return OpenSessions(store, clock, begun, role)


class OpenAssigning(OpenSessions):
    """The sessions of those who assign nuggets; each chooses whose, where both people and models have written some."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(store, clock, partial(self._begun, clock=clock), "assign")
        self._whose: dict[str, LabelledBy] = {}

    def choose(self, assessor: str, whose: str) -> None:
        """Go on with the nuggets of people, of models, or of all; an error where these have none."""
        counted_nuggets(self._store, chosen := LabelledBy.of(whose))
        self._whose[assessor] = chosen
        self._open.pop(assessor, None)

    def of(self, assessor: str) -> OpenSession:
        """The session of an assessor, with what there is to choose from."""
        opened = super().of(assessor)
        opened.choices = choices(current_nuggets(self._store), self._whose.get(assessor, LabelledBy.people))
        return opened

    def _begun(self, store: Store, assessor: str, clock: Callable[[], float]) -> AnswerLabelling:
        begin = partial(Assigning, nuggets=self._whose.get(assessor))
        return AnswerLabelling(store, assessor, begin, NUGGET_LABELS, clock=clock)


def choices(nuggets: Sequence[Nugget], chosen: LabelledBy) -> Sequence[tuple[str, bool]]:
    """Whose nuggets one can choose, and what is chosen; nothing where all are people's or all are models'."""
    both = {one.by_model for one in nuggets} == {True, False}
    return [(one, one is chosen) for one in LabelledBy] if both else []


OPEN_SUPPORT, OPEN_EACH, OPEN_CLAIMS = (partial(_open, role) for role in ("support", "support-each", "claims"))
