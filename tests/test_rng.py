"""The argument `rng` of functions that draw, as SPEC 7 of Scientific Python has it."""

from inspect import signature
from pathlib import Path

import numpy as np
import pytest

import cranfield
from cranfield.errors import InputError
from cranfield.formats import Topic
from cranfield.options import Rng, seed_of
from tests.namespaces import interface_functions
from tests.needed_features import EVERY_FEATURE

DRAWS = {
    "assign_topics", "audit", "build_pool", "compare", "diagnose", "draw_audit_sample", "estimate_counterfactual",
    "fit_click_model", "forecast_completeness", "infer_preferences", "interleave", "interleave_runs",
    "measure_agreement", "rehearse", "simulate_methods", "split_into_folds", "stability", "tune_fusion",
}  # fmt: skip


@pytest.mark.needs_extra("plot")
def test_functions_that_draw_take_rng() -> None:
    parameters = {function.__name__: signature(function).parameters for function in interface_functions()}
    assert not [name for name, several in parameters.items() if "seed" in several]
    assert all(several["rng"].default is None for several in parameters.values() if "rng" in several)


@pytest.mark.needs_extra("plot")
@EVERY_FEATURE
def test_each_function_that_draws_takes_rng() -> None:
    assert {function.__name__ for function in interface_functions() if "rng" in signature(function).parameters} >= DRAWS


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with forty topics."""
    path = tmp_path / "topics.db"
    cranfield.Store.create(path, "topics").close()
    cranfield.store.import_topics(path, [Topic(f"q{number}", "a title") for number in range(40)])
    return path


def folds_by(store: Path, name: str, rng: Rng) -> list[list[str]]:
    """Return the topics of two folds."""
    return [row["members"] for row in cranfield.topics.split_into_folds(store, name, folds=2, rng=rng).rows()]


def test_none_is_the_seed_0(store: Path) -> None:
    default = folds_by(store, "a", None)
    assert folds_by(store, "b", 0) == default == folds_by(store, "c", np.int64(0))  # type: ignore[arg-type]
    assert folds_by(store, "d", 1) != default


def test_a_generator_draws_the_seed_and_goes_on(store: Path) -> None:
    one, same = np.random.default_rng(5), np.random.default_rng(5)
    first, second = folds_by(store, "a", one), folds_by(store, "b", one)
    assert first != second
    assert [first, second] == [folds_by(store, "c", same), folds_by(store, "d", same)]


@pytest.mark.parametrize("wrong", ["7", True, 1.5, -1, np.random.RandomState(1)])
def test_other_values_are_refused(store: Path, wrong: object) -> None:
    with pytest.raises(InputError, match=r"rng is .*; expected None, a whole number of at least 0, or a numpy"):
        folds_by(store, "a", wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"expected a whole number|rng is"):
        seed_of(wrong, min_seed=0)  # type: ignore[arg-type]


def test_seeds_of_the_command_line_are_the_same_numbers() -> None:
    assert [seed_of(rng) for rng in (None, 0, -1, 2**40)] == [0, 0, -1, 2**40]


def test_stability_draws_other_sets_of_topics() -> None:
    scores = np.random.default_rng(3).random((4, 30)).round(3)
    qrels = {f"q{topic}": {"d": 1} for topic in range(30)}
    runs = {
        f"r{run}": {f"q{topic}": {"d": float(score), "e": 0.5} for topic, score in enumerate(row)}
        for run, row in enumerate(scores)
    }
    tables = [cranfield.trust.stability(qrels, runs, measures="RR", rng=rng).frame for rng in (None, 0, 1)]
    assert tables[0].equals(tables[1])
    assert not tables[0].equals(tables[2])
