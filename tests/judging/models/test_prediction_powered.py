"""Estimates from a sample and a model's labels: equal to the formulas by hand, and intervals that cover."""

from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import t

from cranfield.arrays.rankings import Floats, Ints
from cranfield.errors import InputError
from cranfield.formats import read_qrels
from cranfield.judging.agreement.agreement import matrix_of_qrels
from cranfield.judging.models.corrected import PoweredEstimate, powered
from tests.conftest import usually


def units(seed: int, size: int = 60) -> tuple[Floats, Floats, Ints]:
    """What people say of a third of the units, what a model says of all, and strata."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, size).astype(float)
    model = np.clip(truth + rng.integers(-1, 2, size), 0.0, 3.0)
    human = np.where(np.arange(size) % 3 == 0, truth, np.nan)
    return human, np.asarray(model, float), (np.arange(size) >= size // 2).astype(np.int64)


def by_hand(human: Floats, model: Floats, strata: Ints, lam: float) -> tuple[float, float]:
    """The estimate and its variance, stratum by stratum."""
    value = variance = 0.0
    for stratum in set(strata.tolist()):
        here = strata == stratum
        asked = here & ~np.isnan(human)
        share, rest = here.mean(), human[asked] - lam * model[asked]
        value += share * (lam * model[here].mean() + rest.mean())
        variance += share**2 * (1 - asked.sum() / here.sum()) * rest.var(ddof=1) / asked.sum()
    return value, variance


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("tuning", [None, 0.0, 0.3, 1.0])
@pytest.mark.parametrize("stratified", [False, True])
def test_equals_the_formulas(seed: int, tuning: float | None, stratified: bool) -> None:
    human, model, strata = units(seed)
    group = strata if stratified else np.zeros(len(model), np.int64)
    found = powered(human, model, group if stratified else None, tuning)
    value, variance = by_hand(human, model, group, found.tuning)
    wide = t.ppf(0.975, np.count_nonzero(~np.isnan(human)) - len(set(group.tolist()))) * sqrt(variance)
    assert np.allclose([found.value, found.low, found.high], [value, value - wide, value + wide], atol=1e-12)
    assert found.worth == pytest.approx(by_hand(human, model, group, 0.0)[1] / variance)
    if tuning is None:
        others = [by_hand(human, model, group, lam)[1] for lam in np.linspace(0, 1, 101)]
        assert variance <= min(others) + 1e-12


def test_one_stratum_is_tuned_by_covariance_over_variance() -> None:
    human, model, _ = units(3)
    asked = ~np.isnan(human)
    expected = np.cov(human[asked], model[asked])[0, 1] / model[asked].var(ddof=1)
    assert powered(human, model).tuning == pytest.approx(np.clip(expected, 0, 1))


def test_a_model_that_is_wrong_gets_no_weight() -> None:
    human, model, _ = units(1)
    assert powered(human, 3 - model).tuning == 0
    assert powered(human, 3 - model)[:3] == powered(human, model, tuning=0.0)[:3]
    assert powered(human, np.ones(len(model))).tuning == 0


def test_everything_asked_is_certain() -> None:
    found = powered(np.array([1.0, 0.0]), np.array([1.0, 1.0]))
    assert (found.value, found.low, found.high) == (0.5, 0.5, 0.5)


def test_a_stratum_that_nobody_asked_about_is_refused() -> None:
    with pytest.raises(InputError, match="a stratum has no label of a person"):
        powered(np.array([1.0, np.nan]), np.array([1.0, 1.0]), np.array([0, 1]))


WIDTHS = {  # the mean widths of the intervals: without the model, with full weight, tuned
    "willia-umbrela1": (0.1205, 0.1246, 0.1098),
    "TREMA-4prompts": (0.1205, 0.1466, 0.1132),
}


@pytest.mark.parametrize("name", WIDTHS)
def test_coverage_and_width_on_llmjudge(shared: Path, name: str) -> None:
    """The share of relevant passages, from random samples of 200."""
    folder = shared / "llmjudge"
    several = {"h": read_qrels(folder / "human.test.qrels.txt.gz"), "m": read_qrels(folder / f"labels/{name}.txt.gz")}
    human, model = (matrix_of_qrels(several, scale=[0, 1, 2, 3]).grades >= 2).astype(float).T
    rng, draws = np.random.default_rng(1), usually(150, 2000)
    found: list[list[PoweredEstimate]] = []
    for _ in range(draws):
        asked = np.full(len(human), np.nan)
        chosen = rng.choice(len(human), 200, replace=False)
        asked[chosen] = human[chosen]
        found.append([powered(asked, model, tuning=tuning) for tuning in (0.0, 1.0, None)])
    truth = human.mean()
    assert truth == pytest.approx(0.2679, abs=5e-5)
    for place, expected in enumerate(WIDTHS[name]):
        column = [one[place] for one in found]
        assert np.mean([one.high - one.low for one in column]) == pytest.approx(expected, abs=usually(0.002, 0.0003))
        assert 0.9 < np.mean([one.low <= truth <= one.high for one in column]) < usually(0.99, 0.96)
