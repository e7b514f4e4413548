"""Measures against pytrec_eval, which carries trec_eval 9: what the versions share, at every level of relevance."""

import numpy as np
import pytest

from cranfield.metrics import parse
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.notation import parse_all

pytrec_eval = pytest.importorskip("pytrec_eval")

SHARED = [
    "map", "map_cut", "Rprec", "Rprec_mult", "bpref", "recip_rank", "P", "recall", "relative_P", "success", "infAP",
    "G", "binG", "ndcg", "ndcg_cut", "ndcg_rel", "Rndcg", "set_P", "set_recall", "set_relative_P", "set_map", "set_F",
    "utility", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret",
]  # fmt: skip


def world(seed: int) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, int]]]:
    """A run with ties, and grades from 0 to 4, negative ones among them; every topic has a grade from 0."""
    rng = np.random.default_rng(seed)
    docnos = [f"d{number}" for number in range(60)]
    run, qrels = {}, {}
    for qid in map(str, range(8)):
        ranked, judged = rng.permutation(docnos)[: rng.integers(1, 60)], rng.permutation(docnos)[: rng.integers(2, 50)]
        run[qid] = {str(docno): float(rng.integers(0, 20)) for docno in ranked}
        qrels[qid] = {str(docno): int(rng.integers(-1, 5)) for docno in judged} | {"extra": 0}
    return run, qrels


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_shared_measures_agree(level: int) -> None:
    """Rndcg alone has another rule here: pytrec_eval's is 0 where nothing is relevant at the level."""
    run, qrels = world(level)
    peer = pytrec_eval.RelevanceEvaluator(qrels, SHARED, relevance_level=level).evaluate(run)
    names = list(peer["0"])
    assert len(names) > 60
    measures = dict(zip(names, (parse_all([name], rel=level)[0] for name in names), strict=True))
    table = evaluate(run, qrels, list(measures.values()), per_topic=True).set_index(["measure", "query_id"])["value"]
    for qid, values in peer.items():
        relevant = any(grade >= level for grade in qrels[qid].values())
        for name, value in values.items():
            if relevant or parse(name).name != "RnDCG":
                assert table[str(measures[name]), qid] == pytest.approx(value, abs=1e-12), (name, qid)
