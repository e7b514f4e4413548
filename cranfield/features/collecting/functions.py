"""Import variations of queries into a store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Annotated

from cranfield.commands.calls import open_store_call
from cranfield.commands.imports import as_file_paths
from cranfield.errors import InputError
from cranfield.options import Option
from cranfield.options.arguments import PresentStore, check_arguments
from cranfield.options.imports import FILES
from cranfield.results import ResultInLines
from cranfield.text import counted


def parse_columns_of_variations(texts: Sequence[str]) -> dict[str, str]:
    """Our names of columns to theirs.

    >>> parse_columns_of_variations(["qid=topic"])
    {'qid': 'topic'}
    """
    if wrong := [text for text in texts if text.count("=") != 1]:
        raise InputError(f"{wrong[0]!r}; expected OURS=THEIRS")
    return dict(text.split("=") for text in texts)


VariationFiles = Annotated[str | PathLike[str] | Sequence[str | PathLike[str]], FILES]
ColumnsOfVariations = Annotated[
    Mapping[str, str] | None,
    Option(
        "Column name in the files, such as qid=topic; may be repeated.",
        "--field", metavar="OURS=THEIRS", typed=list[str] | None, parse=parse_columns_of_variations,
    ),
]  # fmt: skip


@check_arguments
def import_variations(
    store: PresentStore, files: VariationFiles, *, field: ColumnsOfVariations = None
) -> ResultInLines:
    """Import variations of the topics' queries.

    Each line contains qid, vid, query and, optionally, a count, separated by tabs. A header line is recognised by these
    names, or by the names in `field`. `cranfield search --variations` runs baselines for each variation; in run files,
    a variation has the topic id qid/vid. The runs of a system form a team, so leave-one-out tests must use the unit
    team.

    Example: cranfield import variations track.db variations.tsv

    Example: cranfield import variations track.db variations.csv --field qid=topic

    Parameters
    ----------
    store : path or Store
        The store.
    files : path or sequence of paths
        The files. If any file has an error, nothing is imported.
    field : mapping, optional
        The name of each column in the file, by its Cranfield name, such as {"qid": "topic"}.

    Returns
    -------
    ResultInLines
        One row: the number of variations.

    Raises
    ------
    InputError
        If a file has an error, or the store has another variation with this id.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from cranfield import Store
    >>> from cranfield.formats import Topic
    >>> with TemporaryDirectory() as folder, Store.memory("one topic") as store:
    ...     _ = Path(folder, "variations.tsv").write_text("q1\\tv1\\tjet wing\\n")
    ...     _ = store.add_topics([Topic("q1", "wings")])
    ...     import_variations(store, Path(folder, "variations.tsv"))
    1 variation
    """
    from cranfield.features.collecting.variations import add_variations, read_variations
    from cranfield.formats.files import open_file

    number = 0
    with open_store_call(store) as call:
        with call.store.writing():
            for file in as_file_paths(files) or ():
                with open_file(Path(file)) as source:
                    number += add_variations(call.store, read_variations(source, field or {}), file)
        line, row = counted(number, "variation"), {"variations": number}
        return ResultInLines([row], lines=[line], context=call.context("store.import_variations"))
