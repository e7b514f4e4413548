"""`passages`: cut the documents of a store into passages."""

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import ReadStore
from cranfield.cli.tables import say
from cranfield.features.documents.options import PassageOptions
from cranfield.hooks import OptionError


def build(
    path: ReadStore,
    out: Annotated[Path, typer.Argument(metavar="NEW", help="The new store, of the passages.")],
    *,
    options: PassageOptions,
) -> None:
    """Make a new store of the passages of a store, with its topics: search, pool and judge that.

    A passage is a stretch of its document, called by its docno, a # and a number from 0; nothing is added to its text,
    and its metadata have document, start, end and the headings above it. `cranfield evaluate NEW --of documents` scores
    documents by their best passages; `cranfield export qrels NEW OUT --of documents` writes their judgments.

    Example: cranfield passages build track.db passages.db --by sentences --window 10 --stride 5
    """
    from cranfield.features.documents.passages.building import build_passages
    from cranfield.features.documents.passages.cutting import check
    from cranfield.store.store import Store

    try:
        check(options)
    except OptionError as error:
        raise typer.BadParameter(error.message, param_hint=f"--{error.option}") from error
    with Store.open(path) as store:
        say(f"{out}: {build_passages(store, out, options)}")
