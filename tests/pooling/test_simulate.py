"""Simulation: the same as the obvious loop, whoever does the work, and bounded by what is known."""

import json
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from cranfield.errors import InputError
from cranfield.metrics.correlation.coefficients import kendall_tau
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.pooling.candidates import candidates_by_topic, drop_topic_runs
from cranfield.pooling.method import CorpusState
from cranfield.pooling.methods import METHODS
from cranfield.pooling.replay import BatchListener
from cranfield.pooling.simulate import Simulation, parse_trial, rows, simulate, simulation_headline
from cranfield.store.pools import PooledDocument
from tests.conftest import ROOT
from tests.real import covid, covid_pooled, robust

RunsAsDict = dict[str, dict[str, dict[str, float]]]
DEPTH, BUDGETS = 10, [3, 8, 15]
TEAMS = {"x": ["r0", "r1"], "y": ["r2"], "z": ["r3"]}  # r4 is scored, not pooled
METHODS_TRIED = ["take", "rrf", "maxmean", "mtf", "hedge", "uniform", "statap", "active", "rbp-b"]
EVERY = pytest.mark.parametrize("method", METHODS_TRIED)


@cache
def runs() -> RunsAsDict:
    random = np.random.default_rng(3)
    merit = random.normal(size=(3, 30))

    def ranking(topic: int) -> dict[str, float]:
        scores = merit[topic] + random.normal(size=30)
        return {f"d{document:02}": float(scores[document]) for document in random.permutation(30)[:20]}

    return {
        f"r{run}": {f"q{topic}": ranking(topic) for topic in range(3) if (run, topic) != (2, 1)} for run in range(5)
    }


@cache
def qrels() -> dict[str, dict[str, int]]:
    """Two thirds are judged; a fourth topic that no run answered."""
    random = np.random.default_rng(4)
    judged = {f"q{t}": {f"d{d:02}": int(random.integers(0, 3) > 1) for d in range(30) if d % 3} for t in range(3)}
    return {**judged, "q9": {"d01": 1}}


def simulation_of(method: str, **options: Any) -> Simulation:
    settings: dict[str, Any] = {"by": "team", "seed": 7} | options
    return simulate(as_runs(runs()), as_qrels(qrels()), TEAMS, DEPTH, methods=[method], budgets=BUDGETS, **settings)


def pools(method: str, tags: list[str], budget: int) -> dict[str, list[str]]:
    """What a method judges, topic by topic, one document after another: the obvious loop."""
    docnos: dict[str, list[str]] = {}
    for topic in candidates_by_topic(as_runs({tag: runs()[tag] for tag in tags}), DEPTH):
        state, choice = METHODS[method].start(topic, {}, 7), list[str]()
        step = 1 if METHODS[method].adaptive else budget
        while len(choice) < budget and len(documents := state.next(min(step, budget - len(choice)))):
            names = {int(document): topic.docnos[document] for document in documents}
            state.observe({document: qrels()[topic.qid].get(name, 0) > 0 for document, name in names.items()})
            choice += names.values()
        docnos[topic.qid] = choice
    return docnos


def scores_of(pool: dict[str, list[str]]) -> dict[str, float]:
    """AP of every run by what is in the pool."""
    rest = {q: {d: g for d, g in judged.items() if d in pool.get(q, ())} for q, judged in qrels().items()}
    with_all = {q: judged or {"nothing": 0} for q, judged in rest.items()}
    return dict(evaluate(with_all, runs(), "AP")[["run", "value"]].itertuples(index=False))


@EVERY
def test_a_simulation_is_the_obvious_loop(method: str) -> None:
    """What is found, tau, and what each team's runs lose, at every budget, by plain Python."""
    pooled = [tag for tags in TEAMS.values() for tag in tags]
    truth = scores_of({q: list(judged) for q, judged in qrels().items()})
    for point in simulation_of(method).replays[0].points:
        pool = pools(method, pooled, point.budget)
        assert {t.query_id: t.documents for t in point.topics} == {q: len(pool.get(q, ())) for q in qrels()}
        relevant = {q: sum(qrels()[q].get(d, 0) > 0 for d in pool.get(q, ())) for q in qrels()}
        assert {t.query_id: t.relevant for t in point.topics} == relevant
        assert point.unjudged == sum(d not in qrels()[q] for q in pool for d in pool[q])
        full = scores_of(pool)
        assert point.tau == pytest.approx(kendall_tau(list(truth.values()), [full[tag] for tag in truth]), nan_ok=True)
        for left_out in point.units:
            rest = [tag for tag in pooled if tag not in TEAMS[left_out.unit]]
            without = scores_of(pools(method, rest, point.budget))
            assert [change.run for change in left_out.changes] == TEAMS[left_out.unit]
            for change in left_out.changes:
                assert (change.full, change.reduced) == pytest.approx((full[change.run], without[change.run]))
                assert change.full_rank == 1 + sum(score > full[change.run] for score in full.values())
                assert change.reduced_rank == 1 + sum(score > without[change.run] for score in without.values())


@EVERY
def test_more_budget_finds_no_less(method: str) -> None:
    """More documents, no fewer relevant ones, none beyond the budget; a sample drawn for its size is another sample."""
    points = simulation_of(method).replays[0].points
    assert [point.budget for point in points] == BUDGETS
    assert all(topic.documents <= point.budget for point in points for topic in point.topics)
    if not METHODS[method].fixed:
        for less, more in pairwise(points):
            for one, other in zip(less.topics, more.topics, strict=True):
                assert one.documents <= other.documents
                assert one.relevant <= other.relevant


@pytest.mark.full
def test_the_number_of_workers_changes_nothing() -> None:
    """Two processes say what one says, to the last bit."""
    both = [
        simulate(
            as_runs(runs()),
            as_qrels(qrels()),
            TEAMS,
            DEPTH,
            methods=["rrf", "thompson"],
            budgets=BUDGETS,
            workers=workers,
        )
        for workers in (1, 2)
    ]
    assert repr(both[0]) == repr(both[1])


def test_progress_is_told_task_by_task() -> None:
    """A method with everybody, and without each of three teams: four tasks."""
    steps: list[int] = []
    simulation_of("rrf", progress=steps.append)
    assert steps == [1, 1, 1, 1]


def test_a_team_without_influence_changes_nothing() -> None:
    """A run whose twin is in another team brings nothing of its own: by depth, its score stays to the last bit."""
    twins = {**runs(), "twin": runs()["r3"]}
    teams = {**TEAMS, "w": ["twin"]}
    simulation = simulate(
        as_runs(twins), as_qrels(qrels()), teams, DEPTH, methods=["take"], budgets=[5, 500], by="team"
    )
    for point in simulation.replays[0].points:
        for unit in point.units:
            if unit.unit in ("z", "w"):
                assert [(change.change_percent, change.rank_drop) for change in unit.changes] == [(0.0, 0)]


def test_with_all_documents_the_bias_is_that_of_leaving_out_uniques() -> None:
    """A budget beyond the pool makes every method the whole depth-k pool."""
    every = [simulation_of(method).replays[0].points for method in ("take", "rrf", "maxmean")]
    at_most = [
        simulate(as_runs(runs()), as_qrels(qrels()), TEAMS, DEPTH, methods=[method], budgets=[999]).replays[0].points[0]
        for method in ("take", "rrf", "maxmean")
    ]
    assert at_most[0] == at_most[1] == at_most[2]
    assert every[0] != every[1]


def test_one_unit_alone_has_no_bias() -> None:
    """There is nobody to pool without it; that is undefined, not 0."""
    simulation = simulate(
        as_runs(runs()), as_qrels(qrels()), {"all": ["r0", "r1"]}, DEPTH, methods=["rrf"], budgets=[5]
    )
    (row,) = rows(simulation)
    assert np.isnan(row["mean change %"])
    assert row["max rank drop"] is None
    assert "left-out" not in simulation_headline(simulation)


@pytest.mark.parametrize(("methods", "budget"), [(["rrf"], 5), (["rrf", "take"], 3), (["rrf", "take"], 1000)])
def test_one_method_alone_is_not_the_best(methods: list[str], budget: int) -> None:
    """Nothing was compared with it; nor is one of several that do alike, as where the budget is enough for all."""
    units = {"one": ["r0"], "two": ["r1"]}
    text = simulation_headline(
        simulate(as_runs(runs()), as_qrels(qrels()), units, DEPTH, methods=methods, budgets=[budget])
    )
    assert ("finds the most" in text, "changes least" in text) == (budget == 3,) * 2
    assert ("rrf and take find " in text) == (budget > 5)
    assert "A left-out" in text


@EVERY
def test_leaving_runs_out_of_a_topic_is_pooling_the_others(method: str) -> None:
    """`without` gives what `candidates_by_topic` gives of the runs that stay."""
    everybody = as_runs({tag: runs()[tag] for tag in ("r3", "r0", "r1", "r2")})
    others = {topic.qid: topic for topic in candidates_by_topic(everybody.select(["r3", "r0", "r2"]), DEPTH)}
    for topic in candidates_by_topic(everybody, DEPTH):
        rest, number = drop_topic_runs(topic, np.array([tag == "r1" for tag in topic.tags]))
        other = others[topic.qid]
        assert (rest.tags, rest.teams, rest.docnos.tolist()) == (other.tags, other.teams, other.docnos.tolist())
        assert topic.docnos[number].tolist() == rest.docnos.tolist()
        assert (rest.rank == other.rank).all()
        assert (rest.priority == other.priority).all()
        states = [METHODS[method].start(some, {}, 1) for some in (rest, other)]
        assert states[0].next(5).tolist() == states[1].next(5).tolist()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"methods": ["rff"]}, "unknown method 'rff'"),
        ({"methods": ["rrf:k=1"]}, "rrf has no option 'k'"),
        ({"methods": ["rrf", "rrf"]}, "rrf is given twice"),
        ({"methods": []}, "no method given"),
        ({"budgets": [0]}, "budgets are 0; expected numbers of at least 1"),
        ({"units": {}}, "no run contributed"),
        ({"depth": 0}, "expected numbers of at least 1"),
    ],
)
def test_what_cannot_be_simulated_is_refused(options: dict[str, Any], words: str) -> None:
    """In one line, before anything is done."""
    with pytest.raises(InputError, match=words):
        simulate(as_runs(runs()), as_qrels(qrels()), **(dict[str, Any](units=TEAMS, depth=10) | options))


def test_options_are_read_from_words() -> None:
    """As the command line has them."""
    assert parse_trial("maxmean:credit=arm, rate=0.5") == ("maxmean", {"credit": "arm", "rate": "0.5"})
    assert parse_trial("rrf").label == "rrf"


@pytest.mark.needs_extra("plot")
@pytest.mark.full
def test_the_picture_is_the_same_each_time() -> None:
    """To the byte, and as many lines as methods."""
    from cranfield.charts.pools import simulation_plot
    from cranfield.charts.style import figure_bytes

    simulation = simulate(
        as_runs(runs()), as_qrels(qrels()), TEAMS, DEPTH, methods=["rrf", "take"], budgets=BUDGETS, by="team"
    )
    assert figure_bytes(simulation_plot(simulation), ".svg") == figure_bytes(simulation_plot(simulation), ".svg")
    assert len(simulation_plot(simulation).axes[0].lines) == 2


def test_the_json_is_documented() -> None:
    """docs/reference/json.md lists every field."""
    docs = (ROOT / "docs" / "reference" / "json.md").read_text().split("## pool simulate")[1].split("\n## ")[0]
    document = json.loads(json.dumps(simulation_of("rrf").to_json(), default=float))

    def names(value: Any) -> set[str]:
        if isinstance(value, dict):
            return set(value) | {name for key, inner in value.items() if key != "options" for name in names(inner)}
        return {name for inner in value for name in names(inner)} if isinstance(value, list) else set()

    assert {name for name in names(document) if f'"{name}"' not in docs} == set()


def test_the_whole_pool_of_trec_covid(shared: Path) -> None:
    """Round 1: the top 7 of 56 runs, taken whole, are 6,959 documents, of which 6,953 are judged."""
    runs = covid_pooled(shared)
    simulation = simulate(runs, covid(shared).qrels, {"all": runs.tags}, 7, methods=["take"], budgets=[10_000])
    point = simulation.replays[0].points[0]
    assert (simulation.topics, simulation.pooled, simulation.relevant) == (30, 56, 1115 + 1237)
    assert (point.documents, point.unjudged) == (6_959, 6)
    assert point.relevant == simulation.reachable


def test_who_listens_finds_more_on_trec_covid(shared: Path) -> None:
    """At 50 documents a topic: MaxMean and Hedge above RRF, RRF above take-N, take-N above chance."""
    methods = ("uniform", "take", "rrf", "hedge", "maxmean")
    runs = covid_pooled(shared)
    simulation = simulate(runs, covid(shared).qrels, {"all": runs.tags}, 7, methods=methods, budgets=[50, 100])
    chance, take, rrf, hedge, maxmean = (replay.points[0].relevant for replay in simulation.replays)
    assert chance < take < rrf < min(hedge, maxmean)
    assert all(replay.points[1].tau > replay.points[0].tau for replay in simulation.replays)


@pytest.mark.daily
def test_fusion_is_the_fairest_on_robust03(shared: Path) -> None:
    """RRF's pool at 50 documents a topic depends less on single runs than take-N's and Hedge's, which finds more."""
    runs = robust(shared).runs.select(robust(shared).runs.tags[:9])
    every = {tag: [tag] for tag in runs.tags}
    simulation = simulate(runs, robust(shared).qrels, every, 100, methods=["take", "rrf", "hedge"], budgets=[50])
    take, rrf, hedge = (replay.points[0] for replay in simulation.replays)
    bias = [fmean(change.absolute_percent for change in point.changes) for point in (take, rrf, hedge)]
    assert bias[1] < min(bias[0], bias[2])
    assert take.relevant < rrf.relevant < hedge.relevant


def test_relevant_documents_within_the_depth_are_reachable() -> None:
    """Also the first judgment of all; one below the depth, and one of a run that was not pooled, are not."""
    pooled = {"r0": {"q0": {"d0": 3.0, "d1": 2.0, "d2": 1.0}}}
    other = {"r1": {"q0": {"d3": 1.0}}}
    judged = as_qrels({"q0": {"d0": 1, "d1": 0, "d2": 1, "d3": 1}})
    units = {"x": ["r0"]}
    for depth, reachable in ((1, 1), (2, 1), (3, 2)):
        result = simulate(as_runs(pooled | other), judged, units, depth, methods=["take"], budgets=[1])
        assert result.reachable == reachable


class DoublingState(CorpusState):
    """Proposes documents in order; each of its batches has twice as many as the one before."""

    def __init__(self) -> None:
        self.left, self.learned = list(range(7)), list[list[int]]()

    @property
    def batch(self) -> int:
        return 1 << len(self.learned)

    def next(self, size: int) -> np.ndarray:
        documents, self.left = self.left[:size], self.left[size:]
        return np.array(documents, np.int64)

    def observe(self, judged: Mapping[int, bool]) -> None:
        self.learned.append([*judged])

    def restore(self, documents: Collection[int], labels: Mapping[int, bool]) -> None:
        raise NotImplementedError

    def prepare(self) -> None:
        raise NotImplementedError

    def pooled(self, documents: Iterable[int]) -> list[PooledDocument]:
        raise NotImplementedError


@pytest.mark.parametrize("step", [1, 3, 7])
def test_a_method_of_a_corpus_learns_after_each_of_its_own_batches(step: int) -> None:
    """However many documents are asked for at a time, unless the replay has a batch."""
    for batch, expected in ((1, [[0], [1, 2], [3, 4, 5, 6]]), (4, [[0, 1, 2, 3]])):
        state = DoublingState()
        listener = BatchListener(state, np.zeros(7, bool), batch)
        while listener.next(min(step, len(state.left))):
            pass
        assert state.learned[: len(expected)] == expected
