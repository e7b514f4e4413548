"""The law of leave-one-out by replay: with nobody left out, a pool built anew is the stored one."""

from collections.abc import Iterator

import numpy as np
import pytest

from cranfield.analysis.missed import Repooling, repool_without_units
from cranfield.arrays.join import join_runs_and_qrels
from cranfield.errors import InputError
from cranfield.formats import RunInfo
from cranfield.judging.session.session import Session
from cranfield.metrics.inputs import as_runs
from cranfield.pooling.budget import topics_compete
from cranfield.pooling.candidates import candidates_by_topic
from cranfield.pooling.examples import example
from cranfield.pooling.method import MethodOption
from cranfield.pooling.methods import METHODS
from cranfield.pooling.replay import replay_topic
from cranfield.pooling.stored.contents import title
from cranfield.pooling.stored.growth import build, extend, make_pool
from cranfield.pooling.stored.rebuild import NEVER, GradeStep, Rebuilder, _fit
from cranfield.pooling.stored.request import PoolRequest
from cranfield.store.chain import Event
from cranfield.store.log import append
from cranfield.store.open_pools import PoolStep, Stage, budget_stages, pool_stages
from cranfield.store.pools import Pool, PooledDocument, add_pool, stored_pool
from cranfield.store.qrels import qrels_of
from cranfield.store.removal import remove
from cranfield.store.runs import add_runs, run_info, stored_runs
from cranfield.store.store import Store
from cranfield.testing.pooling import example_runs
from tests.conftest import usually
from tests.judging.cases import Clock, at
from tests.pooling.of_runs import OF_RUNS
from tests.stores import new_store

ADAPTIVE = [name for name, method in OF_RUNS.items() if method.adaptive]
SIZES: list[dict[str, int]] = [{}, {"budget": 7}, {"total": 20}]
DEPTH = 20
Pairs = list[tuple[str, str]]


def copy_of(template: Store) -> Iterator[Store]:
    with Store(":memory:") as store:
        template.conn.backup(store.conn)
        store.set_pragmas()
        yield store


@pytest.fixture(scope="module")
def template() -> Iterator[Store]:
    """Six runs of three topics, one of them with a depth of its own, and nothing judged."""
    about = {f"r{n}": RunInfo(f"t{n // 2}", depth=9 if n == 4 else None) for n in range(6)}
    with new_store(people=["ada", "bob"], models=["m1"], runs=example_runs(), teams=about) as store:
        yield store


@pytest.fixture
def store(template: Store) -> Iterator[Store]:
    yield from copy_of(template)


@pytest.fixture(scope="module")
def with_labels(template: Store) -> Iterator[Store]:
    """The same with a label of everything that was retrieved."""
    for store in copy_of(template):
        label(store, everything(store))
        yield store


@pytest.fixture
def judged(with_labels: Store) -> Iterator[Store]:
    yield from copy_of(with_labels)


def relevant(docno: str) -> int:
    """High numbers are relevant."""
    return int(int(docno.removeprefix("new").removeprefix("d")) >= 30)


def label(store: Store, pairs: Pairs, name: str = "ada", turn: int = 0) -> None:
    """Labels of these documents; `turn` 1 turns them round."""
    append(store, *(Event("label", q, d, name, grade=relevant(d) ^ turn) for q, d in pairs))


def pooled(store: Store) -> Pairs:
    return [d[:2] for d in stored_pool(store).documents]


def waiting(store: Store) -> Pairs:
    """What of the newest pool nobody labelled."""
    labelled = {row[:2] for row in store.rows("SELECT qid, docno FROM qrels")}
    return [pair for pair in pooled(store) if pair not in labelled]


def everything(store: Store) -> Pairs:
    """All that any run retrieved."""
    return [(topic.qid, docno) for topic in candidates_by_topic(stored_runs(store)) for docno in topic.docnos]


def without(store: Store, units: dict[str, list[str]]) -> Repooling:
    """The newest pool without each of some units."""
    runs, qrels = stored_runs(store), qrels_of(store)
    return repool_without_units(
        runs, qrels, join_runs_and_qrels(runs, qrels), pool_stages(store), units, rel=1, about=run_info(store)
    )


def law(store: Store) -> None:
    """Refused if it is not the stored pool that is built anew; a unit of nobody loses nothing, one of runs does."""
    rest = without(store, {"nobody": [], "half": ["r0", "r1", "r2"]})
    assert (int(rest.losses[0].sum()), rest.missed[0]) == (0, 0)
    assert rest.losses[1].sum() > 0


def makes_sense(name: str, options: dict[str, object], size: dict[str, int]) -> bool:
    """Whether a method with these options takes a pool of that size."""
    method = METHODS[name]
    return (bool(size) or not method.sized) and ("total" in size or not topics_compete(method, options))


def sizes(name: str, at: int) -> list[dict[str, int]]:
    """Those that a method takes, or one of them, each in its turn."""
    fit = [size for size in SIZES if makes_sense(name, {}, size)]
    return usually([fit[at % len(fit)]], fit)


OTHER: dict[str, list[object]] = {  # values besides the default, of options that are no choice
    "c": [5], "n": [50], "p": [0.5], "beta": [0.5], "rate": [0.3], "d": [1.0], "stop": [0.9], "pairs": [0.8],
    "round": [5], "prior": [0.1], "bounds": ["2,9"], "rates": ["5,3,1"], "k": [2],
}  # fmt: skip


def other(option: MethodOption) -> list[object]:
    """What else an option may be."""
    return [choice for choice in option.choices if choice != option.default] or OTHER[option.name]


OPTIONS: list[tuple[str, dict[str, object]]] = [
    (name, {option.name: value, **({"stop": 0.9} if option.name == "pairs" else {})})
    for name, method in OF_RUNS.items()
    for option in method.options
    for value in other(option)
]
CASES = [
    *((name, {}, size) for at, name in enumerate(OF_RUNS) for size in sizes(name, at)),
    *((name, options, SIZES[-1]) for name, options in OPTIONS[:: usually(6, 1)]),
]


@pytest.mark.parametrize(("name", "options", "size"), CASES, ids=str)
def test_of_judged_data(judged: Store, name: str, options: dict[str, object], size: dict[str, int]) -> None:
    """Every method, option and size; an adaptive pool goes on to its budget at once, all that it wants being judged."""
    batch = 3 if METHODS[name].adaptive else None
    if name == "tail":  # draws from each stratum
        size = {unit: 5 * number for unit, number in size.items()}
    request = PoolRequest(
        name, DEPTH, size.get("budget"), total=size.get("total"), batch=batch, seed=7, options=options
    )
    pool = build(judged, request)
    assert pool.pool
    if METHODS[name].adaptive and name != "active" and not options.get("stop") and size:
        assert len(pooled(judged)) == {"budget": 21, "total": 20}[next(iter(size))]
        assert build(judged, request).line.startswith(
            f"nothing to add: pool 1 contains {len(pooled(judged))} documents, which is all that"
        )
    law(judged)


@pytest.mark.parametrize("name", [name for name in ADAPTIVE if name != "active"])
def test_what_is_built_at_once_is_what_a_simulation_says(judged: Store, name: str) -> None:
    """Batch by batch, each judged as the labels say before the next."""
    make_pool(judged, PoolRequest(name, DEPTH, seed=7, budget=11, batch=4))
    depths = {tag: info.depth for tag, info in run_info(judged).items()}
    reference = set()
    for topic in candidates_by_topic(stored_runs(judged), DEPTH, depths):
        hits = [relevant(docno) == 1 for docno in topic.docnos]
        [choice] = replay_topic(METHODS[name], {}, topic, hits, [11], seed=7, batch=4)  # type: ignore[arg-type]
        reference |= {(topic.qid, docno) for docno in topic.docnos[choice]}
    assert set(pooled(judged)) == reference


@pytest.mark.parametrize("name", ADAPTIVE)
def test_grown_by_judging(store: Store, name: str) -> None:
    """As assessors do: batch after batch, some put off, some given up, some labels taken back and changed."""
    build(store, PoolRequest(name, DEPTH, seed=7, budget=13, batch=4))
    session = Session(store, "ada", stored_pool(store), clock=Clock())
    number = 0
    while (document := session.view.document) is not None and number < 200:
        number += 1
        if number % 7 == 2:
            at(session).later()
        elif number % 11 == 3:
            at(session).cannot_judge("unreadable")
        else:
            at(session).grade(relevant(document.docno))
        if number % 9 == 5:
            at(session).undo()
            at(session).grade(1 - relevant(document.docno))
    assert len(pooled(store)) == 39
    label(store, pooled(store), "bob", 1)
    law(store)


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "options"), [*((name, {}) for name in ADAPTIVE), ("mtf", {"scope": "global"})], ids=str
)
def test_grown_by_building_again(store: Store, name: str, options: dict[str, object]) -> None:
    """A pool that holds one that holds one, judged in part in between, late labels, a model's before a person's."""
    late: Pairs = []
    for turn in range(5):
        build(store, PoolRequest(name, DEPTH, seed=7, total=36, batch=4, options=options))
        pairs = waiting(store)
        late += pairs[::3]
        label(store, pairs[1::3], "m1", 1)
        label(store, pairs[1::6])
        label(store, pairs[2::3], "bob")
        if turn in (2, 4):
            label(store, [pair for pair in dict.fromkeys(late) if pair in waiting(store)])
    assert len(pool_stages(store)) > 3
    law(store)


@pytest.mark.parametrize("name", OF_RUNS)
def test_extended(store: Store, name: str) -> None:
    """On a larger budget, with a late run, deeper; a sample on a larger budget alone."""
    make_pool(store, PoolRequest(name, 10, seed=7, budget=5))
    label(store, waiting(store)[::2])
    if METHODS[name].fixed:
        with pytest.raises(InputError, match="is a sample"):
            extend(store, budget=9)
        return
    extend(store, budget=8)
    label(store, waiting(store)[::2])
    if not METHODS[name].samples:
        late = {"late": {"q1": {f"new{n}": 10.0 - n for n in range(5)}, "q2": {"d1": 1.0}}}
        add_runs(store, as_runs(late), {"late": RunInfo("late")})
        extend(store, depth=15, total=40)
        label(store, waiting(store))
        extend(store, depth=20, total=50)
        assert len(pool_stages(store)) == 4
    law(store)


def test_a_depth_pool_that_holds_a_deeper_one(store: Store) -> None:
    """It is of no one depth, and built anew; one that holds a shallower one is of its depth."""
    make_pool(store, PoolRequest(depth=6, runs=("r0", "r1")))
    line = extend(store, depth=3, runs=["r2", "r3"]).line
    assert line.endswith("the others are from pool 1 (runs to depth 6, not 3)")
    assert title(stored_pool(store), qrels_of(store)).startswith(
        "pool 2: depth, depth 3 (up to 6 in part), includes pool 1; "
    )
    assert len(pooled(store)) > len(stored_pool(store, 1).documents)
    assert len(budget_stages(store)) == 2
    label(store, pooled(store))
    law(store)
    extend(store, depth=6)
    assert budget_stages(store) == []


def test_a_list_that_decides_between_two_runs(store: Store) -> None:
    """What `diagnose` puts in stays as it is, but for its two runs; the pool is taken further from there."""
    make_pool(store, PoolRequest("mtf", DEPTH, budget=6, seed=7))
    label(store, pooled(store))
    before, extra = stored_pool(store), [pair for pair in everything(store) if pair not in pooled(store)][:4]
    more = [PooledDocument(qid, docno, 1, ("r2",)) for qid, docno in extra]
    about = {"depth": None, "runs": before.parameters["runs"], "decides": ["r2", "new"], "considered": 9, "holds": 1}
    add_pool(store, Pool("mtc", about, [*before.documents, *more]))
    label(store, extra)
    law(store)
    rest, other = without(store, {"r2": ["r2"]}), without(store, {"r5": ["r5"]})
    qrels = qrels_of(store)
    names = zip(qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], strict=True)
    in_list = np.array([pair in extra for pair in names])
    assert rest.losses[0][in_list].all()
    assert not other.losses[0][in_list].any()


def test_the_budget_of_the_left_out_goes_to_others(store: Store) -> None:
    """Without a run of which much was pooled, as many documents of others come; those nobody judged are missed."""
    make_pool(store, PoolRequest("mtf", DEPTH, seed=7, total=60, batch=5))
    for _ in range(9):
        label(store, waiting(store))
        build(store, PoolRequest("mtf", DEPTH, seed=7, total=60, batch=5))
    rest = without(store, {"t0": ["r0", "r1"]})
    assert len(pooled(store)) == 60
    assert rest.missed[0] == rest.losses[0].sum() > 5


# What an adaptive pool hears


def labels_heard(store: Store) -> dict[tuple[str, str], int]:
    rows = store.rows("SELECT qid, docno, relevant FROM pool_heard h JOIN topic t ON t.id = h.topic"
                      " JOIN document d ON d.id = h.document WHERE pool = 1")  # fmt: skip
    return {(qid, docno): hit for qid, docno, hit in rows}


def test_people_before_models(store: Store) -> None:
    """The pool hears the label that the qrels have; how many are models' is said."""
    label(store, everything(store), "m1", 1)
    label(store, everything(store)[::2], "ada")
    pool = build(store, PoolRequest("mtf", DEPTH, budget=12, seed=7))
    models = len({*pooled(store)} - {*everything(store)[::2]})
    assert pool.notes[0] == f"36 of 36 new documents are already judged, {models} of them by models"
    for qid, docno in everything(store)[::2]:
        assert labels_heard(store).get((qid, docno), relevant(docno)) == relevant(docno)
    for qid, docno in everything(store)[1::2]:
        assert labels_heard(store).get((qid, docno), 1 - relevant(docno)) == 1 - relevant(docno)
    law(store)


def test_what_she_has_judged_is_not_shown_again(store: Store) -> None:
    """Labels of an earlier pool are heard when the method comes to their documents, which count in the budget."""
    make_pool(store, PoolRequest(depth=4))
    label(store, pooled(store))
    before = set(pooled(store))
    build(store, PoolRequest("mtf", DEPTH, seed=7, budget=14, batch=3))
    session = Session(store, "ada", stored_pool(store), clock=Clock())
    texts = []
    while (document := session.view.document) is not None:
        texts.append(document.docno)
        at(session).grade(relevant(document.docno))
    assert len(pooled(store)) == 42
    assert set(pooled(store)) & before
    assert len(texts) == len(set(pooled(store)) - before)
    law(store)


# What cannot be built anew is refused


def test_a_pool_that_nobody_judged(store: Store) -> None:
    """Labels of other documents are none of it."""
    make_pool(store, PoolRequest("mtf", DEPTH, budget=2, seed=7))
    label(store, [pair for pair in everything(store) if pair not in pooled(store)])
    with pytest.raises(InputError, match=r"^pool 1 \(mtf\) is unjudged: none of its 6 documents has a label$"):
        law(store)


def test_a_run_that_is_gone_or_other(store: Store) -> None:
    """The reason is given."""
    make_pool(store, PoolRequest("rrf", DEPTH, budget=5))
    label(store, pooled(store))
    law(store)
    store.db.execute("UPDATE run SET depth = 2 WHERE tag = 'r0'")
    with pytest.raises(InputError, match=r"pool 1 \(rrf\) cannot .*\d+ documents differ.*its runs or their depths"):
        law(store)
    store.db.execute("UPDATE run SET tag = 'other' WHERE tag = 'r0'")
    with pytest.raises(InputError, match=r"run 'r0' of pool 1 \(rrf\) is missing"):
        law(store)


@pytest.mark.full
@pytest.mark.parametrize("name", ADAPTIVE)
def test_a_pool_of_an_earlier_version(store: Store, name: str) -> None:
    """Without a record it is built anew where every batch was judged before the next, and refused where one was not."""
    request = PoolRequest(name, DEPTH, seed=7, budget=9, batch=3)
    build(store, request)
    for _ in range(4):
        label(store, waiting(store))
        build(store, request)
    store.conn.executescript("DELETE FROM pool_step; DELETE FROM pool_heard;")
    law(store)
    label(store, pooled(store), "m1", 1)
    law(store)
    label(store, pooled(store), turn=1)
    with pytest.raises(InputError, match="the store does not record which labels each batch was based on"):
        law(store)


def test_a_pool_is_taken_back_with_its_steps(store: Store) -> None:
    """Nothing of it is left."""
    label(store, everything(store))
    make_pool(store, PoolRequest("mtf", DEPTH, budget=5, seed=7))
    assert labels_heard(store)
    remove(store, "pool", ["1"])
    assert store.rows("SELECT count(*) FROM pool_step") == store.rows("SELECT count(*) FROM pool_heard") == [(0,)]


def test_without_a_run_the_last_stage_fills_the_budget() -> None:
    """The steps bring c and d again; then e and f take the room of a and b, and nobody asked for them before."""
    both, alone = example("a b", "c d e f g"), example("a b")
    pools = [Pool("mtf", {"runs": ["r1", "r2"], "budget": budget, "batch": 1}, []) for budget in (3, 4)]
    parts = [Stage(Pool("depth", {"runs": ["r1"]}, [])), *(Stage(pool, [PoolStep(1, "q", 1)]) for pool in pools)]
    rebuilder = Rebuilder(parts, [[alone], [both], [both]], {"q": dict.fromkeys("abcdefg", False)})
    whole = rebuilder.pool_all_runs()
    assert (whole.moments, whole.full) == ({"q": {"a": (0, 0), "b": (0, 0), "c": (1, 1), "d": (2, 1)}}, {"q"})
    rest = rebuilder.pool_without_runs(["r1"], whole)
    assert (rest.moments, rest.full) == ({"q": {"c": (1, 1), "d": (2, 1), "e": NEVER, "f": NEVER}}, set())


def test_without_documents_the_model_of_grades_is_its_prior() -> None:
    """The precision of each coefficient is 1 / variance: deviations of 10, 2.5, 2.5, and 1 for each topic."""
    step = _fit(np.zeros((0, 3)), np.zeros(0, np.int64), np.zeros(0, np.bool_), 2)
    assert step.mode.tolist() == [0.0] * 5
    assert step.precision == pytest.approx(np.diag([0.01, 0.16, 0.16, 1.0, 1.0]))


def test_drawn_coefficients_of_features_have_no_deviation_of_their_own() -> None:
    """Where everything is known, what differs between draws is the log odds of all and of each topic."""
    known = GradeStep(np.array([1.0, 2.0, 3.0, 0.0, 0.0]), np.eye(5) * 1e12)
    first, second = (known.draw(np.random.default_rng(seed)) for seed in (1, 2))
    widened = np.sqrt(1 + np.pi / 16)
    assert first[1:3] == pytest.approx([2 * widened, 3 * widened], abs=1e-4)
    assert (np.abs(first - second) > 0.01).tolist() == [True, False, False, True, True]
