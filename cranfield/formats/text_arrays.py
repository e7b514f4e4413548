"""Arrays of texts without Arrow: their bytes and where each text starts, in NumPy.

They have the methods of Arrow's arrays that the quick reading of tables uses, so that it works with either kind.
"""

import os
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Ints, distinct_rows
from cranfield.formats.fingerprints import Bytes

ARROW_SWITCH = "CRANFIELD_NO_ARROW"
PART = 1 << 16  # texts that are copied at a time
LONGEST = 256  # bytes of a text that is compared as numbers
Codes = NDArray[np.int32]


@cache
def _is_installed() -> bool:
    return find_spec("pyarrow") is not None


def uses_arrow() -> bool:
    """Whether tables are read with Arrow: it is installed, and CRANFIELD_NO_ARROW=1 does not switch it off."""
    return not os.environ.get(ARROW_SWITCH) and _is_installed()


class TextArray:
    """Texts in UTF-8: `ends` has where each starts in `data`, and at last where the last one ends.

    >>> texts = text_array_of(["d9", "", "é"])
    >>> len(texts), texts[1:].tolist(), texts.take(np.array([2, 0, 2])).tolist()
    (3, ['', 'é'], ['é', 'd9', 'é'])
    """

    offset = 0  # of the first text in the buffers, as in Arrow's arrays

    def __init__(self, ends: Codes, data: bytes) -> None:
        self.ends, self.data = ends, data

    def __len__(self) -> int:
        return len(self.ends) - 1

    @overload
    def __getitem__(self, place: int, /) -> str: ...

    @overload
    def __getitem__(self, place: slice, /) -> "TextArray": ...

    def __getitem__(self, place: int | slice, /) -> "str | TextArray":
        if isinstance(place, int):
            return self.data[self.ends[place] : self.ends[place + 1]].decode()
        start, stop, _ = place.indices(len(self))
        return TextArray(self.ends[start : max(start, stop) + 1], self.data)

    def buffers(self) -> tuple[None, Codes, bytes]:
        """What Arrow's string arrays have: no nulls, the ends and the bytes."""
        return None, self.ends, self.data

    def take(self, places: Ints, /) -> "TextArray":
        """The texts at these places."""
        starts = self.ends[places]
        return gather_texts(np.frombuffer(self.data, np.uint8), starts, self.ends[1:][places] - starts)

    def tolist(self) -> list[str]:
        """The texts."""
        first, last = int(self.ends[0]), int(self.ends[-1])
        data, ends = self.data[first:last], (self.ends - first).tolist()
        if data.isascii():
            text = data.decode()
            return [text[start:end] for start, end in pairwise(ends)]
        return [data[start:end].decode() for start, end in pairwise(ends)]

    def to_pylist(self) -> list[str]:
        """The same, under the name that Arrow has for it."""
        return self.tolist()


class CodedTexts(NamedTuple):
    """Texts as integers into an array of different ones, as Arrow's dictionary arrays have them."""

    dictionary: TextArray
    indices: Codes

    def tolist(self) -> list[str]:
        """The texts."""
        return self.to_pylist()

    def to_pylist(self) -> list[str]:
        """The same, under the name that Arrow has for it."""
        names = self.dictionary.tolist()
        return [names[code] for code in self.indices.tolist()]


def text_array_of(texts: Iterable[str]) -> TextArray:
    """Return texts as an array."""
    encoded = [text.encode() for text in texts]
    return TextArray(_text_offsets(np.fromiter(map(len, encoded), np.int64, len(encoded))), b"".join(encoded))


def gather_texts(chars: NDArray[np.uint8], starts: NDArray[np.integer], lengths: NDArray[np.integer]) -> TextArray:
    """Return the texts that start at these places of some bytes and have these lengths.

    >>> gather_texts(np.frombuffer(b"1 Q0 d10", np.uint8), np.array([5, 0]), np.array([3, 1])).tolist()
    ['d10', '1']
    """
    pieces = list[bytes]()
    for first in range(0, len(starts), PART):
        start, length = starts[first : first + PART].astype(np.int64), lengths[first : first + PART]
        before = np.cumsum(length, dtype=np.int64) - length
        pieces.append(chars[np.arange(int(length.sum())) + np.repeat(start - before, length)].tobytes())
    return TextArray(_text_offsets(lengths), b"".join(pieces))


def concatenate_arrays(several: Sequence[TextArray]) -> TextArray:
    """Return the texts of several arrays as one.

    >>> concatenate_arrays([text_array_of(["d9", "d1"])[1:], text_array_of(["d2"])]).tolist()
    ['d1', 'd2']
    """
    lengths = [np.diff(array.ends) for array in several]
    data = b"".join(memoryview(array.data)[array.ends[0] : array.ends[-1]] for array in several)
    return TextArray(_text_offsets(np.concatenate([np.zeros(0, np.int32), *lengths])), data)


def encode_texts(texts: TextArray) -> CodedTexts:
    """Number the different texts from 0 in the order of first use.

    >>> coded = encode_texts(text_array_of(["d9", "d1", "d1", "d9", ""]))
    >>> coded.dictionary.tolist(), coded.indices.tolist()
    (['d9', 'd1', ''], [0, 1, 1, 0, 2])
    """
    if not len(texts):
        return CodedTexts(texts, np.zeros(0, np.int32))
    if int(np.diff(texts.ends).max()) > LONGEST or b"\0" in texts.data:
        numbers = dict[str, int]()
        codes = [numbers.setdefault(text, len(numbers)) for text in texts.tolist()]
        return CodedTexts(text_array_of(numbers), np.array(codes, np.int32))
    words = Bytes.from_texts(texts).words()
    is_start = np.arange(len(texts)) == 0
    for column in words:
        is_start[1:] |= column[1:] != column[:-1]
    start = np.flatnonzero(is_start)  # of stretches of equal texts, such as those of a topic
    order, is_new = distinct_rows([column[start] for column in words])  # the words are filled up with zeros
    first = np.minimum.reduceat(order, np.flatnonzero(is_new))
    by_use = np.argsort(first)
    number = np.empty(len(first), np.int32)
    number[by_use] = np.arange(len(first), dtype=np.int32)
    code = np.empty(len(start), np.int32)
    code[order] = number[np.cumsum(is_new) - 1]
    return CodedTexts(texts.take(start[first[by_use]]), code[np.cumsum(is_start) - 1])


def _text_offsets(lengths: NDArray[np.integer]) -> Codes:
    total = np.cumsum(lengths, dtype=np.int64)
    if total[-1:].any() and total[-1] > np.iinfo(np.int32).max:
        raise OverflowError("the names exceed 2 GiB")
    return np.append(0, total).astype(np.int32)
