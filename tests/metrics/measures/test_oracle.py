"""Every measure against the same written plainly over dicts, one document at a time."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.metrics import MEASURES, parse
from cranfield.metrics.inputs import as_qrels, as_runs
from tests.conftest import usually
from tests.metrics.measures.test_more import ORACLE as MORE

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


def is_judged(grade: int | None) -> bool:
    """-1 says that a document was pooled and not judged, -2 that it is junk."""
    return grade is not None and grade != -1


def hits(t: Topic, rel: int, k: int | None) -> int:
    return sum(is_relevant(grade, rel) for grade in t.ranking[:k])


def ratio(a: float, b: float) -> float:
    return a / b if b else 0.0


def ap(t: Topic, rel: int = 1, cutoff: int | None = None) -> float:
    total, so_far = 0.0, 0
    for rank, grade in enumerate(t.ranking[:cutoff], 1):
        if is_relevant(grade, rel):
            so_far += 1
            total += so_far / rank
    return ratio(total, t.relevant(rel))


def p(t: Topic, rel: int = 1, cutoff: int | None = None) -> float:
    return ratio(hits(t, rel, cutoff), len(t.ranking) if cutoff is None else cutoff)


def r(t: Topic, rel: int = 1, cutoff: int | None = None) -> float:
    return ratio(hits(t, rel, cutoff), t.relevant(rel))


def f(t: Topic, beta: float = 1, rel: int = 1, cutoff: int | None = None) -> float:
    precision, recall = p(t, rel, cutoff), r(t, rel, cutoff)
    return 0.0 if not precision else (1 + beta * beta) / (1 / precision + beta * beta / recall)


def rr(t: Topic, rel: int = 1, cutoff: int | None = None) -> float:
    return next((1 / rank for rank, g in enumerate(t.ranking[:cutoff], 1) if is_relevant(g, rel)), 0.0)


def rprec(t: Topic, rel: int = 1) -> float:
    return ratio(hits(t, rel, t.relevant(rel)), t.relevant(rel))


def dcg(t: Topic, gains: str = "linear", cutoff: int | None = None) -> float:
    total = 0.0
    for rank, grade in enumerate(t.ranking[:cutoff], 1):
        if grade is not None and grade > 0:
            total += worth(grade, gains) / math.log2(rank + 1)
    return total


def ndcg(t: Topic, gains: str = "linear", cutoff: int | None = None) -> float:
    best: list[int | None] = [*sorted(t.judgments, reverse=True)]
    return ratio(dcg(t, gains, cutoff), dcg(Topic(best, t.judgments, t.highest), gains, cutoff))


def bpref(t: Topic, rel: int = 1) -> float:
    num_rel = t.relevant(rel)
    num_nonrel = sum(0 <= grade < rel for grade in t.judgments)
    total, above = 0.0, 0
    for grade in t.ranking:
        if is_relevant(grade, rel):
            total += 1 if above == 0 else 1 - min(above, num_rel) / min(num_nonrel, num_rel)
        elif grade is not None and grade >= 0:
            above += 1
    return ratio(total, num_rel)


def infap(t: Topic, rel: int = 1) -> float:
    total, e = 0.0, 1e-5
    for i, grade in enumerate(t.ranking, 1):
        if is_relevant(grade, rel):
            above = [g for g in t.ranking[: i - 1] if g is not None]
            judged = [g for g in above if g >= 0]
            good = sum(g >= rel for g in judged)
            rest = (i - 1) / i * len(above) / (i - 1) * (good + e) / (len(judged) + 2 * e) if i > 1 else 0
            total += 1 / i + rest
    return ratio(total, t.relevant(rel))


def err(t: Topic, max_grade: int | None = None, cutoff: int | None = None) -> float:
    highest = t.highest if max_grade is None else max_grade
    total, going_on = 0.0, 1.0
    for rank, grade in enumerate(t.ranking[:cutoff], 1):
        stops = (2 ** min(max(grade or 0, 0), highest) - 1) / 2**highest
        total += going_on * stops / rank
        going_on *= 1 - stops
    return total


def iprec(t: Topic, recall: float, rel: int = 1) -> float:
    target = math.floor(recall * t.relevant(rel) + 0.5)
    best = 0.0
    for rank in range(1, len(t.ranking) + 1):
        if hits(t, rel, rank) >= target:
            best = max(best, hits(t, rel, rank) / rank)
    return best


def worth(grade: int | None, gains: str) -> float:
    if grade is None or grade < 0:
        return 0.0
    table = dict(part.split("=") for part in gains.split(",")) if "=" in gains else {}
    formula = {"exp": 2**grade - 1, "binary": int(grade >= 1)}
    return float(table.get(str(grade), formula.get(gains, grade)))


def best_gains(t: Topic, gains: str) -> list[float]:
    return sorted((worth(grade, gains) for grade in t.judgments if worth(grade, gains) > 0), reverse=True)


def dcg_of(values: list[float]) -> float:
    return sum(value / math.log2(rank + 1) for rank, value in enumerate(values, 1))


def rbp_of_gains(t: Topic, p: float = 0.8, gains: str = "binary", rel: int = 1, cutoff: int | None = None) -> float:
    if gains == "binary":
        return (1 - p) * sum(p**i for i, grade in enumerate(t.ranking[:cutoff]) if is_relevant(grade, rel))
    highest = max([1.0, *best_gains(t, gains)])
    return sum((1 - p) * worth(grade, gains) / highest * p**i for i, grade in enumerate(t.ranking[:cutoff]))


def rbp_residual(t: Topic, p: float = 0.8) -> float:
    unknown = [i for i, grade in enumerate(t.ranking) if not is_judged(grade)]
    return p ** len(t.ranking) + sum((1 - p) * p**i for i in unknown)


def ndcg_of_gains(t: Topic, rank: int, gains: str) -> float:
    worths = [worth(grade, gains) for grade in t.ranking[:rank]]
    return ratio(dcg_of(worths), dcg_of(best_gains(t, gains)[:rank]))


def ndcg_rel(t: Topic, gains: str = "linear") -> float:
    best = best_gains(t, gains)
    ranks = [rank for rank, grade in enumerate(t.ranking, 1) if worth(grade, gains) > 0]
    whole = ratio(dcg_of([worth(grade, gains) for grade in t.ranking]), dcg_of(best))
    values = [ndcg_of_gains(t, rank, gains) for rank in ranks] + [whole] * (len(best) - len(ranks))
    return ratio(sum(values), len(best))


def r_ndcg(t: Topic, gains: str = "linear") -> float:
    best, size = best_gains(t, gains), len(t.ranking)
    ranks = [rank for rank in range(1, len(best) + 1) if rank == len(best) or best[rank] < best[rank - 1]]
    ranks += [size] if size > len(best) + 1 else []
    return ratio(sum(ndcg_of_gains(t, rank, gains) for rank in ranks), len(ranks)) if best else 0.0


def bin_g(t: Topic, rel: int = 1) -> float:
    total, others = 0.0, 0
    for grade in t.ranking:
        if is_relevant(grade, rel):
            total += 1 / math.log2(2 + others)
        else:
            others += 1
    return ratio(total, t.relevant(rel))


def g(t: Topic, gains: str = "linear") -> float:
    best = best_gains(t, gains)
    total = cost = gain = 0.0
    for i, grade in enumerate(t.ranking):
        cost += max(best[i], 1) if i < len(best) else 1
        gain += worth(grade, gains)
        total += worth(grade, gains) / math.log2(2 + cost - gain)
    return ratio(total, sum(best))


def rprec_mult(t: Topic, mult: float, rel: int = 1) -> float:
    target = int(mult * t.relevant(rel) + 0.9)
    return ratio(hits(t, rel, target), target)


def utility(
    t: Topic, *, p1: float = 1, p2: float = -1, p3: float = 0, p4: float = 0, size: int = 0, rel: int = 1
) -> float:
    good, n, num_rel = hits(t, rel, None), len(t.ranking), t.relevant(rel)
    return p1 * good + p2 * (n - good) + p3 * (num_rel - good) + p4 * (size - n - num_rel + good)


def yaap(t: Topic, rel: int = 1) -> float:
    s = ap(t, rel) * t.relevant(rel)
    return math.log((1 + s) / (1 + t.relevant(rel) - s))


def ap_points(t: Topic, points: str | None = None, rel: int = 1) -> float:
    at = [float(point) for point in points.split(",")] if points else [i / 10 for i in range(11)]
    return sum(iprec(t, point, rel) for point in at) / len(at)


def judged_share(t: Topic, cutoff: int) -> float:
    part = t.ranking[:cutoff]
    return sum(is_judged(g) for g in part) / len(part) if part else NAN


ORACLE: dict[str, Callable[..., float]] = {
    "AP": ap,
    "gMAP": ap,
    "P": p,
    "R": r,
    "F": f,
    "RR": rr,
    "Success": lambda t, cutoff, rel=1: float(hits(t, rel, cutoff) > 0),
    "Rprec": rprec,
    "nDCG": ndcg,
    "DCG": dcg,
    "Bpref": bpref,
    "infAP": infap,
    "ERR": err,
    "RBP": rbp_of_gains,
    "RBPresid": rbp_residual,
    "IDCG": lambda t, gains="linear", cutoff=None: dcg_of(best_gains(t, gains)[:cutoff]),
    "nDCGrel": ndcg_rel,
    "RnDCG": r_ndcg,
    "binG": bin_g,
    "G": g,
    "gBpref": bpref,
    "RprecMult": rprec_mult,
    "SetAP": lambda t, rel=1: p(t, rel) * r(t, rel),
    "Utility": utility,
    "YAAP": yaap,
    "Unjudged": lambda t, cutoff: sum(not is_judged(grade) for grade in t.ranking[:cutoff]) / cutoff,
    "NumNonrelRet": lambda t, rel=1: float(sum(grade is not None and 0 <= grade < rel for grade in t.ranking)),
    "IPrec": iprec,
    "AP11": ap_points,
    "Judged": judged_share,
    "NumQ": lambda t: 1.0,
    "NumRet": lambda t: float(len(t.ranking)),
    "NumRel": lambda t, rel=1: float(t.relevant(rel)),
    "NumRelRet": lambda t, rel=1, cutoff=None: float(hits(t, rel, cutoff)),
    "Hits": lambda t, rel=1, cutoff=None: float(hits(t, rel, cutoff)),
}
ASKED = [
    "AP", "AP@5", "AP(rel=2)", "gMAP", "P", "P@5", "P@100", "P(rel=2)@5", "R", "R@5", "R(rel=2)", "F", "F(beta=2)@7",
    "F(beta=0.5,rel=2)", "RR", "RR@3", "RR(rel=3)", "Success@1", "Success(rel=2)@5", "Rprec", "Rprec(rel=2)", "nDCG",
    "nDCG@5", 'nDCG(gains="exp")', 'nDCG(gains="exp")@5', "DCG", "DCG@5", 'DCG(gains="exp")@5', "Bpref",
    "Bpref(rel=2)", "Bpref(rel=0)", "infAP", "infAP(rel=2)", "ERR", "ERR@5", "ERR(max_grade=5)", "ERR(max_grade=1)@9",
    "RBP", "RBP(p=0.95,rel=2)", "RBP@5", "IPrec@0", "IPrec@0.1", "IPrec@0.5", "IPrec@1", "IPrec(rel=2)@0.3", "AP11",
    "AP11(rel=2)", "Judged@5", "Judged@50", "NumQ", "NumRet", "NumRel", "NumRel(rel=0)", "NumRel(rel=2)", "NumRelRet",
    "NumRelRet(rel=2)@5", "Hits", "Hits(rel=2)@5",
    'RBP(gains="linear")@9', 'RBP(p=0.5,gains="exp")', 'RBP(gains="1=0.2,2=1,3=0.5")', "RBPresid", "RBPresid(p=0.95)",
    "IDCG", "IDCG@5", 'IDCG(gains="exp")', 'IDCG(gains="0=0.1,1=0.9,2=0.5")@4', "nDCGrel", 'nDCGrel(gains="exp")',
    'nDCGrel(gains="1=5,2=3")', "RnDCG", 'RnDCG(gains="exp")', 'RnDCG(gains="1=2,2=2")', "binG", "binG(rel=2)", "G",
    'G(gains="exp")', 'G(gains="1=0.5,2=0.3")', "gBpref", "gBpref(rel=2)", "RprecMult@0.5", "RprecMult@1",
    "RprecMult(rel=2)@1.7", "SetAP", "SetAP(rel=2)", "Utility", "Utility(p1=2,p2=-0.5,p3=-1,p4=0.25,size=99,rel=2)",
    "YAAP", "YAAP(rel=2)", "Unjudged@5", "Unjudged@50", "NumNonrelRet", "NumNonrelRet(rel=2)", "NumNonrelRet(rel=0)",
    'AP11(points="0.25,0.5,0.75")', 'nDCG(gains="binary")', 'DCG(gains="1=0.9,2=0.2")@7',
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


@pytest.mark.parametrize("seed", range(usually(2, 5)))
def test_a_measure_is_its_definition_document_by_document(seed: int) -> None:
    runs, qrels = random_world(seed)
    judged = join_runs_and_qrels(as_runs(runs), as_qrels(qrels))
    highest = max(grade for grades in qrels.values() for grade in grades.values())
    topics = [ranked(run.get(qid, {}), qrels[qid], highest) for run in runs.values() for qid in judged.qids]
    for name in ASKED:
        measure = parse(name)
        reference = [ORACLE[measure.name](topic, **measure.settings) for topic in topics]
        assert measure.scores(judged) == pytest.approx(reference, rel=1e-12, abs=1e-12, nan_ok=True), name


def test_every_measure_has_an_oracle_and_is_asked_for() -> None:
    """Here, or with the measures for graded lists, samples and subtopics."""
    assert set(ORACLE) == {parse(name).name for name in ASKED}
    assert {measure.name for measure in MEASURES} == set(ORACLE) | set(MORE)
