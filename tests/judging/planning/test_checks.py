"""What looks unusual: each check finds what it says, and nothing in labels like any others."""

from collections.abc import Iterable

import pytest

from cranfield.judging.planning.assign import organise
from cranfield.judging.planning.checks import CHECKS, findings
from cranfield.judging.planning.progress import Progress, progress_of
from cranfield.store.assignments import REPEAT
from cranfield.store.chain import Event
from cranfield.store.log import append
from tests.judging.cases import store_of

ALL = 90  # documents: thirds of thirty
DOCNOS = [f"d{number:02}" for number in range(ALL)]
USUAL = [number % 3 // 2 for number in range(ALL)]  # a third is relevant, all along


def labels(assessor: str, grades: Iterable[int], **more: object) -> list[Event]:
    """The labels of the first documents, in the order shown, ten seconds each."""
    about = {"seconds": 10.0, "order_policy": "hash", **more}
    return [
        Event("label", "q1", docno, assessor, grade=grade, position=place, **about)  # type: ignore[arg-type]
        for place, (docno, grade) in enumerate(zip(DOCNOS, grades, strict=False))
    ]


def progress(*several: list[Event], **plan: object) -> Progress:
    """The progress of a pool of one topic that two assessors judge."""
    with store_of({"q1": DOCNOS}) as store:
        organise(store, ["ada", "bo"], overlap=1.0, **plan)  # type: ignore[arg-type]
        for events in several:
            append(store, *events)
        return progress_of(store)


BO = labels("bo", USUAL)
CASES = {
    "fast": [[*labels("ada", USUAL)[:-3], *labels("ada", USUAL, seconds=0.2)[-3:]]],
    "pace": [labels("ada", USUAL, seconds=2.0), BO],
    "same-grade": [labels("ada", [1] * 20 + [0] * 70)],
    "repeats": [labels("ada", USUAL), labels("ada" + REPEAT, [1 - grade for grade in USUAL])],
    "severity": [labels("ada", [1] * ALL), BO],
    "drift": [labels("ada", [0] * 30 + USUAL[:30] + [1, 1, 0] * 10)],
    "unsure": [labels("ada", USUAL, unsure=True)],
    "cannot-judge": [[one._replace(kind="cannot-judge", grade=None, reason="other") for one in labels("ada", USUAL)]],
    "none-relevant": [labels("ada", [0] * ALL), labels("bo", [0] * ALL)],
    "most-relevant": [labels("ada", [1] * ALL), labels("bo", [1] * ALL)],
}


def test_labels_like_any_others_are_not_listed() -> None:
    """Nor is it listed that an order that is not blind begins with what is relevant."""
    assert findings(progress(labels("ada", USUAL), BO)) == []
    assert findings(progress(labels("ada", [1] * 30 + [0] * 60, order_policy="priority"))) == []


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_finds_what_it_says(name: str) -> None:
    """The finding is the assessor's, and says of how many labels it is."""
    found = list(CHECKS[name].find(progress(*CASES[name], repeats=10)))
    assert found
    assert all("ada" in one.assessor or one.assessor == "bo" for one in found)
    assert all(0 < one.labels <= 2 * ALL for one in found)
