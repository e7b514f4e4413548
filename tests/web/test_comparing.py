"""Comparing pairs in the browser: what is recorded, what the pages give away, and where a link leads."""

from collections.abc import Iterator

import pytest

from cranfield.store.log import add_assessor
from cranfield.store.preferences import DocumentPair, add_pairs, preference_events
from cranfield.store.store import Store
from tests.judging.cases import SECRET_DEPTH, SECRET_RUN, given_away, store_of
from tests.web.browser import Browser


def with_pairs() -> Store:
    store = store_of()
    add_assessor(store, "ada")
    add_pairs(store, "ada", [DocumentPair("q1", "d1", "d2"), DocumentPair("q2", "d2", "d4")], "file")
    return store


@pytest.fixture(params=["prefer", "judge"])
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """On the page of pairs, with a link for them or one for judging."""
    opened = Browser(with_pairs, role=request.param)
    opened.role = "prefer"
    opened.get()
    yield opened
    opened.close()


def test_pairs_are_compared_and_nothing_is_given_away(browser: Browser) -> None:
    """By the keys of the terminal, side by side, both orders."""
    texts = [browser.page.text, browser.press("2").text, browser.press("u").text, browser.press("1").text]
    texts += [browser.press(key).text for key in "001"]
    assert all(name in texts[0] for name in ("First document", "Second document", "text of d1", "text of d2"))
    assert "Recorded: topic q1, pair 1: answer 2, the second document is better." in texts[1]
    assert "Every pair that you were given is compared." in texts[-1]
    assert given_away(texts, (SECRET_RUN, str(SECRET_DEPTH), ">d1<", '"d1"', "secret")) == set()
    events = browser.worker.wait(preference_events)
    assert [(event.kind, event.choice) for event in events] == [
        ("prefer", "second"), ("retract", None), ("prefer", "first"), ("prefer", "equal"), ("prefer", "equal"),
        ("prefer", "first"),
    ]  # fmt: skip
    assert {event.input for event in events} == {"browser"}


def test_a_link_for_judging_leads_to_pairs_as_well() -> None:
    """The page says so; the page of an assessor without pairs does not, and has none."""
    opened = Browser(with_pairs)
    assert '<a href="/prefer">' in opened.page.text
    opened.close()
    other = Browser(with_pairs, "bob")
    assert '<a href="/prefer">' not in other.page.text
    answer = other.client.get("/prefer")
    assert (answer.status_code, "has no pairs to compare" in answer.text) == (409, True)
    other.close()
