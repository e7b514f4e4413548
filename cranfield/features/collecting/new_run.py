"""What the labels of an active-learning pool say of a new run: P@k, had its first k documents been judged.

A logistic regression of each pooled document's label on three values, each as it was before the document was judged:

    log of its position in the classifier's order        its score        log odds of the topic's relevant share so far

It gives each unjudged document of a new run a probability of relevance, from its position in the order as it is now.
Its log odds may be shifted for a new run, by up to about exp(2 x 0.8) times the odds, so that without labels of this
run there are bounds and no interval: sums of these probabilities were 0.2 to 8.8 times the truth. A random draw of the
run's unjudged documents gives the shift, and so an interval (see draw_relevance in metrics/forecast).
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple, cast

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.errors import InputError
from cranfield.features.collecting.learning import Learner, ranked
from cranfield.features.collecting.vectors import VectorCorpus
from cranfield.metrics.forecast.forecaster import UnjudgedPairs
from cranfield.metrics.forecast.model import LogisticModel, fit_logistic
from cranfield.metrics.forecast.precision import new_run_pairs
from cranfield.parallel import progress_bar
from cranfield.text import counted
from cranfield.view import View

FIT_AGAIN = 4  # the classifier is fitted again after a quarter more labels
NO_TEXT = 1e-4  # the probability of a document that the classifier cannot see


class JudgedOrder(NamedTuple):
    """The judged documents of a topic in the order in which they were proposed, as numbers of the corpus."""

    qid: str
    documents: Ints
    relevant: Mask


class TopicFeatures(NamedTuple):
    """The features of a topic's judged documents in order, and of the documents asked for."""

    judged: Floats
    wanted: Floats


def topic_features(learner: Learner, order: JudgedOrder, wanted: Ints) -> TopicFeatures:
    """The features of judged documents, each before it was judged, and of others after all these.

    >>> from cranfield.features.collecting.examples import wings
    >>> order = JudgedOrder("q", np.array([0, 3]), np.array([True, False]))
    >>> found = topic_features(Learner(wings(), "q", seed=0, negatives=1), order, np.array([1, 2]))
    >>> found.judged[:, [0, 2]].round(2).tolist()
    [[0.0, 0.0], [0.69, 1.1]]
    >>> np.exp(found.wanted[:, 0]).round().tolist()
    [3.0, 4.0]
    """
    open_ = learner.corpus.counting()
    known, hits, next_fit, rows = dict[int, bool](), 0, 0, list[tuple[float, float, float]]()
    scores = np.zeros(len(open_))
    for number, (document, relevant) in enumerate(zip(order.documents.tolist(), order.relevant.tolist(), strict=True)):
        if number >= next_fit:
            scores = learner.scores(known, open_, number)
            next_fit = number + max(number // FIT_AGAIN, 1)
        rows.append((np.log(number + 1), scores[document], _yield(hits, number)))
        known[document], hits = relevant, hits + relevant
        open_[document] = False
    scores = learner.scores(known, open_, len(known))
    position = np.full(len(open_), len(open_))
    proposed = ranked(scores, open_, int(open_.sum()))
    position[proposed] = len(known) + 1 + np.arange(len(proposed))
    share = np.full(len(wanted), _yield(hits, len(known)))
    return TopicFeatures(
        np.array(rows, float).reshape(len(rows), 3), np.c_[np.log(position[wanted]), scores[wanted], share]
    )


def _yield(hits: int, judged: int) -> float:
    """The log odds of being relevant among judged documents, with half a document of each more."""
    return float(np.log((hits + 0.5) / (judged - hits + 0.5)))


def fit_label_model(features: Sequence[Floats], relevant: Sequence[Mask]) -> LogisticModel:
    """The regression of the labels of all topics on these features."""
    labels = np.concatenate(relevant).astype(float)
    return fit_logistic(np.concatenate(features), labels, np.ones(len(labels)))


def unjudged_by_learning(view: View, tag: str, k: int, without: Collection[tuple[str, str]]) -> UnjudgedPairs:
    """The unjudged documents in the first k of a run, with probabilities of relevance by the pool's classifier.

    The labels of `without` are left aside: of a random draw of this run's documents.
    """
    pool, corpus = (
        view.pool_stages[-1].pool,
        cast("VectorCorpus", view.corpus and view.corpus(view.pool_stages[-1].pool.method)),
    )
    qrels, least, options = view.qrels, view.min_relevant, pool.parameters.get("options", {})
    names = zip(qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], strict=True)
    labels = {pair: bool(grade >= least) for pair, grade in zip(names, qrels.grade.tolist(), strict=True)}
    labels = {pair: label for pair, label in labels.items() if pair not in without}
    qids, numbers = sorted({qid for qid, _ in labels}), corpus.numbers
    orders = {qid: list[str]() for qid in qids}
    for one in sorted(pool.documents, key=lambda one: one.depth):
        if (one.qid, one.docno) in labels and one.docno in numbers:
            orders[one.qid].append(one.docno)
    unjudged = {
        qid: [(rank, docno) for rank, docno in found if (qid, docno) not in labels]
        for qid, found in top_documents(view, tag, k).items()
        if qid in orders
    }
    features, relevant, wanted = list[Floats](), list[Mask](), dict[tuple[str, str], Floats]()
    with progress_bar("fitting the classifier again", len(qids)) as advance:
        for qid in qids:
            truth = np.array([labels[qid, docno] for docno in orders[qid]], bool)
            order = JudgedOrder(qid, np.array([numbers[docno] for docno in orders[qid]], np.int64), truth)
            docnos = [docno for _, docno in unjudged.get(qid, ()) if docno in numbers]
            learner = Learner(
                corpus, qid, pool.seed or 0, negatives=options.get("negatives", 100), c=options.get("c", 1.0)
            )
            found = topic_features(learner, order, np.array([numbers[docno] for docno in docnos], np.int64))
            features.append(found.judged)
            relevant.append(truth)
            wanted.update({(qid, docno): row for docno, row in zip(docnos, found.wanted, strict=True)})
            advance(1)
    if not any(map(len, relevant)):
        size = counted(len(pool.documents), "document")
        raise InputError(
            f"none of the {size} of pool {pool.number} has a label, so a new run cannot be forecast;"
            " judge the pool first, or use --depth K"
        )
    model = fit_label_model(features, relevant)
    rows = [(qids.index(qid), rank, docno) for qid in qids for rank, docno in unjudged.get(qid, ())]
    chances = [
        float(model.probabilities(wanted[qids[topic], docno][None])[0]) if (qids[topic], docno) in wanted else NO_TEXT
        for topic, _, docno in rows
    ]
    retrieved = sum(len(found) for qid, found in top_documents(view, tag, k).items() if qid in orders)
    return new_run_pairs(
        tag, qids, np.array([row[0] for row in rows], np.int64), np.array([row[1] for row in rows], np.int64),
        [row[2] for row in rows], probability=np.array(chances), share=len(rows) / max(retrieved, 1),
    )  # fmt: skip


def top_documents(view: View, tag: str, k: int) -> dict[str, list[tuple[int, str]]]:
    """The first k documents of a run, with their ranks, by topic."""
    run, found = view.runs.loaded.select([tag]), dict[str, list[tuple[int, str]]]()
    for qid, docno in zip(run.topics.names[run.topic].tolist(), run.docnos.names[run.document].tolist(), strict=True):
        ranking = found.setdefault(qid, [])
        if len(ranking) < k:
            ranking.append((len(ranking) + 1, docno))
    return found
