"""What is in a stored pool, by topic, run, team and pair of runs; what it costs; two pools compared."""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from math import isnan
from statistics import fmean
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Qrels
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.candidates import candidates_by_topic as retrieved_by_topic
from cranfield.pooling.methods.mtc import Pair, beliefs
from cranfield.pooling.stored.request import judgments
from cranfield.pooling.verify import judged_pairs
from cranfield.store.log import label_seconds
from cranfield.store.pools import RANDOM_DRAW, Pool
from cranfield.store.runs import run_info, stored_runs
from cranfield.store.store import Store
from cranfield.text import counted


def contribution_by_topic(
    pool: Pool, qrels: Qrels, models: Set[tuple[str, str]] = frozenset()
) -> list[dict[str, object]]:
    """Per topic and in all: documents, those that only one run brought, those judged; of these, where there are any,
    those that only `models` judged.
    """
    labelled = judged_pairs(qrels)
    documents = Counter(d.qid for d in pool.documents)
    alone = Counter(d.qid for d in pool.documents if len(d.runs) == 1)
    judged = Counter(d.qid for d in pool.documents if (d.qid, d.docno) in labelled)
    by_models = Counter(d.qid for d in pool.documents if (d.qid, d.docno) in models)
    columns = {"documents": documents, "from one run": alone, "judged": judged}
    columns |= {"by models": by_models} if by_models else {}
    rows: list[dict[str, object]] = [
        {"topic": qid, **{name: counter[qid] for name, counter in columns.items()}} for qid in documents
    ]
    return [*rows, {"topic": "all", **{name: counter.total() for name, counter in columns.items()}}]


def contribution_by_run(pool: Pool, qrels: Qrels, min_relevant: int = 1) -> list[dict[str, object]]:
    """Per run: the documents and the relevant ones that it brought to the pool, and those that it alone brought."""
    return contribution_by_unit(pool, qrels, {tag: tag for tag in pool.parameters["runs"]}, "run", min_relevant)


def contribution_by_unit(
    pool: Pool, qrels: Qrels, units: Mapping[str, str], name: str, min_relevant: int = 1
) -> list[dict[str, object]]:
    """Per unit of runs (`units` says whose each run is): what it brought to the pool, and what it alone brought.

    A run that the store does not have, as in a bundle, is a unit of its own.
    """
    names = zip(qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], strict=True)
    relevant = {pair for pair, grade in zip(names, qrels.grade, strict=True) if grade >= min_relevant}
    count = {column: Counter[str]() for column in ("documents", "relevant", "alone", "relevant alone")}
    for document in pool.documents:
        owners = {units.get(tag, tag) for tag in document.runs}
        is_relevant, alone = (document.qid, document.docno) in relevant, len(owners) == 1
        for column, holds in zip(count, (True, is_relevant, alone, is_relevant and alone), strict=True):
            count[column].update(owners if holds else ())
    runs = dict.fromkeys(units.get(tag, tag) for tag in pool.parameters.get("runs", ()))
    return [{name: unit, **{column: counter[unit] for column, counter in count.items()}} for unit in runs]


def pair_certainty(store: Store, pool: Pool, qrels: Qrels) -> list[Pair]:
    """Per pair of runs how sure its order by mean AP is, over the pool's topics, the least sure first.

    Unjudged documents are taken to be relevant with the prior of an MTC pool, else 1/2.
    """
    tags, about, labels = pool.parameters["runs"], run_info(store), judgments(store, qrels)
    depth = pool.parameters.get("depth") or pool.parameters.get("considered")
    topics = retrieved_by_topic(stored_runs(store, tags), depth, {tag: about[tag].depth for tag in tags})
    prior, pooled = pool.parameters.get("options", {}).get("prior", 0.5), {d.qid for d in pool.documents}
    return beliefs(
        (topic, _relevance_probabilities(topic, labels, prior)) for topic in topics if topic.qid in pooled
    ).pairs()


def _relevance_probabilities(topic: Candidates, labels: Mapping[str, Mapping[str, bool]], prior: float) -> Floats:
    """How likely each document of a topic is relevant."""
    judged = labels.get(topic.qid, {})
    return np.array([float(judged.get(docno, prior)) for docno in topic.docnos])


SURE = 0.95  # as good as settled


def pairs_title(pairs: Sequence[Pair]) -> str:
    """How many pairs are as good as settled.

    >>> pairs_title([Pair("a", "b", 0.01, 0.97), Pair("a", "c", 0.0, float("nan"))])
    '1 of 1 run pairs are ordered with a confidence of 0.95; 1 more cannot differ'
    """
    sure = [pair.confidence >= SURE for pair in pairs if not isnan(pair.confidence)]
    alike = f"; {len(pairs) - len(sure)} more cannot differ" if len(sure) < len(pairs) else ""
    return f"{sum(sure)} of {len(sure)} run pairs are ordered with a confidence of {SURE:g}{alike}"


def title(pool: Pool, qrels: Qrels, time: str = "", models: Set[tuple[str, str]] = frozenset()) -> str:
    """How a pool was made, and what is left to judge, with the forecast of its time.

    `models` has the pairs that only models judged; where there are any, the line says how many.

    >>> from cranfield.metrics.inputs import as_qrels
    >>> from cranfield.store.pools import PooledDocument
    >>> title(Pool("rrf", {"depth": None, "considered": 50, "budget": 9, "runs": []}, [], number=2), as_qrels({}))
    'pool 2: rrf, to depth 50, 9 per topic; 0 documents, 0 to judge'
    >>> held = PooledDocument("q", "d", 9, ("a",))
    >>> title(Pool("depth", {"depth": 5, "holds": 1, "runs": ["a"]}, [held], number=2), as_qrels({}))
    'pool 2: depth, depth 5 (up to 9 in part), includes pool 1; 1 document, 1 to judge'
    >>> about = {"runs": [], "run": "new", "frame_depth": 10, "frame_size": 278, "frame": "af"}
    >>> title(Pool("random-draw", about, [held._replace(runs=())], number=3), as_qrels({}))
    'pool 3: random-draw, from 278 unjudged documents in the first 10 of new; 1 document, 1 to judge'
    """
    number = contribution_by_topic(pool, qrels)[-1]["judged"]
    by_models = sum((d.qid, d.docno) in models for d in pool.documents)
    depth, to_judge = pool.parameters.get("depth"), len(pool.documents) - int(str(number))
    whole_corpus = pool.documents and not any(document.runs for document in pool.documents)
    to_depth = f"to depth {pool.parameters.get('considered', '?')}"
    deepest = max((document.depth for document in pool.documents), default=0)
    part = f" (up to {deepest} in part)" if depth and deepest > depth else ""
    words = [] if whole_corpus else [f"depth {depth}{part}" if depth else to_depth]
    words += [f"{pool.parameters[key]} {unit}" for key, unit in SIZES.items() if pool.parameters.get(key) is not None]
    words += [f"includes pool {pool.parameters['holds']}"] if "holds" in pool.parameters else []
    words += [f"documents missing from pool {pool.parameters['lacked_by']}"] if "lacked_by" in pool.parameters else []
    if pool.method == RANDOM_DRAW:
        of = pool.parameters
        words = [f"from {of['frame_size']} unjudged documents in the first {of['frame_depth']} of {of['run']}"]
    whose = f"{by_models} judged only by models, " if by_models else ""
    sizes = f"{counted(len(pool.documents), 'document')}, {whose}{to_judge:,} to judge"
    return "; ".join([f"pool {pool.number}: {', '.join([pool.shown_method, *words])}", sizes, *filter(None, [time])])


SIZES = {"budget": "per topic", "total": "in total"}


def mean_label_seconds(store: Store) -> float | None:
    """The mean time that a label took in this store, without very fast ones; None where none was timed."""
    times = label_seconds(store)
    return fmean(times) if times else None


def pool_difference_by_topic(one: Pool, other: Pool, qrels: Qrels) -> list[dict[str, object]]:
    """Per topic and in all: documents in both pools and in one only, and how many of these are judged."""
    labelled = judged_pairs(qrels)
    pairs = [{(d.qid, d.docno) for d in pool.documents} for pool in (one, other)]
    parts = (pairs[0] & pairs[1], pairs[0] - pairs[1], pairs[1] - pairs[0])
    counts = [Counter(qid for qid, _ in part) for part in parts]
    counts += [Counter(qid for qid, _ in part & labelled) for part in parts[1:]]
    sides = (f"only in {one.number}", f"only in {other.number}")
    columns = ("in both", *sides, *(f"judged {side}" for side in sides))
    topics = sorted({qid for qid, _ in pairs[0] | pairs[1]})
    rows: list[dict[str, object]] = [
        {"topic": qid, **{name: count[qid] for name, count in zip(columns, counts, strict=True)}} for qid in topics
    ]
    return [*rows, {"topic": "all", **{name: count.total() for name, count in zip(columns, counts, strict=True)}}]


class UnitOverlap(NamedTuple):
    """The units, those that contributed most first, and how many documents each two contributed both."""

    units: list[str]
    documents: Ints  # (units, units)

    @property
    def shares(self) -> Floats:
        """The share of the documents of a row's unit that a column's unit contributed, too; NaN where it has none."""
        own = np.diag(self.documents).astype(float)[:, None]
        return np.asarray(np.divide(self.documents, own, out=np.full(self.documents.shape, np.nan), where=own > 0))

    def rows(self, name: str) -> list[dict[str, object]]:
        """One row per ordered pair of different units."""
        shares, size = self.shares, len(self.units)
        return [
            {
                name: self.units[one],
                "other": self.units[other],
                "documents": int(self.documents[one, one]),
                "in both": int(self.documents[one, other]),
                "share": float(shares[one, other]),
            }
            for one in range(size)
            for other in range(size)
            if one != other
        ]


def overlap(pool: Pool, units: Mapping[str, str]) -> UnitOverlap:
    """The overlap of the units of a pool's runs; `units` says whose each run is.

    >>> from cranfield.store.pools import PooledDocument
    >>> documents = [PooledDocument("q", "d1", 1, ("a", "b")), PooledDocument("q", "d2", 1, ("a",))]
    >>> both_ways = overlap(Pool("depth", {"runs": ["b", "a"]}, documents), {"a": "a", "b": "b"})
    >>> both_ways.units, both_ways.documents.tolist(), both_ways.shares.tolist()
    (['a', 'b'], [[2, 1], [1, 1]], [[1.0, 0.5], [1.0, 1.0]])
    """
    names = list(dict.fromkeys(units.get(tag, tag) for tag in pool.parameters.get("runs", ())))
    number = {name: at for at, name in enumerate(names)}
    columns: dict[tuple[str, ...], list[int]] = {}
    matrix = np.zeros((len(pool.documents), len(names)), np.int64)
    for at, document in enumerate(pool.documents):
        if document.runs not in columns:
            owners = {units.get(tag, tag) for tag in document.runs}
            columns[document.runs] = sorted(number[name] for name in owners if name in number)
        matrix[at, columns[document.runs]] = 1
    both = matrix.T @ matrix
    order = np.argsort(-np.diag(both), kind="stable")
    return UnitOverlap([names[at] for at in order], both[np.ix_(order, order)])
