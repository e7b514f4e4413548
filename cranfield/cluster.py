"""Work in the workers of a Dask cluster: blocks go out, results come back in the order of the blocks.

What a worker computes is what one process would, and results are put together in the order of the blocks, so no figure
depends on how many workers there are. A block whose worker is lost is computed again by another.
"""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

from cranfield.errors import CranfieldError
from cranfield.parallel import WORKERS, Block
from cranfield.progress_bar import progress_bar

T = TypeVar("T")
ADDRESS = re.compile(r"(tcp|tls|ws|wss|ucx)://\S+:\d+|local:[1-9]\d*")
BLOCKS_PER_THREAD = 4  # of a worker, so that none waits long for the last block
TIMES = 3  # that lost data are sent again
VERSIONS = ("cranfield", "dask", "distributed", "numpy", "python")  # that have to be the same everywhere


class ClusterError(CranfieldError):
    """A cluster that cannot be used."""


@contextmanager
def cluster(address: str | None) -> Iterator[None]:
    """While the block runs, work in blocks runs on this cluster: a scheduler, or local:N for N processes here."""
    if address is None:
        yield
        return
    with ExitStack() as stack:
        workers = DaskWorkers(_client(address, stack), address)
        before = WORKERS.set(workers)
        stack.callback(WORKERS.reset, before)
        yield


class DaskWorkers:
    """The workers of a Dask cluster."""

    def __init__(self, client: Any, address: str) -> None:
        self._client, self._address = client, address
        self._sent: tuple[tuple[Any, ...], Any] = (), ()  # what was shared last, and where the workers have it

    @property
    def blocks(self) -> int:
        """Into how many blocks to divide work."""
        threads: int = sum(self._client.nthreads().values())
        return BLOCKS_PER_THREAD * max(1, threads)

    def keep(self, work: Callable[..., T], blocks: Sequence[Block]) -> Sequence[Any]:
        """The results of `work(*block)`, each kept by the worker that computed it, and computed again if it is lost."""
        return [self._client.submit(work, *block, pure=False) for block in blocks]

    def each(self, work: Callable[..., T], blocks: Sequence[Block], shared: Sequence[Any]) -> Iterator[T]:
        """The results of `work(*block, *shared)`, in order, with a progress bar."""
        with progress_bar("blocks", len(blocks)) as advance:
            for found in self._each(work, list(blocks), tuple(shared)):
                advance(1)
                yield found

    def _each(self, work: Callable[..., T], blocks: Sequence[Block], shared: tuple[Any, ...]) -> Iterator[T]:
        """What is shared is sent to each worker once, and again if all that have it are lost."""
        from concurrent.futures import CancelledError

        done = 0
        for _ in range(TIMES):
            given = self._given(shared)
            tasks = [self._client.submit(_work, work, given, *block, pure=False) for block in blocks[done:]]
            try:
                while tasks:
                    found = self._result(tasks[0])
                    tasks.pop(0)
                    yield found
                    done += 1
                return
            except CancelledError:
                self._sent = (), ()
        raise ClusterError(f"--cluster {self._address}: lost the same data {TIMES} times; no worker stays")

    def _given(self, shared: tuple[Any, ...]) -> Any:
        """What is shared, with the workers; sent once as long as it stays the same."""
        sent, given = self._sent
        if len(sent) != len(shared) or any(one is not other for one, other in zip(sent, shared, strict=True)):
            given = self._client.scatter([shared], broadcast=True, hash=False)[0]
            self._sent = shared, given
        return given

    def _result(self, task: Any) -> Any:
        from distributed import KilledWorker

        try:
            return task.result()
        except ImportError as error:
            raise ClusterError(f"--cluster {self._address}: a worker has not what this needs: {error}") from error
        except KilledWorker as error:
            lost = "several workers were lost over one block; the memory of a worker may not suffice"
            raise ClusterError(f"--cluster {self._address}: {lost}") from error


def _work(work: Callable[..., T], shared: tuple[Any, ...], *block: Any) -> T:
    return work(*block, *shared)


def _client(address: str, stack: ExitStack) -> Any:
    """A client of a cluster whose parts have the same versions."""
    if not ADDRESS.fullmatch(address):
        raise ClusterError(f"--cluster is {address!r}; expected tcp://HOST:PORT or local:N")
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise ClusterError(f"--cluster needs the extra: pip install 'cranfield[cluster]' ({error})") from error
    logger = logging.getLogger("distributed")
    stack.callback(logger.setLevel, logger.level)
    logger.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings(action="ignore"):  # of versions, which are compared below, and of ports in use
            at: Any = address
            if address.startswith("local:"):
                number = int(address.removeprefix("local:"))
                quiet: dict[str, Any] = {"dashboard_address": None, "silence_logs": logging.CRITICAL}
                at = stack.enter_context(LocalCluster(n_workers=number, threads_per_worker=1, **quiet))
            client = stack.enter_context(Client(at, set_as_default=False))
    except (OSError, ValueError) as error:
        raise ClusterError(f"--cluster {address}: no Dask scheduler answers: {_first_line(error)}") from error
    check(client, address)
    return client


def check(client: Any, address: str) -> None:
    """Refuse a cluster without workers, and one where a version differs from the one here."""
    if not client.nthreads():
        raise ClusterError(f"--cluster {address}: no worker is connected; `dask worker {address}` starts one")
    found = client.get_versions(packages=VERSIONS)
    here = found["client"]["packages"]
    there = {"the scheduler": found["scheduler"], **{f"worker {at}": one for at, one in found["workers"].items()}}
    for who, one in there.items():
        for name in VERSIONS:
            version = one["packages"].get(name)
            if version != here[name]:
                has = f"has {name} {version}" if version else f"does not have {name}"
                raise ClusterError(f"--cluster {address}: {who} {has}; expected {here[name]}, as here")


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
