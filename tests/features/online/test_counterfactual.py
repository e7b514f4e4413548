"""Counterfactual estimators: small figures, open data, and logs of rankings drawn at random."""

import csv
import os
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cranfield.arrays.interactions import Actions, Interactions, example
from cranfield.errors import InputError
from cranfield.features.online.analysis.counterfactual import counterfactual, refusal
from cranfield.features.online.click_models.model import clicked_lists
from cranfield.features.online.counterfactual.estimate import estimated, jackknifed, left_out
from cranfield.features.online.counterfactual.estimators import ESTIMATORS, ListTerms, Weighted, one_per_list
from cranfield.features.online.counterfactual.weights import NewRanking, by_examination, by_swaps
from cranfield.features.online.formats.reading import read_examination

TINY = one_per_list(
    np.array([0.8, 0.8, 0.2, 0.2]) / [0.5, 0.25, 0.8, 0.2], [1, 0, 1, 1], [0.6, 0.4, 0.5, 0.5], [0.55, 0.45, 0.5, 0.5]
)


@pytest.mark.parametrize(("name", "value"), [("ips", 0.7125), ("snips", 0.4711), ("dm", 0.5), ("dr", 0.49625)])
def test_four_lists(name: str, value: float) -> None:
    assert ESTIMATORS[name].terms(TINY).value == pytest.approx(value, abs=5e-5)


def test_effective_size_of_four_lists() -> None:
    assert round(TINY.effective, 3) == 2.640


OBD = os.environ.get("CRANFIELD_OBD")  # the folder obp/dataset/obd of the wheel of obp, unpacked


def open_bandit(campaign: str) -> Weighted:
    """The log of a campaign as if its items had been drawn evenly."""
    folder = Path(OBD or "") / "bts" / campaign
    with (folder / "item_context.csv").open() as items:
        number = sum(1 for _ in csv.DictReader(items))
    with (folder / f"{campaign}.csv").open() as log:
        rows = [(float(row["propensity_score"]), float(row["click"])) for row in csv.DictReader(log)]
    propensity, click = np.array(rows).T
    return one_per_list(1 / number / propensity, click)


@pytest.mark.skipif(OBD is None, reason="needs the Open Bandit Data; CRANFIELD_OBD names their folder")
@pytest.mark.parametrize(
    ("campaign", "ips", "snips", "effective", "most"),
    [
        ("all", 0.002360, 0.002334, 340.4, 277.8),
        ("men", 0.003009, 0.003189, 655.7, None),
        ("women", 0.007438, 0.002373, 2.1, 21739),
    ],
)
def test_open_bandit_data(campaign: str, ips: float, snips: float, effective: float, most: float | None) -> None:
    log = open_bandit(campaign)
    assert round(log.effective, 1) == effective
    assert most is None or log.weight.max() == pytest.approx(most, rel=2e-4)
    assert round(ESTIMATORS["ips"].terms(log).value, 6) == ips
    assert round(ESTIMATORS["snips"].terms(log).value, 6) == snips
    found = estimated(ESTIMATORS["ips"], log, np.arange(len(log.weight)))
    assert found.concluded == (campaign != "women")
    if campaign == "all":
        assert found.error == pytest.approx(0.000871, rel=0.05)


ATTRACTION, EXAMINATION = np.array([0.7, 0.5, 0.3, 0.2]), np.array([0.9, 0.6, 0.4, 0.25])
NEW = NewRanking(np.zeros(4, int), np.array([3, 2, 1, 0]), np.arange(4))
TRUTH = float((ATTRACTION[[3, 2, 1, 0]] * EXAMINATION).sum())


def drawn(lists: int = 6000, seed: int = 5) -> Interactions:
    """Lists of four documents in an even random order, with clicks of position-based users."""
    rng = np.random.default_rng(seed)
    orders = rng.permuted(np.tile(np.arange(4), (lists, 1)), axis=1)
    clicked = rng.random(orders.shape) < ATTRACTION[orders] * EXAMINATION
    row, position = np.nonzero(clicked)
    log = example(*["abcd:"] * lists)
    unknown = np.full(len(row), np.nan)
    actions = Actions(row, np.zeros(len(row), np.int8), position, at=row.astype(float), seconds=unknown, value=unknown)
    return replace(
        log, document=orders.ravel(), actions=actions, user=np.arange(lists) % 400, users=400,
        propensity=np.full(4 * lists, 0.25),
    )  # fmt: skip


GIVEN_ABOVE = np.tile([1 / 4, 1 / 3, 1 / 2, 1], 6000)  # the propensities of whole lists
LOG = drawn()


@pytest.mark.parametrize("name", ["ips", "snips", "dr", "dm", "item-position", "pseudo-inverse"])
def test_a_random_log_tells_what_another_ranking_would_get(name: str) -> None:
    log = LOG if name == "item-position" else replace(LOG, propensity=GIVEN_ABOVE)
    (found,) = counterfactual(log, NEW, "new", names=[name]).estimates
    assert found.value == pytest.approx(TRUTH, abs=0.02 if name == "dm" else 3 * found.error)
    assert name == "dm" or found.mean == pytest.approx(1, abs=0.15)
    assert name == "dm" or found.low < TRUTH < found.high


@pytest.mark.parametrize("propensity", ["pbm", "swap", "file"])
def test_examination_stands_in_for_propensities(propensity: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("1 .9\n2,.6\n\n3\t.4\n4 .25\n")
    log = replace(LOG, propensity=np.full(24000, np.nan))
    told = propensity if propensity != "file" else str(tmp_path / "file")
    (found,) = counterfactual(log, NEW, "new", propensity=told).estimates
    assert found.estimator == "position-based"
    assert found.value == pytest.approx(TRUTH, abs=0.05)


def test_what_must_not_be_concluded_is_withheld() -> None:
    few = replace(LOG, propensity=GIVEN_ABOVE).choose(np.arange(6000) < 300)
    found = counterfactual(few, NEW, "new", names=["snips", "dm"])
    assert [one.concluded for one in found.estimates] == [False, True]
    assert refusal(found).startswith(f"no conclusion: the effective sample size is {found.estimates[0].effective:.1f}")
    assert refusal(counterfactual(few, NEW, "new", enough=2)) == ""


def test_documents_of_a_list_are_not_independent() -> None:
    """However many documents a list has, the effective size is one of lists."""
    log = replace(example(*["abcd:a"] * 40), propensity=np.full(160, np.nan))
    same = NewRanking(np.zeros(4, int), np.arange(4), np.arange(4))
    (found,) = counterfactual(log, same, "same", propensity="pbm").estimates
    assert found.effective == pytest.approx(40)
    assert not found.concluded


def reason(log: Interactions, name: str, new: NewRanking = NEW) -> str:
    """Why an estimator gives a value of this log and no interval."""
    (found,) = counterfactual(log, new, "new", names=[name]).estimates
    assert found.concluded
    assert np.isnan([found.low, found.high]).all() == bool(found.why)
    return found.why


def test_an_interval_that_could_not_hold_is_not_given() -> None:
    """The error of a model, weights that were cut, and what the log could not show are in no sample of it."""
    log = replace(LOG, propensity=GIVEN_ABOVE)
    assert reason(log, "snips") == ""
    assert reason(log, "dm").startswith("how wrong a click model is")
    assert re.match(r"2\d\d weights were cut, so the estimate is too low", reason(log, "clipped"))
    assert reason(replace(log, user=np.arange(6000) % 9, users=9), "ips").startswith("9 users are too few")
    never = NEW._replace(document=np.array([3, 2, 1, 9]))
    assert reason(log, "pseudo-inverse") == ""
    assert reason(replace(log, propensity=np.full(24000, 0.25)), "item-position", never).startswith("25.00% of the run")
    seldom = replace(log, propensity=np.where(log.position == 0, 0.9, log.propensity))  # as if it were the rule
    assert reason(seldom, "ips").startswith("the mean weight is 0.2")
    clicked = np.bincount(log.impression, log.clicks) > 0
    few = log.choose(~clicked | (np.arange(6000) % 40 == 0))
    assert reason(few, "dr").startswith("it rests on")
    assert reason(few, "snips") == ""


def test_the_jackknife_is_the_delta_method() -> None:
    """Of a mean exactly, of a ratio nearly; 40 users of 15 lists each."""
    rng = np.random.default_rng(3)
    users, terms = np.repeat(np.arange(40), 15), ListTerms(rng.exponential(1, 600), rng.exponential(1, 600))
    by_user = [np.bincount(users, column) for column in terms]
    moves = by_user[0] - terms.value * by_user[1]
    assert jackknifed(left_out(terms, users)) == pytest.approx(
        moves.std(ddof=1) / np.sqrt(40) / by_user[1].mean(), rel=0.03
    )


def test_examination_is_estimated_again_without_each_group() -> None:
    """One list a user: what the interval allows is what lists drawn anew give, not a third of it."""
    lists = replace(drawn(800), user=np.arange(800), users=800)
    (found,) = counterfactual(lists, NEW, "new", propensity="swap").estimates
    values = [counterfactual(drawn(800, seed), NEW, "new", propensity="swap").estimates[0].value for seed in range(30)]
    assert found.error == pytest.approx(np.std(values), rel=0.5)
    fixed = estimated(
        ESTIMATORS["position-based"],
        by_examination(lists, NEW, by_swaps(clicked_lists(lists))), np.arange(800),
    )  # fmt: skip
    assert fixed.error != pytest.approx(found.error, rel=0.02)


def test_the_same_ranking_gets_what_it_got() -> None:
    log = replace(example(*["ab:a"] * 150, *["ab:"] * 50), propensity=np.ones(400))
    same = NewRanking(np.zeros(2, int), np.arange(2), np.arange(2))
    names = ["ips", "snips", "dr", "item-position", "pseudo-inverse"]
    assert [round(one.value, 9) for one in counterfactual(log, same, "same", names=names).estimates] == [0.75] * 5


def test_bad_questions() -> None:
    bare = replace(LOG, propensity=np.full(24000, np.nan))
    for names, propensity, message in (
        ((), "logged", "the log has no propensities"),
        (["snips"], "pbm", "snips needs logged propensities"),
        (["position-based"], "logged", "position-based needs the examination of ranks"),
        (["ipw"], "logged", "unknown estimator 'ipw'"),
    ):
        with pytest.raises(InputError, match=message):
            counterfactual(bare, NEW, "new", names=names, propensity=propensity)
    with pytest.raises(InputError, match="the log has no lists for the topics of this run"):
        counterfactual(LOG, NEW._replace(topic=np.ones(4, int)), "new")
    never = NEW._replace(document=np.array([3, 2, 1, 9]))
    with pytest.raises(InputError, match="pseudo-inverse: for 6,000 of 6,000 lists"):
        counterfactual(LOG, never, "new", names=["pseudo-inverse"])
    assert counterfactual(LOG, never, "new", names=["dm"]).never_shown == 0.25


@pytest.mark.parametrize("text", ["1 .9\n3 .5\n", "1 0\n", "1 1.5\n", "1\n", "x\n", "1 .5 2\n"])
def test_bad_examination(text: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text(text)
    with pytest.raises(InputError, match=r"file:[12]: .*; expected rank [12] and a probability"):
        read_examination(tmp_path / "file")
