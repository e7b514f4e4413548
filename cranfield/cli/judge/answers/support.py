"""answers support."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from cranfield.cli.answer_labelling import Answered, Seed, run
from cranfield.cli.full_screen import KeyFile, PlainMode
from cranfield.cli.models.about_answers import AnswerQuestions, ModelInstead, Name, person
from cranfield.cli.models.options import Asking, Batch, Reported
from cranfield.cli.options import OnlyTopics
from cranfield.cli.tables import note
from cranfield.text import counted


def support(
    store: Answered,
    assessor: Name = None,
    plain: PlainMode = False,
    each: Annotated[
        bool,
        typer.Option(
            "--each",
            help="Label the first three citations too: together, each alone, and the others without it,"
            " as CiteRecall and CitePrecision need. [default: only the first]",
        ),
    ] = False,
    topic: OnlyTopics = None,
    seed: Seed = None,
    keys: KeyFile = None,
    *,
    instead: ModelInstead,
    asking: Asking,
    batch: Batch = None,
    reported: Reported,
) -> None:
    """Label whether cited documents support the sentences that cite them, at the keyboard.

    You see a sentence above the text of the document that it cites first; 2 is support, 1 partial support, 0 no
    support, and the other keys are those of `judge`. Neither runs nor docnos are shown. Every label is on disk before
    the next sentence is shown. Sentences whose cited documents have no text in the store are left out, and counted.

    With --model a language model labels them instead, over any server with OpenAI's interface, by the
    rules of `model assess run`: what cannot be read is no label. People's labels go before a model's.

    Example: cranfield answers support track.db --assessor ada
    """
    if instead.given:
        from cranfield.judging.answers.by_model.supporting import SUPPORT, supporting_asked

        AnswerQuestions(
            store,
            assessor,
            instead,
            asking,
            SUPPORT,
            "support",
            lambda store, asker, again, done: supporting_asked(store, asker, topic, again, each, done),
            batch,
            reported,
        ).ask("citations")
        return
    from cranfield.judging.answers.labelling import AnswerLabelling
    from cranfield.judging.answers.supporting import Supporting, without_text
    from cranfield.store.answers.labels import SUPPORT_LABELS
    from cranfield.store.store import Store

    name = person(assessor, instead, asking, batch, reported)
    with Store.open(store) as opened:
        if left_out := without_text(opened, topic, each):
            note(f"{counted(left_out, 'sentence')} left out: the store has no text for a document cited there")
        begin = partial(Supporting, each=each)
        labelling = AnswerLabelling(opened, name, begin, SUPPORT_LABELS, seed, topic)
        run(labelling, opened, plain, keys)
