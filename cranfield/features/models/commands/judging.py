"""`judge --audit`: a sample of a model's labels, judged by a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cranfield.cli.commands.judge import JudgeOptions, JudgingTask, judging_task

if TYPE_CHECKING:
    from cranfield.store.store import Store


class AuditOptions(NamedTuple):
    """The sample."""

    audit: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Judge sample N of a model's labels, from `model audit draw`."),
    ] = None


def judge_sample(options: AuditOptions, opened: Store, asked: JudgeOptions) -> JudgingTask:
    """The documents of a sample, for the one who judges it."""
    from cranfield.features.models.sample import sample_for
    from cranfield.judging.session.session import Session

    work = sample_for(opened, asked.assessor, options.audit or 0)
    session = Session(opened, asked.assessor, work, order=asked.order, seed=asked.seed, topics=asked.topics)
    return judging_task(session)
