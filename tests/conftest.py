"""What tests share: the real collections beside the checkout, where they are, and the command line."""

import gc
import os
import shutil
import sqlite3
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeVar

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from typer.main import get_command

from cranfield.cli.program import main
from cranfield.formats.files import LIMITS
from tests.memory import memory
from tests.needed_features import missing_features
from tests.real import FOLDER, made_once

pytest_plugins = ["tests.browser", "tests.cluster", "tests.needed_extras"]

T = TypeVar("T")
RINGS = {"full": "browsers, clusters, servers, the built site and real collections", "daily": "all tests, at length"}
FULL = {"shared", "in_browser", "dask_cluster"}  # fixtures: a test that takes one is a full test without a marker
asked: set[str] = set()  # the rings for which an option asks


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add an option for each ring of tests; CONTRIBUTING.md describes the rings."""
    for ring, tests in RINGS.items():
        parser.getgroup("cranfield").addoption(f"--{ring}", action="store_true", help=f"run the {ring} tests: {tests}")


def _rings_asked(config: pytest.Config) -> set[str]:
    return {ring for ring in RINGS if config.getoption(ring) or config.getoption("daily")}


def usually(some: T, everything: T) -> T:
    """What tests take of examples, runs and draws: `some`, or `everything` with --daily."""
    return everything if "daily" in asked else some


# Bytecode is kept even so: otherwise each worker compiles 900 modules again in each run, which takes 7 seconds.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as many workers as processors keep all busy

if folder := memory():
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", folder)


TOOK = os.environ.get("CRANFIELD_TOOK")  # a new file: the seconds and the name of each test that passes
NOT_AGAIN = os.environ.get("CRANFIELD_NOT_AGAIN")  # such a file: of its tests, only a sample runs again
LONG = 0.01  # seconds
LONG_TESTS_AGAIN, SHORT_TESTS_AGAIN = 12, 8  # one in so many
took: dict[str, float] = {}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """As many workers as processors, and one more if tests wait for a browser; each imports everything again."""
    from tests.browser import PROGRAM

    return (os.cpu_count() or 1) + bool(_rings_asked(config) and PROGRAM and find_spec("playwright"))


outcomes: dict[str, tuple[str, str]] = {}  # ring and outcome of each test


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note the outcome of a test by its ring, and add up how long it takes; one that does not pass takes no time."""
    ring = next((name for name in ("daily", "full") if name in report.keywords), "quick")
    if report.when == "call" or not report.passed:
        outcomes[report.nodeid] = ring, "failed" if report.failed else report.outcome
    if TOOK:
        before = took.get(report.nodeid, 0.0)
        took[report.nodeid] = before + report.duration if report.passed else float("-inf")


def count_by_ring() -> str:
    """Count the outcomes of each ring that ran, in a line."""
    counts = Counter(outcomes.values())
    parts = [
        " ".join([ring, ", ".join(f"{counts[key]} {key[1]}" for key in sorted(counts) if key[0] == ring)])
        for ring in ("quick", *RINGS)
        if any(key[0] == ring for key in counts)
    ]
    return "; ".join(parts)


def pytest_terminal_summary(terminalreporter: "pytest.TerminalReporter") -> None:
    """Count the outcomes by ring if an option asks for a ring."""
    if asked and outcomes:
        terminalreporter.write_line(f"rings: {count_by_ring()}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the rings that no option asks for, and what is not tested again."""
    left_out = read_left_out(Path(NOT_AGAIN)) if NOT_AGAIN else set()
    for item in items:
        if FULL.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("full")
        if any(map(item.get_closest_marker, RINGS.keys() - asked)):
            left_out.add(item.nodeid)
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in left_out])
    items[:] = [item for item in items if item.nodeid not in left_out]


def read_left_out(path: Path) -> set[str]:
    """Read a file of tests that have passed, and return the names of those that do not run again.

    A test that was skipped or that failed is not in the file, so it runs.
    """
    left_out = set()
    for line in path.read_text("utf-8").splitlines():
        seconds, _, name = line.partition(" ")
        if zlib.crc32(name.encode()) % (LONG_TESTS_AGAIN if float(seconds) >= LONG else SHORT_TESTS_AGAIN):
            left_out.add(name)
    return left_out


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out the test files that import a feature that was deleted."""
    is_test = collection_path.suffix == ".py" and collection_path.is_relative_to(ROOT / "tests")
    return True if is_test and missing_features(collection_path) else None


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that is marked with a feature that was deleted."""
    for marker in item.iter_markers("needs"):
        if gone := [name for name in marker.args if not (ROOT / "cranfield" / "features" / name).is_dir()]:
            pytest.skip(f"needs the feature {gone[0]}, which was deleted")


deselected: list[str] = []  # in this process


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    deselected.extend(item.nodeid for item in items)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Report what the first worker to end has deselected, as all workers have; pytest-xdist does not."""
    if not deselected:
        names = getattr(node, "workeroutput", {}).get("deselected", [])
        node.config.hook.pytest_deselected(items=[SimpleNamespace(nodeid=name) for name in names])


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write down which tests passed, and tell the first process what a worker deselected."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["deselected"] = deselected
    if TOOK and not hasattr(session.config, "workerinput"):
        lines = [f"{seconds:.3f} {name}\n" for name, seconds in took.items() if seconds >= 0]
        Path(TOOK).write_text("".join(lines), "utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Make a folder for all processes of the tests, and set what differs between the rings."""
    asked.update(_rings_asked(config))
    settings.register_profile(
        "untimed", deadline=None, max_examples=usually(10, 30), derandomize=usually(True, False)
    )  # machines differ; every run draws the same examples, unless all are wanted
    settings.load_profile("untimed")
    if usually(True, False):  # draws look for nothing in the program's text, which takes 9 seconds where it is new
        vars(providers)["is_local_module_file"] = lambda path: False
    if not hasattr(config, "workerinput"):
        os.environ[FOLDER] = tempfile.mkdtemp(prefix="cranfield-tests-", dir=folder)


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ[FOLDER], ignore_errors=True)


# What an installation may leave to be compiled.
LARGE = ("pandas", "scipy.stats", "matplotlib.figure", "sklearn.linear_model", "textual.app")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Nobody looks for garbage while tests are collected, nor later among what was there when they began."""
    gc.disable()
    try:
        _import_share(session)
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def _import_share(session: pytest.Session) -> None:
    """Import a worker's share of all modules before the others': each is compiled by one worker and kept for all."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers > 1 and session.config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        first = int(os.environ["PYTEST_XDIST_WORKER"][2:])
        paths = [sorted(ROOT.glob(name)) for name in ("cranfield/**/[!_]*.py", "tests/**/test_*.py")]
        modules = [[".".join(path.relative_to(ROOT).with_suffix("").parts) for path in room] for room in paths]
        for name in [name for names in (LARGE, *modules) for name in names[first::workers]]:
            with suppress(Exception, pytest.skip.Exception):  # reported when the test is collected
                import_module(name)


ROOT = Path(__file__).resolve().parents[1]  # of the checkout
SHARED = ROOT.parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real collections; tests that need it are skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("needs ../shared/data, which is not here")
    return SHARED


def is_open(connection: sqlite3.Connection) -> bool:
    """Whether a connection was not closed yet."""
    try:
        connection.total_changes  # noqa: B018 - a closed connection refuses
    except sqlite3.ProgrammingError:
        return False
    return True


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store that the demo makes, made by the first process that needs it; who changes it changes a copy."""
    from cranfield.cli.commands.demo import _build
    from tests.needed_extras import skip_without

    skip_without("search")
    path = tmp_path_factory.mktemp("demo") / "workshop.db"
    path.write_bytes(made_once("workshop.db", _build))
    return path


@pytest.fixture(autouse=True)
def limits_of_input() -> Iterator[None]:
    """How files are read, as before the test: a command that runs in this process changes it."""
    before = LIMITS.get()
    yield
    LIMITS.set(before)


@pytest.fixture(autouse=True)
def connections(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[sqlite3.Connection]]:
    """The connections that a test opens; those it leaves open are closed when it ends."""
    stores: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def open_one(*arguments: Any, **options: Any) -> sqlite3.Connection:
        stores.append(connect(*arguments, **options))
        return stores[-1]

    monkeypatch.setattr(sqlite3, "connect", open_one)
    yield stores
    for connection in filter(is_open, stores):
        connection.close()


@pytest.fixture
def forgotten(tmp_path: Path) -> Iterator[None]:
    """Nobody has registered a measure; the modules that a test loads from its folder are forgotten after it."""
    from cranfield.metrics.measure import REGISTERED

    modules, measures, path = set(sys.modules), dict(REGISTERED), list(sys.path)
    REGISTERED.clear()
    yield
    for name in set(sys.modules) - modules:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]
    REGISTERED.clear()
    REGISTERED.update(measures)
    sys.path[:] = path


class Result(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


class Cranfield:
    """The command line, as a function of its arguments, or of a whole line. Whatever a command opens it closes."""

    def __init__(
        self, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], connections: list[sqlite3.Connection]
    ) -> None:
        self._patch, self._capsys, self._connections = patch, capsys, connections

    def __call__(self, *arguments: object) -> Result:
        words = map(str, arguments) if len(arguments) > 1 else str(arguments[0]).split()
        self._patch.setattr("sys.argv", ["cranfield", *words])
        self._capsys.readouterr()
        before, code = len(self._connections), 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        assert not any(map(is_open, self._connections[before:])), f"{arguments} leaves a store open"
        output = self._capsys.readouterr()
        return Result(code, output.out, output.err)

    def out(self, *arguments: object) -> str:
        """What a command prints that ends well."""
        result = self(*arguments)
        assert result.code == 0, (arguments, result)
        return result.out

    def run(self, *lines: str) -> None:
        """Commands that end well, a line each."""
        for line in lines:
            self.out(line)

    def error(self, *arguments: object) -> str:
        """The only line of a command that fails, after "error: ": nothing is printed, and the exit code is 1."""
        result = self(*arguments)
        assert (result.code, result.out, result.err.count("\n")) == (1, "", 1), (arguments, result)
        assert result.err.startswith("error: "), (arguments, result)
        return result.err.removeprefix("error: ").removesuffix("\n")


COMMAND = cache(get_command)  # is made of its options once in a process, which is half of a short command's time


@pytest.fixture
def cranfield(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], connections: list[sqlite3.Connection]
) -> Cranfield:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("typer.main.get_command", COMMAND)
    return Cranfield(monkeypatch, capsys, connections)
