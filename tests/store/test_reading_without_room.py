"""A store is read where nothing can be written: on a full disk, in a read-only folder, with a full temporary folder."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from cranfield.errors import StoreError
from cranfield.store.log import add_assessor
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.hardening.disks import can_mount
from tests.stores import new_store

BALLAST = "ballast"

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(not can_mount(), reason="this process may not mount file systems"),
]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small file system with a store."""
    folder = tmp_path / "disk"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", folder], check=True)
    try:
        new_store(folder / "t.db", topics=["q1"], documents=["d1"]).close()
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def fill_disk(disk: Path) -> None:
    with (disk / BALLAST).open("wb") as ballast:
        ballast.write(bytes(shutil.disk_usage(disk).free))
    assert shutil.disk_usage(disk).free == 0


def test_a_store_on_a_full_disk_is_read_and_backed_up(disk: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """One line says that a copy is read; a backup goes to another disk; writing is refused."""
    fill_disk(disk)
    path, before = disk / "t.db", (disk / "t.db").read_bytes()
    info = cranfield("info", path)
    assert info.code == 0
    assert [
        line for line in info.err.splitlines() if "this program reads a copy of it" in line
    ] == info.err.splitlines()
    assert cranfield("store", "backup", path, tmp_path / "backup.db").code == 0
    with Store.open(tmp_path / "backup.db") as store:
        assert [topic.qid for topic in store.topics()] == ["q1"]
    refused = cranfield("store", "withdraw", path, "topic", "q1", "--reason", "x")
    assert (refused.code, "read-only" in refused.err) == (1, True)
    assert path.read_bytes() == before


def test_a_full_temporary_folder_leaves_the_file_itself(
    disk: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing is left to be taken from the -wal; otherwise TMPDIR is the remedy."""
    (disk / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(disk / "tmp"))
    fill_disk(disk)
    info = cranfield("info", disk / "t.db")
    assert (info.code, "this program reads it without locks" in info.err) == (0, True)
    assert list((disk / "tmp").iterdir()) == []
    (disk / BALLAST).unlink()
    with Store.open(disk / "t.db") as store:
        store.conn.execute("PRAGMA wal_autocheckpoint = 0")
        store.conn.execute("UPDATE topic SET title = 'x'")
        store.conn.commit()
        copy = disk / "left"
        copy.mkdir()
        for name in ("t.db", "t.db-wal"):
            shutil.copyfile(disk / name, copy / name)
    fill_disk(disk)
    refused = cranfield("info", copy / "t.db")
    assert (refused.code, "set TMPDIR to another folder" in refused.err) == (1, True)


def test_a_store_on_a_read_only_disk_is_read(disk: Path, cranfield: Cranfield) -> None:
    """Also by root, whom the mode of a file does not stop."""
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    info = cranfield("info", disk / "t.db")
    assert (info.code, "this program reads a copy of it" in info.err) == (0, True)
    with Store.open(disk / "t.db") as store, pytest.raises(StoreError, match="read-only"):
        add_assessor(store, "ada")
    assert not os.path.exists(disk / "t.db-shm")
