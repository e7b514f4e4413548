"""The quick reading of tables: white space made regular with operations on bytes, then Arrow's CSV reader."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.formats.columns import Columns, Layout, Row, as_grade
from cranfield.rankings import Ints, Names, Vocabulary

_COMMENT = re.compile(rb"^#.*\n?", re.MULTILINE)
_BLANKS = bytes.maketrans(b"\t\v\f", b"   ")


def quick(data: bytes, layout: Layout) -> Columns | None:
    """The table, or None if there is anything about it that needs a closer look."""
    import pyarrow as pa

    regular = _regular(data, layout.tabs)
    try:
        table = _parsed(regular, layout)
    except pa.ArrowInvalid:
        return None
    if not len(table):
        return None
    number, tag = _numbers(table, layout), _last_tag(regular) if "tag" in layout.columns else ""
    if number is None or tag is None:
        return None
    iteration = _merged(table[layout.more_of_it]) if layout.more_of_it in layout.columns else None
    columns = Columns(_merged(table["qid"]), _merged(table["docno"]), number, iteration, tag)
    return None if _has_empty_names(columns, layout) or _has_duplicates(columns, layout) else columns


def from_rows(rows: Sequence[Row], layout: Layout) -> Columns:
    """The same from rows that were read one by one."""
    import pyarrow as pa

    qid, docno = (pa.array([row[at] for row in rows], pa.string()).dictionary_encode() for at in (1, 2))
    number = np.array([row.number for row in rows], np.float64 if layout.number == "score" else np.int64)
    iteration = None
    if layout.more_of_it in layout.columns:
        iteration = pa.array([row.iteration for row in rows], pa.string()).dictionary_encode()
    return Columns(qid, docno, number, iteration, rows[-1].tag)


def vocabulary(arrays: Sequence[Any]) -> tuple[Vocabulary, Ints]:
    """One vocabulary in byte order for many dictionary arrays, and the integers of all their values in it.

    >>> import pyarrow as pa
    >>> docnos, codes = vocabulary([pa.array(["d9", "d10"]).dictionary_encode(), pa.array(["D1"]).dictionary_encode()])
    >>> docnos.names.tolist(), codes.tolist()
    (['D1', 'd10', 'd9'], [2, 1, 0])
    """
    found, codes = unordered(arrays)
    order = found.in_byte_order(codes)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return Vocabulary(found.names[order]), place[codes]


def unordered(arrays: Sequence[Any]) -> tuple[Vocabulary, Ints]:
    """The same in the order of first use, which is faster."""
    import pyarrow as pa

    merged = _merged(pa.chunked_array(arrays))
    return Vocabulary(merged.dictionary.to_pylist), _codes(merged).astype(np.int64)


def decoded(array: Any) -> Names | None:
    """The values of a dictionary array, None for none."""
    if array is None:
        return None
    return np.array(array.dictionary.to_pylist(), dtype=object)[_codes(array)]


def _regular(data: bytes, tabs: bool) -> bytes:
    r"""The same table with one separator between columns, none around lines, "\n" at line ends and no comments."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if b"#" in data and (data.startswith(b"#") or b"\n#" in data):
        data = _COMMENT.sub(b"", data)
    return data if tabs or _is_single_spaced(data) else _single_spaced(data)


def _is_single_spaced(data: bytes) -> bool:
    """Whether no two blanks, line ends among them, stand together, and all that separate columns are spaces."""
    blank = np.frombuffer(data, np.uint8) <= ord(" ")
    together = blank[:1].any() or (blank[1:] & blank[:-1]).any()
    return not together and not any(other in data for other in (b"\t", b"\v", b"\f"))


def _single_spaced(data: bytes) -> bytes:
    data = data.translate(_BLANKS)
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    return data.replace(b"\n ", b"\n").replace(b" \n", b"\n").removeprefix(b" ").removesuffix(b" ")


def _parsed(data: bytes, layout: Layout) -> Any:
    import pyarrow as pa
    from pyarrow import csv

    name = pa.dictionary(pa.int32(), pa.string())
    return csv.read_csv(
        pa.py_buffer(data),
        csv.ReadOptions(use_threads=False, column_names=layout.columns, block_size=1 << 22),
        csv.ParseOptions(delimiter="\t" if layout.tabs else " ", quote_char=False, double_quote=False),
        csv.ConvertOptions(
            column_types={column: pa.float64() if column == "score" else name for column in layout.wanted},
            include_columns=layout.wanted, null_values=[], strings_can_be_null=False,
        ),
        memory_pool=pa.system_memory_pool(),
    )  # fmt: skip


def _last_tag(data: bytes) -> str | None:
    try:
        return data[data.rstrip(b"\n").rfind(b"\n") + 1 :].split(b" ")[5].strip().decode()
    except UnicodeDecodeError:
        return None


def _numbers(table: Any, layout: Layout) -> NDArray[np.generic] | None:
    """The numbers, None where there is one that is none; Arrow would read the grade 0x10."""
    if layout.number is None:
        return np.ones(len(table), np.int64)
    if layout.number == "score":
        scores: NDArray[np.float64] = _view(table["score"].combine_chunks())
        return None if np.isnan(scores).any() else scores
    texts = _merged(table["grade"])
    grades = [as_grade(text.encode()) for text in texts.dictionary.to_pylist()]
    return None if None in grades else np.array(grades, np.int64)[_codes(texts)]


def _merged(chunked: Any) -> Any:
    """The chunks as one array over one dictionary."""
    import pyarrow as pa

    array = chunked.unify_dictionaries().combine_chunks()
    return array.chunk(0) if isinstance(array, pa.ChunkedArray) else array


def _codes(array: Any) -> NDArray[np.int32]:
    codes: NDArray[np.int32] = _view(array.indices)
    return codes


def _view(numbers: Any) -> Any:
    """Arrow's numbers as NumPy's; their own to_numpy() would import pandas."""
    return np.from_dlpack(numbers)


def _has_empty_names(columns: Columns, layout: Layout) -> bool:
    """Whether there is a qid or docno that is empty, as can only be between tabs."""
    return layout.tabs and any("" in array.dictionary.to_pylist() for array in (columns.qid, columns.docno))


def _has_duplicates(columns: Columns, layout: Layout) -> bool:
    """Whether there is a document twice in a topic, or in a subtopic; most documents are nowhere else at all."""
    document = _codes(columns.docno)
    rows = np.flatnonzero(np.bincount(document)[document] > 1)
    key = _codes(columns.qid)[rows].astype(np.int64) * len(columns.docno.dictionary) + document[rows]
    if layout.by_subtopic:
        key = key * len(columns.iteration.dictionary) + _codes(columns.iteration)[rows]
    key.sort()
    return bool((key[1:] == key[:-1]).any())
