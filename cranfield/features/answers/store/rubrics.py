"""Rubrics: yes/no questions that are asked of every answer to a topic, each with a weight.

They are never changed. Questions that are given anew for a topic are another version, and the last one counts.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from cranfield.errors import InputError, StoreError
from cranfield.features.answers.formats.nuggets import PlainRubric
from cranfield.store.history import Import
from cranfield.store.links import append_items
from cranfield.store.log import add_external_assessor
from cranfield.store.removal import Removal
from cranfield.store.store import Store
from cranfield.text import counted


class RubricQuestion(NamedTuple):
    """A question that counts."""

    number: int
    qid: str
    text: str
    weight: float
    author: str


def current_rubrics(store: Store) -> list[RubricQuestion]:
    """The questions that count, by topic, in their order."""
    rows = store.rows("SELECT id, qid, text, weight, name FROM current_rubric ORDER BY topic, position")
    return [RubricQuestion(*row) for row in rows]


def import_rubrics(store: Store, rubrics: Sequence[PlainRubric], author: str, kind: str = "human") -> int:
    """Append the questions of topics in one transaction, as an author's; how many.

    >>> from cranfield.features.answers.formats.nuggets import PlainQuestion
    >>> from cranfield.formats import Topic
    >>> with Store.memory("rubrics") as store:
    ...     store.add_topics([Topic("q", "lift")])
    ...     import_rubrics(store, [PlainRubric("q", [PlainQuestion("Does it name lift?", 2.0)])], "ada")
    ...     [(one.text, one.weight) for one in current_rubrics(store)]
    1
    1
    [('Does it name lift?', 2.0)]
    """
    topics = dict(store.rows("SELECT qid, id FROM topic"))
    if unknown := [one for one in rubrics if one.qid not in topics]:
        raise InputError(f"topic {unknown[0].qid!r} is not in the store", unknown[0].path, unknown[0].line)
    with store.writing():
        add_external_assessor(store, author, kind)
        return sum(len(append_items(store, "rubric", _rows(store, one, topics[one.qid], author))) for one in rubrics)


def _rows(store: Store, one: PlainRubric, topic: int, author: str) -> list[dict[str, Any]]:
    [(version,)] = store.rows("SELECT coalesce(max(version), 0) + 1 FROM rubric WHERE topic = ?", [topic])
    common = {"topic": topic, "author": author, "version": version, "import": store.importing}
    return [
        {**common, "position": place, "text": question.text, "weight": question.weight}
        for place, question in enumerate(one.questions, 1)
    ]


def take_rubrics(store: Store, one: Import, reason: str) -> Removal:
    """Count the questions of an import no more; an error where they have labels."""
    ours = "SELECT count(*) FROM current_rubric_event WHERE rubric IN (SELECT id FROM rubric WHERE import = ?)"
    if labels := store.rows(ours, [one.number])[0][0]:
        raise StoreError(f"import {one.number} cannot be removed: its questions have {counted(labels, 'label')}")
    [(number,)] = store.rows("SELECT count(*) FROM rubric WHERE import = ?", [one.number])
    return Removal({"questions": number}, f"{counted(number, 'question')} kept on record, but no longer counted")
