"""Click models: figures of the literature's tools, exact posteriors, and parameters of simulated users found again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from cranfield.arrays.rankings import Floats
from cranfield.errors import InputError
from cranfield.features.online.analysis.clicks import click_fits
from cranfield.features.online.click_models import CLICK_MODELS, predict
from cranfield.features.online.click_models.model import STEPS, ClickedLists, clicked_lists, split
from cranfield.features.online.interactions import example
from tests.conftest import usually
from tests.features.online.simulated_clicks import ATTRACTION, TRUTH, identify, simulate

EIGHT = ["abcd:a", "abcd:ac", "abcd:", "bacd:b", "bacd:ba", "cabd:c", "cabd:cd", "dcba:b"]
RELEVANCE = {
    "sdbn": [0.3429, 0.3000, 0.3429, 0.2667],
    "pbm": [0.6448, 0.7116, 0.6906, 0.3604],
    "ubm": [0.6321, 0.7026, 0.6734, 0.3223],
    "cm": [0.6, 0.6667, 0.5, 0.25],
    "dcm": [0.5714, 0.5, 0.5714, 0.4],
    "dbn-pyclick": [0.2513, 0.2233, 0.2367, 0.1617],
    "ccm-pyclick": [0.2625, 0.2157, 0.2539, 0.1020],
}


def eight() -> ClickedLists:
    return clicked_lists(example(*EIGHT))


@pytest.mark.parametrize("name", RELEVANCE)
def test_figures_of_eight_lists(name: str) -> None:
    """Those of PyClick with a prior of one in two and 50 steps."""
    relevance = CLICK_MODELS[name].fit(eight(), STEPS).relevance
    assert relevance is not None
    assert relevance.round(4).tolist() == RELEVANCE[name]


def test_examination_of_eight_lists() -> None:
    examination = CLICK_MODELS["pbm"].fit(eight(), STEPS).shared["examination"]
    assert examination.round(4).tolist() == [0.8431, 0.2761, 0.4010, 0.3964]


STATES = ("unread", "skipped", "stays", "goes on", "satisfied", "satisfied, goes on", "skipped, goes on", "attractive")
Way = list[tuple[str, int, bool]]  # to read a list: parameters, of which document or kind, and how they came out
DOCUMENTS = {"dbn": ("attractiveness", "satisfaction"), "ccm": ("attractiveness",)}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_expectation_maximisation_is_exact(name: str) -> None:
    """All ways in which a user may have read each list, listed one by one, give the same parameters."""
    fit = CLICK_MODELS[name].fit(eight(), 4)
    parameters = {**fit.documents, **fit.shared}
    values = {one: np.full(4, 0.5) for one in DOCUMENTS[name]} | {"continuation": np.full(3, 0.5)}
    lists = [[way for states in product(STATES, repeat=4) if (way := read(name, one, states))] for one in EIGHT]
    for _ in range(4):
        values = enumerate_ways(lists, values)
    for parameter, value in values.items():
        np.testing.assert_allclose(parameters[parameter], value[: len(parameters[parameter])])


def enumerate_ways(lists: Sequence[Sequence[Way]], values: Mapping[str, Floats]) -> dict[str, Floats]:
    """A step: successes and trials of each way to read a list, weighted by its probability."""
    counts = {parameter: np.tile([[1.0], [2.0]], len(old)) for parameter, old in values.items()}
    for ways in lists:
        weights = [np.prod([values[p][at] if won else 1 - values[p][at] for p, at, won in way]) for way in ways]
        for way, weight in zip(ways, np.array(weights) / sum(weights), strict=True):
            for parameter, at, success in way:
                counts[parameter][:, at] += weight * np.array([success, 1])
    return {parameter: won / trials for parameter, (won, trials) in counts.items()}


def read(name: str, one: str, way: tuple[str, ...]) -> Way | None:
    """The trials of a way to read a list; None where it does not fit the clicks, or the model."""
    order, clicks = one.split(":")
    trials: Way = []
    reads = True
    for rank, (docno, state) in enumerate(zip(order, way, strict=True)):
        document, click, ends = "abcd".index(docno), docno in clicks, rank == len(order) - 1
        if reads != (state not in ("unread", "attractive")):
            return None
        if not reads:
            if click:
                return None
            trials.append(("attractiveness", document, state == "attractive"))
            continue
        if click != (not state.startswith("skipped")):
            return None
        trials.append(("attractiveness", document, click))
        satisfied, reads = state.startswith("satisfied"), state.endswith("goes on")
        if click:
            trials.append((("attractiveness" if name == "ccm" else "satisfaction"), document, satisfied))
        if ends:
            if reads:
                return None
        elif name == "ccm":
            trials.append(("continuation", click + satisfied, reads))
        elif not satisfied:
            trials.append(("continuation", 0, reads))
        elif reads:
            return None
    return trials


@pytest.mark.parametrize("name", CLICK_MODELS)
def test_chances_are_those_of_all_ways_to_click(name: str) -> None:
    """The probabilities of all click patterns sum to 1, and those with a click at a rank to that of the rank."""
    patterns = ["".join(one) for one in product(*[("", d) for d in "bdac"])]
    lists = clicked_lists(example(*[f"bdac:{pattern}" for pattern in patterns]))
    fit = TRUTH[name]
    conditional, alone = CLICK_MODELS[name].chances(fit, lists)
    of_pattern = np.where(lists.click, conditional, 1 - conditional).prod(axis=1)
    assert of_pattern.sum() == pytest.approx(1)
    np.testing.assert_allclose((of_pattern[:, None] * lists.click).sum(axis=0), alone[0], atol=1e-12)


@pytest.mark.parametrize("name", CLICK_MODELS)
def test_lists_may_differ_in_length_and_begin_on_a_later_page(name: str) -> None:
    """A list tells the same alone as beside longer ones; documents of a second page have the ranks of that page."""
    model, log = CLICK_MODELS[name], example("ab:b", "abcd:ad", "cd:c")
    log = replace(log, first=np.array([0, 0, 2]))
    lists = clicked_lists(log)
    assert lists.shown.astype(int).tolist() == [[1, 1, 0, 0], [1, 1, 1, 1], [0, 0, 1, 1]]
    fit = model.fit(lists, 3)
    short = lists.choose(np.array([True, False, False]))
    cut = ClickedLists(short.pair[:, :2], short.click[:, :2], short.shown[:, :2], short.count, 4)
    few = fit._replace(shared={key: one[(slice(2),) * one.ndim] for key, one in fit.shared.items()})
    ours, theirs = predict(model, fit if name.startswith("ccm") else few, cut), predict(model, fit, short)
    assert ours.log_likelihood == theirs.log_likelihood
    assert ours.perplexity == theirs.perplexity


@pytest.mark.parametrize("name", ["sdbn-em", "dbn", "dbn-pyclick", "ccm", "ccm-pyclick"])
def test_where_a_list_begins_and_how_long_others_are_does_not_matter_from_the_top_down(name: str) -> None:
    """A step finds the same of eight lists on any page, and beside longer lists of other documents."""
    log = example(*EIGHT)
    later = clicked_lists(replace(log, first=np.full(8, 2)))
    beside = clicked_lists(example(*EIGHT, "efghij:fi"))
    fit = CLICK_MODELS[name].fit
    for parameter, expected in fit(eight(), 1).documents.items():
        np.testing.assert_allclose(fit(later, 1).documents[parameter], expected)
        np.testing.assert_allclose(fit(beside, 1).documents[parameter][:4], expected)
    for parameter, value in fit(eight(), 3).shared.items():
        np.testing.assert_allclose(fit(later, 3).shared[parameter], value)


def test_a_split_keeps_sessions_together_and_equal_lists_are_one_row() -> None:
    """Whatever the order in which they came. Of lists without documents one part has nothing."""
    log = replace(example(*["ab:b"] * 40), session=np.arange(40) // 2)
    is_test = split(log, 0.25, seed=3)
    assert is_test.sum() == 10
    assert (is_test[::2] == is_test[1::2]).all()
    lists = clicked_lists(example("ba:", "ab:b", "ba:", "ba:a", "ab:b", "ba:"))
    assert lists.pair.tolist() == [[1, 0], [0, 1], [1, 0]]
    assert lists.count.tolist() == [3, 2, 1]
    with pytest.raises(InputError, match=r"a test share of 0\.5 leaves no sessions to fit or no sessions to"):
        click_fits(example("ab:a", *[":"] * 9), ["sdbn"], test=0.5)


ROUGH = ("dcm", "sdbn", "dbn-pyclick", "ccm-pyclick")  # these take the last click, or a list without one, for the end
EXACT = [name for name in CLICK_MODELS if name not in ROUGH]
SESSIONS = usually(20_000, 100_000)
BEST = usually(["gctr", "rctr", "dctr", "pbm", "cm", "ubm"], list(CLICK_MODELS))


@pytest.mark.parametrize("name", EXACT)
def test_parameters_of_simulated_users_are_found(name: str) -> None:
    """All within 3 standard errors (by bootstrap), and no model predicts their next clicks better but by chance."""
    rng = np.random.default_rng(1)
    train, test = simulate(name, SESSIONS, rng), simulate(name, SESSIONS, rng)
    model, truth = CLICK_MODELS[name], identify(name, TRUTH[name])
    fit = model.fit(train, STEPS)
    again = [identify(name, model.fit(resample(train, rng), usually(15, STEPS))) for _ in range(usually(8, 30))]
    z = (identify(name, fit) - truth) / np.std(again, axis=0, ddof=1)
    assert np.abs(z).max() < usually(4.5, 3)  # the errors of a few draws are rough
    own = predict(model, fit, test).log_likelihood
    others = [predict(CLICK_MODELS[one], CLICK_MODELS[one].fit(train, STEPS), test) for one in BEST]
    assert own > max(one.log_likelihood for one in others) - 10 / SESSIONS


def resample(lists: ClickedLists, rng: np.random.Generator) -> ClickedLists:
    n = int(lists.count.sum())
    return replace(lists, count=rng.multinomial(n, lists.count / n).astype(float))


def test_counts_take_the_last_click_for_the_end() -> None:
    """What SDBN's counts get wrong of users of its own kind, and exact inference does not."""
    train = simulate("sdbn", SESSIONS, np.random.default_rng(1))
    by_counts = CLICK_MODELS["sdbn"].fit(train, STEPS).documents["attractiveness"]
    by_inference = CLICK_MODELS["sdbn-em"].fit(train, STEPS).documents["attractiveness"]
    assert (by_counts > ATTRACTION + 0.02).all()
    np.testing.assert_allclose(by_inference, ATTRACTION, atol=0.02)


@pytest.mark.parametrize("name", ["dbn", "ccm"])
def test_the_steps_of_pyclick_find_users_who_never_give_up(name: str) -> None:
    """Though one in five does after each document; so they predict users of their own kind worse than exact steps."""
    train = simulate(name, SESSIONS, np.random.default_rng(1))
    exact, rough = (CLICK_MODELS[one].fit(train, usually(20, STEPS)) for one in (name, f"{name}-pyclick"))
    assert exact.shared["continuation"][0] == pytest.approx(TRUTH[name].shared["continuation"][0], abs=0.03)
    assert rough.shared["continuation"][0] > 0.98
    assert (rough.documents["attractiveness"] < ATTRACTION - 0.04).all()


@pytest.mark.parametrize("name", ["dcm", "sdbn"])
def test_counts_alone_keep_a_model_from_being_the_best_of_its_own_users(name: str) -> None:
    """Those who infer predict them as well as the parameters that drew the clicks; those who count do not."""
    rng = np.random.default_rng(1)
    train, test = simulate(name, SESSIONS, rng), simulate(name, SESSIONS, rng)
    fits = {one: CLICK_MODELS[one].fit(train, usually(20, STEPS)) for one in (f"{name}-em", "dbn", "ubm", name)}
    likelihood = {one: predict(CLICK_MODELS[one], fit, test).log_likelihood for one, fit in fits.items()}
    assert predict(CLICK_MODELS[name], TRUTH[name], test).log_likelihood > max(likelihood.values()) - 10 / SESSIONS
    assert likelihood[f"{name}-em"] > max(likelihood["ubm"], likelihood["dbn"], likelihood[name] + 0.03) - 10 / SESSIONS
