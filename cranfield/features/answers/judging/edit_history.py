"""What was done to the nuggets of a topic: what an assessor can undo and redo, and what others have changed since."""

from __future__ import annotations

from collections.abc import Iterable

from cranfield.errors import InputError
from cranfield.features.answers.store.nuggets import NuggetEdit


class ChangedError(InputError):
    """Somebody else has changed a nugget meanwhile; nothing was recorded."""


class EditHistory:
    """The edits of one topic, replayed for one assessor.

    >>> one = NuggetEdit("okay", "q", "ada", "a", 1, id=1)
    >>> EditHistory([one], "ada").undoable() == one, EditHistory([one], "bob").done
    (True, [])
    """

    def __init__(self, edits: Iterable[NuggetEdit], assessor: str) -> None:
        self.done: list[NuggetEdit] = []  # the assessor's edits that can be undone, in order
        self.undone: list[tuple[NuggetEdit, int | None]] = []  # what redo restores, with the retract that undid it
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
            self.done.remove(taken := next(one for one in self.done if one.id == edit.supersedes))
            self.undone.append((taken, edit.id))
            return
        if self.undone and edit.supersedes == self.undone[-1][1]:
            self.undone.pop()
        else:
            self.undone.clear()
        self.done.append(edit)

    def _last(self, nugget: int | None) -> NuggetEdit | None:
        """The last edit of a nugget that stands; None where it is replaced, or was never there."""
        if any(nugget in edit.replaces for edit in self._standing.values()):
            return None
        return next((edit for edit in reversed(self._standing.values()) if edit.nugget == nugget), None)

    def undoable(self) -> NuggetEdit:
        """The edit that undo takes back."""
        if not self.done:
            raise InputError("there is nothing to undo in this topic")
        edit = self.done[-1]
        if self._last(edit.nugget) != edit:
            raise ChangedError("somebody else has changed this nugget since; nothing was undone")
        return edit

    def redoable(self) -> NuggetEdit:
        """The edit that redo repeats."""
        if not self.undone:
            raise InputError("there is nothing to redo in this topic")
        edit, retract = self.undone[-1]
        there = [last for nugget in (*edit.replaces, edit.nugget) if (last := self._last(nugget))]
        known = any(one.nugget == edit.nugget for one in self._standing.values())
        if len(there) != len(edit.replaces) + known or any(last.kind == "drop" for last in there):
            raise ChangedError("somebody else has changed this nugget since; nothing was redone")
        return edit._replace(supersedes=retract, at="", event_id="", id=None)
