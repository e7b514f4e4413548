"""The options of commands that write the contents of a store to files."""

from collections.abc import Sequence
from enum import StrEnum
from os import PathLike
from pathlib import Path
from typing import Annotated, Literal, get_args

from cranfield.options import LABELS_DIFFER, Argument, Option, Written
from cranfield.options.groups import OUTPUT, SELECTION


class DocumentField(StrEnum):
    """A document field that may be dropped."""

    heading = "title"
    url = "url"
    metadata = "metadata"


class TopicField(StrEnum):
    """A topic field that may be dropped."""

    description = "description"
    narrative = "narrative"
    metadata = "metadata"


NewFolder = Annotated[str | PathLike[str], Argument("Output folder.", metavar="FOLDER", typed=Path)]
NewBundle = Annotated[
    str | PathLike[str], Argument("The new bundle, such as ada.db.", metavar="OUT", typed=Path), Written()
]
ExportedFormat = Annotated[str, Option("Output format.", "--format", metavar="NAME", complete="format")]
DroppedTopicFields = Annotated[
    Sequence[Literal["description", "narrative", "metadata"]],
    Option(
        "Drop this field, if the format has no place for it; may be repeated.", "--drop",
        typed=list[TopicField] | None,
    ),
]  # fmt: skip
DroppedDocumentFields = Annotated[
    Sequence[Literal["title", "url", "metadata"]],
    Option(
        "Drop this field, if the format has no place for it; may be repeated.", "--drop",
        typed=list[DocumentField] | None,
    ),
]  # fmt: skip
QuotesFormulas = Annotated[
    bool,
    Option(
        "In CSV and TSV, quote text that a spreadsheet would read as a formula.", "--safe-csv", rich_help_panel=OUTPUT
    ),
]
HasRunHeader = Annotated[bool, Option("Begin each file with an ir_metadata header.", "--metadata")]
RunLayout = Annotated[
    Literal["trec", "parquet"],
    Option("One TREC run file per run, or all runs as Parquet, by blocks of topics.", "--as"),
]
PolicyOfQrels = Annotated[
    str | None,
    Option(
        f"{LABELS_DIFFER} [default: the choice of `store labels`]", metavar="NAME", complete="policy",
        rich_help_panel=SELECTION,
    ),
]  # fmt: skip
AssessorsOfQrels = Annotated[
    Sequence[str] | None,
    Option(
        "Whose labels count, in order of precedence; may be repeated. [default: all]", "--assessor", metavar="NAME",
        complete="assessor",
    ),
]  # fmt: skip
OnlyAssessor = Annotated[str | None, Option("Use only this assessor's labels.", metavar="NAME", complete="assessor")]
UnsureLabels = Annotated[Literal["count", "leave-out"], Option("How to treat labels that are marked as unsure.")]
GradeOfUnlabelled = Annotated[
    int | None,
    Option("Write these pairs with this negative grade. [default: leave out]", max=-1, metavar="GRADE"),
]
QrelsFormatName = Literal["trec", "beir", "subtopics", "sample-eval", "grade-stratum"]
QRELS_FORMATS: Sequence[str] = get_args(QrelsFormatName)
QrelsFormat = Annotated[
    QrelsFormatName,
    Option("Output format; strata come from the pool, subtopics from imported labels."),
]
OnlyUnjudged = Annotated[
    bool, Option("Export only what nobody has judged, as what a late run still needs.", "--unjudged")
]
