"""One method replayed on judged data: what it would have had judged by each budget, and how runs score by that."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints, Mask, Qrels, Runs, is_judged
from cranfield.formats.runs.partitioned import JudgedPart, PartitionedRuns, match_blocks_with_judgments
from cranfield.metrics.evaluate import score
from cranfield.metrics.notation import parse
from cranfield.metrics.reusability.leave_one_out import means
from cranfield.parallel import WORKERS, keep_results, map_blocks, map_in_processes
from cranfield.pooling.budget import CompetingTopic, allocate_total, group_documents, split_budget, topics_compete
from cranfield.pooling.candidates import Candidates, Corpus, candidates_by_topic, corpus_candidates, drop_topic_runs
from cranfield.pooling.method import CorpusState, Method, State
from cranfield.pooling.methods import METHODS

NOBODY = -1  # the unit of runs that are left out when nobody is


class Trial(NamedTuple):
    """A method to be replayed, with the options it is given."""

    method: str
    options: Mapping[str, Any] = {}

    @property
    def label(self) -> str:
        """The method as it is asked for.

        >>> Trial("maxmean", {"credit": "arm", "rate": 0.0}).label
        'maxmean:credit=arm,rate=0.0'
        """
        return ":".join([self.method, ",".join(f"{name}={value}" for name, value in self.options.items())]).rstrip(":")


class Setting(NamedTuple):
    """What is asked: `units` are the runs to pool by unit, budgets are documents per topic or, with `total`, of all."""

    units: Mapping[str, Sequence[str]]
    depth: int
    depths: Mapping[str, int | None] | None
    measure: str
    min_relevant: int
    budgets: tuple[int, ...]
    total: bool
    seed: int
    batch: int
    corpora: Mapping[str, Corpus] = {}  # by method, of those that propose from one


@dataclass(frozen=True, eq=False)
class ReplayInput:
    """What every replay starts from: the pooled runs by topic, the judgments, and what is asked.

    The pure and slow part of a simulation, a task for one process: all it needs is in a `ReplayInput`, and nothing in
    it depends on other tasks.
    """

    topics: tuple[Candidates, ...]
    place: Ints  # per topic its number among those judged
    judgment: tuple[Ints, ...]  # per topic and document: which judgment, -1 if nobody judged it
    unit: Ints  # per run of the topics: its unit
    relevant: Mask  # per judgment
    judged: Judged  # all runs under the judgments that the measure looks at
    visible: Mask  # per judgment: does the measure look at it?
    setting: Setting
    rows: Mapping[int, Mapping[str, int]] = field(default_factory=dict)  # for corpora: by topic, each docno's judgment


class TopicInput(NamedTuple):
    """A topic as a method gets it: what some runs retrieved, which judgment each document has, what is relevant."""

    topic: Candidates
    judgment: Ints
    relevant: Mask


class ReplayOutcome(NamedTuple):
    """What came of a replay. The counts are budgets x topics, the scores budgets x runs x topics."""

    documents: Ints
    relevant: Ints
    unjudged: Ints
    scores: Floats


def replay_input(runs: Runs, everything: Judged, qrels: Qrels, setting: Setting) -> ReplayInput:
    """Set up: some of the runs are pooled, all are scored."""
    units, measure = setting.units, setting.measure
    pooled = [tag for tags in units.values() for tag in tags]
    numbers = {qid: number for number, qid in enumerate(everything.qids)}
    topics = tuple(
        t for t in candidates_by_topic(runs.select(pooled), setting.depth, setting.depths) if t.qid in numbers
    )
    place = np.array([numbers[topic.qid] for topic in topics], np.int64)
    unit = {tag: number for number, tags in enumerate(units.values()) for tag in tags}
    grades = everything.qrels_grade
    visible = np.ones(len(grades), bool) if parse(measure).sees_nonrelevant else grades > 0
    row = rows_of(everything, qrels, place)
    judgment = tuple(
        np.array([row[number].get(docno, -1) for docno in topic.docnos], np.int64)
        for topic, number in zip(topics, place.tolist(), strict=True)
    )
    return ReplayInput(
        topics,
        place,
        judgment,
        unit=np.array([unit[tag] for tag in (topics[0].tags if topics else ())], np.int64),
        relevant=grades >= setting.min_relevant,
        judged=everything.select_judgments(visible),
        visible=visible,
        setting=setting,
        rows=row if setting.corpora else {},
    )


def rows_of(judged: Judged, qrels: Qrels, place: Ints) -> dict[int, dict[str, int]]:
    """Of these topics, which judgment each docno has. A grade of -1 is none."""
    docnos, labelled = qrels.docnos.names[qrels.document[judged.qrels_row]], is_judged(judged.qrels_grade)
    bounds = np.searchsorted(judged.qrels_topic, np.arange(len(judged.qids) + 1)).tolist()
    return {n: {docnos[at]: at for at in range(bounds[n], bounds[n + 1]) if labelled[at]} for n in place.tolist()}


def replay_method(trial: Trial, unit: int, on: ReplayInput) -> ReplayOutcome:
    """Replay a method on every topic, without the runs of a unit, and score all runs by what it had judged."""
    shape = len(on.setting.budgets), len(on.judged.qids)
    documents, relevant, unjudged = (np.zeros(shape, np.int64) for _ in range(3))
    known_by_budget = np.zeros((len(on.setting.budgets), len(on.relevant)), bool)
    if trial.method in on.setting.corpora:
        on = _add_corpus(on, on.setting.corpora[trial.method])
    inputs = [_input_without(on, unit, topic, judgment) for topic, judgment in zip(on.topics, on.judgment, strict=True)]
    for place, topic, budget_choices in zip(on.place, inputs, _choices(on, trial, inputs), strict=True):
        for at, picks in enumerate(budget_choices):
            rows = topic.judgment[picks]
            judged = rows[rows >= 0]
            known_by_budget[at, judged] = True
            documents[at, place], unjudged[at, place] = len(picks), len(picks) - len(judged)
            relevant[at, place] = on.relevant[judged].sum()
    return ReplayOutcome(documents, relevant, unjudged, np.stack([scores(on, row) for row in known_by_budget]))


def play_part(on: ReplayInput, trial: Trial, unit: int) -> ReplayOutcome:
    """The same, with what workers keep first, as they have it."""
    return replay_method(trial, unit, on)


def _add_corpus(on: ReplayInput, corpus: Corpus) -> ReplayInput:
    wide = {
        topic.qid: topic
        for topic in corpus_candidates(
            on.topics, corpus, on.topics[0].tags if on.topics else (), max(on.setting.budgets)
        )
    }
    topics = tuple(wide[topic.qid] for topic in on.topics)
    judgment = []
    for topic, number in zip(topics, on.place.tolist(), strict=True):
        rows = np.full(len(topic), -1)
        for docno, row in on.rows[number].items():
            if docno in topic.numbers:
                rows[topic.numbers[docno]] = row
        judgment.append(rows)
    return replace(on, topics=topics, judgment=tuple(judgment))


def scores(on: ReplayInput, mask: Mask) -> Floats:
    """The scores under some of the judgments, runs x topics; what is left out is unjudged."""
    return np.asarray(score(on.judged.select_judgments(mask[on.visible]), [parse(on.setting.measure)])[..., 0])


def replay_full_pool(on: ReplayInput) -> ReplayOutcome:
    """The pool of all that the pooled runs retrieved, and the scores under all judgments."""
    shape = 1, len(on.judged.qids)
    documents, relevant, unjudged = (np.zeros(shape, np.int64) for _ in range(3))
    for place, rows in zip(on.place, on.judgment, strict=True):
        judged = rows[rows >= 0]
        documents[0, place], unjudged[0, place] = len(rows), len(rows) - len(judged)
        relevant[0, place] = on.relevant[judged].sum()
    return ReplayOutcome(documents, relevant, unjudged, scores(on, np.ones(len(on.relevant), bool))[None])


def _input_without(on: ReplayInput, unit: int, topic: Candidates, judgment: Ints) -> TopicInput:
    rest, number = (topic, np.arange(len(topic))) if unit == NOBODY else drop_topic_runs(topic, on.unit == unit)
    rows = judgment[number]
    return TopicInput(rest, rows, on.relevant[rows] & (rows >= 0) if len(on.relevant) else rows >= 0)


def _choices(on: ReplayInput, trial: Trial, inputs: Sequence[TopicInput]) -> list[list[Ints]]:
    """Per topic, the documents that are judged by each budget."""
    method, available, setting = METHODS[trial.method], [len(one.topic) for one in inputs], on.setting
    if setting.total and topics_compete(method, trial.options):
        topics = [
            BatchListener(method.start(one.topic, trial.options, setting.seed), one.relevant, setting.batch)
            for one in inputs
        ]
        order = allocate_total(topics, [0] * len(topics), max(setting.budgets))
        budget_choices = [group_documents(order[:budget], len(inputs)) for budget in setting.budgets]
        return [[np.array(some[number], np.int64) for some in budget_choices] for number in range(len(inputs))]
    sizes = [split_budget(available, total=b) if setting.total else [b] * len(inputs) for b in setting.budgets]
    return [
        replay_topic(
            method,
            trial.options,
            one.topic,
            one.relevant,
            [size[number] for size in sizes],
            seed=setting.seed,
            batch=setting.batch,
        )
        for number, one in enumerate(inputs)
    ]


def replay_topic(
    method: Method,
    options: Mapping[str, Any],
    topic: Candidates,
    relevant: Mask,
    budgets: Sequence[int],
    *,
    seed: int = 0,
    batch: int = 1,
) -> list[Ints]:
    """What a method has judged of a topic by each budget, in its order, `batch` documents at a time.

    >>> from cranfield.pooling.examples import example, docnos_of
    >>> topic = example("a b c", "b d")
    >>> documents = replay_topic(METHODS["hedge"], {}, topic, topic.docnos == "a", [1, 3])
    >>> [docnos_of(topic, documents) for documents in documents]
    ['b', 'b a c']
    """
    if not len(topic):
        return [np.zeros(0, np.int64)] * len(budgets)
    if method.fixed:
        return [method.start(topic, options, seed).next(budget) for budget in budgets]
    state, most = method.start(topic, options, seed), max(budgets)
    order = proposals(state, relevant, most, batch) if method.adaptive else state.next(most)
    return [order[:budget] for budget in budgets]


class BatchListener:
    """A state that learns after each batch which of its documents are relevant."""

    def __init__(self, state: State, relevant: Mask, batch: int) -> None:
        self.state, self.relevant, self.batch = state, relevant, batch
        self.waiting: list[int] = []
        self.own = 1  # a method's own batch, where none was asked for

    @property
    def promise(self) -> float:
        """As the method sees it."""
        return cast("CompetingTopic", self.state).promise

    def next(self, size: int) -> list[int]:
        """The next documents, what is left of a batch at most."""
        if isinstance(self.state, CorpusState) and self.batch == 1 and not self.waiting:
            self.own = self.state.batch
        room = min(size, max(self.batch, self.own) - len(self.waiting))
        documents: list[int] = self.state.next(room).tolist()
        self.waiting += documents
        if len(self.waiting) == max(self.batch, self.own) or len(documents) < room:
            self.state.observe({document: bool(self.relevant[document]) for document in self.waiting})
            self.waiting = []
        return documents


def proposals(state: State, relevant: Mask, size: int, batch: int = 1) -> Ints:
    """The documents that a state proposes when it learns after each batch which of them are relevant."""
    order, listener = list[int](), BatchListener(state, relevant, batch)
    while len(order) < size and (documents := listener.next(size - len(order))):
        order += documents
    return np.array(order, np.int64)


Task = tuple[Trial, int]


class ReplayResult(NamedTuple):
    """What came of a replay on all topics. The counts are budgets x topics, the scores budgets x runs."""

    documents: Ints
    relevant: Ints
    unjudged: Ints
    scores: Floats


class ReplayBlocks(NamedTuple):
    """What replays start from, by blocks of topics: here, or kept by workers. `judged` has all topics and judgments."""

    judged: Judged
    topics: Sequence[Ints]
    parts: Sequence[Any]
    setting: Setting

    def pool_all(self) -> ReplayResult:
        """The pool of all that the pooled runs retrieved, and the scores under all judgments."""
        if len(self.parts) == 1:
            return self._join([replay_full_pool(self.parts[0])])
        return self._join(list(map_blocks(replay_full_pool, [(part,) for part in self.parts])))

    def replay_all(
        self, tasks: Sequence[Task], workers: int, progress: Callable[[int], None]
    ) -> Iterator[ReplayResult]:
        """The outcome of every task, in order."""
        if len(self.parts) == 1:
            results = map_blocks(replay_method, tasks, self.parts, map_in_processes(min(workers, len(tasks))))
        else:
            results = map_blocks(play_part, [(part, *task) for task in tasks for part in self.parts])
        for _ in tasks:
            outcome = self._join(list(islice(results, len(self.parts))))
            progress(1)
            yield outcome

    def _join(self, parts: Sequence[ReplayOutcome]) -> ReplayResult:
        documents, relevant, unjudged, scores = (self._column(column) for column in zip(*parts, strict=True))
        measure = parse(self.setting.measure)
        return ReplayResult(documents, relevant, unjudged, means(scores[..., None], [measure])[..., 0])

    def _column(self, parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
        """What blocks have by topic, for all topics."""
        if len(parts) == 1:
            return parts[0]
        whole = np.empty((*parts[0].shape[:-1], len(self.judged.qids)), parts[0].dtype)
        for topics, part in zip(self.topics, parts, strict=True):
            whole[..., topics] = part
        return whole


def replay_blocks(runs: Runs, qrels: Qrels, setting: Setting) -> ReplayBlocks:
    """What replays start from: one block or, on a cluster, those of a data set, each read by a worker that keeps it.

    A budget for all topics together needs them all.
    """
    if isinstance(runs, PartitionedRuns) and WORKERS.get() and not setting.total:
        bare, parts, topics = match_blocks_with_judgments(runs, qrels)
        return ReplayBlocks(bare, topics, keep_results(_read, [(part, setting) for part in parts]), setting)
    judged = join_runs_and_qrels(runs, qrels)
    return ReplayBlocks(judged, [np.arange(len(judged.qids))], [replay_input(runs, judged, qrels, setting)], setting)


def _read(part: JudgedPart, setting: Setting) -> ReplayInput:
    runs = part.runs()
    return replay_input(runs, part.judged(runs), part.qrels, setting)
