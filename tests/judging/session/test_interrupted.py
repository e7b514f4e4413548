"""Killed at any moment, or open longer than its claim holds: no label is lost, and nobody's work is done twice."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from threading import Timer

import pytest

from cranfield.judging.frontends.plain import PlainJudging
from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.judging.session.session import Session
from cranfield.judging.session.work import PassedOnError
from cranfield.store.assignments import assignments, claim_topic, give_assignment, work_of
from cranfield.store.log import criteria, current_decisions, read_events
from cranfield.store.store import Store
from tests.conftest import ROOT, usually
from tests.judging.cases import POOLED, as_the_command, at, on_screen, session_of, store_of
from tests.judging.screen import on_the_screen

pytestmark = pytest.mark.full

JUDGE = (
    "import typer; from cranfield.cli.commands.judge import judge;"
    " from cranfield.cli.common_options import expand_option_records;"
    " typer.run(expand_option_records(judge))"
)
FORTY = {"q1": [f"d{number}" for number in range(12)], "q2": [f"d{number}" for number in range(4)]}


@contextmanager
def judging(path: Path) -> Iterator[subprocess.Popen[str]]:
    """A real `judge` in its own process, with pipes; killed at the end."""
    command = [sys.executable, "-c", JUDGE, str(path), "--assessor", "ada", "--plain", "--seed", "4"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, encoding="utf-8", cwd=ROOT) as process:
        hung = Timer(60, process.kill)  # reading would otherwise wait for ever
        hung.start()
        try:
            yield process
        finally:
            hung.cancel()
            process.kill()


def read_until(process: subprocess.Popen[str], start: str) -> str:
    """The first line of output that begins so."""
    assert process.stdout
    for line in process.stdout:
        if line.startswith(start):
            return line.strip()
    raise AssertionError(f"the output ended before {start!r}")


def send(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin
    process.stdin.write(line + "\n")
    process.stdin.flush()


def document_shown(process: subprocess.Popen[str]) -> str:
    return read_until(process, "  text of ").removeprefix("text of ")


@pytest.mark.parametrize("sent_after", usually([1], [0, 1]))
def test_kill_loses_nothing(tmp_path: Path, sent_after: int) -> None:
    """Killed with kill -9, several times running: with the last label acknowledged, or with one just sent."""
    path = tmp_path / "killed.db"
    store_of(FORTY, path).close()
    safe: dict[str, int] = {}
    expected: tuple[str, str] | None = ("q1", next_of(safe))
    for grade in range(usually(2, 3)):
        with judging(path) as process:
            topic, docno = read_until(process, "Topic ").removeprefix("Topic "), document_shown(process)
            assert (topic, docno) == expected
            for again in (False, True):
                docno = document_shown(process) if again else docno
                send(process, str(grade))
                read_until(process, "Recorded: topic q1")
                safe[docno] = grade
            for _ in range(sent_after):
                send(process, "-1")
        with Store.open(path) as store:
            labels = {docno: event.grade for (_, docno), event in current_decisions(store, "ada").items()}
            assert safe.items() <= labels.items()
            assert set(labels) - set(safe) <= {next_of(safe)}
            safe = {docno: grade or 0 for docno, grade in labels.items()}
            expected = on_screen(session_of(store, order=None))


def next_of(labels: dict[str, int]) -> str:
    """The document of q1 that comes after these in the order of seed 4."""
    from cranfield.judging.session.order import sort_by_hash

    return next(docno for docno in sort_by_hash(FORTY["q1"], "q1", 4) if docno not in labels)


def test_a_killed_session_keeps_later_notes_and_undo(tmp_path: Path) -> None:
    """Not only labels: what was put off, noted and taken back is there after kill -9."""
    path = tmp_path / "killed.db"
    store_of(FORTY, path).close()
    with judging(path) as process:
        for line in ("s", "1", "2", "u"):
            send(process, line)
        read_until(process, "Undone.")
        docno = document_shown(process)
        send(process, "n half a thought")
        read_until(process, "The note is saved")
    with judging(path) as process:
        assert document_shown(process) == docno
        read_until(process, "Your note:")
        read_until(process, "  half a thought")
        send(process, "u")
        read_until(process, "Undone.")
        send(process, "q")
        assert read_until(process, "judged") == "judged 0, later 1, cannot judge 0, remaining 15"


def tomorrow() -> datetime:
    """When any claim of this test has lapsed."""
    return datetime.now(UTC) + timedelta(days=2)


def queue() -> Store:
    """A store whose topics wait in the queue."""
    store = store_of(POOLED)
    assign_topics_to_assessors(store, lease=3600)
    return store


COMMANDS: list[Callable[[Session], object]] = [
    lambda session: at(session).grade(1),
    lambda session: at(session).later(),
    lambda session: at(session).cannot_judge("unreadable"),
    lambda session: at(session).note("hm"),
    lambda session: at(session).toggle_unsure(),
    lambda session: at(session).quote("text"),
    lambda session: at(session).undo(),
    lambda session: at(session).criterion("says why"),
    lambda session: at(session).toggle_docno(),
]


@pytest.mark.parametrize("number", range(len(COMMANDS)))
def test_nothing_is_recorded_for_a_topic_that_somebody_else_claimed(number: int) -> None:
    """Whatever she does next; what she recorded stays, and she goes on with a topic of her own."""
    store = queue()
    ada = as_the_command(store, "ada")
    at(ada).grade(2)
    assert claim_topic(store, "bob", tomorrow()) == "q1"
    before = read_events(store)
    with pytest.raises(
        PassedOnError, match="topic q1 is no longer yours: it is assigned to somebody else; your earlier"
    ):
        COMMANDS[number](ada)
    assert read_events(store) == before
    assert criteria(store, "q1", "ada") == []
    assert [event.grade for event in current_decisions(store, "ada").values()] == [2]
    assert (on_screen(ada) or ("",))[0] == "q2"
    at(ada).grade(1)
    assert [event.qid for event in read_events(store, "ada")] == ["q1", "q2"]
    assert at(ada).undo().topic


def test_no_pair_is_judged_twice_by_two_sessions_over_the_same_topics() -> None:
    """However their claims pass to and fro: what one settled the other is never shown, and all of it gets done."""
    store = queue()
    sessions = {name: as_the_command(store, name) for name in ("ada", "bob")}
    refusals = []
    for step in range(40):
        name = ("ada", "bob")[step // 2 % 2]
        give_assignment(store, "q1", "first", name)
        for session in sessions.values():
            try:
                if not session.view.done:
                    at(session).grade(1)
            except PassedOnError:
                refusals.append(step)
    judged = [(event.qid, event.docno) for event in read_events(store) if event.kind == "label"]
    assert len(judged) == len(set(judged)) == sum(map(len, POOLED.values()))
    assert refusals


def test_a_claim_that_lapsed_and_nobody_wanted_is_renewed_by_what_she_records() -> None:
    """So that from then on nobody else gets it; but one that was put back into the queue she has to claim again."""
    store = queue()
    ada = as_the_command(store, "ada")
    store.conn.execute("UPDATE assignment SET lease = '2020-01-01T00:00:00.000+00:00' WHERE assessor IS NOT NULL")
    at(ada).grade(1)
    lease = next(assignment.lease for assignment in assignments(store) if assignment.assessor == "ada")
    assert lease is not None
    assert lease > datetime.now(UTC).isoformat()
    assert claim_topic(store, "bob", datetime.now(UTC)) == "q2"
    give_assignment(store, "q1", "first", None)
    with pytest.raises(PassedOnError, match="it is back in the queue"):
        at(ada).grade(1)
    assert (on_screen(ada) or ("",))[0] == "q1"
    at(ada).grade(1)
    assert [assignment.assessor for assignment in assignments(store) if assignment.qid == "q1"] == ["ada"]


def test_two_processes(tmp_path: Path) -> None:
    """The claim is made by another program while the session is open."""
    path = tmp_path / "track.db"
    with store_of(POOLED, path) as store:
        assign_topics_to_assessors(store, lease=3600)
    with Store.open(path) as here, Store.open(path) as there:
        ada = as_the_command(here, "ada")
        assert claim_topic(there, "bob", tomorrow()) == "q1"
        with pytest.raises(PassedOnError):
            at(ada).grade(1)
        assert read_events(there) == []
        assert len(work_of(there, "bob")["q1"]) == 3


def test_who_lost_a_claim_is_told_so_and_goes_on() -> None:
    """In line mode with the refusal, then the topic that is hers now; on the full screen also out of a line."""
    store, out = queue(), StringIO()
    ada = as_the_command(store, "ada")
    claim_topic(store, "bob", tomorrow())
    PlainJudging(ada, StringIO("1\n1\nq\n"), out, width=200).run()
    refusal, _, after = out.getvalue().partition(
        "Not recorded: topic q1 is no longer yours: it is assigned to somebody else"
    )
    assert "Topic q1" in refusal
    assert "Topic q2" in after
    assert "Recorded: topic q2, document 1: grade 1, relevant." in after
    assert [event.qid for event in read_events(store)] == ["q2"]
    store = queue()
    ada = as_the_command(store, "ada")
    screen = on_the_screen(
        ada, "escape", lambda: claim_topic(store, "bob", tomorrow()), "n", "h", "enter", size=(130, 24)
    )
    assert "! topic q1 is no longer yours: it is assigned to somebody else" in screen.text
    assert "title of q2" in screen.text
    assert (screen.terminal.failure, read_events(store)) == (None, [])
