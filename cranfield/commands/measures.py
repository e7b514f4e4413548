"""The measures: list them, describe one, or find those that fit a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from cranfield import hooks
from cranfield.commands.calls import provenance_of
from cranfield.commands.subject import Subject
from cranfield.errors import InputError, argument_named_in_errors
from cranfield.options import Argument, Option
from cranfield.options.arguments import check_arguments
from cranfield.results import CallContext, Display, Result

if TYPE_CHECKING:
    from cranfield.metrics.tasks import SearchTask


ShownMeasure = Annotated[str | None, Argument("Measure to describe.", metavar="[MEASURE]", complete="every measure")]
TaskOption = Annotated[
    str | None,
    Option(
        "Task for which to recommend measures, such as known-item, RAG or recall@k.",
        "--for",
        metavar="TASK",
        complete="tasks",
    ),
]


class MeasureTable(Result):
    """The measures. Columns: measure, options, range, trec_eval's name and a description."""

    display: ClassVar[Display] = Display(spare=("range", "options"))


@dataclass(frozen=True, repr=False, eq=False)
class MeasureDescription(Result):
    """Description of a measure: its purpose, when it misleads, and its source.

    Parameters
    ----------
    measure : str
        Name of the measure, as given.
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
    """Measures that fit a task, with reasons and warnings.

    Parameters
    ----------
    tasks : sequence of SearchTask
        Tasks that match the words.
    """

    tasks: Sequence[SearchTask] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per task and measure."""
        return [{"task": task.name} | asdict(advice) for task in self.tasks for advice in task.advice]


@check_arguments
def list_measures(name: ShownMeasure = None, *, task: TaskOption = None, subject: Subject | None = None) -> Result:
    """List the measures, describe one, or recommend measures for a task.

    With `task`, the command shows which measures to use for a task, why, and which measures mislead. A description
    gives the measure's purpose, when it misleads, and its source. The tasks are known-item, web-search, ad-hoc, recall,
    first-stage, rag, set-retrieval, diversity, many-grades, incomplete-judgments, small-topic-sets and worst-topics.
    Synonyms are also recognised.

    To add your own measure, register a function in a Python module: cranfield.metrics.register("FirstTwo", first_two).
    If the module is mine.py, every command accepts the measure as mine:FirstTwo, or with a path as
    folder/mine.py:FirstTwo. docs/measure/own-measure.md describes the function's arguments, with examples.

    Example: cranfield measures nDCG

    Example: cranfield measures --for known-item

    Parameters
    ----------
    name : str, optional
        Measure to describe.
    task : str, optional
        Task for which to recommend measures.
    subject : Subject, optional
        What the measures score instead of rankings, as an instance of a class in `cranfield.subjects`.

    Returns
    -------
    Result
        The measures, the description of one, or recommendations for a task.

    Raises
    ------
    InputError
        If both a measure and a task are given, or the task is unknown.
    MeasureError
        If the measure is unknown.

    Examples
    --------
    >>> list_measures().frame.set_index("measure").loc["RR", "range"]
    '0..1'
    """
    from cranfield.metrics.notation import every_measure, parse
    from cranfield.metrics.tasks import tasks_for

    if name is not None and task is not None:
        with argument_named_in_errors():
            raise InputError("expected either a measure or a task (--for)")
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
