"""`answers claims`: what reference answers and answers say, and whether documents say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.cli.build import command, show_lines
from cranfield.features.answers.commands.labelling import LabellingOptions, label_by_hand, label_command
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
    """Label interactively whether the documents of answers support claims.

    The screen shows a claim, and below it the texts of the answer's documents. Press 2 for support, 1 for partial
    support and 0 for no support; the other keys are the keys of `judge`. The measure Faithful uses the labels of the
    answer's own claims; CtxR uses the labels of the reference answer's claims. For both measures, partial support is
    not enough. Runs and docnos are hidden. Answers whose documents have no text in the store are skipped and counted.

    With --model, a language model labels the claims on any server with an OpenAI-compatible API. The rules of `model
    assess run` apply: an unreadable answer does not count as a label. People's labels take precedence over a model's.

    Example: cranfield answers claims label track.db --assessor ada

    Example: cranfield answers claims label track.db --model qwen3 --url http://127.0.0.1:8000/v1
    """
    from cranfield.features.answers.by_model.labelling import answered_kind
    from cranfield.features.answers.judging.tasks import count_missing_texts

    def describe_missing(there: Store) -> str:
        number = count_missing_texts(there, topics or None)
        message = f"omitted {counted(number, 'answer')}: the store lacks the text of a document"
        return message if number else ""

    return label_by_hand(
        store,
        answered_kind("attribution"),
        assessor,
        LabellingOptions(topics, plain, seed, keys),
        describe_missing,
    )


label = label_command(label_claims, label_claims_by_hand)
