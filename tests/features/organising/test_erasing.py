"""The page that erases a person: what would be lost, a confirmation, and what is gone afterwards."""

from collections.abc import Iterator
from contextlib import closing
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from cranfield.errors import InputError
from cranfield.features.organising.erasing import TABLE_WORDS, ErasureRequest, erasure_request
from cranfield.store import verify
from cranfield.store.chain import Event
from cranfield.store.first_use_tables import first_use_tables
from cranfield.store.invitations import invite
from cranfield.store.log import append
from cranfield.store.store import Store
from cranfield.store.tables import CORE
from tests.features.organising.served import Organiser, notice
from tests.stores import new_store

pytestmark = pytest.mark.needs_extra("serve")
REASON = "asked for it on 30 November"
ADA = {"kind": "assessor", "name": "ada", "reason": REASON}


@pytest.fixture
def organiser(tmp_path: Path) -> Iterator[Organiser]:
    """A store in a file, with a label and a note of ada's and a label of bo's."""
    path = tmp_path / "track.db"
    with closing(
        new_store(
            path, documents=["d1"], people=["ada", "bo"], topics={"q1": "wings"}, grades={0: "not", 1: "relevant"}
        )
    ) as store:
        append(store, Event("label", "q1", "d1", "ada", grade=1, note="my secret remark", seconds=4.0))
        append(store, Event("label", "q1", "d1", "bo", grade=0))
    with closing(Organiser(lambda: Store.open(path))) as browser:
        yield browser


def names(organiser: Organiser) -> list[str]:
    """The names of the assessors in the store."""
    return [name for (name,) in organiser.rows("SELECT name FROM assessor ORDER BY name")]


def test_the_check_shows_what_would_be_lost_and_erases_nothing(organiser: Organiser) -> None:
    """It names the rows, and says that nobody can undo it; the store stays as it was."""
    assert 'href="/organise/erase"' in organiser.page("deliver")
    shown = unescape(organiser.send("erase/check", **ADA))
    assert "You cannot undo this" in shown
    assert "Copies still contain the data" in shown
    assert "events with notes, reasons, marked passages and times" in shown
    assert names(organiser) == ["ada", "bo"]
    assert not organiser.rows("SELECT 1 FROM erasure")


def test_every_table_with_personal_data_has_words() -> None:
    """The tables of core and features have words; a page names the table of another extension as the store does."""
    tables = [*CORE, *(table for one in first_use_tables().values() for table in one.tables)]
    assert {table.name for table in tables if table.personal} <= TABLE_WORDS.keys()


def test_an_erasure_leaves_labels_without_the_person(organiser: Organiser, tmp_path: Path) -> None:
    """Name and note are in no byte of the file, the link ends, the label stays, and the log verifies."""
    token = organiser.worker.run_and_wait(lambda store: invite(store, "ada"))
    ada = TestClient(organiser.guard)
    assert ada.get(f"/enter/{token}").status_code == 200
    said = notice(organiser.send("erase/person", **ADA, confirm="ada"))
    assert said.startswith("The data of ada were erased, in ")
    assert "The labels are kept under the name erased 1." in said
    assert "erased 1. Backups, bundles, pages" in said
    assert str(tmp_path) not in said
    assert names(organiser) == ["bo", "erased 1"]
    assert organiser.rows("SELECT kind, reason FROM erasure") == [("assessor", REASON)]
    assert organiser.rows("SELECT count(*) FROM judgment_event")[0][0] == 2
    assert organiser.worker.run_and_wait(lambda store: verify(store).rows())
    for file in tmp_path.glob("track.db*"):
        assert b"my secret remark" not in file.read_bytes(), file
    assert ada.get("/judge").status_code == 403
    assert '<option value="erased 1">' not in organiser.page("erase")


@pytest.mark.parametrize(
    ("fields", "words"),
    [({"confirm": "bo"}, "the name typed to confirm is another one"),
     ({}, "the name typed to confirm is another one"),
     ({"confirm": "ada", "reason": "ada left"}, "the reason contains the name"),
     ({"confirm": "ada", "reason": " "}, "the reason is missing"),
     ({"confirm": "eve", "name": "eve"}, "no assessor 'eve'"),
     ({"confirm": "ada", "kind": "origin"}, "the kind of person is 'origin'")],
)  # fmt: skip
def test_a_wrong_form_erases_nothing(organiser: Organiser, fields: dict[str, str], words: str) -> None:
    """The page says why; the store stays as it was."""
    said = notice(organiser.send("erase/person", **{**ADA, **fields}))
    assert "Not done." in said
    assert words in said
    assert names(organiser) == ["ada", "bo"]
    assert not organiser.rows("SELECT 1 FROM erasure")


def test_only_the_organiser_may_erase(organiser: Organiser) -> None:
    """An assessor's link gives 403 on each address, and so does a form of another page or site."""
    token = organiser.worker.run_and_wait(lambda store: invite(store, "bo"))
    assessor = TestClient(organiser.guard)
    assessor.get(f"/enter/{token}")
    assert assessor.get("/organise/erase").status_code == 403
    for step in ("check", "person"):
        address, form = f"/organise/erase/{step}", {**ADA, "confirm": "ada", "form": organiser.form}
        assert assessor.post(address, data=form).status_code == 403
        assert TestClient(organiser.guard).post(address, data=form).status_code == 403
        assert organiser.client.post(address, data={**form, "form": "x"}).status_code == 403
        assert organiser.client.post(address, data=form, headers={"origin": "http://evil.org"}).status_code == 403
        assert organiser.client.get(address).status_code in (404, 405)
    assert names(organiser) == ["ada", "bo"]


def test_a_name_is_shown_as_text(tmp_path: Path) -> None:
    """A name with markup is escaped, and comes back as it is."""
    name = "<b>x</b>"
    with closing(
        new_store(
            tmp_path / "x.db", documents=["d1"], people=[name], topics={"q1": "wings"}, grades={0: "not", 1: "relevant"}
        )
    ) as store:
        append(store, Event("label", "q1", "d1", name, grade=1))
    with closing(Organiser(lambda: Store.open(tmp_path / "x.db"))) as organiser:
        fields = {**ADA, "name": name}
        assert "<b>x" not in organiser.send("erase/check", **fields)
        assert "were erased" in notice(organiser.send("erase/person", **fields, confirm=name))
        assert names(organiser) == ["erased 1"]


def test_fields_are_bounded() -> None:
    """A long name or reason is refused."""
    assert erasure_request(ADA) == ErasureRequest("assessor", "ada", REASON)
    for field in ("name", "reason"):
        with pytest.raises(InputError, match="characters; expected at most"):
            erasure_request({**ADA, field: "x" * 501})
