"""The session in which an assessor makes and edits the nuggets of topics, without any user interface.

Several people may edit one topic: every command says which nuggets it is about as its front end showed them, and one
that somebody has changed meanwhile is left alone. The answers to the topic can be read beside, without their runs; what
is written down then is on record as coming from the run of the answer on screen. The edits are replayed for what an
assessor can undo and redo, and what others have changed since.
"""

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple
from uuid import uuid4

from cranfield.errors import InputError
from cranfield.features.answers.judging.tasks import AnswersRead
from cranfield.features.answers.store.answers import topic_ids_with_answers
from cranfield.features.answers.store.nuggets import (
    IMPORTANCES,
    Nugget,
    NuggetEdit,
    current_nuggets,
    edit_nuggets,
    last_edited,
    nugget_edits,
)
from cranfield.formats import Topic
from cranfield.judging.session.pace import IDLE, ActiveTime
from cranfield.judging.session.view import safe_topic
from cranfield.judging.session.work import register_assessor
from cranfield.judging.session.worklist import Position
from cranfield.store.log import is_recorded
from cranfield.store.store import Store
from cranfield.text import name_hint, visible_line, visible_text


class ChangedError(InputError):
    """Somebody else has changed a nugget meanwhile; nothing was recorded."""


class EditHistory:
    """The edits of one topic, replayed for one assessor.

    >>> one = NuggetEdit("okay", "q", "ada", "a", 1, id=1)
    >>> EditHistory([one], "ada").undoable() == one, EditHistory([one], "bob").to_undo
    (True, [])
    """

    def __init__(self, edits: Iterable[NuggetEdit], assessor: str) -> None:
        self.to_undo: list[NuggetEdit] = []  # the assessor's edits that can be undone, in order
        self.to_redo: list[tuple[NuggetEdit, int | None]] = []  # what redo restores, with the retract that undid it
        self._standing: dict[int, NuggetEdit] = {}  # everybody's that were not taken back
        for edit in edits:
            if edit.kind == "retract":
                self._standing.pop(edit.supersedes or 0, None)
            else:
                self._standing[edit.id or 0] = edit
            if edit.assessor == assessor:
                self._add(edit)

    def _add(self, edit: NuggetEdit) -> None:
        if edit.kind == "retract":
            self.to_undo.remove(last := next(one for one in self.to_undo if one.id == edit.supersedes))
            self.to_redo.append((last, edit.id))
            return
        if self.to_redo and edit.supersedes == self.to_redo[-1][1]:
            self.to_redo.pop()
        else:
            self.to_redo.clear()
        self.to_undo.append(edit)

    def _last(self, nugget: int | None) -> NuggetEdit | None:
        """The last edit of a nugget that stands; None where it is replaced, or was never there."""
        if any(nugget in edit.replaces for edit in self._standing.values()):
            return None
        return next((edit for edit in reversed(self._standing.values()) if edit.nugget == nugget), None)

    def undoable(self) -> NuggetEdit:
        """The edit that undo takes back."""
        if not self.to_undo:
            raise InputError("there is nothing to undo in this topic")
        edit = self.to_undo[-1]
        if self._last(edit.nugget) != edit:
            raise ChangedError("somebody else has changed this nugget since your edit; nothing was undone")
        return edit

    def redoable(self) -> NuggetEdit:
        """The edit that redo repeats."""
        if not self.to_redo:
            raise InputError("there is nothing to redo in this topic")
        edit, retract = self.to_redo[-1]
        last_edits = [last for nugget in (*edit.replaces, edit.nugget) if (last := self._last(nugget))]
        standing = any(one.nugget == edit.nugget for one in self._standing.values())
        if len(last_edits) != len(edit.replaces) + standing or any(last.kind == "drop" for last in last_edits):
            raise ChangedError("somebody else has changed this nugget since your edit; nothing was redone")
        return edit._replace(supersedes=retract, at="", event_id="", id=None)


LONGEST = 1000  # characters of a nugget


class NuggetSeen(NamedTuple):
    """A nugget as a front end showed it: its number, and the edit that had made it so."""

    number: int
    edit: int


class EditView(NamedTuple):
    """What is on the screen: the topic, its nuggets, and the answer beside them (empty: none)."""

    topic: Topic
    place: Position
    nuggets: Sequence[Nugget]
    answer: str
    answers: Position
    can_undo: bool
    can_redo: bool


class NuggetEditing:
    """One assessor editing nuggets; `reads`: answers are shown. It begins with the topic edited last, or with answers.

    >>> store = Store.memory("one topic")
    >>> store.add_topics([Topic("q", "lift")])
    1
    >>> session = NuggetEditing(store, "ada")
    >>> session.add("e1", "wings give lift", "vital")
    >>> [one] = session.view.nuggets
    >>> session.reword("e2", NuggetSeen(one.number, one.edit), "wings lift")
    >>> session.undo("e3")
    >>> [(one.text, one.importance) for one in session.view.nuggets]
    [('wings give lift', 'vital')]
    >>> store.close()
    """

    def __init__(
        self, store: Store, assessor: str, *, topics: Collection[str] | None = None, reads: bool = True, seed: int = 0,
        clock: Callable[[], float] = time.monotonic, idle: float = IDLE,
    ) -> None:  # fmt: skip
        register_assessor(store, assessor, verb="edit")
        self._store, self.assessor, self.input = store, assessor, ""
        self._topics = {topic.qid: topic for topic in store.topics() if not topics or topic.qid in topics}
        for qid in topics or ():
            if qid not in self._topics:
                raise InputError(f"no topic {qid!r} in this store{name_hint(qid, store.names('topic', 'qid'))}")
        if not self._topics:
            raise InputError("this store has no topics; add topics with `cranfield import topics`")
        self._answers = AnswersRead(store, seed) if reads else None
        self.time = ActiveTime(clock, idle)  # since the last edit, or since the topic came
        self._at = 0  # the answer on screen
        last = last_edited(store, assessor)
        if last in self._topics:
            self.qid = last
        else:  # the first topic with answers, or the first topic if none has any
            answered = {*topic_ids_with_answers(store)}
            self.qid = next((qid for qid in self._topics if qid in answered), next(iter(self._topics)))

    def wait_for_nobody(self) -> None:
        """From now on a command raises BusyError at once while another program is writing."""
        self._store.patience = 0

    # What is on screen

    @property
    def view(self) -> EditView:
        """The topic as it is now, with everybody's edits."""
        qids, history = list(self._topics), self._history()
        numbers = self._numbers()
        return EditView(
            topic=safe_topic(self._topics[self.qid]),
            place=Position(qids.index(self.qid) + 1, len(qids)),
            nuggets=[one._replace(text=visible_line(one.text)) for one in current_nuggets(self._store, self.qid)],
            answer=visible_text(self._answers.text(numbers[self._at])) if self._answers and numbers else "",
            answers=Position(self._at + 1 if numbers else 0, len(numbers)),
            can_undo=bool(history.to_undo),
            can_redo=bool(history.to_redo),
        )

    @property
    def qids(self) -> Sequence[str]:
        """The topics, in the order of the store."""
        return list(self._topics)

    def go(self, qid: str, answer: int = 1) -> None:
        """Go to a topic, and to one of the answers to it, counted from 1."""
        if qid not in self._topics:
            raise InputError(f"no topic {visible_line(qid)!r} in this store")
        self.time.seconds() if qid == self.qid else self.time.start()
        self.qid, self._at = qid, min(max(answer, 1), max(len(self._answers_to(qid)), 1)) - 1

    # Commands: each has the id of its event, and repeated it is done once

    def add(self, event_id: str, text: str, importance: str = "okay") -> None:
        """Add a nugget."""
        self._word(event_id, importance, text, [])

    def reword(self, event_id: str, nugget: NuggetSeen, text: str) -> None:
        """Say a nugget in other words: another nugget, which needs labels of its own, takes its place."""
        self._word(event_id, "", text, [nugget])

    def merge(self, event_id: str, nuggets: Sequence[NuggetSeen], text: str) -> None:
        """Make one nugget of several; it is vital if one of them was."""
        if len(nuggets) < 2:
            raise InputError("choose two nuggets or more to merge")
        self._word(event_id, "", text, nuggets)

    def weigh(self, event_id: str, nugget: NuggetSeen, importance: str, text: str = "") -> None:
        """Make a nugget vital or okay; its labels stay, unless it gets other words as well."""
        words = {one.text for one in self.view.nuggets if one.number == nugget.number}
        if not text.strip() or " ".join(text.split()) in words:
            self._record(event_id, importance, [nugget])
        else:
            self._word(event_id, importance, text, [nugget])

    def drop(self, event_id: str, nugget: NuggetSeen) -> None:
        """Take a nugget from the topic."""
        self._record(event_id, "drop", [nugget])

    def undo(self, event_id: str) -> None:
        """Undo the assessor's last edit of this topic."""
        with self._store.writing():
            if not is_recorded(self._store, event_id, "nugget_edit"):
                edit = self._history().undoable()
                self._append(event_id, edit._replace(kind="retract", replaces=(), supersedes=edit.id))

    def redo(self, event_id: str) -> None:
        """Repeat the edit that was undone, as long as the assessor has edited nothing else since."""
        with self._store.writing():
            if not is_recorded(self._store, event_id, "nugget_edit"):
                self._append(event_id, self._history().redoable())

    # Recording

    def _word(self, event_id: str, importance: str, text: str, nuggets: Sequence[NuggetSeen]) -> None:
        text = " ".join(text.split())
        if not text or len(text) > LONGEST:
            raise InputError(f"a nugget has 1 to {LONGEST} characters; this one has {len(text)}")
        self._record(event_id, importance, nuggets, text)

    def _record(self, event_id: str, kind: str, nuggets: Sequence[NuggetSeen], text: str = "") -> None:
        """Record an edit of nuggets as they were seen; with a text, of a nugget that takes their place."""
        if kind not in (*IMPORTANCES, "drop", ""):
            raise InputError(f"{kind!r} is not an importance; expected {' or '.join(IMPORTANCES)}")
        with self._store.writing():
            if is_recorded(self._store, event_id, "nugget_edit"):
                return
            nugget_of_number = {one.number: one for one in current_nuggets(self._store, self.qid)}
            for number, seen_edit in nuggets:
                if number not in nugget_of_number:
                    raise ChangedError(
                        "somebody else has reworded, merged or dropped this nugget; nothing was recorded"
                    )
                if nugget_of_number[number].edit != seen_edit:
                    raise ChangedError(
                        f"somebody else has marked this nugget as {nugget_of_number[number].importance}; "
                        "nothing was recorded"
                    )
            former = [nugget_of_number[number] for number, _ in nuggets]
            if text:
                self._refuse_known(text, former)
            kind = kind or ("vital" if any(one.importance == "vital" for one in former) else "okay")
            edit = NuggetEdit(kind, self.qid, self.assessor, text)
            if text:
                edit = edit._replace(replaces=tuple(one.number for one in former), contributors=self._from(former))
            else:
                edit = edit._replace(nugget=former[0].number)
            self._append(event_id, edit)

    def _refuse_known(self, text: str, former: Sequence[Nugget]) -> None:
        for one in current_nuggets(self._store, self.qid):
            if one.text == text and (one not in former or len(former) == 1):
                raise InputError("the topic already has this nugget")

    def _from(self, former: Sequence[Nugget]) -> tuple[str, ...]:
        """The runs that a nugget comes from: those of the nuggets it replaces, else that of the answer on screen."""
        numbers = self._numbers()
        read = [self._answers.answer(numbers[self._at]).run] if self._answers and numbers else []
        return tuple(sorted({tag for one in former for tag in one.contributors} if former else read))

    def _append(self, event_id: str, edit: NuggetEdit) -> None:
        edit = edit._replace(assessor=self.assessor, input=self.input, seconds=self.time.seconds())
        edit_nuggets(self._store, [edit._replace(event_id=event_id, at="", id=None)])
        self.time.start()

    def _history(self) -> EditHistory:
        return EditHistory(nugget_edits(self._store, self.qid), self.assessor)

    def _answers_to(self, qid: str) -> Sequence[int]:
        return self._answers.by_topic.get(qid, []) if self._answers else []

    def _numbers(self) -> Sequence[int]:
        """The answers to the topic on screen."""
        return self._answers_to(self.qid)


def event_id() -> str:
    """The id of a new event."""
    return uuid4().hex
