"""The options of commands that bring whole collections, bundles and pages into a store, or out of it."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Annotated

from cranfield.options import Argument, Option, Written
from cranfield.options.given import StoreLike

StoreToFill = Annotated[StoreLike, Argument("A store; created if there is none.", metavar="STORE", typed=Path)]
CollectionSource = Annotated[
    str | PathLike[str], Argument("ir_datasets:ID, or a folder (hf:FOLDER).", metavar="COLLECTION", typed=str)
]
SplitOfFolder = Annotated[
    str | None,
    Option("Which split of a folder to import. [default: test; all of a published folder]", metavar="NAME"),
]
AssessorOfQrels = Annotated[str, Option("The assessor who made the judgments.", metavar="NAME", complete="assessor")]
IdsNormalized = Annotated[
    bool,
    Option("Match ids that differ only in zeros, case, blanks or Unicode normalisation.", "--normalize-ids"),
]
JudgedBundle = Annotated[
    str | PathLike[str],
    Argument("A judged bundle, or the download of a page.", metavar="FILE", typed=Path),
]
NewFile = Annotated[
    str | PathLike[str], Argument("Output file; - for the standard output.", metavar="OUT", typed=Path), Written()
]
NewPage = Annotated[
    str | PathLike[str], Argument("The new page, such as ada.html.", metavar="OUT", typed=Path), Written()
]
AssessorOfWork = Annotated[str, Option("The assessor whose work is exported.", metavar="NAME", complete="assessor")]
ExportedTopics = Annotated[
    Sequence[str] | None,
    Option("Restrict to this topic; may be repeated.", "--topic", metavar="QID", complete="topic"),
]
PoolOfWork = Annotated[
    int | None,
    Option("The pool; by default the newest with work left for the assessor.", min=1, metavar="N", complete="pool"),
]
MostDocuments = Annotated[
    int | None, Option("Export at most this many documents that are to be judged.", min=1, metavar="N")
]
SizeOfPictures = Annotated[
    str | int,
    Option("Put pictures of this size in all into the page, as 20M; 0 for none.", metavar="SIZE", typed=str),
]
