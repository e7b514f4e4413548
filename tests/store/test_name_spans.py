"""Documents that a run names by the thousand: one change in the log, and every change of them by hand is found."""

import hashlib
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import numpy as np
import pytest

from cranfield.arrays.rankings import Ints
from cranfield.errors import StoreError
from cranfield.formats import Document
from cranfield.store import name_spans, named_rows
from cranfield.store.chain import OTHERS, log_head
from cranfield.store.removal import mark_unused_documents
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.hardening.damage import behind_its_back
from tests.stores import new_store

pytestmark = pytest.mark.full

NAMES = [f"d{number:05}" for number in range(5500)]


@pytest.fixture(autouse=True)
def _many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(named_rows, "STATEMENT_NAMES", 700)
    monkeypatch.setattr(name_spans, "NAMES_AT_ONCE", 900)


def changes(store: Store) -> list[tuple[str, str]]:
    return store.rows("SELECT name, said FROM change WHERE kind = 'document' ORDER BY id")


def add_names(store: Store, names: list[str]) -> None:
    with store.writing():
        store.ensure_docnos(names)


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A store with two documents of a corpus, then many names."""
    path = tmp_path_factory.mktemp("named") / "a.db"
    with pytest.MonkeyPatch.context() as patch, new_store(path, documents=["a1", "a2"]) as store:
        patch.setattr(named_rows, "STATEMENT_NAMES", 700)
        store.ensure_docnos(NAMES)
    return path.read_bytes()


@pytest.fixture
def path(tmp_path: Path, named: bytes) -> Path:
    path = tmp_path / "a.db"
    path.write_bytes(named)
    return path


def test_many_names_are_one_change(path: Path) -> None:
    """Whole blocks together, by the hash of the docnos; the blocks at both ends by themselves."""
    with Store.open(path) as store:
        assert verify(store).changes == len(store.rows("SELECT 1 FROM change"))
        assert [name for name, _ in changes(store)] == ["0", "1-4", "0", "5"]
        docnos = store.names("document", "docno")[999:4999]
        digest = hashlib.sha256("".join(f"{name}\0" for name in docnos).encode()).hexdigest()
        assert changes(store)[1][1] == f'{{"names": 4000, "sha256": "{digest}"}}'


def test_the_hash_has_no_row_numbers() -> None:
    """The same names after other documents."""
    said = []
    for before in (999, 1999):
        with new_store() as store:
            store.ensure_docnos([f"a{number}" for number in range(before)])
            store.ensure_docnos(NAMES[:4000])
            said.append({content for _, content in changes(store)})
    assert len([content for content in said[0] & said[1] if "names" in content]) == 1


BY_HAND = {
    "another docno": "UPDATE document SET docno = 'x' WHERE id = 3000",
    "exchanged": "UPDATE document SET docno = CASE id WHEN 3000 THEN 'b' ELSE 'a' END WHERE id IN (3000, 3001)",
    "removed": "UPDATE document SET removed = 1 WHERE id = 3000",
    "a title": "UPDATE document SET title = '' WHERE id = 4999",
    "deleted": "DELETE FROM document WHERE id = 1000",
    "the hash": "UPDATE change SET said = replace(said, '\"sha256\": \"', '\"sha256\": \"0') WHERE name = '1-4'",
    "fewer blocks": "UPDATE change SET name = '1-3' WHERE name = '1-4'",
}


@pytest.mark.parametrize("change", BY_HAND)
def test_what_was_changed_by_hand_is_found(path: Path, change: str) -> None:
    statements = [BY_HAND[change]]
    if change == "exchanged":
        statements.insert(0, "UPDATE document SET docno = 'x' || docno WHERE id IN (3000, 3001)")
    behind_its_back(path, *statements)
    with Store.open(path) as store, pytest.raises(StoreError, match=r"documents? [0-9-]+: |change, event \d+: "):
        verify(store)


def test_a_text_that_arrives_is_recorded_with_its_block(path: Path) -> None:
    """The other blocks stay in the span, and what is changed in any of them by hand is found."""
    with Store.open(path) as store:
        store.add_documents([Document(NAMES[2500], text="a wing")])
        assert [name for name, _ in changes(store)][4:] == ["2"]
        verify(store)
    for number, message in ((2503, "document 2: "), (3503, "document 3: ")):
        behind_its_back(path, f"UPDATE document SET url = 'x' WHERE id = {number}")
        with Store.open(path) as store, pytest.raises(StoreError, match=message):
            verify(store)
        behind_its_back(path, f"UPDATE document SET url = NULL WHERE id = {number}")
    behind_its_back(path, "UPDATE document SET docno = 'x' WHERE id = 2700")
    with Store.open(path) as store, pytest.raises(StoreError, match=r"documents 1-4: the docnos differ"):
        verify(store)


def test_a_change_by_hand_that_was_undone_is_forgotten(path: Path) -> None:
    with Store.open(path) as store:
        store.conn.execute("UPDATE document SET url = 'x' WHERE id = 3000")
        store.conn.commit()
        add_names(store, ["new"])
        assert store.rows("SELECT name FROM unrecorded") == [("3",)]
        with pytest.raises(StoreError, match="document 3: the rows differ from the recorded rows"):
            verify(store)
        store.conn.execute("UPDATE document SET url = NULL WHERE id = 3000")
        store.conn.commit()
        add_names(store, ["newer"])
        assert store.rows("SELECT name FROM unrecorded") == []
        verify(store)


def test_a_part_that_is_undone_leaves_no_span() -> None:
    """Other names get the rows that it had."""
    with new_store() as store:
        with store.writing():
            with suppress(ZeroDivisionError), store.writing():
                store.ensure_docnos(NAMES)
                _ = 1 / 0
            store.ensure_docnos([f"other{number}" for number in range(5500)])
        assert [name for name, _ in changes(store)] == ["0-4", "5"]
        verify(store)


def test_removed_names_come_back(path: Path) -> None:
    with Store.open(path) as store:
        with store.writing():
            assert mark_unused_documents(store, range_of(store)) == 5500
        verify(store)
        store.ensure_docnos([*NAMES[3000:], *(f"e{number}" for number in range(4000))])
        verify(store)
        assert store.count("document") == 2 + 2500 + 4000


def range_of(store: Store) -> Ints:
    return np.arange(1, store.last_row_number("document") + 1)


def test_a_process_that_is_killed_leaves_no_name(path: Path) -> None:
    """Amid the transaction, after all names were added."""
    code = f"""
import os
from cranfield.store import named_rows
from cranfield.store.store import Store
named_rows.STATEMENT_NAMES = 700
store = Store.open({str(path)!r})
with store.writing():
    store.ensure_docnos([f"e{{number}}" for number in range(9000)])
    print(store.rows("SELECT name FROM unrecorded"), flush=True)
    os.kill(os.getpid(), 9)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, "6-13 " in ran.stdout) == (-9, True)
    with Store.open(path) as store:
        assert (store.last_row_number("document"), store.rows("SELECT name FROM unrecorded")) == (5502, [])
        verify(store)


def test_a_store_with_blocks_goes_on_with_spans(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks that an earlier version recorded stay as they are, and so does the head so far."""
    path = tmp_path / "a.db"
    monkeypatch.setattr(name_spans, "MIN_BLOCKS", 1000)
    with new_store(path) as store:
        store.ensure_docnos(NAMES)
        before = log_head(store.conn, OTHERS)
        assert len(changes(store)) == 6
        monkeypatch.setattr(name_spans, "MIN_BLOCKS", 2)
        store.ensure_docnos([f"e{number}" for number in range(5000)])
        assert [name for name, _ in changes(store)][6:] == ["6-9", "5", "10"]
        assert log_head(store.conn, OTHERS, before.events) == before
        verify(store)
    behind_its_back(path, "UPDATE document SET docno = 'x' WHERE id = 2700")
    with Store.open(path) as store, pytest.raises(StoreError, match="document 2: the rows differ"):
        verify(store)


def documents_in_steps(random: Random, store: Store) -> Iterator[str]:
    """Names and texts as they may come."""
    pool = [f"{random.randrange(10**6):06}{letter}" for letter in "abé" for _ in range(4000)]
    for _ in range(4):
        step = random.choice(["names", "names", "names", "texts", "gone"])
        if step == "names":
            add_names(store, random.sample(pool, random.choice([5, 3000, 6000])))
        elif step == "texts":
            known = store.names("document", "docno") or ["a"]
            named = [random.choice(known), f"text{random.random()}"]
            store.add_documents([Document(docno, text="a wing") for docno in dict.fromkeys(named)
                                 if docno not in {one.docno for one in store.documents()}])  # fmt: skip
        else:
            with store.writing():
                mark_unused_documents(store, range_of(store)[:: random.choice([1, 7])])
        yield step


@pytest.mark.parametrize("seed", range(6))
def test_stores_verify_whatever_came(tmp_path: Path, seed: int) -> None:
    """And a change by hand of any document is found."""
    random, path = Random(seed), tmp_path / "a.db"
    with new_store(path) as store:
        for _ in documents_in_steps(random, store):
            verify(store)
        rows = store.last_row_number("document")
    for column in ("docno", "url", "removed"):
        number = random.randint(1, rows)
        with closing(sqlite3.connect(path)) as shell:
            [value] = shell.execute(f"SELECT {column} FROM document WHERE id = ?", [number]).fetchone()
        new = f"1 - {column}" if column == "removed" else "'by hand'"
        behind_its_back(path, f"UPDATE document SET {column} = {new} WHERE id = {number}")
        with Store.open(path) as store, pytest.raises(StoreError, match=r"documents? [0-9-]+: "):
            verify(store)
        back = "NULL" if value is None else repr(value)
        behind_its_back(path, f"UPDATE document SET {column} = {back} WHERE id = {number}")
        with Store.open(path) as store:
            verify(store)
