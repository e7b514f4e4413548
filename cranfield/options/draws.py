"""Options of commands that draw unjudged documents at random: where the draw is written."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from cranfield.errors import InputError
from cranfield.options import DEFAULT_SEED, Option, Written


def size_and_file(value: Sequence[Any]) -> tuple[int, Path]:
    """Check the two values of --draw.

    >>> size_and_file((20, Path("--store-pool")))
    Traceback (most recent call last):
    cranfield.errors.InputError: found the option --store-pool in place of OUT; expected N OUT, such as 20 draw.tsv
    """
    n, file = value
    if str(file).startswith("--"):
        raise InputError(f"found the option {file} in place of OUT; expected N OUT, such as {n} draw.tsv")
    return n, file


DrawSize = Annotated[
    tuple[int, str | PathLike[str]] | None,
    Option(
        "Number of unjudged documents to draw at random, and then the output file. The file has the columns order,"
        " topic, document and grade. Fill in the grades.",
        metavar="N OUT", typed=tuple[int, Path] | None, parse=size_and_file, min=1,
    ),
    Written(),
]  # fmt: skip
DrawTable = Annotated[
    str | PathLike[str] | None,
    Option(
        "Output file for the documents drawn by --draw. The table has qid and docno, in judging order.",
        metavar="FILE", typed=Path | None,
    ),
    Written(),
]  # fmt: skip
StoresDraw = Annotated[
    bool,
    Option("Add the documents drawn by --draw to the store as a pool; their labels are then read from the store."),
]


class DrawSetting(NamedTuple):
    """How many documents are drawn, by which seed, and where the draw is written."""

    draw: tuple[int, str | PathLike[str]] | None = None
    pool_out: str | PathLike[str] | None = None
    store_pool: bool = False
    seed: int = DEFAULT_SEED
