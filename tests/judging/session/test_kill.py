"""Killed at any moment, judging loses no label it acknowledged and goes on at the right document."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

import pytest

from cranfield.store.log import current
from cranfield.store.store import Store
from tests.conftest import ROOT, usually
from tests.judging.cases import on_screen, session_of, store_of

JUDGE = "import typer; from cranfield.cli.commands.judge import judge; typer.run(judge)"
POOLED = {"q1": [f"d{number}" for number in range(12)], "q2": [f"d{number}" for number in range(4)]}


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
    store_of(POOLED, path).close()
    acknowledged: dict[str, int] = {}
    expected: tuple[str, str] | None = ("q1", next_of(acknowledged))
    for grade in range(usually(2, 3)):
        with judging(path) as process:
            topic, docno = read_until(process, "Topic ").removeprefix("Topic "), document_shown(process)
            assert (topic, docno) == expected
            for again in (False, True):
                docno = document_shown(process) if again else docno
                send(process, str(grade))
                read_until(process, "Recorded: topic q1")
                acknowledged[docno] = grade
            for _ in range(sent_after):
                send(process, "-1")
        with Store.open(path) as store:
            labels = {docno: event.grade for (_, docno), event in current(store, "ada").items()}
            assert acknowledged.items() <= labels.items()
            assert set(labels) - set(acknowledged) <= {next_of(acknowledged)}
            acknowledged = {docno: grade or 0 for docno, grade in labels.items()}
            expected = on_screen(session_of(store, order=None))


def next_of(labels: dict[str, int]) -> str:
    """The document of q1 that comes after these in the order of seed 4."""
    from cranfield.judging.session.order import by_hash

    return next(docno for docno in by_hash(POOLED["q1"], "q1", 4) if docno not in labels)


def test_a_killed_session_keeps_later_notes_and_undo(tmp_path: Path) -> None:
    """Not only labels: what was put off, noted and taken back is there after kill -9."""
    path = tmp_path / "killed.db"
    store_of(POOLED, path).close()
    with judging(path) as process:
        for line in ("s", "1", "2", "u"):
            send(process, line)
        read_until(process, "Undone.")
        docno = document_shown(process)
        send(process, "n half a thought")
        read_until(process, "Noted")
    with judging(path) as process:
        assert document_shown(process) == docno
        read_until(process, "Your note:")
        read_until(process, "  half a thought")
        send(process, "u")
        read_until(process, "Undone.")
        send(process, "q")
        assert read_until(process, "judged") == "judged 0, later 1, cannot judge 0, remaining 15"
