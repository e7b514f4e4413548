"""answers nuggets make."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.answer_labelling import Answered, edit_nuggets
from cranfield.cli.full_screen import PlainMode
from cranfield.cli.models.about_answers import AnswerQuestions, ModelInstead, Name, person
from cranfield.cli.models.options import Asking, Batch, Reported
from cranfield.cli.options import OnlyTopics
from cranfield.cli.tables import note


def make(
    store: Answered,
    assessor: Name = None,
    plain: PlainMode = False,
    topic: OnlyTopics = None,
    seed: Annotated[int, typer.Option(help="Random seed of the order of the answers.")] = 0,
    *,
    instead: ModelInstead,
    asking: Asking,
    batch: Batch = None,
    reported: Reported,
) -> None:
    """Write down nuggets while reading the answers to each topic, at the keyboard.

    You see a topic, its nuggets so far, and one answer at a time, in random order and without its run. What you add is
    on record as coming from the run of that answer. You can reword, merge and drop nuggets, and make them vital or
    okay; ? lists the commands. Every edit is on disk before the next one; stop at any time, and resume with the same
    command. Several people can edit a topic: a nugget that somebody has changed meanwhile is left as it is, and you are
    told.

    With --model a language model writes them down, answer by answer, over any server with OpenAI's interface, by the
    rules of `model assess run`. Where people have written nuggets, those of models do not count before somebody has
    edited them, unless --nuggets of `evaluate` says so. Since each question has the nuggets so far, a batch
    file asks about one answer to each topic: import its answers and write the next file, until no request is left.

    Example: cranfield answers nuggets make track.db --assessor ada
    """
    if instead.given:
        from cranfield.judging.answers.by_model.making import MAKING, check_batch, making_asked

        if batch is not None:
            check_batch(asking.anew)
        AnswerQuestions(
            store,
            assessor,
            instead,
            asking,
            MAKING,
            "nuggets",
            lambda store, asker, again, done: making_asked(store, asker, topic, again, done),
            batch,
            reported,
        ).ask("answers")
        _tell_whose(store)
        return
    from cranfield.judging.answers.editing import NuggetEditing
    from cranfield.store.store import Store

    name = person(assessor, instead, asking, batch, reported)
    with Store.open(store) as opened:
        edit_nuggets(NuggetEditing(opened, name, topic, seed=seed), plain)


def _tell_whose(path: Path) -> None:
    """Which nuggets count now."""
    from cranfield.store.answers.counted import counted_nuggets
    from cranfield.store.store import Store

    with Store.open(path) as opened:
        found = counted_nuggets(opened)
    if found.left_out:
        note(found.said())
