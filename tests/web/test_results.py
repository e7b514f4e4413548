"""What takes long: kept while nothing changes, in a process that is replaced when it dies and ends with the server."""

import asyncio
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event, Semaphore
from typing import Any

import pytest

from cranfield.errors import BusyError, CranfieldError
from cranfield.formats import Topic
from cranfield.web.look.table import answer
from cranfield.web.results import GOOD_FOR, KEPT, WAITING, ComputedResult, Hear, OtherProcess, Results, Worker
from tests.stores import new_file, new_store
from tests.web import computations

pytestmark = [pytest.mark.full, pytest.mark.needs_extra("serve")]


class Slow:
    """Computes how often it was asked to, once it is let go."""

    def __init__(self) -> None:
        self.go, self.times = Semaphore(0), 0

    def run(self, compute: Callable[..., Any], *arguments: Any, hear: Hear) -> int:
        hear("halfway")
        self.go.acquire()
        if "fails" in arguments:
            raise RuntimeError("it failed")
        self.times += 1
        return self.times

    run_once = run

    def close(self) -> None:
        """Let everything go."""
        self.go.release(100)


class Case:
    """Results of a store in memory, and a clock."""

    def __init__(self) -> None:
        self.worker, self.slow = Worker(new_store), Slow()
        self.results = Results(self.worker, self.slow, 0.0, partial(next, count(0.0)))  # each takes a second

    def get(self, *arguments: str, current: bool = False) -> ComputedResult:
        return asyncio.run(self.results.get(computations.topics, *arguments, current=current))

    def done(self, times: int = 1) -> None:
        """Let all computations go, and wait for them."""
        self.slow.go.release(times)
        self.results._thread.submit(lambda: None).result()

    def change(self, *qids: str) -> None:
        self.worker.run_and_wait(lambda store: store.add_topics([Topic(qid, "title") for qid in qids]))


@pytest.fixture
def case() -> Iterator[Case]:
    """Results of a store in memory."""
    case = Case()
    yield case
    case.results.close()
    case.worker.close()


def test_a_result_is_kept_until_the_store_changes(case: Case) -> None:
    """Asked for first it is not there yet; then it is, until something changes; then the old one is, with its time."""
    first = case.get()
    assert (first.value, bool(first.doing)) == (None, True)
    case.done()
    assert case.get() == case.get() == ComputedResult(1)
    case.change("q1")
    for _ in range(GOOD_FOR):  # each look at the clock is a second
        old = case.get()
    assert (old.value, "UTC" in old.as_of, bool(old.doing)) == (1, True, True)
    case.done()
    assert case.get() == ComputedResult(2)


def test_a_young_result_is_shown_again_while_the_store_changes(case: Case) -> None:
    """Else a page of a store in which people judge would never be complete."""
    case.get()
    case.done()
    case.change("q1")
    young = case.get()
    assert (young.value, "UTC" in young.as_of, young.doing) == (1, True, "")


def test_a_program_gets_what_is_current(case: Case) -> None:
    """Whoever asks for the current result waits for it, also where an older one is under way."""
    case.get()
    case.change("q1")
    case.slow.go.release(2)
    assert case.get(current=True) == ComputedResult(2)
    assert case.get() == ComputedResult(2)


def test_too_much_at_once_is_refused(case: Case) -> None:
    """A queue has an end. The same again is not one more."""
    for number in range(WAITING):
        case.get(str(number))
    case.get("0")
    with pytest.raises(BusyError, match="Too many"):
        case.get("one more")
    case.done(WAITING)
    assert case.get("1") == ComputedResult(2)
    assert case.get("one more").value is None


def test_an_error_is_not_kept(case: Case) -> None:
    """What failed is computed again."""
    case.slow.go.release()
    with pytest.raises(RuntimeError, match="it failed"):
        case.get("fails", current=True)
    case.slow.go.release()
    with pytest.raises(RuntimeError, match="it failed"):
        case.get("fails", current=True)


def test_only_the_latest_results_are_kept(case: Case) -> None:
    """Memory is bounded."""
    case.slow.go.release(2 * KEPT)
    for number in range(2 * KEPT):
        case.get(str(number), current=True)
    assert len(case.results._known) <= KEPT


@pytest.fixture
def process(tmp_path: Path) -> Iterator[OtherProcess]:
    """Another process with a store of one topic."""
    with closing(OtherProcess(new_file(tmp_path / "s.db", topics={"q1": "title"}))) as process:
        yield process


def test_another_process_computes(process: OtherProcess) -> None:
    """It says how far it is; the same process serves again; an error in it is one here."""
    lines: list[str] = []
    assert process.run(computations.slowly, "x", hear=lines.append) == "s.db"
    assert lines == ["steps", "steps: 1 of 2"]
    assert process.run(computations.identity) == process.run(computations.identity) != os.getpid()
    with pytest.raises(RuntimeError, match="ValueError: out of range"):
        process.run(computations.wrong)
    assert process.run(computations.topics) == 1
    assert "No pool in this store" in process.run(answer, "pool", "", ()).text()


def test_a_dead_process_is_replaced_and_a_closed_one_is_not(process: OtherProcess, tmp_path: Path) -> None:
    """Killed once, what it did is done again in a new one; killed again, that is an error. Closing interrupts it."""
    lives = tmp_path / "left"
    lives.write_text("x")
    assert process.run(computations.deadly, str(lives)) == "alive"
    lives.write_text("xx")
    with pytest.raises(CranfieldError, match="killed twice"):
        process.run(computations.deadly, str(lives))
    lives.write_text("x")
    with pytest.raises(CranfieldError, match="process was killed"):
        process.run_once(computations.deadly, str(lives))
    assert process.run_once(computations.deadly, str(lives)) == "alive"
    begun = Event()
    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(process.run, computations.forever, hear=lambda line: begun.set())
        assert begun.wait(60)
        process.close()
        with pytest.raises(RuntimeError, match="server is stopping"):
            running.result()
