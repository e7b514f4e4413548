"""Pooling methods: the candidates of one topic in, documents to judge out.

    state = METHODS["rrf"].start(topic, {"c": 60}, seed=1)
    documents = state.next(10)                      integers, of topic.docnos
    state.observe({document: True, ...})            what the assessors judged; static methods ignore it

A state never proposes a document twice, and an adaptive one never what it has observed. `next` gives fewer than asked
for when there are no more. All that is random follows from the seed and the topic's id, so that a topic's pool does not
depend on the others; replaying the same calls gives the same documents. A static method ignores judgments, so known
judgments cannot bias a sample; most have their whole order in `state.order`, others work it out as they go. A sampling
method has in `state.probability` the chance of each document to be among those proposed so far.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask, Names
from cranfield.errors import InputError
from cranfield.pooling.candidates import Candidates

if TYPE_CHECKING:
    from cranfield.pooling.candidates import Corpus
    from cranfield.store.pools import PooledDocument
    from cranfield.store.store import Store


class Design(Protocol):
    """How a sample was drawn, in what it takes to estimate from it; `which` are some of its documents."""

    @property
    def weight(self) -> Floats:
        """How many documents each of the sample stands for: their weighted sum is right on average."""

    @property
    def n_unsampled(self) -> float:
        """How many documents are not in the sample, about if it is not known."""

    def pairs(self, which: Ints) -> Floats:
        """How many pairs each two stand for, on the diagonal squares: a weighted sum over pairs is right on average."""


class State(Protocol):
    """A method at work on one topic."""

    @property
    def order(self) -> Ints | None:
        """All documents in the order they are to be judged, if that does not depend on judgments or on the size."""

    @property
    def probability(self) -> Floats | None:
        """The chance of each document to be among those proposed so far; None where the method does not sample."""

    @property
    def stratum(self) -> Names | None:
        """The stratum of each document, None where there are none."""

    def next(self, size: int) -> Ints:
        """The next documents to judge, `size` or what is left."""

    def observe(self, judged: Mapping[int, bool]) -> None:
        """Learn which documents are relevant, in the order they were judged; also of ones that were not proposed."""


class CorpusState(ABC):
    """The state of a method that proposes from all documents of a corpus.

    It learns from every judgment of the topic, in the pool or not, and proposes nothing that has one. It is what its
    documents and judgments make it, so that it is taken up again without a replay of its steps.
    """

    order: Ints | None = None
    probability: Floats | None = None
    stratum: Names | None = None

    @property
    @abstractmethod
    def batch(self) -> int:
        """How many documents it would have judged before it is asked again."""

    @abstractmethod
    def next(self, size: int) -> Ints:
        """The next documents, at most `size`; fewer where it would hear of these first."""

    @abstractmethod
    def observe(self, judged: Mapping[int, bool]) -> None:
        """Learn which documents are relevant."""

    @abstractmethod
    def restore(self, documents: Collection[int], labels: Mapping[int, bool]) -> None:
        """At the beginning: be as after these documents came and these are known to be relevant or not."""

    @abstractmethod
    def prepare(self) -> None:
        """Work out beside what the next documents depend on, if that takes long."""

    @abstractmethod
    def pooled(self, documents: Iterable[int]) -> list[PooledDocument]:
        """Those of these documents that came since it began, as a pool has them."""


class MethodOption(NamedTuple):
    """An option of a method: its default says its type, the rest what is allowed."""

    name: str
    default: int | float | str
    about: str
    choices: tuple[str, ...] = ()
    low: float = -np.inf
    high: float = np.inf

    @property
    def right(self) -> str:
        """What is allowed, in words."""
        if isinstance(self.default, str):
            return " or ".join(self.choices) or f"text such as {self.default}"
        low = f" from {self.low:g}" if np.isfinite(self.low) else ""
        high = f" to {self.high:g}" if np.isfinite(self.high) else ""
        return f"a{' whole' * isinstance(self.default, int)} number{low}{high}"

    def read(self, value: object) -> int | float | str:
        """The value as this option's type.

        >>> MethodOption("p", 0.8, "patience", low=0, high=1).read("0.5")
        0.5
        >>> MethodOption("p", 0.8, "patience", low=0, high=1).read("2")
        Traceback (most recent call last):
        ...
        cranfield.errors.InputError: option p is '2'; expected a number from 0 to 1
        """
        try:
            number: int | float | str | None = type(self.default)(str(value))
        except ValueError:
            number = None
        good = number in (self.choices or (number,)) if isinstance(number, str) else number is not None
        if number is None or not good or (not isinstance(number, str) and not self.low <= number <= self.high):
            raise InputError(f"option {self.name} is {value!r}; expected {self.right}")
        return number


class Method(NamedTuple):
    """A pooling method: a row of the table."""

    name: str
    description: str
    begin: Callable[[Candidates, Mapping[str, Any], int], State]
    options: tuple[MethodOption, ...] = ()
    adaptive: bool = False  # uses judgments
    design: Callable[[Sequence[str], Floats], tuple[Ints, Design]] | None = None  # of its samples, as a pool keeps it
    fixed: bool = False  # its sample is drawn once, for the size first asked for
    sized: bool = False  # needs a budget
    random: bool = False  # depends on the seed
    by_depth: bool = False  # without a budget, all that the runs have to a depth
    is_random: bool = False  # proposes from all of a corpus without looking at texts
    source: str = ""
    reason_to_stop: Callable[[Sequence[State], Mapping[str, Any]], str | None] | None = None  # judging, if there is one
    corpus: Callable[[Store], Corpus] | None = None  # of a store, for a method that proposes from all of it
    most: Callable[[int, Mapping[str, Any]], int] | None = None  # of a topic's share and its options: what it proposes
    new_run_model: Callable[..., Any] | None = None  # of unjudged documents: NewRunModel in cranfield/analysis
    explanation: str = ""  # how it works, what is good and bad about it, its source

    @property
    def row(self) -> dict[str, str]:
        """The method as a row of the table of methods."""
        kinds = [word for word, holds in (("adaptive", self.adaptive), ("sample", self.samples)) if holds]
        options = " ".join(f"{option.name}={option.default}" for option in self.options)
        kind = " ".join(kinds) or "static"
        about = {"method": self.name, "kind": kind, "what": self.description}
        return {**about, "options": options, "source": self.source}

    @property
    def samples(self) -> bool:
        """Whether it gives inclusion probabilities."""
        return self.design is not None

    @property
    def makes_ranking(self) -> bool:
        """Whether its order is a ranking, so that it can fuse runs: a static method."""
        return not self.adaptive and not self.samples

    def fill_options(self, options: Mapping[str, object] | None = None) -> dict[str, Any]:
        """These options, read, and the defaults of the others; an unknown one is refused.

        >>> Method("rrf", "", begin=None, options=(MethodOption("c", 60, "the constant"),)).fill_options({"k": 1})
        Traceback (most recent call last):
        ...
        cranfield.errors.InputError: rrf has no option 'k'; available: c
        """
        values, by_name = dict(options or {}), {option.name: option for option in self.options}
        for name in values:
            if name not in by_name:
                has = f"available: {', '.join(by_name)}" if by_name else "it has none"
                raise InputError(f"{self.name} has no option {name!r}; {has}")
        return {name: option.read(values.get(name, option.default)) for name, option in by_name.items()}

    def start(self, topic: Candidates, options: Mapping[str, object] | None = None, seed: int = 0) -> State:
        """The method at the beginning of a topic; one seed serves all topics."""
        return self.begin(topic, self.fill_options(options), seed)


class FixedOrder:
    """The state of a static method: a fixed order.

    >>> state = FixedOrder(np.array([2, 0, 1]))
    >>> state.next(2), state.next(2)
    (array([2, 0]), array([1]))
    """

    probability: Floats | None = None
    stratum: Names | None = None

    score: Floats | None = None  # of each document, where the order is that of scores

    def __init__(self, order: Ints) -> None:
        self.order: Ints | None = order
        self._left = order

    def next(self, size: int) -> Ints:
        documents, self._left = self._left[:size], self._left[size:]
        return documents

    def observe(self, judged: Mapping[int, bool]) -> None:
        """Nothing: a fixed order stays as it is."""


class ScoredOrder(FixedOrder):
    """The state of a static method that orders documents by a score, ties by docno descending.

    >>> state = ScoredOrder(np.array([1.0, 2.0, 1.0]))
    >>> state.next(2), state.score.tolist()
    (array([1, 2]), [1.0, 2.0, 1.0])
    """

    def __init__(self, score: Floats) -> None:
        super().__init__(order_by_score(score))
        self.score = score


class StratifiedSample(FixedOrder):
    """Documents drawn at random within strata, without replacement, in an order fixed in advance.

    What is drawn of a stratum is a uniform sample of it, wherever one stops.

    >>> state = StratifiedSample(np.array([3, 0, 1, 2]), np.array([0, 1, 1, 1]), ["top", "rest"])
    >>> state.next(3), state.probability, state.stratum.tolist()
    (array([3, 0, 1]), array([1.        , 0.66666667, 0.66666667, 0.66666667]), ['top', 'rest', 'rest', 'rest'])

    The stratum of a document is an index of `names`, here document 3 of the rest and document 0 of the top.
    """

    def __init__(self, order: Ints, strata: Ints, names: list[str]) -> None:
        super().__init__(order)
        self._strata, self._size = strata, np.bincount(strata, minlength=len(names))
        self._drawn = np.zeros(len(names), np.int64)
        self.stratum: Names | None = np.array(names, object)[strata]

    @property
    def probability(self) -> Floats:  # type: ignore[override]
        """The share of its stratum that is drawn."""
        return np.asarray((self._drawn / np.maximum(self._size, 1))[self._strata])

    def next(self, size: int) -> Ints:
        documents = super().next(size)
        self._drawn += np.bincount(self._strata[documents], minlength=len(self._drawn))
        return documents


class StepByStep(ABC):
    """The state of a method that chooses one document after another; `choose` and `learn` are its own.

    A document that is proposed and not judged yet is pending: methods go on as if it were not relevant, so that a
    batch is spread over runs, and take that back when it is.
    """

    order: Ints | None = None
    probability: Floats | None = None
    stratum: Names | None = None

    def __init__(self, topic: Candidates, seed: int) -> None:
        self.topic = topic
        self.random = topic_random_generator(seed, topic.qid)
        self.open: Mask = np.ones(len(topic), bool)  # neither proposed nor observed
        self.known: Mask = np.zeros(len(topic), bool)  # observed

    @abstractmethod
    def choose(self) -> int:
        """The open document to judge next; there is one."""

    @abstractmethod
    def learn(self, document: int, relevant: bool) -> None:
        """Take a judgment into account."""

    def is_pending(self, document: int) -> bool:
        """Whether a document was proposed and is not judged yet."""
        return not (self.open[document] or self.known[document])

    def next(self, size: int) -> Ints:
        documents: list[int] = []
        for _ in range(min(size, int(self.open.sum()))):
            documents.append(self.choose())
            self.open[documents[-1]] = False
        return np.array(documents, np.int64)

    def observe(self, judged: Mapping[int, bool]) -> None:
        for document, relevant in judged.items():
            if not self.known[document]:
                self.learn(document, bool(relevant))
                self.known[document], self.open[document] = True, False


def topic_random_generator(seed: int, qid: str) -> np.random.Generator:
    """The random numbers of a topic, from the one seed and the topic's id alone.

    >>> [int(topic_random_generator(1, qid).integers(100)) for qid in ("q1", "q1", "q2")]
    [10, 10, 8]
    """
    return np.random.default_rng(int.from_bytes(blake2b(f"{seed}\0{qid}".encode(), digest_size=16).digest()))


def order_by_score(score: Floats) -> Ints:
    """All documents, the highest score first, ties by docno descending.

    >>> order_by_score(np.array([1.0, 2.0, 1.0]))
    array([1, 2, 0])
    """
    return len(score) - 1 - np.argsort(-score[::-1], kind="stable")


def top_document(score: Floats, open: Mask) -> int:
    """The open document of the highest score, the last docno among ties; twelve digits count, so rounding does not.

    >>> top_document(np.array([0.3, 0.1 + 0.2, 9.0]), np.array([True, True, False]))
    1
    """
    scores = np.where(open, score, -np.inf)
    best = scores.max()
    return int(np.flatnonzero(scores >= best - 1e-12 * abs(best))[-1])
