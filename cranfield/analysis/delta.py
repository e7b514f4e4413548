"""Delta pools: what must still be judged so that runs that came late are fairly scored, before anything is pooled."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cranfield.analysis.pools import extend_stored_pool
from cranfield.arrays.rankings import Ints, Qrels, Runs
from cranfield.arrays.selection import PAIR, pair_keys
from cranfield.errors import InputError
from cranfield.judging.labels.choice import decided_labels, note_labellers
from cranfield.metrics.evaluate import evaluate
from cranfield.pooling.stored.contents import mean_label_seconds
from cranfield.pooling.stored.request import PoolResult
from cranfield.store.names import resolve_run_name
from cranfield.store.pools import Pool, PooledDocument, add_pool, newest_built_pool, pool_record
from cranfield.store.runs import run_info, stored_runs
from cranfield.store.store import Store
from cranfield.text import counted as number_of

MEASURE = "nDCG@10"


class Delta(NamedTuple):
    """The unjudged pairs of runs down to a depth: of each run, as sorted keys, and what the runs and judgments are."""

    depth: int
    pairs: dict[str, Ints]
    runs: Runs
    qrels: Qrels
    highest: int
    seconds: float | None
    whose: str = ""  # labels that score, where that is a question

    @property
    def union(self) -> Ints:
        """All of them, each once."""
        return np.unique(np.concatenate([np.zeros(0, np.int64), *self.pairs.values()]))

    @property
    def rows(self) -> list[dict[str, Any]]:
        """What each run needs, what only it does, and its score if all of it is not relevant, or all of it is."""
        times = Counter(np.concatenate([np.zeros(0, np.int64), *self.pairs.values()]).tolist())
        low, high = self._scores(self.qrels), self._scores(self._qrels_if_relevant())
        return [
            {
                "run": tag, "pairs": len(keys), "topics": len(np.unique(keys // PAIR)),
                "alone": sum(times[key] == 1 for key in keys.tolist()), "hours": self._hours(len(keys)),
                f"{MEASURE} if none": low[tag], "if all": high[tag],
            }
            for tag, keys in self.pairs.items()
        ]  # fmt: skip

    @property
    def title(self) -> str:
        """All of it in a line."""
        pairs, topics = len(self.union), len(np.unique(self.union // PAIR))
        hours = self._hours(pairs)
        whose = f"; scores are based on {self.whose}" if self.whose else ""
        time = "" if hours is None else f"; at the measured pace, judging takes about {hours:.1f} hours"
        return (
            f"to depth {self.depth}, {number_of(pairs, 'document')} in {number_of(topics, 'topic')} must still be"
            f" judged (shared documents count once){time}{whose}"
        )

    @property
    def documents(self) -> list[PooledDocument]:
        """The pairs, with the best rank and the runs that have each there."""
        rank: dict[int, int] = {}
        for key, at in zip(
            (self.runs.topic * PAIR + self.runs.document).tolist(), self.runs.rank.tolist(), strict=True
        ):
            rank[key] = min(at, rank.get(key, at))
        tags_of: dict[int, list[str]] = {}
        for tag, keys in self.pairs.items():
            for key in keys.tolist():
                tags_of.setdefault(key, []).append(tag)
        qids, docnos = self.runs.topics.names, self.runs.docnos.names
        return [
            PooledDocument(qids[key // PAIR], docnos[key % PAIR], rank[key], tuple(tags))
            for key, tags in sorted(tags_of.items())
        ]

    @property
    def pair_rows(self) -> list[dict[str, Any]]:
        """The same as rows."""
        return [
            {"query_id": one.qid, "doc_id": one.docno, "rank": one.depth, "runs": " ".join(one.runs)}
            for one in self.documents
        ]

    def _hours(self, pairs: int) -> float | None:
        return None if self.seconds is None else pairs * self.seconds / 3600

    def _scores(self, qrels: Qrels) -> dict[str, float]:
        if not len(qrels.grade):
            return dict.fromkeys(self.runs.tags, np.nan)
        scores = evaluate(qrels, self.runs, MEASURE)
        return dict(zip(scores["run"], scores["value"], strict=True))

    def _qrels_if_relevant(self) -> Qrels:
        """The judgments, as they were if all that is to be judged were relevant."""
        topic, document = np.divmod(self.union, PAIR)
        both = (np.append(self.qrels.topic, topic), np.append(self.qrels.document, document))
        order = np.lexsort(both[::-1])
        grade = np.append(self.qrels.grade, np.full(len(topic), self.highest))
        plain = Qrels(self.qrels.topics, self.qrels.docnos, *both, grade, minus_one_judged=self.qrels.minus_one_judged)
        return plain.rows(order)


def plan_delta(store: Store, tags: Sequence[str] = (), depth: int | None = None, number: int | None = None) -> Delta:
    """What runs need to a depth, that of the pool by default; of all runs that are not in it, unless some are named.

    A run that has a depth of its own needs what it has down to that, as in a pool.
    """
    number = newest_built_pool(store) if number is None else number
    pool: Pool | None = None if number is None else pool_record(store, number)
    if depth is None and pool is not None:
        depth = pool.parameters.get("depth") or pool.parameters.get("considered")
    if depth is None:
        raise InputError("no pool in this store has a depth; give one with --depth", Path(store.path))
    pooled = set(pool.parameters.get("runs", ())) if pool else set()
    infos = run_info(store)
    names = [resolve_run_name(store, tag, infos) for tag in tags] or [tag for tag in infos if tag not in pooled]
    if not names:
        raise InputError("all runs are already in the pool; name one with --run", Path(store.path))
    runs, labels = stored_runs(store, names), decided_labels(store)
    qrels, whose = labels.qrels, note_labellers(store, labels, refused_chance=False)
    top = runs.rows(runs.rank <= np.array([infos[tag].depth or depth for tag in runs.tags])[runs.run])
    keys = top.topic * PAIR + top.document
    new = ~np.isin(keys, pair_keys(qrels.topic, qrels.document))
    pairs = {tag: np.unique(keys[new & (top.run == run)]) for run, tag in enumerate(runs.tags)}
    return Delta(depth, pairs, runs, qrels, max(store.collection.grades), mean_label_seconds(store), whose)


def store_delta(store: Store, delta: Delta, number: int | None = None) -> tuple[int, PoolResult]:
    """Keep what is to be judged as a pool of its own, then extend the pool that lacks it, in one transaction.

    So the newest pool is still one that says of every pooled run how deep it was judged.
    """
    if not len(delta.union):
        raise InputError("these runs have no documents left to judge, so no pool was added", Path(store.path))
    with store.writing():
        lacks, runs = pool_record(store, number).number, list(delta.pairs)
        parameters = {"depth": delta.depth, "runs": runs, "lacked_by": lacks}
        own = add_pool(store, Pool("depth", parameters, delta.documents))
        growth = extend_stored_pool(store, number=lacks, depth=delta.depth, runs=runs)
        if growth.pool is None:
            raise InputError(
                f"pool {lacks} already has these documents; hand out the unjudged ones with"
                " `cranfield export bundle --unjudged`"
            )
        return own, growth
