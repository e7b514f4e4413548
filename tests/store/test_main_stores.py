"""Stores, bundles, pages and manifests that were made before there were seals and recorded changes.

They are in stores/, as SQL: written by the program of that time from the store of full_store.py, with a bundle that was
judged while it was away, a page that was downloaded, and qrels with their manifest.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cranfield.errors import StoreError
from cranfield.store.bundles.bundle import merge_bundle
from cranfield.store.chain import Event
from cranfield.store.log import append, events
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.conftest import Cranfield
from tests.store.full_store import ADA
from tests.store.test_chain import by_hand, recreated

STORES = Path(__file__).with_name("stores")


def made(folder: Path, name: str) -> Path:
    """One of the stores as a file."""
    path = folder / f"{name}.db"
    with closing(sqlite3.connect(path)) as shell:
        shell.executescript((STORES / "tables.sql").read_text("utf-8"))
        shell.executescript((STORES / f"{name}.sql").read_text("utf-8"))
        shell.execute("INSERT INTO document_fts (document_fts) VALUES ('rebuild')")
        shell.executescript((STORES / "guards.sql").read_text("utf-8"))
        shell.commit()
    return path


def test_an_old_store_holds_and_goes_on(tmp_path: Path, cranfield: Cranfield) -> None:
    """Its events keep their hashes, new ones follow by the new rule; the qrels and their manifest are the same."""
    path, out = made(tmp_path, "full"), tmp_path / "q.txt"
    with closing(sqlite3.connect(path)) as shell:
        links = shell.execute("SELECT previous, hash FROM judgment_event ORDER BY id").fetchall()
    with Store.open(path) as store:
        found = verify(store)
        assert [(event.previous, event.hash) for event in events(store)] == links
        assert {event.rule for event in events(store)} == {1}
        append(store, Event("note", "1", "d1", ADA, note="hm"))
        assert verify(store)[:2] == (found.events + 1, found.chains)
        assert events(store)[-1].rule == 2
        own = [event for event in events(store) if event.origin == events(store)[-1].origin]
        assert own[-1].previous == own[-2].hash
    assert cranfield("export", "qrels", path, out).code == 0
    assert out.read_bytes() == (STORES / "qrels.txt").read_bytes()
    said = cranfield("store", "verify", path, "--manifest", STORES / "qrels.txt.manifest.json")
    assert (said.code, said.err) == (0, "")


def test_what_was_out_comes_home(tmp_path: Path) -> None:
    """A bundle, as it is and judged further with this version, and a page; as often as one likes."""
    path, away = made(tmp_path, "full"), made(tmp_path, "away")
    with Store.open(path) as store:
        first = verify(store).events
        assert [merge_bundle(store, away)[:4] for _ in range(2)] == [(ADA, 1, 3, 0), (ADA, 0, 4, 0)]
        with Store.open(away) as bundle:
            qid, docno = bundle.rows("SELECT qid, docno FROM pooled ORDER BY qid, docno")[0]
            append(bundle, Event("note", qid, docno, ADA, note="still away", pool=3))
            assert verify(bundle).events == 5
        assert [merge_bundle(store, away)[:2] for _ in range(2)] == [(ADA, 1), (ADA, 0)]
        assert merge_bundle(store, STORES / "page.jsonl")[:2] == (ADA, 2)
        assert verify(store).events >= first + 4
        assert {event.rule for event in events(store)[first:]} == {1, 2}


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE judgment_event SET grade = 0 WHERE id = 4", "event 4 .* its content has changed"),
        ("UPDATE nugget SET text = 'x' WHERE id = 1", "nugget_edit, event 1: its content has changed"),
        ("UPDATE judgment_event SET rule = 2 WHERE id = 4", "event 4 .* its content has changed"),
        ("UPDATE holder SET assessor = 2 WHERE assignment = 1", "holder 1/2: it was not recorded"),
    ],
)
def test_what_was_changed_in_an_old_store_is_named(tmp_path: Path, statement: str, told: str) -> None:
    """By hand, after it was brought up to date."""
    path = made(tmp_path, "full")
    Store.open(path).close()
    guards = ("judgment_event_unchanged", "nugget_unchanged")
    again = recreated(path, *guards)
    by_hand(path, *(f"DROP TRIGGER {name}" for name in guards), statement, *again)
    with Store.open(path) as store, pytest.raises(StoreError, match=told):
        verify(store)


def test_an_old_store_records_as_it_was_found(tmp_path: Path) -> None:
    """Every table, and where its logs stood."""
    with Store.open(made(tmp_path, "full")) as store:
        kinds = {kind for (kind,) in store.rows("SELECT DISTINCT kind FROM change")}
        assert {"collection", "topic", "document", "run", "pool_document", "holder", "audited", "sampled"} <= kinds
        manifest = json.loads((STORES / "qrels.txt.manifest.json").read_text())["log"]
        [(said,)] = store.rows("SELECT said FROM change WHERE kind = 'heads'")
        assert json.loads(said)["judgments"] == manifest
