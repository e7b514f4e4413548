"""What random draws say of active-learning pools: relevant documents that are missing, and P@10 of a new run.

Five reviews of CLEF 2017 with complete judgments are pooled by cal after BM25's first ten documents, to 15 a topic. The
draw and, for P@10, the run outside the pool are chosen anew each time.
"""

import gzip
import json
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from benchmarks.designs.design import Design, Random, holds
from cranfield.features.collecting.learning import Learner
from cranfield.features.collecting.new_run import JudgedOrder, fit_label_model, topic_features
from cranfield.features.collecting.vectors import VectorCorpus, vectors_of
from cranfield.formats import Document, Topic
from cranfield.metrics.forecast.forecaster import UnjudgedPairs
from cranfield.metrics.forecast.missing import hypergeometric_interval
from cranfield.metrics.forecast.precision import forecast_precision, new_run_pairs
from cranfield.pooling.candidates import candidates_by_topic, corpus_candidates
from cranfield.pooling.methods import METHODS
from cranfield.pooling.replay import proposals
from cranfield.search.systems import search
from tests.conftest import SHARED

FILES = SHARED / "clef-tar-2017"
REVIEWS = ("CD008760", "CD010705", "CD010542", "CD010386", "CD009944")
NEW_RUNS = ("lsa", "chargrams", "ql-dirichlet", "rm3")
BUDGET, FRAME_DEPTH, CUTOFF = 15, 50, 10


class LearntReview(NamedTuple):
    """Whether each unjudged document of the frame is relevant; a new run's unjudged documents in its first ten.

    `features` and `truth` are by run, and `found` has the relevant judged documents in its first ten.
    """

    frame: list[bool]
    features: dict[str, np.ndarray[tuple[int, int], np.dtype[np.float64]]]
    truth: dict[str, list[bool]]
    found: dict[str, int]
    judged: JudgedOrder
    judged_features: np.ndarray[tuple[int, int], np.dtype[np.float64]]


@cache
def learnt_reviews() -> dict[str, LearntReview]:
    """The reviews with their pools."""
    return {name: _learnt_review(name) for name in REVIEWS}


def _learnt_review(name: str) -> LearntReview:
    with gzip.open(FILES / f"{name}.docs.jsonl.gz", "rt") as lines:
        rows = [json.loads(line) for line in lines]
    with gzip.open(FILES / f"{name}.qrels.gz", "rt") as lines:
        taken = {row[2] for row in map(str.split, lines) if int(row[3]) > 0}
    title = json.loads((FILES / f"{name}.topic.json").read_text())["title"]
    documents = [Document(str(row["id"]), row["title"] or "", row["content"] or "") for row in rows]
    corpus = VectorCorpus(vectors_of(documents), {name: title})
    runs = search(documents, [Topic(name, title)], systems=["bm25", *NEW_RUNS], depth=FRAME_DEPTH)
    [bm25] = candidates_by_topic(runs.select(["bm25"]), FRAME_DEPTH)
    [topic] = corpus_candidates([bm25], corpus, ["bm25"])
    truth = np.array([docno in taken for docno in topic.docnos])
    order = proposals(METHODS["cal"].start(topic, {}, 0), truth, BUDGET)
    judged, number = {*order.tolist()}, topic.numbers
    tops = {
        tag: [number[docno] for docno in one.docnos[one.lists[0]].tolist()]
        for tag in runs.tags
        for one in candidates_by_topic(runs.select([tag]), FRAME_DEPTH)
    }
    frame = sorted({document for top in tops.values() for document in top} - judged)
    ordered, features, unjudged = JudgedOrder(name, order, truth[order]), {}, {}
    for tag in NEW_RUNS:
        unjudged[tag] = [document for document in tops.get(tag, [])[:CUTOFF] if document not in judged]
        found = topic_features(Learner(corpus, name, 0), ordered, np.array(unjudged[tag], np.int64))
        features[tag] = found.wanted
    return LearntReview(
        truth[frame].tolist(), features, {tag: truth[unjudged[tag]].tolist() for tag in NEW_RUNS},
        {tag: sum(truth[one] and one in judged for one in tops.get(tag, [])[:CUTOFF]) for tag in NEW_RUNS},
        ordered, found.judged,
    )  # fmt: skip


def draw_missing(n: int, random: Random) -> bool | None:
    """Whether the interval holds the relevant documents in the frame of all reviews."""
    frame = np.concatenate([review.frame for review in learnt_reviews().values()])
    drawn = random.permutation(len(frame))[:n]
    low, high = hypergeometric_interval(int(frame[drawn].sum()), len(drawn), len(frame))
    return holds(low, high, float(frame.sum()))


@cache
def unjudged_of(tag: str) -> tuple[UnjudgedPairs, list[bool], int]:
    """The unjudged documents of a run outside the pool, which are relevant, and the relevant judged documents."""
    reviews = learnt_reviews()
    model = fit_label_model(
        [review.judged_features for review in reviews.values()], [one.judged.relevant for one in reviews.values()]
    )
    features = np.concatenate([review.features[tag] for review in reviews.values()])
    truth = [label for review in reviews.values() for label in review.truth[tag]]
    topic = np.repeat(np.arange(len(reviews)), [len(review.truth[tag]) for review in reviews.values()])
    pairs = new_run_pairs(
        tag, [*reviews], topic, np.ones(len(topic), np.int64), [f"d{number}" for number in range(len(topic))],
        probability=model.probabilities(features), share=len(topic) / (CUTOFF * len(reviews)),
    )  # fmt: skip
    return pairs, truth, sum(review.found[tag] for review in reviews.values())


def draw_precision(share: float, random: Random) -> bool | None:
    """Whether the interval holds P@10 of a new run, with labels of a share of its unjudged documents, at least ten."""
    pairs, truth, found = unjudged_of(NEW_RUNS[random.integers(len(NEW_RUNS))])
    drawn = random.permutation(len(truth))[: max(10, round(share * len(truth)))]
    labels = {(pairs.qids[pairs.topic[row]], pairs.docno[row]): int(truth[row]) for row in drawn}
    forecast = forecast_precision(pairs, found, CUTOFF, labels, seed=int(random.integers(1 << 30)))
    return holds(forecast.low, forecast.high, (found + sum(truth)) / (CUTOFF * len(pairs.qids)))


ROWS = [
    *(
        Design(
            "pool forecast", f"missing in a frame, draw of {n}, cal, CLEF 2017", partial(draw_missing, n), needs=FILES
        )
        for n in (50, 100)
    ),
    Design(
        "pool forecast --new-run", "P@10, half of its unjudged labelled, cal, CLEF 2017",
        partial(draw_precision, 0.5), needs=FILES,
    ),
]  # fmt: skip
