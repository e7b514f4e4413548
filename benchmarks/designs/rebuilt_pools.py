"""What left-out runs lose of pools that are rebuilt without them, where nobody judged what they then ask for.

Real runs, cut to their judged documents, are pooled by a method, which hears the real grades. The truth is the pool
rebuilt with the real grades of all documents; the interval is made from the grades of the pool alone. Topics, runs and
the seed are drawn anew each time.
"""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from benchmarks.designs.design import Design, Random, holds
from cranfield.analysis.missed import (
    judgment_number_by_pair,
    losses_with_missed,
    mask_of,
    pairs_of,
    repool_without_units,
    why_unknown,
)
from cranfield.arrays.join import join_runs_with_common_topics
from cranfield.arrays.rankings import Runs
from cranfield.formats import read_qrels, read_runs
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse
from cranfield.metrics.reusability.judgment_subsets import Worlds, score_subsets
from cranfield.metrics.reusability.leave_one_out import Units, results_of
from cranfield.metrics.reusability.results import ScoreChange, UnitResult
from cranfield.pooling.adaptive import BATCH, grow, growing_topics
from cranfield.pooling.build import build_pool_without_judgments
from cranfield.pooling.candidates import candidates_by_topic
from cranfield.pooling.methods import METHODS
from cranfield.store.open_pools import PoolStep, Stage
from cranfield.store.pools import Pool
from cranfield.text import counted
from tests.conftest import SHARED

ScoreChanges = list[ScoreChange]
Grades = Mapping[str, Mapping[str, int]]
DEPTH = 100  # that is looked at of each run
COLLECTIONS = {
    "Robust 2003": ("robust03", "qrels.robust03.txt.gz"),
    "TREC-COVID 1": ("treccovid-r1", "qrels-rnd1.txt.gz"),
    "TREC-COVID 2": ("treccovid-r2", "qrels.covid-round2.txt.xz"),
}


@cache
def collection(name: str) -> tuple[dict[str, dict[str, list[str]]], Grades]:
    """Of each run and topic the judged documents in rank order, and the grades."""
    folder, file = COLLECTIONS[name]
    qrels = read_qrels(SHARED / folder / file)
    grades: dict[str, dict[str, int]] = {}
    pairs = zip(qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], qrels.grade.tolist(), strict=True)
    for qid, docno, grade in pairs:
        grades.setdefault(qid, {})[docno] = max(grade, 0)
    rankings: dict[str, dict[str, list[str]]] = {}
    for topic in candidates_by_topic(read_runs(sorted((SHARED / folder / "runs").iterdir()))):
        there = grades.get(topic.qid, {})
        for tag, documents in zip(topic.tags, topic.lists, strict=True):
            judged = [docno for docno in topic.docnos[documents].tolist() if docno in there]
            rankings.setdefault(tag, {})[topic.qid] = judged[:DEPTH]
    return rankings, grades


def some(random: Random, name: str, topics: int, runs: int) -> tuple[Runs, Grades]:
    """Some of the runs on some of the topics."""
    rankings, grades = collection(name)
    qids, tags = (random.permutation(sorted(names))[:size] for names, size in ((grades, topics), (rankings, runs)))
    scores = {
        tag: {
            qid: {docno: -float(rank) for rank, docno in enumerate(rankings[tag].get(qid, []))}
            for qid in qids
            if rankings[tag].get(qid)
        }
        for tag in tags
    }
    return as_runs(scores), {qid: grades[qid] for qid in qids}


def pool_of(runs: Runs, grades: Grades, method: str, budget: int, seed: int) -> tuple[Pool, list[PoolStep]]:
    """A pool that hears all the grades, and the steps in which it grew."""
    row, topics = METHODS[method], candidates_by_topic(runs, DEPTH)
    options = row.fill_options({})
    about: dict[str, Any] = {"considered": DEPTH, "runs": list(runs.tags), "options": options, "budget": budget}
    if not row.adaptive:
        return Pool(
            method,
            about,
            build_pool_without_judgments(row, topics, options=options, budget=budget, total=None, seed=seed),
            seed,
        ), []
    growing = growing_topics(row, options, topics, in_pool={}, batches={}, seed=seed)
    relevant = {qid: {docno: grade > 0 for docno, grade in of.items()} for qid, of in grades.items()}
    most = [min(budget, len(topic)) for topic in topics]
    steps = grow(row, options, growing, most=most, batch=BATCH, judged=relevant, waits=lambda qid, docno: False).steps
    about |= {"batches": {topic.topic.qid: topic.batches for topic in growing}, "batch": BATCH}
    return Pool(method, about, [document for topic in growing for document in topic.pooled()], seed), steps


def stages_of(pool: Pool, steps: list[PoolStep], grades: Grades) -> list[Stage]:
    """The pool as if these grades were known when it began."""
    first = {step.qid: step for step in reversed(steps)}
    relevant = {qid: {docno: grade > 0 for docno, grade in of.items()} for qid, of in grades.items()}
    labelled = [step._replace(labels=relevant[step.qid]) if first[step.qid] is step else step for step in steps]
    return [Stage(pool, labelled)]


def truth(runs: Runs, stages: Sequence[Stage], grades: Grades, units: Units, measure: Measure) -> ScoreChanges:
    """How each run changes by the grades of all documents."""
    qrels = as_qrels(grades)
    judged = join_runs_with_common_topics(runs, qrels)
    again, place = repool_without_units(runs, qrels, judged, stages, units), judgment_number_by_pair(judged, qrels)
    masks = [
        mask_of(judged, place, pairs_of(again.builder.pool_without_runs(tags, again.whole))) for tags in units.values()
    ]
    pools = np.stack([again.pooled, *masks])
    scores = score_subsets(judged, [measure], Worlds(pools)).scores_of_subsets(np.arange(len(pools)))
    return own_changes(results_of(judged, units, again.losses, scores, [measure]))


def own_changes(units: Sequence[UnitResult]) -> ScoreChanges:
    """What is lost by each unit, a run."""
    return [change for unit in units for change in unit.changes]


def left_out(
    random: Random, name: str, method: str, *, budget: int, topics: int, runs: int, notation: str, one: bool
) -> bool | None:
    """The mean absolute change of left-out runs or, with `one`, the score that one of them has left."""
    retrieved, grades = some(random, name, topics, runs)
    units, measure = {tag: [tag] for tag in retrieved.tags}, parse(notation)
    pool, steps = pool_of(retrieved, grades, method, budget, int(random.integers(1000)))
    labels: dict[str, dict[str, int]] = {qid: {} for qid in grades}
    for document in pool.documents:
        labels[document.qid][document.docno] = grades[document.qid][document.docno]
    real = truth(retrieved, stages_of(pool, steps, grades), grades, units, measure)
    qrels = as_qrels(labels)
    judged = join_runs_with_common_topics(retrieved, qrels)
    again = repool_without_units(retrieved, qrels, judged, stages_of(pool, steps, labels), units)
    if why_unknown(qrels, 1) or not any(again.missed):
        return None
    spared = np.zeros(len(judged.qrels_grade), bool)
    results, means = losses_with_missed(
        retrieved, qrels, judged, again=again, units=units, measures=[measure], protected=spared
    )
    if one:
        at = int(random.integers(len(units)))
        loss = own_changes(results)[at]
        return holds(loss.reduced_low, loss.reduced_high, real[at].reduced)
    _, low, high = means[notation]
    changes = [change.absolute_percent for change in real if change.full]
    return holds(low, high, float(np.mean(changes))) if changes else None


def row(
    name: str, method: str, budget: int, topics: int, runs: int, *, notation: str = "AP", one: bool = False
) -> Design:
    """A row: the mean change, or a run's score."""
    what = f"{notation} of a run left out" if one else f"{notation}, mean change"
    design = f"{what}; {name}, {counted(topics, 'topic')}, {runs} runs, {method} {budget}"
    options: dict[str, Any] = {"name": name, "method": method, "budget": budget, "topics": topics, "runs": runs}
    return Design("reusability", design, partial(left_out, **options, notation=notation, one=one), 300, needs=SHARED)


ROWS = [
    row("TREC-COVID 1", "take", 40, 1, 2),
    row("TREC-COVID 1", "mtf", 30, 1, 3, notation="nDCG@10", one=True),
    row("Robust 2003", "maxmean", 40, 2, 2),
    row("Robust 2003", "mtf", 8, 3, 5),
    row("TREC-COVID 2", "mtf", 30, 5, 5, notation="nDCG@10"),
    row("Robust 2003", "rrf", 8, 8, 6),
    row("TREC-COVID 1", "rrf", 40, 3, 5, notation="nDCG@10"),
    row("TREC-COVID 2", "rrf", 30, 10, 10),
    row("TREC-COVID 2", "take", 8, 3, 5, notation="P@10"),
    row("TREC-COVID 1", "take", 30, 10, 10, notation="P@10", one=True),
    row("Robust 2003", "thompson", 8, 5, 5, notation="P@10"),
    row("TREC-COVID 1", "mtc", 30, 3, 4),
    row("TREC-COVID 2", "ucb", 8, 4, 4, notation="nDCG@10"),
    row("TREC-COVID 1", "rbp-c", 8, 3, 5, notation="nDCG@10"),
    row("TREC-COVID 1", "greedy", 20, 3, 5, one=True),
    row("Robust 2003", "combmnz", 20, 3, 5, one=True),
    row("TREC-COVID 2", "combmnz", 40, 5, 5, notation="nDCG@10", one=True),
    row("TREC-COVID 1", "hedge", 20, 2, 3),
]
