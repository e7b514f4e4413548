"""answers claims make."""

from __future__ import annotations

from cranfield.cli.answer_labelling import Answered
from cranfield.cli.models.about_answers import AnswerQuestions, ModelInstead
from cranfield.cli.models.options import Asking, Batch, ModelAssessor, Reported
from cranfield.cli.options import OnlyTopics


def make(
    store: Answered,
    assessor: ModelAssessor = None,
    topic: OnlyTopics = None,
    *,
    instead: ModelInstead,
    asking: Asking,
    batch: Batch = None,
    reported: Reported,
) -> None:
    """Ask a language model to take each answer apart into the statements that it makes, as Faithful needs.

    The rules are those of `model assess run`. Statements that people wrote (`answers claims import`) go before a
    model's. An answer whose statements cannot be read has none: its Faithful is NaN, and counted.

    Example: cranfield answers claims make track.db --model qwen3 --url http://127.0.0.1:8000/v1
    """
    from cranfield.judging.answers.by_model.stating import STATING, stating_asked

    AnswerQuestions(
        store,
        assessor,
        instead,
        asking,
        STATING,
        "statements",
        lambda store, asker, again, done: stating_asked(store, asker, topic, again),
        batch,
        reported,
    ).ask("answers")
