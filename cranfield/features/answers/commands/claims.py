"""`answers claims`: what reference answers and answers say, and whether documents say it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli import completion, not_in_python
from cranfield.cli.build import command
from cranfield.cli.commands.imports import check_kind
from cranfield.cli.common_options import InputPaths, StorePath
from cranfield.cli.tables import note, say
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
from cranfield.features.models.commands.asking import show_asked
from cranfield.results import ResultInLines
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.store.store import Store


@not_in_python("cranfield.features.answers.store.labels.import_claims does it")
def import_(
    path: StorePath,
    files: InputPaths,
    assessor: Annotated[str, typer.Option(metavar="NAME", help="Who wrote the claims."), completion.ASSESSORS],
    kind: Annotated[
        str, typer.Option(help="Kind of the assessor: human, model, or import if unknown."), completion.KINDS
    ] = "human",
) -> None:
    """Import claims: the sentences of reference answers, or what answers state, as JSON lines.

    A line {"qid": "1", "claims": ["...", "..."]} is the reference answer to a topic, as CtxR needs; with "run" as well
    it is what the answer of a run states, as Faithful needs. Claims of the same author on the same answer replace
    earlier ones. Everything is imported, or nothing.

    Example: cranfield answers claims import track.db references.jsonl --assessor ada

    Example: cranfield answers claims import track.db claims.jsonl --assessor qwen3 --kind model
    """
    from cranfield.features.answers.formats.nuggets import read_claims
    from cranfield.features.answers.store.labels import import_claims
    from cranfield.store.history import importing
    from cranfield.store.store import Store

    check_kind(kind)
    claims_read = [claims for file in files for claims in read_claims(file)]
    with Store.open(path, tell=note) as store, importing(store, "claims", files):
        number = import_claims(store, claims_read, assessor, kind)
    say(f"{counted(number, 'claim')} imported")


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
