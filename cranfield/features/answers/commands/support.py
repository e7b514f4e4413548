"""`answers support` and `answers questions`: do citations support sentences; what answers would be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import typer

from cranfield.cli.build import command
from cranfield.cli.common_options import Printer
from cranfield.cli.tables import say
from cranfield.features.answers.commands.labelling import LabellingOptions, label_by_hand, label_command
from cranfield.features.answers.functions import AskedQuestions, make_questions
from cranfield.features.answers.labels_by_model import label_support
from cranfield.features.answers.options import (
    AnsweredTopics,
    EachCitation,
    KeyFile,
    LabellerName,
    LineMode,
    SeedAsBefore,
    StoreOfAnswers,
)
from cranfield.features.models.asked import Asked
from cranfield.features.models.commands.asking import check_url, end, say_answered, say_cost, show_asked
from cranfield.results import ResultInLines
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.store.store import Store


def label_support_by_hand(
    store: StoreOfAnswers,
    assessor: LabellerName = None,
    *,
    each: EachCitation = False,
    topics: AnsweredTopics = (),
    plain: LineMode = False,
    seed: SeedAsBefore = None,
    keys: KeyFile = None,
) -> ResultInLines:
    """Label interactively whether cited documents support sentences.

    The screen shows a sentence, and below it the text of the first document that it cites. Press 2 for support, 1 for
    partial support and 0 for no support; the other keys are the keys of `judge`. Runs and docnos are hidden. Every
    label is saved before the next sentence is shown. Sentences whose cited documents have no text in the store are
    skipped and counted.

    With --model, a language model labels the sentences on any server with an OpenAI-compatible API. The rules of `model
    assess run` apply: an unreadable answer does not count as a label. People's labels take precedence over a model's.

    Example: cranfield answers support track.db --assessor ada

    Example: cranfield answers support track.db --model qwen3 --url http://127.0.0.1:8000/v1
    """
    from cranfield.features.answers.by_model.labelling import answered_kind
    from cranfield.features.answers.judging.tasks import Supporting

    def describe_missing(there: Store) -> str:
        number = Supporting(there, 0, topics or None, each).without_text
        message = f"{counted(number, 'sentence')} omitted: the store lacks the text of a cited document"
        return message if number else ""

    return label_by_hand(
        store,
        answered_kind("support", each=each),
        assessor,
        LabellingOptions(topics, plain, seed, keys),
        describe_missing,
    )


support = label_command(label_support, label_support_by_hand)


def check_questions(
    model: str | None, url: str | None, batch: str | None, dry_run: bool, embedding_model: str | None
) -> None:
    """Refuse to ask nobody, or for questions without their embeddings."""
    if embedding_model is None and not (dry_run or batch is not None):
        raise typer.BadParameter("needed, or --batch or --dry-run", param_hint="--embedding-model")
    check_url(model, url, batch)


def show_questions(result: Asked, printer: Printer) -> None:
    """Print what came of asking for questions, and for the embeddings of texts."""
    if result.tally is None:
        show_asked(result, printer)
        return
    questions = result.questions if isinstance(result, AskedQuestions) else result
    if printer.is_for_terminal:
        say_answered(questions)
    elif result.tally.stopped == "Ctrl-C":
        _emit(questions, None, printer)
    end(questions)
    if not isinstance(result, AskedQuestions):  # no embedding was asked for, or its server failed
        return
    embeddings = result.embeddings
    if not printer.is_for_terminal:
        _emit(questions, embeddings, printer)
    elif embeddings and embeddings.tally:
        tally = embeddings.tally
        texts = counted(tally.answered + tally.remaining + tally.doubtful, "text")
        say(f"{counted(tally.outcomes['ok'], 'embedding')} by {embeddings.asker.model}, of {texts}")
        say_cost(tally)
    if embeddings:
        end(embeddings)


def _emit(result: Asked, embedded: Asked | None, printer: Printer) -> None:
    from cranfield.features.models.asking.limits import tally_document

    text_tally = tally_document(embedded.tally) if embedded and embedded.tally else None
    printer.emit(result.rows(), title=result.title, document={**cast("Any", result.document), "embeddings": text_tally})


make = command(make_questions, show_questions, "answers", check=check_questions)
