"""Replies of models on disk before the store has them: nothing that they cost is lost with a killed program."""

import os
import re
import signal
from collections.abc import Sequence
from functools import partial
from itertools import product
from pathlib import Path

import pytest

from cranfield.features.models.asking import asking, journal
from cranfield.features.models.asking.assess import assessment
from cranfield.features.models.asking.journal import Entry, Journal
from cranfield.features.models.asking.server import ModelReply
from cranfield.features.models.calls import Call, CallTarget, add_calls, add_requests, introduce
from cranfield.store.store import Store
from tests.conftest import Cranfield, usually
from tests.features.models.stand_in import Post, Response, reply, stand_in
from tests.features.models.test_asking import DOCUMENTS, ask, labelled, make_store, payments
from tests.hardening.forks import fork, wait_for

pytestmark = pytest.mark.full


def files(path: Path) -> list[Path]:
    """What is left beside a store."""
    return sorted(one for one in path.parent.iterdir() if one.name.startswith(f"{path.name}-answers-"))


def good(post: Post, before: int) -> Response:
    return reply("Grade: 1")


def good_when_reminded(post: Post, before: int) -> Response:
    return reply("Grade: 1" if len(post.json["messages"]) > 1 else "Well.")


KILLED = [*product((good, good_when_reminded), ("", "failed"), (1, 2))]


@pytest.mark.parametrize(("answer", "again", "last"), usually([KILLED[at] for at in (0, 3, 5, 6)], KILLED))
def test_what_was_paid_before_a_kill_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: object, again: str, last: int
) -> None:
    """Killed before a transaction, the replies that it would have had are asked for no more, and on disk once."""
    path, writes = tmp_path / "t.db", 0
    make_store(path)

    def kill_at(store: Store, some: Sequence[Call]) -> list[int]:
        nonlocal writes
        writes += 1
        if writes == last:
            Path("taken").write_text(" ".join(str(call.docno) for call in some if call.outcome == "ok"))
            os.kill(os.getpid(), signal.SIGKILL)
        return add_calls(store, some)

    with stand_in(answer) as server:  # type: ignore[arg-type]
        with monkeypatch.context() as patch:
            patch.setattr(asking, "add_calls", kill_at)
            assert wait_for(fork(lambda: ask(path, server), tmp_path, tmp_path / "log")) == -signal.SIGKILL
        assert len(files(path)) == 1
        docnos, (before, doubtful, _) = (tmp_path / "taken").read_text().split(), labelled(path)
        assert {*docnos} <= doubtful
        with Store.open(path) as store:
            plan = assessment(store, "m", url=server.url, again=again).prospect()
            assert plan
            if answer is good:  # what calls for a reminder is known, too; other replies may have come meanwhile
                left_out = plan.known if again else len(doubtful)
                assert (plan.calls, plan.known >= len(docnos)) == (DOCUMENTS - len(before) - left_out, True)
        ask(path, server, again)
        after, still, _ = labelled(path)
        assert (before | {*docnos} <= after, after | still) == (True, {f"d{n}" for n in range(DOCUMENTS)})
        each = 1 if answer is good else 2
        assert all(payments(server)[docno] == each for docno in docnos)
        assert not (files(path) and again)


def open_store(path: Path) -> tuple[Store, list[int]]:
    """A store, and two requests that were sent."""
    make_store(path)
    store = Store.open(path)
    introduce(store, assessment(store, "m", url="http://h/v1").asker.setting("relevance"))
    return store, add_requests(store, [(CallTarget("m", "relevance", "q1", f"d{n}"), f"{n}" * 64) for n in range(2)])


def write(store: Store, *replies: Entry) -> Journal:
    written_to, order = Journal(store, "m", "relevance"), list[Entry]()
    for one in replies:
        written_to.keep(one, lambda one=one: order.append(one))  # type: ignore[misc]
    written_to.settle([])
    written_to.close()
    assert order == [*replies]
    return written_to


def test_only_what_is_whole_and_asked_for_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "[t].db"
    store, numbers = open_store(path)
    with store:
        replies = [Entry(number, f"{n}" * 64, ModelReply("Grade: 1", cost=0.5)) for n, number in enumerate(numbers)]
        write(store, *replies, Entry(99, "9" * 64, ModelReply()), replies[0]._replace(request_sha256="8" * 64))
        [file] = files(path)
        assert write(store).leftovers == {("q1", f"d{n}"): [one] for n, one in enumerate(replies)}
        assert not Journal(store, "m", "other").leftovers
        file.write_text(file.read_text().split("\n")[0] + "\n0123")  # cut off in the second line
        assert [*write(store).leftovers] == [("q1", "d0")]
        file.write_text(f"\0\n{file.read_text()}")
        assert not write(store).leftovers
        assert not files(path)


def kill(*_: object) -> None:
    """Like a machine without power."""
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("moment", ["before", "after"])
def test_what_is_left_beside_a_store_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield, moment: str
) -> None:
    """By whatever looks into the store or copies it; and nobody is erased while it is there."""
    path, others = tmp_path / "t.db", tmp_path / "copy.db"
    make_store(path)
    with stand_in(good) as server:
        with monkeypatch.context() as patch:
            if moment == "before":
                patch.setattr(asking, "add_calls", kill)
            else:
                patch.setattr(Journal, "settle", lambda self, numbers: kill() if numbers else None)
            most = None if moment == "before" else 1  # of several replies, some could come after the transaction
            work = partial(ask, path, server, most=most)
            assert wait_for(fork(work, tmp_path, tmp_path / "log")) == -signal.SIGKILL
        [file] = files(path)
        lacks = (
            r"the store lacks \d paid repl(y|ies) of m \(relevance\) in this file\. Run the same command again to store"
            r" them, or delete this file"
        )
        what = lacks if moment == "before" else "all replies in this file are already in the store; delete the file"
        line = rf"{re.escape(str(file))}: {what}"
        for words in (["info", path], ["store", "verify", path], ["store", "backup", path, others]):
            assert re.search(f"^note: {line}$", cranfield(*words).err, re.MULTILINE), words
        erasing = ["store", "erase", path, "assessor", "ada", "--reason", "asked"]
        assert re.fullmatch(f"error: {line}: an erasure does not reach these files\n", cranfield(*erasing).err)
        ask(path, server)
    assert not files(path)
    assert "no assessor 'ada'" in cranfield(*erasing).err
    assert str(file) not in cranfield("info", path).err


def test_a_file_that_somebody_writes_is_hers(tmp_path: Path) -> None:
    """And each that is full and in the store goes."""
    store, [first, second] = open_store(tmp_path / "t.db")
    with store, pytest.MonkeyPatch.context() as small:
        small.setattr(journal, "MOST", 0)
        mine = Journal(store, "m", "relevance")
        for number in (first, second):
            mine.keep(Entry(number, "0" * 64, ModelReply("Grade: 1")), lambda: None)
            mine.settle([number])
        mine.settle([])
        assert not write(store).leftovers
        mine.close()
        assert not files(tmp_path / "t.db")


def test_where_nothing_can_be_written_replies_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, [first, _] = open_store(tmp_path / "t.db")

    def full(handle: int) -> None:
        raise OSError("no space left on device")

    with store:
        monkeypatch.setattr(os, "fsync", full)
        assert not write(store, Entry(first, "0" * 64, ModelReply("Grade: 1"))).works
    with Store.memory("none") as nowhere:
        assert not write(nowhere, Entry(1, "0" * 64, ModelReply())).works


def test_a_text_that_changed_since_is_not_paid_for_unasked(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    store, numbers = open_store(path)
    with store:
        write(store, *(Entry(number, f"{n}" * 64, ModelReply("Grade: 1")) for n, number in enumerate(numbers)))
    with stand_in(good) as server:
        assert ask(path, server).doubtful == 2
        assert len(server.posts) == DOCUMENTS - 2
