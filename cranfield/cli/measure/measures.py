"""measures.

JSON with --for: [{"task", "measure", "why", "misleads", "source"}].
"""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.options import (
    Format,
    Output,
)
from cranfield.cli.tables import Display, TableFormat, emit, say

if TYPE_CHECKING:
    from cranfield.metrics.tasks import Advice, Task


def measures(
    name: Annotated[str | None, typer.Argument(metavar="[MEASURE]", help="Describe this measure.")] = None,
    task: Annotated[
        str | None,
        typer.Option("--for", metavar="TASK", help="Show which measures fit a task: known-item, RAG, recall@k, ..."),
    ] = None,
    online: Annotated[bool, typer.Option("--online", help="List the measures of interaction logs.")] = False,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """List the measures, or describe one: what it is for, when it misleads, its source.

    With --online: the measures of interaction logs, which `cranfield online show` takes.

    With --for: which measures to use for a task, why, and what misleads. Tasks: known-item, web-search, ad-hoc, recall,
    first-stage, rag, set-retrieval, diversity, many-grades, incomplete-judgments, small-topic-sets; other words for
    them work as well.

    A measure of your own is a function in a Python module, local or installed, that is registered under a name:
    cranfield.metrics.register("FirstTwo", first_two). Then every command accepts -m mine:FirstTwo, or with a path, -m
    folder/mine.py:FirstTwo. docs/measures.md describes the function's arguments, with examples.

    Example: cranfield measures nDCG
    """
    from cranfield.metrics import ANSWER_MEASURES, MEASURES
    from cranfield.metrics.notation.parse import parse
    from cranfield.online.measures.table import ONLINE_MEASURES, online_measure

    if name is not None and task is not None:
        raise typer.BadParameter("name a measure or, with --for, a task")
    if task is not None:
        _advise(task, format, output)
    elif online and name is None:
        rows = [{"measure": str(each), "what": each.description} for each in ONLINE_MEASURES.values()]
        emit(rows, format, output)
    elif name is not None and (online or name.partition("@")[0].lower() in map(str.lower, ONLINE_MEASURES)):
        say(online_measure(name).about)
    elif name is None:
        rows = [measure.row for measure in (*MEASURES, *ANSWER_MEASURES)]
        emit(rows, format, output, display=Display(spare=("range", "options")))
    else:
        say(parse(name).about)


def _advise(words: str, format: TableFormat, output: Path | None) -> None:
    from cranfield.metrics.tasks import tasks_for

    tasks = tasks_for(words)
    if format == TableFormat.table and output is None:
        say("\n\n".join(map(_prose, tasks)))
    else:
        emit([{"task": task.name} | asdict(advice) for task in tasks for advice in task.advice], format, output)


def _prose(task: Task) -> str:
    """What a task needs, and the command that measures it."""
    from cranfield.metrics import parse

    named = {"rankings": "cranfield evaluate qrels.txt a.run", "answers": "cranfield evaluate track.db --answers"}
    asked = [(parse(one.measure).of, shlex.quote(one.measure)) for one in task.advice]
    commands = [
        " ".join([f"  {command}", *(f"-m {name}" for of, name in asked if of == what)])
        for what, command in named.items()
        if what in dict(asked)
    ]
    about = [f"{task.name}: {task.description}", *map(_paragraph, task.advice), *filter(None, [task.note])]
    return "\n\n".join([*about, "\n".join(commands)])


def _paragraph(advice: Advice) -> str:
    return f"  {advice.measure}\n    {advice.why}\n    Misleads: {advice.misleads}\n    Source: {advice.source}"
