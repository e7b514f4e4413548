"""The logs of answers, preferences and calls are tamper-evident: whatever is changed by hand, `verify` names it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cranfield.errors import StoreError
from cranfield.store.answers.labels import NUGGET_LABELS, LabelEvent
from cranfield.store.preferences import PreferenceEvent, append_preferences
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.analysis.answers.stores import SAID, answered_store, label_nuggets, label_support

TABLES = ("nugget", "nugget_edit", "nugget_event", "support_event", "preference_event")
GUARDED = [f"{table}_{what}" for table in TABLES for what in ("unchanged", "stays", "new")]
GUARDED += ["event_link_unchanged", "event_link_stays", "event_link_new", "answer_unchanged"]


def said(store: Store) -> Store:
    """7 nuggets, 14 labels of them, 16 of support, a preference, and one label taken back: 39 events."""
    answered_store(store)
    label_nuggets(store, "llm", SAID)
    label_support(store, "ada", "spns")
    append_preferences(store, PreferenceEvent("prefer", "1", "d1", "d2", "ada", "second"))
    NUGGET_LABELS.append(store, [LabelEvent("retract", (1, 1), "llm", supersedes=1)])
    return store


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("links") / "whole.db"
    with said(Store.create(path, "small")) as store:
        assert verify(store)[3:4] == (39,)
        store.conn.execute("PRAGMA journal_mode = DELETE")
    return path


LAST = "id = (SELECT max(id) FROM event_link)"
TAMPERED = {
    "a label": ("UPDATE nugget_event SET label = 'support' WHERE id = 2", "nugget_event, event 2: its content"),
    "the words of a nugget": ("UPDATE nugget SET text = 'x' WHERE id = 3", "nugget_edit, event 3: its content"),
    "an importance": ("UPDATE nugget_edit SET kind = 'okay' WHERE id = 1", "nugget_edit, event 1: its content"),
    "a person": ("UPDATE support_event SET assessor = 2 WHERE id = 4", "support_event, event 4: its content"),
    "a choice": ("UPDATE preference_event SET choice = 'equal'", "preference_event, event 1: its content"),
    "what is taken back": ("UPDATE nugget_event SET supersedes = 2 WHERE kind = 'retract'", "nugget_event, event 15"),
    "an event between": ("DELETE FROM support_event WHERE id = 4", "support_event, event 4: it is missing"),
    "the last event": ("DELETE FROM nugget_event WHERE kind = 'retract'", "nugget_event, event 15: it is missing"),
    "a link": (
        "DELETE FROM event_link WHERE log = 'nugget_event' AND event = 13",
        r"nugget_event, event 14: link \d+ of the chain",
    ),
    "the last link": (f"DELETE FROM event_link WHERE {LAST}", "nugget_event, event 15: it is not in the chain"),
    "the last event with its link": (
        f"DELETE FROM nugget_event WHERE kind = 'retract'; DELETE FROM event_link WHERE {LAST}",
        r"event_link: (\d+) events were recorded, \d+ are there",
    ),
    "one more event": (
        "INSERT INTO nugget_edit (event_id, at, kind, nugget, assessor) VALUES ('x', '', 'drop', 1, 1)",
        "nugget_edit, event 8: it is not in the chain",
    ),
    "a kind of assessor": ("UPDATE assessor SET kind = 'human'", "assessor 2: kind is not what was recorded"),
    "an answer and its hash": ("UPDATE answer SET sha256 = 'x' WHERE id = 1", "answer of run a"),
    "the order": (
        "UPDATE event_link SET previous = '' WHERE log = 'nugget_edit' AND event = 5",
        "nugget_edit, event 5: its content",
    ),
}


@pytest.mark.parametrize(("statements", "told"), TAMPERED.values(), ids=TAMPERED)
def test_what_was_changed_behind_its_back_is_named(tmp_path: Path, whole: Path, statements: str, told: str) -> None:
    """Somebody drops the triggers, changes something, and makes the triggers again."""
    path = tmp_path / "a.db"
    path.write_bytes(whole.read_bytes())
    with closing(sqlite3.connect(path)) as shell, shell:
        again = [shell.execute("SELECT sql FROM sqlite_master WHERE name = ?", [name]).fetchone() for name in GUARDED]
        made = "; ".join(sql for (sql,) in again)
        shell.executescript("; ".join([*(f"DROP TRIGGER {name}" for name in GUARDED), statements, made]))
    with Store.open(path) as store, pytest.raises(StoreError, match=told):
        verify(store)


@pytest.mark.parametrize("change", ["UPDATE event_link SET import = 1", "DELETE FROM event_link",
                                    "REPLACE INTO event_link SELECT * FROM event_link"])  # fmt: skip
def test_links_only_grow(change: str) -> None:
    refused = pytest.raises(sqlite3.IntegrityError, match="links of the logs are never")
    with answered_store(Store.memory("small")) as store, refused:
        store.conn.execute(change)
