"""Parameters of requests, as they are written in an option."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NoReturn

from cranfield.errors import InputError


def parameters_in(given: Iterable[str]) -> dict[str, Any]:
    """Parameters by name: a value is JSON or, failing that, a text; nothing is None.

    >>> parameters_in(["max_tokens=200", "stop=x", "seed="])
    {'max_tokens': 200, 'stop': 'x', 'seed': None}
    >>> parameters_in(["max_tokens"])
    Traceback (most recent call last):
    cranfield.errors.InputError: 'max_tokens'; expected NAME=VALUE
    """
    found: dict[str, Any] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not name or not sign:
            raise InputError(f"{text!r:.60}; expected NAME=VALUE")
        found[name] = _value(value)
    return found


def _value(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refused) if text else None
    except (ValueError, RecursionError):
        return text


def _refused(text: str) -> NoReturn:
    raise ValueError(text)  # NaN is no JSON
