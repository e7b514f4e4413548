"""Pooling methods against other programs, published claims and figures worked out by hand."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from cranfield.arrays.rankings import Runs
from cranfield.errors import InputError
from cranfield.metrics.inputs import as_runs
from cranfield.pooling.build import build_pool, fuse
from cranfield.pooling.candidates import Candidates, candidates_by_topic
from cranfield.pooling.examples import docnos_of, example, judged
from cranfield.pooling.methods import METHODS, mtc
from cranfield.pooling.methods.bandits import ucb
from cranfield.pooling.methods.learning import Residual
from cranfield.pooling.methods.samples import ActiveSample
from cranfield.pooling.methods.static import majority_order, points
from cranfield.testing.pooling import example_runs
from tests.real import covid, covid_pooled, robust

RANX = {  # its name for each of ours, and ours for its normalisation
    ("rrf", None): ("rrf", None),
    ("combsum", "min-max"): ("sum", "min-max"),
    ("combsum", "sum"): ("sum", "sum"),
    ("combsum", "zmuv"): ("sum", "zmuv"),
    ("combsum", "rank"): ("sum", "rank"),
    ("combsum", "max"): ("sum", "max"),
    ("combsum", "borda"): ("sum", "borda"),
    ("combmnz", "borda"): ("mnz", "borda"),
    ("combmnz", "min-max"): ("mnz", "min-max"),
    ("combanz", "min-max"): ("anz", "min-max"),
    ("combmax", "min-max"): ("max", "min-max"),
    ("combmin", "min-max"): ("min", "min-max"),
    ("combmed", "min-max"): ("med", "min-max"),
}


def answers_of(library: str, code: str, question: object) -> list[Any]:
    """What a program that uses a library prints, a line of JSON each; in a process of its own that compiles nothing."""
    if find_spec(library) is None:
        pytest.skip(f"needs {library}, which is not installed")
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "ignore", "-c", code]
    process = subprocess.run(
        command, check=False, input=json.dumps(question), env=environment, capture_output=True, text=True
    )
    assert process.returncode == 0, process.stderr
    return [json.loads(line) for line in process.stdout.splitlines()]


def assert_order(fusion: Runs, qid: str, reference: dict[str, float]) -> None:
    """The order of a fused topic is that of the expected scores, ties aside."""
    mine = fusion.docnos.names[fusion.document[fusion.topics.names[fusion.topic] == qid]].tolist()
    assert sorted(mine) == sorted(reference)
    assert all(reference[above] >= reference[below] - 1e-9 for above, below in pairwise(mine)), qid


THEIRS = """
import json, sys
from ranx import Run, fuse
given, wanted = json.load(sys.stdin)
for method, norm in wanted:
    print(json.dumps(fuse([Run(run, name=tag) for tag, run in given.items()], method=method, norm=norm).to_dict()))
"""


@pytest.mark.daily
def test_static_methods_fuse_as_ranx_does() -> None:
    """The same order, ties aside, and the same scores; constant runs and topics without an answer are left out."""
    inputs = {tag: {q: run[q] for q in ("q1", "q2")} for tag, run in example_runs().items() if tag != "r2"}
    answers = answers_of("ranx", THEIRS, [inputs, list(RANX.values())])
    for (method, norm), answer in zip(RANX, answers, strict=True):
        fusion = fuse(as_runs(inputs), METHODS[method], options={"norm": norm} if norm else {})
        for qid, reference in answer.items():
            assert_order(fusion, qid, reference)
            rows = fusion.topics.names[fusion.topic] == qid
            docnos, scores = fusion.docnos.names[fusion.document[rows]].tolist(), fusion.score[rows].tolist()
            assert dict(zip(docnos, scores, strict=True)) == pytest.approx(reference), (method, norm)


BY_HAND = {"a": {"q": {"x": 4.0, "y": 2.0, "z": 0.0}}, "b": {"q": {"y": 8.0, "w": 6.0}}}
DEVIATION = (8 / 3) ** 0.5
COMBSUM_BY_HAND = {  # ranx's formulas; the last of min-max and sum adds 0
    "min-max": {"x": 1.0, "y": 0.5 + 1.0, "z": 0.0, "w": 0.0},
    "max": {"x": 1.0, "y": 0.5 + 1.0, "z": 0.0, "w": 0.75},
    "sum": {"x": 4 / 6, "y": 2 / 6 + 1.0, "z": 0.0, "w": 0.0},
    "zmuv": {"x": 2 / DEVIATION, "y": 0.0 + 1.0, "z": -2 / DEVIATION, "w": -1.0},
    "rank": {"x": 1.0, "y": 2 / 3 + 1.0, "z": 1 / 3, "w": 0.5},
    "borda": {"x": 1.0 + 3 / 8, "y": 3 / 4 + 1.0, "z": 1 / 2 + 3 / 8, "w": 2 / 8 + 3 / 4},
    "none": {"x": 4.0, "y": 10.0, "z": 0.0, "w": 6.0},
}


@pytest.mark.parametrize("norm", COMBSUM_BY_HAND)
def test_fused_scores_are_the_sums_of_normalized_scores(norm: str) -> None:
    """And those of combmnz times the number of runs, which with borda are all."""
    for method, factor in (("combsum", 1), ("combmnz", 2)):
        fusion = fuse(as_runs(BY_HAND), METHODS[method], options={"norm": norm})
        scores = dict(zip(fusion.docnos.names[fusion.document].tolist(), fusion.score.tolist(), strict=True))
        times = {docno: factor if docno == "y" or norm == "borda" else 1 for docno in scores}
        assert scores == pytest.approx({docno: x * times[docno] for docno, x in COMBSUM_BY_HAND[norm].items()})


def test_each_method_that_scores_writes_its_scores() -> None:
    """A sum of reciprocal ranks, not a rank; condorcet has only an order."""
    runs = as_runs(BY_HAND)
    assert fuse(runs, METHODS["rrf"]).score.tolist() == pytest.approx([1 / 61 + 1 / 62, 1 / 61, 1 / 62, 1 / 63])
    assert fuse(runs, METHODS["condorcet"]).score.tolist() == [4, 3, 2, 1]


def test_max_needs_a_positive_score() -> None:
    with pytest.raises(
        InputError, match="the largest score of a topic is -1; expected a positive score; use norm=min-max"
    ):
        fuse(as_runs({"a": {"q": {"x": -1.0, "y": -2.0}}}), METHODS["combsum"], options={"norm": "max"})
    assert fuse(as_runs({"a": {"q": {"x": -1.0}}}), METHODS["combsum"], options={"norm": "max"}).score.tolist() == [1.0]


TRECTOOLS = """
import json, sys
import pandas as pd
from trectools import TrecRun, fusion
def run(rows):
    made = TrecRun(None)
    made.run_data = pd.DataFrame(rows, columns=["query", "q0", "docid", "rank", "score", "system"])
    return made
runs = [run(rows) for rows in json.load(sys.stdin)]
for method in ("sum", "mnz", "anz", "med", "max", "min"):
    print(json.dumps(fusion.combos(runs, method).run_data[["docid", "score"]].values.tolist()))
print(json.dumps(fusion.reciprocal_rank_fusion(runs, k=60).run_data[["docid", "score"]].values.tolist()))
"""


def test_static_methods_fuse_as_trectools_does() -> None:
    """The same order, ties aside, for two runs on raw scores: with three its Comb methods forget one."""
    inputs = {tag: {"q1": example_runs()[tag]["q1"]} for tag in ("r0", "r4")}
    tables = []
    for tag, run in inputs.items():
        ranked = sorted(run["q1"].items(), key=lambda item: -item[1])
        tables.append([["q1", "Q0", docno, rank, score, tag] for rank, (docno, score) in enumerate(ranked, 1)])
    names = ("combsum", "combmnz", "combanz", "combmed", "combmax", "combmin", "rrf")
    for name, answer in zip(names, answers_of("trectools", TRECTOOLS, tables), strict=True):
        fusion = fuse(as_runs(inputs), METHODS[name], options={} if name == "rrf" else {"norm": "none"})
        assert_order(fusion, "q1", dict(answer))


def test_condorcet_agrees_with_the_tournament() -> None:
    """No document stands right above one that beats it in the obvious, quadratic computation."""
    for topic in candidates_by_topic(as_runs(example_runs(n_documents=12)), 6):
        rank = np.where(topic.rank > 0, topic.rank, 99)
        beats = (rank[:, :, None] < rank[:, None, :]).sum(0) - (rank[:, :, None] > rank[:, None, :]).sum(0)
        order = majority_order(topic)
        for above, below in pairwise(order):
            assert beats[above, below] >= 0


@pytest.mark.parametrize("size", [0, 40, 41, 100_000])
def test_borda_is_an_election(size: int) -> None:
    """n points for the first of n candidates, n - 1 for the next, and what is left shared alike: in plain Python."""
    for topic in candidates_by_topic(as_runs(example_runs()), 20):
        n = size or len(topic)
        scores = dict.fromkeys(range(len(topic)), 0.0)
        for ranking in topic.lists:
            rest = [float(n - place) for place in range(len(ranking), n)]
            inputs = {document: float(n - place) for place, document in enumerate(ranking.tolist())}
            for document in scores:
                scores[document] += inputs.get(document, sum(rest) / max(len(rest), 1))
        assert dict(enumerate(points(topic, size).tolist())) == pytest.approx(scores)
        order = METHODS["borda"].start(topic, {"n": size}).next(len(topic)).tolist()
        assert order == sorted(scores, key=lambda document: (-round(scores[document], 6), -document))
    with pytest.raises(InputError, match="option n is 3, but the runs retrieved 36 documents for topic 'q0'"):
        METHODS["borda"].start(candidates_by_topic(as_runs(example_runs()), 20)[0], {"n": 3})


def test_a_constant_run_says_only_what_it_retrieved() -> None:
    """With every normalisation its documents are alike, and no number is undefined."""
    topic = example({"a": 5.0, "b": 5.0}, {"c": 3.0})
    for norm in ("min-max", "sum", "zmuv", "rank", "none"):
        assert len(METHODS["combsum"].start(topic, {"norm": norm}).next(9)) == 3
    assert docnos_of(topic, METHODS["combsum"].start(topic).next(9)) == "c b a"


def test_an_infinite_score_is_refused_where_scores_count() -> None:
    """One line that names run and topic, and what would do."""
    topic = example({"a": float("inf"), "b": 1.0})
    with pytest.raises(InputError, match="run 'r1', topic 'q': a score is inf; expected a finite score"):
        METHODS["combsum"].start(topic)
    assert docnos_of(topic, METHODS["combsum"].start(topic, {"norm": "rank"}).next(2)) == "a b"


def test_credit_decides_what_a_bandit_learns() -> None:
    """b counts for r2 as well with all; with arm, r2 is not judged yet and so better than the disappointing r1."""
    topic = example("b c", "b d")
    for seed in range(8):
        state = METHODS["maxmean"].start(topic, {"credit": "arm"}, seed)
        document = int(state.next(1)[0])
        state.observe({document: False})
        arm = int(np.flatnonzero(state.judged)[0])  # type: ignore[attr-defined]
        assert docnos_of(topic, state.next(1)) == {0: "d", 1: "c"}[arm]


def test_a_bandit_of_rate_zero_remembers_only_the_last() -> None:
    """Its means are 2/3, 1/2 and 1/3."""
    state: Any = METHODS["maxmean"].start(example("a b c d"), {"rate": 0})
    means = []
    for relevant in (True, True, False, True):
        state.observe({int(state.next(1)[0]): relevant})
        means.append(float(state.policy(state)[0]))
    assert means == [2 / 3, 2 / 3, 1 / 3, 2 / 3]


def test_move_to_front_forgives_or_does_not() -> None:
    """A run that failed twice and then hit is in front again with the paper's rule; with decay it still pays."""
    topic = example("a b c d e", "v w x y z")
    orders = {}
    for reset in ("paper", "decay"):
        state = METHODS["mtf"].start(topic, {"reset": reset}, seed=1)
        orders[reset] = judged(topic, state, relevant="c x")
    assert orders["paper"] != orders["decay"]


def test_hedge_gains_by_the_papers_formula() -> None:
    """The weights after one judgment are beta to the power of the losses."""
    topic = example("a b c", "b d")
    state: Any = METHODS["hedge"].start(topic, {"beta": 0.5})
    first = int(state.next(1)[0])
    state.observe({first: True})
    loss = -0.5 * np.array([np.log(4 / 2), np.log(4 / 1)])
    assert state.loss == pytest.approx(loss)
    weight = 0.5**loss
    assert state.score == pytest.approx(weight / weight.sum() @ state.gain)


def test_mtc_effects_are_those_of_average_precision() -> None:
    """What a document changes in AP times R if it is relevant, given what is: by brute force."""
    topic = example("a b c d e", "e c x a")
    state: Any = METHODS["mtc"].start(topic)
    state.observe({0: True, 2: False})

    def ap(run: int, relevant: set[int]) -> float:
        ranks = sorted(int(r) for d, r in enumerate(topic.rank[run]) if r and d in relevant)
        return sum(nth / rank for nth, rank in enumerate(ranks, 1))

    everything = set(range(len(topic))) - {2}
    for run in range(2):
        for document in set(range(len(topic))) - {0, 2}:
            assert state.gain[run, document] == pytest.approx(ap(run, {0, document}) - ap(run, {0}))
            assert state.loss[run, document] == pytest.approx(ap(run, everything) - ap(run, everything - {document}))


def relevant_found(
    topics: list[Candidates], relevant: set[tuple[str, str]], name: str, budget: int, **options: object
) -> float:
    """Relevant documents found per topic within a budget."""
    count = 0
    for topic in topics:
        state = METHODS[name].start(topic, options, seed=42)
        for _ in range(budget):
            documents = state.next(1).tolist()
            hits = {document: (topic.qid, topic.docnos[document]) in relevant for document in documents}
            state.observe(hits)
            count += sum(hits.values())
    return count / len(topics)


def relevant_pairs(qrels: Any) -> set[tuple[str, str]]:
    mask = qrels.grade >= 1
    return set(zip(qrels.topics.names[qrels.topic[mask]], qrels.docnos.names[qrels.document[mask]], strict=True))


def test_robust03_relevant_found(shared: Path) -> None:
    """17 runs, 50 new topics, 100 judgments each: MaxMean 20.4, RRF 19.3, take-N 17.2, a random sample 5.8."""
    relevant = relevant_pairs(robust(shared).qrels)
    topics = [topic for topic in candidates_by_topic(robust(shared).runs, 125) if int(topic.qid) > 600]
    scores = {
        name: relevant_found(topics, relevant, name, 100)
        for name in ("maxmean", "rrf", "take", "uniform", "mtf", "hedge")
    }
    assert scores["maxmean"] > scores["rrf"] > scores["take"] > 2 * scores["uniform"]
    assert scores["mtf"] > scores["rrf"]
    assert scores["hedge"] > scores["rrf"]
    assert scores["take"] == pytest.approx(17.2)


def test_treccovid_relevant_found(shared: Path) -> None:
    """56 runs to the pool's depth 7: MaxMean 45.9, RRF 39.0, take-N 35.6 of 65.0 relevant documents a topic."""
    runs, relevant = covid_pooled(shared), relevant_pairs(covid(shared).qrels)
    topics = candidates_by_topic(runs, 7)
    assert len(build_pool(METHODS["depth"], runs, 7)) == 6959
    scores = {name: relevant_found(topics, relevant, name, 100) for name in ("maxmean", "rrf", "take")}
    assert scores["maxmean"] > scores["rrf"] > scores["take"]


@pytest.mark.parametrize("relevant", [0.0, 1.0])
def test_the_bound_of_ucb_after_one_judgment_is_the_mean(relevant: float) -> None:
    """The logarithm of one play is 0; a run without a judgment has no bound."""
    bandit = SimpleNamespace(
        relevant=np.array([relevant, 0.0]), judged=np.array([1.0, 0.0]), unsure=np.zeros(2), plays=1
    )
    assert ucb(bandit).tolist() == [relevant, np.inf]  # type: ignore[arg-type]


def test_the_bound_of_ucb_after_ten_plays() -> None:
    """By hand, after one relevant document of two: the variance and its own bound exceed 1/4, their largest value."""
    bandit = SimpleNamespace(relevant=np.ones(1), judged=np.array([2.0]), unsure=np.zeros(1), plays=10)
    assert ucb(bandit) == pytest.approx([0.5 + np.sqrt(np.log(10) / 2 / 4)])  # type: ignore[arg-type]


def test_the_residual_of_rbp_is_the_weight_of_what_is_not_judged() -> None:
    """Also of documents that were judged without having been proposed."""
    topic = example("a b c", "b d", "e a")
    state = cast("Residual", METHODS["rbp-c"].start(topic, {"p": 0.5}))
    documents = [*state.next(1).tolist(), 2, 3]
    state.observe(dict.fromkeys(documents, True))
    assert state.residual == pytest.approx(1 - state.weight[:, documents].sum(axis=1))
    assert state.base == pytest.approx(state.weight[:, documents].sum(axis=1))


def test_active_sampling_ends_after_twenty_draws_a_document() -> None:
    """A document that only a worthless run retrieved may never be drawn."""
    topic = example(*(" ".join(f"{tag}{number}" for number in range(20)) for tag in "ab"))
    state = ActiveSample(topic, {"round": 1}, 0)
    state._weight_runs(np.array([1.0, 0.0]))
    drawn = state.next(len(topic))
    assert len(drawn) < len(topic)
    assert state.draws == 20 * len(topic)
    assert len(state.next(1)) == 0


def test_products_of_mtc_come_in_blocks_that_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some documents at a time, and together the products of all pairs."""
    random = np.random.default_rng(0)
    reciprocal, root = random.random((3, 8)), random.random(8)
    [whole] = mtc._products(reciprocal, root)
    monkeypatch.setattr(mtc, "BLOCK", 50)
    blocks = [*mtc._products(reciprocal, root)]
    assert [block.shape for block in blocks] == [(3, 16)] * 4
    np.testing.assert_allclose(sum(block @ block.T for block in blocks), whole @ whole.T)
