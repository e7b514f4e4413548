"""The page Deliver over HTTP: files as the command line writes them, and offline work that comes back."""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import ProvenanceWarning, UndecidedError
from cranfield.features.organising.downloads import all_downloads
from cranfield.judging import export_bundle
from cranfield.judging.labels.recorded import record_label_choice
from cranfield.selection import POLICY_NAMES
from cranfield.store import backup, export_judgments, export_qrels, import_qrels, verify
from cranfield.store.assignments import assignments
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append, read_events
from cranfield.store.store import Store
from cranfield.web.organise.policies import policy_options, policy_question, publication_question, publishable_policies
from cranfield.web.policy_titles import policy_title
from tests.features.organising.served import DOCUMENTS, RUN, TOPICS, Organiser, notice
from tests.features.organising.test_setting_up import left_uploads
from tests.stores import new_file, new_store

pytestmark = pytest.mark.needs_extra("serve")


@pytest.fixture(scope="module")
def organiser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Organiser]:
    """A store in a file, with two people who have labelled all but a document."""
    path = tmp_path_factory.mktemp("deliver") / "track.db"
    Store.create(path, "small").close()
    with closing(Organiser(lambda: Store.open(path))) as browser:
        browser.upload("documents", [("corpus.jsonl", DOCUMENTS)])
        browser.upload("topics", [("topics.tsv", TOPICS)])
        browser.upload("runs", [("a.run", RUN)])
        browser.send("setup/pool", method="depth", size="3")
        browser.send("people", assessors="ada\nbo", overlap="100%", repeats="0", links="yes")

        def judge(store: Store) -> None:
            pairs = sorted(store.rows("SELECT DISTINCT qid, docno FROM pooled"))[:-1]
            for grade, name in enumerate(("ada", "bo")):
                append(store, *(Event("label", qid, docno, name, grade=grade) for qid, docno in pairs))

        browser.worker.run_and_wait(judge)
        yield browser


def download(organiser: Organiser, name: str, **fields: str) -> Any:
    """The answer to a form of the page."""
    return organiser.client.post(f"/organise/download/{name}", data={"form": organiser.form, **fields})


def test_qrels_come_with_their_manifest(organiser: Organiser, tmp_path: Path) -> None:
    """The zip has what the command writes; the manifest holds; nothing stays on the disk."""
    before = left_uploads()
    answer = download(organiser, "qrels", policy="max")
    assert answer.headers["content-disposition"].startswith('attachment; filename="track-qrels.zip"')
    assert int(answer.headers["content-length"]) == len(answer.content)
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.namelist() == ["qrels.txt", "qrels.txt.manifest.json"]
        archive.extractall(tmp_path)
    with pytest.warns(ProvenanceWarning, match="5 documents have different labels by ada and bo; policy: max"):
        organiser.worker.run_and_wait(lambda store: export_qrels(store, tmp_path / "own.txt", policy="max"))
    assert (tmp_path / "qrels.txt").read_text() == (tmp_path / "own.txt").read_text()
    assert organiser.worker.run_and_wait(
        lambda store: verify(store, manifest=tmp_path / "qrels.txt.manifest.json").rows()
    )
    assert left_uploads() == before


def options_of(page: str, download: str) -> list[tuple[str, str]]:
    """The options of a download's policies, as values and words, the preselected one first."""
    part = page.partition(f'<li id="{download}">')[2].partition("</li>")[0].partition('name="policy"')[2]
    found = re.findall(r'<option value="([^"]*)"( selected)?>([^<]*)</option>', part.partition("</select>")[0])
    return [(value, words) for value, _, words in sorted(found, key=lambda one: not one[1])]


def test_labels_that_the_first_assessor_settles_need_no_policy(organiser: Organiser) -> None:
    """The labels of ada and bo differ, but each topic has a first assessor: the form preselects primary."""
    page = organiser.page("deliver")
    own = [(name, policy_title(name)) for name in POLICY_NAMES]
    assert [options_of(page, name) for name in ("qrels", "report")] == [own, own]
    for name in POLICY_NAMES:
        assert download(organiser, "qrels", policy=name).content.startswith(b"PK"), name
    assert download(organiser, "qrels", policy=POLICY_NAMES[0]).content == download(organiser, "qrels").content


def test_the_page_asks_for_a_policy_as_the_command_line_does(tmp_path: Path) -> None:
    """Nothing is preselected where labels differ; each download that counts labels refuses a form without a policy."""
    pairs = [("q1", "d1"), ("q1", "d2"), ("q2", "d2")]
    labels = {"ada": dict.fromkeys(pairs, 1), "bo": {pair: int(pair == ("q1", "d1")) for pair in pairs}}
    path = new_file(tmp_path / "track.db", documents=["d1", "d2"], topics=["q1", "q2"], labels=labels)
    question = "2 documents have different labels; the policy decides which label counts."
    asking = [name for name, one in all_downloads().items() if any(choice.name == "policy" for choice in one.choices)]
    assert {*asking} >= {"qrels", "report"}
    with closing(Organiser(lambda: Store.open(path))) as asked:
        page = asked.page("deliver")
        assert page.count(question) == page.count('<select name="policy" required>') == len(asking)
        for name in asking:
            titles = [(policy, policy_title(policy)) for policy in POLICY_NAMES]
            assert options_of(page, name) == [("", "choose"), *titles], name
            said = notice(download(asked, name).text)
            assert said.endswith(f"Where labels differ: nothing was chosen. {question}"), name
            assert notice(download(asked, name, policy="").text) == said, name
        with pytest.raises(UndecidedError, match="2 documents have different labels"):
            asked.worker.run_and_wait(lambda store: export_qrels(store, tmp_path / "own.txt"))
        assert download(asked, "qrels", policy="max").content.startswith(b"PK")


def test_labels_that_agree_leave_primary_preselected() -> None:
    """Without differences there is nothing to ask; a difference that the topic's assessor settles is none."""
    with Store.memory("small") as store:
        for name in ("ada", "bo"):
            import_qrels(store, {"q1": {"d1": 1}}, assessor=name, kind="human")
        assert (policy_question(store), [*policy_options(store)]) == ("", [*POLICY_NAMES])


def test_a_policy_that_is_not_an_option_is_refused(organiser: Organiser) -> None:
    """The policy single, which differing labels make fail, is not an option."""
    assert "'single' is not an option" in notice(download(organiser, "qrels", policy="single").text)


@pytest.mark.parametrize(
    ("choice", "words", "publishable"),
    [({"assessor": "ada"}, "labels of ada", False), ({"policy": "max"}, "highest label", True)],
)
def test_a_recorded_choice_is_the_default(choice: dict[str, str], words: str, publishable: bool) -> None:
    """The page preselects the choice on record; a published folder cannot declare an assessor, so its form asks."""
    with Store.memory("small") as store:
        add_assessor(store, "ada")
        record_label_choice(store, **choice)
        assert next(iter(policy_options(store).items())) == ("", f"the recorded choice: {words}")
        assert ("" in publishable_policies(store)) == publishable
        assert policy_question(store) == ""
        needs = "" if publishable else "The recorded choice is ada; a published folder needs a policy."
        assert publication_question(store) == needs


def test_the_question_counts_the_labels_that_differ() -> None:
    """The organiser sees how many documents the policy decides, as long as no choice is on record."""
    with Store.memory("small") as store:
        for grade, name in enumerate(("ada", "bo")):
            import_qrels(store, {"q1": {"d1": 1, "d2": grade}}, assessor=name, kind="human")
        assert policy_question(store) == "1 document has different labels; the policy decides which label counts."
        record_label_choice(store, policy="min")
        assert policy_question(store) == ""


def test_labels_of_a_model_at_chance_are_asked_for() -> None:
    """The command line refuses to count them without a choice, so the page asks too, and gives the reason."""
    qids = [f"q{number}" for number in range(12)]
    people = {qid: {f"d{place}": place % 2 for place in range(8)} for qid in qids}
    model = {qid: {f"d{place}": place // 2 % 2 for place in range(9)} for qid in qids}
    with new_store(topics=qids, people=["ada"], models=["parrot"], qrels={"ada": people, "parrot": model}) as store:
        question = policy_question(store)
        assert question.startswith("The labels of parrot agree with human labels no better than chance")
        assert question.endswith("documents.")
        record_label_choice(store, policy="primary")
        assert policy_question(store) == ""


def test_adjudications_add_policies() -> None:
    """Policies that put an adjudication first are options once there is one; primary always does."""
    with Store.memory("small") as store:
        store.require_qids(["q1"])
        store.ensure_docnos(["d1"])
        add_assessor(store, "eve")
        assert "adjudicated-else-max" not in policy_options(store)
        append(store, Event("adjudicate", "q1", "d1", "eve", grade=1))
        assert {"adjudicated-else-max", "primary"} < {*policy_options(store)}
        assert "adjudicated-else-primary" not in policy_options(store)


@pytest.mark.parametrize(
    ("name", "file"),
    [("judgments", "track-judgments.jsonl"), ("runs", "track-runs.zip"), ("topics", "track-topics.jsonl"),
     ("corpus", "track-corpus.jsonl.gz"), ("backup", "track-backup.db"), ("page", "ada.html"), ("bundle", "ada.db")],
)  # fmt: skip
def test_a_file_is_named_as_the_store(organiser: Organiser, name: str, file: str) -> None:
    """Each is an attachment with the name of the store or of the person."""
    answer = download(organiser, name, assessor="ada")
    assert f'filename="{file}"' in answer.headers.get("content-disposition", answer.text)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.content


def test_files_have_what_the_commands_write(organiser: Organiser, tmp_path: Path) -> None:
    """Judgments are the same lines, a backup is a store that verifies."""
    organiser.worker.run_and_wait(lambda store: export_judgments(store, tmp_path / "own.jsonl"))
    assert download(organiser, "judgments").text == (tmp_path / "own.jsonl").read_text()
    (tmp_path / "copy.db").write_bytes(download(organiser, "backup").content)
    backup(tmp_path / "copy.db", tmp_path / "again.db")
    with zipfile.ZipFile(io.BytesIO(download(organiser, "runs").content)) as archive:
        assert archive.namelist() == ["a.run"]


def test_a_report_and_a_published_folder_are_made(organiser: Organiser) -> None:
    """The report is a page; the folder has its card."""
    pytest.importorskip("cranfield.features.publishing", reason="needs the feature publishing")
    report = download(organiser, "report", policy="max")
    assert report.text.startswith("<!doctype html>"), report.text
    assert 'filename="track-report.html"' in report.headers["content-disposition"]
    published = download(organiser, "published", text="no", draft="yes")
    with zipfile.ZipFile(io.BytesIO(published.content)) as archive:
        assert "README.md" in archive.namelist()


def test_a_download_needs_the_form_of_the_page(organiser: Organiser) -> None:
    """Neither an address nor another person's name is enough."""
    assert organiser.client.get("/organise/download/backup").status_code == 405
    assert organiser.client.post("/organise/download/backup", data={"form": "x"}).status_code == 403
    assert organiser.client.post("/organise/download/none", data={"form": organiser.form}).status_code == 404
    assert "choose one from the list" in notice(download(organiser, "page", assessor="../eve").text)
    assert {*all_downloads()} >= {"qrels", "judgments", "runs", "report", "backup", "page", "bundle"}


def test_a_bundle_comes_back(organiser: Organiser, tmp_path: Path) -> None:
    """Its labels are added once; a file that is none is refused with the good one, and nothing is added."""
    names = {one.assessor for one in organiser.worker.run_and_wait(assignments) if one.assessor}
    name = sorted(names)[0]
    bundle = tmp_path / "mine.db"
    organiser.worker.run_and_wait(lambda store: export_bundle(store, bundle, name))
    with Store.open(bundle) as store:
        qid, docno = store.rows("SELECT DISTINCT qid, docno FROM pooled ORDER BY qid, docno")[0]
        append(store, Event("label", qid, docno, name, grade=0 if name == "bo" else 1))
    number = len(organiser.worker.run_and_wait(read_events))
    content = bundle.read_bytes()
    wrong = organiser.upload("bundles", [("mine.db", content), ("other.db", b"no bundle")])
    assert "Not done." in notice(wrong)
    assert len(organiser.worker.run_and_wait(read_events)) == number
    assert "mine.db: 1 new event" in notice(organiser.upload("bundles", [("mine.db", content)]))
    assert "mine.db: 0 new events" in notice(organiser.upload("bundles", [("mine.db", content)]))
    assert len(organiser.worker.run_and_wait(read_events)) == number + 1


def test_the_log_is_whole(organiser: Organiser) -> None:
    """After all of this the store verifies, and each line of the judgments is one event."""
    assert organiser.worker.run_and_wait(lambda store: verify(store).rows())
    lines = download(organiser, "judgments").text.splitlines()
    assert len([json.loads(line) for line in lines]) == len(organiser.worker.run_and_wait(read_events))


def test_a_store_that_was_moved_is_named_in_plain_words(tmp_path: Path) -> None:
    """Downloads, steps and computed pages say what happened, without the path; nothing goes to a store in its place."""
    path = tmp_path / "track.db"
    Store.create(path, "moved").close()
    with closing(Organiser(lambda: Store.open(path))) as organiser:
        path.rename(tmp_path / "elsewhere.db")
        Store.create(path, "another").close()
        answers = [
            organiser.client.post("/organise/download/backup", data={"form": organiser.form}),
            organiser.client.post("/organise/guidelines", data={"form": organiser.form, "text": "new"}),
            organiser.client.get("/look/runs.json"),
            organiser.client.get("/"),
        ]
        texts = [answer.text for answer in answers if answer.status_code == 410]
        assert [answer.status_code for answer in answers[:2]] == [410, 410]
        assert all(answer.status_code in (200, 410) for answer in answers)
        assert all("moved, replaced or deleted" in text and str(tmp_path) not in text for text in texts)
        page = organiser.upload("documents", [("corpus.jsonl", DOCUMENTS)])
        assert "moved, replaced or deleted" in notice(page)
        (tmp_path / "elsewhere.db").replace(path)
        assert notice(organiser.upload("documents", [("corpus.jsonl", DOCUMENTS)])).startswith("6 documents imported.")
