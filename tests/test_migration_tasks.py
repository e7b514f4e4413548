"""docs/reference/migration-tasks.md has the code that runs, and the tools return the same figures."""

from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from warnings import catch_warnings

import matplotlib.pyplot as plt
import pytest
from packaging.version import Version

from benchmarks.migration.__main__ import differences, in_turn, medians, size_of
from benchmarks.migration.data import Data, load_data
from benchmarks.migration.figures import figures
from benchmarks.migration.results import PAGE, load_results, page
from benchmarks.migration.tasks import TASKS, TOOLS, Tool, call, code_of, count_lines, module_source

OURS, *PEERS = TOOLS


@pytest.fixture(scope="module")
def data(workshop: Path) -> Data:
    """The bundled collection."""
    with pytest.warns(UserWarning, match="all by models"):
        return load_data(workshop)


@pytest.fixture(scope="module")
def ours(data: Data) -> dict[str, Any]:
    """Cranfield's figures of each task."""
    given = OURS.load(data)
    with catch_warnings(action="ignore"):  # 71 judged documents do not come from the pool
        answers = {task: figures(OURS.module, task, call(code, given)) for task, code in OURS.functions().items()}
    plt.close("all")
    return answers


def test_the_page_is_made_of_the_code_and_the_results() -> None:
    """`python -m benchmarks.migration --page` writes it."""
    assert PAGE.read_text(encoding="utf-8") == page(load_results())


def test_each_code_of_a_tool_was_measured() -> None:
    """A task that a tool can do has its times, and no other has any."""
    times = load_results()["times"]
    codes = {tool.module: code_of(module_source(tool)) for tool in TOOLS}
    assert {task: [*times[task]] for task in TASKS} == {
        task: [tool for tool, tasks in codes.items() if task in tasks] for task in TASKS
    }


def test_cranfield_does_every_task(data: Data, ours: dict[str, Any]) -> None:
    """In at most five lines, with a figure for each One of run, topic or document."""
    assert [*ours] == [*TASKS]
    assert max(count_lines(code) for code in code_of(module_source(OURS)).values()) == 5
    assert [len(ours[task]) for task in ("many_runs", "per_topic", "compare_with_baseline")] == [39, 25, 2]
    assert size_of(data) == load_results()["size"]


@pytest.mark.full
@pytest.mark.parametrize("tool", PEERS, ids=lambda tool: tool.title)
@pytest.mark.filterwarnings("ignore")  # of the peers
def test_a_tool_returns_the_same_figures(tool: Tool, data: Data, ours: dict[str, Any]) -> None:
    if not tool.is_installed():
        pytest.skip(f"{tool.title} is not installed")
    given, functions = tool.load(data), tool.functions()
    if not find_spec("statsmodels"):  # with which most tools correct p-values
        functions.pop("correct_many_systems", None)
    if Version(version("matplotlib")) < Version("3.10"):  # which names the orientation of boxes so
        functions.pop("plot", None)
    for task, function in functions.items():
        assert differences(task, {OURS: ours[task], tool: figures(tool.module, task, call(function, given))}) == []
    plt.close("all")


def test_other_figures_are_named() -> None:
    """A figure that is missing, one that differs, and one that is not ours; NaN is a difference."""
    answer = {"a": 1.0, "b": 0.5, "c": 0.0}
    (line,) = differences("fuse", {OURS: answer, PEERS[0]: {"a": float("nan"), "b": 0.5, "d": 1.0}})
    assert line == "fuse in ir_measures: other figures than cranfield's of a, c, d"
    assert differences("fuse", {OURS: answer, PEERS[0]: answer}) == []


def test_calls_are_measured_in_turn() -> None:
    """Each tool is called as often as was asked, the tools one after the other."""
    called: list[str] = []

    def note_call(run: str) -> None:
        called.append(run)

    calls = dict.fromkeys(TOOLS[:2], note_call)
    took = in_turn(calls, {tool: {"run": tool.title} for tool in calls}, 2)
    assert called == ["cranfield", "ir_measures"] * 2
    assert [len(values) for values in took.values()] == [2, 2]
    assert min(min(values) for values in took.values()) >= 0


def test_ratios_are_of_the_same_round() -> None:
    """A round in which all calls were slow does not change the ratio."""
    found = medians({OURS: [1.0, 2.0, 9.0], PEERS[0]: [3.0, 6.0, 27.0]})
    assert found == {"ours": (2.0, 1.0), "ir_measures": (6.0, 3.0)}
