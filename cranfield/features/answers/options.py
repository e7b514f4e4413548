"""What evaluate, compare and reusability take for answers."""

from typing import Annotated, NamedTuple

import typer

from cranfield.options.groups import SUBJECT
from cranfield.selection import LabelledBy

Answers = Annotated[
    bool,
    typer.Option(
        "--answers",
        rich_help_panel=SUBJECT,
        help="Score the generated answers of a store, by measures such as V_strict and SupportP.",
    ),
]
Nuggets = Annotated[
    LabelledBy | None,
    typer.Option(
        "--nuggets",
        rich_help_panel=SUBJECT,
        help="Whose nuggets. [default: people's where there are any, else models']",
    ),
]
LabelledTopicsOnly = Annotated[
    bool,
    typer.Option(
        "--labelled-topics-only",
        rich_help_panel=SUBJECT,
        help="With --answers: leave out topics on which the labels of any answer are missing.",
    ),
]


class NuggetOptions(NamedTuple):
    """Whether answers are measured, and by whose nuggets."""

    answers: Answers = False
    nuggets: Nuggets = None


class AnswerOptions(NamedTuple):
    """The same, and on which topics."""

    answers: Answers = False
    labelled_topics_only: LabelledTopicsOnly = False
    nuggets: Nuggets = None


class AdjudicateOptions(NamedTuple):
    """Which labels of answers are settled."""

    of: Annotated[
        str,
        typer.Option(
            "--of",
            metavar="LABELS",
            help="Which labels: documents, nuggets, support, claims, correctness, rubrics or comparisons.",
        ),
    ] = "documents"
