"""`answers claims`: what reference answers and answers say, and whether documents say it."""

from typing import Annotated

import typer

from cranfield.cli import completion
from cranfield.cli.commands.imports import check_kind
from cranfield.cli.options import InputPaths, KeyFile, OnlyTopics, PlainMode, StorePath
from cranfield.cli.tables import note, say
from cranfield.features.answers.commands.labelling import (
    Answered,
    AnswerQuestions,
    ModelInstead,
    Name,
    Seed,
    person,
    run,
)
from cranfield.features.models.commands.asking import Asking, Batch, ModelAssessor, Reported
from cranfield.text import counted


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
    """
    from cranfield.features.answers.formats.nuggets import read_claims
    from cranfield.features.answers.store.labels import import_claims
    from cranfield.store.history import importing
    from cranfield.store.store import Store

    check_kind(kind)
    found = [claims for file in files for claims in read_claims(file)]
    with Store.open(path) as store, importing(store, "claims", files):
        number = import_claims(store, found, assessor, kind)
    say(f"{counted(number, 'claim')} imported")


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
    from cranfield.features.answers.by_model.making import STATING, stating_asked

    AnswerQuestions(
        store,
        assessor,
        instead,
        asking=asking,
        about=STATING,
        prompt="statements",
        plan=lambda store, asker, again, done: stating_asked(store, asker, topic, again),
        batch=batch,
        reported=reported,
    ).ask("answers")


def label(
    store: Answered,
    *,
    assessor: Name = None,
    plain: PlainMode = False,
    topic: OnlyTopics = None,
    seed: Seed = None,
    keys: KeyFile = None,
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
        from cranfield.features.answers.by_model.labelling import ATTRIBUTION, attributing_asked

        AnswerQuestions(
            store,
            assessor,
            instead,
            asking=asking,
            about=ATTRIBUTION,
            prompt="attribution",
            plan=lambda store, asker, again, done: attributing_asked(store, asker, topic, again),
            batch=batch,
            reported=reported,
        ).ask("claims")
        return
    from cranfield.features.answers.judging.labelling import AnswerLabelling
    from cranfield.features.answers.judging.tasks import Attributing, without_text
    from cranfield.features.answers.store.labels import CLAIM_LABELS
    from cranfield.store.store import Store

    name = person(assessor, instead, asking, batch, reported)
    with Store.open(store) as opened:
        if left_out := without_text(opened, topic):
            note(f"{counted(left_out, 'answer')} left out: the store has no text for a document of theirs")
        labelling = AnswerLabelling(opened, name, Attributing, CLAIM_LABELS, seed=seed, topics=topic)
        run(labelling, opened, plain, keys)
