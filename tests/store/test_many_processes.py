"""Eight people at one store: nothing is lost, nothing is done twice, and nobody is told of locks."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import StoreError
from cranfield.formats import Document
from cranfield.judging.planning.assign import narrowed, organise
from cranfield.judging.session.session import Session
from cranfield.metrics.inputs import as_runs
from cranfield.store import connection
from cranfield.store.assignments import assignments, claim, work_of
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append, current, events
from cranfield.store.pools import add_pool, stored_pool
from cranfield.store.runs import add_runs, stored_runs
from cranfield.store.store import Store
from tests.judging.cases import at, pool_of, store_of

PEOPLE = [f"assessor {number}" for number in range(8)]
POOLED = {f"q{topic:02}": [f"d{number}" for number in range(5)] for topic in range(24)}
WRITES = 25
Everybody = Callable[[Any, Path], dict[str, Any]]


def judge_all(path: str, name: str, together: Any) -> list[tuple[str, str]]:
    """Claim topic after topic and judge it, as `cranfield judge` does; the pairs acknowledged."""
    acknowledged = []
    together.wait()
    with Store.open(path) as store:
        while qid := claim(store, name):
            work = work_of(store, name)
            session = Session(store, name, narrowed(stored_pool(store), {qid: work[qid]}))
            while (document := session.view.document) is not None:
                at(session).grade(len(document.docno) % 2)
                acknowledged.append((qid, document.docno))
    return acknowledged


def write_all(path: str, name: str, together: Any) -> list[str]:
    """Labels by hand, with bulk imports between them that read before they write; the event ids acknowledged."""
    together.wait()
    with Store.open(path) as store:
        add_assessor(store, name)
        mine = [f"{name} {number}" for number in range(WRITES)]
        for number, event_id in enumerate(mine):
            append(store, Event("label", "q00", f"d{number % 5}", name, grade=1, event_id=event_id))
            if number % 8 == 0:
                add_runs(store, as_runs({event_id: {"q01": {f"d-{event_id}": 1.0}}}))
                store.add_documents([Document(f"e-{event_id}", text="x")])
                add_pool(store, pool_of({"q01": ["d1"]}))
    return mine


@pytest.fixture(scope="module")
def everybody() -> Iterator[Everybody]:
    """Has all eight do something at the same moment, each in a process of her own."""
    context = get_context("forkserver")
    context.set_forkserver_preload([__name__])
    with context.Manager() as manager, context.Pool(len(PEOPLE)) as pool:

        def run(work: Any, path: Path) -> dict[str, Any]:
            together = manager.Barrier(len(PEOPLE))
            results = {name: pool.apply_async(work, (str(path), name, together)) for name in PEOPLE}
            return {name: result.get(timeout=120) for name, result in results.items()}

        yield run


def test_eight_judge_one_store(tmp_path: Path, everybody: Everybody) -> None:
    """Every pair has exactly one label, by the one to whom it was acknowledged; every topic one assessor."""
    path = tmp_path / "many.db"
    with store_of(POOLED, path) as store:
        organise(store)
    acknowledged = everybody(judge_all, path)
    labelled = Counter(pair for pairs in acknowledged.values() for pair in pairs)
    assert set(labelled) == {(qid, docno) for qid, docnos in POOLED.items() for docno in docnos}
    assert set(labelled.values()) == {1}
    with Store.open(path) as store:
        assert {name: set(current(store, name)) for name in PEOPLE} == {
            name: set(pairs) for name, pairs in acknowledged.items()
        }
        assert len([event for event in events(store) if event.kind == "label"]) == len(labelled)
        assert sum(given.unfinished for given in assignments(store)) == 0
        owners = {(qid, name) for name, pairs in acknowledged.items() for qid, _ in pairs}
        assert len(owners) == len(POOLED)


def test_eight_write_at_once(tmp_path: Path, everybody: Everybody) -> None:
    """Labels, runs, documents and pools at the same time: everything acknowledged is there, once."""
    path = tmp_path / "many.db"
    store_of(POOLED, path).close()
    acknowledged = everybody(write_all, path)
    with Store.open(path) as store:
        found = Counter(event.event_id for event in events(store))
        assert found == Counter(event_id for mine in acknowledged.values() for event_id in mine)
        assert len(stored_runs(store).tags) == 8 * len(range(0, WRITES, 8))
        assert store.rows("PRAGMA integrity_check") == [("ok",)]


def test_whoever_waits_in_vain_is_told_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that never ends its transaction is named as the reason, and no event is half written."""
    monkeypatch.setattr(connection, "PATIENCE", 0)
    path = tmp_path / "busy.db"
    store_of(path=path).close()
    other = sqlite3.connect(path, isolation_level=None)
    with Store.open(path) as store:
        add_assessor(store, "ada")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another program has been writing to this store"):
            append(store, Event("label", "q1", "d1", "ada", grade=1))
        other.execute("ROLLBACK")
        assert append(store, Event("label", "q1", "d1", "ada", grade=1)) == [1]
    other.close()


def test_reading_first_and_writing_then_waits_its_turn(tmp_path: Path) -> None:
    """A transaction that has read sees nobody write before it does: there is no upgrade that could fail."""
    path = tmp_path / "turn.db"
    store_of(path=path).close()
    with Store.open(path) as store, store.writing():
        assert store.rows("SELECT count(*) FROM assessor") == [(0,)]
        other = sqlite3.connect(path, timeout=0)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("INSERT INTO assessor (name, kind) VALUES ('eve', 'human')")
        other.close()
        add_assessor(store, "ada")
    with Store.open(path) as store:
        assert store.rows("SELECT name FROM assessor") == [("ada",)]


def interrupted(store: Store) -> None:
    """Two transactions, one in the other, that end in an error."""
    with store.writing():
        add_assessor(store, "ada")
        with store.writing():
            add_assessor(store, "bob")
        raise KeyboardInterrupt


def test_an_error_inside_undoes_everything(tmp_path: Path) -> None:
    """Nested or not, a transaction that fails leaves nothing, and the next one works."""
    with store_of(path=tmp_path / "undone.db") as store:
        with pytest.raises(KeyboardInterrupt):
            interrupted(store)
        assert store.rows("SELECT count(*) FROM assessor") == [(0,)]
        add_assessor(store, "eve")
        assert store.rows("SELECT name FROM assessor") == [("eve",)]
