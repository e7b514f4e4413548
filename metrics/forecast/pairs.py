"""Numbers for documents and topics that runs and judgments share, and the ranks of pairs in the pooled runs."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Floats, Ints, Mask, Qrels, Runs, Vocabulary

FAR = 3000  # rank of a document that a run did not retrieve
MAX_TABLE = 1 << 26  # entries of a table of topics and documents; larger ones are searched instead
ROWS_TOGETHER = 1 << 16
MAX_RANK = int(np.iinfo(np.int16).max)


class RankedRows(NamedTuple):
    """Retrieved documents of judged topics, by run, topic and rank; `pair` is -1 for an unjudged document."""

    run: Ints
    topic: Ints
    document: Ints
    rank: Ints
    pair: Ints


def find_keys(keys: Ints, among: Ints, size: int) -> Ints:
    """Return the place of each key among ascending distinct keys below `size`, -1 where it is missing."""
    return key_finder(among, size)(keys)


def key_finder(among: Ints, size: int) -> Callable[[Ints], Ints]:
    """Return the function that finds keys among ascending distinct keys below `size`.

    Examples
    --------
    >>> key_finder(np.array([2, 5]), 6)(np.array([5, 3, 6]))
    array([ 1, -1, -1])
    """
    if size <= MAX_TABLE:
        table = np.full(size + 1, -1, np.int32)
        table[among] = np.arange(len(among))
        return lambda keys: table[keys].astype(np.int64)
    return lambda keys: _search(keys, among)


def _search(keys: Ints, among: Ints) -> Ints:
    if not len(among):
        return np.full(len(keys), -1)
    place = np.minimum(np.searchsorted(among, keys), len(among) - 1)
    return np.where(among[place] == keys, place, -1)


def joint_vocabulary(first: Vocabulary, *others: Vocabulary) -> tuple[Vocabulary, list[Ints | None]]:
    """Return one vocabulary that begins with `first`, and the numbers in it of the other ones' names.

    The numbers are None where a vocabulary is `first` itself.
    """
    numbers: dict[str, int] = {}
    places = list[Ints | None]()
    for other in others:
        if other is first:
            places.append(None)
            continue
        numbers = numbers or {name: number for number, name in enumerate(first.names.tolist())}
        places.append(np.array([numbers.setdefault(name, len(numbers)) for name in other.names.tolist()], np.int64))
    if not numbers or len(numbers) <= len(first.names):
        return first, places
    return Vocabulary(list(numbers)), places


def recode_codes(codes: Ints, places: Ints | None) -> Ints:
    """Return the numbers of these codes in a joint vocabulary."""
    return codes if places is None else places[codes]


@dataclass(frozen=True, eq=False)
class JudgedPairs:
    """The judged pairs of topic and document, ascending, with the label of each.

    `row` is the row of the qrels that each pair comes from.
    """

    qids: tuple[str, ...]
    docnos: Vocabulary
    topic: Ints
    document: Ints
    grade: Ints
    relevant: Mask
    row: Ints

    @cached_property
    def n_documents(self) -> int:
        """A bound above the numbers of the judged documents."""
        return int(self.document.max(initial=-1)) + 1

    @cached_property
    def keys(self) -> Ints:
        """One number for each pair, ascending."""
        return self.topic * self.n_documents + self.document

    @property
    def size(self) -> int:
        """A bound above all keys."""
        return len(self.qids) * self.n_documents

    def rows_of(self, runs: Runs, places: Ints | None, run_order: Ints, depth: int | None = None) -> RankedRows:
        """Return the rows of runs for judged topics; `run_order` has the new number of each run.

        With `depth`, rows below it are left out unless they were judged. A few rows are worked on at a time, so that
        they stay in the processor's cache.
        """
        topics, find = runs.topics.codes_in(Vocabulary(self.qids)), key_finder(self.keys, self.size)
        is_judged = np.zeros(self.n_documents + 1, bool)
        is_judged[self.document] = True
        parts = [RankedRows(*(np.zeros(0, np.int64) for _ in RankedRows._fields))]
        for start in range(0, len(runs), ROWS_TOGETHER):
            block = slice(start, start + ROWS_TOGETHER)
            topic, document, rank = (
                topics[runs.topic[block]],
                recode_codes(runs.document[block], places),
                runs.rank[block],
            )
            known = np.minimum(document, self.n_documents)
            keep = topic >= 0 if depth is None else (topic >= 0) & ((rank <= depth) | is_judged[known])
            kept = np.flatnonzero(keep)
            topic, document, rank, known = topic[kept], document[kept], rank[kept], known[kept]
            pair = find(np.where(is_judged[known], topic * self.n_documents + known, self.size))
            part = RankedRows(run_order[runs.run[block][kept]], topic, document, rank, pair)
            if depth is not None:
                part = RankedRows(*(column[(rank <= depth) | (pair >= 0)] for column in part))
            parts.append(part)
        rows = RankedRows(*(np.concatenate(column) for column in zip(*parts, strict=True)))
        ranking = rows.run * len(self.qids) + rows.topic
        if np.any(ranking[1:] < ranking[:-1]):
            order = np.argsort(ranking, kind="stable")
            rows = RankedRows(*(column[order] for column in rows))
        return rows


def lowest_relevant_grade(qrels: Qrels, rel: float) -> float:
    """Return the lowest grade that is drawn as relevant: `rel`, at least 1; of fractional grades the lowest above 0.

    Measures by gains count a grade of 0.5, so that a document of this grade has to be drawn as well.

    Examples
    --------
    >>> from cranfield.metrics.inputs import as_qrels
    >>> [lowest_relevant_grade(as_qrels({"q": grades}), 1) for grades in ({"d": 0.5, "e": 1}, {"d": 2})]
    [0.5, 1]
    """
    if qrels.grade.dtype.kind != "f":
        return max(rel, 1)
    positive = qrels.grade[qrels.grade > 0]
    return float(min(rel, positive.min(initial=1))) if rel > 0 else float(positive.min(initial=1))


def judged_pairs(qrels: Qrels, docnos: Vocabulary, places: Ints | None, rel: float) -> JudgedPairs:
    """Return the judged pairs of qrels by the numbers of a joint vocabulary."""
    qids = tuple(qrels.qids)
    rows = np.flatnonzero(qrels.judged)
    topic = qrels.topics.translate(qrels.topic[rows], Vocabulary(qids))
    document, grade = recode_codes(qrels.document[rows], places), qrels.grade_or_unjudged[rows]
    order = np.lexsort((document, topic))
    topic, document, grade = topic[order], document[order], grade[order]
    return JudgedPairs(qids, docnos, topic, document, grade, grade >= rel, rows[order])


def rank_matrix(rows: RankedRows, pair: Ints, n_pairs: int, n_runs: int) -> NDArray[np.int16]:
    """Return the rank of each pair in each run, an array (pairs, runs); `pair` is the pair of each row or -1."""
    ranks = np.full((n_pairs, n_runs), FAR, np.int16)
    keep = pair >= 0
    ranks[pair[keep], rows.run[keep]] = np.minimum(rows.rank[keep], MAX_RANK)
    return ranks


def rank_features(ranks: NDArray[np.int16], kept: Mask) -> Floats:
    """Return log best rank, reciprocal rank fusion and share in the first 100 of the kept runs: (pairs, 3)."""
    fewer = ranks[:, kept]
    fused = RECIPROCAL[fewer].mean(axis=1) * 60 if len(fewer) else np.zeros(0)
    return np.stack(
        [np.log(fewer.min(axis=1, initial=MAX_RANK).astype(float)), fused, (fewer <= 100).mean(axis=1)], axis=1
    )


RECIPROCAL = 1 / (60 + np.arange(MAX_RANK + 1.0))
