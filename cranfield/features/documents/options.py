"""Options for folders of documents, parts of corpora, and passages."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from cranfield.hooks import OptionError
from cranfield.options import SUBJECT, Argument, OneOf, Option, Written

if TYPE_CHECKING:
    from cranfield.features.documents.showing import ShownFields
    from cranfield.features.documents.subjects import FolderDocuments, PassageDocuments, WantedDocuments

YesNo = Literal["yes", "no"]
Files = Annotated[
    list[str] | None,
    typer.Option(
        "--files",
        metavar="PATTERN",
        help="Import only files with these names, such as '*.html' (folders only); may be repeated.",
    ),
]
Skip = Annotated[
    list[str] | None,
    typer.Option(
        "--skip",
        metavar="PATTERN",
        help="Skip files with these names, such as 'drafts/*' (folders only); may be repeated.",
    ),
]
Encoding = Annotated[
    str,
    typer.Option(metavar="NAME", help="Encoding of files that are not UTF-8 and do not declare one (folders only)."),
]
UrlBase = Annotated[
    str, typer.Option(metavar="URL", help="Base URL to which each file's path is appended (folders only).")
]
Images = Annotated[
    str,
    typer.Option(
        metavar="yes|no|FOLDER",
        help="Whether to import a folder's pictures. Pictures that no document shows become separate documents. For"
        " other formats, the folder with the pictures of image fields.",
    ),
]
Dates = Annotated[YesNo, typer.Option(help="Whether to keep each file's modification time (folders only).")]
DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run", help="Show which files would be added or skipped, without writing anything (folders only)."
    ),
]
SkippedFile = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", metavar="FILE", help="CSV file for the skipped files, with the reasons (folders only)."
    ),
]
AllowSkipped = Annotated[
    bool,
    typer.Option(
        "--allow-skipped",
        help="Import the other documents if a file is too slow (folders only). [default: import nothing]",
    ),
]

Only = Annotated[
    str,
    typer.Option(
        metavar="WHICH",
        help="Import only documents that are pooled, judged or retrieved in the store, or listed in a file of docnos.",
    ),
]


class FolderOptions(NamedTuple):
    """Options that turn a folder of files into a corpus, or that select documents from files."""

    only: Only = ""
    files: Files = None
    skip: Skip = None
    encoding: Encoding = ""
    url_base: UrlBase = ""
    images: Images = "yes"
    dates: Dates = "no"
    dry_run: DryRun = False
    allow_skipped: AllowSkipped = False
    output: SkippedFile = None

    def subject(self) -> "FolderDocuments | WantedDocuments":
        """Return the documents of the folders, or the selected documents of the files."""
        from cranfield.features.documents.subjects import FolderDocuments, WantedDocuments

        if self.only:
            if self != FolderOptions(only=self.only):
                raise OptionError("only", "does not work with options for folders")
            return WantedDocuments(self.only)
        options = {**self._asdict(), "files": self.files or (), "skip": self.skip or ()}
        del options["only"]
        return FolderDocuments(**options)


class ShowOptions(NamedTuple):
    """Option for the document fields that assessors see."""

    show: Annotated[
        str,
        typer.Option(
            "--show",
            metavar="FIELDS",
            help="Document fields that assessors see, such as 'author, date:date, price:number, url:link'.",
        ),
    ] = ""

    def subject(self) -> "ShownFields":
        """Return the fields that assessors see."""
        from cranfield.features.documents.showing import ShownFields

        return ShownFields(self.show)


TextSources = Annotated[
    Sequence[str],
    Option(
        "File or ir_datasets:ID to read; may be repeated. [default: the files read last time]", "--from",
        metavar="SOURCE", typed=list[str] | None, parse=tuple,
    ),
]  # fmt: skip
WantedTexts = Annotated[
    str | None,
    Option(
        "Documents whose texts to add: pooled, judged, retrieved, or a file of docnos."
        " [default: the choice of last time, or pooled]",
        metavar="WHICH",
    ),
]
AgreesToDownloads = Annotated[
    bool, Option("Allow ir_datasets to download and unpack data before the first document.", "--yes")
]

NewPassages = Annotated[
    str | PathLike[str], Argument("New store for the passages.", metavar="NEW", typed=Path), Written()
]
CutsBy = Annotated[
    Literal["sentences", "words", "headings"],
    Option(
        "How to split documents: overlapping windows of sentences, disjoint stretches of words, or sections under"
        " headings. Sections of more than 300 words are split by sentences."
    ),
]
Window = Annotated[int, Option("Number of sentences in a passage.", min=1)]
Stride = Annotated[int, Option("Number of sentences between the starts of two passages.", min=1)]
WordsOfPassage = Annotated[
    int, Option("Number of words in a passage (characters in Chinese and Japanese), for --by words.", min=1)
]
LanguageOfSentences = Annotated[
    str, Option("Language whose rules for sentence ends apply, such as fa or zh.", metavar="CODE")
]
Separator = Annotated[str, Option("Separator between a docno and the number of its passage.", metavar="TEXT")]


GROUPS = ("documents",)  # what passages are of


class DocumentsOfPassages(NamedTuple):
    """Option that converts rankings and judgments of passages to documents."""

    of: Annotated[
        str | None,
        typer.Option(
            "--of",
            metavar="documents",
            rich_help_panel=SUBJECT,
            help="Score documents by their best passage and its highest grade, in a store or run of passages.",
        ),
        OneOf("cranfield.features.documents.options", "GROUPS"),
    ] = None

    def subject(self) -> "PassageDocuments":
        """The documents of the passages."""
        from cranfield.features.documents.subjects import PassageDocuments

        return PassageDocuments()


class JudgedDocuments(NamedTuple):
    """Option that writes judgments of passages as judgments of documents."""

    of: Annotated[
        str | None,
        typer.Option(
            "--of",
            metavar="documents",
            rich_help_panel=SUBJECT,
            help="Write judgments of documents, each with the highest grade of its passages.",
        ),
        OneOf("cranfield.features.documents.options", "GROUPS"),
    ] = None

    def subject(self) -> "PassageDocuments":
        """The documents of the passages."""
        from cranfield.features.documents.subjects import PassageDocuments

        return PassageDocuments()
