"""What runs and judgments tell of a pool: who contributed, and its tie rule; not told where it cannot be."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Mask, Qrels, Runs
from cranfield.formats import read_runs
from cranfield.formats.runs.submitted_lines import submitted_lines
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.pooling.infer import (
    InferredPool,
    _count_explained,
    _count_explained_at,
    infer_pool,
    mask_dispensable_runs,
    max_pool_depths,
)
from cranfield.pooling.verify import RULES, TieRule, count_pool_gaps, tie_rule, verify
from tests.conftest import Cranfield
from tests.real import covid, covid_pooled, robust

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


def tags_of(pool: InferredPool, judged: Judged) -> list[str]:
    return [tag for tag, there in zip(judged.tags, pool.runs, strict=True) if there]


@pytest.mark.parametrize("depth", [1, 3, 10, 60])
def test_the_contributors_of_a_kept_back_collection(depth: int) -> None:
    """Seven of twenty runs were pooled: those seven are found, and how deep; at the end of all rankings all are."""
    runs = as_runs(rankings(20))
    pooled = np.isin(np.arange(20), [1, 2, 5, 8, 11, 13, 19])
    judged = join_runs_and_qrels(runs, kept_back(runs, pooled, depth))
    pool = infer_pool(runs, judged)
    assert pool.depth == depth
    assert pool.runs.tolist() == (pooled | (depth == 60)).tolist()
    assert pool.num_explained == len(judged.qrels_grade)
    assert (pool.gaps[pool.runs] == 0).all()
    assert (pool.gaps[~pool.runs] > 0).all()


def test_one_gap_is_enough() -> None:
    """A run with all but one of its first ten judged in all but one topic cannot have been pooled to ten."""
    one = rankings(8)
    one["r07"] = {qid: dict(scores) for qid, scores in one["r06"].items()}
    one["r07"]["q3"]["unjudged"] = 99.0
    runs = as_runs(one)
    judged = join_runs_and_qrels(runs, kept_back(runs, np.arange(8) < 7, 10))
    pool = infer_pool(runs, judged)
    assert tags_of(pool, judged) == [f"r{run:02}" for run in range(7)]
    assert pool.gaps.tolist() == [0] * 7 + [1]


@pytest.mark.parametrize(("judged", "is_closed"), [(48, False), (49, True), (50, True)])
def test_a_topic_is_closed_if_at_most_two_percent_of_its_pool_are_missing(judged: int, is_closed: bool) -> None:
    scores = {f"d{number:02}": 50.0 - number for number in range(50)}
    runs = as_runs({"a": {"1": scores}})
    qrels = as_qrels({"1": dict.fromkeys([*scores][:judged], 1)})
    assert verify(runs, qrels, ["a"], 50).closed_topics == is_closed


def test_a_run_without_judged_topics_did_not_contribute() -> None:
    runs = as_runs(rankings(4) | {"elsewhere": {"other": {"d1": 1.0}}})
    judged = join_runs_and_qrels(runs, kept_back(runs, np.array([True] * 4 + [False]), 1))
    pool = infer_pool(runs, judged)
    assert (pool.depth, tags_of(pool, judged)) == (1, ["r00", "r01", "r02", "r03"])


@pytest.mark.parametrize("seed", range(4))
def test_gaps_are_counted_as_by_hand(seed: int) -> None:
    """Against a count over documents: unjudged above the depth, and whether the ties across it have room for that."""
    random = np.random.default_rng(seed)
    inputs = {
        f"r{run}": {f"q{topic}": {f"d{d:02}": float(random.integers(0, 8)) for d in range(20)} for topic in range(7)}
        for run in range(5)
    }
    runs = as_runs(inputs)
    labelled = {f"q{topic}": {f"d{d:02}": 0 for d in range(20) if random.random() < 0.97} for topic in range(7)}
    judged = join_runs_and_qrels(runs, as_qrels(labelled))
    tags = ("r1", "r3", "r4")
    by_pair = {(tag, qid): _kind(inputs[tag][qid], labelled[qid], 6) for tag in tags for qid in labelled}
    gaps = count_pool_gaps(judged, tags, max_pool_depths(runs, judged), 6)
    for counts, at, names in ((gaps.runs, 0, tags), (gaps.topics, 1, labelled)):
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
    judged = join_runs_and_qrels(runs, kept_back(runs, np.arange(6) < 5, 10))
    pool = infer_pool(runs, judged)
    assert pool.runs.all()
    assert [tag for tag, open_ in zip(judged.tags, pool.undecided, strict=True) if open_] == ["r00", "copy"]


def test_ties_across_the_depth_are_no_gaps() -> None:
    """Whichever of the documents of one score the pool took: as many are judged as there was room for."""
    tied = {f"t{number}": 5.0 for number in range(6)}
    runs = as_runs(rankings(4) | {"tied": {f"q{topic}": {"top": 9.0, **tied} for topic in range(6)}})
    own = {f"q{t}": {"top": 0, "t0": 0, "t1": 0} for t in range(6)}  # docno ascending, where trec_eval descends
    qrels = kept_back(runs, np.arange(5) < 4, 3)
    for qid, docno in zip(qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], strict=True):
        own[qid][docno] = 0
    judged = join_runs_and_qrels(runs, as_qrels(own))
    assert infer_pool(runs, judged).depth == 3
    assert tags_of(infer_pool(runs, judged), judged) == [*runs.tags]
    assert "tied" not in tags_of(infer_pool(runs, judged, 4), judged)


def test_topics_that_came_from_elsewhere() -> None:
    """Two of six topics were judged otherwise, so that all runs have gaps there: the other four tell."""
    runs = as_runs(rankings(6))
    qrels = kept_back(runs, np.arange(6) < 4, 8)
    elsewhere = np.isin(qrels.topics.names[qrels.topic], ["q1", "q4"])
    judged = join_runs_and_qrels(runs, qrels.rows(~elsewhere | (np.arange(len(qrels)) % 3 == 0)))
    pool = infer_pool(runs, judged)
    assert (pool.depth, tags_of(pool, judged)) == (8, ["r00", "r01", "r02", "r03"])
    assert [qid for qid, there in zip(judged.qids, pool.topics, strict=True) if there] == ["q0", "q2", "q3", "q5"]


def test_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> None:
    """Where every run begins with an unjudged document, nobody was pooled; `pool verify` says that much."""
    monkeypatch.chdir(tmp_path)
    Path("a").write_text("q Q0 x 1 9 a\nq Q0 d1 2 8 a\n")
    Path("b").write_text("q Q0 y 1 9 b\nq Q0 d1 2 8 b\n")
    Path("qrels").write_text("q 0 d1 1\n")
    result = cranfield("pool", "verify", "qrels", "a", "b", "--format", "json")
    document = json.loads(result.out)
    assert (document["runs"], document["outside"], document["inferred"]) == ([], ["a", "b"], True)
    assert cranfield("pool", "verify", "qrels", "a", "b").code == 0


def test_a_run_that_retrieved_nothing_there_is_no_contributor() -> None:
    """It has no gap, and brought nothing."""
    runs = as_runs(rankings(3) | {"empty": {"elsewhere": {"d1": 1.0}}})
    judged = join_runs_and_qrels(runs, kept_back(runs, np.arange(4) < 3, 5))
    assert tags_of(infer_pool(runs, judged), judged) == ["r00", "r01", "r02"]


def test_what_each_depth_explains_is_the_obvious_count() -> None:
    """For every depth: the distinct judgments that runs without a gap to it have so high."""
    runs = as_runs(rankings(7, documents=25, seed=4))
    judged = join_runs_and_qrels(runs, kept_back(runs, np.arange(7) < 7, 12))
    deepest = np.array([3, 0, 12, 7, 25, 12, 1])
    topics = np.array([True, True, False, True, True, True])
    counts = _count_explained(judged, deepest, topics)
    run = judged.ranking // len(judged.qids)
    for depth in range(1, 26):
        rows = (deepest[run] >= depth) & (judged.rank <= depth) & topics[judged.qrels_topic[judged.judgment]]
        assert counts[depth] == len(set(judged.judgment[rows].tolist()))
        assert _count_explained_at(judged, deepest, topics, depth) == counts[depth]


@pytest.mark.parametrize("depth", [1, 4, 9, 15, 40])
def test_a_depth_that_is_given_needs_no_row_below_it(depth: int) -> None:
    """What is found with only the rows to a depth is what all rows give; the reach is exact below the depth."""
    runs = as_runs(
        {tag: {qid: {docno: round(score) for docno, score in scores.items()} for qid, scores in run.items()}
         for tag, run in rankings(6, documents=30, seed=5).items()}
    )  # fmt: skip
    judged = join_runs_and_qrels(runs, kept_back(runs, np.arange(6) < 4, 9))
    far, top = max_pool_depths(runs, judged), judged.rows(judged.rank <= depth)
    near = max_pool_depths(runs, judged, depth, top)
    assert np.minimum(near, depth).tolist() == np.minimum(far, depth).tolist()
    whole, part = infer_pool(runs, judged, depth, far), infer_pool(runs, top, depth, near)
    assert [np.asarray(value).tolist() for value in whole] == [np.asarray(value).tolist() for value in part]
    assert mask_dispensable_runs(judged, whole).tolist() == mask_dispensable_runs(top, part).tolist()
    tags = tags_of(whole, judged)
    assert count_pool_gaps(judged, tags, far, depth) == count_pool_gaps(top, tags, near, depth)


def test_told_contributors_with_gaps_are_named() -> None:
    """Who was told to be pooled and has gaps is named, with the number of topics."""
    runs = as_runs(rankings(4))
    closure = verify(runs, kept_back(runs, np.arange(4) < 3, 10), ["r00", "r03"], 10)
    assert (closure.inferred, closure.undecided, list(closure.with_gaps)) == (False, (), ["r03"])
    assert closure.with_gaps["r03"] == 6


def test_treccovid_and_what_is_kept_back_of_it(shared: Path) -> None:
    """The 56 pooled runs and five that are like one of them; 71 of the 143 pooled to some depth, and four such."""
    runs, judged = covid(shared).runs, covid(shared).judged
    tags = {tag for tag, info in covid(shared).run_info.items() if info.pooled}
    pool = infer_pool(runs, judged)
    assert (pool.depth, pool.num_explained) == (7, 6953)
    assert (int(pool.runs.sum()), int(pool.undecided.sum())) == (61, 9)
    assert tags <= set(tags_of(pool, judged))
    assert all(pool.undecided[judged.tags.index(tag)] for tag in set(tags_of(pool, judged)) - tags)
    for depth in (1, 7, 20):
        pooled = np.isin(np.arange(143), np.random.default_rng(1).choice(143, 71, replace=False))
        pool = infer_pool(runs, join_runs_and_qrels(runs, kept_back(runs, pooled, depth)))
        assert pool.depth == depth
        assert not (pooled & ~pool.runs).any()
        assert (pool.runs & ~pooled).sum() <= 4
        assert not (pool.runs & ~pooled & ~pool.undecided).any()


DEPTH, TOPICS = 5, ("q1", "q2", "q3")
Line = tuple[str, int, float, int]  # docno, rank column, score, line
BEFORE: dict[str, Callable[[Line], object]] = {
    "docno descending": lambda line: [-byte for byte in line[0].encode()],
    "docno ascending": lambda line: line[0],
    "file order": lambda line: line[3],
    "rank column": lambda line: line[1],
}


@pytest.fixture
def lines() -> dict[str, dict[str, list[Line]]]:
    """Six runs of three topics whose scores tie, lines and rank columns in orders of their own."""
    random = np.random.default_rng(6)

    def ranking() -> list[Line]:
        docnos = [f"d{document:02}" for document in random.permutation(40)[:20]]
        ranks, scores = random.permutation(20).tolist(), random.integers(0, 6, 20).tolist()
        return [(*line, number) for number, line in enumerate(zip(docnos, ranks, map(float, scores), strict=True))]

    return {f"r{run}": {qid: ranking() for qid in TOPICS} for run in range(6)}


@pytest.fixture
def files(lines: dict[str, dict[str, list[Line]]], tmp_path: Path) -> dict[str, Path]:
    for tag, rankings in lines.items():
        rows = [f"{qid}\tQ0 {d}  {r} {s} {tag}\n" for qid, ranking in rankings.items() for d, r, s, _ in ranking]
        (tmp_path / tag).write_text("".join(rows))
    return {tag: tmp_path / tag for tag in lines}


def pool(lines: dict[str, dict[str, list[Line]]], rule: str) -> set[tuple[str, str]]:
    """A pool of that rule in plain Python."""
    return {
        (qid, line[0])
        for rankings in lines.values()
        for qid, ranking in rankings.items()
        for line in sorted(ranking, key=lambda line: (-line[2], BEFORE[rule](line)))[:DEPTH]
    }


def ties_of(files: dict[str, Path], pairs: set[tuple[str, str]]) -> TieRule:
    qrels = as_qrels({q: {d: 0 for qid, d in pairs if qid == q} for q in TOPICS})
    return tie_rule(read_runs(list(files.values()), "trec"), qrels, DEPTH, files)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_recognised(lines: dict[str, dict[str, list[Line]]], files: dict[str, Path], rule: str) -> None:
    """A pool made by a rule fits that rule without an exception, and the others as the obvious pools do."""
    judged = pool(lines, rule)
    ties = ties_of(files, judged)
    assert ties.best == (rule,)
    assert {fit.rule: fit[1:] for fit in ties.fits} == {
        other: (len(pool(lines, other) - judged), len(judged - pool(lines, other))) for other in RULES
    }
    crossing = sum(
        sorted(ranking, key=lambda line: -line[2])[DEPTH - 1][2] == sorted(ranking, key=lambda line: -line[2])[DEPTH][2]
        for rankings in lines.values()
        for ranking in rankings.values()
    )
    assert ties.rankings == crossing
    assert ties.rows()[0][1].startswith(f"{rule}; {crossing} rankings have a tie across the depth, and the next best")


def test_ties_above_and_below_the_depth_tell_nothing() -> None:
    """Only a tie across it does, in a topic that is judged; a ranking that ends at the depth has none."""
    runs = as_runs({"a": {"q": {"d1": 2.0, "d2": 2.0, "d3": 1.0, "d4": 1.0}, "p": {"d1": 1.0, "d2": 1.0}}})
    ties = tie_rule(runs, as_qrels({"q": {"d1": 0}}), 2)
    assert (ties.rankings, ties.fits, ties.best) == (0, (), ())
    assert ties.rows() == [("tie rule", "any; no tie crosses depth 2")]
    assert tie_rule(runs, as_qrels({"q": {"d1": 0}}), 4).rankings == 0


def test_what_fits_alike_is_not_told_apart() -> None:
    """Everything is judged: both ways leave as much."""
    runs = as_runs({"a": {"q": {"d1": 1.0, "d2": 1.0, "d3": 1.0}}})
    ties = tie_rule(runs, as_qrels({"q": {"d1": 0, "d2": 0, "d3": 0}}), 1)
    assert ties.best == ()
    assert ties.rows()[0][1] == (
        "undetermined; 1 ranking has a tie across the depth, and all rules fit equally well"
        " (not tried: file order, rank column)"
    )


def test_a_rank_column_without_numbers_is_not_tried(files: dict[str, Path]) -> None:
    """It is ignored in reading a run, and so it is here; the file's order is still there."""
    for path in files.values():
        text = [line.split() for line in path.read_text().splitlines()]
        path.write_text("".join(f"{q} {q0} {d} x{r} {s} {t}\n" for q, q0, d, r, s, t in text))
    ties = ties_of(files, {("q1", "d01")})
    assert [fit.rule for fit in ties.fits] == list(RULES[:3])


def test_lines_are_found_where_they_are(tmp_path: Path) -> None:
    """Comments and blank lines are no lines; columns beyond the tag do no harm."""
    path = tmp_path / "run"
    path.write_text("# made by hand\n\nq Q0 d1 07 1.0 tag more\n p Q0  d1\t1e1 1.0 tag\nq Q0 d2 - 1.0 tag\n")
    lines = submitted_lines(path, np.array(["q", "p", "q"], object), np.array(["d2", "d1", "d1"], object))
    assert lines.line.tolist() == [2, 1, 0]
    assert lines.rank.tolist()[1:] == [10.0, 7.0]
    assert np.isnan(lines.rank[0])


def test_verify_tells_it(
    lines: dict[str, dict[str, list[Line]]], files: dict[str, Path], tmp_path: Path, cranfield: Cranfield
) -> None:
    """On files all four rules are tried, on a store two; the JSON has what the table says."""
    qrels = tmp_path / "qrels"
    qrels.write_text("".join(f"{qid} 0 {docno} 0\n" for qid, docno in pool(lines, "file order")))
    teams = tmp_path / "teams.tsv"
    teams.write_text("run\tteam\n" + "".join(f"{tag}\t{tag}\n" for tag in files))
    options = ("pool", "verify", qrels, *files.values(), "--depth", DEPTH, "--teams", teams)
    ties = json.loads(cranfield(*options, "--format", "json").out)["ties"]
    assert ties["best"] == ["file order"]
    assert [fit["rule"] for fit in ties["tried"]] == list(RULES)
    assert "with ties by file order" in cranfield(*options).out
    store = tmp_path / "track.db"
    for command in (("init", store, "--name", "t"), ("import", "runs", store, *files.values())):
        assert cranfield(*command).code == 0
    assert cranfield("import", "qrels", store, qrels).code == 0
    out = cranfield("pool", "verify", store, "--depth", DEPTH).out
    assert "(not tried: file order, rank column)" in out


@pytest.mark.daily
def test_robust03_was_pooled_by_docno_descending(shared: Path) -> None:
    """199 rankings tie across depth 125; the canonical order leaves 2,639 exceptions fewer than the opposite one."""
    runs = robust(shared).runs
    paths = sorted((shared / "robust03/runs").glob("*.gz"))
    ties = tie_rule(runs, robust(shared).qrels, 125, dict(zip(runs.tags, paths, strict=True)))
    assert (ties.rankings, ties.best) == (199, ("docno descending",))
    assert {fit.rule: fit.exceptions for fit in ties.fits} == {
        "docno descending": 89205, "docno ascending": 91844, "file order": 91844, "rank column": 89208,
    }  # fmt: skip


def test_treccovid_was_not(shared: Path) -> None:
    """Round 1: in file order, here that of ascending docnos, all 6,959 pooled documents are judged."""
    runs = covid_pooled(shared)
    paths = [shared / f"treccovid-r1/runs/{tag}.gz" for tag in runs.tags]
    ties = tie_rule(runs, covid(shared).qrels, 7, dict(zip(runs.tags, paths, strict=True)))
    assert (ties.rankings, ties.best) == (9, ("docno ascending", "file order"))
    assert [fit.pooled_not_judged for fit in ties.fits] == [6, 0, 0, 3]
