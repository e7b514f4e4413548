"""The sessions of those who settle answer labels in the browser; each chooses the kind of labels."""

import time
from collections.abc import Callable
from functools import partial

from cranfield.errors import InputError
from cranfield.features.answers.judging.adjudicating import AnswerAdjudication, DisputedItem, disputed_items
from cranfield.features.answers.judging.labelling import Begin
from cranfield.features.answers.judging.progress import LABEL_KINDS
from cranfield.features.answers.judging.tasks import Assigning
from cranfield.selection import LabelledBy
from cranfield.store.store import Store
from cranfield.text import join_words
from cranfield.web.language import translatable
from cranfield.web.open_sessions import OpenSession, OpenSessions
from cranfield.web.wording import LABELS

WORDING = LABELS._replace(
    title=translatable("Settle disagreements about answers"),
    note=translatable("Reason"),
    note_caption=translatable("Your reason; it is saved with your label"),
    again=translatable("Settle again"),
    end=translatable("You have settled every difference that you can settle. You can close this page."),
    choice=translatable("Labels of"),
    about=translatable("Assessors gave this item different labels. Your label decides which of them counts."),
)
NOTHING = translatable("no answer has labels that differ, so there is nothing to settle")


def _begin_task(kind: str) -> Begin:
    return partial(Assigning, nuggets=LabelledBy.all) if kind == "nuggets" else LABEL_KINDS[kind].begin


class OpenSettling(OpenSessions):
    """The open sessions of those who settle answer labels, without seeing the labels that differ."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(store, clock, partial(self._start, clock=clock), "settle-answers")
        self._kind: dict[str, str] = {}
        self._offered: dict[str, list[str]] = {}  # kinds, as they were when the session began

    def choose(self, assessor: str, whose: str) -> None:
        """Go on with another kind of labels; an error where none of them differ."""
        kinds = self._kinds_to_settle(assessor)
        if whose not in kinds:
            known = f"; choose {join_words(list(kinds), 'or')}" if kinds else ""
            raise InputError(f"there are no differing labels of {whose!r:.60} that {assessor} could settle{known}")
        self._kind[assessor] = whose
        self._open.pop(assessor, None)

    def session_of(self, assessor: str) -> OpenSession:
        """The session of an assessor, with the kinds of labels to choose from."""
        session, kinds = super().session_of(assessor), self._offered[assessor]
        session.choices = [(kind, kind == self._kind[assessor]) for kind in kinds] if len(kinds) > 1 else []
        return session

    def _kinds_to_settle(self, assessor: str) -> dict[str, list[DisputedItem]]:
        """By kind what the assessor can settle or has settled, without what others settled and the own labels."""
        every = {kind: disputed_items(self._store, LABEL_KINDS[kind].log, _begin_task(kind)) for kind in LABEL_KINDS}
        own = {
            kind: [one for one in items if one.settled_by in (None, assessor) and assessor not in one.labels]
            for kind, items in every.items()
        }
        return {kind: items for kind, items in own.items() if items}

    def _start(self, store: Store, assessor: str, clock: Callable[[], float]) -> AnswerAdjudication:
        kinds = self._kinds_to_settle(assessor)
        if not kinds:
            raise InputError(NOTHING)
        open_kinds = [kind for kind, items in kinds.items() if any(one.settled is None for one in items)]
        chosen = self._kind.get(assessor, "")
        if chosen not in kinds:
            chosen = next(iter(open_kinds or kinds))
        self._kind[assessor], self._offered[assessor] = chosen, list(kinds)
        items = [one.item for one in kinds[chosen]]
        return AnswerAdjudication(store, assessor, _begin_task(chosen), LABEL_KINDS[chosen].log, items, clock=clock)
