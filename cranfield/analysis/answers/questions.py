"""The questions that a model made from answers with their embeddings: what AnsRel is computed from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import nan
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.judging.answers.by_model.embedding import EMBEDDING, embeddings
from cranfield.judging.answers.by_model.questioning import QUESTIONS, AnswerQuestion, last_questions
from cranfield.judging.answers.by_model.shared import topics_of
from cranfield.metrics.answers.judged import Labels
from cranfield.store.answers.answers import StoredAnswer
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.models import assessors_asked, setting_of
from cranfield.store.store import Store

ASK_QUESTIONS = (
    "no answer has questions that a model made from it; `cranfield answers questions make` asks for them, and with"
    " --again failed once more"
)
Vector = Sequence[float]


class QuestionsSaid(NamedTuple):
    """The questions of answers by topic and answer, and the embeddings by topic and text."""

    questions: Mapping[tuple[str, int], Sequence[AnswerQuestion]]
    vectors: Mapping[tuple[str, str], Vector]
    asked: Mapping[str, str]  # the question of each topic

    def of(self, answer: StoredAnswer) -> tuple[Vector, Sequence[Vector], Labels]:
        """The embeddings of the topic's question and the answer's, and whether each found it evasive; else failed."""
        made = self.questions.get((answer.qid, answer.number), ())
        question = self.vectors.get((answer.qid, self.asked.get(answer.qid, "")))
        vectors = [self.vectors.get((answer.qid, one.text)) for one in made]
        found = [vector for vector in vectors if vector is not None]
        if question is None or not found or len(found) < len(vectors):
            return [1.0], [[1.0]], [nan]
        return question, found, [float(one.evasive) for one in made]


def questions_said(store: Store, assessor: str | None, whose: LabelledBy, tell: Callable[[str], None]) -> QuestionsSaid:
    """What one model made; an error where none did, or several and none is chosen."""
    names = assessors_asked(store, QUESTIONS.name) if whose.counts("model") else []
    names = [name for name in names if assessor in (None, name)]
    if not names:
        by = f" by {assessor or whose}" if assessor or whose is not LabelledBy.all else ""
        raise InputError(ASK_QUESTIONS + (f" (none is{by})" if by else ""), store.path)
    if len(names) > 1:
        raise InputError(f"{', '.join(names)} made questions; --assessor NAME chooses one", store.path)
    [name] = names
    vectors = embeddings(store, name)
    if len(sizes := {len(vector) for vector in vectors.values()}) > 1:
        found = " and ".join(map(str, sorted(sizes)))
        raise InputError(f"embeddings of {name} have {found} numbers; ask again with --again all", store.path)
    if not vectors:
        raise InputError(f"the questions of {name} have no embeddings; --embedding-model asks for them", store.path)
    by_model = setting_of(store, name, EMBEDDING)
    tell(f"questions of answers by {name}, embeddings by {by_model.model if by_model else '?'}")
    return QuestionsSaid(
        last_questions(store, name), vectors, {qid: topic.title for qid, topic in topics_of(store).items()}
    )
