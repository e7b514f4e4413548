"""Pools: equal to the obvious computation, closed where they should be, honest where they are not."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import InputError
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.pooling.build import check_first_documents, depth_pool
from cranfield.pooling.candidates import drop_topic_runs
from cranfield.pooling.examples import example
from cranfield.pooling.infer import pool_depth
from cranfield.pooling.methods.static import DEPTH
from cranfield.pooling.stored.contents import contribution_by_run, contribution_by_topic
from cranfield.pooling.verify import summary, verify
from cranfield.store.pools import Pool, PooledDocument
from tests.real import covid, robust

SCORES = st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([1.0, 2.0, 3.0]), max_size=8)
RANKINGS = st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), SCORES, max_size=3)
RUNS = st.dictionaries(st.sampled_from(["r1", "r2", "r3"]), RANKINGS, min_size=1, max_size=3)


def obvious(runs: dict[str, dict[str, dict[str, float]]], depth: int) -> list[PooledDocument]:
    """A depth-k pool in plain Python."""
    ranks_of: dict[tuple[str, str], dict[str, int]] = {}
    for tag, rankings in runs.items():
        for qid, scores in rankings.items():
            ranking = sorted(scores, key=lambda docno: (scores[docno], docno), reverse=True)
            for rank, docno in enumerate(ranking[:depth], 1):
                ranks_of.setdefault((qid, docno), {})[tag] = rank
    return sorted(PooledDocument(q, d, min(ranks.values()), tuple(ranks)) for (q, d), ranks in ranks_of.items())


@given(RUNS, st.integers(1, 9))
def test_depth_pool_is_the_union_of_the_tops(runs: dict[str, dict[str, dict[str, float]]], depth: int) -> None:
    """Ties by docno descending, entry depth the best rank, all contributing runs named."""
    assert depth_pool(as_runs(runs), depth) == obvious(runs, depth)


@pytest.mark.parametrize(("budget", "first"), [(9, 10), (10, 10)])
def test_a_budget_that_the_first_documents_use_up_is_refused(budget: int, first: int) -> None:
    message = f"a budget of {budget} suffices only for the first {first} documents of the runs, so depth never starts"
    with pytest.raises(InputError, match=message):
        check_first_documents(DEPTH, [example("a b")], budget, {"first": first})


def test_a_budget_beyond_the_first_documents_is_accepted() -> None:
    """Without a budget there is no limit; without runs there are no first documents."""
    topic = example("a b")
    without_runs, _ = drop_topic_runs(topic, np.array([True]))
    check_first_documents(DEPTH, [topic], 11, {"first": 10})
    check_first_documents(DEPTH, [topic], 1, {})
    check_first_documents(DEPTH, [topic], None, {"first": 10})
    check_first_documents(DEPTH, [without_runs], 9, {"first": 10})


def test_tables_of_a_pool() -> None:
    """Counts by topic and by run, with what only one run brought."""
    documents = [PooledDocument("q1", "d1", 1, ("a",)), PooledDocument("q1", "d2", 1, ("a", "b"))]
    pool = Pool("depth", {"depth": 1, "runs": ["a", "b"]}, documents)
    qrels = as_qrels({"q1": {"d1": 1, "d9": 1}})
    assert contribution_by_topic(pool, qrels) == [
        {"topic": "q1", "documents": 2, "from one run": 1, "judged": 1},
        {"topic": "all", "documents": 2, "from one run": 1, "judged": 1},
    ]
    assert contribution_by_run(pool, qrels) == [
        {"run": "a", "documents": 2, "relevant": 1, "alone": 1, "relevant alone": 1},
        {"run": "b", "documents": 1, "relevant": 0, "alone": 0, "relevant alone": 0},
    ]


def random_runs(runs: int, topics: int, documents: int) -> dict[str, dict[str, dict[str, float]]]:
    """Runs over a common corpus, each with its own taste."""
    random = np.random.default_rng(1)

    def ranking() -> dict[str, float]:
        scores = random.normal(size=documents) + np.arange(documents) / 9
        return {f"d{document}": float(score) for document, score in enumerate(scores)}

    return {f"r{run}": {f"q{topic}": ranking() for topic in range(topics)} for run in range(runs)}


@pytest.mark.parametrize("depth", [1, 4, 10])
def test_a_pool_verifies_itself(depth: int) -> None:
    """Judge a depth-k pool entirely, and k is found, with nothing missing on either side."""
    runs = as_runs(random_runs(5, 4, 60))
    pool = depth_pool(runs, depth)
    qrels = as_qrels({f"q{t}": {d.docno: 0 for d in pool if d.qid == f"q{t}"} for t in range(4)})
    closure = verify(runs, qrels)
    assert (closure.depth, len(closure.runs), closure.pooled) == (depth, 5, len(pool))
    assert closure.pooled_not_judged == closure.judged_not_pooled == []


def test_exceptions_are_named() -> None:
    """One document judged from elsewhere and one forgotten are both found."""
    runs = as_runs(random_runs(5, 4, 60))
    grades = {f"q{t}": {d.docno: 0 for d in depth_pool(runs, 10) if d.qid == f"q{t}"} for t in range(4)}
    forgotten = sorted(grades["q2"])[0]
    del grades["q2"][forgotten]
    grades["q0"]["elsewhere"] = 1
    closure = verify(runs, as_qrels(grades), depth=10, contributing=runs.tags)
    assert closure.pooled_not_judged == [("q2", forgotten)]
    assert closure.judged_not_pooled == [("q0", "elsewhere")]
    assert ("judged, not pooled, for example", "q0 elsewhere") in summary(closure)


def test_the_depth_where_gaps_begin() -> None:
    """Rankings that are judged deeper by chance, hardly at all, or to their end, do not decide."""
    assert pool_depth(np.array([[7, 7, 7, 8, 9], [0, 1, 7, 7, 7]]), np.full((2, 5), 1000)) == 7
    assert pool_depth(np.array([[5, 5, 10, 10]]), np.array([[5, 5, 100, 100]])) == 10


@pytest.mark.daily
def test_robust03_has_new_topics_of_depth_125(shared: Path) -> None:
    """The fifty new topics were pooled to 125 from these runs; the old ones were not."""
    closure = verify(robust(shared).runs, robust(shared).qrels)
    assert (closure.depth, closure.closed_topics, closure.topics, closure.outside) == (125, 50, 100, ())


def test_treccovid_is_a_pool_of_depth_7(shared: Path) -> None:
    """56 pooled runs: depth 7, 6 of 6,959 documents pooled and not judged, 1,738 judged and not pooled."""
    source = covid(shared)
    closure = verify(source.runs, source.qrels, [tag for tag, info in source.run_info.items() if info.pooled])
    assert (closure.depth, len(closure.runs), len(closure.outside)) == (7, 56, 87)
    assert (closure.pooled, closure.judged) == (6959, 8691)
    assert (len(closure.pooled_not_judged), len(closure.judged_not_pooled)) == (6, 1738)
