"""Whole collections: folders of BEIR and Hugging Face, and ids of ir_datasets."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

import pytest

from cranfield.errors import InputError
from cranfield.formats import read_topics
from cranfield.formats.collections import CollectionRequest, WholeCollection, read_collection
from cranfield.formats.records import Names
from cranfield.store import import_collection
from cranfield.store.history import history
from cranfield.store.qrels import qrels_of
from cranfield.store.store import Store
from tests.arrow import pa, parquet
from tests.conftest import Cranfield
from tests.files import json_lines

pytestmark = pytest.mark.full

CORPUS = [{"_id": "d1", "title": "Wings", "text": "wings lift"}, {"_id": "d2", "title": "", "text": "tails steer"}]
QUERIES = [{"_id": "q1", "text": "what lifts"}, {"_id": "q2", "text": "what steers"}]
QRELS = [{"query-id": "q1", "corpus-id": "d1", "score": 2.0}, {"query-id": "q2", "corpus-id": "d2", "score": 1.0}]
CARD = """---
pretty_name: Wings and tails
license: cc-by-4.0
configs:
- config_name: corpus
  data_files:
  - split: corpus
    path: texts/part-*.jsonl
- config_name: queries
  data_files: [{split: queries, path: asked.jsonl}]
- config_name: default
  data_files:
  - {split: train, path: judged/train.tsv}
  - {split: test, path: judged/test.tsv}
---
# Wings and tails
"""


def jsonl(*rows: Mapping[str, object]) -> str:
    return json_lines(rows)


def tsv(*rows: Mapping[str, object]) -> str:
    return "query-id\tcorpus-id\tscore\n" + "".join("\t".join(map(str, row.values())) + "\n" for row in rows)


def write(folder: Path, files: Mapping[str, str | list[dict[str, object]]]) -> Path:
    """A folder with these files; rows are written as Parquet."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            path.write_text(content)
        else:
            parquet.write_table(pa.Table.from_pylist(content), path)
    return folder


FOLDERS: Mapping[str, Mapping[str, object]] = {
    "beir": {"corpus.jsonl": jsonl(*CORPUS), "queries.jsonl": jsonl(*QUERIES), "qrels/test.tsv": tsv(*QRELS)},
    "mteb jsonl": {
        "corpus.jsonl": jsonl(*CORPUS),
        "queries.jsonl": jsonl(*QUERIES),
        "qrels/test.jsonl": jsonl(*QRELS),
        "qrels/train.jsonl": jsonl(QRELS[0]),
        "README.md": "# no card\n",
    },
    "mteb parquet": {
        "corpus/corpus-00000-of-00002.parquet": CORPUS[:1],
        "corpus/corpus-00001-of-00002.parquet": CORPUS[1:],
        "queries/queries-00000-of-00001.parquet": QUERIES,
        "data/test-00000-of-00001.parquet": QRELS,
    },
    "one split of another name": {
        "corpus/test.parquet": CORPUS,
        "queries/test.parquet": QUERIES,
        "default/dev.parquet": QRELS,
    },
    "card": {
        "README.md": CARD,
        "texts/part-1.jsonl": jsonl(CORPUS[0]),
        "texts/part-2.jsonl": jsonl(CORPUS[1]),
        "asked.jsonl": jsonl(*QUERIES),
        "judged/test.tsv": tsv(*QRELS),
        "judged/train.tsv": tsv(QRELS[0]),
        "corpus.jsonl": jsonl({"_id": "other", "text": "not the corpus"}),
    },
}


@pytest.mark.parametrize("form", FOLDERS)
def test_a_folder_is_a_collection(form: str, tmp_path: Path, cranfield: Cranfield) -> None:
    """Documents, topics and judgments of every layout, with the grades as the scale of the new store."""
    write(tmp_path / "c", FOLDERS[form])  # type: ignore[arg-type]
    prefix = "hf:" if "mteb" in form else ""
    outcome = cranfield("import", "collection", tmp_path / "t.db", f"{prefix}{tmp_path / 'c'}")
    assert (outcome.code, outcome.out) == (0, "2 documents, 2 topics, 2 judgments\n"), outcome
    with Store.open(tmp_path / "t.db") as store:
        assert store.document("d1").title == "Wings"
        assert [topic.title for topic in store.topics()] == ["what lifts", "what steers"]
        assert store.collection.grades == {0: "not relevant", 1: "grade 1", 2: "grade 2"}
        about = ("Wings and tails", "cc-by-4.0") if form == "card" else ("c", "")
        assert (store.collection.name, store.collection.licence) == about
        assert [line.what for line in history(store)] == ["corpus", "topics", "qrels"]
        assert {line.name for line in history(store)} == {"c"}
        assert qrels_of(store).grade.tolist() == [2, 1]


REFUSED: Mapping[str, tuple[Mapping[str, object], str, str]] = {
    "no corpus": ({"queries.jsonl": jsonl(*QUERIES)}, "", "no corpus; expected corpus.jsonl or corpus/"),
    "no queries": ({"corpus.jsonl": jsonl(*CORPUS)}, "", "no queries; expected queries.jsonl or queries/"),
    "split": (FOLDERS["mteb jsonl"], "dev", "found no judgments of the split 'dev'; expected --split test or train"),
    "half a grade": (
        {**FOLDERS["beir"], "qrels/test.tsv": tsv({"q": "q1", "d": "d1", "s": 0.5})},
        "",
        "grade '0.5' is not a whole number",
    ),
    "unknown topic": (
        {**FOLDERS["beir"], "qrels/test.tsv": tsv({"q": "q9", "d": "d1", "s": 1})},
        "",
        "topic 'q9' is not in the store",
    ),
    "text under another name": (
        {**FOLDERS["beir"], "corpus.jsonl": jsonl({"_id": "d1", "story": "wings"})},
        "",
        "no document has a text; the fields in the file are _id, story",
    ),
    "outside": (
        {**FOLDERS["card"], "README.md": CARD.replace("asked.jsonl", "../asked.jsonl")},
        "",
        "README.md names '../asked.jsonl'; expected a path inside the folder",
    ),
    "missing": (
        {**FOLDERS["card"], "README.md": CARD.replace("asked.jsonl", "asking.jsonl")},
        "",
        "README.md names 'asking.jsonl', but there is no such file",
    ),
    "a name too long": (
        {**FOLDERS["card"], "README.md": CARD.replace("asked.jsonl", f"{'9' * 5000}.jsonl")},
        "",
        "README.md names '99999",
    ),
    "no yaml": ({**FOLDERS["card"], "README.md": "---\na: [\n---\n"}, "", "README.md:3: not YAML"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_wrong_folder_is_refused(case: str, tmp_path: Path, cranfield: Cranfield) -> None:
    """In one line, after a note on the format of the judgments where they were read; no store is left."""
    files, split, what = REFUSED[case]
    write(tmp_path / "c", files)  # type: ignore[arg-type]
    output = cranfield(
        "import", "collection", tmp_path / "t.db", tmp_path / "c", *(["--split", split] if split else [])
    )
    *notes, error = output.err.splitlines()
    assert (output.code, error.startswith("error: ")) == (1, True), output
    assert all("qrels/test.tsv: read as beir (BEIR: " in note for note in notes), output
    assert what in error
    assert not (tmp_path / "t.db").exists()


def test_a_zip_file_is_a_collection(tmp_path: Path, cranfield: Cranfield) -> None:
    """As BEIR's are downloaded; what has no place in one, or leads out of it, is left."""
    path = tmp_path / "tiny.zip"
    texts = {"corpus.jsonl": jsonl(*CORPUS), "queries.jsonl": jsonl(*QUERIES), "run.py": "x"}
    judged = {"qrels/test.tsv": tsv(*QRELS), "qrels/dev.tsv": tsv(*QRELS[:1]), "../../escaped.jsonl": "x"}
    files = {f"tiny/{name}": text for name, text in (texts | judged).items()}
    with ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    output = cranfield("import", "collection", str(tmp_path / "t.db"), str(path))
    assert output.code == 0, output.err
    assert "read the judgments of the split test; dev is also available; choose a split with --split" in " ".join(
        output.err.split()
    )
    with Store.open(tmp_path / "t.db") as store:
        assert (store.collection.name, store.counts()["document"], len(qrels_of(store))) == ("tiny", 2, 2)
    assert [one.name for one in tmp_path.glob("*.jsonl")] == []


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ({}, "no corpus.jsonl at the top or in its only folder; expected a BEIR folder"),
        (None, "not a readable zip file: File is not a zip file"),
        ({"corpus.jsonl": "{}"}, "no queries; expected queries.jsonl"),
    ],
)
def test_a_wrong_zip_file_is_refused(
    content: dict[str, str] | None, why: str, *, tmp_path: Path, cranfield: Cranfield
) -> None:
    path = tmp_path / "tiny.zip"
    if content is None:
        path.write_bytes(b"PK")
    else:
        with ZipFile(path, "w") as archive:
            for name, text in content.items():
                archive.writestr(name, text)
    outcome = cranfield("import", "collection", str(tmp_path / "t.db"), str(path))
    assert (outcome.code, why in outcome.err) == (1, True), outcome.err
    assert not (tmp_path / "t.db").exists()


def test_a_csv_file_with_semicolons(tmp_path: Path, cranfield: Cranfield) -> None:
    (tmp_path / "corpus.csv").write_text('docno;title;text;price\nd1;"a; b";one, two;1,5\n')
    assert cranfield("init", str(tmp_path / "t.db"), "--name", "x").code == 0
    assert cranfield("import", "corpus", str(tmp_path / "t.db"), str(tmp_path / "corpus.csv")).code == 0
    with Store.open(tmp_path / "t.db") as store:
        document = store.document("d1")
    assert (document.title, document.text, document.metadata) == ("a; b", "one, two", {"price": "1,5"})


def test_topics_of_csv_without_a_header(tmp_path: Path) -> None:
    """Named by --columns; without that it is said to do so."""
    path = tmp_path / "topics.csv"
    path.write_text('1,"a, b"\n')
    with pytest.raises(InputError, match=r"no header line contains one of qid, .*; for a file without a header"):
        read_topics(path)
    assert [topic.title for topic in read_topics(path, names=Names({}, ("qid", "title")))] == ["a, b"]


def test_ids_that_parquet_has_as_floats(tmp_path: Path, cranfield: Cranfield) -> None:
    rows: list[dict[str, object]] = [{"_id": 0.0, "text": "one"}, {"_id": 17.0, "text": "two"}]
    write(tmp_path, {"corpus.parquet": rows})
    assert cranfield("init", str(tmp_path / "t.db"), "--name", "x").code == 0
    assert cranfield("import", "corpus", str(tmp_path / "t.db"), str(tmp_path / "corpus.parquet")).code == 0
    with Store.open(tmp_path / "t.db") as store:
        assert [one.docno for one in store.documents()] == ["0", "17"]


def test_a_store_keeps_its_scale(tmp_path: Path, cranfield: Cranfield) -> None:
    """A grade off it is refused, with what would help; nothing is added."""
    folder = write(tmp_path / "c", FOLDERS["beir"])  # type: ignore[arg-type]
    assert cranfield("init", tmp_path / "t.db", "--name", "n", "--scale", "0=no,1=yes").code == 0
    result = cranfield("import", "collection", tmp_path / "t.db", folder)
    note, error = result.err.splitlines()
    assert (result.code, result.out) == (1, "")
    assert "qrels/test.tsv: read as beir (BEIR: " in note
    assert "grade 2 is not on the scale 0, 1 of this store: import the collection into a new store" in error
    with Store.open(tmp_path / "t.db") as store:
        assert store.count("document") == 0


def test_what_is_no_collection(tmp_path: Path) -> None:
    """A file, an archive, an address, nothing."""
    (tmp_path / "a.run").write_text("1 Q0 d 1 1 a\n")
    with pytest.raises(InputError, match=r"a\.run: a file; a collection is ir_datasets:ID, or a folder"):
        read_collection(CollectionRequest(str(tmp_path / "a.run")))
    (tmp_path / "a.tar.gz").touch()
    for source, what in (
        ("a.tar.gz", "an archive; unpack it first"),
        ("https://a.org/b", "download the collection first"),
    ):
        with pytest.raises(InputError, match=f"{what}; a collection is"):
            read_collection(CollectionRequest(source if "://" in source else str(tmp_path / source)))
    with pytest.raises(InputError, match="no such folder; download the data set first with hf download --repo-type"):
        read_collection(CollectionRequest(f"hf:{tmp_path / 'nothing'}"))


@pytest.mark.filterwarnings("ignore:.*read as jsonl")
def test_the_same_documents_again_are_left_alone(tmp_path: Path, cranfield: Cranfield) -> None:
    """Another split, judged by another assessor; and the same from Python."""
    folder = write(tmp_path / "c", FOLDERS["mteb jsonl"])  # type: ignore[arg-type]
    assert cranfield("import", "collection", tmp_path / "t.db", folder).code == 0
    outcome = cranfield("import", "collection", tmp_path / "t.db", folder, "--split", "train", "--assessor", "trainer")
    assert (outcome.code, outcome.out) == (0, "0 documents, 0 topics, 1 judgment\n")
    assert "note: 2 documents were already in the store and left unchanged\n" in outcome.err
    with pytest.warns(
        UserWarning, match="read the judgments of the split test; train is also available; choose a split with split"
    ):
        assert import_collection(tmp_path / "u.db", folder).frame.values.tolist() == [[2, 2, 2]]
    assert import_collection(tmp_path / "v.db", folder, split="train", assessor="ada").frame.values.tolist() == [
        [2, 2, 1]
    ]


def test_ids_of_judgments_that_are_spelled_otherwise(tmp_path: Path, cranfield: Cranfield) -> None:
    """Zeros before a docno: named, and with --normalize-ids taken as the same document."""
    folder = write(tmp_path / "c", FOLDERS["mteb jsonl"])  # type: ignore[arg-type]
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "corpus-id" in path.read_text():
            path.write_text(path.read_text().replace("d1", "D01"))
    as_it_is = cranfield("import", "collection", tmp_path / "a.db", folder)
    assert "--normalize-ids finds" in as_it_is.err.replace("\n", " ")
    outcome = cranfield("import", "collection", tmp_path / "b.db", folder, "--normalize-ids")
    assert (outcome.code, "'D01' is 'd1' in this store" in outcome.err.replace("\n", " ")) == (0, True)


class Doc(NamedTuple):
    """A document whose text is in fields that are not called so."""

    doc_id: str
    title: str
    lead: str
    source: bytes
    authors: tuple[str, ...]

    def default_text(self) -> str:
        return f"{self.title} {self.lead}"


class Query(NamedTuple):
    query_id: str
    title: str
    description: str


class Qrel(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    iteration: str


class SubtopicQrel(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    subtopic_id: str


@pytest.fixture
def registry() -> Iterator[None]:
    """Small collections of ir_datasets, which download nothing."""
    ir_datasets = pytest.importorskip("ir_datasets", reason="needs ir_datasets")
    formats = ir_datasets.formats

    class Docs(formats.BaseDocs):  # type: ignore[misc,name-defined]
        def docs_iter(self) -> Iterator[Doc]:
            yield Doc("d1", "Wings", "they lift", b"caf\xe9", ("Ada", "Bob"))
            yield Doc("d2", "Tails", "they steer", b"", ())

        def docs_cls(self) -> type[Doc]:
            return Doc

    class Queries(formats.BaseQueries):  # type: ignore[misc,name-defined]
        def queries_iter(self) -> Iterator[Query]:
            yield Query("q1", "lift", "what lifts a wing?")

        def queries_cls(self) -> type[Query]:
            return Query

    class Qrels(formats.BaseQrels):  # type: ignore[misc,name-defined]
        def qrels_iter(self) -> Iterator[Qrel]:
            yield Qrel("q1", "d1", 2, "pool-7")
            yield Qrel("q1", "d2", -1, "pool-7")

        def qrels_defs(self) -> dict[int, str]:
            return {2: "perfect", 1: "useful", -1: "spam"}

        def qrels_cls(self) -> type[Qrel]:
            return Qrel

    class BySubtopic(Qrels):
        def qrels_iter(self) -> Iterator[SubtopicQrel]:  # type: ignore[override]
            yield SubtopicQrel("q1", "d1", 1, "1")
            yield SubtopicQrel("q1", "d1", 2, "2")

        def qrels_cls(self) -> type[SubtopicQrel]:  # type: ignore[override]
            return SubtopicQrel

    class Offline(formats.BaseDocs):  # type: ignore[misc,name-defined]
        def docs_iter(self) -> Iterator[Doc]:
            raise ConnectionError("no route to host")

        def docs_cls(self) -> type[Doc]:
            return Doc

    registry = ir_datasets.registry
    before = dict(registry._registered)
    registry.register("wings", ir_datasets.Dataset(Docs(), Queries(), Qrels()))
    registry.register("wings/subtopics", ir_datasets.Dataset(Docs(), Queries(), BySubtopic()))
    registry.register("wings/offline", ir_datasets.Dataset(Offline()))
    yield
    registry._registered = before


@pytest.mark.usefixtures("registry")
def test_a_collection_of_ir_datasets(tmp_path: Path, cranfield: Cranfield) -> None:
    """With the meanings of its grades, and the text that the package takes for one."""
    outcome = cranfield("import", "collection", tmp_path / "t.db", "ir_datasets:wings")
    assert (outcome.code, outcome.out) == (0, "2 documents, 1 topic, 2 judgments\n"), outcome
    with Store.open(tmp_path / "t.db") as store:
        document = store.document("d1")
        assert (document.title, document.text) == ("Wings", "Wings they lift")
        assert document.metadata == {"lead": "they lift", "source": "café", "authors": ["Ada", "Bob"]}
        assert store.topics()[0][:3] == ("q1", "lift", "what lifts a wing?")
        assert store.collection.grades == {-1: "spam", 0: "not relevant", 1: "useful", 2: "perfect"}
        assert [line.name for line in history(store)] == ["ir_datasets:wings"] * 3
    iteration = read("ir_datasets:wings").qrels[0].iteration
    assert iteration is not None
    assert iteration.tolist() == ["pool-7", "pool-7"]
    about = read("ir_datasets:wings/subtopics").qrels[0].subtopics
    assert about is not None
    assert about.grade.tolist() == [1, 2]


def read(source: str) -> WholeCollection:
    return read_collection(CollectionRequest(source))


@pytest.mark.usefixtures("registry")
def test_what_ir_datasets_cannot_give(tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown id, no network, no package: one line each, and no store."""
    with pytest.raises(InputError, match="ir_datasets has no 'wing'; similar: wings"):
        read("ir_datasets:wing")
    outcome = cranfield("import", "collection", tmp_path / "t.db", "ir_datasets:wings/offline")
    assert outcome.err == "error: ir_datasets:wings/offline: ir_datasets cannot read it: no route to host\n"
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(InputError, match=r"needs ir_datasets: pip install 'cranfield\[interop\]'"):
        read("ir_datasets:wings")
    assert not list(tmp_path.iterdir())
