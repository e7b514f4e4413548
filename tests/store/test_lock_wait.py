"""Many programs at one store: it is told, nothing freezes, and nothing is lost or recorded twice."""

import io
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import BusyError, StoreError
from cranfield.formats import Document
from cranfield.judging.frontends.plain import PlainAdjudication, PlainJudging
from cranfield.judging.planning.assign import assign_topics_to_assessors, restrict_pool_to_work
from cranfield.judging.session.controller import SOON
from cranfield.judging.session.session import Session
from cranfield.metrics.inputs import as_runs
from cranfield.store import connection
from cranfield.store.assignments import assignments, claim_topic, work_of
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append, criteria, current_decisions, read_events
from cranfield.store.pools import add_pool, stored_pool
from cranfield.store.runs import add_runs, stored_runs
from cranfield.store.store import Store
from tests.conftest import ROOT, Cranfield, usually
from tests.judging.adjudication.test_adjudicate import adjudication, judged_store
from tests.judging.cases import Clock, as_the_command, at, pool_of, session_of, store_of
from tests.judging.screen import Step, Until, keys_of, on_the_screen
from tests.judging.session.test_interrupted import queue, tomorrow
from tests.stores import new_store

pytestmark = pytest.mark.full


class Other:
    """Another program at a store, which writes until it is told to stop."""

    def __init__(self, path: Path) -> None:
        self._connected = sqlite3.connect(path, isolation_level=None)

    def writes(self) -> None:
        self._connected.execute("BEGIN IMMEDIATE")

    def stops(self) -> None:
        self._connected.execute("ROLLBACK")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Of a small store."""
    busy = tmp_path / "busy.db"
    store_of(path=busy).close()
    return busy


@pytest.fixture
def other(path: Path) -> Other:
    """Another program, which does not write yet."""
    return Other(path)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits is told at once, and soon gives up."""
    for name, seconds in {"REPORTED_AFTER": 0.0, "TRY": 0.01, "PATIENCE": 0.05}.items():
        monkeypatch.setattr(connection, name, seconds)


# The full screen


@pytest.mark.parametrize("size", [(40, 12), (120, 40)])
def test_a_grade_waits_for_the_lock(path: Path, other: Other, size: tuple[int, int]) -> None:
    """It is told within half a second; the key is kept, others only scroll; it is recorded when the lock is free."""
    assert SOON < 0.5
    with Store.open(path) as store:
        session = session_of(store)
        steps: tuple[Step, ...] = (other.writes, "2", Until("s, because another program is"))
        keys = ("escape", *steps, "1", "down", "q", other.stops, Until("1: grade 2"))
        screen = on_the_screen(session, *keys, size=size, topics=True, each=True)
        assert "2 has waited" in screen.after[4]
        assert "! 1 was ignored, because 2 is not recorded yet" in " ".join(screen.after[5].split())
        assert "text of d1" in screen.after[6]
        assert "! q was ignored" in screen.after[7]
        assert "grade 2" not in "".join(screen.after[:8])
        assert "text of d2" in screen.text
        assert "ignored" not in screen.text
        assert [(event.docno, event.grade) for event in read_events(store)] == [("d1", 2)]
        assert screen.terminal.failure is None


KEYS: dict[str, tuple[tuple[str, ...], str]] = {
    "later": (("s",), "later"),
    "other reason": (("x", "4", *keys_of("torn"), "enter"), "cannot-judge other: torn"),
    "unsure": (("m",), "note unsure"),
    "undo": (("u",), "retract"),
    "note": (("n", *keys_of("hm"), "escape"), "note hm"),
    "evidence": (("e", "enter"), "note marked"),
    "criterion": (("c", *keys_of("wings"), "enter"), "wings"),
    "docno": (("i",), "note docno"),
    "judged anew": (("l", "enter", "0"), "label"),
}


@pytest.mark.parametrize(("keys", "expected"), [*KEYS.values()][:: usually(3, 1)], ids=[*KEYS][:: usually(3, 1)])
def test_every_key_waits_for_the_lock(path: Path, other: Other, keys: tuple[str, ...], expected: str) -> None:
    """Whatever is recorded is recorded once."""
    with Store.open(path) as store:
        until = (Until(" s, because another program is writing"), other.stops, Until("? help q quit"))
        screen = on_the_screen(session_of(store), "1", *keys[:-1], other.writes, keys[-1], *until)
        assert screen.terminal.failure is None
        assert [*map(told_of, read_events(store)), *(one.text for one in criteria(store, "q1", "ada"))] == [
            "label", expected
        ]  # fmt: skip


def told_of(event: Event) -> str:
    marks = {"unsure": event.unsure, "marked": event.evidence, "docno": event.docno_shown}
    words = [event.kind, event.reason, event.note, *(word for word, is_so in marks.items() if is_so)]
    return " ".join(filter(None, words))


def test_what_is_recorded_is_not_recorded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where only the next topic of the queue cannot be claimed yet, the label is there once."""
    store, tries = store_of({"q1": ["d1"]}), iter([True, True, True, False])
    session = session_of(store)

    def more() -> None:
        if next(tries):
            raise BusyError("another program is writing")

    monkeypatch.setattr(session, "_more", more)
    screen = on_the_screen(session, "1", Until("Everything is done"))
    assert [event.grade for event in read_events(store)] == [1]
    assert (screen.terminal.failure, next(tries, None)) == (None, None)


def test_what_was_passed_on_is_told_after_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was recorded, as the topic is not hers any more; the next one could not be claimed at once."""
    store = queue()
    ada, tries = as_the_command(store, "ada"), iter([True, True, False])
    claim_topic(store, "bob", tomorrow())
    show = ada._show

    def try_to_show(*arguments: bool, **options: bool) -> object:
        if next(tries, False):
            raise BusyError("another program is writing")
        return show(*arguments, **options)

    monkeypatch.setattr(ada, "_show", try_to_show)
    screen = on_the_screen(ada, "1", Until("! topic q1 is no longer yours: it is assigned to somebody else"))
    assert "title of q2" in screen.text
    assert (screen.terminal.failure, read_events(store)) == (None, [])


def test_whoever_does_not_wait_is_told_what_is_lost(path: Path, other: Other) -> None:
    """Ctrl-C ends it; the command then says what was not recorded, also of a note."""
    with Store.open(path) as store:
        waits = Until("because another program is writing")
        screen = on_the_screen(session_of(store), other.writes, "2", waits, "ctrl+c")
        assert str(screen.terminal.failure) == "2 was not recorded, because another program was writing to the store"
        screen = on_the_screen(session_of(store), "n", *keys_of("hm"), "ctrl+c")
        assert str(screen.terminal.failure) == "n was not recorded, because another program was writing to the store"
        assert read_events(store) == []


def test_a_note_that_is_being_written(path: Path, other: Other, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told that it is not on disk, writing goes on, and it gets there."""
    monkeypatch.setattr("cranfield.judging.frontends.terminal.terminal.PAUSE", 0.01)
    with Store.open(path) as store:
        not_yet = Until("! your note is not saved yet, because another program is writing to the store")
        on_disk = Until(lambda: [event.note for event in read_events(store)] == ["ab"])
        screen = on_the_screen(
            session_of(store), "n", other.writes, "a", not_yet, "b", other.stops, on_disk, "escape", "1"
        )
        assert screen.terminal.failure is None
        assert [event.note for event in read_events(store)] == ["ab", "ab"]


def test_waiting_is_no_reading(path: Path, other: Other) -> None:
    """The seconds of a label end with the key."""
    clock = Clock()

    def pass_by(seconds: float) -> Callable[[], object]:
        return lambda: setattr(clock, "now", clock.now + seconds)

    with Store.open(path) as store:
        waits = Until("because another program is writing")
        keys = (pass_by(7), other.writes, "2", waits, pass_by(100), waits, other.stops, Until("1: grade 2"))
        on_the_screen(session_of(store, clock=clock), *keys)
        assert [event.seconds for event in read_events(store)] == [7]


# Line modes


class Typist(io.StringIO):
    """Somebody at a terminal."""

    def isatty(self) -> bool:
        return True


def test_line_mode_says_that_it_waits(path: Path, other: Other, at_once: None) -> None:
    """In one line; what could not be recorded is told, and can be typed again."""
    out, messages = io.StringIO(), list[str]()
    with Store.open(path, tell=messages.append) as store:
        session = session_of(store)
        other.writes()
        PlainJudging(session, Typist("2\n"), out).run()
        assert read_events(store) == []
        other.stops()
        PlainJudging(session, Typist("2\n"), out).run()
        assert [event.grade for event in read_events(store)] == [2]
    assert messages == [f"another program is writing to {path}; waiting up to 0.05 seconds"]
    assert "Not recorded: another program has been writing to this store for 0.05 seconds" in " ".join(
        out.getvalue().split()
    )


def test_a_script_stops_where_its_line_is_not_recorded(path: Path, other: Other, at_once: None) -> None:
    """The next line was meant for another document."""
    with Store.open(path) as store:
        session = session_of(store)
        other.writes()
        with pytest.raises(BusyError, match="another program has been writing"):
            PlainJudging(session, io.StringIO("2\n1\n"), io.StringIO()).run()
        assert read_events(store) == []


def test_adjudication_says_that_it_waits(tmp_path: Path, at_once: None) -> None:
    """As in judging, on a terminal and in a pipe."""
    path, out, messages = tmp_path / "busy.db", io.StringIO(), list[str]()
    with judged_store(path) as store, store.telling(messages.append):
        other, session, before = Other(path), adjudication(store), len(read_events(store))
        other.writes()
        PlainAdjudication(session, Typist("2\n"), out).run()
        with pytest.raises(BusyError):
            PlainAdjudication(session, io.StringIO("2\n1\n"), out).run()
        assert len(read_events(store)) == before
        other.stops()
        PlainAdjudication(session, Typist("2\nq\n"), out).run()
        assert len(read_events(store)) == before + 1
    assert messages == [f"another program is writing to {path}; waiting up to 0.05 seconds"] * 2
    assert "Not recorded: another program has been writing" in " ".join(out.getvalue().split())


def test_whoever_is_told_waits_on(path: Path, other: Other, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the other program stops the transaction begins."""
    monkeypatch.setattr(connection, "REPORTED_AFTER", 0.0)
    with Store.open(path, tell=lambda text: other.stops()) as store:
        other.writes()
        at(session_of(store)).grade(2)
        assert [event.grade for event in read_events(store)] == [2]


def test_a_store_that_another_program_has_for_itself(
    path: Path, at_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opening it waits, too, and does not take it for something else; once it is free it is opened."""
    other, messages = sqlite3.connect(path, isolation_level=None), list[str]()
    for words in ("PRAGMA locking_mode = EXCLUSIVE", "BEGIN IMMEDIATE", "UPDATE collection SET name = 'x'", "ROLLBACK"):
        other.execute(words)
    with pytest.raises(BusyError, match="another program has been writing to this store for 0"):
        Store.open(path, tell=messages.append)
    assert messages == [f"another program is writing to {path}; waiting up to 0.05 seconds"]
    monkeypatch.setattr(connection, "PATIENCE", 60)
    with Store.open(path, tell=lambda text: other.close()) as store:
        assert store.collection.name == "small"


WRITING = [
    "import corpus {} corpus", "import topics {} topics", "import runs {} run", "import qrels {} qrels",
    "pool build {} --method take --depth 2", "search {} --system bm25", "assign {} --queue",
    "judge {} --assessor eve --plain", "store remove {} run x", "serve {} --port 0",
]  # fmt: skip


@pytest.mark.parametrize("words", WRITING)
def test_every_command_says_that_it_waits(
    path: Path, other: Other, at_once: None, *, cranfield: Cranfield, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A note on stderr, then one line of error."""
    monkeypatch.chdir(path.parent)
    for name, text in FILES.items():
        Path(name).write_text(text)
    cranfield("import", "runs", path, "first")
    other.writes()
    output = cranfield(*words.format(path).split())
    assert f"note: another program is writing to {path}; waiting up to 0.05 seconds\n" in output.err
    assert (output.code, output.err.splitlines()[-1][:52]) == (
        1,
        "error: another program has been writing to this stor",
    )


FILES = {
    "corpus": '{"docno": "n1", "text": "a wing"}\n', "topics": '{"qid": "n1", "title": "wing"}\n',
    "run": "q1 Q0 d1 1 9 a\n", "first": "q1 Q0 d1 1 9 x\n", "qrels": "q1 0 d1 1\n",
}  # fmt: skip


def test_ctrl_c_is_obeyed_while_it_waits(path: Path, other: Other) -> None:
    """At once, not after a minute; whoever started the tests may have had it ignored."""
    other.writes()
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code += "; from cranfield.cli.program import main; main()"
    command = [sys.executable, "-c", code, "assign", str(path), "--queue"]
    root = ROOT
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=root) as process:
        assert process.stderr is not None
        assert "another program is writing" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
        assert process.stderr.read() == ""


def test_a_part_of_a_transaction_is_undone_by_itself(tmp_path: Path) -> None:
    """What was done before it stays; and nothing is imported while others wait for their turn."""
    with new_store(tmp_path / "s.db") as store:
        with store.writing():
            store.conn.execute("UPDATE collection SET description = 'kept'")
            with suppress(ZeroDivisionError), store.writing():
                store.conn.execute("UPDATE collection SET description = 'undone'")
                raise ZeroDivisionError
        assert store.collection.description == "kept"
        assert "db" not in vars(store)


PEOPLE = [f"assessor-{number}" for number in range(8)]
POOLED = {f"q{topic:02}": [f"d{number}" for number in range(5)] for topic in range(24)}
WRITES = 25
Everybody = Callable[[Any, Path], dict[str, Any]]


def judge_all(path: str, name: str, together: Any) -> list[tuple[str, str]]:
    """Claim topic after topic and judge it, as `cranfield judge` does; the pairs acknowledged."""
    pairs = []
    together.wait()
    with Store.open(path) as store:
        while qid := claim_topic(store, name):
            work = work_of(store, name)
            session = Session(store, name, restrict_pool_to_work(stored_pool(store), {qid: work[qid]}))
            while (document := session.view.document) is not None:
                at(session).grade(len(document.docno) % 2)
                pairs.append((qid, document.docno))
    return pairs


def write_all(path: str, name: str, together: Any) -> list[str]:
    """Labels by hand, with bulk imports between them that read before they write; the event ids acknowledged."""
    together.wait()
    with Store.open(path) as store:
        add_assessor(store, name)
        mine = [f"{name}-{number}" for number in range(WRITES)]
        for number, event_id in enumerate(mine):
            append(store, Event("label", "q00", f"d{number % 5}", name, grade=1, event_id=event_id))
            if number % 8 == 0:
                add_runs(store, as_runs({event_id: {"q01": {f"d-{event_id}": 1.0}}}))
                store.add_documents([Document(f"e-{event_id}", text="x")])
                add_pool(store, pool_of({"q01": ["d1"]}))
    return mine


@pytest.fixture(scope="module")
def everybody() -> Iterator[Everybody]:
    """Has all eight do something at the same moment, each in a process of her own."""
    context = get_context("forkserver")
    context.set_forkserver_preload([__name__])
    with context.Manager() as manager, context.Pool(len(PEOPLE)) as pool:

        def run(work: Any, path: Path) -> dict[str, Any]:
            together = manager.Barrier(len(PEOPLE))
            results = {name: pool.apply_async(work, (str(path), name, together)) for name in PEOPLE}
            return {name: result.get(timeout=120) for name, result in results.items()}

        yield run


def test_eight_judge_one_store(tmp_path: Path, everybody: Everybody) -> None:
    """Every pair has exactly one label, by the one to whom it was acknowledged; every topic one assessor."""
    path = tmp_path / "many.db"
    with store_of(POOLED, path) as store:
        assign_topics_to_assessors(store)
    acknowledgments = everybody(judge_all, path)
    labelled = Counter(pair for pairs in acknowledgments.values() for pair in pairs)
    assert set(labelled) == {(qid, docno) for qid, docnos in POOLED.items() for docno in docnos}
    assert set(labelled.values()) == {1}
    with Store.open(path) as store:
        assert {name: set(current_decisions(store, name)) for name in PEOPLE} == {
            name: set(pairs) for name, pairs in acknowledgments.items()
        }
        assert len([event for event in read_events(store) if event.kind == "label"]) == len(labelled)
        assert sum(one.unfinished for one in assignments(store)) == 0
        owners = {(qid, name) for name, pairs in acknowledgments.items() for qid, _ in pairs}
        assert len(owners) == len(POOLED)


def test_eight_write_at_once(tmp_path: Path, everybody: Everybody) -> None:
    """Labels, runs, documents and pools at the same time: everything acknowledged is there, once."""
    path = tmp_path / "many.db"
    store_of(POOLED, path).close()
    acknowledgments = everybody(write_all, path)
    with Store.open(path) as store:
        labels = Counter(event.event_id for event in read_events(store))
        assert labels == Counter(event_id for mine in acknowledgments.values() for event_id in mine)
        assert len(stored_runs(store).tags) == 8 * len(range(0, WRITES, 8))
        assert store.rows("PRAGMA integrity_check") == [("ok",)]


def test_whoever_waits_in_vain_is_told_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that never ends its transaction is named as the reason, and no event is half written."""
    monkeypatch.setattr(connection, "PATIENCE", 0)
    path = tmp_path / "busy.db"
    store_of(path=path).close()
    other = sqlite3.connect(path, isolation_level=None)
    with Store.open(path) as store:
        add_assessor(store, "ada")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another program has been writing to this store"):
            append(store, Event("label", "q1", "d1", "ada", grade=1))
        other.execute("ROLLBACK")
        assert append(store, Event("label", "q1", "d1", "ada", grade=1)) == [1]
    other.close()


def test_reading_first_and_writing_then_waits_its_turn(tmp_path: Path) -> None:
    """A transaction that has read sees nobody write before it does: there is no upgrade that could fail."""
    path = tmp_path / "turn.db"
    store_of(path=path).close()
    with Store.open(path) as store, store.writing():
        assert store.rows("SELECT count(*) FROM assessor") == [(0,)]
        other = sqlite3.connect(path, timeout=0)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("INSERT INTO assessor (name, kind) VALUES ('eve', 'human')")
        other.close()
        add_assessor(store, "ada")
    with Store.open(path) as store:
        assert store.rows("SELECT name FROM assessor") == [("ada",)]


def interrupt(store: Store) -> None:
    """Two transactions, one in the other, that end in an error."""
    with store.writing():
        add_assessor(store, "ada")
        with store.writing():
            add_assessor(store, "bob")
        raise KeyboardInterrupt


def test_an_error_inside_undoes_everything(tmp_path: Path) -> None:
    """Nested or not, a transaction that fails leaves nothing, and the next one works."""
    with store_of(path=tmp_path / "undone.db") as store:
        with pytest.raises(KeyboardInterrupt):
            interrupt(store)
        assert store.rows("SELECT count(*) FROM assessor") == [(0,)]
        add_assessor(store, "eve")
        assert store.rows("SELECT name FROM assessor") == [("eve",)]
