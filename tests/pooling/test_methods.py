"""Laws over the table of pooling methods: what every one of them keeps, and who may opt out and why."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from cranfield.errors import InputError
from cranfield.metrics.inputs import as_runs
from cranfield.pooling.adaptive import propose, resume
from cranfield.pooling.budget import shares
from cranfield.pooling.build import build_pool, depth_pool
from cranfield.pooling.candidates import Candidates, by_topic
from cranfield.pooling.examples import example
from cranfield.pooling.methods import METHODS, Method
from tests.pooling.of_runs import OF_RUNS

EVERY = pytest.mark.parametrize("method", OF_RUNS.values(), ids=list(OF_RUNS))
ADAPTIVE = pytest.mark.parametrize("method", [m for m in OF_RUNS.values() if m.adaptive], ids=lambda m: m.name)
SAMPLES = pytest.mark.parametrize("method", [m for m in OF_RUNS.values() if m.samples], ids=lambda m: m.name)

ENDS = {  # methods that leave documents of the depth-k pool out even when the budget would allow them
    "tail": "a share of the tail is drawn, and no more",
    "active": "draws are with replacement, and stop when they bring little",
}
AS_IT_GOES = {"rbp-b": "its order is fixed, but to find all of it takes long"}  # static without a whole order
NOT_PREFIX = {"statap": "the sample is drawn for its size, so that a smaller one is another"}


def options_of(method: Method) -> dict[str, object]:
    """Such that a small budget will do."""
    return {"k": 1} if method.name == "tail" else {}


def rankings(
    runs: int = 6, topics: int = 3, documents: int = 40, seed: int = 1
) -> dict[str, dict[str, dict[str, float]]]:
    """Runs over a common corpus, each with its own taste; one is a constant, one short, one silent on a topic."""
    random = np.random.default_rng(seed)

    def ranking(run: int) -> dict[str, float]:
        scores = random.normal(size=documents) + np.arange(documents) / 9
        order = random.permutation(documents)[: 5 if run == 1 else documents - 5]
        return {f"d{document}": 1.0 if run == 2 else float(scores[document]) for document in order}

    return {
        f"r{run}": {f"q{topic}": ranking(run) for topic in range(topics) if (run, topic) != (3, 0)}
        for run in range(runs)
    }


def topics(seed: int = 1) -> list[Candidates]:
    return by_topic(as_runs(rankings(seed=seed)), 20)


def truth(topic: Candidates) -> dict[int, bool]:
    """Documents of a high number are relevant, as the runs believe."""
    return {document: int(docno[1:]) >= 30 for document, docno in enumerate(topic.docnos)}


def straight(method: Method, topic: Candidates, batches: list[int], seed: int = 7) -> list[list[int]]:
    """Every batch proposed and judged in turn."""
    state, rows, relevant = method.start(topic, seed=seed), [], truth(topic)
    for size in batches:
        rows.append(state.next(size).tolist())
        state.observe({document: relevant[document] for document in rows[-1]})
    return rows


@EVERY
def test_a_budget_is_kept_and_no_document_comes_twice(method: Method) -> None:
    """`next` never gives more than asked for, nothing twice, and everything there is in the end."""
    for topic in topics():
        batches = straight(method, topic, [4, 1, 7, 500, 3])
        flat = [document for batch in batches for document in batch]
        assert all(len(batch) <= size for batch, size in zip(batches, [4, 1, 7, 500, 3], strict=True))
        assert len(flat) == len(set(flat)) <= len(topic)
        assert len(batches[0]) == 4
        if method.name not in ENDS and not method.fixed:
            assert sorted(flat) == list(range(len(topic)))


@EVERY
def test_the_same_seed_gives_the_same_documents(method: Method) -> None:
    """To the last one; and where the table does not say that a method is random, any seed does."""
    for topic, again in zip(topics(), topics(), strict=True):
        assert straight(method, topic, [5, 5]) == straight(method, again, [5, 5])
        if not method.random:
            assert straight(method, topic, [5, 5]) == straight(method, topic, [5, 5], seed=8)


@EVERY
def test_topics_do_not_depend_on_each_other(method: Method) -> None:
    """A topic's pool is the same alone and among others."""
    runs = as_runs(rankings())
    alone = as_runs({tag: {"q1": run["q1"]} for tag, run in rankings().items()})
    pools = [build_pool(method, some, 20, options=options_of(method), budget=9, seed=3) for some in (runs, alone)]
    assert [document for document in pools[0] if document.qid == "q1"] == pools[1]


@EVERY
def test_the_order_of_runs_changes_nothing(method: Method) -> None:
    """Who is listed first does not matter to what is in the pool, nor to how it is judged."""
    one, other = as_runs(rankings()), as_runs(dict(reversed(rankings().items())))
    sizes: list[dict[str, Any]] = [{"budget": 9}, {"depths": {}}]
    for size in sizes:
        pools = [build_pool(method, some, 20, options=options_of(method), **size) for some in (one, other)]
        assert [d[:3] for d in pools[0]] == [d[:3] for d in pools[1]]
    for topic, again in zip(by_topic(one, 20), by_topic(other, 20), strict=True):
        assert straight(method, topic, [3, 3, 3]) == straight(method, again, [3, 3, 3])


@EVERY
def test_a_fixed_order_is_what_next_gives(method: Method) -> None:
    """The fast path of static methods and samples, where there is one."""
    for topic in topics():
        order = method.start(topic, seed=7).order
        assert (order is None) == (method.adaptive or method.fixed or method.name in AS_IT_GOES)
        if order is not None:
            assert method.start(topic, seed=7).next(len(topic)).tolist() == order.tolist()


@EVERY
def test_a_larger_budget_holds_a_smaller_one(method: Method) -> None:
    """With one seed and the same judgments."""
    runs = as_runs(rankings())
    pools = [build_pool(method, runs, 20, options=options_of(method), budget=budget, seed=3) for budget in (8, 11)]
    small, large = ({d[:2] for d in pool} for pool in pools)
    assert (small <= large) or method.name in NOT_PREFIX
    assert len(small) == 24


@EVERY
def test_empty_and_single_rankings_are_no_trouble(method: Method) -> None:
    """One run with one document."""
    topic = example("a")
    state = method.start(topic)
    assert state.next(5).tolist() == [0]
    state.observe({0: True})
    assert state.next(5).tolist() == []


@ADAPTIVE
@pytest.mark.parametrize("batches", [[1] * 12, [5, 5, 5], [3, 8, 2]], ids=str)
def test_a_replay_is_the_straight_run(method: Method, batches: list[int]) -> None:
    """Taken up again after every batch from pool, judgments and seed, the pool is the same, in the same order."""
    for topic in topics():
        relevant, earlier, rows = truth(topic), list[int](), []
        start = partial(method.start, topic, None, 7)
        for number, size in enumerate(batches):
            state, as_it_was = resume(
                start, earlier, {document: relevant[document] for document in earlier}, batches[:number]
            )
            assert as_it_was
            rows.append(propose(state, earlier, size))
            earlier += rows[-1]
        assert rows == straight(method, topic, batches)


@ADAPTIVE
def test_a_late_run_loses_nothing(method: Method) -> None:
    """What is in the pool stays and is not proposed again; the late run's documents come."""
    early = by_topic(as_runs({tag: run for tag, run in rankings().items() if tag != "r0"}), 20)[1]
    late = by_topic(as_runs(rankings() | {"late": {"q1": {f"new{n}": float(-n) for n in range(9)}}}), 20)[1]
    number = {docno: document for document, docno in enumerate(late.docnos)}
    first = straight(method, early, [5, 5])
    earlier = [number[early.docnos[document]] for batch in first for document in batch]
    relevant = {document: docno.startswith("new") or int(docno[1:]) >= 30 for docno, document in number.items()}
    state, as_it_was = resume(
        partial(method.start, late, None, 7),
        earlier,
        {document: relevant[document] for document in earlier},
        [5, 5],
    )
    assert not as_it_was
    proposals = propose(state, earlier, 500)
    assert not set(proposals) & set(earlier)
    if method.name not in ENDS:
        assert len(proposals) + len(earlier) == len(late)


@ADAPTIVE
def test_judgments_that_came_late_are_heard(method: Method) -> None:
    """A half-judged batch does not stop the next, and documents judged from elsewhere do no harm."""
    topic = topics()[0]
    relevant, start = truth(topic), partial(method.start, topic, None, 7)
    first = propose(start(), [], 6)
    state, _ = resume(start, first, {document: relevant[document] for document in [*first[::2], len(topic) - 1]}, [6])
    proposals = propose(state, first, 6)
    assert len(proposals) == 6
    assert not set(proposals) & set(first)


@ADAPTIVE
def test_judgments_matter(method: Method) -> None:
    """Nothing relevant, or everything that one run has, leads elsewhere."""
    topic = topics()[1]
    own = set(topic.lists[4].tolist())

    def order(relevant: set[int]) -> list[int]:
        state, order = method.start(topic, seed=7), list[int]()
        for _ in range(20):
            documents = state.next(1).tolist()
            state.observe({document: document in relevant for document in documents})
            order += documents
        return order

    assert order(own) != order(set())


@SAMPLES
def test_probabilities_are_those_of_the_draw(method: Method) -> None:
    """Above 0 and at most 1, their sum the expected size, each the share of samples that hold the document.

    Within Monte Carlo error. Active sampling draws until it has what it is asked for, so its probabilities are those of
    the number of draws it took: there the sum is compared with the mean size over samples of as many draws.
    """
    topic, times, size = topics()[1], 1500, 12
    settings: dict[str, dict[str, object]] = {"active": {"round": 12}, "tail": {"k": 2, "rate": 0.2}}
    options = settings.get(method.name)
    counts, sizes, chances = np.zeros(len(topic)), [], []
    for seed in range(times):
        state = method.start(topic, options, seed=seed)
        documents = state.next(1 if method.name == "active" else size)
        if method.name == "active":
            documents = np.concatenate([documents, state.waiting])  # type: ignore[attr-defined]
        assert state.probability is not None
        counts[documents] += 1
        sizes.append(len(documents))
        chances.append(state.probability)
    chance = np.mean(chances, axis=0)
    assert (chance > 0).all()
    assert (chance <= 1 + 1e-12).all()
    assert np.ptp(chances, axis=0).max() < 1e-12
    assert abs(np.mean(sizes) - chance.sum()) < 4 * np.std(sizes) / np.sqrt(times) + 1e-9
    error = np.sqrt(chance * (1 - chance) / times)
    assert (np.abs(counts / times - chance) <= 4.5 * error + 1e-9).all()


def test_only_samples_have_probabilities() -> None:
    """A pool that was not sampled says so."""
    for name, method in OF_RUNS.items():
        assert (method.start(topics()[0]).probability is not None) == method.samples, name


def test_depth_k_is_the_row_of_the_table() -> None:
    """Without a budget every static order is a depth-k pool."""
    runs = as_runs(rankings())
    assert (
        depth_pool(runs, 7) == build_pool(METHODS["depth"], runs, 7) == build_pool(METHODS["rrf"], runs, 7, depths={})
    )


def test_a_total_is_shared_out() -> None:
    """Equally, but for what topics do not have; the remainder one each; never more than there is."""
    for available in ([9, 2, 9], [1, 1, 1], [5, 0, 50, 7]):
        for total in range(sum(available) + 3):
            sizes = shares(available, total=total)
            assert sum(sizes) == min(total, sum(available))
            assert all(size <= most for size, most in zip(sizes, available, strict=True))
            below = [size for size, most in zip(sizes, available, strict=True) if size < most]
            assert not below or max(sizes) - min(below) <= 1


def test_two_runs_of_one_name_are_refused() -> None:
    """One line that names it."""
    runs = as_runs({"a": {"q": {"d": 1.0}}})
    with pytest.raises(InputError, match="duplicate run 'a'"):
        by_topic(replace(runs, tags=("a", "a")))


@EVERY
def test_every_method_says_what_it_is(method: Method) -> None:
    """A source, a description that is a phrase, options that explain themselves and refuse nonsense."""
    assert method.source
    assert not method.description.endswith(".")
    for option in method.options:
        assert option.about
        assert option.read(str(option.default)) == option.default
        if option.choices or not isinstance(option.default, str):
            with pytest.raises(InputError, match=f"option {option.name} is 'nonsense'; expected"):
                option.read("nonsense")
    with pytest.raises(InputError, match=f"{method.name} has no option 'nonsense'"):
        method.fill_options({"nonsense": 1})
