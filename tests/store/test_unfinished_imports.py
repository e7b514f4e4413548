"""Imports in short transactions: every reader finds all of an import or nothing of it."""

import sqlite3
from pathlib import Path

import pytest

import cranfield
from cranfield.errors import BusyError, CranfieldWarning, StoreError
from cranfield.formats import Document, Topic
from cranfield.metrics.inputs import as_runs
from cranfield.store.brief_imports import importing_briefly, undo_unfinished_imports
from cranfield.store.corpus import count_text_bytes, lengths, list_documents, listed_documents, titles
from cranfield.store.history import importing, unfinished_imports
from cranfield.store.releases import make_release
from cranfield.store.runs import add_runs, run_info, stored_runs
from cranfield.store.store import Store
from cranfield.store.verification import backup

RUNS = {"a": {"1": {"d1": 2.0}}, "b": {"1": {"d1": 2.0, "d2": 1.0}}}


def visible(store: Store) -> tuple[object, ...]:
    """What readers find of documents."""
    return (
        store.counts()["document"], store.has("document"), store.count_added("document"),
        [one.docno for one in store.documents()], [docno for docno, _ in store.search("wings", 10)],
        [one.docno for one in list_documents(store)], lengths(store), count_text_bytes(store, "d1"),
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
