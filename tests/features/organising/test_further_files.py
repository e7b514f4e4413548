"""Pools, preferences, answers and nuggets on the page Deliver: as the commands write them, and taken whole."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from cranfield.features.organising.further_uploads import all_uploads
from cranfield.store.invitations import invite
from cranfield.store.store import Store
from cranfield.web.look.table import answer
from tests.features.organising.served import Organiser, notice
from tests.features.organising.test_setting_up import left_uploads
from tests.stores import new_store

pytestmark = pytest.mark.needs_extra("serve")
QRELS = b"q1 0 d1 1\nq1 0 d2 0\n"
PREFERENCES = b"q1 0 NA d1 1\nq1 0 NA d2 0\n"
VOTES = b"assessor,qid,docno,grade\nada,q1,d1,1\nbo,q1,d1,0\n"
LOG = b"".join(
    b'{"id": "%d", "at": "2026-01-31T10:00:00Z", "user": "u%d", "query": "wings", "arm": "%s",'
    b' "docs": ["d1", "d2"], "actions": [{"kind": "click", "doc": "d1"}]}\n' % (number, number, b"ab"[number % 2 :][:1])
    for number in range(3)
)
ANSWER = {
    "metadata": {"run_id": "rag", "topic_id": "q1", "team_id": "a", "type": "automatic"},
    "references": ["d1"],
    "answer": [{"text": "Wings flutter.", "citations": [0]}],
}


@pytest.fixture
def organiser(tmp_path: Path) -> Iterator[Organiser]:
    """A store in a file, with documents, topics, a run and a pool, without labels."""
    path = tmp_path / "track.db"
    parts = {"q1": {"d1": 2.0, "d2": 1.0}}
    new_store(
        path,
        documents=["d1", "d2"],
        topics={"q1": "wings"},
        people=["bo"],
        runs={"a": parts},
        pool=2,
        grades={0: "not", 1: "relevant"},
    ).close()
    with closing(Organiser(lambda: Store.open(path))) as browser:
        yield browser


def test_judgments_made_elsewhere_are_taken_whole(organiser: Organiser) -> None:
    """A file with an error adds nothing; a good one adds its labels under the name that was typed."""
    before = left_uploads()
    wrong = notice(organiser.upload("qrels", [("q.txt", QRELS + b"q1 0 d9\n")], assessor="nist"))
    assert "Not done." in wrong
    assert "q.txt:3" in wrong
    assert organiser.counts()["qrels"] == 0
    said = notice(organiser.upload("qrels", [("q.txt", QRELS)], assessor="nist"))
    assert said.startswith("Judgments made elsewhere: 2 judgments")
    assert organiser.counts()["qrels"] == 2
    assert organiser.rows("SELECT name FROM assessor WHERE kind = 'import'") == [("nist",)]
    again = notice(organiser.upload("qrels", [("q.txt", QRELS)], assessor="nist"))
    assert "nist has already judged" in again
    assert "choose “Skip judgments that the store already has” to add the others" in again
    assert "cumulative" not in again
    said = notice(organiser.upload("qrels", [("q.txt", QRELS)], assessor="nist", skip="yes"))
    assert said.startswith("Judgments made elsewhere: 0 judgments")
    assert organiser.counts()["qrels"] == 2
    assert left_uploads() == before


@pytest.mark.parametrize(
    ("files", "assessor", "words"),
    [(1, "", "the text is missing"), (2, "nist", "2 files were chosen; expected one"),
     (0, "nist", "no file was chosen"),
     (1, "x" * 201, "201 characters; expected at most 200")],
)  # fmt: skip
def test_an_incomplete_form_adds_nothing(organiser: Organiser, files: int, assessor: str, words: str) -> None:
    """The page says what is missing."""
    said = notice(organiser.upload("qrels", [(f"{n}.txt", QRELS) for n in range(files)], assessor=assessor))
    assert words in said
    assert organiser.counts()["qrels"] == 0


def test_the_pool_is_a_table(organiser: Organiser) -> None:
    """It has a line per document."""
    sent = organiser.client.post("/organise/download/pool", data={"form": organiser.form})
    assert 'filename="track-pool.tsv"' in sent.headers["content-disposition"]
    assert [line.split("\t")[:2] for line in sent.text.splitlines()] == [["qid", "docno"], ["q1", "d1"], ["q1", "d2"]]


@pytest.mark.needs("preferences")
def test_preferences_come_in_and_out(organiser: Organiser) -> None:
    """The download is offered once there are preferences."""
    assert "download/preferences" not in organiser.page("deliver")
    said = notice(organiser.upload("preferences", [("p.txt", PREFERENCES)], assessor="nist"))
    assert said.startswith("Preferences")
    assert "download/preferences" in organiser.page("deliver")
    sent = organiser.client.post("/organise/download/preferences", data={"form": organiser.form, "votes": "all"})
    assert "track-preferences.txt" in sent.headers.get("content-disposition", sent.text)


@pytest.mark.needs("answers")
def test_answers_come_in_and_out(organiser: Organiser) -> None:
    """The answers that come out are those that came in."""
    assert "download/answers" not in organiser.page("deliver")
    said = notice(organiser.upload("answers", [("a.jsonl", json.dumps(ANSWER).encode())]))
    assert said.startswith("Generated answers: 1 answer")
    sent = organiser.client.post("/organise/download/answers", data={"form": organiser.form})
    assert json.loads(sent.text)["answer"] == ANSWER["answer"]


@pytest.mark.needs("collecting")
def test_variations_are_added(organiser: Organiser) -> None:
    """Two queries of a topic."""
    lines = b"qid\tvid\tquery\nq1\tv1\twing\nq1\tv2\twing flutter\n"
    assert "2 variations" in notice(organiser.upload("variations", [("v.tsv", lines)]))


def test_votes_keep_their_assessors(organiser: Organiser) -> None:
    """Each vote is an event of the person who gave it."""
    said = notice(organiser.upload("votes", [("votes.csv", VOTES)]))
    assert said.startswith("Votes from annotation tools: imported 2 grades")
    assert ".." not in said
    assert organiser.rows("SELECT name FROM assessor ORDER BY name") == [("ada",), ("bo",)]


@pytest.mark.needs("online")
def test_an_interaction_log_is_added_once(organiser: Organiser) -> None:
    """The page of the log leads to its form as long as there is no log."""
    page = organiser.worker.run_and_wait(lambda store: answer(store, "log", "", ()).text())
    assert 'href="/organise/deliver#uploads"' in page
    for lists in (3, 0):
        said = notice(organiser.upload("log", [("clicks.jsonl", LOG)], experiment="first", arms="a, b"))
        assert said.startswith(f"Interaction log: {lists} lists and {lists} actions added")
    wrong = notice(organiser.upload("log", [("clicks.jsonl", LOG + b"{}\n")], experiment="first"))
    assert "Not done." in wrong
    assert "clicks.jsonl:4" in wrong


@pytest.mark.parametrize("name", sorted(all_uploads()))
def test_an_upload_is_for_the_organiser(organiser: Organiser, name: str) -> None:
    """An assessor's link and a form of another page give 403; the page of the organiser has the form."""
    assessor = TestClient(organiser.guard)
    assessor.get(f"/enter/{organiser.worker.run_and_wait(lambda store: invite(store, 'bo'))}")
    files = [("q.txt", QRELS)]
    assert organiser.send_files(name, files, assessor, assessor="nist").status_code == 403
    assert organiser.send_files(name, files, form="x", assessor="nist").status_code == 403
    assert f'action="/organise/upload/{name}"' in organiser.page("deliver")
    assert organiser.counts()["qrels"] == 0
