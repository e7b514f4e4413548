"""Adaptive pools taken up again: from the judgments so far and the seed, the state as it was.

Batches are replayed in the sizes they had. Where every batch was judged before the next was proposed, the replay is the
straight run, document for document. It cannot be where judgments came late or were changed, or a run came late; then it
follows as far as the pool agrees, hears there what is judged of the pool, and goes on from what it knows. So nothing is
lost, and no document that is in the pool is proposed again. A judgment of a document that is not in the pool is not
heard: it is there when the method asks for the document, which costs as much of the budget as any other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from .protocol import State


class Resumed(NamedTuple):
    """A state taken up again; `straight` if the pool is what it proposed, in these batches, and no more."""

    state: State
    straight: bool


def resume(
    start: Callable[[], State], held: Collection[int], judged: Mapping[int, bool], batches: Sequence[int] = ()
) -> Resumed:
    """The state after these batches, with `held` in the pool and `judged` known."""
    state, pool, proposed = start(), set(held), set[int]()
    for number, size in enumerate(batches):
        documents = state.next(size).tolist()
        if not pool.issuperset(documents):
            return Resumed(resume(start, pool, judged, batches[:number]).state, False)
        state.observe({document: judged[document] for document in documents if document in judged})
        proposed.update(documents)
    rest = {document: judged[document] for document in sorted(pool - proposed) if document in judged}
    if rest:
        state.observe(rest)
    return Resumed(state, proposed == pool)


def propose(state: State, held: Collection[int], size: int) -> list[int]:
    """The next documents that are not in the pool yet, `size` of them or what is left.

    >>> from cranfield.pooling.examples import example, shown
    >>> from cranfield.pooling.methods.table import METHODS
    >>> topic = example("a b c", "b d")
    >>> def start():
    ...     return METHODS["hedge"].start(topic)
    >>> first = propose(start(), [], 2)
    >>> shown(topic, first), shown(topic, propose(resume(start, first, {1: True, 0: False}, [2]).state, first, 2))
    ('b a', 'd c')
    """
    found: list[int] = []
    while len(found) < size and len(documents := state.next(size - len(found))):
        found += [document for document in documents.tolist() if document not in held]
    return found
