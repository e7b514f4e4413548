"""Runs that are read when they are asked for, and judged runs in blocks of topics, each of which is work of its own."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import repeat
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints, Mask, Runs, Vocabulary
from cranfield.parallel import WORKERS, keep_results, map_blocks, map_in_threads
from cranfield.text import counted

BATCH = 4  # runs that are read together
Read = Callable[[Iterable[Sequence[str]]], Iterator[Runs]]


class UnreadRuns(Runs):
    """Runs of these names; `read` reads batches of names, one after the other.

    >>> import numpy as np
    >>> one = np.zeros(1, np.int64)
    >>> read = partial(map, lambda tags: Runs(tuple(tags), topics, docnos, one, one, one, np.ones(1)))
    >>> topics, docnos = Vocabulary(["q"]), Vocabulary(["d"])
    >>> runs = UnreadRuns(["a"], topics, docnos, read)
    >>> len(runs), runs.score, [part.tags for part in runs.parts()]
    (1, array([1.]), [('a',)])
    """

    def __init__(self, tags: Sequence[str], topics: Vocabulary, docnos: Vocabulary, read: Read) -> None:
        vars(self).update(tags=tuple(tags), topics=topics, docnos=docnos, _read=read)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({counted(len(self.tags), 'run')})"

    @cached_property
    def loaded(self) -> Runs:
        """All of them, in memory."""
        [runs] = self._read([self.tags])  # type: ignore[attr-defined]
        return runs  # type: ignore[no-any-return]

    @property
    def run(self) -> Ints:
        """The run of each row."""
        return self.loaded.run

    @property
    def topic(self) -> Ints:
        """The topic of each row."""
        return self.loaded.topic

    @property
    def document(self) -> Ints:
        """The document of each row."""
        return self.loaded.document

    @cached_property
    def score(self) -> Floats:
        """The score of each row."""
        return self.loaded.score

    def parts(self, tags: Collection[str] | None = None) -> Iterator[Runs]:
        """A few runs at a time, in this order, or a few of those called `tags`."""
        if "loaded" in vars(self):
            yield self.loaded
            return
        names = self.tags if tags is None else [tag for tag in self.tags if tag in tags]
        starts = range(0, max(len(names), 1), BATCH)
        yield from self._read(names[at : at + BATCH] for at in starts)  # type: ignore[attr-defined]

    def rows(self, keep: Mask | Ints) -> Runs:
        """The same runs with only these rows."""
        return self.loaded.rows(keep)

    def select(self, tags: Sequence[str]) -> Runs:
        """Only these runs, in the order they are here."""
        if "loaded" in vars(self):
            return self.loaded.select(tags)
        choice = set(tags)
        names = [tag for tag in self.tags if tag in choice]
        return UnreadRuns(names, self.topics, self.docnos, self._read)  # type: ignore[attr-defined]

    def answering(self) -> Runs:
        """Only the runs that retrieved anything."""
        return self.loaded.answering()


T = TypeVar("T")
Block = tuple[Any, ...]
Load = Callable[[Any], Judged]


def add_nothing(judgments: Ints) -> Block:
    """Work that needs nothing else of a block's judgments."""
    return ()


class JudgedBlocks:
    """Judged runs by blocks of topics, each where it was last worked on: here, or kept by a worker.

    `bare` has all topics and judgments, and no rows. `parts` are the blocks or, with `load`, what that makes blocks of;
    `topics` are the numbers of each block's topics, ascending.

    >>> from cranfield.metrics.examples import example
    >>> judged = example([1, None, 0])
    >>> blocks = JudgedBlocks(judged, [np.array([0])], [judged])
    >>> blocks.map_topics(Judged.num_relevant), blocks.joined is judged
    (array([[1]]), True)
    """

    def __init__(self, bare: Judged, topics: Sequence[Ints], parts: Sequence[Any], load: Load | None = None) -> None:
        self.bare, self.topics, self._load = bare, topics, load
        self._parts = parts

    @property
    def tags(self) -> tuple[str, ...]:
        """The names of the runs."""
        return self.bare.tags

    @property
    def qids(self) -> tuple[str, ...]:
        """The ids of the topics."""
        return self.bare.qids

    @cached_property
    def judgments(self) -> list[Ints]:
        """The numbers of each block's judgments."""
        if len(self.topics) == 1:
            return [np.arange(len(self.bare.qrels_topic))]
        block = np.full(len(self.qids), -1)
        for number, topics in enumerate(self.topics):
            block[topics] = number
        of = block[self.bare.qrels_topic]
        return np.split(np.argsort(of, kind="stable"), np.cumsum(np.bincount(of, minlength=len(self.topics)))[:-1])

    def map_blocks(
        self, work: Callable[..., T], common: Sequence[Any] = (), more: Callable[[Ints], Block] = add_nothing
    ) -> Iterator[T]:
        """The results of `work(block, *more(its judgments), *shared)`, block by block."""
        extras = repeat(()) if more is add_nothing else map(more, self.judgments)
        blocks = [(part, *some) for part, some in zip(self._parts, extras, strict=False)]
        if self._load:
            return map_blocks(partial(_load_and_work, self._load, work), blocks, common, map_in_threads)
        return map_blocks(work, blocks, common)

    def map_topics(self, work: Callable[..., NDArray[Any]], *common: Any) -> NDArray[Any]:
        """What `work(block, *shared)` gives as an array over rankings, as one (runs, topics, ...)."""
        return self.join([*self.map_blocks(work, common)])

    def join(self, arrays: Iterable[NDArray[Any]]) -> NDArray[Any]:
        """Arrays over the rankings of each block as one (runs, topics, ...)."""
        parts = [
            part.reshape(len(self.tags), len(topics), *part.shape[2:])
            for topics, part in zip(self.topics, arrays, strict=True)
        ]
        if len(parts) == 1:
            return parts[0]
        whole = np.empty((len(self.tags), len(self.qids), *parts[0].shape[2:]), parts[0].dtype)  # sums depend on layout
        for topics, part in zip(self.topics, parts, strict=True):
            whole[:, topics] = part
        return whole

    def keep(self) -> "JudgedBlocks":
        """The same, each block kept where it is read, for those who need it more than once."""
        if self._load is None:
            return self
        parts = keep_results(self._load, [(part,) for part in self._parts], map_in_threads)
        return JudgedBlocks(self.bare, self.topics, parts)

    @cached_property
    def joined(self) -> Judged:
        """All of it as one batch, here."""
        if any(part is self.bare for part in self._parts):
            return self.bare
        retrieved = np.zeros(self.bare.shape, np.int64)
        columns: list[tuple[Ints, ...]] = []
        for some, of, block in zip(self.topics, self.judgments, self.map_blocks(_identity), strict=True):
            retrieved[:, some] = block.retrieved.reshape(block.shape)
            run, topic = np.divmod(block.ranking, len(some))
            columns.append((run * len(self.bare.qids) + some[topic], block.rank, block.grade, of[block.judgment]))
        ranking, rank, grade, judgment = (np.concatenate(column) for column in zip(*columns, strict=True))
        order = np.argsort(ranking, kind="stable")
        return replace(
            self.bare, ranking=ranking[order], rank=rank[order], grade=grade[order], judgment=judgment[order],
            retrieved=retrieved.ravel(),
        )  # fmt: skip


def as_judged_blocks(judged: Judged | JudgedBlocks) -> JudgedBlocks:
    """These blocks; of a batch one block or, where a cluster is connected, some for each of its workers."""
    if isinstance(judged, JudgedBlocks):
        return judged
    workers, numbers = WORKERS.get(), np.arange(len(judged.qids))
    if workers is None:
        return JudgedBlocks(judged, [numbers], [judged])
    topics = [some for some in np.array_split(numbers, workers.blocks) if len(some)]
    blocks = JudgedBlocks(judged, topics, workers.send(judged.select_topics, [(some,) for some in topics]))
    vars(blocks)["joined"] = judged
    return blocks


def _identity(block: Judged) -> Judged:
    return block


def _load_and_work(load: Load, work: Callable[..., T], part: Any, *more: Any) -> T:
    return work(load(part), *more)
