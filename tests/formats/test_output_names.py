"""The end of a new file's name: the format it promises, refused or noted where that is not written."""

import gzip
from pathlib import Path

import pytest

from cranfield.commands.exports import export_corpus, export_judgments, export_qrels, export_topics
from cranfield.errors import CranfieldWarning, InputError
from cranfield.formats import output_names
from cranfield.formats.output_names import KNOWN_SUFFIXES, TEXT_SUFFIXES, format_by_name
from cranfield.formats.table import format_named
from tests.conftest import Cranfield
from tests.stores import new_file


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return new_file(tmp_path / "t.db", documents=["d1"], topics=["1"], labels={"ada": {("1", "d1"): 1}})


@pytest.mark.parametrize(
    ("what", "name", "begin"),
    [
        ("corpus", "a.jsonl", '{"_id"'), ("corpus", "a.tsv", "docno\t"), ("corpus", "a.CSV", "docno,"),
        ("corpus", "a.trec", "<DOC>"), ("corpus", "a.txt", '{"_id"'), ("corpus", "a", '{"_id"'),
        ("topics", "a.xml", "<topics>"), ("topics", "a.tsv", "1\t"), ("topics", "a.jsonl", '{"qid"'),
        ("qrels", "a.txt", "1 0 d1 1"), ("qrels", "a.qrels", "1 0 d1 1"), ("qrels", "a.tsv", "query-id\t"),
        ("judgments", "a.jsonl", '{"kind"'),
    ],
)  # fmt: skip
def test_a_name_says_the_format(store: Path, cranfield: Cranfield, what: str, name: str, begin: str) -> None:
    cranfield.out("export", what, store, store.parent / name)
    assert (store.parent / name).read_text().startswith(begin)


@pytest.mark.parametrize(
    ("what", "name", "expected"),
    [
        ("qrels", "a.parquet", ".qrels, .qrel, .trec, .tsv, or .txt for trec"),
        ("qrels", "a.jsonl.gz", ".qrels, .qrel, .trec, .tsv, or .txt for trec"),
        ("corpus", "a.XLSX", ".jsonl, .ndjson, .json, .tsv, .csv, .trec, .smart, or .txt for jsonl"),
        ("topics", "a.csv", ".jsonl, .ndjson, .json, .tsv, .xml, .trec, .topics, .smart, or .txt for jsonl"),
        ("judgments", "a.parquet", ".jsonl, .ndjson, .json, or .txt for jsonl"),
    ],
)
def test_another_format_is_refused(store: Path, cranfield: Cranfield, what: str, name: str, expected: str) -> None:
    suffix = Path(name.removesuffix(".gz")).suffix
    line = f"{store.parent / name}: ends in {suffix}; expected {expected}"
    assert cranfield.error("export", what, store, store.parent / name) == line
    assert not (store.parent / name).exists()


def test_a_pool_is_csv_or_tsv(store: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    line = f"{tmp_path / 'a.json'}: ends in .json; expected .tsv, .csv, or .txt for tsv"
    assert cranfield.error("export", "pool", store, tmp_path / "a.json") == line


def test_an_unknown_end_is_noted(store: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    out = tmp_path / "out.zzz"
    line = f"{out}: written as jsonl, because no known format ends in .zzz"
    assert f"note: {line}\n" in cranfield("export", "corpus", store, out).err
    for export in (export_corpus, export_topics, export_judgments):
        with pytest.warns(CranfieldWarning, match=r"written as jsonl, because no known format ends in \.zzz$"):
            export(store, out)
    with pytest.warns(CranfieldWarning, match=r"written as trec, because no known format ends in \.zzz$"):
        export_qrels(store, out)


def test_a_format_that_is_given_fits_every_name(store: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    out = tmp_path / "a.parquet"
    assert cranfield("export", "corpus", store, out, "--format", "tsv").err == ""
    assert out.read_text().startswith("docno\t")
    export_qrels(store, out, format="trec")
    assert out.read_text() == "1 0 d1 1\n"


def test_a_compressed_file_is_named_by_both_ends(store: Path, tmp_path: Path) -> None:
    export_corpus(store, tmp_path / "a.csv.gz")
    assert gzip.decompress((tmp_path / "a.csv.gz").read_bytes()).startswith(b"docno,")
    with pytest.raises(InputError, match=r"ends in \.gz; expected"):
        format_by_name("a.csv.gz", output_names.TABLE, "table", is_compressible=False)


def test_the_tables_name_formats_that_are_written() -> None:
    for kind, suffixes in (
        ("corpus", output_names.CORPUS),
        ("topics", output_names.TOPICS),
        ("qrels", output_names.QRELS),
    ):
        for name in suffixes:
            assert format_named(kind, name).write is not None
    assert not KNOWN_SUFFIXES.intersection(TEXT_SUFFIXES)
