"""Twelve tasks of evaluation in six tools: lines, seconds and equal figures; writes docs/reference/migration-tasks.md.

    pip install '.[bench,interop]' && python -m benchmarks.migration
    python -m benchmarks.migration --page       the page from the kept results

A tool that is not installed is left out, and named. An answer that differs from cranfield's is an error.
"""

import argparse
import gc
import os
import statistics
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.migration.data import Data, load_data, make_store
from benchmarks.migration.figures import Figures, figures
from benchmarks.migration.results import PAGE, describe_environment, keep_results, load_results, page
from benchmarks.migration.tasks import OURS, TASKS, TOOLS, Tool, call

TOLERANCE = 1e-9


def main(arguments: list[str] | None = None) -> None:
    """Measure, print a line for each task and tool, keep the results and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.migration")
    parser.add_argument("--repeats", type=int, default=15, help="calls of each tool, of which the median counts")
    parser.add_argument("--page", action="store_true", help="write the page from the kept results, and measure nothing")
    given = parser.parse_args(arguments)
    if not given.page:
        keep_results(measure(given.repeats))
    PAGE.write_text(page(load_results()), encoding="utf-8")


def measure(repeats: int) -> dict[str, Any]:
    """The times of each task and tool, and what they were measured with."""
    import matplotlib as mpl

    mpl.use("Agg")
    if absent := [tool.title for tool in TOOLS if not tool.is_installed()]:
        print(f"not installed: {', '.join(absent)}")
    tools = [tool for tool in TOOLS if tool.is_installed()]
    times = {}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(action="ignore"):  # notes, the same each time
        data = load_data(make_store(Path(folder)))
        loaded = {tool: tool.load(data) for tool in tools}
        for task in TASKS:
            calls = {tool: tool.functions()[task] for tool in tools if task in tool.functions()}
            answers = {tool: figures(tool.module, task, call(calls[tool], loaded[tool])) for tool in calls}
            if problems := differences(task, answers):
                raise SystemExit("\n".join(problems))
            times[task] = medians(in_turn(calls, loaded, repeats))
            for name, (seconds, ratio) in times[task].items():
                print(f"{task} {name}: {1000 * seconds:.3g} ms, {ratio:.2g}x", flush=True)
    return {**describe_environment(os.cpu_count() or 1), "size": size_of(data), "repeats": repeats, "times": times}


def differences(task: str, answers: Mapping[Tool, Figures]) -> list[str]:
    """A line for each tool whose figures are not cranfield's."""
    (ours,) = (answer for tool, answer in answers.items() if tool.module == OURS)
    lines = []
    for tool, theirs in answers.items():
        wrong = [name for name in ours if not abs(ours[name] - theirs.get(name, float("nan"))) <= TOLERANCE]
        if wrong or ours.keys() != theirs.keys():
            names = ", ".join([*wrong, *sorted(theirs.keys() - ours.keys())][:3])
            lines.append(f"{task} in {tool.title}: other figures than cranfield's of {names}")
    return lines


def medians(took: Mapping[Tool, Sequence[float]]) -> dict[str, tuple[float, float]]:
    """The median seconds of each tool, and the median ratio to cranfield's seconds in the same round."""
    (ours,) = (values for tool, values in took.items() if tool.module == OURS)
    return {
        tool.module: (
            statistics.median(values),
            statistics.median(theirs / mine for theirs, mine in zip(values, ours, strict=True)),
        )
        for tool, values in took.items()
    }


def in_turn(
    calls: Mapping[Tool, Callable[..., Any]], loaded: Mapping[Tool, dict[str, Any]], repeats: int
) -> dict[Tool, list[float]]:
    """The seconds of each call of each tool's function; the tools take turns, a call in each round."""
    from matplotlib import pyplot as plt

    took: dict[Tool, list[float]] = {tool: [] for tool in calls}
    gc.collect()
    gc.freeze()  # statsmodels collects garbage in each call, which would search the objects of all tools
    for _ in range(repeats):
        for tool, function in calls.items():
            start = process_time()
            call(function, loaded[tool])
            took[tool].append(process_time() - start)
            plt.close("all")
    gc.unfreeze()
    return took


def size_of(data: Data) -> str:
    """How much the tools are given."""
    judgments = sum(len(grades) for grades in data.qrels.values())
    rankings = [len(scores) for run in data.runs.values() for scores in run.values()]
    return (
        f"{len(data.qrels)} topics, {judgments:,} judgments and {len(data.runs)} runs of "
        f"{round(statistics.mean(rankings))} documents per topic on average"
    )


if __name__ == "__main__":
    main()
