"""Runs of a partitioned data set: read as a whole when a command asks for all of them, else block by block."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

import numpy as np

from cranfield.arrays.blocks import JudgedBlocks
from cranfield.arrays.join import Judgments
from cranfield.arrays.judged import Judged, Unmet
from cranfield.arrays.rankings import Ints, Qrels, Runs, Vocabulary, distinct
from cranfield.arrays.unread import UnreadRuns
from cranfield.errors import InputError
from cranfield.formats.files import Path
from cranfield.formats.runs.parts import Part, is_partitioned, parts_of
from cranfield.parallel import in_blocks, several_at_a_time

T = TypeVar("T")


class PartitionedRuns(UnreadRuns):
    """Runs by blocks of topics; `blocks` has each block and its topics."""

    def __init__(self, tags: Sequence[str], topics: Vocabulary, blocks: Sequence[tuple[Part, list[str]]]) -> None:
        everything = Part("", tuple(file for part, _ in blocks for file in part.files))
        super().__init__(tags, topics, Vocabulary(lambda: self.whole.docnos.names), everything.runs)
        vars(self).update(blocks=blocks)

    blocks: Sequence[tuple[Part, list[str]]]

    def parts(self) -> Iterator[Runs]:
        """All of them at once, as each block has some of every run."""
        yield self.whole

    def select(self, tags: Sequence[str]) -> Runs:
        """Only these runs, in the order they are here."""
        wanted = set(tags)
        return PartitionedRuns([tag for tag in self.tags if tag in wanted], self.topics, self.blocks)

    def each(self, work: Callable[..., T], qrels: Qrels, *shared: Any) -> Iterator[T]:
        """The results of `work(runs, judged, *shared)`, block by block; with these judgments."""
        return in_blocks(_both, [(block,) for block in _met(self, qrels)[1]], (work, *shared), several_at_a_time)


class JudgedPart(NamedTuple):
    """A block of runs and the judgments of its topics, with what all judgments say about these."""

    part: Part
    tags: tuple[str, ...]
    qrels: Qrels
    bare: Judged

    def runs(self) -> Runs:
        """The runs of the block."""
        return self.part.runs(self.tags)

    def judged(self, runs: Runs | None = None) -> Judged:
        """The judged positions of its runs."""
        found = Judgments(self.qrels).meet(self.runs() if runs is None else runs)
        return replace(found, highest_grade=self.bare.highest_grade, qrels_stratum=self.bare.qrels_stratum)


def partitioned_runs(path: Path) -> PartitionedRuns:
    """The runs of a data set, unread, in the byte order of their tags; a topic in two blocks is an error."""
    parts = parts_of(path)
    found = list(in_blocks(Part.topics_and_tags, [(part,) for part in parts], here=several_at_a_time))
    place: dict[str, Part] = {}
    for part, (qids, _) in zip(parts, found, strict=True):
        for qid in qids:
            if qid in place:
                message = f"topic {qid} is in {place[qid].name} and in {part.name}; expected each topic in one block"
                raise InputError(message, path)
            place[qid] = part
    tags = sorted({tag for _, some in found for tag in some})
    blocks = [(part, qids) for part, (qids, _) in zip(parts, found, strict=True)]
    return PartitionedRuns(tags, Vocabulary(sorted(place)), blocks)


def partitioned_among(paths: Sequence[Path]) -> PartitionedRuns | None:
    """The runs of a data set, if that is what is given; an error if it is not alone."""
    several = [path for path in paths if is_partitioned(path)]
    if several and len(paths) > 1:
        raise InputError("a data set of runs takes no further files; its runs are in it", several[0])
    return partitioned_runs(several[0]) if several else None


def judged_blocks(runs: PartitionedRuns, qrels: Qrels) -> JudgedBlocks:
    """The judged positions of runs, in blocks that are read when they are asked for."""
    bare, parts, topics = judged_parts(runs, qrels)
    return JudgedBlocks(bare, topics, parts, JudgedPart.judged)


def judged_parts(runs: PartitionedRuns, qrels: Qrels) -> tuple[Judged, list[JudgedPart], list[Ints]]:
    """All judgments, and each block that has judged topics, with its own judgments and its topics.

    An error where the runs answer other topics than were judged.
    """
    Judgments(qrels).refuse_others(runs.topics.names.tolist())
    found = _met(runs, qrels)
    _check_others(runs, {one.part for one in found[1]})
    return found


def _check_others(runs: PartitionedRuns, judged: Collection[Part]) -> None:
    """Read the blocks in which no topic was judged; errors in them are errors, as in run files."""
    if others := [(part, runs.tags) for part, _ in runs.blocks if part not in judged]:
        deque(in_blocks(_check, others, here=several_at_a_time), 0)


def _check(part: Part, tags: Sequence[str]) -> None:
    part.runs(tags)


def _met(runs: PartitionedRuns, qrels: Qrels) -> tuple[Judged, list[JudgedPart], list[Ints]]:
    """All judgments, and each block with its own; topics that no run answers go with the last block."""
    bare = Judgments(qrels).bare(runs.tags)
    bare = replace(bare, unmet=Unmet(tuple(sorted({*runs.topics.names.tolist()} - {*bare.qids}))))
    block = np.full(len(bare.qids), len(runs.blocks) - 1)
    number = {qid: at for at, qid in enumerate(bare.qids)}
    for at, (_, qids) in enumerate(runs.blocks):
        block[[number[qid] for qid in qids if qid in number]] = at
    blocks = [(part, np.flatnonzero(block == at)) for at, (part, _) in enumerate(runs.blocks)]
    judged = [(part, some) for part, some in blocks if len(some)]
    parts = [JudgedPart(part, runs.tags, _some(qrels, bare, some), bare.at(some)) for part, some in judged]
    return bare, parts, [some for _, some in judged]


def _some(qrels: Qrels, bare: Judged, topics: Ints) -> Qrels:
    """The judgments of some topics, without names that they do not need."""
    rows = np.sort(bare.qrels_row[np.isin(bare.qrels_topic, topics)])
    some = qrels.rows(rows)
    docnos, document = _needed(qrels.docnos, some.document)
    names, topic = _needed(qrels.topics, some.topic)
    return replace(some, topics=names, docnos=docnos, topic=topic, document=document)


def _needed(names: Vocabulary, codes: Ints) -> tuple[Vocabulary, Ints]:
    """Only the names that occur, in the same order, and their integers."""
    used, place = distinct(codes)
    return Vocabulary(names.some(used).tolist()), place


def _both(block: JudgedPart, work: Callable[..., T], *shared: Any) -> T:
    runs = block.runs()
    return work(runs, block.judged(runs), *shared)
