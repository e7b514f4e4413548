"""The options of answers: of commands about them, and of evaluate, compare and reusability."""

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from cranfield.features.models.options import Asking, labels_name, topics_option
from cranfield.hooks import OptionError
from cranfield.options import Argument, Grouped, Option
from cranfield.options.given import StoreLike
from cranfield.options.groups import SUBJECT
from cranfield.options.imports import parse_kind
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
        help="Whose nuggets. [default: people's where there are any, else models']",
    ),
]
WhoseNuggets = Annotated[
    Literal["people", "models", "all"] | None,
    Option(
        "Whose nuggets. [default: people's where there are any, else models']", "--nuggets", rich_help_panel=SUBJECT,
        before="assessor",
    ),
]  # fmt: skip
StoreOfAnswers = Annotated[
    StoreLike, Argument("A store with topics and answers.", metavar="STORE", typed=Path, reads="store")
]
NuggetSource = Annotated[
    Literal["answers", "documents"],
    Option("What a model reads: the answers, or the relevant documents.", "--from", before="model"),
]
NuggetWindow = Annotated[int, Option("With --from documents: how many at a time.", min=1, before="model")]
EachCitation = Annotated[
    bool,
    Option(
        "Label the first three citations too: together, each alone, and the others without it, as CiteRecall and"
        " CitePrecision need. [default: only the first]",
        "--each", before="assessor",
    ),
]  # fmt: skip
ComparedRun = Annotated[
    str | None,
    Option(
        "Compare each answer with that of this run alone. [default: with all others]",
        metavar="RUN", complete="run of answers", before="assessor",
    ),
]  # fmt: skip
EmbeddingModel = Annotated[
    str | None, Option("The model of embeddings, as its server names it.", metavar="NAME", before="model")
]
EmbeddingUrl = Annotated[
    str | None, Option("The base URL of its server. [default: --url]", metavar="URL", before="model")
]
AnsweredTopics = Annotated[Sequence[str], topics_option(before="model")]
StatedTopics = Annotated[Sequence[str], topics_option(before="prompt")]
LabellerName = Annotated[
    str | None,
    Option(
        "Your name as an assessor; with --model, the name of its labels. [default: the model's]", "--assessor",
        metavar="NAME", complete="assessor", before="model",
    ),
]  # fmt: skip
ModelInstead = Annotated[str | None, Option("Ask this model instead, as its server names it.", metavar="NAME")]
UrlInstead = Annotated[
    str | None, Option("The base URL of the model's server; needed with --model, without --batch.", metavar="URL")
]
AskingInstead = Annotated[Asking, Grouped(model=ModelInstead, url=UrlInstead, assessor=LabellerName)]
AskingForQuestions = Annotated[
    Asking,
    Grouped(model=ModelInstead, url=UrlInstead, assessor=Annotated[str | None, labels_name(before="model")]),
]
LineMode = Annotated[bool, Option("Use line mode, for screen readers, pipes and scripts.", "--plain", before="topics")]
SeedOfAnswers = Annotated[int, Option("Random seed of the order of the answers.", "--seed", before="source")]
SeedAsBefore = Annotated[
    int | None,
    Option("Random seed of the order of the answers. [default: as before, else 0]", "--seed", before="model"),
]
KeyFile = Annotated[
    str | PathLike[str] | None,
    Option(
        'Key bindings: a TOML file with lines such as undo = "z".', "--keys", metavar="FILE", typed=Path | None,
        before="model",
    ),
]  # fmt: skip
AnswerFiles = Annotated[
    str | PathLike[str] | Iterable[str | PathLike[str]],
    Argument("Files: plain, .gz, .xz, .zst, .bz2 or .lz4.", metavar="PATH...", typed=list[Path], reads="texts"),
]
FormatOfAnswers = Annotated[
    str, Option("The files' format; detected from the content by default.", "--format", complete="formats")
]
NuggetAuthor = Annotated[
    str,
    Option(
        "Whose nuggets and labels these are where the file does not say.", "--assessor", metavar="NAME",
        complete="assessor",
    ),
]  # fmt: skip
StatementAuthor = Annotated[str, Option("Who wrote the claims.", "--assessor", metavar="NAME", complete="assessor")]
QuestionAuthor = Annotated[str, Option("Who wrote the questions.", "--assessor", metavar="NAME", complete="assessor")]
KindOfNuggetAuthors = Annotated[
    Literal["human", "model", "panel", "import"],
    Option(
        "Kind of assessors where the file does not say: human, model, or import if unknown.", "--kind", typed=str,
        parse=parse_kind, complete="assessor kind",
    ),
]  # fmt: skip
KindOfAuthor = Annotated[
    Literal["human", "model", "panel", "import"],
    Option(
        "Kind of the assessor: human, model, or import if unknown.", "--kind", typed=str, parse=parse_kind,
        complete="assessor kind",
    ),
]  # fmt: skip
LabelsIncluded = Annotated[bool, Option("Also write everybody's current labels of answers.", "--labels")]
ExportedFormat = Annotated[str, Option("Output format.", "--format", metavar="NAME", complete="formats")]
ExportedRun = Annotated[str | None, Option("Only the answers of this run.", "--run", metavar="TAG", complete="run")]
StrictNames = Annotated[bool, Option("Refuse documents and topics that the store does not have.", "--strict")]
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
            help="Which labels: documents, nuggets, support, claims, correctness, rubrics or comparisons.",
        ),
    ] = "documents"
