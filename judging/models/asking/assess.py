"""Labelling a pool with a model: by asking a server, by batch files, or only in prospect."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cranfield.errors import InputError
from cranfield.judging.models.asking.batch import TaskMakers
from cranfield.judging.models.asking.limits import UNLIMITED, AskLimits
from cranfield.judging.models.asking.planned import PlannedAsking, asked_document, asker_of
from cranfield.judging.models.asking.prompt import Prompt, scale_for
from cranfield.judging.models.asking.relevance import (
    PLACEHOLDERS,
    OpenWork,
    grown_work,
    open_work,
    relevance_task,
    repeated_work,
    response_format,
)
from cranfield.judging.models.asking.tally import Tally
from cranfield.judging.models.asking.task import Asker, Task
from cranfield.judging.session.adaptive import room
from cranfield.store.open_pools import is_open
from cranfield.store.pools import bare_pool
from cranfield.store.store import Store


@dataclass(frozen=True)
class Assessment(PlannedAsking):
    """A model that is to label what is left of a pool; where it `grows`, also what comes as it does so."""

    work: OpenWork
    topics: Sequence[str] = ()
    grows: bool = False

    def run(self, limits: AskLimits = UNLIMITED, advance: Callable[[int], None] = lambda done: None) -> Tally:
        """Ask, and record every answer, batch after batch of a pool that grows."""
        tally, asked = super().run(limits, advance), set(self.subjects)
        while not tally.stopped and (new := [pair for pair in self.grown().subjects if pair not in asked]):
            asked.update(new)
            left = limits.less(tally.answered, tally.tokens)
            tally.add(PlannedAsking.run(replace(self, subjects=new), left, advance))
        return tally

    def grown(self) -> Assessment:
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
        return sum(room(self.store, bare_pool(self.store, self.work.pool)).values()) if self.grows else 0


def assessment(
    store: Store,
    model: str,
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
        raise InputError("again and repeat exclude each other")
    grades = store.collection.grades

    def answer_format(text: Prompt) -> dict[str, Any]:
        scale_for(text, grades)
        return {"response_format": response_format(text, grades)} if json_answer else {}

    asker = asker_of(store, PLACEHOLDERS, model, url, prompt, assessor, max_chars, parameters, answer_format)
    if repeat:
        work = repeated_work(store, asker.assessor, repeat, pool, topics)
    else:
        work = open_work(store, asker.assessor, pool, topics, again)
    task = relevance_task(store, asker.assessor, asker.prompt, work.pool, json_answer)
    grows = not (again or repeat) and is_open(store, bare_pool(store, work.pool))
    later = None if grows else 0
    return Assessment(store, asker, task, work.pairs, bool(again or repeat), work, topics, grows, later=later)


def batch_relevance(store: Store, asker: Asker) -> Task:
    """The task of labels that were asked for in a batch file."""
    return relevance_task(store, asker.assessor, asker.prompt, None, asker.json_answer)


RELEVANCE_TASKS: TaskMakers = {PLACEHOLDERS.name: batch_relevance}


def as_document(assessment: Assessment, tally: Tally) -> dict[str, Any]:
    """The JSON."""
    work = assessment.work
    return asked_document(assessment, tally, pool=work.pool) | {"without_text": work.without_text}
