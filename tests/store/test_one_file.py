"""One file means one file, also for other programs: plain SQL, copies, and nothing in it that JSON has not."""

import datetime
import json
import math
import os
import random
import resource
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cranfield.errors import CranfieldError, InputError, StoreError
from cranfield.formats import Document, Topic, read_corpus, read_topics, read_votes, write_corpus, write_topics
from cranfield.store import connection
from cranfield.store.chain import Event
from cranfield.store.datasette import datasette_metadata
from cranfield.store.log import append, read_events
from cranfield.store.store import Store
from cranfield.store.verification import backup, verify
from tests.arrow import pa, parquet
from tests.conftest import Cranfield
from tests.stores import new_file, new_store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with a label."""
    return new_file(tmp_path / "track.db", documents=["d1"], topics=["q1"], labels={"ada": {("q1", "d1"): 1}})


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
        return [event.grade for event in read_events(store)]


def test_what_is_committed_is_no_error_where_the_file_has_no_room(tmp_path: Path) -> None:
    """A disk that is full once all is in the -wal: nothing failed, and the next program finds it."""
    path = new_file(tmp_path / "track.db", documents={str(number): "text " * 500 for number in range(100)})
    size, lines = path.stat().st_size, list[str]()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Store.open(path, tell=lines.append) as store:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size * 3 // 4, before[1]))
        try:
            store.add_documents([Document("last", text="text " * 500)])
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [line.partition(" in ")[0] for line in lines] == ["all data are stored, but the latest part is still"]
    with Store.open(tmp_path / "track.db") as store:
        assert store.document("last").text


@pytest.mark.full
def test_a_plain_copy_has_every_label(path: Path, open_store: Store, tmp_path: Path) -> None:
    """Also while the store is open: what is acknowledged is in the one file."""
    label(open_store, 0)
    shutil.copyfile(path, tmp_path / "copy.db")
    assert grades(tmp_path / "copy.db") == [1, 0]


@pytest.mark.full
def test_a_backup_has_every_label_although_somebody_reads(path: Path, open_store: Store, tmp_path: Path) -> None:
    """A reader keeps labels out of the one file; a backup has them all, and says so."""
    with closing(sqlite3.connect(path)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM document").fetchall()
        label(open_store, 0)
        verification = backup(open_store, tmp_path / "copy.db")
    assert (verification.events, grades(tmp_path / "copy.db")) == (2, [1, 0])
    assert [file.name for file in tmp_path.iterdir() if "copy" in file.name] == ["copy.db"]
    assert verification == verify(open_store)


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


@pytest.mark.full
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
    with pytest.raises(StoreError, match=r"if the file was restored, move .*track\.db-wal away"):
        Store.open(path)


@pytest.mark.full
def test_a_killed_init_leaves_no_store(tmp_path: Path) -> None:
    """It is stopped where it hurts most: when all is written and the name is not there yet."""
    code = (
        "import os, signal, sys; from cranfield.store import connection; from cranfield.store.store import Store\n"
        "connection.os.link = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "Store.create(sys.argv[1], 'killed')"
    )
    process = subprocess.run([sys.executable, "-c", code, tmp_path / "track.db"], check=False)
    assert process.returncode == -signal.SIGKILL
    assert not (tmp_path / "track.db").exists()
    Store.create(tmp_path / "track.db", "made").close()


def test_two_that_make_the_same_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who comes second is refused, and the first one's store is as it was."""
    link = os.link

    def late(part: Path, target: Path) -> None:
        target.write_text("the other's")
        link(part, target)

    monkeypatch.setattr(os, "link", late)
    with pytest.raises(StoreError, match="another program has just created it"):
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
    output = cranfield("init", name, "--name", "x")
    assert (output.code, "a store is a file" in output.err) == (1, True)


def test_a_write_protected_store_is_read(path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything in it is seen, what was written last included; what would write is refused."""
    with Store.open(path) as somebody:
        label(somebody, 0)
        monkeypatch.setattr(connection, "writable", lambda path: False)
        before = sorted(file.name for file in path.parent.iterdir())
        assert "small" in cranfield("info", path).out
        with Store.open(path) as store:
            assert [event.grade for event in read_events(store)] == [1, 0]
            with pytest.raises(StoreError, match="read-only"):
                label(store, 1)
        assert sorted(file.name for file in path.parent.iterdir()) == before


EXTREMES = [0.0, 5e-324, -5e-324, 2.2250738585072014e-308, 2.225073858507201e-308, 1.7976931348623157e308, -1.5, 0.1]


def test_rankings_are_rows_of_a_view() -> None:
    """Every document with its rank and the very score of the run, whatever number that is."""
    chance = random.Random(1)
    numbers = struct.unpack("<400d", chance.randbytes(3200))
    scores = {f"d{at}": score for at, score in enumerate([*EXTREMES, *numbers]) if not math.isnan(score)}
    runs = {"a": {"q1": scores, "q2": {"d9": 1.0}}, "b": {"q1": {"d1": 2.0, "d0": 1.0}}}
    with new_store(runs=runs) as store:
        rows = store.rows("SELECT docno, rank, score FROM retrieved WHERE tag = 'a' AND qid = 'q1'")
        others = store.rows("SELECT tag, team, qid, rank, docno, score FROM retrieved WHERE tag = 'b' OR docno = 'd9'")
    best = sorted(scores, key=lambda docno: (scores[docno], docno), reverse=True)
    assert rows == [(docno, rank, scores[docno]) for rank, docno in enumerate(best, 1)]
    assert {("a", "a", "q2", 1, "d9", 1.0), ("b", "b", "q1", 2, "d0", 1.0)} < set(others)


def test_the_full_text_index_is_found_and_follows_the_documents() -> None:
    """By the words that Datasette and sqlite-utils look for."""
    with new_store(documents={"d1": "wings lift", "d2": "a tail"}) as store:
        table = store.db.table("document")
        assert table.detect_fts() == "document_fts"
        store.conn.execute("UPDATE document SET text = 'a rudder' WHERE docno = 'd2'")
        assert [row["docno"] for word in ("wing", "tail", "rudder") for row in table.search(word)] == ["d1", "d2"]


def test_datasette_is_told_of_every_table() -> None:
    """Each is shown with a title and a description, or hidden; columns that are named are there."""
    with Store.memory("sql") as store:
        tables = datasette_metadata(store)["databases"][":memory:"]["tables"]
        there = {name for (name,) in store.rows("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")}
        assert {name for name in there if not name.startswith("document_fts")} == {*tables}
        for name, table in tables.items():
            if table.get("hidden"):
                continue
            columns = {column for _, column, *_ in store.rows(f"PRAGMA table_info({name})")}
            assert {*table.get("columns", {}), *table.get("facets", ())} <= columns
            assert table.get("label_column", "docno") in columns or "label_column" not in table
            assert table["title"]
            assert table["description"]


GOOD = '{"_id": "d1", "text": "wing", "year": 1.5}\n'


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "[{}, -1e999]"])
@pytest.mark.parametrize("field", ["year", "text", "metadata"])
def test_a_number_that_json_has_not_is_refused(tmp_path: Path, number: str, field: str) -> None:
    """In a corpus, in topics and in votes, with file and line."""
    path = tmp_path / "bad"
    path.write_text(GOOD + f'{{"_id": "d2", "{field}": {number}}}\n')
    with pytest.raises(InputError, match="is not a number in JSON") as corpus_candidates:
        list(read_corpus(path))
    with pytest.raises(InputError, match="is not a number in JSON") as in_topics:
        read_topics(path)
    for error in (corpus_candidates, in_topics):
        assert str(error.value).startswith(f"{path}:2: not JSON: ")
    with pytest.raises(InputError, match="is not a number in JSON"):
        read_votes(path, format="prodigy")


def test_no_import_writes_what_is_before_a_number_that_json_has_not(
    tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error is one line."""
    monkeypatch.chdir(tmp_path)
    Path("bad").write_text(GOOD + '{"_id": "d2", "year": [{}, -1e999]}\n')
    cranfield("init t.db --name x")
    for command in ("corpus", "topics"):
        result = cranfield("import", command, "t.db", "bad")
        assert (result.code, result.out) == (1, ""), command
        assert result.err.startswith("error: bad:2: not JSON: "), result.err
        assert "is not a number in JSON" in result.err
        assert result.err.count("\n") == 1
    assert "is not a number in JSON" in cranfield.error("import votes t.db bad --format prodigy")
    with Store.open("t.db") as store:
        assert store.counts()["document"] == store.counts()["topic"] == 0


def test_nan_in_parquet_is_refused_with_its_row(tmp_path: Path) -> None:
    """So are bytes that are no text; dates are text, and NULL is none."""
    path = tmp_path / "corpus.parquet"
    rows = {"docno": ["d1", "d2"], "text": [b"wing", b"lift"], "year": [None, 1958.0]}
    when = [datetime.date(1958, 10, 1), None]
    parquet.write_table(pa.table(rows | {"when": when}), path)
    first, second = read_corpus(path)
    assert first == Document("d1", "", "wing", "", {"year": None, "when": "1958-10-01"})
    assert second.metadata == {"year": 1958.0, "when": None}
    parquet.write_table(pa.table(rows | {"year": [1.0, float("nan")]}), path)
    with pytest.raises(CranfieldError, match=r"corpus.parquet:2: year has NaN or an infinite number"):
        list(read_corpus(path))
    parquet.write_table(pa.table(rows | {"text": [b"wing", b"\xff"]}), path)
    with pytest.raises(CranfieldError, match=r"corpus.parquet:2: text has bytes that are not UTF-8"):
        list(read_corpus(path))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {"a": [float("nan")]}, b"x"])
def test_what_json_has_not_is_never_written(tmp_path: Path, value: object) -> None:
    """Neither into a store nor into a file."""
    with Store.memory("x") as store:
        with pytest.raises(StoreError, match="metadata cannot be stored as JSON"):
            store.add_documents([Document("d1", "", "wing", "", {"a": value})])
        with pytest.raises(StoreError, match="metadata cannot be stored as JSON"):
            store.add_topics([Topic("1", "wing", metadata={"a": value})])
        assert store.counts()["document"] == store.counts()["topic"] == 0
    with pytest.raises(CranfieldError, match="metadata cannot be written as JSON"):
        write_corpus(tmp_path / "out", [Document("d1", metadata={"a": value})])
    with pytest.raises(CranfieldError, match="metadata cannot be written as JSON"):
        write_topics(tmp_path / "out", [Topic("1", "wing", metadata={"a": value})])
    assert not (tmp_path / "out").exists()


def test_tables_of_json_have_no_infinite_number() -> None:
    """They are undefined there, as NaN is."""
    from cranfield.formats.text_tables import as_json

    assert json.loads(as_json([{"value": float("inf")}, {"value": float("nan")}])) == [{"value": None}] * 2


def test_meanings_that_are_not_utf8_are_refused(
    tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half characters, as the command line makes of bytes that are none: of a scale, and of votes."""
    monkeypatch.chdir(tmp_path)
    assert (
        cranfield.error("init", "t.db", "--name", "x", "--scale", "0=no\udcff,1=yes")
        == "the meaning of grade 0 is not UTF-8: 'no\\udcff'"
    )
    assert list(tmp_path.iterdir()) == []
    cranfield("init t.db --name x")
    Path("votes.csv").write_text("qid,docno,assessor,grade\n1,d1,ada,good\n")
    for option in ("--grades", "--rename", "--field"):
        assert (
            cranfield.error("import", "votes", "t.db", "votes.csv", option, "a\udcff=1")
            == f"{option}: 'a\\udcff=1' is not UTF-8"
        )


@pytest.mark.parametrize("end", ["", " ", "  ", "\t", " \n"])
def test_a_last_line_without_a_tag_is_refused(
    tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    """A run that was cut off has five columns there, whatever white space is left; so have qrels three."""
    monkeypatch.chdir(tmp_path)
    cranfield("init t.db --name x")
    Path("cut").write_text(f"1 Q0 d1 1 2 r\n1 Q0 d2 2 1{end}")
    Path("qrels").write_text("1 0 d1 1\n")
    Path("cut-qrels").write_text(f"1 0 d1 1\n1 0 d2{end}")
    five = "error: cut:2: 5 columns; a run has 6: qid Q0 docno rank score tag\n"
    assert cranfield("import runs t.db cut").err == five
    assert cranfield("evaluate qrels cut").err == five
    assert cranfield("trec-eval qrels cut").code != 0
    three = "error: cut-qrels:2: 3 columns; qrels have 4: qid iteration docno grade\n"
    assert cranfield("import qrels t.db cut-qrels").err == three
