"""answers nuggets make."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.judge.answers.labelling import Answered, Assessor
from cranfield.cli.options import OnlyTopics
from cranfield.cli.streams import streams, width


def make(
    store: Answered,
    assessor: Assessor,
    topic: OnlyTopics = None,
    seed: Annotated[int, typer.Option(help="Random seed of the order of the answers.")] = 0,
) -> None:
    """Write down nuggets while reading the answers to each topic, at the keyboard.

    You see a topic, its nuggets so far, and one answer at a time, in random order and without its run. What you add is
    on record as coming from the run of that answer. You can reword, merge and drop nuggets, and make them vital or
    okay; ? lists the commands. Every edit is on disk before the next one; stop at any time, and resume with the same
    command. Several people can edit a topic: a nugget that somebody has changed meanwhile is left as it is, and you are
    told.

    Example: cranfield answers nuggets make track.db --assessor ada
    """
    from cranfield.judging.answers.editing import NuggetEditing
    from cranfield.judging.frontends.plain_editing import PlainEditing
    from cranfield.store.store import Store

    with Store.open(store) as opened:
        PlainEditing(NuggetEditing(opened, assessor, topic, seed=seed), *streams(), width()).run()
