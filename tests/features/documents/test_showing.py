"""Fields that a collection shows: at the terminal, in the hash of a label, and kept by whatever copies a document."""

import io
from pathlib import Path

import pytest

from cranfield.display.layout import fields_of
from cranfield.errors import InputError
from cranfield.features.documents.showing import ShownFields
from cranfield.formats import read_corpus
from cranfield.store import create_store
from cranfield.store.store import Store, document_hash
from tests.conftest import Cranfield
from tests.files import track_files

CORPUS = """{"_id": "d1", "text": "one", "author": ["Ada", "Bob"], "price": 12.5, "date": "2024-05-01", "url": "https://x.org/1"}
{"_id": "d2", "text": "two", "author": "A\\u202e\\n", "price": "free", "date": "soon", "url": "javascript:alert(1)"}
"""
SHOW = "author, date:date, price:number, url:link"


@pytest.fixture
def store(tmp_path: Path, cranfield: Cranfield) -> Path:
    path = tmp_path / "t.db"
    (tmp_path / "corpus.jsonl").write_text(CORPUS)
    track_files(tmp_path, runs={"a": {"q1": ["d1", "d2"]}}, topics={"q1": "one"}, end=".run")
    assert cranfield("init", str(path), "--name", "x", "--show", SHOW).code == 0
    for what, name in {"corpus": "corpus.jsonl", "topics": "topics.tsv", "runs": "a.run"}.items():
        assert cranfield("import", what, str(path), str(tmp_path / name)).code == 0
    assert cranfield("pool", "build", str(path), "--depth", "2").code == 0
    return path


def test_a_value_of_another_type_is_left_out(store: Path) -> None:
    with Store.open(store) as there:
        counts = {
            one.docno: [(field.name, field.value) for field in fields_of(one.metadata)] for one in there.documents()
        }
    assert counts == {
        "d1": [("author", "Ada, Bob"), ("date", "2024-05-01"), ("price", "12.5"), ("url", "https://x.org/1")],
        "d2": [("author", "A\u202e")],
    }


@pytest.mark.full
def test_a_label_knows_the_fields_that_were_shown(
    store: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nq\n"))
    judged = cranfield("judge", str(store), "--assessor", "ada", "--plain")
    assert "author: " in judged.out
    assert "\u202e" not in judged.out
    with Store.open(store) as there:
        docno, digest = there.rows(
            "SELECT docno, document_sha256 FROM judgment_event e JOIN document d ON d.id = e.document"
        )[0]
        document = there.document(docno)
    assert digest == document_hash(document.text, document.metadata)
    assert digest != document_hash(document.text, {})
    assert cranfield("store", "verify", str(store)).code == 0


@pytest.mark.full
def test_importing_again_changes_nothing(store: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    again = cranfield("import", "corpus", str(store), str(tmp_path / "corpus.jsonl"))
    assert (again.code, again.out) == (0, "0 documents\n")


@pytest.mark.parametrize("show", ["price:money", "author, ,", "author,author", ":date"])
def test_wrong_fields_are_wrong_usage(show: str, tmp_path: Path, cranfield: Cranfield) -> None:
    result = cranfield("init", str(tmp_path / "t.db"), "--name", "x", "--show", show)
    assert result.code == 2
    assert not (tmp_path / "t.db").exists()


def test_a_function_creates_a_store_that_shows_fields(tmp_path: Path) -> None:
    (tmp_path / "c.jsonl").write_text(CORPUS)
    create_store(tmp_path / "t.db", "x", subject=ShownFields(SHOW))
    with Store.open(tmp_path / "t.db") as store:
        store.add_documents(read_corpus(tmp_path / "c.jsonl"))
        assert [field.name for field in fields_of(store.document("d1").metadata)] == ["author", "date", "price", "url"]
    with pytest.raises(InputError, match="contains 'author:money'; expected fields such as"):
        create_store(tmp_path / "new.db", "x", subject=ShownFields("author:money"))
    assert not (tmp_path / "new.db").exists()
