"""How much is asked of a model at most, and how."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple, NoReturn

from cranfield.errors import InputError


class Price(NamedTuple):
    """What a million tokens cost."""

    tokens_in: float
    tokens_out: float

    def cost(self, tokens_in: int | None, tokens_out: int | None) -> float:
        """What a call costs."""
        return ((tokens_in or 0) * self.tokens_in + (tokens_out or 0) * self.tokens_out) / 1e6


class AskLimits(NamedTuple):
    """How much is asked at most, and how."""

    questions: int | None = None
    tokens: int | None = None  # in and out
    parallel: int = 8
    attempts: int = 3
    timeout: float = 120.0
    price: Price | None = None
    again: bool = False  # answers that are known, and questions in doubt, are asked for again
    pause: float = 1.0  # seconds before the second attempt, if the server does not say; doubled with each more
    given: AskLimits | None = None  # those that these are the rest of

    def less(self, questions: int, tokens: int) -> AskLimits:
        """What is left of them after some was asked.

        >>> AskLimits(questions=5, tokens=100).less(2, 120)[:2]
        (3, 0)
        """
        left = None if self.questions is None else max(0, self.questions - questions)
        most = None if self.tokens is None else max(0, self.tokens - tokens)
        return self._replace(questions=left, tokens=most, given=self.given or self)


UNLIMITED = AskLimits()


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
