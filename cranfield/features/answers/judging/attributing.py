"""Attributing claims: whether the documents that an answer was made from, taken together, say a claim.

The claims of an answer itself say whether it invents; those of the reference answer to its topic whether its documents
suffice. Documents are shown in full, one answer after the other, in an order that tells nothing of the runs.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cranfield.features.answers.judging.reading import AnswersRead, documents_text
from cranfield.features.answers.judging.task import LabelTask
from cranfield.features.answers.store.labels import Claim, Item, current_claims
from cranfield.formats import Document
from cranfield.store.corpus import listed_of
from cranfield.store.store import Store


class Attributing(LabelTask):
    """The claims that count, and the answers whose documents may say them."""

    noun = "claim"

    def __init__(self, store: Store, seed: int, topics: Collection[str] | None = None) -> None:
        self._store, self._answers = store, AnswersRead(store, seed, topics)
        self._claims = {claim.number: claim for claim in current_claims(store)}
        self._texts = self._with_text()
        self.without_text = 0  # answers left out
        self.none = (
            "no answer whose documents have texts in this store has claims; `cranfield answers claims import` adds"
            " those of reference answers, and `cranfield answers claims make` those of answers"
        )

    def _with_text(self) -> set[str]:
        """The documents with a text that answers were made from."""
        numbers = [number for several in self._answers.ordered.values() for number in several]
        docnos = sorted({docno for number in numbers for docno in self._answers.answer(number).documents})
        return {docno for docno, about in listed_of(self._store, docnos).items() if about.length is not None}

    def items(self) -> dict[str, list[Item]]:
        self.without_text = 0
        found = {qid: self._of_topic(qid, answers) for qid, answers in self._answers.ordered.items()}
        return {qid: items for qid, items in found.items() if items}

    def _of_topic(self, qid: str, answers: Sequence[int]) -> list[Item]:
        claims = [claim for claim in self._claims.values() if claim.qid == qid]
        items: list[Item] = []
        for answer in answers:
            mine = [(answer, claim.number) for claim in claims if claim.answer in (None, answer)]
            whole = self._texts.issuperset(self._answers.answer(answer).documents)
            self.without_text += bool(mine) and not whole
            items += mine if whole and self._answers.answer(answer).documents else []
        return items

    def claim(self, number: int) -> Claim | None:
        """A claim that counts."""
        return self._claims.get(number)

    def documents(self, answer: int) -> str:
        """The documents of an answer, as they are read."""
        return documents_text(self._store, self._answers.answer(answer).documents)

    def shown(self, item: Item) -> Document:
        answer, claim = item
        return Document("", f"Claim: {self._claims[claim].text}", self.documents(answer))

    def gone(self, item: Item) -> str:
        there = {claim.number for claim in current_claims(self._store)}
        return "" if item[1] in there else "this claim was replaced meanwhile"


def without_text(store: Store, topics: Collection[str] | None) -> int:
    """How many answers with claims are left out because the store has no text for a document of theirs."""
    task = Attributing(store, 0, topics)
    task.items()
    return task.without_text
