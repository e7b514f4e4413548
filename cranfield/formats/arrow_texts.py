"""Texts of Arrow arrays as numbers of eight bytes each, which NumPy sorts, finds and compares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Ints

_WORD = 8  # bytes
_FIRST_BYTES = np.array([256**_WORD - 256 ** (_WORD - count) for count in range(_WORD + 1)], np.uint64)
_ODD, _HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)  # they spread what differs over all bits
_BITS = 20  # of a fingerprint, by which most texts are known to be none of the known
_REST = np.uint64(64 - _BITS)


class Texts:
    """The texts of several Arrow arrays, one after the other, as numbers of eight bytes each."""

    def __init__(self, arrays: Sequence[Any]) -> None:
        self.arrays = arrays
        self.starts = np.cumsum([0, *map(len, arrays)])

    def words(self, at: Ints) -> NDArray[np.uint64]:
        """Some texts as rows of such numbers, filled up with zeros: they sort as the texts do."""
        order = np.argsort(at, kind="stable")
        cuts = np.searchsorted(at[order], self.starts)
        parts = [
            _Bytes.of(self.arrays[part]).words(at[order[cuts[part] : cuts[part + 1]]] - self.starts[part])
            for part in np.flatnonzero(np.diff(cuts)).tolist()
        ]
        words = _stacked(parts)
        found = np.empty_like(words)
        found[order] = words
        return found

    def every_word(self) -> NDArray[np.uint64]:
        """The same of all texts."""
        return _stacked([_Bytes.of(array).words(slice(None)) for array in self.arrays])


def _stacked(parts: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """Rows of words, one part below the other, the shorter ones filled up with zeros."""
    words = np.zeros((sum(map(len, parts)), max((part.shape[1] for part in parts), default=1)), np.uint64)
    for part, start in zip(parts, np.cumsum([0, *map(len, parts)]), strict=False):
        words[start : start + len(part), : part.shape[1]] = part
    return words


class _Bytes(NamedTuple):
    """The bytes of an Arrow array of texts, eight from each place, and where each text starts and how long it is."""

    every: NDArray[np.uint64]
    start: NDArray[np.int32]
    length: NDArray[np.int32]

    @classmethod
    def of(cls, texts: Any) -> _Bytes:
        _, offsets, data = texts.buffers()
        ends = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1]
        filled = (data.to_pybytes() if data else b"") + bytes(_WORD)
        every = np.ndarray(len(filled) - _WORD + 1, ">u8", filled, strides=(1,))
        return cls(every, ends[:-1], np.diff(ends))

    def word(self, at: Ints | slice, column: int) -> NDArray[np.uint64]:
        """The eight bytes of some texts from this byte of each, those behind its end as zeros."""
        kept = _FIRST_BYTES[np.clip(self.length[at] - column, 0, _WORD)]
        words: NDArray[np.uint64] = self.every[np.minimum(self.start[at] + column, len(self.every) - 1)] & kept
        return words

    def words(self, at: Ints | slice) -> NDArray[np.uint64]:
        """All of some texts, a row each."""
        columns = range(0, max(int(self.length[at].max(initial=0)), 1), _WORD)
        return np.stack([self.word(at, column) for column in columns], axis=1)


def fingerprints(texts: Any) -> NDArray[np.uint64]:
    """A number for each text of an Arrow array: the same for the same text, and hardly ever for two others.

    >>> import pyarrow as pa
    >>> first, second = fingerprints(pa.array(["d1", "d10"]))
    >>> bool(first == second), bool(first == fingerprints(pa.array(["d1", "a longer name"]))[0])
    (False, True)
    """
    data = _Bytes.of(texts)
    found = _mixed(data.word(slice(None), 0))
    for column in range(_WORD, int(data.length.max(initial=0)), _WORD):
        longer = np.flatnonzero(data.length > column)
        found[longer] = _mixed(found[longer] ^ data.word(longer, column))
    return found


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    numbers = (numbers ^ (numbers >> _HALF)) * _ODD
    return numbers ^ (numbers >> _HALF)


def in_byte_order(words: NDArray[np.uint64]) -> Ints:
    """The order of texts given as such rows; equal ones stand together."""
    differs = np.flatnonzero((words != words[:1]).any(axis=0))
    if len(differs) == 1:
        return np.argsort(words[:, differs[0]])
    return np.lexsort(words[:, differs].T[::-1]) if len(differs) else np.arange(len(words))


class Places:
    """Finds texts among known ones, which are different texts in an Arrow array.

    >>> import pyarrow as pa
    >>> texts = pa.array(["d9", "d10", "d1"])
    >>> Places(pa.array(["d1", "d10"])).of(texts, fingerprints(texts))
    array([-1,  1,  0], dtype=int32)
    """

    def __init__(self, known: Any) -> None:
        prints = fingerprints(known)
        self._order = np.argsort(prints)
        self._prints, self._known = prints[self._order], Texts([known])
        self._may_be_known = np.zeros(1 << _BITS, bool)
        self._may_be_known[prints >> _REST] = True

    def of(self, texts: Any, prints: NDArray[np.uint64]) -> NDArray[np.int32]:
        """The place of each text among the known, -1 for none; `prints` are the fingerprints of the texts."""
        found = np.full(len(texts), -1, np.int32)
        rows = np.flatnonzero(self._may_be_known[prints >> _REST])
        if len(rows):
            place = self._order[np.minimum(np.searchsorted(self._prints, prints[rows]), len(self._order) - 1)]
            same = _equal(Texts([texts]).words(rows), self._known.words(place))
            found[rows[same]] = place[same]
        return found


def _equal(first: NDArray[np.uint64], second: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which rows are the same, wherever the one or the other is filled up with more zeros."""
    width = min(first.shape[1], second.shape[1])
    rest = first[:, width:].any(axis=1) | second[:, width:].any(axis=1)
    return np.asarray((first[:, :width] == second[:, :width]).all(axis=1) & ~rest)
