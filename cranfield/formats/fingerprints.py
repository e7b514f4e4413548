"""Fingerprints of texts, to find equal ones among many and their places."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Ints, ascending_order

Words = NDArray[np.uint64]


_WORD = 8  # bytes


_BITS = 63  # of a fingerprint


_LAST = np.uint64(1 << _BITS)  # more than any


_ODD, _HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)  # they spread what differs over all bits


class Bytes(NamedTuple):
    """The texts of an Arrow array: from each place as many bytes as the longest has; where each starts, its length."""

    windows: NDArray[np.void]
    start: NDArray[np.int32]
    length: NDArray[np.int32]

    @classmethod
    def from_texts(cls, texts: Any) -> "Bytes":
        _, offsets, data = texts.buffers()
        ends = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1]
        length = np.diff(ends)
        width = max(-(-int(length.max(initial=0)) // _WORD), 1) * _WORD
        padding = b"".join([data or b"", bytes(width)])
        return cls(np.ndarray(len(padding) - width + 1, f"V{width}", padding, strides=(1,)), ends[:-1], length)

    def words(self, at: Ints | slice = slice(None)) -> list[Words]:
        """Some texts, a column for each eight bytes, the first of them the lowest, and filled up with zeros."""
        length = self.length[at]
        columns = self.windows.itemsize // _WORD
        rows = self.windows[self.start[at]].view("<u8").reshape(len(length), columns).astype(np.uint64, copy=False)
        return [_keep_first_bytes(rows[:, column], length - _WORD * column) for column in range(columns)]


def _keep_first_bytes(words: Words, count: NDArray[np.int32]) -> Words:
    """Words of which only so many bytes are kept."""
    if count.min(initial=_WORD) >= _WORD:
        return np.ascontiguousarray(words)
    others = ((_WORD - np.clip(count, 0, _WORD)) * 8).astype(np.uint64)
    return words << others >> others


class Texts:
    """The words of several arrays of texts, one after the other."""

    def __init__(self, parts: Sequence[Sequence[Words]]) -> None:
        self._parts = parts
        self._starts = np.cumsum([0, *(len(part[0]) for part in parts)])

    def all_words(self) -> list[Words]:
        """The words of all texts, the first byte the highest: they sort as the texts do."""
        width = max(map(len, self._parts), default=1)
        columns = (np.concatenate([_word_column(part, number) for part in self._parts]) for number in range(width))
        return [column.byteswap(inplace=True) for column in columns]

    def words(self, at: Ints) -> list[Words]:
        """Those of some texts."""
        if len(self._parts) == 1:
            return [column[at].byteswap(inplace=True) for column in self._parts[0]]
        part = np.searchsorted(self._starts, at, "right") - 1
        columns = list[Words]()
        for number in np.flatnonzero(np.bincount(part)).tolist():
            rows = np.flatnonzero(part == number)
            for column, words in enumerate(self._parts[number]):
                if column == len(columns):
                    columns.append(np.zeros(len(at), np.uint64))
                columns[column][rows] = words[at[rows] - self._starts[number]].byteswap(inplace=True)
        return columns


def _word_column(part: Sequence[Words], number: int) -> Words:
    return part[number] if number < len(part) else np.zeros_like(part[0])


def fingerprints(words: Sequence[Words]) -> Words:
    """A number for each text: the same for the same text, and hardly ever for two others.

    >>> import pyarrow as pa
    >>> short, mixed = (Bytes.from_texts(pa.array(texts)).words() for texts in (["d1", "d10"], ["d1", "a longer name"]))
    >>> bool(fingerprints(short)[0] == fingerprints(short)[1]), bool(fingerprints(short)[0] == fingerprints(mixed)[0])
    (False, True)
    """
    total = _mix_bits(words[0])
    for column, more in enumerate(words[1:], 1):
        total += _mix_bits(more) * np.uint64((2 * column + 1) * int(_ODD) % 2**64)
    return _mix_bits(total) >> np.uint64(64 - _BITS)


def _mix_bits(numbers: Words) -> Words:
    """Other numbers; 0 stays 0."""
    numbers = (numbers ^ (numbers >> _HALF)) * _ODD
    return numbers ^ (numbers >> _HALF)


def byte_order(texts: Any, at: Ints) -> Ints:
    """The order of some texts of an Arrow array."""
    chars = Bytes.from_texts(texts)
    words = Texts([chars.words(at)]).all_words()
    return ascending_order(np.zeros(len(at), np.int64), [*words, chars.length[at].astype(np.uint64)])


class Places:
    """Finds texts among known ones, which are different texts in an Arrow array.

    >>> import pyarrow as pa
    >>> texts = Bytes.from_texts(pa.array(["d9", "d10", "d1"]))
    >>> Places(pa.array(["d1", "d10"])).find_texts(texts, texts.words(), fingerprints(texts.words()))
    array([-1,  1,  0], dtype=int32)
    """

    def __init__(self, array: Any) -> None:
        texts = Bytes.from_texts(array)
        words = texts.words()
        prints = fingerprints(words)
        order = np.argsort(prints)
        self._order, self._prints = order.astype(np.int32), np.append(prints[order], _LAST)
        self._length, self._words = texts.length[order], [column[order] for column in words]
        bits = len(order).bit_length() + 2
        self._rest = np.uint64(_BITS - bits)  # of a fingerprint, beside those by which it is looked up
        sizes = np.bincount((prints >> self._rest).astype(np.int64), minlength=1 << bits)
        self._first = (np.cumsum(sizes) - sizes).astype(np.int32)

    def find_texts(self, texts: Bytes, words: Sequence[Words], prints: Words) -> NDArray[np.int32]:
        """The place of each text among the known, -1 for none; `words` and `prints` are those of the texts."""
        places = np.full(len(prints), -1, np.int32)
        at = self._first[(prints >> self._rest).astype(np.int64)]
        rows, targets = np.arange(len(at)), prints
        while len(rows):
            prints_at = self._prints[at]
            may_follow, same = prints_at < targets, np.flatnonzero(prints_at == targets)
            equal = self._have_equal_texts(texts, words, rows[same], at[same])
            places[rows[same[equal]]] = self._order[at[same[equal]]]
            may_follow[same[~equal]] = True
            rows, at, targets = rows[may_follow], at[may_follow] + 1, targets[may_follow]
        return places

    def _have_equal_texts(
        self, texts: Bytes, words: Sequence[Words], rows: Ints, places: NDArray[np.int32]
    ) -> NDArray[np.bool_]:
        """Which of these rows have the known texts of these places; where one has more words, it is longer."""
        equal: NDArray[np.bool_] = texts.length[rows] == self._length[places]
        for theirs, ours in zip(words, self._words, strict=False):
            equal &= theirs[rows] == ours[places]
        return equal
