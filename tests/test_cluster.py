"""On a cluster the commands give what they give in one process, to the last bit, whatever becomes of its workers."""

import os
import random
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from pandas.testing import assert_frame_equal

from cranfield import cluster, compare, evaluate
from cranfield.parallel import map_blocks
from cranfield.pooling import simulate_methods
from cranfield.results import Result
from cranfield.trust import leave_one_out, stability
from tests.cluster import WORKERS, DaskCluster, allow_failures
from tests.conftest import Cranfield

pytestmark = pytest.mark.full

QIDS, RUNS = [f"q{number}" for number in range(1, 13)], ["alpha", "beta", "delta", "gamma"]
SOURCE = ["qrels", *RUNS]
BLOCKS = 4  # of the partitioned data set
PARTITIONED = ("evaluate", "reusability", "depths", "pool simulate")  # where blocks are read by who works on them
SIMULATE = "pool simulate --method take --budgets 5 --depth 5 --workers 1"
COMMANDS = {
    "reusability": ["--depth", "5", "-m", "AP,Bpref"],
    "evaluate": ["-m", "AP,nDCG@10,Bpref,ERR@5", "--per-topic"],
    "depths": ["--depth", "5", "-m", "AP"],
    "compare": ["--test", "permutation", "--samples", "1500"],
    "stability": [],
    "pool simulate": SIMULATE.split()[2:],
}


@pytest.fixture(scope="module", autouse=True)
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Four runs, pooled to depth 5, in the current folder."""
    draw, folder = random.Random(1), tmp_path_factory.mktemp("cluster")
    pool = set[tuple[str, str]]()
    for tag in RUNS:
        with (folder / tag).open("w") as file:
            for qid in QIDS:
                documents = draw.sample(range(40), 12)
                pool |= {(qid, f"d{number}") for number in documents[:5]}
                file.writelines(f"{qid} Q0 d{one} 1 {(20 - at) // 2} {tag}\n" for at, one in enumerate(documents))
    lines = (f"{qid} 0 {docno} {draw.choice([0, 0, 1, 2])}\n" for qid, docno in sorted(pool))
    (folder / "qrels").write_text("".join(lines))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield


@pytest.fixture(scope="module")
def parts(source: None) -> str:
    """The same runs as a partitioned data set, written by export."""
    from cranfield.formats import read_runs
    from cranfield.formats.runs.partitioned import write_parts

    folder = Path("parts")
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cranfield.formats.runs.partitioned.FEWEST_BLOCKS", BLOCKS)
        assert write_parts(folder, read_runs(RUNS)) == BLOCKS
    return str(folder)


def killing(dask_cluster: DaskCluster) -> Callable[..., Any]:
    """A progress bar that kills one worker as soon as the first block is done."""

    @contextmanager
    def bar(what: str, total: int) -> Iterator[Callable[[int], None]]:
        def advance(steps: int) -> None:
            if len(dask_cluster.workers) == WORKERS:
                dask_cluster.kill_a_worker()

        assert total > WORKERS
        yield advance

    return bar


def test_a_cluster(
    cranfield: Cranfield, dask_cluster: DaskCluster, parts: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the first block to the last worker, as it takes seconds to start."""
    monkeypatch.setattr(cluster, "BLOCKS_PER_THREAD", 2)
    holds_no_data(dask_cluster)
    says_what_it_lacks(dask_cluster, monkeypatch)
    is_for_python(dask_cluster, monkeypatch)
    changes_no_bit(cranfield, dask_cluster, parts, monkeypatch)
    monkeypatch.setattr(cluster, "PATIENCE", 0.2)
    for failures, message in (0, "several workers stopped while computing one block"), (9, "no worker is left"):
        address = dask_cluster.address
        allow_failures(address, failures)
        monkeypatch.setattr("cranfield.analysis.evaluation.score_runs", exit_at_once)
        assert refusal(cranfield, address).startswith(f"error: --cluster {dask_cluster.address}: {message}")


def holds_no_data(dask_cluster: DaskCluster) -> None:
    """What is sent, shared and found goes between here and the workers, and makes the scheduler no larger."""
    some, before = np.ones(5_000_000), dask_cluster.most_of_the_scheduler()
    with cluster.cluster(dask_cluster.address):
        (total,) = map_blocks(np.add, [(some,)], (some,))
    assert total.sum() == 2 * some.sum()
    assert dask_cluster.most_of_the_scheduler() - before < some.nbytes / 2


def says_what_it_lacks(dask_cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in a module that the workers do not have cannot be used there."""
    here: Any = ModuleType("only_here")
    exec("class Thing: pass", vars(here))
    monkeypatch.setitem(sys.modules, "only_here", here)
    lacking = re.escape("a worker cannot import a required module (No module named 'only_here')")
    with cluster.cluster(dask_cluster.address), pytest.raises(cluster.ClusterError, match=lacking):
        next(map_blocks(type, [(here.Thing(),)]))


def is_for_python(dask_cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """A function of Python computes there, too."""
    totals = list[int]()

    @contextmanager
    def bar(what: str, total: int) -> Iterator[Callable[[int], None]]:
        totals.append(total)
        yield lambda done: None

    here = evaluate("qrels", RUNS, measures="AP", per_topic=True).frame
    with monkeypatch.context() as patch:
        patch.setattr(cluster, "progress_bar", bar)
        there = evaluate("qrels", RUNS, measures="AP", per_topic=True, cluster=dask_cluster.address).frame
        assert_frame_equal(there, here, check_exact=True)
    assert totals == [2 * WORKERS]


def changes_no_bit(
    cranfield: Cranfield, dask_cluster: DaskCluster, parts: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command, the first with a worker that is killed midway; runs from files and from a data set."""
    for name, options in COMMANDS.items():
        with monkeypatch.context() as patch:
            if len(dask_cluster.workers) == WORKERS:
                patch.setattr(cluster, "progress_bar", killing(dask_cluster))
            words, more = name.split(), [*options, "--format", "json"]
            here = cranfield(*words, *SOURCE, *more)
            for place in (SOURCE, *([["qrels", parts]] if name in PARTITIONED else [])):
                there = cranfield(*words, *place, *more, "--cluster", dask_cluster.address)
                assert here.code == there.code == 0, there.err
                assert there.out == here.out, name
    assert len(dask_cluster.workers) == WORKERS - 1


def exit_at_once(*block: object) -> None:
    """Work over which a worker is lost."""
    os._exit(1)


def refusal(cranfield: Cranfield, address: str) -> str:
    """The one line that says why a cluster cannot be used."""
    code, _, err = cranfield("evaluate", *SOURCE, "--cluster", address)
    assert code == 1
    assert err.count("\n") == 1
    return err


def test_a_cluster_that_cannot_be_reached(cranfield: Cranfield) -> None:
    """One line says which, and what would be right."""
    config = pytest.importorskip("dask.config", reason="needs the extra: pip install 'cranfield[cluster]'")
    assert refusal(cranfield, "localhost") == "error: --cluster is 'localhost'; expected tcp://HOST:PORT or local:N\n"
    with config.set({"distributed.comm.timeouts.connect": "100ms"}):
        assert "tcp://127.0.0.1:1: no Dask scheduler answers: " in refusal(cranfield, "tcp://127.0.0.1:1")


class ClosedClient:
    """A client whose scheduler ended."""

    status = "closed"

    def nthreads(self) -> dict[str, int]:
        """What every question is answered by then."""
        raise TimeoutError


def test_the_scheduler_is_lost() -> None:
    with pytest.raises(cluster.ClusterError) as error:
        _ = cluster.DaskWorkers(ClosedClient(), "tcp://s:1").blocks
    assert str(error.value) == "--cluster tcp://s:1: the scheduler no longer answers"


def test_the_extra_is_missing(cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "--cluster needs dask: pip install 'cranfield[cluster]'" in refusal(cranfield, "tcp://127.0.0.1:1")


class Versions:
    """A client of a cluster with these versions."""

    def __init__(self, scheduler: dict[str, str], worker: dict[str, str] | None) -> None:
        self.scheduler, self.worker = scheduler, worker

    def nthreads(self) -> dict[str, int]:
        """By worker."""
        return {} if self.worker is None else {"tcp://w:2": 1}

    def get_versions(self, packages: object) -> dict[str, Any]:
        """Of all its parts."""
        about = {"packages": self.scheduler}, {"tcp://w:2": {"packages": self.worker}}
        return {"client": {"packages": SAME}, "scheduler": about[0], "workers": about[1]}


SAME = dict.fromkeys(cluster.VERSIONS, "2.0")
WRONG = {
    "worker tcp://w:2 has cranfield 1.0; expected 2.0, as here": Versions(SAME, SAME | {"cranfield": "1.0"}),
    "worker tcp://w:2 does not have cranfield; expected 2.0, as here": Versions(SAME, SAME | {"cranfield": ""}),
    "the scheduler has python 1.0; expected 2.0, as here": Versions(SAME | {"python": "1.0"}, SAME),
    "no worker is connected; start one with `dask worker tcp://s:1`": Versions(SAME, None),
}


@pytest.mark.parametrize("message", WRONG)
def test_a_cluster_of_other_versions(message: str) -> None:
    with pytest.raises(cluster.ClusterError) as error:
        cluster.check(WRONG[message], "tcp://s:1")
    assert str(error.value) == f"--cluster tcp://s:1: {message}"


@pytest.mark.parametrize("command", ["evaluate", "depths --by run", "stability"])
def test_blocks_are_enough(cranfield: Cranfield, parts: str, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """These commands never read the whole data set."""
    monkeypatch.delattr("cranfield.arrays.judged.UnreadRuns.loaded")
    assert cranfield(*command.split(), "qrels", parts).code == 0


@pytest.mark.parametrize(
    "command", ["evaluate", "reusability", "reusability --by cluster", "compare", "stability", "pool verify", SIMULATE]
)
def test_a_partitioned_data_set_is_like_files(cranfield: Cranfield, parts: str, command: str) -> None:
    """Where commands work on blocks, and where they ask for everything."""
    words = [*command.split(), "--format", "json"]
    of_files, of_parts = cranfield(*words, *SOURCE), cranfield(*words, "qrels", parts)
    assert of_parts.code == 0, of_parts.err
    assert of_parts.out == of_files.out


@pytest.mark.parametrize("function", [evaluate, compare, stability, leave_one_out, simulate_methods])
def test_a_partitioned_data_set_for_python(parts: str, function: Callable[..., Any]) -> None:
    """The functions take it in place of run files."""
    with warnings.catch_warnings(action="ignore"):  # on what unjudged documents leave undecided
        of_parts, of_files = (
            table.frame if isinstance(table, Result) else table
            for table in (function("qrels", given) for given in (parts, RUNS))
        )
        assert_frame_equal(of_parts, of_files, check_exact=True)


def test_nothing_more_is_imported(cranfield: Cranfield) -> None:
    """Without --cluster, Dask stays where it is."""
    before = set(sys.modules)
    assert cranfield("evaluate", *SOURCE).code == 0
    assert not {name for name in set(sys.modules) - before if name.split(".")[0] in ("dask", "distributed", "fsspec")}
