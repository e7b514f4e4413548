"""What teams download: the topics and the documents, whole or in part, and who gets none."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from cranfield.features.tasks import transfers as downloads
from cranfield.features.tasks.store import describe
from cranfield.formats import Document
from cranfield.formats.writing import write_corpus
from cranfield.store.round_changes import close_round, start_round
from tests.features.tasks.track import DOCNOS, Track, description

CORPUS = "/team/corpus.jsonl.gz"


def docnos_in(content: bytes) -> list[str]:
    """The documents of a file."""
    return [json.loads(line)["_id"] for line in gzip.decompress(content).splitlines()]


@pytest.mark.full
def test_the_whole_and_its_parts(track: Track) -> None:
    """The same bytes each time; a download can be resumed; a part that is not there is refused."""
    browser = track.as_team("cuni")
    whole = browser.get(CORPUS)
    assert docnos_in(whole.content) == [*DOCNOS]
    assert json.loads(gzip.decompress(whole.content).splitlines()[0])["text"] == "text of d1"
    assert int(whole.headers["content-length"]) == len(whole.content)
    assert browser.head(CORPUS).headers["etag"] == whole.headers["etag"]
    assert browser.get(CORPUS).content == whole.content
    rest = browser.get(CORPUS, headers={"range": "bytes=20-", "if-range": whole.headers["etag"]})
    assert (rest.status_code, whole.content[:20] + rest.content) == (206, whole.content)
    assert rest.headers["content-range"] == f"bytes 20-{len(whole.content) - 1}/{len(whole.content)}"
    other = browser.get(CORPUS, headers={"range": "bytes=20-", "if-range": '"another file"'})
    assert (other.status_code, other.content) == (200, whole.content)
    assert browser.get(CORPUS, headers={"range": "bytes=9999999-"}).status_code == 416
    assert browser.get(CORPUS, headers={"range": "lines=1-2"}).status_code == 400


def test_who_gets_none(track: Track) -> None:
    """Before the date it is not there; without accepted terms, or a link, it is refused: for topics and documents."""
    browser, program = track.as_team("cuni"), track.client()
    token = {"authorization": f"Bearer {track.tokens['cuni']}"}
    for page in (CORPUS, "/team/topics.jsonl"):
        track.phase("topics")
        track.do(lambda store: describe(store, description()))
        assert browser.get(page).status_code == program.get(page, headers=token).status_code == 200
        assert program.get(page).status_code == 403
        assert program.get(page, headers={"authorization": "Bearer x"}).status_code == 401
        track.phase("announced")
        assert browser.get(page).status_code == program.get(page, headers=token).status_code == 404
        assert browser.head(page).status_code == 404
        track.phase("open")
        track.do(lambda store: describe(store, description().replace("Be fair.", "Be fairer.")))
        answer = program.get(page, headers={**token, "range": "bytes=0-9"})
        assert (answer.status_code, answer.json()["errors"][0]["found"][:16]) == (403, "accept the terms")


@pytest.mark.full
def test_the_documents_of_the_round(track: Track) -> None:
    """New ones are there at once; a round of its own topics and documents has those alone."""
    browser = track.as_team("cuni")
    assert docnos_in(browser.get(CORPUS).content) == [*DOCNOS]
    track.do(lambda store: store.add_documents([Document("new", "", "text")]))
    assert docnos_in(browser.get(CORPUS).content) == [*DOCNOS, "new"]
    track.do(lambda store: close_round(store, "1"))
    track.do(lambda store: start_round(store, "2", topics=["3"], documents=["d2", "new"]))
    assert docnos_in(browser.get(CORPUS).content) == ["d2", "new"]
    assert [json.loads(line)["qid"] for line in browser.get("/team/topics.jsonl").text.splitlines()] == ["3"]


def test_a_store_without_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing to download, and its page has no link to it."""
    track = Track()
    try:
        track.do(lambda store: store.conn.execute("UPDATE document SET text = NULL"))
        assert CORPUS not in track.as_team("cuni").get("/team").text
        assert track.as_team("cuni").get(CORPUS).status_code == 404
    finally:
        track.close()


def test_packing_that_fails_or_takes_long(track: Track, monkeypatch: pytest.MonkeyPatch) -> None:
    """No part of a file is sent: an error, or a time to come again; the next one may succeed."""
    browser = track.as_team("cuni")

    def full(path: Path, documents: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(downloads, "write_corpus", full)
    answer = browser.get(CORPUS)
    assert (answer.status_code, b"The server failed" in answer.content) == (500, True)
    monkeypatch.setattr(downloads, "write_corpus", write_corpus)
    monkeypatch.setattr(downloads, "PATIENCE", -1)
    answer = browser.get(CORPUS)
    assert (answer.status_code, "retry-after" in answer.headers) == (503, True)
    monkeypatch.setattr(downloads, "PATIENCE", 30)
    assert browser.get(CORPUS).status_code == 200
