"""A whole collection on the page Deliver: uploaded as an archive, taken whole or not at all, and downloaded again."""

import io
import json
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cranfield.formats.mappings import parse_toml
from cranfield.store import verify
from cranfield.store.collection_settings import has_data
from cranfield.store.store import Store
from tests.features.organising.served import Organiser, notice
from tests.features.organising.test_archives import special, tar_of, zip_of
from tests.features.organising.test_delivering import download
from tests.features.organising.test_setting_up import left_uploads
from tests.stores import new_file

pytestmark = pytest.mark.needs_extra("serve")
CORPUS = b"".join(b'{"_id": "d%d", "title": "wing %d", "text": "shock wave %d"}\n' % (n, n, n) for n in range(4))
QUERIES = b'{"_id": "q1", "text": "shock waves"}\n{"_id": "q2", "text": "wings"}\n'
HEAD = b"query-id\tcorpus-id\tscore\n"
BEIR = (
    ("corpus.jsonl", CORPUS), ("queries.jsonl", QUERIES), ("qrels/test.tsv", HEAD + b"q1\td1\t2\nq2\td2\t1\n"),
    ("qrels/train.tsv", HEAD + b"q1\td3\t1\n"),
)  # fmt: skip
COUNTS = {"document": 4, "topic": 2, "qrels": 2}


def changed(name: str, content: bytes) -> tuple[tuple[str, bytes], ...]:
    """The folder with another file of a name."""
    return tuple((one, content if one == name else data) for one, data in BEIR)


def counts_of(organiser: Organiser) -> dict[str, int]:
    """How much of a collection is in the store."""
    counts = organiser.counts()
    return {name: counts[name] for name in COUNTS}


@pytest.fixture
def organiser(tmp_path: Path) -> Iterator[Organiser]:
    """A store without data, with two grades."""
    path = tmp_path / "track.db"
    Store.create(path, "small").close()
    with closing(Organiser(lambda: Store.open(path))) as browser:
        yield browser


@pytest.fixture
def judged(tmp_path: Path) -> Iterator[Organiser]:
    """A store with labels of two people that differ."""
    labels = {"ada": {("q1", "d1"): 1, ("q1", "d2"): 0}, "bo": {("q1", "d1"): 0}}
    runs = {"a": {"q1": {"d1": 2.0, "d2": 1.0}}}
    path = new_file(
        tmp_path / "judged.db", "wings", documents=["d1", "d2"], topics=["q1"], runs=runs, pool=2, labels=labels
    )
    with closing(Organiser(lambda: Store.open(path))) as browser:
        yield browser


@pytest.mark.parametrize(("name", "content"), [
    ("scifact.zip", zip_of(*BEIR)),
    ("scifact.tar.gz", tar_of(*((f"beir/{name}", data) for name, data in BEIR), mode="w:gz")),
], ids=["zip", "tar"])  # fmt: skip
def test_a_beir_folder_is_taken_whole(organiser: Organiser, name: str, content: bytes) -> None:
    """A store without data takes the grades of the judgments; a second upload adds nothing."""
    before = left_uploads()
    said = notice(organiser.upload("collection", [(name, content)]))
    assert said.startswith("Whole collection: 4 documents, 2 topics, 2 judgments.")
    assert "The store now has the grades of the collection: 0, 1, 2." in said
    assert "cranfield-upload" not in said
    assert counts_of(organiser) == COUNTS
    assert organiser.rows("SELECT name FROM collection") == [("small",)]
    again = notice(organiser.upload("collection", [(name, content)], split="train", assessor="nist"))
    assert again.startswith("Whole collection: 0 documents, 0 topics, 1 judgment.")
    assert organiser.rows("SELECT name FROM assessor ORDER BY id") == [("import",), ("nist",)]
    assert left_uploads() == before


@pytest.mark.parametrize(("content", "words"), [
    (zip_of(*changed("qrels/test.tsv", HEAD + b"q1\td1\n")), "test.tsv:2"),
    (zip_of(*changed("queries.jsonl", QUERIES + b"{]\n")), "queries.jsonl:3"),
    (zip_of(*changed("corpus.jsonl", CORPUS + CORPUS)), "d0"),
    (zip_of(*BEIR[1:]), "no corpus"),
    (zip_of(("notes.txt", b"x")), "no corpus"),
    (tar_of(*BEIR, special("qrels/dev.tsv", tarfile.SYMTYPE, "/etc/passwd")), "a link or a device"),
    (tar_of(*BEIR, ("../evil.txt", b"x")), "expected paths inside"),
    (tar_of(*BEIR)[:3000], "damaged or unsupported"),
    (zip_of(*BEIR, ("bomb", bytes(80 << 20))), "are larger than"),
    (CORPUS, "expected a zip or tar file"),
], ids=["qrels", "queries", "twice", "parts", "notes", "link", "path", "cut", "large", "file"])  # fmt: skip
def test_a_collection_with_an_error_is_refused_whole(organiser: Organiser, content: bytes, words: str) -> None:
    """Nothing is imported, the grades stay, no file is left, and no path of the server is shown."""
    before = left_uploads()
    said = notice(organiser.upload("collection", [("wings.zip", content)]))
    assert "Not done." in said
    assert words in said
    assert "cranfield-upload" not in said
    assert not organiser.worker.run_and_wait(has_data)
    assert organiser.worker.run_and_wait(lambda store: [*store.collection.grades]) == [0, 1]
    assert left_uploads() == before


@pytest.mark.parametrize(("files", "words"), [
    (changed("queries.jsonl", b'{"_id": "q1", "text": "another topic"}\n'), "q1"),
    (BEIR, "grade 2 is not on the scale 0, 1"),
], ids=["topic", "grade"])  # fmt: skip
def test_a_collection_that_does_not_fit_the_store_adds_nothing(
    judged: Organiser, files: tuple[tuple[str, bytes], ...], words: str
) -> None:
    """A store with data keeps its grades and topics; documents that were fine are not added either."""
    before = counts_of(judged)
    renamed = tuple((name, data.replace(b'"d', b'"x').replace(b"\td", b"\tx")) for name, data in files)
    renamed = tuple((name, data.replace(b"q2", b"q3") if words != "q1" else data) for name, data in renamed)
    kept = tuple((name, data.replace(b'"q1"', b'"q4"').replace(b"q1\t", b"q4\t") if words != "q1" else data)
                 for name, data in renamed)  # fmt: skip
    said = notice(judged.upload("collection", [("wings.zip", zip_of(*kept))]))
    assert "Not done." in said
    assert words in said
    assert counts_of(judged) == before


def test_a_beir_folder_comes_out_and_in(judged: Organiser, organiser: Organiser) -> None:
    """The form asks for a policy; the zip is a folder that another store takes."""
    answer = download(judged, "beir", policy="max")
    assert 'filename="judged-beir.zip"' in answer.headers.get("content-disposition", answer.text)
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert {"corpus.jsonl", "queries.jsonl", "qrels/test.tsv"} <= {*archive.namelist()}
        assert archive.read("qrels/test.tsv").decode().splitlines()[1:] == ["q1\td1\t1", "q1\td2\t0"]
    said = notice(organiser.upload("collection", [("judged-beir.zip", answer.content)]))
    assert said.startswith("Whole collection: 2 documents, 1 topic, 2 judgments.")


def test_an_incomplete_collection_has_no_beir_folder(organiser: Organiser) -> None:
    """The page says what is missing, in place of a button."""
    assert "/organise/download/beir" not in organiser.page("deliver")
    organiser.upload("topics", [("topics.tsv", b"q1\twings\n")])
    assert "There are no documents yet." in organiser.page("deliver").partition('id="beir"')[2]


def test_the_metadata_name_the_store_next_to_them(judged: Organiser, tmp_path: Path) -> None:
    """Datasette finds a store by its file name; the copy is a store that verifies."""
    answer = download(judged, "datasette")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.namelist() == ["judged.db", "metadata.json"]
        assert [*json.loads(archive.read("metadata.json"))["databases"]] == ["judged"]
        archive.extract("judged.db", tmp_path / "copy")
    assert verify(tmp_path / "copy" / "judged.db").rows()


@pytest.mark.needs("publishing")
@pytest.mark.needs_extra("arrow", "files", "report")
def test_a_published_folder_comes_out_and_in(judged: Organiser, organiser: Organiser) -> None:
    """A store without data takes its name, pools, runs and log; a changed folder and a store with data are refused."""
    content = download(judged, "published", text="yes", draft="yes", policy="max").content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = [(name, archive.read(name)) for name in archive.namelist()]
    wrong = zip_of(*((name, data + b" " if name == "README.md" else data) for name, data in files))
    said = notice(organiser.upload("collection", [("wings.zip", wrong)]))
    assert "Not done." in said
    assert "changed or incomplete" in said
    assert not organiser.worker.run_and_wait(has_data)

    tar = tar_of(*((f"wings-1.0/{name}", data) for name, data in files), mode="w:xz")
    said = notice(organiser.upload("collection", [("wings.tar.xz", tar)]))
    assert said.startswith("Whole collection: 2 documents, 1 topic, 2 judgments, 1 run, 1 pool.")
    assert "The store now has the name wings and the grades 0, 1 of the collection." in said
    assert organiser.counts() == judged.counts()
    assert organiser.worker.run_and_wait(lambda store: verify(store).rows())
    qrels = [
        zipfile.ZipFile(io.BytesIO(download(browser, "qrels", policy="max").content)) for browser in (judged, organiser)
    ]
    assert qrels[0].read("qrels.txt") == qrels[1].read("qrels.txt") == b"q1 0 d1 1\nq1 0 d2 0\n"

    said = notice(organiser.upload("collection", [("wings.zip", content)]))
    assert "Not done." in said
    assert "a published folder can only be imported into a store without data" in said
    assert organiser.counts() == judged.counts()


@pytest.mark.needs("publishing")
def test_the_description_comes_out_and_in(judged: Organiser) -> None:
    """The file has every field; what is filled in is stored, and the page names what is still empty."""
    text = download(judged, "description").text
    assert parse_toml(text)["title"] == "wings"
    filled_in = text.replace('licence = ""', 'licence = "CC-BY-4.0"')
    said = notice(judged.upload("description", [("description.toml", filled_in.encode())]))
    assert said.startswith("Description for publication: ")
    assert "still empty: " in said
    assert "licence" not in said
    assert 'licence = "CC-BY-4.0"' in download(judged, "description").text
    wrong = notice(judged.upload("description", [("description.toml", b'licence = "unknown"\n')]))
    assert "Not done." in wrong
    assert "description.toml" in wrong


def has_form(page: str, name: str) -> Any:
    """Whether a page has the form of an upload that takes one file."""
    return f'action="/organise/upload/{name}"' in page


def test_the_set_up_leads_to_the_upload(organiser: Organiser) -> None:
    """An organiser with a whole collection need not go step by step."""
    assert 'href="/organise/deliver#upload-collection"' in organiser.page("setup")
    assert has_form(organiser.page("deliver"), "collection")
