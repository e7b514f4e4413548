"""A Dask cluster for tests: a scheduler and three workers, each a process of its own."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

WORKERS = 3
CONTEXT = get_context("forkserver")  # which imports once what the four processes need
NEEDS = [
    "cranfield.analysis.evaluation",
    "cranfield.analysis.reusability",
    "cranfield.analysis.comparison",
    "cranfield.pooling.replay",
]


class DaskCluster(NamedTuple):
    """Where its scheduler listens, and its processes."""

    address: str
    scheduler: BaseProcess
    workers: list[BaseProcess]

    def kill_a_worker(self) -> None:
        """As the operating system does when memory runs out."""
        worker = self.workers.pop()
        worker.kill()
        worker.join()

    def most_of_the_scheduler(self) -> int:
        """The most memory that the scheduler has had, in bytes; 0 where the system does not tell it as Linux does."""
        status = Path(f"/proc/{self.scheduler.pid}/status")
        lines = status.read_text().splitlines() if status.exists() else []
        return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), 0)


@pytest.fixture(scope="session")
def dask_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """One for all tests; tests that need it are skipped where Dask is absent."""
    dask = pytest.importorskip("distributed", reason="needs the extra: pip install 'cranfield[cluster]'")
    folder = tmp_path_factory.mktemp("dask")
    about = str(folder / "scheduler.json")
    CONTEXT.set_forkserver_preload(["distributed.cli.dask_scheduler", "distributed.cli.dask_worker", *NEEDS])
    with ExitStack() as stack:
        plain = ["--scheduler-file", about, "--host", "127.0.0.1", "--no-dashboard"]
        scheduler = _start(stack, folder, "scheduler", *plain, "--port", "0", "--idle-timeout", "900")
        at = [*plain, "--no-nanny", "--nthreads", "1", "--death-timeout", "60", "--local-directory", str(folder)]
        workers = [_start(stack, folder, "worker", *at) for _ in range(WORKERS)]
        with dask.Client(scheduler_file=about, set_as_default=False) as client:
            client.wait_for_workers(WORKERS, timeout=60)
            address = client.scheduler.address
        yield DaskCluster(address, scheduler, workers)


def _start(stack: ExitStack, folder: Path, kind: str, *arguments: str) -> BaseProcess:
    """A process that is ended with the tests."""
    process = CONTEXT.Process(target=_run, args=(folder, kind, arguments))
    process.start()
    stack.callback(process.kill)
    return process


def _run(folder: Path, kind: str, arguments: tuple[str, ...]) -> None:
    """What `dask scheduler` and `dask worker` run; what they print is in a log."""
    os.chdir(folder)
    with (folder / "log").open("ab") as log:
        for number in (1, 2):
            os.dup2(log.fileno(), number)
    import_module(f"distributed.cli.dask_{kind}").main(arguments)


def allow_failures(address: str, number: int) -> None:
    """How many workers may be lost over one task before the scheduler gives it up."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.run_on_scheduler(_allow, number=number)


def _allow(number: int, dask_scheduler: Any) -> None:
    dask_scheduler.allowed_failures = number
