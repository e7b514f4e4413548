"""A store of many runs of many teams, made without files; what every tenth run has down to depth 100 is judged."""

import sys
from pathlib import Path

import numpy as np

from cranfield.arrays.rankings import Ints, Qrels, Runs, Vocabulary
from cranfield.formats import RunInfo
from cranfield.store.qrels import import_qrels
from cranfield.store.runs import add_runs
from cranfield.store.store import Store

TEAM, TENTH = 5, 10  # runs of one team, which share most of their noise; one of so many is pooled
CANDIDATES = 10  # times as many documents of a topic as a run retrieves
AT_ONCE = 20  # runs that are added together


def make(path: Path, runs: int, topics: int, depth: int, pool: int = 100) -> None:
    """A new store of them."""
    quality = np.random.default_rng(0).normal(size=(topics, CANDIDATES * depth))
    qids = Vocabulary([str(401 + topic) for topic in range(topics)])
    docnos = Vocabulary([f"FT{911 + number % 4}-{number:07}" for number in range(quality.size)])
    judged = np.zeros(quality.shape, bool)
    with Store.create(path, "many runs", grades={0: "no", 1: "yes", 2: "very"}) as store:
        for first in range(0, runs, AT_ONCE):
            numbers = range(first, min(first + AT_ONCE, runs))
            rankings = [_rankings(quality, run, depth) for run in numbers]
            for run, (document, _) in zip(numbers, rankings, strict=True):
                if run % TENTH == 0:
                    judged[np.arange(topics)[:, None], document[:, :pool]] = True
            add_runs(store, _as_runs(numbers, qids, docnos, rankings), dict(map(_about, numbers)))
        topic, document = np.nonzero(judged)
        grade = np.digitize(quality[topic, document], [2.05, 2.9])
        qrels = Qrels(qids, docnos, topic, topic * quality.shape[1] + document, grade)
        import_qrels(store, qrels, "assessors")


def _about(run: int) -> tuple[str, RunInfo]:
    return f"run{run:04}", RunInfo(f"team{run // TEAM:03}", pooled=run % TENTH == 0)


def _rankings(quality: np.ndarray, run: int, depth: int) -> tuple[Ints, np.ndarray]:
    """The documents that a run retrieved and their scores, a row for each topic."""
    team, own = np.random.default_rng([1, run // TEAM]), np.random.default_rng([2, run])
    noise = 0.7 * team.standard_normal(quality.shape) + 0.3 * own.standard_normal(quality.shape)
    score = np.round(5 + quality + noise, 1 + run % 6)
    top = np.argpartition(-score, depth - 1, axis=1)[:, :depth]
    order = np.lexsort((-top, -np.take_along_axis(score, top, axis=1)), axis=1)
    document = np.take_along_axis(top, order, axis=1)
    return document, np.take_along_axis(score, document, axis=1)


def _as_runs(numbers: range, qids: Vocabulary, docnos: Vocabulary, rankings: list[tuple[Ints, np.ndarray]]) -> Runs:
    document = np.stack([documents for documents, _ in rankings])
    run, topic, _ = np.indices(document.shape)
    each = len(docnos.names) // len(qids.names)
    return Runs(
        tuple(f"run{number:04}" for number in numbers), qids, docnos, run=run.ravel(), topic=topic.ravel(),
        document=(topic * each + document).ravel(), scores=np.stack([scores for _, scores in rankings]).ravel(),
    )  # fmt: skip


if __name__ == "__main__":
    make(Path(sys.argv[1]), *map(int, sys.argv[2:]))
