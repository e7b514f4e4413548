"""The steps of the set-up over HTTP: what each stores, and that wrong input stores nothing."""

import gzip
import io
import os
import re
import stat
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from starlette.testclient import TestClient

from cranfield.commands.pools import build_pool
from cranfield.errors import BusyError
from cranfield.features.organising.actions import PoolForecast, forecast_pool
from cranfield.features.organising.uploaded import PREFIX
from cranfield.formats import Document, Topic
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.store.assignments import assignments
from cranfield.store.brief_imports import importing_briefly, undo_unfinished_imports
from cranfield.store.history import history, importing
from cranfield.store.invitations import invitations, invite
from cranfield.store.log import guidelines
from cranfield.store.qrels import import_qrels
from cranfield.store.runs import add_runs
from cranfield.store.store import Store
from cranfield.store.verification import copy_unverified, verify
from cranfield.web.results import Hear, Results, StoreThread
from tests.features.organising.served import DOCUMENTS, RUN, TOPICS, Files, Organiser, notice

pytestmark = pytest.mark.needs_extra("serve")
EMPTY = {"document": 0, "topic": 0, "run": 0, "pool": 0, "assessor": 0, "judgment_event": 0, "qrels": 0}


@pytest.fixture
def organiser() -> Iterator[Organiser]:
    """An organiser's browser on an empty store."""
    with closing(Organiser(lambda: Store.memory("small"))) as browser:
        yield browser


@pytest.fixture
def filled(organiser: Organiser) -> Organiser:
    """The same, with documents, topics and a run."""
    organiser.upload("documents", [("corpus.jsonl", DOCUMENTS)])
    organiser.upload("topics", [("topics.tsv", TOPICS)])
    organiser.upload("runs", [("a.run", RUN)])
    assert {name: organiser.counts()[name] for name in ("document", "topic", "run")} == {
        "document": 6, "topic": 2, "run": 1,
    }  # fmt: skip
    return organiser


def zip_of(*members: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    """A zip with these files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members:
            archive.writestr(name, text)
    return content.getvalue()


def link_member(name: str) -> zipfile.ZipInfo:
    """A symbolic link in a zip."""
    member = zipfile.ZipInfo(name)
    member.external_attr = (stat.S_IFLNK | 0o777) << 16
    return member


def left_uploads() -> list[Path]:
    return list(Path(tempfile.gettempdir()).glob(f"{PREFIX}{os.getpid()}-*"))


def test_the_page_says_what_is_done_and_what_is_next(organiser: Organiser) -> None:
    """An empty store begins with documents; the steps that need others say so."""
    page = organiser.page()
    assert "1 of 7 required steps are done." in page
    assert 'Next: <a href="#documents">Documents</a>' in page
    assert "Add documents and topics first." in page
    assert '<details class="step " id="documents" open>' in page


def test_a_forecast_that_takes_long_can_be_seen_later(filled: Organiser) -> None:
    """The page says that it computes the forecast, and the button shows it."""
    go_on = Event()

    class SlowThread(StoreThread):
        def run(self, compute: Callable[..., Any], *arguments: Any, hear: Hear) -> Any:
            go_on.wait()
            return super().run(compute, *arguments, hear=hear)

    filled.app.results.close()
    filled.app.results = Results(filled.app.reader, SlowThread(filled.app.reader), patience=0.01)
    words = {"method": "depth", "size": "3"}
    first = filled.send("setup/forecast", **words)
    assert 'The forecast is being computed. To see it, press "Show the forecast".' in first
    assert 'id="forecast"' not in first
    go_on.set()
    pages = (filled.send("setup/forecast", **words) for _ in range(10_000))
    assert any("Forecast: 6 documents</strong>" in page for page in pages)


def test_each_step_stores_what_the_command_stores(filled: Organiser) -> None:
    """From documents to links, with the pool's forecast before it is built."""
    assert "Done: 6 documents" in filled.page()
    forecast = filled.send("setup/forecast", method="depth", size="3")
    assert "Forecast: 6 documents</strong> for 2 topics" in forecast
    assert filled.counts()["pool"] == 0
    assert notice(filled.send("setup/pool", method="depth", size="3")).startswith("Pool 1: 6 documents for 2 topics")
    preview = filled.send("setup/preview", text="Grade <b>1</b>: about wings.")
    assert "Preview (not saved yet)" in preview
    assert "&lt;b&gt;1&lt;/b&gt;: about wings." in preview
    assert filled.worker.run_and_wait(guidelines) == ""
    filled.send("guidelines", text="Grade 1: about wings.\r\n")
    assert filled.worker.run_and_wait(guidelines) == "Grade 1: about wings.\n"
    page = filled.send("people", assessors="ada\nbo", overlap="50%", repeats="0", links="yes")
    assert page.count('readonly value="http://testserver/enter/') == 2
    assert {one.assessor for one in filled.worker.run_and_wait(assignments)} == {"ada", "bo"}
    assert {one.assessor for one in filled.worker.run_and_wait(invitations)} == {"ada", "bo"}
    assert "readonly" not in filled.page()  # shown once
    assert "7 of 7 required steps are done." in filled.page()
    filled.worker.run_and_wait(verify)


def test_a_pool_with_unknown_documents_says_so(filled: Organiser) -> None:
    """Nobody can read a pooled document that the store does not have."""
    filled.upload("runs", [("odd.run", b"q1 Q0 zzz 1 9 odd\n")])
    assert "1 pooled document has no text: zzz." in notice(filled.send("setup/pool", method="depth", size="3"))


def test_an_unknown_format_lists_the_known_formats(organiser: Organiser) -> None:
    said = notice(organiser.upload("documents", [("notes.txt", b"a b\n")]))
    assert "not a known corpus format; available formats: " in said
    assert "jsonl" in said
    assert "--format" not in said


def test_links_are_made_for_everyone_who_lacks_one(filled: Organiser) -> None:
    """People with topics and without a valid link get one, the others none."""
    filled.send("setup/pool", method="depth", size="3")
    filled.send("people", assessors="ada\nbo", overlap="0%", repeats="0")
    filled.worker.run_and_wait(lambda store: invite(store, "ada"))
    assert "1 person has topics and no valid link: bo." in filled.page()
    page = filled.send("all-links")
    assert page.count('readonly value="http://testserver/enter/') == 1
    assert "everyone with topics has a valid link" in notice(filled.send("all-links"))


@pytest.mark.parametrize(
    ("kind", "files", "found"),
    [
        ("documents", [("corpus.jsonl", DOCUMENTS + b"{")], "corpus.jsonl:7"),
        ("documents", [("corpus.jsonl", DOCUMENTS), ("more.jsonl", DOCUMENTS)], "already in the corpus"),
        ("documents", [("empty.jsonl", b"")], "the file is empty"),
        ("documents", [], "no file was chosen"),
        ("documents", [("a.zip", b"PK\x03\x04 no zip")], "damaged or unsupported zip"),
        ("documents", [("a.zip", zip_of(("../evil.txt", b"x")))], "expected paths inside the zip"),
        ("documents", [("a.zip", zip_of(("/etc/evil.txt", b"x")))], "expected paths inside the zip"),
        ("documents", [("a.zip", zip_of(("..\\evil.txt", b"x")))], "expected paths inside the zip"),
        ("documents", [("a.zip", zip_of(("a\x1b[2J.txt", b"x")))], "which has a control character"),
        ("runs", [("a.zip", zip_of(("a\u202e.run", RUN)))], "which has a control character"),
        ("documents", [("a.zip", zip_of((link_member("a.txt"), b"/etc/passwd")))], "a link or a device"),
        ("documents", [("a.zip", zip_of(("a.txt", b"x"), ("a.txt/b.txt", b"y")))], "a file and a folder"),
        ("documents", [("bomb.zip", zip_of(("a.txt", bytes(80 << 20))))], "are larger than"),
        ("topics", [("topics.tsv", b"\xff\xfe\x00")], "topics.tsv"),
        ("topics", [], "no file was chosen"),
        ("runs", [("a.run", b"q1 Q0 d1 1 x a\n")], "a.run:1"),
        ("runs", [("a.run", RUN), ("b.run", b"")], "b.run: the file is empty"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_wrong_upload_stores_nothing(organiser: Organiser, kind: str, files: Files, found: str) -> None:
    """The error of the command line is on the page, and no row and no file stay."""
    before = left_uploads()
    page = organiser.upload(kind, files)
    assert found in notice(page), notice(page)
    assert organiser.counts() == EMPTY
    assert organiser.rows("SELECT count(*) FROM import") == [(0,)]
    assert left_uploads() == before


def test_a_run_with_a_wrong_topic_is_refused_with_the_others(filled: Organiser) -> None:
    """Of two runs, none is stored, and no import."""
    imports = filled.rows("SELECT count(*) FROM import")
    page = filled.upload("runs", [("b.run", RUN.replace(b" a\n", b" b\n")), ("c.run", b"q9 Q0 d1 1 1 c\n")])
    assert "'q9' is not in the store" in notice(page)
    assert filled.counts()["run"] == 1
    assert filled.rows("SELECT count(*) FROM import") == imports


def test_documents_that_differ_are_refused_and_equal_ones_kept(filled: Organiser) -> None:
    """A changed text is refused with its number; the same file again changes nothing."""
    page = filled.upload(
        "documents", [("corpus.jsonl", b'{"docno": "new", "text": "x"}\n{"docno": "d1", "text": "y"}')]
    )
    assert "document 2: docno 'd1' is in the corpus with another title" in notice(page)
    assert filled.counts()["document"] == 6
    assert "6 documents were already in the store and left unchanged" in notice(
        filled.upload("documents", [("c.jsonl", DOCUMENTS)])
    )


def test_a_zip_of_texts_becomes_documents_with_their_paths(organiser: Organiser) -> None:
    """What systems add to zips is left out; a zip of tables is read as tables."""
    pytest.importorskip("cranfield.features.documents", reason="needs the feature documents")
    texts = zip_of(
        ("notes/a.txt", b"about wings"), ("notes/b.md", b"# Title\n\nabout waves"), ("__MACOSX/notes/._a", b"")
    )
    assert notice(organiser.upload("documents", [("notes.zip", texts)])).startswith("2 documents imported.")
    assert organiser.rows("SELECT docno FROM document ORDER BY docno") == [("notes/a.txt",), ("notes/b.md",)]
    table = zip_of(("corpus.jsonl", DOCUMENTS))
    assert notice(organiser.upload("documents", [("corpus.zip", table)])).startswith("6 documents imported.")


def test_files_keep_safe_names(organiser: Organiser) -> None:
    """A name of a file leads nowhere, and is shown and stored as a text."""
    name = '../../<script>alert(1)</script>".jsonl'
    page = organiser.upload("documents", [(name, b"{")])
    assert "<script>alert" not in page
    organiser.upload("documents", [("../../../etc/cron.d/evil.jsonl.gz", gzip.compress(DOCUMENTS))])
    assert organiser.rows("SELECT files FROM import") == [('["evil.jsonl.gz"]',)]


def test_pasted_lines_become_numbered_topics(organiser: Organiser) -> None:
    """Lines without ids are numbered; a text and a file together are refused."""
    assert "expected one of them" in notice(organiser.upload("topics", [("t.tsv", TOPICS)], text="wings"))
    assert notice(organiser.upload("topics", [], text="shock <b>waves</b>\r\n\r\nwings")) == "2 topics imported."
    assert organiser.rows("SELECT qid, title FROM topic") == [("1", "shock <b>waves</b>"), ("2", "wings")]
    added = [("1", "shock <b>waves</b>"), ("2", "wings"), ("3", "heat")]
    for _ in range(2):  # pasted again, it changes nothing
        assert "Not done." not in notice(organiser.upload("topics", [], text="heat\r\nwings"))
        assert organiser.rows("SELECT qid, title FROM topic") == added


def test_uploads_have_a_limit(tmp_path: Path) -> None:
    """A larger one is refused, whether its length is stated or not, and nothing stays."""
    with closing(Organiser(lambda: Store.memory("small"), largest_upload=1000)) as organiser:
        before = left_uploads()
        assert organiser.send_files("documents", [("a.jsonl", DOCUMENTS * 8)]).status_code == 413
        assert organiser.send_files("documents", [("a.jsonl", bytes(3 << 20))]).status_code == 413
        assert organiser.send_files("topics", [], text="x" * (3 << 20)).status_code == 413
        assert organiser.counts() == EMPTY
        assert left_uploads() == before


def test_only_the_organiser_sets_up(organiser: Organiser) -> None:
    """Without a link, with an assessor's, from another site or with another token nothing is taken or shown."""
    stranger, assessor = TestClient(organiser.guard), TestClient(organiser.guard)
    token = organiser.worker.run_and_wait(lambda store: invite(store, "ada"))
    assert assessor.get(f"/enter/{token}").status_code == 200
    before = left_uploads()
    for client in (stranger, assessor):
        assert client.get("/organise/setup").status_code == 403
        assert client.get("/organise/deliver").status_code == 403
        assert organiser.send_files("documents", [("c.jsonl", DOCUMENTS)], client).status_code == 403
        for form in ("setup/pool", "setup/baselines", "setup/folder", "setup/preview", "download/backup", "people"):
            assert client.post(f"/organise/{form}", data={"form": organiser.form}).status_code == 403
    organiser.client.headers["origin"] = "https://evil.example"
    assert organiser.send_files("documents", [("c.jsonl", DOCUMENTS)]).status_code == 403
    assert organiser.client.post("/organise/setup/pool", data={"form": organiser.form}).status_code == 403
    del organiser.client.headers["origin"]
    organiser.form = "other"
    assert organiser.send_files("documents", [("c.jsonl", DOCUMENTS)]).status_code == 403
    assert organiser.client.post("/organise/download/backup", data={"form": "other"}).status_code == 403
    assert organiser.counts()["document"] == 0
    assert left_uploads() == before


def test_a_form_that_is_not_complete_stores_nothing(organiser: Organiser) -> None:
    """A body that ends too early, or is no form."""
    head = b'--x\r\ncontent-disposition: form-data; name="form"\r\n\r\n' + organiser.form.encode() + b"\r\n"
    file = b'--x\r\ncontent-disposition: form-data; name="files"; filename="c.jsonl"\r\n\r\n' + DOCUMENTS
    kind = {"content-type": "multipart/form-data; boundary=x"}
    before = left_uploads()
    for body in (head + file, b"--y\r\n"):
        assert organiser.client.post("/organise/upload/documents", content=body, headers=kind).status_code == 400
    assert organiser.client.post("/organise/upload/documents", data={"form": organiser.form}).status_code == 400
    assert organiser.counts() == EMPTY
    assert left_uploads() == before


def test_only_entries_of_the_folder_are_taken(tmp_path: Path) -> None:
    """A path or a link that leads out of the folder is refused; without a folder there is none to choose from."""
    root = tmp_path / "files"
    root.mkdir()
    (root / "corpus.jsonl").write_bytes(DOCUMENTS)
    (tmp_path / "secret.jsonl").write_bytes(DOCUMENTS)
    (root / "way out").symlink_to(tmp_path)
    with closing(Organiser(lambda: Store.memory("small"), root)) as organiser:
        assert '<option value="corpus.jsonl">' in organiser.page()
        for entry in (
            "../secret.jsonl",
            "way out",
            "way out/secret.jsonl",
            str(tmp_path / "secret.jsonl"),
            "",
            "none",
            ".",
        ):
            assert "is not in the folder of files" in notice(organiser.send("setup/folder", entry=entry))
        assert organiser.counts() == EMPTY
        assert notice(organiser.send("setup/folder", entry="corpus.jsonl")).startswith("6 documents imported.")
    with closing(Organiser(lambda: Store.memory("small"))) as organiser:
        assert "without a folder of files" in notice(organiser.send("setup/folder", entry="corpus.jsonl"))


@pytest.mark.parametrize(
    ("method", "size"), [("depth", "x"), ("depth", "-1"), ("depth", "0"), ("take", "00"), ("nonsense", "3")]
)
def test_a_wrong_pool_is_refused(filled: Organiser, method: str, size: str) -> None:
    """The form says why, and no pool is stored."""
    page = filled.send("setup/pool", method=method, size=size)
    assert "Not done." in notice(page)
    assert filled.counts()["pool"] == 0


def test_an_error_of_a_step_leads_to_the_step_that_lacks(organiser: Organiser) -> None:
    """Nothing of the command line is named; a link leads to its remedy."""
    page = organiser.send("setup/pool", method="depth", size="3")
    leads = re.findall(r'id="notice">.*?</p>\s*<p class="leads">(.*?)</p>', page, re.DOTALL)
    assert "cranfield import" not in notice(page)
    assert leads == ['<a href="/organise/setup?step=runs#runs">Add runs</a>']


def test_wrong_people_are_refused_whole(filled: Organiser) -> None:
    """Of names of which one is wrong nobody gets a topic or a link; the names stay in the form, which stays open."""
    filled.send("setup/pool", method="depth", size="3")
    for names in ("bo\nada\nada", "ada\n" + "x" * 300, ""):
        page = filled.send("people", step="people", assessors=names, overlap="10%", repeats="0", links="yes")
        assert "Not done." in notice(page)
        assert f"required>{names}</textarea>" in page
        assert 'id="people" open>' in page
    assert filled.counts()["assessor"] == 0
    assert not filled.worker.run_and_wait(invitations)


def test_one_person_does_not_give_second_labels(filled: Organiser) -> None:
    """The notice says where the second labels are; the step then leads to the pages that change assignments."""
    filled.send("setup/pool", method="depth", size="3")
    page = filled.send("people", assessors="ada", overlap="50%", repeats="0")
    assert "The second labels are in the queue" in notice(page)
    people = filled.page().partition('id="people"')[2].partition("</details>")[0]
    assert "Every topic of the pool is assigned." in people
    assert 'href="/organise/topics"' in people
    assert "<textarea" not in people


def test_an_import_of_a_killed_server_is_undone(tmp_path: Path) -> None:
    """What short transactions had stored goes when the store is served again, and the logs hold."""
    path, copy = tmp_path / "track.db", tmp_path / "killed.db"
    with (
        Store.create(path, "killed") as store,
        importing_briefly(store),
        importing(store, "corpus", ["corpus.jsonl"]),
    ):
        assert store.add_documents([Document("d1", text="about wings")]) == 1
        copy_unverified(store, copy)
        assert store.add_documents([Document("d2", text="about waves")]) == 1
    with closing(Organiser(lambda: Store.open(copy))) as organiser:
        assert organiser.counts()["document"] == 0
        assert organiser.rows("SELECT kind, last_event IS NULL FROM import") == [("corpus", 0)]
        organiser.worker.run_and_wait(verify)
        assert notice(organiser.upload("documents", [("corpus.jsonl", DOCUMENTS)])).startswith("6 documents imported.")
    with Store.open(path) as store:
        assert store.counts()["document"] == 2
        assert undo_unfinished_imports(store) == ([], [])


def import_and_fail(store: Store) -> None:
    with importing(store, "corpus", ["corpus.jsonl"]):
        store.add_documents([Document("d1", text="about wings")])
        raise OSError("the disk is full")


def test_an_import_that_fails_between_transactions_is_undone() -> None:
    """Documents of the first transactions go with those of the one that failed."""
    with Store.memory("full disk") as store:
        with importing_briefly(store), pytest.raises(OSError, match="full"):
            import_and_fail(store)
        assert store.counts()["document"] == 0
        assert [line.what for line in history(store)] == ["corpus", "import"]
        verify(store)


@pytest.mark.needs_extra("search")
def test_baselines_are_added_at_one_click(organiser: Organiser) -> None:
    """Without documents the step says why not; with them each ranker becomes a run that contributes to pools."""
    assert "no corpus in this store to search" in notice(organiser.send("setup/baselines"))
    assert organiser.counts() == EMPTY
    organiser.upload("documents", [("corpus.jsonl", DOCUMENTS)])
    organiser.upload("topics", [("topics.tsv", TOPICS)])
    assert " runs added." in notice(organiser.send("setup/baselines"))
    assert organiser.counts()["run"] > 10
    assert {pooled for (pooled,) in organiser.rows("SELECT pooled FROM run")} == {1}
    assert "Build the pool" in organiser.page()


def test_an_import_under_way_is_not_undone(tmp_path: Path) -> None:
    """Not by a server that starts beside it, whose own import has to wait."""
    path = tmp_path / "track.db"
    Store.create(path, "two programs").close()
    with Store.open(path) as first, Store.open(path) as second:
        with importing_briefly(first), importing(first, "corpus", ["corpus.jsonl"]):
            first.add_documents([Document("d1", text="about wings")])
            assert undo_unfinished_imports(second) == ([], [])
            with pytest.raises(BusyError, match="another program imports"), importing_briefly(second):
                pytest.fail("two programs import at once")
            first.add_documents([Document("d2", text="about waves")])
        assert second.counts()["document"] == 2
        assert undo_unfinished_imports(second) == ([], [])
        verify(second)
    assert [file.name for file in tmp_path.iterdir()] == ["track.db"]


JSON_OF_BOTH = b'{"docno": "d1", "text": "about wings"}\n{"docno": "d2", "text": "about waves"}\n'


@pytest.mark.parametrize("use", ["imported again", "pooled"])
def test_what_is_in_use_of_an_interrupted_import_stays(tmp_path: Path, use: str) -> None:
    """A pooled document stays, but does not count until a later import of its file takes it over."""
    path, copy = tmp_path / "track.db", tmp_path / "killed.db"
    documents = [Document("d1", text="about wings"), Document("d2", text="about waves")]
    with Store.create(path, "used") as store:
        store.add_topics([Topic("1", "wings")])
        with importing_briefly(store), importing(store, "corpus", ["corpus.jsonl"]):
            store.add_documents(documents[:1])
            copy_unverified(store, copy)
    with Store.open(copy) as store:
        if use == "pooled":
            add_runs(store, as_runs({"a": {"1": {"d1": 1.0}}}))
            build_pool(store, depth=1)
        else:
            with importing(store, "corpus", ["corpus.jsonl"]):
                store.add_documents(documents)
    with closing(Organiser(lambda: Store.open(copy))) as organiser:
        is_pooled = use == "pooled"
        assert organiser.counts()["document"] == (0 if is_pooled else 2)
        assert organiser.rows("SELECT count(*) FROM import WHERE last_event IS NULL") == [(int(is_pooled),)]
        assert ("in use and does not count" in organiser.page()) is is_pooled
        if is_pooled:
            organiser.upload("documents", [("corpus.jsonl", JSON_OF_BOTH)])
            assert organiser.counts()["document"] == 2
        organiser.worker.run_and_wait(verify)


def test_an_outcome_belongs_to_the_browser_that_started_the_job(organiser: Organiser) -> None:
    """Another organiser sees a note until that browser has it, and nothing in answer to a form of their own."""
    parts = [("files", ("corpus.jsonl", DOCUMENTS))]
    address = "/organise/upload/documents"
    started = organiser.client.post(address, data={"form": organiser.form}, files=parts, follow_redirects=False)
    where = started.headers["location"]
    assert "job=" in where
    other = organiser.page()
    assert 'id="notice"' not in other
    assert "The last step has finished. 6 documents imported." in other
    forecast = organiser.send("setup/forecast", method="depth", size="3")
    assert "6 documents imported." not in forecast
    assert notice(organiser.client.get(where).text).startswith("6 documents imported.")
    assert "6 documents imported." not in organiser.page()
    assert notice(organiser.client.get(where).text).startswith("6 documents imported.")


def test_an_outcome_waits_for_its_browser_while_others_work(organiser: Organiser) -> None:
    """The next job does not take the place of an outcome that nobody has seen."""
    parts = [("files", ("corpus.jsonl", DOCUMENTS))]
    address = "/organise/upload/documents"
    started = organiser.client.post(address, data={"form": organiser.form}, files=parts, follow_redirects=False)
    assert notice(organiser.upload("topics", [("topics.tsv", TOPICS)])).startswith("2 topics imported.")
    assert notice(organiser.client.get(started.headers["location"]).text).startswith("6 documents imported.")


def test_labels_by_models_leave_the_documents_to_people() -> None:
    with Store.memory("labelled by a model and by a person") as store:
        add_runs(store, as_runs({"a": {"q": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}}))
        import_qrels(store, as_qrels({"q": {"d1": 1, "d2": 0}}), "llm", "model")
        import_qrels(store, as_qrels({"q": {"d3": 1}}), "ada", "human")
        forecast = forecast_pool(store, "depth", "10")
    assert isinstance(forecast, PoolForecast)
    assert (forecast.documents, forecast.judged) == (3, 1)


def test_a_step_of_a_server_that_stopped_is_named(filled: Organiser) -> None:
    """A page that waits for the step learns that it was not done, unless the step is done by now."""
    address = "/organise/setup?job=stopped.pool.x"
    text = notice(filled.client.get(address).text)
    assert text == 'Not done. The server stopped before it had finished the step "Pool". Send the form again.'
    filled.send("setup/pool", method="depth", size="3")
    assert 'id="notice"' not in filled.client.get(address).text


@pytest.mark.parametrize("job", ["bundles", "qrels", "erase"])
def test_a_form_of_a_server_that_stopped_is_not_forgotten(filled: Organiser, job: str) -> None:
    """The pages of these forms cannot tell whether the form was carried out."""
    page = "erase" if job == "erase" else "deliver"
    text = notice(filled.client.get(f"/organise/{page}?job=stopped.{job}.x").text)
    assert text.startswith("The server was started again after this form was sent.")
    assert 'id="notice"' not in filled.client.get(f"/organise/{page}?job=stopped.pool.x").text
