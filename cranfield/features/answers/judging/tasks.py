"""What is labelled about answers, one item at a time: nuggets in answers, claims in documents, support of citations.

Answers are read in a seeded order that tells nothing about the runs, without their tags.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from cranfield.display.layout import Region, as_lists, layout_of, move_regions
from cranfield.errors import InputError
from cranfield.features.answers.store.answers import StoredAnswer, answers_that_count, stored_answers
from cranfield.features.answers.store.labels import Claim, Item, current_claims
from cranfield.features.answers.store.nuggets import counted_nuggets, current_nuggets
from cranfield.formats import Document
from cranfield.judging.session.order import sort_by_hash
from cranfield.judging.session.worklist import Decided, Provider
from cranfield.selection import LabelledBy
from cranfield.store.corpus import listed_documents
from cranfield.store.store import Store
from cranfield.text import name_hint


class LabelScale(NamedTuple):
    """The digits that give labels: what each says, and the label; and all of them in short, for a prompt."""

    grades: Mapping[int, str]
    labels: Mapping[int, str]
    keys: str

    @property
    def grade_of(self) -> dict[str, int]:
        """The digit of each label."""
        return {label: grade for grade, label in self.labels.items()}


SUPPORTS = LabelScale(
    {0: "no support", 1: "partial support", 2: "support"},
    {0: "not_support", 1: "partial_support", 2: "support"},
    "0 no, 1 partial, 2 support",
)
YES_NO = LabelScale({0: "no", 1: "yes"}, {0: "no", 1: "yes"}, "0 no, 1 yes")
BETTER = LabelScale(
    {1: "the first answer is better", 2: "the second answer is better", 0: "no difference"},
    {1: "first", 2: "second", 0: "equal"},
    "1 the first, 2 the second, 0 neither",
)
LABELS, GRADE_OF = SUPPORTS.labels, SUPPORTS.grade_of
Grades = Mapping[Item, int | None]  # None: put off, or it could not be judged


class AnswersRead:
    """The answers of some topics, or of all; `by_topic` has the numbers of those that count, by topic, in their order.

    One that does not count any more is still read: a model's reply about it may come late.
    """

    def __init__(self, store: Store, seed: int, topics: Collection[str] | None = None) -> None:
        self._by_number = {answer.number: answer for answer in stored_answers(store)}
        by_topic: dict[str, list[str]] = {}
        for number, (_, qid) in answers_that_count(store).items():
            by_topic.setdefault(qid, []).append(str(number))
        for qid in topics or ():
            if qid not in by_topic:
                some = "no answers that count" if qid in {one.qid for one in self._by_number.values()} else "no answers"
                raise InputError(f"topic {qid!r} has {some}{name_hint(qid, by_topic)}")
        self.by_topic = {
            qid: [int(number) for number in sort_by_hash(numbers, qid, seed)]
            for qid, numbers in by_topic.items()
            if not topics or qid in topics
        }

    def to_read(self) -> Mapping[str, Sequence[int]]:
        """The numbers of the answers to each topic; an error where there is none."""
        if not self.by_topic:
            raise InputError("no topic has answers; `cranfield import answers` adds answers")
        return self.by_topic

    def answer(self, number: int) -> StoredAnswer:
        """An answer."""
        return self._by_number[number]

    def sentences(self, number: int) -> Sequence[str]:
        """The sentences of an answer."""
        return [sentence.text for sentence in self._by_number[number].sentences]

    def cited_texts(self, store: Store) -> set[str]:
        """The documents with a text that the answers cite."""
        sentences = (sentence for answer in self._by_number.values() for sentence in answer.sentences)
        docnos = {docno for sentence in sentences for docno in sentence.citations}
        return {docno for docno, about in listed_documents(store, sorted(docnos)).items() if about.length is not None}

    def place(self, number: int) -> str:
        """Which of the answers to its topic it is."""
        numbers = self.by_topic.get(self._by_number[number].qid, ())
        return f"Answer {numbers.index(number) + 1} of {len(numbers)}" if number in numbers else "Answer"

    def text(self, number: int) -> str:
        """An answer under its place, one sentence per line."""
        return "\n".join([f"{self.place(number)}:", "", *self.sentences(number)])


class LabelTask(Protocol):
    """A kind of item that people label; the runs of the answers never reach them."""

    noun: str
    none: str  # why there is nothing to do
    answers: AnswersRead
    adaptive: bool = False  # whether the labels decide what is asked
    scale: LabelScale = SUPPORTS

    def topic_items(self, qid: str, answers: Sequence[int]) -> list[Item]:
        """The items of a topic, in the order in which they are shown; the first, where it adapts."""

    def items(self) -> dict[str, list[Item]]:
        """The items of each topic that has any."""
        return {
            qid: items for qid, numbers in self.answers.by_topic.items() if (items := self.topic_items(qid, numbers))
        }

    def to_label(self) -> dict[str, list[Item]]:
        """The same; an error where there is none."""
        if not (items := self.items()):
            raise InputError(self.none)
        return items

    def next(self, qid: str, grades: Grades) -> Sequence[Item]:
        """What is to be labelled next, where the task adapts."""
        return []

    def document(self, item: Item) -> Document:
        """What the assessor reads: the question as its title, and the text to read."""

    @property
    def remark(self) -> str:
        """What an assessor should know of items that are not shown; empty if there are none."""
        return ""

    def parts(self, item: Item) -> tuple[Document, ...]:
        """The texts that a page shows side by side instead of the document; none for most tasks."""
        return ()

    def why_gone(self, item: Item) -> str:
        """Why an item is no longer labelled; else empty."""
        return ""


class NamedItems(Provider):
    """The items of a task under the names that a session knows them by; it provides the next where the task adapts.

    >>> from cranfield.features.answers.judging.tasks import Supporting
    >>> from cranfield.store.store import Store
    >>> with Store.memory("empty") as store:
    ...     names = NamedItems(Supporting(store, seed=0))
    >>> names.name((1, 2, ("d1",))), names.item('[1, 2, ["d1"]]')
    ('[1, 2, ["d1"]]', (1, 2, ('d1',)))
    """

    def __init__(self, task: LabelTask) -> None:
        self._task, self._items = task, dict[str, Item]()

    def name(self, item: Item) -> str:
        """The name of an item."""
        name = json.dumps(item, ensure_ascii=False)
        self._items[name] = item
        return name

    def item(self, name: str) -> Item:
        """The item that was given this name."""
        return self._items[name]

    def batch(self, qid: str, grades: Decided) -> Sequence[str]:
        """The names of what comes next."""
        following = self._task.next(qid, {self._items[name]: grade for name, grade in grades.items()})
        return [self.name(item) for item in following]


def documents_text(store: Store, docnos: Sequence[str]) -> str:
    """The texts of documents, each under its number where there are several."""
    return documents_shown(store, docnos, "").text


def documents_shown(store: Store, docnos: Sequence[str], title: str) -> Document:
    """The same as a document of a title, laid out as they are."""
    text, layout = "", list[Region]()
    for number, document in enumerate(map(store.document, docnos), 1):
        head = f"Document {number} of {len(docnos)}:" if len(docnos) > 1 else ""
        for part in filter(None, (head, document.title)):
            text += f"{part}\n\n"
        layout += move_regions(layout_of(document.metadata, document.text), len(text).__add__)
        text += f"{document.text}\n\n" if document.text else ""
    return Document("", title, text.removesuffix("\n\n"), metadata={"layout": as_lists(layout)} if layout else {})


class Assigning(LabelTask):
    """Whether an answer says what a nugget says, fully, in part, or not at all.

    An answer is read once, with all nuggets of its topic; nothing is asked of one without sentences. Their importance
    is not shown: it must not sway the label.
    `nuggets` chooses people's, models' or all; by default people's where there are any.
    """

    noun = "nugget"
    none = (
        "no topic has both answers and nuggets; add answers with `cranfield import answers`, and nuggets with"
        " `cranfield answers nuggets make`"
    )

    def __init__(
        self, store: Store, seed: int, topics: Collection[str] | None = None, nuggets: LabelledBy | None = None
    ) -> None:
        self._store, self.answers = store, AnswersRead(store, seed, topics)
        self._nuggets = {nugget.number: nugget for nugget in counted_nuggets(store, nuggets).nuggets}

    def topic_items(self, qid: str, answers: Sequence[int]) -> list[Item]:
        nuggets = [nugget.number for nugget in self._nuggets.values() if nugget.qid == qid]
        return [(answer, nugget) for answer in answers if self.answers.sentences(answer) for nugget in nuggets]

    def document(self, item: Item) -> Document:
        answer, nugget = item
        return Document("", f"Nugget: {self._nuggets[nugget].text}", self.answers.text(answer))

    def why_gone(self, item: Item) -> str:
        known = self._nuggets.get(item[1])
        numbers = {nugget.number for nugget in current_nuggets(self._store, known.qid if known else None)}
        return "" if item[1] in numbers else "this nugget has just been reworded, merged or dropped"


class Attributing(LabelTask):
    """Whether the documents that an answer was made from, taken together, say a claim; they are shown in full.

    The claims of an answer itself say whether it invents; those of the reference answer to its topic whether its
    documents suffice.
    """

    noun = "claim"
    none = (
        "no answer has both claims and documents with texts in this store; add reference answers with `cranfield"
        " answers claims import`, and the statements of answers with `cranfield answers claims make`"
    )

    def __init__(self, store: Store, seed: int, topics: Collection[str] | None = None) -> None:
        self._store, self.answers = store, AnswersRead(store, seed, topics)
        self._claims = {claim.number: claim for claim in current_claims(store)}
        self._texts = self._cited_documents()
        self.without_text = 0  # answers left out

    def _cited_documents(self) -> set[str]:
        """The documents with a text that answers were made from."""
        numbers = [number for several in self.answers.by_topic.values() for number in several]
        docnos = sorted({docno for number in numbers for docno in self.answers.answer(number).documents})
        return {docno for docno, about in listed_documents(self._store, docnos).items() if about.length is not None}

    def items(self) -> dict[str, list[Item]]:
        self.without_text = 0
        return super().items()

    def topic_items(self, qid: str, answers: Sequence[int]) -> list[Item]:
        claims = [claim for claim in self._claims.values() if claim.qid == qid]
        items: list[Item] = []
        for answer in answers:
            mine = [(answer, claim.number) for claim in claims if claim.answer in (None, answer)]
            whole = self._texts.issuperset(self.answers.answer(answer).documents)
            self.without_text += bool(mine) and not whole
            items += mine if whole and self.answers.answer(answer).documents else []
        return items

    def claim(self, number: int) -> Claim | None:
        """A claim that counts."""
        return self._claims.get(number)

    def documents(self, answer: int) -> str:
        """The documents of an answer, as they are read."""
        return documents_text(self._store, self.answers.answer(answer).documents)

    def document(self, item: Item) -> Document:
        answer, claim = item
        docnos = self.answers.answer(answer).documents
        return documents_shown(self._store, docnos, f"Claim: {self._claims[claim].text}")

    def why_gone(self, item: Item) -> str:
        return why_claim_gone(self._store, item)


def why_claim_gone(store: Store, item: Item) -> str:
    """Why the claim of an item is no longer labelled; else empty."""
    numbers = {claim.number for claim in current_claims(store)}
    return "" if item[1] in numbers else "this claim has just been replaced"


def count_missing_texts(store: Store, topics: Collection[str] | None) -> int:
    """How many answers with claims are left out because the store has no text for a document of theirs."""
    task = Attributing(store, 0, topics)
    task.items()
    return task.without_text


MOST = 3  # citations of a sentence that are looked at
Docnos = tuple[str, ...]


def sets_to_label(citations: Sequence[str], each: bool, grade: Callable[[Docnos], int | None]) -> Iterator[Docnos]:
    """The sets of a sentence's citations to label, given the grades so far: 2 supports, 0 does not, None is open.

    >>> list(sets_to_label(["a", "b"], False, lambda docnos: None))
    [('a',)]
    >>> list(sets_to_label("abcd", True, lambda docnos: None))
    [('a',), ('a', 'b', 'c')]
    >>> list(sets_to_label("abc", True, lambda docnos: 2 if docnos in (("a",), ("a", "b", "c")) else 0))
    [('a',), ('a', 'b', 'c'), ('b',), ('a', 'c'), ('c',), ('a', 'b')]
    """
    several = tuple(citations[:MOST])
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
    """Whether cited documents, taken together, support the sentence that cites them.

    The measures of support look at the first citation of each sentence. Others look at the first three: whether they
    support the sentence together, each alone, and the others without it (ALCE's recall and precision of citations).
    With `each` those sets are shown as well, as far as the labels so far leave anything to ask: if the three together
    do not support a sentence, none of them is asked alone.
    """

    noun = "citation"
    none = "no sentence of an answer cites a document that has a text in this store"

    def __init__(self, store: Store, seed: int, topics: Collection[str] | None = None, each: bool = False) -> None:
        self._store, self.answers, self.adaptive = store, AnswersRead(store, seed, topics), each
        self._cited_documents = self.answers.cited_texts(store)
        self.without_text = 0  # sentences left out, as the store has no text for a document that they cite
        self._citations = {qid: list(self._sentences(numbers)) for qid, numbers in self.answers.by_topic.items()}

    def _sentences(self, numbers: Sequence[int]) -> Iterator[tuple[int, int, Docnos]]:
        """The answer, position and citations of each sentence that can be labelled."""
        for number in numbers:
            for position, sentence in enumerate(self.answers.answer(number).sentences, 1):
                citations = tuple(sentence.citations)[: MOST if self.adaptive else 1]
                if self._cited_documents.issuperset(citations):
                    yield from [(number, position, citations)] * bool(citations)
                else:
                    self.without_text += 1

    def topic_items(self, qid: str, answers: Sequence[int]) -> list[Item]:
        return [(*where, docnos[:1]) for *where, docnos in self._citations[qid]]

    def next(self, qid: str, grades: Grades) -> Sequence[Item]:
        return self.due(qid, grades)[:1]

    def due(self, qid: str, grades: Grades) -> list[Item]:
        """The items of a topic that have no label and need one, as far as the labels so far say."""
        items = (item for one in self._citations[qid] for item in _items(*one, grades))
        return [item for item in items if item not in grades]

    def document(self, item: Item) -> Document:
        answer, position, docnos = item
        return documents_shown(self._store, docnos, f"Sentence: {self.answers.sentences(answer)[position - 1]}")


def _items(answer: int, position: int, citations: Docnos, grades: Grades) -> list[Item]:
    """The items of a sentence that need a label."""

    def grade(docnos: Docnos) -> int | None:
        return grades.get((answer, position, docnos))

    return [(answer, position, docnos) for docnos in sets_to_label(citations, True, grade)]
