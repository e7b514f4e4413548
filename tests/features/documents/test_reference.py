"""Corpora of which a store has a part: the same documents as a whole import cut down, and what is said of the rest."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from cranfield.features.documents.reference import PartOfCorpus
from cranfield.store.store import Store
from tests.conftest import Cranfield

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
    path.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in LINES).encode()))
    return path


def begun(store: str, folder: Path, cranfield: Cranfield) -> None:
    (folder / "a.run").write_text("q1 Q0 d2 1 2 a\nq1 Q0 d3 2 1 a\nq1 Q0 d9 3 0.5 a\n")
    (folder / "qrels").write_text("q1 0 d3 1\n")
    for words in (["init", store, "--name", "x"], ["import", "runs", store, f"{folder}/a.run"]):
        assert cranfield(*words).code == 0
    assert cranfield("import", "qrels", store, f"{folder}/qrels").code == 0
    assert cranfield("pool", "build", store, "--depth", "1").code == 0


@pytest.mark.parametrize(
    ("only", "docnos", "left"),
    [
        ("pooled", ["d2"], ""),
        ("judged", ["d3"], ""),
        ("retrieved", ["d2", "d3"], "; 1 wanted document not in these files, as d9"),
        ("docnos", ["d1", "5"], "; 1 wanted document not in these files, as nowhere"),
    ],
)
def test_a_part_is_a_whole_import_cut_down(
    only: str, docnos: list[str], left: str, *, tmp_path: Path, corpus: Path, cranfield: Cranfield
) -> None:
    (tmp_path / "docnos").write_text("d1\n5\nnowhere\n")
    part, whole = str(tmp_path / "part.db"), str(tmp_path / "whole.db")
    begun(part, tmp_path, cranfield)
    cranfield("init", whole, "--name", "x")
    assert cranfield("import", "corpus", whole, str(corpus)).code == 0
    done = cranfield(
        "import", "corpus", part, str(corpus), "--only", str(tmp_path / only) if only == "docnos" else only
    )
    assert (done.out, done.code) == (f"{len(docnos)} document{'s' * (len(docnos) > 1)}\n", 0)
    assert f"note: of 5 documents in the files{left}\n" in done.err
    with Store.open(part) as one, Store.open(whole) as other:
        assert {found.docno: found for found in one.documents()} == {
            found.docno: found for found in other.documents() if found.docno in docnos
        }


def test_what_is_not_wanted_is_not_parsed(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"_id": "d1", no JSON\n{"_id": "d2", "text": "two"}\n')
    part = PartOfCorpus({"d2"})
    assert [found.docno for found in part.documents(path)] == ["d2"]
    assert (part.seen, part.first) == (2, "d1")


def test_nothing_is_written_where_nothing_is_wanted(tmp_path: Path, corpus: Path, cranfield: Cranfield) -> None:
    store = str(tmp_path / "t.db")
    begun(store, tmp_path, cranfield)
    (tmp_path / "docnos").write_text("x7\n")
    for only, why in (
        (f"{tmp_path}/docnos", "no document has a wanted docno; the first is 'd1', wanted is 'x7'"),
        ("some", "--only 'some': expected pooled, judged or retrieved, or a file of docnos, one a line"),
    ):
        result = cranfield("import", "corpus", store, str(corpus), "--only", only)
        assert (result.code, result.err) == (1, f"error: {why}\n")
    with Store.open(store) as there:
        assert not there.has("document")
