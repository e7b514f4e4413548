"""The extras that files need, checked for all files of a command or a function before the first is read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from cranfield.errors import Path
from cranfield.extras import is_installed, require

READ_WITH_ARROW: Mapping[bytes, str] = {  # by the first bytes of a file
    b"PAR1": "a Parquet file",
    b"\x28\xb5\x2f\xfd": "a file compressed by zstd",
    b"\x04\x22\x4d\x18": "a file compressed by lz4",
}
WRITTEN_WITH_ARROW: Mapping[str, str] = {  # by the end of a file's name
    ".zst": "a file compressed by zstd",
    ".lz4": "a file compressed by lz4",
}


def check_read_extras(paths: Iterable[Path]) -> None:
    """Raise MissingExtraError if one of the files needs an extra that is not installed.

    Names of no files are ignored, and so are folders and pipes.

    >>> check_read_extras(["no such file", "."])
    """
    if is_installed("pyarrow"):
        return
    for path in paths:
        if os.path.isfile(path) and (what := READ_WITH_ARROW.get(_first_bytes(path))):
            require("arrow", what, path=path)


def check_written_extras(paths: Iterable[Path]) -> None:
    """Raise MissingExtraError if the name of a new file asks for a compression that is not installed.

    >>> check_written_extras(["corpus.jsonl.gz"])
    """
    for path in paths:
        if what := WRITTEN_WITH_ARROW.get(os.path.splitext(path)[1]):
            require("arrow", what, path=path)


def _first_bytes(path: Path) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(4)
    except OSError:  # reported by the reader
        return b""


def paths_among(values: Iterable[Any]) -> list[Path]:
    """The texts and paths among values, including items of lists and values of dicts.

    >>> paths_among(["a.run", 3, ["b.run"], {"c": "c.run"}, None])
    ['a.run', 'b.run', 'c.run']
    """
    groups = (
        value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else [value]
        for value in values
    )
    return [item for group in groups for item in group if isinstance(item, str | os.PathLike)]
