"""What came of asking a model."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class Tally:
    """What came of asking: `outcomes` by question; calls, tokens and cost of everything that was sent."""

    outcomes: Counter[str] = field(default_factory=Counter)
    calls: int = 0
    retried: int = 0
    reminded: int = 0
    reused: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    estimated: int = 0  # calls of which the server did not count the tokens
    cost: float | None = None
    seconds: float = 0.0
    cut: int = 0  # questions with a text that was cut
    addressing: int = 0  # with a text that talks to its judge
    doubtful: int = 0  # not asked: sent before, and no answer recorded
    remaining: int = 0
    stopped: str = ""  # why something remains

    @property
    def answered(self) -> int:
        """How many questions were settled."""
        return self.outcomes.total()

    @property
    def tokens(self) -> int:
        """How many were used, in and out."""
        return self.tokens_in + self.tokens_out

    def add(self, later: Tally) -> None:
        """Count what came of asking more; what remains is what that left."""
        self.outcomes.update(later.outcomes)
        for name in ("calls", "retried", "reminded", "reused", "tokens_in", "tokens_out", "estimated", "seconds", "cut",
                     "addressing", "doubtful"):  # fmt: skip
            setattr(self, name, getattr(self, name) + getattr(later, name))
        self.cost = None if later.cost is None else (self.cost or 0) + later.cost
        self.remaining, self.stopped = later.remaining, later.stopped


def tally_document(tally: Tally) -> dict[str, Any]:
    """The JSON of it."""
    return asdict(tally) | {"outcomes": dict(tally.outcomes)}
