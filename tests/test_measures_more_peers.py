"""The measures for which other programs are the convention, against those programs where they are installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.formats import read_qrels
from cranfield.meeting import judge
from cranfield.metrics import parse
from cranfield.metrics.inputs import as_qrels, as_runs

DOCNOS = [f"d{number}" for number in range(60)]
QIDS = [str(number) for number in range(20)]


def random_run(rng: np.random.Generator) -> dict[str, dict[str, float]]:
    """Scores above 0 and without ties, in which the programs differ."""
    return {
        qid: {str(d): float(s) for d, s in zip(rng.permutation(DOCNOS)[:40], rng.permutation(99)[:40] + 1, strict=True)}
        for qid in QIDS
    }


@pytest.mark.parametrize(
    "name", ["Compat", "Compat(p=0.8)", "Compat(normalize=False)", "Accuracy", "Accuracy(rel=2)@10",
             "AP(judged_only=True)", "nDCG(judged_only=True)@10", "P(judged_only=True)@5"],
)  # fmt: skip
def test_ir_measures_gives_the_same(name: str) -> None:
    peer: Any = pytest.importorskip("ir_measures", reason="needs ir_measures, which is not here")
    rng = np.random.default_rng(1)
    run = random_run(rng)
    qrels = {qid: {str(d): int(rng.choice([0, 0, 1, 2, 3])) for d in rng.permutation(DOCNOS)[:30]} for qid in QIDS}
    judged = judge(as_runs(run), as_qrels(qrels))
    ours = dict(zip(judged.qids, parse(name).scores(judged), strict=True))
    theirs = {found.query_id: found.value for found in peer.iter_calc([peer.parse_measure(name)], qrels, run)}
    assert len(theirs) > 10
    assert {qid: ours[qid] for qid in theirs} == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("rel", [1, 2])
@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.5), (0.3, 0.7)])
def test_ndeval_gives_the_same(rel: int, alpha: float, beta: float, tmp_path: Path) -> None:
    """Except ERR-IA@1, which it does not divide by the number of subtopics."""
    peer: Any = pytest.importorskip("pyndeval", reason="needs pyndeval, which is not here")
    rng = np.random.default_rng(2)
    run = random_run(rng)
    rows = [
        (qid, str(subtopic), str(docno), int(rng.integers(0, 3)))
        for qid in QIDS
        for subtopic in range(1, 7)
        for docno in rng.permutation(DOCNOS)[:15]
    ]
    (tmp_path / "qrels").write_text("".join(f"{qid} {name} {docno} {grade}\n" for qid, name, docno, grade in rows))
    judged = judge(as_runs(run), read_qrels(tmp_path / "qrels"))
    names = {
        **{f"alpha-nDCG@{k}": f"alpha_nDCG(alpha={alpha},rel={rel})@{k}" for k in (1, 5, 20)},
        **{f"ERR-IA@{k}": f"ERR_IA(alpha={alpha},rel={rel})@{k}" for k in (5, 20)},
        **{f"strec@{k}": f"StRecall(rel={rel})@{k}" for k in (5, 20)},
        "NRBP": f"NRBP(alpha={alpha},beta={beta},rel={rel})",
    }
    evaluator = peer.RelevanceEvaluator(
        [peer.SubtopicQrel(*row) for row in rows], list(names), relevance_level=rel, alpha=alpha, beta=beta
    )
    ranked = [peer.ScoredDoc(qid, docno, score) for qid in run for docno, score in run[qid].items()]
    theirs = {found["query_id"]: found for found in evaluator.evaluate_iter(ranked)}
    for name, ours in names.items():
        expected = [theirs[qid][name] for qid in judged.qids]
        assert parse(ours).scores(judged) == pytest.approx(expected, abs=1e-12), name
