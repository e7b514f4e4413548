"""Peers from files to printed measures: `python -m benchmarks.peers NAME MEASURES QRELS RUN...`.

Measures are separated by commas, and in the notation of cranfield.
"""

import importlib.util
import sys
from collections.abc import Callable, Sequence

Means = Sequence[object]  # of each run
NAMES = {  # measure: what pytrec_eval and ranx call it; pytrec_eval gives RR without a cutoff
    "AP": ("map", "map"),
    "nDCG@10": ("ndcg_cut_10", "ndcg@10"),
    "P@10": ("P_10", "precision@10"),
    "RR": ("recip_rank", "mrr"),
    "RR@10": ("recip_rank", "mrr@10"),
    "Rprec": ("Rprec", "r-precision"),
    "Bpref": ("bpref", "bpref"),
    "R@1000": ("recall_1000", "recall@1000"),
}


def pytrec_eval(measures: Sequence[str], qrels: str, runs: Sequence[str]) -> Means:
    import pytrec_eval as peer

    names = {NAMES[measure][0] for measure in measures}
    with open(qrels) as file:
        evaluator = peer.RelevanceEvaluator(peer.parse_qrel(file), names)
    means = []
    for run in runs:
        with open(run) as file:
            topics = evaluator.evaluate(peer.parse_run(file)).values()
        means.append({name: sum(topic[name] for topic in topics) / len(topics) for name in sorted(names)})
    return means


def ir_measures(measures: Sequence[str], qrels: str, runs: Sequence[str]) -> Means:
    import ir_measures as peer

    metrics = [peer.parse_measure(measure) for measure in measures]
    evaluator = peer.evaluator(metrics, list(peer.read_trec_qrels(qrels)))
    return [evaluator.calc_aggregate(peer.read_trec_run(run)) for run in runs]


def ranx(measures: Sequence[str], qrels: str, runs: Sequence[str]) -> Means:
    import ranx as peer

    judgments, names = peer.Qrels.from_file(qrels, kind="trec"), [NAMES[measure][1] for measure in measures]
    read = (peer.Run.from_file(run, kind="trec") for run in runs)
    return [peer.evaluate(judgments, run, names, make_comparable=True) for run in read]


PEERS: dict[str, Callable[[Sequence[str], str, Sequence[str]], Means]] = {
    peer.__name__: peer for peer in (pytrec_eval, ir_measures, ranx) if importlib.util.find_spec(peer.__name__)
}


def main(name: str, measures: str, qrels: str, *runs: str) -> None:
    """Print the means of each run."""
    for means in PEERS[name](measures.split(","), qrels, runs):
        print(means)


if __name__ == "__main__":
    main(*sys.argv[1:])
