"""What is labelled about answers, one item at a time: the interface that nuggets and citations share."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Protocol

from cranfield.features.answers.store.labels import Item
from cranfield.formats import Document
from cranfield.judging.session.batches import Decided, Provider

GRADES = {0: "no support", 1: "partial support", 2: "support"}  # the digits that give the labels
LABELS = {0: "not_support", 1: "partial_support", 2: "support"}
GRADE_OF = {label: grade for grade, label in LABELS.items()}
Grades = Mapping[Item, int | None]  # None: put off, or it could not be judged


class LabelTask(Protocol):
    """A kind of item that people label; the runs of the answers never reach them."""

    noun: str
    none: str  # why there is nothing to do
    adaptive: bool = False  # whether the labels decide what is asked

    def items(self) -> dict[str, list[Item]]:
        """The items of each topic that has any, in the order in which they are shown; the first, where it adapts."""

    def next(self, qid: str, grades: Grades) -> Sequence[Item]:
        """What is to be labelled next, where the task adapts."""
        return []

    def shown(self, item: Item) -> Document:
        """What the assessor reads: the question as its title, and the text to read."""

    def gone(self, item: Item) -> str:
        """Why an item is no longer labelled; else empty."""
        return ""


class NamedItems(Provider):
    """The items of a task under the names that a session knows them by; it provides the next where the task adapts.

    >>> from cranfield.features.answers.judging.supporting import Supporting
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

    def batch(self, qid: str, decided: Decided) -> Sequence[str]:
        """The names of what comes next."""
        following = self._task.next(qid, {self._items[name]: grade for name, grade in decided.items()})
        return [self.name(item) for item in following]
