"""answers nuggets assign."""

from __future__ import annotations

from cranfield.cli.full_screen import KeyFile, PlainMode
from cranfield.cli.judge.answers.labelling import Answered, Assessor, Seed, run
from cranfield.cli.options import OnlyTopics


def assign(
    store: Answered,
    assessor: Assessor,
    plain: PlainMode = False,
    topic: OnlyTopics = None,
    seed: Seed = None,
    keys: KeyFile = None,
) -> None:
    """Label whether answers contain nuggets, at the keyboard.

    You see one nugget and one answer at a time; 2 is support, 1 partial support, 0 no support, and the other keys are
    those of `judge`. All nuggets of a topic come with one answer before the next answer is shown. Answers are in
    random order, and neither their runs nor the importance of a nugget is shown. Every label is on disk before the next
    nugget is shown; stop at any time, and resume with the same command. Several assessors can label the same answers
    independently.

    Example: cranfield answers nuggets assign track.db --assessor ada
    """
    from cranfield.judging.answers.assigning import Assigning
    from cranfield.judging.answers.labelling import AnswerLabelling
    from cranfield.store.answers.labels import NUGGET_LABELS
    from cranfield.store.store import Store

    with Store.open(store) as opened:
        run(AnswerLabelling(opened, assessor, Assigning, NUGGET_LABELS, seed, topic), opened, plain, keys)
