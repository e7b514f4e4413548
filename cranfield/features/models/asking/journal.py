"""What models answered, on disk before the store has it: lines of a file beside it, by a thread that does nothing else.

A transaction of the store takes its time, and waits for whoever else writes. So each reply is first a line of a file,
`STORE-answers-...`; what comes while some are written is written next. The store has them later, and then the file
goes. After a kill it is there: who asks next as the same assessor, for the same task, takes its replies for those of
the requests they answer, and pays for none of them again.
"""

import gc
import json
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

from cranfield.features.models.calls import CallTarget, sent_request, unconfirmed_calls
from cranfield.formats.whole_files import CAN_LOCK, try_lock
from cranfield.store.erasing import list_files_beside
from cranfield.store.store import Store, sha256
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.features.models.asking.server import ModelReply

ANSWERS = "-answers-"
MOST = 4 * 2**20  # bytes of a file, after which another one begins
TURN = 0.001  # seconds of a thread that computes
LATE, MOMENT = 0.012, 0.03  # seconds after which a reply is late, and for which somebody may wait for its sake


class Entry(NamedTuple):
    """A reply to a request of the store, by its number."""

    request: int
    request_sha256: str
    reply: "ModelReply"


@dataclass
class _File:
    """A file that this process has a lock on, and the requests whose replies only it has."""

    path: Path
    handle: int
    size: int = 0
    waiting: set[int | None] = field(default_factory=set)

    def close(self) -> None:
        """Leave it, or remove it if the store has all of it."""
        if not self.waiting:
            self.path.unlink(missing_ok=True)
        os.close(self.handle)


class Journal:
    """The replies to an assessor that asks for a task. Only `keep` may be called from other threads.

    `leftovers` has those that a killed program left, by topic and subject. `works` is false where there can be no file
    that is locked, or it cannot be written: then replies are passed on at once. `unsaved` is how many seconds one was
    not on disk, at most; `disk`, how many the slowest write took of the disk.
    """

    def __init__(self, store: Store, assessor: str, task: str) -> None:
        self._stem = Path(f"{store.path}{_ending(assessor, task)}")
        self.works = CAN_LOCK and os.path.isfile(store.path)
        self.unsaved = self.disk = 0.0
        self._files: list[_File] = []
        self._current: _File | None = None
        self.leftovers: dict[tuple[str, str], list[Entry]] = {}
        if self.works:
            for path in list_files_beside(Path(store.path), _ending(assessor, task)):
                if (handle := try_lock(path)) is not None:
                    replies = _unstored_in(store, path)
                    self._files.append(_File(path, handle, waiting={reply.request for _, reply in replies}))
                    for about, reply in replies:
                        self.leftovers.setdefault(about[2:], []).append(reply)
        self._items: SimpleQueue[tuple[Entry, Callable[[], object]] | set[int | None] | None] = SimpleQueue()
        self._arrivals: deque[float] = deque()  # when replies came that are not yet written
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    def keep(self, reply: Entry, then: Callable[[], object]) -> None:
        """Write a reply, and then do something, in another thread, whatever came of it."""
        self._arrivals.append(reply.reply.arrival)
        self._items.put((reply, then))

    def go_first(self) -> None:
        """Wait while a reply is late, a moment at most: threads get their turn in no order."""
        until = time.monotonic() + MOMENT
        with suppress(IndexError):  # where all is written
            while time.monotonic() < until and self._arrivals[0] < time.monotonic() - LATE:
                time.sleep(LATE / 6)

    def settle(self, requests: Iterable[int | None]) -> None:
        """Forget replies that the store has."""
        self._items.put({*requests})

    def close(self) -> None:
        """Finish, and remove what the store has."""
        self._items.put(None)
        self._thread.join()
        for one in self._files:
            one.close()

    def _work(self) -> None:
        while True:
            items = [self._items.get()]
            with suppress(Empty):
                while True:
                    items.append(self._items.get_nowait())
            replies = [item for item in items if isinstance(item, tuple)]
            if replies and self.works:
                self._write([reply for reply, _ in replies])
            for _, then in replies:
                self._arrivals.popleft()
                then()
            for item in items:
                if isinstance(item, set):
                    self._forget(item)
            if None in items:
                return

    def _write(self, replies: list[Entry]) -> None:
        text = "".join(map(line_of, replies)).encode()
        try:
            if self._current is None or self._current.size > MOST:
                self._files.append(self._new())
            self._current = file = self._files[-1]
            file.waiting |= {one.request for one in replies}
            size = os.write(file.handle, text)
            began = time.monotonic()
            os.fsync(file.handle)
            self.disk = max(self.disk, time.monotonic() - began)
        except OSError:
            size = 0
        self.works = size == len(text)
        file.size += size
        self.unsaved = max(self.unsaved, time.monotonic() - min(one.reply.arrival for one in replies))

    def _new(self) -> _File:
        """A file of its own; another one if somebody took it for left before it was locked."""
        while True:
            path = self._stem.with_name(f"{self._stem.name}{uuid4().hex[:8]}")
            path.touch(0o600, exist_ok=False)
            if (handle := try_lock(path)) is not None:
                if os.fstat(handle).st_nlink:
                    return _File(path, handle)
                os.close(handle)

    def _forget(self, requests: set[int | None]) -> None:
        for one in [*self._files]:
            one.waiting -= requests
            if not one.waiting and one is not self._current:
                one.close()
                self._files.remove(one)


@contextmanager
def short_waits() -> Iterator[None]:
    """No thread waits long for another: they take turns each millisecond, and garbage collections look through what is
    new alone; a full one stops every thread for a tenth of a second.
    """
    if gc.get_freeze_count():
        yield
        return
    before = sys.getswitchinterval()
    sys.setswitchinterval(TURN)
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        sys.setswitchinterval(before)


def _ending(assessor: str, task: str) -> str:
    """How the names of the files go on after that of the store."""
    return f"{ANSWERS}{sha256(json.dumps([assessor, task]))[:8]}-"


def replies_beside(store: Store, assessor: str, task: str) -> dict[tuple[str, str], Entry]:
    """The first reply about each topic and subject that is in a file and not in the store."""
    files = list_files_beside(Path(store.path), _ending(assessor, task))
    replies = [(about[2:], reply) for path in files for about, reply in _unstored_in(store, path)]
    return dict(reversed(replies))


def unstored_replies(store: Store) -> list[str]:
    """What is in the files beside a store, a line for each."""
    return [_line_on(store, path) for path in list_files_beside(Path(store.path), ANSWERS)]


def _line_on(store: Store, path: Path) -> str:
    replies = _unstored_in(store, path)
    if not replies:
        return f"{path}: all replies in this file are already in the store; delete the file"
    who = ", ".join(dict.fromkeys(f"{about.assessor} ({about.task})" for about, _ in replies))
    lacking = f"the store lacks {counted(len(replies), 'paid reply', 'paid replies')} of {who} in this file"
    return f"{path}: {lacking}. Run the same command again to store them, or delete this file"


def _unstored_in(store: Store, path: Path) -> list[tuple[CallTarget, Entry]]:
    """The replies of a file that the store does not know, and what about; those asked again since are left out."""
    doubtful: dict[tuple[str, str], set[tuple[str, str]]] = {}
    replies = []
    for reply in replies_in(path):
        request = sent_request(store, reply.request)
        if request and not request.has_call and request.request_sha256 == reply.request_sha256:
            by = request.about[:2]
            if request.about[2:] in (doubtful.get(by) or doubtful.setdefault(by, unconfirmed_calls(store, *by))):
                replies.append((request.about, reply))
    return replies


def line_of(reply: Entry) -> str:
    """A reply as a line of a file: a hash of the rest, and JSON."""
    text = json.dumps(reply)
    return f"{sha256(text)[:16]} {text}\n"


def replies_in(path: Path) -> Iterator[Entry]:
    """The replies of a file, as far as it is whole."""
    from cranfield.features.models.asking.server import ModelReply

    for line in path.read_text("utf-8", "replace").splitlines():
        digest, _, rest = line.partition(" ")
        if sha256(rest)[:16] != digest:
            return
        request, request_sha256, reply = json.loads(rest)
        yield Entry(request, request_sha256, ModelReply(*reply))
