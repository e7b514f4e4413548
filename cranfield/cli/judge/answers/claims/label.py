"""answers claims label."""

from __future__ import annotations

from cranfield.cli.answer_labelling import Answered, Seed, run
from cranfield.cli.full_screen import KeyFile, PlainMode
from cranfield.cli.models.about_answers import AnswerQuestions, ModelInstead, Name, person
from cranfield.cli.models.options import Asking, Batch, Reported
from cranfield.cli.options import OnlyTopics
from cranfield.cli.tables import note
from cranfield.text import counted


def label(
    store: Answered,
    assessor: Name = None,
    plain: PlainMode = False,
    topic: OnlyTopics = None,
    seed: Seed = None,
    keys: KeyFile = None,
    *,
    instead: ModelInstead,
    asking: Asking,
    batch: Batch = None,
    reported: Reported,
) -> None:
    """Label whether the documents that answers were made from say each claim, at the keyboard.

    You see a claim above the texts of an answer's documents; 2 is support, 1 partial support, 0 no support, and the
    other keys are those of `judge`. Claims of the answer itself give Faithful, those of the reference answer CtxR; for
    both, partial support is not enough. Neither runs nor docnos are shown. Answers whose documents have no text in the
    store are left out, and counted.

    With --model a language model labels them instead, over any server with OpenAI's interface, by the
    rules of `model assess run`: what cannot be read is no label. People's labels go before a model's.

    Example: cranfield answers claims label track.db --assessor ada
    """
    if instead.given:
        from cranfield.judging.answers.by_model.attributing import ATTRIBUTION, attributing_asked

        AnswerQuestions(
            store,
            assessor,
            instead,
            asking,
            ATTRIBUTION,
            "attribution",
            lambda store, asker, again, done: attributing_asked(store, asker, topic, again),
            batch,
            reported,
        ).ask("claims")
        return
    from cranfield.judging.answers.attributing import Attributing, without_text
    from cranfield.judging.answers.labelling import AnswerLabelling
    from cranfield.store.answers.labels import CLAIM_LABELS
    from cranfield.store.store import Store

    name = person(assessor, instead, asking, batch, reported)
    with Store.open(store) as opened:
        if left_out := without_text(opened, topic):
            note(f"{counted(left_out, 'answer')} left out: the store has no text for a document of theirs")
        labelling = AnswerLabelling(opened, name, Attributing, CLAIM_LABELS, seed, topic)
        run(labelling, opened, plain, keys)
