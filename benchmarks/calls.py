"""Small calls on dicts, as notebooks and training loops make them: `python -m benchmarks.calls`.

Prints how many microseconds one run takes, in the quickest of many rounds of calls of each tool in turn, and how long
1,000 runs take one after the other. Peers that are not installed are left out, and named.
"""

import random
from collections.abc import Callable
from importlib.util import find_spec
from time import perf_counter
from typing import Any

import cranfield

Dicts = dict[str, dict[str, Any]]
Score = Callable[[Dicts], object]
OURS = ["AP", "nDCG@10"]
ROUNDS = 50
ROUND = 0.02  # seconds of calls, so that few of them find the caches as another tool left them


def shape(topics: int, documents: int, tied: bool = False) -> tuple[Dicts, Dicts]:
    """Qrels and a run; half of the documents of each topic are judged, a third of these relevant."""
    draw, qrels, run = random.Random(1), Dicts(), Dicts()
    for topic in range(topics):
        docnos = [f"FBIS3-{number:06}" for number in draw.sample(range(10**6), 2 * documents)]
        qrels[f"q{topic}"] = {docno: draw.choice([0, 0, 0, 0, 1, 2]) for docno in docnos[::2]} | {docnos[0]: 1}
        scores = [float(draw.randrange(10)) if tied else draw.random() for _ in range(documents)]
        run[f"q{topic}"] = dict(zip(docnos[:documents], scores, strict=True))
    return qrels, run


def once(qrels: Dicts) -> Score:
    """cranfield.evaluate."""
    return lambda run: cranfield.evaluate(qrels, run, measures=OURS).frame


def evaluator(qrels: Dicts) -> Score:
    """cranfield.Evaluator."""
    return cranfield.Evaluator(qrels, OURS).evaluate


def pytrec_eval(qrels: Dicts) -> Score:
    import pytrec_eval as peer

    score: Score = peer.RelevanceEvaluator(qrels, {"map", "ndcg_cut_10"}).evaluate
    return score


def ir_measures(qrels: Dicts) -> Score:
    import ir_measures as peer

    score: Score = peer.evaluator([peer.AP, peer.nDCG @ 10], qrels).calc_aggregate
    return score


def ranx(qrels: Dicts) -> Score:
    import ranx as peer

    judgments = peer.Qrels(qrels)
    return lambda run: peer.evaluate(judgments, peer.Run(run), ["map", "ndcg@10"])


def torchmetrics(qrels: Dicts) -> Score:
    """It takes tensors of the retrieved documents; what was not retrieved does not count in its ideal."""
    import torch
    from torchmetrics.retrieval import RetrievalMAP, RetrievalNormalizedDCG

    measures = [RetrievalMAP(), RetrievalNormalizedDCG(top_k=10)]

    def score(run: Dicts) -> object:
        answers = enumerate(run.items())
        rows = [(at, score, qrels[qid].get(docno, 0)) for at, (qid, of) in answers for docno, score in of.items()]
        index, scores, grades = (torch.tensor(column) for column in zip(*rows, strict=True))
        return [m(scores, grades > 0 if m is measures[0] else grades, indexes=index) for m in measures]

    return score


PEERS: tuple[Callable[[Dicts], Score], ...] = (pytrec_eval, ir_measures, ranx, torchmetrics)


def least(scores: list[tuple[str, Score]], run: Dicts, rounds: int = ROUNDS) -> dict[str, float]:
    """The microseconds of a call in the quickest round of each, which take turns."""
    quickest = {name: float("inf") for name, _ in scores}
    for name, score in scores:
        score(run)
        calls = 1 + int(ROUND / (seconds(score, run, 1) + 1e-9))
        quickest[name] = seconds(score, run, calls) / calls
    for _ in range(rounds):
        for name, score in scores:
            calls = 1 + int(ROUND / quickest[name])
            quickest[name] = min(quickest[name], seconds(score, run, calls) / calls)
    return {name: 1e6 * took for name, took in quickest.items()}


def seconds(score: Score, run: Dicts, calls: int) -> float:
    """How long some calls take."""
    start = perf_counter()
    for _ in range(calls):
        score(run)
    return perf_counter() - start


def main(rounds: int = ROUNDS, loop: int = 1000) -> None:
    """Print a line for each shape and tool."""
    peers = [peer for peer in PEERS if find_spec(peer.__name__)]
    if absent := [peer.__name__ for peer in PEERS if peer not in peers]:
        print(f"not installed: {', '.join(absent)}")
    for title, (qrels, run) in {
        "1 topic of 2 documents": ({"q": {"d1": 1, "d2": 0}}, {"q": {"d1": 1.0, "d2": 2.0}}),
        "50 topics of 100 documents": shape(50, 100),
        "50 topics of 100 documents, tied": shape(50, 100, tied=True),
    }.items():
        scores = [(make.__name__, make(qrels)) for make in (evaluator, *peers, once)]
        for name, took in least(scores, run, rounds).items():
            print(f"{title}: {name} {took:,.0f}", flush=True)
    qrels, run = shape(50, 100)
    for make in (evaluator, *peers):
        print(f"{loop:,} runs of 50 topics of 100 documents: {make.__name__} {seconds(make(qrels), run, loop):.1f} s")


if __name__ == "__main__":
    main()
