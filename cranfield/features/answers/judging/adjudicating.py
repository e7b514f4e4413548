"""Items of answers that assessors label differently, and the session of the one who settles them."""

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cranfield.features.answers.judging.labelling import AnswerLabelling, Begin
from cranfield.features.answers.judging.tasks import AnswersRead, LabelScale, LabelTask
from cranfield.features.answers.store.answers import answers_that_count
from cranfield.features.answers.store.labels import ADJUDICATED, Item, LabelEvent, LabelLog
from cranfield.formats import Document
from cranfield.selection import MODELS
from cranfield.store.log import assessors
from cranfield.store.store import Store


class DisputedItem(NamedTuple):
    """An item with its labels, by assessor, and how it was settled, by whom; None while it is open."""

    item: Item
    labels: dict[str, str]
    settled: str | None = None
    settled_by: str | None = None


def disputed_items(
    store: Store, log: LabelLog, begin: Begin, between: Sequence[str] | None = None
) -> list[DisputedItem]:
    """The items whose labels differ.

    Parameters
    ----------
    store : Store
        The open store.
    log : LabelLog
        The kind of labels.
    begin : callable
        What begins the task of these labels.
    between : sequence of str, optional
        The assessors to compare; by default all but models.

    Returns
    -------
    list of DisputedItem
        Those of answers that count, in the order of their first labels. Items that were dropped or replaced after
        they had been labelled are not among them.
    """
    kinds, counting, task = assessors(store), answers_that_count(store), begin(store, 0, None)
    names = between or [name for name, kind in kinds.items() if kind not in (*MODELS, "repeat")]
    labels, settled = dict[Item, dict[str, str]](), dict[Item, LabelEvent]()
    for name in kinds:
        for event in _current(log.events(store, name)):
            if not counting.keys() >= {*event.item[: log.answers]}:
                continue
            if event.input.startswith(ADJUDICATED):
                settled.setdefault(event.item, event)
            elif name in names and event.label is not None:
                labels.setdefault(event.item, {})[name] = event.label
    return [
        DisputedItem(item, by, _settlement(event), event.assessor if event else None)
        for item, by in labels.items()
        if len({*by.values()}) > 1 and not task.why_gone(item)
        for event in [settled.get(item)]
    ]


def _settlement(event: LabelEvent | None) -> str | None:
    return None if event is None else event.label or event.kind


def _current(events: Iterable[LabelEvent]) -> list[LabelEvent]:
    """The last word on each item that was not taken back."""
    events = list(events)
    back = {event.supersedes for event in events if event.kind == "retract"}
    said = (event for event in events if event.kind in ("label", "later", "cannot-judge") and event.id not in back)
    return [*{event.item: event for event in said}.values()]


@dataclass
class _Disputed(LabelTask):
    """The disputed items of a task."""

    task: LabelTask
    disputed: Collection[Item]

    def __post_init__(self) -> None:
        self.noun, self.none, self.answers = self.task.noun, "no labels differ", self.task.answers
        self.scale: LabelScale = self.task.scale

    noun: str = ""
    none: str = ""
    answers: AnswersRead = None  # type: ignore[assignment]

    def topic_items(self, qid: str, answers: Sequence[int]) -> list[Item]:
        return [item for number in answers for item in self.disputed if item[0] == number]

    def document(self, item: Item) -> Document:
        return self.task.document(item)

    def parts(self, item: Item) -> tuple[Document, ...]:
        return self.task.parts(item)

    def why_gone(self, item: Item) -> str:
        return self.task.why_gone(item)


class AnswerAdjudication(AnswerLabelling):
    """One assessor settling labels of answers that differ, without seeing them.

    What the assessor labelled before as one of those who differ is left to others.
    """

    grade_words = ("a settlement", "settlements")

    def __init__(
        self, store: Store, assessor: str, begin: Begin, log: LabelLog, items: Collection[Item], *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        own = {event.item for event in _current(log.events(store, assessor)) if not event.input.startswith(ADJUDICATED)}
        open_items = [item for item in items if item not in own]
        self.left_out = len(items) - len(open_items)
        super().__init__(
            store,
            assessor,
            lambda there, seed, topics: _Disputed(begin(there, seed, topics), open_items),
            log,
            clock=clock,
        )

    def _event(self, about: Any, kind: str, pair: Any, **more: Any) -> Any:
        event = super()._event(about, kind, pair, **more)
        return event._replace(input=ADJUDICATED + event.input)
