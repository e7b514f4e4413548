"""The one place where runs meet judgments: Runs and Qrels in, Judged out."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.judged import Judged, Respelling, Unmet, respelled_among, respelled_line, respellings
from cranfield.arrays.rankings import (
    OWN_ID_RANKS,
    Ints,
    Mask,
    Names,
    Qrels,
    Runs,
    Vocabulary,
    distinct_codes_and_places,
    is_judged,
    lists_nonrelevant,
    occurring_codes,
    own_id_rows,
)
from cranfield.errors import InputError

COLUMNS = ("ranking", "rank", "grade", "judgment", "retrieved")  # of Judged, those that each run has for itself
TABLE_SIZE = 1 << 24  # up to which judgments are looked up in a table of topics x documents
TOGETHER = 4  # runs that are scored at a time: what measures work out from the judgments alone, they do once for them


class Rankings(NamedTuple):
    """Rankings in canonical order of which only some rows are kept: at least those whose document was judged.

    `run`, `topic` and `length` are of each ranking, `topic` an integer into `topics`. `row` counts all retrieved
    documents from 0, one ranking after the other; `document` is the integer of each row kept in some vocabulary.
    `first` is a docno as it is in the file. Where all rows kept were judged, `judgment` may have the judgment of each
    instead of `document`.
    """

    tags: tuple[str, ...]
    topics: Vocabulary
    run: Ints
    topic: Ints
    length: Ints
    row: Ints
    document: Ints
    first: str = ""
    judgment: Ints | None = None


class _OtherForms(NamedTuple):
    """Other normal forms of judged docnos, the judged docno of each, and its place among the judged documents."""

    names: Sequence[str]
    judged: Sequence[str]
    place: Ints

    def pairs(self, numbers: Ints) -> tuple[Respelling, ...]:
        """These forms, each once, with the judged docnos."""
        return tuple(sorted({(self.names[number], self.judged[number]) for number in numbers.tolist()}))


class Judgments:
    """Qrels made ready to meet runs, one batch of them after the other.

    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> judgments = Judgments(as_qrels({"q1": {"d1": 1, "d2": 0}}))
    >>> first, second = judgments.meet(as_runs({"q1": {"d2": 1.0}})), judgments.meet(as_runs({"q1": {"d1": 1.0}}))
    >>> batch = stack_batches([first, second])
    >>> batch.shape, batch.grade, batch.judgment
    ((2, 1), array([0, 1]), array([1, 0]))
    """

    def __init__(self, qrels: Qrels) -> None:
        self._topics, self._docnos = Vocabulary(qrels.qids), qrels.docnos
        topic = qrels.topics.translate(qrels.topic, self._topics)
        row = np.lexsort((qrels.document, topic))
        self._document = qrels.document[row]
        self._documents, document = distinct_codes_and_places(self._document)
        self._place = np.full(int(self._documents.max(initial=-1)) + 2, -1)  # of each docno among the documents
        self._place[self._documents] = np.arange(len(self._documents))
        self._judgment = _place_finder(
            topic[row] * len(self._documents) + document, len(qrels.qids) * len(self._documents)
        )
        empty = np.zeros(0, np.int64)
        self._nobody = Judged(
            (),
            tuple(qrels.qids),
            empty,
            rank=empty,
            grade=empty,
            judgment=empty,
            retrieved=empty,
            qrels_topic=topic[row],
            qrels_grade=qrels.grade_or_unjudged[row],
            qrels_row=row,
            highest_grade=qrels.grade.max(initial=0).item(),
            has_nonrelevant=lists_nonrelevant(qrels.grade_or_unjudged),
            unmet=Unmet(judged_own_ids=int(np.count_nonzero(own_id_rows(qrels)))),
            qrels_stratum=None if qrels.stratum is None else np.unique(qrels.stratum, return_inverse=True)[1][row],
            subtopics=qrels.subtopics and qrels.subtopics.select_rows(row, len(qrels)),
        )
        self._qids, self._is_met = list[str](), False

    @cached_property
    def docnos(self) -> Vocabulary:
        """The judged docnos, maybe others, and at the end the other normal forms of judged docnos."""
        forms = self._forms.names
        return Vocabulary([*self._docnos.names, *forms]) if forms else self._docnos

    @cached_property
    def _forms(self) -> "_OtherForms":
        names = self._docnos.names[self._documents].tolist()
        forms = respellings(names)
        place = dict(zip(names, range(len(names)), strict=True)) if forms else {}
        return _OtherForms([*forms], [*forms.values()], np.array([place[name] for name in forms.values()], np.int64))

    @property
    def pairs(self) -> tuple[Sequence[str], Ints, Names]:
        """The judged topics, and the topic and the docno of each document to look for, by topic.

        They are the judged documents, their other normal forms, and the document that has the topic's id.
        """
        return self._nobody.qids, *self._wanted[:2]

    @cached_property
    def _wanted(self) -> tuple[Ints, Names, Ints, Mask, Ints]:
        """The topic and the docno of each pair, its judgment (-1 is none), whether both ids are the same, its form.

        The form is that of another spelling of a judged docno, -1 for others.
        """
        topic, docnos = self._nobody.qrels_topic, self._docnos.names[self._document]
        qids = np.array([*self._nobody.qids, None], object)[:-1]
        is_own_judged = np.zeros(len(qids), bool)
        is_own_judged[topic[qids[topic] == docnos]] = True
        more = np.flatnonzero(~is_own_judged)
        topics, judgment = np.concatenate([topic, more]), np.append(np.arange(len(topic)), np.full(len(more), -1))
        docnos, form = np.concatenate([docnos, qids[more]]), np.full(len(topics), -1)
        if self._forms.names:
            pairs = self._pairs_of_forms(qids)
            forms = np.array([*self._forms.names, None], object)[:-1]
            topics, docnos = np.append(topics, pairs[0]), np.append(docnos, forms[pairs[1]])
            judgment, form = np.append(judgment, np.full(len(pairs[0]), -1)), np.append(form, pairs[1])
        order = np.argsort(topics, kind="stable")
        topics, docnos, judgment = topics[order], docnos[order], judgment[order]
        return topics, docnos, judgment, np.asarray(qids[topics] == docnos, bool), form[order]

    def _pairs_of_forms(self, qids: Names) -> tuple[Ints, Ints]:
        """The topic and the number of each other form of a judged docno, except a form that is the topic's id."""
        place, names = self._places_of(self._document), self._forms.names
        numbers = dict[int, list[int]]()
        for number, of in enumerate(self._forms.place.tolist()):
            numbers.setdefault(of, []).append(number)
        pairs = [
            (topic, number)
            for topic, of in zip(self._nobody.qrels_topic.tolist(), place.tolist(), strict=True)
            for number in numbers.get(of, ())
            if qids[topic] != names[number]
        ]
        topics, forms = np.array(pairs, np.int64).reshape(-1, 2).T
        return topics, forms

    def meet(self, runs: Runs | Rankings) -> Judged:
        """The judged positions of these runs; of rankings, the vocabulary is `docnos`."""
        rankings = runs if isinstance(runs, Rankings) else self._rankings(runs)
        topic = rankings.topics.translate(rankings.topic, self._topics)
        ranking = rankings.run * len(self._nobody.qids) + topic
        retrieved = np.zeros(len(rankings.tags) * len(self._nobody.qids), np.int64)
        retrieved[ranking[topic >= 0]] = rankings.length[topic >= 0]
        self._is_met = self._is_met or bool(retrieved.any())
        self._qids = self._qids or rankings.topics.names[occurring_codes(rankings.topic)].tolist()
        starts = np.cumsum(rankings.length) - rankings.length
        own_ids = first_own_ids = 0
        if isinstance(runs, Runs):
            own_rows = own_id_rows(runs)
            own_ids = int(own_rows.sum())
            first_own_ids = int((runs.rank[own_rows] <= OWN_ID_RANKS).sum()) if own_ids else 0
        rows, of, judgment = self._judged_rows(rankings, topic, starts)
        shares_docnos = isinstance(runs, Runs) and runs.docnos is self._docnos
        respelled = () if shares_docnos else self._respelled(rankings, topic, starts)
        if rankings.judgment is not None:
            is_own = self._wanted[3][judgment]
            own_ids = int(is_own.sum())
            first_own_ids = int((rows[is_own] - starts[of[is_own]] < OWN_ID_RANKS).sum())
            judgment = self._wanted[2][judgment]
            if own_ids or respelled:
                rows, of, judgment = (column[judgment >= 0] for column in (rows, of, judgment))
        if np.any(np.diff(ranking[topic >= 0]) < 0):
            order = np.argsort(ranking[of], kind="stable")
            rows, of, judgment = rows[order], of[order], judgment[order]
        qids = rankings.topics.names_at(distinct_codes_and_places(rankings.topic[topic < 0])[0]).tolist()
        grade = self._nobody.qrels_grade[judgment]
        strange, judged = self._strange(runs, rankings.run, rankings.run[of[is_judged(grade)]]) or ("", "")
        return replace(
            self._nobody, tags=tuple(rankings.tags), ranking=ranking[of], rank=rows - starts[of] + 1,
            grade=grade, judgment=judgment, retrieved=retrieved,
            unmet=Unmet(tuple(sorted(qids)), strange, judged, own_ids=own_ids,
            judged_own_ids=self._nobody.unmet.judged_own_ids, first_own_ids=first_own_ids, respelled=respelled),
        )  # fmt: skip

    def _respelled(self, rankings: Rankings, topic: Ints, starts: Ints) -> tuple[Respelling, ...]:
        """The retrieved docnos that would be judged in the other normal form, each with the judged docno."""
        if not self._forms.names:
            return ()
        if rankings.judgment is not None:
            forms = self._wanted[4][rankings.judgment]
            return self._forms.pairs(forms[forms >= 0])
        first = len(self._docnos.names)
        at = np.flatnonzero(rankings.document >= first)
        forms, topics = rankings.document[at] - first, topic[np.searchsorted(starts, rankings.row[at], "right") - 1]
        forms, topics = forms[topics >= 0], topics[topics >= 0]
        return self._forms.pairs(forms[self._judgment(topics * len(self._documents) + self._forms.place[forms]) >= 0])

    def _strange(self, runs: Runs | Rankings, there: Ints, rows: Ints) -> tuple[str, ...]:
        """The first document of a run none of which was judged, and a judged one; nothing without such a run."""
        is_strange = np.zeros(len(runs.tags), bool)
        is_strange[there] = True
        is_strange[rows] = False
        strange = np.flatnonzero(is_strange)
        if not len(strange) or not len(self._documents):
            return ()
        mine = [min(self._docnos.names_at(self._documents).tolist())]
        if isinstance(runs, Rankings):
            return runs.first, *mine
        return *runs.docnos.names_at(runs.document[np.flatnonzero(runs.run == strange[0])[:1]]).tolist(), *mine

    def join_runs_in_parts(self, parts: Iterable[Runs | Rankings]) -> Iterator[Judged]:
        """The judged positions of the runs, of a few at a time; each part of the runs is let go of."""
        batch = list[Judged]()
        for runs in parts:
            batch.append(self.meet(runs))
            if sum(len(judged.tags) for judged in batch) >= TOGETHER:
                yield stack_batches(batch)
                batch.clear()
        if batch:
            yield stack_batches(batch)
        self.check()

    def check(self) -> None:
        """Refuse runs that answered nothing but topics that were not judged."""
        if self._qids and not self._is_met:
            self.refuse_if_no_topic_is_judged(self._qids)

    def refuse_if_no_topic_is_judged(self, qids: Sequence[str]) -> None:
        """Refuse topics of runs none of which was judged."""
        if not {*qids} & {*self._nobody.qids}:
            theirs, ours = _sample_words(qids), _sample_words(self._nobody.qids)
            both = f"the runs have {theirs}, and the qrels have {ours}; expected judgments of the runs' topics"
            if respelled := respelled_among(qids, self._nobody.qids):
                both = respelled_line("topic", respelled)
            raise InputError(f"no topic of the runs has judgments: {both}")

    def judged_without_runs(self, tags: Sequence[str]) -> Judged:
        """The judgments, and runs of these names that retrieved nothing."""
        return replace(self._nobody, tags=tuple(tags), retrieved=np.zeros(len(tags) * len(self._nobody.qids), np.int64))

    def _rankings(self, runs: Runs) -> Rankings:
        """The rankings of `runs`, with the rows whose document is judged in some topic, by any normal form."""
        starts = runs.starts
        if runs.docnos is self._docnos:
            rows = np.flatnonzero(self._places_of(runs.document) >= 0)
            document = runs.document[rows]
        else:
            code = runs.docnos.translate(np.arange(int(runs.document.max(initial=-1)) + 1), self.docnos)
            is_known = (self._places_of(code) >= 0) | (code >= len(self._docnos.names))
            rows = np.flatnonzero(is_known[runs.document])
            document = code[runs.document[rows]]
        return Rankings(
            runs.tags,
            runs.topics,
            runs.run[starts],
            topic=runs.topic[starts],
            length=np.diff(starts, append=len(runs)),
            row=rows,
            document=document,
        )

    def _places_of(self, document: Ints) -> Ints:
        """The place of docnos among the judged documents, -1 for one that nobody judged."""
        return self._place[np.minimum(document, len(self._place) - 1)]

    def _judged_rows(self, rankings: Rankings, topic: Ints, starts: Ints) -> tuple[Ints, Ints, Ints]:
        """The rows that were judged, the ranking that each is of, and the judgment of each."""
        of = np.repeat(np.arange(len(topic)), np.diff(np.searchsorted(rankings.row, starts), append=len(rankings.row)))
        if rankings.judgment is not None:
            return rankings.row, of, rankings.judgment
        rows, document, topic_of_row = rankings.row, self._places_of(rankings.document), topic[of]
        present = (document >= 0) & (topic_of_row >= 0)
        if not present.all():
            rows, of, document, topic_of_row = rows[present], of[present], document[present], topic_of_row[present]
        judgment = self._judgment(topic_of_row * len(self._documents) + document)
        judged = np.flatnonzero(judgment >= 0)
        return rows[judged], of[judged], judgment[judged]


class JudgedRuns:
    """The judged positions of runs, of a few runs at a time; once all have been taken, `tags` are the runs' names.

    `names_of` makes distinct names from the tags.

    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> runs = (as_runs({tag: {"q1": {"d1": 1.0}}}) for tag in ("a", "b"))
    >>> judged = JudgedRuns(Judgments(as_qrels({"q1": {"d1": 1}})).join_runs_in_parts(runs))
    >>> [part.shape for part in judged], judged.tags
    ([(2, 1)], ['a', 'b'])
    """

    def __init__(self, parts: Iterable[Judged], names_of: Callable[[Sequence[str]], Sequence[str]] = list) -> None:
        self._parts, self._names_of = parts, names_of
        self.tags: Sequence[str] = ()

    def __iter__(self) -> Iterator[Judged]:
        tags = list[str]()
        for judged in self._parts:
            tags += judged.tags
            yield judged
        self.tags = self._names_of(tags)

    def stack(self) -> Judged:
        """All of them as one batch."""
        return replace(stack_batches(self), tags=tuple(self.tags))


def join_runs_and_qrels(runs: Runs, qrels: Qrels) -> Judged:
    """Where runs meet judgments: the judged positions of every ranking.

    Topics are the qrels' own, in byte order of their ids; documents nobody judged only count in `retrieved`.
    """
    return stack_batches(map(Judgments(qrels).meet, runs.parts()))


def join_runs_with_common_topics(runs: Runs, qrels: Qrels | Judgments) -> Judged:
    """The same; an error where the runs answer other topics than were judged.

    Judgments that were made ready once can meet one run after the other.

    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> join_runs_with_common_topics(as_runs({"01": {"d1": 1.0}}), as_qrels({"1": {"d1": 1}}))
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: no topic of the runs has judgments: the runs have 01, and the qrels have 1;
    expected judgments of the runs' topics
    """
    judgments = copy(qrels) if isinstance(qrels, Judgments) else Judgments(qrels)
    return stack_batches(judgments.join_runs_in_parts(runs.parts()))


def stack_batches(parts: Iterable[Judged]) -> Judged:
    """Batches that met the same judgments as one; each is let go of once its columns are taken."""
    several = iter(parts)
    first = next(several)
    second = next(several, None)
    if second is None:
        return first
    columns = {name: GrowingColumn(getattr(first, name).dtype.type) for name in COLUMNS}
    tags, size, unmet = list[str](), 0, Unmet()
    parts = chain([first], [second], several)
    del first, second
    for part in parts:
        for name, column in columns.items():
            column.add(part.ranking + size if name == "ranking" else getattr(part, name))
        tags, size, about = [*tags, *part.tags], size + len(part.retrieved), part.rows(np.zeros(0, np.int64))
        unmet = unmet.join(part.unmet)
    arrays: dict[str, Any] = {name: column.joined() for name, column in columns.items()}
    return replace(about, tags=tuple(tags), unmet=unmet, **arrays)


class GrowingColumn:
    """Numbers that come in pieces, in hardly more memory than they need in the end.

    >>> column = GrowingColumn()
    >>> column.add(np.array([3, 1])), column.add(np.array([2])), column.joined()
    (None, None, array([3, 1, 2]))
    """

    def __init__(self, kind: type[np.number[Any]] = np.int64) -> None:
        self._values: NDArray[Any] = np.zeros(0, kind)
        self._size = 0

    def add(self, piece: NDArray[Any]) -> None:
        """Take one more piece."""
        size = self._size + len(piece)
        if size > len(self._values):
            self._values.resize(size + size // 8, refcheck=False)
        self._values[self._size : size] = piece
        self._size = size

    def joined(self) -> NDArray[Any]:
        """All of them."""
        self._values.resize(self._size, refcheck=False)
        return self._values


def _sample_words(names: Sequence[str]) -> str:
    return ", ".join([*names[:3], *(["..."] if len(names) > 3 else [])]) or "none"


def _place_finder(keys: Ints, size: int) -> Callable[[Ints], Ints]:
    """A function that gives the place of each of its keys among ascending `keys`, all below `size`; -1 for none.

    >>> for size in (10, 10 * TABLE_SIZE):
    ...     print(_place_finder(np.array([2, 5]), size)(np.array([5, 3, 9])))
    [ 1 -1 -1]
    [ 1 -1 -1]
    """
    if size > TABLE_SIZE:
        return lambda wanted: find_key_places(keys, wanted)
    table = np.full(size, -1, np.int32)
    table[keys] = np.arange(len(keys))
    return lambda wanted: table[wanted].astype(np.int64)


def find_key_places(keys: Ints, values: Ints) -> Ints:
    at = np.minimum(np.searchsorted(keys, values), len(keys) - 1)
    return np.where(keys[at] == values, at, -1)
