"""trec_eval 10.0 with -m all_trec, written plainly: dicts, lists and loops over documents, from its description alone.

It shares no code with the project. rbp and rbp_resid are those of Moffat and Zobel; everything else is trec_eval's.
"""

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

UNPOOLED, UNJUDGED = -1, -2
CUTOFFS = [5, 10, 15, 20, 30, 100, 200, 500, 1000]
SUMMED = ["num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret"]
PATCHED = ["num_ret", "utility", "unj_5", "unj_10", "unj_20", "rbp_resid"]
Value = float | int | str


@dataclass
class Flags:
    """The options: -c, -l, -M, -J, -N."""

    complete: bool = False
    level: int = 1
    most: int | None = None
    judged_only: bool = False
    size: int = 0


def read_qrels(lines: Iterable[str]) -> dict[str, dict[str, int]]:
    qrels: dict[str, dict[str, int]] = {}
    for line in lines:
        if line.strip() and not line.startswith("#"):
            qid, _, docno, grade = line.split()
            qrels.setdefault(qid, {})[docno] = int(grade)
    return qrels


def read_run(lines: Iterable[str]) -> tuple[dict[str, list[tuple[float, str]]], str]:
    """The scored documents of each topic, and the tag of the last line."""
    run: dict[str, list[tuple[float, str]]] = {}
    tag = ""
    for line in lines:
        if line.strip() and not line.startswith("#"):
            qid, _, docno, _, score, tag = line.split()[:6]
            run.setdefault(qid, []).append((float(score), docno))
    return run, tag


def all_trec(qrels: dict[str, dict[str, int]], run_lines: Iterable[str], flags: Flags) -> list[str]:
    """What `trec_eval -q -m all_trec` prints, with these flags; topics missing from the run as in version 9.

    Text sorts as its UTF-8 bytes do.
    """
    run, tag = read_run(run_lines)
    out: list[str] = []
    topics: list[dict[str, Value]] = []
    for qid in sorted(qrels):
        if qid in run or flags.complete:
            rows = sorted(run.get(qid, []), reverse=True)
            levels = [level_of(qrels[qid].get(docno)) for _, docno in rows] if qid in run else [UNPOOLED]
            values = topic_values(levels, list(qrels[qid].values()), flags)
            if qid not in run:
                values.update(dict.fromkeys(PATCHED, 0.0))
                values.update(num_ret=0, relstring="''")
            topics.append(values)
            out += [line_of(name, qid, value) for name, value in values.items() if not name.startswith("gm_")]
    return out + summary(topics, qrels, tag, flags)


def level_of(grade: int | None) -> int:
    return UNPOOLED if grade is None else UNJUDGED if grade < 0 else grade


def summary(topics: list[dict[str, Value]], qrels: dict[str, dict[str, int]], tag: str, flags: Flags) -> list[str]:
    out = [line_of("runid", "all", tag), line_of("num_q", "all", len(topics))]
    for name in topics[0]:
        if name == "relstring":
            continue
        total: float = 0
        for values in topics:
            value = values[name]
            assert not isinstance(value, str)
            total += math.log(max(value, 0.00001)) if name.startswith("gm_") else value
        if name == "num_rel" and flags.complete:
            total = sum(grade > 0 for grades in qrels.values() for grade in grades.values())
        if name not in SUMMED:
            total = total / len(topics)
        out.append(line_of(name, "all", math.exp(total) if name.startswith("gm_") else total))
    return out


def line_of(name: str, qid: str, value: Value) -> str:
    if isinstance(value, float):
        value = "  -nan" if math.isnan(value) else f"{value:6.4f}"
    return name.ljust(22) + "\t" + qid + "\t" + str(value)


def over(a: float, b: float) -> float:
    return a / b if b else 0.0


def topic_values(levels: list[int], grades: list[int], flags: Flags) -> dict[str, Value]:
    """Every measure of one topic, in trec_eval's order; `levels` are those of the ranked documents."""
    levels = levels[: flags.most]
    if flags.judged_only:
        levels = [level for level in levels if level >= 0]
    n, lowest = len(levels), flags.level
    num_rel = sum(grade >= lowest for grade in grades)
    num_nonrel = sum(0 <= grade < lowest for grade in grades)
    best = sorted((grade for grade in grades if grade > 0), reverse=True)
    so_far = [0]  # relevant documents up to each rank
    for level in levels:
        so_far.append(so_far[-1] + (level >= lowest))
    hits = so_far[n]
    unjudged = [rank for rank, level in enumerate(levels, 1) if level < 0]

    def hits_at(k: int) -> int:
        return so_far[min(k, n)]

    def average_precision(k: int) -> float:
        total = 0.0
        for rank in relevant:
            if rank <= k:
                total += so_far[rank] / rank
        return over(total, num_rel)

    relevant = [rank for rank in range(1, n + 1) if levels[rank - 1] >= lowest]
    at = interpolation(so_far, n)
    p = over(hits, n)
    r = over(hits, num_rel)
    v: dict[str, Value] = {"num_ret": n, "num_rel": num_rel, "num_rel_ret": hits}
    v["map"] = v["gm_map"] = average_precision(n)
    v["Rprec"] = over(hits_at(num_rel), num_rel)
    v["bpref"] = bpref(levels, lowest, num_rel, num_nonrel)
    v["recip_rank"] = 1 / relevant[0] if relevant else 0.0
    points = []
    for tenth in range(11):
        points.append(at[math.floor(tenth / 10 * num_rel + 0.5)])
        v[f"iprec_at_recall_{tenth / 10:.2f}"] = points[-1]
    for k in CUTOFFS:
        v[f"P_{k}"] = hits_at(k) / k
    v["relstring"] = "'" + "".join(sign(level) for level in levels[:10]) + "'"
    for k in CUTOFFS:
        v[f"recall_{k}"] = over(hits_at(k), num_rel)
    v["infAP"] = inf_ap(levels, lowest, num_rel)
    v["gm_bpref"] = v["bpref"]
    for fifth in range(1, 11):
        target = math.trunc(fifth / 5 * num_rel + 0.9)
        v[f"Rprec_mult_{fifth / 5:.2f}"] = over(hits_at(target), target)
    v["utility"] = float(hits - (n - hits))
    v["11pt_avg"] = sum(points) / 11
    v["binG"] = over(sum(1 / math.log2(2 + rank - so_far[rank]) for rank in relevant), num_rel)
    v.update(of_gains(levels, best, num_rel))
    for k in CUTOFFS:
        v[f"map_cut_{k}"] = average_precision(k)
    for k in CUTOFFS:
        v[f"relative_P_{k}"] = over(hits_at(k), min(k, num_rel))
    for k in (1, 5, 10):
        v[f"success_{k}"] = float(hits_at(k) > 0)
    v["set_P"] = p
    v.update(set_relative_P=over(hits, min(n, num_rel)), set_recall=r, set_map=over(hits * hits, n * num_rel))
    v["set_F"] = over(2 * p * r, p + r)
    v["num_nonrel_judged_ret"] = n - len(unjudged) - hits
    v.update(rank_biased(levels, max([1, *grades])))
    for k in (5, 10, 20):
        v[f"unj_{k}"] = sum(rank <= k for rank in unjudged) / k
    return v


def sign(level: int) -> str:
    return {UNPOOLED: "-", UNJUDGED: "."}.get(level, str(level) if level <= 9 else ">")


def interpolation(so_far: list[int], n: int) -> defaultdict[int, float]:
    """By number of relevant documents: the best precision from the rank on where so many are found."""
    best = defaultdict[int, float](float)
    highest = math.nan if n == 0 else 0.0
    for rank in range(n, 0, -1):
        highest = max(highest, so_far[rank] / rank)
        if so_far[rank] > so_far[rank - 1]:
            best[so_far[rank]] = highest
    best[0] = highest
    return best


def bpref(levels: list[int], lowest: int, num_rel: int, num_nonrel: int) -> float:
    total, above = 0.0, 0
    for level in levels:
        if level >= lowest:
            total += 1 - min(above, num_rel) / min(num_nonrel, num_rel) if above else 1
        elif level >= 0:
            above += 1
    return over(total, num_rel)


def inf_ap(levels: list[int], lowest: int, num_rel: int) -> float:
    total, e = 0.0, 0.00001
    r = m = u = 0  # relevant, judged not relevant, pooled but unjudged, so far
    for i, level in enumerate(levels, 1):
        if level >= lowest:
            pooled = r + m + u
            total += 1 / i
            if i > 1:
                total += (i - 1) / i * (pooled / (i - 1)) * ((r + e) / (r + m + 2 * e))
            r += 1
        elif level >= 0:
            m += 1
        elif level == UNJUDGED:
            u += 1
    return over(total, num_rel)


def rank_biased(levels: list[int], highest: int) -> dict[str, Value]:
    """rbp and rbp_resid, with p = .9, after Moffat and Zobel."""
    total = sum(level / highest * 0.9**i for i, level in enumerate(levels) if level > 0)
    weight = sum(0.9**i for i, level in enumerate(levels) if level >= 0)
    return {"rbp": (1 - 0.9) * total, "rbp_resid": 1 - (1 - 0.9) * weight}


def of_gains(levels: list[int], best: list[int], num_rel: int) -> dict[str, Value]:
    """G, ndcg, ndcg_rel, Rndcg, ndcg_cut; the gain is the level."""
    n, positive = len(levels), len(best)
    dcg, ideal = [0.0], [0.0]
    for rank, level in enumerate(levels, 1):
        dcg.append(dcg[-1] + (level / math.log2(rank + 1) if level > 0 else 0))
    for rank, level in enumerate(best, 1):
        ideal.append(ideal[-1] + level / math.log2(rank + 1))

    def ndcg(rank: int) -> float:
        return over(dcg[min(rank, n)], ideal[min(rank, positive)])

    cost = gain = g = 0.0
    for i, level in enumerate(levels):
        cost += best[i] if i < positive else 1
        if level > 0:
            gain += level
            g += level / math.log2(2 + cost - gain)
    final = over(dcg[n], ideal[positive])
    at_gains = [ndcg(rank) for rank, level in enumerate(levels, 1) if level > 0]
    at_gains += [final] * (positive - len(at_gains))
    ends = [ndcg(rank) for rank in range(1, positive + 1) if rank == positive or best[rank] < best[rank - 1]]
    ends += [final] if n > positive + 1 else []
    values: dict[str, Value] = {"G": over(g, sum(best)), "ndcg": final, "ndcg_rel": over(sum(at_gains), positive)}
    values["Rndcg"] = over(sum(ends), len(ends)) if num_rel else 0.0
    values.update({f"ndcg_cut_{k}": ndcg(k) for k in CUTOFFS})
    return values
