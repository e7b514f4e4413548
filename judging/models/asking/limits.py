"""How much is asked of a model at most, and how."""

from __future__ import annotations

from typing import NamedTuple


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
