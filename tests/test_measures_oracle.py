"""Every measure against the same written plainly over dicts, one document at a time."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest

from cranfield.judged import judge
from cranfield.metrics import MEASURES, parse
from cranfield.metrics.inputs import as_qrels, as_runs

Run = dict[str, dict[str, float]]
Grades = dict[str, dict[str, int]]
NAN = float("nan")


@dataclass
class Topic:
    """A ranking as its grades (None is unjudged), and all judgments of the topic."""

    ranking: list[int | None]
    judgments: list[int]
    highest: int

    def relevant(self, rel: int) -> int:
        return sum(grade >= rel for grade in self.judgments)


def is_relevant(grade: int | None, rel: int) -> bool:
    return grade is not None and grade >= rel


def found(t: Topic, rel: int, k: int | None) -> int:
    return sum(is_relevant(grade, rel) for grade in t.ranking[:k])


def divided(a: float, b: float) -> float:
    return a / b if b else 0.0


def ap(t: Topic, rel: int = 1, cutoff: int | None = None) -> float:
    total, so_far = 0.0, 0
    for rank, grade in enumerate(t.ranking[:cutoff], 1):
        if is_relevant(grade, rel):
            so_far += 1
            total += so_far / rank
    return divided(total, t.relevant(rel))


def p(t: Topic, rel: int = 1, cutoff: int | None = None) -> float:
    return divided(found(t, rel, cutoff), len(t.ranking) if cutoff is None else cutoff)


def r(t: Topic, rel: int = 1, cutoff: int | None = None) -> float:
    return divided(found(t, rel, cutoff), t.relevant(rel))


def f(t: Topic, beta: float = 1, rel: int = 1, cutoff: int | None = None) -> float:
    precision, recall = p(t, rel, cutoff), r(t, rel, cutoff)
    return 0.0 if not precision else (1 + beta * beta) / (1 / precision + beta * beta / recall)


def rr(t: Topic, rel: int = 1, cutoff: int | None = None) -> float:
    return next((1 / rank for rank, g in enumerate(t.ranking[:cutoff], 1) if is_relevant(g, rel)), 0.0)


def rprec(t: Topic, rel: int = 1) -> float:
    return divided(found(t, rel, t.relevant(rel)), t.relevant(rel))


def dcg(t: Topic, gains: str = "linear", cutoff: int | None = None) -> float:
    total = 0.0
    for rank, grade in enumerate(t.ranking[:cutoff], 1):
        if grade is not None and grade > 0:
            total += (grade if gains == "linear" else 2**grade - 1) / math.log2(rank + 1)
    return total


def ndcg(t: Topic, gains: str = "linear", cutoff: int | None = None) -> float:
    best: list[int | None] = [*sorted(t.judgments, reverse=True)]
    return divided(dcg(t, gains, cutoff), dcg(Topic(best, t.judgments, t.highest), gains, cutoff))


def bpref(t: Topic, rel: int = 1) -> float:
    num_rel = t.relevant(rel)
    num_nonrel = sum(0 <= grade < rel for grade in t.judgments)
    total, above = 0.0, 0
    for grade in t.ranking:
        if is_relevant(grade, rel):
            total += 1 if above == 0 else 1 - min(above, num_rel) / min(num_nonrel, num_rel)
        elif grade is not None and grade >= 0:
            above += 1
    return divided(total, num_rel)


def infap(t: Topic, rel: int = 1) -> float:
    total, e = 0.0, 1e-5
    for i, grade in enumerate(t.ranking, 1):
        if is_relevant(grade, rel):
            above = [g for g in t.ranking[: i - 1] if g is not None]
            judged = [g for g in above if g >= 0]
            good = sum(g >= rel for g in judged)
            rest = (i - 1) / i * len(above) / (i - 1) * (good + e) / (len(judged) + 2 * e) if i > 1 else 0
            total += 1 / i + rest
    return divided(total, t.relevant(rel))


def err(t: Topic, max_grade: int | None = None, cutoff: int | None = None) -> float:
    highest = t.highest if max_grade is None else max_grade
    total, going_on = 0.0, 1.0
    for rank, grade in enumerate(t.ranking[:cutoff], 1):
        satisfied = (2 ** min(max(grade or 0, 0), highest) - 1) / 2**highest
        total += going_on * satisfied / rank
        going_on *= 1 - satisfied
    return total


def rbp(t: Topic, p: float = 0.8, rel: int = 1, cutoff: int | None = None) -> float:
    return (1 - p) * sum(p**i for i, grade in enumerate(t.ranking[:cutoff]) if is_relevant(grade, rel))


def iprec(t: Topic, recall: float, rel: int = 1) -> float:
    target = math.floor(recall * t.relevant(rel) + 0.5)
    best = 0.0
    for rank in range(1, len(t.ranking) + 1):
        if found(t, rel, rank) >= target:
            best = max(best, found(t, rel, rank) / rank)
    return best


def ap11(t: Topic, rel: int = 1) -> float:
    return sum(iprec(t, i / 10, rel) for i in range(11)) / 11


def judged_share(t: Topic, cutoff: int) -> float:
    shown = t.ranking[:cutoff]
    return sum(g is not None and g >= 0 for g in shown) / len(shown) if shown else NAN


ORACLE: dict[str, Callable[..., float]] = {
    "AP": ap,
    "gMAP": ap,
    "P": p,
    "R": r,
    "F": f,
    "RR": rr,
    "Success": lambda t, cutoff, rel=1: float(found(t, rel, cutoff) > 0),
    "Rprec": rprec,
    "nDCG": ndcg,
    "DCG": dcg,
    "Bpref": bpref,
    "infAP": infap,
    "ERR": err,
    "RBP": rbp,
    "IPrec": iprec,
    "AP11": ap11,
    "Judged": judged_share,
    "NumQ": lambda t: 1.0,
    "NumRet": lambda t: float(len(t.ranking)),
    "NumRel": lambda t, rel=1: float(t.relevant(rel)),
    "NumRelRet": lambda t, rel=1, cutoff=None: float(found(t, rel, cutoff)),
}
ASKED = [
    "AP", "AP@5", "AP(rel=2)", "gMAP", "P", "P@5", "P@100", "P(rel=2)@5", "R", "R@5", "R(rel=2)", "F", "F(beta=2)@7",
    "F(beta=0.5,rel=2)", "RR", "RR@3", "RR(rel=3)", "Success@1", "Success(rel=2)@5", "Rprec", "Rprec(rel=2)", "nDCG",
    "nDCG@5", 'nDCG(gains="exp")', 'nDCG(gains="exp")@5', "DCG", "DCG@5", 'DCG(gains="exp")@5', "Bpref",
    "Bpref(rel=2)", "Bpref(rel=0)", "infAP", "infAP(rel=2)", "ERR", "ERR@5", "ERR(max_grade=5)", "ERR(max_grade=1)@9",
    "RBP", "RBP(p=0.95,rel=2)", "RBP@5", "IPrec@0", "IPrec@0.1", "IPrec@0.5", "IPrec@1", "IPrec(rel=2)@0.3", "AP11",
    "AP11(rel=2)", "Judged@5", "Judged@50", "NumQ", "NumRet", "NumRel", "NumRel(rel=0)", "NumRel(rel=2)", "NumRelRet",
    "NumRelRet(rel=2)@5",
]  # fmt: skip


def random_world(seed: int) -> tuple[dict[str, Run], Grades]:
    """Runs with ties, missing topics and topics that nobody judged; grades from -2 to 3."""
    rng = np.random.default_rng(seed)
    docnos = [f"d{number}" for number in range(60)]

    def scores(size: int) -> dict[str, float]:
        return {str(d): float(rng.integers(0, 12)) / 4 for d in rng.choice(docnos, size, replace=False)}

    def judgments(low: int, high: int) -> dict[str, int]:
        size = int(rng.integers(1, 40))
        return {str(d): int(rng.integers(low, high + 1)) for d in rng.choice(docnos, size, replace=False)}

    lows_highs = [(-2, 3), (0, 1), (0, 3), (-1, 0), (0, 0), (1, 3), (0, 2)]
    qrels = {str(qid): judgments(low, high) for qid, (low, high) in enumerate(lows_highs)}
    runs = {
        tag: {str(qid): scores(int(rng.integers(1, 61))) for qid in range(9) if rng.random() < 0.8}
        for tag in ("a", "b", "c", "d")
    }
    return runs, qrels


def ranked(documents: dict[str, float], grades: dict[str, int], highest: int) -> Topic:
    """By descending score; ties by descending docno."""
    order = sorted(documents, key=lambda docno: (documents[docno], docno), reverse=True)
    assert all((documents[a], a) > (documents[b], b) for a, b in pairwise(order))
    return Topic([grades.get(docno) for docno in order], list(grades.values()), highest)


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("seed", range(3))
def test_a_measure_is_its_definition_document_by_document(name: str, seed: int) -> None:
    runs, qrels = random_world(seed)
    judged = judge(as_runs(runs), as_qrels(qrels))
    measure = parse(name)
    highest = max(grade for grades in qrels.values() for grade in grades.values())
    expected = [
        ORACLE[measure.name](ranked(run.get(qid, {}), qrels[qid], highest), **measure.settings)
        for run in runs.values()
        for qid in judged.qids
    ]
    assert measure.scores(judged) == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


def test_every_measure_has_an_oracle_and_is_asked_for() -> None:
    assert {measure.name for measure in MEASURES} == set(ORACLE) == {parse(name).name for name in ASKED}
