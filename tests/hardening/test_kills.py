"""What tells that a killed command did harm tells all of it: made by hand, without killing anything."""

from pathlib import Path

import pytest

from cranfield.formats import Document
from cranfield.store.chain import Event
from cranfield.store.log import append
from cranfield.store.store import Store
from tests.hardening.forks import ERR, OUT
from tests.hardening.kills import Field, Writer, table
from tests.judging.cases import store_of
from tests.stores import filled

pytestmark = pytest.mark.full

WHOLE = table()["export judgments t.db judgments.jsonl"]
JUDGE = table()["judge t.db --assessor ada --plain"]
IMPORT = table()["import topics t.db more.jsonl"]


@pytest.fixture
def field(tmp_path: Path) -> Field:
    """Where nothing happened yet: a store, and a command that would write a file."""
    field = Field(tmp_path)
    field.log.mkdir()
    for name in (OUT, ERR):
        (field.log / name).write_text("")
    for writer in (WHOLE, JUDGE, IMPORT):
        for which in ("before", "after", "tried"):
            field.folder(writer, which).mkdir()
            store_of(path=field.folder(writer, which) / "t.db").close()
    (field.folder(WHOLE, "after") / "judgments.jsonl").write_text("a\nb\n")
    with Store.open(field.folder(IMPORT, "after") / "t.db") as store:
        filled(store, documents=["new"], people=["eve"])
    return field


def wrong(field: Field, writer: Writer) -> str:
    """What is wrong in the folder that was tried."""
    return field.wrong(writer, field.folder(writer, "tried"))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("judgments.jsonl", "a\nb\n", ""),
        ("judgments.jsonl", "a\n", "judgments.jsonl is half a file, of 2 bytes"),
        ("other", "", "other is left over"),
        ("gone.db-wal", "", "gone.db-wal is there without its store"),
        (".cranfield-1", "a", ""),
        ("t.db-wal", "", ""),
    ],
)
def test_a_half_file_is_told(field: Field, name: str, text: str, message: str) -> None:
    """So is what is left over, but for what is hidden and SQLite's own."""
    (field.folder(WHOLE, "tried") / name).write_text(text)
    assert wrong(field, WHOLE) == message


def test_half_of_a_command_is_told(field: Field) -> None:
    """A store that is neither as before nor as after."""
    with Store.open(field.folder(IMPORT, "tried") / "t.db") as store:
        store.add_documents([Document("new", text="new")])
    assert wrong(field, IMPORT).startswith("t.db is neither as before nor as after: assessor")


def test_a_damaged_store_is_told(field: Field) -> None:
    """One that does not open, and one whose log does not hold."""
    path = field.folder(WHOLE, "tried") / "t.db"
    path.write_bytes(path.read_bytes()[:5000])
    assert wrong(field, WHOLE).startswith("t.db: ")


def test_a_lost_label_is_told(field: Field) -> None:
    """One that was acknowledged; and one that nobody gave."""
    (field.log / OUT).write_text("> Recorded: topic q1, document 1: 0.\n> Recorded: topic q1, document 2: 1.\n")
    assert wrong(field, JUDGE) == "2 labels were acknowledged, 0 are there"
    with Store.open(field.folder(JUDGE, "tried") / "t.db") as store:
        filled(store, labels={"ada": {("q1", "d1"): 0, ("q1", "d2"): 1}})
        assert wrong(field, JUDGE) == ""
        append(store, Event("label", "q1", "d3", "ada", grade=2))
    assert wrong(field, JUDGE).startswith("labels [0, 1, 2], where [0, 1, 0, 1,")


def test_a_traceback_is_told(field: Field) -> None:
    """Whatever the files are."""
    (field.log / ERR).write_text("Traceback (most recent call last):\n  ...\nKeyError: 'a'\n")
    assert wrong(field, WHOLE) == "a traceback, KeyError: 'a'"
