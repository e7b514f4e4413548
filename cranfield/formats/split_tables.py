"""Regular tables split into columns with NumPy, for where Arrow is not installed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.formats.text_arrays import TextArray, concatenate_arrays, encode_texts, gather_texts

BLOCK = 1 << 22  # bytes that are split at a time
LONGEST_NUMBER = 32  # bytes
MOST_DIGITS = 9  # of a whole number in four bytes
_NEW_LINE, _ZERO, _NINE, _UNDERSCORE = map(ord, "\n09_")


def split_table(
    data: bytes, columns: Sequence[str], kinds: Mapping[str, str], separator: bytes
) -> dict[str, Any] | None:
    r"""The columns named in `kinds`, by kind: coded texts, texts, scores or whole numbers; None if it is not regular.

    >>> kinds = {"qid": "coded", "docno": "text", "score": "score", "rank": "whole"}
    >>> table = split_table(b"1 d9 1 2.5\n1 d10 2 1e0\n", ("qid", "docno", "rank", "score"), kinds, b" ")
    >>> table["qid"].to_pylist(), table["docno"].tolist(), table["rank"].tolist(), table["score"].tolist()
    (['1', '1'], ['d9', 'd10'], [1, 2], [2.5, 1.0])
    >>> split_table(b"1 d9\n1\n", ("qid", "docno"), {"qid": "text"}, b" ") is None
    True
    """
    if b"\0" in data or not _is_utf8(data):
        return None
    parts: dict[str, list[Any]] = {name: [] for name in kinds}
    for block in _blocks(data):
        chars = np.frombuffer(block, np.uint8)
        cuts = np.flatnonzero((chars == separator[0]) | (chars == _NEW_LINE))
        if len(cuts) % len(columns):
            return None
        ends = cuts.reshape(-1, len(columns))
        is_line_end = chars[ends] == _NEW_LINE
        if is_line_end[:, :-1].any() or not is_line_end[:, -1].all():
            return None
        starts = np.append(0, cuts[:-1] + 1).reshape(ends.shape)
        for name, kind in kinds.items():
            place = columns.index(name)
            start, length = starts[:, place], ends[:, place] - starts[:, place]
            cells = (
                gather_texts(chars, start, length)
                if kind in ("coded", "text")
                else _parse_numbers(chars, start, length, kind)
            )
            if cells is None:
                return None
            parts[name].append(cells)
    return {name: _join(parts[name], kind) for name, kind in kinds.items()} if any(parts.values()) else None


def _is_utf8(data: bytes) -> bool:
    try:
        return data.isascii() or bool(data.decode())
    except UnicodeDecodeError:
        return False


def _blocks(data: bytes) -> Iterator[bytes]:
    """Whole lines, each with its end, and no empty ones."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + BLOCK) + 1 or len(data)
        block = data[start:end]
        start = end
        if not block.endswith(b"\n"):
            block += b"\n"
        while b"\n\n" in block:
            block = block.replace(b"\n\n", b"\n")
        if block := block.removeprefix(b"\n"):
            yield block


def _join(parts: Sequence[Any], kind: str) -> Any:
    if kind in ("score", "whole"):
        return np.concatenate(parts)
    texts: TextArray = concatenate_arrays(parts)
    return encode_texts(texts) if kind == "coded" else texts


def _parse_numbers(chars: NDArray[np.uint8], start: NDArray[np.int64], length: NDArray[np.int64], kind: str) -> Any:
    width = int(length.max(initial=1))
    if width > LONGEST_NUMBER or not length.all():
        return None
    padded = np.append(chars, np.zeros(width, np.uint8))
    cells = np.lib.stride_tricks.sliding_window_view(padded, width)[start]
    is_inside = np.arange(width) < length[:, None]
    return _whole_numbers(cells, is_inside) if kind == "whole" else _scores(np.where(is_inside, cells, 0))


def _scores(cells: NDArray[np.uint8]) -> NDArray[np.float64] | None:
    """The numbers as Python reads them; None where there is one that is not a number, or has an underscore."""
    if (cells == _UNDERSCORE).any():
        return None
    try:
        scores = cells.view(f"S{cells.shape[1]}").ravel().astype(np.float64)
    except ValueError:
        return None
    return None if np.isnan(scores).any() else scores


def _whole_numbers(cells: NDArray[np.uint8], is_inside: NDArray[np.bool_]) -> NDArray[np.int32] | None:
    is_digit = (cells >= _ZERO) & (cells <= _NINE)
    if cells.shape[1] > MOST_DIGITS or not (is_digit | ~is_inside).all():
        return None
    numbers = np.zeros(len(cells), np.int32)
    for digit, inside in zip(cells.T, is_inside.T, strict=True):
        numbers = np.where(inside, 10 * numbers + (digit - np.uint8(_ZERO)), numbers)
    return numbers
