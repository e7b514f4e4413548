"""Labelling a pool with a model: a question for each document without a label, by a server or by batch files."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.features.models.asking.extension import model_tasks
from cranfield.features.models.asking.limits import UNLIMITED, AskingTally, AskLimits, Price
from cranfield.features.models.asking.planned import (
    BatchRead,
    PlannedAsking,
    TaskMakers,
    asked_document,
    asker_of,
    read_batch,
)
from cranfield.features.models.asking.prompt import Prompt, PromptTask, check_json, scale_for, scale_text
from cranfield.features.models.asking.task import (
    GOT_ERROR,
    Asker,
    Question,
    Reply,
    Task,
    grade_in,
    number_format,
    reason_of,
)
from cranfield.features.models.calls import texts_missing
from cranfield.formats import Document, Topic
from cranfield.judging.labels.pairs import Pair
from cranfield.judging.session.adaptive import grow, remaining_documents_by_topic, topic_size_limits
from cranfield.judging.session.order import sort_by_hash
from cranfield.store import open_pools
from cranfield.store.chain import Event
from cranfield.store.log import append, current_decisions, events_of
from cranfield.store.open_pools import is_open
from cranfield.store.pools import newest_pool_to_judge, pool_record, stored_pool
from cranfield.store.store import Store, document_hash
from cranfield.store.withdrawals import drop_renamed, pairs_settled_under_other_name
from cranfield.text import counted, name_hint

RELEVANCE = "relevance"
PLACEHOLDERS = PromptTask(
    RELEVANCE, frozenset({"query", "passage"}), frozenset({"description", "narrative"}), frozenset({"passage"})
)


class OpenWork(NamedTuple):
    """What a model has still to label: pairs in order, and how many have no text to be labelled by."""

    pool: int
    pairs: list[Pair]
    without_text: int
    decisions: int

    @property
    def documents(self) -> int:
        """How many the pool has, of the topics asked for."""
        return len(self.pairs) + self.without_text + self.decisions


def open_work(
    store: Store, assessor: str, pool: int | None = None, topics: Collection[str] = (), again: str = ""
) -> OpenWork:
    """The pooled documents that an assessor has not decided, or that got an error; `again`: all that failed, or all."""
    contents = stored_pool(store, pool or newest_pool_to_judge(store))
    has_text = {topic.qid: bool((topic.title + topic.description).strip()) for topic in store.topics()}
    if unknown := [qid for qid in topics if qid not in has_text]:
        raise InputError(f"topic {unknown[0]!r} is not in the store{name_hint(unknown[0], has_text)}")
    pooled: dict[str, list[str]] = {}
    for document in contents.documents:
        if not topics or document.qid in topics:
            pooled.setdefault(document.qid, []).append(document.docno)
    pooled = pooled if again == "all" else drop_renamed(store, assessor, pooled)
    all_pairs = [(qid, docno) for qid in has_text for docno in sort_by_hash(pooled.get(qid, ()), qid, 0)]
    events = {} if again == "all" else current_decisions(store, assessor)
    decisions = {
        pair
        for pair, event in events.items()
        if not (event.kind == "cannot-judge" and (again == "failed" or event.reason.startswith(GOT_ERROR)))
    }
    bare = texts_missing(store)
    rest = [pair for pair in all_pairs if pair not in decisions]
    pairs = [pair for pair in rest if pair[1] not in bare and has_text[pair[0]]]
    return OpenWork(int(contents.number or 0), pairs, len(rest) - len(pairs), len(all_pairs) - len(rest))


def grown_work(store: Store, assessor: str, pool: int, topics: Collection[str] = ()) -> OpenWork:
    """What is left after an open pool has got the next batch of each topic in which the assessor has nothing left.

    A topic that is assigned to people is theirs to take further.
    """
    if open_pools.is_open(store, bare_of := pool_record(store, pool)):
        most, bare = topic_size_limits(store, bare_of), texts_missing(store)
        decisions = {*current_decisions(store, assessor), *pairs_settled_under_other_name(store, assessor)}
        with store.writing():
            for qid in [qid for qid in most if not topics or qid in topics]:
                while _is_settled(store, pool, qid, bare, decisions) and open_pools.can_extend_topic(
                    store, assessor, pool, qid
                ):
                    if not grow(store, pool, qid, most[qid]):
                        break
    return open_work(store, assessor, pool, topics)


def _is_settled(store: Store, pool: int, qid: str, bare: Collection[str], decisions: Collection[Pair]) -> bool:
    """Whether all that a pool has for a topic is decided, or has no text to be labelled by."""
    return all(docno in bare or (qid, docno) in decisions for docno in open_pools.docnos(store, pool, qid))


def repeated_work(store: Store, assessor: str, number: int, pool: int | None, topics: Collection[str] = ()) -> OpenWork:
    """So many documents that an assessor has graded, drawn at random, the same ones each time."""
    work = open_work(store, assessor, pool, topics, "all")
    graded = {pair for pair, event in current_decisions(store, assessor).items() if event.kind == "label"}
    labelled = [pair for pair in work.pairs if pair in graded]
    if number > len(labelled):
        raise InputError(
            f"{assessor!r} has graded {counted(len(labelled), 'document')} here; --repeat asks for {number}"
        )
    return work._replace(pairs=Random(0).sample(labelled, number), without_text=0)


def relevance_task(store: Store, assessor: str, prompt: Prompt, pool: int | None, json_answer: bool = False) -> Task:
    """Asking for grades on the scale of a store."""
    grades = store.collection.grades
    scale, meanings = scale_for(prompt, grades), scale_text(prompt, grades)
    topics = {topic.qid: topic for topic in store.topics()}

    def question(qid: str, docno: str) -> Question:
        return _question(topics[qid], store.document(docno), meanings)

    def parse(question: Question, answer: str) -> int:
        return grade_in(answer, prompt, scale, json_answer)

    return Task(PLACEHOLDERS, question, parse, partial(_record, assessor, pool))


def _question(topic: Topic, document: Document, scale: str) -> Question:
    """The topic, the text and the scale, and nothing else that the store knows."""
    text = "\n".join(part for part in (document.title, document.text) if part)
    values = {
        "query": topic.title or topic.description, "description": topic.description, "narrative": topic.narrative,
        "passage": text, "scale": scale,
    }  # fmt: skip
    return Question(topic.qid, document.docno, values, document.docno, document_hash(document.text, document.metadata))


def _record(assessor: str, pool: int | None, store: Store, answers: Sequence[tuple[Question, Reply]]) -> None:
    """Append the labels, or that there are none; a failure to get an answer takes no label back."""
    append(store, *(
        Event(
            "label" if (graded := reply.outcome == "ok") else "cannot-judge", question.qid, question.subject, assessor,
            grade=reply.value if graded else None, reason="" if graded else reason_of(reply),
            evidence=json.dumps({"call": reply.call}), document_sha256=question.document_sha256, pool=pool,
            input="model",
        )
        for question, reply in answers
        if reply.outcome != "error" or not _has_label(store, assessor, question)
    ))  # fmt: skip


def _has_label(store: Store, assessor: str, question: Question) -> bool:
    events = events_of(store, question.qid, question.subject, "current_judgment")
    return any(event.assessor == assessor for event in events)


def response_format(prompt: Prompt, grades: Mapping[int, str]) -> dict[str, Any]:
    """The form of answers as JSON, for servers that enforce it; an error where the prompt has no words for it."""
    check_json(prompt)
    return dict(number_format(scale_for(prompt, grades)))


@dataclass(frozen=True)
class Assessment(PlannedAsking):
    """A model that is to label what is left of a pool; where it `grows`, also what comes as it does so."""

    work: OpenWork
    topics: Sequence[str] = ()
    grows: bool = False

    def run(self, limits: AskLimits = UNLIMITED, advance: Callable[[int], None] = lambda done: None) -> AskingTally:
        """Ask, and record every answer, batch after batch of a pool that grows."""
        tally, before = super().run(limits, advance), set(self.subjects)
        while not tally.stopped and (new := [pair for pair in self.grow().subjects if pair not in before]):
            before.update(new)
            rest = limits.less(tally.answered, tally.tokens, tally.cost)
            tally.add(PlannedAsking.run(replace(self, subjects=new), rest, advance))
        return tally

    def grow(self) -> Assessment:
        """With what a pool that grows gets next, where the model has labelled all that it has for a topic."""
        if not self.grows:
            return self
        work = grown_work(self.store, self.asker.assessor, self.work.pool, self.topics)
        return replace(self, subjects=work.pairs, work=work)

    def now(self) -> Assessment:
        """The same with what is left by now."""
        if not self.grows:
            return self
        return replace(self, work=open_work(self.store, self.asker.assessor, self.work.pool, self.topics))

    def room(self) -> int:
        """How many more documents the pool may get."""
        return (
            sum(remaining_documents_by_topic(self.store, pool_record(self.store, self.work.pool)).values())
            if self.grows
            else 0
        )


def assessment(
    store: Store,
    model: str,
    *,
    url: str | None = None,
    prompt: str = "basic",
    assessor: str | None = None,
    pool: int | None = None,
    topics: Sequence[str] = (),
    again: str = "",
    repeat: int | None = None,
    max_chars: int | None = None,
    json_answer: bool = False,
    parameters: Mapping[str, Any] | None = None,
) -> Assessment:
    """Prepare to ask a model for labels of a pool's documents; `url` None: by batch files.

    `repeat` asks for so many labels again, of documents drawn at random, to see how many change.
    """
    if again and repeat:
        raise InputError("again and repeat cannot be used together")
    grades = store.collection.grades

    def answer_format(text: Prompt) -> dict[str, Any]:
        scale_for(text, grades)
        return {"response_format": response_format(text, grades)} if json_answer else {}

    asker = asker_of(
        store,
        PLACEHOLDERS,
        model,
        url,
        prompt,
        assessor=assessor,
        max_chars=max_chars,
        parameters=parameters,
        answer_format=answer_format,
    )
    if repeat:
        work = repeated_work(store, asker.assessor, repeat, pool, topics)
    else:
        work = open_work(store, asker.assessor, pool, topics, again)
    task = relevance_task(store, asker.assessor, asker.prompt, work.pool, json_answer)
    grows = not (again or repeat) and is_open(store, pool_record(store, work.pool))
    later = None if grows else 0
    return Assessment(
        store,
        asker,
        task,
        subjects=work.pairs,
        again=bool(again or repeat),
        work=work,
        topics=topics,
        grows=grows,
        later=later,
    )


def batch_relevance(store: Store, asker: Asker) -> Task:
    """The task of labels that were asked for in a batch file."""
    return relevance_task(store, asker.assessor, asker.prompt, None, asker.json_answer)


def take_batch(store: Store, path: Path, price: Price | None = None) -> BatchRead:
    """Record the answers in a batch file, in one transaction; one that answers nothing that was asked is an error."""
    tasks: TaskMakers = {PLACEHOLDERS.name: batch_relevance} | model_tasks()
    return read_batch(store, path, tasks, price)


def as_document(assessment: Assessment, tally: AskingTally) -> dict[str, Any]:
    """The JSON."""
    work = assessment.work
    return asked_document(assessment, tally, pool=work.pool) | {"without_text": work.without_text}
