"""Labels of whole answers: `answers rubrics`, `answers correctness` and `answers prefer`."""

from typing import Annotated

import typer

from cranfield.api.commands import not_in_python
from cranfield.cli import completion
from cranfield.cli.commands.imports import check_kind
from cranfield.cli.common_options import InputPaths, StorePath
from cranfield.cli.tables import say
from cranfield.features.answers.commands.labelling import Answered, AnswerLabeller
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
    """
    from cranfield.features.answers.formats.rubrics import read_rubrics
    from cranfield.features.answers.store.rubrics import import_rubrics
    from cranfield.store.history import importing
    from cranfield.store.store import Store

    check_kind(kind)
    found = [rubric for file in files for rubric in read_rubrics(file)]
    with Store.open(path) as store, importing(store, "rubrics", files):
        number = import_rubrics(store, found, assessor, kind)
    say(f"{counted(number, 'question')} of {counted(len(found), 'topic')} imported")


def label(store: Answered, *, by: AnswerLabeller) -> None:
    """Label whether each answer meets the questions of its topic's rubric, at the keyboard: 1 is yes, 0 no.

    The other keys are those of `judge`. Neither runs nor weights are shown. The labels give Rubric and RubricShare.

    With --model a language model labels them instead, over any server with OpenAI's interface, by the
    rules of `model assess run`: what cannot be read is no label. People's labels go before a model's.

    Example: cranfield answers rubrics label track.db --assessor ada
    """
    from cranfield.features.answers.by_model.labelled import answered_kind

    by.label(store, answered_kind("rubric"))


def correctness(store: Answered, *, by: AnswerLabeller) -> None:
    """Label whether answers say what the reference answer says, and the reverse, at the keyboard.

    You see a claim above a text: a claim of the reference answer above the answer, then each statement of the answer
    above the reference answer. 2 is support, 1 partial support, 0 no support, and the other keys are those of `judge`.
    Reference answers and statements are claims (`answers claims import`, `answers claims make`). The labels give
    Correct, CorrectP and CorrectR, for which partial support is not enough.

    With --model a language model labels them instead, over any server with OpenAI's interface, by the
    rules of `model assess run`: what cannot be read is no label. People's labels go before a model's.

    Example: cranfield answers correctness track.db --assessor ada
    """
    from cranfield.features.answers.by_model.labelled import answered_kind

    by.label(store, answered_kind("correctness"))


def prefer(
    store: Answered,
    *,
    baseline: Annotated[
        str | None,
        typer.Option(metavar="RUN", help="Compare each answer with that of this run alone. [default: with all others]"),
        completion.stored("run of answers"),
    ] = None,
    by: AnswerLabeller,
) -> None:
    """Compare the answers of runs to each topic, two at a time, at the keyboard: 1 or 2 is better, 0 is neither.

    Each pair is shown in both orders, the second ones after all others of the topic; different answers are a tie. Runs
    are not shown. The labels give WinRate.

    With --model a language model compares them instead, over any server with OpenAI's interface, by the
    rules of `model assess run`: what cannot be read is no label. People's comparisons go before a model's.

    Example: cranfield answers prefer track.db --assessor ada
    """
    from cranfield.features.answers.by_model.labelled import answered_kind

    by.label(store, answered_kind("answers", baseline=baseline))
