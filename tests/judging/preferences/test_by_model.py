"""Preferences asked of a model: both orders, by the rules of all that is asked of models."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cranfield.errors import InputError
from cranfield.judging.models.asking.asking import Tally
from cranfield.judging.models.asking.limits import AskLimits
from cranfield.judging.models.asking.planned import asker_of
from cranfield.judging.preferences.by_model import PREFERENCE, preferences_asked
from cranfield.judging.preferences.files import resolved
from cranfield.judging.preferences.resolve import resolve
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append, assessors
from cranfield.store.preferences import PreferenceEvent, append_preferences, current_preferences
from cranfield.store.store import Store
from tests.judging.cases import SECRET_DEPTH, SECRET_RUN, store_of
from tests.judging.models.stand_in import Answering, Response, Sent, said, stand_in

QUICK = AskLimits(pause=0.0, timeout=60.0, parallel=2)


@pytest.fixture
def store() -> Iterator[Store]:
    """The small store, with somebody's labels, which no model is to see."""
    with store_of() as store:
        add_assessor(store, "bob")
        append(store, Event("label", "q1", "d1", "bob", grade=2, note="a canary"))
        yield store


def asked(store: Store, pairs: Path, answer: Answering, again: str = "") -> tuple[Tally, list[Sent]]:
    """What comes of asking about the pairs, and what was sent."""
    with stand_in(answer) as server:
        asker = asker_of(store, PREFERENCE, "qwen", server.url, "preference")
        planned, _ = preferences_asked(store, asker, str(pairs), (), again)
        return planned.run(QUICK), list(server.sent)


def by_text(sent: Sent, before: int) -> Response:
    """It prefers d1 to d2 in both orders, and otherwise takes the first document."""
    text = sent.text
    one, two = text.find("text of d1"), text.find("text of d2")
    return said(f"Better: {2 if 0 <= two < one else 1}")


def test_both_orders_are_asked_and_different_answers_are_a_tie(store: Store, tmp_path: Path) -> None:
    """As an assessor of kind model, whose calls are on record; asked again, nothing is sent."""
    path = tmp_path / "pairs"
    path.write_text("q1 d1 d2\nq1 d1 d3\n")
    tally, sent = asked(store, path, by_text)
    found = resolve(current_preferences(store, "qwen"))
    assert (tally.outcomes["ok"], len(sent), assessors(store)["qwen"]) == (4, 4, "model")
    assert {one.pair[1:]: one.better for one in found.preferences} == {("d1", "d2"): "d1", ("d1", "d3"): ""}
    assert (found.different, found.shown_first) == (1, 2)
    assert all(event.evidence for event in current_preferences(store))
    assert asked(store, path, by_text)[1] == []
    for secret in (SECRET_RUN, str(SECRET_DEPTH), "canary", "bob", "secret"):
        assert not any(secret in one.body.decode() for one in sent)


@pytest.mark.parametrize(
    ("response", "outcome"),
    [
        (said("Better: 1\nBetter: 2"), "unparsable"), (said("Better: 3"), "off-scale"), (said(""), "unparsable"),
        (said("Better: 1", finish="length"), "cut-off"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_no_preference(store: Store, tmp_path: Path, response: Response, outcome: str) -> None:
    """It is a state with its reason, and no tie; asked again, it can be mended."""
    path = tmp_path / "pairs"
    path.write_text("q1 d1 d2\n")
    tally, _ = asked(store, path, lambda sent, before: response)
    assert tally.outcomes == {outcome: 2}
    events = current_preferences(store)
    assert {(event.kind, event.choice, event.reason.split(":")[0]) for event in events} == {
        ("cannot-judge", None, outcome)
    }
    assert resolve(events).preferences == []
    assert asked(store, path, by_text, again="failed")[0].outcomes == {"ok": 2}
    assert [one.better for one in resolved(store).preferences] == ["d1"]


def test_a_source_without_pairs_is_an_error(store: Store, tmp_path: Path) -> None:
    """Nothing is asked, and why is said; so is that a name is that of no source."""
    asker = asker_of(store, PREFERENCE, "qwen", "http://h/v1", "preference")
    with pytest.raises(InputError, match="no two assessors order two documents of a topic differently in these topics"):
        preferences_asked(store, asker, "disputed", ["q1"])
    with pytest.raises(InputError, match="adjecent: no such file, and neither adjacent nor disputed"):
        preferences_asked(store, asker, str(tmp_path / "adjecent"))


def test_peoples_preferences_go_before_a_models(store: Store, tmp_path: Path) -> None:
    """A model's count where it is named, or where nobody else has any."""
    path = tmp_path / "pairs"
    path.write_text("q1 d1 d2\n")
    asked(store, path, by_text)
    append_preferences(store, PreferenceEvent("import", "q1", "d1", "d2", "bob", "second"))
    assert [one.better for one in resolved(store).preferences] == ["d2"]
    assert [one.better for one in resolved(store, ["qwen"]).preferences] == ["d1"]
