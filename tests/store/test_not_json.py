"""What JSON has not comes into no store and out of none: NaN, infinite numbers, bytes, half characters."""

import datetime
import json
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from cranfield.errors import CranfieldError, StoreError
from cranfield.formats import Document, Topic, read_corpus, write_corpus, write_topics
from cranfield.store.store import Store
from tests.conftest import Cranfield

GOOD = '{"_id": "d1", "text": "wing", "year": 1.5}\n'


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "[{}, -1e999]"])
@pytest.mark.parametrize("field", ["year", "text", "metadata"])
def test_a_number_that_json_has_not_is_refused(
    tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch, number: str, field: str
) -> None:
    """With file and line, on the way into a corpus, topics and votes; nothing is written."""
    monkeypatch.chdir(tmp_path)
    Path("bad").write_text(GOOD + f'{{"_id": "d2", "{field}": {number}}}\n')
    cranfield("init", "t.db", "--name", "x")
    for command in ("corpus", "topics"):
        result = cranfield("import", command, "t.db", "bad")
        assert (result.code, result.out) == (1, ""), command
        assert result.err.startswith("error: bad:2: not JSON: "), result.err
        assert "is not a number in JSON" in result.err
        assert result.err.count("\n") == 1
    result = cranfield("import", "votes", "t.db", "bad", "--format", "prodigy")
    assert (result.code, result.out) == (1, "")
    assert "is not a number in JSON" in result.err
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
    result = cranfield("init", "t.db", "--name", "x", "--scale", "0=no\udcff,1=yes")
    assert (result.code, result.out) == (1, "")
    assert result.err == "error: the meaning of grade 0 is not UTF-8: 'no\\udcff'\n"
    assert list(tmp_path.iterdir()) == []
    cranfield("init", "t.db", "--name", "x")
    Path("votes.csv").write_text("qid,docno,assessor,grade\n1,d1,ada,good\n")
    for option in ("--grades", "--rename", "--field"):
        result = cranfield("import", "votes", "t.db", "votes.csv", option, "a\udcff=1")
        assert (result.code, result.out) == (1, "")
        assert result.err == f"error: {option}: 'a\\udcff=1' is not UTF-8\n"


@pytest.mark.parametrize("end", ["", " ", "  ", "\t", " \n"])
def test_a_last_line_without_a_tag_is_refused(
    tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    """A run that was cut off has five columns there, whatever white space is left; so have qrels three."""
    monkeypatch.chdir(tmp_path)
    cranfield("init", "t.db", "--name", "x")
    Path("cut").write_text(f"1 Q0 d1 1 2 r\n1 Q0 d2 2 1{end}")
    Path("qrels").write_text("1 0 d1 1\n")
    Path("cut-qrels").write_text(f"1 0 d1 1\n1 0 d2{end}")
    five = "error: cut:2: 5 columns where a run has 6: qid Q0 docno rank score tag\n"
    assert cranfield("import", "runs", "t.db", "cut").err == five
    assert cranfield("evaluate", "qrels", "cut").err == five
    assert cranfield("trec-eval", "qrels", "cut").code != 0
    three = "error: cut-qrels:2: 3 columns where qrels have 4: qid iteration docno grade\n"
    assert cranfield("import", "qrels", "t.db", "cut-qrels").err == three
