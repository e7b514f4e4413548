"""The options of commands that write the contents of a store to files."""

from collections.abc import Sequence
from enum import StrEnum
from os import PathLike
from pathlib import Path
from typing import Annotated, Literal, get_args

from cranfield.options import LABELS_DIFFER, OUTPUT, SELECTION, Argument, Option, Written


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
    str | PathLike[str], Argument("New bundle, such as ada.db.", metavar="OUT", typed=Path), Written()
]
ExportedFormat = Annotated[
    str | None,
    Option(
        "Output format. [default: by the file extension, otherwise jsonl]", "--format", metavar="NAME",
        complete="format",
    ),
]  # fmt: skip
DroppedTopicFields = Annotated[
    Sequence[Literal["description", "narrative", "metadata"]],
    Option(
        "Field to drop if the format has no place for it; may be repeated.", "--drop",
        typed=list[TopicField] | None,
    ),
]  # fmt: skip
DroppedDocumentFields = Annotated[
    Sequence[Literal["title", "url", "metadata"]],
    Option(
        "Field to drop if the format has no place for it; may be repeated.", "--drop",
        typed=list[DocumentField] | None,
    ),
]  # fmt: skip
QuotesFormulas = Annotated[
    bool,
    Option(
        "Quote text in CSV and TSV that a spreadsheet would read as a formula.", "--safe-csv", rich_help_panel=OUTPUT
    ),
]
HasRunHeader = Annotated[bool, Option("Begin each file with an ir_metadata header.", "--metadata")]
RunLayout = Annotated[
    Literal["trec", "parquet"],
    Option(
        "Layout of the output: one TREC run file per run, or Parquet files with all runs in blocks of topics.", "--as"
    ),
]
PolicyOfQrels = Annotated[
    str | None,
    Option(
        f"{LABELS_DIFFER} [default: recorded by `store labels`]", metavar="NAME", complete="policy",
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
OnlyAssessor = Annotated[
    str | None, Option("Assessor whose labels are exported. [default: all]", metavar="NAME", complete="assessor")
]
UnsureLabels = Annotated[Literal["count", "leave-out"], Option("Treatment of labels that are marked as unsure.")]
GradeOfUnlabelled = Annotated[
    int | None,
    Option("Negative grade for pairs in this state. [default: leave them out]", max=-1, metavar="GRADE"),
]
QrelsFormatName = Literal["trec", "beir", "subtopics", "sample-eval", "grade-stratum"]
QRELS_FORMATS: Sequence[str] = get_args(QrelsFormatName)
QrelsFormat = Annotated[
    QrelsFormatName | None,
    Option(
        "Output format. Strata come from the pool, subtopics from imported labels. [default: trec, or beir for .tsv]"
    ),
]
OnlyUnjudged = Annotated[
    bool, Option("Export only unjudged documents, such as those added for a late run.", "--unjudged")
]
