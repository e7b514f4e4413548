"""A Dask cluster for tests: a scheduler and three workers, each a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
WORKERS = 3
PLAIN = {"PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "critical"}


class DaskCluster(NamedTuple):
    """Where its scheduler listens, and its workers."""

    address: str
    workers: list[subprocess.Popen[bytes]]

    def kill_a_worker(self) -> None:
        """As the operating system does when memory runs out."""
        worker = self.workers.pop()
        worker.send_signal(signal.SIGKILL)
        worker.wait()


@pytest.fixture(scope="session")
def dask_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """One for all tests; tests that need it are skipped where Dask is absent."""
    distributed = pytest.importorskip("distributed", reason="needs the extra: pip install 'cranfield[cluster]'")
    folder = tmp_path_factory.mktemp("dask")
    about = folder / "scheduler.json"
    named = ["--scheduler-file", str(about)]
    with ExitStack() as stack:
        _start(
            stack,
            folder,
            "scheduler",
            *named,
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--idle-timeout",
            "900",
        )
        at = [*named, "--host", "127.0.0.1", "--no-dashboard", "--no-nanny", "--nthreads", "1", "--death-timeout", "60"]
        workers = [_start(stack, folder, "worker", *at, "--local-directory", str(folder)) for _ in range(WORKERS)]
        with distributed.Client(scheduler_file=str(about), set_as_default=False) as client:
            client.wait_for_workers(WORKERS, timeout=60)
            address = client.scheduler.address
        yield DaskCluster(address, workers)


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
