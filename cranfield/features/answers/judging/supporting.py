"""Support of citations: whether cited documents, taken together, support the sentence that cites them.

The measures of support look at the first citation of each sentence. Others look at the first three: whether they
support the sentence together, each alone, and the others without it (ALCE's recall and precision of citations). With
`each` those sets are shown as well, as far as the labels so far leave anything to ask: if the three together do not
support a sentence, none of them is asked alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from cranfield.features.answers.judging.reading import AnswersRead, documents_text
from cranfield.features.answers.judging.task import Grades, LabelTask
from cranfield.features.answers.store.labels import Item
from cranfield.formats import Document
from cranfield.store.store import Store

MOST = 3  # citations of a sentence that are looked at
Docnos = tuple[str, ...]


def sets_to_label(cited: Sequence[str], each: bool, grade: Callable[[Docnos], int | None]) -> Iterator[Docnos]:
    """The sets of a sentence's citations to label, given the grades so far: 2 supports, 0 does not, None is open.

    >>> list(sets_to_label(["a", "b"], False, lambda docnos: None))
    [('a',)]
    >>> list(sets_to_label("abcd", True, lambda docnos: None))
    [('a',), ('a', 'b', 'c')]
    >>> list(sets_to_label("abc", True, lambda docnos: 2 if docnos in (("a",), ("a", "b", "c")) else 0))
    [('a',), ('a', 'b', 'c'), ('b',), ('a', 'c'), ('c',), ('a', 'b')]
    """
    several = tuple(cited[:MOST])
    if not several:
        return
    yield several[:1]
    if not each or len(several) == 1:
        return
    yield several
    if not grade(several):
        return
    for one in several:
        if one != several[0]:
            yield (one,)
        others = tuple(other for other in several if other != one)
        if len(others) > 1 and grade((one,)) is not None and grade((one,)) != 2:
            yield others


class Supporting(LabelTask):
    """The sentences of answers that cite documents with a text."""

    noun = "citation"

    def __init__(self, store: Store, seed: int, topics: Collection[str] | None = None, each: bool = False) -> None:
        self._store, self._answers, self.adaptive = store, AnswersRead(store, seed, topics), each
        self._with_text = self._answers.cited_texts(store)
        self.without_text = 0  # sentences left out, as the store has no text for a document that they cite
        self._cited = {qid: list(self._sentences(numbers)) for qid, numbers in self._answers.ordered.items()}
        self.none = "no sentence of an answer cites a document that has a text in this store"

    def _sentences(self, numbers: Sequence[int]) -> Iterator[tuple[int, int, Docnos]]:
        """The answer, position and citations of each sentence that can be labelled."""
        for number in numbers:
            for position, sentence in enumerate(self._answers.answer(number).sentences, 1):
                cited = tuple(sentence.citations)[: MOST if self.adaptive else 1]
                if self._with_text.issuperset(cited):
                    yield from [(number, position, cited)] * bool(cited)
                else:
                    self.without_text += 1

    def items(self) -> dict[str, list[Item]]:
        firsts = {qid: [(*where, cited[:1]) for *where, cited in found] for qid, found in self._cited.items()}
        return {qid: found for qid, found in firsts.items() if found}

    def next(self, qid: str, grades: Grades) -> Sequence[Item]:
        return self.needed(qid, grades)[:1]

    def needed(self, qid: str, grades: Grades) -> list[Item]:
        """The items of a topic that have no label and need one, as far as the labels so far say."""
        items = (item for one in self._cited[qid] for item in _items(*one, grades))
        return [item for item in items if item not in grades]

    def shown(self, item: Item) -> Document:
        answer, position, docnos = item
        text = documents_text(self._store, docnos)
        return Document("", f"Sentence: {self._answers.sentences(answer)[position - 1]}", text)


def _items(answer: int, position: int, cited: Docnos, grades: Grades) -> list[Item]:
    """The items of a sentence that need a label."""

    def grade(docnos: Docnos) -> int | None:
        return grades.get((answer, position, docnos))

    return [(answer, position, docnos) for docnos in sets_to_label(cited, True, grade)]
