"""Imports in short transactions: every reader finds all of an import or nothing of it."""

import sqlite3
from pathlib import Path

import pytest

import cranfield
from cranfield.errors import BusyError, CranfieldWarning, StoreError
from cranfield.formats import Document, Topic
from cranfield.metrics.inputs import as_runs
from cranfield.store.brief_imports import importing_briefly, undo_unfinished_imports
from cranfield.store.corpus import count_text_bytes, list_documents, listed_documents, text_lengths, titles
from cranfield.store.history import importing, unfinished_imports
from cranfield.store.named_documents import unknown_documents
from cranfield.store.names import similar_names_in_store, unknown_names
from cranfield.store.quick_look import known_names
from cranfield.store.releases import make_release
from cranfield.store.round_changes import round_rows
from cranfield.store.runs import add_runs, run_info, stored_runs
from cranfield.store.schema import add_tables, feature_parts
from cranfield.store.store import Store
from cranfield.store.verification import backup
from cranfield.store.withdrawals import withdraw
from tests.stores import add_unfinished_import, new_file, new_store

RUNS = {"a": {"1": {"d1": 2.0}}, "b": {"1": {"d1": 2.0, "d2": 1.0}}}


def visible(store: Store) -> tuple[object, ...]:
    """What readers find of documents."""
    return (
        store.counts()["document"], store.has("document"), store.count_added("document"),
        [one.docno for one in store.documents()], [docno for docno, _ in store.search("wings", 10)],
        [one.docno for one in list_documents(store)], text_lengths(store), count_text_bytes(store, "d1"),
    )  # fmt: skip


NOTHING: tuple[object, ...] = (0, False, 0, [], [], [], None, 0)


def test_documents_count_once_their_import_has_ended(tmp_path: Path) -> None:
    """Readers find nothing of an import in the middle of it, and all afterwards; no release can be made meanwhile."""
    path = tmp_path / "track.db"
    with Store.create(path, "track") as writer, Store.open(path) as reader:
        with importing_briefly(writer), importing(writer, "corpus", ["corpus.jsonl"]):
            writer.add_documents([Document("d1", "About wings", "wings")])
            assert visible(reader) == NOTHING
            assert reader.document("d1") == Document("d1")
            assert titles(reader, ["d1"]) == {"d1": ""}
            assert listed_documents(reader, ["d1"])["d1"].length is None
            with pytest.raises(StoreError, match="import 1 has not finished"):
                make_release(reader, "1.0")
            with pytest.raises(BusyError, match="another program imports"), importing(reader, "corpus", ["a.jsonl"]):
                pytest.fail("two programs import documents")
            writer.add_documents([Document("d2", "More", "more wings")])
        assert visible(reader)[:4] == (2, True, 2, ["d1", "d2"])
        assert reader.document("d1").text == "wings"


def test_a_backup_during_an_import_has_nothing_of_it(tmp_path: Path) -> None:
    """The copy is complete without the import, which goes on in the store."""
    path, copy = tmp_path / "track.db", tmp_path / "copy.db"
    with Store.create(path, "track") as store:
        store.add_topics([Topic("1", "wings")])
        with importing_briefly(store), importing(store, "corpus", ["corpus.jsonl"]):
            store.add_documents([Document("d1", text="wings")])
            with Store.open(path) as reader:
                backup(reader, copy)
            store.add_documents([Document("d2", text="waves")])
        assert store.counts()["document"] == 2
    with Store.open(copy) as restored:
        assert restored.rows("SELECT count(*) FROM document WHERE text IS NOT NULL") == [(0,)]
        assert visible(restored) == NOTHING
        assert unfinished_imports(restored) == []


def test_verify_names_an_unfinished_import(tmp_path: Path) -> None:
    """The note says whether to wait or to import again."""
    path = tmp_path / "track.db"
    with Store.create(path, "track") as store:
        with importing_briefly(store), importing(store, "corpus", ["corpus.jsonl"]):
            store.add_documents([Document("d1", text="wings")])
            with pytest.warns(CranfieldWarning, match="import 1 of corpus has not finished .*: it is under way"):
                cranfield.store.verify(path)
            backup_file = tmp_path / "killed.db"
            store.conn.execute("VACUUM INTO ?", [str(backup_file)])
        with pytest.warns(CranfieldWarning, match="it was interrupted; import its files again"):
            cranfield.store.verify(backup_file)


def test_runs_of_an_import_come_at_once(tmp_path: Path) -> None:
    """Another program finds none of the runs while they are written, and all of a finished import afterwards."""
    path, seen = tmp_path / "track.db", []
    with Store.create(path, "track") as writer, Store.open(path) as reader:
        before = writer.conn.execute

        def look(tag: str) -> str:
            seen.append(len(run_info(reader)))
            return tag

        writer.conn.create_function("look", 1, look)
        before("CREATE TEMP TRIGGER looked AFTER INSERT ON main.run BEGIN SELECT look(new.tag); END")
        with importing_briefly(writer), importing(writer, "runs", ["a.run", "b.run"]):
            assert add_runs(writer, as_runs(RUNS)) == 2
            assert (len(run_info(reader)), unfinished_imports(reader)) == (2, [])
        assert seen == [0, 0]
        assert len(stored_runs(reader)) == 3


def test_a_full_disk_leaves_nothing_that_counts(tmp_path: Path) -> None:
    """If an import can neither go on nor be undone, it does not count, and the next start undoes it."""
    path = tmp_path / "track.db"
    with Store.create(path, "track") as store:
        with pytest.raises(StoreError) as error, importing_briefly(store):
            import_until_full(store)
        assert "is full; import 1 does not count, and the next start of the server removes" in str(error.value)
        assert visible(store) == NOTHING
    with Store.open(path) as store:
        assert undo_unfinished_imports(store).undone == [1]
        assert store.rows("SELECT count(*) FROM document WHERE text IS NOT NULL") == [(0,)]


def refuse_to_undo(store: Store, number: int) -> None:
    raise sqlite3.OperationalError("database or disk is full")


def import_until_full(store: Store) -> None:
    """Import documents until the file may not grow any more."""
    assert store.brief is not None
    store.brief.undo = refuse_to_undo
    with importing(store, "corpus", ["corpus.jsonl"]):
        store.add_documents([Document("d1", text="wings")])
        pages = store.rows("PRAGMA page_count")[0][0]
        store.conn.execute(f"PRAGMA max_page_count = {pages}")
        store.add_documents([Document(f"more{number}", text=f"waves {number} " * 999) for number in range(99)])


def test_an_interrupted_import_is_taken_over_by_the_next(tmp_path: Path) -> None:
    """What was stored does not count as known: the files are imported as if nothing had been there."""
    path = tmp_path / "track.db"
    documents = [Document("d1", text="wings"), Document("d2", text="waves")]
    with (
        Store.create(path, "track") as store,
        importing_briefly(store),
        importing(store, "corpus", ["corpus.jsonl"]),
    ):
        store.add_documents(documents[:1])
        store.conn.execute("VACUUM INTO ?", [str(tmp_path / "killed.db")])
    with Store.open(tmp_path / "killed.db") as store:
        with importing(store, "corpus", ["corpus.jsonl"]):
            assert store.add_documents(documents) == 2
        assert visible(store)[:4] == (2, True, 2, ["d1", "d2"])
        assert undo_unfinished_imports(store).undone == [1]
        assert visible(store)[:4] == (2, True, 2, ["d1", "d2"])


def test_names_of_an_unfinished_import_are_unknown(tmp_path: Path) -> None:
    """A document that something names stays known by its docno; a document that only the import has does not exist."""
    path = tmp_path / "track.db"
    new_file(path, documents=["d1"], topics=["1"], runs={"a": {"1": {"d2": 1.0}}})
    with Store.open(path) as store:
        add_unfinished_import(store, ["d2", "D3"])
        assert unknown_names(store, "document", ["d1", "d2", "D3", "d4"]) == ["D3", "d2", "d4"]
        assert similar_names_in_store(store, "document", ["D1", "d3"]) == {"D1": "d1"}
        assert unknown_documents(store, ["d1", "d2", "D3", "d4"]) == ["D3", "d4"]
        with pytest.raises(StoreError, match="no document 'D3' in this store"):
            withdraw(store, "document", ["D3"], "wrong")
        assert withdraw(store, "document", ["d2"], "wrong") == ["document d2: withdrawn"]
    assert known_names(path, "document") == ["d1"]


def test_a_round_with_names_of_an_unfinished_import(tmp_path: Path) -> None:
    """The names are new to the store, and the round does not count the documents."""
    path = tmp_path / "track.db"
    new_file(path, documents=["d1", "d2"], topics=["1"])
    with Store.open(path) as store:
        add_unfinished_import(store, ["d3"])
        assert round_rows(store)[0]["documents"] == 2
    cranfield.rounds.close(path, "1")
    with pytest.warns(CranfieldWarning, match="1 document is new to the store, first 'd3'"):
        cranfield.rounds.start(path, "2", documents=["d1", "d3"])


def test_no_view_shows_a_document_of_an_unfinished_import() -> None:
    """Views of the core and of features name a document only where a run, a pool or a judgment names it."""
    with new_store(documents=["d1"], topics=["1"], runs={"a": {"1": {"d2": 1.0}}}, pool=1) as store:
        with store.writing():
            add_tables(store.conn, feature_parts())
        add_unfinished_import(store, ["hidden"])
        views = [name for (name,) in store.rows("SELECT name FROM main.sqlite_master WHERE type = 'view'")]
        rows = {view: store.rows(f"SELECT * FROM {view}") for view in views if view != "retrieved"}
        assert rows["unknown_document"] == [(2, "d2")]
        assert [row[2] for row in rows["pooled"]] == ["d2"]
        assert [view for view, found in rows.items() if "hidden" in str(found)] == []
