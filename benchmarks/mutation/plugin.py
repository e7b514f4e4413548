"""The pytest plugin of mutants: first which tests reach each mutant, then which of these tests fail with it."""

from __future__ import annotations

import json
import os
import signal
import tempfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, process_time
from typing import Any

import pytest

FOLDER = Path(os.environ["CRANFIELD_MUTANTS"])  # for what one process tells the others
JOBS = int(os.environ.get("CRANFIELD_JOBS", "2"))
SECONDS = 300  # a mutant whose tests take longer in one test counts as killed
by_fixture: dict[int, set[int]] = {}  # what the setup of a fixture of a wider scope reaches


def _new_reached_file() -> Path:
    handle, name = tempfile.mkstemp(dir=FOLDER, prefix="reached-")
    os.close(handle)
    os.environ["CRANFIELD_REACHED"] = name
    _switch().reached.clear()
    return Path(name)


def _switch() -> Any:
    import mutant_switch  # type: ignore[import-not-found] # of the instrumented copy

    return mutant_switch


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any) -> Generator[None, object, object]:
    """Note what a fixture reaches that several tests share."""
    if fixturedef.scope == "function" or "CRANFIELD_REACHED" not in os.environ:
        return (yield)
    before = set(_switch().reached)
    _switch().reached.clear()
    result = yield
    by_fixture[id(fixturedef)] = set(_switch().reached)
    _switch().reached.update(before)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: Any) -> Generator[None, object, object]:
    """Write down what a test reaches, and its processor time."""
    if "CRANFIELD_RECORD" not in os.environ:
        return (yield)
    path, began = _new_reached_file(), process_time()
    item.failed_here = False
    result = yield
    fixtures = [fixture for several in item._fixtureinfo.name2fixturedefs.values() for fixture in several]
    reached = {int(line) for line in path.read_text().split()}.union(
        *(by_fixture.get(id(fixture), set()) for fixture in fixtures)
    )
    path.unlink()
    if not item.failed_here:
        worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
        with (FOLDER / f"tests-{worker}.jsonl").open("a") as file:
            file.write(json.dumps([item.nodeid, sorted(reached), round(process_time() - began, 4)]) + "\n")
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: Any) -> Generator[None, Any, Any]:
    """Note that a test fails."""
    report = yield
    if report.failed:
        item.failed_here = True
    return report


def read_reached(folder: Path) -> tuple[dict[str, set[int]], dict[str, float]]:
    """Read which mutants each test reaches, and the seconds of each test."""
    reached, seconds = {}, {}
    for path in folder.glob("tests-*.jsonl"):
        for line in path.read_text().splitlines():
            name, indices, took = json.loads(line)
            reached[name], seconds[name] = set(indices), took
    return reached, seconds


def select_tests(
    items: Sequence[pytest.Item], index: int, reached: dict[str, set[int]], seconds: dict[str, float]
) -> list[pytest.Item]:
    """Select the tests that reach a mutant, file by file; the files whose tests take least come first."""
    selected = [item for item in items if index in reached.get(item.nodeid, ())]
    files: dict[str, list[float]] = {}
    for item in selected:
        files.setdefault(item.nodeid.split("::")[0], []).append(seconds[item.nodeid])
    return sorted(selected, key=lambda item: (sum(files[name := item.nodeid.split("::")[0]]), name))


def _first_failure(items: Sequence[pytest.Item]) -> str:
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.failed_here = False  # type: ignore[attr-defined]
        signal.alarm(SECONDS)
        (FOLDER / f"at-{os.getpid()}").write_text(item.nodeid)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if item.failed_here:  # type: ignore[attr-defined]
            return item.nodeid
    return ""


def _fork(index: int, items: Sequence[pytest.Item]) -> int:
    """Run tests in a copy of this process with a mutant until one fails; the copy writes the name of that test."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        os.environ["CRANFIELD_MUTANT"] = str(index)
        _switch().active = index
        with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
            os.environ["CRANFIELD_TESTS_FOLDER"] = folder
            tempfile.tempdir = folder
            failed = _first_failure(items)
        (FOLDER / f"failed-{os.getpid()}").write_text(failed)
        status = 0
    finally:
        os._exit(status)


def _failure_of(pid: int, status: int) -> str:
    with suppress(FileNotFoundError):
        if status == 0:
            return (FOLDER / f"failed-{pid}").read_text()
        return (FOLDER / f"at-{pid}").read_text()  # it crashed, or it took too long
    return "(no test)"


def _run(tasks: Iterator[tuple[int, list[pytest.Item]]]) -> Iterator[tuple[int, str, float]]:
    """Run each task in a process of its own, several at a time. Yields mutant, failing test and seconds."""
    running: dict[int, tuple[int, float]] = {}
    while True:
        while len(running) < JOBS and (task := next(tasks, None)):
            running[_fork(*task)] = task[0], monotonic()
        if not running:
            return
        pid, status = os.wait()
        if pid in running:
            index, began = running.pop(pid)
            yield index, _failure_of(pid, status), monotonic() - began


def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run the tests that reach each mutant until one fails; a test that fails without the mutant does not count."""
    if "CRANFIELD_RECORD" in os.environ:
        return None
    reached, seconds = read_reached(FOLDER)
    waiting = {
        index: select_tests(session.items, index, reached, seconds)
        for index in json.loads(os.environ["CRANFIELD_INDICES"])
    }
    counts = {index: len(items) for index, items in waiting.items()}
    results: dict[int, str] = dict.fromkeys(waiting, "")
    took = dict.fromkeys(waiting, 0.0)
    while waiting:
        found = {}
        for index, name, passed in _run((index, items) for index, items in waiting.items() if items):
            found[index] = name
            took[index] += passed
            print(f"mutant {index}: {name or 'survives'} ({passed:.1f} s, {counts[index]} tests)", flush=True)
        by_name = {item.nodeid: item for item in session.items}
        names = sorted({name for name in found.values() if name in by_name})
        alone = [(-2 - place, [by_name[name]]) for place, name in enumerate(names)]
        unsound = {name for _, name, _ in _run(iter(alone)) if name}
        results.update({index: name for index, name in found.items() if name not in unsound})
        waiting = {
            index: [item for item in waiting[index] if item.nodeid not in unsound]
            for index, name in found.items()
            if name in unsound
        }
    lines = [[index, results[index], counts[index], round(took[index], 1)] for index in results]
    (FOLDER / "results.json").write_text(json.dumps(lines))
    return True
