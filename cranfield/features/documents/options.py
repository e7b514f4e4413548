"""What commands take for folders of documents, parts of corpora, and passages."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from cranfield.hooks import OptionError
from cranfield.options import Argument, OneOf, Option, Written
from cranfield.options.groups import SUBJECT

if TYPE_CHECKING:
    from cranfield.features.documents.showing import ShownFields
    from cranfield.features.documents.subjects import FolderDocuments, PassageDocuments, WantedDocuments

YesNo = Literal["yes", "no"]
Files = Annotated[
    list[str] | None,
    typer.Option(
        "--files", metavar="PATTERN", help="Of a folder: only files of these names, as '*.html'; may be repeated."
    ),
]
Skip = Annotated[
    list[str] | None,
    typer.Option("--skip", metavar="PATTERN", help="Of a folder: no files of these names, as 'drafts/*'."),
]
Encoding = Annotated[
    str, typer.Option(metavar="NAME", help="Of a folder: the encoding of files that are not UTF-8 and say no other.")
]
UrlBase = Annotated[
    str, typer.Option(metavar="URL", help="Of a folder: the address of its files, to which their paths are added.")
]
Images = Annotated[
    str,
    typer.Option(
        metavar="yes|no|FOLDER",
        help="Of a folder: keep its pictures, which are shown where documents name them, or are documents of their own."
        " Of other files: the folder that pictures are in, for fields that are shown as image.",
    ),
]
Dates = Annotated[YesNo, typer.Option(help="Of a folder: keep when each file was last changed.")]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Of a folder: say what would be added and what skipped; write nothing."),
]
SkippedFile = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="Of a folder: write what was skipped, and why, as CSV."),
]
AllowSkipped = Annotated[
    bool,
    typer.Option(
        "--allow-skipped", help="Of a folder: import the other documents where a file is too slow, instead of none."
    ),
]

Only = Annotated[
    str,
    typer.Option(
        metavar="WHICH",
        help="Only documents that are pooled, judged or retrieved in the store, or those of a file of docnos.",
    ),
]


class FolderOptions(NamedTuple):
    """How a folder of files becomes a corpus, or which documents of files are wanted."""

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
        """The documents of folders, or the wanted ones of files."""
        from cranfield.features.documents.subjects import FolderDocuments, WantedDocuments

        if self.only:
            if self != FolderOptions(only=self.only):
                raise OptionError("only", "does not go with options for folders")
            return WantedDocuments(self.only)
        options = {**self._asdict(), "files": self.files or (), "skip": self.skip or ()}
        del options["only"]
        return FolderDocuments(**options)


class ShowOptions(NamedTuple):
    """Which fields a new collection shows."""

    show: Annotated[
        str,
        typer.Option(
            "--show",
            metavar="FIELDS",
            help="Fields of documents that assessors see, as 'author, date:date, price:number, url:link'.",
        ),
    ] = ""

    def subject(self) -> "ShownFields":
        """The fields that are shown."""
        from cranfield.features.documents.showing import ShownFields

        return ShownFields(self.show)


TextSources = Annotated[
    Sequence[str],
    Option(
        "A file, or ir_datasets:ID; may be repeated. [default: the files that were read before]", "--from",
        metavar="SOURCE", typed=list[str] | None, parse=tuple,
    ),
]  # fmt: skip
WantedTexts = Annotated[
    str | None,
    Option(
        "The documents that are pooled, judged or retrieved, or those of a file of docnos. [default: as before, or"
        " pooled]",
        metavar="WHICH",
    ),
]
AgreesToDownloads = Annotated[
    bool, Option("Agree to what ir_datasets downloads and unpacks before the first document.", "--yes")
]

NewPassages = Annotated[
    str | PathLike[str], Argument("The new store, of the passages.", metavar="NEW", typed=Path), Written()
]
CutsBy = Annotated[
    Literal["sentences", "words", "headings"],
    Option(
        "Windows of sentences; disjoint stretches of words; or sections, of which those above 300 words are cut"
        " by sentences."
    ),
]
Window = Annotated[int, Option("Sentences of a passage.", min=1)]
Stride = Annotated[int, Option("Sentences from the beginning of a passage to that of the next.", min=1)]
WordsOfPassage = Annotated[
    int, Option("With --by words: words of a passage; of Chinese and Japanese, characters.", min=1)
]
LanguageOfSentences = Annotated[str, Option("The language whose rules end sentences, as fa or zh.", metavar="CODE")]
Separator = Annotated[str, Option("Between a docno and the number of its passage.", metavar="TEXT")]


GROUPS = ("documents",)  # what passages are of


class DocumentsOfPassages(NamedTuple):
    """Whether rankings and judgments of passages are taken as documents'."""

    of: Annotated[
        str | None,
        typer.Option(
            "--of",
            metavar="documents",
            rich_help_panel=SUBJECT,
            help="Of passages: score their documents, each by its best passage and its highest grade.",
        ),
        OneOf("cranfield.features.documents.options", "GROUPS"),
    ] = None

    def subject(self) -> "PassageDocuments":
        """The documents of the passages."""
        from cranfield.features.documents.subjects import PassageDocuments

        return PassageDocuments()


class JudgedDocuments(NamedTuple):
    """Whether judgments of passages are written as documents'."""

    of: Annotated[
        str | None,
        typer.Option(
            "--of",
            metavar="documents",
            rich_help_panel=SUBJECT,
            help="Of passages: write judgments of their documents, each with its highest grade.",
        ),
        OneOf("cranfield.features.documents.options", "GROUPS"),
    ] = None

    def subject(self) -> "PassageDocuments":
        """The documents of the passages."""
        from cranfield.features.documents.subjects import PassageDocuments

        return PassageDocuments()
