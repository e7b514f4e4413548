"""One file means one file: copies, files that vanish, stores that are half made, newer or write-protected."""

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cranfield.errors import StoreError
from cranfield.formats import Document, Topic
from cranfield.store import connection
from cranfield.store.chain import Event
from cranfield.store.lock_wait import TELL
from cranfield.store.log import add_assessor, append, events
from cranfield.store.store import Store
from cranfield.store.verification import backup, verify
from tests.conftest import Cranfield


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with a label."""
    with Store.create(tmp_path / "track.db", "small") as store:
        store.add_documents([Document("d1", text="one")])
        store.add_topics([Topic("q1", "first")])
        add_assessor(store, "ada")
        label(store, 1)
    return tmp_path / "track.db"


@pytest.fixture
def open_store(path: Path) -> Iterator[Store]:
    """The store, while somebody judges."""
    with Store.open(path) as store:
        yield store


def label(store: Store, grade: int) -> None:
    """One more label by ada."""
    append(store, Event("label", "q1", "d1", "ada", grade=grade))


def grades(path: Path) -> list[int | None]:
    """What ada said, in the order she said it."""
    with Store.open(path) as store:
        return [event.grade for event in events(store)]


def test_what_is_committed_is_no_error_where_the_file_has_no_room(tmp_path: Path) -> None:
    """A disk that is full once all is in the -wal: nothing failed, and the next program finds it."""
    with Store.create(tmp_path / "track.db", "large") as store:
        store.add_documents([Document(str(number), text="text " * 500) for number in range(100)])
    size, told = (tmp_path / "track.db").stat().st_size, list[str]()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Store.open(tmp_path / "track.db") as store:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size * 3 // 4, before[1]))
        telling = TELL.set(told.append)
        try:
            store.add_documents([Document("last", text="text " * 500)])
        finally:
            TELL.reset(telling)
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [line.partition(" in ")[0] for line in told] == ["all is stored, but the last of it"]
    with Store.open(tmp_path / "track.db") as store:
        assert store.document("last").text


def test_a_plain_copy_has_every_label(path: Path, open_store: Store, tmp_path: Path) -> None:
    """Also while the store is open: what is acknowledged is in the one file."""
    label(open_store, 0)
    shutil.copyfile(path, tmp_path / "copy.db")
    assert grades(tmp_path / "copy.db") == [1, 0]


def test_a_backup_has_every_label_although_somebody_reads(path: Path, open_store: Store, tmp_path: Path) -> None:
    """A reader keeps labels out of the one file; a backup has them all, and says so."""
    with closing(sqlite3.connect(path)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM document").fetchall()
        label(open_store, 0)
        made = backup(open_store, tmp_path / "copy.db")
    assert (made.events, grades(tmp_path / "copy.db")) == (2, [1, 0])
    assert [file.name for file in tmp_path.iterdir() if "copy" in file.name] == ["copy.db"]
    assert made == verify(open_store)


def test_a_backup_on_the_command_line(path: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """It never overwrites, and nothing is left of one that fails."""
    assert "; 1 event verified; head " in cranfield("store", "backup", path, tmp_path / "copy.db").out
    again = cranfield("store", "backup", path, tmp_path / "copy.db")
    assert (again.code, "already exists" in again.err) == (1, True)
    with closing(sqlite3.connect(path)) as shell, shell:
        shell.execute("DROP TRIGGER judgment_event_stays")
    assert cranfield("store", "backup", path, tmp_path / "other.db").code == 1
    assert sorted(file.name for file in tmp_path.iterdir()) == ["copy.db", "track.db"]


def test_info_says_that_there_is_a_second_file(path: Path, cranfield: Cranfield) -> None:
    """While somebody has the store open."""
    assert "note" not in cranfield("info", path).err
    with Store.open(path) as store:
        label(store, 0)
        assert "store backup" in cranfield("info", path).err


@pytest.mark.parametrize("what", ["deleted", "replaced"])
def test_a_store_that_goes_away_is_noticed_at_the_next_label(path: Path, open_store: Store, what: str) -> None:
    """Nothing is called recorded that is not."""
    path.unlink()
    if what == "replaced":
        Store.create(path, "another").close()
    with pytest.raises(StoreError, match=f"was {what} while it was open"):
        label(open_store, 0)


def test_an_old_log_beside_a_restored_file_is_told(path: Path, tmp_path: Path) -> None:
    """Not "malformed" alone: which file to move away."""
    Path(f"{path}-wal").write_bytes(b"old")
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(StoreError, match=r"if the file was restored, .*track\.db-wal does not belong to it"):
        Store.open(path)


def test_a_killed_init_leaves_no_store(tmp_path: Path) -> None:
    """It is stopped where it hurts most: when all is written and the name is not there yet."""
    code = (
        "import os, signal, sys; from cranfield.store import connection; from cranfield.store.store import Store\n"
        "connection.os.link = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "Store.create(sys.argv[1], 'killed')"
    )
    found = subprocess.run([sys.executable, "-c", code, tmp_path / "track.db"], check=False)
    assert found.returncode == -signal.SIGKILL
    assert not (tmp_path / "track.db").exists()
    Store.create(tmp_path / "track.db", "made").close()


def test_two_that_make_the_same_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who comes second is refused, and the first one's store is as it was."""
    link = os.link

    def late(part: Path, target: Path) -> None:
        target.write_text("the other's")
        link(part, target)

    monkeypatch.setattr(os, "link", late)
    with pytest.raises(StoreError, match="another program has created it"):
        Store.create(tmp_path / "track.db", "second")
    assert (tmp_path / "track.db").read_text() == "the other's"


def test_without_links_a_store_is_made_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some file systems have none."""

    def refuse(part: Path, target: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", refuse)
    Store.create(tmp_path / "track.db", "made").close()
    assert [file.name for file in tmp_path.iterdir()] == ["track.db"]


def test_a_store_of_a_newer_version_is_refused(path: Path) -> None:
    """It is not written into, and the remedy is named."""
    with closing(sqlite3.connect(path)) as shell, shell:
        shell.execute("INSERT INTO _sqlite_migrations (migration_set, name) VALUES ('cranfield', 'the_year_2040')")
    with pytest.raises(StoreError, match="made by a newer cranfield, which has 'the year 2040'; update"):
        Store.open(path)


@pytest.mark.parametrize("name", [":memory:", "-"])
def test_a_store_is_a_file(name: str, cranfield: Cranfield) -> None:
    """`:memory:` would be gone at once; a dash is the standard output elsewhere."""
    refused = cranfield("init", name, "--name", "x")
    assert (refused.code, "a store is a file" in refused.err) == (1, True)


def test_a_write_protected_store_is_read(path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything in it is seen, what was written last included; what would write is refused."""
    with Store.open(path) as somebody:
        label(somebody, 0)
        monkeypatch.setattr(connection, "writable", lambda path: False)
        before = sorted(file.name for file in path.parent.iterdir())
        assert "small" in cranfield("info", path).out
        with Store.open(path) as store:
            assert [event.grade for event in events(store)] == [1, 0]
            with pytest.raises(StoreError, match="read-only"):
                label(store, 1)
        assert sorted(file.name for file in path.parent.iterdir()) == before
