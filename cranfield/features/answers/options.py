"""Options of the commands about answers."""

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Annotated, Literal

from cranfield.features.models.options import Asking, labels_name, topics_option
from cranfield.options import SUBJECT, Argument, Grouped, Option
from cranfield.options.arguments import StoreLike
from cranfield.options.imports import parse_kind

WhoseNuggets = Annotated[
    Literal["people", "models", "all"] | None,
    Option(
        "Whose nuggets to use. [default: people's if there are any, otherwise models']", "--nuggets",
        rich_help_panel=SUBJECT, before="assessor",
    ),
]  # fmt: skip
StoreOfAnswers = Annotated[
    StoreLike, Argument("A store with topics and answers.", metavar="STORE", typed=Path, reads="store")
]
NuggetSource = Annotated[
    Literal["answers", "documents"],
    Option("Texts for the model: the answers, or the relevant documents.", "--from", before="model"),
]
NuggetWindow = Annotated[
    int, Option("Number of documents to read at a time, with --from documents.", min=1, before="model")
]
EachCitation = Annotated[
    bool,
    Option(
        "Also label the first three citations together, each citation separately, and the set without it, for"
        " CiteRecall and CitePrecision. [default: only the first citation]",
        "--each", before="assessor",
    ),
]  # fmt: skip
ComparedRun = Annotated[
    str | None,
    Option(
        "Compare each answer only with this run's answer. [default: with all others]",
        metavar="RUN", complete="run of answers", before="assessor",
    ),
]  # fmt: skip
EmbeddingModel = Annotated[
    str | None, Option("Name of the embedding model on its server.", metavar="NAME", before="model")
]
EmbeddingUrl = Annotated[
    str | None, Option("Base URL of the embedding server. [default: --url]", metavar="URL", before="model")
]
AnsweredTopics = Annotated[Sequence[str], topics_option(before="model")]
StatedTopics = Annotated[Sequence[str], topics_option(before="prompt")]
LabellerName = Annotated[
    str | None,
    Option(
        "Your name as an assessor; with --model, the name for the model's labels. [default: the model's name]",
        "--assessor",
        metavar="NAME", complete="assessor", before="model",
    ),
]  # fmt: skip
ModelInstead = Annotated[
    str | None, Option("Model that labels in your place, by its name on the server.", metavar="NAME")
]
UrlInstead = Annotated[
    str | None, Option("Base URL of the model's server; needed with --model, unless --batch is given.", metavar="URL")
]
AskingInstead = Annotated[Asking, Grouped(model=ModelInstead, url=UrlInstead, assessor=LabellerName)]
AskingForQuestions = Annotated[
    Asking,
    Grouped(model=ModelInstead, url=UrlInstead, assessor=Annotated[str | None, labels_name(before="model")]),
]
LineMode = Annotated[bool, Option("Use line mode, for screen readers, pipes and scripts.", "--plain", before="topics")]
SeedOfAnswers = Annotated[int, Option("Random seed for the order of answers.", "--seed", before="source")]
SeedAsBefore = Annotated[
    int | None,
    Option(
        "Random seed for the order of answers. [default: the seed used before, otherwise 0]", "--seed", before="model"
    ),
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
    str, Option("Format of the files. [default: detected from the content]", "--format", complete="formats")
]
NuggetAuthor = Annotated[
    str,
    Option(
        "Assessor for nuggets and labels that name no assessor.", "--assessor", metavar="NAME",
        complete="assessor",
    ),
]  # fmt: skip
StatementAuthor = Annotated[str, Option("Author of the claims.", "--assessor", metavar="NAME", complete="assessor")]
QuestionAuthor = Annotated[str, Option("Author of the questions.", "--assessor", metavar="NAME", complete="assessor")]
KindOfNuggetAuthors = Annotated[
    Literal["human", "model", "panel", "import"],
    Option(
        "Kind of assessors whose kind is not in the file: human, model, or import (unknown).", "--kind", typed=str,
        parse=parse_kind, complete="assessor kind",
    ),
]  # fmt: skip
KindOfAuthor = Annotated[
    Literal["human", "model", "panel", "import"],
    Option(
        "Kind of the assessor: human, model, or import (unknown).", "--kind", typed=str, parse=parse_kind,
        complete="assessor kind",
    ),
]  # fmt: skip
LabelsIncluded = Annotated[bool, Option("Also write all assessors' current labels of answers.", "--labels")]
ExportedFormat = Annotated[str, Option("Output format.", "--format", metavar="NAME", complete="formats")]
ExportedRun = Annotated[
    str | None, Option("Run whose answers to write. [default: all runs]", "--run", metavar="TAG", complete="run")
]
StrictNames = Annotated[bool, Option("Refuse documents and topics that are not in the store.", "--strict")]
