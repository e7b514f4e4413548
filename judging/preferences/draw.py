"""Which pairs to compare: neighbours within a grade, what assessors order differently, or those of a file.

adjacent: the documents of a topic with the same grade, if that is a relevant one, in the order that reciprocal rank
fusion gives all runs; each with the next. So grades are made finer where they cannot tell documents apart.
disputed: two documents of which one person's label is higher for the first, and another's for the second.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, pairwise

from cranfield.errors import InputError
from cranfield.formats.files import STANDARD_STREAM, opened
from cranfield.judging.labels.derive import derive
from cranfield.pooling.fusion import fuse
from cranfield.pooling.methods.table import METHODS
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.log import add_assessor
from cranfield.store.preferences import DocumentPair, add_pairs, check_known, document_pair, pairs_of
from cranfield.store.runs import run_info, stored_runs
from cranfield.store.store import Store

ADJACENT, DISPUTED, FILE = "adjacent", "disputed", "file"
MOST = 1_000_000  # documents of a topic that are put in order


def give_pairs(
    store: Store, assessor: str, source: str, topics: Collection[str] | None = None, kind: str = "human"
) -> int:
    """Give an assessor the pairs of a source to compare, besides those given before; how many are new."""
    drawn = [pair for pair in drawn_pairs(store, source) if not topics or pair.qid in topics]
    if not drawn and not pairs_of(store, assessor):
        raise nothing_drawn(source, topics)
    add_assessor(store, assessor, kind)
    return add_pairs(store, assessor, drawn, source if source in (ADJACENT, DISPUTED) else FILE)


def drawn_pairs(store: Store, source: str) -> list[DocumentPair]:
    """The pairs of a source: adjacent, disputed, or a file."""
    if source == ADJACENT:
        return list(dict.fromkeys(_adjacent(store)))
    if source == DISPUTED:
        return list(dict.fromkeys(_disputed(store)))
    if source != STANDARD_STREAM and not os.path.exists(source):
        raise InputError("no such file, and neither adjacent nor disputed", source)
    found = read_pairs(source)
    check_known(store, found)
    return found


def nothing_drawn(source: str, topics: Collection[str] | None = None) -> InputError:
    """The error where a source has no pairs."""
    reasons = {
        ADJACENT: "no two documents of a topic have the same relevant grade",
        DISPUTED: "no two assessors order two documents of a topic differently",
    }
    return InputError(f"{reasons.get(source, f'no pairs in {source}')}{' in these topics' if topics else ''}")


def read_pairs(path: str) -> list[DocumentPair]:
    """The pairs of a file of lines `qid docno docno`."""
    found: dict[DocumentPair, int] = {}
    with opened(path) as source:
        for number, line in source.lines():
            columns = line.split()
            if len(columns) != 3 and columns:
                raise InputError(f"{len(columns)} columns where pairs have 3: qid docno docno", path, number)
            if columns and columns[1] == columns[2]:
                raise InputError(f"document {columns[1]!r} beside itself; expected two documents", path, number)
            if columns:
                found.setdefault(document_pair(*columns), number)
    if not found:
        raise InputError("no pairs; expected lines of qid docno docno", path)
    return list(found)


def _adjacent(store: Store) -> Iterator[DocumentPair]:
    labels, least = derive(store).labels, store.collection.min_relevant
    for qid, ranking in _fused(store).items():
        groups: dict[int, list[str]] = {}
        for docno in ranking:
            grade = labels.get((qid, docno), least - 1)
            if grade >= least:
                groups.setdefault(grade, []).append(docno)
        yield from (document_pair(qid, *two) for group in groups.values() for two in pairwise(group))


def _fused(store: Store) -> dict[str, list[str]]:
    """The documents of each topic in the order that all runs together give them."""
    runs = stored_runs(store, [tag for tag, info in run_info(store).items() if info.kind != "fused"])
    if not runs.tags:
        raise InputError("adjacent pairs need runs; `cranfield import runs` adds some, or give a FILE of pairs")
    fused = fuse(runs, METHODS["rrf"], depth=MOST, keep=MOST)
    found: dict[str, list[str]] = {}
    topics, docnos = fused.topics.names[fused.topic].tolist(), fused.docnos.names[fused.document].tolist()
    for qid, docno in zip(topics, docnos, strict=True):
        found.setdefault(qid, []).append(docno)
    return found


def _disputed(store: Store) -> Iterator[DocumentPair]:
    grades: dict[str, dict[str, dict[str, int]]] = {}
    for (qid, docno), labels in derive(store, whose=LabelledBy.people).by_pair.items():
        for vote in labels.votes:
            if vote.grade is not None:
                grades.setdefault(qid, {}).setdefault(vote.assessor, {})[docno] = vote.grade
    for qid, by_assessor in grades.items():
        for one, other in combinations(by_assessor.values(), 2):
            yield from (document_pair(qid, *two) for two in _reversed(one, other))


def _reversed(one: dict[str, int], other: dict[str, int]) -> Iterator[Sequence[str]]:
    for a, b in combinations(sorted(one.keys() & other.keys()), 2):
        if (one[a] - one[b]) * (other[a] - other[b]) < 0:
            yield a, b
