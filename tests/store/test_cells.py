"""One cell changed by hand, of every column: `verify` names it, or docs/operate/sql.md says why it does not."""

import json
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import CranfieldError
from cranfield.formats import Document
from cranfield.store.assignments import give_assignment
from cranfield.store.chain import Event
from cranfield.store.log import append
from cranfield.store.verification import verify
from tests.conftest import usually
from tests.hardening.cells import (
    DOC,
    Column,
    cells,
    change,
    columns,
    full_stores,
    is_outside,
    is_seen,
    open_store,
    outside,
    trial,
)
from tests.hardening.damage import triggers_away

pytestmark = pytest.mark.full

OF_RELEASES = ("release", "earlier_document", "earlier_topic")


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Mapping[bool, bytes]:
    """The store without a release, and with one."""
    return full_stores(tmp_path_factory.mktemp("cells"))


def other(value: Any, kind: str) -> Any:
    """Another value of a column that has this one."""
    if isinstance(value, bytes):
        return bytes([*value[:-1], value[-1] ^ 1]) if value else b"x"
    if isinstance(value, str):
        with suppress(ValueError):
            if isinstance(json.loads(value), dict):
                return json.dumps({**json.loads(value), "x": 1})
        return value + "x"
    return "x" if kind == "TEXT" else b"x" if kind == "BLOB" else (value or 0) + 1000


def first_is_seen(content: bytes, column: Column) -> bool | None:
    """Whether `verify` sees that the first cell of a column was changed; None where it has none."""
    with open_store(content) as store:
        for value, *key in cells(store, column)[:1]:
            return is_seen(store) if change(store, column, key, other(value, column.kind)) else None
    return None


def test_every_cell(stores: Mapping[bool, bytes]) -> None:
    """What is not seen is in the table of docs/operate/sql.md, and nothing that is there is seen."""
    with open_store(stores[True]) as store:
        verify(store)
        every = columns(store)
    every = every[:: usually(19, 1)]
    every_seen = {column: first_is_seen(stores[column.table in OF_RELEASES], column) for column in every}
    there = {column: visible for column, visible in every_seen.items() if visible is not None}
    assert len(there) > usually(20, 390)
    exceptions = outside()
    assert {one for one, visible in there.items() if not visible} == {
        one for one in there if is_outside(exceptions, one)
    }


def test_any_cell(tmp_path: Path) -> None:
    """Of any row, to whatever value; benchmarks/hardening.py does it for hours."""
    of_seed = trial(tmp_path)
    assert {seed: what for seed in range(usually(6, 1000)) if (what := of_seed(seed))} == {}


SAME: Mapping[Column, Callable[[Any], Any]] = {  # the last row: it has none where there may be none
    Column("judgment_event", "unsure", "INTEGER"): lambda flag: 2,
    Column("release", "last", "TEXT"): lambda text: json.dumps(json.loads(text), indent=1),
    Column("release", "id", "INTEGER"): lambda number: 7,
    Column("assessor_salt", "salt", "BLOB"): lambda salt: salt + b"\0",
    Column("judgment_event", "evidence", "TEXT"): lambda none: none or "",
    Column("support_event", "evidence", "TEXT"): lambda none: none or "",
    Column("claim", "answer", "INTEGER"): lambda none: none or 99,
    Column("event_link", "rule", "INTEGER"): lambda rule: rule + 1,
    Column("judgment_event", "rule", "INTEGER"): lambda rule: rule + 1,
}


@pytest.mark.parametrize("column", SAME, ids=lambda column: f"{column.table}.{column.name}")
def test_what_says_the_same_is_seen(stores: Mapping[bool, bytes], column: Column) -> None:
    """No hash is of it: a flag that is true as well, other blanks, a number that nothing names, a key of HMAC."""
    with open_store(stores[True]) as store:
        value, *key = cells(store, column)[-1]
        assert change(store, column, key, SAME[column](value))
        assert is_seen(store)


@pytest.mark.parametrize(
    ("by_hand", "message"),
    [
        ("UPDATE round SET opened = opened || '1'", "round 1: opened differs from the recorded value"),
        ("UPDATE round SET name = 'other'", "round 1: name differs from the recorded value"),
        ("UPDATE round SET first_event = 2", "round 1: first_event differs from the recorded value"),
        ("UPDATE round SET topics = '[]'", "round 1: topics differs from the recorded value"),
        ("UPDATE round SET documents = x'01000000'", "round 1: the documents differ from the recorded documents"),
        ("UPDATE round_end SET closed = closed || '1'", "round_end 1: closed differs from the recorded value"),
        ("DELETE FROM round_end", "round_end 1: it is missing, but no removal was recorded"),
    ],
)
def test_cells_of_rounds_are_named(stores: Mapping[bool, bytes], by_hand: str, message: str) -> None:
    """When a round was opened and closed, and what it has; no trigger sees the hand."""
    with open_store(stores[False]) as store:
        verify(store)
        with triggers_away(store.conn):
            assert store.conn.execute(f"{by_hand} WHERE id = 1").rowcount == 1
        store.conn.commit()
        with pytest.raises(CranfieldError) as error:
            verify(store)
        assert str(error.value).endswith(message)


def hand_and_program(content: bytes, triggers: bool, by_hand: str) -> str:
    """What verify says after a change by hand, and then one of the program to the same rows; nothing if all is well."""
    with open_store(content) as store:
        with nullcontext() if triggers else triggers_away(store.conn):
            store.conn.execute(by_hand)
        store.conn.commit()
        store.add_documents([Document("d99", text="new")])
        give_assignment(store, "1", "first", None)
        append(store, Event("note", "1", "d1", "bob", note="later"))
        try:
            verify(store)
        except CranfieldError as error:
            return str(error)
    return ""


@pytest.mark.parametrize(
    ("by_hand", "message"),
    [
        ("UPDATE document SET title = 'x' WHERE id = 3", "document 0: the rows differ from the recorded rows"),
        (
            "UPDATE assignment SET cannot_judge = 1 WHERE topic = 1 AND role = 'first'",
            "assignment 1: assessor differs from the recorded value",
        ),
    ],
)
def test_what_the_program_changes_after_a_hand(stores: Mapping[bool, bytes], by_hand: str, message: str) -> None:
    """A hand that the triggers saw is named still; without them it is recorded with what the program did."""
    assert hand_and_program(stores[False], triggers=True, by_hand=by_hand).endswith(message)
    assert hand_and_program(stores[False], triggers=False, by_hand=by_hand) == ""
    assert "no longer reports the earlier change" in " ".join(DOC.read_text("utf-8").split())
