"""Topics that compete for one budget: as the one queue would have it, and never more than the budget."""

from collections import Counter
from itertools import count
from pathlib import Path

import pytest

from cranfield.errors import InputError
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.pooling.budget import TopicStratum, split_budget
from cranfield.pooling.build import build_pool
from cranfield.pooling.methods import METHODS
from cranfield.pooling.simulate import simulate
from cranfield.pooling.stored.growth import extend, latest, make_pool
from cranfield.pooling.stored.request import PoolRequest, PoolResult
from cranfield.store.chain import Event
from cranfield.store.log import append
from cranfield.store.pools import stored_pool
from cranfield.store.store import Store
from cranfield.testing.pooling import example_candidates, example_relevance, example_runs
from tests.conftest import Cranfield
from tests.pooling.stores import six_run_store
from tests.real import robust

GLOBAL = {"scope": "global"}
Wish = dict[str, object]


def queue(total: int) -> list[tuple[str, str]]:
    """Global move-to-front as one queue of all rankings of all topics, in plain Python; runs in a topic by its state.

    Which of the runs of a topic comes first is chance, so the topic's own state is asked for it; which topic is next is
    found here from the priorities of all its runs.
    """
    every_topic = example_candidates()
    states = [METHODS["mtf"].start(topic, GLOBAL, 5) for topic in every_topic]
    relevant, pairs = [example_relevance(topic) for topic in every_topic], list[tuple[str, str]]()
    while len(pairs) < total:
        fewest = Counter(qid for qid, _ in pairs)
        every = [
            (float(priority), -fewest[topic.qid], -number)
            for number, (topic, state) in enumerate(zip(every_topic, states, strict=True))
            for priority in state.priority  # type: ignore[attr-defined]
            if state.open.any()  # type: ignore[attr-defined]
        ]
        number = -max(every)[2]
        document = int(states[number].next(1)[0])
        states[number].observe({document: relevant[number][document]})
        pairs.append((every_topic[number].qid, every_topic[number].docnos[document]))
    return pairs


@pytest.mark.parametrize("total", [1, 10, 40, 75])
def test_global_move_to_front_is_one_queue(total: int) -> None:
    """The same documents by simulation, whichever topics they are of."""
    qrels = {
        topic.qid: {topic.docnos[d]: int(hit) for d, hit in example_relevance(topic).items()}
        for topic in example_candidates()
    }
    simulation = simulate(
        as_runs(example_runs()),
        as_qrels(qrels),
        {"all": list(example_runs())},
        20,
        methods=["mtf:scope=global"],
        budgets=[total],
        seed=5,
        total=True,
    )
    point = simulation.replays[0].points[0]
    pairs = queue(total)
    reference = Counter(qid for qid, _ in pairs)
    assert {topic.query_id: topic.documents for topic in point.topics} == {qid: reference[qid] for qid in qrels}
    assert point.relevant == sum(qrels[qid][docno] for qid, docno in pairs)
    assert simulation.to_json()["budget_of"] == "all"


@pytest.mark.parametrize("method", ["rrf", "mtf", "uniform"])
def test_a_total_is_shared_out_in_simulations(method: str) -> None:
    """Where topics do not compete each gets its share, also of totals that are fewer than topics."""
    qrels = as_qrels({topic.qid: dict.fromkeys(topic.docnos, 0) for topic in example_candidates()})
    units = {"all": list(example_runs())}
    simulation = simulate(
        as_runs(example_runs()), qrels, units, 20, methods=[method], budgets=[2, 31, 9999], total=True
    )
    sizes = [len(topic) for topic in example_candidates()]
    for point in simulation.replays[0].points:
        reference = split_budget(sizes, total=point.budget)
        assert [topic.documents for topic in point.topics] == reference


def test_left_out_units_leave_the_budget_to_others() -> None:
    """A total stays the same without a unit, as long as the rest has as much."""
    qrels = as_qrels({topic.qid: dict.fromkeys(topic.docnos, 0) for topic in example_candidates()})
    units = {"x": ["r0"], "y": ["r2", "r4", "r5"]}
    simulation = simulate(
        as_runs(example_runs()), qrels, units, 20, methods=["mtf:scope=global", "take"], budgets=[30], total=True
    )
    assert [unit.documents for replay in simulation.replays for unit in replay.points[0].units] == [30] * 4


def test_without_judgments_topics_take_turns() -> None:
    """All pending alike, no topic is ahead by more than one document."""
    for total in (4, 30, 9999):
        pool = build_pool(METHODS["mtf"], as_runs(example_runs()), 20, options=GLOBAL, total=total)
        counts = Counter(document.qid for document in pool)
        assert counts.total() == min(total, sum(map(len, example_candidates())))
        assert total > 30 or max(counts.values()) - min(counts.values()) <= 1


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Six runs of three topics."""
    six_run_store(tmp_path / "track.db").close()
    return tmp_path / "track.db"


def build(store: Store, **wish: object) -> PoolResult:
    request = PoolRequest("mtf", 20, options=GLOBAL, **wish)  # type: ignore[arg-type]
    return make_pool(store, request, latest(store, request))


def test_a_store_deals_the_total_to_topics_that_yield(store: Path) -> None:
    """Built and judged until nothing is left, it has the total, most of it in the topic where all is relevant.

    A batch is of all topics together.
    """
    with Store.open(store) as there:
        sizes = []
        while (result := build(there, total=60, batch=5)).pool:
            labelled = {row[0:2] for row in there.rows("SELECT qid, docno FROM current_judgment")}
            new = [d for d in result.pool.documents if (d.qid, d.docno) not in labelled]
            assert len(new) <= 5 * 3
            append(there, *(Event("label", d.qid, d.docno, "ada", grade=int(d.qid == "q1")) for d in new))
            sizes.append(len(result.pool.documents))
        counts = Counter(document.qid for document in stored_pool(there).documents)
        assert sizes[-1] == counts.total() == 60
        assert counts["q1"] > max(counts["q0"], counts["q2"]) + 10
        assert extend(there, total=63).pool
        assert len(stored_pool(there).documents) == 63


def test_a_global_scope_needs_a_total(store: Path, cranfield: Cranfield) -> None:
    """Wrong usage on the command line, one line in Python; nothing is stored."""
    words = ("pool", "build", store, "--method", "mtf", "--option", "scope=global")
    for more in ((), ("--budget", 3)):
        assert cranfield(*words, *more).code == 2
    assert cranfield("pool", "show", store).code == 1
    assert cranfield(*words, "--total", 2).out.startswith("pool 1: 2 documents for 2 topics")
    with Store.open(store) as there, pytest.raises(InputError, match="needs --total, the budget that all topics share"):
        build(there, budget=3)
    with pytest.raises(InputError, match="its topics share one budget"):
        simulate(
            as_runs(example_runs()),
            as_qrels({"q0": {"d1": 1}}),
            {"a": ["r0"]},
            5,
            methods=["mtf:scope=global"],
            budgets=[3],
        )
    for wrong in (["--budgets", "3", "--total", "3"], ["--method", "mtf:scope=global"], ["--total", "x"]):
        assert cranfield("pool", "simulate", store, *wrong).code == 2


def test_a_pool_of_an_earlier_version_goes_on(store: Path) -> None:
    """Options that a method did not have when a pool was made had what is now their default."""
    with Store.open(store) as there:
        request = PoolRequest("mtf", 20, batch=2)
        make_pool(there, request)
        there.db.execute("UPDATE pool SET parameters = json_remove(parameters, '$.options.scope')")
        before = latest(there, request)
        assert before
        assert before.number == 1
        assert latest(there, request._replace(options={"reset": "decay"})) is None


@pytest.mark.parametrize("order", [[], [0], [4], [0, 1], [2, 5, 6]], ids=str)
def test_the_least_sample_of_a_topic_has_two_documents_of_a_stratum(order: list[int]) -> None:
    """Or all documents of a smaller stratum; an empty stratum needs none."""
    stratum = TopicStratum("q", "top", len(order), order)
    assert stratum.min_drawn == next(size for size in count() if stratum.count_drawn(size) == min(2, len(order)))


@pytest.mark.daily
def test_robust03_yields_more_to_the_global_queue(shared: Path) -> None:
    """10,000 judgments for 100 topics: 21.4 relevant documents a topic instead of 19.9, tau no higher."""
    source = robust(shared)
    methods = ["mtf", "mtf:scope=global"]
    every = {"all": source.runs.tags}
    simulation = simulate(source.runs, source.qrels, every, 100, methods=methods, budgets=[10_000], total=True)
    one, other = (replay.points[0] for replay in simulation.replays)
    assert (one.documents, other.documents) == (10_000, 10_000)
    assert (one.relevant, other.relevant) == (1994, 2144)
    assert other.tau < one.tau
