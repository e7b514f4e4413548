"""Which measure for which task: why, what misleads, and the source.

`cranfield measures --for TASK` prints what tasks.toml says; docs/measure/choose.md is made from it.
"""

import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files

from cranfield.errors import MeasureError


@dataclass(frozen=True)
class Advice:
    """A measure for a task."""

    measure: str
    why: str
    misleads: str
    source: str


@dataclass(frozen=True)
class SearchTask:
    """What somebody searches for, other words that people use for it, and the measures that fit."""

    name: str
    title: str
    description: str
    words: tuple[str, ...]
    advice: tuple[Advice, ...]
    note: str = ""


def _read() -> tuple[SearchTask, ...]:
    rows = tomllib.loads((files(__package__) / "tasks.toml").read_text(encoding="utf-8"))["task"]
    return tuple(SearchTask(**{**row, "advice": tuple(Advice(**advice) for advice in row["advice"])}) for row in rows)


TASKS = _read()


def tasks_for(words: str) -> tuple[SearchTask, ...]:
    """Return the search task with this name, or the tasks that recommend this measure.

    Parameters
    ----------
    words : str
        The name of a task, or of a measure.

    Returns
    -------
    tuple of SearchTask
        The tasks, each with its recommended measures.

    Raises
    ------
    MeasureError
        If no task has this name or recommends this measure.

    Examples
    --------
    >>> [task.name for task in tasks_for("F1")], [task.name for task in tasks_for("recall@20")]
    (['set-retrieval'], ['known-item', 'recall', 'first-stage'])
    >>> [task.name for task in tasks_for("MRR@10")]
    ['known-item']
    >>> tasks_for("cooking")
    Traceback (most recent call last):
    ...
    cranfield.errors.MeasureError: unknown task 'cooking'; available: known-item, web-search, ad-hoc, recall, \
first-stage, rag, set-retrieval, diversity, many-grades, incomplete-judgments, small-topic-sets, worst-topics
    """
    key = _comparable(words)
    by_name = tuple(task for task in TASKS if key == _comparable(task.name))
    word_tasks = tuple(task for task in TASKS if key in map(_comparable, task.words))
    cutoff_tasks = tuple(task for task in TASKS if re.sub(r"\d+$", "k", key) in map(_comparable, task.words))
    tasks = by_name or word_tasks or cutoff_tasks
    if not tasks and (measure := _measure_name(words)):
        tasks = tuple(task for task in TASKS if measure in {_measure_name(advice.measure) for advice in task.advice})
    if not tasks:
        raise MeasureError(f"unknown task {words!r}; available: {', '.join(task.name for task in TASKS)}")
    return tasks


def _comparable(words: str) -> str:
    """Words as they are compared: whatever their case, blanks and punctuation."""
    return re.sub(r"[\W_]", "", words.lower())


def _measure_name(words: str) -> str | None:
    """The name of a measure without its options; None if it is not there, as those of a feature that was deleted."""
    from cranfield.metrics.notation import parse

    try:
        return parse(words).name
    except MeasureError:
        return None
