"""False alarms of `compare`, of the marks of the best run and of `model audit`: runs that do not differ."""

from functools import partial

import numpy as np

from benchmarks.designs.design import PValueDesign, Random
from benchmarks.designs.measures import SCORES, USUAL
from cranfield.arrays.rankings import Floats
from cranfield.features.models.usability import run_bias
from cranfield.metrics.significance.best import correct_for_best
from cranfield.metrics.significance.pairs import CORRECTIONS, Pairs, all_pairs, correct_p_values, p_values
from cranfield.metrics.significance.tests import TESTS

SKEWED = "few topics cannot show that differences are far from symmetric; read the differences by topic"
SAMPLES = 999  # resamples, of which the command has more


def equal_runs(random: Random, measure: str, runs: int, topics: int, differ: float = 1.0) -> Floats:
    """Scores (runs, topics) that any run could have had, alike on some topics."""
    ease, other = random.normal(USUAL, 1.5, topics), random.random(topics) < differ
    first = SCORES[measure](ease, random)
    return np.stack([first] + [np.where(other, SCORES[measure](ease, random), first) for _ in range(runs - 1)])


def p_of_pair(scores: Floats, test: str, random: Random) -> float | None:
    pairs = Pairs(scores, np.array([0]), np.array([1]), samples=SAMPLES, seed=int(random.integers(2**31)))
    p = float(p_values(TESTS[test], pairs)[0])
    return None if np.isnan(p) else p


def equal(random: Random, test: str, measure: str, topics: int, differ: float) -> float | None:
    return p_of_pair(equal_runs(random, measure, 2, topics, differ), test, random)


def noisy(random: Random, test: str, topics: int) -> float | None:
    """Two runs of the same mean, of which one differs far more between topics."""
    return p_of_pair(np.stack([random.beta(8, 8, topics), random.beta(0.5, 0.5, topics)]), test, random)


def decided(random: Random, test: str, topics: int) -> float | None:
    """The first run wins by much on a fifth of the topics and loses by little on the others; the means are equal."""
    wins = random.random(topics) < 0.2
    difference = np.where(wins, 0.4, -0.1) + random.normal(0, 0.05, topics)
    return p_of_pair(np.stack([0.5 + difference / 2, 0.5 - difference / 2]), test, random)


def all_runs(random: Random, test: str, correction: str, runs: int, topics: int) -> float | None:
    """The least corrected p of all pairs."""
    scores = equal_runs(random, "AP", runs, topics)
    pairs = Pairs(scores, *all_pairs(runs), samples=SAMPLES, seed=int(random.integers(2**31)))
    return float(correct_p_values(p_values(TESTS[test], pairs), CORRECTIONS[correction]).min())


def with_best(random: Random, runs: int, topics: int) -> float | None:
    """The least corrected p of the comparisons with the best run, chosen by the same scores."""
    scores = equal_runs(random, "AP", runs, topics)
    best = int(scores.mean(axis=1).argmax())
    others = np.delete(np.arange(runs), best)
    pairs = Pairs(scores, others, np.full(runs - 1, best))
    return float(correct_for_best(p_values(TESTS["t"], pairs), runs).min())


def favourites(random: Random, runs: int, topics: int) -> float | None:
    """The least corrected p of any run's own bias, by a judge without a favourite."""
    human = equal_runs(random, "P@10", runs, topics)
    model = np.clip(human + random.normal(0.05, 0.1, topics) + random.normal(0, 0.1, human.shape).round(1), 0, 1)
    p = np.array([run.p for run in run_bias(model, human)])
    return None if np.isnan(p).all() else float(np.nanmin(p))


def pair_row(test: str, measure: str, topics: int, differ: float = 1.0) -> PValueDesign:
    design = f"{TESTS[test].title}, {measure}, {topics} topics" + f", alike on {1 - differ:.0%}" * (differ < 1)
    part = partial(equal, test=test, measure=measure, topics=topics, differ=differ)
    return PValueDesign("compare", design, part, draws_of(test))


def other_row(test: str, topics: int, what: str) -> PValueDesign:
    draw = {"one run varies more": noisy, "a few topics decide": decided}[what]
    part = partial(draw, test=test, topics=topics)
    return PValueDesign(
        "compare",
        f"{TESTS[test].title}, {topics} topics, {what}",
        part,
        draws_of(test),
        SKEWED if what == "a few topics decide" else "",
    )


def draws_of(test: str) -> int:
    return {"t": 2000, "wilcoxon": 500, "sign": 1000}.get(test, 500)


def all_row(test: str, correction: str, runs: int, topics: int) -> PValueDesign:
    after = "" if TESTS[test].whole else f", {CORRECTIONS[correction].title}"
    part = partial(
        all_runs, test=test, correction="none" if TESTS[test].whole else correction, runs=runs, topics=topics
    )
    return PValueDesign(
        "compare",
        f"{TESTS[test].title}{after}, the least of all pairs of {runs} runs, {topics} topics",
        part,
        900 if TESTS[test].whole else 1000,
    )


FEWEST = {"t": 3, "bootstrap": 3}  # topics; with fewer than 10 the others have hardly a p of .05
PAIRED = [test for test in TESTS if not TESTS[test].whole]  # of two runs Tukey's is the permutation test

P_VALUES = [
    *(pair_row(test, measure, topics) for test in PAIRED for measure in ("AP", "P@10", "RR") for topics in (3, 10, 50)
      if topics >= FEWEST.get(test, 10)),
    *(pair_row(test, "P@10", 50, 0.1) for test in PAIRED if test != "bootstrap"),
    *(other_row(test, topics, what) for test in ("t", "permutation", "bootstrap") for topics in (10, 50)
      for what in ("one run varies more", "a few topics decide") if (what, topics) != ("a few topics decide", 10)),
    *(all_row("t", correction, 5, topics) for correction in ("holm", "bonferroni", "bh") for topics in (10,)),
    *(all_row("tukey", "none", 5, topics) for topics in (10,)),
    *(PValueDesign("report", f"paired t test with the best of {runs} runs, the least after correction, {topics} topics",
                   partial(with_best, runs=runs, topics=topics), 1000)
      for runs, topics in ((3, 10), (10, 10), (10, 50), (30, 50))),
    *(PValueDesign("model audit report", f"own bias of a run, the least of {runs} after Holm, {topics} topics",
                   partial(favourites, runs=runs, topics=topics), 500)
      for runs, topics in ((8, 5), (2, 10), (8, 10), (8, 50))),
]  # fmt: skip
