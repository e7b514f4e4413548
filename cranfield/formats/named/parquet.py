"""Runs and qrels in Parquet, with named columns. What a message calls a line is the number of the row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cranfield.errors import InputError
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import OpenFile
from cranfield.formats.named.rows import COLUMNS, cell, theirs, unread
from cranfield.formats.parquet import detect, open_parquet
from cranfield.formats.records import Format, Kind


def reader(kind: Kind) -> Callable[[OpenFile], UnreadTable]:
    """A reader of whole columns; only what one of them should not hold is looked at row by row."""

    def read(source: OpenFile) -> UnreadTable:
        with open_parquet(source) as file:
            found = source.names.found(kind, dict.fromkeys(file.schema_arrow.names))
            names = theirs(source, kind, found, 1)
            table = file.read([*names.values()])
        columns = [_texts(source, name, table[their]) for name, their in names.items()]
        return unread(source, kind, _lines(columns), "tag" in names)

    return read


def _texts(source: OpenFile, name: str, column: Any) -> Any:
    """A column as texts that fit into cells."""
    import pyarrow as pa

    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        raise InputError(f"{name} has bytes that are not UTF-8", source.path) from None
    if pa.types.is_floating(column.type):
        column = column.cast(pa.float64())
    texts = column.cast(pa.large_string()) if _is_plain(column.type) and name != "rank" else None
    if texts is None or texts.null_count or _needs_a_look(texts):
        cells = [cell(source, row, name, value) for row, value in enumerate(column.to_pylist(), 1)]
        return pa.array(cells, pa.large_string())
    return texts.combine_chunks()


def _is_plain(type: Any) -> bool:
    from pyarrow import types

    return bool(
        types.is_string(type) or types.is_large_string(type) or types.is_integer(type) or types.is_floating(type)
    )


def _needs_a_look(texts: Any) -> bool:
    """Whether there is white space other than between words of a text, or a NUL."""
    import pyarrow.compute as pc

    return bool(pc.any(pc.match_substring_regex(texts, r"[\t\r\n\x00]|^\s|\s$")).as_py())


def _lines(columns: list[Any]) -> bytes:
    import pyarrow as pa
    import pyarrow.compute as pc

    return "\n".join(pc.binary_join_element_wise(*columns, pa.scalar("\t", pa.large_string())).to_pylist()).encode()


RUN = Format("run", "parquet", f"Parquet with columns {COLUMNS['run']}", detect, reader("run"))
QRELS = Format("qrels", "parquet", f"Parquet with columns {COLUMNS['qrels']}", detect, reader("qrels"))
