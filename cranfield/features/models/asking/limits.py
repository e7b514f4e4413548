"""How much models are asked at most, what that costs and what came of it, and parameters of requests."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, NoReturn

from cranfield.errors import InputError, ModelError
from cranfield.features.models.asking.server import ModelReply
from cranfield.text import counted

SHOWN_CHARS = 60  # of a useless answer


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
    money: float | None = None  # by what the server reports, or by the price
    parallel: int = 8
    attempts: int = 3
    timeout: float = 120.0
    price: Price | None = None
    again: bool = False  # answers that are known, and questions in doubt, are asked for again
    pause: float = 1.0  # seconds before the second attempt, if the server does not say; doubled with each more
    whole: AskLimits | None = None  # those that these are the rest of

    def less(self, questions: int, tokens: int, cost: float | None = None) -> AskLimits:
        """What is left of them after some was asked.

        >>> AskLimits(questions=5, tokens=100).less(2, 120)[:2]
        (3, 0)
        """
        number = None if self.questions is None else max(0, self.questions - questions)
        most = None if self.tokens is None else max(0, self.tokens - tokens)
        money = None if self.money is None else max(0.0, self.money - (cost or 0))
        return self._replace(questions=number, tokens=most, money=money, whole=self.whole or self)

    @property
    def budget(self) -> str:
        """The budget that was given, as it is written."""
        whole = self.whole or self
        return f"{whole.tokens}tokens" if whole.money is None else f"{whole.money:g}usd"

    def with_budget(self, text: str | None) -> AskLimits:
        """The same with a budget, in tokens or in money.

        >>> AskLimits().with_budget("200000tokens").tokens, AskLimits().with_budget("2.50usd").money
        (200000, 2.5)
        >>> AskLimits().with_budget("5")
        Traceback (most recent call last):
        cranfield.errors.InputError: '5'; expected tokens or money, such as 200000tokens or 2.50usd
        """
        if text is None:
            return self
        match = re.fullmatch(r"(?:(\d{1,15})\s*tokens?|(\d{1,9}(?:\.\d+)?)\s*usd)", str(text).strip(), re.IGNORECASE)
        if not match:
            raise InputError(f"{text!r:.40}; expected tokens or money, such as 200000tokens or 2.50usd")
        tokens, money = match.groups()
        return self._replace(tokens=int(tokens)) if tokens else self._replace(money=float(money))


UNLIMITED = AskLimits()


def cost_of(answer: ModelReply, price: Price | None) -> float | None:
    """What an answer cost: as the server reports it, else by the price; None where neither is known.

    >>> cost_of(ModelReply(tokens_in=10, tokens_out=2), Price(1.0, 5.0)), cost_of(ModelReply(cost=0.5), None)
    (2e-05, 0.5)
    """
    if answer.cost is not None or price is None or answer.error:
        return answer.cost
    return price.cost(answer.tokens_in, answer.tokens_out)


@dataclass
class AskingTally:
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
    unsaved: float = 0.0  # seconds for which an answer that had come was not yet on disk, at most
    disk: float = 0.0  # seconds that the slowest write took of the disk
    remaining: int = 0
    stopped: str = ""  # why something remains
    last_error: str = ""  # why the last question with the outcome "error" got no answer
    first_useless: str = ""  # the first answer without a value, shortened, and why

    @property
    def answered(self) -> int:
        """How many questions were settled."""
        return self.outcomes.total()

    @property
    def recorded_note(self) -> str:
        """What is on record although asking was given up."""
        failed = self.outcomes["error"]
        parts = (
            (self.answered - failed, "answer", "recorded"),
            (failed, "question", "recorded as failed; run the same command again to retry"),
        )
        return "".join(
            f"; {counted(number, f'{noun} was', f'{noun}s were')} {what}" for number, noun, what in parts if number
        )

    def refuse_failures_alone(self, url: str, result: object = None) -> None:
        """Raise ModelError, with a result, if questions were asked and none got a usable answer.

        >>> AskingTally(Counter(ok=1, error=2)).refuse_failures_alone("http://127.0.0.1")
        >>> AskingTally(Counter(error=2), last_error="500: down").refuse_failures_alone("http://127.0.0.1")
        Traceback (most recent call last):
        cranfield.errors.ModelError: http://127.0.0.1: 2 questions failed; the last error:
        500: down; run the same command again to retry
        >>> tally = AskingTally(Counter({"off-scale": 2}), first_useless="'Grade: 7' (7 is not on the scale)")
        >>> tally.refuse_failures_alone("http://127.0.0.1")
        Traceback (most recent call last):
        cranfield.errors.ModelError: http://127.0.0.1: 2 questions received no usable answer (2 off-scale); the first:
        'Grade: 7' (7 is not on the scale); try another --prompt or --parameter under a new --assessor
        """
        failed = self.outcomes["error"]
        if not self.answered or self.outcomes["ok"]:
            return
        if failed == self.answered:
            what = f"{counted(failed, 'question')} failed; the last error: {self.last_error}"
            raise ModelError(f"{url}: {what}; run the same command again to retry", result)
        raise ModelError(f"{url}: {useless_words(self.outcomes, 'question', self.first_useless)}", result)

    @property
    def tokens(self) -> int:
        """How many were used, in and out."""
        return self.tokens_in + self.tokens_out

    def add(self, later: AskingTally) -> None:
        """Count what came of asking more; what remains is what that left."""
        self.outcomes.update(later.outcomes)
        for name in ("calls", "retried", "reminded", "reused", "tokens_in", "tokens_out", "estimated", "seconds", "cut",
                     "addressing", "doubtful"):  # fmt: skip
            setattr(self, name, getattr(self, name) + getattr(later, name))
        if later.cost is not None:
            self.cost = (self.cost or 0) + later.cost
        self.unsaved, self.disk = max(self.unsaved, later.unsaved), max(self.disk, later.disk)
        self.remaining, self.stopped = later.remaining, later.stopped
        self.last_error = later.last_error or self.last_error
        self.first_useless = self.first_useless or later.first_useless


def describe_useless(answer: str, reason: str) -> str:
    """Return the beginning of an answer that cannot be used, and why it cannot.

    >>> describe_useless("Well,\\n it depends.", "no line 'Grade:'"), describe_useless("", "an empty answer")
    ("'Well, it depends.' (no line 'Grade:')", 'an empty answer')
    """
    words = " ".join(answer.split())
    return f"{words[:SHOWN_CHARS]!r}{'...' * (len(words) > SHOWN_CHARS)} ({reason})" if words else reason


def useless_words(outcomes: Counter[str], noun: str, first: str = "") -> str:
    """Return what is wrong with answers of which none can be used, and what to do."""
    kinds = ", ".join(f"{number:,} {outcome}" for outcome, number in outcomes.most_common())
    shown = f"; the first: {first}" if first else ""
    remedy = "try another --prompt or --parameter under a new --assessor"
    return f"{counted(outcomes.total(), noun)} received no usable answer ({kinds}){shown}; {remedy}"


def tally_document(tally: AskingTally) -> dict[str, Any]:
    """The JSON of it."""
    return asdict(tally) | {"outcomes": dict(tally.outcomes)}


def parameters_in(words: Iterable[str]) -> dict[str, Any]:
    """Parameters by name: a value is JSON or, failing that, a text; nothing is None.

    >>> parameters_in(["max_tokens=200", "stop=x", "seed="])
    {'max_tokens': 200, 'stop': 'x', 'seed': None}
    >>> parameters_in(["max_tokens"])
    Traceback (most recent call last):
    cranfield.errors.InputError: 'max_tokens'; expected NAME=VALUE
    """
    parameters: dict[str, Any] = {}
    for text in words:
        name, sign, value = text.partition("=")
        if not name or not sign:
            raise InputError(f"{text!r:.60}; expected NAME=VALUE")
        parameters[name] = _value(value)
    return parameters


RESERVED = {"model", "messages", "stream", "n", "response_format"}


def check_request(model: object, parameters: Mapping[str, Any] | None) -> None:
    """Raise InputError if the name of a model is empty, or parameters cannot be sent.

    >>> check_request("qwen", {"max_tokens": 200}), check_request("qwen", None)
    (None, None)
    >>> check_request("qwen", {"n": 2})
    Traceback (most recent call last):
    cranfield.errors.InputError: the parameter 'n' cannot be set; --json sets the form of answers
    """
    if not (isinstance(model, str) and model.strip()):
        raise InputError(f"model is {model!r:.60}; expected the name of a model on its server")
    if not isinstance(parameters or {}, Mapping):
        raise InputError(f"parameters are {parameters!r:.60}; expected values by name, such as {{'max_tokens': 200}}")
    if conflicts := sorted(RESERVED & (parameters or {}).keys()):
        raise InputError(f"the parameter {conflicts[0]!r} cannot be set; --json sets the form of answers")
    try:
        json.dumps(parameters, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InputError(f"parameters are {parameters!r:.60}; expected values that JSON can hold ({error})") from None


def _value(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse) if text else None
    except (ValueError, RecursionError):
        return text


def _refuse(text: str) -> NoReturn:
    raise ValueError(text)  # NaN is no JSON
