"""The quick reading of tables: white space made regular with operations on bytes, then Arrow's CSV reader.

The texts of its arrays become numbers of eight bytes each, which NumPy sorts, finds and compares. Where Arrow is not
installed, `split_tables.py` reads, and texts are in a `TextArray`; each function here takes arrays of either kind.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Ints, Mask, NameArray, Names, Vocabulary, as_grades, occurring_codes
from cranfield.formats.fingerprints import byte_order
from cranfield.formats.layout import Columns, FileRow, Layout, parse_whole_grade, rank_number
from cranfield.formats.split_tables import split_table
from cranfield.formats.text_arrays import (
    CodedTexts,
    TextArray,
    concatenate_arrays,
    encode_texts,
    text_array_of,
    uses_arrow,
)

ReadGrade = Callable[[bytes], int | float | None]
_COMMENT = re.compile(rb"^#.*\n?", re.MULTILINE)
_TAIL = 1 << 12  # bytes, in which the last line mostly is
_ESCAPED = np.isin(np.arange(256), [*range(32), ord('"'), ord("\\")])  # the bytes that JSON escapes
_BLANKS = bytes.maketrans(b"\t\v\f", b"   ")
MAX_UNITED_TEXTS = 200_000  # uniting these takes less time than importing pyarrow.compute


class TextVocabulary(Vocabulary):
    """The names of an array of different texts; what can be done in the array makes no Python text of them.

    >>> import pyarrow as pa
    >>> docnos = TextVocabulary(pa.array(["d9", "d10", "d1"]))
    >>> docnos.sorted_codes(np.array([0, 1, 2])), docnos.codes_in(TextVocabulary(pa.array(["d1", "d10"])))
    (array([2, 1, 0]), array([-1,  1,  0]))
    """

    def __init__(self, texts: Any) -> None:
        super().__init__(texts.to_pylist)
        if not uses_arrow() and not isinstance(texts, TextArray):  # of Parquet, with Arrow switched off
            ends, data = text_buffers(texts)
            texts = TextArray(ends, bytes(data))
        self.texts = texts

    def sorted_codes(self, codes: Ints) -> Ints:
        """The integers that occur in `codes`, each once, in the byte order of their names."""
        used = occurring_codes(codes)
        return used[byte_order(self.texts, used)]

    def names_at(self, codes: Ints) -> NameArray:
        """The names of these integers."""
        column: NameArray = self.texts.take(number_array(codes))
        return column

    def equals(self, codes: Ints, other: Vocabulary, other_codes: Ints) -> Mask:
        """Return whether each integer stands for the same name as its integer in another vocabulary.

        >>> import pyarrow as pa
        >>> docnos = TextVocabulary(pa.array(["d9", "1", "d1"]))
        >>> docnos.equals(np.array([0, 1, 1]), Vocabulary(["2", "1"]), np.array([0, 0, 1])).tolist()
        [False, False, True]
        """
        if isinstance(self.texts, TextArray):
            return super().equals(codes, other, other_codes)
        if len(self.texts) <= MAX_UNITED_TEXTS:
            return np.equal(self.codes_in(other)[codes], other_codes)  # -1 is no code
        from pyarrow import compute

        found = compute.index_in(self.texts, text_array(other.names.tolist()))
        places = np.frombuffer(found.buffers()[1], np.int32)[found.offset :][: len(found)]
        is_found: Mask = as_numpy(found.is_valid().cast("uint8")).astype(bool)
        return np.equal(places[codes], other_codes) & is_found[codes]

    def codes_in(self, target: Vocabulary) -> Ints:
        """The integer that each name has in `target`, -1 for one that is not there."""
        names, codes = unite_vocabularies([target, self])[1]
        return np.where(codes < len(names), codes, -1)


def number_array(numbers: NDArray[Any]) -> Any:
    """Return numbers to take texts by, as an Arrow array where Arrow is used.

    `pyarrow.array` imports pandas, which takes as long as reading a small run.

    >>> number_array(np.array([3, 1])).tolist()
    [3, 1]
    """
    if not uses_arrow():
        return numbers
    import pyarrow as pa

    kind = pa.from_numpy_dtype(numbers.dtype)
    return pa.Array.from_buffers(kind, len(numbers), [None, pa.py_buffer(np.ascontiguousarray(numbers))])


def text_array(texts: Sequence[str]) -> Any:
    """Return texts as an array, without pandas.

    >>> text_array(["d9", "", "é"]).to_pylist()
    ['d9', '', 'é']
    """
    if not uses_arrow():
        return text_array_of(texts)
    import pyarrow as pa

    encoded = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, encoded)])
    data = pa.py_buffer(b"".join(encoded))
    if ends[-1] <= np.iinfo(np.int32).max:  # a cast imports pyarrow.compute
        return pa.Array.from_buffers(pa.string(), len(encoded), [None, pa.py_buffer(ends.astype(np.int32)), data])
    return pa.Array.from_buffers(pa.large_string(), len(encoded), [None, pa.py_buffer(ends), data]).cast(pa.string())


def unite_vocabularies(vocabularies: Sequence[Vocabulary]) -> tuple[TextVocabulary, list[Ints]]:
    """All names, those of the first vocabulary first, and the integers that the names of each have among them.

    >>> import pyarrow as pa
    >>> docnos, codes = unite_vocabularies([TextVocabulary(pa.array(["d9"])), TextVocabulary(pa.array(["d1", "d9"]))])
    >>> docnos.names.tolist(), codes
    (['d9', 'd1'], [array([0]), array([1, 0])])
    """
    texts = [
        each.texts if isinstance(each, TextVocabulary) else text_array(each.names.tolist()) for each in vocabularies
    ]
    names, codes = unite_texts(texts)
    return names, [each.astype(np.int64) for each in codes]


def unite_texts(texts: Sequence[Any]) -> tuple[TextVocabulary, list[NDArray[np.int32]]]:
    """The different texts of arrays, in the order they come, and the integers of the texts of each array.

    >>> import pyarrow as pa
    >>> names, codes = unite_texts([pa.array(["d9", "d1", "d9"]), pa.array(["d1"])])
    >>> names.names.tolist(), codes
    (['d9', 'd1'], [array([0, 1, 0], dtype=int32), array([1], dtype=int32)])
    """
    if not uses_arrow():
        coded = encode_texts(concatenate_arrays(texts))
        ends = np.cumsum([len(each) for each in texts])
        return TextVocabulary(coded.dictionary), np.split(coded.indices, ends[:-1])
    import pyarrow as pa

    several = [*texts, texts[0].slice(0, 0)]  # Arrow leaves a single array as it is
    arrays = [pa.DictionaryArray.from_arrays(_count_to(len(each)), each) for each in several]
    chunks = pa.chunked_array(arrays).unify_dictionaries(pa.system_memory_pool()).chunks
    return TextVocabulary(chunks[0].dictionary), [codes_of(chunk) for chunk in chunks[:-1]]


def text_buffers(texts: Any) -> tuple[NDArray[np.int32], Any]:
    """Return where the texts of an array start in its bytes, with the end of the last one, and the bytes.

    >>> import pyarrow as pa
    >>> text_buffers(pa.array(["d9", "", "d10"]).slice(1))[0].tolist()
    [2, 2, 5]
    """
    _, offsets, data = texts.buffers()
    if offsets is None:
        return np.zeros(1, np.int32), b""
    return np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1], data or b""


def array_of_texts(offsets: bytes, data: bytes) -> Any:
    """Return the array of these buffers.

    >>> array_of_texts(np.array([0, 2, 5], np.int32).tobytes(), b"d9d10").to_pylist()
    ['d9', 'd10']
    """
    if not uses_arrow():
        return TextArray(np.frombuffer(offsets, np.int32), data)
    import pyarrow as pa

    return pa.Array.from_buffers(pa.string(), len(offsets) // 4 - 1, [None, pa.py_buffer(offsets), pa.py_buffer(data)])


def json_list(texts: Any) -> str | None:
    """Return the texts of an array as a JSON list, or None where one of them has to be escaped.

    >>> import pyarrow as pa
    >>> json_list(pa.array(["d9", "é"])), json_list(pa.array(['a"', "b"]))
    ('["d9","é"]', None)
    """
    ends, data = text_buffers(texts)
    characters = np.frombuffer(data, np.uint8)[ends[0] : ends[-1]]
    if _ESCAPED[characters].any():
        return None
    return '["' + join_names(texts, '","') + '"]' if len(texts) else "[]"


def join_names(names: NameArray, separator: str) -> str:
    """Join names, in Arrow where they are an Arrow array.

    >>> import pyarrow as pa
    >>> join_names(np.array(["d9", "d1"], object), "+"), join_names(pa.array(["d9", "d1"]), "+")
    ('d9+d1', 'd9+d1')
    """
    if isinstance(names, np.ndarray | TextArray):
        return separator.join(names.tolist())
    import pyarrow as pa
    from pyarrow import compute

    lists = pa.ListArray.from_arrays(number_array(np.array([0, len(names)], np.int32)), names)
    return str(compute.binary_join(lists, text_array([separator])[0])[0].as_py())


def _count_to(size: int) -> Any:
    """0, 1, 2, ... as an Arrow array; made of a NumPy array, it would import pandas."""
    import pyarrow as pa

    return pa.Array.from_buffers(pa.int32(), size, [None, pa.py_buffer(np.arange(size, dtype=np.int32))])


def parse_regular_table(data: bytes, layout: Layout, read_grade: ReadGrade = parse_whole_grade) -> Columns | None:
    """The table, or None if there is anything about it that needs a closer look."""
    regular = normalise_separators(data, layout.tabs)
    table = parse_table(regular, layout)
    if table is None:
        return None
    number, tag = _parse_numbers(table, layout, read_grade), last_tag(regular) if "tag" in layout.columns else ""
    if number is None or tag is None:
        return None
    iteration = table.get(layout.more_of_it)
    rank = _parse_ranks(table["rank"]) if "rank" in table else None
    columns = Columns(table["qid"], table["docno"], number, iteration, tag, rank)
    # An empty qid, docno or run can only be between tabs.
    names = (columns.qid, columns.docno, *([columns.iteration] if layout.duplicate_column else []))
    if layout.tabs and any("" in array.dictionary.to_pylist() for array in names):
        return None
    return None if _has_duplicates(columns, layout) else columns


def from_rows(rows: Sequence[FileRow], layout: Layout) -> Columns:
    """The same from rows that were read one by one."""
    qid, docno = _coded_texts([row.qid for row in rows]), _coded_texts([row.docno for row in rows])
    number = (
        as_grades([row.number for row in rows]) if layout.number != "score" else np.array([row.number for row in rows])
    )
    iteration = None
    if layout.more_of_it in layout.columns:
        iteration = _coded_texts([row.iteration for row in rows])
    rank = np.array([row.rank for row in rows]) if "rank" in layout.columns else None
    return Columns(qid, docno, number, iteration, rows[-1].tag, rank)


def _coded_texts(texts: Sequence[str]) -> Any:
    if not uses_arrow():
        return encode_texts(text_array_of(texts))
    import pyarrow as pa

    return pa.array(texts, pa.string()).dictionary_encode()


def _parse_ranks(texts: Any) -> NDArray[np.float64]:
    numbers = [rank_number(text.encode()) for text in texts.dictionary.to_pylist()]
    return np.array(numbers, np.float64)[codes_of(texts)]


def sorted_vocabulary(array: Any) -> tuple[Vocabulary, Ints]:
    """The vocabulary of a dictionary array in byte order, and the integers of its values in it.

    >>> import pyarrow as pa
    >>> docnos, codes = sorted_vocabulary(pa.array(["d9", "d10", "D1"]).dictionary_encode())
    >>> docnos.names.tolist(), codes.tolist()
    (['D1', 'd10', 'd9'], [2, 1, 0])
    """
    names, codes = vocabulary_in_file_order(array)
    order = names.sorted_codes(codes)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return Vocabulary(names.names[order]), place[codes]


def vocabulary_in_file_order(array: Any) -> tuple[TextVocabulary, Ints]:
    """The same in the order of first use, which is faster."""
    return TextVocabulary(array.dictionary), codes_of(array).astype(np.int64)


def decode(array: Any) -> Names | None:
    """The values of a dictionary array, None for none."""
    if array is None:
        return None
    return np.array(array.dictionary.to_pylist(), dtype=object)[codes_of(array)]


def normalise_separators(data: bytes, tabs: bool) -> bytes:
    r"""The same table with one separator between columns, none around lines, "\n" at line ends and no comments."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if b"#" in data and (data.startswith(b"#") or b"\n#" in data):
        data = _COMMENT.sub(b"", data)
    if tabs or _is_single_spaced(data):
        return data
    data = data.translate(_BLANKS)
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    return data.replace(b"\n ", b"\n").replace(b" \n", b"\n").removeprefix(b" ").removesuffix(b" ")


def _is_single_spaced(data: bytes) -> bool:
    """Whether no two blanks, line ends among them, stand together, and all that separate columns are spaces."""
    if any(other in data for other in (b"\t", b"\v", b"\f")) or data.startswith((b" ", b"\n")) or data.endswith(b" "):
        return False
    characters = np.frombuffer(data, np.uint8)
    return bool(np.maximum(characters[1:], characters[:-1]).min(initial=255) > ord(" "))


def parse_table(data: bytes, layout: Layout, *plain: str, whole_ranks: bool = False) -> dict[str, Any] | None:
    """The columns of a regular table by name; None where it is not regular after all, or has no lines.

    Names are dictionary-encoded, except those of the `plain` columns; ranks are names too, or whole numbers.
    """
    names = (*layout.columns_to_read, *(["rank"] if "rank" in layout.columns else []))
    kinds = {**dict.fromkeys(names, "coded"), **dict.fromkeys(plain, "text")}
    kinds |= {name: "score" for name in names if name == "score"}
    kinds |= {name: "whole" for name in names if name == "rank" and whole_ranks}
    separator = b"\t" if layout.tabs else b" "
    return (_parse_with_arrow if uses_arrow() else split_table)(data, layout.columns, kinds, separator)


def _parse_with_arrow(
    data: bytes, columns: Sequence[str], kinds: Mapping[str, str], separator: bytes
) -> dict[str, Any] | None:
    import pyarrow as pa
    from pyarrow import csv

    name = pa.dictionary(pa.int32(), pa.string())
    types = {"coded": name, "text": pa.string(), "score": pa.float64(), "whole": pa.int32()}
    try:
        table = csv.read_csv(
            pa.py_buffer(data),
            csv.ReadOptions(use_threads=False, column_names=columns, block_size=1 << 22),
            csv.ParseOptions(delimiter=separator.decode(), quote_char=False, double_quote=False),
            csv.ConvertOptions(
                column_types={column: types[kind] for column, kind in kinds.items()},
                include_columns=[*kinds], null_values=[], strings_can_be_null=False,
                check_utf8=not data.isascii(),
            ),
            memory_pool=pa.system_memory_pool(),
        )  # fmt: skip
    except pa.ArrowInvalid:
        return None
    if not len(table):
        return None
    merged = {column: merge_chunks(table[column]) for column in kinds}
    return {
        column: as_numpy(merged[column]) if kind in ("score", "whole") else merged[column]
        for column, kind in kinds.items()
    }


def last_tag(data: bytes) -> str | None:
    r"""The tag of the last line of a regular table; None where there is none.

    >>> last_tag(b"1 Q0 d1 1 2 a\n1 Q0 d2 2 1 b\n"), last_tag(b"\n")
    ('b', None)
    """
    end = data[-_TAIL:].rstrip(b"\n")
    lines = end if b"\n" in end else data.rstrip(b"\n")
    try:
        return lines[lines.rfind(b"\n") + 1 :].split(b" ")[5].strip().decode()
    except (UnicodeDecodeError, IndexError):
        return None


def has_one_tag(data: bytes, tag: str, lines: int) -> bool:
    r"""Whether all of so many lines of a regular table end with this tag.

    >>> has_one_tag(b"1 Q0 d1 1 2 a\n1 Q0 d2 2 1 a", "a", 2), has_one_tag(b"1 Q0 d1 1 2 b\n1 Q0 d2 2 1 a", "a", 2)
    (True, False)
    """
    end = f" {tag}\n".encode()
    return data.count(end) + data.endswith(end[:-1]) == lines


def _parse_numbers(table: Mapping[str, Any], layout: Layout, read_grade: ReadGrade) -> NDArray[np.generic] | None:
    """The numbers, None where there is one that is none; Arrow would read the grade 0x10."""
    if layout.number is None:
        return np.ones(len(codes_of(table["qid"])), np.int64)
    if layout.number == "score":
        scores: NDArray[np.float64] = table["score"]
        return None if np.isnan(scores).any() else scores
    texts = table["grade"]
    grades = [read_grade(text.encode()) for text in texts.dictionary.to_pylist()]
    return None if None in grades else as_grades(grades)[codes_of(texts)]


def merge_chunks(column: Any) -> Any:
    """The chunks as one array over one dictionary."""
    import pyarrow as pa

    array = column.unify_dictionaries().combine_chunks()
    return array.chunk(0) if isinstance(array, pa.ChunkedArray) else array


def codes_of(array: Any) -> NDArray[np.int32]:
    codes: NDArray[np.int32] = array.indices if isinstance(array, CodedTexts) else as_numpy(array.indices)
    return codes


def concatenate_texts(several: Sequence[Any]) -> Any:
    """Return arrays of texts as one; an OverflowError where they have too many bytes.

    >>> concatenate_texts([text_array(["d9"]), text_array(["d1"])]).tolist()
    ['d9', 'd1']
    """
    if not uses_arrow():
        return concatenate_arrays(several)
    import pyarrow as pa

    try:
        return pa.concat_arrays(several)
    except pa.ArrowInvalid as error:
        raise OverflowError(str(error)) from None


def as_numpy(numbers: Any) -> Any:
    """Arrow's numbers as NumPy's; their own to_numpy() would import pandas."""
    return np.from_dlpack(numbers)


def _has_duplicates(columns: Columns, layout: Layout) -> bool:
    """Whether there is a document twice in a topic, subtopic or run; most documents are nowhere else at all."""
    document = codes_of(columns.docno)
    rows = np.flatnonzero(np.bincount(document)[document] > 1)
    key = codes_of(columns.qid)[rows].astype(np.int64) * len(columns.docno.dictionary) + document[rows]
    if layout.duplicate_column:
        key = key * len(columns.iteration.dictionary) + codes_of(columns.iteration)[rows]
    key.sort()
    return bool((key[1:] == key[:-1]).any())
