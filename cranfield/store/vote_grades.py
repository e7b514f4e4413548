"""What the grades of votes are on a store's scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cranfield.errors import InputError
from cranfield.formats import Vote
from cranfield.formats.files import Path
from cranfield.formats.layout import as_grade, as_score, fractional
from cranfield.store.log import spelled
from cranfield.store.qrels import off_scale
from cranfield.store.store import Collection

YES_NO = {"true": 1, "false": 0}


@dataclass
class Grading:
    """How the grades of a file become those of a collection; `off_scale` counts those that were set aside.

    `grades` says what each becomes. Without it a whole number, `times` multiplied, is itself, a word is the grade of
    that meaning, and true and false are 1 and 0.
    """

    collection: Collection
    path: Path
    grades: Mapping[str, int] | None = None
    times: int = 1
    set_aside: bool = False
    off_scale: int = 0

    def __call__(self, vote: Vote) -> tuple[int | None, str]:
        """The grade of a vote and its reason; no grade, and why, for one that is set aside.

        >>> grading = Grading(Collection("c", "", "", "", {0: "no", 1: "yes"}, 1), "votes.csv", set_aside=True)
        >>> [grading(Vote(1, "ada", "q", "d", "label", grade)) for grade in ("1.0", "Yes", "FALSE", "2")]
        [(1, ''), (1, ''), (0, ''), (None, 'grade 2 is off the scale')]
        """
        grade = self._known(vote)
        if grade is not None and grade in self.collection.grades:
            return grade, vote.reason
        if not self.set_aside:
            raise self._wrong(vote)
        self.off_scale += 1
        return None, off_scale(vote.grade)

    def _known(self, vote: Vote) -> int | None:
        """The grade, None for what is no whole number and no word."""
        whole = as_grade(vote.grade.encode(), self.times)
        if self.grades is not None:
            return self._mapped(vote, whole)
        meanings = {folded(meaning): number for number, meaning in self.collection.grades.items()}
        return whole if whole is not None else meanings.get(folded(vote.grade), self._yes_no(vote))

    def _mapped(self, vote: Vote, whole: int | None) -> int:
        grades = self.grades or {}
        found = next((text for text in (vote.grade, str(whole), folded(vote.grade)) if text in grades), None)
        if found is None:
            message = f"grade {vote.grade!r:.40}; expected one of {', '.join(grades)}"
            raise InputError(message, self.path, vote.record)
        return grades[found]

    def _yes_no(self, vote: Vote) -> int | None:
        """1 for true and 0 for false, where the one is relevant and the other is not."""
        grade, least = YES_NO.get(folded(vote.grade)), self.collection.min_relevant
        if grade is not None and least != 1:
            message = f"{vote.grade!r}, but grades are relevant from {least}; map it with --grades true={least},false=0"
            raise InputError(message, self.path, vote.record)
        return grade

    def _wrong(self, vote: Vote) -> InputError:
        value, shown = vote.grade.encode(), f"grade {vote.grade!r:.40}"
        if as_score(value) is not None and as_grade(value, self.times) is None:
            return InputError(f"{shown} is not a whole number; {fractional(vote.grade)}", self.path, vote.record)
        scale = f"is not on this collection's scale: {spelled(self.collection.grades)}"
        remedy = "map it with --grades OLD=NEW, or set such labels aside with --off-scale cannot-judge"
        return InputError(f"{shown} {scale}; {remedy}", self.path, vote.record)


def folded(text: str) -> str:
    """A text whatever its case and white space.

    >>> folded(" Not  Relevant")
    'not relevant'
    """
    return " ".join(text.split()).casefold()
