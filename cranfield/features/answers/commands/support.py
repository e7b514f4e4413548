"""`answers support` and `answers questions`: do citations support sentences; what answers would be asked."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from cranfield.cli.options import KeyFile, OnlyTopics, PlainMode
from cranfield.cli.tables import note
from cranfield.features.answers.commands.labelling import (
    Answered,
    AnswerQuestions,
    ModelInstead,
    Name,
    Seed,
    check_embedder,
    embedded,
    person,
    run,
    say_answered,
    say_embedded,
)
from cranfield.features.models.commands.asking import Asking, Batch, ModelAssessor, Reported, check_url, emitted, end
from cranfield.text import counted


def support(
    store: Answered,
    *,
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
        from cranfield.features.answers.by_model.labelling import SUPPORT, supporting_asked

        AnswerQuestions(
            store,
            assessor,
            instead,
            asking=asking,
            about=SUPPORT,
            prompt="support",
            plan=lambda store, asker, again, done: supporting_asked(
                store, asker, topics=topic, again=again, each=each, asked=done
            ),
            batch=batch,
            reported=reported,
        ).ask("citations")
        return
    from cranfield.features.answers.judging.labelling import AnswerLabelling
    from cranfield.features.answers.judging.tasks import Supporting
    from cranfield.features.answers.store.labels import SUPPORT_LABELS
    from cranfield.store.store import Store

    name = person(assessor, instead, asking, batch, reported)
    with Store.open(store) as opened:
        if left_out := Supporting(opened, 0, topic, each).without_text:
            note(f"{counted(left_out, 'sentence')} left out: the store has no text for a document cited there")
        begin = partial(Supporting, each=each)
        labelling = AnswerLabelling(opened, name, begin, SUPPORT_LABELS, seed=seed, topics=topic)
        run(labelling, opened, plain, keys)


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
    from cranfield.features.answers.by_model.making import QUESTIONS, questions_asked
    from cranfield.features.models.asking.asking import tally_document

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
        asking=asking,
        about=QUESTIONS,
        prompt="questions",
        plan=lambda store, asker, again, done: questions_asked(store, asker, topic, again),
        batch=batch,
        reported=reported,
    ).asked()
    if asked is None or embedding_model is None:
        return
    if not reported.as_data:
        say_answered(*asked, "answers")
    elif asked[1].stopped == "Ctrl-C":
        emitted(*asked, reported, embeddings=None)
    end(*asked, "question")
    limits = asking.limits.less(0, asked[1].tokens, asked[1].cost)._replace(questions=None, price=None)
    found = embedded(store, name, embedding_model, url=url, again=asking.anew, topics=topic, limits=limits)
    if reported.as_data:
        emitted(*asked, reported, embeddings=tally_document(found[1]) if found else None)
    elif found:
        say_embedded(*found)
    if found:
        end(*found, "text")
