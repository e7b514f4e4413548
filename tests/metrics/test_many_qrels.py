"""Many sets of judgments at once, against each alone; leave-one-out and by depth, against loops over dicts."""

from collections.abc import Callable, Mapping, Sequence
from math import log2
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Mask
from cranfield.errors import InputError
from cranfield.metrics.evaluate import aggregate_scores, score
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse_measures
from cranfield.metrics.reusability.depths import by_depth
from cranfield.metrics.reusability.judgment_subsets import (
    Worlds,
    has_fast_scorer,
    last_rank,
    score_subsets,
    score_with_contributions,
)
from cranfield.metrics.reusability.leave_one_out import leave_one_out, pool_entries
from tests.conftest import usually
from tests.metrics.measures.test_laws import EVERY, Grades, Lists, meeting, some_qrels, some_runs, with_scores
from tests.real import covid, covid_teams, robust

Ranked = list[int | None]  # the grade at each rank, None if unjudged
Pair = tuple[str, str]  # qid, docno


@given(runs=some_runs, qrels=some_qrels, seed=st.integers(0, 99))
@settings(max_examples=usually(2, 8))
def test_a_world_is_scored_as_if_it_were_alone(runs: Lists, qrels: Grades, seed: int) -> None:
    """Every measure, of all rankings and of the condensed ones: the others might never have been judged."""
    judged = meeting(runs, qrels)
    worlds = np.random.default_rng(seed).random((usually(2, 4), len(judged.qrels_grade))) < 0.7
    measures = [each for measure in EVERY for each in (measure, measure.set(judged_only=True))]
    results = score_subsets(judged, measures, Worlds(worlds)).scores_of_subsets(np.arange(len(worlds)))
    for scores, mask in zip(results, worlds, strict=True):
        for at, measure in enumerate(measures):
            alone = measure.scores(judged.select_judgments(mask)).reshape(judged.shape)
            assert scores[..., at] == pytest.approx(alone, abs=1e-12, nan_ok=True), measure


@given(runs=some_runs, qrels=some_qrels, seed=st.integers(0, 99))
@settings(max_examples=usually(2, 8))
def test_a_run_with_its_own_judgments_is_scored_as_if_it_were_alone(runs: Lists, qrels: Grades, seed: int) -> None:
    """Every measure that needs relevant documents only, and no subtopics, to the last bit."""
    judged, random = meeting(runs, qrels), np.random.default_rng(seed)
    subsets, own = (random.random((size, len(judged.qrels_grade))) < 0.4 for size in (3, len(judged.tags)))
    subset, run = np.divmod(np.arange(3 * len(judged.tags)), len(judged.tags))
    masks = [subsets[subset], subsets[subset] | own[run]]
    for measure in (each for each in EVERY if not each.sees_nonrelevant and not each.needs_subtopics):
        found = score_with_contributions(judged, measure, subsets=subsets, contributed=own.T, subset=subset, run=run)
        for scores, mask in zip(found, masks, strict=True):
            alone = [
                score(judged.select_judgments(keep), [measure])[tag, :, 0] for keep, tag in zip(mask, run, strict=True)
            ]
            assert np.array_equal(scores, alone, True), measure


FAST = [
    each for each in [*EVERY, *parse_measures(["AP(rel=2)", "AP(rel=2)@3"])] if has_fast_scorer(each) or last_rank(each)
]
SOME_FAST = parse_measures(["AP", "AP(rel=2)", "AP@100", "P@10", "nDCG@10", "ERR@20"])


def unlike(judged: Judged, worlds: Mask, measures: Sequence[Measure]) -> list[Measure]:
    """The measures with a fast way that gives, in one of these worlds, other bits than the measure itself."""
    scores = score_subsets(judged, measures, Worlds(worlds)).scores_of_subsets(np.arange(len(worlds)))
    alone = np.stack([score(judged.select_judgments(mask), measures) for mask in worlds])
    return [each for at, each in enumerate(measures) if not np.array_equal(scores[..., at], alone[..., at], True)]


@given(runs=some_runs, qrels=some_qrels, seed=st.integers(0, 99))
@settings(max_examples=usually(6, 50))
def test_fast_ways_are_exact(runs: Lists, qrels: Grades, seed: int) -> None:
    """Measures down to a rank, and those with a function of their own; one world without judgments."""
    judged = meeting(runs, qrels)
    worlds = np.random.default_rng(seed).random((5, len(judged.qrels_grade))) < [[1], [0.9], [0.5], [0.1], [0]]
    assert unlike(judged, worlds, FAST) == []


def test_equal_worlds_score_exactly_alike() -> None:
    """To a measure that does not look at what was judged not relevant, worlds that differ in that are equal."""
    judged = meeting({"x": {"1": ["a0", "a1", "a2"]}}, {"1": {"a0": 1, "a1": 0, "a2": 1}})
    worlds = np.array([[True, True, True], [True, False, True]])
    scores = score_subsets(judged, parse_measures(["AP", "Bpref"]), Worlds(worlds))
    assert [len(part.scores) for part in scores.parts] == [1, 2]
    assert np.array_equal(*scores.scores_of_subsets(np.arange(2))[..., 0])


def test_progress_is_told_topic_by_topic() -> None:
    judged = meeting({"x": {"1": ["a0"]}}, {"1": {"a0": 1}, "2": {"a0": 1}})
    steps: list[int] = []
    by_depth(judged, {"x": ["x"]}, [1, 2, 3], measures="AP", progress=steps.append)
    assert steps == [1, 1]


# Oracles: a score from the grades of a ranking and all grades of its topic


def average_precision(ranked: Ranked, graded: list[int]) -> float:
    ranks = [rank for rank, grade in enumerate(ranked, 1) if grade]
    return sum(nth / rank for nth, rank in enumerate(ranks, 1)) / max(1, sum(map(bool, graded)))


def discounted_gain(ranked: Ranked, graded: list[int]) -> float:
    return sum((grade or 0) / log2(rank + 1) for rank, grade in enumerate(ranked[:10], 1))


def normalised_gain(ranked: Ranked, graded: list[int]) -> float:
    return discounted_gain(ranked, graded) / (discounted_gain([*sorted(graded, reverse=True)], graded) or 1)


def binary_preference(ranked: Ranked, graded: list[int]) -> float:
    relevant = sum(map(bool, graded))
    least, above, total = min(relevant, len(graded) - relevant), 0, 0.0
    for grade in ranked:
        total += 1 - (min(above, relevant) / least if least else 0) if grade else 0
        above += grade == 0
    return total / max(1, relevant)


def condense(measure: Callable[[Ranked, list[int]], float]) -> Callable[[Ranked, list[int]], float]:
    return lambda ranked, graded: measure([grade for grade in ranked if grade is not None], graded)


ORACLES: dict[str, Callable[[Ranked, list[int]], float]] = {
    "AP": average_precision,
    "P@5": lambda ranked, graded: sum(map(bool, ranked[:5])) / 5,
    "R@10": lambda ranked, graded: sum(map(bool, ranked[:10])) / max(1, sum(map(bool, graded))),
    "DCG@10": discounted_gain,
    "RBP": lambda ranked, graded: sum(0.2 * 0.8**i for i, grade in enumerate(ranked) if grade),
    "nDCG@10": normalised_gain,
    "Bpref": binary_preference,
    "AP(judged_only=True)": condense(average_precision),
    "P(judged_only=True)@5": condense(lambda ranked, graded: sum(map(bool, ranked[:5])) / 5),
    "nDCG(judged_only=True)@10": condense(normalised_gain),
}
UNITS = {
    "run": {f"s{run}": [f"s{run}"] for run in range(7)},
    "team": {"A": ["s0", "s1", "s2"], "B": ["s3", "s4"], "C": ["s5", "s6"]},
}


class Collection:
    """A random collection: eight runs, the last one not pooled; a pool of depth 10 is judged, and a few others are."""

    def __init__(self, seed: int) -> None:
        random = np.random.default_rng(seed)
        names = np.array([f"d{number:02}" for number in range(40)])
        self.runs: Lists = {}
        self.qrels: Grades = {}
        for qid in ("q1", "q2", "q3", "q4"):
            grade = random.integers(0, 4, 40) * (random.random(40) < 0.4)
            for run in range(8):
                order = np.argsort(-grade - 4 * random.random(40))[: random.integers(15, 30)]
                self.runs.setdefault(f"s{run}", {})[qid] = names[order].tolist()
            pool = {docno for run in range(7) for docno in self.runs[f"s{run}"][qid][:10]} | {*names[:2].tolist()}
            self.qrels[qid] = {docno: int(grade[int(docno[1:])]) for docno in sorted(pool)}
        pairs = [(qid, docno) for qid, grades in self.qrels.items() for docno in grades]
        self.protected: set[Pair] = {pair for pair in pairs if random.random() < 0.2}
        self.judged = join_runs_and_qrels(as_runs(with_scores(self.runs)), as_qrels(self.qrels))
        self.mask = np.array([pair in self.protected for pair in pairs])

    def pooled_by(self, tags: Sequence[str], depth: int) -> set[Pair]:
        return {(qid, docno) for tag in tags for qid, docnos in self.runs[tag].items() for docno in docnos[:depth]}

    def unique(self, units: Mapping[str, Sequence[str]], unit: str, depth: int) -> set[Pair]:
        others = [tag for name, tags in units.items() if name != unit for tag in tags]
        return self.pooled_by(units[unit], depth) - self.pooled_by(others, depth) - self.protected

    def means(self, measure: str, keep: Callable[[Pair], bool]) -> dict[str, float]:
        """By run, with the judgments that are kept."""
        rest = {qid: {d: g for d, g in grades.items() if keep((qid, d))} for qid, grades in self.qrels.items()}
        return {
            tag: np.mean([
                ORACLES[measure]([rest[qid].get(docno) for docno in docnos], [*rest[qid].values()])
                for qid, docnos in run.items()
            ]).item()
            for tag, run in self.runs.items()
        }  # fmt: skip


@pytest.fixture(params=range(usually(1, 3)), scope="module")
def collection(request: pytest.FixtureRequest) -> Collection:
    return Collection(request.param)


@pytest.mark.parametrize("by", UNITS)
@pytest.mark.parametrize("depth", [1, 4, 10])
def test_leave_one_out_is_the_loop_over_dicts(collection: Collection, by: str, depth: int) -> None:
    """Additive measures, those like AP, those like Bpref and of the condensed ranking."""
    units = UNITS[by]
    left_out = leave_one_out(collection.judged, units, depth, measures=list(ORACLES), protected=collection.mask, by=by)
    for measure in ORACLES:
        full = collection.means(measure, lambda pair: True)
        for unit in left_out.units:
            unique = collection.unique(units, unit.unit, depth)
            without = collection.means(measure, lambda pair, gone=unique: pair not in gone)  # type: ignore[misc]
            assert unit.unique == sum(docno in collection.qrels[qid] for qid, docno in unique)
            for change in (change for change in unit.changes if change.measure == measure):
                reference = [full[change.run], without[change.run]]
                assert [change.full, change.reduced] == pytest.approx(reference, abs=1e-12)
                assert (change.full_rank, change.reduced_rank) == (place(full, change.run), place(without, change.run))
            assert unit.tau[measure] == pytest.approx(tau(full, without), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("by", UNITS)
def test_the_dial_is_the_loop_over_dicts(collection: Collection, by: str) -> None:
    """At each depth: the judgments of that pool and the protected ones, and leave-one-out within them."""
    units, pooled = UNITS[by], [tag for tags in UNITS[by].values() for tag in tags]
    depths = usually((1, 2, 4, 7, 10), tuple(range(1, 11)))
    full = {measure: collection.means(measure, lambda pair: True) for measure in ORACLES}
    table = by_depth(collection.judged, units, depths, measures=list(ORACLES), protected=collection.mask)
    for row in table.to_dict("records"):
        pool = collection.pooled_by(pooled, row["depth"]) | collection.protected
        grades = [grade for q, graded in collection.qrels.items() for d, grade in graded.items() if (q, d) in pool]
        assert (row["judged"], row["relevant"]) == (len(grades), sum(map(bool, grades)))
        here = collection.means(row["measure"], pool.__contains__)
        changes, drops = [], [0]
        for unit, tags in units.items():
            rest = pool - collection.unique(units, unit, row["depth"])
            without = collection.means(row["measure"], rest.__contains__)
            changes += [100 * abs(without[tag] - here[tag]) / here[tag] for tag in tags if here[tag]]
            drops += [place(without, tag) - place(here, tag) for tag in tags]
        assert row["tau"] == pytest.approx(tau(full[row["measure"]], here), abs=1e-12, nan_ok=True)
        reference = [np.mean(changes), max(changes), max(drops)]
        assert [row[f"{x}_change_percent"] for x in ("mean", "max")] == pytest.approx(reference[:2], rel=1e-9)
        assert row["max_rank_drop"] == reference[2]


def place(scores: Mapping[str, float], tag: str) -> int:
    """The rank of a run; what differs by rounding is tied."""
    return 1 + sum(score > scores[tag] + 1e-11 for score in scores.values())


def tau(x: Mapping[str, float], y: Mapping[str, float]) -> float:
    return float(kendalltau(*(np.round([*scores.values()], 11) for scores in (x, y))).statistic)


def test_what_a_run_alone_brought_its_team_alone_brought(collection: Collection) -> None:
    """At every depth, and never what is protected."""
    by_run, by_team = (pool_entries(collection.judged, UNITS[by], 10, collection.mask) for by in UNITS)
    team_of = np.array([0, 0, 0, 1, 1, 2, 2])
    for depth in range(1, 11):
        run, team = by_run.unique(depth), by_team.unique(depth)
        assert np.array_equal(team_of[run[run >= 0]], team[run >= 0])
        assert np.sum(run >= 0) < np.sum(team >= 0)
        assert not np.any(collection.mask & (team >= 0))


def test_a_topic_without_relevant_documents_has_depths_too() -> None:
    """AP looks at none of its judgments."""
    runs = {"a": {"1": {"d": 2.0, "e": 1.0}}, "b": {"1": {"e": 2.0, "d": 1.0}}}
    judged = join_runs_and_qrels(as_runs(runs), as_qrels({"1": {"d": 1, "e": 0}, "2": {"f": 0}}))
    table = by_depth(judged, {"a": ["a"], "b": ["b"]}, [1, 2], measures="AP")
    assert table[["judged", "relevant"]].to_numpy().tolist() == [[2, 1], [2, 1]]


def test_a_dial_from_depth_0_is_refused(collection: Collection) -> None:
    with pytest.raises(InputError, match="a depth is 0; expected at least 1"):
        by_depth(collection.judged, UNITS["run"], [0, 1])


# Real collections: one world at a time


MEASURES = parse_measures([*ORACLES, "RR", "ERR@20", "Rprec", "Judged@10", "P(rel=2)@10"])


class Real(NamedTuple):
    """A real collection: its units, the depth of its pool, and which judgments came by another way."""

    judged: Judged
    units: Mapping[str, Sequence[str]]
    depth: int
    protected: Mask


@pytest.fixture(
    params=usually(["Robust 2003 by run"], ["Robust 2003 by run", "TREC-COVID round 1 by team"]), scope="module"
)
def real(request: pytest.FixtureRequest, shared: Path) -> Real:
    if request.param == "Robust 2003 by run":
        judged = robust(shared).judged
        return Real(judged, {tag: [tag] for tag in judged.tags}, 125, np.zeros(len(judged.qrels_grade), bool))
    source = covid(shared)
    judged = source.judged
    return Real(judged, covid_teams(shared), 7, source.qrels.sources[judged.qrels_row] == "0.5")


def test_fast_ways_are_exact_on_a_real_collection(real: Real) -> None:
    judged, units, depth, protected = real
    unique = pool_entries(judged, units, depth, protected).unique(depth)
    worlds = unique != np.arange(0, len(units), usually(16, 1))[:, None]
    assert unlike(judged, worlds, SOME_FAST) == []


@pytest.mark.daily
def test_leave_one_out_of_a_real_collection(real: Real) -> None:
    """Some of the units, each alone."""
    judged, units, depth, protected = real
    left_out = leave_one_out(judged, units, depth, measures=MEASURES, protected=protected)
    unique = pool_entries(judged, units, depth, protected).unique(depth)
    for number in range(0, len(units), usually(29, 9)):
        world = judged.select_judgments(unique != number)
        alone = aggregate_scores(score(world, MEASURES), MEASURES)
        changes = left_out.units[number].changes
        reference = [alone[judged.tags.index(x.run), list(map(str, MEASURES)).index(x.measure)] for x in changes]
        assert [change.reduced for change in changes] == pytest.approx(reference, abs=1e-12)


@pytest.mark.daily
def test_the_dial_of_a_real_collection(real: Real) -> None:
    """A depth, or each of several, is leave-one-out in the collection that has no more than its pool."""
    judged, units, depth, protected = real
    measures = parse_measures(["AP", "nDCG@10", "Bpref", "AP(judged_only=True)"])
    table = by_depth(
        judged, units, usually([depth // 2], [1, depth // 2, depth]), measures=measures, protected=protected
    )
    came_in = pool_entries(judged, units, depth, protected)
    for at, part in table.groupby("depth"):
        mask = came_in.pooled(int(str(at))) | protected
        left_out = leave_one_out(
            judged.select_judgments(mask), units, int(str(at)), measures=measures, protected=protected[mask]
        )
        assert part["judged"].tolist() == [mask.sum()] * len(measures)
        names = ["mean_change_percent", "max_change_percent", "max_rank_drop"]
        reference = [[getattr(summary, name) for name in names] for summary in left_out.summary.values()]
        assert part[names].to_numpy() == pytest.approx(np.array(reference), abs=1e-9)


def test_the_former_name_of_by_depth_answers() -> None:
    """With a warning that says what it is called."""
    from cranfield.metrics.reusability import depths

    with pytest.warns(DeprecationWarning, match="depths.dial is now called by_depth"):
        assert depths.dial is by_depth
    with pytest.raises(AttributeError, match="nothing"):
        depths.nothing  # noqa: B018
