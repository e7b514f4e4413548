"""A stored pool rebuilt as it was built: batches, seed, options, and the judgments in the order it learned them.

With all runs it is the stored pool, document for document. Without some of its runs it is what the pool would
have been: the same steps with the same room, the same budget. What the method asks for and did not ask for then, or
not so early, is judged once it is pooled, as it was judged at last; what nobody judged stays unjudged.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.pooling.adaptive import (
    BATCH,
    GrowingTopic,
    Known,
    grow,
    grow_topics,
    growing_topics,
    has_stopping_rule,
    pool_size_limits,
    stopping_reason,
)
from cranfield.pooling.build import choose
from cranfield.pooling.candidates import Candidates, drop_topic_runs
from cranfield.pooling.method import Method
from cranfield.pooling.methods import METHODS
from cranfield.store.open_pools import PoolStep, Stage

RRF = 60  # its usual constant
WIDTH = 3  # features, of which the first is 1
INTERCEPT, COEFFICIENT, LEVEL = 10.0, 2.5, 1.0  # deviations before anything is known; features have deviation 1
LOG_ODDS_DEVIATION = (
    0.5  # deviation of what nobody judged from what the ranks say of it, in log odds: of all, and again of each topic
)


class GradeStep(NamedTuple):
    """Whether documents have more than some grade: the most probable coefficients and levels, and their precision."""

    mode: Floats
    precision: Floats

    def draw(self, random: np.random.Generator) -> Floats:
        """Coefficients and levels that may be, of what nobody judged."""
        root = np.linalg.cholesky(self.precision)
        values = self.mode + np.linalg.solve(root.T, random.normal(size=len(self.mode)))
        off = LOG_ODDS_DEVIATION * random.normal(size=len(values))
        off[1:WIDTH] = 0
        return values * sqrt(1 + np.pi * 2 * LOG_ODDS_DEVIATION**2 / 8) + off


@dataclass(frozen=True, eq=False)
class GradeModel:
    """A model of documents of several topics; `grades` are those that occur, ascending, with a step between two.

    The log odds that a document has more than some grade, if it has at least that, are linear in the logarithms of its
    reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009) and of its best rank, with a level of its own for
    each topic. A draw first draws the coefficients, from the normal approximation of what the judgments say of them,
    and how far off the unjudged documents are, in all and in each topic, then the grades. So draws differ by what the
    model does not know, too. As such deviations on both sides would raise small chances on average, log odds are scaled
    to make up for it.

    Sources: continuation ratios: Fienberg, The Analysis of Cross-Classified Categorical Data, 1980; drawing
    coefficients before values: Rubin, Multiple Imputation for Nonresponse in Surveys, 1987, and for what may differ
    from what is known, chapter 6 there.
    """

    features: Floats
    topic: Ints
    grades: Ints
    steps: Sequence[GradeStep]

    def draw(self, random: np.random.Generator) -> Ints:
        """A grade for each document."""
        place, going_on = np.zeros(len(self.topic), np.int64), np.ones(len(self.topic), bool)
        for step in self.steps:
            going_on &= random.random(len(place)) < _chance(step.draw(random), self.features, self.topic)
            place += going_on
        return self.grades[place]


def grade_model(topics: Sequence[Candidates], grade: Ints, labelled: Mask) -> GradeModel:
    """The model of all candidates of some topics, one topic after the other, from the grades that are `labelled`.

    Those are drawn like the others, so that draws can be held against them.

    >>> from cranfield.pooling.examples import example
    >>> topic = example("a b c d e f", "b a d c f e")
    >>> labelled = np.array([True, True, True, True, False, False])
    >>> model = grade_model([topic], np.array([1, 1, 0, 0, 0, 0]), labelled)
    >>> drawn = [model.draw(np.random.default_rng(seed)) for seed in range(1000)]
    >>> np.mean(drawn, axis=0).round(1)
    array([0.8, 0.8, 0.2, 0.2, 0.1, 0.1])
    """
    fusion = np.concatenate([one.total(1 / (RRF + one.ranks)) for one in topics])
    logarithms = np.log(np.column_stack([fusion, np.concatenate([one.best for one in topics])]))
    standardised = (logarithms - logarithms.mean(axis=0)) / np.maximum(logarithms.std(axis=0), 1e-9)
    features = np.column_stack([np.ones(len(logarithms)), standardised])
    topic = np.repeat(np.arange(len(topics)), [len(one) for one in topics])
    grades, steps = np.unique(grade[labelled]), list[GradeStep]()
    for lower, upper in pairwise(grades.tolist()):
        reached = labelled & (grade >= lower)
        steps.append(_fit(features[reached], topic[reached], grade[reached] >= upper, len(topics)))
    return GradeModel(features, topic, grades, steps)


def _fit(features: Floats, topic: Ints, passed: Mask, topics: int) -> GradeStep:
    """What is known after some documents passed a step and others did not, by Newton's method."""
    prior = np.repeat([INTERCEPT**-2, COEFFICIENT**-2, LEVEL**-2], [1, WIDTH - 1, topics])
    mode, move = np.zeros(WIDTH + topics), np.ones(1)
    while np.max(np.abs(move)) > 1e-6:
        chance = _chance(mode, features, topic)
        weight, error = chance * (1 - chance), passed - chance
        precision = np.diag(prior + np.append(np.zeros(WIDTH), np.bincount(topic, weight, topics)))
        precision[:WIDTH, :WIDTH] += (features.T * weight) @ features
        precision[:WIDTH, WIDTH:] = [np.bincount(topic, weight * column, topics) for column in features.T]
        precision[WIDTH:, :WIDTH] = precision[:WIDTH, WIDTH:].T
        slope = np.append(features.T @ error, np.bincount(topic, error, topics)) - prior * mode
        move = np.asarray(np.linalg.solve(precision, slope), float)
        mode = mode + move
    return GradeStep(mode, precision)


def _chance(coefficients: Floats, features: Floats, topic: Ints) -> Floats:
    """The chance of each document to pass a step."""
    log_odds = features @ coefficients[:WIDTH] + coefficients[WIDTH:][topic]
    return np.asarray(1 / (1 + np.exp(-log_odds)))


Moment = tuple[int, int]  # the place of a stage, and a step of it
NEVER = (1 << 62, 0)


@dataclass
class Rebuilt:
    """A rebuilt pool: when each document came, by topic; the batches; the judgments learned; finished topics."""

    moments: dict[str, dict[str, Moment]] = field(default_factory=dict)
    batches: dict[str, list[int]] = field(default_factory=dict)
    judgments: dict[str, dict[str, bool]] = field(default_factory=dict)
    full: set[str] = field(default_factory=set)

    def hear(self, step: PoolStep) -> None:
        """Take in what was new at a step."""
        labels = self.judgments.setdefault(step.qid, {})
        for docno, relevant in step.labels.items():
            if relevant is None:
                labels.pop(docno, None)
            else:
                labels[docno] = relevant


@dataclass(frozen=True)
class Rebuilder:
    """What a pool is rebuilt from: its stages and the topics of each, and the final judgments."""

    stages: Sequence[Stage]
    topics: Sequence[Sequence[Candidates]]
    judged: Known

    def pool_all_runs(self) -> Rebuilt:
        """The pool with all runs."""
        return self._build((), None)

    def pool_without_runs(self, tags: Collection[str], whole: Rebuilt) -> Rebuilt:
        """The pool without these runs."""
        return self._build(tags, whole)

    def _build(self, tags: Collection[str], whole: Rebuilt | None) -> Rebuilt:
        rebuilt = Rebuilt()
        for place, (stage, topics) in enumerate(zip(self.stages, self.topics, strict=True)):
            rest = [topic for topic in _drop_runs(topics, tags) if len(topic)]
            if "decides" in stage.pool.parameters:
                self._list(place, tags, rebuilt)
            elif METHODS[stage.pool.method].adaptive:
                _AdaptiveStage(self, place, rest, rebuilt, whole).run()
            else:
                _choose(stage, place, rest, rebuilt)
        return rebuilt

    def _list(self, place: int, tags: Collection[str], rebuilt: Rebuilt) -> None:
        """Documents put in one by one, to decide between two runs: nobody would have asked without them."""
        old = {d[:2] for d in self.stages[place - 1].pool.documents} if place else set()
        if not {*self.stages[place].pool.parameters["decides"]} & {*tags}:
            for document in self.stages[place].pool.documents:
                if document[:2] not in old:
                    rebuilt.moments.setdefault(document.qid, {}).setdefault(document.docno, (place, 0))


def _drop_runs(topics: Sequence[Candidates], tags: Collection[str]) -> Iterator[Candidates]:
    for topic in topics:
        out = np.isin(topic.tags, list(tags))
        yield drop_topic_runs(topic, out)[0] if out.any() else topic


def _choose(stage: Stage, place: int, topics: Sequence[Candidates], rebuilt: Rebuilt) -> None:
    """The documents of a method that does not listen."""
    method, parameters = METHODS[stage.pool.method], stage.pool.parameters
    options = parameters.get("options", {})
    states = [method.start(topic, options, stage.pool.seed or 0) for topic in topics]
    parts = choose(
        method, topics, states, options=options, budget=parameters.get("budget"), total=parameters.get("total")
    )
    for topic, documents in zip(topics, parts, strict=True):
        moments = rebuilt.moments.setdefault(topic.qid, {})
        for docno in topic.docnos[documents].tolist():
            moments.setdefault(docno, (place, 0))


class _AdaptiveStage:
    """A stage of an adaptive pool, step by step; `whole` is the pool with all runs, None while that is built."""

    def __init__(
        self, of: Rebuilder, place: int, topics: Sequence[Candidates], rebuilt: Rebuilt, whole: Rebuilt | None
    ) -> None:
        stage = of.stages[place]
        self.method: Method = METHODS[stage.pool.method]
        self.options: Mapping[str, Any] = stage.pool.parameters.get("options", {})
        self.of, self.place, self.rebuilt, self.whole = of, place, rebuilt, whole
        parameters, seed = stage.pool.parameters, stage.pool.seed or 0
        self.topics = growing_topics(
            self.method, self.options, topics, in_pool=rebuilt.moments, batches=rebuilt.batches, seed=seed
        )
        self.by_qid = {topic.topic.qid: topic for topic in self.topics}
        available = [len(topic) for topic in topics]
        self.most = pool_size_limits(
            self.method, self.options, available, parameters.get("budget"), parameters.get("total")
        )
        self.steps = stage_steps(stage, of.stages[place - 1] if place else None, of.judged)
        self.batch = parameters.get("batch") or (None if self.method.corpus else BATCH)

    def run(self) -> None:
        """Take all its steps."""
        for topic in self.topics:
            self._learn(topic, topic.in_pool)
            if topic.listens:
                self._learn(topic, self._new_judgments(topic, self.rebuilt.judgments.get(topic.topic.qid, {})))
        for number, steps in groupby(self.steps, lambda step: step.number):
            if not self._step(number, list(steps)):
                break
        last = self.place == len(self.of.stages) - 1
        if last and self.whole is None:
            self.rebuilt.full = self._full_topics()
        elif last and self.whole:
            self._extend_topics_at_their_limit(self.whole.full)
        self.rebuilt.batches |= {qid: topic.batches for qid, topic in self.by_qid.items() if topic.batches}

    def _step(self, number: int, steps: Sequence[PoolStep]) -> bool:
        """One step; whether judging goes on."""
        going = list[GrowingTopic]()
        for step in steps:
            self.rebuilt.hear(step)
            if topic := self.by_qid.get(step.qid):
                self._learn(topic, self._new_judgments(topic, step.labels))
                if step.room is not None:
                    topic.room = step.room
                    going.append(topic)
        if self.whole and has_stopping_rule(self.method, self.options) and self._is_stopped():
            return False
        self._advance(going, (self.place, number))
        return True

    def _new_judgments(self, topic: GrowingTopic, docnos: Iterable[str]) -> list[int]:
        """What is judged of these without the unit, too: what is pooled then, or was judged for another reason."""
        numbers, qid = topic.topic.numbers, topic.topic.qid
        there = (docno for docno in docnos if docno in numbers)
        return [
            numbers[one] for one in there if numbers[one] in topic.in_pool or self._pooled_moment(qid, one) == NEVER
        ]

    def _is_stopped(self) -> bool:
        for topic in self.topics:
            topic.take_up()
        return stopping_reason(self.method, self.options, self.topics) is not None

    def _advance(self, going: Sequence[GrowingTopic], moment: Moment) -> None:
        for topic in going:
            topic.take_up()
        for qid, documents in grow_topics(going, self._size_limits(going)).items():
            self._enter(self.by_qid[qid], documents, moment)
            self._learn(self.by_qid[qid], documents)

    def _enter(self, topic: GrowingTopic, documents: Collection[int], moment: Moment) -> None:
        moments = self.rebuilt.moments.setdefault(topic.topic.qid, {})
        moments.update((topic.topic.docnos[document], moment) for document in documents)

    def _size_limits(self, going: Sequence[GrowingTopic]) -> Sequence[int] | int:
        if isinstance(self.most, int):
            return self.most
        most = dict(zip(self.by_qid, self.most, strict=True))
        return [most[topic.topic.qid] for topic in going]

    def _learn(self, topic: GrowingTopic, documents: Collection[int]) -> None:
        """What the pool knew of documents by now; what came only now, or earlier than it did, is judged as it was."""
        qid, docnos = topic.topic.qid, topic.topic.docnos
        topic.learn({document: self._label_of(qid, docnos[document]) for document in documents})

    def _label_of(self, qid: str, docno: str) -> bool | None:
        label = self.rebuilt.judgments.get(qid, {}).get(docno)
        if (
            label is None
            and self.whole
            and self.rebuilt.moments.get(qid, {}).get(docno, NEVER) < self._pooled_moment(qid, docno)
        ):
            return self.of.judged.get(qid, {}).get(docno)
        return label

    def _pooled_moment(self, qid: str, docno: str) -> Moment:
        """When a document came into the pool with all runs."""
        return self.whole.moments.get(qid, {}).get(docno, NEVER) if self.whole else NEVER

    def _full_topics(self) -> set[str]:
        """The topics that have all they may have."""
        if self._has_all_documents(self.topics) or self._may_stop():
            return set(self.by_qid)
        return (
            set() if isinstance(self.most, int) else {t.topic.qid for t in self.topics if self._has_all_documents([t])}
        )

    def _has_all_documents(self, topics: Sequence[GrowingTopic]) -> bool:
        have, most = [topic.size for topic in topics], self._size_limits(topics)
        if isinstance(most, int):
            return sum(have) >= most
        return all(size >= limit for size, limit in zip(have, most, strict=True))

    def _may_stop(self) -> bool:
        """Whether it is because of what was found that there is no more."""
        if not has_stopping_rule(self.method, self.options):
            return False
        self._learn_all(self.topics)
        return self._is_stopped()

    def _learn_all(self, topics: Sequence[GrowingTopic]) -> None:
        for topic in topics:
            judged = self.of.judged.get(topic.topic.qid, {})
            topic.learn({document: judged.get(topic.topic.docnos[document]) for document in topic.in_pool})

    def _extend_topics_at_their_limit(self, qids: Collection[str]) -> None:
        """Give the topics that had all they may have what they may have now: others have left room."""
        topics = [topic for qid, topic in self.by_qid.items() if qid in qids]
        if self._has_all_documents(topics):
            return
        self._learn_all(topics)
        before = {topic.topic.qid: set(topic.in_pool) for topic in topics}
        most, judged = self._size_limits(topics), self.of.judged
        grow(
            self.method,
            self.options,
            topics,
            most=most,
            batch=self.batch,
            judged=judged,
            waits=lambda qid, docno: False,
        )
        for topic in topics:
            self._enter(topic, topic.in_pool - before[topic.topic.qid], NEVER)


def stage_steps(stage: Stage, before: Stage | None, judged: Known) -> list[PoolStep]:
    """The steps of a stage; for batches that were made before steps were kept, those there must have been.

    They are taken to have been judged, as they are now, before the next one was made. Whether that is right shows when
    the pool is rebuilt from them.
    """
    old = before.pool.parameters.get("batches", {}) if before else {}
    earlier = list[PoolStep]()
    for qid, batches in stage.pool.parameters.get("batches", {}).items():
        n_steps = sum(step.qid == qid and step.room is not None for step in stage.steps)
        sizes = batches[len(old.get(qid, ())) : max(len(batches) - n_steps, 0)]
        for number, size in enumerate(sizes, -len(sizes)):
            earlier.append(PoolStep(number, qid, size, judged.get(qid, {}) if number == -len(sizes) else {}))
    return [*sorted(earlier), *stage.steps]
