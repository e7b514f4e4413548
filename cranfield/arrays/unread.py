"""Runs that are kept elsewhere, and read when they are asked for: all of them, or a few at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from cranfield.arrays.rankings import Floats, Ints, Mask, Runs, Vocabulary

BATCH = 4  # runs that are read together
Read = Callable[[Sequence[str]], Runs]


class UnreadRuns(Runs):
    """Runs of these names, which `read` reads.

    >>> import numpy as np
    >>> one = np.zeros(1, np.int64)
    >>> read = lambda tags: Runs(tuple(tags), topics, docnos, one, one, one, np.ones(1))
    >>> topics, docnos = Vocabulary(["q"]), Vocabulary(["d"])
    >>> runs = UnreadRuns(["a"], topics, docnos, read)
    >>> len(runs), runs.score, [part.tags for part in runs.parts()]
    (1, array([1.]), [('a',)])
    """

    def __init__(self, tags: Sequence[str], topics: Vocabulary, docnos: Vocabulary, read: Read) -> None:
        vars(self).update(tags=tuple(tags), topics=topics, docnos=docnos, _read=read)

    @cached_property
    def whole(self) -> Runs:
        """All of them, in memory."""
        return self._read(self.tags)  # type: ignore[attr-defined, no-any-return]

    @property
    def run(self) -> Ints:
        """The run of each row."""
        return self.whole.run

    @property
    def topic(self) -> Ints:
        """The topic of each row."""
        return self.whole.topic

    @property
    def document(self) -> Ints:
        """The document of each row."""
        return self.whole.document

    @cached_property
    def score(self) -> Floats:
        """The score of each row."""
        return self.whole.score

    def parts(self) -> Iterator[Runs]:
        """A few runs at a time, in this order."""
        if "whole" in vars(self):
            yield self.whole
            return
        for at in range(0, max(len(self.tags), 1), BATCH):
            yield self._read(self.tags[at : at + BATCH])  # type: ignore[attr-defined]

    def rows(self, keep: Mask | Ints) -> Runs:
        """The same runs with only these rows."""
        return self.whole.rows(keep)

    def select(self, tags: Sequence[str]) -> Runs:
        """Only these runs, in the order they are here."""
        if "whole" in vars(self):
            return self.whole.select(tags)
        wanted = set(tags)
        kept = [tag for tag in self.tags if tag in wanted]
        return UnreadRuns(kept, self.topics, self.docnos, self._read)  # type: ignore[attr-defined]

    def answering(self) -> Runs:
        """Only the runs that retrieved anything."""
        return self.whole.answering()
