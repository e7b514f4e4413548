"""Whatever people hold: a text under an unknown name is never dropped, input may be a pipe, encodings are reported."""

import io
import json
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from cranfield.store.store import Store
from tests.conftest import Cranfield

CORPORA: Mapping[str, str] = {
    "c.jsonl": '{"_id": "d1", "story": "wings"}\n',
    "c.tsv": "id\tstory\nd1\twings\n",
    "c.csv": "id,story\nd1,wings\n",
    "c.sgml": "<DOC>\n<DOCNO> d1 </DOCNO>\n<STORY>wings</STORY>\n</DOC>\n",
    "c.smart": ".I d1\n.K\nwings\n",
    "c.parquet": "id",
    "folder": "corpus.jsonl",
}
TOPICS: Mapping[str, str] = {
    "t.jsonl": '{"_id": "q1", "prompt": "wings"}\n',
    "t.tsv": "qid\tprompt\nq1\twings\n",
    "t.csv": "qid,prompt\nq1,wings\n",
    "t.trec": "<top>\n<num> q1\n<prompt> wings\n</top>\n",
    "t.xml": '<topics><topic number="q1"><prompt>wings</prompt></topic></topics>',
    "t.smart": ".I q1\n.K\nwings\n",
    "t.parquet": "qid",
    "folder": "queries.jsonl",
}


@pytest.fixture
def store(tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store in the working folder."""
    monkeypatch.chdir(tmp_path)
    assert cranfield("init", "t.db", "--name", "n").code == 0
    return tmp_path / "t.db"


def made(name: str, content: str) -> Path:
    """A file, or a folder of BEIR, whose text has a name that nobody knows."""
    path, theirs = Path(name), "prompt" if content in ("qid", "queries.jsonl") else "story"
    if name.endswith(".parquet"):
        parquet.write_table(pa.table({content: ["1"], theirs: ["wings"]}), path)
    elif name == "folder":
        path.mkdir()
        (path / content).write_text(json.dumps({"_id": "1", theirs: "wings"}))
    else:
        path.write_text(content)
    return path


@pytest.mark.parametrize(
    ("kind", "name"), [*(("corpus", one) for one in CORPORA), *(("topics", one) for one in TOPICS)]
)
def test_a_text_that_nothing_matched_is_not_dropped(store: Path, cranfield: Cranfield, kind: str, name: str) -> None:
    """The fields that were found are named, with the option that says which it is; then it is read."""
    path = made(name, {"corpus": CORPORA, "topics": TOPICS}[kind][name])
    ours, theirs = ("text", "story") if kind == "corpus" else ("title", "prompt")
    theirs = "keywords" if "smart" in name else theirs
    done = cranfield("import", kind, "t.db", path)
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert f"{theirs}: name the {ours} with --field {ours}=NAME" in done.err
    assert cranfield("import", kind, "t.db", path, "--field", f"{ours}={theirs}").code == 0
    with Store.open(store) as there:
        found = [topic.title for topic in there.topics()] or [document.text for document in there.documents()]
    assert [text.strip() for text in found] == ["wings"]


def test_everything_comes_through_a_pipe(store: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """A corpus, topics, runs, qrels; in a store and beside it. Parquet is not read in order, and says so."""
    Path("a.run").write_text("1 Q0 d1 1 1.0 a\n")
    Path("qrels").write_text("1 0 d1 1\n")
    for words, text in (
        ("import corpus t.db -", '{"_id": "d1", "text": "wings"}\n'),
        ("import topics t.db -", "1\tlift\n"),
        ("import runs t.db -", "1 Q0 d1 1 1.0 a\n"),
        ("import qrels t.db -", "1 0 d1 1\n"),
        ("evaluate - a.run", "1 0 d1 1\n"),
        ("evaluate qrels -", "1 Q0 d1 1 1.0 a\n"),
    ):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert cranfield(*words.split()).code == 0, words
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"PAR1 and more")))
    assert "-: Parquet from a pipe; expected a file" in cranfield("import", "runs", "t.db", "-").err


def test_encodings_are_reported(store: Path, cranfield: Cranfield) -> None:
    """Latin-1 in texts is read and said; in ids it is refused, as UTF-16 is, with what to do."""
    Path("c.jsonl").write_bytes('{"_id": "d1", "text": "un café, deux cafés"}\n'.encode("latin-1"))
    done = cranfield("import", "corpus", "t.db", "c.jsonl")
    told = '2 bytes that are not UTF-8 were read as Latin-1, as in \'"text": "un café, deux cafés"}\'\n'
    assert f"note: c.jsonl: {told}" in done.err
    Path("r").write_bytes("1 Q0 é 1 1.0 a\n".encode("latin-1"))
    told = "error: r:1: docno '\\\\xe9' is not UTF-8; convert the file, as with iconv -f latin1 -t utf8\n"
    assert cranfield("import", "runs", "t.db", "r").err == told
    Path("u").write_bytes("1 Q0 d 1 1.0 a\n".encode("utf-16"))
    for kind in ("corpus", "topics", "runs", "qrels"):
        assert cranfield("import", kind, "t.db", "u").err == "error: u:1: UTF-16 text; expected UTF-8\n"


def test_padded_ids_are_found(store: Path, cranfield: Cranfield) -> None:
    """Where that is asked for; else the option is named."""
    Path("c").write_text('{"_id": "46", "text": "x"}\n')
    Path("t").write_text("1\tlift\n")
    Path("r").write_text("01 Q0 0046 1 1.0 a\n")
    assert cranfield("import", "corpus", "t.db", "c").code == cranfield("import", "topics", "t.db", "t").code == 0
    assert "--normalize-ids finds it: '01' is '1' in this store" in cranfield("import", "runs", "t.db", "r").err
    done = cranfield("import", "runs", "t.db", "r", "--normalize-ids")
    assert "note: 1 of 1 documents in r is spelled differently: '0046' is '46' in this store\n" in done.err
