"""What a sample has to hold so that something can be said of what it was drawn from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from cranfield.errors import InputError
from cranfield.pooling.budget import shares
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import Method

LEAST = 2  # documents of a stratum


class TopicStratum(NamedTuple):
    """A stratum of a topic, or all of the topic."""

    qid: str
    name: str
    size: int
    order: list[int]  # at which places of the method's order its documents come

    @property
    def least(self) -> int:
        """How many of the topic's documents have to be drawn."""
        return max(self.order[:LEAST], default=-1) + 1

    def drawn(self, size: int) -> int:
        """How many documents of it are drawn with so many of the topic."""
        return sum(place < size for place in self.order)

    def __str__(self) -> str:
        where = f" in stratum {self.name!r}" if self.name else ""
        return f"the {self.size} documents of topic {self.qid!r}{where}"


def parts(method: Method, topic: Candidates, options: Mapping[str, object] | None, seed: int) -> Iterator[TopicStratum]:
    """The strata of a topic in a design; where chances are not by strata, the whole topic.

    A document that could not be drawn is not known of: an estimate would count it as not relevant and be sure of it.
    Nor is a pair that could not be drawn together, as two of a stratum of which one is drawn. So of every stratum two
    documents are in the sample, or the one it has; and of every topic.

    >>> from cranfield.pooling.examples import example
    >>> from cranfield.pooling.methods.table import METHODS
    >>> [(part.name, part.size, part.least) for part in parts(METHODS["tail"], example("a b c d"), {"k": 1}, 0)]
    [('top', 1, 1), ('tail', 3, 3)]
    """
    state = method.start(topic, options, seed)
    if state.order is None or state.stratum is None or len({*state.stratum}) == 1:
        order = range(len(topic)) if state.order is None else range(len(state.order))
        yield TopicStratum(topic.qid, "", len(topic), list(order))
        return
    for name in dict.fromkeys(state.stratum.tolist()):
        places = np.flatnonzero(state.stratum[state.order] == name)
        yield TopicStratum(topic.qid, name, int(np.sum(state.stratum == name)), places.tolist())


def check_strata(
    method: Method,
    topics: Sequence[Candidates],
    options: Mapping[str, object] | None = None,
    budget: int | None = None,
    total: int | None = None,
    seed: int = 0,
) -> None:
    """Refuse a sample that leaves a stratum or a topic without what an estimate needs.

    >>> from cranfield.pooling.examples import example
    >>> from cranfield.pooling.methods.table import METHODS
    >>> check_strata(METHODS["tail"], [example("a b c", "d")], {"k": 1}, budget=2)
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: tail: a budget of 2 draws none of the 2 documents of topic 'q' in stratum 'tail', but
    an estimate needs 2: a budget of 4 is enough
    """
    if not method.samples:
        return
    sizes = shares([len(topic) for topic in topics], budget, total)
    every = [
        (size, part) for topic, size in zip(topics, sizes, strict=True) for part in parts(method, topic, options, seed)
    ]
    short = [(size, part) for size, part in every if part.drawn(size) < min(LEAST, part.size)]
    if not short:
        return
    size, part = min(short, key=lambda one: one[1].drawn(one[0]) / one[1].size)
    found = f"draws {part.drawn(size) or 'none'} of {part}, but an estimate needs {min(LEAST, part.size)}"
    if any(len(part.order) < min(LEAST, part.size) for _, part in every):
        given = ", ".join(f"{name}={value}" for name, value in method.filled(options).items())
        raise InputError(f"{method.name} with {given} {found}")
    name, asked, enough = "budget", budget, max(part.least for _, part in every)
    if total is not None:
        name, asked, enough = "total", total, sum(min(len(topic), enough) for topic in topics)
    raise InputError(f"{method.name}: a {name} of {asked} {found}: a {name} of {enough} is enough")
