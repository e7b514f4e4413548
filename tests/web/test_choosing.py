"""Whose labels count, chosen on a page of the organiser; the command line and the history tell the same."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cranfield.commands.judging import assign_topics, choose_labels
from cranfield.judging.labels.recorded import record_label_choice
from cranfield.selection import Labellers
from cranfield.store.chain import add_person
from cranfield.store.history import history
from cranfield.store.label_choice import LabelChoice, label_choices, recorded_labellers
from cranfield.store.log import REPEAT, add_assessor
from cranfield.store.store import Store
from cranfield.store.verification import verify
from cranfield.web.application import Application
from cranfield.web.language import ENGLISH
from cranfield.web.organise import choosing
from cranfield.web.results import Worker
from tests.judging.cases import store_of
from tests.stores import new_file
from tests.web.test_disputes import Visit, disputed_store

PAGE = "/organise/choice"
SELECTED = re.compile(r'<option value="([^"]*)" selected>')


@pytest.fixture
def app() -> Iterator[Application]:
    with closing(Application(Worker(disputed_store))) as app:
        yield app


@pytest.fixture
def organiser(app: Application) -> Visit:
    return Visit(app, app.access.start_token)


def test_a_choice_is_recorded_once_and_can_be_withdrawn(app: Application, organiser: Visit) -> None:
    """Each form is sent twice, as after an impatient click."""
    assert "No choice is recorded, and 2 documents need one." in organiser.client.get(PAGE).text
    said = organiser.send(PAGE, PAGE, choice="policy median-low", reason="agreed on Monday")
    assert "Recorded: lower median." in said
    assert "The recorded choice: lower median." in said
    assert SELECTED.findall(said) == ["policy median-low"]
    said = organiser.send(PAGE, PAGE, choice="assessor kim")
    assert "Recorded: labels of kim." in said
    said = organiser.send(PAGE, PAGE, choice="")
    assert "Recorded: no choice." in said
    assert "2 documents need one" in said
    assert SELECTED.findall(said) == []
    assert re.findall(">(no choice|labels of kim|lower median)<", said[said.index("<table") :]) == [
        "no choice",
        "labels of kim",
        "lower median",
    ]
    made = app.worker.run_and_wait(label_choices)
    assert [one.labellers for one in made] == [Labellers(policy="median-low"), Labellers("kim"), Labellers()]
    assert [one.reason for one in made] == ["agreed on Monday", "", ""]
    app.worker.run_and_wait(verify)


def test_the_choice_is_the_one_of_the_command_line(app: Application, organiser: Visit) -> None:
    organiser.send(PAGE, PAGE, choice="policy max", reason="why")
    [row] = app.worker.run_and_wait(lambda store: choose_labels(store).rows())
    assert (row["policy"], row["chosen_by"]) == ("max", "choice")
    told = app.worker.run_and_wait(history)
    assert [(one.name, one.reason) for one in told if one.what == "labels"] == [("policy max", "why")]
    app.worker.run_and_wait(lambda store: record_label_choice(store, assessor="ada"))
    assert SELECTED.findall(organiser.client.get(PAGE).text) == ["assessor ada"]


def test_a_recorded_policy_stays_in_the_list(app: Application, organiser: Visit) -> None:
    """The page does not offer this policy, because the store has no adjudication."""
    app.worker.run_and_wait(lambda store: record_label_choice(store, policy="adjudicated-else-max"))
    page = organiser.client.get(PAGE).text
    assert SELECTED.findall(page) == ["policy adjudicated-else-max"]
    assert "adjudication, then highest label" in page


def test_a_new_reason_of_the_same_choice_is_recorded_once(app: Application, organiser: Visit) -> None:
    organiser.send(PAGE, PAGE, choice="policy max")
    organiser.send(PAGE, PAGE, choice="policy max", reason="agreed on Monday")
    organiser.send(PAGE, PAGE, choice="policy max")
    made = app.worker.run_and_wait(label_choices)
    assert [one.reason for one in made] == ["", "agreed on Monday"]


def test_an_old_page_does_not_replace_a_newer_choice(app: Application, organiser: Visit) -> None:
    """The page says what was recorded meanwhile; the form that it shows then replaces it."""
    old = newest_shown(organiser)
    organiser.send(PAGE, PAGE, choice="policy max", newest=old)
    said = organiser.send(PAGE, PAGE, choice="policy min", newest=old)
    assert "Not done." in said
    assert "highest label&#34; was recorded after you opened this page. Send the form again" in said
    assert SELECTED.findall(said) == ["policy min"]
    assert app.worker.run_and_wait(recorded_labellers) == Labellers(policy="max")
    organiser.send(PAGE, PAGE, choice="policy min", newest=newest_shown(organiser))
    assert app.worker.run_and_wait(recorded_labellers) == Labellers(policy="min")


def test_an_old_page_says_that_a_choice_was_withdrawn(app: Application, organiser: Visit) -> None:
    organiser.send(PAGE, PAGE, choice="policy max")
    old = newest_shown(organiser)
    organiser.send(PAGE, PAGE, choice="", newest=old)
    said = organiser.send(PAGE, PAGE, choice="policy min", reason="agreed", newest=old)
    assert "The recorded choice was withdrawn after you opened this page." in said
    assert SELECTED.findall(said) == ["policy min"]
    assert "agreed" in said
    assert app.worker.run_and_wait(recorded_labellers) == Labellers()


def test_no_other_program_records_between_check_and_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A choice that the form did not see would be replaced in silence."""
    path = new_file(tmp_path / "s.db", people=["ada", "bo"])
    insert = "INSERT INTO label_choice (at, policy, reason) VALUES ('2026-12-01T00:00:00', 'max', '')"

    def read_after_other_program(store: Store) -> list[LabelChoice]:
        with (
            closing(sqlite3.connect(path, timeout=0)) as other,
            pytest.raises(sqlite3.OperationalError, match="locked"),
        ):
            other.execute(insert)
        return label_choices(store)

    with Store.open(path) as store:
        record_label_choice(store, policy="median-low")  # the table exists
        monkeypatch.setattr(choosing, "label_choices", read_after_other_program)
        choosing.CHOOSE.act(store, {"choice": "policy min", "newest": "1"}, "", ENGLISH)
        assert recorded_labellers(store) == Labellers(policy="min")


def newest_shown(organiser: Visit) -> str:
    """The number of the newest choice, as the page has it in its form."""
    return str(re.findall('name="newest" value="([0-9]+)"', organiser.client.get(PAGE).text)[0])


def test_a_form_without_a_choice_is_refused(app: Application, organiser: Visit) -> None:
    """Only the entry "no choice" withdraws a choice."""
    organiser.send(PAGE, PAGE, choice="policy max")
    assert "expected an entry of the list" in organiser.send(PAGE, PAGE, reason="why")
    assert app.worker.run_and_wait(recorded_labellers) == Labellers(policy="max")


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"choice": "policy strange"}, "is not a policy"),
        ({"choice": "assessor nobody"}, "no assessor"),
        ({"choice": "strange"}, "expected an entry of the list"),
        ({"choice": "policy"}, "expected an entry of the list"),
        ({"choice": "policy max", "reason": "a" * 501}, "expected at most 500"),
    ],
)
def test_a_wrong_choice_is_refused(app: Application, organiser: Visit, fields: dict[str, str], error: str) -> None:
    said = organiser.send(PAGE, PAGE, **fields)
    assert "Not done." in said
    assert error in said
    assert app.worker.run_and_wait(recorded_labellers) == Labellers()


def test_a_store_that_needs_no_choice_says_so() -> None:
    with closing(Application(Worker(store_of))) as app:
        page = Visit(app, app.access.start_token).client.get(PAGE).text
    assert "No choice is recorded, and no document needs one." in page
    assert "first assessor counts" not in page


def test_assigned_topics_follow_their_first_assessor() -> None:
    def assigned_store() -> Store:
        store = disputed_store()
        assign_topics(store, assessors=["ada"])
        return store

    with closing(Application(Worker(assigned_store))) as app:
        page = Visit(app, app.access.start_token).client.get(PAGE).text
    assert "In an assigned topic, the label of its first assessor counts." in page


@pytest.mark.parametrize("address", ["/look/disputes", "/look/topic?topic=q1"])
def test_pages_with_different_labels_lead_to_the_choice(organiser: Visit, address: str) -> None:
    assert f'href="{PAGE}"' in organiser.client.get(address).text


def test_pages_show_the_titles_of_policies(app: Application, organiser: Visit) -> None:
    """Names such as median-low are for the command line."""
    organiser.send(PAGE, PAGE, choice="policy median-low")
    for address in ("/look/topics", "/look/collection", "/look/why?topic=q1&docno=d1"):
        page = organiser.client.get(address).text
        assert "lower median" in page, address
        assert "policy median-low" not in page, address
        assert "policy: median-low" not in page, address


def test_the_history_keeps_an_assessor_named_like_a_policy(app: Application, organiser: Visit) -> None:
    def choose_assessor(store: Store) -> None:
        with store.writing():
            store.conn.execute("INSERT INTO assessor (name, kind) VALUES ('policy max', 'human')")
        record_label_choice(store, assessor="policy max")

    app.worker.run_and_wait(choose_assessor)
    assert "labels by policy max" in organiser.client.get("/look/collection").text


def test_a_recorded_assessor_stays_in_the_list(app: Application, organiser: Visit) -> None:
    """The page does not offer second labels, but the command line records them as a choice."""
    second = f"ada{REPEAT}"

    def record_second_labels(store: Store) -> None:
        with store.writing():
            add_person(store.conn, second, "human", "ada")
        record_label_choice(store, assessor=second)

    app.worker.run_and_wait(record_second_labels)
    assert SELECTED.findall(organiser.client.get(PAGE).text) == [f"assessor {second}"]


@pytest.mark.parametrize("address", ["/look/topics", "/look/topic?topic=q1", "/look/why?topic=q1&docno=d1"])
def test_an_assessor_named_like_a_policy_keeps_the_name(app: Application, organiser: Visit, address: str) -> None:
    app.worker.run_and_wait(lambda store: add_assessor(store, "policy max"))
    organiser.send(PAGE, PAGE, choice="assessor policy max")
    page = organiser.client.get(address).text
    assert "policy max" in page
    assert "highest label&" not in page
    assert "policy &#34;" not in page


def test_a_reason_for_no_choice_is_recorded(app: Application, organiser: Visit) -> None:
    """Also where no choice was recorded before."""
    organiser.send(PAGE, PAGE, choice="", reason="we adjudicate instead")
    made = app.worker.run_and_wait(label_choices)
    assert [(one.labellers, one.reason) for one in made] == [(Labellers(), "we adjudicate instead")]
