"""Options that answers add to commands of the core: evaluate, compare, reusability and adjudicate."""

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cranfield.hooks import OptionError
from cranfield.options import SUBJECT
from cranfield.selection import LabelledBy

if TYPE_CHECKING:
    from cranfield.features.answers.subjects import GeneratedAnswers

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
        help="Whose nuggets to use. [default: people's if there are any, otherwise models']",
    ),
]
LabelledTopicsOnly = Annotated[
    bool,
    typer.Option(
        "--labelled-topics-only",
        rich_help_panel=SUBJECT,
        help="Leave out topics where any answer lacks labels; needs --answers.",
    ),
]


class NuggetOptions(NamedTuple):
    """Whether answers are measured, and by whose nuggets."""

    answers: Answers = False
    nuggets: Nuggets = None

    def subject(self) -> "GeneratedAnswers":
        """The answers of a store."""
        return answers_of_options(self.answers, self.nuggets)


class AnswerOptions(NamedTuple):
    """The same, and on which topics."""

    answers: Answers = False
    labelled_topics_only: LabelledTopicsOnly = False
    nuggets: Nuggets = None

    def subject(self) -> "GeneratedAnswers":
        """The answers of a store."""
        return answers_of_options(self.answers, self.nuggets, self.labelled_topics_only)


def answers_of_options(
    answers: bool, nuggets: LabelledBy | None, labelled_topics_only: bool = False
) -> "GeneratedAnswers":
    """The subject; an error where --answers is not among the options."""
    from cranfield.features.answers.subjects import GeneratedAnswers

    if not answers:
        raise OptionError("labelled_topics_only" if labelled_topics_only else "nuggets", "works with --answers")
    return GeneratedAnswers(None if nuggets is None else nuggets.value, labelled_topics_only)


class AdjudicateOptions(NamedTuple):
    """Which labels of answers are settled."""

    of: Annotated[
        str,
        typer.Option(
            "--of",
            metavar="LABELS",
            help="Kind of labels: documents, nuggets, support, claims, correctness, rubrics or comparisons.",
        ),
    ] = "documents"
