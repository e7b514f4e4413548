"""Near-duplicates that one assessor graded differently: a reminder after the grade, never before it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from cranfield.judging.labels.pairs import Pair, pair_of
from cranfield.judging.session.assessor_state import AssessorState
from cranfield.judging.session.order import bare
from cranfield.store.chain import Event

SIMILAR = 0.95
LENGTH = 3  # words in a shingle
MOST = 5000  # words of a document that are compared

Shingles = frozenset[int]


def shingles(text: str) -> Shingles:
    """The hashes of all sequences of three words; of all words where there are fewer. Valid within one process only.

    >>> len(shingles("One two, three four")), len(shingles("one")), len(shingles(""))
    (2, 1, 0)
    """
    words = [match[0].lower() for match, _ in zip(re.finditer(r"\w+", text), range(MOST), strict=False)]
    if len(words) <= LENGTH:
        return frozenset([hash(tuple(words))] if words else [])
    return frozenset(map(hash, zip(words, words[1:], words[2:], strict=False)))


def similarity(one: Shingles, other: Shingles) -> float:
    """The share of shingles in common (Dice): one word changed in a hundred leaves 0.97. Two empty texts have 0.

    >>> one = "the chain must be cleaned and oiled before it is put back on the wheel with both hands " * 1
    >>> similarity(shingles(one), shingles(one)), similarity(shingles(""), shingles(""))
    (1.0, 0.0)
    """
    size = len(one) + len(other)
    return 2 * len(one & other) / size if size else 0.0


class NearDuplicates:
    """The documents of one topic by their shingles; texts are read when first needed and not kept."""

    def __init__(self, text_of: Callable[[str], str]) -> None:
        self._text_of = text_of
        self._qid = ""
        self._known: dict[str, Shingles] = {}

    def most_similar(self, qid: str, docno: str, others: Iterable[str]) -> tuple[float, str] | None:
        """The most similar of the others, if it is a near-duplicate."""
        if qid != self._qid:
            self._qid, self._known = qid, {}
        mine = self._of(docno)
        found = max(((similarity(mine, self._of(other)), other) for other in others), default=None)
        return found if found and found[0] >= SIMILAR else None

    def reminder(self, state: AssessorState, here: Pair | None, number: Callable[[Pair], int]) -> str:
        """That a near-duplicate of the document labelled last got another grade; empty while that is `here`.

        `number` gives the position of a document in its topic.
        """
        last = state.done[-1] if state.done else None
        if last is None or last.grade is None or pair_of(last) == here:
            return ""
        states = {docno: state.decision((last.qid, docno)) for docno in state.decided[last.qid]}
        grades = {docno: state.grade for docno, state in states.items() if state and state.grade is not None}
        return self._other_grade(last, grades, number)

    def _other_grade(self, last: Event, grades: Mapping[str, int], number: Callable[[Pair], int]) -> str:
        twin = bare(last.docno)
        others = [docno for docno, grade in grades.items() if grade != last.grade and bare(docno) != twin]
        if (found := self.most_similar(last.qid, last.docno, others)) is None:
            return ""
        share, other, place = int(100 * found[0]), found[1], number((last.qid, found[1]))
        return f"a {share} % similar document ({place}) was graded {grades[other]}: keep {last.grade} or revise"

    def _of(self, docno: str) -> Shingles:
        if docno not in self._known:
            self._known[docno] = shingles(self._text_of(docno))
        return self._known[docno]
