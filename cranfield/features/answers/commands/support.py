"""`answers support` and `answers questions`: do citations support sentences; what answers would be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from cranfield.cli import in_python
from cranfield.cli.common_options import OnlyTopics, Printer
from cranfield.features.answers.commands.labelling import (
    AnswerLabeller,
    AnswersStore,
    ModelInstead,
    check_embedder,
    embed,
    say_embedded,
)
from cranfield.features.models.asked import Asked
from cranfield.features.models.commands.asking import check_url, end, say_answered, show_asked
from cranfield.features.models.options import LabelsName
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.store.store import Store


@in_python("answers.label_support")
def support(
    store: AnswersStore,
    *,
    each: Annotated[
        bool,
        typer.Option(
            "--each",
            help="Label the first three citations too: together, each alone, and the others without it,"
            " as CiteRecall and CitePrecision need. [default: only the first]",
        ),
    ] = False,
    by: AnswerLabeller,
) -> None:
    """Label whether cited documents support the sentences that cite them, at the keyboard.

    You see a sentence above the text of the document that it cites first; 2 is support, 1 partial support, 0 no
    support, and the other keys are those of `judge`. Neither runs nor docnos are shown. Every label is on disk before
    the next sentence is shown. Sentences whose cited documents have no text in the store are left out, and counted.

    With --model a language model labels them instead, over any server with OpenAI's interface, by the
    rules of `model assess run`: what cannot be read is no label. People's labels go before a model's.

    Example: cranfield answers support track.db --assessor ada

    Example: cranfield answers support track.db --model qwen3 --url http://127.0.0.1:8000/v1
    """
    from cranfield.features.answers.by_model.labelling import answered_kind
    from cranfield.features.answers.judging.tasks import Supporting

    def left_out(store: Store) -> str:
        number = Supporting(store, 0, by.topic, each).without_text
        message = f"{counted(number, 'sentence')} left out: the store has no text for a document cited there"
        return message if number else ""

    by.label(store, answered_kind("support", each=each), left_out)


@in_python("answers.make_questions")
def make(
    store: AnswersStore,
    assessor: LabelsName = None,
    topic: OnlyTopics = None,
    embedding_model: Annotated[
        str | None, typer.Option(metavar="NAME", help="The model of embeddings, as its server names it.")
    ] = None,
    embedding_url: Annotated[
        str | None, typer.Option(metavar="URL", help="The base URL of its server. [default: --url]")
    ] = None,
    *,
    instead: ModelInstead,
) -> None:
    """Ask a language model for three questions that each answer would answer, and their embeddings, as AnsRel needs.

    The rules are those of `model assess run`. The model also says of each question whether the answer is evasive. Then
    the embedding model gets these questions and those of the topics, each text once. With --batch only the questions
    are asked; run the command without it, with --url and --embedding-model, once the answers are imported. An answer
    without questions or embeddings has none: its AnsRel is NaN, and counted. --price is the language model's.

    Example: cranfield answers questions make track.db --model qwen3 --url http://127.0.0.1:8000/v1 --embedding-model e5

    Example: cranfield answers questions make track.db --model qwen3 --url http://127.0.0.1:8000/v1 --dry-run
    """
    from cranfield.features.answers.by_model.making import QUESTIONS_OF_ANSWERS

    asking, batch, printer = instead.asking, instead.batch, instead.printer
    only_questions = asking.dry_run or batch is not None
    if not only_questions and embedding_model is None:
        raise typer.BadParameter("needed, or --batch or --dry-run", param_hint="--embedding-model")
    name, url = assessor or instead.model or "", embedding_url or instead.url or ""
    if not only_questions and embedding_model is not None:
        check_url(instead.model, instead.url, batch)
        check_embedder(store, name, embedding_model, url)
    result = instead.replies(store, assessor, QUESTIONS_OF_ANSWERS, topic)
    tally = result.tally
    if tally is None or embedding_model is None:
        show_asked(result, printer)
        return
    if printer.is_for_terminal:
        say_answered(result)
    elif tally.stopped == "Ctrl-C":
        _emit(result, None, printer)
    end(result)
    limits = asking.limits.less(0, tally.tokens, tally.cost)._replace(questions=None, price=None)
    embedded = embed(store, name, embedding_model, url=url, again=asking.again, topics=topic, limits=limits)
    if not printer.is_for_terminal:
        _emit(result, embedded, printer)
    elif embedded:
        say_embedded(embedded)
    if embedded:
        end(embedded)


def _emit(result: Asked, embedded: Asked | None, printer: Printer) -> None:
    from cranfield.features.models.asking.limits import tally_document

    text_tally = tally_document(embedded.tally) if embedded and embedded.tally else None
    printer.emit(result.rows(), title=result.title, document={**cast("Any", result.document), "embeddings": text_tally})
