"""The command line in a child of a process that has everything imported: hundreds of times as fast as to start it."""

import gc
import os
import pkgutil
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import cranfield
from cranfield.store.store import Store

OUT, ERR = "out", "err"  # what a child said, in its log folder
HUNG = 600.0  # seconds, on a busy machine
WRITING = frozenset(
    {"execute", "executemany", "executescript", "write", "writelines", "close", "replace", "rename", "link", "unlink",
     "open", "mkdir", "rmdir", "commit", "backup", "flush", "truncate", "copyfile", "fsync", "write_table", "savefig"}
)  # fmt: skip


def warm(modules: tuple[str, ...] = ("cranfield",)) -> None:
    """Import the program, or these parts of it, so that no child has to."""
    for module in pkgutil.walk_packages(cranfield.__path__, "cranfield."):
        if module.name.startswith(modules) and not module.name.endswith("__main__"):
            import_module(module.name)
    for name in ("pyarrow.csv", "sqlite_utils", "yaml"):
        import_module(name)
    Store.memory("the first one").close()
    gc.freeze()


def fork(work: Callable[[], Any], folder: Path, log: Path, stdin: Path | None = None) -> int:
    """The number of a child that does some work in a folder; what it reads and says is in files."""
    log.mkdir(exist_ok=True)
    for name in (OUT, ERR):
        (log / name).write_bytes(b"")  # it may be killed before it says anything
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        os.chdir(folder)
        for number, path, mode in (
            (0, stdin or os.devnull, os.O_RDONLY),
            (1, log / OUT, os.O_WRONLY),
            (2, log / ERR, os.O_WRONLY),
        ):
            os.dup2(os.open(path, mode, 0o600), number)
        sys.stdin, sys.stdout, sys.stderr = open(0, encoding="utf-8"), open(1, "w"), open(2, "w")  # noqa: SIM115
        code = int(work() or 0)
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def command(words: Sequence[str]) -> int:
    """Run the command line in this process; its exit code."""
    from cranfield.cli.program import main

    sys.argv = ["cranfield", *words]
    try:
        main()
    except SystemExit as stopped:
        sys.stdout.flush()
        return int(stopped.code or 0)
    sys.stdout.flush()
    return 0


def wait_for(child: int, after: float | None = None) -> int:
    """How a child ended: its exit code, or less than 0 the signal; `after` so many seconds it is killed."""
    until = monotonic() + (HUNG if after is None else after)
    while True:
        process, status = os.waitpid(child, os.WNOHANG)
        if process:
            return os.waitstatus_to_exitcode(status)
        if monotonic() >= until:
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
            code = os.waitstatus_to_exitcode(status)
            if after is None and code == -signal.SIGKILL:
                raise TimeoutError(f"no end after {HUNG} seconds")
            return code
        sleep(0.0005)


class Moments:
    """Calls of a process, counted: which are there, or the one at which it kills itself."""

    def __init__(self, last: int | None = None) -> None:
        self.last, self.count, self.writing, self.names = last, 0, list[int](), list[str]()

    def __call__(self, frame: object, event: str, what: Any) -> None:
        """As sys.setprofile has it."""
        self.count += 1
        if self.count == self.last:
            os.kill(os.getpid(), signal.SIGKILL)
        if self.last is None and event in ("c_call", "c_return") and what.__name__ in WRITING:
            self.writing.append(self.count)
            self.names.append(what.__qualname__)

    def around(self, words: Sequence[str]) -> int:
        """Run the command line, counting."""
        sys.setprofile(self)
        try:
            return command(words)
        finally:
            sys.setprofile(None)
