"""The measures for graded lists, sampled judgments and subtopics, against the same written plainly over dicts."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.judged import Judged
from cranfield.errors import MeasureError
from cranfield.formats import read_qrels
from cranfield.metrics import MEASURES, parse
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.examples import example
from cranfield.metrics.inputs import as_runs

NAN = float("nan")
QIDS = ["1", "2", "3", "10", "11"]


@dataclass
class Topic:
    """A ranking of docnos, and what was judged: grades, strata, and grades by subtopic."""

    ranking: list[str]
    grades: dict[str, int]
    highest: int
    strata: dict[str, str] = field(default_factory=dict)
    subtopics: dict[str, dict[str, int]] = field(default_factory=dict)  # subtopic -> docno -> grade

    def grade(self, docno: str) -> int:
        return max(self.grades.get(docno, 0), 0)

    def relevant(self, rel: int = 1) -> set[str]:
        return {docno for docno, grade in self.grades.items() if grade >= rel}

    def unjudged(self, docno: str) -> bool:
        return self.grades.get(docno, -1) < 0

    def best(self) -> list[str]:
        return sorted(self.grades, key=lambda docno: -self.grades[docno])


def ratio(a: float, b: float, default: float = 0.0) -> float:
    return a / b if b else default


def gain(grade: int, gains: str) -> float:
    return max(grade, 0) if gains == "linear" else 2 ** max(grade, 0) - 1


def rbpresid(t: Topic, p: float = 0.8, cutoff: int | None = None) -> float:
    """As the paper says it: the unjudged ranks and the tail."""
    part = t.ranking[:cutoff]
    return sum((1 - p) * p**i for i, docno in enumerate(part) if t.unjudged(docno)) + p ** len(part)


def cg(t: Topic, gains: str = "linear", cutoff: int | None = None) -> float:
    return sum(gain(t.grade(docno), gains) for docno in t.ranking[:cutoff])


def dcg(t: Topic, gains: str = "linear", cutoff: int | None = None, base: float = 2, discount: str = "burges") -> float:
    total = 0.0
    for rank, docno in enumerate(t.ranking[:cutoff], 1):
        jarvelin = 1.0 if rank < base else math.log(rank, base)
        total += gain(t.grade(docno), gains) / (jarvelin if discount == "jarvelin" else math.log(rank + 1, base))
    return total


def ndcg(t: Topic, cutoff: int | None = None, **options: object) -> float:
    ideal = replace(t, ranking=t.best())
    return ratio(dcg(t, cutoff=cutoff, **options), dcg(ideal, cutoff=cutoff, **options))  # type: ignore[arg-type]


def err(t: Topic, max_grade: int | None = None, cutoff: int | None = None) -> float:
    highest = t.highest if max_grade is None else max_grade
    total, going_on = 0.0, 1.0
    for rank, docno in enumerate(t.ranking[:cutoff], 1):
        stops = (2 ** min(t.grade(docno), highest) - 1) / 2**highest
        total, going_on = total + going_on * stops / rank, going_on * (1 - stops)
    return total


def nerr(t: Topic, max_grade: int | None = None, cutoff: int | None = None) -> float:
    return ratio(err(t, max_grade, cutoff), err(replace(t, ranking=t.best()), max_grade, cutoff))


def q(t: Topic, beta: float = 1, gains: str = "linear", cutoff: int | None = None) -> float:
    ideal, total = t.best(), 0.0
    for rank, docno in enumerate(t.ranking[:cutoff], 1):
        if t.grade(docno) > 0:
            hits = sum(t.grade(above) > 0 for above in t.ranking[:rank])
            mine = sum(gain(t.grade(above), gains) for above in t.ranking[:rank])
            best = sum(gain(t.grade(above), gains) for above in ideal[:rank])
            total += (hits + beta * mine) / (rank + beta * best)
    relevant = len(t.relevant())
    return ratio(total, relevant if cutoff is None else min(cutoff, relevant))


def r_cap(t: Topic, rel: int = 1, cutoff: int | None = None) -> float:
    room = len(t.ranking) if cutoff is None else cutoff
    return ratio(len(t.relevant(rel) & set(t.ranking[:cutoff])), min(room, len(t.relevant(rel))))


def accuracy(t: Topic, rel: int = 1, cutoff: int | None = None) -> float:
    part, relevant = t.ranking[:cutoff], t.relevant(rel)
    pairs = [(i, j) for i, a in enumerate(part) for j, b in enumerate(part) if a in relevant and b not in relevant]
    return ratio(sum(i < j for i, j in pairs), len(pairs), NAN)


def compat(t: Topic, p: float = 0.95, normalize: bool = True) -> float:
    place = {docno: rank for rank, docno in enumerate(t.ranking)}
    ideal = sorted(t.relevant(), key=lambda docno: (-t.grades[docno], place.get(docno, len(place))))
    depth = max(len(t.ranking), len(ideal))

    def rbo(ranking: list[str]) -> float:
        shares = (len(set(ranking[:d]) & set(ideal[:d])) / d for d in range(1, depth + 1))
        return ratio(sum(p**i * share for i, share in enumerate(shares)), sum(p**i for i in range(depth)))

    return ratio(rbo(t.ranking), rbo(ideal)) if normalize else rbo(t.ranking)


def adaptive(t: Topic, goal: float, max_grade: int | None, adapt: bool) -> float:
    """Rank by rank to 500; what comes after weighs as much as the Euler-Maclaurin formula says."""
    highest, ranks = max(t.highest if max_grade is None else max_grade, 1), 500
    gains = [min(t.grade(docno), highest) / highest for docno in t.ranking]
    weight, weights, missing = 1.0, [], goal
    for rank in range(1, ranks + 1):
        weights.append(weight)
        if adapt and rank <= len(gains):
            missing -= gains[rank - 1]
        at = rank + goal + missing
        weight *= ((at - 1) / at) ** 2
    total = math.fsum(weights) + weight * (at + 0.5 + 1 / (6 * at))
    return sum(w * g for w, g in zip(weights, gains, strict=False)) / total


def stratum_weights(t: Topic) -> dict[str, float]:
    """For each stratum: how many of its documents a judged one stands for."""
    sizes: dict[str, float] = {}
    for one in set(t.strata.values()):
        pooled = [docno for docno, stratum in t.strata.items() if stratum == one]
        judged = [docno for docno in pooled if t.grades[docno] >= 0]
        sizes[one] = ratio(len(pooled), len(judged))
    return sizes


def xinfap(t: Topic, rel: int = 1, smoothing: str = "paper") -> float:
    e, outcomes, weight, relevant = 1e-5, 2 if smoothing == "paper" else 3, stratum_weights(t), t.relevant(rel)
    total = 0.0
    for rank, docno in enumerate(t.ranking, 1):
        if docno in relevant:
            precision = 1 / rank
            for one in weight:
                above = [d for d in t.ranking[: rank - 1] if t.strata.get(d) == one]
                judged = [d for d in above if t.grades[d] >= 0]
                values = [d for d in above if d in relevant]
                precision += len(above) / rank * (len(values) + e) / (len(judged) + outcomes * e)
            total += weight[t.strata[docno]] * precision
    return ratio(total, sum(weight[t.strata[docno]] for docno in relevant))


def _stands_for(t: Topic, stratum: str, grade: int) -> float:
    """Documents of a grade in a stratum: found times size by judged, in sample_eval's order."""
    grades = [t.grades[docno] for docno, one in t.strata.items() if one == stratum]
    return ratio(grades.count(grade) * len(grades), sum(g >= 0 for g in grades))


def infndcg(t: Topic, gains: str = "linear", cutoff: int | None = None) -> float:
    """After the authors' program: the mean gain of a stratum's judged, times how many of it were retrieved."""
    weight, total = stratum_weights(t), 0.0
    for one in weight:
        here = [(rank, d) for rank, d in enumerate(t.ranking[:cutoff], 1) if t.strata.get(d) == one]
        judged = [(rank, d) for rank, d in here if t.grades[d] >= 0]
        dcg = sum(gain(t.grades[d], gains) / math.log2(rank + 1) for rank, d in judged)
        total += len(here) * ratio(dcg, len(judged))
    ideal: list[float] = []
    for grade in sorted({g for g in t.grades.values() if g > 0}, reverse=True):
        number = sum(_stands_for(t, one, grade) for one in sorted(weight))
        ideal += [gain(grade, gains)] * math.floor(number + 0.5)
    best = sum(worth / math.log2(rank + 1) for rank, worth in enumerate(ideal[:cutoff], 1))
    return ratio(total, best)


def covers(t: Topic, docno: str, rel: int) -> list[str]:
    return [name for name, grades in t.subtopics.items() if grades.get(docno, -1) >= rel]


def novelty(t: Topic, ranking: list[str], alpha: float, rel: int) -> list[float]:
    """The worth of each document in turn."""
    worth, values = dict.fromkeys(t.subtopics, 1.0), []
    for docno in ranking:
        values.append(sum(worth[name] for name in covers(t, docno, rel)))
        for name in covers(t, docno, rel):
            worth[name] *= 1 - alpha
    return values


def greedy(t: Topic, alpha: float, rel: int, depth: int) -> list[str]:
    order: list[str] = []
    rest = sorted(t.grades, reverse=True)
    while rest and len(order) < depth:
        best = max(rest, key=lambda docno: round(novelty(t, [*order, docno], alpha, rel)[-1], 9))
        order.append(best)
        rest.remove(best)
    return order


def number_of_subtopics(t: Topic, rel: int) -> int:
    return sum(any(grade >= rel for grade in grades.values()) for grades in t.subtopics.values())


def alpha_ndcg(t: Topic, cutoff: int, alpha: float = 0.5, rel: int = 1) -> float:
    def dcg(ranking: list[str]) -> float:
        return sum(v / math.log2(i + 2) for i, v in enumerate(novelty(t, ranking, alpha, rel)[:cutoff]))

    return ratio(dcg(t.ranking), dcg(greedy(t, alpha, rel, cutoff)))


def err_ia(t: Topic, cutoff: int, alpha: float = 0.5, rel: int = 1) -> float:
    mine = sum(v / (i + 1) for i, v in enumerate(novelty(t, t.ranking, alpha, rel)[:cutoff]))
    return ratio(mine, number_of_subtopics(t, rel) * sum((1 - alpha) ** i / (i + 1) for i in range(cutoff)))


def nrbp(t: Topic, alpha: float = 0.5, beta: float = 0.5, rel: int = 1) -> float:
    mine = sum(v * beta**i for i, v in enumerate(novelty(t, t.ranking, alpha, rel)))
    return ratio(mine * (1 - (1 - alpha) * beta), number_of_subtopics(t, rel))


def strecall(t: Topic, cutoff: int, rel: int = 1) -> float:
    return ratio(len({name for d in t.ranking[:cutoff] for name in covers(t, d, rel)}), number_of_subtopics(t, rel))


def alpha_dcg(t: Topic, cutoff: int, alpha: float = 0.5, rel: int = 1) -> float:
    mine = sum(v / math.log2(i + 2) for i, v in enumerate(novelty(t, t.ranking, alpha, rel)[:cutoff]))
    return ratio(mine, number_of_subtopics(t, rel) * sum((1 - alpha) ** i / math.log2(i + 2) for i in range(cutoff)))


def nerr_ia(t: Topic, cutoff: int, alpha: float = 0.5, rel: int = 1) -> float:
    return ratio(
        err_ia(t, cutoff, alpha, rel), err_ia(replace(t, ranking=greedy(t, alpha, rel, cutoff)), cutoff, alpha, rel)
    )


def nnrbp(t: Topic, alpha: float = 0.5, beta: float = 0.5, rel: int = 1) -> float:
    ideal = replace(t, ranking=greedy(t, alpha, rel, len(t.grades)))
    return ratio(nrbp(t, alpha, beta, rel), nrbp(ideal, alpha, beta, rel))


def ap_ia(t: Topic, rel: int = 1) -> float:
    rows = []
    for grades in t.subtopics.values():
        relevant = {docno for docno, grade in grades.items() if grade >= rel}
        ranks = [rank for rank, docno in enumerate(t.ranking, 1) if docno in relevant]
        rows += [sum(n / rank for n, rank in enumerate(ranks, 1)) / len(relevant)] if relevant else []
    return ratio(sum(rows), len(rows))


def p_ia(t: Topic, cutoff: int, rel: int = 1) -> float:
    return ratio(sum(len(covers(t, docno, rel)) for docno in t.ranking[:cutoff]), cutoff * number_of_subtopics(t, rel))


def gains_of(t: Topic, max_grade: int | None) -> list[float]:
    highest = max(t.highest if max_grade is None else max_grade, 1)
    return [min(t.grade(docno), highest) / highest for docno in t.ranking]


def sdcg(t: Topic, cutoff: int, max_grade: int | None = None) -> float:
    mine = sum(worth / math.log2(rank + 1) for rank, worth in enumerate(gains_of(t, max_grade)[:cutoff], 1))
    return mine / sum(1 / math.log2(rank + 1) for rank in range(1, cutoff + 1))


def bpm(t: Topic, cutoff: int, T: float = 1.0, max_grade: int | None = None) -> float:  # noqa: N803
    read, total = 0, 0.0
    while read < cutoff and total < T - 1e-9:
        total += (gains_of(t, max_grade) + [0.0] * cutoff)[read]
        read += 1
    return total / read


def rbp(t: Topic, p: float = 0.8, gains: str = "binary", normalize: bool = True) -> float:
    worth = [gain(t.grade(docno), gains) for docno in t.ranking]
    best = max([gain(max(grade, 0), gains) for grade in t.grades.values()] + [1]) if normalize else 1
    return sum((1 - p) * p**i * one / best for i, one in enumerate(worth))


ORACLE: dict[str, Callable[..., float]] = {
    "RBPresid": rbpresid,
    "CG": cg,
    "DCG": dcg,
    "nDCG": ndcg,
    "nERR": nerr,
    "Q": q,
    "R_cap": r_cap,
    "Accuracy": accuracy,
    "Compat": compat,
    "INSQ": lambda t, T=1.0, max_grade=None: adaptive(t, T, max_grade, adapt=False),  # noqa: N803
    "INST": lambda t, T=1.0, max_grade=None: adaptive(t, T, max_grade, adapt=True),  # noqa: N803
    "xinfAP": xinfap,
    "infNDCG": infndcg,
    "alpha_nDCG": alpha_ndcg,
    "ERR_IA": err_ia,
    "NRBP": nrbp,
    "StRecall": strecall,
    "alpha_DCG": alpha_dcg,
    "nERR_IA": nerr_ia,
    "nNRBP": nnrbp,
    "AP_IA": ap_ia,
    "P_IA": p_ia,
    "SDCG": sdcg,
    "BPM": bpm,
    "RBP": rbp,
}
ASKED = [
    "RBPresid", "RBPresid(p=0.5)@5", "CG", 'CG(gains="exp")@5', "DCG(base=10)", 'DCG(discount="jarvelin")',
    'DCG(base=10,discount="jarvelin")@20', 'nDCG(discount="jarvelin")@10', 'nDCG(base=4,discount="jarvelin")',
    'nDCG(gains="exp",base=3)', "nERR", "nERR@5", "nERR(max_grade=5)", "Q", "Q@10", "Q(beta=0.1)", 'Q(gains="exp")@5',
    "R_cap", "R_cap@5", "R_cap(rel=2)@5", "Accuracy", "Accuracy@10", "Accuracy(rel=2)", "Compat", "Compat(p=0.8)",
    "Compat(p=0.5,normalize=False)", "xinfAP", "xinfAP(rel=2)", 'xinfAP(smoothing="nist")', "infNDCG", "infNDCG@10",
    'infNDCG(gains="exp")', "alpha_nDCG@10", "alpha_nDCG@1", "alpha_nDCG(alpha=0.3)@20", "alpha_nDCG(rel=2)@5",
    "ERR_IA@10", "ERR_IA@1", "ERR_IA(alpha=0.9,rel=2)@20", "NRBP", "NRBP(alpha=0.3,beta=0.8)", "NRBP(rel=2)",
    "StRecall@5", "StRecall(rel=2)@20", "alpha_DCG@1", "alpha_DCG(alpha=0.3,rel=2)@10", "nERR_IA@1",
    "nERR_IA(alpha=0.9,rel=2)@20", "nNRBP", "nNRBP(alpha=0.3,beta=0.8,rel=2)", "AP_IA", "AP_IA(rel=2)", "P_IA@1",
    "P_IA(rel=2)@50", "SDCG@1", "SDCG@10", "SDCG(max_grade=2)@50", "SDCG(max_grade=9)@5", "BPM@1", "BPM@10",
    "BPM(T=2.5)@30", "BPM(T=0.5,max_grade=9)@50", 'RBP(gains="linear")', 'RBP(p=0.95,gains="exp",normalize=False)',
    "AP_IA(judged_only=True)", "BPM(judged_only=True)@5",
    "nDCG(judged_only=True)@10", "Q(judged_only=True)", "R_cap(judged_only=True)@5", "Accuracy(judged_only=True)@9",
    "Compat(judged_only=True)", "alpha_nDCG(judged_only=True)@10", "NRBP(judged_only=True)",
]  # fmt: skip
# These take the judgments of subtopics, the others the sample.
DIVERSE = {"alpha_nDCG", "alpha_DCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall"}
ADAPTIVE = ["INSQ", "INSQ(T=2.5)", "INSQ(max_grade=5)", "INST", "INST(T=0.5)", "INST(T=3,max_grade=2)"]


@pytest.fixture(scope="module", params=range(2))
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Judged, list[Topic]]]:
    """Runs and judgments of a stratified sample, and of subtopics, read from files; each with its plain topics."""
    rng = np.random.default_rng(request.param)
    folder = tmp_path_factory.mktemp("world")
    docnos = [f"d{number}" for number in range(40)]
    runs = {
        tag: {qid: _scores(rng, docnos) for qid in QIDS if rng.random() < 0.9} for tag in ("a", "b", "c")
    }  # fmt: skip
    strata = {(q, d): str(rng.integers(1, 4)) for q in QIDS for d in docnos if rng.random() < 0.6}
    grades = {pair: int(rng.choice([-1, -1, 0, 0, 1, 2, 3])) if pair[0] != "11" else 0 for pair in strata}
    sample = "".join(f"{q} 0 {d} {strata[q, d]} {grades[q, d]}\n" for q, d in strata)
    about = {
        (q, name, d): int(rng.choice([0, 0, 1, 2]))
        for q in QIDS
        for name in map(str, range(1, 6))
        for d in docnos
        if rng.random() < 0.25 and q != "11"
    } | {("11", "1", "d1"): 0, ("11", "2", "d1"): 0}
    subtopics = "".join(f"{q} {name} {d} {grade}\n" for (q, name, d), grade in about.items())
    best: dict[tuple[str, str], int] = {}
    for (qid, _, docno), grade in about.items():
        best[qid, docno] = max(grade, best.get((qid, docno), 0))

    def topics(judged: Judged, grades: dict[tuple[str, str], int]) -> list[Topic]:
        highest = max(grades.values())
        return [
            Topic(
                _ranked(runs[tag].get(qid, {})),
                {d: grade for (q, d), grade in grades.items() if q == qid},
                highest,
                {d: stratum for (q, d), stratum in strata.items() if q == qid},
                {
                    name: {d: grade for (q, n, d), grade in about.items() if (q, n) == (qid, name)}
                    for name in sorted({n for q, n, _ in about if q == qid})
                },
            )
            for tag in judged.tags
            for qid in judged.qids
        ]

    rows = []
    for text, plain, form in ((sample, grades, "sample-eval"), (subtopics, best, "subtopics")):
        path = folder / "qrels"
        path.write_text(text)
        judged = join_runs_and_qrels(as_runs(runs), read_qrels(path, format=form))
        rows.append((judged, topics(judged, plain)))
    return rows


def _scores(rng: np.random.Generator, docnos: list[str]) -> dict[str, float]:
    size = int(rng.integers(1, 41))
    return {str(d): float(rng.integers(0, 20)) for d in rng.choice(docnos, size, replace=False)}


def _ranked(scores: dict[str, float]) -> list[str]:
    return sorted(scores, key=lambda docno: (scores[docno], docno), reverse=True)


def _condense(t: Topic) -> Topic:
    return replace(t, ranking=[docno for docno in t.ranking if not t.unjudged(docno)])


def _definition(name: str, topics: list[Topic]) -> list[float]:
    measure = parse(name)
    own = {option: value for option, value in measure.settings.items() if option != "judged_only"}
    topics_seen = [_condense(t) if measure.options["judged_only"] else t for t in topics]
    return [ORACLE[measure.name](t, **own) for t in topics_seen]


def test_a_measure_is_its_definition_document_by_document(world: list[tuple[Judged, list[Topic]]]) -> None:
    for name in ASKED:
        judged, topics = world[parse(name).name in DIVERSE]
        reference = _definition(name, topics)
        assert parse(name).scores(judged) == pytest.approx(reference, rel=1e-12, abs=1e-12, nan_ok=True), name


@pytest.mark.parametrize("name", ADAPTIVE)
def test_the_readers_of_inst_and_insq_go_through_all_ranks(name: str, world: list[tuple[Judged, list[Topic]]]) -> None:
    judged, topics = world[0]
    assert parse(name).scores(judged) == pytest.approx(_definition(name, topics), rel=1e-12, abs=1e-12)


def test_every_measure_here_is_asked_for() -> None:
    assert {parse(name).name for name in [*ASKED, *ADAPTIVE]} == set(ORACLE)
    assert set(ORACLE) <= {measure.name for measure in MEASURES}


@pytest.mark.parametrize("p", [0.5, 0.8, 0.95])
def test_rbp_and_its_residual_leave_room_for_what_is_judged_not_relevant(
    p: float, world: list[tuple[Judged, list[Topic]]]
) -> None:
    """RBP + residual is 1 less the weight of the ranks judged not relevant."""
    judged, topics = world[0]
    most = parse(f"RBP(p={p})").scores(judged) + parse(f"RBPresid(p={p})").scores(judged)
    nonrelevant = [[i for i, d in enumerate(t.ranking) if t.grades.get(d) == 0] for t in topics]
    assert most == pytest.approx([1 - sum((1 - p) * p**i for i in ranks) for ranks in nonrelevant], abs=1e-12)


def test_with_one_stratum_xinfap_is_infap(world: list[tuple[Judged, list[Topic]]]) -> None:
    judged = world[0][0]
    one = replace(judged, qrels_stratum=np.zeros_like(judged.qrels_grade))
    for rel in (1, 2):
        assert parse(f"xinfAP(rel={rel})").scores(one) == pytest.approx(
            parse(f"infAP(rel={rel})").scores(one), abs=1e-12
        )


def test_with_everything_judged_infndcg_is_ndcg(world: list[tuple[Judged, list[Topic]]]) -> None:
    """Whatever the strata."""
    judged = world[0][0].select_judgments(world[0][0].qrels_grade >= 0)
    for name in ("nDCG", "nDCG@10", 'nDCG(gains="exp")'):
        assert parse(f"inf{name.replace('nD', 'ND')}").scores(judged) == pytest.approx(parse(name).scores(judged))


@pytest.mark.parametrize(
    "name", ["xinfAP", "infNDCG@10", "alpha_nDCG@10", "ERR_IA@10", "NRBP", "StRecall@5", "Q", "INST"]
)
def test_strata_and_subtopics_follow_their_judgments(name: str, world: list[tuple[Judged, list[Topic]]]) -> None:
    """On fewer topics the scores are the same; with judgments left out, as if they had never been made."""
    judged, topics = world[parse(name).name in DIVERSE]
    some = np.array([1, 3])
    scores = parse(name).scores(judged).reshape(judged.shape)
    assert parse(name).scores(judged.select_topics(some)) == pytest.approx(scores[:, some].ravel(), abs=1e-12)
    mask = np.random.default_rng(3).random(len(judged.qrels_grade)) < 0.6
    rest = [_without(topic, judged, mask, number % len(judged.qids)) for number, topic in enumerate(topics)]
    assert parse(name).scores(judged.select_judgments(mask)) == pytest.approx(_definition(name, rest), abs=1e-12)


def _without(t: Topic, judged: Judged, mask: np.ndarray[tuple[int], np.dtype[np.bool_]], number: int) -> Topic:
    """The topic without some of its judgments, which Judged has in the order of docnos."""
    docnos = {d for d, keep in zip(sorted(t.grades), mask[judged.qrels_topic == number], strict=True) if keep}
    return replace(
        t,
        grades={d: grade for d, grade in t.grades.items() if d in docnos},
        strata={d: stratum for d, stratum in t.strata.items() if d in docnos},
        subtopics={name: {d: g for d, g in grades.items() if d in docnos} for name, grades in t.subtopics.items()},
    )


def test_estimates_are_about_right_on_average() -> None:
    """Over 400 random samples of half of a pool of two strata, the mean is near the value of the whole."""
    rng = np.random.default_rng(0)
    grades = [2, 0, 1, 1, 0, 2, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1]
    strata = [1] * 6 + [2] * 10
    whole = example(grades, strata=strata)
    for name, near in (("xinfAP", 0.02), ("infNDCG", 0.05)):
        rows = []
        for _ in range(400):
            sample = {*rng.choice(6, 4, replace=False), *(6 + rng.choice(10, 5, replace=False))}
            labels = [grade if i in sample else -1 for i, grade in enumerate(grades)]
            rows.append(parse(name).scores(example(labels, strata=strata)).item())
        assert np.mean(rows) == pytest.approx(parse(name).scores(whole).item(), abs=near)


@pytest.mark.parametrize(("size", "judged", "relevant"), [(13, 12, 6), (15, 6, 3), (21, 14, 7), (39, 18, 3)])
def test_half_a_document_is_rounded_up_however_many_make_it(size: int, judged: int, relevant: int) -> None:
    """As NIST's sample_eval counts: found times size by judged, not the weight of each found one summed."""
    ranking = example([1] * relevant + [0] * (judged - relevant) + [-1] * (size - judged), strata=[1] * size)
    count = relevant * size / judged
    assert count % 1 == 0.5
    gain = size / judged * sum(1 / math.log2(rank + 1) for rank in range(1, relevant + 1))
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, int(count + 0.5) + 1))
    assert parse("infNDCG").scores(ranking).item() == pytest.approx(gain / ideal, abs=1e-12)


@pytest.mark.parametrize(
    ("lack", "names"),
    [("strata", ["xinfAP", "infNDCG"]), ("subtopics", ["alpha_nDCG@5", "ERR_IA@5", "NRBP", "StRecall@5"])],
)
def test_judgments_without_what_a_measure_needs_are_refused(lack: str, names: list[str]) -> None:
    for name in names:
        with pytest.raises(MeasureError, match=f"the judgments have no {lack}"):
            evaluate({"1": {"d1": 1}}, {"1": {"d1": 1.0}}, name)


@pytest.mark.parametrize(
    ("name", "message"),
    {
        "alpha_nDCG": "alpha_nDCG needs a cutoff",
        "alpha_nDCG(alpha=2)@5": "alpha is 2; expected a number from 0 to 1",
        "NRBP(beta=1)": "beta is 1; expected a number above 0 and below 1",
        "INST(T=0.4)": "T is 0.4; expected a number of at least 0.5",
        'nDCG(discount="log")': 'discount is "log"; expected one of "burges", "jarvelin"',
        "DCG(base=1)": "base is 1; expected a number above 1",
        "Compat(normalize=1)": "normalize is 1; expected True or False",
        "AP(judged_only=yes)": 'judged_only is "yes"; expected True or False',
        "AP(rel=True)": "rel is True; expected a number of at least 0",
    }.items(),
)
def test_a_wrong_option_is_refused_with_what_would_be_right(name: str, message: str) -> None:
    with pytest.raises(MeasureError, match=message):
        parse(name).scores(example([1], subtopics=[{"a"}]))


def test_judged_only_is_part_of_the_name() -> None:
    assert str(parse("AP(judged_only=True)@10")) == "AP(judged_only=True)@10"
    assert parse("AP(judged_only=False)") == parse("AP")
    assert str(parse("map").set(rel=2, judged_only=True)) == "AP(rel=2,judged_only=True)"


# The examples of lectures and textbooks. AP, MRR and gMAP over topics are means of one-topic rankings.


def of(name: str, ranking: list[int], unretrieved: int = 0) -> float:
    return parse(name).scores(example(ranking, [1] * unretrieved)).item()


@pytest.mark.parametrize(
    ("name", "ranking", "unretrieved", "value"),
    [
        ("AP", [1, 0, 1, 0, 0, 1], 0, 0.722),
        ("AP", [1, 1, 1, 0, 1, 1, 0, 1], 2, 0.67),
        ("DCG@5", [3, 2, 1, 2, 3], 0, 6.78),
        ("nDCG@5", [3, 2, 1, 2, 3], 0, 0.95),
        ('nDCG(gains="exp")@3', [3, 2, 3], 0, 0.9595),
        ("R@5", [1, 0, 1, 1, 0], 4, 0.43),
        ("R_cap@5", [1, 0, 1, 1, 0], 4, 0.60),
        ("F", [1] + [0] * 9, 0, 0.18),
    ],
)
def test_a_worked_example(name: str, ranking: list[int], unretrieved: int, value: float) -> None:
    digits = len(str(value)) - 2 if value < 1 else 2
    assert round(of(name, ranking, unretrieved), digits) == value


def test_other_measures_take_the_best_grade_of_any_subtopic(tmp_path: Path) -> None:
    qrels = tmp_path / "qrels"
    qrels.write_text("1 1 d1 1\n1 2 d1 0\n1 2 d2 2\n")
    table = evaluate(read_qrels(qrels), {"1": {"d1": 2.0, "d2": 1.0}}, ["AP", "CG", "StRecall@1", "StRecall@2"])
    assert table["value"].tolist() == [1.0, 3.0, 0.5, 1.0]
