"""The measures: list them, describe one, or find those that fit a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from cranfield import hooks
from cranfield.api.arguments import check_arguments
from cranfield.commands.opened import provenance_of
from cranfield.commands.subject import Subject
from cranfield.errors import InputError, blaming_argument
from cranfield.options.evaluation import ShownMeasure, TaskOption
from cranfield.results import CallContext, Display, Result

if TYPE_CHECKING:
    from cranfield.metrics.tasks import SearchTask


class MeasureTable(Result):
    """The measures: measure, options, range, trec_eval's name, what each measures."""

    display: ClassVar[Display] = Display(spare=("range", "options"))


@dataclass(frozen=True, repr=False, eq=False)
class MeasureDescription(Result):
    """What a measure is for, when it misleads, and its source.

    Parameters
    ----------
    measure : str
        The name that was given.
    about : str
        The description.
    """

    measure: str = ""
    about: str = ""

    def rows(self) -> list[dict[str, Any]]:
        """Return one row: measure and about."""
        return [{"measure": self.measure, "about": self.about}]

    def __repr__(self) -> str:
        return self.about


@dataclass(frozen=True, repr=False, eq=False)
class MeasureAdvice(Result):
    """Which measures fit a task, why, and what misleads.

    Parameters
    ----------
    tasks : sequence of SearchTask
        The tasks that the words mean.
    """

    tasks: Sequence[SearchTask] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each task and measure."""
        return [{"task": task.name} | asdict(advice) for task in self.tasks for advice in task.advice]


@check_arguments
def list_measures(name: ShownMeasure = None, *, task: TaskOption = None, subject: Subject | None = None) -> Result:
    """List the measures, or describe one: what it is for, when it misleads, its source.

    With `task`: which measures to use for a task, why, and what misleads. Tasks: known-item, web-search, ad-hoc,
    recall, first-stage, rag, set-retrieval, diversity, many-grades, incomplete-judgments, small-topic-sets,
    worst-topics; other words for them work as well.

    A measure of your own is a function in a Python module, local or installed, that is registered under a name:
    cranfield.metrics.register("FirstTwo", first_two). Then every command accepts the measure mine:FirstTwo, or with a
    path, folder/mine.py:FirstTwo. docs/measures.md describes the function's arguments, with examples.

    Example: cranfield measures nDCG

    Example: cranfield measures --for known-item

    Parameters
    ----------
    name : str, optional
        Describe this measure.
    task : str, optional
        Find the measures that fit this task.
    subject : Subject, optional
        What the measures score instead of rankings; `cranfield.subjects` has the classes.

    Returns
    -------
    Result
        The measures, the description of one, or the advice on a task.

    Raises
    ------
    InputError
        If both a measure and a task are given, or there is no such task.
    MeasureError
        If there is no such measure.

    Examples
    --------
    >>> list_measures().frame.set_index("measure").loc["RR", "range"]
    '0..1'
    """
    from cranfield.metrics.notation import every_measure, parse
    from cranfield.metrics.tasks import tasks_for

    if name is not None and task is not None:
        with blaming_argument():
            raise InputError("name a measure or, with --for, a task")
    context = CallContext(provenance=provenance_of("metrics.list_measures"))
    if task is not None:
        return MeasureAdvice(tasks=tasks_for(task), context=context)
    if subject is not None:
        return subject.list_measures(name)
    if name is None:
        return MeasureTable([measure.row for measure in every_measure()], context=context)
    described = filter(None, hooks.ask(lambda extension: extension.described_names()))
    about = next(filter(None, (names.describe(name) for names in described)), "") or parse(name).about
    return MeasureDescription(measure=name, about=about, context=context)
