"""Who contributed to a pool: found from gaps in the judgments, never from a run that has one."""

import json
from pathlib import Path

import numpy as np
import pytest

from cranfield.arrays.join import judge
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Mask, Qrels, Runs
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.pooling.infer import InferredPool, _explained, infer, reach
from cranfield.pooling.verify import gaps_among, verify
from tests.conftest import Cranfield
from tests.real import covid

Rankings = dict[str, dict[str, dict[str, float]]]


def rankings(runs: int, topics: int = 6, documents: int = 60, seed: int = 1) -> Rankings:
    """Runs over a common corpus, each with its own taste."""
    random = np.random.default_rng(seed)

    def ranking() -> dict[str, float]:
        scores = random.normal(size=documents) * 2 + np.arange(documents) / 9
        return {f"d{document}": float(score) for document, score in enumerate(scores)}

    return {f"r{run:02}": {f"q{topic}": ranking() for topic in range(topics)} for run in range(runs)}


def kept_back(runs: Runs, pooled: Mask, depth: int) -> Qrels:
    """The judgments that these of the runs, pooled to this depth, would have got; all of them 0."""
    rows = np.flatnonzero(pooled[runs.run] & (runs.rank <= depth))
    size = len(runs.docnos.names)
    pair = np.unique(runs.topic[rows] * size + runs.document[rows])
    return Qrels(runs.topics, runs.docnos, pair // size, pair % size, np.zeros(len(pair), np.int64))


def named(found: InferredPool, judged: Judged) -> list[str]:
    return [tag for tag, there in zip(judged.tags, found.runs, strict=True) if there]


@pytest.mark.parametrize("depth", [1, 3, 10, 60])
def test_the_contributors_of_a_kept_back_collection(depth: int) -> None:
    """Seven of twenty runs were pooled: those seven are found, and how deep; at the end of all rankings all are."""
    runs = as_runs(rankings(20))
    pooled = np.isin(np.arange(20), [1, 2, 5, 8, 11, 13, 19])
    judged = judge(runs, kept_back(runs, pooled, depth))
    found = infer(runs, judged)
    assert found.depth == depth
    assert found.runs.tolist() == (pooled | (depth == 60)).tolist()
    assert found.explained == len(judged.qrels_grade)
    assert (found.gaps[found.runs] == 0).all()
    assert (found.gaps[~found.runs] > 0).all()


def test_one_gap_is_enough() -> None:
    """A run with all but one of its first ten judged in all but one topic cannot have been pooled to ten."""
    one = rankings(8)
    one["r07"] = {qid: dict(scores) for qid, scores in one["r06"].items()}
    one["r07"]["q3"]["unjudged"] = 99.0
    runs = as_runs(one)
    judged = judge(runs, kept_back(runs, np.arange(8) < 7, 10))
    found = infer(runs, judged)
    assert named(found, judged) == [f"r{run:02}" for run in range(7)]
    assert found.gaps.tolist() == [0] * 7 + [1]


@pytest.mark.parametrize("seed", range(4))
def test_gaps_are_counted_as_by_hand(seed: int) -> None:
    """Against a count over documents: unjudged above the depth, and whether the ties across it have room for that."""
    random = np.random.default_rng(seed)
    given = {
        f"r{run}": {f"q{topic}": {f"d{d:02}": float(random.integers(0, 8)) for d in range(20)} for topic in range(7)}
        for run in range(5)
    }
    runs = as_runs(given)
    labelled = {f"q{topic}": {f"d{d:02}": 0 for d in range(20) if random.random() < 0.97} for topic in range(7)}
    judged = judge(runs, as_qrels(labelled))
    tags = ("r1", "r3", "r4")
    by_pair = {(tag, qid): _kind(given[tag][qid], labelled[qid], 6) for tag in tags for qid in labelled}
    found = gaps_among(judged, tags, reach(runs, judged), 6)
    for counts, at, names in ((found.runs, 0, tags), (found.topics, 1, labelled)):
        worst = [max(kind for pair, kind in by_pair.items() if pair[at] == name) for name in names]
        assert counts == tuple(worst.count(kind) for kind in range(3))


def _kind(scores: dict[str, float], labelled: dict[str, int], depth: int) -> int:
    """0 without a gap to the depth, 1 where ties explain it, 2 else."""
    order = sorted(scores, key=lambda docno: (scores[docno], docno), reverse=True)
    first = next((rank for rank, docno in enumerate(order) if docno not in labelled), len(order))
    if first >= depth:
        return 0
    tied = [docno for docno in order if scores[docno] == scores[order[first]]]
    return 1 if order.index(tied[0]) + sum(docno in labelled for docno in tied) >= depth else 2


def test_a_copy_of_a_contributor_is_undecided() -> None:
    """Nothing tells which of two like runs was pooled; the others brought documents of their own."""
    one = rankings(5)
    one["copy"] = one["r00"]
    runs = as_runs(one)
    judged = judge(runs, kept_back(runs, np.arange(6) < 5, 10))
    found = infer(runs, judged)
    assert found.runs.all()
    assert [tag for tag, open_ in zip(judged.tags, found.undecided, strict=True) if open_] == ["r00", "copy"]


def test_ties_across_the_depth_are_no_gaps() -> None:
    """Whichever of the documents of one score the pool took: as many are judged as there was room for."""
    tied = {f"t{number}": 5.0 for number in range(6)}
    runs = as_runs(rankings(4) | {"tied": {f"q{topic}": {"top": 9.0, **tied} for topic in range(6)}})
    own = {f"q{t}": {"top": 0, "t0": 0, "t1": 0} for t in range(6)}  # docno ascending, where trec_eval descends
    qrels = kept_back(runs, np.arange(5) < 4, 3)
    for qid, docno in zip(qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], strict=True):
        own[qid][docno] = 0
    judged = judge(runs, as_qrels(own))
    assert infer(runs, judged).depth == 3
    assert named(infer(runs, judged), judged) == [*runs.tags]
    assert "tied" not in named(infer(runs, judged, 4), judged)


def test_topics_that_came_from_elsewhere() -> None:
    """Two of six topics were judged otherwise, so that all runs have gaps there: the other four tell."""
    runs = as_runs(rankings(6))
    qrels = kept_back(runs, np.arange(6) < 4, 8)
    elsewhere = np.isin(qrels.topics.names[qrels.topic], ["q1", "q4"])
    judged = judge(runs, qrels.rows(~elsewhere | (np.arange(len(qrels)) % 3 == 0)))
    found = infer(runs, judged)
    assert (found.depth, named(found, judged)) == (8, ["r00", "r01", "r02", "r03"])
    assert [qid for qid, there in zip(judged.qids, found.topics, strict=True) if there] == ["q0", "q2", "q3", "q5"]


def test_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> None:
    """Where every run begins with an unjudged document, nobody was pooled; `pool verify` says that much."""
    monkeypatch.chdir(tmp_path)
    Path("a").write_text("q Q0 x 1 9 a\nq Q0 d1 2 8 a\n")
    Path("b").write_text("q Q0 y 1 9 b\nq Q0 d1 2 8 b\n")
    Path("qrels").write_text("q 0 d1 1\n")
    result = cranfield("pool", "verify", "qrels", "a", "b", "--format", "json")
    found = json.loads(result.out)
    assert (found["runs"], found["outside"], found["inferred"]) == ([], ["a", "b"], True)
    assert cranfield("pool", "verify", "qrels", "a", "b").code == 0


def test_a_run_that_retrieved_nothing_there_is_no_contributor() -> None:
    """It has no gap, and brought nothing."""
    runs = as_runs(rankings(3) | {"empty": {"elsewhere": {"d1": 1.0}}})
    judged = judge(runs, kept_back(runs, np.arange(4) < 3, 5))
    assert named(infer(runs, judged), judged) == ["r00", "r01", "r02"]


def test_what_each_depth_explains_is_the_obvious_count() -> None:
    """For every depth: the distinct judgments that runs without a gap to it have so high."""
    runs = as_runs(rankings(7, documents=25, seed=4))
    judged = judge(runs, kept_back(runs, np.arange(7) < 7, 12))
    deepest = np.array([3, 0, 12, 7, 25, 12, 1])
    topics = np.array([True, True, False, True, True, True])
    found = _explained(judged, deepest, topics)
    run = judged.ranking // len(judged.qids)
    for depth in range(1, 26):
        rows = (deepest[run] >= depth) & (judged.rank <= depth) & topics[judged.qrels_topic[judged.judgment]]
        assert found[depth] == len(set(judged.judgment[rows].tolist()))


def test_told_contributors_with_gaps_are_named() -> None:
    """Who was told to be pooled and has gaps is named, with the number of topics."""
    runs = as_runs(rankings(4))
    closure = verify(runs, kept_back(runs, np.arange(4) < 3, 10), ["r00", "r03"], 10)
    assert (closure.inferred, closure.undecided, list(closure.with_gaps)) == (False, (), ["r03"])
    assert closure.with_gaps["r03"] == 6


def test_treccovid_and_what_is_kept_back_of_it(shared: Path) -> None:
    """The 56 pooled runs and five that are like one of them; 71 of the 143 pooled to some depth, and four such."""
    runs, judged = covid(shared).runs, covid(shared).judged
    told = {tag for tag, info in covid(shared).about.items() if info.pooled}
    found = infer(runs, judged)
    assert (found.depth, int(found.runs.sum()), int(found.undecided.sum()), found.explained) == (7, 61, 9, 6953)
    assert told <= set(named(found, judged))
    assert all(found.undecided[judged.tags.index(tag)] for tag in set(named(found, judged)) - told)
    for depth in (1, 7, 20):
        pooled = np.isin(np.arange(143), np.random.default_rng(1).choice(143, 71, replace=False))
        found = infer(runs, judge(runs, kept_back(runs, pooled, depth)))
        assert found.depth == depth
        assert not (pooled & ~found.runs).any()
        assert (found.runs & ~pooled).sum() <= 4
        assert not (found.runs & ~pooled & ~found.undecided).any()
