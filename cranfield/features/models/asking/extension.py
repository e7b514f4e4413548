"""What an extension adds to the tasks that language models are asked to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield import hooks
from cranfield.extension import Extension

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cranfield.features.models.asking.task import Asker, Task
    from cranfield.store.store import Store

    TaskMaker = Callable[[Store, Asker], Task]


class ModelTasks(Extension):
    """An extension with tasks for language models."""

    def model_tasks(self) -> Mapping[str, TaskMaker]:
        """Return what makes a task for a model of a store, by the name of the task."""
        return {}


def model_tasks() -> dict[str, TaskMaker]:
    """Return the tasks of all extensions, by name.

    >>> all(callable(make_task) for make_task in model_tasks().values())
    True
    """
    return dict(
        hooks.collect_from_extensions(lambda one: one.model_tasks().items() if isinstance(one, ModelTasks) else ())
    )
