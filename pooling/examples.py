"""Small topics to try methods on."""

from collections.abc import Iterable, Mapping

from cranfield.pooling.candidates import Candidates, candidates_by_topic
from cranfield.pooling.method import State


def example(*rankings: str | Mapping[str, float], depth: int | None = None) -> Candidates:
    """What runs r1, r2, ... retrieved: each a string of docnos in rank order, or docnos with scores.

    >>> example("a b c", "b d").rank.tolist()
    [[1, 2, 3, 0], [0, 1, 0, 2]]
    """
    from cranfield.metrics.inputs import as_runs

    runs = {f"r{number}": {"q": _parse_scores(ranking)} for number, ranking in enumerate(rankings, 1)}
    return candidates_by_topic(as_runs(runs), depth)[0]


def _parse_scores(ranking: str | Mapping[str, float]) -> Mapping[str, float]:
    return {d: -float(n) for n, d in enumerate(ranking.split())} if isinstance(ranking, str) else ranking


def docnos_of(topic: Candidates, documents: Iterable[int]) -> str:
    """Documents by their docnos."""
    return " ".join(topic.docnos[document] for document in documents)


def judged(topic: Candidates, state: State, relevant: str, size: int = 1) -> str:
    """Judge everything that a state proposes, `size` at a time, and show it in that order.

    >>> from cranfield.pooling.methods import METHODS
    >>> topic = example("a b c", "b d")
    >>> judged(topic, METHODS["take"].start(topic), relevant="b")
    'b a d c'
    """
    order: list[int] = []
    while len(documents := state.next(size)):
        state.observe({int(d): topic.docnos[d] in relevant.split() for d in documents})
        order += documents.tolist()
    return docnos_of(topic, order)
