"""Formats of runs; their scanner in C, and what ranks and scores of a run say.

Ranks may contradict scores, scores may be constant or infinite, and columns may be swapped. Lines of a topic are
compared with the line before them, in the order of the file. scanner.c counts the same.
"""

import os
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Floats, group_order
from cranfield.errors import InputError, Path
from cranfield.formats.given_files import is_partitioned
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.formats.runs.partitioned import PartitionedRuns


CONSTANT_SCORES = (
    "all documents of a topic have the same score, so they are ordered by descending docno, as in trec_eval"
)
SCORE_COLUMN = "the score column"  # of tables with named columns


class RankCounts(NamedTuple):
    """Numbers of topics with several documents: all, with ranks that contradict scores, with constant scores, and with
    scores that count up from 0 or 1 (-1 if there is no rank column); the number of lines whose rank is a fraction, of
    lines whose score is infinite, and of lines of a file whose rank is not a number.
    """

    topics: int = 0
    contradicting: int = 0
    constant: int = 0
    counting: int = 0
    fractions: int = 0
    infinite: int = 0
    words: int = 0

    def notes(self, score_column: str = "the fifth column") -> Iterator[str]:
        """The notes for a reader of the run, whose scores are in the column of this name.

        >>> list(RankCounts(topics=3, contradicting=2).notes())
        ['ranks contradict scores in 2 of 3 topics; documents are ranked by score, as in trec_eval']
        >>> list(RankCounts(infinite=2).notes())
        ['2 scores are infinite; inf ranks first and -inf last, as in trec_eval; check the system that wrote them']
        >>> list(RankCounts(words=2).notes())
        ['2 ranks are not numbers; if ids contain blanks, write the run as CSV with the header qid,docno,score']
        >>> list(RankCounts(topics=3).notes())
        []
        """
        if self.words:
            ranks = f"{counted(self.words, 'rank')} {'is not a number' if self.words == 1 else 'are not numbers'}"
            remedy = "write the run as CSV with the header qid,docno,score"
            yield f"{ranks}; if ids contain blanks, {remedy}"
        if self.infinite:
            scores = f"{counted(self.infinite, 'score')} {'is' if self.infinite == 1 else 'are'} infinite"
            yield f"{scores}; inf ranks first and -inf last, as in trec_eval; check the system that wrote them"
        if not self.topics:
            return
        if self.contradicting:
            topics = f"{self.contradicting} of {counted(self.topics, 'topic')}"
            yield f"ranks contradict scores in {topics}; documents are ranked by score, as in trec_eval"
        if self.constant == self.topics:
            yield CONSTANT_SCORES
        if self.fractions or self.counting == self.topics:
            found = "the rank column has fractions" if self.fractions else "scores count up from the first line"
            yield f"{found}, so the columns rank and score may be swapped; {score_column} is read as the score"


def count_ranks(topic: NDArray[Any], rank: NDArray[Any], score: Floats) -> RankCounts:
    """Compare ranks with scores; rows are in the order of the file, and a rank that is not a number is NaN.

    >>> topic, score = np.array([0, 0, 1, 1]), np.array([0.2, 0.5, 3.0, 1.0])
    >>> count_ranks(topic, np.array([1, 2, 1, 2]), score)
    RankCounts(topics=2, contradicting=1, constant=0, counting=0, fractions=0, infinite=0, words=0)
    """
    infinite = int(np.count_nonzero(np.isinf(score)))
    fractions = int(np.count_nonzero(rank % 1 > 0)) if rank.dtype.kind == "f" else 0
    if np.any(topic[1:] < topic[:-1]):
        order = group_order(topic)
        topic, rank, score = topic[order], rank[order], score[order]
    is_new = topic[1:] != topic[:-1]
    starts = np.append(0, np.flatnonzero(is_new) + 1)
    several = np.diff(starts, append=len(topic)) > 1
    rises, falls = score[1:] > score[:-1], score[1:] < score[:-1]
    against = (rises & (rank[1:] > rank[:-1])) | (falls & (rank[1:] < rank[:-1]))
    is_first_even = np.isin(score[starts], (0, 1))
    uneven = score[1:] != score[:-1] + 1
    contradicting, varying, irregular = (
        np.logical_or.reduceat(np.append(False, rows & ~is_new), starts) for rows in (against, rises | falls, uneven)
    )
    return RankCounts(
        int(several.sum()),
        int((contradicting & several).sum()),
        int((~varying & several).sum()),
        int((~irregular & is_first_even & several).sum()),
        fractions,
        infinite,
    )


SCANNER_SWITCH = "CRANFIELD_NO_SCANNER"


@cache
def _import_scanner() -> ModuleType | None:
    try:
        scanner = import_module("cranfield.formats.runs.scanner")
    except ImportError:
        return None
    return scanner if hasattr(scanner, "hashes") else None  # an earlier build lacks it


def scanner_in_c() -> ModuleType | None:
    """The scanner in C: there where a compiler was when cranfield was installed, unless it is switched off."""
    return None if os.environ.get(SCANNER_SWITCH) else _import_scanner()


def find_partitioned_runs(paths: Sequence[Path]) -> "PartitionedRuns | None":
    """The runs of a data set, if that is what is given; an error if it is not alone."""
    several = [path for path in paths if is_partitioned(path)]
    if several and len(paths) > 1:
        raise InputError("other files were given with this data set of runs; expected only the data set", several[0])
    if not several:
        return None
    from cranfield.formats.runs.partitioned import open_partitioned_runs

    return open_partitioned_runs(several[0])
