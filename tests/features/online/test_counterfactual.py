"""Counterfactual estimators: small figures, open data, and logs of rankings drawn at random."""

import csv
import gzip
import os
import re
from dataclasses import replace
from functools import cache
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from cranfield.errors import InputError
from cranfield.features.online.analysis.counterfactual import counterfactual, new_ranking, policy_of, refusal
from cranfield.features.online.click_models.model import clicked_lists
from cranfield.features.online.counterfactual.estimate import estimate_by, jackknife, left_out
from cranfield.features.online.counterfactual.estimators import ESTIMATORS, ListTerms, WeightedLists, one_per_list
from cranfield.features.online.counterfactual.policies import chances_of_ranks, plackett_luce
from cranfield.features.online.counterfactual.weights import (
    NewRanking,
    chances_of_lists,
    examination_by_swaps,
    weigh_by_examination,
    weigh_by_list,
)
from cranfield.features.online.formats.reading import read_examination
from cranfield.features.online.interactions import Actions, Interactions, example
from tests.stores import new_store

TINY = one_per_list(
    np.array([0.8, 0.8, 0.2, 0.2]) / [0.5, 0.25, 0.8, 0.2], [1, 0, 1, 1], [0.6, 0.4, 0.5, 0.5], [0.55, 0.45, 0.5, 0.5]
)


def test_four_lists() -> None:
    for name, value in {"ips": 0.7125, "snips": 0.4711, "dm": 0.5, "dr": 0.49625}.items():
        assert ESTIMATORS[name].terms(TINY).value == pytest.approx(value, abs=5e-5), name
    assert round(TINY.effective, 3) == 2.640


OBD = os.environ.get("CRANFIELD_OBD")  # the folder obp/dataset/obd of the wheel of obp, unpacked


def open_bandit(campaign: str) -> WeightedLists:
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
    estimates = estimate_by(ESTIMATORS["ips"], log, np.arange(len(log.weight)))
    assert estimates.concluded == (campaign != "women")
    if campaign == "all":
        assert estimates.error == pytest.approx(0.000871, rel=0.05)


ATTRACTION, EXAMINATION = np.array([0.7, 0.5, 0.3, 0.2]), np.array([0.9, 0.6, 0.4, 0.25])
NEW = NewRanking(np.zeros(4, int), np.array([3, 2, 1, 0]), np.arange(4))
TRUTH = float((ATTRACTION[[3, 2, 1, 0]] * EXAMINATION).sum())


@cache
def draw_log(lists: int = 6000, seed: int = 5) -> Interactions:
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


@pytest.mark.parametrize("name", ["ips", "snips", "dr", "dm", "item-position", "pseudo-inverse"])
def test_a_random_log_tells_what_another_ranking_would_get(name: str) -> None:
    log = draw_log() if name == "item-position" else replace(draw_log(), propensity=GIVEN_ABOVE)
    (estimates,) = counterfactual(log, NEW, "new", names=[name]).estimates
    assert estimates.value == pytest.approx(TRUTH, abs=0.02 if name == "dm" else 3 * estimates.error)
    assert name == "dm" or estimates.mean == pytest.approx(1, abs=0.15)
    assert name == "dm" or estimates.low < TRUTH < estimates.high


@pytest.mark.parametrize("propensity", ["pbm", "swap", "file"])
def test_examination_stands_in_for_propensities(propensity: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("1 .9\n2,.6\n\n3\t.4\n4 .25\n")
    log = replace(draw_log(), propensity=np.full(24000, np.nan))
    source = propensity if propensity != "file" else str(tmp_path / "file")
    (estimates,) = counterfactual(log, NEW, "new", propensity=source).estimates
    assert estimates.estimator == "position-based"
    assert estimates.value == pytest.approx(TRUTH, abs=0.05)


@pytest.mark.parametrize("propensity", ["pbm", "swap", "file"])
def test_documents_that_some_lists_showed_count_for_all(propensity: str, tmp_path: Path) -> None:
    """Of four documents each list shows the first two of a random order, as a page of a longer ranking does."""
    (tmp_path / "file").write_text("1 .9\n2 .6\n")
    whole = draw_log()
    shown, first = whole.position < 2, whole.actions.position < 2
    rows = {name: getattr(whole.actions, name)[first] for name in ("impression", "kind", "position", "at")}
    unknown = np.full(first.sum(), np.nan)
    log = replace(
        whole, bounds=np.arange(0, 12001, 2), document=whole.document[shown], team=whole.team[shown],
        propensity=np.full(12000, np.nan), actions=Actions(**rows, seconds=unknown, value=unknown),
    )  # fmt: skip
    source = propensity if propensity != "file" else str(tmp_path / "file")
    (estimates,) = counterfactual(log, NEW, "new", propensity=source).estimates
    truth = float((ATTRACTION[[3, 2]] * EXAMINATION[:2]).sum())
    assert estimates.low < truth < estimates.high < 1.4 * truth


def test_what_must_not_be_concluded_is_withheld() -> None:
    few = replace(draw_log(), propensity=GIVEN_ABOVE).choose(np.arange(6000) < 300)
    estimates = counterfactual(few, NEW, "new", names=["snips", "dm"])
    assert [one.concluded for one in estimates.estimates] == [False, True]
    assert refusal(estimates).startswith(
        f"no conclusion: the effective sample size is {estimates.estimates[0].effective:.1f}"
    )
    assert refusal(counterfactual(few, NEW, "new", enough=2)) == ""


def test_documents_of_a_list_are_not_independent() -> None:
    """However many documents a list has, the effective size is one of lists."""
    log = replace(example(*["abcd:a"] * 40), propensity=np.full(160, np.nan))
    same = NewRanking(np.zeros(4, int), np.arange(4), np.arange(4))
    (estimates,) = counterfactual(log, same, "same", propensity="pbm").estimates
    assert estimates.effective == pytest.approx(40)
    assert not estimates.concluded


def reason(log: Interactions, name: str, new: NewRanking = NEW) -> str:
    """Why an estimator gives a value of this log and no interval."""
    (estimates,) = counterfactual(log, new, "new", names=[name]).estimates
    assert estimates.concluded
    assert np.isnan([estimates.low, estimates.high]).all() == bool(estimates.why)
    return estimates.why


def test_an_interval_that_could_not_hold_is_not_given() -> None:
    """The error of a model, weights that were cut, and what the log could not show are in no sample of it."""
    log = replace(draw_log(), propensity=GIVEN_ABOVE)
    assert reason(log, "snips") == ""
    assert reason(replace(log, propensity=np.full(24000, np.nan)), "dm").startswith("the error of a click model")
    assert re.match(r"2\d\d weights were capped, so the estimate is too low", reason(log, "clipped"))
    assert reason(replace(log, user=np.arange(6000) % 9, users=9), "ips").startswith("9 users are too few")
    never = NEW._replace(document=np.array([3, 2, 1, 9]))
    assert reason(log, "pseudo-inverse") == ""
    assert reason(replace(log, propensity=np.full(24000, 0.25)), "item-position", never).startswith("25% of the run")
    seldom = replace(log, propensity=np.where(log.position == 0, 0.9, log.propensity))  # as if it were the rule
    assert reason(seldom, "ips").startswith("the mean weight is 0.2")
    clicked = np.bincount(log.impression, log.clicks) > 0
    few = log.choose(~clicked | (np.arange(6000) % 40 == 0))
    assert reason(few, "dr").startswith("the effective number of lists with clicks is only 2.7")
    assert reason(few, "snips") == ""


def test_the_jackknife_is_the_delta_method() -> None:
    """Of a mean exactly, of a ratio nearly; 40 users of 15 lists each."""
    rng = np.random.default_rng(3)
    users, terms = np.repeat(np.arange(40), 15), ListTerms(rng.exponential(1, 600), rng.exponential(1, 600))
    by_user = [np.bincount(users, column) for column in terms]
    moves = by_user[0] - terms.value * by_user[1]
    assert jackknife(left_out(terms, users)) == pytest.approx(
        moves.std(ddof=1) / np.sqrt(40) / by_user[1].mean(), rel=0.03
    )


def test_examination_is_estimated_again_without_each_group() -> None:
    """One list a user: what the interval allows is what lists drawn anew give, not a third of it."""
    lists = replace(draw_log(800), user=np.arange(800), users=800)
    (estimates,) = counterfactual(lists, NEW, "new", propensity="swap").estimates
    by = ESTIMATORS["position-based"]
    logs = [lists, *(draw_log(800, seed) for seed in range(30))]
    terms = [weigh_by_examination(log, NEW, examination_by_swaps(clicked_lists(log))) for log in logs]
    values = [by.terms(one).value for one in terms]
    assert estimates.value == values[0]
    assert estimates.error == pytest.approx(np.std(values[1:]), rel=0.5)
    single_fit = estimate_by(by, terms[0], np.arange(800))
    assert single_fit.error != pytest.approx(estimates.error, rel=0.02)


def test_the_same_ranking_gets_what_it_got() -> None:
    log = replace(example(*["ab:a"] * 150, *["ab:"] * 50), propensity=np.ones(400))
    same = NewRanking(np.zeros(2, int), np.arange(2), np.arange(2))
    names = ["ips", "snips", "dr", "item-position", "pseudo-inverse"]
    assert [round(one.value, 9) for one in counterfactual(log, same, "same", names=names).estimates] == [0.75] * 5


SCORES = np.log([1.0, 2, 3, 6])
DRAWN = plackett_luce(np.zeros(4, int), np.arange(4), SCORES, depth=4)


def chance_of(order: tuple[int, ...]) -> float:
    """Of the first documents of an order, drawn one after the other."""
    rest, chance = dict(enumerate(np.exp(SCORES))), 1.0
    for document in order:
        chance *= rest[document] / sum(rest.values())
        del rest[document]
    return chance


def test_the_tiny_policy_that_draws() -> None:
    """Four lists of one document: p .5 .25 .8 .2, by the policy .8 .8 .2 .2."""
    log = example("a:a", "b:", "c:c", "d:d")
    log = replace(log, topic=np.arange(4), propensity=np.array([0.5, 0.25, 0.8, 0.2]))
    chance = np.array([0.8, 0.8, 0.2, 0.2])
    topic, document = np.tile(np.arange(4), 2), np.append(np.arange(4), np.full(4, 9))
    new = NewRanking(topic, document, np.zeros(8, int), np.append(chance, 1 - chance))
    weighted = weigh_by_list(log, new)
    assert [round(ESTIMATORS[name].terms(weighted).value, 4) for name in ("ips", "snips")] == [0.7125, 0.4711]
    assert round(weighted.effective, 3) == 2.640
    weighted = weighted.with_model(TINY.prediction, TINY.expectation)
    assert [round(ESTIMATORS[name].terms(weighted).value, 5) for name in ("dm", "dr")] == [0.5, 0.49625]


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_lists_are_drawn_as_plackett_and_luce_say(depth: int) -> None:
    """The probability of every list, which sum to 1, and of documents at ranks, by all lists."""
    orders = list(permutations(range(4), depth))
    log = replace(example(*[f"{'abcd'[:depth]}:"] * len(orders)), document=np.array(orders).ravel())
    chances = np.exp(chances_of_lists(log, DRAWN))
    assert chances == pytest.approx([chance_of(order) for order in orders])
    assert chances.sum() == pytest.approx(1)
    for document, rank, chance in zip(DRAWN.document, DRAWN.rank, DRAWN.chance, strict=True):
        if rank < depth:
            exact = sum(chance_of(order) for order in orders if order[rank] == document)
            assert chance == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize("name", ["ips", "snips", "dr", "dm", "item-position"])
def test_a_random_log_tells_what_a_policy_that_draws_would_get(name: str) -> None:
    log = draw_log() if name == "item-position" else replace(draw_log(), propensity=GIVEN_ABOVE)
    truth = sum(
        chance_of(order) * float((ATTRACTION[list(order)] * EXAMINATION).sum()) for order in permutations(range(4))
    )
    (estimates,) = counterfactual(log, DRAWN, "new", names=[name]).estimates
    assert estimates.value == pytest.approx(truth, abs=0.02 if name == "dm" else 3 * estimates.error)
    assert name == "dm" or estimates.mean == pytest.approx(1, abs=0.05)
    assert estimates.low < truth < estimates.high
    assert estimates.why == ""


def test_ranks_are_drawn_as_plackett_and_luce_say_however_far_apart_scores_are() -> None:
    """Each document is somewhere, each rank has one; the best is first, and what is worth nothing comes last."""
    for scores, depth in ((np.linspace(0, 30, 40), 12), (np.array([0.0, -300, -700]), 3), (np.zeros(100), 100)):
        chances = chances_of_ranks(scores, depth)
        assert chances.sum(axis=0) == pytest.approx(np.ones(depth))
        assert chances.sum(axis=1).max() <= 1 + 1e-8
    assert chances == pytest.approx(np.full((100, 100), 0.01))
    assert chances_of_ranks(np.array([0.0, -300, -700]), 3) == pytest.approx(np.eye(3))


def test_a_policy_without_noise_is_its_ranking() -> None:
    """At a low temperature Plackett and Luce's model draws the run itself."""
    log = replace(draw_log(), propensity=GIVEN_ABOVE)
    cold = plackett_luce(np.zeros(4, int), np.arange(4), np.arange(4.0), depth=4, temperature=1e-3)
    for name in ("ips", "dr", "dm"):
        policy, ranking = (counterfactual(log, one, "new", names=[name]).estimates[0].value for one in (cold, NEW))
        assert policy == pytest.approx(ranking)


def test_the_direct_method_is_as_wide_as_what_propensities_say_of_it() -> None:
    """Of users who stop at a click the model is wrong: its interval is that far from the doubly robust estimate."""
    log = replace(draw_log(), propensity=GIVEN_ABOVE)
    first = np.unique(log.actions.impression, return_index=True)[1]
    first_clicks = replace(log, actions=Actions(**{name: column[first] for name, column in vars(log.actions).items()}))
    dm, dr = counterfactual(first_clicks, NEW, "new", names=["dm", "dr"]).estimates
    assert dm.low <= dr.low < dr.high <= dm.high
    assert dm.high - dm.low > dr.high - dr.low


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "qid,docno,position,probability\n7,a,1,1.5\n",
            ":2: position '1' and probability '1.5'; expected a position from 1",
        ),
        ("qid,docno,position,probability\n7,a,1,.5\n7,a,1,.5\n", ":3: 'a' appears twice at position 1"),
        (
            "qid,docno,position,probability\n7,a,1,.5\n",
            "csv: topic '7': the probabilities of position 1 sum to 0.5",
        ),
        ("docno,probability\na,1\n", ":1: no column qid; expected qid, docno, position and probability"),
    ],
)
def test_a_bad_policy_is_named(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "policy.csv").write_text(text)
    with new_store(topics="7") as store, pytest.raises(InputError, match=why):
        new_ranking(store, str(tmp_path / "policy.csv"))


def test_what_a_policy_cannot_tell_is_refused(tmp_path: Path) -> None:
    (tmp_path / "policy.csv").write_text("qid,docno,probability\n7,a,.25\n7,b,.75\n")
    with new_store(topics="7") as store:
        new = new_ranking(store, str(tmp_path / "policy.csv"))
        with pytest.raises(InputError, match="already defines a policy; leave --policy out"):
            policy_of(store, str(tmp_path / "policy.csv"), draw_log(), policy="plackett-luce")
        with pytest.raises(InputError, match="add --policy plackett-luce"):
            policy_of(store, str(tmp_path / "policy.csv"), draw_log(), temperature=2)
        (tmp_path / "policy.csv.gz").write_bytes(gzip.compress((tmp_path / "policy.csv").read_bytes()))
        assert new_ranking(store, str(tmp_path / "policy.csv.gz")).probability is not None
        with pytest.raises(InputError, match="unknown policy 'greedy'"):
            policy_of(store, "x", draw_log(), policy="greedy")
    assert new.probability is not None
    assert new.probability.tolist() == [0.25, 0.75]
    for name, propensity, why in (
        ("ips", "logged", "do not determine the probabilities of whole lists"),
        ("position-based", "pbm", "position-based needs one ranking"),
        ("pseudo-inverse", "logged", "pseudo-inverse needs one ranking"),
    ):
        with pytest.raises(InputError, match=why):
            counterfactual(draw_log(), new, "new", names=[name], propensity=propensity)


def test_bad_questions() -> None:
    bare = replace(draw_log(), propensity=np.full(24000, np.nan))
    for names, propensity, message in (
        ((), "logged", "the log has no propensities"),
        (["snips"], "pbm", "snips needs logged propensities"),
        (["position-based"], "logged", "position-based needs the examination probability of each rank"),
        (["ipw"], "logged", "unknown estimator 'ipw'"),
    ):
        with pytest.raises(InputError, match=message):
            counterfactual(bare, NEW, "new", names=names, propensity=propensity)
    with pytest.raises(InputError, match="the log has no lists for the topics of this run"):
        counterfactual(draw_log(), NEW._replace(topic=np.ones(4, int)), "new")
    never = NEW._replace(document=np.array([3, 2, 1, 9]))
    with pytest.raises(InputError, match="pseudo-inverse: for 6,000 of 6,000 lists"):
        counterfactual(draw_log(), never, "new", names=["pseudo-inverse"])
    assert counterfactual(draw_log(), never, "new", names=["dm"]).never_shown == 0.25


def test_a_document_that_was_never_shown_leaves_no_interval() -> None:
    """Of a ranking; a policy may draw a few that were not."""
    lists = one_per_list(np.ones(200), np.tile([1.0, 0.0], 100))
    few, many = 5e-4, 2e-3
    reasons = [
        estimate_by(ESTIMATORS["ips"], lists, np.arange(200), never_shown=share, draws=draws).why
        for share, draws in ((few, False), (few, True), (many, True))
    ]
    assert reasons == [
        "0.05% of the run's documents were never shown, so nobody could click them", "",
        "0.2% of the run's documents were never shown, so nobody could click them",
    ]  # fmt: skip


def test_bad_examination(tmp_path: Path) -> None:
    for text in ("1 .9\n3 .5\n", "1 0\n", "1 1.5\n", "1\n", "x\n", "1 .5 2\n"):
        (tmp_path / "file").write_text(text)
        with pytest.raises(InputError, match=r"file:[12]: .*; expected rank [12] and a probability"):
            read_examination(tmp_path / "file")


def test_examinations_that_no_document_connects_are_not_compared() -> None:
    """Each document was at one rank only: a model fits any examination of the second."""
    log = replace(example(*["ab:a"] * 50, *["ab:ab"] * 30, *["ab:"] * 20), propensity=np.full(200, np.nan))
    swapped = NewRanking(np.zeros(2, int), np.array([1, 0]), np.arange(2))
    for names, propensity in ((["position-based"], "pbm"), (["dm"], "logged")):
        with pytest.raises(
            InputError, match=r"moves from rank \d to rank \d, but no clicked documents connect these ranks"
        ):
            counterfactual(log, swapped, "new", names=names, propensity=propensity)
    moved = replace(example(*["ab:a"] * 999, *["ba:a"] * 500, *["ba:b"] * 500), propensity=np.full(3998, np.nan))
    assert counterfactual(moved, swapped, "new", propensity="pbm").estimates[0].value > 0
