"""Work in the workers of a Dask cluster: blocks go out, results come back in the order of the blocks.

What a worker computes is what one process would, and results are put together in the order of the blocks, so no figure
depends on how many workers there are. A block whose worker is lost is computed again by another. Data go between
here and the workers, not through the scheduler.
"""

import logging
import re
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import chain, takewhile
from operator import is_not
from typing import Any, TypeVar

from cranfield.errors import CranfieldError
from cranfield.extras import require_extra
from cranfield.parallel import WORKERS, Block, progress_bar

T = TypeVar("T")
ADDRESS = re.compile(r"(tcp|tls|ws|wss|ucx)://\S+:\d+|local:[1-9]\d*")
BLOCKS_PER_THREAD = 4  # of a worker, so that none waits long for the last block
TIMES = 3  # that lost data are sent again
TOGETHER = 16  # blocks that are sent at a time
PATIENCE = 10  # seconds without a result, after which workers are counted
VERSIONS = ("cranfield", "dask", "distributed", "numpy", "python")  # that have to be the same everywhere


class ClusterError(CranfieldError):
    """A cluster that cannot be used."""


@contextmanager
def cluster(address: str) -> Iterator[None]:
    """While the block runs, work in blocks runs on this cluster: a scheduler, or local:N for N processes here."""
    with ExitStack() as stack:
        workers = DaskWorkers(_client(address, stack), address)
        before = WORKERS.set(workers)
        stack.callback(WORKERS.reset, before)
        yield


class ClusterWorkers:
    """What workers have, and is made for them again if it is lost."""

    def __init__(self, send: Callable[[], Any], is_lost: Callable[[Any], bool], future: Any) -> None:
        self._send, self._is_lost, self._future = send, is_lost, future

    def future(self, ask: bool) -> Any:
        """Where it is; `ask` the scheduler, which knows first that it is lost."""
        if self._future.cancelled() or (ask and self._is_lost(self._future)):
            self._future = self._send()
        return self._future


class ClusterTask:
    """Work on what workers have, started again if that was lost."""

    def __init__(self, start: Callable[[bool], Any]) -> None:
        self._start_task, self.future = start, start(False)

    def mend(self) -> None:
        """Start it again if what it needs was lost."""
        if self.future.cancelled():
            self.future = self._start_task(True)


class DaskWorkers:
    """The workers of a Dask cluster."""

    def __init__(self, client: Any, address: str) -> None:
        self._client, self._address = client, address
        self._shared: tuple[tuple[Any, ...], ClusterWorkers | None] = (), None  # what was shared last

    @property
    def blocks(self) -> int:
        """Into how many blocks to divide work."""
        return BLOCKS_PER_THREAD * max(1, self._count_threads())

    def keep(self, work: Callable[..., T], blocks: Sequence[Block]) -> Sequence[Any]:
        """The results of `work(*block)`, each kept by the worker that computed it, and computed again if it is lost."""
        futures = self._send([partial(tuple, block) for block in blocks])
        starts = [partial(self._start_task, work, [one], place) for place, one in enumerate(futures)]
        return [ClusterWorkers(partial(start, True), _is_known, start(False)) for start in starts]

    def send(self, work: Callable[..., T], blocks: Sequence[Block]) -> Sequence[Any]:
        """The results of `work(*block)`, computed here and kept by workers."""
        return self._send([partial(work, *block) for block in blocks])

    def map_blocks(self, work: Callable[..., T], blocks: Sequence[Block], common: Sequence[Any]) -> Iterator[T]:
        """The results of `work(*block, *shared)`, in order, with a progress bar."""
        with progress_bar("blocks", len(blocks)) as advance:
            for result in self._run_tasks(work, blocks, tuple(common)):
                advance(1)
                yield result

    def _run_tasks(self, work: Callable[..., T], blocks: Sequence[Block], common: tuple[Any, ...]) -> Iterator[T]:
        firsts = [list(takewhile(_is_sent, block)) for block in blocks]
        # What is shared, sent to all workers once as long as it stays the same.
        last, future = self._shared
        if future is None or len(last) != len(common) or any(map(is_not, last, common)):
            (future,) = self._send([lambda: common], everywhere=True)
            self._shared = common, future
        more = self._send([partial(tuple, block[len(first) :]) for block, first in zip(blocks, firsts, strict=True)])
        needs = [[one, future, *first] for one, first in zip(more, firsts, strict=True)]
        tasks = deque(ClusterTask(partial(self._start_task, work, some, place)) for place, some in enumerate(needs))
        while tasks:
            yield self._result(tasks)
            tasks.popleft()

    def _start_task(self, work: Callable[..., Any], needs: Sequence[ClusterWorkers], place: int, ask: bool) -> Any:
        """Start it; what is waited for first is done first."""
        have = [one.future(ask) for one in needs]
        return self._client.submit(_work, work, *have, pure=False, priority=-place)

    def _send(self, makes: Sequence[Callable[[], Any]], everywhere: bool = False) -> list[ClusterWorkers]:
        """What these make, with workers; few of them are made at a time."""
        groups = [makes[start : start + TOGETHER] for start in range(0, len(makes), TOGETHER)]
        futures = chain.from_iterable(self._scatter(group, everywhere) for group in groups)
        sends = (partial(self._scattered_one, make, everywhere) for make in makes)
        return [ClusterWorkers(send, self._is_lost, future) for send, future in zip(sends, futures, strict=True)]

    def _scattered_one(self, make: Callable[[], Any], everywhere: bool) -> Any:
        return self._scatter([make], everywhere)[0]

    def _scatter(self, makes: Sequence[Callable[[], Any]], everywhere: bool) -> Sequence[Any]:
        values = [make() for make in makes]
        futures: Sequence[Any] = self._ask_patiently(
            lambda: self._client.scatter(values, broadcast=everywhere, hash=False)
        )
        return futures

    def _is_lost(self, future: Any) -> bool:
        from concurrent.futures import CancelledError

        try:
            return not any(self._ask_patiently(lambda: self._client.who_has([future])).values())
        except CancelledError:
            return True

    def _count_threads(self) -> int:
        threads: int = sum(self._ask_patiently(self._client.nthreads).values())
        return threads

    def _ask_patiently(self, ask: Callable[[], Any]) -> Any:
        """The answer of scheduler or workers; asked again as long as there is a scheduler."""
        tries = 0
        while True:
            try:
                return ask()
            except ImportError as error:
                raise self._import_failure(error) from error
            except OSError as error:
                if self._client.status == "closed":
                    raise ClusterError(f"--cluster {self._address}: the scheduler no longer answers") from error
                tries += 1
                if tries == TIMES:
                    silent = f"a worker does not answer: {_first_line(error)}"
                    raise ClusterError(f"--cluster {self._address}: {silent}") from error

    def _result(self, tasks: Sequence[ClusterTask]) -> Any:
        """The result of the first task; tasks that lost what they need are started again."""
        from concurrent.futures import CancelledError

        for _ in range(TIMES):
            try:
                return self._await_result(tasks[0].future)
            except CancelledError:
                self._refuse_no_workers()
                for task in tasks:
                    task.mend()
        raise ClusterError(
            f"--cluster {self._address}: the same data were lost {TIMES} times because workers keep stopping"
        )

    def _await_result(self, future: Any) -> Any:
        from distributed import KilledWorker

        try:
            self._await(future)
            return future.result()
        except ImportError as error:
            raise self._import_failure(error) from error
        except KilledWorker as error:
            message = "several workers stopped while computing one block, perhaps because they lack memory"
            raise ClusterError(f"--cluster {self._address}: {message}") from error

    def _import_failure(self, error: ImportError) -> ClusterError:
        return ClusterError(
            f"--cluster {self._address}: a worker cannot import a required module ({_first_line(error)})"
        )

    def _await(self, future: Any) -> None:
        """Wait until it is done; an error if there is no worker to do it."""
        from distributed import wait

        while not future.done():
            try:
                with self._client.as_current():
                    wait([future], timeout=PATIENCE)
            except TimeoutError:
                self._refuse_no_workers()

    def _refuse_no_workers(self) -> None:
        if not self._count_threads():
            raise ClusterError(f"--cluster {self._address}: no worker is left")


def _work(work: Callable[..., T], more: tuple[Any, ...], common: tuple[Any, ...] = (), *own: Any) -> T:
    return work(*own, *more, *common)


def _is_sent(one: object) -> bool:
    return isinstance(one, ClusterWorkers)


def _is_known(future: object) -> bool:
    """Of what is computed again by the workers themselves, and lost only with what they need for it."""
    return False


def _client(address: str, stack: ExitStack) -> Any:
    """A client of a cluster whose parts have the same versions."""
    if not ADDRESS.fullmatch(address):
        raise ClusterError(f"--cluster is {address!r}; expected tcp://HOST:PORT or local:N")
    require_extra("cluster", "--cluster", "distributed")
    from distributed import Client, LocalCluster

    for name in "distributed", "distributed.client":
        logger = logging.getLogger(name)
        stack.callback(logger.setLevel, logger.level)
        logger.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings(action="ignore"):  # of versions, which are compared below, and of ports in use
            at: Any = address
            if address.startswith("local:"):
                number = int(address.removeprefix("local:"))
                quiet: dict[str, Any] = {"dashboard_address": None, "silence_logs": logging.CRITICAL}
                at = stack.enter_context(LocalCluster(n_workers=number, threads_per_worker=1, **quiet))
            client = stack.enter_context(Client(at, set_as_default=False, direct_to_workers=True))
    except (OSError, ValueError) as error:
        raise ClusterError(f"--cluster {address}: no Dask scheduler answers: {_first_line(error)}") from error
    check(client, address)
    return client


def check(client: Any, address: str) -> None:
    """Refuse a cluster without workers, and one where a version differs from the one here."""
    if not client.nthreads():
        raise ClusterError(f"--cluster {address}: no worker is connected; start one with `dask worker {address}`")
    versions = client.get_versions(packages=VERSIONS)
    here = versions["client"]["packages"]
    there = {"the scheduler": versions["scheduler"], **{f"worker {at}": one for at, one in versions["workers"].items()}}
    for who, one in there.items():
        for name in VERSIONS:
            version = one["packages"].get(name)
            if version != here[name]:
                has = f"has {name} {version}" if version else f"does not have {name}"
                raise ClusterError(f"--cluster {address}: {who} {has}; expected {here[name]}, as here")


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
