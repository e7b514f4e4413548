"""Judged: the judged positions of every ranking, which is all that a measure ever sees; and blocks of them by topic.

Ids that look the same and differ in Unicode normalisation, an accented letter as one character or as two, are told.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import repeat
from typing import Any, Literal, NamedTuple, TypeVar
from unicodedata import is_normalized, normalize

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cranfield.arrays.rankings import UNJUDGED, Floats, Ints, Mask, Runs, Subtopics, Vocabulary, is_judged
from cranfield.parallel import WORKERS, keep_results, map_blocks, map_in_threads
from cranfield.text import counted

FORMS: tuple[Literal["NFC", "NFD"], ...] = ("NFC", "NFD")
Respelling = tuple[str, str]  # an id, and the id elsewhere that looks the same


def respellings(names: Iterable[str]) -> dict[str, str]:
    r"""Return, for ids that have another normal form, the id by this form; without forms that are ids themselves.

    >>> respellings(["caf\u00e9", "d1"]) == {"cafe\u0301": "caf\u00e9"}, respellings(["caf\u00e9", "cafe\u0301"])
    (True, {})
    """
    own = list(names)
    if "".join(own).isascii():
        return {}
    forms = {normalize(form, name): name for name in own if not name.isascii() for form in FORMS}
    for name in own:
        forms.pop(name, None)
    return forms


def respelled_among(theirs: Iterable[str], ours: Iterable[str]) -> list[Respelling]:
    """Return which of their ids are ours in another normal form."""
    forms = respellings(ours)
    return [(name, forms[name]) for name in theirs if name in forms] if forms else []


def respelled_line(
    what: str, pairs: Sequence[Respelling], theirs: str = "the runs", ours: str = "the judgments"
) -> str:
    r"""Return the note on ids that do not match for their normal forms.

    >>> print(respelled_line("document", [("cafe\u0301", "caf\u00e9")]).replace("\u0301", "'").replace("\u00e9", "e'"))
    1 id of a document in the runs differs from an id in the judgments only in Unicode normalisation and does not match
    it: "cafe'" is NFD in the runs and NFC in the judgments; normalise both, in Python with unicodedata.normalize("NFC",
    text)
    """
    first, second = pairs[0]
    ids, differ, it = ("id of a", "differs from an id", "does not match it") if len(pairs) == 1 else (
        "ids of", "differ from ids", "do not match them")  # fmt: skip
    noun = what if len(pairs) == 1 else f"{what}s"
    return (
        f"{len(pairs):,} {ids} {noun} in {theirs} {differ} in {ours} only in Unicode normalisation and {it}:"
        f' "{first}" is {_form(first)} in {theirs} and {_form(second)} in {ours}; normalise both, in'
        ' Python with unicodedata.normalize("NFC", text)'
    )


def respelled_notes(what: str, ids: Mapping[str, Iterable[str]]) -> list[str]:
    r"""Return notes on ids of one place that are ids of an earlier place in another normal form, at most one a place.

    >>> respelled_notes("topic", {"a.txt": ["1"], "b.txt": ["2"]})
    []
    >>> print(respelled_notes("topic", {"a.txt": ["\u00e9"], "b.txt": ["e\u0301"]})[0][:73])
    1 id of a topic in b.txt differs from an id in a.txt only in Unicode norm
    """
    places, notes = dict[str, str](), list[str]()
    for place, names in ids.items():
        special = [name for name in dict.fromkeys(names) if not name.isascii()]
        if pairs := respelled_among([name for name in special if name not in places], places):
            earlier = places[pairs[0][1]]
            pairs = [(first, second) for first, second in pairs if places[second] == earlier]
            notes.append(respelled_line(what, pairs, place, earlier))
        places = {**dict.fromkeys(special, place), **places}
    return notes


def _form(name: str) -> str:
    return next((form for form in FORMS if is_normalized(form, name)), "in neither NFC nor NFD")


T = TypeVar("T")
N = TypeVar("N", np.int64, np.float64)


class Hits(NamedTuple):
    """Some rows of Judged: the ranking of each, its rank from 1, its grade, and that it is the nth of its ranking."""

    ranking: Ints
    rank: Ints
    grade: Ints
    nth: Ints


class Unmet(NamedTuple):
    """What runs have that the judgments have not: topics that nobody judged, in byte order.

    Where a run retrieved no judged document, `docno` is its first one, and `judged` one that was judged. `own_ids` is
    the number of retrieved documents that have the id of their topic, `judged_own_ids` of judged ones, `first_own_ids`
    of those among the first 10 of a ranking. `respelled` has retrieved documents that would be judged ones if both were
    in one Unicode normal form, each with the judged docno.
    """

    qids: tuple[str, ...] = ()
    docno: str = ""
    judged: str = ""
    own_ids: int = 0
    judged_own_ids: int = 0
    first_own_ids: int = 0
    respelled: tuple[Respelling, ...] = ()

    def join(self, other: Unmet) -> Unmet:
        """What two batches of runs have, with the documents of the first that has any.

        >>> Unmet(("2",)).join(Unmet(("1", "2"), "x:d", "d"))
        Unmet(qids=('1', '2'), docno='x:d', judged='d', own_ids=0, judged_own_ids=0, first_own_ids=0,
        respelled=())
        """
        qids = self.qids if self.qids == other.qids else tuple(sorted({*self.qids, *other.qids}))
        documents = self if self.docno else other
        own_ids = self.own_ids + other.own_ids, max(self.judged_own_ids, other.judged_own_ids)
        first = self.first_own_ids + other.first_own_ids
        respelled = (
            self.respelled if self.respelled == other.respelled else tuple(sorted({*self.respelled, *other.respelled}))
        )
        return Unmet(qids, documents.docno, documents.judged, *own_ids, first_own_ids=first, respelled=respelled)


NOTHING = Unmet()


class Memory(NamedTuple):
    """What was worked out of these judgments alone, by function and options."""

    qids: tuple[str, ...]
    qrels_topic: Ints
    qrels_grade: Ints
    results: dict[Any, Any]


@dataclass(frozen=True, eq=False)
class Judged:
    """The judged positions of a batch of rankings, one ranking for every (run, topic of the qrels).

    The rows of a ranking stand together, by ascending rank. Ranking number = run * len(qids) + topic, so that an
    array over rankings reshapes to (runs, topics). A topic that a run did not answer is an empty ranking.
    A grade of -1 is no judgment; a lower one is, of a document that is not relevant (unless
    `drop_negative_grades` drops it).
    """

    tags: tuple[str, ...]
    qids: tuple[str, ...]
    ranking: Ints  # per row
    rank: Ints  # per row, from 1
    grade: Ints  # per row
    judgment: Ints  # per row: which judgment, a row of the `qrels_...` columns
    retrieved: Ints  # per ranking: how many documents it retrieved, judged or not
    qrels_topic: Ints  # per judgment, ascending
    qrels_grade: Ints  # per judgment
    qrels_row: Ints  # per judgment: its row in the Qrels it came from
    highest_grade: float  # of the collection, 0 if there is none; leaving judgments out does not change it
    has_nonrelevant: bool = True  # whether the qrels list documents that are not relevant, in any topic
    qrels_stratum: Ints | None = None  # per judgment, where the judged documents were sampled
    subtopics: Subtopics | None = None  # where subtopics were judged
    is_condensed: bool = False  # whether the ranks are those among the judged documents
    unmet: Unmet = NOTHING
    memory: Memory | None = field(default=None, repr=False, compare=False)  # of all batches under these

    def __post_init__(self) -> None:
        judgments = self.qids, self.qrels_topic, self.qrels_grade
        if self.memory is None or any(mine is not its for mine, its in zip(judgments, self.memory[:3], strict=True)):
            object.__setattr__(self, "memory", Memory(*judgments, {}))

    def copy_with(self, **values: Any) -> Judged:
        """The same with other values of fields, in a fifth of the time that `replace` takes."""
        other = object.__new__(Judged)
        vars(other).update(vars(self), **values)
        for name in ("_all_hits", "any_judged"):
            vars(other).pop(name, None)
        other.__post_init__()
        return other

    def compute_once(self, work: Callable[..., T], *options: object) -> T:
        """What `work` finds in the judgments alone: once for all batches of rankings under the same judgments.

        >>> from cranfield.metrics.examples import example
        >>> r, counted = example([1, 0]), []
        >>> count = lambda r, rel: counted.append(rel) or int((r.qrels_grade >= rel).sum())
        >>> fewer = r.select_judgments(r.qrels_grade < 1)
        >>> r.compute_once(count, 1), r.condensed().compute_once(count, 1), fewer.compute_once(count, 1), counted
        (1, 1, 0, [1, 1])
        """
        assert self.memory
        if (work, options) not in self.memory.results:
            self.memory.results[work, options] = work(self, *options)
        return self.memory.results[work, options]  # type: ignore[no-any-return]

    @property
    def shape(self) -> tuple[int, int]:
        """(runs, topics)."""
        return len(self.tags), len(self.qids)

    @property
    def topic(self) -> Ints:
        """The topic of each ranking."""
        return self.compute_once(_topic_by_position, len(self.tags))

    @cached_property
    def any_judged(self) -> Mask:
        """Per ranking: was any of its documents judged?"""
        return np.bincount(self.ranking[is_judged(self.grade)], minlength=len(self.retrieved)) > 0

    def hits(self, keep: Mask) -> Hits:
        """The rows where `keep` holds, numbered within each ranking."""
        if np.count_nonzero(keep) == len(keep):
            return self._all_hits
        rows = np.flatnonzero(keep)
        ranking = self.ranking[rows]
        return Hits(ranking, self.rank[rows], self.grade[rows], _number_within_groups(ranking))

    @cached_property
    def _all_hits(self) -> Hits:
        return Hits(self.ranking, self.rank, self.grade, _number_within_groups(self.ranking))

    def relevant(self, rel: float = 1, cutoff: int | None = None) -> Hits:
        """The retrieved documents of at least grade `rel` (never a negative one), at ranks up to `cutoff`."""
        keep = self.grade >= max(rel, 0)
        return self.hits(keep if cutoff is None else keep & self.is_within(cutoff))

    def relevant_hits(self, cutoff: int | None = None) -> Hits:
        """The retrieved documents of a grade above 0, also a fraction, at ranks up to `cutoff`."""
        keep = self.grade > 0
        return self.hits(keep if cutoff is None else keep & self.is_within(cutoff))

    def judged(self, cutoff: int | None = None) -> Hits:
        """The retrieved documents that were judged, at ranks up to `cutoff`."""
        keep = is_judged(self.grade)
        return self.hits(keep if cutoff is None else keep & self.is_within(cutoff))

    def is_within(self, cutoff: int | None) -> Mask:
        """Per row: is its rank within the cutoff? None is no cutoff."""
        return np.ones(len(self.rank), bool) if cutoff is None else self.rank <= cutoff

    def sum(self, hits: Hits, values: ArrayLike = 1.0) -> Floats:
        """Per ranking: the sum of `values` over its hits."""
        weights = np.asarray(values, float)
        weights = weights if weights.shape == hits.ranking.shape else np.broadcast_to(weights, hits.ranking.shape)
        return np.bincount(hits.ranking, weights, minlength=len(self.retrieved)).astype(float, copy=False)

    def running_count(self, keep: Mask) -> Ints:
        """Per row: how many rows with `keep` its ranking has up to and with this one."""
        total = np.cumsum(keep)
        start = np.arange(len(self.ranking)) - _number_within_groups(self.ranking) + 1
        return np.asarray(total - total[start] + keep[start])

    def count(self, keep: Mask) -> Ints:
        """Per ranking: how many judgments of its topic `keep` (a mask over judgments) holds for."""
        return self.values_by_ranking(np.bincount(self.qrels_topic[keep], minlength=len(self.qids)))

    def num_relevant(self, rel: float = 1) -> Ints:
        """Per ranking: the documents of at least grade `rel` that its topic has."""
        return self.values_by_ranking(self.compute_once(_relevant, max(rel, 0)))

    def num_relevant_by_topic(self, rel: float = 1) -> Ints:
        """Per topic: the documents of at least grade `rel`."""
        return self.compute_once(_relevant, max(rel, 0))

    def num_nonrelevant(self, rel: float = 1) -> Ints:
        """Per ranking: the documents of grade 0 or more, but below `rel`, that its topic has."""
        return self.count((self.qrels_grade >= 0) & (self.qrels_grade < rel))

    def ideal(self) -> Judged:
        """The best ranking of each topic: all its judged documents by descending grade, as a batch of one run."""
        order = np.lexsort((-self.qrels_grade, self.qrels_topic))
        topic = self.qrels_topic[order]
        sizes = np.bincount(topic, minlength=len(self.qids))
        return replace(
            self, tags=("ideal",), ranking=topic, rank=_number_within_groups(topic), grade=self.qrels_grade[order],
            judgment=order, retrieved=sizes, is_condensed=False,
        )  # fmt: skip

    def condensed(self) -> Judged:
        """The rankings without what nobody judged: ranks close up. What there was to find stays.

        >>> from cranfield.metrics.examples import example
        >>> example([None, 2, -1, 0, -2], unretrieved=[1]).condensed().rank
        array([1, 2, 3])
        """
        if self.is_condensed:
            return self
        rows = self.rows(is_judged(self.grade))
        retrieved = np.bincount(rows.ranking, minlength=len(self.retrieved))
        return replace(rows, rank=_number_within_groups(rows.ranking), retrieved=retrieved, is_condensed=True)

    def drop_negative_grades(self) -> Judged:
        """The same where no negative grade is a judgment, as in trec_eval.

        >>> from cranfield.metrics.examples import example
        >>> example([1, -1, -2]).drop_negative_grades().grade.tolist()
        [1, -1, -1]
        """
        if self.qrels_grade.min(initial=0) >= UNJUDGED:
            return self
        grade, qrels_grade = (np.maximum(grades, UNJUDGED) for grades in (self.grade, self.qrels_grade))
        return replace(self, grade=grade, qrels_grade=qrels_grade, is_condensed=False)

    def drop_unjudged(self) -> Judged:
        """The same without grades of -1, which are no judgments."""
        judged = is_judged(self.qrels_grade)
        return self if judged.all() else self.select_judgments(judged)

    def values_by_ranking(self, per_topic: NDArray[N]) -> NDArray[N]:
        """One value per topic, spread to every ranking."""
        return per_topic[self.topic]

    def select_topics(self, topics: Ints) -> Judged:
        """The same runs on fewer topics, given by ascending number."""
        number = np.full(len(self.qids), -1)
        number[topics] = np.arange(len(topics))
        fewer = self.select_judgments(number[self.qrels_topic] >= 0)
        return replace(
            fewer, qids=tuple(self.qids[topic] for topic in topics), qrels_topic=number[fewer.qrels_topic],
            ranking=fewer.ranking // len(self.qids) * len(topics) + number[fewer.qrels_topic[fewer.judgment]],
            retrieved=self.retrieved.reshape(self.shape)[:, topics].ravel(),
        )  # fmt: skip

    def select_runs(self, runs: Ints) -> Judged:
        """Some of the runs, given by ascending number, on the same topics and judgments.

        >>> from cranfield.arrays.join import join_runs_and_qrels
        >>> from cranfield.metrics.inputs import as_qrels, as_runs
        >>> runs = as_runs({"a": {"q": {"d1": 1.0}}, "b": {"q": {"d2": 2.0, "d1": 1.0}}})
        >>> second = join_runs_and_qrels(runs, as_qrels({"q": {"d1": 1}})).select_runs(np.array([1]))
        >>> second.tags, second.ranking, second.rank, second.retrieved
        (('b',), array([0]), array([2]), array([2]))
        """
        if len(runs) == len(self.tags):
            return self
        number = np.full(len(self.tags), -1)
        number[runs] = np.arange(len(runs))
        run, topic = np.divmod(self.ranking, max(len(self.qids), 1))
        rows = np.flatnonzero(number[run] >= 0)
        return replace(
            self.rows(rows), tags=tuple(self.tags[run] for run in runs.tolist()),
            ranking=number[run[rows]] * len(self.qids) + topic[rows],
            retrieved=self.retrieved.reshape(self.shape)[runs].ravel(),
        )  # fmt: skip

    def select_judgments(self, keep: Mask) -> Judged:
        """The same rankings under fewer judgments: those where `keep` (a mask over judgments) holds.

        What is left out becomes unjudged; the ranks stay. A topic left without judgments stays, with none.
        """
        rows, place = np.flatnonzero(keep[self.judgment]), np.cumsum(keep) - 1
        return replace(
            self, **self._rows(rows) | {"judgment": place[self.judgment[rows]]}, **self._judgments(keep),
            subtopics=self.subtopics and self.subtopics.select_rows(keep, len(keep)), is_condensed=False,
        )  # fmt: skip

    def positive(self) -> Judged:
        """The same under the judgments above grade 0, which are all that most measures look at.

        >>> from cranfield.metrics.examples import example
        >>> example([0, 2, None, 1]).positive().grade
        array([2, 1])
        """
        place, fields = self.compute_once(_positive)
        if len(fields["qrels_grade"]) == len(place):
            return self
        rows = self._rows(np.flatnonzero(self.grade > 0))
        rows["judgment"] = place[rows["judgment"]]
        return self.copy_with(**rows, **fields, is_condensed=False)

    def judge_subsets(self, subsets: Mask) -> Judged:
        """One topic as many: the same rankings under each row of `subsets`, a mask (worlds, judgments).

        >>> from cranfield.metrics.examples import example
        >>> batch = example([1, 0]).judge_subsets(np.array([[True, True], [False, True]]))
        >>> batch.shape, batch.ranking, batch.rank, batch.num_relevant()
        ((1, 2), array([0, 0, 1]), array([1, 2, 2]), array([1, 0]))
        """
        here, worlds = subsets[:, self.judgment], np.arange(len(subsets))[:, None]
        place = np.cumsum(subsets).reshape(subsets.shape) - 1
        topic, judgment = np.nonzero(subsets)
        about = self.subtopics
        if about is not None:
            of, at = np.nonzero(subsets[:, about.judgment])
            about = Subtopics(place[of, about.judgment[at]], about.subtopic[at], about.grade[at], about.names)

        def spread(values: Ints) -> Ints:
            return np.asarray(np.broadcast_to(values, here.shape)[here])

        return replace(
            self, **self._judgments(judgment) | {"qrels_topic": topic}, qids=tuple(map(str, range(len(subsets)))),
            ranking=spread(self.ranking * len(subsets) + worlds), rank=spread(self.rank), grade=spread(self.grade),
            judgment=spread(place[:, self.judgment]), retrieved=np.repeat(self.retrieved, len(subsets)),
            subtopics=about, is_condensed=False,
        )  # fmt: skip

    def split_by_topic(self) -> Iterator[Judged]:
        """Each topic alone, with the same runs."""
        topics = len(self.qids)
        topic = self.qrels_topic.astype(np.min_scalar_type(topics))[self.judgment]
        ends = np.cumsum(np.bincount(topic, minlength=topics))[:-1]
        rows = np.split(np.argsort(topic, kind="stable"), ends)
        starts = np.searchsorted(self.qrels_topic, np.arange(topics + 1))
        retrieved = self.retrieved.reshape(self.shape)
        for number, qid in enumerate(self.qids):
            judgments = np.arange(starts[number], starts[number + 1])
            there = self.rows(rows[number])
            yield replace(
                there, **self._judgments(judgments) | {"qrels_topic": np.zeros_like(judgments)}, qids=(qid,),
                ranking=there.ranking // topics, judgment=there.judgment - starts[number],
                retrieved=retrieved[:, number],
                subtopics=self.subtopics and self.subtopics.select_rows(judgments, len(self.qrels_topic)),
            )  # fmt: skip

    def rows(self, keep: Mask | Ints) -> Judged:
        """Some of the rows; the judgments are kept."""
        if keep.dtype == bool:
            if keep.all():
                return self
            keep = np.flatnonzero(keep)
        return replace(self, **self._rows(keep))

    def _rows(self, rows: Mask | Ints) -> dict[str, Any]:
        """The fields that have a value for each row, of some of the rows."""
        return {name: getattr(self, name)[rows] for name in ("ranking", "rank", "grade", "judgment")}

    def _judgments(self, judgments: Mask | Ints) -> dict[str, Any]:
        """The fields that have a value for each judgment, of some of the judgments; subtopics apart."""
        judgments = np.flatnonzero(judgments) if judgments.dtype == bool else judgments
        columns = {name: getattr(self, name) for name in ("qrels_topic", "qrels_grade", "qrels_row", "qrels_stratum")}
        return {name: None if values is None else values[judgments] for name, values in columns.items()}


def _topic_by_position(judged: Judged, runs: int) -> Ints:
    return np.arange(runs * len(judged.qids)) % max(len(judged.qids), 1)


def _relevant(judged: Judged, grade: float) -> Ints:
    return np.bincount(judged.qrels_topic[judged.qrels_grade >= grade], minlength=len(judged.qids))


def _positive(judged: Judged) -> tuple[Ints, dict[str, Any]]:
    """The place of each judgment among those above grade 0, and the fields of these."""
    keep = judged.qrels_grade > 0
    fields = judged._judgments(keep)
    fields["subtopics"] = judged.subtopics and judged.subtopics.select_rows(keep, len(keep))
    fields["memory"] = Memory(judged.qids, fields["qrels_topic"], fields["qrels_grade"], {})
    return np.cumsum(keep) - 1, fields


def _number_within_groups(groups: Ints) -> Ints:
    """1, 2, 3, ... within each stretch of equal values."""
    starts = (groups[1:] != groups[:-1]).nonzero()[0] + 1
    step = np.ones(len(groups), np.int64)
    step[starts] -= starts
    step[starts[1:]] += starts[:-1]
    return step.cumsum()


def ratio(numerator: ArrayLike, denominator: ArrayLike, undefined: float = 0.0) -> Floats:
    """The quotient, and `undefined` where the denominator is 0.

    >>> ratio([1, 1], [2, 0])
    array([0.5, 0. ])
    """
    top, bottom = np.asarray(numerator, float), np.asarray(denominator, float)
    if np.count_nonzero(bottom) == bottom.size:
        return np.asarray(top / bottom)
    quotient = np.full(np.broadcast(top, bottom).shape, undefined)
    np.divide(top, bottom, out=quotient, where=bottom != 0)
    return quotient


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

    def keep(self) -> JudgedBlocks:
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
