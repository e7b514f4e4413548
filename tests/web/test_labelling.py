"""Labelling answers in the browser: what is recorded, and what the pages give away."""

from collections.abc import Iterator

import pytest

from cranfield.formats.answers import Answer, Sentence
from cranfield.formats.nuggets import PlainClaims
from cranfield.store.answers.answers import add_answers
from cranfield.store.answers.labels import CLAIM_LABELS, NUGGET_LABELS, SUPPORT_LABELS, import_claims
from cranfield.store.invitations import Role
from cranfield.store.store import Store
from tests.judging.answers.cases import RUNS, answered
from tests.judging.cases import given_away
from tests.web.browser import Browser


def with_answers() -> Store:
    return answered(Store.memory("answers"))


def with_claims() -> Store:
    """One more answer, whose documents all have texts."""
    store = with_answers()
    add_answers(store, [Answer(RUNS[0] + "2", "q1", [Sentence("Lift.")], ["d1", "d2"])])
    import_claims(store, [PlainClaims("q1", "", ["Lift grows with speed.", "Drag grows."])], "zoe")
    return store


@pytest.fixture
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    role: Role = request.param
    opened = Browser(with_claims if role == "claims" else with_answers, "ada.lovelace", role=role)
    yield opened
    opened.close()


@pytest.mark.parametrize("browser", ["assign"], indirect=True)
def test_nuggets_are_assigned_and_no_run_is_named(browser: Browser) -> None:
    texts = [browser.page.text, browser.press("2").text, browser.press("1").text, browser.press("u").text]
    browser.press("0")
    assert "Nugget: lift grows" in texts[0]
    assert "Recorded: topic q1, nugget 1: grade 2, support." in texts[1]
    assert given_away(texts, (*RUNS, "ada.lovelace", "zoe", "vital", "okay")) == set()
    events = browser.worker.wait(lambda store: NUGGET_LABELS.events(store, "ada.lovelace"))
    assert [(event.kind, event.label, event.input) for event in events] == [
        ("label", "support", "browser"), ("label", "partial_support", "browser"), ("retract", None, "browser"),
        ("label", "not_support", "browser"),
    ]  # fmt: skip
    assert browser.client.get("/support").status_code == 403


@pytest.mark.parametrize("browser", ["support", "support-each"], indirect=True)
def test_citations_are_labelled(browser: Browser) -> None:
    texts = [browser.page.text, browser.press("2").text]
    assert "Sentence: Lift grows." in texts[0]
    assert given_away(texts, (*RUNS, ">d1<", '"d1"')) == set()
    labels = browser.worker.wait(lambda store: list(SUPPORT_LABELS.labels(store).items()))
    assert [(docnos, label) for (_, _, docnos), label in labels] == [(("d1",), "support")]
    asked = "Document 1 of 3" if browser.role == "support-each" else "Drag too."
    assert asked in texts[1]


@pytest.mark.parametrize("browser", ["claims"], indirect=True)
def test_claims_are_labelled(browser: Browser) -> None:
    texts = [browser.page.text, browser.press("2").text]
    assert "Claim: Lift grows with speed." in texts[0]
    assert given_away(texts, (*RUNS, ">d1<", '"d1"', "zoe")) == set()
    labels = browser.worker.wait(lambda store: list(CLAIM_LABELS.labels(store).values()))
    assert labels == ["support"]
    assert browser.client.get("/support").status_code == 403
