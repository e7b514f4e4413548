"""Adaptive pools taken up again: from the judgments so far and the seed, the state as it was.

Batches are replayed in the sizes they had. Where every batch was judged before the next was proposed, the replay is the
straight run, document for document. It cannot be where judgments came late or were changed, or a run came late; then it
follows as far as the pool agrees, hears all judgments there, and goes on from what it knows. So nothing is lost,
and no document that is in the pool is proposed again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from .protocol import State


def resume(
    start: Callable[[], State], held: Collection[int], judged: Mapping[int, bool], batches: Sequence[int] = ()
) -> State:
    """The state after these batches, with `held` in the pool and `judged` known."""
    state, told = start(), set[int]()
    for number, size in enumerate(batches):
        documents = state.next(size).tolist()
        if not set(held).issuperset(documents):
            return resume(start, held, judged, batches[:number])
        heard = {document: judged[document] for document in documents if document in judged}
        state.observe(heard)
        told.update(heard)
    rest = {document: judged[document] for document in sorted(judged) if document not in told}
    if rest:
        state.observe(rest)
    return state


def propose(state: State, held: Collection[int], size: int) -> list[int]:
    """The next documents that are not in the pool yet, `size` of them or what is left.

    >>> from cranfield.pooling.examples import example, shown
    >>> from cranfield.pooling.methods import METHODS
    >>> topic = example("a b c", "b d")
    >>> def start():
    ...     return METHODS["hedge"].start(topic)
    >>> first = propose(start(), [], 2)
    >>> shown(topic, first), shown(topic, propose(resume(start, first, {1: True, 0: False}, [2]), first, 2))
    ('b a', 'd c')
    """
    found: list[int] = []
    while len(found) < size and len(documents := state.next(size - len(found))):
        found += [document for document in documents.tolist() if document not in held]
    return found
