"""Runs and judgments in memory: sorted columns of integers over vocabularies of names.

The canonical order of a ranking is trec_eval's: score descending, ties by docno descending in byte
order; the rank column of a run file is ignored. Rows are ordered by group, then by descending score.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import repeat
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Names = NDArray[np.object_]
Pair = tuple[str, str]  # a topic and a document: qid, docno
GRADE_LIMIT = 10**18  # the first whole number that is no grade
UNJUDGED = -1  # the grade in qrels of a document that was pooled and not judged
MINUS_ONE_RULE = "in qrels files, grade -1 means unjudged"  # ends every note on this grade


def as_grades(numbers: Sequence[float | None] | NDArray[np.generic]) -> Ints:
    """Return grades as an array: of whole numbers where all are whole, of floats otherwise.

    >>> as_grades([1, 0]).dtype.name, as_grades([1, 0.5]).tolist(), as_grades(np.array([2.0, -1.0])).tolist()
    ('int64', [1.0, 0.5], [2, -1])
    """
    grades = np.asarray(numbers)
    if grades.dtype.kind == "f" and grades.size and (grades % 1).any():
        return grades
    return np.asarray(grades, np.int64)


class NameArray(Protocol):
    """Names of which some are made lists at a time, such as an array of NumPy or of Arrow."""

    def __len__(self) -> int: ...

    def __getitem__(self, at: slice, /) -> NameArray: ...

    def take(self, at: Ints, /) -> NameArray: ...

    def tolist(self) -> list[str]: ...


def occurring_codes(codes: Ints) -> Ints:
    """The integers from 0 that occur, ascending, in one pass without sorting.

    >>> occurring_codes(np.array([4, 2, 4]))
    array([2, 4])
    """
    there = np.zeros(int(codes.max(initial=-1)) + 1, bool)
    there[codes] = True
    return np.flatnonzero(there)


def distinct_codes_and_places(codes: Ints) -> tuple[Ints, Ints]:
    """The same, and the place of each code among them.

    >>> distinct_codes_and_places(np.array([4, 2, 4]))
    (array([2, 4]), array([1, 0, 1]))
    """
    codes_there = occurring_codes(codes)
    place = np.zeros(int(codes.max(initial=-1)) + 1, np.int64)
    place[codes_there] = np.arange(len(codes_there))
    return codes_there, place[codes]


class Vocabulary:
    """Names and their integers; names kept elsewhere are loaded when first asked for.

    >>> docnos = Vocabulary(["d1", "d2", "d9"])
    >>> docnos.codes(["d9", "d5"])
    array([ 2, -1])
    >>> Vocabulary(lambda: ["a", "b"]).names.tolist()
    ['a', 'b']
    """

    def __init__(self, names: Sequence[str] | Names | Callable[[], Sequence[str] | Names]) -> None:
        self._names = names
        self._places: tuple[Vocabulary, Ints] | None = None  # another vocabulary, and the integers of all names there

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_places": None}

    @cached_property
    def names(self) -> Names:
        """The names, in the order of their integers."""
        names = self._names() if callable(self._names) else self._names
        return np.asarray(names, dtype=object)

    def sorted_codes(self, codes: Ints) -> Ints:
        """The integers that occur in `codes`, each once, in the byte order of their names.

        >>> Vocabulary(["d9", "D1", "d10"]).sorted_codes(np.array([2, 0, 2]))
        array([2, 0])
        """
        names = self.names.tolist()
        return np.array(sorted(occurring_codes(codes).tolist(), key=names.__getitem__), np.int64)

    def names_at(self, codes: Ints) -> NameArray:
        """The names of these integers."""
        return self.names[codes]

    def codes(self, names: Sequence[str] | Names) -> Ints:
        """The integer of each name, -1 for a name that is not here."""
        code = dict(zip(self.names.tolist(), range(len(self.names)), strict=True))
        return np.fromiter(map(code.get, list(names), repeat(-1)), np.int64, len(names))

    def codes_in(self, target: Vocabulary) -> Ints:
        """The integer that each name has in `target`, -1 for one that is not there."""
        return target.codes(self.names)

    def equals(self, codes: Ints, other: Vocabulary, other_codes: Ints) -> Mask:
        """Return whether each integer stands for the same name as its integer in another vocabulary.

        >>> Vocabulary(["d1", "q1"]).equals(np.array([0, 1, 1]), Vocabulary(["q2", "q1"]), np.array([1, 1, 0])).tolist()
        [False, True, False]
        """
        if self._places is None or self._places[0] is not other:
            if 4 * len(codes) < len(self.names):
                return np.asarray(self.names[codes] == other.names[other_codes], bool)
            self._places = other, other.codes(self.names)
        return np.equal(self._places[1][codes], other_codes)

    def translate(self, codes: Ints, target: Vocabulary) -> Ints:
        """The same names as integers of `target`, -1 where it has none; nothing is loaded if it is the same."""
        return codes if self is target else self.codes_in(target)[codes]


@dataclass(frozen=True, eq=False)
class Runs:
    """Many runs: one row per retrieved document, in canonical order within each (run, topic).

    `run`, `topic`, `document` are integers into `tags`, `topics`, `docnos`; rows are grouped by run, then topic.
    `scores` kept elsewhere are loaded when `score` is first asked for.
    """

    tags: tuple[str, ...]
    topics: Vocabulary
    docnos: Vocabulary
    run: Ints
    topic: Ints
    document: Ints
    scores: Floats | Callable[[], Floats]

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "scores": self.score}

    def __len__(self) -> int:
        return len(self.run)

    @cached_property
    def score(self) -> Floats:
        """The score of each row."""
        return self.scores() if callable(self.scores) else self.scores

    @cached_property
    def groups(self) -> Ints:
        """One number for the run and topic of each row."""
        groups = self.run * (int(self.topic.max(initial=0)) + 1)
        groups += self.topic  # in place: an array of all rows is mostly cost of fresh memory
        return groups

    @cached_property
    def starts(self) -> Ints:
        """The row at which each ranking starts."""
        if not len(self):
            return np.zeros(0, np.int64)
        return np.append(0, np.flatnonzero(self.groups[1:] != self.groups[:-1]) + 1)

    @cached_property
    def rank(self) -> Ints:
        """The rank of each row, from 1."""
        ranks = np.arange(1, len(self) + 1)
        ranks -= np.repeat(self.starts, np.diff(self.starts, append=len(self)))
        return ranks

    def rows(self, keep: Mask | Ints) -> Runs:
        """The same runs with only these rows."""
        return replace(
            self, run=self.run[keep], topic=self.topic[keep], document=self.document[keep],
            scores=(lambda: self.score[keep]) if callable(self.scores) else self.scores[keep],
        )  # fmt: skip

    @property
    def loaded(self) -> Runs:
        """All of them, in memory."""
        return self

    def parts(self, tags: Collection[str] | None = None) -> Iterator[Runs]:
        """All of them, a few at a time where they are not in memory; then only those called `tags`, where given."""
        yield self

    def select(self, tags: Sequence[str]) -> Runs:
        """Only these runs, in the order they are here."""
        choice = np.isin(np.asarray(self.tags, dtype=object), np.asarray(list(tags), dtype=object))
        if choice.all():
            return self
        number = np.cumsum(choice) - 1
        rows = self.rows(choice[self.run] if self._run_ends is None else self._rows_of_runs(np.flatnonzero(choice)))
        return replace(rows, tags=tuple(np.asarray(self.tags, dtype=object)[choice]), run=number[rows.run])

    @cached_property
    def _run_ends(self) -> Ints | None:
        if np.any(self.run[1:] < self.run[:-1]):
            return None
        return np.searchsorted(self.run, np.arange(-1, len(self.tags)), "right")

    def _rows_of_runs(self, runs: Ints) -> Ints:
        ends = self._run_ends
        assert ends is not None
        parts = (np.arange(ends[run], ends[run + 1]) for run in runs.tolist())
        return np.concatenate([np.zeros(0, np.int64), *parts])

    def answering(self) -> Runs:
        """Only the runs that retrieved anything."""
        retrieved = np.bincount(self.run, minlength=len(self.tags))
        return self if retrieved.all() else self.select([self.tags[run] for run in np.flatnonzero(retrieved)])


def sort_runs(
    tags: Sequence[str],
    topics: Vocabulary,
    docnos: Vocabulary,
    *,
    run: Ints,
    topic: Ints,
    document: Ints,
    score: Floats,
) -> Runs:
    """Runs with their rows sorted into canonical order.

    >>> docnos = Vocabulary(["d1", "d10", "d9"])
    >>> rows, score = np.zeros(3, np.int64), np.array([0.5, 1.0, 1.0])
    >>> runs = sort_runs(["r"], Vocabulary(["q"]), docnos, run=rows, topic=rows, document=np.arange(3), score=score)
    >>> [docnos.names[d] for d in runs.document]
    ['d9', 'd10', 'd1']
    """
    return _ties_settled(
        _sort_by_descending_score(
            Runs(tuple(tags), topics, docnos, run=run, topic=topic, document=document, scores=score)
        )
    )


def _sort_by_descending_score(runs: Runs) -> Runs:
    """The rows grouped by run and topic and by descending score."""
    order = descending_order(runs.groups, runs.score)
    return runs if order is None else runs.rows(order)


def _ties_settled(runs: Runs) -> Runs:
    """The documents of each stretch of equal scores by docno, descending."""
    rows, stretch = tied_rows(runs.groups, runs.score)
    if not len(rows):
        return runs
    highest_first = runs.docnos.sorted_codes(runs.document[rows])[::-1]
    place = np.zeros(int(highest_first.max()) + 1, np.int64)
    place[highest_first] = np.arange(len(highest_first))
    key = np.sort(stretch * len(highest_first) + place[runs.document[rows]])
    document = runs.document.copy()
    document[rows] = highest_first[key % len(highest_first)]
    return replace(runs, document=document)


class Subtopics(NamedTuple):
    """What judgments say of single subtopics, sorted by judgment, then subtopic: to several of them, or to none.

    `judgment` is a row of the Qrels or of the `qrels_...` columns of Judged, `subtopic` an integer into `names`.
    """

    judgment: Ints
    subtopic: Ints
    grade: Ints
    names: Names

    def select_rows(self, rows: Mask | Ints, size: int) -> Subtopics:
        """Those of the judgments `rows`, of `size` there were, numbered by their new places.

        >>> names = np.array(["1", "2"], object)
        >>> about = Subtopics(np.array([0, 0, 2]), np.array([0, 1, 1]), np.array([1, 1, 2]), names)
        >>> about.select_rows(np.array([2, 0]), 3)[:3]
        (array([0, 1, 1]), array([1, 0, 1]), array([2, 1, 1]))
        """
        numbers = np.arange(size)[rows]
        place = np.full(size, -1)
        place[numbers] = np.arange(len(numbers))
        rows_there = np.flatnonzero(place[self.judgment] >= 0)
        rows_there = rows_there[np.lexsort((self.subtopic[rows_there], place[self.judgment[rows_there]]))]
        return Subtopics(
            place[self.judgment[rows_there]], self.subtopic[rows_there], self.grade[rows_there], self.names
        )


def is_judged(grade: Ints) -> Mask:
    """Whether each grade is a judgment: 0 or more, or -2 or less (junk, spam), which is not relevant; -1 is none.

    >>> is_judged(np.array([1, 0, -1, -2])).tolist()
    [True, True, False, True]
    """
    return np.not_equal(grade, UNJUDGED)


def lists_nonrelevant(grade: Ints) -> bool:
    """Return whether any grade is a judgment of "not relevant", so that the qrels do not list relevant documents only.

    >>> lists_nonrelevant(np.array([1, 0])), lists_nonrelevant(np.array([1, -2])), lists_nonrelevant(np.array([1, -1]))
    (True, True, False)
    """
    return bool(np.any(is_judged(grade) & (grade <= 0)))


def own_id_rows(rows: Runs | Qrels) -> Mask:
    """Return which documents have the id of their topic, by row of runs or judgments.

    >>> from cranfield.metrics.inputs import as_qrels
    >>> own_id_rows(as_qrels({"q": {"q": 0, "r": 1}})).tolist()
    [True, False]
    """
    return rows.docnos.equals(rows.document, rows.topics, rows.topic)


OWN_ID_RANKS = 10  # within which a query that is a document of the corpus finds itself
OWN_ID_SHARE = 0.1  # of the rankings; by chance a document of 1,000 is there in 1% of them


def is_own_id_systematic(found: int, rankings: int) -> bool:
    """Return whether so many rankings have their topic's id among the first 10 documents that it is not by chance.

    Topics and documents that are both numbered from 1 share ids by chance, which is rare among the first 10 documents.
    A query that is a document of the corpus comes first in nearly every ranking.

    >>> is_own_id_systematic(1, 64), is_own_id_systematic(60, 64), is_own_id_systematic(0, 0)
    (False, True, False)
    """
    return found > 0 and found >= OWN_ID_SHARE * rankings


Rows = TypeVar("Rows", "Runs", "Qrels")


def drop_own_id_rows(rows: Rows) -> Rows:
    """Return the rows whose document does not have the id of its topic; later documents move up."""
    return rows.rows(~own_id_rows(rows))


@dataclass(frozen=True, eq=False)
class Qrels:
    """Judgments: one row per (topic, document), sorted by both; `iteration` is the qrels' second column, where kept.

    Where the judged documents were sampled, `stratum` says from which stratum of the pool each comes; documents of the
    pool that were not judged are here too, with grade -1. In a store's scale -1 is a grade as any other: then
    `minus_one_judged`. Where subtopics were judged, `subtopics` holds that, docnos
    are in byte order, and `grade` is the best that any subtopic gave the document. Grades are int64, or float64 where
    any of them is a fraction.
    """

    topics: Vocabulary
    docnos: Vocabulary
    topic: Ints
    document: Ints
    grade: Ints
    iteration: Names | None = None
    stratum: Names | None = None
    subtopics: Subtopics | None = None
    minus_one_judged: bool = False

    def __len__(self) -> int:
        return len(self.topic)

    def rows(self, keep: Mask | Ints) -> Qrels:
        """The same judgments with only these rows."""
        return replace(
            self, topic=self.topic[keep], document=self.document[keep], grade=self.grade[keep],
            iteration=None if self.iteration is None else self.iteration[keep],
            stratum=None if self.stratum is None else self.stratum[keep],
            subtopics=self.subtopics and self.subtopics.select_rows(keep, len(self)),
        )  # fmt: skip

    @cached_property
    def judged_topics(self) -> Ints:
        """The topics that have a judgment, ascending."""
        return occurring_codes(self.topic)

    @property
    def judged(self) -> Mask:
        """Per row: is it a judgment? A grade of -1 is none, but in a store; one of -2 or lower is."""
        return is_judged(self.grade_or_unjudged)

    @property
    def grade_or_unjudged(self) -> Ints:
        """The grades where -1 always says that nobody judged: a grade of -1 that somebody gave is -2."""
        return np.where(self.grade == UNJUDGED, UNJUDGED - 1, self.grade) if self.minus_one_judged else self.grade

    @property
    def given_grades(self) -> Ints:
        """The grades that somebody gave: not those of a sample's documents that were not judged."""
        return self.grade if self.stratum is None else self.grade[self.grade != UNJUDGED]

    @property
    def sources(self) -> Names:
        """The second column of each judgment, empty where it was not saved."""
        return np.full(len(self), "", object) if self.iteration is None else self.iteration

    @property
    def pairs(self) -> list[Pair]:
        """Topic and document of each judgment, in the order of the rows."""
        qids, docnos = self.topics.names[self.topic], self.docnos.names[self.document]
        return list(zip(qids.tolist(), docnos.tolist(), strict=True))

    @property
    def qids(self) -> list[str]:
        """The ids of the topics that have a judgment, in byte order."""
        return sorted(self.topics.names[self.judged_topics].tolist())


def join_subtopics(
    topics: Vocabulary,
    docnos: Vocabulary,
    subtopics: Vocabulary,
    *,
    topic: Ints,
    document: Ints,
    subtopic: Ints,
    grade: Ints,
) -> Qrels:
    """Judgments of subtopics: one row a document, with the best grade that any subtopic gave it.

    >>> names, one = Vocabulary(["1", "2"]), np.zeros(3, np.int64)
    >>> document, subtopic, grade = np.array([0, 1, 0]), np.array([1, 0, 0]), np.array([2, 0, 1])
    >>> qrels = join_subtopics(names, names, names, topic=one, document=document, subtopic=subtopic, grade=grade)
    >>> qrels.document, qrels.grade, qrels.subtopics.judgment, qrels.subtopics.grade
    (array([0, 1]), array([2, 0]), array([0, 0, 1]), array([1, 2, 0]))
    """
    order = np.lexsort((subtopic, document, topic))
    topic, document, subtopic, grade = topic[order], document[order], subtopic[order], grade[order]
    first = np.flatnonzero((np.diff(topic, prepend=-1) != 0) | (np.diff(document, prepend=-1) != 0))
    judgment = np.repeat(np.arange(len(first)), np.diff(first, append=len(topic)))
    best = np.maximum.reduceat(grade, first) if len(first) else grade
    about = Subtopics(judgment, subtopic, grade, subtopics.names)
    return Qrels(topics, docnos, topic[first], document[first], best, subtopics=about)


Codes = NDArray[np.int64] | NDArray[np.int32]
Words = NDArray[np.uint64]
_DIGIT = 16  # bits that NumPy sorts in one pass, without comparing
_CACHED = 1 << 15  # rows that are packed at a time, and stay in the caches of a processor


def group_order(group: Codes) -> Ints:
    """The order of rows by group; the rows of a group, which is no less than 0, stay in the order they are in.

    >>> group_order(np.array([1, 70000, 1, 0]))
    array([3, 0, 2, 1])
    """
    order = np.argsort(group.astype(np.uint16), kind="stable")
    for shift in range(_DIGIT, int(group.max(initial=0)).bit_length(), _DIGIT):
        order = order[np.argsort((group[order] >> shift).astype(np.uint16), kind="stable")]
    return order


def descending_order(group: Codes, score: NDArray[np.float64]) -> Ints | None:
    """The order of rows by group and by descending score; None if they are in it, and groups that are stay as they are.

    >>> descending_order(np.array([0, 0, 1]), np.array([2.0, 1.0, 3.0])) is None
    True
    >>> descending_order(np.array([1, 0, 1]), np.array([2.0, 1.0, 3.0]))
    array([1, 2, 0])
    """
    if np.any(group[1:] < group[:-1]):
        return _sort_by_group_and_score(group, score)
    rising = (group[1:] == group[:-1]) & (score[1:] > score[:-1])
    if not rising.any():
        return None
    unsorted = np.zeros(int(group[-1]) + 1, bool)
    unsorted[group[1:][rising]] = True
    rows = np.flatnonzero(unsorted[group])
    order = np.arange(len(group))
    order[rows] = rows[_sort_by_group_and_score(group[rows], score[rows])]
    return order


def _sort_by_group_and_score(group: Codes, score: NDArray[np.float64]) -> Ints:
    order = np.argsort(-score)
    return order[group_order(group[order])]


def tied_rows(group: Codes, score: NDArray[np.float64]) -> tuple[Ints, Ints]:
    """Of rows in descending order: those with the score of a neighbour, and a number for each such stretch.

    >>> tied_rows(np.array([0, 0, 0, 1, 1]), np.array([2.0, 1.0, 1.0, 1.0, 1.0]))
    (array([1, 2, 3, 4]), array([0, 0, 1, 1]))
    """
    return _find_stretches((group[1:] == group[:-1]) & (score[1:] == score[:-1]), len(group))


def _find_stretches(same: NDArray[np.bool_], size: int) -> tuple[Ints, Ints]:
    """The rows that are the same as a neighbour, and a number for each stretch; `same` compares with the row before."""
    follows = np.append(False, same)[:size]
    rows = np.flatnonzero(follows | np.append(same, False)[:size])
    return rows, np.cumsum(~follows[rows]) - 1


def ascending_order(group: Ints, columns: Sequence[Words]) -> Ints:
    """The order of rows by group, then by the first column, by the second, and so on; where all are equal, any.

    The rows of a group stand together, and groups are numbered from 0, in order.

    >>> ascending_order(np.array([0, 0, 0, 1]), [np.array([2, 1, 2, 0], np.uint64), np.array([9, 9, 8, 0], np.uint64)])
    array([1, 2, 0, 3])
    """
    key, is_whole = _pack_sort_keys(group, columns)
    order = np.argsort(key)
    key = key[order]
    rows, stretch = _find_stretches(key[1:] == key[:-1], len(key))
    if len(rows) and not is_whole:
        ties = order[rows]
        order[rows] = ties[ascending_order(stretch, [column[ties] for column in columns])]
    return order


def distinct_rows(columns: Sequence[Words]) -> tuple[Ints, NDArray[np.bool_]]:
    """The order of rows by the columns, and for each row in this order whether it differs from the row before it.

    Equal rows stay in the order they are in where all that differs fits into one number, together with the row.

    >>> distinct_rows([np.array([9, 4, 9], np.uint64)])
    (array([1, 0, 2]), array([ True,  True, False]))
    """
    size = len(columns[0])
    bits = max(size - 1, 0).bit_length()
    key, is_whole = _pack_sort_keys(np.zeros(size, np.int64), columns, 64 - bits)
    if not is_whole:
        order = ascending_order(np.zeros(size, np.int64), columns)
        is_new = np.arange(size) == 0
        for column in columns:
            values = column[order]
            is_new[1:] |= values[1:] != values[:-1]
        return order, is_new
    key <<= np.uint64(bits)
    key |= np.arange(size, dtype=np.uint64)
    key.sort()
    order = (key & np.uint64((1 << bits) - 1)).astype(np.int64)
    key >>= np.uint64(bits)
    return order, np.append(True, key[1:] != key[:-1])[:size]


def _pack_sort_keys(group: Ints, columns: Sequence[Words], room: int = 64) -> tuple[Words, bool]:
    """The group and what first differs within groups in one number, and whether that is all that differs.

    The number has at most `room` bits, which suffice for the groups.
    """
    is_one_group = not group[-1:].any()
    first = np.zeros(1, np.int64) if is_one_group else np.flatnonzero(np.append(True, group[1:] != group[:-1]))[group]
    parts, is_whole = _varying_bits(columns, first, room - int(group[-1:].sum()).bit_length())
    key = group.astype(np.uint64)
    for start in range(0, len(key), _CACHED):
        rows = slice(start, start + _CACHED)
        some = key[rows]
        for column, shift, size in parts:
            bits = columns[column][rows] >> np.uint64(shift)
            bits &= np.uint64((1 << size) - 1)
            some <<= np.uint64(size)
            some |= bits
    return key, is_whole


def _varying_bits(columns: Sequence[Words], first: Ints, room: int) -> tuple[list[tuple[int, int, int]], bool]:
    """The bits that differ within groups: column, lowest bit and number, at most `room` in all; whether these are all.

    `first` is the first row of each row's group, or of all rows.
    """
    parts = list[tuple[int, int, int]]()
    for number, column in enumerate(columns):
        varying = int(np.bitwise_or.reduce(column ^ column[first])) if len(column) else 0
        for shift in range(56, -1, -8):
            bits = (varying >> shift & 255).bit_length()
            size = min(bits, room)
            if size:
                parts.append((number, shift + bits - size, size))
                room -= size
            if size < bits:
                return parts, False
    return parts, True
