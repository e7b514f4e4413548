"""Clusters of near-duplicate runs: the overlap is that of the paper, and doubles are one unit."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.metrics.correlation.rbo import rank_biased_overlap
from cranfield.metrics.inputs import as_runs
from cranfield.metrics.reusability.clusters import clusters, likeness
from cranfield.source import open_source

Ranking = list[int]
rankings = st.lists(st.integers(0, 9), unique=True, max_size=8)


def scored(ranking: Ranking) -> dict[str, float]:
    """A ranking as documents with scores."""
    return {f"d{document}": float(len(ranking) - place) for place, document in enumerate(ranking)}


def runs_of(several: list[list[Ranking]]) -> dict[str, dict[str, dict[str, float]]]:
    """Runs, a ranking a topic."""
    return {f"r{n}": {f"q{t}": scored(r) for t, r in enumerate(topics) if r} for n, topics in enumerate(several)}


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(rankings, rankings), min_size=2, max_size=4))
def test_the_overlap_is_that_of_the_reference(several: list[tuple[Ranking, Ranking]]) -> None:
    """For rankings of all lengths the same as `rank_biased_overlap`, its mean over the topics that either answers."""
    topics = [list(each) for each in several]
    if not any(ranking for each in topics for ranking in each):
        return
    runs = as_runs(runs_of(topics))
    found = likeness(runs)
    for a, one in enumerate(topics):
        for b, other in enumerate(topics):
            pairs = [(x, y) for x, y in zip(one, other, strict=True) if x or y]
            expected = np.mean([rank_biased_overlap(x, y, 0.9).ext for x, y in pairs]) if pairs else 1.0
            assert found[a, b] == pytest.approx(expected, abs=1e-12)


def test_likeness_is_symmetric_and_1_with_itself() -> None:
    """Laws of an overlap."""
    generator = np.random.default_rng(3)
    several = [[generator.permutation(60)[:40].tolist() for _ in range(3)] for _ in range(5)]
    found = likeness(as_runs(runs_of(several)))
    assert np.allclose(found, found.T)
    assert np.allclose(np.diag(found), 1)


def test_doubles_are_one_unit_and_the_threshold_decides() -> None:
    """A copy joins its original; at a threshold of nearly 0 everything that has anything in common is one."""
    alike = list(range(10))
    runs = as_runs(runs_of([[alike], [alike[::-1]], [alike]]))
    assert clusters(runs) == {"r0 +1": ["r0", "r2"], "r1": ["r1"]}
    assert clusters(runs, 0.01) == {"r0 +2": ["r0", "r1", "r2"]}
    assert clusters(runs.select(["r1"])) == {"r1": ["r1"]}


def test_treccovid_has_known_doubles(shared: Path) -> None:
    """Of 143 runs, variants of one system are found together, and the runs that were pooled are no doubles."""
    folder = shared / "treccovid-r1"
    names = ("bm25_baseline", "bm25_basline", "uogTrDPH_QE", "uogTrDPH_QE_QQ", "sab20.1.meta.docs", "run1")
    files = [path for path in sorted((folder / "runs").iterdir()) if path.name.removesuffix(".gz") in names]
    assert len(files) == len(names)
    found = clusters(open_source([folder / "qrels-rnd1.txt.gz", *files]).runs)
    assert sorted(map(len, found.values())) == [1, 1, 2, 2]
    assert ["bm25_baseline", "bm25_basline"] in [sorted(tags) for tags in found.values()]
