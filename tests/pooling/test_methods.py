"""Laws over the table of pooling methods; EXEMPT names exceptions with their reasons."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import count
from typing import Any, cast

import numpy as np
import pytest

from cranfield.arrays.rankings import Ints
from cranfield.errors import InputError
from cranfield.metrics.inputs import as_runs
from cranfield.pooling.budget import split_budget
from cranfield.pooling.build import build_pool, depth_pool
from cranfield.pooling.candidates import Candidates, candidates_by_topic
from cranfield.pooling.method import FixedOrder, MethodOption, State
from cranfield.pooling.methods import METHODS, Method
from cranfield.testing import POOLING_LAWS, check_pooling_method
from cranfield.testing.pooling import example_candidates, example_runs
from tests.pooling.of_runs import OF_RUNS

EVERY = pytest.mark.parametrize("method", OF_RUNS.values(), ids=list(OF_RUNS))
SAMPLES = pytest.mark.parametrize("method", [m for m in OF_RUNS.values() if m.samples], ids=lambda m: m.name)
EXEMPT: Mapping[str, Mapping[str, str]] = {
    "active": {"exhaustive": "draws are with replacement, and stop when they bring little"},
    "rbp-b": {"fixed_order": "its order is fixed, but takes long to compute as a whole"},
    "statap": {"larger_budget": "the sample is drawn for its size, so that a smaller one is another"},
    "tail": {"exhaustive": "draws a share of the tail, and no more"},
}
OPTIONS: Mapping[str, Mapping[str, object]] = {"tail": {"k": 1}}  # such that a budget of 8 is enough


@EVERY
def test_every_method_keeps_the_laws(method: Method) -> None:
    check_pooling_method(method, EXEMPT.get(method.name), OPTIONS.get(method.name))


class FaultyState(FixedOrder):
    """Candidates in byte order; `next` gives one more than asked for, or begins with the first document each time."""

    def __init__(self, topic: Candidates, more: int = 0, begin_again: bool = False) -> None:
        super().__init__(np.arange(len(topic)))
        self.order, self.more, self.begin_again = None, more, begin_again

    def next(self, size: int) -> Ints:
        documents = super().next(size + self.more)
        return np.concatenate([np.zeros(1, int), documents])[:size] if self.begin_again else documents


def faulty(order: Callable[[Candidates, int], Ints], **fields: Any) -> Method:
    """A method with the order that a function of topic and seed gives."""

    def begin(topic: Candidates, options: Mapping[str, Any], seed: int) -> State:
        return cast("State", FixedOrder(order(topic, seed)))

    about = {"description": "faulty", "source": "this test", **fields}
    return Method("faulty", begin=begin, **about)


def with_state(adaptive: bool = False, **faults: Any) -> Method:
    """A method with a faulty state."""

    def begin(topic: Candidates, options: Mapping[str, Any], seed: int) -> State:
        return cast("State", FaultyState(topic, **faults))

    return Method("faulty", "faulty", begin, source="this test", adaptive=adaptive)


CALLS = count()


def by_call(topic: Candidates, seed: int) -> Ints:
    return np.roll(np.arange(len(topic)), next(CALLS))


def by_first_run(topic: Candidates, seed: int) -> Ints:
    documents = np.arange(len(topic))
    return documents if topic.priority[0] else documents[::-1]


def by_seed(topic: Candidates, seed: int) -> Ints:
    return np.random.default_rng(seed).permutation(len(topic))


FAULTS: Mapping[str, Method] = {
    "sizes": with_state(more=1),
    "exhaustive": faulty(lambda topic, seed: np.arange(len(topic) - 1)),
    "seed": faulty(by_seed),
    "topics": faulty(by_call),
    "order_of_runs": faulty(by_first_run),
    "fixed_order": faulty(lambda topic, seed: np.arange(len(topic)), adaptive=True),
    "larger_budget": faulty(lambda topic, seed: np.arange(1)),
    "single_document": faulty(lambda topic, seed: np.arange(len(topic) - 1)),
    "replay": faulty(by_call, adaptive=True),
    "judgments_matter": faulty(lambda topic, seed: np.arange(len(topic)), adaptive=True),
    "probabilities": faulty(lambda topic, seed: np.arange(len(topic)), design=lambda strata, chance: None),
    "options": faulty(lambda topic, seed: np.arange(len(topic)), options=(MethodOption("k", 1, ""),)),
}


@pytest.mark.parametrize("law", FAULTS)
def test_a_faulty_method_breaks_its_law(law: str) -> None:
    with pytest.raises(AssertionError):
        POOLING_LAWS[law](FAULTS[law], {})


@pytest.mark.needs("collecting")
def test_a_method_of_a_corpus_is_refused() -> None:
    with pytest.raises(ValueError, match="cal pools documents of a corpus"):
        check_pooling_method(METHODS["cal"])


@SAMPLES
def test_probabilities_are_those_of_the_draw(method: Method) -> None:
    """Above 0 and at most 1, their sum the expected size, each the share of samples that hold the document.

    Within Monte Carlo error. Active sampling draws until it has what it is asked for, so its probabilities are those of
    the number of draws it took: there the sum is compared with the mean size over samples of as many draws.
    """
    topic, times, size = example_candidates()[1], 1500, 12
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


def test_depth_k_is_the_row_of_the_table() -> None:
    """Without a budget every static order is a depth-k pool."""
    runs = as_runs(example_runs())
    assert (
        depth_pool(runs, 7) == build_pool(METHODS["depth"], runs, 7) == build_pool(METHODS["rrf"], runs, 7, depths={})
    )


def test_a_total_is_shared_out() -> None:
    """Equally, but for what topics do not have; the remainder one each; never more than there is."""
    for available in ([9, 2, 9], [1, 1, 1], [5, 0, 50, 7]):
        for total in range(sum(available) + 3):
            sizes = split_budget(available, total=total)
            assert sum(sizes) == min(total, sum(available))
            assert all(size <= most for size, most in zip(sizes, available, strict=True))
            below = [size for size, most in zip(sizes, available, strict=True) if size < most]
            assert not below or max(sizes) - min(below) <= 1


def test_two_runs_of_one_name_are_refused() -> None:
    """One line that names it."""
    runs = as_runs({"a": {"q": {"d": 1.0}}})
    with pytest.raises(InputError, match="duplicate run 'a'"):
        candidates_by_topic(replace(runs, tags=("a", "a")))
