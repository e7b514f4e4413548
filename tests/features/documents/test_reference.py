"""Corpora of which a store has a part: the same documents as a whole import cut down, and what is said of the rest."""

import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from cranfield import subjects
from cranfield.features.documents.reference import PartOfCorpus
from cranfield.formats import read_corpus
from cranfield.store import import_corpus
from cranfield.store.corpus import held_corpus_part
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.files import json_lines, track_files

pytestmark = pytest.mark.full

LINES: Sequence[dict[str, object]] = [
    {"_id": "d1", "text": "one", "year": 1},
    {"text": "two", "_id": "d2"},
    {"_id": "d\u0033", "text": "three"},
    {"_id": "d4", "title": "no", "text": "four"},
    {"_id": 5, "text": "five"},
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.jsonl.gz"
    path.write_bytes(gzip.compress(json_lines(LINES).encode()))
    return path


def begin(store: str, folder: Path, cranfield: Cranfield) -> None:
    track_files(folder, {"q1": {"d3": 1}}, {"a": {"q1": ["d2", "d3", "d9"]}}, end=".run")
    for words in (["init", store, "--name", "x"], ["import", "runs", store, f"{folder}/a.run"]):
        assert cranfield(*words).code == 0
    assert cranfield("import", "qrels", store, f"{folder}/qrels").code == 0
    assert cranfield("pool", "build", store, "--depth", "1").code == 0


@pytest.mark.parametrize(
    ("only", "docnos", "missing"),
    [
        ("pooled", ["d2"], ""),
        ("judged", ["d3"], ""),
        ("retrieved", ["d2", "d3"], "; these files lack 1 wanted document, such as d9"),
        ("docnos", ["d1", "5"], "; these files lack 1 wanted document, such as nowhere"),
    ],
)
def test_a_part_is_a_whole_import_cut_down(
    only: str, docnos: list[str], missing: str, *, tmp_path: Path, corpus: Path, cranfield: Cranfield
) -> None:
    (tmp_path / "docnos").write_text("d1\n5\nnowhere\n")
    part, whole = str(tmp_path / "part.db"), str(tmp_path / "whole.db")
    begin(part, tmp_path, cranfield)
    cranfield("init", whole, "--name", "x")
    assert cranfield("import", "corpus", whole, str(corpus)).code == 0
    output = cranfield(
        "import", "corpus", part, str(corpus), "--only", str(tmp_path / only) if only == "docnos" else only
    )
    assert (output.out, output.code) == (f"{len(docnos)} document{'s' * (len(docnos) > 1)}\n", 0)
    assert f"note: of 5 documents in the files{missing}\n" in output.err
    with Store.open(part) as one, Store.open(whole) as other:
        assert {document.docno: document for document in one.documents()} == {
            document.docno: document for document in other.documents() if document.docno in docnos
        }


def test_wanted_documents_from_python(tmp_path: Path, corpus: Path, cranfield: Cranfield) -> None:
    begin(str(tmp_path / "a.db"), tmp_path, cranfield)
    wanted = subjects.WantedDocuments("pooled")
    with pytest.warns(UserWarning, match="of 5 documents in the files"):
        assert import_corpus(tmp_path / "a.db", corpus, subject=wanted).rows() == [{"documents": 1}]


def test_what_is_not_wanted_is_not_parsed(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"_id": "d1", no JSON\n{"_id": "d2", "text": "two"}\n')
    part = PartOfCorpus({"d2"})
    assert [document.docno for document in part.documents(path)] == ["d2"]
    assert (part.size, part.first) == (2, "d1")


def test_a_passage_is_known_by_its_own_id(tmp_path: Path) -> None:
    """Lines as MS MARCO v2's passages are, whichever of its two ids comes first; the other stays with it."""
    path = tmp_path / "passages.jsonl"
    own = [
        {"pid": f"msmarco_passage_00_{at}", "passage": "a", "spans": "(0,1)", "docid": "msmarco_doc_00_0"}
        for at in (0, 9)
    ]
    path.write_text(json_lines((own[0], dict(reversed(own[1].items())))))
    part = PartOfCorpus({"msmarco_passage_00_9"})
    assert [(one.docno, one.metadata["docid"]) for one in part.documents(path)] == [
        ("msmarco_passage_00_9", "msmarco_doc_00_0")
    ]
    assert [one.docno for one in read_corpus(path)] == [one["pid"] for one in own]


def test_nothing_is_written_where_nothing_is_wanted(tmp_path: Path, corpus: Path, cranfield: Cranfield) -> None:
    store = str(tmp_path / "t.db")
    begin(store, tmp_path, cranfield)
    (tmp_path / "docnos").write_text("x7\n")
    for only, why in (
        (
            f"{tmp_path}/docnos",
            "none of the wanted docnos is in the files: the first document is 'd1', and a wanted docno is 'x7'",
        ),
        ("some", "--only is 'some'; expected pooled, judged or retrieved, or a file with one docno on each line"),
    ):
        result = cranfield("import", "corpus", store, str(corpus), "--only", only)
        assert (result.code, result.err) == (1, f"error: {why}\n")
    with Store.open(store) as there:
        assert not there.has("document")


def fetch(cranfield: Cranfield, *words: str) -> tuple[int, str, str]:
    output = cranfield("store", "fetch", *words)
    return output.code, output.out, " ".join(output.err.split())


def test_what_is_missing_is_fetched_from_where_it_was(tmp_path: Path, corpus: Path, cranfield: Cranfield) -> None:
    store = str(tmp_path / "t.db")
    begin(store, tmp_path, cranfield)
    assert fetch(cranfield, store) == (
        1, "", f"error: {store}: the store has no recorded source of texts; give one with --from FILE or"
        " --from ir_datasets:ID",
    )  # fmt: skip
    cranfield("import", "corpus", store, str(corpus), "--only", "pooled")
    assert fetch(cranfield, store) == (0, "0 documents\n", "note: all wanted documents (pooled) already have texts")
    assert fetch(cranfield, store, "--only", "judged") == (0, "1 document\n", "note: of 5 documents in the files")
    with Store.open(store) as there:
        rows = there.rows("SELECT wanted, documents, kept FROM corpus_source ORDER BY id")
    assert rows == [("pooled", 5, 1), ("judged", 5, 1)]
    corpus.write_bytes(gzip.compress(b'{"_id": "d9", "text": "nine"}\n'))
    code, _, errors = fetch(cranfield, store, "--only", "retrieved")
    assert code == 1
    assert "a different version of the file: its SHA-256 is " in errors
    (tmp_path / "moved.jsonl").write_text('{"_id": "d9", "text": "nine"}\n')
    assert fetch(cranfield, store, "--only", "retrieved", "--from", str(tmp_path / "moved.jsonl"))[:2] == (
        0, "1 document\n",
    )  # fmt: skip
    assert cranfield("store", "verify", store).code == 0


def test_a_file_that_a_store_names_without_its_hash_is_not_read(
    tmp_path: Path, corpus: Path, cranfield: Cranfield
) -> None:
    """A stranger's store may name any file of this machine; it knows the hash of none."""
    store = str(tmp_path / "t.db")
    begin(store, tmp_path, cranfield)
    cranfield("import", "corpus", store, str(corpus), "--only", "pooled")
    with Store.open(store) as there, there.writing():
        columns = "import, source, wanted, fields, documents, kept"
        there.conn.execute(f"INSERT INTO corpus_source ({columns}) SELECT {columns} FROM corpus_source")
    code, _, errors = fetch(cranfield, store, "--only", "judged")
    assert (code, "the store has no SHA-256 of this file; give the file with --from FILE" in errors) == (1, True)


def test_a_part_is_not_searched(tmp_path: Path, corpus: Path, cranfield: Cranfield) -> None:
    store = str(tmp_path / "t.db")
    begin(store, tmp_path, cranfield)
    cranfield("import", "corpus", store, str(corpus), "--only", "pooled")
    (tmp_path / "topics.tsv").write_text("q1\tone\n")
    assert cranfield("import", "topics", store, str(tmp_path / "topics.tsv")).code == 0
    why = "term statistics would reflect only this part of the corpus; search elsewhere and import the run"
    for words in (["search", store], ["pool", "build", store, "--method", "cal", "--budget", "2"]):
        output = cranfield(*words)
        assert (output.code, output.err) == (
            1,
            f"error: {store}: the store contains only texts of 1 of the 5 documents: {why}\n",
        ), words
    assert cranfield("pool", "build", store, "--depth", "2").code == 0
    result = cranfield("assign", store, "--assessor", "ada")
    assert "1 pooled document has no text: d3; fetch the texts with `cranfield store fetch`" in " ".join(
        result.err.split()
    )


class Corpus:
    """A corpus of ir_datasets, as that package gives it."""

    class Record(NamedTuple):
        doc_id: str
        text: str

        def default_text(self) -> str:
            return self.text

    def has(self, what: str) -> bool:
        return what == "docs"

    def metadata(self) -> dict[str, dict[str, int]]:
        return {"docs": {"count": 138_364_198}}

    def docs_store(self) -> "Corpus":
        return self

    def get_many_iter(self, docnos: list[str]) -> Iterator["Corpus.Record"]:
        return (self.Record(docno, f"text of {docno}") for docno in docnos if docno != "d9")


def test_ir_datasets_gives_what_is_wanted(
    tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = str(tmp_path / "t.db")
    begin(store, tmp_path, cranfield)
    monkeypatch.setattr("cranfield.formats.collections._load_dataset", lambda source: Corpus())
    place = ["--from", "ir_datasets:msmarco-passage-v2", "--only", "retrieved"]
    message = "ir_datasets:msmarco-passage-v2: ir_datasets unpacks 61 GB before the first document; allow it with --yes"
    assert fetch(cranfield, store, *place) == (1, "", f"error: {message}")
    assert fetch(cranfield, store, *place, "--yes") == (
        0, "2 documents\n",
        "note: of 138,364,198 documents in the files; these files lack 1 wanted document, such as d9",
    )  # fmt: skip
    output = cranfield("search", store)
    assert output.code == 1
    with Store.open(store) as there:
        assert there.document("d2").text == "text of d2"
        assert str(held_corpus_part(there)) == "texts of 2 of the 138,364,198 documents"


def test_a_part_is_published_as_a_part(tmp_path: Path, corpus: Path, cranfield: Cranfield) -> None:
    store, folder = str(tmp_path / "t.db"), tmp_path / "published"
    begin(store, tmp_path, cranfield)
    cranfield("import", "corpus", store, str(corpus), "--only", "retrieved")
    (tmp_path / "topics.tsv").write_text("q1\tone\n")
    cranfield("import", "topics", store, str(tmp_path / "topics.tsv"))
    command = ["publish", "build", store, str(folder), "--draft", "--as"]
    whole = cranfield(*command, "beir")
    assert (whole.code, whole.err.splitlines()[-1]) == (
        1,
        "error: the store contains only texts of 2 of the 5 documents, but beir needs a whole corpus;"
        " leave beir out of --as",
    )  # fmt: skip
    result = cranfield(*command, "hf", "--as", "croissant")
    assert (
        result.code,
        "texts of 2 of the 5 documents, from corpus.jsonl.gz, 5 documents, SHA-256" in " ".join(result.err.split()),
    ) == (0, True)
    card = (folder / "README.md").read_text("utf-8")
    assert "config_name: corpus-judged" in card
    assert "config_name: corpus\n" not in card
    assert "texts of 2 of the 5 documents" in (folder / "DATASHEET.md").read_text("utf-8")
    assert "corpus-judged" in (folder / "croissant.json").read_text("utf-8")
    output = cranfield("publish", "check", str(folder))
    assert output.code == 0, output.out
    again = str(tmp_path / "again.db")
    assert cranfield("import", "collection", again, str(folder)).code == 0
    with Store.open(again) as there:
        assert str(held_corpus_part(there)) == "texts of 2 of the 5 documents"


def test_the_package_itself_gives_what_is_wanted(
    tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a corpus of a file here, by ir_datasets' own classes and its own docstore."""
    ir_datasets = pytest.importorskip("ir_datasets", reason="needs the extra: pip install 'cranfield[interop]'")
    from ir_datasets.datasets.base import Dataset
    from ir_datasets.formats import TsvDocs
    from ir_datasets.util import LocalDownload

    (tmp_path / "c.tsv").write_text("".join(f"d{at}\ttext of d{at}\n" for at in range(1, 6)))
    corpus = Dataset(TsvDocs(LocalDownload(tmp_path / "c.tsv"), namespace="here", lang="en"))
    monkeypatch.setattr(ir_datasets.registry, "_registered", {**ir_datasets.registry._registered})
    ir_datasets.registry.register("here", corpus)
    store = str(tmp_path / "t.db")
    begin(store, tmp_path, cranfield)
    place = ["--from", "ir_datasets:here", "--only", "retrieved"]
    code, out, errors = fetch(cranfield, store, *place)
    assert (code, out) == (0, "2 documents\n")
    assert "these files lack 1 wanted document, such as d9" in errors
    with Store.open(store) as there:
        assert [(one.docno, one.text) for one in there.documents()] == [("d2", "text of d2"), ("d3", "text of d3")]
        assert there.rows("SELECT source, documents, kept FROM corpus_source") == [("ir_datasets:here", None, 2)]
    code, _, errors = fetch(cranfield, store, "--from", "ir_datasets:hear")
    assert (code, "ir_datasets has no 'hear'; similar: " in errors) == (1, True)
