"""`answers claims`: what reference answers and answers say, and whether documents say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.cli.build import command, show_lines
from cranfield.features.answers.commands.labelling import label_by_hand, label_command
from cranfield.features.answers.functions import make_claims
from cranfield.features.answers.labels_by_model import label_claims
from cranfield.features.answers.options import (
    AnsweredTopics,
    KeyFile,
    LabellerName,
    LineMode,
    SeedAsBefore,
    StoreOfAnswers,
)
from cranfield.features.answers.transfers import import_claims
from cranfield.features.models.commands.asking import show_asked
from cranfield.results import ResultInLines
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.store.store import Store


import_ = command(import_claims, show_lines, "answers")
make = command(make_claims, show_asked, "answers")


def label_claims_by_hand(
    store: StoreOfAnswers,
    assessor: LabellerName = None,
    *,
    topics: AnsweredTopics = (),
    plain: LineMode = False,
    seed: SeedAsBefore = None,
    keys: KeyFile = None,
) -> ResultInLines:
    """Label whether the documents that answers were made from say each claim, at the keyboard.

    You see a claim above the texts of an answer's documents; 2 is support, 1 partial support, 0 no support, and the
    other keys are those of `judge`. Claims of the answer itself give Faithful, those of the reference answer CtxR; for
    both, partial support is not enough. Neither runs nor docnos are shown. Answers whose documents have no text in the
    store are left out, and counted.

    With --model a language model labels them instead, over any server with OpenAI's interface, by the
    rules of `model assess run`: what cannot be read is no label. People's labels go before a model's.

    Example: cranfield answers claims label track.db --assessor ada

    Example: cranfield answers claims label track.db --model qwen3 --url http://127.0.0.1:8000/v1
    """
    from cranfield.features.answers.by_model.labelling import answered_kind
    from cranfield.features.answers.judging.tasks import count_missing_texts

    def describe_missing(there: Store) -> str:
        number = count_missing_texts(there, topics or None)
        message = f"{counted(number, 'answer')} left out: the store has no text for a document of theirs"
        return message if number else ""

    return label_by_hand(
        store,
        answered_kind("attribution"),
        assessor,
        topics=topics,
        plain=plain,
        seed=seed,
        keys=keys,
        describe_missing=describe_missing,
    )


label = label_command(label_claims, label_claims_by_hand)
