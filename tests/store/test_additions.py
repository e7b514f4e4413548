"""More documents and topics for a store that has labels: what is new is added, what was judged stays as it is."""

import json
from pathlib import Path
from typing import Any

import pytest

from cranfield.store.store import Store
from tests.conftest import Cranfield

DOCUMENTS: list[dict[str, Any]] = [
    {"docno": "d1", "title": "Wings", "text": "wings lift", "year": 1958, "by": ["Ada"]},
    {"docno": "d2", "text": "tails steer", "url": "http://d2"},
]
TOPICS: list[dict[str, Any]] = [
    {"qid": "q1", "title": "lift", "description": "What lifts?"},
    {"qid": "q2", "title": "steer"},
]


def jsonl(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.fixture
def track(tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of two documents and topics, one of each judged."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("q1 0 d1 1\n")
    jsonl(tmp_path / "corpus", *DOCUMENTS)
    jsonl(tmp_path / "topics", *TOPICS)
    for words in (["init", "t.db", "--name", "n"], *(["import", what, "t.db", what] for what in ("corpus", "topics"))):
        assert cranfield(*words).code == 0
    assert cranfield("import", "qrels", "t.db", "qrels", "--assessor", "ada").code == 0
    return tmp_path / "t.db"


def test_what_is_the_same_is_left_alone(track: Path, cranfield: Cranfield) -> None:
    """And counted; what is new is added, whatever the order of the fields of the rest."""
    jsonl(Path("corpus"), {**dict(reversed(DOCUMENTS[0].items()))}, {"docno": "d3", "text": "noses cut"}, DOCUMENTS[1])
    done = cranfield("import", "corpus", "t.db", "corpus")
    assert (done.code, done.out) == (0, "1 document\n")
    assert "note: 2 documents already in the store, left unchanged\n" in done.err
    jsonl(Path("topics"), *TOPICS, {"qid": "q3", "title": "cut"})
    done = cranfield("import", "topics", "t.db", "topics")
    assert (done.out, done.err) == ("1 topic\n", "note: 2 topics already in the store, left unchanged\n")
    with Store.open(track) as store:
        assert [document.docno for document in store.documents()] == ["d1", "d2", "d3"]
        assert [topic.qid for topic in store.topics()] == ["q1", "q2", "q3"]
        assert store.search("noses", 1)[0][0] == "d3"
    assert cranfield("store", "verify", "t.db").code == 0


REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "a judged text": ("corpus", {"docno": "d1", "title": "Wings", "text": "wings do not lift"},
        "document 2: docno 'd1' is in the corpus with another text, and has judgments;"
        " import it under another docno"),
    "a judged title": ("corpus", DOCUMENTS[0] | {"title": "Tails"},
        "document 2: docno 'd1' is in the corpus with another title, and has judgments"),
    "metadata": ("corpus", DOCUMENTS[1] | {"year": 1959},
        "document 2: docno 'd2' is in the corpus with other metadata, and came with an earlier import;"
        " import it under another docno, or remove that import with `cranfield store remove` first"),
    "twice": ("corpus", {"docno": "new", "text": "again"}, "document 2: docno 'new' is already in the corpus"),
    "a judged topic": ("topics", TOPICS[0] | {"description": "What sinks?"},
        "topic 2: qid 'q1' is in the store with another description, and has judgments;"
        " import it under another qid"),
    "a topic": ("topics", {"qid": "q2", "title": "steers"},
        "topic 2: qid 'q2' is in the store with another title, and came with an earlier import"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_would_change_is_refused(track: Path, cranfield: Cranfield, case: str) -> None:
    """In one line with the remedy; nothing of the file is added."""
    kind, record, what = REFUSED[case]
    jsonl(Path("more"), {"docno": "new", "qid": "new", "title": "new", "text": "new"}, record)
    done = cranfield("import", kind, "t.db", "more")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith(f"error: more: {what}")
    with Store.open(track) as store:
        assert (store.count("document"), store.count("topic")) == (2, 2)


def test_an_import_that_was_removed_may_come_in_another_text(track: Path, cranfield: Cranfield) -> None:
    """As the error says."""
    jsonl(Path("more"), {"docno": "d3", "text": "noses"})
    assert cranfield("import", "corpus", "t.db", "more").code == 0
    jsonl(Path("more"), {"docno": "d3", "text": "other noses"})
    assert cranfield("import", "corpus", "t.db", "more").code == 1
    assert cranfield("store", "remove", "t.db", "import", "4").code == 0
    assert cranfield("import", "corpus", "t.db", "more").code == 0
