"""Answers of models to batch files, whatever they were asked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.judging.answers.by_model.assigning import ASSIGNMENT, assignment_task
from cranfield.judging.answers.by_model.attributing import ATTRIBUTION, attribution_task
from cranfield.judging.answers.by_model.making import MAKING, making_task
from cranfield.judging.answers.by_model.questioning import QUESTIONS, questions_task
from cranfield.judging.answers.by_model.stating import STATING, statement_task
from cranfield.judging.answers.by_model.supporting import SUPPORT, support_task
from cranfield.judging.models.asking.assess import RELEVANCE_TASKS
from cranfield.judging.models.asking.batch import BatchRead, TaskMakers, read_batch
from cranfield.judging.preferences.by_model import PREFERENCE, preference_task

if TYPE_CHECKING:
    from cranfield.judging.models.asking.limits import Price
    from cranfield.store.store import Store

TASKS: TaskMakers = {
    **RELEVANCE_TASKS, ASSIGNMENT.name: assignment_task, SUPPORT.name: support_task, PREFERENCE.name: preference_task,
    ATTRIBUTION.name: attribution_task, STATING.name: statement_task, QUESTIONS.name: questions_task,
    MAKING.name: making_task,
}  # fmt: skip


def take_batch(store: Store, path: Path, price: Price | None = None) -> BatchRead:
    """Record the answers in a batch file, in one transaction; one that answers nothing that was asked is an error."""
    return read_batch(store, path, TASKS, price)
