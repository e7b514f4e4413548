"""Whole answers: `import answers`, `export answers`, and labels by `answers rubrics`, `correctness` and `prefer`."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli import completion, not_in_python
from cranfield.cli.build import command, show_lines
from cranfield.cli.commands.exports import OutputFile, TextFormat, refuse_empty
from cranfield.cli.commands.imports import check_kind
from cranfield.cli.common_options import InputPaths, ReadStore, StorePath
from cranfield.cli.tables import note, say
from cranfield.features.answers.commands.labelling import label_by_hand, label_command
from cranfield.features.answers.functions import import_answers as add_answers
from cranfield.features.answers.labels_by_model import label_correctness, label_preferences, label_rubrics
from cranfield.features.answers.options import (
    AnsweredTopics,
    ComparedRun,
    KeyFile,
    LabellerName,
    LineMode,
    SeedAsBefore,
    StoreOfAnswers,
)
from cranfield.results import ResultInLines
from cranfield.text import counted


@not_in_python("cranfield.features.answers.store.rubrics.import_rubrics does it")
def import_(
    path: StorePath,
    files: InputPaths,
    assessor: Annotated[str, typer.Option(metavar="NAME", help="Who wrote the questions."), completion.ASSESSORS],
    kind: Annotated[
        str, typer.Option(help="Kind of the assessor: human, model, or import if unknown."), completion.KINDS
    ] = "human",
) -> None:
    """Import rubrics: a TOML file with a table for each topic, whose questions every answer to it is asked.

    A question is a text, or {question = "...", weight = 2}. Questions that are given anew for a topic replace its
    earlier ones, whose labels stay on record. Everything is imported, or nothing.

    Example: cranfield answers rubrics import track.db rubrics.toml --assessor ada

    Example: cranfield answers rubrics import track.db rubrics.toml --assessor qwen3 --kind model
    """
    from cranfield.features.answers.formats.nuggets import read_rubrics
    from cranfield.features.answers.store.rubrics import import_rubrics
    from cranfield.store.history import importing
    from cranfield.store.store import Store

    check_kind(kind)
    rubrics = [rubric for file in files for rubric in read_rubrics(file)]
    with Store.open(path, tell=note) as store, importing(store, "rubrics", files):
        number = import_rubrics(store, rubrics, assessor, kind)
    say(f"{counted(number, 'question')} of {counted(len(rubrics), 'topic')} imported")


def label_rubrics_by_hand(
    store: StoreOfAnswers,
    assessor: LabellerName = None,
    *,
    topics: AnsweredTopics = (),
    plain: LineMode = False,
    seed: SeedAsBefore = None,
    keys: KeyFile = None,
) -> ResultInLines:
    """Label whether each answer meets the questions of its topic's rubric, at the keyboard: 1 is yes, 0 no.

    The other keys are those of `judge`. Neither runs nor weights are shown. The labels give Rubric and RubricShare.

    With --model a language model labels them instead, over any server with OpenAI's interface, by the
    rules of `model assess run`: what cannot be read is no label. People's labels go before a model's.

    Example: cranfield answers rubrics label track.db --assessor ada

    Example: cranfield answers rubrics label track.db --model qwen3 --url http://127.0.0.1:8000/v1
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    return label_by_hand(store, answered_kind("rubric"), assessor, topics=topics, plain=plain, seed=seed, keys=keys)


label = label_command(label_rubrics, label_rubrics_by_hand)


def label_correctness_by_hand(
    store: StoreOfAnswers,
    assessor: LabellerName = None,
    *,
    topics: AnsweredTopics = (),
    plain: LineMode = False,
    seed: SeedAsBefore = None,
    keys: KeyFile = None,
) -> ResultInLines:
    """Label whether answers say what the reference answer says, and the reverse, at the keyboard.

    You see a claim above a text: a claim of the reference answer above the answer, then each statement of the answer
    above the reference answer. 2 is support, 1 partial support, 0 no support, and the other keys are those of `judge`.
    Reference answers and statements are claims (`answers claims import`, `answers claims make`). The labels give
    Correct, CorrectP and CorrectR, for which partial support is not enough.

    With --model a language model labels them instead, over any server with OpenAI's interface, by the
    rules of `model assess run`: what cannot be read is no label. People's labels go before a model's.

    Example: cranfield answers correctness track.db --assessor ada

    Example: cranfield answers correctness track.db --model qwen3 --url http://127.0.0.1:8000/v1
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    return label_by_hand(
        store, answered_kind("correctness"), assessor, topics=topics, plain=plain, seed=seed, keys=keys
    )


correctness = label_command(label_correctness, label_correctness_by_hand)


def label_preferences_by_hand(
    store: StoreOfAnswers,
    assessor: LabellerName = None,
    *,
    baseline: ComparedRun = None,
    topics: AnsweredTopics = (),
    plain: LineMode = False,
    seed: SeedAsBefore = None,
    keys: KeyFile = None,
) -> ResultInLines:
    """Compare the answers of runs to each topic, two at a time, at the keyboard: 1 or 2 is better, 0 is neither.

    Each pair is shown in both orders, the second ones after all others of the topic; different answers are a tie. Runs
    are not shown. The labels give WinRate.

    With --model a language model compares them instead, over any server with OpenAI's interface, by the
    rules of `model assess run`: what cannot be read is no label. People's comparisons go before a model's.

    Example: cranfield answers prefer track.db --assessor ada

    Example: cranfield answers prefer track.db --model qwen3 --url http://127.0.0.1:8000/v1
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    return label_by_hand(
        store, answered_kind("answers", baseline=baseline), assessor, topics=topics, plain=plain, seed=seed, keys=keys
    )


prefer = label_command(label_preferences, label_preferences_by_hand)


import_answers = command(add_answers, show_lines, "store")


@not_in_python("cranfield.features.answers.store.answers.answers_to_write returns them, the formats write them")
def export_answers(
    path: ReadStore,
    file: OutputFile,
    format: TextFormat = "rag25",
    run: Annotated[
        str | None, typer.Option(metavar="TAG", help="Only the answers of this run."), completion.RUNS
    ] = None,
) -> None:
    """Write generated answers, one per line, in a format that `cranfield import answers` reads: rag24, rag25, ragtime.

    What a format cannot store is an error: rag24 and rag25 have no confidence of a citation.

    Example: cranfield export answers track.db answers.jsonl --format ragtime

    Example: cranfield export answers track.db answers.jsonl
    """
    from cranfield.errors import InputError
    from cranfield.features.answers.store.answers import answer_runs, answers_to_write
    from cranfield.formats.table import format_named
    from cranfield.store.store import Store

    write = format_named("answers", format).write
    assert write
    with Store.open(path, tell=note) as store:
        if run is not None and run not in answer_runs(store):
            raise InputError(f"no run {run!r} has answers in this store", path)
        answers = answers_to_write(store, run)
    refuse_empty(path, "answers", bool(answers))
    write(file, answers)
    say(counted(len(answers), "answer"))
