"""A person who is erased is nowhere in the file; everything else is as it was, and what is altered is still named."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from cranfield.errors import InputError, StoreError
from cranfield.store.chain import Event
from cranfield.store.erasing import erase, find_traces
from cranfield.store.log import append, read_events
from cranfield.store.qrels import qrels_of
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.conftest import Cranfield
from tests.hardening.damage import behind_its_back
from tests.needed_extras import skip_without
from tests.store.full_store import (
    ADA,
    HER_CRITERION,
    HER_NOTE,
    HER_QUERY,
    HER_REASON,
    HER_TERMS,
    USER,
    full_store,
)
from tests.store.test_chain import by_hand
from tests.store.test_upgrade import upgrade_once
from tests.stores import new_store

pytestmark = pytest.mark.needs("online")  # whose users are erased in the same store


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    skip_without("arrow")  # to import a log
    return full_store(tmp_path_factory.mktemp("whole"))


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return upgrade_once(tmp_path_factory.mktemp("old"), "full")


@pytest.fixture(params=["whole", "old"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A store with a release, of this version and of one from before there were seals."""
    return Path(shutil.copy(request.getfixturevalue(request.param), tmp_path / "a.db"))


@pytest.fixture(scope="module", params=["whole", "old"])
def anonymous(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, without the assessor."""
    folder = tmp_path_factory.mktemp("erased")
    path = Path(shutil.copy(request.getfixturevalue(request.param), folder / "a.db"))
    with Store.open(path) as store:
        erase(store, "assessor", ADA, "asked")
        verify(store)
    return path


def traces(path: Path, *words: str) -> list[str]:
    """The words that are in some byte of a store."""
    there = b"".join(each.read_bytes() for each in path.parent.glob(f"{path.name}*") if each.is_file())
    return [word for word in words if word.encode() in there]


def labels(path: Path) -> list[tuple[object, ...]]:
    with Store.open(path) as store:
        qrels = qrels_of(store)
        return [*zip(qrels.topic.tolist(), qrels.document.tolist(), qrels.grade.tolist(), strict=True)]


def test_an_assessor_is_erased(path: Path, cranfield: Cranfield) -> None:
    """No byte of the store has her name or her words; it verifies, the qrels are the same, and it goes on."""
    hers = (ADA, HER_NOTE, HER_REASON, HER_TERMS, HER_CRITERION, "Quillfeather")
    before = labels(path)
    assert "Quillfeather" in traces(path, *hers)
    with Store.open(path) as store:
        erase(store, "user", USER, "asked")  # her query has her name
        counts = verify(store)
    dry = cranfield("store", "erase", path, "assessor", ADA, "--reason", "asked", "--dry-run")
    assert (dry.code, ADA in traces(path, ADA)[0]) == (0, True)
    output = cranfield("store", "erase", path, "assessor", ADA, "--reason", "asked")
    assert (output.code, "new name: 'erased 2'" in output.out) == (0, True), output.err
    assert dry.out.replace("would be erased", "erased") == output.out
    assert traces(path, *hers) == []
    verification = cranfield("store", "verify", path)
    assert verification.code == 0
    assert "1 release verified, unchanged except erased data" in verification.out
    assert "rows partly erased: hash links are intact, but erased data cannot be verified" in verification.out
    assert labels(path) == before
    with Store.open(path) as store:
        assert [find_traces(store, word) for word in ("eve", "win")] == [[], []]  # of event and wings
        assert find_traces(store, "wings") != []
        after = verify(store)
        assert (after.events, after.other_events, after.releases) == (
            counts.events,
            counts.other_events,
            counts.releases,
        )
        append(store, Event("label", "1", "d2", "erased 2", 1, note="goes on"))
        assert verify(store).events == counts.events + 1
        with store.release("1.0") as then:
            assert "erased 2" in {event.assessor for event in read_events(then)}


@pytest.mark.full
def test_nothing_is_left_beside_an_open_store(path: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """While another connection keeps the write-ahead log; the exported qrels are the same, byte for byte."""
    assert cranfield("export", "qrels", path, tmp_path / "before.txt").code == 0
    with Store.open(path) as reader:
        reader.rows("SELECT count(*) FROM judgment_event")
        append(reader, Event("label", "1", "d1", ADA, 1, note=HER_NOTE))
        assert ADA in traces(path, ADA)
        cranfield("export", "qrels", path, tmp_path / "before.txt")
        assert cranfield("store", "erase", path, "assessor", ADA, "--reason", "asked").code == 0
        assert Path(f"{path}-wal").exists()
        assert traces(path, ADA, HER_NOTE, HER_REASON, HER_TERMS, HER_CRITERION) == []
    assert cranfield("export", "qrels", path, tmp_path / "after.txt").code == 0
    assert (tmp_path / "after.txt").read_bytes() == (tmp_path / "before.txt").read_bytes()
    assert cranfield("store", "verify", path).code == 0


def test_whoever_reads_the_store_as_it_was_is_told_of(
    path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be emptied is said in a line; once the reader is done, the next one to close the store empties it."""
    monkeypatch.setattr("cranfield.store.connection.PATIENCE", 0.1)
    with closing(sqlite3.connect(path)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM assessor").fetchone()
        output = cranfield("store", "erase", path, "assessor", ADA, "--reason", "asked")
        assert output.code == 0, output.err
        assert f"note: another program is still reading the earlier state of {path}; until it ends" in output.err
        assert ADA in traces(path, ADA)
    assert cranfield("store", "verify", path).code == 0
    assert traces(path, ADA, HER_NOTE, HER_REASON, HER_TERMS, HER_CRITERION) == []


def test_a_file_that_cannot_be_written_anew_is_told_of(whole: Path, tmp_path: Path) -> None:
    """As on a full disk: she is erased, and to erase the name that stands for her once more does the rest."""
    with Store.open(shutil.copy(whole, tmp_path)) as store:
        unread = store.conn.execute("SELECT docno FROM document")  # SQLite writes no file anew meanwhile
        result = erase(store, "assessor", ADA, "asked")
        assert "could not be rewritten (cannot VACUUM" in result.remaining[-1]
        assert f"free space for a second copy, then erase {result.name!r}" in result.remaining[-1]
        unread.close()
        assert erase(store, "assessor", result.name, "asked").remaining == result.remaining[:-1]


def test_a_user_is_erased(path: Path) -> None:
    """Ids and the query that nobody else typed are gone; lists, clicks and the query of others stay."""
    with Store.open(path) as store:
        lists = store.rows("SELECT documents, at FROM impression ORDER BY id")
        result = erase(store, "user", USER, "asked")
        assert result.rows == {"impression": 2, "query": 1}
        assert store.rows("SELECT documents, at FROM impression ORDER BY id") == lists
        assert store.rows("SELECT count(*) FROM action") == [(4,)]
        assert store.rows("SELECT count(user), count(session) FROM impression") == [(2, 2)]
        assert {text for (text,) in store.rows("SELECT text FROM query")} == {"wings", "erased 1"}
        verify(store)
        with pytest.raises(InputError, match="no user 'visitor-8471'"):
            erase(store, "user", USER, "again")
    assert traces(path, HER_QUERY) == []


TAMPERED = {
    "a label": ("UPDATE judgment_event SET grade = 0 WHERE grade = 2", "its content has changed"),
    "a note put back": ("UPDATE judgment_event SET note = 'x' WHERE grade = 2", "its content has changed"),
    "a label of a nugget": ("UPDATE nugget_event SET label = 'not_support' WHERE id = 1", "its content has changed"),
    "a reason put back": ("UPDATE nugget_event SET reason = 'x' WHERE id = 1", "its content has changed"),
    "the name": (
        "UPDATE assessor SET name = 'erased eve' WHERE name = 'erased 1'",
        "name differs from the recorded value",
    ),
    "a redaction": (
        "DELETE FROM redaction WHERE log = 'criterion'",
        "erasure 1 .* the redactions differ from the recorded",
    ),
    "one more redaction": ("INSERT INTO redaction VALUES ('x', '1', 1, '')", "the redactions differ from the recorded"),
    "a reason": ("UPDATE erasure SET reason = 'none'", "erasure, event 1: its content has changed"),
    "a release": ("UPDATE release SET note = 'x'", "release 1.0: its record has changed"),
}


@pytest.mark.full
@pytest.mark.parametrize(("statement", "message"), TAMPERED.values(), ids=TAMPERED)
def test_what_is_altered_after_an_erasure_is_named(
    anonymous: Path, tmp_path: Path, statement: str, message: str
) -> None:
    """A label of hers as well, though what was erased of it can no longer be recomputed."""
    path = Path(shutil.copy(anonymous, tmp_path / "a.db"))
    behind_its_back(path, statement)
    with Store.open(path) as store, pytest.raises(StoreError, match=message):
        verify(store)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE judgment_event SET note = ''",
        "UPDATE nugget_event SET note = '', reason = ''",
        "UPDATE assessor SET name = 'erased 1' WHERE id = 3",
        "UPDATE impression SET user = NULL",
        "UPDATE query SET text = 'erased 1'",
        "UPDATE release SET kept = '{}'",
        "UPDATE origin SET name = ''",
        "UPDATE criterion SET text = ''",
    ],
)
def test_nothing_is_erased_without_its_event(whole: Path, tmp_path: Path, change: str) -> None:
    path = Path(shutil.copy(whole, tmp_path / "a.db"))
    with pytest.raises(sqlite3.IntegrityError):
        by_hand(path, change)


def test_only_what_is_personal_can_be_changed_with_one(whole: Path, tmp_path: Path) -> None:
    """A row of hers keeps its label, and gets no other note."""
    path = Path(shutil.copy(whole, tmp_path / "a.db"))
    with Store.open(path) as store:
        erase(store, "assessor", ADA, "asked")
    for change in ("SET grade = 0", "SET note = 'other'", "SET kind = 'later'"):
        with pytest.raises(sqlite3.IntegrityError):
            by_hand(path, f"UPDATE judgment_event {change} WHERE grade = 2 AND kind = 'label'")


WRONG = {
    ("assessor", "eve"): "no assessor 'eve' in this store; available: ",
    ("assessor", "llm"): "'llm' is a model, not a person",
    ("assessor", f"{ADA} (repeat)"): "no assessor",
    ("user", "nobody"): "no user 'nobody' in the interaction logs",
}


@pytest.mark.parametrize(("who", "message"), WRONG.items(), ids=[name for _, name in WRONG])
def test_who_cannot_be_erased(
    whole: Path, tmp_path: Path, cranfield: Cranfield, who: tuple[str, str], message: str
) -> None:
    """One line, and nothing is changed."""
    path = Path(shutil.copy(whole, tmp_path / "a.db"))
    output = cranfield("store", "erase", path, *who, "--reason", "asked")
    assert (output.code, message in output.err) == (1, True), output.err
    with Store.open(path) as store:
        assert store.count("erasure") == 0


@pytest.mark.needs_extra("arrow")
def test_the_salt_of_users_can_be_kept_outside(tmp_path: Path, cranfield: Cranfield) -> None:
    """The store has a hash of it; another file, none, or one for a store with its own is refused."""
    path, salt, log = tmp_path / "a.db", tmp_path / "salt", tmp_path / "log.jsonl"
    log.write_text('{"id": "i1", "at": 1, "user": "ann", "query": "q", "docs": []}\n')
    assert cranfield("init", path, "--name", "a").code == 0
    assert cranfield("import", "log", path, log, "--salt", salt).code == 0
    assert len(bytes.fromhex(salt.read_text())) == 16
    assert salt.read_text().strip() not in path.read_bytes().hex()
    assert cranfield("import", "log", path, log, "--salt", salt).code == 0
    assert "give the file with --salt" in cranfield("import", "log", path, log).err
    (tmp_path / "other").write_text("00" * 16)
    assert "this salt differs from the salt" in cranfield("import", "log", path, log, "--salt", tmp_path / "other").err
    (tmp_path / "none").write_text("salt")
    assert "not a salt" in cranfield("import", "log", path, log, "--salt", tmp_path / "none").err
    output = cranfield("store", "erase", path, "user", "ann", "--reason", "asked", "--salt", salt)
    assert (output.code, "impression 1, query 1" in output.out) == (0, True), output.err


def test_copies_of_killed_programs_are_found(
    tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`info` and `store erase` name the folder; the copy of a program that runs is its own."""
    with new_store(tmp_path / "t.db", topics=["q1"], people=["ada"]):
        pass
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for process, suffix in ((int(ended.stdout), "killed"), (os.getpid(), "running")):
        (tmp_path / f"cranfield-{process}-{suffix}").mkdir()
        shutil.copy(tmp_path / "t.db", tmp_path / f"cranfield-{process}-{suffix}" / "t.db")
    for words in (("info",), ("store", "erase")):
        more = ("assessor", "ada", "--reason", "asked") if "erase" in words else ()
        output = cranfield(*words, tmp_path / "t.db", *more)
        message = " ".join(output.err.split())
        assert (output.code, message.count("contains a copy of this store")) == (0, 1)
        assert f"cranfield-{int(ended.stdout)}-killed" in message
