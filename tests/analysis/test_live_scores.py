"""Scores while judging goes on: their bounds against every labelling, and which orders are open."""

from itertools import combinations, product
from random import Random

import pytest

from cranfield.analysis.live_scores import live_scores
from cranfield.metrics.notation import parse
from cranfield.view import View

DOCNOS = "abcdef"
TAGS = ("r1", "r2", "r3")


def ranking(draw: Random) -> dict[str, float]:
    return {docno: draw.random() for docno in draw.sample(DOCNOS, 4)}


@pytest.mark.parametrize("seed", range(6))
def test_bounds_and_open_orders_are_those_of_every_labelling(seed: int) -> None:
    """P sums over documents, so its bounds and the orders that can change are exact."""
    draw, measure = Random(seed), parse("P@4")
    runs = {tag: {"q": ranking(draw)} for tag in TAGS}
    grades = {docno: draw.randrange(2) for docno in draw.sample(DOCNOS, 3)}
    found = live_scores(View({"q": grades}, runs), measure, 4)
    unjudged = sorted(set(DOCNOS) - {*grades})
    labellings = [grades | dict(zip(unjudged, labels, strict=True)) for labels in product((0, 1), repeat=len(unjudged))]

    def precisions(tag: str) -> list[float]:
        return [sum(labels[docno] for docno in runs[tag]["q"]) / 4 for labels in labellings]

    for one in found.scores:
        assert one.low == pytest.approx(min(precisions(one.run)))
        assert one.high == pytest.approx(max(precisions(one.run)))
        assert one.judged == pytest.approx(len({*runs[one.run]["q"]} & {*grades}) / 4)
    assert [one.score for one in found.scores] == sorted((one.score for one in found.scores), reverse=True)
    for pair in combinations([one.run for one in found.scores], 2):
        first, second = map(precisions, pair)
        differences = [one - other for one, other in zip(first, second, strict=True)]
        can_change = min(differences) <= 0 <= max(differences) and min(differences) < max(differences)
        assert (pair in found.open_pairs) == can_change


def test_a_measure_without_bounds_claims_nothing() -> None:
    runs = {"a": {"q": {"d": 2.0}}, "b": {"q": {"e": 2.0}}}
    found = live_scores(View({"q": {"d": 1, "e": 0}}, runs), parse("Bpref"), 4)
    assert not found.has_bounds
    assert found.order_in_words.startswith("Bounds are not known for this measure")


def test_one_run_has_no_order() -> None:
    found = live_scores(View({"q": {"d": 1}}, {"a": {"q": {"d": 2.0}}}), parse("AP"), 4)
    assert (found.order_in_words, found.open_pairs) == (
        "There is only one run, so there is no order that could change.",
        [],
    )


def test_a_run_below_the_best_that_can_overtake_one_of_them_is_named() -> None:
    """Its documents are unjudged; the documents of another run cannot reach the best."""
    best = {f"r{number}": {"q": {"a": 2.0, "b": 1.0}} for number in range(5)}
    late = {"late": {"q": {"x": 2.0, "y": 1.0}}, "poor": {"q": {"c": 2.0, "d": 1.0}}}
    found = live_scores(View({"q": {"a": 1, "b": 0, "c": 0, "d": 0}}, best | late), parse("P@2"), 2)
    assert (found.open_pairs, found.challengers) == ([], ["late"])
    assert found.order_in_words == (
        "The order of the 5 best runs is settled to 2 ranks. Another run can still catch up with one of them: late."
    )
