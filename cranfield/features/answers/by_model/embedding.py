"""Asking for the embeddings of the topics' questions and of those that a model made from answers.

The assessor is the one who made these: each has one embedding model, so all its cosines are of one kind.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from cranfield.features.answers.by_model.questioning import last_questions
from cranfield.features.answers.by_model.shared import Subject, is_left, topics_of
from cranfield.features.models.asking.planned import PlannedAsking
from cranfield.features.models.asking.prompt import Prompt
from cranfield.features.models.asking.server import checked_url
from cranfield.features.models.asking.task import Asker, Question, Task
from cranfield.features.models.calls import calls, check_setting, last_outcomes
from cranfield.store.decoding import json_of
from cranfield.store.store import Store

EMBEDDING = "embedding"
TEXT = Prompt(EMBEDDING, EMBEDDING, 1, "{text}", "", "the text alone, of which an embedding is wanted")


def embedder_of(store: Store, model: str, url: str, assessor: str) -> Asker:
    """The embedding model of an assessor; an error where that is another one already."""
    asker = Asker(assessor, model, checked_url(url), TEXT, {})
    check_setting(store, asker.setting(EMBEDDING))
    return asker


def embedding_asked(
    store: Store, asker: Asker, topics: Collection[str] | None = None, again: str = ""
) -> PlannedAsking:
    """Ask for the embeddings that are missing, each text of a topic once."""
    known = last_outcomes(store, asker.assessor, EMBEDDING)
    texts = dict.fromkeys(_texts(store, asker.assessor, topics))
    subjects = [about for about in texts if is_left(known.get(about), again)]
    return PlannedAsking(store, asker, EMBEDDING_TASK, subjects, bool(again))


def _texts(store: Store, assessor: str, topics: Collection[str] | None) -> Iterator[Subject]:
    asked = topics_of(store)
    for (qid, _), questions in last_questions(store, assessor).items():
        if not topics or qid in topics:
            texts = [asked[qid].title, *(one.text for one in questions)]
            yield from ((qid, text) for text in texts if text.strip())


def embeddings(store: Store, assessor: str) -> Mapping[Subject, list[float]]:
    """The last embedding of each text, by topic and text."""
    found = calls(store, assessor, EMBEDDING)
    return {(call.qid, call.subject): _numbers(call.subject, call.answer) for call in found if call.outcome == "ok"}


def _numbers(text: str, answer: str) -> list[float]:
    return json_of(list, answer, "model_call", text, "answer")


EMBEDDING_TASK = Task(
    EMBEDDING, frozenset({"text"}), lambda qid, subject: Question(qid, subject, {"text": subject}),
    lambda question, answer: _numbers(question.subject, answer),
    lambda store, question, reply: None, embeds=True,
)  # fmt: skip
