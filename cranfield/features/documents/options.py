"""What `import corpus` takes for folders of documents, and for a part of a corpus."""

from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import typer

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
Dates = Annotated[YesNo, typer.Option(help="Of a folder: keep when each file was last changed.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say which documents would be added and what is skipped; write nothing.")
]
SkippedFile = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write what was skipped, and why, as CSV.")
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
    dates: Dates = "no"
    dry_run: DryRun = False
    output: SkippedFile = None
