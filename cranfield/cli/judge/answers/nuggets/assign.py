"""answers nuggets assign."""

from __future__ import annotations

from functools import partial

from cranfield.cli.answer_labelling import Answered, Seed, run
from cranfield.cli.full_screen import KeyFile, PlainMode
from cranfield.cli.models.about_answers import AnswerQuestions, ModelInstead, Name, person
from cranfield.cli.models.options import Asking, Batch, Reported
from cranfield.cli.options import Nuggets, OnlyTopics
from cranfield.cli.tables import note


def assign(
    store: Answered,
    assessor: Name = None,
    plain: PlainMode = False,
    topic: OnlyTopics = None,
    seed: Seed = None,
    nuggets: Nuggets = None,
    keys: KeyFile = None,
    *,
    instead: ModelInstead,
    asking: Asking,
    batch: Batch = None,
    reported: Reported,
) -> None:
    """Label whether answers contain nuggets, at the keyboard.

    You see one nugget and one answer at a time; 2 is support, 1 partial support, 0 no support, and the other keys are
    those of `judge`. All nuggets of a topic come with one answer before the next answer is shown. Answers are in
    random order, and neither their runs nor the importance of a nugget is shown. Every label is on disk before the next
    nugget is shown; stop at any time, and resume with the same command. Several assessors can label the same answers
    independently.

    With --model a language model labels them instead, over any server with OpenAI's interface, by the
    rules of `model assess run`: what cannot be read is no label. People's labels go before a model's.

    Example: cranfield answers nuggets assign track.db --assessor ada
    """
    if instead.given:
        from cranfield.judging.answers.by_model.assigning import ASSIGNMENT, assigning_asked

        AnswerQuestions(
            store,
            assessor,
            instead,
            asking,
            ASSIGNMENT,
            "assignment",
            lambda store, asker, again, done: assigning_asked(store, asker, topic, again, nuggets),
            batch,
            reported,
        ).ask("nuggets in answers")
        return
    from cranfield.judging.answers.assigning import Assigning
    from cranfield.judging.answers.labelling import AnswerLabelling
    from cranfield.store.answers.counted import counted_nuggets
    from cranfield.store.answers.labels import NUGGET_LABELS
    from cranfield.store.store import Store

    name = person(assessor, instead, asking, batch, reported)
    with Store.open(store) as opened:
        if line := counted_nuggets(opened, nuggets).said():
            note(line)
        begin = partial(Assigning, nuggets=nuggets)
        labelling = AnswerLabelling(opened, name, begin, NUGGET_LABELS, seed, topic)
        run(labelling, opened, plain, keys)
