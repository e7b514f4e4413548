"""Preferences of a model: the same pairs as people's, in both orders, in the same log, as an assessor of kind model.

An answer that cannot be read is no preference: the pair "cannot be compared" in that order, with the reason.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from functools import partial

from cranfield.errors import InputError
from cranfield.features.models.asking.planned import PlannedAsking
from cranfield.features.models.asking.prompt import PromptTask
from cranfield.features.models.asking.task import Asker, Question, Reply, Task, number_format, number_of
from cranfield.features.models.calls import texts_missing
from cranfield.features.preferences.pairs import ANSWERS, CHOICES, drawn_pairs, nothing_drawn, showings, split
from cranfield.features.preferences.store import (
    DocumentPair,
    PreferenceEvent,
    append_preferences,
    current_preferences,
    document_pair,
)
from cranfield.formats import Topic
from cranfield.judging.labels.pairs import Pair
from cranfield.store.decoding import names_of
from cranfield.store.store import Store, sha256

PREFERENCE = PromptTask(
    "preference", frozenset({"query", "first", "second"}), frozenset({"description", "narrative"}),
    quoted=frozenset({"first", "second"}), scaled=False, json_format=number_format(sorted(ANSWERS)),
)  # fmt: skip


def preferences_asked(
    store: Store, asker: Asker, source: str, topics: Collection[str] = (), again: str = ""
) -> tuple[PlannedAsking, int]:
    """Ask about both orders of the pairs of a source; also how many pairs are left out for want of a text."""
    if not asker.prompt.line:
        raise InputError("line is missing: what the line with the number begins with", asker.prompt.path)
    bare = texts_missing(store)
    drawn = [pair for pair in drawn_pairs(store, source) if not topics or pair.qid in topics]
    if not drawn:
        raise nothing_drawn(source, topics)
    pairs = [pair for pair in drawn if not {pair.first, pair.second} & bare]
    subjects = _left(store, asker.assessor, pairs, again)
    return PlannedAsking(store, asker, preference_task(store, asker), subjects, bool(again)), len(drawn) - len(pairs)


def preference_task(store: Store, asker: Asker) -> Task:
    """The task of asking which of two documents is better."""
    known = {topic.qid: topic for topic in store.topics()}

    def parse(question: Question, answer: str) -> int:
        return number_of(answer, asker, sorted(ANSWERS))

    return Task(PREFERENCE, partial(_question, store, known), parse, partial(_record, asker.assessor))


def _left(store: Store, assessor: str, pairs: Collection[DocumentPair], again: str) -> list[Pair]:
    """The showings without an answer, pair by pair: a limit leaves whole pairs. `again`: also the failed, or all."""
    done = {
        (event.qid, event.first, event.second)
        for event in current_preferences(store, assessor)
        if again != "all" and not (again == "failed" and event.kind == "cannot-judge")
    }
    by_pair: dict[DocumentPair, list[tuple[str, tuple[str, str]]]] = {}
    for qid, docno in showings(pairs, 0):
        by_pair.setdefault(document_pair(qid, *split(docno)), []).append((qid, split(docno)))
    shown = [one for both in by_pair.values() for one in both]
    return [(qid, json.dumps(two)) for qid, two in shown if (qid, *two) not in done]


def _question(store: Store, topics: Mapping[str, Topic], qid: str, subject: str) -> Question:
    """The topic and both texts, and nothing else that the store knows."""
    topic, both = topics[qid], map(store.document, _two(subject))
    texts = ["\n".join(filter(None, (document.title, document.text))) for document in both]
    values = {
        "query": topic.title or topic.description, "description": topic.description, "narrative": topic.narrative,
        "first": texts[0], "second": texts[1],
    }  # fmt: skip
    return Question(qid, subject, values, None, sha256("\0".join(texts)))


def _two(subject: str) -> tuple[str, ...]:
    """The documents that a question is about, in the order shown."""
    return tuple(names_of(subject, "model_request", subject, "subject"))


def _record(assessor: str, store: Store, settled: Sequence[tuple[Question, Reply]]) -> None:
    """Append the answers, or that there are none; a failure to get an answer takes nothing back."""
    events, before = [], set[tuple[str, str, str]]()
    if any(reply.outcome == "error" for _, reply in settled):
        before = {(event.qid, event.first, event.second) for event in current_preferences(store, assessor)}
    for question, reply in settled:
        (first, second), answered = _two(question.subject), reply.outcome == "ok"
        if reply.outcome != "error" or (question.qid, first, second) not in before:
            event = PreferenceEvent(
                "prefer" if answered else "cannot-judge", question.qid, first, second=second, assessor=assessor,
                choice=CHOICES[reply.value] if answered else None,
                reason="" if answered else f"{reply.outcome}: {reply.reason}",
                evidence=json.dumps({"call": reply.call}), document_sha256=question.document_sha256, input="model",
            )  # fmt: skip
            events.append(event)
    append_preferences(store, *events)
