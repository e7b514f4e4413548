"""Plain dicts: converted to Runs and Qrels, or joined without either, which is faster for one small run.

What is not plain gives None: frames.py then converts what it can, and says what is wrong.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, repeat
from math import isnan
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np

from cranfield.arrays.judged import Judged, Unmet, respellings
from cranfield.arrays.rankings import (
    GRADE_LIMIT,
    OWN_ID_RANKS,
    Floats,
    Ints,
    Mask,
    Qrels,
    Runs,
    Vocabulary,
    as_grades,
    lists_nonrelevant,
    sort_runs,
)
from cranfield.errors import give_warning
from cranfield.formats.named import topic_document_columns
from cranfield.formats.runs import CONSTANT_SCORES, scanner_in_c
from cranfield.text import counted

NUMBERS = (int, float, np.integer, np.floating)


class PlainRows(NamedTuple):
    """One row per topic and document: their numbers, and the score or grade."""

    topics: Vocabulary
    docnos: Vocabulary
    topic: Ints
    document: Ints
    value: Floats | Ints


def runs_from_plain_dict(runs_by_tag: Mapping[str, Any]) -> Runs | None:
    """The runs of a dict {tag: {qid: {docno: score}}}, in canonical order; None where it is not plain.

    >>> runs = runs_from_plain_dict({"bm25": {"q1": {"d1": 1.0, "d2": 2}}})
    >>> runs.docnos.names[runs.document]
    array(['d2', 'd1'], dtype=object)
    >>> runs_from_plain_dict({"bm25": {1: {"d1": 1.0}}}), runs_from_plain_dict({"bm25": {"q1": {"d1": float("nan")}}})
    (None, None)
    """
    runs = list(runs_by_tag.values())
    if (
        not _are_text(runs_by_tag)
        or not all(isinstance(run, Mapping) for run in runs)
        or any(map(find_table_columns, runs))
    ):
        return None
    rows = _flatten_dicts(list(chain.from_iterable(run.items() for run in runs)))
    if rows is None or np.isnan(rows.value).any():
        return None
    run = np.repeat(np.arange(len(runs)), [sum(map(len, run.values())) for run in runs])
    return sort_runs(
        list(runs_by_tag),
        rows.topics,
        rows.docnos,
        run=run,
        topic=rows.topic,
        document=rows.document,
        score=rows.value.astype(float),
    )


def qrels_from_plain_dict(by_topic: Mapping[str, Any]) -> Qrels | None:
    """The judgments of a dict {qid: {docno: grade}}; None where it is not plain, or a grade is none.

    >>> qrels_from_plain_dict({"q1": {"d1": 1, "d2": 0.0}}).grade
    array([1, 0])
    >>> qrels_from_plain_dict({"q1": {"d1": 0.5, "d2": 2}}).grade
    array([0.5, 2. ])
    """
    rows = None if find_table_columns(by_topic) else _flatten_dicts(list(by_topic.items()))
    if rows is None or not are_grades(rows.value).all():
        return None
    topics, docnos, topic, document, value = rows
    return Qrels(topics, docnos, topic, document, as_grades(value)).rows(np.lexsort((document, topic)))


def find_table_columns(by_topic: Mapping[Any, Any]) -> str:
    """Two columns of a table in a dict, by column or by row, as DataFrame.to_dict makes it; "" for other dicts.

    >>> find_table_columns({"qid": {0: "q1"}, "docno": {0: "d1"}})
    "'qid' and 'docno'"
    >>> find_table_columns({0: {"qid": "q1", "docno": "d1"}})
    "'qid' and 'docno'"
    >>> find_table_columns({"q1": {"d1": 1}})
    ''
    """
    first = next(iter(by_topic.values()), None)
    return topic_document_columns(by_topic) or (topic_document_columns(first) if isinstance(first, Mapping) else "")


def runs_with_constant_scores(runs_by_tag: Mapping[str, Any]) -> list[str]:
    """The tags of runs whose documents have the same score in each topic with several documents.

    >>> runs_with_constant_scores({"a": {"q1": {"d1": 1, "d2": 1.0}, "q2": {"d1": 2}}, "b": {"q1": {"d1": 1}}})
    ['a']
    """
    return [tag for tag, run in runs_by_tag.items() if _has_constant_scores(run)]


def note_constant_scores(runs_by_tag: Mapping[str, Any], note: Callable[[str], object]) -> None:
    """Report once the runs in dicts in which no score orders documents."""
    if tags := runs_with_constant_scores(runs_by_tag):
        note(f"{first_run_and_others_text(tags)}: {CONSTANT_SCORES}")


def first_run_and_others_text(tags: Sequence[str]) -> str:
    """The first of these runs and the number of the others.

    >>> first_run_and_others_text(["a"]), first_run_and_others_text(["a", "b"])
    ("run 'a'", "run 'a' and 1 other run")
    """
    others = f" and {counted(len(tags) - 1, 'other run')}" if len(tags) > 1 else ""
    return f"run {tags[0]!r}{others}"


def _has_constant_scores(run: Mapping[str, Mapping[str, Any]]) -> bool:
    has_several = False
    for ranking in run.values():
        if len(ranking) > 1:
            scores = iter(ranking.values())
            first = next(scores)
            if any(score != first for score in scores):
                return False
            has_several = True
    return has_several


def _flatten_dicts(lists: list[tuple[Any, Any]]) -> PlainRows | None:
    """Pairs of a topic and its dict, row by row; a topic without documents has none."""
    if not all(isinstance(documents, Mapping) for _, documents in lists):
        return None
    qids = [qid for qid, documents in lists if documents]
    docnos = list(chain.from_iterable(documents for _, documents in lists))
    value = _plain_numbers(list(chain.from_iterable(documents.values() for _, documents in lists)))
    if value is None or not _are_text(qids) or not _are_text(docnos):
        return None
    topics, names = Vocabulary(sorted(set(qids))), Vocabulary(sorted(set(docnos)))
    topic = np.repeat(topics.codes(qids), [len(documents) for _, documents in lists if documents])
    return PlainRows(topics, names, topic, names.codes(docnos), value)


def _are_text(ids: Iterable[object]) -> bool:
    return set(map(type, ids)) <= {str}


def _plain_numbers(values: list[object]) -> Floats | Ints | None:
    """The numbers; None where one is none, or a whole number of more than 64 bits."""
    if not all(issubclass(kind, NUMBERS) for kind in set(map(type, values))):
        return None
    numbers = np.array(values)
    return numbers if numbers.dtype.kind in "biuf" else None


def are_grades(numbers: Floats | Ints) -> Mask:
    """Whether each is a grade: a number below 10^18, as in files, and whole if it is negative.

    >>> are_grades(np.array([2.0, 0.5, np.nan, 1e18])), are_grades(np.array([2**63, 1], np.uint64))
    (array([ True,  True, False, False]), array([False,  True]))
    >>> are_grades(np.array([-2.0, -1.5, -0.5]))
    array([ True, False, False])
    """
    is_whole = numbers % 1 == 0 if numbers.dtype.kind == "f" and (numbers < 0).any() else np.True_
    return np.asarray((numbers < GRADE_LIMIT) & (numbers > -GRADE_LIMIT) & ((numbers >= 0) | is_whole))


Run: TypeAlias = Mapping[str, Mapping[str, Any]]
Positions: TypeAlias = Callable[[Mapping[str, Any], Mapping[str, int]], bytes | None]


class DictJudgments:
    """Judgments by topic and docno, for runs in dicts, which meet them without vocabularies.

    The judgments are those of `bare`; `places` has, for each topic, the place of each of its documents among them.

    >>> from cranfield.metrics.examples import example
    >>> judgments = DictJudgments(example([1, 0]), [{"d1": 0, "d2": 1}])
    >>> judgments.meet({"run": {"topic": {"d9": 3.0, "d2": 2.0}}}).rank
    array([2])
    >>> judgments.meet({"run": {"topic": {"d9": 3.0}}}), judgments.meet({"run": {"topic": {1: 3.0}}})
    (None, None)
    """

    def __init__(self, bare: Judged, places: Sequence[Mapping[str, int]]) -> None:
        self.bare = bare
        self._topics = {qid: (topic, places[topic]) for topic, qid in enumerate(bare.qids)}
        self._own_ids = sum([qid in places[topic] for topic, qid in enumerate(bare.qids)])
        self._other_forms = frozenset(respellings(chain.from_iterable(places)))

    def meet(self, runs: Mapping[str, Any]) -> Judged | None:
        """What `Judgments.meet` gives; None where runs are not plain, or one of them retrieved no judged document.

        None also where a run has another normal form of a judged docno.
        """
        positions = _position_finder(runs)
        judged = None if positions is None else self._meet(runs, positions)
        if judged is None or (
            self._other_forms
            and any(not self._other_forms.isdisjoint(ranking) for run in runs.values() for ranking in run.values())
        ):
            return None
        labelled = np.asarray(judged.any_judged.reshape(judged.shape).any(axis=1)).tolist()
        if any(not is_met and any(map(len, run.values())) for is_met, run in zip(labelled, runs.values(), strict=True)):
            return None
        other = {qid for run in runs.values() for qid in run.keys() - self._topics.keys() if run[qid]}
        own_id_pairs = [(ranking, qid) for run in runs.values() for qid, ranking in run.items() if qid in ranking]
        own_ids = len(own_id_pairs)
        if not other and not own_ids and not self._own_ids:
            return judged
        better = [sum(score > ranking[qid] for score in ranking.values()) for ranking, qid in own_id_pairs]
        first = sum(number < OWN_ID_RANKS for number in better)
        own = {"own_ids": own_ids, "judged_own_ids": self._own_ids, "first_own_ids": first}
        return judged.copy_with(unmet=Unmet(tuple(sorted(other)), **own))

    def _meet(self, runs: Mapping[str, Run], positions: Positions) -> Judged | None:
        topics, parts, counts = len(self._topics), list[bytes](), np.zeros(len(runs) * len(self._topics), np.int64)
        rankings, sizes = list[int](), list[int]()
        for number, run in enumerate(runs.values()):
            if any(positions(run[qid], {}) is None for qid in run.keys() - self._topics.keys()):
                return None
            for topic, judgments, retrieved in sorted(
                (*self._topics[qid], run[qid]) for qid in run.keys() & self._topics.keys()
            ):
                there = positions(retrieved, judgments)
                if there is None:
                    return None
                parts.append(there)
                rankings.append(number * topics + topic)
                sizes.append(len(retrieved))
        ranking = np.array(rankings, np.int64)
        counts[ranking] = sizes
        rank, judgment = np.frombuffer(b"".join(parts), np.int64).reshape(-1, 2).T.copy()
        return self.bare.copy_with(
            tags=tuple(runs), ranking=ranking.repeat([len(there) // 16 for there in parts]),
            rank=rank, grade=self.bare.qrels_grade[judgment], judgment=judgment, retrieved=counts,
        )  # fmt: skip


def _position_finder(runs: Mapping[str, Any]) -> Positions | None:
    """What finds the judged documents of a topic; None where the runs are not plain, or a score is not a number."""
    if not _are_mappings(runs.values()) or not _are_text(chain(runs, *runs.values())):
        return None
    if scanner := scanner_in_c():
        return cast("Positions", scanner.meet)
    rankings = list(chain.from_iterable(map(_values, runs.values())))
    if not _are_mappings(rankings) or not _are_text(chain.from_iterable(rankings)):
        return None
    scores = list(chain.from_iterable(map(_values, rankings)))
    if set(map(type, scores)) <= {float}:  # infinities of both signs may be left to others as well
        return None if isnan(sum(scores)) else packed_judged_ranks
    numbers = _plain_numbers(scores)
    return None if numbers is None or np.isnan(numbers).any() else _positions_of_floats


def packed_judged_ranks(retrieved: Mapping[str, float], judgments: Mapping[str, int]) -> bytes:
    """Rank and judgment of each judged document of a topic in turn, 8 bytes each, as the compiled scanner gives them.

    >>> np.frombuffer(packed_judged_ranks({"d1": 1.0, "d3": 1.0, "d2": 2.0}, {"d1": 7, "d3": 8}), np.int64)
    array([2, 8, 3, 7])
    """
    ties = len(set(retrieved.values())) < len(retrieved)
    ranking = sorted(sorted(retrieved, reverse=True) if ties else retrieved, key=retrieved.__getitem__, reverse=True)
    numbers = np.fromiter(map(judgments.get, ranking, repeat(-1)), np.int64, len(ranking))
    rows = np.flatnonzero(numbers >= 0)
    return np.stack([rows + 1, numbers[rows]], axis=-1).tobytes()


def _positions_of_floats(retrieved: Mapping[str, Any], judgments: Mapping[str, int]) -> bytes:
    return packed_judged_ranks({docno: float(score) for docno, score in retrieved.items()}, judgments)


def dict_judgments(qrels: Mapping[str, Any]) -> DictJudgments | None:
    """The judgments of a dict {qid: {docno: grade}}; None where it is not plain, or a grade is not of a whole type.

    >>> dict_judgments({"q2": {"d1": 0}, "q1": {"d1": 2, "d2": 1}}).bare.qrels_grade
    array([2, 1, 0])
    >>> dict_judgments({"q1": {"d1": 1.0}})
    """
    if not _are_mappings(qrels.values()) or not _are_text(qrels) or find_table_columns(qrels):
        return None
    qids, scanner = tuple(sorted(qid for qid, documents in qrels.items() if documents)), scanner_in_c()
    places, grades, first = list[dict[str, int]](), list[bytes](), 0
    for qid in qids:
        numbering = (scanner and scanner.number(qrels[qid], first)) or number_documents(qrels[qid], first)
        if numbering is None:
            return None
        places.append(numbering[0])
        grades.append(numbering[1])
        first += len(numbering[0])
    return DictJudgments(_judgments_without_runs(qids, tuple(map(len, places)), b"".join(grades)), places)


def number_documents(documents: Mapping[str, Any], first: int) -> tuple[dict[str, int], bytes] | None:
    """The places of the documents of a topic, counted from `first`, and their grades, as the scanner numbers them.

    >>> places, grades = number_documents({"d1": 1, "d2": 0}, 5)
    >>> places, np.frombuffer(grades, np.int64)
    ({'d1': 5, 'd2': 6}, array([1, 0]))
    >>> number_documents({"d1": 0.5}, 0)
    """
    grade = _plain_numbers(list(_values(documents)))
    if grade is None or grade.dtype.kind != "i" or not _are_text(documents) or not are_grades(grade).all():
        return None
    return dict(zip(documents, range(first, first + len(grade)), strict=True)), grade.astype(np.int64).tobytes()


@lru_cache(2)
def _judgments_without_runs(qids: tuple[str, ...], sizes: tuple[int, ...], grades: bytes) -> Judged:
    """Judgments that no run has met; the same as before where they are equal, with what was worked out of them."""
    grade, empty, topic = np.frombuffer(grades, np.int64), np.zeros(0, np.int64), np.repeat(np.arange(len(qids)), sizes)
    return Judged(
        (), qids, empty, rank=empty, grade=empty, judgment=empty, retrieved=empty, qrels_topic=topic,
        qrels_grade=grade, qrels_row=np.arange(len(grade)), highest_grade=int(grade.max(initial=0)),
        has_nonrelevant=lists_nonrelevant(grade),
    )  # fmt: skip


def joined_dicts(runs: object, qrels: object) -> Judged | None:
    """The judged positions of runs {tag: {qid: {docno: score}}}, or of one {qid: {docno: score}}; None: not plain.

    >>> joined_dicts({"q": {"d2": 2.0, "d1": 1.0}}, {"q": {"d1": 1}}).rank
    array([2])
    >>> joined_dicts({"q": {"d1": 1}}, {"q": {"d1": 3.0}})  # exchanged, perhaps
    """
    if not isinstance(runs, Mapping) or not isinstance(qrels, Mapping) or not _are_mappings(runs.values()):
        return None
    judgments = dict_judgments(qrels)
    if judgments is None:
        return None
    first = next(chain.from_iterable(map(_values, runs.values())), None)
    runs_by_tag = runs if isinstance(first, Mapping) else {"run": runs}
    judged = None if any(map(find_table_columns, runs_by_tag.values())) else judgments.meet(runs_by_tag)
    if judged is not None:
        note_constant_scores(runs_by_tag, give_warning)
    return judged


def _values(mapping: Mapping[str, Any]) -> Iterable[Any]:
    return mapping.values()


def _are_mappings(values: Iterable[object]) -> bool:
    return all(issubclass(kind, Mapping) for kind in set(map(type, values)))
