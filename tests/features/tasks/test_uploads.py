"""Uploads while others work: slow ones, several of a team, large ones, programs that write; and a server killed."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from benchmarks.uploads import main
from cranfield.errors import BusyError
from cranfield.features.tasks import pages
from cranfield.features.tasks.client import submit_run
from cranfield.features.tasks.results import TaskCost, cost_of
from cranfield.features.tasks.store import describe
from cranfield.features.tasks.submissions import begin_file, content_of, drop_files, keep_piece, submissions
from cranfield.metrics.inputs import as_qrels
from cranfield.store.qrels import import_qrels
from cranfield.store.releases import make_release
from cranfield.store.round_changes import close_round, start_round
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.conftest import usually
from tests.features.tasks.track import Track, description, run_lines, serve
from tests.stores import new_store

pytestmark = pytest.mark.full


@contextmanager
def uploading(base: str, token: str, run: bytes) -> Iterator[socket.socket]:
    """A connection on which all of an upload was sent but its last byte."""
    where = urlsplit(base)
    body = b'--x\r\ncontent-disposition: form-data; name="run"\r\n\r\n' + run + b"\r\n--x--\r\n"
    head = f"POST /submit HTTP/1.1\r\nhost: {where.netloc}\r\nauthorization: Bearer {token}\r\n"
    head += f"content-length: {len(body)}\r\ncontent-type: multipart/form-data; boundary=x\r\n\r\n"
    with socket.create_connection((where.hostname or "", where.port or 0), timeout=60) as connection:
        connection.sendall(head.encode() + body[:-1])
        yield connection


@pytest.mark.daily
def test_a_request_that_goes_on_after_its_form_is_cut_off(track: Track) -> None:
    """Nothing is recorded, and the connection is closed without reading the rest."""
    with serve(track) as base:
        where = urlsplit(base)
        form = b'--x\r\ncontent-disposition: form-data; name="run"\r\n\r\n' + run_lines("a") + b"\r\n--x--\r\n"
        head = f"POST /submit HTTP/1.1\r\nhost: {where.netloc}\r\nauthorization: Bearer {track.tokens['cuni']}\r\n"
        head += "transfer-encoding: chunked\r\ncontent-type: multipart/form-data; boundary=x\r\n\r\n"
        with socket.create_connection((where.hostname or "", where.port or 0), timeout=60) as connection:
            connection.sendall(head.encode() + b"%x\r\n" % len(form) + form + b"\r\n")
            answer = b""
            more = b"%x\r\n" % 65536 + b"x" * 65536 + b"\r\n"
            with pytest.raises(ConnectionError):  # it is closed while this goes on
                connection.sendall(more * 2048)
            with suppress(ConnectionError):
                while piece := connection.recv(4096):
                    answer += piece
    assert answer.startswith(b"HTTP/1.1 400") or not answer
    assert b"201" not in answer[:20]
    assert track.do(submissions) == []


def test_the_headers_of_a_part_are_bounded(track: Track) -> None:
    """By number and by size; the lowest version of the parser that is allowed has both bounds."""
    for headers in (b"x: y\r\n" * 9, b"x: " + b"y" * 5000 + b"\r\n"):
        part = b'--x\r\ncontent-disposition: form-data; name="run"\r\n' + headers + b"\r\n" + run_lines("a")
        answer = track.client().post(
            "/submit",
            content=part + b"\r\n--x--\r\n",
            headers={
                "authorization": f"Bearer {track.tokens['cuni']}",
                "content-type": "multipart/form-data; boundary=x",
            },
        )
        assert answer.status_code == 400
    assert track.do(submissions) == []


def test_a_slow_upload_holds_nobody(track: Track, tmp_path: Path) -> None:
    """Other teams upload meanwhile; its own team waits, and is told for how long; then it is taken."""
    path = tmp_path / "a.run"
    path.write_bytes(run_lines("a"))
    with serve(track) as base, uploading(base, track.tokens["cuni"], run_lines("slow")) as slow:
        send = partial(submit_run, path, None, base)
        assert send(track.tokens["udel"]).status == 201
        answer = send(track.tokens["cuni"])
        assert (answer.status, answer.wait) == (429, str(pages.BUSY))
        assert answer.content["errors"][0]["found"] == "another upload of your team is in progress; try again later"
        slow.sendall(b"\n")
        assert slow.recv(99).startswith(b"HTTP/1.1 201")
        assert send(track.tokens["cuni"]).status == 201
    assert [(one.team, one.tag) for one in track.do(submissions)] == [("udel", "a"), ("cuni", "slow"), ("cuni", "a")]


def test_a_file_is_kept_in_pieces(track: Track, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is whole again when read; of one that was not accepted nothing is left."""
    monkeypatch.setattr(pages, "PIECE", 50)
    assert track.upload("cuni", run_lines("a")).status_code == 201
    assert track.do(lambda store: store.count("submission_piece")) == -(-len(run_lines("a")) // 50)
    assert track.do(lambda store: content_of(store, 1)) == run_lines("a")
    monkeypatch.setattr(pages, "check_open", lambda store, team, at: False)
    track.phase("closed")
    assert track.upload("cuni", run_lines("b")).status_code == 403
    assert track.do(lambda store: store.count("submission_upload")) == 1


def test_a_server_that_was_killed_leaves_no_pieces() -> None:
    """The next one deletes them, and keeps what was accepted."""
    with new_store() as store:
        keep_piece(store, begin_file(store), b"half")
        keep_piece(store, begin_file(store), b"half")
        drop_files(store, 2)
        assert store.rows("SELECT id FROM submission_upload") == [(1,)]
        drop_files(store)
        assert (store.count("submission_upload"), store.count("submission_piece")) == (0, 0)


def test_a_program_that_writes_delays_an_upload(track: Track, monkeypatch: pytest.MonkeyPatch) -> None:
    """What arrived in time is not refused because another program is writing."""
    times = iter(range(99))

    def busy(store: Store) -> int:
        if next(times) < 3:
            raise BusyError("another program is writing")
        return begin_file(store)

    monkeypatch.setattr(pages, "begin_file", busy)
    monkeypatch.setattr(pages, "PAUSE", 0)
    assert track.upload("cuni", run_lines("a")).status_code == 201


def test_a_release_stays_whole_when_runs_are_replaced(track: Track) -> None:
    """The files of runs are no part of it."""
    track.upload("cuni", run_lines("a"))
    track.do(lambda store: make_release(store, "1"))
    track.upload("cuni", run_lines("a"))
    track.do(verify)


@pytest.mark.daily
def test_nothing_is_lost_under_load(capsys: pytest.CaptureFixture[str]) -> None:
    """The benchmark in small: every label that was acknowledged, and every receipt that was given, is in the store."""
    few = "--assessors 2 --uploads 2 --teams 2 --documents 100 --seconds 0.3 --arrive 0.1 --every 0.1"
    kills = usually(0, 2)
    main([*few.split(), "--kills", f"{kills}"])
    output = capsys.readouterr().out
    assert "2 runs uploaded, 0 receipts without their run" in output
    assert f" 0 lost, 0 doubled; {kills} kills" in output


def test_the_cost_if_it_closed_now(track: Track) -> None:
    """By priority and depth of the task; a run that is replaced, or the second of a team, costs nothing."""
    track.do(lambda store: describe(store, description(depth="2")))

    def upload() -> None:
        track.upload("cuni", run_lines("a", ["d1", "d2", "d3"]), "priority = 2")
        track.upload("cuni", run_lines("b", ["d4", "d5", "d6"]), "priority = 1")
        track.upload("udel", run_lines("c", ["d5", "d7"]))

    upload()
    assert track.do(cost_of) == TaskCost(2, 2, 2, 9, None)  # d4, d5 and d7, for each of 3 topics
    sentence = (
        "if the task closed now, 2 runs from 2 teams would be pooled to depth 2; assessors would judge 9 documents"
    )
    assert f"{track.do(cost_of)}" == sentence
    track.do(lambda store: import_qrels(store, as_qrels({"1": {"d4": 1, "d1": 1}}), "nist"))
    track.do(lambda store: close_round(store, "1"))
    track.do(lambda store: start_round(store, "2"))
    assert track.do(cost_of).runs == 0  # of this round
    upload()
    assert track.do(cost_of).documents == 8
