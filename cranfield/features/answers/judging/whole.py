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
        "no topic has both answers and a reference answer; `cranfield answers claims import` adds the claims of"
        " reference answers, and `cranfield answers claims make` what answers state"
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
    """Whether an answer meets a question of the rubric of its topic: yes or no. The weights are not shown."""

    noun, scale = "question", YES_NO
    none = (
        "no topic has both answers and a rubric; `cranfield import answers` adds answers, and `cranfield answers"
        " rubrics import` rubrics"
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
        return "" if item[1] in numbers else "this question was replaced meanwhile"


class Comparing(LabelTask):
    """Which of two answers to a topic is better; each pair comes in both orders, the second ones after all others.

    With a `baseline` each answer is compared with that of this run alone.
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

    def topic_items(self, qid: str, answers: Sequence[int]) -> list[Item]:
        full = [answer for answer in answers if self.answers.sentences(answer)]
        pairs = {f"{min(two)} {max(two)}": two for two in combinations(full, 2) if self._is_wanted(*two)}
        once = [pairs[name] for name in sort_by_hash(pairs, qid, self._seed)]
        return [*once, *((second, first) for first, second in once)]

    def _is_wanted(self, one: int, other: int) -> bool:
        runs = {self.answers.answer(one).run, self.answers.answer(other).run}
        return self._baseline is None or self._baseline in runs

    def document(self, item: Item) -> Document:
        first, second = ("\n".join(self.answers.sentences(answer)) for answer in item)
        return Document("", "Which answer is better?", f"First answer:\n\n{first}\n\n\nSecond answer:\n\n{second}")
