"""Assigning nuggets: whether an answer says what a nugget says, fully, in part, or not at all.

One answer after the other, in a seeded order from which nobody can tell the runs, and all nuggets of its topic with
each, so that an answer is read once. The importance of a nugget is not shown: it must not sway the label.
"""

from __future__ import annotations

from collections.abc import Collection

from cranfield.features.answers.judging.reading import AnswersRead
from cranfield.features.answers.judging.task import LabelTask
from cranfield.features.answers.store.labels import Item
from cranfield.features.answers.store.nuggets import counted_nuggets, current_nuggets
from cranfield.formats import Document
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.store import Store


class Assigning(LabelTask):
    """The nuggets of topics, and the answers to be compared with each.

    `nuggets` chooses people's, models' or all; by default people's where there are any.
    """

    noun = "nugget"

    def __init__(
        self, store: Store, seed: int, topics: Collection[str] | None = None, nuggets: LabelledBy | None = None
    ) -> None:
        self._store, self._answers = store, AnswersRead(store, seed, topics)
        self._nuggets = {nugget.number: nugget for nugget in counted_nuggets(store, nuggets).nuggets}
        self.none = (
            "no topic has both answers and nuggets; `cranfield import answers` adds answers, and `cranfield answers"
            " nuggets make` nuggets"
        )

    def items(self) -> dict[str, list[Item]]:
        by_topic: dict[str, list[int]] = {}
        for nugget in self._nuggets.values():
            by_topic.setdefault(nugget.qid, []).append(nugget.number)
        return {
            qid: [(answer, nugget) for answer in answers for nugget in by_topic[qid]]
            for qid, answers in self._answers.ordered.items()
            if qid in by_topic
        }

    def shown(self, item: Item) -> Document:
        answer, nugget = item
        return Document("", f"Nugget: {self._nuggets[nugget].text}", self._answers.text(answer))

    def gone(self, item: Item) -> str:
        there = {nugget.number for nugget in current_nuggets(self._store, self._nuggets[item[1]].qid)}
        return "" if item[1] in there else "this nugget has been reworded, merged or dropped meanwhile"
