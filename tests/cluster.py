"""A Dask cluster for tests: a scheduler and three workers, each a process of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
WORKERS = 3
PLAIN = {"PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "critical"}


class DaskCluster(NamedTuple):
    """Where its scheduler listens, and its processes."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]

    def kill_a_worker(self) -> None:
        """As the operating system does when memory runs out."""
        worker = self.workers.pop()
        worker.send_signal(signal.SIGKILL)
        worker.wait()

    def most_of_the_scheduler(self) -> int:
        """The most memory that the scheduler has had, in bytes; 0 where the system does not tell it as Linux does."""
        status = Path(f"/proc/{self.scheduler.pid}/status")
        lines = status.read_text().splitlines() if status.exists() else []
        return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), 0)


@pytest.fixture(scope="session")
def dask_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """One for all tests; tests that need it are skipped where Dask is absent."""
    distributed = pytest.importorskip("distributed", reason="needs the extra: pip install 'cranfield[cluster]'")
    folder = tmp_path_factory.mktemp("dask")
    about = folder / "scheduler.json"
    named = ["--scheduler-file", str(about)]
    with ExitStack() as stack:
        plain = [*named, "--host", "127.0.0.1", "--no-dashboard"]
        scheduler = _start(stack, folder, "scheduler", *plain, "--port", "0", "--idle-timeout", "900")
        at = [*plain, "--no-nanny", "--nthreads", "1", "--death-timeout", "60", "--local-directory", str(folder)]
        workers = [_start(stack, folder, "worker", *at) for _ in range(WORKERS)]
        with distributed.Client(scheduler_file=str(about), set_as_default=False) as client:
            client.wait_for_workers(WORKERS, timeout=60)
            address = client.scheduler.address
        yield DaskCluster(address, scheduler, workers)


def _start(stack: ExitStack, folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """A process that is ended with the tests."""
    log = stack.enter_context((folder / "log").open("ab"))
    process = stack.enter_context(
        subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments], env=os.environ | PLAIN, stdout=log, stderr=log, cwd=folder
        )
    )
    stack.callback(process.kill)
    return process


def allow_failures(address: str, number: int) -> None:
    """How many workers may be lost over one task before the scheduler gives it up."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.run_on_scheduler(_allow, number=number)


def _allow(number: int, dask_scheduler: Any) -> None:
    dask_scheduler.allowed_failures = number
