"""What a store keeps as JSON or as packed numbers, read with care: what cannot be right is named, and never used."""

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Floats, Ints
from cranfield.errors import DamageError
from cranfield.text import counted

T = TypeVar("T", bound="dict[str, Any] | list[Any]")
COUNTS = ("depth", "considered", "budget", "total", "batch", "holds")  # the numbers among a pool's parameters
TAGS = ("runs", "decides")  # the lists of runs among them


def decode_json_column(kind: type[T], text: object, table: str, row: object, column: str) -> T:
    """The JSON of a column, an object or a list; empty where there is none.

    >>> decode_json_column(dict, '{"depth": 10}', "pool", 1, "parameters")
    {'depth': 10}
    >>> decode_json_column(list, None, "pool", 1, "runs")
    []
    >>> decode_json_column(dict, "[1]", "pool", 1, "parameters")
    Traceback (most recent call last):
    cranfield.errors.DamageError: table pool, row 1: parameters is not a JSON object: '[1]'
    """
    try:
        value = kind() if text is None else json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, kind):
        right = "object" if kind is dict else "list"
        raise DamageError(table, row, f"{column} is not a JSON {right}: {short_value(text)}")
    return value


def decode_names(text: object, table: str, row: object, column: str) -> tuple[str, ...]:
    """A list of names, such as the runs that brought a document into a pool.

    >>> decode_names('["a", "b"]', "import", 1, "files")
    ('a', 'b')
    """
    names = decode_json_column(list, text, table, row, column)
    if not all(isinstance(name, str) for name in names):
        raise DamageError(table, row, f"{column} is not a list of names: {short_value(text)}")
    return tuple(names)


def grades_of(text: object) -> dict[int, str]:
    """The grade scale of a collection.

    >>> grades_of('{"0": "no", "1": "yes"}')
    {0: 'no', 1: 'yes'}
    >>> grades_of('{"0": "no", "x": "yes"}')
    Traceback (most recent call last):
    cranfield.errors.DamageError: table collection, row 1: grades is not a scale: '{"0": "no", "x": "yes"}'
    """
    meanings = decode_json_column(dict, text, "collection", 1, "grades")
    try:
        scale = {int(grade): meaning for grade, meaning in meanings.items()}
    except ValueError:
        scale = {}
    if len(scale) < 2 or not all(isinstance(meaning, str) for meaning in scale.values()):
        raise DamageError("collection", 1, f"grades is not a scale: {short_value(text)}")
    return scale


def parse_pool_parameters(text: object, pool: object) -> dict[str, Any]:
    """What a pool was made from.

    >>> parse_pool_parameters('{"depth": 10, "runs": ["a"]}', 1)
    {'depth': 10, 'runs': ['a']}
    >>> parse_pool_parameters('{"depth": "x", "runs": ["a"]}', 1)
    Traceback (most recent call last):
    cranfield.errors.DamageError: table pool, row 1: the parameter depth is invalid: 'x'
    """
    parameters = decode_json_column(dict, text, "pool", pool, "parameters")
    right: dict[str, Callable[[Any], bool]] = {
        **dict.fromkeys(COUNTS, lambda value: value is None or (type(value) is int and value > 0)),
        **dict.fromkeys(
            (*TAGS, "topics"), lambda value: isinstance(value, list) and all(isinstance(tag, str) for tag in value)
        ),
        "options": lambda value: isinstance(value, dict),
        "batches": lambda value: isinstance(value, dict) and all(map(_is_batches, value.values())),
        "draw": _is_draw,
    }
    for name, is_right in right.items():
        if name in parameters and not is_right(parameters[name]):
            raise DamageError("pool", pool, f"the parameter {name} is invalid: {short_value(parameters[name])}")
    return parameters


def _is_draw(value: object) -> bool:
    texts, numbers = ("run", "frame"), ("depth", "seed", "frame_size")
    return (
        isinstance(value, dict)
        and all(isinstance(value.get(name), str) for name in texts)
        and all(type(value.get(name)) is int for name in numbers)
        and isinstance(value.get("documents"), list)
        and all(_is_names(pair) and len(pair) == 2 for pair in value["documents"])
    )


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _is_batches(value: object) -> bool:
    return isinstance(value, list) and all(type(size) is int and size >= 0 for size in value)


def are_marks(evidence: list[Any]) -> bool:
    """Whether evidence is a list of passages: of each its start, its end and its words.

    >>> are_marks([{"start": 0, "end": 5, "quote": "Clean"}]), are_marks([{"start": 0}]), are_marks([7])
    (True, False, False)
    """
    right = {"start": int, "end": int, "quote": str}
    return all(
        isinstance(mark, dict) and {name: type(value) for name, value in mark.items()} == right for mark in evidence
    )


Rows = Sequence[object]  # which row of `ranking` each of several blobs is of


def documents_of(blobs: Sequence[bytes], rows: Rows, most: int) -> Ints:
    """The numbers of the documents of rankings, one ranking after the other; there are documents 1 to `most`.

    >>> documents_of([b"\\1\\0\\0\\0", b"\\2\\0\\0\\0\\1\\0\\0\\0"], [(1, 1), (1, 2)], 2)
    array([1, 2, 1])
    >>> documents_of([b"\\1\\0\\0\\0", b"\\3\\0\\0\\0\\1\\0\\0\\0"], [(1, 1), (1, 2)], 2)
    Traceback (most recent call last):
    cranfield.errors.DamageError: table ranking, row (1, 2): column 'documents' contains 3; expected numbers from 1 to 2
    """
    numbers = _join_blobs("<i4", blobs, rows, "documents")
    if numbers.min(initial=1) < 1 or numbers.max(initial=0) > most:
        first = int(np.flatnonzero((numbers < 1) | (numbers > most))[0])
        wrong = f"column 'documents' contains {numbers[first]}; expected numbers from 1 to {most}"
        raise DamageError("ranking", rows[_place_in_blobs(blobs, 4, first)], wrong)
    return numbers.astype(np.int64)


def decode_scores(blobs: Sequence[bytes], rows: Rows, lengths: Sequence[int]) -> Floats:
    """The scores of rankings of so many documents, one ranking after the other.

    >>> decode_scores([bytes(8)], [(1, 1)], [2])
    Traceback (most recent call last):
    cranfield.errors.DamageError: table ranking, row (1, 1): scores has 1 number for 2 documents
    """
    scores = _join_blobs("<f8", blobs, rows, "scores")
    for number, (blob, length) in enumerate(zip(blobs, lengths, strict=True)):
        if len(blob) != 8 * length:
            raise DamageError(
                "ranking",
                rows[number],
                f"scores has {counted(len(blob) // 8, 'number')} for {counted(length, 'document')}",
            )
    wrong = np.flatnonzero(np.isnan(scores))
    if len(wrong):
        raise DamageError(
            "ranking", rows[_place_in_blobs(blobs, 8, int(wrong[0]))], "scores contains a value that is not a number"
        )
    return scores


def _join_blobs(kind: str, blobs: Sequence[bytes], rows: Rows, column: str) -> NDArray[Any]:
    size = np.dtype(kind).itemsize
    for number, blob in enumerate(blobs):
        if not isinstance(blob, bytes) or len(blob) % size:
            what = f"{len(blob)} bytes" if isinstance(blob, bytes) else short_value(blob)
            raise DamageError("ranking", rows[number], f"{column} is not an array of {8 * size}-bit numbers: {what}")
    return np.frombuffer(b"".join(blobs), kind)


def _place_in_blobs(blobs: Sequence[bytes], size: int, at: int) -> int:
    """In which blob the number at a place is."""
    return int(np.searchsorted(np.cumsum([len(blob) // size for blob in blobs]), at, side="right"))


def short_value(value: object) -> str:
    """A value as an error shows it.

    >>> short_value("a" * 100), short_value(None)
    ("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...", 'None')
    """
    text = repr(value[:60] if isinstance(value, str | bytes) else value)
    return text if len(text) <= 40 else f"{text[:40]}..."
