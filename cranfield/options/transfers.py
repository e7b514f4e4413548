"""The options of commands that bring whole collections, bundles and pages into a store, or out of it."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Annotated

from cranfield.options import Argument, Option, Written
from cranfield.options.arguments import StoreLike

StoreToFill = Annotated[
    StoreLike, Argument("A store, which is created if it does not exist.", metavar="STORE", typed=Path)
]
CollectionSource = Annotated[
    str | PathLike[str],
    Argument("Collection to import: ir_datasets:ID, a folder, or hf:FOLDER.", metavar="COLLECTION", typed=str),
]
SplitOfFolder = Annotated[
    str | None,
    Option("Split of the folder to import. [default: test; everything from a published folder]", metavar="NAME"),
]
AssessorOfQrels = Annotated[str, Option("Assessor who made the judgments.", metavar="NAME", complete="assessor")]
IdsNormalized = Annotated[
    bool,
    Option("Match ids that differ only in leading zeros, case, blanks or Unicode normalisation.", "--normalize-ids"),
]
JudgedBundle = Annotated[
    str | PathLike[str],
    Argument("Judged bundle, or a file downloaded from a judging page.", metavar="FILE", typed=Path),
]
NewFile = Annotated[
    str | PathLike[str], Argument("Output file; - for standard output.", metavar="OUT", typed=Path), Written()
]
NewPage = Annotated[str | PathLike[str], Argument("New page, such as ada.html.", metavar="OUT", typed=Path), Written()]
AssessorOfWork = Annotated[str, Option("Assessor whose work is exported.", metavar="NAME", complete="assessor")]
ExportedTopics = Annotated[
    Sequence[str] | None,
    Option("Topic to export; may be repeated. [default: all]", "--topic", metavar="QID", complete="topic"),
]
PoolOfWork = Annotated[
    int | None,
    Option("Number of the pool. [default: newest with work for the assessor]", min=1, metavar="N", complete="pool"),
]
MostDocuments = Annotated[int | None, Option("Maximum number of documents to judge.", min=1, metavar="N")]
PageLanguage = Annotated[str, Option("Language of the page, such as de or pt_BR.", metavar="NAME")]
CatalogueFolder = Annotated[
    str | PathLike[str] | None,
    Option(
        "Folder with catalogues of other languages: NAME/LC_MESSAGES/cranfield.mo.",
        metavar="DIR", typed=Path, exists=True, file_okay=False,
    ),
]  # fmt: skip
SizeOfPictures = Annotated[
    str | int,
    Option(
        "Maximum total size of the pictures in the page, such as 20M; 0 for no pictures.", metavar="SIZE", typed=str
    ),
]
