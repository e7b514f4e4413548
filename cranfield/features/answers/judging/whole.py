"""What is labelled about whole answers: is one right, does it meet a rubric, which of two is better.

Whether an answer is right is asked by claims, in both directions: does it say each claim of the reference answer, and
does the reference answer say each statement that it makes.
"""

from collections.abc import Collection, Sequence
from itertools import combinations

from cranfield.errors import InputError
from cranfield.features.answers.judging.tasks import BETTER, YES_NO, AnswersRead, LabelTask, why_claim_gone
from cranfield.features.answers.store.labels import Claim, Item, current_claims
from cranfield.features.answers.store.rubrics import RubricQuestion, current_rubrics
from cranfield.formats import Document
from cranfield.judging.session.order import sort_by_hash
from cranfield.store.store import Store
from cranfield.text import name_hint


class Correcting(LabelTask):
    """Whether the answer says a claim of the reference answer, or the reference answer a statement of the answer."""

    noun = "claim"
    none = (
        "no topic has both answers and a reference answer; add reference answers with `cranfield answers"
        " claims import`, and the statements of answers with `cranfield answers claims make`"
    )

    def __init__(self, store: Store, seed: int, topics: Collection[str] | None = None) -> None:
        self._store, self.answers = store, AnswersRead(store, seed, topics)
        self.claims = {claim.number: claim for claim in current_claims(store)}

    def reference_claims(self, qid: str) -> list[Claim]:
        """The claims of the reference answer to a topic."""
        return [claim for claim in self.claims.values() if claim.qid == qid and claim.answer is None]

    def topic_items(self, qid: str, answers: Sequence[int]) -> list[Item]:
        """The claims of the reference, then those of each answer; nothing is asked of an answer without sentences."""
        reference = self.reference_claims(qid)
        return [
            (answer, claim.number)
            for answer in answers if reference and self.answers.sentences(answer)
            for claim in (*reference, *(one for one in self.claims.values() if one.answer == answer))
        ]  # fmt: skip

    def is_stated(self, item: Item) -> bool:
        """Whether it is a statement of the answer."""
        return self.claims[item[1]].answer is not None

    def read(self, item: Item) -> str:
        """What is read to find the claim in it."""
        if not self.is_stated(item):
            return self.answers.text(item[0])
        claims = [claim.text for claim in self.reference_claims(self.claims[item[1]].qid)]
        return "\n".join(["Reference answer:", "", *claims])

    def document(self, item: Item) -> Document:
        return Document("", f"Claim: {self.claims[item[1]].text}", self.read(item))

    def why_gone(self, item: Item) -> str:
        return why_claim_gone(self._store, item)


class Rating(LabelTask):
    """Label whether an answer meets a question of its topic's rubric: yes or no. The weights are hidden."""

    noun, scale = "question", YES_NO
    none = (
        "no topic has both answers and a rubric; add answers with `cranfield import answers`, and rubrics"
        " with `cranfield answers rubrics import`"
    )

    def __init__(self, store: Store, seed: int, topics: Collection[str] | None = None) -> None:
        self._store, self.answers = store, AnswersRead(store, seed, topics)
        self.questions: dict[int, RubricQuestion] = {one.number: one for one in current_rubrics(store)}

    def topic_items(self, qid: str, answers: Sequence[int]) -> list[Item]:
        questions = [one.number for one in self.questions.values() if one.qid == qid]
        return [(answer, one) for answer in answers if self.answers.sentences(answer) for one in questions]

    def document(self, item: Item) -> Document:
        return Document("", f"Question: {self.questions[item[1]].text}", self.answers.text(item[0]))

    def why_gone(self, item: Item) -> str:
        numbers = {one.number for one in current_rubrics(self._store)}
        return "" if item[1] in numbers else "this question has just been replaced"


class Comparing(LabelTask):
    """Which of two answers is better; each pair comes in both orders, the second ones after all others.

    With a `baseline` each answer is compared with that of this run alone. Nobody is asked about two answers that are
    the same: `identical` is how many such pairs there are.
    """

    noun, scale = "pair", BETTER
    none = "no topic has two answers to compare; `cranfield import answers` adds answers"

    def __init__(
        self, store: Store, seed: int, topics: Collection[str] | None = None, baseline: str | None = None
    ) -> None:
        self._seed, self._baseline, self.answers = seed, baseline, AnswersRead(store, seed, topics)
        runs = {self.answers.answer(one).run for several in self.answers.by_topic.values() for one in several}
        if baseline is not None and baseline not in runs:
            raise InputError(f"there is no run {baseline!r} among the answers{name_hint(baseline, sorted(runs))}")
        self.identical = sum(
            self._is_wanted(*two) and self._is_same(*two)
            for several in self.answers.by_topic.values()
            for two in combinations(self._full_answers(several), 2)
        )
        if self.identical:
            self.none = f"{self.remark[:-1]}; no other topic has two answers to compare"

    @property
    def remark(self) -> str:
        """What an assessor should know of pairs that are not shown."""
        return describe_identical(self.identical)

    def topic_items(self, qid: str, answers: Sequence[int]) -> list[Item]:
        several = combinations(self._full_answers(answers), 2)
        asked = (two for two in several if self._is_wanted(*two) and not self._is_same(*two))
        pairs = {f"{min(two)} {max(two)}": two for two in asked}
        once = [pairs[name] for name in sort_by_hash(pairs, qid, self._seed)]
        return [*once, *((second, first) for first, second in once)]

    def _full_answers(self, answers: Sequence[int]) -> list[int]:
        return [answer for answer in answers if self.answers.sentences(answer)]

    def _is_wanted(self, one: int, other: int) -> bool:
        runs = {self.answers.answer(one).run, self.answers.answer(other).run}
        return self._baseline is None or self._baseline in runs

    def _is_same(self, one: int, other: int) -> bool:
        return self.answers.sentences(one) == self.answers.sentences(other)

    def parts(self, item: Item) -> tuple[Document, ...]:
        return tuple(Document("", text="\n".join(self.answers.sentences(answer))) for answer in item)

    def document(self, item: Item) -> Document:
        first, second = (part.text for part in self.parts(item))
        return Document("", "Which answer is better?", f"First answer:\n\n{first}\n\n\nSecond answer:\n\n{second}")


def describe_identical(pairs: int) -> str:
    """Say how many pairs are not shown because both answers are the same; empty if there are none.

    >>> describe_identical(1), describe_identical(0)
    ('1 pair of identical answers is not shown and counts as a tie.', '')
    """
    if not pairs:
        return ""
    verbs = ("is", "counts") if pairs == 1 else ("are", "count")
    pair = "1 pair" if pairs == 1 else f"{pairs:,} pairs"
    tie = "a tie" if pairs == 1 else "ties"
    return f"{pair} of identical answers {verbs[0]} not shown and {verbs[1]} as {tie}."
