"""Options of commands that draw unjudged documents at random: where the draw is written."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from cranfield.errors import InputError
from cranfield.options import Option, Written
from cranfield.rng import DEFAULT_SEED


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
        "Draw N unjudged documents at random, to be judged, and write them to the file OUT: order, topic,"
        " document and a column for the grade.",
        metavar="N OUT", typed=tuple[int, Path] | None, parse=size_and_file, min=1,
    ),
    Written(),
]  # fmt: skip
DrawTable = Annotated[
    str | PathLike[str] | None,
    Option(
        "With --draw: also write the drawn documents as a table of qid and docno, in the order to judge.",
        metavar="FILE", typed=Path | None,
    ),
    Written(),
]  # fmt: skip
StoresDraw = Annotated[
    bool,
    Option("With --draw: also add the drawn documents to the store as a pool; their labels are read from there."),
]


class DrawSetting(NamedTuple):
    """How many documents are drawn, by which seed, and where the draw is written."""

    draw: tuple[int, str | PathLike[str]] | None = None
    pool_out: str | PathLike[str] | None = None
    store_pool: bool = False
    seed: int = DEFAULT_SEED
