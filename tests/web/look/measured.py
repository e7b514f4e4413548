"""A small store with runs of teams, a judged pool of them, and so everything that can be measured."""

from collections.abc import Callable
from pathlib import Path
from random import Random

from cranfield.formats import RunInfo
from cranfield.metrics.inputs import as_runs
from cranfield.pooling.build import depth_pool
from cranfield.store.pools import Pool
from tests.stores import new_file

QIDS = [f"q{number}" for number in range(6)]
DOCNOS = [f"d{number:02}" for number in range(40)]
DEPTH = 5


def measured_store(path: Path, named: Callable[[str], str] = str, pooled: int = 5) -> Path:
    """Six runs of three teams, of which the first so many were pooled to depth 5, and the judgments of their pool."""
    draw = Random(7)
    tags = [named(f"run{number}") for number in range(6)]
    runs = {tag: {qid: {d: draw.random() for d in draw.sample(DOCNOS, 12)} for qid in QIDS} for tag in tags}
    about = {tag: RunInfo(named(f"team{at % 3}"), pooled=at < pooled) for at, tag in enumerate(tags)}
    documents = depth_pool(as_runs(runs).select(tags[:pooled]), DEPTH)
    grades = {qid: {one.docno: draw.randrange(2) for one in documents if one.qid == qid} for qid in QIDS}
    return new_file(
        path,
        named("measured"),
        topics={qid: named(f"title of {qid}") for qid in QIDS},
        runs=runs,
        teams=about,
        pool=Pool("depth", {"depth": DEPTH, "runs": tags[:pooled]}, documents),
        qrels={"import": grades},
    )
