"""answers questions make."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.answer_labelling import Answered
from cranfield.cli.models.about_answers import AnswerQuestions, ModelInstead, check_url, say_answered
from cranfield.cli.models.embedding import check_embedder, embedded, say_embedded
from cranfield.cli.models.options import Asking, Batch, ModelAssessor, Reported
from cranfield.cli.models.said import emitted, end
from cranfield.cli.options import OnlyTopics


def make(
    store: Answered,
    assessor: ModelAssessor = None,
    topic: OnlyTopics = None,
    embedding_model: Annotated[
        str | None, typer.Option(metavar="NAME", help="The model of embeddings, as its server names it.")
    ] = None,
    embedding_url: Annotated[
        str | None, typer.Option(metavar="URL", help="The base URL of its server. [default: --url]")
    ] = None,
    *,
    instead: ModelInstead,
    asking: Asking,
    batch: Batch = None,
    reported: Reported,
) -> None:
    """Ask a language model for three questions that each answer would answer, and their embeddings, as AnsRel needs.

    The rules are those of `model assess run`. The model also says of each question whether the answer is evasive. Then
    the embedding model gets these questions and those of the topics, each text once. With --batch only the questions
    are asked; run the command without it, with --url and --embedding-model, once the answers are imported. An answer
    without questions or embeddings has none: its AnsRel is NaN, and counted. --price is the language model's.

    Example: cranfield answers questions make track.db --model qwen3 --url http://127.0.0.1:8000/v1 --embedding-model e5
    """
    from cranfield.judging.answers.by_model.questioning import QUESTIONS, questions_asked
    from cranfield.judging.models.asking.tally import tally_document

    only_questions = asking.dry_run or batch is not None
    if not only_questions and embedding_model is None:
        raise typer.BadParameter("needed, or --batch or --dry-run", param_hint="--embedding-model")
    name, url = assessor or instead.model or "", embedding_url or instead.url or ""
    if not only_questions and embedding_model is not None:
        check_url(instead.model, instead.url, batch)
        check_embedder(store, name, embedding_model, url)
    asked = AnswerQuestions(
        store,
        assessor,
        instead,
        asking,
        QUESTIONS,
        "questions",
        lambda store, asker, again, done: questions_asked(store, asker, topic, again),
        batch,
        reported,
    ).asked()
    if asked is None or embedding_model is None:
        return
    if not reported.as_data:
        say_answered(*asked, "answers")
    elif asked[1].stopped == "Ctrl-C":
        emitted(*asked, reported, embeddings=None)
    end(*asked, "question")
    limits = asking.limits.less(0, asked[1].tokens)._replace(questions=None, price=None)
    found = embedded(store, name, embedding_model, url, asking.anew, topic, limits)
    if reported.as_data:
        emitted(*asked, reported, embeddings=tally_document(found[1]) if found else None)
    elif found:
        say_embedded(*found)
    if found:
        end(*found, "text")
