"""What a store keeps as JSON or as packed numbers, read with care: what cannot be right is named, and never used."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from cranfield.errors import DamageError

T = TypeVar("T", bound="dict[str, Any] | list[Any]")


def json_of(kind: type[T], text: object, table: str, row: object, column: str) -> T:
    """The JSON of a column, an object or a list; empty where there is none.

    >>> json_of(dict, '{"depth": 10}', "pool", 1, "parameters"), json_of(list, None, "pool", 1, "runs")
    ({'depth': 10}, [])
    >>> json_of(dict, "[1]", "pool", 1, "parameters")
    Traceback (most recent call last):
    cranfield.errors.DamageError: table pool, row 1: parameters is no JSON object: '[1]'
    """
    try:
        found = kind() if text is None else json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, kind):
        right = "object" if kind is dict else "list"
        raise DamageError(table, row, f"{column} is no JSON {right}: {shortened(text)}")
    return found


def shortened(value: object) -> str:
    """A value as an error shows it.

    >>> shortened("a" * 100), shortened(None)
    ("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...", 'None')
    """
    shown = repr(value[:60] if isinstance(value, str | bytes) else value)
    return shown if len(shown) <= 40 else f"{shown[:40]}..."
