"""Methods over the whole corpus: active learning, and a random draw, judged before, to certify a recall."""

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.errors import InputError
from cranfield.features.collecting.learning import Learner, ranked
from cranfield.features.collecting.vectors import VectorCorpus, corpus_of
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import CorpusState, Method, MethodOption, order_by_score, topic_random_generator
from cranfield.store.pools import PooledDocument

if TYPE_CHECKING:
    from cranfield.metrics.forecast.forecaster import UnjudgedPairs
    from cranfield.view import View

RRF = 60  # the constant of reciprocal rank fusion
STRATA = ((100, "sample: next 100"), (500, "sample: to 500"), (None, "sample: rest"))  # of what CAL ranks after its own


class Learning(CorpusState):
    """What the methods share: the documents that came, those that are judged, and the learner."""

    def __init__(self, topic: Candidates, options: Mapping[str, Any], seed: int) -> None:
        if topic.corpus is None:
            raise InputError("active learning needs texts: use a store, because run files have only docnos")
        self.topic, self.seed = topic, seed
        corpus = cast("VectorCorpus", topic.corpus)
        self.learner = Learner(corpus, topic.qid, seed, negatives=options["negatives"], c=options["c"])
        self.held: dict[int, int] = {}  # each document that came, and as which
        self.known: dict[int, bool] = {}
        self.open: Mask = corpus.counting()
        self._apart = {topic.numbers[docno] for docno in corpus.apart.get(topic.qid, ()) if docno in topic.numbers}
        self._entries: dict[int, tuple[str | None, float | None]] = {}  # since it began: stratum and probability

    def observe(self, judged: Mapping[int, bool]) -> None:
        """All but what is known from a random draw alone, or what is found of the draw would not certify a recall."""
        alone = {document for document in judged if document in self._apart and document not in self.held}
        labels = {document: label for document, label in judged.items() if document not in alone}
        self.known.update(labels)
        self.open[list(labels)] = False

    def restore(self, documents: Collection[int], labels: Mapping[int, bool]) -> None:
        self._hold(sorted(documents))
        self.observe(labels)

    def _hold(self, documents: Iterable[int]) -> None:
        for document in documents:
            self.held[document] = len(self.held) + 1
            self.open[document] = False

    def scores(self) -> Floats:
        """What the learner thinks now; judged documents in order, so that it does not matter when each was heard."""
        return self.learner.scores(dict(sorted(self.known.items())), self.open, len(self.held))

    def prepare(self) -> None:
        """Have the learner think beside of what it is going to be asked."""
        self.learner.prepare(dict(sorted(self.known.items())), self.open, len(self.held))

    def take(self, documents: Ints, stratum: str, probability: float | None = None) -> Ints:
        """Let documents come."""
        self._hold(documents.tolist())
        self._entries.update(dict.fromkeys(documents.tolist(), (stratum, probability)))
        return documents

    def pooled(self, documents: Iterable[int]) -> list[PooledDocument]:
        entries = []
        for document in sorted({*documents} & {*self._entries}):
            stratum, chance = self._entries[document]
            runs = self.topic.contributors(document) if stratum == "run" else ()
            docno = str(self.topic.docnos[document])
            entries.append(PooledDocument(self.topic.qid, docno, self.held[document], runs, stratum, chance))
        return entries


class ActiveLearning(Learning):
    """The first documents of the runs, then those that the learner ranks first; at the end, a sample of the rest.

    Two runs begin with b and c; then comes what is like b, since that is relevant.

    >>> from cranfield.features.collecting.examples import wide
    >>> from cranfield.pooling.examples import judged
    >>> topic = wide("b c", "b")
    >>> judged(topic, CAL.start(topic, {"first": 2}), relevant="b", size=9)
    'b c a d'
    >>> judged(wide(), CAL.start(wide()), relevant="d", size=9)
    'a d b c'
    """

    def __init__(self, topic: Candidates, options: Mapping[str, Any], seed: int) -> None:
        super().__init__(topic, options, seed)
        self.growth, self.sample = options["growth"], options["sample"]
        retrieved = np.unique(topic.document)
        self.fused = retrieved[
            order_by_score(topic.total(1 / (RRF + topic.ranks))[retrieved])
        ]  # reciprocal rank fusion
        self.first = self.fused[: options["first"]]
        self.most = len(topic) if topic.budget is None else topic.budget

    @property
    def batch(self) -> int:
        rest = int(np.sum(self.open[self.first]))
        if rest:
            return rest
        documents = len(self.held) - sum(document in self.held for document in self.first.tolist())
        return min(batch_size(documents, self.growth), self.most - len(self.held)) or self.sample

    def next(self, size: int) -> Ints:
        if self.sample and len(self.held) >= self.most:
            if len(self.held) > self.most:
                return np.zeros(0, np.int64)
            # a third of the sample from each stratum of the rest; none is drawn twice
            rest = ranked(self.scores(), self.open, int(self.open.sum()))
            random = topic_random_generator(self.seed, f"{self.topic.qid}\0sample")
            samples, start = [], 0
            for number, (end, name) in enumerate(STRATA):
                part = rest[start:end]
                several = min(len(part), (self.sample + number) // len(STRATA))
                sample = random.choice(part, several, replace=False) if several else part[:0]
                samples.append(self.take(sample, name, several / max(len(part), 1)))
                start = end or len(rest)
            return np.concatenate(samples)
        if len(first := self._first_documents()):
            return self.take(first[:size], "run", self._sure)
        return self.take(ranked(self.scores(), self.open, size), "cal", self._sure)

    def prepare(self) -> None:
        if not len(self._first_documents()):
            super().prepare()

    def _first_documents(self) -> Ints:
        """The documents of the runs that come before the learner is asked: the first, all while nothing is relevant."""
        runs = self.first if any(self.known.values()) or self.open[self.first].any() else self.fused
        return runs[self.open[runs]]

    @property
    def _sure(self) -> float | None:
        return 1.0 if self.sample else None


def batch_size(documents: int, growth: int) -> int:
    """The size of the next batch after so many documents: 1 first, then a share more each time, rounded up.

    >>> [batch_size(learned, 10) for learned in (0, 1, 3, 45, 55, 66)]
    [1, 2, 3, 10, 11, 13]
    >>> batch_size(7, 0)
    1
    """
    size, so_far = 1, 0
    while growth and so_far + size <= documents:
        so_far, size = so_far + size, size + -(-size // growth)
    return size


FIRST = MethodOption("first", 10, "number of documents from the fused runs before learning begins", low=0)
LEARN = (
    MethodOption(
        "negatives",
        100,
        "number of unjudged documents presumed not relevant, drawn again whenever the classifier is trained",
        low=1,
    ),
    MethodOption("c", 1.0, "how closely the classifier follows the labels", low=1e-6),
)
GROWTH = MethodOption(
    "growth", 10, "each batch is larger than the one before by 1/growth; 0: always one document", low=0
)


def _model_of_new_run(view: "View", tag: str, cutoff: int, without: Collection[tuple[str, str]]) -> "UnjudgedPairs":
    from cranfield.features.collecting.new_run import unjudged_by_learning

    return unjudged_by_learning(view, tag, cutoff, without)


CAL = Method(
    "cal", "active learning over the whole corpus, after the runs' first documents", ActiveLearning,
    (FIRST, *LEARN, GROWTH,
     MethodOption("sample", 0, "number of documents drawn at the end from the remaining documents", low=0)),
    adaptive=True, sized=True, random=True, corpus=corpus_of, new_run_model=_model_of_new_run,
    most=lambda size, options: size + options.get("sample", 0),
    source="Cormack and Grossman 2015; Abualsaud et al. 2018",
    explanation="""
Continuous active learning: a classifier learns from every label and proposes the documents most likely to be relevant.

It begins with the first documents of the pooled runs (`first`, by reciprocal rank fusion), or with the topic's text if
there are no runs. It continues with the runs until a relevant document is known. The first batch is one document, and
each later batch is larger by 1/`growth`. All labels of the topic count, including labels from outside the pool;
people's labels take precedence over models'. Only documents with a text are proposed.

Strengths: with 50 documents per topic, after BM25's first ten, it found 0.67, 0.36, 0.43 and 0.75 of the known relevant
documents. The collections were CACM, CISI, NPL and Cranfield. A pool of fourteen baselines found 0.48, 0.25, 0.37 and
0.64 (but BM25 found 0.42 on NPL). Weaknesses: with 20 documents per topic, it found no more relevant documents than the
baselines, and more often found none. As with every method that judges few documents, left-out systems score too high,
so the order of systems is more reliable than their scores. It is not known how well it works with neural rankers, on
larger corpora, or with real assessors, who make errors (the method and the tested rankers are lexical). It gives no
estimates; for these, use `sample`, which draws from three strata of the remaining documents, or scal.

Sources: Cormack and Grossman, Autonomy and reliability of continuous active learning, arXiv:1504.06868, 2015; Abualsaud
et al., A system for efficient high-recall retrieval, SIGIR 2018.
""")  # fmt: skip


class CorpusDraw(CorpusState):
    """The documents of a corpus in random order, but those that are judged.

    >>> from cranfield.features.collecting.examples import wide
    >>> state = DRAW.start(wide(budget=2), seed=1)
    >>> state.observe({0: True})
    >>> [(one.docno, one.depth, one.stratum, one.probability) for one in state.pooled(state.next(2))]
    [('c', 1, 'draw', 0.6666666666666666), ('d', 2, 'draw', 0.6666666666666666)]
    """

    def __init__(self, topic: Candidates, options: Mapping[str, Any], seed: int) -> None:
        self.topic, self.held = topic, 0
        self.shuffled = topic_random_generator(seed, f"{topic.qid}\0draw").permutation(len(topic))
        self.open: Mask = cast("VectorCorpus", topic.corpus).counting()
        self._entries: dict[int, tuple[int, float]] = {}  # since it began: the place in the draw, and the probability

    @property
    def batch(self) -> int:
        return (len(self.topic) if self.topic.budget is None else self.topic.budget) - self.held

    def next(self, size: int) -> Ints:
        documents: Ints = self.shuffled[self.open[self.shuffled]][:size]
        chance = (self.held + len(documents)) / max(self.held + int(self.open.sum()), 1)
        self._entries |= {document: (self.held + place, chance) for place, document in enumerate(documents.tolist(), 1)}
        self.restore(documents.tolist(), {})
        return documents

    def observe(self, judged: Mapping[int, bool]) -> None:
        """What is judged is not drawn; whether it is relevant does not matter."""
        self.open[list(judged)] = False

    def restore(self, documents: Collection[int], labels: Mapping[int, bool]) -> None:
        self.held += len(documents)
        self.open[[*documents, *labels]] = False

    def prepare(self) -> None:
        """Nothing takes long."""

    def pooled(self, documents: Iterable[int]) -> list[PooledDocument]:
        return [
            PooledDocument(self.topic.qid, str(self.topic.docnos[document]), place, (), "draw", chance)
            for document in sorted({*documents} & {*self._entries})
            for place, chance in [self._entries[document]]
        ]


DRAW = Method(
    "draw", "a random draw from the whole corpus, to certify the recall of cal", CorpusDraw,
    adaptive=True, sized=True, random=True, is_random=True, corpus=corpus_of,
    source="Lewis, Yang and Frieder 2021",
    explanation="""
A uniform random draw of each topic's unjudged documents from the whole corpus, to judge before active learning starts.

The share of the drawn relevant documents that cal finds estimates cal's recall: `progress --stop qbcb:0.8` and `target`
certify a recall from this share. Build and judge this pool first, then build a pool with cal. Cal learns from a drawn
document only when it would have proposed the document anyway; the document is not judged twice. Strengths: no other
method here can guarantee a recall. Weaknesses: it needs many labels. If R of N documents are relevant, a draw with 14
relevant documents takes about 14 N / R labels. That is 280,000 labels for 50 relevant documents in a million. Documents
judged before the draw are not drawn; the guarantee holds for all other documents, and therefore for all documents.
Labels that are added later must not depend on the draw. Source: Lewis, Yang and Frieder, Certifying one-phase
technology-assisted reviews, CIKM 2021.
""")  # fmt: skip
