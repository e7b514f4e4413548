"""Answers as people read them: in an order that tells nothing about the runs, without their tags."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from cranfield.errors import InputError
from cranfield.features.answers.store.answers import StoredAnswer, stored_answers
from cranfield.formats import Document
from cranfield.judging.session.order import by_hash
from cranfield.store.corpus import listed_of
from cranfield.store.store import Store


class AnswersRead:
    """The answers of some topics, or of all; `ordered` has the numbers of those of each topic in their order."""

    def __init__(self, store: Store, seed: int, topics: Collection[str] | None = None) -> None:
        self._by_number = {answer.number: answer for answer in stored_answers(store)}
        by_topic: dict[str, list[str]] = {}
        for answer in self._by_number.values():
            by_topic.setdefault(answer.qid, []).append(str(answer.number))
        for qid in topics or ():
            if qid not in by_topic:
                raise InputError(f"topic {qid!r} has no answers; those that have are {', '.join(list(by_topic)[:10])}")
        self.ordered = {
            qid: [int(number) for number in by_hash(numbers, qid, seed)]
            for qid, numbers in by_topic.items()
            if not topics or qid in topics
        }

    def listed(self) -> Mapping[str, Sequence[int]]:
        """The numbers of the answers to each topic; an error where there is none."""
        if not self.ordered:
            raise InputError("no topic has answers; `cranfield import answers` adds answers")
        return self.ordered

    def answer(self, number: int) -> StoredAnswer:
        """An answer."""
        return self._by_number[number]

    def sentences(self, number: int) -> Sequence[str]:
        """The sentences of an answer."""
        return [sentence.text for sentence in self._by_number[number].sentences]

    def cited_texts(self, store: Store) -> set[str]:
        """The documents with a text that the answers cite."""
        sentences = (sentence for answer in self._by_number.values() for sentence in answer.sentences)
        cited = {docno for sentence in sentences for docno in sentence.citations}
        return {docno for docno, about in listed_of(store, sorted(cited)).items() if about.length is not None}

    def place(self, number: int) -> str:
        """Which of the answers to its topic it is."""
        there = self.ordered[self._by_number[number].qid]
        return f"Answer {there.index(number) + 1} of {len(there)}"

    def text(self, number: int) -> str:
        """An answer under its place, one sentence per line."""
        return "\n".join([f"{self.place(number)}:", "", *self.sentences(number)])


def documents_text(store: Store, docnos: Sequence[str]) -> str:
    """The texts of documents, each under its number where there are several."""
    several = len(docnos) > 1
    return "\n\n".join(
        part
        for number, docno in enumerate(docnos, 1)
        for part in _parts(f"Document {number} of {len(docnos)}:" if several else "", store.document(docno))
    )


def _parts(head: str, document: Document) -> list[str]:
    return [part for part in (head, document.title, document.text) if part]
